/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/file.h
 * Files whose names a user gave: event lists, recordings, configurations. What never begins or never ends is
 * refused instead of waited for. The library opens such files in this way itself; its tools, too.
 */
#ifndef UNCOREMSR_FILE_H
#define UNCOREMSR_FILE_H

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** How long the first byte of a named pipe is waited for. */
#define UNCOREMSR_FILE_WAIT_MS 2000
/** For uncoremsr_file_open(): of any size. */
#define UNCOREMSR_FILE_ANY UINT64_MAX

/** What else uncoremsr_file_open() refuses. */
enum uncoremsr_file_flags {
	UNCOREMSR_FILE_PLAIN = 1,   /* pipes: for names that no user wrote */
	UNCOREMSR_FILE_NO_LINK = 2, /* a symbolic link in its place (-ELOOP) */
};

/**
 * Open a file for reading that has at most @p most bytes. Of a named pipe the first byte is waited for, but
 * not for ever; an anonymous one, as of "<(zcat LIST)", may be slow. No device is a file but /dev/null.
 * @param flags 0, or some of enum uncoremsr_file_flags
 * @return a descriptor, which the caller closes; or
 *   -EFBIG      it is larger
 *   -ETIMEDOUT  a named pipe into which nobody has written for UNCOREMSR_FILE_WAIT_MS
 *   -EISDIR     a directory
 *   -ENODEV, -ENXIO a device, a socket, or a pipe where none is wanted
 *   -EINVAL @p path is NULL; -ENOENT, -EACCES or another error of open(2)
 */
int uncoremsr_file_open(const char *path, uint64_t most, unsigned flags);
/**
 * Read a descriptor to its end, but at most @p most bytes. *text has a NUL behind its *len bytes and is freed by
 * the caller with free().
 * @return 0; 1 there is more than that; -EINVAL, -ENOMEM or an error of read(2): *text is NULL then.
 */
int uncoremsr_file_read(int fd, uint64_t most, char **text, size_t *len);
/** Words for people for an error of these two; valid as long as those of strerror(3). */
const char *uncoremsr_file_error(int err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
