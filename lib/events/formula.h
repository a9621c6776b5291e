/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The formulas of metrics, from text to a list of steps that is worked out for each interval. One
 * grammar reads those of our tables and both published forms (intel/perfmon, perf's JSON):
 *
 *   choice  = or [ "if" or "else" choice ]
 *   or      = xor *( ( "|" / "||" ) xor )
 *   xor     = and *( "^" and )
 *   and     = compare *( ( "&" / "&&" ) compare )
 *   compare = sum *( ( "<" / ">" / "<=" / ">=" ) sum )   ; blanks may stand in "> ="
 *   sum     = product *( ( "+" / "-" ) product )
 *   product = unary *( ( "*" / "/" / "%" ) unary )
 *   unary   = "-" unary / "(" choice ")" / number / input / function
 *   function = ( "min" / "max" / "d_ratio" ) "(" choice "," choice ")"
 *
 *   input   = NAME [ "[" digits "]" ]     ; letters, digits, "_", ".", ":", "?", and "@" for "/"
 *           / "{" any text "}"            ; an event that has other characters
 *           / "#" NAME                    ; something about the machine
 *           / NAME "(" text ")"           ; the same: source_count(), has_event() and others
 *   number  = digits [ "." digits ] [ "e" [ "-" ] digits ], or with the first digits left out
 *
 * In a NAME a backslash takes the next character as it is. What stands between two "@" may have ","
 * and "=" without it. What "|", "^" and "&" join is true or false, as in perf since Linux 6.3.
 * Source: Linux tools/perf/util/expr.l and expr.y; the legends of intel/perfmon's metric files.
 */
#ifndef UM_FORMULA_H
#define UM_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum um_formula_kind {
	UM_INPUT_NAME,                     /* an event, a constant, or another metric */
	UM_INPUT_EVENT,                    /* was in braces */
	UM_INPUT_LITERAL,                  /* "#SMT_on" */
	UM_INPUT_FUNCTION                  /* "source_count(UNC_CHA_CLOCKTICKS)", whole */
};

struct um_formula {
	struct um_formula_step *steps;
	size_t num_steps;
	/* What it is worked out from, each once, in the order of the text. */
	struct um_formula_input {
		char *text;                /* without "{", "}" and backslashes */
		enum um_formula_kind kind;
		int unit;                  /* of NAME[0]; -1: all */
	} *inputs;
	size_t num_inputs;
	struct um_formula_result *stack;   /* while it is worked out */
	unsigned char *marks;
};

struct um_formula_result {
	enum um_formula_state {
		UM_FORMULA_VALUE,
		UM_FORMULA_UNKNOWN,        /* an input that is needed has no value */
		UM_FORMULA_UNDEFINED       /* a division by 0 that is needed */
	} state;
	double value;                      /* of UM_FORMULA_VALUE */
	size_t input;                      /* of UM_FORMULA_UNKNOWN: the first that has none */
};

/*
 * *f belongs to the caller, for um_formula_free(). -EINVAL, with a sentence in @e: it is not understood;
 * -ENOMEM; then there is nothing to free.
 */
int um_formula_compile(struct um_formula *f, const char *text, struct um_error *e) UM_MUST_CHECK;
void um_formula_free(struct um_formula *f);
/* @inputs: a number for each input; NAN: unknown. A branch that is not taken needs none. */
struct um_formula_result um_formula_eval(struct um_formula *f, const double inputs[]);
/*
 * Which inputs can still be needed when those are known that are not NAN in @inputs: not those of a
 * branch that is never taken.
 */
void um_formula_needs(struct um_formula *f, const double inputs[], bool needed[]);

#endif
