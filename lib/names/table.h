/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables of event names with their event selects and unit masks. tables.awk makes them from the *.tsv files in this
 * folder.
 *
 * Processors that share most events share one array of rows; each table uses some of these rows. Rows are sorted by
 * their names as um_name_fold() (names.h) folds them.
 *
 * To add an event, add a line to a file; to add a processor, a line to tables.tsv.
 */
#ifndef UM_EVENT_TABLE_H
#define UM_EVENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uarch/uarch.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/* Documents and programs that list an event; each is a bit. */
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

/* A source that has other codes for the name. Our tables have those of most sources, the SDM among them. */
struct um_event_dispute {
	uint16_t on;               /* bits of the tables concerned (see struct um_event_row); 0: no dispute */
	uint8_t who;               /* enum um_source */
	uint8_t their_event, their_umask;
};

struct um_event_row {
	char name[UM_EVENT_NAME];  /* canonical: the SDM's NAME.UMASK, NUL-terminated */
	uint8_t event, umask;
	uint8_t sources;           /* set of enum um_source that list the name, even with other codes */
	uint16_t on;               /* bit mask of the tables that have the row */
	uint32_t kind, unit, desc, note; /* offsets into um_event_texts */
	uint16_t extra_msr;        /* another register (of unit 0) to be set; 0: none */
	uint16_t extra_msr2;
	uint32_t extra_value;      /* value of extra_msr; 0 on Westmere: the caller chooses it */
	uint16_t extra_value2;
	/*
	 * Number of ports that have the event; 0: it does not depend on a port. The event selects of neighbouring ports
	 * differ by UM_PORT_EVENTS. Each port has two event selects for the event, so that two variants can be counted
	 * at once. extra_value is written to the register of the chosen event select.
	 */
	uint8_t ports;
	uint32_t more;             /* selector bits outside event and umask */
	struct um_event_dispute dispute;
};

enum { UM_PORT_EVENTS = 6 };       /* event selects per port of the R-box */

struct um_event_table {
	char uarch[24], pmu[8];            /* names as in the register tables */
	uint32_t manual;                   /* document that lists the events: offset into um_event_texts */
	uint16_t on;                       /* bit of this table in um_event_row.on */
	const struct um_event_row *rows;
	size_t num_rows;
};

/* Tables of one processor are adjacent; the last table is that of the core PMU ("core"). */
extern const struct um_event_table um_event_tables[];
extern const size_t um_num_event_tables;
extern const char um_event_texts[];

/* The processor's next table after @t, or its first one if @t is NULL. NULL: no more, or @uarch is NULL. */
const struct um_event_table *um_event_table_next(const char *uarch, const struct um_event_table *t);
/* The table of a PMU of a processor; NULL: there is none. The core PMU has one table for all processors. */
const struct um_event_table *um_event_table_of(const char *uarch, const struct um_pmu *pmu);

/* The selector bits of a row. If the row has ports, those for port 0. */
uint64_t um_row_word(const struct um_pmu *pmu, const struct um_event_row *row);
static inline bool um_row_has_extras(const struct um_event_row *row)
{
	return row->extra_msr || row->ports;
}

/* The table's next row after @row, or its first one if @row is NULL. NULL: no more. */
const struct um_event_row *um_event_next(const struct um_event_table *t, const struct um_event_row *row);

const char *um_source_word(unsigned source);

/* The sources whose codes for the event are the same as ours: a set of enum um_source. */
unsigned um_event_sources(const struct um_event_table *t, const struct um_event_row *row);
/* The source that has other codes for the event; NULL: none. */
const struct um_event_dispute *um_event_dispute(const struct um_event_table *t, const struct um_event_row *row);

#endif
