/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arithmetic over events, from text to a list of steps that is worked out for each interval.
 *
 *   sum     = product *( ( "+" / "-" ) product )
 *   product = factor *( ( "*" / "/" ) factor )
 *   factor  = "(" sum ")" / "dt" / event / number
 *   event   = NAME                       ; as in the event tables, "UNC_L3_HITS.READ"
 *           / "0x" hex ":" "0x" hex      ; event select and unit mask
 *   number  = digits [ "." digits ]
 *
 * Blanks may stand between them. "dt" is the length of the interval in seconds.
 */
#ifndef UM_FORMULA_H
#define UM_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { UM_FORMULA_STEPS = 48, UM_FORMULA_INPUTS = 12, UM_FORMULA_DEPTH = 8 };

/* A step pushes a number, or takes the two topmost ones and pushes what they make. */
enum um_formula_op { UM_PUSH_NUMBER, UM_PUSH_INPUT, UM_PUSH_DT, UM_ADD, UM_SUB, UM_MUL, UM_DIV };

struct um_formula {
	struct um_formula_step {
		enum um_formula_op op;
		size_t input;
		double number;
	} steps[UM_FORMULA_STEPS];
	size_t num_steps;
	/* The events, each once, in the order in which the text has them; pieces of that text. */
	struct um_formula_input {
		const char *text;
		size_t len;
	} inputs[UM_FORMULA_INPUTS];
	size_t num_inputs;
};

/* @text must stay where it is. -EINVAL, with a sentence in @e: it is not understood. */
int um_formula_compile(struct um_formula *f, const char *text, struct um_error *e) UM_MUST_CHECK;
/* 0; -EDOM a division by zero, and *result is left alone. */
int um_formula_eval(const struct um_formula *f, const double inputs[], double dt,
		    double *result) UM_MUST_CHECK;

#endif
