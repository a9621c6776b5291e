/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names and patterns of metrics, and the formulas that they stand for. */
#include "fuzz.h"

#include <math.h>

#include "names/index.h"
#include "metrics/metrics.h"
#include "machine/machine.h"
#include "uarch/uarch.h"

static int count(void *user, const struct um_metric *m)
{
	REQUIRE(m->base.pub.name[0] && m->base.pub.formula[0]);
	++*(int *)user;
	return 0;
}

static void find(const char *uarch, const char *text, size_t len)
{
	bool no_memory = false;
	struct um_names names = { .no_memory = &no_memory, .metric_names = &um_metric_names };
	struct um_machine of = { .uarch = um_uarch_find(uarch) };
	struct um_lookup l = { .names = &names, .uarch = of.uarch, .metrics = UM_METRICS_ONLY };
	struct um_error e = { 0 };
	int seen = 0, num = um_metrics_find(&l, &of, text, len, count, &seen, &e);

	REQUIRE(num > 0 ? num == seen : num < 0 && !seen && e.msg[0]);
	um_index_forget(&names);
	um_records_free(&names);
}

static void formula(const char *text)
{
	struct um_formula_result all, none;
	struct um_formula f;
	struct um_error e = { 0 };
	double *inputs;
	bool *needed;

	if (um_formula_compile(&f, text, &e) < 0) {
		REQUIRE(e.msg[0]);
		return;
	}
	REQUIRE(f.num_steps && f.num_inputs <= f.num_steps);
	inputs = calloc(f.num_inputs + 1, sizeof(*inputs));
	needed = calloc(f.num_inputs + 1, sizeof(*needed));
	REQUIRE(inputs && needed);
	all = um_formula_eval(&f, inputs);
	REQUIRE(all.state != UM_FORMULA_UNKNOWN);
	for (size_t i = 0; i < f.num_inputs; i++)
		inputs[i] = NAN;
	none = um_formula_eval(&f, inputs);
	um_formula_needs(&f, inputs, needed);
	if (none.state == UM_FORMULA_UNKNOWN)
		REQUIRE(none.input < f.num_inputs && needed[none.input]);
	free(inputs);
	free(needed);
	um_formula_free(&f);
}

static void target(const char *text, size_t size)
{
	(void)size;
	find("westmere", text, strlen(text));
	find("nehalem", text, strlen(text));
	formula(text);
}
