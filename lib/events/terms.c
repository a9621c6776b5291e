/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Terms: names and bits of the fields that an event consists of. */
#include <string.h>

#include "common/text.h"
#include "events/event.h"

static uint64_t low(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

uint64_t um_term_mask(const struct um_term *t)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < t->num_ranges; i++)
		mask |= low(t->ranges[i].width) << t->ranges[i].shift;
	return mask;
}

uint64_t um_term_max(const struct um_term *t)
{
	unsigned width = 0;

	for (unsigned i = 0; i < t->num_ranges; i++)
		width += t->ranges[i].width;
	return low(width);
}

uint64_t um_term_put(const struct um_term *t, uint64_t value)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < t->num_ranges; i++) {
		word |= (value & low(t->ranges[i].width)) << t->ranges[i].shift;
		value >>= t->ranges[i].width & 63;
	}
	return word;
}

uint64_t um_term_get(const struct um_term *t, uint64_t word)
{
	uint64_t value = 0;
	unsigned at = 0;

	for (unsigned i = 0; i < t->num_ranges; i++) {
		value |= (word >> t->ranges[i].shift & low(t->ranges[i].width)) << at;
		at += t->ranges[i].width;
	}
	return value;
}

/* Synonyms in perf, libpfm4, likwid and the kernel, which has three words for the threshold. */
static const struct {
	char theirs[12], ours[12];
} aliases[] = {
	{ "e", "edge" }, { "i", "inv" }, { "invert", "inv" }, { "c", "cmask" }, { "t", "cmask" },
	{ "cmask", "cmask" }, { "thresh", "cmask" }, { "threshold", "cmask" },
	{ "edgedetect", "edge" }, { "edge", "edge" }, { "inv", "inv" },
};

/* likwid's options (src/includes/perfmon_types.h), and the terms that PMUs may have for them. */
static const struct {
	char theirs[8], ours[16];
} options[] = {
	{ "OPCODE", "filter_opc" }, { "OPCODE", "filter_opc0" }, { "STATE", "filter_state" },
	{ "NID", "filter_nid" },
};

static const char *alias_of(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (um_is_word(name, len, aliases[i].theirs))
			return aliases[i].ours;
	return NULL;
}

const char *um_term_synonym(const char *name, size_t len, size_t index)
{
	const char *ours = alias_of(name, len);

	for (size_t i = 0; ours && i < ARRAY_SIZE(aliases); i++)
		if (strcmp(aliases[i].ours, ours) == 0 && index-- == 0)
			return aliases[i].theirs;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (um_is_word(name, len, options[i].theirs) && index-- == 0)
			return options[i].ours;
	return NULL;
}

static const struct um_term *of_pmu(const struct uncoremsr_pmu *pmu, const char *name, size_t len)
{
	for (size_t i = 0; i < pmu->num_terms; i++)
		if (um_is_word(name, len, pmu->terms[i].name))
			return &pmu->terms[i];
	return NULL;
}

static struct um_term of_field(const struct um_field *f, const char *name)
{
	return (struct um_term){
		.name = name, .num_ranges = 1, .ranges = { { f->shift, f->width } },
	};
}

static struct um_term of_bit(uint64_t bit, const char *name)
{
	struct um_field f = { .width = 1 };

	while (!(bit >> f.shift & 1))
		f.shift++;
	return of_field(&f, name);
}

/* A term from the selector itself, if the PMU lists none for it. */
static bool of_selector(const struct um_selector *sel, const char *name, size_t len,
			struct um_term *term)
{
	if (um_is_word(name, len, "event") && sel->event.width)
		*term = of_field(&sel->event, "event");
	else if (um_is_word(name, len, "umask") && sel->umask.width)
		*term = of_field(&sel->umask, "umask");
	else if (um_is_word(name, len, "cmask") && sel->cmask.width)
		*term = of_field(&sel->cmask, "cmask");
	else if (um_is_word(name, len, "edge") && sel->edge)
		*term = of_bit(sel->edge, "edge");
	else if (um_is_word(name, len, "inv") && sel->invert)
		*term = of_bit(sel->invert, "inv");
	else
		return false;
	return true;
}

bool um_term_find(const struct uncoremsr_pmu *pmu, const char *name, size_t len,
		  struct um_term *term)
{
	const struct um_term *t = of_pmu(pmu, name, len);
	const char *ours = t ? NULL : alias_of(name, len), *other;

	for (size_t i = 0; !t && (other = um_term_synonym(name, len, i)); i++)
		t = of_pmu(pmu, other, strlen(other));
	if (t) {
		*term = *t;
		return true;
	}
	return ours ? of_selector(&pmu->selector, ours, strlen(ours), term)
		    : of_selector(&pmu->selector, name, len, term);
}
