/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What perf_event_open(2) takes for the events of scanner.h. An event has one attr for each unit of its
 * PMU (30 C-boxes: 30 attrs). Knows sysfs PMUs and event lists, opens nothing.
 *
 *   event  = pmu "/" [ terms ] "/" [ mods ]      ; mods follow the slash directly, or after a colon
 *          / symbol [ ":" mods ]                 ; generic, cache, alias, list name, tracepoint
 *          / name *( ":" term "=" value )        ; list name with more terms (jevents' form)
 *          / "r" 1*16HEX [ ":" mods ]            ; raw word of the core PMU
 *   terms  = term *( "," term )
 *   term   = name [ "=" value ] / "r" HEX        ; format, alias, config*, name, period (ignored)
 *   mods   = *( u k h G H I p P S D W e )        ; perf-list(1)
 */
#ifndef UM_PERF_EVENT_H
#define UM_PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/event.h"
#include "events/kernel_pmu.h"

/* What an event that samples writes into its ring, and when (linux/perf_event.h has the bits). */
struct um_perf_sampling {
	uint64_t period;       /* so many events, or nanoseconds; with @by_frequency: samples per second */
	bool by_frequency;
	bool tells_tasks;      /* programs, threads and mapped files as well */
	uint64_t sample_type;  /* what a sample consists of */
	uint64_t read_format;  /* what read() answers */
};

/* The parts of struct perf_event_attr that counting and sampling need (linux/perf_event.h). */
struct um_perf_attr {
	uint32_t type;
	uint64_t config[UM_CONFIGS];
	bool exclude_user, exclude_kernel, exclude_hv, exclude_idle, exclude_host, exclude_guest;
	bool pinned, exclusive;
	uint8_t precise;       /* 0 to 3 */
	/*
	 * No modifier was given: exclude_guest as perf does, taken back when the kernel refuses it.
	 */
	bool guest_by_default;
	const struct um_perf_sampling *sampling; /* NULL: it only counts */
};

struct um_perf_unit {
	struct um_kernel_pmu *pmu;  /* NULL: no sysfs PMU (software, tracepoints without folder) */
	struct um_perf_attr attr;
};

struct um_perf_event {
	char *name;            /* what is shown: as written, or canonical; with modifiers */
	char *pmu;             /* family ("uncore_cha", "cpu", "software") */
	struct um_perf_unit *units;
	size_t num_units;
	size_t cgroup;         /* of those of the target: the one that it is for */
	unsigned group;        /* events of one group are opened as one perf group */
	bool weak;             /* its group may be taken apart: no user asked for it */
	bool sampled_group;    /* modifier S, accepted and without meaning for counting */
	double scale;          /* 1 without */
	char *measure;         /* "MiB"; NULL without */
	bool snapshot;         /* value is a level, not to be differenced */
	bool per_package;
	bool absent;           /* this kernel has no such PMU; a catalog has */
	bool is_uncore;        /* one reading per package or die, from the PMU's cpumask */
	const struct um_json_event *listed; /* the entry of its list; NULL: of no list */
	bool unnamed;          /* several entries' unit masks: no name is just this */
	char *description;     /* of the list; NULL without */
	/* As of struct um_encoding. */
	const char *remarks[UM_EVENT_REMARKS];
	unsigned num_remarks;
	bool no_filter;
	char kernel_scale[UM_SCALE_TEXT];
};

/* Of a hybrid processor: a unit for each kind of core, of which a task runs on one at a time. */
static inline bool um_perf_is_of_kinds(const struct um_perf_event *ev)
{
	return ev->num_units > 1 && !ev->is_uncore;
}

struct um_perf_events {
	struct um_perf_event *events;
	size_t num;
	unsigned num_groups;
};

struct um_event;
/*
 * Append a group of events in the kernel's own words. 0, or on failure (-EINVAL, -ENOENT, -ENOTSUP,
 * -ENOMEM, sentence in @e) the list is as before.
 */
int um_perf_encode(struct um_perf_events *list, const struct um_perf_scope *scope,
		   const struct um_event *group, size_t num, struct um_error *e) UM_MUST_CHECK;
void um_perf_events_free(struct um_perf_events *list);
/* Only the first @num stay. */
void um_perf_events_cut(struct um_perf_events *list, size_t num);

#endif
