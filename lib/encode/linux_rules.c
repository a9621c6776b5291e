/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Apply the rules by which Linux's drivers change the words of an event (struct um_linux_rule). */
#include "encode/event.h"

static bool applies(const struct um_linux_rule *r, const struct um_encoding *ev)
{
	return (ev->word & r->when_mask) == r->when_value;
}

static bool has_umask(const struct um_linux_rule *r, const struct um_encoding *ev)
{
	const uint8_t *umask = r->umasks;

	while (*umask && *umask != (ev->word >> 8 & 0xff))
		umask++;
	return *umask;
}

/* Find bits of a word that Linux drops. If several rules match a bit, the first one decides. */
static bool drops(const struct um_encoding *ev, unsigned word, struct um_linux_change *c)
{
	uint64_t left = ev->words[word];

	*c = (struct um_linux_change){ .does = UM_KERNEL_DROPS, .word = word };
	for (size_t i = 0; i < ev->pmu->num_rules; i++) {
		const struct um_linux_rule *r = &ev->pmu->rules[i];

		if (r->word != word || (r->does != UM_KERNEL_DROPS && r->does != UM_KERNEL_KEEPS) ||
		    !applies(r, ev) || !(left & r->mask))
			continue;
		if (r->does == UM_KERNEL_DROPS && !has_umask(r, ev)) {
			c->bits |= left & r->mask;
			c->umasks = r->umasks;
		}
		left &= ~r->mask;
	}
	return c->bits;
}

bool um_linux_changes(const struct um_encoding *ev, uint64_t left[UM_WORDS], struct um_linux_change *c)
{
	for (size_t i = 0; i < ev->pmu->num_rules; i++) {
		const struct um_linux_rule *r = &ev->pmu->rules[i];
		uint64_t want = ev->words[r->word] & r->mask;

		if (!r->value || !applies(r, ev) || !(um_event_used_words(ev) >> r->word & 1))
			continue;
		*c = (struct um_linux_change){ .does = r->does, .word = r->word, .bits = r->mask };
		if (want == r->value)
			left[r->word] &= ~r->mask;
		else if (r->does == UM_KERNEL_FORCES || (r->does == UM_KERNEL_FILLS && !want))
			return true;
	}
	for (unsigned word = 0; word < UM_WORDS; word++)
		if (drops(ev, word, c))
			return true;
	return false;
}

bool um_linux_keeps(const struct um_encoding *ev)
{
	struct um_linux_change c;
	uint64_t left[UM_WORDS] = { 0 };

	return !um_linux_changes(ev, left, &c);
}

bool um_linux_is_verbatim(const struct um_pmu *pmu, const struct um_term *t)
{
	for (size_t i = 0; i < pmu->num_rules; i++)
		if (pmu->rules[i].does == UM_KERNEL_VERBATIM && pmu->rules[i].word == t->word &&
		    pmu->rules[i].mask & t->mask)
			return true;
	return false;
}

bool um_linux_place(const struct um_encoding *ev, const struct um_term *t, uint64_t config[UM_CONFIGS])
{
	if (!t->word) {
		bool verbatim = um_linux_is_verbatim(ev->pmu, t);

		config[0] |= verbatim ? ev->word & t->mask : 0;
		return verbatim;
	}
	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];

		if (!(ev->extras >> i & 1) || x->word != t->word || !x->config1)
			continue;
		config[1] |= (ev->words[t->word] & t->mask) << (x->config1 - 1);
		return true;
	}
	return false;
}
