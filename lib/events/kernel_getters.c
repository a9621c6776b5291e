/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What event strings become for the kernel, and the kernel's PMUs with their terms and events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogue.h"

struct uncoremsr_perf_encoding {
	const struct um_perf_event *event;
	const struct um_perf_unit *unit;
	size_t index;               /* of the unit */
	size_t event_index;
	char *cpus;                 /* NULL: no file says so */
	char mods[16];
};

/* The modifiers that give these bits, so that a string for perf can be made of them. */
static void spell_mods(char mods[16], const struct um_perf_attr *a)
{
	size_t n = 0;

	if (a->exclude_user || a->exclude_kernel || a->exclude_hv) {
		if (!a->exclude_user)
			mods[n++] = 'u';
		if (!a->exclude_kernel)
			mods[n++] = 'k';
		if (!a->exclude_hv)
			mods[n++] = 'h';
	}
	for (unsigned i = 0; i < a->precise && i < 3; i++)
		mods[n++] = 'p';
	if (a->exclude_host)
		mods[n++] = 'G';
	if (a->exclude_guest && !a->guest_by_default)
		mods[n++] = 'H';
	if (a->exclude_idle)
		mods[n++] = 'I';
	if (a->pinned)
		mods[n++] = 'D';
	if (a->exclusive)
		mods[n++] = 'e';
	mods[n] = '\0';
}

static int tell_unit(const struct um_perf_event *ev, size_t event_index, size_t index,
		     int (*fn)(void *user, const struct uncoremsr_perf_encoding *encoding),
		     void *user)
{
	const struct um_perf_unit *unit = &ev->units[index];
	struct uncoremsr_perf_encoding encoding = {
		.event = ev, .unit = unit, .index = index, .event_index = event_index,
	};
	int err;

	spell_mods(encoding.mods, &unit->attr);
	if (unit->pmu && unit->pmu->cpus_are != UM_CPUS_ANY) {
		encoding.cpus = um_cpuset_format(&unit->pmu->cpus);
		if (!encoding.cpus)
			return -ENOMEM;
	}
	err = fn(user, &encoding);
	free(encoding.cpus);
	return err;
}

int uncoremsr_perf_encode(struct uncoremsr *um, const char *text,
			  int (*fn)(void *user, const struct uncoremsr_perf_encoding *encoding),
			  void *user)
{
	struct um_perf_events events = { .num = 0 };
	struct um_perf_scope scope;
	int num = um_perf_names(um, &scope), err = 0;

	if (!num)
		num = um_perf_parse(&events, &scope, text, &um->error);
	for (size_t i = 0; num > 0 && !err && i < events.num; i++)
		for (size_t k = 0; !err && k < events.events[i].num_units; k++)
			err = tell_unit(&events.events[i], i, k, fn, user);
	um_perf_events_free(&events);
	return err ? err : num;
}

const char *uncoremsr_perf_encoding_name(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event->name;
}

const char *uncoremsr_perf_encoding_family(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event->pmu;
}

const char *uncoremsr_perf_encoding_pmu(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->unit->pmu ? encoding->unit->pmu->name : encoding->event->pmu;
}

unsigned uncoremsr_perf_encoding_type(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->unit->attr.type;
}

uint64_t uncoremsr_perf_encoding_config(const struct uncoremsr_perf_encoding *encoding,
					unsigned index)
{
	return index < UM_CONFIGS ? encoding->unit->attr.config[index] : 0;
}

const char *uncoremsr_perf_encoding_modifiers(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->mods;
}

const char *uncoremsr_perf_encoding_cpus(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->cpus;
}

double uncoremsr_perf_encoding_scale(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event->scale;
}

const char *uncoremsr_perf_encoding_measure(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event->measure;
}

const char *uncoremsr_perf_encoding_description(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event->description;
}

unsigned uncoremsr_perf_encoding_group(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event->group;
}

size_t uncoremsr_perf_encoding_event(const struct uncoremsr_perf_encoding *encoding)
{
	return encoding->event_index;
}

size_t uncoremsr_perf_encoding_unit(const struct uncoremsr_perf_encoding *encoding,
				    size_t *num_units)
{
	if (num_units)
		*num_units = encoding->event->num_units;
	return encoding->index;
}

/* ---- PMUs ---- */

/* Never defined, as uncoremsr_listed_event. */
static const struct um_kernel_pmu *kernel(const struct uncoremsr_kernel_pmu *pmu)
{
	return (const struct um_kernel_pmu *)pmu;
}

const struct uncoremsr_kernel_pmu *uncoremsr_kernel_pmu(struct uncoremsr *um, size_t index)
{
	struct um_perf_scope scope;

	if (um_perf_names(um, &scope) || index >= scope.pmus->num)
		return NULL;
	if (um_kernel_pmu_load(scope.pmus, &scope.pmus->pmus[index]))
		return NULL;
	return (const struct uncoremsr_kernel_pmu *)&scope.pmus->pmus[index];
}

const char *uncoremsr_kernel_pmu_name(const struct uncoremsr_kernel_pmu *pmu)
{
	return kernel(pmu)->name;
}

const char *uncoremsr_kernel_pmu_alias(const struct uncoremsr_kernel_pmu *pmu)
{
	return kernel(pmu)->alias;
}

unsigned uncoremsr_kernel_pmu_type(const struct uncoremsr_kernel_pmu *pmu)
{
	return kernel(pmu)->type;
}

size_t uncoremsr_kernel_pmu_family(const struct uncoremsr_kernel_pmu *pmu)
{
	return kernel(pmu)->family;
}

const char *uncoremsr_kernel_pmu_format(const struct uncoremsr_kernel_pmu *pmu, size_t index,
					unsigned *config, uint64_t *mask)
{
	const struct um_kernel_format *f;

	if (index >= kernel(pmu)->num_formats)
		return NULL;
	f = &kernel(pmu)->formats[index];
	*config = f->config;
	*mask = f->mask;
	return f->name;
}

const char *uncoremsr_kernel_pmu_event(const struct uncoremsr_kernel_pmu *pmu, size_t index,
				       const char **terms, double *scale, const char **measure)
{
	const struct um_kernel_alias *a;

	if (index >= kernel(pmu)->num_aliases)
		return NULL;
	a = &kernel(pmu)->aliases[index];
	*terms = a->terms;
	*scale = a->scale;
	*measure = a->unit;
	return a->name;
}
