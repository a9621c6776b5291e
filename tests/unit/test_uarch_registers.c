/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers and boxes according to manuals and sources, as far as the suite "second" does not compare them, and bits
 * that must never be written.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"

static void check_no_write(const char *uarch, uint32_t msr, uint64_t bits)
{
	const struct um_reg *reg = um_reg_find(um_uarch_find(uarch), msr);

	ck_assert_msg(!reg || !(reg->write_mask & bits), "%s: 0x%x", uarch, msr);
}

/* Bits that would break the core PMU, power management, all programs' counters, or interrupts. */
TEST(bits_that_do_harm_are_never_written)
{
	static const char *const client[] = {
		"skylake", "kabylake", "cometlake", "icelake", "tigerlake", "rocketlake",
		"alderlake", "meteorlake", "lunarlake", "pantherlake", "novalake",
	};
	static const char *const old[] = { "sandybridge", "ivybridge", "haswell", "broadwell" };

	for (size_t i = 0; i < ARRAY_SIZE(client); i++) {
		for (uint32_t msr = 0x391; msr <= 0x393; msr++)
			check_no_write(client[i], msr, UINT64_MAX);
		for (uint32_t msr = 0x770; msr <= 0x77f; msr++)
			check_no_write(client[i], msr, UINT64_MAX);
		check_no_write(client[i], 0xe01, 0xc000001f);
		check_no_write(client[i], 0x396, UINT64_MAX);
	}
	for (size_t i = 0; i < ARRAY_SIZE(old); i++)
		check_no_write(old[i], 0x391, 0xc000001f);
	check_no_write("nehalem-ex", 0xc00, 0xa000001e);
	check_no_write("westmere-ex", 0xc00, 0xa000001e);
}

TEST(a_register_name_is_cut_to_its_buffer_and_without_a_table_is_a_number)
{
	char buf[64], tiny[8];

	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c3, tiny, sizeof(tiny)), "UNCORE_");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c3, buf, sizeof(buf)), "UNCORE_PERFEVTSEL3 (0x3c3)");
	ck_assert_str_eq(um_reg_format(NULL, 0x3c3, buf, sizeof(buf)), "MSR 0x3c3");
}

static const struct um_pmu *pmu_of(const char *uarch, const char *name)
{
	const struct um_uarch *u = um_uarch_find(uarch);

	for (size_t i = 0; i < u->num_pmus; i++)
		if (strcmp(u->pmus[i].name, name) == 0)
			return &u->pmus[i];
	ck_abort_msg("%s: %s", uarch, name);
	return NULL;
}

TEST(boxes_on_pci_or_in_memory_are_listed_with_how_to_reach_them)
{
	static const struct {
		const char *uarch, *pmu;
		enum um_reach reach;
		const char *kernel;
	} want[] = {
		{ "sandybridge-ep", "imc", UM_REACH_PCI, "uncore_imc" },
		{ "ivybridge-ep", "qpi", UM_REACH_PCI, "uncore_qpi" },
		{ "knightslanding", "edc_eclk", UM_REACH_PCI, "uncore_edc_eclk" },
		{ "skylake-sp", "upi", UM_REACH_PCI, "uncore_upi" },
		{ "icelake-sp", "imc", UM_REACH_MMIO, "uncore_imc" },
		{ "sapphirerapids", "pcu", UM_REACH_DISCOVERY, "uncore_pcu" },
		{ "sapphirerapids", "m2pcie", UM_REACH_DISCOVERY, "uncore_m2pcie" },
		{ "graniterapids", "mdf", UM_REACH_DISCOVERY, "uncore_mdf_sbo" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_pmu *p = pmu_of(want[i].uarch, want[i].pmu);

		ck_assert_int_eq(p->reach, want[i].reach);
		ck_assert_str_eq(p->kernel, want[i].kernel);
	}
}

SUITE(uarch_registers)
