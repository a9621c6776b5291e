/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/format.h"
#include "names/synonyms.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"

/*
 * perf skips unknown characters (Linux tools/perf/util/pmu.y). Here they make the file malformed, because a term with
 * wrong bits would count another event.
 */
int um_format_parse(struct um_term *t, const char *text)
{
	const char *at = text + 6;
	unsigned from, to;

	if (strncmp(text, "config", 6))
		return -EINVAL;
	t->word = 0;
	t->mask = 0;
	if (*at >= '1' && *at <= '3')
		t->word = (uint8_t)(*at++ - '0');
	if (*at != ':')
		return -EINVAL;
	do {
		at++;
		if (!um_read_range(&at, 63, &from, &to))
			return -EINVAL;
		t->mask |= UINT64_MAX >> (63 - (to - from)) << from;
	} while (*at == ',');
	return *at ? -EINVAL : 0;
}

const char *um_term_synonym(const char *name, size_t len, size_t index)
{
	const struct um_synonym *of = um_synonym_find(UM_TERM, name, len);

	UM_EACH_SYNONYM(w, UM_TERM)
		if (of && strcmp(w->ours, of->ours) == 0 && index-- == 0)
			return w->theirs;
	UM_EACH_SYNONYM(w, UM_LIKWID_OPTION)
		if (um_is_word(name, len, w->theirs) && index-- == 0)
			return w->ours;
	return NULL;
}

static const struct um_term *named(const struct um_term *terms, size_t num, const char *name, size_t len)
{
	for (size_t i = 0; i < num; i++)
		if (um_is_word(name, len, terms[i].name))
			return &terms[i];
	return NULL;
}

static const struct um_term *find_in(const struct um_term *terms, size_t num, const char *name, size_t len)
{
	const struct um_term *t = named(terms, num, name, len);
	const char *other;

	for (size_t i = 0; !t && (other = um_term_synonym(name, len, i)); i++)
		t = named(terms, num, other, strlen(other));
	return t;
}

const struct um_term *um_term_of_bits(const struct um_pmu *pmu, unsigned word, uint64_t bits)
{
	for (size_t i = 0; i < pmu->num_terms; i++)
		if (pmu->terms[i].word == word && pmu->terms[i].mask & bits)
			return &pmu->terms[i];
	return NULL;
}

const struct um_term *um_term_find(const struct um_pmu *pmu, const char *name, size_t len)
{
	static const struct um_term whole[UM_CONFIGS] = {
		{ .name = "config", .word = 0, .mask = UINT64_MAX }, { .name = "config1", .word = 1, .mask = UINT64_MAX },
		{ .name = "config2", .word = 2, .mask = UINT64_MAX }, { .name = "config3", .word = 3, .mask = UINT64_MAX },
	};
	const struct um_term *t = find_in(pmu->terms, pmu->num_terms, name, len);

	if (pmu->reach == UM_REACH_KERNEL) {
		t = t ? t : find_in(whole, UM_CONFIGS, name, len);
		return t && (um_term_synonym(name, len, 0) || !memcmp(t->name, name, len)) ? t : NULL;
	}
	if (!t && um_is_word(name, len, "event"))
		t = um_term_of_bits(pmu, 0, um_code_mask(&pmu->selector->event));
	if (!t && um_is_word(name, len, "umask"))
		t = um_term_of_bits(pmu, 0, um_code_mask(&pmu->selector->umask));
	return t;
}

uint64_t um_selector_bits(const struct um_pmu *pmu, const char *name)
{
	const struct um_term *t = um_term_find(pmu, name, strlen(name));

	return t && !t->word ? t->mask : 0;
}

uint64_t um_modifier_bits(const struct um_pmu *pmu)
{
	return um_selector_bits(pmu, "edge") | um_selector_bits(pmu, "inv") | um_selector_bits(pmu, "cmask");
}

uint64_t um_term_max(const struct um_term *t)
{
	return um_term_get(t, UINT64_MAX);
}

uint64_t um_term_get(const struct um_term *t, uint64_t word)
{
	uint64_t value = 0;
	unsigned n = 0;

	for (uint64_t left = t->mask; left; left &= left - 1, n++)
		value |= (word & left & -left ? UINT64_C(1) : 0) << n;
	return value;
}

static const char *word_for(const struct um_term *t)
{
	return !strcmp(t->name, "event") ? "event select" : !strcmp(t->name, "umask") ? "unit mask" : t->name;
}

int um_term_put(const struct um_term *t, uint64_t value, struct um_words *w, const char *text, struct um_error *e)
{
	uint64_t max = um_term_max(t), *word = &w->at[t->word], left = t->mask, bits = 0;

	if (value > max)
		return um_event_fail(e, -EINVAL, text, "%s 0x%" PRIx64 " is out of range 0..0x%" PRIx64, word_for(t),
				     value, max);
	for (uint64_t v = value; v; v >>= 1, left &= left - 1)
		bits |= v & 1 ? left & -left : 0;
	if (w->given[t->word] & t->mask && (*word & t->mask) != bits)
		return um_event_fail(e, -EINVAL, text, "%s was given already, 0x%" PRIx64, word_for(t),
				     um_term_get(t, *word));
	*word |= bits;
	return 0;
}
