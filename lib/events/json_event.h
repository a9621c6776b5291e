/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of an event of a JSON list. */
#ifndef UM_JSON_EVENT_H
#define UM_JSON_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "events/source.h"

/* One event of a list. All texts belong to the lists. */
struct um_json_event {
	struct uncoremsr_event base;
	const char *name;        /* as the list spells it */
	const char *pmu;         /* "cpu", "uncore_cha": see um_json_pmus() */
	const char *unit;        /* of the list ("CHA"); "" on core events */
	const char *terms;       /* "event=0x35,umask=0x21" */
	const char *occ_terms;   /* for a PCU without unit mask: "event=0x80,occ_sel=1"; else "" */
	const char *counters;    /* as the list has them ("0,1,2,3"); "" unknown */
	const char *description; /* one line; "" without. Deprecated: what to use instead */
	const char *impossible;  /* why perf cannot express it; "" if it can */
	bool deprecated;
	bool hidden;             /* one before it has the same name */
	bool no_umask;           /* the kernel here has no umask for it: occ_terms hold */
	uint8_t core_type;       /* of hybrid processors: 0x40, 0x20; 0: any */
};

#endif
