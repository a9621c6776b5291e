/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants of the perf.data format, for the reader and the writer (Linux tools/perf/util/header.h, event.h). */
#ifndef UM_SAMPLING_FILE_FORMAT_H
#define UM_SAMPLING_FILE_FORMAT_H

#include <stdint.h>

/* Features: facts that a file contains in addition to its records. */
enum {
	UM_FACT_BUILD_IDS = 2, UM_FACT_HOST = 3, UM_FACT_RELEASE = 4, UM_FACT_VERSION = 5, UM_FACT_ARCH = 6,
	UM_FACT_NUM_CPUS = 7, UM_FACT_CPU = 8, UM_FACT_COMMAND = 11, UM_FACT_EVENTS = 12, UM_FACT_DIRECTORY = 24,
	UM_FACT_COMPRESSED = 27,
	UM_FACT_LAST = 32,
	UM_FACT_TEXTS = UM_FACT_COMMAND + 1, /* array size for the features that are strings */
	UM_FACT_LIMIT = 256,         /* number of features: one for each bit of four 64-bit words */
};

/* Types of records that perf itself writes, not the kernel. */
enum {
	UM_RECORD_ATTR = 64, UM_RECORD_TRACING_DATA = 66, UM_RECORD_BUILD = 67, UM_RECORD_ROUND = 68,
	UM_RECORD_AUXTRACE = 71, UM_RECORD_UPDATE = 78, UM_RECORD_FACT = 80, UM_RECORD_COMPRESSED = 81,
	UM_RECORD_COMPRESSED2 = 83,
};

/* The kind of UM_RECORD_UPDATE that has the name of an event (PERF_EVENT_UPDATE__NAME). */
enum { UM_UPDATE_NAME = 2 };

/* Flag in a build id record that contains the length of the id (PERF_RECORD_MISC_BUILD_ID_SIZE). */
enum { UM_BUILD_ID_SIZED = 1 << 15 };

struct um_file_section {
	uint64_t at, size;
};

/* Header of a file. The header of a stream has only the first two fields. */
struct um_file_head {
	uint64_t magic, size, attr_size;
	struct um_file_section attrs, data, event_types;
	uint64_t features[UM_FACT_LIMIT / 64]; /* a bit for each feature that the file has */
};

#endif
