/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sources of event names: built-in tables, JSON lists, the kernel's "events" folders, perf's own names. A source is a
 * table of functions. Each source has its own records, which begin with a struct um_name. To add a source, write a file
 * with the functions, and add it to enum um_from, um_name_make() and sources.c.
 */
#ifndef UM_SOURCE_H
#define UM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"
#include "uarch/uarch.h"
#include "uncoremsr/names.h"

struct um_event_row;
struct um_event_table;
struct um_list_reader;
struct um_metric_file;

/* The sources, in the order in which they are searched. */
enum um_from {
	UM_FROM_TABLE, UM_FROM_PERF, UM_FROM_LIST, UM_FROM_IMC, UM_FROM_KERNEL, UM_FROM_FIXED, UM_FROM_METRIC,
};

/* The first member of a named event's record in every source. The rows of an index (index.h) point to it. */
struct um_name {
	struct uncoremsr_event pub;    /* only the name is set, until um_event_shown() sets the rest */
	/*
	 * The text that selects the event; NULL: its name. For an event of in-memory counters it contains the PMU,
	 * because several PMUs have events of the same name.
	 */
	char *path;
	enum um_from from;
	bool described;
};

struct um_imc_lists {
	struct um_imc_list **lists;
	size_t num;
	bool looked;                   /* the machine's own tree has been searched for a catalog */
};

struct um_kernel_pmus {
	struct um_access *access;      /* NULL: names from the kernel are not known yet */
	struct um_kernel_pmu *pmus;    /* sorted by family, then by number */
	size_t num;
	bool listed;                   /* all PMU folders are in @pmus */
};

/* The names of a handle, and their sources. All zero: only the built-in tables are used. */
struct um_names {
	struct um_access *access;      /* NULL: no machine */
	const struct um_uarch *uarch;  /* processor of the machine; NULL: unknown */
	struct um_kernel_pmus kernel;
	struct um_json_lists *lists;   /* NULL: none were loaded */
	struct um_imc_lists imc;
	struct um_records *records;
	const struct um_metric_names *metric_names;
	struct um_index *indexes;      /* one index for each kind of lookup */
	struct um_access *own;         /* access that was opened only to read names; NULL: the handle's is used */
	bool ignores_own;              /* do not look for the machine's own catalog */
	bool *no_memory;               /* set if memory runs out in a search; NULL: do not suggest names */
	struct um_identity id;         /* processor of the lists; id.source NULL: the machine's */
};

struct um_lookup {
	struct um_names *names;
	const struct um_uarch *uarch;  /* search the names of this processor; NULL: of none */
	bool core;                     /* also suggest architectural events of the core */
	bool machine;                  /* also search IMC catalogs and the names of kernel and perf */
	/* Search metrics, too? They are those of @uarch, of all processors, and of files. */
	enum { UM_NO_METRICS, UM_METRICS_TOO, UM_METRICS_ONLY } metrics;
};

static inline const char *um_lookup_uarch(const struct um_lookup *l)
{
	return l->uarch ? l->uarch->name : NULL;
}

struct um_name_source {
	/* Call @fn for each event of the source until @fn returns other than 0. Returns the last value of @fn, or 0. */
	int (*each)(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user);
	/*
	 * Find the event that the whole text names. NULL: the source does not have it. A source with several spellings
	 * of a name needs this function; without it only upper and lower case are equal.
	 */
	const struct uncoremsr_event *(*find)(const struct um_lookup *l, const char *text, size_t len);
	/*
	 * Complete a record: call um_name_make(), then set the known members. A source whose records are complete from
	 * the start has NULL here.
	 */
	void (*describe)(struct um_name *name);
};

/*
 * Metrics are names, too. But lib/metrics includes lib/names, so lib/names must not include lib/metrics. The handle
 * therefore passes this table of functions to lib/names.
 */
struct um_metric_names {
	const struct um_name_source *source;
	/*
	 * Find the functions that read the list or metrics in file @path. 0; -ENOTSUP: built without JSON; -ENOMEM; or
	 * the error from loading libuncoremsr-lists.so.
	 */
	int (*find_reader)(const struct um_list_reader **found, const char *path, struct um_error *e);
	void (*free)(struct um_metric_file *file); /* @file may be NULL */
};

extern const struct um_name_source um_table_source, um_perf_source, um_list_source, um_kernel_source,
	um_fixed_source, um_imc_source;

/*
 * records.c: get @num records of @size bytes for the built-in table @of. For each pair of @fill and @of the first call
 * allocates zeroed records and calls @fill, if not NULL. They stay until um_records_free(), which calls @drop, if not
 * NULL. NULL: out of memory.
 */
void *um_records(struct um_names *n, const void *of, size_t num, size_t size,
		 void (*fill)(void *records, const void *of), void (*drop)(void *records, size_t num));
void um_records_free(struct um_names *n);
/*
 * records.c: set all members of @n to unknown, except name and source. @n is then marked as described, so the caller
 * sets the known members, or sets @described to false.
 */
void um_name_make(struct um_name *n, enum um_from from, const char *name) UM_CROSSES;
/* sources.c: source @index of those that the lookup searches, in that order; NULL past the end. */
const struct um_name_source *um_name_source(const struct um_lookup *l, size_t index);

static inline enum um_from um_event_from(const struct uncoremsr_event *ev)
{
	return ((const struct um_name *)ev)->from;
}

static inline const char *um_row_text(const struct uncoremsr_event *ev)
{
	return ((const struct um_name *)ev)->path ?: ev->name;
}

/*
 * Complete all members of an event. Call it before the event is returned to a user or members other than the name are
 * read. NULL if @ev is NULL.
 */
const struct uncoremsr_event *um_event_shown(const struct uncoremsr_event *ev);
/* The event of that name in the first source that has it; NULL: none. */
const struct uncoremsr_event *um_name_find(const struct um_lookup *l, const char *text, size_t len);

/* source_table.c: the record of a row; NULL: out of memory. */
const struct uncoremsr_event *um_table_event(struct um_names *n, const struct um_event_table *t,
					     const struct um_event_row *row);

/* source_perf.c: type and config (struct perf_event_attr) of a name that perf has on every machine. */
struct um_perf_code {
	uint32_t type;
	uint64_t config;
	double scale;                  /* converts a count to @measure; 1 if there is no measure */
	const char *measure;           /* NULL: the count is a number of events */
};
bool um_perf_name_find(const char *name, size_t len, struct um_perf_code *code);

#endif
