/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encode scanned events (scanner.h) for perf_event_open(2), with one attr for each unit of a PMU. Reads event lists and
 * sysfs, but opens no event. Accepted events: THE KERNEL'S ROUTE in uncoremsr-events(7).
 */
#ifndef UM_PERF_EVENT_H
#define UM_PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "encode/event.h"
#include "names/kernel_pmu.h"

/* What the kernel writes into the ring buffer of a sampling event, and how often (linux/perf_event.h). */
struct um_perf_sampling {
	uint64_t period;       /* events or nanoseconds per sample; with @by_frequency: samples per second */
	bool by_frequency;
	bool tells_tasks;      /* also write records about programs, threads and mapped files */
	uint64_t sample_type;
	uint64_t read_format;
};

/* The parts of struct perf_event_attr that counting and sampling need (linux/perf_event.h). */
struct um_perf_attr {
	uint32_t type;
	uint64_t config[UM_CONFIGS];
	bool exclude_user, exclude_kernel, exclude_hv, exclude_idle, exclude_host, exclude_guest;
	bool pinned, exclusive;
	uint8_t precise;       /* precise_ip, 0 to 3 */
	/* @exclude_guest is perf's default, not a modifier: it is cleared if the kernel refuses it. */
	bool guest_by_default;
	const struct um_perf_sampling *sampling; /* NULL: the event only counts */
};

struct um_perf_unit {
	struct um_kernel_pmu *pmu;  /* NULL: no PMU in sysfs (software events, tracepoints) */
	struct um_perf_attr attr;
};

struct um_perf_event {
	char *name;
	char *pmu;             /* name or family of the PMU: "uncore_cha", "cpu", "software" */
	struct um_perf_unit *units;
	size_t num_units;
	size_t cgroup;         /* index into the control groups of the target */
	unsigned group;        /* events of one group are opened as one perf group */
	bool weak;             /* the library made the group, so it may be split */
	struct um_perf_mods mods; /* the event's own modifiers, without those of its group */
	double scale;          /* 1 if unknown */
	const char *measure;   /* unit of the scaled count, such as "MiB"; NULL: none */
	bool snapshot;         /* a momentary value: do not subtract the previous reading */
	bool absent;           /* a catalog has the PMU, but this kernel does not */
	bool is_uncore;        /* one reading per package or die, on the CPUs of the PMU's cpumask */
	const struct um_json_event *listed; /* the event's entry in an event list; NULL: not from a list */
	bool unnamed;          /* combines the unit masks of several entries, so it has no name of its own */
	struct um_event_notes notes;
	char kernel_scale[UM_SCALE_TEXT]; /* as in struct um_encoding */
};

/* Is @ev a core event with a unit for each core type of a hybrid processor? */
static inline bool um_perf_is_of_kinds(const struct um_perf_event *ev)
{
	return ev->num_units > 1 && !ev->is_uncore;
}

struct um_perf_events {
	struct um_perf_event *events;
	size_t num;
	unsigned num_groups;
};

bool um_perf_same_units(const struct um_perf_event *a, const struct um_perf_event *b);
/* Does the kernel count the same for both events, whatever their names and groups? */
bool um_perf_same_event(const struct um_perf_event *a, const struct um_perf_event *b);

void um_perf_events_free(struct um_perf_events *list) UM_CROSSES;
/* Drop all events except the first @num. */
void um_perf_events_cut(struct um_perf_events *list, size_t num);

/* Is each event on a PMU of our tables? 1, with the encodings in @list; 0; -ENOMEM. @core: accept core events. */
int um_perf_of_tables(struct um_encodings *list, const struct um_event_pmus *pmus, const struct um_event *group,
		      size_t num, bool core) UM_CROSSES;
/*
 * Append a group. Uncore events of our tables are encoded by the tables, so that they mean the same on both routes, and
 * other events by the kernel's names and formats. @asked: the user chose the route perf, so the kernel's names may be
 * tried if the kernel lacks the tables' PMU, and our tables if the names fail. On failure nothing is added: -ENOENT,
 * -EINVAL, -ENOTSUP, -EACCES, -ENOMEM, with a message in @e.
 */
int um_perf_claim(struct um_perf_events *to, const struct um_event_pmus *pmus, const struct um_event *group, size_t num,
		  bool asked, struct um_error *e) UM_MUST_CHECK;
/* um_perf_claim() for each group of @text, as if the user chose the route. Returns how many events were added. */
int um_perf_parse(struct um_perf_events *to, const struct um_event_pmus *pmus, const char *text,
		  struct um_error *e) UM_MUST_CHECK UM_CROSSES;

static inline bool um_is_free_running(const struct um_encoding *ev)
{
	return ev->fixed >= 0 && !ev->pmu->fixed[ev->fixed].control.msr;
}

/* Set ev->kernel_scale. @ev must be an event of a free-running counter. */
void um_kernel_look_at_scale(struct um_kernel_pmus *pmus, struct um_encoding *ev);

#endif
