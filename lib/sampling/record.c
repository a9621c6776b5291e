/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/record.h"

#include <errno.h>
#include <linux/perf_event.h>

enum {
	MAP_DATA = 1 << 13,     /* PERF_RECORD_MISC_MMAP_DATA */
	MAP_BUILD_ID = 1 << 14, /* PERF_RECORD_MISC_MMAP_BUILD_ID */
	PROT_EXECUTE = 4,
	READ_LOST = 16,         /* PERF_FORMAT_LOST */
};
/* Fields of the trailer of records other than samples, in this order. */
#define TRAILER (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
		 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

bool um_perf_record_head(const void *bytes, size_t left, bool big, struct um_perf_head *head)
{
	if (left < UM_PERF_RECORD_HEADER)
		return false;
	head->type = um_get32(bytes, big);
	head->misc = um_get16((const unsigned char *)bytes + 4, big);
	head->size = um_get16((const unsigned char *)bytes + 6, big);
	return head->size >= UM_PERF_RECORD_HEADER && head->size <= left;
}

/* ---- samples ---- */

static void take_values(struct um_cursor *c, uint64_t format, struct um_perf_group *group)
{
	const uint64_t named = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	unsigned value = 1 + (unsigned)__builtin_popcountll(format & (PERF_FORMAT_ID | READ_LOST));
	uint64_t num = format & PERF_FORMAT_GROUP ? um_take64(c) : 1;

	um_take(c, 8 * (uint64_t)__builtin_popcountll(format & times));
	group->at = um_take_many(c, num, 8 * value);
	group->num = group->at && (format & named) == named ? num : 0;
	group->step = 8 * value;
}

/* Convert the addresses of the call chain to this machine's byte order, in place. */
static void take_chain(struct um_cursor *c, struct uncoremsr_record *r)
{
	uint64_t num = um_take64(c);
	unsigned char *at = um_take_many(c, num, 8);
	uint64_t *chain = (uint64_t *)(void *)at;

	if (!at)
		return;
	for (uint64_t i = 0; i < num; i++)
		chain[i] = um_get64(at + 8 * i, c->big);
	r->chain = chain;
	r->num_chain = (size_t)num;
}

/* The fields that samples and trailers share, in this order; a trailer has neither IP nor ADDR. */
static void take_fields(struct um_cursor *c, uint64_t type, struct uncoremsr_record *r)
{
	if (type & PERF_SAMPLE_IP)
		r->ip = um_take64(c);
	if (type & PERF_SAMPLE_TID) {
		r->pid = um_take32(c);
		r->tid = um_take32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		r->time = um_take64(c);
	if (type & PERF_SAMPLE_ADDR)
		r->addr = um_take64(c);
	if (type & PERF_SAMPLE_ID)
		r->id = um_take64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		r->stream_id = um_take64(c);
	if (type & PERF_SAMPLE_CPU) {
		r->cpu = um_take32(c);
		um_take32(c);
	}
}

static void take_sample(struct um_cursor *c, const struct um_perf_layout *l, struct uncoremsr_record *r,
			struct um_perf_group *group)
{
	uint64_t type = l->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		r->id = um_take64(c);
	take_fields(c, type, r);
	r->period = type & PERF_SAMPLE_PERIOD ? um_take64(c) : l->period;
	if (type & PERF_SAMPLE_READ)
		take_values(c, l->read_format, group);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_chain(c, r);
	/* Stop at the call chain: the fields after it are not used, and can have any size. */
}

/* ---- records other than samples ---- */

static bool has_trailer(const struct um_perf_layout *l, uint32_t type)
{
	/* Records of types from 64 on are added by perf, not by the kernel. */
	return l->id_all && type != UNCOREMSR_RECORD_SAMPLE && type < 64;
}

static void take_ids(struct um_cursor *c, uint32_t *first, uint32_t *second)
{
	*first = um_take32(c);
	*second = um_take32(c);
}

/* The name fills the rest of the record and may lack a NUL, so add one. */
static void take_name(struct um_cursor *c, struct uncoremsr_record *r)
{
	if (c->failed)
		return;
	r->name = (const char *)c->at;
	c->at[c->left] = '\0';
}

static void take_place(struct um_cursor *c, struct uncoremsr_record *r)
{
	take_ids(c, &r->pid, &r->tid);
	r->start = um_take64(c);
	r->len = um_take64(c);
	r->pgoff = um_take64(c);
}

static void take_identity(struct um_cursor *c, struct uncoremsr_record *r)
{
	const unsigned char *p = um_take(c, 24);

	if (!p || !(r->misc & MAP_BUILD_ID) || !p[0] || p[0] > UNCOREMSR_BUILD_ID_SIZE)
		return;
	r->build_id = p + 4;
	r->build_id_size = p[0];
}

static void take_body(struct um_cursor *c, struct uncoremsr_record *r)
{
	switch (r->type) {
	case UNCOREMSR_RECORD_MAP:
		take_place(c, r);
		r->prot = r->misc & MAP_DATA ? 0 : PROT_EXECUTE;
		take_name(c, r);
		break;
	case UNCOREMSR_RECORD_MAP2:
		take_place(c, r);
		take_identity(c, r);
		r->prot = um_take32(c);
		um_take32(c);
		take_name(c, r);
		break;
	case UNCOREMSR_RECORD_COMMAND:
		take_ids(c, &r->pid, &r->tid);
		take_name(c, r);
		break;
	case UNCOREMSR_RECORD_EXIT:
	case UNCOREMSR_RECORD_FORK:
		take_ids(c, &r->pid, &r->ppid);
		take_ids(c, &r->tid, &r->ptid);
		break;
	case UNCOREMSR_RECORD_THROTTLE:
	case UNCOREMSR_RECORD_UNTHROTTLE:
		um_take64(c); /* skip the time, which is in the trailer too */
		r->id = um_take64(c);
		r->stream_id = um_take64(c);
		break;
	case UNCOREMSR_RECORD_LOST:
		r->id = um_take64(c);
		r->lost = um_take64(c);
		break;
	case UNCOREMSR_RECORD_LOST_SAMPLES:
		r->lost = um_take64(c);
		break;
	default:
		break;
	}
}

/* ---- the whole record ---- */

bool um_perf_record_id(const void *bytes, const struct um_perf_layout *l, uint64_t *id)
{
	uint64_t type = l->sample_type, between;
	const unsigned char *p = bytes;
	struct um_perf_head head;
	bool is_sample;
	size_t skip;

	if (!um_perf_record_head(bytes, UM_PERF_RECORD_ROOM, l->big, &head) ||
	    !(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return false;
	is_sample = head.type == UNCOREMSR_RECORD_SAMPLE;
	/* Fields before the id of a sample, or after that of a trailer. IDENTIFIER is the first or last field. */
	between = is_sample ? PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR
			    : PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	skip = type & PERF_SAMPLE_IDENTIFIER ? 0 : 8 * (size_t)__builtin_popcountll(type & between);
	if (head.size < UM_PERF_RECORD_HEADER + skip + 8 || (!is_sample && !has_trailer(l, head.type)))
		return false;
	*id = um_get64(is_sample ? p + UM_PERF_RECORD_HEADER + skip : p + head.size - skip - 8, l->big);
	return true;
}

int um_perf_record_parse(void *bytes, const struct um_perf_layout *l, struct uncoremsr_record *r,
			 struct um_perf_group *group)
{
	struct um_perf_group none;
	struct um_perf_head head;
	struct um_cursor c;

	group = group ? group : &none;
	*group = (struct um_perf_group){ .num = 0 };
	if (!um_perf_record_head(bytes, UM_PERF_RECORD_ROOM, l->big, &head))
		return -EBADMSG;
	*r = (struct uncoremsr_record){ .type = head.type, .misc = head.misc, .event = r->event };
	c = um_perf_record_body(bytes, &head, l->big);
	if (head.type == UNCOREMSR_RECORD_SAMPLE) {
		take_sample(&c, l, r, group);
		r->has = l->sample_type;
	} else if (has_trailer(l, head.type)) {
		struct um_cursor t = c;
		size_t size;

		r->has = l->sample_type & TRAILER;
		size = 8 * (size_t)__builtin_popcountll(r->has);
		if (size > c.left)
			return -EBADMSG;
		c.left -= size;
		um_take(&t, c.left);
		/* If the body has process ids, too, take_body() overwrites those of the trailer. */
		take_fields(&t, r->has, r);
		if (r->has & PERF_SAMPLE_IDENTIFIER)
			r->id = um_take64(&t);
	}
	take_body(&c, r);
	if (head.type == UNCOREMSR_RECORD_SAMPLE && !(l->sample_type & PERF_SAMPLE_PERIOD) && l->period)
		r->has |= UNCOREMSR_HAS_PERIOD;
	return c.failed ? -EBADMSG : 0;
}
