/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers as sysfs and event strings write them, independent of the locale. */
#ifndef UM_PERF_NUMBER_H
#define UM_PERF_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* A decimal or 0x hexadecimal number that fills the text exactly. */
bool um_perf_number(const char *text, size_t len, uint64_t *value) UM_CROSSES;
/*
 * The decimal digits at *at, which then points behind them. False, and *at stays: there are none, or the number is above
 * @max.
 */
bool um_read_decimal(const char **at, unsigned max, unsigned *value) UM_CROSSES;
/* "3" or "0-3" at *at, which then points behind it. False: it is no such range, and *at points to the error. */
bool um_read_range(const char **at, unsigned max, unsigned *first, unsigned *last);
/* Write the decimal digits of @n at @at, but not beyond @end, and no NUL. Returns the end of the digits. */
char *um_put_decimal(char *at, const char *end, unsigned n);
/* 1 to 16 hexadecimal digits without 0x. */
bool um_perf_hex(const char *text, size_t len, uint64_t *value);
/*
 * The number at the beginning of a text, independent of the locale; @end is where it ends. False: there is no
 * finite number.
 */
bool um_real_number(const char *text, const char **end, double *value) UM_CROSSES;
/* A number like "3.814697266e-6" that fills the text exactly. */
bool um_perf_scale(const char *text, double *value);

#endif
