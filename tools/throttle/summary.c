/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The latest check: what it found about one package or core, and the machine in one line. */
#include <limits.h>

#include "throttle/throttle.h"

const struct uncoremsr_subject *throttle_find_subject(const struct uncoremsr_throttle *t, int package, int core)
{
	const struct uncoremsr_subject *s;
	size_t i = 0;

	while ((s = uncoremsr_throttle_subject(t, i)) && (s->package != package || s->core != core))
		i++;
	return s;
}

unsigned throttle_causes_in(const struct uncoremsr_subject *package, enum uncoremsr_question_state state)
{
	const struct uncoremsr_question *q;
	unsigned causes = 0;

	for (size_t i = 0; package && (q = package->questions[i]); i++)
		causes |= q->state == state ? 1u << q->cause : 0;
	return causes;
}

static void count(struct throttle_number *n, const struct uncoremsr_subject *s)
{
	*(s->core < 0 ? &n->packages : &n->cores) += 1;
}

/* Leave out causes that a package inherits: they are counted for its cores. Count a cause of several dies once. */
static void summarize_causes(struct throttle_summary *sum, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_cause *c;
	unsigned causes = 0;

	for (size_t i = 0; (c = s->causes[i]); i++)
		if (c->decides && c->inherited < 0 &&
		    (sum->verdict == UNCOREMSR_VERDICT_THROTTLED ? throttle_is_now(c) : c->logged))
			causes |= 1u << c->kind;
	for (unsigned cause = 0; cause < THROTTLE_CAUSES; cause++)
		if (causes >> cause & 1)
			count(&sum->with[cause], s);
	sum->causes |= causes;
}

static void summarize_subject(struct throttle_summary *sum, const struct uncoremsr_subject *s)
{
	count(&sum->all, s);
	if (s->verdict == UNCOREMSR_VERDICT_THROTTLED)
		count(&sum->throttled, s);
	if (s->verdict == UNCOREMSR_VERDICT_UNKNOWN)
		count(&sum->unknown, s);
	if (s->below_limit >= 0 && (sum->below_limit < 0 || s->below_limit < sum->below_limit))
		sum->below_limit = s->below_limit;
	if (s->temperature > sum->temperature) /* false for NAN (unknown) */
		sum->temperature = (int)s->temperature;
	summarize_causes(sum, s);
	sum->open |= throttle_causes_in(s, UNCOREMSR_QUESTION_OPEN);
	sum->not_visible |= throttle_causes_in(s, UNCOREMSR_QUESTION_NOT_VISIBLE);
	sum->needs_counting |= throttle_causes_in(s, UNCOREMSR_QUESTION_NEEDS_COUNTING);
	sum->not_asked |= throttle_causes_in(s, UNCOREMSR_QUESTION_NOT_ASKED);
	sum->obstacle = throttle_obstacle(s, sum->obstacle);
}

void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum)
{
	const char *words[THROTTLE_POLICIES] = { NULL };
	const struct uncoremsr_subject *s;
	unsigned shown = 0;
	size_t num = 0;

	*sum = (struct throttle_summary){
		.verdict = uncoremsr_throttle_state(run->t)->verdict, .below_limit = -1,
		.temperature = INT_MIN,
	};
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		summarize_subject(sum, s);
		for (size_t k = 0; s->causes[k]; k++)
			shown |= 1u << s->causes[k]->kind;
		for (size_t k = 0; s->policies[k]; k++)
			words[s->policies[k]->kind] = s->policies[k]->word;
	}
	/* A cause that was found on one package counts as visible even if another package cannot show it. */
	sum->not_visible &= ~shown;
	for (int kind = 0; kind < THROTTLE_POLICIES; kind++)
		if (words[kind])
			sum->policies[num++] = words[kind];
}

void throttle_say_host(struct out *o, const struct throttle_run *run)
{
	if (run->cfg->show_host)
		out_fmt(o, "%s: ", run->cfg->host);
}

void throttle_put_simulated(struct throttle_run *run)
{
	throttle_say_host(run->out, run);
	if (machine_simulated_name(run->um))
		out_fmt(run->out, "SIMULATED machine %s: ", machine_simulated_name(run->um));
}

static void put_number(struct out *out, const struct throttle_number *n, const char *and)
{
	if (n->packages)
		throttle_say_number(out, n->packages, "package");
	if (n->packages && n->cores)
		out_str(out, and);
	if (n->cores)
		throttle_say_number(out, n->cores, "core");
}

static void put_causes(struct out *out, const struct throttle_summary *sum)
{
	const char *before = "";

	for (unsigned cause = 0; cause < THROTTLE_CAUSES; cause++) {
		if (!(sum->causes >> cause & 1))
			continue;
		out_fmt(out, "%s%s (", before, throttle_cause_word(cause));
		put_number(out, &sum->with[cause], ", ");
		out_char(out, ')');
		before = ", ";
	}
}

static void say_not_visible(struct throttle_run *run, const struct throttle_summary *sum)
{
	const unsigned hot = sum->temperature != INT_MIN ? 1u << UNCOREMSR_CAUSE_PACKAGE_THERMAL : 0;
	const char *before = "; not visible here: ";

	if (sum->not_visible & hot) {
		out_fmt(run->out, "%spackage-thermal (at %d degrees C)", before, sum->temperature);
		before = ", ";
	}
	throttle_say_causes(run->out, before, sum->not_visible & ~hot);
}

void throttle_put_unasked(struct throttle_run *run, const struct throttle_summary *sum)
{
	throttle_say_causes(run->out, "; left out by --without: ", sum->not_asked);
	throttle_say_causes(run->out, "; only with --dimm, -i or COMMAND: ", sum->needs_counting);
	say_not_visible(run, sum);
}

static void put_open(struct throttle_run *run, const struct throttle_summary *sum, unsigned known, const char *before)
{
	if (!(sum->open & ~known))
		return;
	throttle_say_causes(run->out, before, sum->open & ~known);
	if (sum->verdict == UNCOREMSR_VERDICT_THROTTLED)
		return;
	out_str(run->out, ": ");
	throttle_say_reason(run->out, run, sum->obstacle);
}

static void put_text(struct throttle_run *run, const struct throttle_summary *sum, const char *why)
{
	const struct throttle_number known = {
		sum->all.packages - sum->unknown.packages, sum->all.cores - sum->unknown.cores,
	};
	bool now = sum->verdict == UNCOREMSR_VERDICT_THROTTLED, one = known.packages + known.cores == 1;
	struct out *out = run->out;

	throttle_put_simulated(run);
	out_fmt(out, "%s: ", uncoremsr_verdict_word(sum->verdict));
	if (why) {
		out_fmt(out, "%s\n", why);
		return;
	}
	switch (sum->verdict) {
	case UNCOREMSR_VERDICT_OK:
		put_number(out, &known, " and ");
		out_str(out, one ? ", not slowed down" : ", none is slowed down");
		break;
	case UNCOREMSR_VERDICT_UNKNOWN:
		put_open(run, sum, 0, "");
		if (known.packages || known.cores)
			out_str(out, "; not slowed down: ");
		put_number(out, &known, " and ");
		break;
	default:
		put_causes(out, sum);
		/* Logged causes are listed again here if it is unknown whether they hold now. */
		put_open(run, sum, now ? sum->causes : 0,
			 now ? "; cannot tell: " : "; cannot tell now: ");
		break;
	}
	throttle_put_unasked(run, sum);
	/* With --summary there is only this line, so it includes policies. Otherwise they have their own lines. */
	for (size_t i = 0; run->cfg->summary && sum->policies[i]; i++)
		out_fmt(out, "%s%s", i ? ", " : "; limited by policy: ", sum->policies[i]);
	out_char(out, '\n');
}

struct row {
	struct throttle_record record;
	struct throttle_summary sum;
	const char *why, *verdict;
};

static void put_policies(struct records *w, const char *name, const void *row)
{
	record_strs(w, name, ((const struct row *)row)->sum.policies);
}

static enum record_state get_why(const void *row, struct record_value *v)
{
	const struct row *r = row;

	if (r->why) {
		out_str(v->scratch, r->why);
	} else if (r->sum.obstacle && r->sum.verdict != UNCOREMSR_VERDICT_THROTTLED) {
		throttle_say_reason(v->scratch, r->record.run, r->sum.obstacle);
	} else {
		return RECORD_NONE;
	}
	return record_composed(v);
}

static enum record_state get_temperature(const void *row, struct record_value *v)
{
	v->number = ((const struct row *)row)->sum.temperature;
	return v->number == INT_MIN ? RECORD_UNKNOWN : RECORD_KNOWN;
}

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ "verdict", RECORD_STR, RECORD_AT(row, verdict) },
	THROTTLE_CAUSES_COLUMN("causes", row, sum.causes),
	THROTTLE_CAUSES_COLUMN("unknown", row, sum.open),
	THROTTLE_CAUSES_COLUMN("not_visible", row, sum.not_visible),
	THROTTLE_CAUSES_COLUMN("needs_counting", row, sum.needs_counting),
	THROTTLE_CAUSES_COLUMN("not_asked", row, sum.not_asked),
	{ "packages", RECORD_INT, RECORD_AT(row, sum.all.packages) },
	{ "cores", RECORD_INT, RECORD_AT(row, sum.all.cores) },
	{ "throttled_packages", RECORD_INT, RECORD_AT(row, sum.throttled.packages) },
	{ "throttled_cores", RECORD_INT, RECORD_AT(row, sum.throttled.cores) },
	{ "unknown_packages", RECORD_INT, RECORD_AT(row, sum.unknown.packages) },
	{ "unknown_cores", RECORD_INT, RECORD_AT(row, sum.unknown.cores) },
	{ "below_limit", RECORD_INT, RECORD_AT(row, sum.below_limit) },
	{ "temperature", RECORD_INT, .get = get_temperature },
	{ "why", RECORD_STR, .get = get_why },
	{ "policy", RECORD_NESTED, .put = put_policies, .join = " " },
	THROTTLE_HOST_COLUMN,
};
const struct throttle_columns throttle_summary_columns = { RECORD_COLUMNS(columns) };

void throttle_show_summary(struct throttle_run *run, const char *why)
{
	struct row row = { .record = throttle_record(run), .why = why };

	throttle_summarize(run, &row.sum);
	row.verdict = uncoremsr_verdict_word(row.sum.verdict);
	if (records_for_people(&run->records)) {
		put_text(run, &row.sum, why);
		return;
	}
	record_row(&run->records, RECORD_COLUMNS(columns), &row);
}
