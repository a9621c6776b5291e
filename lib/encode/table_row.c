/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The register bits of an encoding, and of rows of the event tables. */
#include "encode/event.h"

uint64_t um_control_bits(const struct um_pmu *pmu)
{
	const struct um_selector *sel = pmu->selector;
	uint64_t user = 0, kernel = 0;

	um_pmu_rings(pmu, &user, &kernel);
	return sel->enable | sel->occ_reset | sel->pmi | user | kernel;
}

unsigned um_event_used_words(const struct um_encoding *ev)
{
	unsigned words = 1;

	for (size_t i = 0; i < ev->pmu->num_extras; i++)
		if (ev->extras >> i & 1)
			words |= 1u << ev->pmu->extras[i].word;
	return words;
}

static const struct um_extra *extra_at(const struct um_pmu *pmu, uint32_t msr)
{
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (pmu->extras[i].reg.msr == msr)
			return &pmu->extras[i];
	return NULL;
}

/* The extra register that belongs to the event select in @word; NULL: none. */
static const struct um_extra *extra_of_event(const struct um_pmu *pmu, uint64_t word)
{
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (pmu->extras[i].when_mask && (word & pmu->extras[i].when_mask) == pmu->extras[i].when_value)
			return &pmu->extras[i];
	return NULL;
}

static bool put(struct um_words *w, const struct um_extra *x, uint64_t value)
{
	if (!x)
		return false;
	w->at[x->word] |= value;
	/* Mark the word as given, even if @value is 0. */
	w->given[x->word] |= value ? value : UINT64_C(1) << 63;
	return true;
}

bool um_row_words(const struct um_pmu *pmu, const struct um_event_row *row, uint64_t word, struct um_words *w)
{
	uint64_t codes = um_code_mask(&pmu->selector->event) | um_code_mask(&pmu->selector->umask) | row->more;
	const struct um_words bare = { .at = { um_row_word(pmu, row) }, .given = { codes } };
	const struct um_extra *x = row->ports ? extra_of_event(pmu, word) : NULL;
	bool is;

	*w = bare;
	if (row->ports)
		is = put(w, x, row->extra_value * (x && x->mask ? x->mask & -x->mask : 1));
	else
		is = (!row->extra_msr || put(w, extra_at(pmu, row->extra_msr), row->extra_value)) &&
		     (!row->extra_msr2 || put(w, extra_at(pmu, row->extra_msr2), row->extra_value2));
	if (!is)
		*w = bare;
	return is;
}
