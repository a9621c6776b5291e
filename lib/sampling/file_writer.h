/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing perf.data (Linux tools/perf/Documentation/perf.data-file-format.txt), as a file that can be
 * sought in, or as the stream of records that goes through a pipe. Always in this machine's byte order.
 *
 * A file is valid whenever um_perf_data_mark() has been called: whoever is killed then leaves one that
 * holds what was written before. Nothing is buffered here.
 */
#ifndef UM_SAMPLING_FILE_WRITER_H
#define UM_SAMPLING_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "common/error.h"
#include "sampling/bytes.h"

/* perf refuses a file whose attr is larger than the one that it knows; 6.1 knows so many bytes. */
enum { UM_PERF_DATA_ATTR = 128 };

/* An event of the file. */
struct um_perf_data_event {
	const char *name;
	unsigned char attr[UM_PERF_DATA_ATTR]; /* struct perf_event_attr, its size included */
	const uint64_t *ids;
	size_t num_ids;
};

/* A mapped file and what tells it from another build of it. */
/* For a kernel whose own is not known: perf takes names from the kernel that it runs on, unless ids differ. */
#define UM_NO_BUILD_ID "no kernel's build id"

struct um_perf_data_build {
	bool kernel;
	unsigned char id[20];
	unsigned len;
	char *name;
};

/* What else the file tells. NULL or 0: it does not tell. */
struct um_perf_data_facts {
	const char *hostname, *release, *version, *arch, *cpu;
	uint32_t cpus_online, cpus_available;
	const char *const *command; /* NULL-terminated */
	const struct um_perf_data_build *builds; /* a stream has none */
	size_t num_builds;
};

struct um_perf_data {
	int fd;
	bool stream;
	const struct um_perf_data_event *events; /* the caller's */
	size_t num_events;
	uint64_t data_offset, data_size; /* in a file; a stream counts its bytes in @data_size */
};

/*
 * Everything in front of the data. @facts: a stream tells them here, a file at its end. 0 or the
 * negative errno of write(2), as of all functions here; -E2BIG: a stream cannot hold so many ids.
 */
int um_perf_data_begin(struct um_perf_data *w, const struct um_perf_data_facts *facts) UM_MUST_CHECK;
/* Whole records. @iov is changed. */
int um_perf_data_write(struct um_perf_data *w, struct iovec *iov, size_t num) UM_MUST_CHECK;
/* From here on nothing follows that is older than the last such mark. In @iov, 8 bytes. */
struct iovec um_perf_data_round(void);
/* What was written so far is part of the file. */
int um_perf_data_mark(struct um_perf_data *w) UM_MUST_CHECK;
/* The end of a file; nothing in a stream. */
int um_perf_data_end(struct um_perf_data *w, const struct um_perf_data_facts *facts) UM_MUST_CHECK;

#endif
