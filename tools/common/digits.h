/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers as characters, whatever the locale. Writing numbers is most of the work of an interval, and snprintf() needs
 * ten times as many instructions. Each function writes at @p, where DIGITS_ROOM bytes must be free, and returns the
 * end.
 */
#ifndef TOOL_DIGITS_H
#define TOOL_DIGITS_H

#include <stdint.h>

/* The longest number is a real one: sign, 20 digits, point, 15 decimals. Eight digits are written at a time. */
enum { DIGITS_ROOM = 48 };

char *digits_u64(char *p, uint64_t v);
char *digits_hex(char *p, uint64_t v); /* lower case, no 0x, no leading zeros */
/* @v in units of 10^-@digits (0 to 9): 1500 with 3 digits is 1.500. */
char *digits_fixed(char *p, uint64_t v, unsigned digits);
/* @v with @digits (0 to 15) decimals and a point; from 2^64 on with 15 significant digits and an exponent. */
char *digits_real(char *p, double v, unsigned digits);
/* @v with about twelve significant digits, enough for a measured value; below 10^-6 with an exponent. */
char *digits_measured(char *p, double v);
/* Unix time in ns as RFC 3339 in UTC, with @digits (0 to 9) decimals of a second. */
char *digits_time(char *p, uint64_t wall_ns, unsigned digits);

#endif
