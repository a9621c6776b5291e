/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How likwid and libpfm4 write what the language here says otherwise: counters, PMUs, unit masks. One table
 * each; names of events are names.h's.
 */
#ifndef UM_SPELLINGS_H
#define UM_SPELLINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/scanner.h"
#include "uarch/uarch.h"

/* A counter as likwid names it: "UPMC3", "UPMCFIX", "CBOX2C1", "PMC0", "FIXC1". */
struct um_counter_word {
	int unit;                    /* -1: it does not say */
	int counter;                 /* of the general ones; of the fixed ones if @fixed; -1: the only one */
	bool fixed;
};

/* Is the word a counter of this PMU? Not whether there are so many. */
bool um_counter_word(const struct uncoremsr_pmu *pmu, const char *text, size_t len,
		     struct um_counter_word *w);

/*
 * "wsm_unc::...", "snb_unc_cbo0::...": an event with its PMU as libpfm4 writes it. In *pmu what that is
 * called here ("" where the uncore is one PMU), and whose it is; the event begins with the third part.
 * NULL: it is none.
 */
const char *um_libpfm4_event(const struct um_event *ev, const char **pmu, size_t *pmu_len);

/* A unit mask that only libpfm4 has a name for; false: there is none. */
bool um_libpfm4_mask(const char *event, size_t event_len, const char *mask, size_t len,
		     unsigned *select, unsigned *umask);

/* Our term for what libpfm4 calls a unit mask and is a filter ("STATE_M", "FC_ANY"); NULL: it is none. */
const char *um_libpfm4_filter(const char *uarch, const char *mask, size_t len, uint64_t *value);

/* A modifier of libpfm4's becomes our term ("isoc=1"). False: it asks for nothing ("tf=0"). */
bool um_libpfm4_modifier(struct um_event_term *t);

#endif
