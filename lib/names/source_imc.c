/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of POWER's in-memory counters, from catalogs; the kernel has them without descriptions. */
#include "names/imc_lists.h"

/* The machine's own catalog is hidden if the user named others. */
static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_imc_lists *lists = l->machine ? l->names->imc : NULL;
	int err = 0;

	for (size_t i = 0; lists && i < lists->num && !err; i++)
		for (size_t k = 0; k < lists->lists[i].catalog->num_events && !err; k++)
			if (!lists->lists[i].own || lists->num == 1)
				err = fn(user, &lists->lists[i].names[k].base.pub);
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_imc_name *n = l->machine && l->names->imc ? um_imc_find(l->names->imc, text, len) : NULL;

	return n ? &n->base.pub : NULL;
}

static const struct um_imc_unit *unit_of(const struct um_imc_name *n)
{
	return &n->catalog->units[n->event->unit];
}

/* Does the event address a 64-bit word in the unit's memory? Trace events do not count in memory. */
static bool is_readable(const struct um_imc_name *n)
{
	const struct um_imc_unit *unit = unit_of(n);

	return unit->level == UM_IMC_TRACE ||
	       (n->event->offset % 8 == 0 && (uint64_t)n->event->offset + 8 <= unit->size);
}

static void describe(struct um_name *name)
{
	const struct um_imc_name *n = (const struct um_imc_name *)name;
	const struct um_imc_unit *unit = unit_of(n);
	struct uncoremsr_event *pub = &name->pub;

	pub->pmu = unit->pmu;
	pub->unit = unit->node;
	pub->description = n->event->description;
	pub->terms = n->terms;
	pub->measure = n->event->measure;
	pub->scale = n->event->scale;
	pub->level = um_imc_level_name(unit->level);
	pub->offset = n->event->offset;
	pub->hidden = n->hidden;
	pub->uncore = unit->level == UM_IMC_NEST;
	if (!is_readable(n))
		pub->impossible = "its counter is not within the unit's memory, or not at a multiple of 8";
}

const struct um_name_source um_imc_source = { each, find, describe };
