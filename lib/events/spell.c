/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Spell the canonical name of an event: parsing it again gives the same words. Uses names and terms if they can
 * express everything, else whole words.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "events/event.h"

struct spelling {
	const struct um_encoding *ev;
	const struct um_event_spec *spec;
	uint64_t word, rest;      /* of the selector: the whole word, and the bits that are not spelled yet */
	char text[UM_EVENT_TEXT];
	size_t len;
	bool for_kernel;          /* spell everything as terms of Linux's driver */
	bool failed;              /* terms cannot express it, or it is too long */
};

static void put(struct spelling *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct spelling *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(s->text + s->len, sizeof(s->text) - s->len, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(s->text) - s->len)
		s->failed = true;
	else
		s->len += (size_t)n;
}

static void put_pmu(struct spelling *s)
{
	put(s, "%s", s->ev->core_type ? um_core_type_pmu(s->ev->core_type) : s->ev->pmu->name);
	if (s->ev->unit >= 0)
		put(s, "%s%d", um_pmu_dash(s->ev->pmu), s->ev->unit);
	put(s, "/");
}

static void put_rings(struct spelling *s)
{
	uint64_t user, kernel;

	put(s, "/");
	if (!um_pmu_rings(s->ev->pmu, &user, &kernel) || !(s->word & user) == !(s->word & kernel))
		return;
	put(s, "%s", s->word & user ? "u" : "k");
}

/* ---- terms ---- */

static void put_term(struct spelling *s, const struct um_term *t, uint64_t word)
{
	uint64_t value = um_term_get(t, word);

	s->failed |= s->for_kernel && t->not_in_kernel;
	if (value == 1 && um_term_max(t) == 1)
		put(s, ",%s", t->name);
	else
		put(s, ",%s=0x%" PRIx64, t->name, value);
}

static bool is_about(const struct um_default *d, enum um_word word, unsigned slot)
{
	return d->word == word && (word == UM_WORD_SELECTOR || d->extra == slot);
}

/* Must the term be spelled as 0? Otherwise a default would fill in bits that were explicitly left 0. */
static bool was_left_zero(const struct spelling *s, enum um_word word, unsigned slot,
			  uint64_t value, const struct um_term *t)
{
	const struct uncoremsr_pmu *pmu = s->ev->pmu;

	for (size_t i = 0; i < pmu->num_defaults; i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (is_about(d, word, slot) && !(value & d->mask) && d->mask & um_term_mask(t))
			return true;
	}
	return false;
}

/* Bits that defaults have filled in: they need not be spelled, because parsing fills them in again. */
static uint64_t filled_in(const struct spelling *s, enum um_word word, unsigned slot,
			  uint64_t given)
{
	const struct uncoremsr_pmu *pmu = s->ev->pmu;
	uint64_t bits = 0;

	for (size_t i = 0; i < pmu->num_defaults && !s->for_kernel; i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (is_about(d, word, slot) && !(given & d->mask))
			bits |= d->value;
	}
	return bits;
}

static void put_selector_term(struct spelling *s, const struct um_term *t)
{
	uint64_t mask = um_term_mask(t);

	if (!(s->rest & mask)) {
		if (was_left_zero(s, UM_WORD_SELECTOR, 0, s->word, t))
			put_term(s, t, 0);
		return;
	}
	put_term(s, t, s->rest);
	s->rest &= ~mask;
}

static void put_selector_terms(struct spelling *s)
{
	static const char *const common[] = { "edge", "inv", "cmask" };
	const struct uncoremsr_pmu *pmu = s->ev->pmu;
	struct um_term t;

	if (!s->spec->raw)
		s->rest &= ~filled_in(s, UM_WORD_SELECTOR, 0, s->spec->given | s->spec->word |
							     s->spec->more);
	for (size_t i = 0; i < pmu->num_terms; i++)
		if (pmu->terms[i].word == UM_WORD_SELECTOR)
			put_selector_term(s, &pmu->terms[i]);
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		if (um_term_find(pmu, common[i], strlen(common[i]), &t))
			put_selector_term(s, &t);
	s->failed |= s->rest != 0;
}

static void put_code(struct spelling *s, const char *name, const char *comma)
{
	struct um_term t;

	if (!um_term_find(s->ev->pmu, name, strlen(name), &t))
		return;
	put(s, "%s%s=0x%" PRIx64, comma, t.name, um_term_get(&t, s->rest));
	s->rest &= ~um_term_mask(&t);
}

static void put_head(struct spelling *s)
{
	const struct um_event_row *row = s->ev->row;
	const struct um_selector *sel = &s->ev->pmu->selector;

	if (!row) {
		put_code(s, sel->event.name, "");
		put_code(s, "umask", ",");
		return;
	}
	put(s, "%s", row->name);
	s->rest &= ~um_row_word(s->ev->pmu, row);
	if (row->ports) {
		unsigned event = (unsigned)(s->word >> sel->event.shift &
					    ((UINT64_C(1) << sel->event.width) - 1));
		unsigned step = event - row->event;

		put(s, ",port=%u%s", step / UM_PORT_EVENTS,
		    step % UM_PORT_EVENTS ? ",set=1" : "");
		s->rest &= ~((uint64_t)event << sel->event.shift);
	}
}

/* ---- extra words ---- */

static void put_extra_terms(struct spelling *s, unsigned slot, uint64_t rest)
{
	const struct uncoremsr_pmu *pmu = s->ev->pmu;
	size_t before = s->len;

	for (size_t i = 0; i < pmu->num_terms; i++) {
		const struct um_term *t = &pmu->terms[i];

		if (t->word != UM_WORD_EXTRA || t->extra != slot)
			continue;
		if (rest & um_term_mask(t))
			put_term(s, t, rest);
		else if (was_left_zero(s, UM_WORD_EXTRA, slot, s->ev->extra[slot], t))
			put_term(s, t, 0);
		rest &= ~um_term_mask(t);
	}
	/* The slot was given with value 0 only. */
	if (s->len == before && s->spec->extra_given[slot] && !rest)
		put(s, ",extra%u=0x0", slot);
	s->failed |= rest != 0;
}

static unsigned used_slots(const struct um_encoding *ev)
{
	unsigned slots = 0;

	for (size_t i = 0; i < ev->pmu->num_extras; i++)
		if (ev->extras >> i & 1)
			slots |= 1u << ev->pmu->extras[i].slot;
	return slots;
}

static void put_extras(struct spelling *s)
{
	uint64_t of_row[UM_MAX_EXTRAS] = { 0 };
	unsigned used = used_slots(s->ev);
	int slots = 0;

	if (s->ev->row)
		slots = um_row_extras(s->ev->pmu, s->ev->row, s->word, of_row);
	for (unsigned slot = 0; slot < UM_MAX_EXTRAS; slot++) {
		uint64_t given = s->spec->extra_given[slot] | s->spec->extra[slot];
		uint64_t rest = s->ev->extra[slot] & ~of_row[slot] &
				~filled_in(s, UM_WORD_EXTRA, slot, given);

		if (!(used >> slot & 1) || (slots > 0 && slots >> slot & 1 && !rest))
			continue;
		put_extra_terms(s, slot, rest);
	}
}

/* ---- the whole ---- */

static void spell_terms(struct spelling *s)
{
	put_pmu(s);
	put_head(s);
	put_selector_terms(s);
	put_extras(s);
	put_rings(s);
}

static void spell_words(struct spelling *s)
{
	unsigned used = used_slots(s->ev);

	s->len = 0;
	s->failed = false;
	put_pmu(s);
	put(s, "raw=0x%" PRIx64, s->word);
	for (unsigned slot = 0; slot < UM_MAX_EXTRAS; slot++)
		if (used >> slot & 1)
			put(s, ",extra%u=0x%" PRIx64, slot, s->ev->extra[slot]);
	put_rings(s);
}

/* Do extra registers hold anything that the name does not imply? */
static bool has_own_extras(const struct spelling *s)
{
	uint64_t of_row[UM_MAX_EXTRAS] = { 0 };
	int slots = 0;

	if (s->ev->row)
		slots = um_row_extras(s->ev->pmu, s->ev->row, s->word, of_row);
	for (unsigned slot = 0; slot < UM_MAX_EXTRAS; slot++)
		if (s->ev->extra[slot] != of_row[slot] ||
		    (s->spec->extra_given[slot] && !(slots > 0 && slots >> slot & 1)))
			return true;
	return false;
}

/* Spell EVENT:UMASK or a name, followed by edge, inv and cmask. */
static bool spell_plain(struct spelling *s)
{
	const struct um_selector *sel = &s->ev->pmu->selector;
	uint64_t cmask = um_field_mask(&sel->cmask);

	if (s->ev->row)
		put(s, "%s", s->ev->row->name);
	else
		put(s, "0x%x:0x%x", (unsigned)(s->word >> sel->event.shift & 0xff),
		    (unsigned)(s->word >> sel->umask.shift & 0xff));
	if (s->word & sel->edge)
		put(s, ":edge");
	if (s->word & sel->invert)
		put(s, ":inv");
	if (s->word & cmask)
		put(s, ":cmask=%u", (unsigned)((s->word & cmask) >> sel->cmask.shift));
	s->rest &= ~(sel->edge | sel->invert | cmask | UINT64_C(0xff) << sel->event.shift |
		     UINT64_C(0xff) << sel->umask.shift);
	return !s->rest && !s->failed && !has_own_extras(s);
}

void um_event_spell_out(struct um_encoding *ev, const struct um_event_spec *spec, uint64_t word)
{
	const struct um_selector *sel = &ev->pmu->selector;
	struct spelling s = { .ev = ev, .spec = spec, .word = word };
	uint64_t user = 0, kernel = 0;

	um_pmu_rings(ev->pmu, &user, &kernel);
	s.rest = word & ~(sel->enable | sel->occ_reset | user | kernel);
	if (!spec->plain || !spell_plain(&s)) {
		s.len = 0;
		s.failed = false;
		s.rest = word & ~(sel->enable | sel->occ_reset | user | kernel);
		spell_terms(&s);
		if (s.failed)
			spell_words(&s);
	}
	memcpy(ev->name, s.text, sizeof(ev->name));
}

/* Spell whole words: config, and config1 for filters whose place in it is known. */
static void spell_configs(struct spelling *s, uint64_t word)
{
	uint64_t config1 = 0;

	s->len = 0;
	s->failed = false;
	for (size_t i = 0; i < s->ev->pmu->num_extras; i++) {
		const struct um_extra *x = &s->ev->pmu->extras[i];

		if (!(s->ev->extras >> i & 1))
			continue;
		s->failed |= !x->config1;
		config1 |= x->config1 ? (s->ev->extra[x->slot] & (x->mask ? x->mask : x->reg.valid))
						<< (x->config1 - 1) : 0;
	}
	put(s, "config=0x%" PRIx64 ",config1=0x%" PRIx64, word, config1);
}

bool um_event_spell_for_kernel(const struct um_encoding *ev, char text[UM_EVENT_TEXT])
{
	const struct um_selector *sel = &ev->pmu->selector;
	struct um_event_spec spec = { .word = ev->word };
	struct um_encoding codes = *ev;
	struct spelling s = { .ev = &codes, .spec = &spec, .word = ev->word, .for_kernel = true };

	codes.row = NULL;
	s.rest = ev->word & ~(sel->enable | sel->occ_reset);
	put_head(&s);
	put_selector_terms(&s);
	put_extras(&s);
	if (s.failed)
		spell_configs(&s, ev->word & ~(sel->enable | sel->occ_reset));
	memcpy(text, s.text, sizeof(s.text));
	return !s.failed;
}

/* ---- events of lists ---- */

/* Write a term that was added to a list's event. After a colon only edge and inv need no value. */
static void put_added(struct spelling *s, const struct um_term *t, uint64_t word, bool slashed)
{
	bool letter = !strcmp(t->name, "edge") || !strcmp(t->name, "inv");

	if (slashed)
		put_term(s, t, word);
	else if (letter)
		put(s, ":%s", t->name);
	else
		put(s, ":%s=0x%" PRIx64, t->name, um_term_get(t, word));
}

/* Is the term 0 only because another term of the same default was given? Parsing leaves it 0 again. */
static bool was_not_filled(const struct spelling *s, enum um_word word, unsigned slot, uint64_t value,
			   const struct um_term *t)
{
	const struct uncoremsr_pmu *pmu = s->ev->pmu;

	for (size_t i = 0; i < pmu->num_defaults && !um_term_get(t, value); i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (is_about(d, word, slot) && d->value & um_term_mask(t) && d->mask & value)
			return true;
	}
	return false;
}

/* Write terms of one word for the bits in @differ. */
static void put_differing(struct spelling *s, enum um_word word, unsigned slot, uint64_t differ,
			  bool slashed)
{
	static const char *const common[] = { "edge", "inv", "cmask" };
	const struct uncoremsr_pmu *pmu = s->ev->pmu;
	uint64_t value = word == UM_WORD_SELECTOR ? s->ev->word : s->ev->extra[slot];

	/*
	 * If a default sets several bits together, spell all that are set; otherwise the default would add the
	 * others.
	 */
	for (size_t i = 0; i < pmu->num_defaults; i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (is_about(d, word, slot) && differ & d->mask)
			differ |= value & d->mask;
	}
	for (size_t i = 0; i < pmu->num_terms + ARRAY_SIZE(common); i++) {
		const char *other = i < pmu->num_terms ? NULL : common[i - pmu->num_terms];
		struct um_term t;

		if (!other)
			t = pmu->terms[i];
		else if (!um_term_find(pmu, other, strlen(other), &t))
			continue;
		if (t.word != word || (word == UM_WORD_EXTRA && t.extra != slot) ||
		    !(differ & um_term_mask(&t)))
			continue;
		if (!was_not_filled(s, word, slot, value, &t))
			put_added(s, &t, value, slashed);
		differ &= ~um_term_mask(&t);
	}
	s->failed |= differ != 0;
}

bool um_event_spell_listed(struct um_encoding *ev, const struct um_encoding *plain, const char *name)
{
	struct spelling s = { .ev = ev, .word = ev->word };
	bool slashed = ev->unit >= 0;

	if (slashed)
		put_pmu(&s);
	put(&s, "%s", name);
	put_differing(&s, UM_WORD_SELECTOR, 0, ev->word ^ plain->word, slashed);
	for (unsigned slot = 0; slot < UM_MAX_EXTRAS; slot++) {
		uint64_t differ = ev->extra[slot] ^ plain->extra[slot];

		put_differing(&s, UM_WORD_EXTRA, slot, differ, slashed);
		/* A register that only one of the two events writes, with value 0, cannot be expressed. */
		s.failed |= !differ && (used_slots(ev) ^ used_slots(plain)) >> slot & 1;
	}
	if (slashed)
		put(&s, "/");
	if (!s.failed)
		memcpy(ev->name, s.text, sizeof(ev->name));
	return !s.failed;
}
