/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What one event did in one place, whatever the route: the register route (counting/) and the
 * kernel's (perf/) both fill it in.
 */
#ifndef UM_READING_H
#define UM_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

/* There are thousands of them: less than a whole sentence may take, and filled by um_sentence(). */
enum { UM_DETAIL = 384 };

struct uncoremsr_reading {
	enum uncoremsr_status status;
	int counter;
	bool have_raw;
	bool stamped;                /* its times are those of stamps around its reads */
	uint64_t raw, counted, value;
	uint64_t enabled_ns, running_ns, time_ns;
	uint64_t unsure_ns;          /* SPREAD: so much of its time is not known; 0: @detail tells */
	char detail[UM_DETAIL];
	uint64_t known, of;           /* of a sum: units whose reading is known, and all */
};

/* One event on one unit, or on one CPU, or for one process. */
struct uncoremsr_unit {
	const char *name;            /* "cbo3", "uncore_cha_3", "cpu5", "task 77" */
	const char *pmu;             /* where the event's units are of several; NULL: the event's */
	unsigned number;
	int cpu, core;               /* -1: none */
	const struct uncoremsr_package *package; /* NULL: of no package */
	const char *error;           /* why it is not counted; NULL when it is */
	const struct uncoremsr_reading *reading, *total;
	bool left_out;               /* of no sum: its CPU turned out to be of another kind */
};

/*
 * A rate is known as well as the time is: when it may be wrong by more than this part of it, the reading
 * is SPREAD.
 */
enum { UM_SPREAD_SHARE = 20 };

/* Its count is known, and exact. */
static inline bool um_reading_counted(const struct uncoremsr_reading *r)
{
	return r->status == UNCOREMSR_OK || r->status == UNCOREMSR_SPREAD;
}

/*
 * The count is exact, but not the time in which it was counted: the registers were read at some moment between two
 * stamps, in @unsure_ns of time all told, and this program may have been stopped meanwhile.
 */
static inline void um_reading_judge_time(struct uncoremsr_reading *r, uint64_t unsure_ns)
{
	const bool spread = r->status == UNCOREMSR_OK && unsure_ns > r->running_ns / UM_SPREAD_SHARE;

	r->stamped = true;
	r->status = spread ? UNCOREMSR_SPREAD : r->status;
	r->unsure_ns = spread ? unsure_ns : 0;
}

/* Why it is not OK: a sentence, which may be made only now. */
const char *um_reading_detail(const struct uncoremsr_reading *r);

/* Of an interval whose beginning is not known. */
#define UM_LATE "it could not be read at the beginning of this interval; what it counted is in the total"

/*
 * The machine was suspended for @ns while this was counted, if it was: what another program or a late read
 * seems to have done to it then was that.
 */
static inline void um_reading_suspended(struct uncoremsr_reading *r, uint64_t ns)
{
	if (!um_reading_counted(r) && r->status != UNCOREMSR_NOT_COUNTED &&
	    r->status != UNCOREMSR_WRAPPED && r->status != UNCOREMSR_DISTURBED)
		return;
	r->status = UNCOREMSR_SUSPENDED;
	snprintf(r->detail, sizeof(r->detail), "the machine was suspended for %.3f s: what was counted "
		 "is not known", (double)ns / 1e9);
}

/* counted * enabled / running, rounded to the nearest; the product may need 128 bits. */
static inline uint64_t um_scale(uint64_t counted, uint64_t enabled, uint64_t running)
{
	__extension__ typedef unsigned __int128 wide;
	wide v = (wide)counted * enabled + running / 2;

	v /= running;
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

#endif
