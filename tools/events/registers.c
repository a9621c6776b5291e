/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Look up registers and PMUs in the tables, and choose the processors whose tables are searched. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events/events.h"
#include "common/number.h"

const char *events_uarch(const struct events *e, size_t index)
{
	const struct uncoremsr_uarch *u;

	if (e->uarch)
		return index ? NULL : e->uarch;
	for (size_t i = 0; (u = uncoremsr_uarch(i)); i++)
		if (u->tables && uncoremsr_event_tables(e->um, u->name) == 0 && index-- == 0)
			return u->name;
	return NULL;
}

/* ---- PMUs ---- */

bool events_is_plain(const struct events *e)
{
	const struct uncoremsr_pmu *pmu, *only = NULL;

	for (size_t i = 0; e->uarch && (pmu = uncoremsr_pmu(e->um, e->uarch, i)); i++) {
		if (strcmp(pmu->reach, "msr") != 0)
			continue;
		if (only)
			return false;
		only = pmu;
	}
	return !e->uarch || (only && only->units <= 1);
}

const struct uncoremsr_pmu *events_pmu_of(struct uncoremsr *um, const char *uarch, const char *name)
{
	const struct uncoremsr_pmu *pmu;
	size_t i = 0;

	while ((pmu = uncoremsr_pmu(um, uarch, i++)) && strcmp(pmu->name, name) != 0)
		;
	return pmu;
}

const struct uncoremsr_pmu *events_pmu(const struct events *e, const char *name)
{
	const struct uncoremsr_pmu *pmu = e->uarch ? events_pmu_of(e->um, e->uarch, name) : NULL;

	return pmu || strcmp(name, "core") != 0 ? pmu : uncoremsr_pmu(e->um, "core", 0);
}

/* ---- registers ---- */

static bool is_name(const struct uncoremsr_register *reg, const char *text)
{
	return strcasecmp(reg->name, text) == 0 ||
	       strcasecmp(reg->name + 4 * !strncasecmp(reg->name, "MSR_", 4),
			  text + 4 * !strncasecmp(text, "MSR_", 4)) == 0;
}

static const struct uncoremsr_register *look_in(const struct events *e, const char *list,
						const char *text, uint32_t msr)
{
	const struct uncoremsr_register *reg;

	for (size_t i = 0; (reg = uncoremsr_register(e->um, list, i)); i++)
		if (text ? is_name(reg, text) : reg->address == msr)
			return reg;
	return NULL;
}

const char *events_platform(const struct events *e, size_t index, char list[EVENTS_PLATFORM])
{
	const struct uncoremsr_uarch *u;

	if (!index)
		snprintf(list, EVENTS_PLATFORM, "platform%s%s", e->chosen ? ":" : "", e->chosen ? e->chosen : "");
	for (size_t i = 0; index && (u = uncoremsr_uarch(i)); i++)
		if (u->tables && !--index)
			snprintf(list, EVENTS_PLATFORM, "platform:%s", u->name);
	return index ? NULL : list;
}

static const struct uncoremsr_register *look_in_own_platform(const struct events *e, const char *text, uint32_t msr)
{
	char list[EVENTS_PLATFORM];

	return look_in(e, events_platform(e, 0, list), text, msr);
}

/* AMD's first core counter has a platform register as selector; NULL: this processor has none. */
static const struct uncoremsr_register *own_core_selector(const struct events *e)
{
	return look_in_own_platform(e, "PERF_CTL0", 0);
}

const char *events_register_elsewhere(const struct events *e, const struct uncoremsr_register *reg,
				      char list[EVENTS_PLATFORM])
{
	if (strcmp(reg->part, "core") == 0)
		return own_core_selector(e) ? "core" : NULL;
	if (strcmp(reg->part, "platform") != 0 || look_in_own_platform(e, NULL, reg->address))
		return NULL;
	for (size_t i = 1; events_platform(e, i, list) && !look_in(e, list, NULL, reg->address); i++)
		;
	return list + strlen("platform:");
}

/* Search the chosen tables, then core registers, then platform registers. @text NULL: search for the address @msr. */
static const struct uncoremsr_register *look_up(const struct events *e, const char *text, uint32_t msr)
{
	const struct uncoremsr_register *reg = NULL;
	char list[EVENTS_PLATFORM];
	const char *uarch;

	for (size_t i = 0; !reg && (uarch = events_uarch(e, i)); i++)
		reg = look_in(e, uarch, text, msr);
	if (!reg)
		reg = look_in(e, "core", text, msr);
	for (size_t i = 0; !reg && events_platform(e, i, list); i++)
		reg = look_in(e, list, text, msr);
	return reg;
}

const struct uncoremsr_register *events_register_at(const struct events *e, uint32_t msr)
{
	return look_up(e, NULL, msr);
}

const struct uncoremsr_register *events_selector(const struct events *e, const char *uarch)
{
	const struct uncoremsr_register *reg;

	if (!uarch)
		uarch = events_uarch(e, 0);
	for (size_t i = 0; uarch && (reg = uncoremsr_register(e->um, uarch, i)); i++)
		if (reg->is_selector)
			return reg;
	return NULL;
}

const struct uncoremsr_register *events_core_selector(const struct events *e)
{
	const struct uncoremsr_register *reg = own_core_selector(e);

	return reg ? reg : look_in(e, "core", "IA32_PERFEVTSEL0", 0);
}

const struct uncoremsr_register *events_register(const struct events *e, const char *text)
{
	uint64_t msr;

	if (strcasecmp(text, "selector") == 0)
		return events_selector(e, NULL);
	if (number_parse(text, 0, UINT32_MAX, &msr, NULL))
		return events_register_at(e, (uint32_t)msr);
	return look_up(e, text, 0);
}

uint64_t events_code(const struct uncoremsr_register *reg, const char *name, uint64_t word)
{
	const struct uncoremsr_field *f;
	unsigned bits = 0;
	uint64_t code = 0;

	for (size_t i = 0; reg && (f = reg->fields[i]); i++)
		if (strncmp(f->name, name, strlen(name)) == 0) {
			code |= (word & f->mask) >> f->shift << bits;
			bits += f->width;
		}
	return bits ? code : UINT64_MAX;
}

void events_bits(char *buf, size_t size, unsigned shift, unsigned width)
{
	if (width == 1)
		snprintf(buf, size, "%u", shift);
	else
		snprintf(buf, size, "%u:%u", shift + width - 1, shift);
}
