/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event lists in JSON (intel/perfmon), plain or compressed by gzip. In the old form a list is an array of events, in
 * the new form an object with Header and Events. An entry is translated into a PMU of the kernel and terms of its
 * format files. If our tables know that PMU, the register route encodes the same terms.
 */
#ifndef UM_PERF_LIST_H
#define UM_PERF_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/access.h"
#include "common/error.h"
#include "machine/machine.h"
#include "names/source.h"
#include "uarch/uarch.h"

/* The lists own all texts of their events. */
struct um_json_event {
	struct um_name base;     /* um_json_read() sets all but the name and source */
	struct um_names *names;  /* the handle's names, which own the lists */
	const char *json;        /* the entry in the text of its file */
	size_t json_len;
	void *storage;           /* memory of the texts; NULL: the entry was not read yet */
	struct um_json_event *older; /* next event in the hash chain */
	uint32_t hash;
	/* Set by um_json_read(), except @hidden and @core_type: */
	const char *pmu;         /* PMU or PMU family of the kernel: "cpu", "uncore_cha" */
	const char *terms;       /* "event=0x35,umask=0x21" */
	const char *occ_terms;   /* terms for a PCU that has no umask: "event=0x80,occ_sel=1"; else "" */
	uint32_t general;        /* bit n: general counter n can count the event; 0: unknown */
	int8_t fixed;            /* the core's fixed counter for the event; -1: none */
	bool wants_filter;       /* the entry names a filter register, whose value the user may have to choose */
	bool hidden;             /* an earlier entry has the same name */
	uint8_t core_type;       /* UNCOREMSR_CORE_TYPE_P, ... on hybrid processors; 0: any type */
	char name[];
};

/* On hybrid processors Linux has a PMU for each core type. */
static inline const char *um_json_pmu(const struct um_json_event *ev)
{
	return ev->core_type ? um_core_type_pmu(ev->core_type) : ev->pmu;
}

struct um_json_file {
	struct uncoremsr_event_list shown;
	char *path, *text;
	size_t len;
	char *version;              /* NULL: none */
	/* Entries that were left out because of a wrong value, with which they would count another event. */
	char **refused;
	const char **whys;          /* the reasons, terminated by NULL; or NULL */
	size_t num_refused;
	bool metrics;               /* the file has metrics and no events */
	struct um_metric_file *published; /* NULL: not read yet, or no metrics */
};

enum { UM_JSON_BUCKETS = 1 << 12, UM_JSON_TERMS = 256 };

struct um_json_lists {
	struct um_names *names;     /* the handle's names, which own the lists */
	const struct um_list_reader *reader; /* NULL: no list was added yet */
	struct um_json_file *files;
	size_t num_files;
	struct um_json_event **events;
	size_t num_events;
	struct um_json_event *newest[UM_JSON_BUCKETS]; /* hash table; each chain begins with the event added last */
	char missing[256];          /* file that the mapfile.csv of a folder lists, but that does not exist; "": none */
};

void um_json_free(struct um_json_lists *l);
/*
 * list_files.c: add a list, or all lists of a directory that are for this processor: those that DIR/mapfile.csv names
 * for it, or else files called VENDOR-FAMILY-MODEL[-STEPPING]-TYPE.json[.gz]. Returns the number of lists; -ENOENT: no
 * such file, or none for this processor; -EINVAL: not an event list (file and line in @e); -ENOTSUP: built without
 * JSON; -ENOMEM.
 */
int um_json_add(struct um_json_lists *l, const char *path, const struct um_identity *id,
		struct um_error *e) UM_MUST_CHECK;
/*
 * Add a file. Returns 1; 0: it is not a list; or an error as in um_json_add(). @quietly is false for a file that the
 * user named: metrics are then parsed at once, and it is an error if the file is not a list.
 */
int um_json_add_file(struct um_json_lists *l, const char *path, uint8_t core_type, bool quietly,
		     struct um_error *e) UM_MUST_CHECK;
/*
 * Find an event by its name, in upper or lower case. If several events have the name, the first one is returned. If
 * none has it, return one whose name differs only in the separators between words ("A:B_C" finds "A.B_C"). @core_type:
 * search only lists for this core type; 0: all lists. Lists of different core types can have the same name. NULL: no
 * list has the event.
 */
const struct um_json_event *um_json_find(const struct um_json_lists *l, const char *name, size_t len,
					 uint8_t core_type);
/*
 * Find an event on a PMU of the kernel. The name may contain another word for the box. A deprecated event is returned
 * only if no other event has the name. NULL: no list has the event.
 */
const struct um_json_event *um_json_find_on(const struct um_json_lists *l, const char *pmu,
					    const char *name, size_t len);
/* Read the entry of an event, unless it was read before. NULL: out of memory, or @ev is NULL. */
const struct um_json_event *um_json_read(struct um_json_event *ev);
/*
 * Fail if @text begins with the name of an entry that was left out: -EINVAL with file, line and reason in @e; else 0.
 */
int um_json_refused_name(const struct um_json_lists *l, const char *text, struct um_error *e);

#endif
