/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event lists in JSON (intel/perfmon): the old form, an array of events, and the new one, an object
 * with Header and Events; plain or compressed by gzip. An entry becomes a PMU of the kernel and
 * terms of its format files; where our own tables know the PMU the same terms serve the register
 * route.
 */
#ifndef UM_PERF_LIST_H
#define UM_PERF_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"
#include "events/source.h"
#include "machine/machine.h"

/* One event of a list. All texts belong to the lists. */
struct um_json_event {
	struct uncoremsr_event base;
	const char *name;        /* as the list spells it */
	const char *pmu;         /* "cpu", "uncore_cha": see um_json_pmus() */
	const char *unit;        /* of the list ("CHA"); "" on core events */
	const char *terms;       /* "event=0x35,umask=0x21" */
	const char *occ_terms;   /* for a PCU without unit mask: "event=0x80,occ_sel=1"; else "" */
	const char *counters;    /* as the list has them ("0,1,2,3"); "" unknown */
	uint32_t general;        /* the same: bit n: general counter n may; 0: it does not say */
	int8_t fixed;            /* the fixed counter of the core that it is for; -1: none */
	const char *description; /* one line; "" without. Deprecated: what to use instead */
	const char *impossible;  /* why perf cannot express it; "" if it can */
	bool deprecated;
	bool wants_filter;       /* it names a filter register, which the user may have to choose */
	bool hidden;             /* one before it has the same name */
	bool no_umask;           /* the kernel here has no umask for it: occ_terms hold */
	uint8_t core_type;       /* of hybrid processors: 0x40, 0x20; 0: any */
};

struct um_json_lists;
struct uncoremsr_metric;

bool um_is_directory(const char *path);
/* No lists yet. 0; -ENOMEM. */
int um_json_new(struct um_json_lists **out) UM_MUST_CHECK;
/* From now on *@no_memory is set when an entry is not found for want of it. */
void um_json_watch_memory(struct um_json_lists *l, bool *no_memory);
void um_json_free(struct um_json_lists *l);
/*
 * Add a list, or the lists of a directory that are for this processor: through its mapfile.csv, or
 * by file names (GenuineIntel-6-55-4-core.json). 0 or how many files; -ENOENT no such file, or none
 * for this processor; -EINVAL not such a list (file and line in @e); -ENOTSUP built without JSON;
 * -ENOMEM.
 */
int um_json_add(struct um_json_lists *l, const char *path, const struct um_identity *id,
		struct um_error *e) UM_MUST_CHECK;
/*
 * By name, in upper or lower case; among equal ones the first. Other signs between its words will do
 * ("A:B_C" for "A.B_C"), where no name is just the same. NULL: in no list.
 */
const struct um_json_event *um_json_find(const struct um_json_lists *l, const char *name,
					 size_t len);
/*
 * Processors with several kinds of cores have a list for each, and names that stand in several of
 * them: the one for that kind (0x40, 0x20). NULL: in no list of that kind.
 */
const struct um_json_event *um_json_find_for(const struct um_json_lists *l, const char *name,
					     size_t len, uint8_t core_type);
/*
 * An event of that PMU of the kernel, whatever its name says of the box; deprecated if there is no other.
 * NULL: in no list.
 */
const struct um_json_event *um_json_find_on(const struct um_json_lists *l, const char *pmu,
					    const char *name, size_t len);
size_t um_json_num(const struct um_json_lists *l);
/* In the order of the files; NULL past the end. */
const struct um_json_event *um_json_event(const struct um_json_lists *l, size_t index);
/*
 * Metrics of files that were added, read when they are first asked for. 0; -EINVAL: a file is damaged;
 * -ENOMEM.
 */
int um_json_metrics_read(struct um_json_lists *l, struct um_error *e) UM_MUST_CHECK;
/* Of those that were read; NULL past the end. */
const struct uncoremsr_metric *um_json_metric(const struct um_json_lists *l, size_t index);
/*
 * The entries that were left out, in the order of the files: one that has a wrong value could only be counted
 * as something else. -EINVAL with file, line and reason in @e; 0 past the end.
 */
int um_json_refused(const struct um_json_lists *l, size_t index, struct um_error *e);
/* Is @text, up to what follows a name, the name of one of them? The same, or 0. */
int um_json_refused_name(const struct um_json_lists *l, const char *text, struct um_error *e);
/* Where the lists came from: paths, versions. NULL past the end. */
const char *um_json_file(const struct um_json_lists *l, size_t index, const char **version);

#endif
