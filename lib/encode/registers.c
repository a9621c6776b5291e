/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode a draft into register words and check it against the tables of the PMU. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "encode/encoder.h"
#include "names/json_list.h"
#include "names/names.h"
#include "machine/machine.h"

/* More than anyone needs, but low enough to limit the memory that a malicious text can use. */
enum { MAX_ENCODINGS = 4096 };

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
static int check_interrupt(struct um_draft *d)
{
	const struct um_selector *sel = d->ev.pmu->selector;

	if (!(d->ev.word & sel->pmi))
		return 0;
	if (um_pmu_is_core(d->ev.pmu)) {
		d->ev.word &= ~sel->pmi;
		um_event_remark(&d->ev.notes, "bit 20 (interrupt on overflow) was left out: on this route nothing "
			      "handles the interrupt");
		return 0;
	}
	UM_REFUSE(d->enc, -EINVAL, "bit %d would raise an interrupt at each overflow", __builtin_ctzll(sel->pmi));
	return um_advise(d->enc->e, -EINVAL, "leave the bit out: nothing handles the interrupt, so it would be "
			 "an unknown NMI");
}

static int check_word(struct um_draft *d)
{
	const struct um_selector *sel = d->ev.pmu->selector;
	uint64_t reserved = d->ev.word & ~(sel->settable | sel->enable);

	if (reserved)
		return UM_REFUSE(d->enc, -EINVAL, "reserved bits 0x%" PRIx64 " are set", reserved);
	if (!sel->enable && !d->ev.word)
		return UM_REFUSE(d->enc, -EINVAL, "the selector word 0 switches the counter off: it counts nothing");
	return 0;
}

/* Set bits for user and kernel mode: with neither, the counter would count nothing. */
static int add_rings(struct um_draft *d)
{
	uint64_t user, kernel;

	if (!um_pmu_rings(d->ev.pmu, &user, &kernel))
		return 0;
	if (d->user || d->kernel) {
		d->ev.word &= ~(user | kernel);
		d->ev.word |= (d->user ? user : 0) | (d->kernel ? kernel : 0);
	} else if (!(d->ev.word & (user | kernel))) {
		if (d->words.given[0] & user && d->words.given[0] & kernel)
			return UM_REFUSE(d->enc, -EINVAL, "counts in neither user nor kernel mode");
		/* Switch on the modes that the user did not explicitly set to 0. */
		d->ev.word |= (user | kernel) & ~d->words.given[0];
		if (d->raw)
			um_event_remark(&d->ev.notes, "the word selects neither user nor kernel mode, so both were "
				      "switched on");
	}
	return 0;
}

static void add_defaults(struct um_draft *d, unsigned word)
{
	const struct um_pmu *pmu = d->ev.pmu;

	for (size_t i = 0; i < pmu->num_defaults; i++) {
		const struct um_default *def = &pmu->defaults[i];

		if (def->word != word || (d->ev.words[word] | d->words.given[word]) & def->mask)
			continue;
		d->ev.words[word] |= def->value;
		um_event_remark(&d->ev.notes, def->why);
	}
}

static int make_word(struct um_draft *d)
{
	const struct um_selector *sel = d->ev.pmu->selector;
	int err;

	d->ev.word |= d->more | (d->raw ? 0 : sel->occ_reset);
	err = check_interrupt(d) ?: add_rings(d);
	if (err)
		return err;
	if (!d->raw)
		add_defaults(d, 0);
	err = check_word(d);
	d->ev.word |= sel->enable;
	return err;
}

/* ---- extra registers ---- */

/* The part of "config1=" that belongs to the extra register @x; 0 if config1 was not given. */
static uint64_t of_config1(const struct um_draft *d, const struct um_extra *x)
{
	return d->has_config1 && x->config1 ? d->config1 >> (x->config1 - 1) & um_extra_mask(x)
						   : 0;
}

static bool needs(const struct um_draft *d, const struct um_extra *x)
{
	if ((d->ev.word & x->when_mask) != x->when_value)
		return false;
	if (x->only_if_set && x->after)
		return d->ev.words[x->word];
	return !x->only_if_set || d->words.given[x->word] || of_config1(d, x);
}

static int take_config1(struct um_draft *d)
{
	const struct um_words by_terms = d->words;
	uint64_t left = d->has_config1 ? d->config1 : 0;
	bool known = false;

	for (size_t i = 0; i < d->ev.pmu->num_extras && d->has_config1; i++) {
		const struct um_extra *x = &d->ev.pmu->extras[i];
		uint64_t bits = of_config1(d, x);

		known |= x->config1 != 0;
		if (!x->config1 || !needs(d, x))
			continue;
		if (by_terms.given[x->word] & um_extra_mask(x)) {
			d->enc->list->no_effect = true;
			return UM_REFUSE(d->enc, -EINVAL, "config1 and a term set the same filter");
		}
		d->ev.words[x->word] |= bits;
		d->words.given[x->word] |= um_extra_mask(x);
		/* If the event keeps its list's name (has_own_name()), treat config1 as a part of that name. */
		d->named.at[x->word] |= bits;
		d->named.given[x->word] |= um_extra_mask(x);
		left &= ~(bits << (x->config1 - 1));
	}
	if (!left)
		return 0;
	/* If the tables do not know the PMU's config1, the perf route may pass config1 to the kernel unchanged. */
	d->enc->list->no_effect |= known;
	UM_REFUSE(d->enc, -EINVAL, "bits 0x%" PRIx64 " of config1 have no effect on this event", left);
	return um_advise(d->enc->e, -EINVAL, "uncoremsr-events(7) says which events use which filter");
}

static const char *name_of(const struct um_pmu *pmu, unsigned word, uint64_t bits)
{
	const struct um_term *t = um_term_of_bits(pmu, word, bits);

	return t ? t->name : "the extra word";
}

/* Refuse bits of filters that the event does not use: Linux would drop them silently. */
static int check_extra(const struct um_draft *d, unsigned word)
{
	const struct um_pmu *pmu = d->ev.pmu;
	uint64_t written = 0, exist = 0, left, given = d->words.given[word];
	uint32_t first = 0, msr = 0;

	for (size_t i = 0; i < pmu->num_extras; i++) {
		const struct um_extra *x = &pmu->extras[i];

		if (x->word != word)
			continue;
		first = first ? first : x->reg.msr;
		if (x->after)
			continue;
		exist |= um_extra_mask(x);
		if (!(d->ev.extras >> i & 1))
			continue;
		written |= um_extra_mask(x);
		msr = x->reg.msr;
	}
	if (given && !(um_event_used_words(&d->ev) >> word & 1)) {
		d->enc->list->no_effect = true;
		UM_REFUSE(d->enc, -EINVAL, "%s has no effect: it sets register 0x%x, which this event does not use",
			  name_of(pmu, word, given), first);
		return um_advise(d->enc->e, -EINVAL, "leave the term out, or see uncoremsr-events(7) for the events "
				 "that use it");
	}
	left = msr ? d->ev.words[word] & ~written : 0;
	if (!left)
		return 0;
	d->enc->list->no_effect |= (left & exist) != 0;
	if (left & exist)
		UM_REFUSE(d->enc, -EINVAL,
			  "%s sets bits 0x%" PRIx64 " of register 0x%x, which have no effect on this event",
			  name_of(pmu, word, left), left, msr);
	else
		UM_REFUSE(d->enc, -EINVAL, "bits 0x%" PRIx64 " do not exist in register 0x%x", left, msr);
	return um_advise(d->enc->e, -EINVAL, "leave these bits out, or see uncoremsr-events(7) for the events that use "
			 "them");
}

/* Refuse filters that have no effect because the bit that enables them is 0. */
static int check_switch(const struct um_draft *d, const struct um_extra *sw)
{
	const struct um_pmu *pmu = d->ev.pmu;

	for (size_t i = 0; i < pmu->num_extras && sw->after && sw->only_if_set && !needs(d, sw); i++) {
		const struct um_extra *x = &pmu->extras[i];

		if (!(d->ev.extras >> i & 1) || !x->only_if_set)
			continue;
		d->enc->list->no_effect = true;
		UM_REFUSE(d->enc, -EINVAL, "%s has no effect without %s=1", name_of(pmu, x->word, x->reg.valid),
			  name_of(pmu, sw->word, sw->after));
		return -EINVAL;
	}
	return 0;
}

static int make_extras(struct um_draft *d)
{
	const struct um_pmu *pmu = d->ev.pmu;

	if (take_config1(d))
		return -EINVAL;
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (needs(d, &pmu->extras[i])) {
			d->ev.extras |= UINT64_C(1) << i;
			d->ev.filtered |= d->words.given[pmu->extras[i].word] != 0;
		}
	for (unsigned word = 1; word < UM_WORDS; word++)
		if (um_event_used_words(&d->ev) >> word & 1)
			add_defaults(d, word);
	for (unsigned word = 1; word < UM_WORDS; word++)
		if (check_extra(d, word))
			return -EINVAL;
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (check_switch(d, &pmu->extras[i]))
			return -EINVAL;
	return 0;
}

/* ---- counters ---- */

static int make_counters(struct um_draft *d)
{
	const struct um_pmu *pmu = d->ev.pmu;
	const struct um_json_event *entry = d->entry;

	d->ev.counters = d->on_fixed ? 0 : (uint32_t)um_low_mask(pmu->num_general);
	for (size_t i = 0; i < pmu->num_constraints; i++) {
		const struct um_constraint *rule = &pmu->constraints[i];

		if ((d->ev.word & rule->mask) == rule->value)
			d->ev.counters &= rule->counters;
	}
	if (d->counters)
		d->ev.counters &= d->counters;
	if (!d->ev.counters)
		return UM_REFUSE(d->enc, -EINVAL, "no counter of %s can count this event", pmu->name);
	if (!entry || !entry->general || (d->ev.counters &= entry->general))
		return 0;
	UM_REFUSE(d->enc, -ENOTSUP, "the event list allows only counter %.40s, which cannot count the event on %s",
		  entry->base.pub.counters, pmu->name);
	return um_advise(d->enc->e, -ENOTSUP, "write %s/%.100s/ to use the counters that the tables allow", pmu->name,
			 entry->terms);
}

/* If each counter has its own list of events, codes without a counter are ambiguous. */
static int check_by_counter(const struct um_draft *d)
{
	const struct um_selector *sel = d->ev.pmu->selector;

	if (!sel->not_written || d->raw || d->ev.row || d->words.given[0] & sel->not_written)
		return 0;
	UM_REFUSE(d->enc, -EINVAL, "on %s the meaning of an event code depends on the counter", d->ev.pmu->name);
	return um_advise(d->enc->e, -EINVAL, "say which counter: %s/event=0x%x,counter=0/", d->ev.pmu->name,
		um_code_of(&sel->event, d->ev.word));
}

/* ---- names for codes ---- */

/* Does the row describe the selector word, except for @ignored? Fixed counters have no selector. */
static bool says(const struct um_draft *d, const struct um_event_row *row, uint64_t ignored)
{
	const struct um_pmu *pmu = d->ev.pmu;
	uint64_t own = um_row_word(pmu, row);

	return !um_row_has_extras(row) && (own & d->ev.word) == own &&
	       !((d->ev.word & ~own) & ~ignored) &&
	       um_pmu_find_fixed(pmu, row->name, strlen(row->name)) < 0;
}

/* Does this processor have the event? Where an architectural event is missing, its codes have another meaning. */
static bool is_there(const struct um_draft *d, const struct um_event_row *row)
{
	unsigned event, umask;

	for (unsigned bit = 0; um_pmu_is_core(d->ev.pmu) && um_arch_event(bit, &event, &umask); bit++)
		if (event == row->event && umask == row->umask)
			return d->enc->pmus->arch_events >> bit & 1;
	return true;
}

/* The row of the given name, even if it needs other registers; else the row that sets most bits of the word. */
static const struct um_event_row *find_row(const struct um_draft *d)
{
	const struct um_selector *sel = d->ev.pmu->selector;
	unsigned event = um_code_of(&sel->event, d->ev.word);
	unsigned umask = um_code_of(&sel->umask, d->ev.word);
	const struct um_event_row *row = d->ev.row, *best = NULL;
	/* These bits change how and when a counter counts, but not which event. */
	uint64_t ignored = um_modifier_bits(d->ev.pmu) | um_control_bits(d->ev.pmu);

	if (row && row->umask == umask && (row->event == event || row->ports))
		return row;
	row = NULL;
	while (d->table && (row = um_event_next(d->table, row)))
		if (row->event == event && row->umask == umask && says(d, row, ignored) && is_there(d, row) &&
		    (!best || row->more > best->more))
			best = row;
	return best;
}

/* ---- fixed counters ---- */

/* SDM volume 3B, IA32_FIXED_CTR_CTRL: the first of a counter's four bits is OS, the second USR. */
static uint64_t fixed_word(const struct um_draft *d, const struct um_fixed *f)
{
	uint64_t lowest = f->control_mask & -f->control_mask, word = f->enable;

	if (!um_pmu_is_core(d->ev.pmu) || !(d->user || d->kernel))
		return word;
	word &= ~(lowest | lowest << 1);
	return word | (d->kernel ? lowest : 0) | (d->user ? lowest << 1 : 0);
}

/* Is the event unchanged? A fixed counter takes no modifiers, but "e=0:i=0:c=0" is harmless. */
static bool says_nothing(const struct um_draft *d)
{
	for (unsigned i = 1; i < UM_WORDS; i++)
		if (d->words.given[i])
			return false;
	return !(d->words.given[0] & ~um_modifier_bits(d->ev.pmu)) && !d->words.at[0] && !d->more && !d->raw &&
	       d->port < 0 && d->set < 0 && !d->counters;
}

static int make_fixed(struct um_draft *d)
{
	const struct um_pmu *pmu = d->ev.pmu;
	const struct um_fixed *f = &pmu->fixed[d->ev.fixed];

	if (!says_nothing(d)) {
		UM_REFUSE(d->enc, -EINVAL, "%s has a counter of its own, which takes no modifier", f->event);
		return um_advise(d->enc->e, -EINVAL, "leave the modifier out");
	}
	if (d->on_fixed && d->fixed >= 0 && d->fixed != d->ev.fixed)
		return UM_REFUSE(d->enc, -EINVAL, "fixed counter %d counts this event, not %d", d->ev.fixed, d->fixed);
	d->ev.word = fixed_word(d, f);
	/* A fixed counter with a control register counts clocks; a free-running counter may count bytes. */
	d->ev.max_per_clock = f->max_increment ?: f->control.msr ? 1 : pmu->max_increment;
	d->ev.row = d->table ? um_event_find(d->table, f->event, strlen(f->event)) : NULL;
	um_event_spell_out(d);
	return 0;
}

/* ---- events ---- */

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

static int add_codes(struct um_draft *d)
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

static int make_general(struct um_draft *d)
{
	const struct um_pmu *pmu = d->ev.pmu;
	struct um_words ignored;
	int err;

	if (!pmu->num_general)
		return UM_REFUSE(d->enc, -EINVAL, "each counter of %s counts one fixed event, so no other can be chosen",
				 pmu->name);
	memcpy(d->ev.words, d->words.at, sizeof(d->ev.words));
	err = make_word(d) ?: make_extras(d) ?: make_counters(d) ?: check_by_counter(d);
	if (err)
		return err;
	/* With a threshold or edge detection a counter is incremented by at most 1 per clock. */
	d->ev.max_per_clock = d->ev.word & (um_selector_bits(pmu, "edge") | um_selector_bits(pmu, "cmask"))
			      ? 1 : pmu->max_increment;
	d->ev.row = find_row(d);
	if (d->ev.row && !um_row_words(pmu, d->ev.row, d->ev.word, &ignored)) {
		d->ev.needs_msr = d->ev.row->extra_msr;
		d->ev.needs_value = d->ev.row->extra_value;
	}
	um_event_spell_out(d);
	d->ev.word &= ~pmu->selector->not_written;
	return 0;
}

int um_encode_draft(struct um_draft *d, struct um_term_list terms, struct um_term_list modifiers)
{
	struct um_encoder *s = d->enc;
	struct um_encodings *list = s->list;
	int err = um_put_terms(d, terms);

	if (!err && d->ev.fixed < 0 && !d->codes && (d->port >= 0 || d->set >= 0))
		return um_encode_bad(s, d->entry ? "an event of an event list takes no port or set:"
						 : "port and set need an event name:", terms.at->name,
				     (size_t)(terms.at[terms.num - 1].end - terms.at->name));
	err = err ?: um_encode_modifiers(d, modifiers);
	if (!err && d->ev.fixed >= 0)
		err = make_fixed(d);
	else if (!err)
		err = (d->codes ? add_codes(d) : 0) ?: make_general(d);
	if (err)
		return err;
	if (d->entry && d->entry->wants_filter && !d->ev.filtered)
		um_event_remark(&d->ev.notes, um_lacks_filter);
	if (list->num >= MAX_ENCODINGS)
		return UM_REFUSE(s, -EINVAL, "more than %d events", MAX_ENCODINGS);
	d->ev.group = s->group;
	return ARRAY_APPEND(list->events, list->num, d->ev) ? um_no_memory(s->e) : 0;
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
