/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode a specification into register words and check it against the tables of the PMU. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/array.h"
#include "encode/encoder.h"
#include "names/names.h"
#include "machine/machine.h"

/* More than anyone needs, but low enough to limit the memory that a malicious text can use. */
enum { MAX_ENCODINGS = 4096 };

struct encoding {
	struct um_encoder *enc;
	struct um_encoding *ev;      /* its selector word has the not_written bits until the end of um_encode_spec() */
	struct um_event_spec *spec;
};

const char um_lacks_filter[] =
	"the event list gives this event a filter, and none was set: the filter's default applies";

void um_event_remark(struct um_event_notes *n, const char *text)
{
	size_t num = 0;

	while (n->remarks[num])
		num++;
	if (num < UM_EVENT_REMARKS)
		n->remarks[num] = text;
}

/* ---- the selector ---- */

/* perf's raw codes for the core PMU always have the interrupt bit, so drop the bit there; elsewhere refuse it. */
static int check_interrupt(struct encoding *c)
{
	const struct um_selector *sel = c->ev->pmu->selector;

	if (!(c->ev->word & sel->pmi))
		return 0;
	if (um_pmu_is_core(c->ev->pmu)) {
		c->ev->word &= ~sel->pmi;
		um_event_remark(&c->ev->notes, "bit 20 (interrupt on overflow) was left out: on this route nothing "
			      "handles the interrupt");
		return 0;
	}
	UM_REFUSE(c->enc, -EINVAL, "bit %d would raise an interrupt at each overflow", __builtin_ctzll(sel->pmi));
	return um_advise(c->enc->e, -EINVAL, "leave the bit out: nothing handles the interrupt, so it would be "
			 "an unknown NMI");
}

static int check_word(struct encoding *c)
{
	const struct um_selector *sel = c->ev->pmu->selector;
	uint64_t reserved = c->ev->word & ~(sel->settable | sel->enable);

	if (reserved)
		return UM_REFUSE(c->enc, -EINVAL, "reserved bits 0x%" PRIx64 " are set", reserved);
	if (!sel->enable && !c->ev->word)
		return UM_REFUSE(c->enc, -EINVAL, "the selector word 0 switches the counter off: it counts nothing");
	return 0;
}

/* Set bits for user and kernel mode: with neither, the counter would count nothing. */
static int add_rings(struct encoding *c)
{
	uint64_t user, kernel;

	if (!um_pmu_rings(c->ev->pmu, &user, &kernel))
		return 0;
	if (c->spec->user || c->spec->kernel) {
		c->ev->word &= ~(user | kernel);
		c->ev->word |= (c->spec->user ? user : 0) | (c->spec->kernel ? kernel : 0);
	} else if (!(c->ev->word & (user | kernel))) {
		if (c->spec->words.given[0] & user && c->spec->words.given[0] & kernel)
			return UM_REFUSE(c->enc, -EINVAL, "counts in neither user nor kernel mode");
		/* Switch on the modes that the user did not explicitly set to 0. */
		c->ev->word |= (user | kernel) & ~c->spec->words.given[0];
		if (c->spec->raw)
			um_event_remark(&c->ev->notes, "the word selects neither user nor kernel mode, so both were "
				      "switched on");
	}
	return 0;
}

static void add_defaults(struct encoding *c, unsigned word)
{
	const struct um_pmu *pmu = c->ev->pmu;

	for (size_t i = 0; i < pmu->num_defaults; i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (d->word != word || (c->ev->words[word] | c->spec->words.given[word]) & d->mask)
			continue;
		c->ev->words[word] |= d->value;
		um_event_remark(&c->ev->notes, d->why);
	}
}

static int make_word(struct encoding *c)
{
	const struct um_selector *sel = c->ev->pmu->selector;
	const struct um_event_spec *spec = c->spec;
	int err;

	c->ev->word |= spec->more | (spec->raw ? 0 : sel->occ_reset);
	err = check_interrupt(c) ?: add_rings(c);
	if (err)
		return err;
	if (!spec->raw)
		add_defaults(c, 0);
	err = check_word(c);
	c->ev->word |= sel->enable;
	return err;
}

/* ---- extra registers ---- */

/* The part of "config1=" that belongs to the extra register @x; 0 if config1 was not given. */
static uint64_t of_config1(const struct encoding *c, const struct um_extra *x)
{
	return c->spec->has_config1 && x->config1 ? c->spec->config1 >> (x->config1 - 1) & um_extra_mask(x)
						   : 0;
}

static bool needs(const struct encoding *c, const struct um_extra *x)
{
	if ((c->ev->word & x->when_mask) != x->when_value)
		return false;
	if (x->only_if_set && x->after)
		return c->ev->words[x->word];
	return !x->only_if_set || c->spec->words.given[x->word] || of_config1(c, x);
}

/* Use the bits of config1; terms must not set the same bits. */
static int take_config1(struct encoding *c)
{
	const struct um_words by_terms = c->spec->words;
	uint64_t left = c->spec->has_config1 ? c->spec->config1 : 0;
	bool known = false;

	for (size_t i = 0; i < c->ev->pmu->num_extras && c->spec->has_config1; i++) {
		const struct um_extra *x = &c->ev->pmu->extras[i];
		uint64_t bits = of_config1(c, x);

		known |= x->config1 != 0;
		if (!x->config1 || !needs(c, x))
			continue;
		c->ev->no_effect = by_terms.given[x->word] & um_extra_mask(x);
		if (c->ev->no_effect)
			return UM_REFUSE(c->enc, -EINVAL, "config1 and a term set the same filter");
		c->ev->words[x->word] |= bits;
		c->spec->words.given[x->word] |= um_extra_mask(x);
		/* If the event keeps its list's name (has_own_name()), treat config1 as a part of that name. */
		c->spec->named.at[x->word] |= bits;
		c->spec->named.given[x->word] |= um_extra_mask(x);
		left &= ~(bits << (x->config1 - 1));
	}
	if (!left)
		return 0;
	/* If the tables do not know the PMU's config1, the perf route may pass config1 to the kernel unchanged. */
	c->ev->no_effect = known;
	UM_REFUSE(c->enc, -EINVAL, "bits 0x%" PRIx64 " of config1 have no effect on this event", left);
	return um_advise(c->enc->e, -EINVAL, "uncoremsr-events(7) says which events use which filter");
}

/* The name of a term for these bits of an extra word. */
static const char *name_of(const struct um_pmu *pmu, unsigned word, uint64_t bits)
{
	const struct um_term *t = um_term_of_bits(pmu, word, bits);

	return t ? t->name : "the extra word";
}

/* Refuse bits of filters that the event does not use: Linux would drop them silently. */
static int check_extra(const struct encoding *c, unsigned word)
{
	const struct um_pmu *pmu = c->ev->pmu;
	uint64_t written = 0, exist = 0, left, given = c->spec->words.given[word];
	uint32_t first = 0, msr = 0;

	for (size_t i = 0; i < pmu->num_extras; i++) {
		const struct um_extra *x = &pmu->extras[i];

		if (x->word != word)
			continue;
		first = first ? first : x->reg.msr;
		if (x->after)
			continue;
		exist |= um_extra_mask(x);
		if (!(c->ev->extras >> i & 1))
			continue;
		written |= um_extra_mask(x);
		msr = x->reg.msr;
	}
	if (given && !(um_event_used_words(c->ev) >> word & 1)) {
		c->ev->no_effect = true;
		UM_REFUSE(c->enc, -EINVAL, "%s has no effect: it sets register 0x%x, which this event does not use",
			  name_of(pmu, word, given), first);
		return um_advise(c->enc->e, -EINVAL, "leave the term out, or see uncoremsr-events(7) for the events "
				 "that use it");
	}
	left = msr ? c->ev->words[word] & ~written : 0;
	if (!left)
		return 0;
	c->ev->no_effect = left & exist;
	if (c->ev->no_effect)
		UM_REFUSE(c->enc, -EINVAL,
			  "%s sets bits 0x%" PRIx64 " of register 0x%x, which have no effect on this event",
			  name_of(pmu, word, left), left, msr);
	else
		UM_REFUSE(c->enc, -EINVAL, "bits 0x%" PRIx64 " do not exist in register 0x%x", left, msr);
	return um_advise(c->enc->e, -EINVAL, "leave these bits out, or see uncoremsr-events(7) for the events that use "
			 "them");
}

/* Refuse filters that have no effect because the bit that enables them is 0. */
static int check_switch(const struct encoding *c, const struct um_extra *sw)
{
	const struct um_pmu *pmu = c->ev->pmu;

	for (size_t i = 0; i < pmu->num_extras && sw->after && sw->only_if_set && !needs(c, sw); i++) {
		const struct um_extra *x = &pmu->extras[i];

		if (!(c->ev->extras >> i & 1) || !x->only_if_set)
			continue;
		c->ev->no_effect = true;
		UM_REFUSE(c->enc, -EINVAL, "%s has no effect without %s=1", name_of(pmu, x->word, x->reg.valid),
			  name_of(pmu, sw->word, sw->after));
		return -EINVAL;
	}
	return 0;
}

static int make_extras(struct encoding *c)
{
	const struct um_pmu *pmu = c->ev->pmu;

	if (take_config1(c))
		return -EINVAL;
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (needs(c, &pmu->extras[i])) {
			c->ev->extras |= UINT64_C(1) << i;
			c->ev->filtered |= c->spec->words.given[pmu->extras[i].word] != 0;
		}
	for (unsigned word = 1; word < UM_WORDS; word++)
		if (um_event_used_words(c->ev) >> word & 1)
			add_defaults(c, word);
	for (unsigned word = 1; word < UM_WORDS; word++)
		if (check_extra(c, word))
			return -EINVAL;
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (check_switch(c, &pmu->extras[i]))
			return -EINVAL;
	return 0;
}

/* ---- counters ---- */

static int make_counters(struct encoding *c)
{
	const struct um_pmu *pmu = c->ev->pmu;
	uint32_t all = (uint32_t)um_low_mask(pmu->num_general);

	c->ev->counters = all;
	for (size_t i = 0; i < pmu->num_constraints; i++) {
		const struct um_constraint *rule = &pmu->constraints[i];

		if ((c->ev->word & rule->mask) == rule->value)
			c->ev->counters &= rule->counters;
	}
	if (c->spec->counters)
		c->ev->counters &= c->spec->counters;
	if (c->spec->on_fixed)
		c->ev->counters = 0;
	if (c->ev->counters)
		return 0;
	return UM_REFUSE(c->enc, -EINVAL, "no counter of %s can count this event", pmu->name);
}

/* If each counter has its own list of events, codes without a counter are ambiguous. */
static int check_by_counter(const struct encoding *c)
{
	const struct um_selector *sel = c->ev->pmu->selector;

	if (!sel->not_written || c->spec->raw || c->spec->row || c->spec->words.given[0] & sel->not_written)
		return 0;
	UM_REFUSE(c->enc, -EINVAL, "on %s the meaning of an event code depends on the counter", c->ev->pmu->name);
	return um_advise(c->enc->e, -EINVAL, "say which counter: %s/event=0x%x,counter=0/", c->ev->pmu->name,
		um_code_of(&sel->event, c->ev->word));
}

/* ---- names for codes ---- */

/*
 * Does the row describe the selector word completely, except for the bits @ignored? Rows of fixed counters never do:
 * they have no selector.
 */
static bool says(const struct encoding *c, const struct um_event_row *row, uint64_t ignored)
{
	const struct um_pmu *pmu = c->ev->pmu;
	uint64_t own = um_row_word(pmu, row);

	return !um_row_has_extras(row) && (own & c->ev->word) == own &&
	       !((c->ev->word & ~own) & ~ignored) &&
	       um_pmu_find_fixed(pmu, row->name, strlen(row->name)) < 0;
}

/*
 * Is the row's event implemented? Rows of the core PMU are architectural events. On a processor that lacks one of the
 * newer events, the codes of that event mean something else.
 */
static bool is_there(const struct encoding *c, const struct um_event_row *row)
{
	unsigned event, umask;

	for (unsigned bit = 0; um_pmu_is_core(c->ev->pmu) && um_arch_event(bit, &event, &umask); bit++)
		if (event == row->event && umask == row->umask)
			return c->enc->pmus->arch_events >> bit & 1;
	return true;
}

/*
 * Find the row that describes the word. The row of the name that the user gave is used even if it needs other
 * registers. Else prefer the row that sets the most bits of the word.
 */
static const struct um_event_row *find_row(const struct encoding *c)
{
	const struct um_selector *sel = c->ev->pmu->selector;
	unsigned event = um_code_of(&sel->event, c->ev->word);
	unsigned umask = um_code_of(&sel->umask, c->ev->word);
	const struct um_event_row *row = c->spec->row, *best = NULL;
	/* These bits change how and when a counter counts, but not which event. */
	uint64_t ignored = um_modifier_bits(c->ev->pmu) | um_control_bits(c->ev->pmu);

	if (row && row->umask == umask && (row->event == event || row->ports))
		return row;
	row = NULL;
	while (c->spec->table && (row = um_event_next(c->spec->table, row)))
		if (row->event == event && row->umask == umask && says(c, row, ignored) && is_there(c, row) &&
		    (!best || row->more > best->more))
			best = row;
	return best;
}

int um_encode_append(struct um_encoder *s, struct um_encoding *ev)
{
	struct um_encodings *list = s->list;

	if (list->num >= MAX_ENCODINGS)
		return UM_REFUSE(s, -EINVAL, "more than %d events", MAX_ENCODINGS);
	ev->group = s->group;
	return ARRAY_APPEND(list->events, list->num, *ev) ? um_no_memory(s->e) : 0;
}

int um_encode_spec(struct um_encoder *s, const struct um_event_spec *wanted)
{
	const struct um_pmu *pmu = wanted->pmu;
	struct um_event_spec spec = *wanted;
	struct um_encoding ev = {
		.pmu = pmu, .unit = spec.unit, .fixed = -1, .counter = -1, .core_type = spec.core_type,
		.mods = spec.mods,
	};
	struct encoding c = { s, &ev, &spec };
	struct um_words ignored;
	uint64_t word;
	int err;

	if (!pmu->num_general)
		return UM_REFUSE(s, -EINVAL, "each counter of %s counts one fixed event, so no other can be chosen",
				 pmu->name);
	memcpy(ev.words, spec.words.at, sizeof(ev.words));
	err = make_word(&c) ?: make_extras(&c) ?: make_counters(&c) ?: check_by_counter(&c);
	s->list->no_effect |= ev.no_effect;
	if (err)
		return err;
	word = ev.word;
	/* With a threshold or edge detection a counter is incremented by at most 1 per clock. */
	ev.max_per_clock = word & (um_selector_bits(pmu, "edge") | um_selector_bits(pmu, "cmask")) ? 1 : pmu->max_increment;
	ev.row = find_row(&c);
	if (ev.row && !um_row_words(pmu, ev.row, word, &ignored)) {
		ev.needs_msr = ev.row->extra_msr;
		ev.needs_value = ev.row->extra_value;
	}
	ev.word &= ~pmu->selector->not_written;
	um_event_spell_out(&ev, &spec, word);
	return um_encode_append(s, &ev);
}
