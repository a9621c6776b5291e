/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parse a record in either byte order (perf_event_open(2), "MMAP layout"). Trusts no size, offset or count. */
#ifndef UM_SAMPLING_RECORD_H
#define UM_SAMPLING_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "sampling/cursor.h"
#include "uncoremsr/perf_data.h"

/* Buffer for the longest record (its size field has 16 bits), and 8 bytes for the NUL that a name may lack. */
enum { UM_PERF_RECORD_HEADER = 8, UM_PERF_RECORD_ROOM = 65536 + 8 };

struct um_perf_layout {
	uint64_t sample_type, read_format;
	uint64_t period; /* period of samples without a period of their own; 0: unknown */
	bool id_all;     /* records other than samples have a trailer (sample_id_all) */
	bool big;        /* the bytes are in big-endian order */
};

struct um_perf_head {
	uint32_t type;
	uint16_t misc, size;
};

/* Counts of a group, from a sample of its leader: @num entries of @step bytes, each begins with a value and an id. */
struct um_perf_group {
	const unsigned char *at;
	uint64_t num;
	size_t step;
};

/* Read the header of the record at @bytes, where @left bytes are available. False: the header is not valid. */
bool um_perf_record_head(const void *bytes, size_t left, bool big, struct um_perf_head *head)
	UM_MUST_CHECK;
static inline struct um_cursor um_perf_record_body(void *record, const struct um_perf_head *head, bool big)
{
	return (struct um_cursor){ .at = (unsigned char *)record + UM_PERF_RECORD_HEADER,
				   .left = head->size - (size_t)UM_PERF_RECORD_HEADER, .big = big };
}

/* Read the id of the counter that wrote the record. @l: layout of any event of the recording. False: no id. */
bool um_perf_record_id(const void *bytes, const struct um_perf_layout *l, uint64_t *id) UM_MUST_CHECK;
/*
 * Parse a record with a valid header. @bytes must be aligned to 8 bytes and have room for 8 more bytes. They are
 * changed, and pointers in @r and @group point into them. @r->event is not set. @group may be NULL. Returns 0, or
 * -EBADMSG if the contents do not fit into the size of the record.
 */
int um_perf_record_parse(void *bytes, const struct um_perf_layout *l, struct uncoremsr_record *r,
			 struct um_perf_group *group) UM_MUST_CHECK;

#endif
