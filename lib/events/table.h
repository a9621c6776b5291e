/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What events are called: tables that give names to event selects and unit masks. They are text
 * (the *.tsv beside this file), which tables.awk turns into constants.
 *
 * Processors that share most events share one array of rows; a table is a view of it. Rows are
 * sorted by um_name_compare() (names.h), by their names as all spellings fold to them.
 *
 * Adding an event: one line in a file. Adding a processor: a line in tables.tsv.
 */
#ifndef UM_EVENT_TABLE_H
#define UM_EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uarch/uarch.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

enum um_event_kind {
	UM_KIND_COUNT,     /* how often something happened */
	UM_KIND_CYCLES,    /* clocks in which something was so */
	UM_KIND_OCCUPANCY, /* entries of a queue, added up every clock */
	UM_KIND_CLOCK,     /* the uncore clock: fixed counter only, its event select is none */
};

/* Who lists an event; a set of bits. */
enum um_source {
	UM_SDM = 1,      /* Intel SDM volume 3, tables 19-18 and 19-20 (2016) */
	UM_FREEBSD = 2,  /* pmc.corei7uc(3), pmc.westmereuc(3), pmc_events.h */
	UM_LIBPFM4 = 4,  /* intel_nhm_unc_events.h, intel_wsm_unc_events.h (4.13) */
	UM_LIKWID = 8,   /* perfmon_nehalem_events.txt, perfmon_westmere_events.txt */
	UM_KERNEL = 16,  /* Linux arch/x86/events/intel/uncore_snb.c */
	UM_PCM = 32,     /* Intel pcm, src/types.h and src/cpucounters.cpp */
	UM_GUIDE = 64,   /* Intel Xeon 7500 uncore programming guide, 323535-001 */
	UM_PERFMON = 128, /* Intel perfmon event lists, github.com/intel/perfmon */
};

enum { UM_EVENT_NAME = 48 };

struct um_event_row {
	char name[UM_EVENT_NAME];  /* canonical: the SDM's NAME.UMASK, NUL-terminated */
	uint8_t event, umask;
	uint8_t sources;           /* enum um_source: who lists the name, with any codes */
	uint16_t on;               /* the tables it belongs to, a set of bits */
	uint8_t kind;              /* enum um_event_kind */
	uint32_t unit, desc, note; /* offsets into um_event_texts */
	uint16_t extra_msr;        /* a register of unit 0 that has to be set too; 0: none */
	uint16_t extra_msr2;
	uint32_t extra_value;      /* for extra_msr; 0 on Westmere: the caller has to choose */
	uint16_t extra_value2;
	/*
	 * Not 0: the event exists on so many ports, UM_PORT_EVENTS event selects apart, and on each
	 * twice, so that two of a kind can be counted at once; extra_value is for the register that
	 * takes that event select's word.
	 */
	uint8_t ports;
	uint32_t more;             /* selector bits outside of event and umask */
};

enum { UM_PORT_EVENTS = 6 };       /* of the R-box */

/* One source lists the name with other codes. Ours are those of the majority, the SDM among them. */
struct um_event_dispute {
	uint16_t row;                      /* index among all rows */
	uint16_t on;
	uint8_t who;                       /* enum um_source */
	uint8_t their_event, their_umask;
};

struct um_event_table {
	char uarch[24], pmu[8];            /* names as in the register tables */
	uint32_t manual;                   /* where these events are listed: offset into um_event_texts */
	uint16_t on;                       /* which of the rows are in this table */
	const struct um_event_row *rows;
	size_t num_rows;
};

/* Those of a processor stand side by side; the last one is of the core PMU, of "core". */
extern const struct um_event_table um_event_tables[];
extern const size_t um_num_event_tables;
extern const struct um_event_row um_event_rows[];
extern const struct um_event_dispute um_event_disputes[];
extern const size_t um_num_event_disputes;
extern const char um_event_texts[];

/* The names of a PMU of a processor; NULL: none are known. */
const struct um_event_table *um_event_table_find(const char *uarch, const char *pmu);
/* The same; the core PMU has one table for all processors. */
const struct um_event_table *um_event_table_of(const char *uarch, const struct uncoremsr_pmu *pmu);

/* Does the row need more than the selector? */
static inline bool um_row_has_extras(const struct um_event_row *row)
{
	return row->extra_msr || row->ports;
}

/* The next row of the table, in table order; the first one after NULL; NULL after the last. */
const struct um_event_row *um_event_next(const struct um_event_table *t,
					 const struct um_event_row *row);

/* "count", "cycles", "occupancy", "clock". */
const char *um_event_kind_word(unsigned kind);
/* "sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm", "guide", "perfmon"; a single bit. */
const char *um_source_word(unsigned source);

/* Who gives the event the codes that we give it: a set of enum um_source. */
unsigned um_event_sources(const struct um_event_table *t, const struct um_event_row *row);
/* The next source that gives it other codes; the first one after NULL; NULL after the last. */
const struct um_event_dispute *um_event_dispute(const struct um_event_table *t,
						const struct um_event_row *row,
						const struct um_event_dispute *after);
/* What a source lists and no table here does, with the reason (other_names.c). */
struct um_event_left_out {
	const char *uarch;
	uint8_t who, event, umask;         /* enum um_source; their codes */
	const char *name, *why;
};
const struct um_event_left_out *um_event_left_out(const char *uarch, size_t index);

#endif
