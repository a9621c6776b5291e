/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parse one record of a ring or a file (perf_event_open(2), "MMAP layout"), in either byte order. No size, offset or
 * count in it is trusted.
 */
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

/* What an event's attr says about its records. */
struct um_perf_layout {
	uint64_t sample_type, read_format;
	uint64_t period; /* period of samples that do not contain one; 0: unknown */
	bool id_all;     /* records other than samples have a trailer */
	bool big;        /* the bytes are in big-endian order */
};

struct um_perf_head {
	uint32_t type;
	uint16_t misc, size;
};

/*
 * Counts of a group at a sample of its leader: @num entries in the bytes of the record, each with a value, an id and
 * further fields. @num 0: the record has none.
 */
struct um_perf_group {
	const unsigned char *at;
	uint64_t num;
	size_t step;
};

/* Read the header of the record at @bytes, where @left bytes are available. False: there is no valid record. */
bool um_perf_record_head(const void *bytes, size_t left, bool big, struct um_perf_head *head)
	UM_MUST_CHECK;
/* The bytes behind the header of a record. */
static inline struct um_cursor um_perf_record_body(void *record, const struct um_perf_head *head, bool big)
{
	return (struct um_cursor){ .at = (unsigned char *)record + UM_PERF_RECORD_HEADER,
				   .left = head->size - (size_t)UM_PERF_RECORD_HEADER, .big = big };
}

/*
 * Read the id of the counter that wrote the record. It identifies the event, and so the layout for parsing the record;
 * @l may be the layout of any event of the recording. False: the record has no id.
 */
bool um_perf_record_id(const void *bytes, const struct um_perf_layout *l, uint64_t *id) UM_MUST_CHECK;
/*
 * Parse a record. @bytes must be aligned to 8 bytes, hold a record with a valid header, and have room for 8 more bytes.
 * They are changed, and pointers in @r and @group point into them. @r->event is left alone. @group may be NULL. 0;
 * -EBADMSG: the record is shorter than it claims.
 */
int um_perf_record_parse(void *bytes, const struct um_perf_layout *l, struct uncoremsr_record *r,
			 struct um_perf_group *group) UM_MUST_CHECK;

#endif
