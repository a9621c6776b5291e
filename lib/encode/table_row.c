/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode rows of the event tables into register bits. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "encode/encoder.h"

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
		if (pmu->extras[i].when_mask &&
		    (word & pmu->extras[i].when_mask) == pmu->extras[i].when_value)
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

/* Offset of the port's event select from the first port's, or a negative errno. Each port has its events twice. */
static int find_port(const struct um_draft *d)
{
	const struct um_event_row *row = d->codes;
	struct um_encoder *s = d->enc;

	if (!row->ports && (d->port >= 0 || d->set >= 0))
		return UM_REFUSE(s, -EINVAL, "this event takes no port");
	if (!row->ports)
		return 0;
	if (d->port < 0) {
		UM_REFUSE(s, -EINVAL, "every port has this event; give a port, 0 to %u", row->ports - 1u);
		return um_advise(s->e, -EINVAL, "write %s/%s,port=0/", d->ev.pmu->name, row->name);
	}
	if (d->port >= row->ports || d->set > 1)
		return UM_REFUSE(s, -EINVAL, "port=%d,set=%d is out of range port=0..%u,set=0..1", d->port,
				 d->set < 0 ? 0 : d->set, row->ports - 1u);
	return d->port * UM_PORT_EVENTS + (d->set > 0);
}

int um_encode_row(struct um_draft *d)
{
	const struct um_pmu *pmu = d->ev.pmu;
	struct um_words *w = &d->words, own;
	int step = find_port(d);
	uint64_t word = um_row_word(pmu, d->codes) + ((uint64_t)step << pmu->selector->event.shift);

	if (step < 0)
		return step;
	um_row_words(pmu, d->codes, word, &own);
	own.at[0] = word;
	for (unsigned i = 0; i < UM_WORDS; i++) {
		if (i ? w->at[i] & own.at[i] : d->raw || w->given[0] & own.given[0])
			return UM_REFUSE(d->enc, -EINVAL, "a term sets a field that the name already sets");
		w->at[i] |= own.at[i];
		w->given[i] |= own.given[i];
	}
	return 0;
}

int um_event_lacks_msr(const struct um_encoding *ev, struct um_error *e)
{
	const struct um_selector *sel = ev->pmu->selector;
	unsigned event = um_code_of(&sel->event, ev->word);
	unsigned umask = um_code_of(&sel->umask, ev->word);
	char value[24] = "VALUE";

	if (!ev->needs_msr)
		return 0;
	um_event_fail(e, -ENOTSUP, ev->name, "the event needs MSR 0x%x too, which this library does not set",
		ev->needs_msr);
	if (ev->needs_value)
		snprintf(value, sizeof(value), "0x%" PRIx64, (uint64_t)ev->needs_value);
	return um_advise(e, -ENOTSUP, "set %s on one CPU of each package (wrmsr -p CPU 0x%x %s), then count 0x%x:0x%x",
		ev->needs_value ? "it" : "the filter", ev->needs_msr, value, event, umask);
}
