/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looking things up in the register tables, and which processors to look at. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events.h"
#include "number.h"

static const char *supported_uarch(size_t index)
{
	const char *name;

	for (size_t i = 0; (name = uncoremsr_uarch_name(i)); i++)
		if (uncoremsr_uarch_supported(name) && index-- == 0)
			return name;
	return NULL;
}

const char *events_uarch(const struct events *e, size_t index)
{
	if (e->uarch)
		return index ? NULL : e->uarch;
	return supported_uarch(index);
}

void events_uarch_names(char *buf, size_t size)
{
	const char *name;
	size_t at = 0;

	*buf = '\0';
	for (size_t i = 0; at < size && (name = supported_uarch(i)); i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "", name);
}

static bool is_name(const struct uncoremsr_register *reg, const char *text)
{
	if (strncasecmp(text, "MSR_", 4) == 0)
		text += 4;
	return strcasecmp(uncoremsr_register_name(reg), text) == 0;
}

/* By address, or by name where @text is not NULL: in the chosen tables, then in the core's. */
static const struct uncoremsr_register *look_up(const struct events *e, const char *text,
						uint32_t msr)
{
	const struct uncoremsr_register *reg;
	const char *uarch;

	for (size_t i = 0;; i++) {
		uarch = events_uarch(e, i);
		for (size_t j = 0;
		     (reg = uncoremsr_register(e->um, uarch ? uarch : "core", j)); j++)
			if (text ? is_name(reg, text) : uncoremsr_register_msr(reg) == msr)
				return reg;
		if (!uarch)
			return NULL;
	}
}

const struct uncoremsr_register *events_register_at(const struct events *e, uint32_t msr)
{
	return look_up(e, NULL, msr);
}

const struct uncoremsr_register *events_selector(const struct events *e)
{
	return look_up(e, "UNCORE_PERFEVTSEL0", 0);
}

const struct uncoremsr_register *events_register(const struct events *e, const char *text)
{
	char why[NUMBER_WHY_SIZE];
	uint64_t msr;

	if (strcasecmp(text, "selector") == 0)
		return events_selector(e);
	if (number_parse(text, UINT32_MAX, &msr, why))
		return events_register_at(e, (uint32_t)msr);
	return look_up(e, text, 0);
}

uint64_t events_field(const struct events *e, const char *name, uint64_t word)
{
	const struct uncoremsr_register *reg = events_selector(e);
	const char *field, *desc;
	unsigned shift, width;

	for (size_t i = 0; (field = uncoremsr_register_field(reg, i, &shift, &width, &desc)); i++)
		if (strcmp(field, name) == 0)
			return word >> shift & ((UINT64_C(1) << width) - 1);
	return 0;
}

void events_bits(char *buf, size_t size, unsigned shift, unsigned width)
{
	if (width == 1)
		snprintf(buf, size, "%u", shift);
	else
		snprintf(buf, size, "%u:%u", shift + width - 1, shift);
}
