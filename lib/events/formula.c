/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recursive descent into steps in reverse Polish order; the grammar stands in formula.h. */
#include "events/formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct scan {
	struct um_formula *f;
	const char *text, *at;
	unsigned depth;
	struct um_error *e;
};

static int sum(struct scan *s);

static int bad(struct scan *s, const char *what)
{
	return um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "formula '%s': %s at '%s'", s->text,
		       what, s->at);
}

static void skip_blanks(struct scan *s)
{
	while (*s->at == ' ')
		s->at++;
}

/* The next sign, if it is one of @signs; else 0. */
static char take(struct scan *s, const char *signs)
{
	skip_blanks(s);
	return *s->at && strchr(signs, *s->at) ? *s->at++ : '\0';
}

static int push(struct scan *s, struct um_formula_step step)
{
	if (s->f->num_steps == UM_FORMULA_STEPS)
		return bad(s, "too long");
	s->f->steps[s->f->num_steps++] = step;
	return 0;
}

static int push_input(struct scan *s, const char *from)
{
	struct um_formula *f = s->f;
	size_t len = (size_t)(s->at - from), i;

	for (i = 0; i < f->num_inputs; i++)
		if (f->inputs[i].len == len && !memcmp(f->inputs[i].text, from, len))
			break;
	if (i == UM_FORMULA_INPUTS)
		return bad(s, "too many events");
	if (i == f->num_inputs)
		f->inputs[f->num_inputs++] = (struct um_formula_input){ from, len };
	return push(s, (struct um_formula_step){ .op = UM_PUSH_INPUT, .input = i });
}

static int name(struct scan *s)
{
	const char *from = s->at;

	while (isalnum((unsigned char)*s->at) || *s->at == '_' || *s->at == '.')
		s->at++;
	if (s->at - from == 2 && !memcmp(from, "dt", 2))
		return push(s, (struct um_formula_step){ .op = UM_PUSH_DT });
	return push_input(s, from);
}

static bool hex_number(struct scan *s)
{
	const char *from;

	if (s->at[0] != '0' || s->at[1] != 'x')
		return false;
	for (from = s->at += 2; isxdigit((unsigned char)*s->at);)
		s->at++;
	return s->at > from;
}

static int pair(struct scan *s)
{
	const char *from = s->at;

	if (!hex_number(s) || *s->at != ':')
		return bad(s, "no event and unit mask");
	s->at++;
	if (!hex_number(s))
		return bad(s, "no unit mask");
	return push_input(s, from);
}

/* Not strtod(): that one follows the locale. */
static int number(struct scan *s)
{
	struct um_formula_step step = { .op = UM_PUSH_NUMBER };
	double scale = 1;

	for (; isdigit((unsigned char)*s->at); s->at++)
		step.number = step.number * 10 + (*s->at - '0');
	if (*s->at == '.' && !isdigit((unsigned char)s->at[1]))
		return bad(s, "no digits");
	if (*s->at == '.')
		for (s->at++; isdigit((unsigned char)*s->at); s->at++)
			step.number += (*s->at - '0') * (scale /= 10);
	if (isalpha((unsigned char)*s->at) || *s->at == '_' || *s->at == '.')
		return bad(s, "no number");
	return push(s, step);
}

static int factor(struct scan *s)
{
	int err;

	if (take(s, "(")) {
		if (s->depth++ == UM_FORMULA_DEPTH)
			return bad(s, "too deep");
		err = sum(s);
		if (!err && !take(s, ")"))
			err = bad(s, "no closing parenthesis");
		s->depth--;
		return err;
	}
	if (s->at[0] == '0' && s->at[1] == 'x')
		return pair(s);
	if (isdigit((unsigned char)*s->at))
		return number(s);
	if (isalpha((unsigned char)*s->at))
		return name(s);
	return bad(s, "no event or number");
}

static enum um_formula_op op_of(char sign)
{
	return sign == '+' ? UM_ADD : sign == '-' ? UM_SUB : sign == '*' ? UM_MUL : UM_DIV;
}

/* @operand, and any number of them with one of @signs between. */
static int chain(struct scan *s, int (*operand)(struct scan *s), const char *signs)
{
	int err = operand(s);
	char sign;

	while (!err && (sign = take(s, signs))) {
		err = operand(s);
		if (!err)
			err = push(s, (struct um_formula_step){ .op = op_of(sign) });
	}
	return err;
}

static int product(struct scan *s)
{
	return chain(s, factor, "*/");
}

static int sum(struct scan *s)
{
	return chain(s, product, "+-");
}

int um_formula_compile(struct um_formula *f, const char *text, struct um_error *e)
{
	struct scan s = { .f = f, .text = text, .at = text, .e = e };
	int err;

	f->num_steps = f->num_inputs = 0;
	err = sum(&s);
	skip_blanks(&s);
	return err ? err : *s.at ? bad(&s, "unexpected text") : 0;
}

int um_formula_eval(const struct um_formula *f, const double inputs[], double dt, double *result)
{
	double stack[UM_FORMULA_STEPS], *top = stack; /* behind the topmost */

	for (size_t i = 0; i < f->num_steps; i++) {
		const struct um_formula_step *step = &f->steps[i];

		if (step->op <= UM_PUSH_DT) {
			*top++ = step->op == UM_PUSH_NUMBER ? step->number
				 : step->op == UM_PUSH_INPUT ? inputs[step->input] : dt;
			continue;
		}
		top--;
		/* Counts are whole: what is 0 is exactly 0. */
		if (step->op == UM_DIV && !(top[0] < 0 || top[0] > 0))
			return -EDOM;
		top[-1] = step->op == UM_ADD ? top[-1] + top[0]
			  : step->op == UM_SUB ? top[-1] - top[0]
			  : step->op == UM_MUL ? top[-1] * top[0] : top[-1] / top[0];
	}
	*result = stack[0];
	return 0;
}
