/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode terms and modifiers into bits of register words. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "encode/encoder.h"
#include "events/spellings.h"

/* What messages say may be written instead. */
static const char *instead(const struct um_encoder *s)
{
	return s->plain ? "EVENT:UMASK such as 0x82:0x1" : "PMU/event=NUMBER,umask=NUMBER/";
}

int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len)
{
	return um_event_bad(s->e, s->text, what, at, len, instead(s));
}

int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value)
{
	return um_event_number(s->e, s->text, text, len, instead(s), value);
}

bool um_is_core_word(const char *text, size_t len)
{
	return len > 1 && *text == 'r' && strspn(text + 1, "0123456789abcdefABCDEF") >= len - 1;
}

int um_encode_core_word(struct um_encoder *s, const char *text, size_t len, uint64_t *value)
{
	return um_perf_hex(text + 1, len - 1, value) ? 0 : um_encode_bad(s, "more than 64 bits:", text, len);
}

/* ---- one term ---- */

static int apply(struct um_encoder *s, const struct um_term *t, uint64_t value,
		 struct um_event_spec *spec)
{
	bool flag = um_term_max(t) == 1;
	int err;

	if (!t->word && spec->raw && !flag && spec->raw_word & t->mask)
		return um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': the word has %s already, 0x%" PRIx64,
			       s->text, t->name, um_term_get(t, spec->raw_word));
	err = um_term_put(t, value, &spec->words, s->text, s->e);
	if (err)
		return err;
	spec->words.given[t->word] |= t->mask;
	spec->words.at[0] |= t->implies;
	return 0;
}

/* "extra0=" sets a whole extra word, for bits without a term. The number of the word; 0: the PMU has no such word. */
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

static bool has_config1(const struct um_pmu *pmu)
{
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (pmu->extras[i].config1)
			return true;
	return false;
}

static int unknown(struct um_encoder *s, const struct um_pmu *pmu, const char *text, size_t len)
{
	char names[UM_SENTENCE_LIST] = "";

	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': %s has no term '%.*s'", s->text,
		pmu->name, (int)len, text);
	if (!pmu->num_general) {
		um_hint(s->e, "its counters count one thing each: %s/%s/", pmu->name,
			pmu->num_fixed ? pmu->fixed[0].event : "");
		return -EINVAL;
	}
	for (size_t i = 0; i < pmu->num_terms; i++)
		um_list_add(names, sizeof(names), "%s", pmu->terms[i].name);
	um_hint(s->e, "it has %s", *names ? names : "event, umask, edge, inv, cmask");
	return -EINVAL;
}

/*
 * Encode terms that belong to no field: a whole word; "config1", all filters at once in the kernel's layout; or port and
 * set of an event that exists several times.
 */
static int special(struct um_encoder *s, const struct um_pmu *pmu, const struct um_event_term *t,
		   struct um_event_spec *spec)
{
	size_t len = (size_t)(t->end - t->name);
	bool raw = um_is_word(t->name, t->name_len, "raw") || um_is_word(t->name, t->name_len, "config");
	int *place = um_is_word(t->name, t->name_len, "port") ? &spec->port
		     : um_is_word(t->name, t->name_len, "set") ? &spec->set : NULL;
	unsigned extra = extra_word(pmu, t);
	bool config1 = um_is_word(t->name, t->name_len, "config1") && has_config1(pmu);
	uint64_t value;
	int err;

	if (!t->value || !(raw || extra || config1 || (place && spec->table)))
		return unknown(s, pmu, t->name, len);
	err = um_encode_number(s, t->value, t->value_len, &value);
	if (err)
		return err;
	if (raw && (spec->raw || spec->words.given[0] & value))
		return um_encode_bad(s, "raw is the whole word and goes with no other term for it:", t->name, len);
	if (extra && spec->words.given[extra])
		return um_encode_bad(s, "a term of it was given already:", t->name, t->name_len);
	s->list->no_effect |= config1 && spec->has_config1;
	if (config1 && spec->has_config1)
		return um_encode_bad(s, "it was given already:", t->name, t->name_len);
	if (raw) {
		spec->raw = true;
		spec->raw_word = value;
	} else if (extra) {
		spec->words.at[extra] = value;
		spec->words.given[extra] = UINT64_MAX;
	} else if (config1) {
		spec->has_config1 = true;
		spec->config1 = value;
	} else {
		*place = value > INT_MAX ? INT_MAX : (int)value;
	}
	return 0;
}

static int term(struct um_encoder *s, const struct um_pmu *pmu,
		const struct um_event_term *t, struct um_event_spec *spec)
{
	size_t len = (size_t)(t->end - t->name);
	const struct um_term *known = um_term_find(pmu, t->name, t->name_len);
	uint64_t value = 1;
	int err;

	if (!known)
		return special(s, pmu, t, spec);
	if (!t->value && um_term_max(known) > 1)
		return um_encode_bad(s, "a value is missing:", t->name, len);
	err = t->value ? um_encode_number(s, t->value, t->value_len, &value) : 0;
	return err ? err : apply(s, known, value, spec);
}

int um_encode_value(struct um_encoder *s, const struct um_pmu *pmu, const char *name,
		    uint64_t value, struct um_event_spec *spec)
{
	const struct um_term *known = um_term_find(pmu, name, strlen(name));

	if (!known)
		return unknown(s, pmu, name, strlen(name));
	return apply(s, known, value, spec);
}

int um_encode_terms(struct um_encoder *s, const struct um_pmu *pmu, struct um_term_list l,
		    struct um_event_spec *spec)
{
	for (size_t i = 0; i < l.num; i++) {
		int err = term(s, pmu, &l.at[i], spec);

		if (err)
			return err;
	}
	return 0;
}

/* ---- modifiers ---- */

/* Parse "u", "k" or "uk". False for a PMU that cannot tell user and kernel mode apart. */
static bool take_rings(const struct um_pmu *pmu, const char *text, size_t len,
		       struct um_event_spec *spec)
{
	uint64_t user, kernel;

	if (!len || !um_pmu_rings(pmu, &user, &kernel))
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] != 'u' && text[i] != 'k')
			return false;
	spec->user |= memchr(text, 'u', len) != NULL;
	spec->kernel |= memchr(text, 'k', len) != NULL;
	return true;
}

/*
 * likwid's form names the counter and with it the unit: use both. Core events count in user mode only, as in likwid; its
 * option KERNEL adds kernel mode.
 */
static int take_counter(struct um_encoder *s, const struct um_pmu *pmu, const char *text,
			size_t len, const struct um_counter_word *w, struct um_event_spec *spec)
{
	if (w->unit >= 0 && ((spec->unit >= 0 && w->unit != spec->unit) ||
			     w->unit >= (int)(pmu->units.max ? pmu->units.max : 1)))
		return um_encode_bad(s, "no such unit for it:", text, len);
	if (!w->fixed && w->counter >= (int)pmu->num_general)
		return um_encode_bad(s, "there is no such counter:", text, len);
	if (w->unit >= 0 && pmu->units.max > 1)
		spec->unit = w->unit;
	if (um_pmu_is_core(pmu) && !strchr(s->text, '/'))
		spec->user = true;
	spec->on_fixed = w->fixed;
	spec->fixed = w->counter;
	spec->counters = w->fixed ? 0 : UINT32_C(1) << w->counter;
	return 0;
}

/*
 * Is it libpfm4's modifier for the occupancy reset? Accepted without effect: each start resets the occupancy
 * anyway.
 */
static bool is_reset(const struct um_pmu *pmu, const struct um_event_term *t)
{
	return pmu->selector->occ_reset && um_is_word(t->name, t->name_len, "o") &&
	       (!t->value || (t->value_len == 1 && (*t->value == '0' || *t->value == '1')));
}

bool um_is_modifier(const struct um_pmu *pmu, const struct um_event_term *t)
{
	struct um_event_spec ignored = { .raw = false };
	struct um_counter_word w;

	return is_reset(pmu, t) || take_rings(pmu, t->name, t->name_len, &ignored) ||
	       um_term_find(pmu, t->name, t->name_len) ||
	       um_counter_word(pmu, t->name, t->name_len, &w);
}

/*
 * Refuse "e" for a core event. On either route it is perf's letter there (uncoremsr-events(7)): exclusive use of the PMU,
 * which the register route cannot give.
 */
static int exclusive(struct um_encoder *s)
{
	um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': on a core event e means exclusive, as in "
			"perf, which registers cannot do", s->text);
	um_hint(s->e, "edge detection is edge there, %s; --route=perf counts exclusively",
		strchr(s->text, '/') ? "PMU/...,edge/" : "NAME:edge");
	return -ENOTSUP;
}

/* Take perf's letters that only say how the kernel counts the event (pinned, weak). */
static bool take_letters(const struct um_encoder *s, const struct um_event_term *t, struct um_event_spec *spec)
{
	size_t before = strlen(spec->letters);

	if (!s->list->letters || t->value || !t->name_len || strspn(t->name, "DSW") < t->name_len ||
	    before + t->name_len >= sizeof(spec->letters))
		return false;
	memcpy(spec->letters + before, t->name, t->name_len);
	return true;
}

static int modifier(struct um_encoder *s, const struct um_pmu *pmu,
		    const struct um_event_term *t, struct um_event_spec *spec)
{
	size_t len = (size_t)(t->end - t->name);
	const struct um_term *known = um_term_find(pmu, t->name, t->name_len);
	struct um_counter_word w;

	if (t->value && um_is_word(t->name, t->name_len, "raw"))
		return um_encode_number(s, t->value, t->value_len, &spec->more);
	if (take_rings(pmu, t->name, len, spec) || is_reset(pmu, t) || take_letters(s, t, spec))
		return 0;
	if (um_pmu_is_core(pmu) && um_is_word(t->name, len, "e"))
		return exclusive(s);
	if (um_pmu_is_core(pmu) && um_is_word(t->name, len, "KERNEL")) {
		spec->kernel = true;
		return 0;
	}
	if (um_counter_word(pmu, t->name, len, &w))
		return take_counter(s, pmu, t->name, len, &w, spec);
	if (!known || (!t->value && um_term_max(known) > 1))
		return um_encode_bad(s, "unknown modifier", t->name, len);
	return term(s, pmu, t, spec);
}

int um_encode_modifiers(struct um_encoder *s, const struct um_pmu *pmu,
			struct um_term_list l, struct um_event_spec *spec)
{
	for (size_t i = 0; i < l.num; i++) {
		int err = modifier(s, pmu, &l.at[i], spec);

		if (err)
			return err;
	}
	return 0;
}
