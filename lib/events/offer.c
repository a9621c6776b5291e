/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/offer.h"

#include <stdio.h>
#include <string.h>

#include "events/imc_lists.h"
#include "events/similar_names.h"

/* The events of a catalog have their PMU in front, since several PMUs have events of one name. */
static const char *name_of(const struct uncoremsr_event *ev)
{
	return ev->source == &um_imc_source ? ((const struct um_imc_name *)ev)->path
					    : ev->source->text(ev, UNCOREMSR_EVENT_NAME);
}

static void try_all(struct um_near *near, const struct um_name_source *source, const struct um_lookup *l)
{
	const struct uncoremsr_event *ev;

	for (size_t k = 0, index = 0; (ev = source->list(l, &index)); index = ++k)
		um_near_try(near, name_of(ev), ev);
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
 * catalog.
 */
static void spell(const struct uncoremsr_event *ev, const struct um_imc_lists *lists,
		  const struct um_imc_lists *others, char *buf, size_t size)
{
	const struct um_imc_name *n = (const struct um_imc_name *)ev;
	const char *path, *file, *generation;

	if (ev->source != &um_imc_source) {
		snprintf(buf, size, "%s", name_of(ev));
		return;
	}
	path = lists->num + others->num > 1 ? path_of(lists, n->catalog) ?: path_of(others, n->catalog) : NULL;
	file = path ? strrchr(path, '/') : NULL;
	file = file ? file + 1 : path;
	generation = file ? um_imc_generation(file) : NULL;
	snprintf(buf, size, "%s (%s%s%s%s%s)", n->path, ev->source->text(ev, UNCOREMSR_EVENT_LEVEL),
		 generation ? ", " : "", generation ? generation : "", file ? ", " : "", file ? file : "");
}

bool um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size)
{
	struct um_imc_lists others = { .num = 0 };
	struct um_names names = { .imc = &others };
	struct um_near near;

	*buf = '\0';
	um_near_to(&near, text, len);
	for (size_t i = 0; near.wanted.len && um_name_sources[i]; i++)
		try_all(&near, um_name_sources[i], l);
	/* If memory is short for the other catalogs, there are only fewer suggestions. */
	if (near.wanted.len && l->machine && l->names->imc && !um_imc_add_others(&others, l->names->imc))
		try_all(&near, &um_imc_source, &(struct um_lookup){ .names = &names, .machine = true });
	for (size_t i = 0; i < near.num; i++) {
		char name[2 * UM_IMC_NAME];

		spell(near.best[i].what, l->names->imc, &others, name, sizeof(name));
		um_near_add(&near, i, name, buf, size);
	}
	um_imc_empty(&others);
	return near.num && near.best[0].has_wanted;
}
