/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers as sysfs and event strings write them, independent of the locale. */
#ifndef UM_PERF_NUMBER_H
#define UM_PERF_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Read a number, decimal or hexadecimal with 0x, that fills the text exactly. False: the text is not such a number. */
bool um_perf_number(const char *text, size_t len, uint64_t *value) UM_CROSSES;
/*
 * Read the decimal digits at *at and move *at past them. False: there are no digits, or the number is above @max; *at
 * is unchanged.
 */
bool um_read_decimal(const char **at, unsigned max, unsigned *value) UM_CROSSES;
/* Read "3" or "0-3" at *at and move *at past it. False: there is no such range, and *at points to the error. */
bool um_read_range(const char **at, unsigned max, unsigned *first, unsigned *last) UM_CROSSES;
/* Write the decimal digits of @n at @at, but not beyond @end, and no NUL. Returns the end of the digits. */
char *um_put_decimal(char *at, const char *end, unsigned n);
/* Read 1 to 16 hexadecimal digits, without 0x, that fill the text exactly. */
bool um_perf_hex(const char *text, size_t len, uint64_t *value);
/*
 * Read the number at the beginning of a text, independent of the locale. *end points to the first character after it.
 * False: there is no finite number.
 */
bool um_real_number(const char *text, const char **end, double *value) UM_CROSSES;
/* Read a number like "3.814697266e-6" that fills the text exactly. */
bool um_perf_scale(const char *text, double *value);

#endif
