/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compile formulas by recursive descent into steps in reverse Polish order. Evaluation computes every step. */
#include "metrics/formula.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "common/text.h"

/* Published formulas nest 17 levels of parentheses (2025); a chain of "else" counts too. */
enum { MAX_DEPTH = 128 };

struct um_formula_step {
	enum op {
		OP_NUMBER, OP_INPUT, OP_NEGATE,
		OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_MODULO,
		OP_LESS, OP_GREATER, OP_LESS_OR_EQUAL, OP_GREATER_OR_EQUAL,
		OP_AND, OP_XOR, OP_OR, OP_MIN, OP_MAX, OP_RATIO,
		OP_CHOICE          /* operands as in the text: value, condition, other value */
	} op;
	size_t input;
	size_t size;               /* number of steps of the expression that ends with this step */
	double number;
	struct um_formula_result result;
	bool needed;               /* set by um_formula_needs() */
};

enum { OTHER, CONDITION, VALUE }; /* operands of OP_CHOICE, counted from the last */

static size_t num_operands(enum op op)
{
	return op == OP_NUMBER || op == OP_INPUT ? 0 : op == OP_NEGATE ? 1 : op == OP_CHOICE ? 3 : 2;
}

/* Index of the last step of operand @index of step @at. Operand 0 is the last one. */
static size_t operand_of(const struct um_formula *f, size_t at, size_t index)
{
	for (at--; index; index--)
		at -= f->steps[at].size;
	return at;
}

/* ---- compiling ---- */

struct scan {
	struct um_formula *f;
	const char *text, *at;
	unsigned depth;
	struct um_error *e;
};

static int choice(struct scan *s);

static int bad(struct scan *s, const char *what)
{
	return UM_USAGE(s->e, "formula '%.60s%s': %s at %s%.20s%s", s->text, strlen(s->text) > 60 ? "..." : "", what,
			*s->at ? "'" : "its end", s->at, *s->at ? "'" : "");
}

static void skip_blanks(struct scan *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static bool accept_sign(struct scan *s, const char *sign)
{
	const char *from = s->at;

	for (; *sign; sign++, s->at++) {
		skip_blanks(s);
		if (*s->at != *sign) {
			s->at = from;
			return false;
		}
	}
	return true;
}

static int expect(struct scan *s, const char *sign, const char *otherwise)
{
	return accept_sign(s, sign) ? 0 : bad(s, otherwise);
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:?@\\", c));
}

static bool take_word(struct scan *s, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(s);
	if (strncmp(s->at, word, len) != 0 || is_name(s->at[len]))
		return false;
	s->at += len;
	return true;
}

static int push(struct scan *s, enum op op, size_t input, double number)
{
	struct um_formula *f = s->f;
	struct um_formula_step step = { .op = op, .input = input, .size = 1, .number = number };

	for (size_t i = num_operands(op); i > 0; i--)
		step.size += f->steps[f->num_steps - step.size].size;
	return ARRAY_APPEND(f->steps, f->num_steps, step) ? um_no_memory(s->e) : 0;
}

/* Takes ownership of @text. NULL: allocation failed. */
static int push_input(struct scan *s, enum um_formula_kind kind, char *text, int unit)
{
	struct um_formula *f = s->f;
	size_t i;

	if (!text)
		return um_no_memory(s->e);
	for (i = 0; i < f->num_inputs; i++)
		if (f->inputs[i].kind == kind && f->inputs[i].unit == unit &&
		    strcmp(f->inputs[i].text, text) == 0)
			break;
	if (i < f->num_inputs) {
		free(text);
	} else if (ARRAY_APPEND(f->inputs, f->num_inputs, (struct um_formula_input){ text, kind, unit })) {
		free(text);
		return um_no_memory(s->e);
	}
	return push(s, OP_INPUT, i, 0);
}

static const char *name_end(const char *at)
{
	for (bool inside = false; is_name(*at) || (inside && *at && strchr(",=-", *at)); at++) {
		inside ^= *at == '@';
		at += *at == '\\' && at[1];
	}
	return at;
}

/* Copy a name in our syntax: "@" becomes "/", and a backslash is dropped before the next character. */
static char *copy_name(const char *from, const char *end)
{
	char *text = malloc((size_t)(end - from) + 1), *to = text;

	for (; text && from < end; from++) {
		if (*from == '\\' && from + 1 < end)
			*to++ = *++from;
		else
			*to++ = *from == '@' ? '/' : *from;
	}
	if (text)
		*to = '\0';
	return text;
}

/* The input from @from to the next @sign; @keep: include the sign. */
static int until(struct scan *s, enum um_formula_kind kind, const char *from, char sign, bool keep)
{
	const char *end = strchr(s->at, sign);

	if (!end || end == s->at)
		return bad(s, "no name");
	s->at = end + 1;
	return push_input(s, kind, copy_name(from, end + keep), -1);
}

static int unit_number(struct scan *s, int *unit)
{
	unsigned number;

	*unit = -1;
	if (!accept_sign(s, "["))
		return 0;
	skip_blanks(s);
	if (!um_read_decimal(&s->at, INT_MAX, &number))
		return bad(s, "no unit number");
	*unit = (int)number;
	return expect(s, "]", "no closing bracket");
}

static int two_arguments(struct scan *s, enum op op)
{
	return choice(s) ?: expect(s, ",", "no second argument") ?: choice(s) ?:
	       expect(s, ")", "no closing parenthesis") ?: push(s, op, 0, 0);
}

static int function(struct scan *s, const char *name, size_t len)
{
	static const struct {
		char name[8];
		enum op op;
	} of_numbers[] = { { "min", OP_MIN }, { "max", OP_MAX }, { "d_ratio", OP_RATIO } };
	static const char of_names[][20] = { "source_count", "has_event", "strcmp_cpuid_str" };

	for (size_t i = 0; i < ARRAY_SIZE(of_numbers); i++)
		if (um_is_word(name, len, of_numbers[i].name))
			return two_arguments(s, of_numbers[i].op);
	for (size_t i = 0; i < ARRAY_SIZE(of_names); i++)
		if (um_is_word(name, len, of_names[i]))
			return until(s, UM_INPUT_FUNCTION, name, ')', true);
	s->at = name;
	return bad(s, "no such function");
}

static int name(struct scan *s)
{
	const char *from = s->at, *end = name_end(from);
	int err, unit;

	s->at = end;
	if (accept_sign(s, "("))
		return function(s, from, (size_t)(end - from));
	s->at = end;
	err = unit_number(s, &unit);
	return err ? err : push_input(s, UM_INPUT_NAME, copy_name(from, end), unit);
}

static int literal(struct scan *s)
{
	const char *from = s->at;

	s->at = name_end(from + 1);
	return s->at == from + 1 ? bad(s, "no name")
			     : push_input(s, UM_INPUT_LITERAL, copy_name(from, s->at), -1);
}

static int number(struct scan *s)
{
	const char *end;
	double value;

	if (s->at[1] == 'x' || !um_real_number(s->at, &end, &value) || is_name(*end))
		return bad(s, "no number");
	s->at = end;
	return push(s, OP_NUMBER, 0, value);
}

static int operand(struct scan *s)
{
	if (accept_sign(s, "("))
		return choice(s) ?: expect(s, ")", "no closing parenthesis");
	if (accept_sign(s, "{"))
		return until(s, UM_INPUT_EVENT, s->at, '}', false);
	skip_blanks(s);
	if (*s->at == '#')
		return literal(s);
	if (isdigit((unsigned char)*s->at) || *s->at == '.')
		return number(s);
	if (isalpha((unsigned char)*s->at) || *s->at == '_')
		return name(s);
	return bad(s, "an event or a number is missing");
}

static int unary(struct scan *s)
{
	bool negative = false;
	int err;

	while (accept_sign(s, "-"))
		negative = !negative;
	err = operand(s);
	return err || !negative ? err : push(s, OP_NEGATE, 0, 0);
}

/* Operators by precedence, the weakest first. */
static const struct level {
	struct {
		char sign[3];  /* the first match wins, so "||" is before "|" */
		enum op op;
	} signs[5];
} levels[] = {
	{ { { "||", OP_OR }, { "|", OP_OR } } },
	{ { { "^", OP_XOR } } },
	{ { { "&&", OP_AND }, { "&", OP_AND } } },
	{ { { "<=", OP_LESS_OR_EQUAL }, { ">=", OP_GREATER_OR_EQUAL }, { "<", OP_LESS },
	    { ">", OP_GREATER } } },
	{ { { "+", OP_ADD }, { "-", OP_SUBTRACT } } },
	{ { { "*", OP_MULTIPLY }, { "/", OP_DIVIDE }, { "%", OP_MODULO } } },
};

static int chain(struct scan *s, const struct level *level)
{
	int err;

	if (level == levels + ARRAY_SIZE(levels))
		return unary(s);
	err = chain(s, level + 1);
	while (!err) {
		size_t i = 0;

		while (*level->signs[i].sign && !accept_sign(s, level->signs[i].sign))
			i++;
		if (!*level->signs[i].sign)
			break;
		err = chain(s, level + 1) ?: push(s, level->signs[i].op, 0, 0);
	}
	return err;
}

static int choice(struct scan *s)
{
	int err;

	if (s->depth == MAX_DEPTH)
		return bad(s, "too deep");
	s->depth++;
	err = chain(s, levels);
	if (!err && take_word(s, "if")) {
		err = chain(s, levels);
		if (!err && !take_word(s, "else"))
			err = bad(s, "no 'else'");
		err = err ?: choice(s) ?: push(s, OP_CHOICE, 0, 0);
	}
	s->depth--;
	return err;
}

int um_formula_compile(struct um_formula *f, const char *text, struct um_error *e)
{
	struct scan s = { .f = f, .text = text, .at = text, .e = e };
	int err;

	*f = (struct um_formula){ 0 };
	err = choice(&s);
	skip_blanks(&s);
	if (!err && *s.at)
		err = bad(&s, "unexpected text");
	if (err)
		um_formula_free(f);
	return err;
}

void um_formula_free(struct um_formula *f)
{
	for (size_t i = 0; i < f->num_inputs; i++)
		free(f->inputs[i].text);
	free(f->inputs);
	free(f->steps);
	*f = (struct um_formula){ 0 };
}

/* ---- evaluating ---- */

static bool is_zero(double v)
{
	return !(v < 0) && !(v > 0);
}

/* Truncate both numbers to integers first, as perf does. */
static double remainder_of(double a, double b)
{
	const double limit = (double)INT64_MAX;

	if (!(a > -limit && a < limit && b > -limit && b < limit))
		return INFINITY;
	return (int64_t)b ? (double)((int64_t)a % (int64_t)b) : NAN;
}

/* Apply an operator to finite numbers. NAN: a division by 0; infinite: a number is too large. */
static double apply(enum op op, double a, double b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUBTRACT: return a - b;
	case OP_MULTIPLY: return a * b;
	case OP_DIVIDE: return is_zero(b) ? NAN : a / b;
	case OP_MODULO: return remainder_of(a, b);
	case OP_LESS: return a < b;
	case OP_GREATER: return a > b;
	case OP_LESS_OR_EQUAL: return a <= b;
	case OP_GREATER_OR_EQUAL: return a >= b;
	case OP_AND: return !is_zero(a) && !is_zero(b);
	case OP_XOR: return is_zero(a) != is_zero(b);
	case OP_OR: return !is_zero(a) || !is_zero(b);
	case OP_MIN: return a < b ? a : b;
	case OP_MAX: return a > b ? a : b;
	/* d_ratio() is defined as 0 if the divisor is 0. */
	case OP_RATIO: return is_zero(b) ? 0 : a / b;
	default: return NAN;
	}
}

typedef struct um_formula_result result;

static result of_two(enum op op, result a, result b)
{
	if (a.state != UM_FORMULA_VALUE || b.state != UM_FORMULA_VALUE)
		return a.state != UM_FORMULA_VALUE ? a : b;
	a.value = apply(op, a.value, b.value);
	a.state = isfinite(a.value) ? UM_FORMULA_VALUE : UM_FORMULA_UNDEFINED;
	return a;
}

static result of_input(const double inputs[], size_t i)
{
	return isfinite(inputs[i]) ? (result){ .state = UM_FORMULA_VALUE, .value = inputs[i] }
				   : (result){ .state = UM_FORMULA_UNKNOWN, .input = i };
}

/* The operand whose value is the result of a choice: one of the two values, or the condition if it has no value. */
static size_t chosen(const struct um_formula *f, size_t at)
{
	size_t condition = operand_of(f, at, CONDITION);

	if (f->steps[condition].result.state != UM_FORMULA_VALUE)
		return condition;
	return operand_of(f, at, is_zero(f->steps[condition].result.value) ? OTHER : VALUE);
}

static result of_step(const struct um_formula *f, size_t at, const double inputs[])
{
	const struct um_formula_step *step = &f->steps[at];
	result r = { .state = UM_FORMULA_VALUE, .value = step->number };

	switch (step->op) {
	case OP_NUMBER:
		return r;
	case OP_INPUT:
		return of_input(inputs, step->input);
	case OP_NEGATE:
		r = f->steps[at - 1].result;
		r.value = -r.value;
		return r;
	case OP_CHOICE:
		return f->steps[chosen(f, at)].result;
	default:
		return of_two(step->op, f->steps[operand_of(f, at, 1)].result, f->steps[at - 1].result);
	}
}

struct um_formula_result um_formula_eval(struct um_formula *f, const double inputs[])
{
	for (size_t at = 0; at < f->num_steps; at++)
		f->steps[at].result = of_step(f, at, inputs);
	return f->steps[f->num_steps - 1].result;
}

/* Go backwards from the last step. If the condition of a choice is known, only the chosen value is needed. */
void um_formula_needs(struct um_formula *f, const double inputs[], bool needed[])
{
	memset(needed, 0, f->num_inputs * sizeof(*needed));
	for (size_t at = 0; at < f->num_steps; at++)
		f->steps[at].needed = at + 1 == f->num_steps;
	um_formula_eval(f, inputs);
	for (size_t at = f->num_steps; at-- > 0;) {
		const struct um_formula_step *step = &f->steps[at];
		size_t condition = step->op == OP_CHOICE ? operand_of(f, at, CONDITION) : 0;

		if (!step->needed)
			continue;
		if (step->op == OP_INPUT)
			needed[step->input] = true;
		if (step->op == OP_CHOICE && chosen(f, at) != condition) {
			f->steps[condition].needed = f->steps[chosen(f, at)].needed = true;
			continue;
		}
		for (size_t i = 0; i < num_operands(step->op); i++)
			f->steps[operand_of(f, at, i)].needed = true;
	}
}
