/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of POWER's in-memory counters, from catalogs; the kernel has them without descriptions. */
#include "common/number.h"
#include "events/imc_lists.h"

static const struct uncoremsr_event *handed_out(const struct um_imc_name *n)
{
	struct um_imc_name *mine = (struct um_imc_name *)n;

	if (!mine)
		return NULL;
	mine->base = (struct uncoremsr_event){ &um_imc_source, n->event->name };
	return &mine->base;
}

/* The machine's own catalog is hidden if the user named others. */
static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_imc_lists *lists = l->machine ? l->names->imc : NULL;
	int err = 0;

	for (size_t i = 0; lists && i < lists->num && !err; i++)
		for (size_t k = 0; k < lists->lists[i].catalog->num_events && !err; k++)
			if (!lists->lists[i].own || lists->num == 1)
				err = fn(user, handed_out(&lists->lists[i].names[k]));
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	return l->machine && l->names->imc ? handed_out(um_imc_find(l->names->imc, text, len)) : NULL;
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

static const char *text(const struct uncoremsr_event *event, enum uncoremsr_event_property p)
{
	const struct um_imc_name *n = (const struct um_imc_name *)event;
	const char *impossible = is_readable(n) ? NULL : "its counter is not within the unit's memory, or not "
							 "at a multiple of 8";

	const char *const texts[] = {
		[UNCOREMSR_EVENT_PMU] = unit_of(n)->pmu,
		[UNCOREMSR_EVENT_UNIT] = unit_of(n)->node,
		[UNCOREMSR_EVENT_DESCRIPTION] = n->event->description,
		[UNCOREMSR_EVENT_TERMS] = n->terms,
		[UNCOREMSR_EVENT_MEASURE] = n->event->measure,
		[UNCOREMSR_EVENT_SCALE] = n->event->scale,
		[UNCOREMSR_EVENT_IMPOSSIBLE] = impossible,
		[UNCOREMSR_EVENT_LEVEL] = um_imc_level_name(unit_of(n)->level),
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}

static bool number(const struct uncoremsr_event *event, enum uncoremsr_event_property p, uint64_t *v)
{
	const struct um_imc_name *n = (const struct um_imc_name *)event;

	switch (p) {
	case UNCOREMSR_EVENT_OFFSET:
		*v = n->event->offset;
		return true;
	case UNCOREMSR_EVENT_HIDDEN:
		*v = n->hidden;
		return true;
	case UNCOREMSR_EVENT_UNCORE:
		*v = unit_of(n)->level == UM_IMC_NEST;
		return true;
	default:
		return false;
	}
}

static void encode(const struct uncoremsr_event *event, struct um_meaning *m)
{
	const struct um_imc_name *n = (const struct um_imc_name *)event;

	m->pmu = unit_of(n)->pmu;
	m->terms = n->terms;
	m->measure = n->event->measure;
	if (n->event->scale && !um_perf_scale(n->event->scale, &m->scale))
		m->scale = 1;
}

const struct um_name_source um_imc_source = { "imc", each, find, text, number, encode };
