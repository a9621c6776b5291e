/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which model has which registers of thermal.c.
 *
 * Sources: LLNL msr-safe allowlists for the limit-reason registers (each line names a table of Intel SDM volume 4);
 * Linux turbostat.c for RAPL; Linux's HSMP driver for AMD servers; recordings of real machines. There, 0x63b can be
 * read on servers of Sandy and Ivy Bridge and from Ice Lake-SP on; 0x61b of Goldmont is constant; on every Xeon 0x6b0
 * faults and 0x6b1 reads 0.
 */
#include <string.h>

#include "common/error.h"
#include "uarch/thermal.h"

#define BASE UM_HAS_STATUS
#define NEHALEM (BASE | UM_HAS_TARGET | UM_HAS_NEHALEM)
#define ATOM (BASE | UM_HAS_TARGET | UM_HAS_RATIO_8)
#define SANDY (BASE | UM_HAS_TARGET | UM_HAS_RATIO_8 | UM_HAS_POWER_CTL | UM_HAS_RAPL)
#define PERF (SANDY | UM_HAS_PACKAGE_PERF | UM_HAS_DRAM_PERF)
#define CORES_PERF (PERF | UM_HAS_CORES_PERF)
#define HASWELL (PERF | UM_HAS_690_CLIENT | UM_HAS_6B0)
#define SKYLAKE (PERF | UM_HAS_6B0_SKYLAKE)
#define GOLDMONT (ATOM | UM_HAS_POWER_CTL | UM_HAS_RAPL | UM_HAS_PACKAGE_PERF)
#define TPMI (CORES_PERF | UM_HAS_TPMI)

#define INTEL(m, has) { "GenuineIntel", 6, m, m, has }
#define INTEL_RANGE(f, m1, m2, has) { "GenuineIntel", f, m1, m2, has }
#define AMD_OLD(f, pstate) { "AuthenticAMD", f, 0x00, 0xff, UM_HAS_AMD | UM_HAS_PSTATE_##pstate }
#define AMD_SERVERS(f, m1, m2, pstate) \
	{ "AuthenticAMD", f, m1, m2, \
	  UM_HAS_AMD | UM_HAS_AMD_SELECTORS | UM_HAS_HSMP | UM_HAS_PSTATE_##pstate }
#define AMD(f, pstate) \
	{ "AuthenticAMD", f, 0x00, 0xff, UM_HAS_AMD | UM_HAS_AMD_SELECTORS | UM_HAS_PSTATE_##pstate }

static const struct um_thermal_model models[] = {
	INTEL(0x1a, NEHALEM), INTEL(0x1e, NEHALEM), INTEL(0x1f, NEHALEM), INTEL(0x2e, NEHALEM),
	INTEL(0x25, NEHALEM), INTEL(0x2c, NEHALEM), INTEL(0x2f, NEHALEM),
	/* Sandy and Ivy Bridge. */
	INTEL(0x2a, SANDY), INTEL(0x3a, SANDY), INTEL(0x2d, CORES_PERF), INTEL(0x3e, CORES_PERF),
	/* Haswell and Broadwell. */
	INTEL(0x3c, HASWELL), INTEL(0x45, HASWELL), INTEL(0x46, HASWELL), INTEL(0x3d, HASWELL),
	INTEL(0x47, HASWELL),
	INTEL(0x3f, PERF | UM_HAS_690_SERVER), INTEL(0x4f, PERF | UM_HAS_690_SERVER),
	INTEL(0x56, PERF | UM_HAS_690_SERVER),
	/* Skylake and later clients. UM_HAS_64F is set where a manual lists register 0x64f. */
	INTEL(0x4e, SKYLAKE | UM_HAS_64F), INTEL(0x5e, SKYLAKE | UM_HAS_64F),
	INTEL(0x8e, SKYLAKE | UM_HAS_64F), INTEL(0x9e, SKYLAKE | UM_HAS_64F),
	INTEL(0x66, SKYLAKE | UM_HAS_64F), INTEL(0x7d, SKYLAKE | UM_HAS_64F),
	INTEL(0x7e, SKYLAKE | UM_HAS_64F), INTEL(0x8c, SKYLAKE | UM_HAS_64F),
	INTEL(0x8d, SKYLAKE | UM_HAS_64F), INTEL(0xa5, SKYLAKE | UM_HAS_64F),
	INTEL(0xa6, SKYLAKE | UM_HAS_64F), INTEL(0x97, SKYLAKE | UM_HAS_64F),
	INTEL(0x9a, SKYLAKE | UM_HAS_64F), INTEL(0xbf, SKYLAKE | UM_HAS_64F),
	INTEL(0xa7, SKYLAKE), INTEL(0xb7, SKYLAKE), INTEL(0xba, SKYLAKE), INTEL(0xbe, SKYLAKE),
	INTEL(0xd7, SKYLAKE), INTEL(0xaa, SKYLAKE), INTEL(0xac, SKYLAKE), INTEL(0xc6, SKYLAKE),
	INTEL(0xc5, SKYLAKE), INTEL(0xb5, SKYLAKE), INTEL(0xbd, SKYLAKE), INTEL(0xcc, SKYLAKE),
	INTEL(0xd5, SKYLAKE),
	/* Later servers. */
	INTEL(0x55, PERF | UM_HAS_64F), INTEL(0x6a, CORES_PERF | UM_HAS_64F),
	INTEL(0x6c, CORES_PERF | UM_HAS_64F), INTEL(0x8f, CORES_PERF), INTEL(0xcf, CORES_PERF),
	INTEL(0xad, TPMI), INTEL(0xae, TPMI), INTEL(0xaf, TPMI), INTEL(0xb6, TPMI),
	/* Xeon Phi. */
	INTEL(0x57, ATOM | UM_HAS_RAPL | UM_HAS_PACKAGE_PERF | UM_HAS_DRAM_PERF),
	INTEL(0x85, ATOM | UM_HAS_RAPL | UM_HAS_PACKAGE_PERF | UM_HAS_DRAM_PERF),
	/* Silvermont and Airmont, then Goldmont and Tremont. */
	INTEL(0x37, ATOM), INTEL(0x4a, ATOM), INTEL(0x4d, ATOM), INTEL(0x5a, ATOM),
	INTEL(0x5d, ATOM), INTEL(0x4c, ATOM), INTEL(0x75, ATOM),
	INTEL(0x5c, GOLDMONT), INTEL(0x5f, GOLDMONT), INTEL(0x7a, GOLDMONT),
	INTEL(0x86, GOLDMONT), INTEL(0x96, GOLDMONT), INTEL(0x9c, GOLDMONT),
	/* Pentium M and Pentium 4 have no status bits for PROCHOT# from outside (FORCEPR). */
	INTEL(0x09, BASE | UM_HAS_NO_FORCEPR), INTEL(0x0d, BASE | UM_HAS_NO_FORCEPR),
	INTEL(0x15, BASE | UM_HAS_NO_FORCEPR),
	INTEL_RANGE(15, 0x00, 0xff, BASE | UM_HAS_NO_FORCEPR),
	/* All other Intel models have only the architectural registers that CPUID reports. */
	INTEL_RANGE(6, 0x00, 0xff, BASE), INTEL_RANGE(18, 0x00, 0xff, BASE),
	INTEL_RANGE(19, 0x00, 0xff, BASE),
	/* Zen 3 to 5 servers with HSMP (source: Linux drivers/platform/x86/amd/hsmp/plat.c, legacy_hsmp_support()). */
	AMD_SERVERS(0x19, 0x00, 0x1f, ZEN), AMD_SERVERS(0x19, 0x30, 0x3f, ZEN),
	AMD_SERVERS(0x19, 0x90, 0xaf, ZEN), AMD_SERVERS(0x1a, 0x00, 0x1f, ZEN5),
	AMD_OLD(0x10, OLD), AMD_OLD(0x11, OLD), AMD_OLD(0x12, OTHER), AMD_OLD(0x14, OTHER),
	AMD(0x15, OLD), AMD(0x16, OLD), AMD(0x17, ZEN), AMD(0x19, ZEN), AMD(0x1a, ZEN5),
	{ "HygonGenuine", 0x18, 0x00, 0xff, UM_HAS_AMD | UM_HAS_AMD_SELECTORS | UM_HAS_PSTATE_ZEN },
};

const struct um_thermal_model *um_thermal_find(const char *vendor, int family, int model)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct um_thermal_model *m = &models[i];

		if (family == m->family && model >= m->model_first && model <= m->model_last &&
		    strcmp(vendor, m->vendor) == 0)
			return m;
	}
	return NULL;
}

enum { EAX, EBX, ECX, EDX };

/* Bits of CPUID (Intel SDM volume 2A, leaves 1 and 6), and the UM_GATE_ bit that each of them sets. */
static const struct {
	enum { LEAF_1, LEAF_6 } leaf;
	uint8_t reg, bit;
	uint16_t gate;
} gates[] = {
	{ LEAF_1, EDX, 22, UM_GATE_ACPI }, { LEAF_1, ECX, 8, UM_GATE_TM2 },
	{ LEAF_6, EAX, 0, UM_GATE_DTS },   { LEAF_6, EAX, 4, UM_GATE_PLN },
	{ LEAF_6, EAX, 5, UM_GATE_ECMD },  { LEAF_6, EAX, 6, UM_GATE_PTM },
	{ LEAF_6, EAX, 7, UM_GATE_HWP },   { LEAF_6, EAX, 19, UM_GATE_HFI },
	{ LEAF_6, ECX, 0, UM_GATE_APERF },
};

unsigned um_thermal_gates(const struct um_thermal_model *m, const uint32_t leaf1[4],
			  const uint32_t leaf6[4])
{
	unsigned open = m->has & UM_HAS_NO_FORCEPR ? 0 : UM_GATE_FORCEPR;

	for (size_t i = 0; i < ARRAY_SIZE(gates); i++) {
		const uint32_t *regs = gates[i].leaf == LEAF_1 ? leaf1 : leaf6;

		if (regs[gates[i].reg] >> gates[i].bit & 1)
			open |= gates[i].gate;
	}
	return open;
}
