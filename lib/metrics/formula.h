/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compile formulas of metrics from text into a list of steps, which is evaluated for each interval. One grammar
 * covers our own formulas and both published forms (intel/perfmon, perf's JSON):
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
 *           / "{" any text "}"            ; an event whose name has other characters
 *           / "#" NAME                    ; a fact about the machine
 *           / NAME "(" text ")"           ; a fact with an argument: source_count(), has_event() and others
 *   number  = digits [ "." digits ] [ "e" [ "-" ] digits ]; the digits before "." may be missing
 *
 * In a NAME a backslash makes the next character literal. Between two "@" a comma, "=" and "-" need no backslash. The
 * operators "|", "^" and "&" give true or false, as in perf since Linux 6.3. Source: Linux tools/perf/util/expr.l
 * and expr.y; the legends of intel/perfmon's metric files.
 */
#ifndef UM_FORMULA_H
#define UM_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum um_formula_kind {
	UM_INPUT_NAME,                     /* an event, a constant, or another metric */
	UM_INPUT_EVENT,                    /* an event whose name was written in braces */
	UM_INPUT_LITERAL,                  /* a fact about the machine: "#SMT_on" */
	UM_INPUT_FUNCTION                  /* a whole call: "source_count(UNC_CHA_CLOCKTICKS)" */
};

struct um_formula {
	struct um_formula_step *steps;
	size_t num_steps;
	/* Every input of the formula once, in the order of the text. */
	struct um_formula_input {
		char *text;                /* name without braces and backslashes */
		enum um_formula_kind kind;
		int unit;                  /* 0 for NAME[0]; -1: all units */
	} *inputs;
	size_t num_inputs;
};

struct um_formula_result {
	enum um_formula_state {
		UM_FORMULA_VALUE,
		UM_FORMULA_UNKNOWN,        /* an input that is needed has no value */
		UM_FORMULA_UNDEFINED       /* a needed branch divides by 0, or its result is too large */
	} state;
	double value;                      /* if UM_FORMULA_UNDEFINED: NAN (division by 0) or infinite */
	size_t input;                      /* for UM_FORMULA_UNKNOWN: the first needed input that has no value */
};

/*
 * Compile @text. The caller frees *f with um_formula_free(). On failure there is nothing to free: -EINVAL, the text
 * is no formula (message in @e); -ENOMEM.
 */
int um_formula_compile(struct um_formula *f, const char *text, struct um_error *e) UM_MUST_CHECK;
void um_formula_free(struct um_formula *f);
/* Evaluate the formula. @inputs: a value for each input; NAN: unknown. A branch that is not taken needs no values. */
struct um_formula_result um_formula_eval(struct um_formula *f, const double inputs[]);
/* Find the inputs that may be needed, given those known (not NAN): an input only in branches never taken is not. */
void um_formula_needs(struct um_formula *f, const double inputs[], bool needed[]);

#endif
