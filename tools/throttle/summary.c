/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine in one line: who it is that slows it down, and on how many packages and cores. */
#include <limits.h>
#include <string.h>

#include "throttle/throttle.h"

/* ok, unknown, was-throttled, throttled: a machine of which anything is known is not unknown. */
static int rank(enum uncoremsr_verdict verdict)
{
	return verdict == UNCOREMSR_VERDICT_UNKNOWN ? -1 : (int)verdict;
}

static void summarize_subject(struct throttle_summary *sum,
			      const struct uncoremsr_throttle_subject *s)
{
	enum uncoremsr_verdict verdict = uncoremsr_subject_verdict(s);
	bool package = uncoremsr_subject_core(s) < 0;
	int degrees;

	*(package ? &sum->packages : &sum->cores) += 1;
	if (verdict == UNCOREMSR_VERDICT_THROTTLED)
		*(package ? &sum->throttled_packages : &sum->throttled_cores) += 1;
	if (verdict == UNCOREMSR_VERDICT_UNKNOWN)
		*(package ? &sum->unknown_packages : &sum->unknown_cores) += 1;
	if (rank(verdict) > rank(sum->verdict))
		sum->verdict = verdict;
	if (uncoremsr_subject_below_limit(s, &degrees) == 0 && degrees < sum->below_limit)
		sum->below_limit = degrees;
	if (uncoremsr_subject_temperature(s, &degrees) == 0 && degrees > sum->temperature)
		sum->temperature = degrees;
}

void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum)
{
	*sum = (struct throttle_summary){
		.verdict = UNCOREMSR_VERDICT_UNKNOWN, .below_limit = INT_MAX, .temperature = INT_MIN,
	};
	for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++)
		summarize_subject(sum, uncoremsr_throttle_subject(run->t, i));
}

/* ---- the line ---- */

void throttle_put_simulated(struct throttle_run *run)
{
	const char *machine = uncoremsr_machine(run->um);

	if (uncoremsr_is_simulated(run->um))
		out_fmt(run->out, "SIMULATED machine %s: ",
			strncmp(machine, "sim:", 4) == 0 ? machine + 4 : machine);
}

static void put_text(struct throttle_run *run, const struct throttle_summary *sum, const char *why)
{
	struct out *out = run->out;

	throttle_put_simulated(run);
	out_fmt(out, "%s: ", uncoremsr_verdict_word(sum->verdict));
	if (sum->verdict == UNCOREMSR_VERDICT_UNKNOWN) {
		out_str(out, why ? why : "nothing here tells it");
	} else if (sum->verdict == UNCOREMSR_VERDICT_OK) {
		throttle_put_number(out, sum->packages, "package");
		out_str(out, " and ");
		throttle_put_number(out, sum->cores, "core");
		out_str(out, ", none is slowed down");
	} else {
		throttle_put_causes(run, sum->verdict, true);
	}
	if (sum->verdict != UNCOREMSR_VERDICT_UNKNOWN)
		throttle_put_questions(run, "; cannot tell: ", ", ");
	out_char(out, '\n');
}

static void put_words(struct throttle_run *run, const void *summary)
{
	const struct throttle_summary *sum = summary;

	if (sum->verdict > UNCOREMSR_VERDICT_UNKNOWN)
		throttle_put_causes(run, sum->verdict, false);
}

static void put_asked(struct throttle_run *run, const void *summary)
{
	(void)summary;
	throttle_put_questions(run, "", " ");
}

/* Numbers at the end of a record; INT64_MIN: unknown. */
static void put_numbers(struct throttle_run *run, const struct throttle_summary *sum, bool names)
{
	const struct {
		const char *name;
		int64_t v;
	} numbers[] = {
		{ "packages", (int64_t)sum->packages },
		{ "cores", (int64_t)sum->cores },
		{ "throttled_packages", (int64_t)sum->throttled_packages },
		{ "throttled_cores", (int64_t)sum->throttled_cores },
		{ "unknown_packages", (int64_t)sum->unknown_packages },
		{ "unknown_cores", (int64_t)sum->unknown_cores },
		{ "below_limit", sum->below_limit == INT_MAX ? INT64_MIN : sum->below_limit },
		{ "temperature", sum->temperature == INT_MIN ? INT64_MIN : sum->temperature },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (names)
			out_fmt(run->out, ",%s", numbers[i].name);
		else
			throttle_put_int(run, numbers[i].name, numbers[i].v);
	}
}

static void put_record(struct throttle_run *run, const struct throttle_summary *sum,
		       const char *why)
{
	if (!throttle_json(run)) {
		out_str(run->out, "time,timestamp,machine,verdict,causes,unknown");
		put_numbers(run, sum, true);
		out_str(run->out, ",why\n");
	}
	throttle_put_when(run);
	throttle_put_str(run, "verdict", uncoremsr_verdict_word(sum->verdict));
	throttle_put_words(run, "causes", put_words, sum);
	throttle_put_words(run, "unknown", put_asked, sum);
	put_numbers(run, sum, false);
	throttle_put_str(run, "why", why);
	throttle_put_end(run);
}

void throttle_show_summary(struct throttle_run *run, const char *why)
{
	struct throttle_summary sum;

	throttle_summarize(run, &sum);
	if (throttle_is_text(run))
		put_text(run, &sum, why);
	else
		put_record(run, &sum, why);
}
