/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Set the bits of terms and modifiers in words. The position of a term is from our tables or the kernel's format files. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "encode/encoder.h"
#include "names/synonyms.h"

int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len)
{
	UM_REFUSE(s, -EINVAL, "%s '%.*s'", what, (int)len, at);
	return um_advise(s->e, -EINVAL, "write %s, or see uncoremsr-events(7)", s->instead);
}

int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value)
{
	bool long_one = len > 18 && strspn(text, "0123456789abcdefABCDEFxX") >= len;

	if (!len)
		return um_encode_bad(s, "a number is missing in", s->text, strlen(s->text));
	if (um_perf_number(text, len, value))
		return 0;
	return um_encode_bad(s, long_one ? "number too large:" : "not a number:", text, len);
}

/* ---- whole words and ports ---- */

/* "extra0=" sets a whole extra word, for bits without a term. Returns the word's index; 0: the PMU has no such word. */
static unsigned extra_word(const struct um_pmu *pmu, const struct um_event_term *t)
{
	char name[16];

	for (size_t i = 0; i < pmu->num_extras; i++) {
		snprintf(name, sizeof(name), "extra%u", pmu->extras[i].word - 1u);
		if (um_is_word(t->name, t->name_len, name))
			return pmu->extras[i].word;
	}
	return 0;
}

/* "config1=" sets all filters of an uncore event. For a core event it is a register that only the kernel sets. */
static bool is_config1(const struct um_pmu *pmu, const struct um_event_term *t)
{
	return t->value && !um_pmu_is_core(pmu) && um_is_word(t->name, t->name_len, "config1");
}

static int unknown(struct um_encoder *s, const struct um_pmu *pmu, const char *text, size_t len)
{
	char names[UM_MESSAGE_LIST_SIZE] = "";

	UM_REFUSE(s, -EINVAL, "%s has no term '%.*s'", pmu->name, (int)len, text);
	if (!pmu->num_general) {
		return um_advise(s->e, -EINVAL, "each counter of this PMU counts one fixed event: %s/%s/", pmu->name,
			pmu->num_fixed ? pmu->fixed[0].event : "");
	}
	for (size_t i = 0; i < pmu->num_terms; i++)
		um_list_add(names, sizeof(names), "%s", pmu->terms[i].name);
	return um_advise(s->e, -EINVAL, "it has %s", *names ? names : "event, umask, edge, inv, cmask");
}

void um_encode_word(struct um_draft *d, uint64_t word)
{
	const struct um_pmu *pmu = d->ev.pmu;

	d->raw = true;
	d->words.at[0] |= word;
	for (size_t i = 0; i < pmu->num_terms; i++)
		if (!pmu->terms[i].word && um_term_max(&pmu->terms[i]) > 1)
			d->words.given[0] |= word & pmu->terms[i].mask;
}

/* Encode a term that is not a field of a register: a whole word, "config1", "port" or "set". */
static int special(struct um_draft *d, const struct um_event_term *t)
{
	const struct um_pmu *pmu = d->ev.pmu;
	bool raw = um_is_word(t->name, t->name_len, "raw") || um_is_word(t->name, t->name_len, "config");
	bool config1 = is_config1(pmu, t);
	int *place = um_is_word(t->name, t->name_len, "port") ? &d->port
		     : um_is_word(t->name, t->name_len, "set") ? &d->set : NULL;
	unsigned extra = extra_word(pmu, t);
	uint64_t value;
	int err;

	if (!t->value || !(raw || extra || config1 || (place && d->table)))
		return unknown(d->enc, pmu, t->name, (size_t)(t->end - t->name));
	err = um_encode_number(d->enc, t->value, t->value_len, &value);
	if (err)
		return err;
	if (raw && (d->raw || d->words.given[0] & value))
		return um_encode_bad(d->enc, "the event's word or some of its bits were given already:", t->name,
				     (size_t)(t->end - t->name));
	if (extra && d->words.given[extra])
		return um_encode_bad(d->enc, "another term has set bits of that word already:", t->name, t->name_len);
	d->enc->list->no_effect |= config1 && d->has_config1;
	if (config1 && d->has_config1)
		return um_encode_bad(d->enc, "this term was given already:", t->name, t->name_len);
	if (raw) {
		um_encode_word(d, value);
	} else if (extra) {
		d->words.at[extra] = value;
		d->words.given[extra] = UINT64_MAX;
	} else if (config1) {
		d->has_config1 = true;
		d->config1 = value;
	} else {
		*place = value > INT_MAX ? INT_MAX : (int)value;
	}
	return 0;
}

/* ---- terms ---- */

static int put(struct um_draft *d, const struct um_term *t, const struct um_event_term *written)
{
	bool for_kernel = d->other;
	size_t len = written->value_len, quotes;
	uint64_t value = 1;
	int err = 0;

	if (for_kernel && len == 1 && *written->value == '?')
		return UM_REFUSE(d->enc, -EINVAL, "the kernel's event needs a value for '%.*s'",
				 (int)written->name_len, written->name);
	if (!written->value && !for_kernel && um_term_max(t) > 1)
		return um_encode_bad(d->enc, "a value is missing:", written->name,
				     (size_t)(written->end - written->name));
	quotes = len > 1 && *written->value == '\'' && written->value[len - 1] == '\'';
	if (written->value)
		err = um_encode_number(d->enc, written->value + quotes, len - 2 * quotes, &value);
	if (!err)
		err = um_term_put(t, value, &d->words, d->enc->text, d->enc->e);
	if (err)
		return err;
	d->words.given[t->word] |= for_kernel ? 0 : t->mask;
	d->words.at[0] |= t->implies;
	return 0;
}

int um_put_terms(struct um_draft *d, struct um_term_list l)
{
	int err = 0;

	for (size_t i = 0; i < l.num && !err; i++) {
		const struct um_term *t = um_term_find(d->ev.pmu, l.at[i].name, l.at[i].name_len);

		err = t ? put(d, t, &l.at[i]) : d->other ? d->other(d, &l.at[i]) : special(d, &l.at[i]);
	}
	return err;
}

int um_put_text(struct um_draft *d, const char *text)
{
	const char *at = *text ? text : NULL, *end = text + strlen(text);
	struct um_event_term t;
	int err = 0;

	while (!err && um_next_term(&at, end, ',', &t))
		err = um_put_terms(d, (struct um_term_list){ &t, 1 });
	return err;
}

/* ---- modifiers ---- */

int um_encode_letters(struct um_encoder *s, const char *text, size_t len, struct um_perf_mods *m)
{
	static const char letters[] = "ukhGHIPDeSW";

	for (size_t i = 0; i < len; i++) {
		const char *letter = strchr(letters, text[i]);
		unsigned bit = letter && *letter ? 1u << (letter - letters) : 0;

		if (text[i] == 'p' && m->precise < 3) {
			m->precise++;
			continue;
		}
		if (!bit || m->set & bit)
			return um_encode_bad(s, bit || text[i] == 'p' ? "a modifier is given twice in"
								    : "unknown modifier",
					     text, len);
		m->set |= bit;
	}
	return 0;
}

static bool take_rings(struct um_draft *d, const char *text, size_t len)
{
	uint64_t user, kernel;

	if (!len || !um_pmu_rings(d->ev.pmu, &user, &kernel))
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] != 'u' && text[i] != 'k')
			return false;
	d->user |= memchr(text, 'u', len) != NULL;
	d->kernel |= memchr(text, 'k', len) != NULL;
	return true;
}

/* likwid's events name counter and unit. Core events count in user mode, with KERNEL also in kernel mode. */
static int take_counter(struct um_draft *d, const char *text, size_t len, const struct um_counter_word *w)
{
	const struct um_pmu *pmu = d->ev.pmu;

	if (w->unit >= 0 && ((d->ev.unit >= 0 && w->unit != d->ev.unit) ||
			     w->unit >= (int)(pmu->units.max ? pmu->units.max : 1)))
		return um_encode_bad(d->enc, "the event cannot count on that unit:", text, len);
	if (!w->fixed && w->counter >= (int)pmu->num_general)
		return um_encode_bad(d->enc, "there is no such counter:", text, len);
	if (w->unit >= 0 && pmu->units.max > 1)
		d->ev.unit = w->unit;
	if (um_pmu_is_core(pmu) && !strchr(d->enc->text, '/'))
		d->user = true;
	d->on_fixed = w->fixed;
	d->fixed = w->counter;
	d->counters = w->fixed ? 0 : UINT32_C(1) << w->counter;
	return 0;
}

/* Is the term libpfm4's modifier for the occupancy reset? It has no effect: each start resets the occupancy. */
static bool is_reset(const struct um_pmu *pmu, const struct um_event_term *t)
{
	return pmu->selector->occ_reset && um_is_word(t->name, t->name_len, "o") &&
	       (!t->value || (t->value_len == 1 && (*t->value == '0' || *t->value == '1')));
}

bool um_is_modifier(const struct um_pmu *pmu, const struct um_event_term *t)
{
	struct um_draft ignored = { .ev.pmu = pmu };
	struct um_counter_word w;

	return is_reset(pmu, t) || is_config1(pmu, t) || take_rings(&ignored, t->name, t->name_len) ||
	       um_term_find(pmu, t->name, t->name_len) ||
	       um_counter_word(pmu, t->name, t->name_len, &w);
}

/* As in perf, "e" asks for exclusive use of the core's PMU, which the route msr cannot provide. */
static int exclusive(struct um_encoder *s)
{
	UM_REFUSE(s, -ENOTSUP, "the modifier 'e' of a core event asks for exclusive use of the PMU, as in perf; only "
		  "the route perf can do that");
	return um_advise(s->e, -ENOTSUP, "use edge for edge detection (%s), or --route=perf to count exclusively",
		strchr(s->text, '/') ? "PMU/...,edge/" : "NAME:edge");
}

static int modifier(struct um_draft *d, const struct um_event_term *t)
{
	struct um_encoder *s = d->enc;
	const struct um_pmu *pmu = d->ev.pmu;
	size_t len = (size_t)(t->end - t->name);
	const struct um_term *known = um_term_find(pmu, t->name, t->name_len);
	struct um_counter_word w;

	if (t->value && um_is_word(t->name, t->name_len, "raw"))
		return um_encode_number(s, t->value, t->value_len, &d->more);
	if (take_rings(d, t->name, len) || is_reset(pmu, t))
		return 0;
	/* perf's letters that only change how the kernel counts the event (pinned, weak). */
	if (s->list->for_kernel && !t->value && t->name_len && strspn(t->name, "DSW") >= t->name_len)
		return um_encode_letters(s, t->name, t->name_len, &d->ev.mods);
	if (um_pmu_is_core(pmu) && um_is_word(t->name, len, "e"))
		return exclusive(s);
	if (um_pmu_is_core(pmu) && um_is_word(t->name, len, "KERNEL")) {
		d->kernel = true;
		return 0;
	}
	if (um_counter_word(pmu, t->name, len, &w))
		return take_counter(d, t->name, len, &w);
	if (!is_config1(pmu, t) && (!known || (!t->value && um_term_max(known) > 1)))
		return um_encode_bad(s, "unknown modifier", t->name, len);
	return um_put_terms(d, (struct um_term_list){ t, 1 });
}

int um_encode_modifiers(struct um_draft *d, struct um_term_list l)
{
	int err = 0;

	for (size_t i = 0; i < l.num && !err; i++)
		err = modifier(d, &l.at[i]);
	return err;
}
