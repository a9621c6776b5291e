/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Spell the canonical name of an event: parsing it again gives the same words. Uses names and terms if they can
 * express everything, else whole words.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "encode/event.h"

struct spelling {
	const struct um_encoding *ev;
	const struct um_event_spec *spec; /* NULL: only what differs from the entry of a list is written */
	uint64_t word, rest;      /* @word: the selector with the bits of not_written; @rest: its bits that are not spelled yet */
	char text[UM_EVENT_TEXT];
	size_t len;
	bool for_kernel;          /* spell everything as terms of Linux's driver */
	bool colons;              /* terms are written after colons, not between slashes */
	bool failed;              /* terms cannot express the event, or the text is too long */
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

const char *um_event_rings(const struct um_encoding *ev)
{
	uint64_t user, kernel;

	if (!um_pmu_rings(ev->pmu, &user, &kernel))
		return "";
	/* In the control field of a core's fixed counter bit 0 is kernel mode, bit 1 user mode. */
	if (ev->fixed >= 0) {
		kernel = ev->pmu->fixed[ev->fixed].control_mask;
		kernel &= -kernel;
		user = kernel << 1;
	}
	return !(ev->word & user) == !(ev->word & kernel) ? "" : ev->word & user ? "u" : "k";
}

/* ---- terms ---- */

static void put_term(struct spelling *s, const struct um_term *t, uint64_t word)
{
	uint64_t value = um_term_get(t, word);
	/* After a colon only edge and inv need no value. */
	bool alone = s->colons ? !strcmp(t->name, "edge") || !strcmp(t->name, "inv")
			       : value == 1 && um_term_max(t) == 1;

	s->failed |= s->for_kernel && t->not_in_kernel;
	put(s, "%c%s", s->colons ? ':' : ',', t->name);
	if (!alone)
		put(s, "=0x%" PRIx64, value);
}

/* A word of the event; for the selector with the bits of not_written, which ev->words lacks. */
static uint64_t word_of(const struct spelling *s, unsigned word)
{
	return word ? s->ev->words[word] : s->word;
}

/* Must the term be written with value 0? If it were left out, parsing would fill in a default for bits that are 0. */
static bool was_left_zero(const struct spelling *s, const struct um_term *t)
{
	const struct um_pmu *pmu = s->ev->pmu;

	for (size_t i = 0; i < pmu->num_defaults && s->spec; i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (d->word == t->word && !(word_of(s, t->word) & d->mask) && d->mask & t->mask)
			return true;
	}
	return false;
}

/* Bits that are from defaults. They are not written, because parsing the name fills them in again. */
static uint64_t filled_in(const struct spelling *s, unsigned word)
{
	const struct um_pmu *pmu = s->ev->pmu;
	uint64_t given = s->spec->words.given[word] | s->spec->words.at[word] | (word ? 0 : s->spec->more), bits = 0;

	for (size_t i = 0; i < pmu->num_defaults && !s->for_kernel && (word || !s->spec->raw); i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (d->word == word && !(given & d->mask))
			bits |= d->value;
	}
	return bits;
}

/* Is the term 0 because a term of the same default was given? It is not written: when parsed again it stays 0. */
static bool was_not_filled(const struct spelling *s, const struct um_term *t)
{
	const struct um_pmu *pmu = s->ev->pmu;

	for (size_t i = 0; i < pmu->num_defaults && !um_term_get(t, s->ev->words[t->word]); i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (d->word == t->word && d->value & t->mask && d->mask & s->ev->words[t->word])
			return true;
	}
	return false;
}

/* Write the terms of @value that have one of @bits. */
static void put_terms(struct spelling *s, unsigned word, uint64_t bits, uint64_t value)
{
	const struct um_pmu *pmu = s->ev->pmu;

	for (size_t i = 0; i < pmu->num_terms; i++) {
		const struct um_term *t = &pmu->terms[i];

		if (t->word != word)
			continue;
		if (bits & t->mask ? !was_not_filled(s, t) : was_left_zero(s, t))
			put_term(s, t, value);
		bits &= ~t->mask;
	}
	s->failed |= bits != 0;
}

static void put_code(struct spelling *s, const char *name, const char *comma)
{
	const struct um_term *t = um_term_find(s->ev->pmu, name, strlen(name));

	if (!t)
		return;
	put(s, "%s%s=0x%" PRIx64, comma, t->name, um_term_get(t, s->rest));
	s->rest &= ~t->mask;
}

static void put_head(struct spelling *s)
{
	const struct um_event_row *row = s->ev->row;
	const struct um_selector *sel = s->ev->pmu->selector;

	if (!row) {
		put_code(s, sel->event.name, "");
		put_code(s, "umask", ",");
		return;
	}
	put(s, "%s", row->name);
	s->rest &= ~um_row_word(s->ev->pmu, row);
	if (row->ports) {
		unsigned event = um_code_of(&sel->event, s->word);
		unsigned step = event - row->event;

		put(s, ",port=%u%s", step / UM_PORT_EVENTS,
		    step % UM_PORT_EVENTS ? ",set=1" : "");
		s->rest &= ~((uint64_t)event << sel->event.shift);
	}
}

/* ---- extra words ---- */

/* The numbers of the extra words that the event needs, as a set. */
static unsigned used_words(const struct um_encoding *ev)
{
	unsigned words = 0;

	for (size_t i = 0; i < ev->pmu->num_extras; i++)
		if (ev->extras >> i & 1)
			words |= 1u << ev->pmu->extras[i].word;
	return words;
}

/* The words that the event's name implies. */
static struct um_words words_of_row(const struct spelling *s)
{
	struct um_words w = { .at = { 0 } };

	if (s->ev->row)
		um_row_words(s->ev->pmu, s->ev->row, s->word, &w);
	return w;
}

static void put_extras(struct spelling *s)
{
	struct um_words named = words_of_row(s);
	unsigned used = used_words(s->ev);

	for (unsigned word = 1; word < UM_WORDS; word++) {
		uint64_t rest = s->ev->words[word] & ~named.at[word] & ~filled_in(s, word);
		size_t before = s->len;

		if (!(used >> word & 1) || (named.given[word] && !rest))
			continue;
		put_terms(s, word, rest, rest);
		/* The user gave the word, but as 0, so no term was written for it. */
		if (s->len == before && s->spec->words.given[word] && !rest)
			put(s, ",extra%u=0x0", word - 1);
	}
}

/* ---- the whole ---- */

static void spell_terms(struct spelling *s)
{
	put_pmu(s);
	put_head(s);
	s->rest &= ~filled_in(s, 0);
	put_terms(s, 0, s->rest, s->rest);
	put_extras(s);
	put(s, "/%s", um_event_rings(s->ev));
}

static void spell_words(struct spelling *s)
{
	unsigned used = used_words(s->ev);

	s->len = 0;
	s->failed = false;
	put_pmu(s);
	put(s, "raw=0x%" PRIx64, s->word);
	for (unsigned word = 1; word < UM_WORDS; word++)
		if (used >> word & 1)
			put(s, ",extra%u=0x%" PRIx64, word - 1, s->ev->words[word]);
	put(s, "/%s", um_event_rings(s->ev));
}

/* Do extra registers hold anything that the name does not imply? */
static bool has_own_extras(const struct spelling *s)
{
	struct um_words named = words_of_row(s);

	for (unsigned word = 1; word < UM_WORDS; word++)
		if (s->ev->words[word] != named.at[word] || (s->spec->words.given[word] && !named.given[word]))
			return true;
	return false;
}

void um_event_spell_modifiers(const struct um_encoding *ev, uint64_t word, const struct um_modifier_words *w,
			      char text[UM_MODIFIERS_TEXT])
{
	const struct {
		const char *name, *theirs;
	} modifiers[] = { { "edge", w->edge }, { "inv", w->inv }, { "cmask", w->cmask } };
	int n = 0;

	*text = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(modifiers) && ev->fixed < 0; i++) {
		const struct um_term *t = um_term_find(ev->pmu, modifiers[i].name, strlen(modifiers[i].name));
		unsigned value = t ? (unsigned)um_term_get(t, word) : 0;
		size_t room = UM_MODIFIERS_TEXT - (size_t)n;

		if (value && um_term_max(t) == 1)
			n += snprintf(text + n, room, "%s", modifiers[i].theirs);
		else if (value)
			n += snprintf(text + n, room, w->hex ? "%s0x%x" : "%s%u", modifiers[i].theirs, value);
	}
}

/* Spell EVENT:UMASK or a name, followed by edge, inv and cmask. */
static bool spell_plain(struct spelling *s)
{
	const struct um_selector *sel = s->ev->pmu->selector;
	static const struct um_modifier_words words = { ":edge", ":inv", ":cmask=", false };
	char modifiers[UM_MODIFIERS_TEXT];

	if (s->ev->row)
		put(s, "%s", s->ev->row->name);
	else
		put(s, "0x%x:0x%x", (unsigned)(s->word >> sel->event.shift & 0xff),
		    (unsigned)(s->word >> sel->umask.shift & 0xff));
	um_event_spell_modifiers(s->ev, s->word, &words, modifiers);
	put(s, "%s", modifiers);
	s->rest &= ~(um_modifier_bits(s->ev->pmu) | UINT64_C(0xff) << sel->event.shift |
		     UINT64_C(0xff) << sel->umask.shift);
	return !s->rest && !s->failed && !has_own_extras(s);
}

void um_event_spell_out(struct um_encoding *ev, const struct um_event_spec *spec, uint64_t word)
{
	const struct um_selector *sel = ev->pmu->selector;
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
		config1 |= x->config1 ? (s->ev->words[x->word] & um_extra_mask(x)) << (x->config1 - 1) : 0;
	}
	put(s, "config=0x%" PRIx64 ",config1=0x%" PRIx64, word, config1);
}

bool um_event_spell_for_kernel(const struct um_encoding *ev, char text[UM_EVENT_TEXT])
{
	const struct um_selector *sel = ev->pmu->selector;
	struct um_event_spec spec = { .words.at = { ev->word } };
	struct um_encoding codes = *ev;
	struct spelling s = { .ev = &codes, .spec = &spec, .word = ev->word, .for_kernel = true };

	codes.row = NULL;
	s.rest = ev->word & ~(sel->enable | sel->occ_reset);
	put_head(&s);
	put_terms(&s, 0, s.rest, s.rest);
	put_extras(&s);
	if (s.failed)
		spell_configs(&s, ev->word & ~(sel->enable | sel->occ_reset));
	memcpy(text, s.text, sizeof(s.text));
	return !s.failed;
}

/* ---- events of lists ---- */

bool um_event_spell_listed(struct um_encoding *ev, const struct um_encoding *plain, const char *name)
{
	const struct um_pmu *pmu = ev->pmu;
	struct spelling s = { .ev = ev, .word = ev->word, .colons = ev->unit < 0 };

	if (!s.colons)
		put_pmu(&s);
	put(&s, "%s", name);
	for (unsigned word = 0; word < UM_WORDS; word++) {
		uint64_t differ = ev->words[word] ^ plain->words[word];

		/* If only one of the two events writes the register, and writes 0, no term can express that. */
		s.failed |= !differ && (used_words(ev) ^ used_words(plain)) >> word & 1;
		/*
		 * If one bit of a default differs, write all its bits that are set: a default is not applied once one of its
		 * terms is given.
		 */
		for (size_t i = 0; i < pmu->num_defaults; i++)
			if (pmu->defaults[i].word == word && differ & pmu->defaults[i].mask)
				differ |= ev->words[word] & pmu->defaults[i].mask;
		put_terms(&s, word, differ, ev->words[word]);
	}
	if (!s.colons)
		put(&s, "/");
	if (!s.failed)
		memcpy(ev->name, s.text, sizeof(ev->name));
	return !s.failed;
}
