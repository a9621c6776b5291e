/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/offer.h"

#include <stdio.h>
#include <string.h>

#include "names/imc_lists.h"
#include "names/index.h"
#include "names/similar_names.h"

static int try_one(void *near, const struct uncoremsr_event *ev)
{
	um_near_try(near, um_row_text(ev), ev);
	return 0;
}

/* The path of a catalog; NULL: it is not in these lists. */
static const char *path_of(const struct um_imc_lists *lists, const struct um_imc_catalog *c)
{
	for (size_t i = 0; i < lists->num; i++)
		if (lists->lists[i].catalog == c)
			return lists->lists[i].path;
	return NULL;
}

/*
 * An event of a catalog is shown with PMU and level and, if there are several catalogs, with its processor and
 * catalog. A metric is marked "(a metric)" if the user asked for an event.
 */
static void spell(const struct um_lookup *l, const struct uncoremsr_event *ev, const struct um_imc_lists *others, char *buf,
		  size_t size)
{
	const struct um_imc_lists *lists = l->names->imc;
	const struct um_imc_name *n = (const struct um_imc_name *)ev;
	const char *path, *file, *generation;

	if (um_source_of(ev) != &um_imc_source) {
		snprintf(buf, size, "%s%s", um_row_text(ev),
			 l->metrics == UM_METRICS_TOO && um_source_of(ev)->of_metrics ? " (a metric)" : "");
		return;
	}
	path = lists->num + others->num > 1 ? path_of(lists, n->catalog) ?: path_of(others, n->catalog) : NULL;
	file = path ? strrchr(path, '/') : NULL;
	file = file ? file + 1 : path;
	generation = file ? um_imc_generation(file) : NULL;
	snprintf(buf, size, "%s (%s%s%s%s%s)", n->path, um_event_shown(ev)->level,
		 generation ? ", " : "", generation ? generation : "", file ? ", " : "", file ? file : "");
}

bool um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size)
{
	struct um_imc_lists others = { .num = 0 };
	struct um_names names = { .imc = &others };
	const struct um_index *index;
	struct um_near near;

	*buf = '\0';
	um_near_to(&near, text, len);
	index = near.wanted.len ? um_index_of(l) : NULL;
	/* Three letters that are no event are a PMU ("imc") rather than a metric ("ipc"). */
	for (size_t i = 0; index && i < index->num; i++)
		if (len > 3 || l->metrics != UM_METRICS_TOO || !um_source_of(index->rows[i])->of_metrics)
			try_one(&near, index->rows[i]);
	if (l->core)
		um_table_source.each(&(struct um_lookup){ .names = l->names, .uarch = um_core_registers.name },
				     try_one, &near);
	/* If memory runs out while reading the other catalogs, there are only fewer suggestions. */
	if (l->machine && l->names->imc && !um_imc_add_others(&others, l->names->imc))
		um_imc_source.each(&(struct um_lookup){ .names = &names, .machine = true }, try_one, &near);
	for (size_t i = 0; i < near.num; i++) {
		char name[2 * UM_IMC_NAME];

		spell(l, near.best[i].what, &others, name, sizeof(name));
		um_near_add(&near, i, name, buf, size);
	}
	um_imc_empty(&others);
	return near.num && near.best[0].has_wanted;
}
