/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine in one line: what slows it down, and on how many packages and cores. */
#include <limits.h>
#include <string.h>

#include "common/properties.h"
#include "throttle/throttle.h"

/* cannot-tell, ok, was-throttled, throttled: a machine of which anything is known is not unknown. */
static int rank(enum uncoremsr_verdict verdict)
{
	return verdict == UNCOREMSR_VERDICT_UNKNOWN ? -1 : (int)verdict;
}

static void summarize_subject(struct throttle_summary *sum, const struct uncoremsr_subject *s)
{
	enum uncoremsr_verdict verdict = throttle_verdict(s);
	int below = (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_BELOW_LIMIT);
	int celsius = (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_TEMPERATURE);
	bool package = throttle_core(s) < 0;

	*(package ? &sum->packages : &sum->cores) += 1;
	if (verdict == UNCOREMSR_VERDICT_THROTTLED)
		*(package ? &sum->throttled_packages : &sum->throttled_cores) += 1;
	if (verdict == UNCOREMSR_VERDICT_UNKNOWN)
		*(package ? &sum->unknown_packages : &sum->unknown_cores) += 1;
	if (rank(verdict) > rank(sum->verdict))
		sum->verdict = verdict;
	if (below >= 0 && below < sum->below_limit)
		sum->below_limit = below;
	if (celsius >= 0 && celsius > sum->temperature)
		sum->temperature = celsius;
}

void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum)
{
	const struct uncoremsr_subject *s;

	*sum = (struct throttle_summary){
		.verdict = UNCOREMSR_VERDICT_UNKNOWN, .below_limit = INT_MAX, .temperature = INT_MIN,
	};
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
		summarize_subject(sum, s);
}

/* ---- causes ---- */

struct tally {
	size_t num;
	struct {
		enum uncoremsr_cause_kind cause;
		size_t packages, cores;
	} list[THROTTLE_CAUSES];
};

/* Does this cause make (part of) the verdict? What a package has from its cores is theirs. */
static bool supports(const struct uncoremsr_cause *c, enum uncoremsr_verdict verdict)
{
	return throttle_cause_number(c, UNCOREMSR_CAUSE_DECIDES) > 0 &&
	       throttle_cause_number(c, UNCOREMSR_CAUSE_INHERITED) < 0 &&
	       (verdict == UNCOREMSR_VERDICT_THROTTLED
		? throttle_is_now(c) : throttle_cause_number(c, UNCOREMSR_CAUSE_LOGGED) > 0);
}

/* What the verdict of the machine rests on. */
static struct tally tally_causes(const struct throttle_run *run, enum uncoremsr_verdict verdict)
{
	const struct uncoremsr_subject *s;
	const struct uncoremsr_cause *c;
	struct tally t = { .num = 0 };

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		for (size_t k = 0; (c = uncoremsr_subject_cause(s, k)); k++) {
			size_t at = 0;

			if (!supports(c, verdict))
				continue;
			while (at < t.num && t.list[at].cause != throttle_kind(c))
				at++;
			t.num += at == t.num;
			t.list[at].cause = throttle_kind(c);
			*(throttle_core(s) < 0 ? &t.list[at].packages : &t.list[at].cores) += 1;
		}
	}
	return t;
}

/* "prochot-external (1 package, 6 cores), ..." */
static void put_causes(struct out *out, const struct tally *t)
{
	for (size_t i = 0; i < t->num; i++) {
		size_t packages = t->list[i].packages, cores = t->list[i].cores;

		out_fmt(out, "%s%s (", i ? ", " : "", uncoremsr_cause_word(t->list[i].cause));
		if (packages)
			throttle_say_number(out, packages, "package");
		if (packages && cores)
			out_str(out, ", ");
		if (cores)
			throttle_say_number(out, cores, "core");
		out_char(out, ')');
	}
}

/* ---- questions without an answer ---- */

/* Each once; returns how many. */
static size_t list_questions(const struct throttle_run *run, int list[THROTTLE_QUESTIONS])
{
	const struct uncoremsr_subject *s;
	unsigned listed = 0;
	size_t num = 0;
	int q;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		for (size_t k = 0; (q = throttle_question(s, k)) >= 0; k++) {
			if ((listed >> q & 1) || throttle_cores_answer(run->t, i, q))
				continue;
			listed |= 1u << q;
			list[num++] = q;
		}
	}
	return num;
}

/* ---- the line ---- */

/* Whether a package is too hot may be unknown where its temperature is not: that says something. */
static void put_question(struct throttle_run *run, int question)
{
	const struct uncoremsr_subject *s;
	int hottest = -1, celsius;

	out_str(run->out, throttle_question_word(question));
	if (question != UNCOREMSR_CAUSE_PACKAGE_THERMAL)
		return;
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		celsius = (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_TEMPERATURE);
		if (throttle_core(s) < 0 && throttle_asks(s, question) && celsius > hottest)
			hottest = celsius;
	}
	if (hottest >= 0)
		out_fmt(run->out, " (at %d degrees C)", hottest);
}

void throttle_say_host(struct out *o, const struct throttle_run *run)
{
	if (run->cfg->flags & THROTTLE_HOST)
		out_fmt(o, "%s: ", run->cfg->host);
}

void throttle_put_simulated(struct throttle_run *run)
{
	const char *machine = uncoremsr_machine(run->um);

	throttle_say_host(run->out, run);
	if (machine_is_simulated(run->um))
		out_fmt(run->out, "SIMULATED machine %s: ",
			strncmp(machine, "sim:", 4) == 0 ? machine + 4 : machine);
}

/* "2 packages and 12 cores", what there is of both. */
static void put_number(struct out *out, size_t packages, size_t cores)
{
	if (packages)
		throttle_say_number(out, packages, "package");
	if (packages && cores)
		out_str(out, " and ");
	if (cores)
		throttle_say_number(out, cores, "core");
}

/* In the line that is all of the answer; elsewhere they have lines of their own. */
static void put_policy_words(struct throttle_run *run)
{
	const char *words[THROTTLE_POLICIES];
	size_t num = run->cfg->flags & THROTTLE_SUMMARY ? throttle_list_policies(run, words) : 0;

	for (size_t i = 0; i < num; i++)
		out_fmt(run->out, "%s%s", i ? ", " : "; limited by policy: ", words[i]);
}

static void put_text(struct throttle_run *run, const struct throttle_summary *sum, const char *why)
{
	int questions[THROTTLE_QUESTIONS];
	size_t packages = sum->packages - sum->unknown_packages, cores = sum->cores - sum->unknown_cores;
	struct out *out = run->out;
	struct tally causes;
	size_t num;

	throttle_put_simulated(run);
	out_fmt(out, "%s: ", uncoremsr_verdict_word(sum->verdict));
	if (sum->verdict == UNCOREMSR_VERDICT_UNKNOWN) {
		out_fmt(out, "%s\n", why ? why : "nothing here shows it");
		return;
	}
	if (sum->verdict == UNCOREMSR_VERDICT_OK) {
		put_number(out, packages, cores);
		out_str(out, packages + cores == 1 ? ", not slowed down" : ", none is slowed down");
	} else {
		causes = tally_causes(run, sum->verdict);
		put_causes(out, &causes);
	}
	if (sum->unknown_packages + sum->unknown_cores)
		out_str(out, "; no answer about ");
	put_number(out, sum->unknown_packages, sum->unknown_cores);
	num = list_questions(run, questions);
	for (size_t i = 0; i < num; i++) {
		out_str(out, i ? ", " : "; cannot tell: ");
		put_question(run, questions[i]);
	}
	put_policy_words(run);
	out_char(out, '\n');
}

/* ---- the record ---- */

struct row {
	struct throttle_record record;
	const struct throttle_summary *sum;
	const char *why;
};

static void put_cause_words(struct records *w, const char *name, const void *row)
{
	const struct row *r = row;
	struct tally t = { .num = 0 };

	if (r->sum->verdict > UNCOREMSR_VERDICT_UNKNOWN)
		t = tally_causes(r->record.run, r->sum->verdict);
	record_open_list(w, name);
	for (size_t i = 0; i < t.num; i++)
		record_str(w, NULL, uncoremsr_cause_word(t.list[i].cause));
	record_close(w);
}

static void put_question_words(struct records *w, const char *name, const void *row)
{
	int questions[THROTTLE_QUESTIONS];
	size_t num = list_questions(((const struct row *)row)->record.run, questions);

	record_open_list(w, name);
	for (size_t i = 0; i < num; i++)
		record_str(w, NULL, throttle_question_word(questions[i]));
	record_close(w);
}

static void put_policies(struct records *w, const char *name, const void *row)
{
	const char *words[THROTTLE_POLICIES];
	size_t num = throttle_list_policies(((const struct row *)row)->record.run, words);

	record_open_list(w, name);
	for (size_t i = 0; i < num; i++)
		record_str(w, NULL, words[i]);
	record_close(w);
}

#define NUMBER(name) THROTTLE_GET(row, name, number, (int64_t)r->sum->name, \
				  v->number != INT_MAX && v->number != INT_MIN)
#define COLUMN(of) { .name = #of, .type = RECORD_INT, .get = get_##of }

THROTTLE_GET(row, verdict, text, uncoremsr_verdict_word(r->sum->verdict), true)
NUMBER(packages)
NUMBER(cores)
NUMBER(throttled_packages)
NUMBER(throttled_cores)
NUMBER(unknown_packages)
NUMBER(unknown_cores)
NUMBER(below_limit)
NUMBER(temperature)
THROTTLE_GET(row, why, text, r->why, r->why)

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ .name = "verdict", .type = RECORD_STR, .get = get_verdict },
	{ .name = "causes", .type = RECORD_NESTED, .put = put_cause_words, .join = " " },
	{ .name = "unknown", .type = RECORD_NESTED, .put = put_question_words, .join = " " },
	COLUMN(packages), COLUMN(cores), COLUMN(throttled_packages), COLUMN(throttled_cores),
	COLUMN(unknown_packages), COLUMN(unknown_cores), COLUMN(below_limit), COLUMN(temperature),
	{ .name = "why", .type = RECORD_STR, .get = get_why },
	{ .name = "policy", .type = RECORD_NESTED, .put = put_policies, .join = " " },
	THROTTLE_HOST_COLUMN,
};
enum { NUM_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

void throttle_show_summary(struct throttle_run *run, const char *why)
{
	struct throttle_summary sum;

	throttle_summarize(run, &sum);
	if (records_for_people(&run->records)) {
		put_text(run, &sum, why);
		return;
	}
	record_head(&run->records, columns, NUM_COLUMNS);
	record_row(&run->records, columns, NUM_COLUMNS,
		   &(struct row){ .record = { run }, .sum = &sum, .why = why });
}
