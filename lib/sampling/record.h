/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One record of a ring or a file (perf_event_open(2), "MMAP layout"), in either byte order. No size,
 * offset or count in it is trusted.
 */
#ifndef UM_SAMPLING_RECORD_H
#define UM_SAMPLING_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "uncoremsr/perf_data.h"

/* A record's size is 16 bits wide; behind it there is room for the end of a name. */
enum { UM_PERF_RECORD_HEADER = 8, UM_PERF_RECORD_ROOM = 65536 + 8 };

/* What an event's attr says about its records. */
struct um_perf_layout {
	uint64_t sample_type, read_format;
	uint64_t period; /* where samples have none; 0: unknown */
	bool id_all;     /* other records have a trailer */
	bool big;        /* the bytes are in big-endian order */
};

struct um_perf_head {
	uint32_t type;
	uint16_t misc, size;
};

/* What a group's counters held at a sample of its leader: @num times a value, its id, and what follows. */
struct um_perf_group {
	const unsigned char *at;
	uint64_t num;
	size_t step;
};

/* The head of what stands at @bytes, of which there are @left. False: no record can be there. */
bool um_perf_record_head(const void *bytes, size_t left, bool big, struct um_perf_head *head)
	UM_MUST_CHECK;
/*
 * The counter's id, by which its event, and so the right layout, is found: @l is that of any event of
 * the same recording. False: the record has none.
 */
bool um_perf_record_id(const void *bytes, const struct um_perf_layout *l, uint64_t *id) UM_MUST_CHECK;
/*
 * Take a record apart. @bytes is aligned to 8 bytes, holds a record whose head is good, has room for 8 more
 * bytes, and is changed; what @r points at is in there. @r->event is left alone. 0; -EBADMSG: it says
 * that it holds more than it does.
 */
int um_perf_record_parse(void *bytes, const struct um_perf_layout *l, struct uncoremsr_record *r) UM_MUST_CHECK;
/* The counters of a sample that um_perf_record_parse() took apart; @group->num is 0 for any other record. */
void um_perf_record_group(void *bytes, const struct um_perf_layout *l, struct um_perf_group *group);

#endif
