/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode what the register route accepts besides terms: whole words, ports, modifiers. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "encode/encoder.h"
#include "names/spellings.h"

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

/*
 * "config1=" sets all filters of an uncore event, in the kernel's layout; take_config1() refuses bits that have no
 * effect. For a core event, config1 is a second register, which only the kernel sets.
 */
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

void um_encode_word(uint64_t word, struct um_event_spec *spec)
{
	const struct um_pmu *pmu = spec->pmu;

	spec->raw = true;
	spec->words.at[0] |= word;
	for (size_t i = 0; i < pmu->num_terms; i++)
		if (!pmu->terms[i].word && um_term_max(&pmu->terms[i]) > 1)
			spec->words.given[0] |= word & pmu->terms[i].mask;
}

/* Encode a term that is not a field of a register: a whole word, "config1", "port" or "set". */
static int special(struct um_filling *f, const struct um_event_term *t)
{
	struct um_event_spec *spec = f->user;
	bool raw = um_is_word(t->name, t->name_len, "raw") || um_is_word(t->name, t->name_len, "config");
	bool config1 = is_config1(f->pmu, t);
	int *place = um_is_word(t->name, t->name_len, "port") ? &spec->port
		     : um_is_word(t->name, t->name_len, "set") ? &spec->set : NULL;
	unsigned extra = extra_word(f->pmu, t);
	uint64_t value;
	int err;

	if (!t->value || !(raw || extra || config1 || (place && spec->table)))
		return unknown(f->enc, f->pmu, t->name, (size_t)(t->end - t->name));
	err = um_encode_number(f->enc, t->value, t->value_len, &value);
	if (err)
		return err;
	if (raw && (spec->raw || spec->words.given[0] & value))
		return um_encode_bad(f->enc, "the event's word or some of its bits were given already:", t->name,
				     (size_t)(t->end - t->name));
	if (extra && spec->words.given[extra])
		return um_encode_bad(f->enc, "another term has set bits of that word already:", t->name, t->name_len);
	f->enc->list->no_effect |= config1 && spec->has_config1;
	if (config1 && spec->has_config1)
		return um_encode_bad(f->enc, "this term was given already:", t->name, t->name_len);
	if (raw) {
		um_encode_word(value, spec);
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

static struct um_filling filling_of(struct um_encoder *s, struct um_event_spec *spec)
{
	return (struct um_filling){
		.enc = s, .pmu = spec->pmu, .words = &spec->words, .once = true, .other = special, .user = spec,
	};
}

int um_encode_terms(struct um_encoder *s, struct um_term_list l, struct um_event_spec *spec)
{
	struct um_filling f = filling_of(s, spec);

	return um_put_terms(&f, l);
}

int um_encode_text(struct um_encoder *s, const char *text, struct um_event_spec *spec)
{
	struct um_filling f = filling_of(s, spec);

	return um_put_text(&f, text);
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

/* Parse "u", "k" or "uk". False for a PMU that cannot tell user and kernel mode apart. */
static bool take_rings(const char *text, size_t len, struct um_event_spec *spec)
{
	uint64_t user, kernel;

	if (!len || !um_pmu_rings(spec->pmu, &user, &kernel))
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] != 'u' && text[i] != 'k')
			return false;
	spec->user |= memchr(text, 'u', len) != NULL;
	spec->kernel |= memchr(text, 'k', len) != NULL;
	return true;
}

/*
 * In likwid's form an event names its counter, and with it the unit. Core events count in user mode only, as in likwid;
 * likwid's option KERNEL adds kernel mode.
 */
static int take_counter(struct um_encoder *s, const char *text, size_t len, const struct um_counter_word *w,
			struct um_event_spec *spec)
{
	const struct um_pmu *pmu = spec->pmu;

	if (w->unit >= 0 && ((spec->unit >= 0 && w->unit != spec->unit) ||
			     w->unit >= (int)(pmu->units.max ? pmu->units.max : 1)))
		return um_encode_bad(s, "the event cannot count on that unit:", text, len);
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
 * Is the term libpfm4's modifier for the occupancy reset? This modifier is accepted without effect: each start resets
 * the occupancy anyway.
 */
static bool is_reset(const struct um_pmu *pmu, const struct um_event_term *t)
{
	return pmu->selector->occ_reset && um_is_word(t->name, t->name_len, "o") &&
	       (!t->value || (t->value_len == 1 && (*t->value == '0' || *t->value == '1')));
}

bool um_is_modifier(const struct um_pmu *pmu, const struct um_event_term *t)
{
	struct um_event_spec ignored = { .pmu = pmu };
	struct um_counter_word w;

	return is_reset(pmu, t) || is_config1(pmu, t) || take_rings(t->name, t->name_len, &ignored) ||
	       um_term_find(pmu, t->name, t->name_len) ||
	       um_counter_word(pmu, t->name, t->name_len, &w);
}

/*
 * Refuse the modifier "e" for a core event. As in perf, it asks for exclusive use of the PMU (uncoremsr-events(7)),
 * which the register route cannot provide.
 */
static int exclusive(struct um_encoder *s)
{
	UM_REFUSE(s, -ENOTSUP, "the modifier 'e' of a core event asks for exclusive use of the PMU, as in perf; only "
		  "the route perf can do that");
	return um_advise(s->e, -ENOTSUP, "use edge for edge detection (%s), or --route=perf to count exclusively",
		strchr(s->text, '/') ? "PMU/...,edge/" : "NAME:edge");
}

static int modifier(struct um_encoder *s, const struct um_event_term *t, struct um_event_spec *spec)
{
	const struct um_pmu *pmu = spec->pmu;
	size_t len = (size_t)(t->end - t->name);
	const struct um_term *known = um_term_find(pmu, t->name, t->name_len);
	struct um_counter_word w;

	if (t->value && um_is_word(t->name, t->name_len, "raw"))
		return um_encode_number(s, t->value, t->value_len, &spec->more);
	if (take_rings(t->name, len, spec) || is_reset(pmu, t))
		return 0;
	/* perf's letters that only change how the kernel counts the event (pinned, weak). */
	if (s->list->for_kernel && !t->value && t->name_len && strspn(t->name, "DSW") >= t->name_len)
		return um_encode_letters(s, t->name, t->name_len, &spec->mods);
	if (um_pmu_is_core(pmu) && um_is_word(t->name, len, "e"))
		return exclusive(s);
	if (um_pmu_is_core(pmu) && um_is_word(t->name, len, "KERNEL")) {
		spec->kernel = true;
		return 0;
	}
	if (um_counter_word(pmu, t->name, len, &w))
		return take_counter(s, t->name, len, &w, spec);
	if (!is_config1(pmu, t) && (!known || (!t->value && um_term_max(known) > 1)))
		return um_encode_bad(s, "unknown modifier", t->name, len);
	return um_encode_terms(s, (struct um_term_list){ t, 1 }, spec);
}

int um_encode_modifiers(struct um_encoder *s, struct um_term_list l, struct um_event_spec *spec)
{
	int err = 0;

	for (size_t i = 0; i < l.num && !err; i++)
		err = modifier(s, &l.at[i], spec);
	return err;
}
