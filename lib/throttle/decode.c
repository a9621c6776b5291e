/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What register values mean. Pure functions: they need no machine, only its model and CPUID. */
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

/* Target temperatures on real machines go from 69 to 125 degrees C; a value far outside is invalid. */
enum { TARGET_MIN = 50, TARGET_MAX = 130 };

int um_thermal_below(const struct um_thermal_reg *row, unsigned gates, uint64_t value)
{
	bool is_status = row->role == UM_ROLE_CORE_STATUS || row->role == UM_ROLE_PACKAGE_STATUS;

	/* Bit 31 (valid) is reserved in the package's register, but is 1 on all processors that have the register. */
	return is_status && (gates & UM_GATE_DTS) && (value & BIT(31)) ? (int)(value >> 16 & 0x7f) : -1;
}

uint64_t um_thermal_log_bits(const struct um_thermal_reg *row, unsigned gates)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < row->num_bits; i++)
		bits |= row->bits[i].gates & ~gates ? 0 : BIT(row->bits[i].log);
	return bits;
}

int um_thermal_target(uint64_t value)
{
	int target = (int)(value >> 16 & 0xff);

	return target >= TARGET_MIN && target <= TARGET_MAX ? target : 0;
}

/* Bit 4 enables clock modulation; while it is off, the duty field often holds a preset. A duty of 0 is reserved. */
double um_thermal_duty(uint64_t value, unsigned gates)
{
	double duty = gates & UM_GATE_ECMD ? (double)(value & 0xf) / 16
					   : (double)(value >> 1 & 7) / 8;

	return (value & BIT(4)) && duty > 0 ? duty : 1;
}

static const char *bit_name(const struct um_field *fields, unsigned bit)
{
	for (const struct um_field *f = fields; *f->name; f++)
		if (f->shift == bit && f->width == 1)
			return f->name;
	return NULL;
}

char *um_thermal_bits(const struct um_field *fields, uint64_t mask, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned bit = 0; bit < 64; bit++) {
		const char *name = mask >> bit & 1 ? bit_name(fields, bit) : NULL;

		if (!name || len >= size)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? " " : "", name);
	}
	return buf;
}

/* Form of the name, "Intel(R) Xeon(R) CPU X5650 @ 2.67GHz": Intel SDM volume 2A, CPUID. */
double um_thermal_brand_hz(const char *brand)
{
	const char *at = strchr(brand, '@'), *unit;
	double hz;

	if (!at || !um_real_number(at + 1, &unit, &hz))
		return 0;
	hz *= um_starts_with(unit, "GHz") ? 1e9 : um_starts_with(unit, "MHz") ? 1e6 : 0;
	return hz > 0 && hz < UM_HZ_BEYOND_ANY ? hz : 0;
}
