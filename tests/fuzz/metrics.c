/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names and patterns of metrics, and the formulas that they stand for. */
#include "fuzz.h"

#include "events/metrics.h"

static int count(void *user, const struct uncoremsr_metric *m)
{
	REQUIRE(m->name && m->formula);
	++*(int *)user;
	return 0;
}

static void find(const char *uarch, const char *text, size_t len)
{
	struct um_error e = { 0 };
	int seen = 0, num = um_metrics_find(uarch, text, len, count, &seen, &e);

	REQUIRE(num > 0 ? num == seen : num < 0 && !seen && e.msg[0]);
}

static void formula(const char *text)
{
	double inputs[UM_FORMULA_INPUTS] = { 0 }, result;
	struct um_formula f;
	struct um_error e = { 0 };

	if (um_formula_compile(&f, text, &e) < 0) {
		REQUIRE(e.msg[0]);
		return;
	}
	REQUIRE(f.num_steps && f.num_steps <= UM_FORMULA_STEPS && f.num_inputs <= UM_FORMULA_INPUTS);
	for (size_t i = 0; i < f.num_inputs; i++)
		REQUIRE(f.inputs[i].text >= text && f.inputs[i].len <= strlen(text));
	if (um_formula_eval(&f, inputs, 1, &result) == 0)
		inputs[0] = 1;
	if (um_formula_eval(&f, inputs, 0, &result) < 0)
		return;
}

static void target(const char *text, size_t size)
{
	(void)size;
	find("westmere", text, strlen(text));
	find("nehalem", text, strlen(text));
	formula(text);
}
