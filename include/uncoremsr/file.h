/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/file.h
 * Open files whose names a user gave: event lists, recordings, configurations. A file that could block for
 * ever or has no end is refused. The library and its tools open such files in the same way.
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

/** How long to wait for the first byte of a named pipe. */
#define UNCOREMSR_FILE_WAIT_MS 2000
/** No size limit, for uncoremsr_file_open(). */
#define UNCOREMSR_FILE_ANY UINT64_MAX

/** Further kinds of files that uncoremsr_file_open() refuses. */
enum uncoremsr_file_flags {
	UNCOREMSR_FILE_PLAIN = 1,   /* refuse pipes: for names that do not come from a user */
	UNCOREMSR_FILE_NO_LINK = 2, /* refuse symbolic links (-ELOOP) */
};

/**
 * Open a file of at most @p most bytes for reading. Wait at most UNCOREMSR_FILE_WAIT_MS for the first byte
 * of a named pipe; an anonymous pipe, as of "<(zcat LIST)", may be slow. Devices are refused, except
 * /dev/null.
 * @param flags 0, or some of enum uncoremsr_file_flags
 * @return a descriptor, which the caller closes; or
 *   -EFBIG      larger than @p most
 *   -ETIMEDOUT  a named pipe into which nobody wrote for UNCOREMSR_FILE_WAIT_MS
 *   -EISDIR     a directory
 *   -ENODEV, -ENXIO a device, a socket, or a pipe if UNCOREMSR_FILE_PLAIN is set
 *   -EINVAL @p path is NULL; -ENOENT, -EACCES or another error of open(2)
 */
int uncoremsr_file_open(const char *path, uint64_t most, unsigned flags);
/**
 * Read a descriptor to its end, but at most @p most bytes. A NUL follows the *len bytes of *text, which the
 * caller frees with free().
 * @return 0; 1 if there is more than @p most; -EINVAL, -ENOMEM or an error of read(2) (*text is NULL then).
 */
int uncoremsr_file_read(int fd, uint64_t most, char **text, size_t *len);
/** Message for an error of uncoremsr_file_open() or uncoremsr_file_read(); valid as long as a message of
 * strerror(3). */
const char *uncoremsr_file_error(int err);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
