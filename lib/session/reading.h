/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The reading of one event: on one unit, or summed over several units. The routes fill in the readings of units. */
#ifndef UM_READING_H
#define UM_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

/* Size of a reading's explanation: smaller than UM_MESSAGE_SIZE, because there are thousands of readings. */
enum { UM_DETAIL = 384 };

/* um_reading_show() fills the public struct @shown from the other members when a caller asks for the reading. */
struct um_reading {
	struct uncoremsr_reading shown;
	enum uncoremsr_status status;
	int counter;
	bool have_raw;
	bool stamped;                /* the times come from time stamps taken around the reads of the counter */
	uint64_t raw, counted, value;
	uint64_t enabled_ns, running_ns, time_ns;
	uint64_t unsure_ns;          /* nanoseconds of a SPREAD reading's time that are uncertain; 0: @detail has the message */
	char detail[UM_DETAIL];
	bool is_sum;
	unsigned known, of;           /* for a sum: number of units with a known reading, and of all units */
};

/* One event on one unit, or on one CPU, or for one process. */
struct um_front {
	struct uncoremsr_unit shown;
	struct um_reading *reading, *total;
	bool left_out;               /* left out of all sums: the CPU is of another core type, offline or not chosen */
};

/* A reading is SPREAD if more than 1/UM_SPREAD_SHARE of its time is uncertain: its rate is equally uncertain. */
enum { UM_SPREAD_SHARE = 20 };

static inline struct um_reading um_reading_none(void)
{
	return (struct um_reading){ .status = UNCOREMSR_NOT_COUNTED, .counter = -1, .detail = "not read yet" };
}

/* Give the reading a status other than OK. @why explains the status. */
static inline void um_reading_spoil(struct um_reading *r, enum uncoremsr_status status, const char *why)
{
	r->status = status;
	um_message(r->detail, sizeof(r->detail), "%s", why);
}

/* Is the count known and exact? */
static inline bool um_reading_counted(const struct um_reading *r)
{
	return r->status == UNCOREMSR_OK || r->status == UNCOREMSR_SPREAD;
}

static inline unsigned um_reading_units(const struct um_reading *r)
{
	return r->is_sum ? r->of : 1;
}

static inline unsigned um_reading_units_known(const struct um_reading *r)
{
	return r->is_sum ? r->known : um_reading_counted(r);
}

/*
 * Decide whether the reading is SPREAD: its count is exact, but its time is not. Each register was read at an unknown
 * moment between two time stamps, and this program may have been stopped in between. @unsure_ns: the total uncertainty
 * of the time.
 */
static inline void um_reading_judge_time(struct um_reading *r, uint64_t unsure_ns)
{
	const bool spread = r->status == UNCOREMSR_OK && unsure_ns > r->running_ns / UM_SPREAD_SHARE;

	r->stamped = true;
	r->status = spread ? UNCOREMSR_SPREAD : r->status;
	r->unsure_ns = spread ? unsure_ns : 0;
}

/* The message that explains a status other than OK. Some messages are composed only when this function is called. */
const char *um_reading_detail(struct um_reading *r);
const char *um_status_word(enum uncoremsr_status status);
const struct uncoremsr_reading *um_reading_show(struct um_reading *r);

/* The message of a reading that is FAILED because the count at the beginning of its interval is unknown. */
#define UM_LATE "the counter could not be read at the beginning of this interval; what it counted is in the total"

/*
 * Mark the reading of an event that was counted while the machine was suspended for @ns. SUSPENDED also replaces
 * NOT_COUNTED, WRAPPED and DISTURBED, which the suspend may have caused.
 */
static inline void um_reading_suspended(struct um_reading *r, uint64_t ns)
{
	if (!um_reading_counted(r) && r->status != UNCOREMSR_NOT_COUNTED &&
	    r->status != UNCOREMSR_WRAPPED && r->status != UNCOREMSR_DISTURBED)
		return;
	r->status = UNCOREMSR_SUSPENDED;
	snprintf(r->detail, sizeof(r->detail), "the machine was suspended for %.3f s: what was counted "
		 "is not known", (double)ns / 1e9);
}

/* Returns counted * enabled / running, rounded to the nearest; the product may need 128 bits. */
static inline uint64_t um_scale(uint64_t counted, uint64_t enabled, uint64_t running)
{
	__extension__ typedef unsigned __int128 wide;
	wide v = (wide)counted * enabled + running / 2;

	v /= running;
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

#endif
