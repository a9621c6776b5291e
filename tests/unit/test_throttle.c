/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Meanings of known register values. The bits of each register are in test_uarch_thermal.c.
 *
 * Uses internal headers, because it judges single values without a machine.
 */
#include <string.h>

#include "suite.h"
#include "throttle/throttle.h"

/* ---- names of bits ---- */

static const struct um_thermal_model *intel(int model)
{
	const struct um_thermal_model *m = um_thermal_find("GenuineIntel", 6, model);

	ck_assert_ptr_nonnull(m);
	return m;
}

TEST(each_of_64_bits_has_the_name_of_its_field)
{
	static const struct um_field fields[] = {
		{ "LOW", 0, 1, "" }, { "WIDE", 1, 2, "" }, { "NEXT", 3, 1, "" }, { "HIGH", 63, 1, "" }, { .name = "" },
	};
	char names[UM_BITS];

	ck_assert_str_eq(um_thermal_bits(fields, UINT64_MAX, names, sizeof(names)), "LOW NEXT HIGH");
	ck_assert_str_eq(um_thermal_bits(fields, 8, names, sizeof(names)), "NEXT");
}

TEST(names_of_bits_are_cut_to_the_buffer)
{
	const struct um_thermal_reg *reg = um_thermal_reg(intel(0x3f), ~0u, UM_ROLE_LIMITS);
	char names[40];

	for (size_t room = 1; room < 32; room++) {
		memset(names, 'x', sizeof(names));
		um_thermal_bits(um_reg_fields(&reg->reg), ~UINT64_C(0), names, room);
		ck_assert_uint_eq(strlen(names), room - 1);
		for (size_t i = room; i < sizeof(names); i++)
			ck_assert_int_eq(names[i], 'x');
	}
}

/* ---- values ---- */

static int below(int model, enum um_thermal_role role, unsigned gates, uint64_t value)
{
	return um_thermal_below(um_thermal_reg(intel(model), ~0u, role), gates, value);
}

TEST(a_status_has_the_degrees_below_the_target_if_they_are_valid)
{
	ck_assert_int_eq(below(0x2e, UM_ROLE_CORE_STATUS, ~0u, 0x88330008), 51);
	ck_assert_int_eq(below(0x55, UM_ROLE_PACKAGE_STATUS, ~0u, 0x880003c3), 0);
	ck_assert_int_eq(below(0x2e, UM_ROLE_CORE_STATUS, ~0u, 0x08330008), -1);
	ck_assert_int_eq(below(0x2c, UM_ROLE_CORE_STATUS, ~(unsigned)UM_GATE_DTS, 0x88330000), -1);
	ck_assert_int_eq(below(0x3f, UM_ROLE_LIMITS, ~0u, 0x88330000), -1);
}

TEST(clock_modulation_counts_only_with_its_enable_bit)
{
	ck_assert_double_eq(um_thermal_duty(0x8, 0), 1);
	ck_assert_double_eq(um_thermal_duty(0x10, 0), 1);
	ck_assert_double_eq(um_thermal_duty(0x18, 0), 0.5);
	ck_assert_double_eq(um_thermal_duty(0x12, 0), 0.125);
	ck_assert_double_eq(um_thermal_duty(0x11, UM_GATE_ECMD), 0.0625);
}

TEST(the_name_of_a_processor_contains_its_base_frequency)
{
	ck_assert_double_eq_tol(um_thermal_brand_hz("Intel(R) Xeon(R) CPU X5650 @ 2.67GHz"), 2.67e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @ 800MHz"), 8e8, 1);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"), 2.4e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Intel(R) Xeon(R) CPU @ 3.05GHz"), 3.05e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @ 2.40GHz ES"), 2.4e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @2.40GHz"), 2.4e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @ 800MHz ES"), 8e8, 1);
	ck_assert_double_eq_tol(um_thermal_brand_hz("@ 99.99GHz"), 99.99e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("@ 1.06251923GHz"), 1062519230, 0.5);
	ck_assert(um_thermal_brand_hz("@ 100.00GHz") <= 0);
	ck_assert(um_thermal_brand_hz("@ 99999999999999999999999999999999999999GHz") <= 0);
	ck_assert(um_thermal_brand_hz("Genuine Intel(R) CPU @ 2.40GHx") <= 0);
	ck_assert(um_thermal_brand_hz("Genuine Intel(R) CPU @ 800MHx") <= 0);
	ck_assert(um_thermal_brand_hz("AMD EPYC 7763 64-Core Processor") <= 0);
	ck_assert(um_thermal_brand_hz("@") <= 0);
	ck_assert(um_thermal_brand_hz("@ 3.") <= 0);
}

SUITE(throttle)
