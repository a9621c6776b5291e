/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records for programs, about one check or a whole run. Formats with lists have one object per package and per core.
 * Flat formats have one row per cause, and one row for a package or core without causes.
 */
#include <math.h>

#include "throttle/throttle.h"
#include "uncoremsr/machine.h"

/* One cause, found by a check (@c is set) or during a run (@sp is set). */
struct cause {
	struct throttle_record record;
	const char *kind;              /* NULL if the row has no cause */
	int die;                       /* -1 if the cause is not about a single die */
	int now, logged, decides;      /* -1 if the row has no cause */
	double share;                  /* NAN: unknown */
	const struct row *of;
	const struct uncoremsr_cause *c;
	const struct throttle_spell *sp;
};

struct row {
	struct cause cause;            /* must be the first member; flat formats have a cause in each row */
	int package, core, cpu, below_limit;
	uint64_t frequency;
	const char *verdict;
	const struct uncoremsr_subject *s; /* NULL if the row is about a run */
	const struct throttle_track *t;
	const char *sentence;          /* set if the row is about a run */
	unsigned not_visible, needs_counting, not_asked; /* causes of the package, as bits */
};

static bool has_lists(const void *run)
{
	return ((const struct throttle_run *)run)->cfg->common.writer->nests;
}

static bool is_flat(const void *run)
{
	return !has_lists(run);
}

const char *throttle_cause_word(unsigned cause)
{
	return uncoremsr_cause_word((enum uncoremsr_cause_kind)cause);
}

static const struct throttle_run *run_of(const void *row)
{
	return ((const struct throttle_record *)row)->run;
}

struct throttle_record throttle_record(const struct throttle_run *run)
{
	return (struct throttle_record){
		run, uncoremsr_machine(run->um)->name, run->cfg->host, throttle_elapsed(run), run->wall_ns,
	};
}

static enum record_state get_temperature(const void *row, struct record_value *v)
{
	const struct uncoremsr_subject *s = ((const struct row *)row)->s;

	if (!s || isnan(s->temperature))
		return RECORD_UNKNOWN;
	v->number = (int64_t)s->temperature;
	return RECORD_KNOWN;
}

static enum record_state get_sentence(const void *row, struct record_value *v)
{
	const struct row *r = row;

	if (r->s)
		throttle_say_sentence(v->scratch, run_of(row), r->s, NULL);
	else
		out_str(v->scratch, r->sentence);
	return record_composed(v);
}

static enum record_state get_cause_sentence(const void *cause, struct record_value *v)
{
	const struct cause *c = cause;

	if (!c->kind)
		return RECORD_NONE;
	if (c->c)
		throttle_say_sentence(v->scratch, c->record.run, c->of->s, c->c);
	else
		out_str(v->scratch, c->sp->who);
	return record_composed(v);
}

static void put_piece(struct records *w, const struct uncoremsr_evidence *e)
{
	const struct record_value value = { .count = e->value };

	record_open(w, NULL);
	record_str(w, "register", e->name);
	record_if_known(w, "msr", RECORD_WORD, e->msr);
	record_value(w, "value", e->msr != UINT64_MAX ? RECORD_WORD : RECORD_COUNT, &value);
	throttle_say_finding(record_compose(w), e);
	record_composed_str(w, "bits");
	record_close(w);
}

static void put_evidence(struct records *w, const char *name, const void *cause)
{
	const struct uncoremsr_cause *c = ((const struct cause *)cause)->c;

	record_open_list(w, name);
	for (size_t i = 0; c && c->evidence[i]; i++) {
		if (!w->format->nests) {
			throttle_say_evidence(record_compose(w), c->evidence[i], "=");
			record_composed_str(w, NULL);
		} else {
			put_piece(w, c->evidence[i]);
		}
	}
	record_close(w);
}

static void put_unknown(struct records *w, const char *name, const void *row)
{
	const struct row *r = row;

	record_open_list(w, name);
	for (size_t i = 0; r->s && throttle_question(r->s, i); i++) {
		throttle_say_question(record_compose(w), run_of(row), r->s->questions[i]);
		record_composed_str(w, NULL);
	}
	for (unsigned i = 0; r->t && i < THROTTLE_QUESTIONS; i++) {
		if (!r->t->questions[i].looks)
			continue;
		out_fmt(record_compose(w), "%s: %s", throttle_cause_word(i), throttle_why(&r->t->questions[i]));
		record_composed_str(w, NULL);
	}
	record_close(w);
}

static void put_policies(struct records *w, const char *name, const void *row)
{
	const struct row *r = row;

	throttle_record_policies(w, name, throttle_find_subject(run_of(row)->t, r->package, r->core));
}

/* False: the row has fewer than @i + 1 causes. */
static bool get_cause(const struct row *r, size_t i, struct cause *c)
{
	const struct throttle_spell *sp = !r->s && i < r->t->num ? &r->t->spells[i] : NULL;

	*c = (struct cause){
		.record = r->cause.record, .of = r, .share = NAN, .die = -1, .now = -1, .logged = -1, .decides = -1,
	};
	c->c = r->s ? r->s->causes[i] : NULL;
	c->sp = sp;
	if (c->c) {
		c->kind = uncoremsr_cause_word(c->c->kind);
		c->die = c->c->die;
		c->now = throttle_is_now(c->c);
		c->logged = c->c->logged;
		c->decides = c->c->decides;
		c->share = c->c->share;
	} else if (sp) {
		c->kind = uncoremsr_cause_word(sp->cause);
		c->die = sp->die;
		c->now = sp->looks > 0;
		c->logged = sp->logged;
		c->decides = sp->counted;
		if (sp->measured || !sp->looks)
			c->share = throttle_spell_share(run_of(r), r->t, sp);
	}
	return c->kind;
}

static const struct record_column cause_columns[] = {
	{ "cause", RECORD_STR, RECORD_AT(cause, kind) },
	{ "die", RECORD_INT, RECORD_AT(cause, die) },
	{ "now", RECORD_BOOL, RECORD_AT(cause, now) },
	{ "logged", RECORD_BOOL, RECORD_AT(cause, logged) },
	{ "decides", RECORD_BOOL, RECORD_AT(cause, decides) },
	{ "share", RECORD_REAL, RECORD_AT(cause, share), .decimals = 6 },
	{ "sentence", RECORD_STR, .get = get_cause_sentence },
	{ "evidence", RECORD_NESTED, .put = put_evidence },
};

static void put_causes(struct records *w, const char *name, const void *row)
{
	struct cause c;

	record_open_list(w, name);
	for (size_t i = 0; get_cause(row, i, &c); i++)
		record_object(w, NULL, RECORD_COLUMNS(cause_columns), &c);
	record_close(w);
}

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ .name = "package", .type = RECORD_INT, RECORD_AT(row, package) },
	{ .name = "core", .type = RECORD_INT, RECORD_AT(row, core) },
	{ .name = "cpu", .type = RECORD_INT, RECORD_AT(row, cpu) },
	{ .name = "verdict", .type = RECORD_STR, RECORD_AT(row, verdict) },
	{ .name = "sentence", .type = RECORD_STR, .get = get_sentence },
	{ .name = "temperature", .type = RECORD_INT, .get = get_temperature },
	{ .name = "below_limit", .type = RECORD_INT, RECORD_AT(row, below_limit) },
	{ .name = "frequency_hz", .type = RECORD_INT, RECORD_AT(row, frequency) },
	{ .name = "causes", .type = RECORD_NESTED, .put = put_causes, .shown = has_lists },
	{ .name = "die", .type = RECORD_INT, RECORD_AT(row, cause.die), .shown = is_flat },
	{ .name = "cause", .type = RECORD_STR, RECORD_AT(row, cause.kind), .shown = is_flat },
	{ .name = "now", .type = RECORD_BOOL, RECORD_AT(row, cause.now), .shown = is_flat },
	{ .name = "logged", .type = RECORD_BOOL, RECORD_AT(row, cause.logged), .shown = is_flat },
	{ .name = "decides", .type = RECORD_BOOL, RECORD_AT(row, cause.decides), .shown = is_flat },
	{ .name = "share", .type = RECORD_REAL, RECORD_AT(row, cause.share), .decimals = 6, .shown = is_flat },
	{ .name = "cause_sentence", .type = RECORD_STR, .get = get_cause_sentence, .shown = is_flat },
	{ .name = "evidence", .type = RECORD_NESTED, .put = put_evidence, .shown = is_flat },
	{ .name = "unknown", .type = RECORD_NESTED, .put = put_unknown },
	THROTTLE_CAUSES_COLUMN("not_visible", row, not_visible),
	THROTTLE_CAUSES_COLUMN("needs_counting", row, needs_counting),
	THROTTLE_CAUSES_COLUMN("not_asked", row, not_asked),
	{ .name = "policy", .type = RECORD_NESTED, .put = put_policies },
	THROTTLE_HOST_COLUMN,
};
const struct throttle_columns throttle_record_columns = { RECORD_COLUMNS(columns) };

static void write_row(struct throttle_run *run, struct row *r)
{
	const struct uncoremsr_subject *package = throttle_find_subject(run->t, r->package, -1);
	size_t i = 0;

	r->cause.record = throttle_record(run);
	r->not_visible = throttle_causes_in(package, UNCOREMSR_QUESTION_NOT_VISIBLE);
	r->needs_counting = throttle_causes_in(package, UNCOREMSR_QUESTION_NEEDS_COUNTING);
	r->not_asked = throttle_causes_in(package, UNCOREMSR_QUESTION_NOT_ASKED);
	if (!is_flat(run)) {
		record_row(&run->records, RECORD_COLUMNS(columns), r);
		return;
	}
	do {
		if (get_cause(r, i, &r->cause) || !i)
			record_row(&run->records, RECORD_COLUMNS(columns), r);
		i++;
	} while (r->cause.kind);
}

void throttle_record_subject(struct throttle_run *run, const struct uncoremsr_subject *s)
{
	write_row(run, &(struct row){
		.package = s->package, .core = s->core, .cpu = s->cpu, .below_limit = s->below_limit,
		.frequency = s->frequency, .verdict = uncoremsr_verdict_word(s->verdict), .s = s,
	});
}

static const struct throttle_question *first_open(const struct throttle_track *t)
{
	for (size_t i = 0; i < THROTTLE_QUESTIONS; i++)
		if (t->questions[i].looks)
			return &t->questions[i];
	return NULL;
}

void throttle_record_track(struct throttle_run *run, const struct throttle_track *t, const char *gone)
{
	const struct throttle_question *open = first_open(t);
	enum uncoremsr_verdict verdict = gone || t->unknown || open ? UNCOREMSR_VERDICT_UNKNOWN
								     : UNCOREMSR_VERDICT_OK;
	struct row r = {
		.package = t->package, .core = t->core, .cpu = t->cpu, .below_limit = -1, .frequency = UINT64_MAX,
		.t = t, .sentence = gone ? gone : open ? throttle_why(open) : "not slowed down",
	};

	for (size_t i = t->num; i-- > 0 && !gone;) {
		const struct throttle_spell *sp = &t->spells[i];
		enum uncoremsr_verdict each = sp->looks ? UNCOREMSR_VERDICT_THROTTLED
							 : UNCOREMSR_VERDICT_WAS_THROTTLED;

		if (!sp->counted || (!sp->looks && !sp->logged) || each < verdict)
			continue;
		verdict = each;
		r.sentence = sp->who;
	}
	r.verdict = uncoremsr_verdict_word(verdict);
	write_row(run, &r);
}

void throttle_show_records(struct throttle_run *run)
{
	const struct uncoremsr_subject *s;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
		throttle_record_subject(run, s);
}
