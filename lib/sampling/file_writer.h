/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing perf.data (Linux tools/perf/Documentation/perf.data-file-format.txt) in this machine's byte order, as a
 * seekable file or as a stream of records for a pipe.
 *
 * Each um_perf_data_mark() makes the file valid: if the program is killed later, the file has all records written
 * before the mark. Nothing is buffered here.
 */
#ifndef UM_SAMPLING_FILE_WRITER_H
#define UM_SAMPLING_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "common/error.h"
#include "sampling/bytes.h"
#include "sampling/file_format.h"
#include "uncoremsr/perf_data.h"

/* Size of struct perf_event_attr in perf 6.1, which refuses files with a larger one. */
enum { UM_PERF_DATA_ATTR = 128 };

struct um_perf_data_event {
	const char *name;
	unsigned char attr[UM_PERF_DATA_ATTR]; /* struct perf_event_attr, including its size field */
	uint64_t *ids;
	size_t num_ids;
};

/* Build id that stands for an unknown kernel. Without a build id, perf would use the symbols of its own kernel. */
#define UM_NO_BUILD_ID "no kernel's build id"

/* Facts about the recording that the file contains. Facts that are NULL or 0 are not written. */
struct um_perf_data_facts {
	const char *texts[UM_FACT_TEXTS]; /* indexed by feature, except the command line */
	uint32_t cpus_online, cpus_available;
	const struct um_bytes *command; /* made by um_perf_data_put_command() */
	const struct uncoremsr_perf_data_build *builds;
	size_t num_builds;
};

struct um_perf_data {
	int fd;
	bool stream;
	const struct um_perf_data_event *events; /* owned by the caller */
	size_t num_events;
	uint64_t data_offset, data_size; /* where the data begins in the file; bytes of data written so far */
	uint64_t facts_size; /* size of the facts that um_perf_data_end() has written */
};

/* Append a command line, which is a list of words that ends with NULL. */
void um_perf_data_put_command(struct um_bytes *b, const char *const *words);
/* Append a record of the host name to the data of a file; um_perf_data_end() writes the other facts. */
void um_perf_data_put_host(struct um_bytes *b, const char *host);
/* Append records of the events' names to the data of a file. */
void um_perf_data_put_names(struct um_bytes *b, const struct um_perf_data *w);
/*
 * Write everything that precedes the data. A stream also gets its facts now, except the build ids. All other facts are
 * written by um_perf_data_end().
 * Returns 0, -E2BIG if there are too many ids for a stream, or the negative errno of write(2).
 */
int um_perf_data_begin(struct um_perf_data *w, const struct um_perf_data_facts *facts) UM_MUST_CHECK;
/* Write complete records, from the pieces @iov (the array is modified) or from a buffer (which is freed). */
int um_perf_data_write(struct um_perf_data *w, struct iovec *iov, size_t num) UM_MUST_CHECK;
int um_perf_data_write_bytes(struct um_perf_data *w, struct um_bytes *b) UM_MUST_CHECK;
/* Update the header, so that everything written so far is part of the file. */
int um_perf_data_mark(struct um_perf_data *w) UM_MUST_CHECK;
/* Write the remaining facts: all facts of a file, or the build ids of a stream. */
int um_perf_data_end(struct um_perf_data *w, const struct um_perf_data_facts *facts) UM_MUST_CHECK;

#endif
