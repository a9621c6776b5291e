/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Linux's drivers make of the words of an event: which bits they drop, fill in or force, and where they expect
 * them. The tables say so beside each term, default and extra register.
 */
#include "encode/event.h"

/* Is the unit mask one of those for which Linux writes the register? */
static bool takes(const struct um_encoding *ev, const struct um_extra *x)
{
	const uint8_t *umask = x->kernel_umasks;

	while (*umask && *umask != (ev->word >> 8 & 0xff))
		umask++;
	return *umask || umask == x->kernel_umasks;
}

/* Find bits of a word that Linux drops. If one row for an extra register drops them, another may let them through. */
static bool drops(const struct um_encoding *ev, unsigned word, struct um_linux_change *c)
{
	uint64_t owned = ev->pmu->selector->kernel_loses, kept = 0;

	*c = (struct um_linux_change){ .does = UM_KERNEL_DROPS, .word = word };
	for (size_t i = 0; i < ev->pmu->num_extras && word; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];

		if (!(ev->extras >> i & 1) || x->word != word)
			continue;
		owned |= x->mask;
		if (takes(ev, x))
			kept |= x->mask & ~x->kernel_loses;
		else
			c->umasks = x->kernel_umasks;
	}
	c->bits = ev->words[word] & owned & ~kept;
	return c->bits;
}

static bool uses(const struct um_encoding *ev, unsigned word)
{
	for (size_t i = 0; i < ev->pmu->num_extras; i++)
		if (ev->extras >> i & 1 && ev->pmu->extras[i].word == word)
			return true;
	return !word;
}

bool um_linux_changes(const struct um_encoding *ev, uint64_t left[UM_WORDS], struct um_linux_change *c)
{
	for (size_t i = 0; i < ev->pmu->num_defaults; i++) {
		const struct um_default *d = &ev->pmu->defaults[i];
		uint64_t want = ev->words[d->word] & d->mask;

		if (d->kernel == UM_KERNEL_KEEPS || !uses(ev, d->word))
			continue;
		*c = (struct um_linux_change){ .does = d->kernel, .word = d->word, .bits = d->mask };
		if (want == d->value)
			left[d->word] &= ~d->mask;
		else if (d->kernel == UM_KERNEL_FORCES || (d->kernel == UM_KERNEL_FILLS && !want))
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

bool um_linux_place(const struct um_encoding *ev, const struct um_term *t, uint64_t config[UM_CONFIGS])
{
	if (!t->word && t->not_in_kernel)
		config[0] |= ev->word & t->mask;
	if (!t->word)
		return t->not_in_kernel;
	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];

		if (!(ev->extras >> i & 1) || x->word != t->word || !x->config1)
			continue;
		config[1] |= (ev->words[t->word] & t->mask) << (x->config1 - 1);
		return true;
	}
	return false;
}
