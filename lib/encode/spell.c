/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Write the canonical name of an event, with names and terms or else whole words. Parsing it gives the same words. */
#include <inttypes.h>
#include <string.h>

#include "common/text.h"
#include "encode/encoder.h"

struct spelling {
	const struct um_draft *d;
	char text[UM_EVENT_TEXT];
	bool for_kernel;          /* spell everything as terms of Linux's driver */
	bool colons;              /* terms are written after colons, without a PMU and slashes */
	bool failed;              /* terms cannot express the event, or the text is too long */
};

#define PUT(s, ...) ((s)->failed |= !um_append((s)->text, sizeof((s)->text), __VA_ARGS__))

static void begin(struct spelling *s)
{
	*s->text = '\0';
	s->failed = false;
}

static void put_pmu(struct spelling *s)
{
	PUT(s, "%s", s->d->ev.core_type ? um_core_type_pmu(s->d->ev.core_type) : s->d->ev.pmu->name);
	if (s->d->ev.unit >= 0)
		PUT(s, "%s%d", um_pmu_dash(s->d->ev.pmu), s->d->ev.unit);
	PUT(s, "/");
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

static void put_term(struct spelling *s, const struct um_term *t)
{
	uint64_t value = um_term_get(t, s->d->ev.words[t->word]);
	/* After a colon every term except edge and inv needs a value. */
	bool alone = s->colons ? !strcmp(t->name, "edge") || !strcmp(t->name, "inv")
			       : value == 1 && um_term_max(t) == 1;
	bool plain = s->colons && !s->d->listed;

	/* After codes or a name of the tables only edge, inv and cmask can follow a colon. */
	s->failed |= plain && !(t->mask & um_modifier_bits(s->d->ev.pmu));
	s->failed |= s->for_kernel && um_linux_is_verbatim(s->d->ev.pmu, t);
	PUT(s, "%c%s", s->colons ? ':' : ',', t->name);
	if (!alone)
		PUT(s, plain ? "=%" PRIu64 : "=0x%" PRIx64, value);
}

static void put_terms(struct spelling *s, unsigned word, uint64_t bits)
{
	const struct um_pmu *pmu = s->d->ev.pmu;

	for (size_t i = 0; i < pmu->num_terms; i++) {
		const struct um_term *t = &pmu->terms[i];

		if (t->word != word)
			continue;
		if (bits & t->mask)
			put_term(s, t);
		bits &= ~t->mask;
	}
	s->failed |= bits != 0;
}

/* Write the term of a code (event select or unit mask). Returns the bits of the term; 0: the PMU has no such term. */
static uint64_t put_code(struct spelling *s, const char *name, const char *comma)
{
	const struct um_term *t = um_term_find(s->d->ev.pmu, name, strlen(name));

	if (!t)
		return 0;
	PUT(s, "%s%s=0x%" PRIx64, comma, t->name, um_term_get(t, s->d->ev.word));
	return t->mask;
}

/* Write the event's name or codes. Sets *said to the words that the name or the codes stand for. */
static void put_head(struct spelling *s, struct um_words *said)
{
	const struct um_event_row *row = s->d->ev.row;
	const struct um_selector *sel = s->d->ev.pmu->selector;

	if (s->d->listed) {
		PUT(s, "%s", s->d->listed);
		*said = s->d->named;
		return;
	}
	if (!row && s->colons) {
		PUT(s, "0x%x:0x%x", um_code_of(&sel->event, s->d->ev.word), um_code_of(&sel->umask, s->d->ev.word));
		*said = (struct um_words){ .at = { um_code_mask(&sel->event) | um_code_mask(&sel->umask) } };
		return;
	}
	if (!row) {
		*said = (struct um_words){ .at = { put_code(s, sel->event.name, "") | put_code(s, "umask", ",") } };
		return;
	}
	PUT(s, "%s", row->name);
	um_row_words(s->d->ev.pmu, row, s->d->ev.word, said);
	if (row->ports) {
		unsigned step = um_code_of(&sel->event, s->d->ev.word) - row->event;

		PUT(s, ",port=%u%s", step / UM_PORT_EVENTS, step % UM_PORT_EVENTS ? ",set=1" : "");
		said->at[0] |= um_code_mask(&sel->event);
	}
}

/*
 * The bits of a word that must be written as terms. The name's bits need no term, and neither do defaults, which
 * parsing adds again. But a 0 that overrides a default must be written.
 */
static uint64_t unsaid(const struct spelling *s, unsigned word, const struct um_words *said)
{
	const struct um_pmu *pmu = s->d->ev.pmu;
	const struct um_draft *draft = s->d;
	uint64_t given = draft->words.given[word] | draft->words.at[word] | (word ? 0 : draft->more);
	uint64_t is = s->d->ev.words[word], bits = is & ~said->at[word];

	for (size_t i = 0; i < pmu->num_defaults; i++) {
		const struct um_default *d = &pmu->defaults[i];

		if (d->word != word)
			continue;
		if (!(is & d->mask))
			bits |= said->given[word] & d->mask ? 0 : d->mask;
		else if (draft->listed ? (is & d->mask) == d->value
				      : !s->for_kernel && !(given & d->mask) && (word || !draft->raw))
			bits &= ~d->value;
	}
	return bits;
}

/* Write the name or codes, then terms for the missing bits. @ignored: selector bits that need no term. */
static void put_event(struct spelling *s, uint64_t ignored)
{
	unsigned used = um_event_used_words(&s->d->ev);
	struct um_words said;

	put_head(s, &said);
	for (unsigned word = 0; word < UM_WORDS; word++) {
		uint64_t free_bits = word ? 0 : ignored;
		size_t before = strlen(s->text);

		/*
		 * There is no canonical name if a filter of libpfm4 changed a value of the list: no term may do that.
		 */
		s->failed |= s->d->listed && (said.given[word] & (s->d->ev.words[word] ^ said.at[word]) & ~free_bits);
		said.at[word] |= free_bits;
		if (!(used >> word & 1))
			continue;
		put_terms(s, word, unsaid(s, word, &said));
		/* The user set the word to 0, so no term was written for it: write the whole word. */
		if (s->text[before] || !word || !s->d->words.given[word] || said.given[word])
			continue;
		s->failed |= s->d->listed != NULL;
		PUT(s, ",extra%u=0x0", word - 1);
	}
}

/* ---- whole events ---- */

static void spell_words(struct spelling *s)
{
	unsigned used = um_event_used_words(&s->d->ev);

	begin(s);
	put_pmu(s);
	PUT(s, "raw=0x%" PRIx64, s->d->ev.word);
	for (unsigned word = 1; word < UM_WORDS; word++)
		if (used >> word & 1)
			PUT(s, ",extra%u=0x%" PRIx64, word - 1, s->d->ev.words[word]);
	PUT(s, "/%s", um_event_rings(&s->d->ev));
}

/* Write the event with terms after colons, or else as PMU/TERMS/. False: terms cannot express the event. */
static bool spell(struct spelling *s, bool colons)
{
	const struct um_encoding *ev = &s->d->ev;

	begin(s);
	s->colons = colons;
	if (!colons)
		put_pmu(s);
	if (ev->fixed >= 0)
		PUT(s, "%s", s->d->listed ? s->d->listed : ev->pmu->fixed[ev->fixed].event);
	else
		put_event(s, um_control_bits(ev->pmu));
	if (!colons)
		PUT(s, "/%s", um_event_rings(ev));
	return !s->failed;
}

void um_event_spell_out(struct um_draft *d)
{
	struct spelling s = { .d = d };
	bool bare = d->ev.unit < 0 && (d->listed || d->ev.pmu == d->enc->plain);

	if (!spell(&s, bare) && !(bare && !d->listed && spell(&s, false))) {
		if (d->listed)
			*s.text = '\0';
		else
			spell_words(&s);
	}
	memcpy(d->ev.name, s.text, sizeof(d->ev.name));
}

/* Write whole words, the filters as config1. Fails if the position of a filter in config1 is unknown. */
static void spell_configs(struct spelling *s, uint64_t word)
{
	uint64_t config1 = 0;

	begin(s);
	for (size_t i = 0; i < s->d->ev.pmu->num_extras; i++) {
		const struct um_extra *x = &s->d->ev.pmu->extras[i];

		if (!(s->d->ev.extras >> i & 1))
			continue;
		s->failed |= !x->config1;
		config1 |= x->config1 ? (s->d->ev.words[x->word] & um_extra_mask(x)) << (x->config1 - 1) : 0;
	}
	PUT(s, "config=0x%" PRIx64 ",config1=0x%" PRIx64, word, config1);
}

bool um_event_spell_for_kernel(const struct um_encoding *ev, char text[UM_EVENT_TEXT])
{
	const struct um_selector *sel = ev->pmu->selector;
	struct um_draft codes = { .ev = *ev };
	struct spelling s = { .d = &codes, .for_kernel = true };

	codes.ev.row = NULL;
	put_event(&s, sel->enable | sel->occ_reset);
	if (s.failed)
		spell_configs(&s, ev->word & ~(sel->enable | sel->occ_reset));
	memcpy(text, s.text, sizeof(s.text));
	return !s.failed;
}
