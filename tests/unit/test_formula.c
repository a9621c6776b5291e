/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formulas of metrics, in the form of our tables and in both published forms. Uses internal headers, because no public
 * function evaluates an arbitrary formula.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "metrics/formula.h"
#include "suite.h"

/* Evaluate a formula. Its inputs have the values 2, 3, 5 and 7, in the order of the text. */
static struct um_formula_result eval(const char *text)
{
	static const double inputs[] = { 2, 3, 5, 7 };
	struct um_formula_result r;
	struct um_formula f;
	struct um_error e;

	ck_assert_msg(um_formula_compile(&f, text, &e) == 0, "%s", e.msg);
	ck_assert_uint_le(f.num_inputs, ARRAY_SIZE(inputs));
	r = um_formula_eval(&f, inputs);
	um_formula_free(&f);
	return r;
}

TEST(formulas_follow_the_rules_of_arithmetic_and_of_perf)
{
	static const struct { const char *text; double v; } cases[] = {
		{ "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 }, { "8 - 4 - 2", 2 }, { "8 / 4 / 2", 1 },
		{ "2-3*4/6+1.25", 1.25 }, { "A", 2 }, { "A + A * B.x", 8 }, { "A / dt", 2.0 / 3 },
		{ "1 - {0x60:0x7} / ({0x63:0x15} + {0x64:0x15})", 0.75 }, { "A-B-C-D_1", -13 },
		{ "((((7))))", 7 }, { "0.5", 0.5 }, { " 1 ", 1 }, { ".5", 0.5 }, { "1.", 1 },
		{ "1e9", 1e9 }, { "0.25e-2", 0.0025 }, { "2\t+\n3", 5 },
		{ "-1", -1 }, { "--1", 1 }, { "- A * B", -6 }, { "A - - B", 5 }, { "3 * -2", -6 },
		{ "7 % 4", 3 }, { "7.9 % 4.9", 3 }, { "-7 % 4", -3 }, { "9 - 7 % 4 * 2", 3 },
		/* Since Linux 6.3, | and & are logical operators, and "if else" has the lowest precedence. */
		{ "1 < 2", 1 }, { "2 < 2", 0 }, { "3 < 2", 0 }, { "2 > 1", 1 }, { "2 > 2", 0 },
		{ "2 <= 2", 1 }, { "3 <= 2", 0 }, { "2 >= 2", 1 }, { "1 >= 2", 0 }, { "2 > = 2", 1 },
		{ "2 < = 1", 0 }, { "1 < 1 + 1", 1 },
		{ "1 & 2", 1 }, { "1 && 0", 0 }, { "0 | 4", 1 }, { "0 || 0", 0 }, { "1 ^ 2", 0 },
		{ "0 ^ 2", 1 }, { "1 | 1 ^ 1", 1 }, { "1 ^ 1 & 0", 1 }, { "3 > 1 & 4 > 2", 1 },
		{ "min(1, 2)", 1 }, { "min(2, 1)", 1 }, { "max(1, 2)", 2 }, { "max(2, 1)", 2 },
		{ "max ( A * B , 1 + 1 ) + 1", 7 }, { "min(max(1, 2), 3)", 2 },
		{ "d_ratio(6, 3)", 2 }, { "d_ratio(6, 0)", 0 },
		{ "1 if 1 else 2", 1 }, { "1 if 0 else 2", 2 }, { "1 + 1 if 0 else 2 + 2", 4 },
		{ "1 if 0 else 2 if 0 else 3", 3 }, { "1 if 0 else 2 if 1 else 3", 2 },
		{ "(1 if 0 else 2) if 1 else 3", 2 }, { "(1 if 1 else 2) if 0 else 3", 3 },
		{ "1 if (0 if 1 else 1) else 2", 2 }, { "1 if 2 > 1 | 0 else 2", 1 },
		{ "10 * (A if B > A else C) + 1", 21 }, { "max(1 if 0 else 4, 2 if 1 else 9)", 4 },
		{ "iffy if elsewhere else minute", 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct um_formula_result r = eval(cases[i].text);

		ck_assert_msg(r.state == UM_FORMULA_VALUE, "%s", cases[i].text);
		ck_assert_msg(fabs(r.value - cases[i].v) < 1e-12, "%s: %g", cases[i].text, r.value);
	}
}

TEST(inputs_may_have_any_published_form)
{
	static const struct {
		const char *text, *input;
		enum um_formula_kind kind;
		int unit;
	} cases[] = {
		{ "UNC_CHA_CLOCKTICKS", "UNC_CHA_CLOCKTICKS", UM_INPUT_NAME, -1 },
		{ "UNC_X.Y_1:u0x80:c1", "UNC_X.Y_1:u0x80:c1", UM_INPUT_NAME, -1 },
		{ "cha@event\\=0x36\\,umask\\=0x21@", "cha/event=0x36,umask=0x21/", UM_INPUT_NAME, -1 },
		/* In Linux's file for Alder Lake, "=" has no backslash before it. */
		{ "msr@tsc\\,cpu=cpu_core@", "msr/tsc,cpu=cpu_core/", UM_INPUT_NAME, -1 },
		{ "topdown\\-fe\\-bound", "topdown-fe-bound", UM_INPUT_NAME, -1 },
		{ "imc@event\\=4@u", "imc/event=4/u", UM_INPUT_NAME, -1 },
		{ "a[0]", "a", UM_INPUT_NAME, 0 }, { "a [ 12 ]", "a", UM_INPUT_NAME, 12 },
		{ "#SMT_on", "#SMT_on", UM_INPUT_LITERAL, -1 }, { "#NA", "#NA", UM_INPUT_LITERAL, -1 },
		{ "source_count(UNC_CHA_CLOCKTICKS)", "source_count(UNC_CHA_CLOCKTICKS)", UM_INPUT_FUNCTION, -1 },
		{ "has_event(cpu@event\\=1@)", "has_event(cpu/event=1/)", UM_INPUT_FUNCTION, -1 },
		{ "{uncore_imc/cas_count_read/}", "uncore_imc/cas_count_read/", UM_INPUT_EVENT, -1 },
		{ "{cbo/event=0x34,umask=0x11/}", "cbo/event=0x34,umask=0x11/", UM_INPUT_EVENT, -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct um_formula f;
		struct um_error e = { .msg = "" };

		ck_assert_msg(um_formula_compile(&f, cases[i].text, &e) == 0, "%s", e.msg);
		ck_assert_uint_eq(f.num_inputs, 1);
		ck_assert_str_eq(f.inputs[0].text, cases[i].input);
		ck_assert_int_eq(f.inputs[0].kind, cases[i].kind);
		ck_assert_int_eq(f.inputs[0].unit, cases[i].unit);
		um_formula_free(&f);
	}
}

TEST(an_input_that_occurs_twice_is_listed_once)
{
	struct um_formula f;
	struct um_error e;

	ck_assert_int_eq(um_formula_compile(&f, "a + b * a[0] - b + a[0] + #a + {a} + a", &e), 0);
	ck_assert_uint_eq(f.num_inputs, 5);
	um_formula_free(&f);
}

TEST(an_invalid_formula_is_refused)
{
	static const char *const cases[] = {
		"", " ", "+", "1 +", "1 1", "A B", "(1", "1)", "()", "1 * / 2", "1.5.2", "0x", "0x60",
		"2A", "A,B", "1e", "a[", "a[]", "a[b]", "a[0", "#", "# a", "{", "{}", "{a",
		"1 if", "1 if 2", "1 if 2 else", "1 else 2", "if 1 else 2", "min(1)", "min(1,", "min(1,2",
		"min(1,2,3)", "mean(1, 2)", "source_count()", "source_count(a", "a = b", "a == b", "!a",
		"a ~ b", "nan +", "1 < > 2", "a $ b",
	};
	struct um_formula f;
	struct um_error e;
	char deep[401] = "";

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(um_formula_compile(&f, cases[i], &e) == -EINVAL, "'%s'", cases[i]);
	memset(deep, '(', 200);
	deep[200] = '1';
	memset(deep + 201, ')', 199);
	ck_assert_int_eq(um_formula_compile(&f, deep, &e), -EINVAL);
}

TEST(a_division_by_zero_has_no_result)
{
	static const char *const cases[] = {
		"A / (B - 3)", "0 / 0", "1 + 1 / 0", "5 % 0", "5 % 0.5", "min(1 / 0, 2)", "-(1 / 0)",
		"1 if 1 / 0 else 2", "1 / 0 if 1 else 2", "1e300 * 1e300",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(eval(cases[i]).state == UM_FORMULA_UNDEFINED, "%s", cases[i]);
	ck_assert_int_eq(eval("1 / 0 if 0 else 2").state, UM_FORMULA_VALUE);
	ck_assert_int_eq(eval("2 if 1 else 1 / 0").state, UM_FORMULA_VALUE);
}

/* "x" has no value. "needed" lists the inputs that may be needed when only #on is known. */
TEST(only_inputs_that_decide_the_result_have_to_be_known)
{
	static const struct {
		const char *text;
		double on;
		enum um_formula_state state;
		const char *needed;
	} cases[] = {
		{ "x + 1", 0, UM_FORMULA_UNKNOWN, "x" },
		{ "1 / 0 + x", 0, UM_FORMULA_UNDEFINED, "x" },
		{ "x if #on else 1", 1, UM_FORMULA_UNKNOWN, "#x" },
		{ "x if #on else 1", 0, UM_FORMULA_VALUE, "#" },
		{ "1 if #on else x", 1, UM_FORMULA_VALUE, "#" },
		{ "a if x else b", 0, UM_FORMULA_UNKNOWN, "xab" },
		{ "a if b else x", 0, UM_FORMULA_VALUE, "bax" },
		{ "c * (a if x > 2 else b) + d", 0, UM_FORMULA_UNKNOWN, "cxabd" },
		{ "a if (0 if x else 0) else b", 0, UM_FORMULA_UNKNOWN, "xab" },
		{ "(a if x else b) if #on else d", 0, UM_FORMULA_VALUE, "#d" },
		{ "(a if x else b) if #on else d", 1, UM_FORMULA_UNKNOWN, "#xab" },
		{ "a if x else (b if #on else d)", 0, UM_FORMULA_UNKNOWN, "xa#d" },
		{ "a if #on > 0 & 2 > 1 else b", 1, UM_FORMULA_VALUE, "#a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double inputs[8], known[8];
		bool needed[8];
		char seen[9] = "";
		struct um_formula_result r;
		struct um_formula f;
		struct um_error e;

		ck_assert_int_eq(um_formula_compile(&f, cases[i].text, &e), 0);
		ck_assert_uint_lt(f.num_inputs, ARRAY_SIZE(inputs));
		for (size_t k = 0; k < f.num_inputs; k++) {
			bool literal = f.inputs[k].kind == UM_INPUT_LITERAL;

			known[k] = literal ? cases[i].on : NAN;
			inputs[k] = literal ? cases[i].on : *f.inputs[k].text == 'x' ? NAN : 7;
		}
		r = um_formula_eval(&f, inputs);
		ck_assert_msg(r.state == cases[i].state, "%s", cases[i].text);
		if (r.state == UM_FORMULA_UNKNOWN)
			ck_assert_str_eq(f.inputs[r.input].text, "x");
		um_formula_needs(&f, known, needed);
		for (const char *c = cases[i].needed; *c; c++)
			for (size_t k = 0; k < f.num_inputs; k++)
				if (needed[k] && (f.inputs[k].kind == UM_INPUT_LITERAL
							  ? *c == '#' : *f.inputs[k].text == *c))
					strncat(seen, c, 1);
		ck_assert_str_eq(seen, cases[i].needed);
		for (size_t k = 0; k < f.num_inputs; k++)
			if (needed[k])
				ck_assert_ptr_nonnull(strchr(cases[i].needed,
					f.inputs[k].kind == UM_INPUT_LITERAL ? '#' : *f.inputs[k].text));
		um_formula_free(&f);
	}
}

SUITE(formula)
