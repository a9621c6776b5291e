/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of JSON event lists. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "names/json_list.h"
#include "names/kernel_pmu.h"
#include "names/scanner.h"

static int lacks_umask(void *user, struct um_kernel_pmu *pmu)
{
	struct um_kernel_pmus *p = user;

	return um_kernel_pmu_load(p, pmu) || um_term_find(&pmu->base, "umask", 5) ? 0 : -ENOENT;
}

/* The record of an entry, which is parsed when more than its name is wanted. */
struct um_list_row {
	struct um_name base;
	struct um_names *names;
	size_t index;
};

void um_list_rows_free(struct um_names *n)
{
	for (size_t i = 0; i < n->num_listed; i++)
		free(n->listed[i]);
	free(n->listed);
	n->listed = NULL;
	n->num_listed = 0;
}

static const struct uncoremsr_event *row_of(struct um_names *n, size_t index)
{
	struct um_list_row *row;

	while (n->num_listed <= index)
		if (ARRAY_APPEND(n->listed, n->num_listed, NULL))
			break;
	row = index < n->num_listed ? n->listed[index] : NULL;
	if (row)
		return &row->base.pub;
	if (index < n->num_listed)
		n->listed[index] = row = calloc(1, sizeof(*row));
	if (!row) {
		*n->no_memory = true;
		return NULL;
	}
	row->base.source = &um_list_source;
	row->base.pub.name = um_json_name(n->lists, index);
	row->names = n;
	row->index = index;
	return &row->base.pub;
}

const struct uncoremsr_event *um_list_named(struct um_names *n, const struct um_json_event *ev)
{
	return ev ? row_of(n, ev->index) : NULL;
}

/*
 * The entry of a row; *terms becomes its terms on this machine, which differ if the kernel's PMU has no umask. NULL:
 * out of memory.
 */
static const struct um_json_event *entry_of(const struct uncoremsr_event *event, const char **terms)
{
	const struct um_list_row *row = (const struct um_list_row *)event;
	const struct um_json_event *ev = um_json_event(row->names->lists, row->index);
	struct um_kernel_pmus *p = row->names->kernel;

	if (ev && terms)
		*terms = p && *ev->occ_terms &&
			 um_kernel_pmus_match(p, ev->pmu, strlen(ev->pmu), lacks_umask, p) < 0
				 ? ev->occ_terms : ev->terms;
	return ev;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_json_lists *lists = l->names->lists;
	int err = 0;

	for (size_t i = 0; lists && i < um_json_num(lists) && !err; i++) {
		const struct uncoremsr_event *ev = row_of(l->names, i);

		err = ev ? fn(user, ev) : -ENOMEM;
	}
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_json_lists *lists = l->names->lists;

	return lists ? um_list_named(l->names, um_json_find(lists, text, len)) : NULL;
}

/* On hybrid processors Linux has a PMU for each core type (intel_pmu_init() in arch/x86/events/intel/core.c). */
static const char *pmu_of(const struct um_json_event *ev)
{
	if (!ev->core_type || strcmp(ev->pmu, "cpu") != 0)
		return ev->pmu;
	return ev->core_type == 0x40 ? "cpu_core" : "cpu_atom";
}

static void describe(struct um_name *name)
{
	struct uncoremsr_event *pub = &name->pub;
	const struct um_json_event *ev = entry_of(pub, &pub->terms);

	/*
	 * The result is not kept, because next time there may be enough memory, and the terms change once the kernel's
	 * PMUs are known.
	 */
	name->described = ev && (((const struct um_list_row *)pub)->names->kernel || !*ev->occ_terms);
	if (!ev)
		return;
	pub->pmu = pmu_of(ev);
	pub->unit = um_or_null(ev->unit);
	pub->description = um_or_null(ev->description);
	pub->counters = um_or_null(ev->counters);
	pub->impossible = um_or_null(ev->impossible);
	um_terms_value(pub->terms, "event", &pub->event_select);
	um_terms_value(pub->terms, "umask", &pub->unit_mask);
	pub->deprecated = ev->deprecated;
	pub->hidden = ev->hidden;
	if (ev->core_type)
		pub->core_type = ev->core_type;
}

const struct um_name_source um_list_source = { "list", each, find, describe };
