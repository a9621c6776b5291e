/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of fixed and free-running counters on PMUs without an event table, such as "iio_free_running/bw_in_port0/".
 * The records of a processor are created on first use.
 */
#include <stdio.h>

#include "common/text.h"
#include "names/source.h"
#include "names/table.h"

struct fixed_event {
	struct um_name base;
	char name[64], scale[32];
};

static bool has_names(const struct um_uarch *u, const struct um_pmu *pmu)
{
	return pmu->reach == UM_REACH_MSR && !um_event_table_of(u->name, pmu);
}

static void fill(void *records, const void *of)
{
	const struct um_uarch *u = of;
	struct fixed_event *ev = records;

	for (const struct um_pmu *pmu = u->pmus; pmu < u->pmus + u->num_pmus; pmu++)
		for (size_t i = 0; has_names(u, pmu) && i < pmu->num_fixed; i++, ev++) {
			const struct um_fixed *f = &pmu->fixed[i];
			struct uncoremsr_event *pub = &ev->base.pub;

			snprintf(ev->name, sizeof(ev->name), "%s/%s/", pmu->name, f->event);
			snprintf(ev->scale, sizeof(ev->scale), "%.15g", f->scale);
			um_name_make(&ev->base, UM_FROM_FIXED, ev->name);
			pub->uarch = u->name;
			pub->pmu = pmu->name;
			pub->description = f->desc;
			pub->measure = um_or_null(f->unit);
			pub->scale = *f->unit ? ev->scale : NULL;
			pub->word = f->enable;
			pub->uncore = 1;
		}
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_uarch *u = l->uarch;
	struct fixed_event *events;
	size_t num = 0;
	int err = 0;

	for (size_t i = 0; u && i < u->num_pmus; i++)
		num += has_names(u, &u->pmus[i]) ? u->pmus[i].num_fixed : 0;
	events = num ? um_records(l->names, u, num, sizeof(*events), fill, NULL) : NULL;
	for (size_t i = 0; events && i < num && !err; i++)
		err = fn(user, &events[i].base.pub);
	return err;
}

/* No find(): PMU/EVENT/ is the only spelling, because several PMUs have an event "clockticks". */
const struct um_name_source um_fixed_source = { each, NULL, NULL };
