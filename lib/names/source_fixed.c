/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of fixed and free-running counters on PMUs without an event table: "iio_free_running/bw_in_port0/". The
 * records of a processor are created on first use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "names/pmus.h"
#include "names/names.h"
#include "names/source.h"
#include "names/table.h"

struct fixed_event {
	struct um_name base;
	const char *uarch;
	const struct um_pmu *pmu;
	const struct um_fixed *fixed;
	char name[64], scale[32];
};

struct um_fixed_list {
	struct um_fixed_list *next;
	const struct um_uarch *u;
	size_t num;
	struct fixed_event events[];
};

void um_fixed_free(struct um_names *n)
{
	while (n->fixed) {
		struct um_fixed_list *next = n->fixed->next;

		free(n->fixed);
		n->fixed = next;
	}
}

static bool has_names(const struct um_uarch *u, const struct um_pmu *pmu)
{
	return pmu->reach == UM_REACH_MSR && !um_event_table_find(u->name, pmu->name);
}

static void fill(struct fixed_event *ev, const struct um_uarch *u, const struct um_pmu *pmu,
		 const struct um_fixed *fixed)
{
	*ev = (struct fixed_event){
		.base = { .pub.name = ev->name, .source = &um_fixed_source }, .uarch = u->name, .pmu = pmu, .fixed = fixed,
	};
	snprintf(ev->name, sizeof(ev->name), "%s/%s/", pmu->name, fixed->event);
	snprintf(ev->scale, sizeof(ev->scale), "%.15g", fixed->scale);
}

static const struct um_fixed_list *list_of(const struct um_lookup *l)
{
	const struct um_uarch *u = l->pmus_of;
	struct um_fixed_list *list = l->names->fixed;
	size_t num = 0;

	while (list && list->u != u)
		list = list->next;
	if (list || !u)
		return list;
	for (size_t i = 0; i < u->num_pmus; i++)
		num += has_names(u, &u->pmus[i]) ? u->pmus[i].num_fixed : 0;
	list = calloc(1, sizeof(*list) + num * sizeof(*list->events));
	if (!list) {
		*l->names->no_memory = true;
		return NULL;
	}
	list->next = l->names->fixed;
	list->u = u;
	l->names->fixed = list;
	for (size_t i = 0; i < u->num_pmus; i++)
		for (size_t k = 0; has_names(u, &u->pmus[i]) && k < u->pmus[i].num_fixed; k++)
			fill(&list->events[list->num++], u, &u->pmus[i], &u->pmus[i].fixed[k]);
	return list;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_fixed_list *events = list_of(l);
	int err = 0;

	for (size_t i = 0; events && i < events->num && !err; i++)
		err = fn(user, &events->events[i].base.pub);
	return err;
}

/* The PMU must be given: many have "clockticks". */
static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_fixed_list *events = list_of(l);

	for (size_t i = 0; events && i < events->num; i++) {
		const struct fixed_event *ev = &events->events[i];

		if (strlen(ev->name) == len && memcmp(ev->name, text, len) == 0)
			return &ev->base.pub;
	}
	return NULL;
}

static void describe(struct um_name *name)
{
	const struct fixed_event *ev = (const struct fixed_event *)name;

	name->pub.uarch = ev->uarch;
	name->pub.pmu = ev->pmu->name;
	name->pub.description = ev->fixed->desc;
	name->pub.measure = um_or_null(ev->fixed->unit);
	name->pub.scale = *ev->fixed->unit ? ev->scale : NULL;
	name->pub.word = ev->fixed->enable;
	name->pub.uncore = 1;
}

static void encode(const struct uncoremsr_event *event, struct um_meaning *m)
{
	const struct fixed_event *ev = (const struct fixed_event *)event;

	m->pmu = ev->pmu->kernel;
	m->terms = ev->fixed->event;
	m->scale = *ev->fixed->unit ? ev->fixed->scale : 1;
	m->measure = um_or_null(ev->fixed->unit);
}

const struct um_name_source um_fixed_source = { "fixed", each, find, describe, encode, false };
