/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers as sysfs and event strings have them, independent of the locale. */
#ifndef UM_PERF_NUMBER_H
#define UM_PERF_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal or 0x hexadecimal that fills the text exactly. */
bool um_perf_number(const char *text, size_t len, uint64_t *value);
/* 1 to 16 hexadecimal digits without 0x. */
bool um_perf_hex(const char *text, size_t len, uint64_t *value);
/* What a text begins with, and where it ends, whatever the locale says; false: nothing finite. */
bool um_real_number(const char *text, const char **end, double *value);
/* "3.814697266e-6", and nothing else. */
bool um_perf_scale(const char *text, double *value);

#endif
