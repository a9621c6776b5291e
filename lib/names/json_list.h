/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event lists in JSON (intel/perfmon), plain or compressed by gzip. The old form is an array of events, the new one
 * an object with Header and Events. An entry is translated into a PMU of the kernel and terms of its format files;
 * if our own tables know that PMU, the register route encodes the same terms.
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

/* One event of a list: a row of the index. All texts belong to the lists. */
struct um_json_event {
	struct um_name base;     /* um_json_read() completes it from the entry */
	struct um_names *names;  /* the names to which the lists belong */
	const char *json;        /* the entry in the text of its file */
	size_t json_len;
	void *storage;           /* memory of the texts; NULL: not read yet */
	struct um_json_event *older; /* the next older event of the same bucket */
	uint32_t hash;           /* of the name */
	/* um_json_read() sets the following members; @hidden and @core_type are set before. */
	const char *pmu;         /* the kernel's PMU or family: "cpu", "uncore_cha" */
	const char *terms;       /* "event=0x35,umask=0x21" */
	const char *occ_terms;   /* terms for a PCU without umask: "event=0x80,occ_sel=1"; else "" */
	uint32_t general;        /* bit n: general counter n can count the event; 0: unknown */
	int8_t fixed;            /* the fixed counter of the core that counts the event; -1: none */
	bool wants_filter;       /* the entry names a filter register, whose value the user may have to choose */
	bool hidden;             /* an earlier entry has the same name */
	uint8_t core_type;       /* UNCOREMSR_CORE_TYPE_P, ... on hybrid processors; 0: any type */
	char name[];             /* as spelt in the list */
};

/* The kernel's PMU for an event: on hybrid processors Linux has one for each core type. */
static inline const char *um_json_pmu(const struct um_json_event *ev)
{
	return ev->core_type ? um_core_type_pmu(ev->core_type) : ev->pmu;
}

struct um_json_file {
	struct uncoremsr_event_list shown;
	char *path, *text;
	size_t len;
	char *version;              /* NULL: none */
	/* Entries that were left out because, with a wrong value in them, they would count something else. */
	char **refused;             /* their names */
	const char **whys;          /* the reasons, ended by NULL; NULL: there are none */
	size_t num_refused;
	bool metrics;               /* the file has metrics and no events */
	struct um_metric_file *published; /* NULL: not read yet, or no metrics */
};

enum { UM_JSON_BUCKETS = 1 << 12 };

struct um_json_lists {
	struct um_names *names;     /* the names to which the lists belong */
	const struct um_list_reader *reader; /* NULL: no list was added yet */
	struct um_json_file *files;
	size_t num_files;
	struct um_json_event **events; /* in the order of the files */
	size_t num_events;
	struct um_json_event *newest[UM_JSON_BUCKETS]; /* the newest event of each bucket of hashes */
};

void um_json_free(struct um_json_lists *l);
enum { UM_LIST_PATH = 256 };
/*
 * list_files.c: add a list, or those lists of a directory that are for this processor: each that DIR/mapfile.csv names
 * for it. If there is no such map, or none of the lists that it names, each called
 * VENDOR-FAMILY-MODEL[-STEPPING]-TYPE.json[.gz], as downloaders name them. @missing becomes the first file that the map
 * names for the processor but that does not exist; it is unchanged if all exist. Returns the number of lists that were
 * added; -ENOENT no such file, or none for this processor; -EINVAL not an event list (file and line in @e); -ENOTSUP
 * built without JSON; -ENOMEM.
 */
int um_json_add(struct um_json_lists *l, const char *path, const struct um_identity *id,
		char missing[UM_LIST_PATH], struct um_error *e) UM_MUST_CHECK;
/*
 * Add a file. Returns 1; 0: it is not a list; or an error as um_json_add(). @quietly false: the user named the file, so
 * parse metrics at once, and fail if the file is not a list.
 */
int um_json_add_file(struct um_json_lists *l, const char *path, uint8_t core_type, bool quietly,
		     struct um_error *e) UM_MUST_CHECK;
/*
 * Find an event by its name, in upper or lower case. If several events have the name, the first one is returned. If
 * none has it, an event is found whose name differs only in the separators between words ("A:B_C" finds "A.B_C").
 * @core_type: search only lists for this core type; 0: all lists. On hybrid processors the lists of several types can
 * have the same name. NULL: no list has the event.
 */
const struct um_json_event *um_json_find(const struct um_json_lists *l, const char *name, size_t len,
					 uint8_t core_type);
/*
 * Find an event on one PMU of the kernel, even if its name mentions another box. A deprecated event is returned only if
 * no other event has the name. NULL: no list has the event.
 */
const struct um_json_event *um_json_find_on(const struct um_json_lists *l, const char *pmu,
					    const char *name, size_t len);
/* Read the entry of an event; only the first call reads. NULL: out of memory, or @ev is NULL. */
const struct um_json_event *um_json_read(struct um_json_event *ev);
/* Does @text begin with the name of an entry that was left out? -EINVAL with file, line and reason in @e; 0 if not. */
int um_json_refused_name(const struct um_json_lists *l, const char *text, struct um_error *e);

#endif
