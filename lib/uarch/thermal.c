/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers that show why a processor is slow. Only sticky log bits may be written, and only when the user asks to
 * reset them.
 *
 * Facts: Intel SDM volume 3B, chapter "Power and thermal management", and volume 4; Linux
 * drivers/thermal/intel/therm_throt.c (log bits, gates), tools/power/x86/turbostat/turbostat.c
 * (RAPL, limit reasons); cyring/CoreFreq intel_reg.h, amd_reg.h (layouts). If a package has several dies (Cascade
 * Lake-AP), Intel's package registers exist once per die: Linux coretemp.c and x86_pkg_temp_thermal have one device per
 * die.
 */
#include "uarch/fields.h"
#include "uarch/thermal.h"

#define FROM_SDM "Intel SDM volume 3B, power and thermal management; Linux therm_throt.c"
#define FROM_LIMITS "Intel SDM volume 4; Linux turbostat.c; CoreFreq intel_reg.h"
#define FROM_PSTATES \
	"AMD processor programming references; Linux msr-index.h, cpupower/utils/helpers/amd.c"
#define FROM_RAPL "Intel SDM volume 3B, RAPL interfaces; Linux turbostat.c"

/* ---- 0x19c and 0x1b1 ---- */

#define CORE_BITS(thermal) \
	{ 0, 1, thermal, true, UM_GATE_ACPI, NULL }, \
	{ 2, 3, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true, UM_GATE_FORCEPR, NULL }, \
	{ 4, 5, UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, true, 0, NULL }, \
	{ 6, 7, UM_NUM_CAUSES, false, UM_GATE_TM2, NULL }, \
	{ 8, 9, UM_NUM_CAUSES, false, UM_GATE_TM2, NULL }, \
	{ 10, 11, UNCOREMSR_CAUSE_POWER_LIMIT, false, UM_GATE_PLN, NULL }

static const struct um_limit_bit core_status_bits[] = {
	CORE_BITS(UNCOREMSR_CAUSE_CORE_THERMAL),
	{ 12, 13, UNCOREMSR_CAUSE_CURRENT_LIMIT, false, UM_GATE_HWP, NULL },
	{ 14, 15, UNCOREMSR_CAUSE_CROSS_DOMAIN, false, UM_GATE_HWP, NULL },
};

static const struct um_limit_bit package_status_bits[] = {
	CORE_BITS(UNCOREMSR_CAUSE_PACKAGE_THERMAL),
	{ UM_NO_BIT, 26, UM_NUM_CAUSES, false, UM_GATE_HFI, NULL },
};

/* ---- limit reasons: status in bits 15:0, log in bits 31:16 ---- */

#define PAIR(n, cause, decides, detail) { n, (n) + 16, cause, decides, 0, detail }
#define NORMAL(n) { n, (n) + 16, UM_NUM_CAUSES, false, 0, NULL }

#define COMMON_PAIRS \
	PAIR(0, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true, NULL), PAIR(1, UNCOREMSR_CAUSE_PACKAGE_THERMAL, true, NULL), \
	PAIR(6, UNCOREMSR_CAUSE_VR_THERMAL, true, NULL)
#define TURBO_PAIRS \
	PAIR(10, UNCOREMSR_CAUSE_POWER_LIMIT, false, "PL1"), PAIR(11, UNCOREMSR_CAUSE_POWER_LIMIT, false, "PL2"), \
	NORMAL(12), NORMAL(13)

static const struct um_limit_bit client_bits[] = {
	COMMON_PAIRS, TURBO_PAIRS, NORMAL(5),
	PAIR(4, UNCOREMSR_CAUSE_CROSS_DOMAIN, false, "graphics driver"),
	PAIR(8, UNCOREMSR_CAUSE_CURRENT_LIMIT, false, "electrical design point"),
	PAIR(9, UNCOREMSR_CAUSE_POWER_LIMIT, false, "limit of the cores"),
};

static const struct um_limit_bit server_bits[] = {
	COMMON_PAIRS, NORMAL(5), NORMAL(10), NORMAL(13), NORMAL(14), NORMAL(15),
	PAIR(2, UNCOREMSR_CAUSE_POWER_LIMIT, false, "power budget"),
	PAIR(3, UNCOREMSR_CAUSE_FIRMWARE, false, "platform configuration services"),
	PAIR(8, UNCOREMSR_CAUSE_CURRENT_LIMIT, false, "electrical design point"),
};

#define SKYLAKE_PAIRS \
	COMMON_PAIRS, PAIR(5, UNCOREMSR_CAUSE_PACKAGE_THERMAL, true, "running average"), \
	PAIR(7, UNCOREMSR_CAUSE_CURRENT_LIMIT, false, "voltage regulator"), \
	PAIR(8, UNCOREMSR_CAUSE_CURRENT_LIMIT, false, "electrical"), \
	PAIR(10, UNCOREMSR_CAUSE_POWER_LIMIT, false, "PL1"), PAIR(11, UNCOREMSR_CAUSE_POWER_LIMIT, false, "PL2")

static const struct um_limit_bit skylake_bits[] = {
	SKYLAKE_PAIRS, NORMAL(4), NORMAL(12), NORMAL(13), NORMAL(14),
};

/*
 * Limit reasons of ring and graphics. Reasons from pins and sensors concern the whole package and count as causes of
 * throttling. Reasons from the power budgets of ring and graphics do not slow the cores and are no causes. The ring has
 * fewer reasons than the graphics unit; the names are the same.
 */

#define HASWELL_RING_PAIRS COMMON_PAIRS, NORMAL(8), NORMAL(10), NORMAL(11)
#define SKYLAKE_RING_PAIRS HASWELL_RING_PAIRS, NORMAL(5), NORMAL(7)

static const struct um_limit_bit haswell_graphics_bits[] = {
	HASWELL_RING_PAIRS, NORMAL(4), NORMAL(9),
};
static const struct um_limit_bit haswell_ring_bits[] = { HASWELL_RING_PAIRS };

static const struct um_limit_bit skylake_graphics_bits[] = { SKYLAKE_RING_PAIRS, NORMAL(12) };
static const struct um_limit_bit skylake_ring_bits[] = { SKYLAKE_RING_PAIRS };

/* ---- the table of registers ---- */

#define CAUSES(b) .bits = b, .num_bits = ARRAY_SIZE(b)
#define THERMAL(address, where, rw, label, text, from, ...) \
	.reg = { .msr = address, .count = 1, .scope = UM_SCOPE_##where, .access = rw, \
		 .name = label, .desc = text, .valid = ~0ull, .source = from, __VA_ARGS__ }
#define LIMITS(r, has, address, which, f, b) \
	{ .role = r, .on = has, CAUSES(b), \
	  THERMAL(address, DIE, UM_REG_RW, "MSR_" #which "_PERF_LIMIT_REASONS", \
	      "why this part of the package runs slower than requested", FROM_LIMITS, .fields = f, \
	      .write_mask = LOW(16) << 16) }
#define NUMBER(r, has, gate, address, where, label, text, from, f) \
	{ .role = r, .on = has, .gates = gate, \
	  THERMAL(address, where, UM_REG_RO, label, text, from, .fields = f) }
#define COUNT(r, has, gate, address, where, label, text) \
	{ .role = r, .on = has, .gates = gate, \
	  THERMAL(address, where, UM_REG_RO, label, text, FROM_SDM, .fields = um_no_fields) }

/* A register that the tools can show and explain, but that is not used to find throttling. */
#define DESCRIBED(has, address, label, text, f) \
	NUMBER(UM_NUM_ROLES, has, 0, address, DIE, label, text, FROM_RAPL, f)

#define PSTATE_0(has, text, f) \
	NUMBER(UM_ROLE_PSTATE_0, UM_HAS_PSTATE_##has, 0, 0xc0010064, CPU, "PStateDef0", text, \
	       FROM_PSTATES, f)

#define ANY_RATIO (UM_HAS_NEHALEM | UM_HAS_RATIO_8)

static const struct um_thermal_reg regs[] = {
	{ .role = UM_ROLE_CORE_STATUS, .on = UM_HAS_STATUS, .gates = UM_GATE_ACPI,
	  CAUSES(core_status_bits),
	  THERMAL(0x19c, CORE, UM_REG_RW, "IA32_THERM_STATUS", "thermal status of a core", FROM_SDM,
	      .fields = thermal_core_status_fields, .write_mask = 0xaaaa) },
	{ .role = UM_ROLE_PACKAGE_STATUS, .on = UM_HAS_STATUS, .gates = UM_GATE_PTM,
	  CAUSES(package_status_bits),
	  THERMAL(0x1b1, DIE, UM_REG_RW, "IA32_PACKAGE_THERM_STATUS", "thermal status of a package",
	      FROM_SDM, .fields = thermal_package_status_fields, .write_mask = 0xaaa | BIT(26)) },
	NUMBER(UM_ROLE_CLOCK_MODULATION, UM_HAS_STATUS, UM_GATE_ACPI, 0x19a, CPU,
	       "IA32_CLOCK_MODULATION", "share of the time that the clock runs", FROM_SDM,
	       thermal_clock_modulation_fields),
	NUMBER(UM_ROLE_TARGET, UM_HAS_TARGET, UM_GATE_DTS, 0x1a2, DIE,
	       "MSR_TEMPERATURE_TARGET", "target temperature, from which readouts count down", FROM_SDM,
	       thermal_target_fields),
	NUMBER(UM_ROLE_POWER_CTL, UM_HAS_POWER_CTL, 0, 0x1fc, DIE, "MSR_POWER_CTL",
	       "whether PROCHOT# from outside slows the processor", FROM_LIMITS, thermal_power_ctl_fields),
	NUMBER(UM_ROLE_PERF_STATUS, ANY_RATIO, 0, 0x198, CORE, "IA32_PERF_STATUS",
	       "ratio of the core's clock now", FROM_SDM, thermal_perf_status_fields),
	NUMBER(UM_ROLE_PERF_CTL, ANY_RATIO, 0, 0x199, CPU, "IA32_PERF_CTL",
	       "requested ratio", FROM_SDM, thermal_perf_status_fields),
	NUMBER(UM_ROLE_PM_ENABLE, UM_HAS_STATUS, UM_GATE_HWP, 0x770, DIE, "IA32_PM_ENABLE",
	       "whether hardware chooses the frequency", FROM_SDM, thermal_pm_enable_fields),
	NUMBER(UM_ROLE_HWP_CAPABILITIES, UM_HAS_STATUS, UM_GATE_HWP, 0x771, CPU,
	       "IA32_HWP_CAPABILITIES", "performance levels", FROM_SDM, thermal_hwp_capabilities_fields),
	NUMBER(UM_ROLE_HWP_STATUS, UM_HAS_STATUS, UM_GATE_HWP, 0x777, CPU, "IA32_HWP_STATUS",
	       "changes of the performance levels", FROM_SDM, thermal_hwp_status_fields),
	COUNT(UM_ROLE_MPERF, UM_HAS_STATUS | UM_HAS_AMD, UM_GATE_APERF, 0xe7, CPU, "IA32_MPERF",
	      "clocks at the base frequency while not halted"),
	COUNT(UM_ROLE_APERF, UM_HAS_STATUS | UM_HAS_AMD, UM_GATE_APERF, 0xe8, CPU, "IA32_APERF",
	      "clocks at the real frequency while not halted"),
	COUNT(UM_ROLE_SMI, ANY_RATIO, 0, 0x34, CORE, "MSR_SMI_COUNT",
	      "system management interrupts since reset"),
	NUMBER(UM_ROLE_PLATFORM_INFO, ANY_RATIO, 0, 0xce, DIE, "MSR_PLATFORM_INFO",
	       "base frequency", FROM_LIMITS, thermal_platform_info_fields),
	NUMBER(UM_ROLE_UNITS, UM_HAS_RAPL, 0, 0x606, DIE, "MSR_RAPL_POWER_UNIT",
	       "units of power, energy and time", FROM_RAPL, thermal_units_fields),
	NUMBER(UM_ROLE_PACKAGE_LIMIT, UM_HAS_RAPL, 0, 0x610, DIE, "MSR_PKG_POWER_LIMIT",
	       "power limits of the package", FROM_RAPL, thermal_package_limit_fields),
	NUMBER(UM_ROLE_PACKAGE_PERF, UM_HAS_PACKAGE_PERF, 0, 0x613, DIE,
	       "MSR_PKG_PERF_STATUS", "time the package was held back by power", FROM_RAPL,
	       thermal_perf_fields),
	NUMBER(UM_ROLE_DRAM_PERF, UM_HAS_DRAM_PERF, 0, 0x61b, DIE, "MSR_DRAM_PERF_STATUS",
	       "time the memory was held back", FROM_RAPL, thermal_perf_fields),
	NUMBER(UM_ROLE_CORES_PERF, UM_HAS_CORES_PERF, 0, 0x63b, DIE, "MSR_PP0_PERF_STATUS",
	       "time the cores were held back by power", FROM_RAPL, thermal_perf_fields),
	LIMITS(UM_ROLE_LIMITS, UM_HAS_690_CLIENT, 0x690, CORE, thermal_client_fields, client_bits),
	LIMITS(UM_ROLE_LIMITS, UM_HAS_690_SERVER, 0x690, CORE, thermal_server_fields, server_bits),
	LIMITS(UM_ROLE_LIMITS, UM_HAS_64F, 0x64f, CORE, thermal_skylake_fields, skylake_bits),
	LIMITS(UM_ROLE_GRAPHICS_LIMITS, UM_HAS_6B0, 0x6b0, GRAPHICS, thermal_haswell_graphics_fields,
	       haswell_graphics_bits),
	LIMITS(UM_ROLE_GRAPHICS_LIMITS, UM_HAS_6B0_SKYLAKE, 0x6b0, GRAPHICS,
	       thermal_skylake_graphics_fields, skylake_graphics_bits),
	LIMITS(UM_ROLE_RING_LIMITS, UM_HAS_6B0, 0x6b1, RING, thermal_haswell_graphics_fields,
	       haswell_ring_bits),
	LIMITS(UM_ROLE_RING_LIMITS, UM_HAS_6B0_SKYLAKE, 0x6b1, RING, thermal_skylake_graphics_fields,
	       skylake_ring_bits),
	DESCRIBED(UM_HAS_RAPL, 0x611, "MSR_PKG_ENERGY_STATUS", "energy of the package", thermal_energy_fields),
	DESCRIBED(UM_HAS_RAPL, 0x614, "MSR_PKG_POWER_INFO", "range of the power limits of the package",
		  thermal_power_info_fields),
	DESCRIBED(UM_HAS_DRAM_PERF, 0x619, "MSR_DRAM_ENERGY_STATUS", "energy of the memory",
		  thermal_dram_energy_fields),
	DESCRIBED(UM_HAS_RAPL, 0x639, "MSR_PP0_ENERGY_STATUS", "energy of the cores", thermal_energy_fields),
	{ .role = UM_NUM_ROLES, .on = UM_HAS_AMD_SELECTORS,
	  THERMAL(0xc0010200, CPU, UM_REG_RW, "PERF_CTL0",
	      "selector: which event the first core counter counts, and how",
	      "AMD processor programming references; Linux arch/x86/events/amd/core.c",
	      .fields = thermal_amd_selector_fields) },
	{ .role = UM_ROLE_PSTATE_LIMIT, .on = UM_HAS_AMD,
	  THERMAL(0xc0010061, CPU, UM_REG_RO, "PStateCurLim", "fastest P-state allowed now",
	      "AMD processor programming references; CoreFreq amd_reg.h",
	      .fields = thermal_pstate_limit_fields) },
	NUMBER(UM_ROLE_PSTATE_ASKED, UM_HAS_AMD, 0, 0xc0010062, CPU, "PStateCtl",
	       "requested P-state", FROM_PSTATES, thermal_pstate_command_fields),
	PSTATE_0(OLD, "clock of P-state 0, perhaps a boosted one", thermal_pstate_old_fields),
	PSTATE_0(OTHER, "clock of P-state 0, perhaps a boosted one", thermal_pstate_other_fields),
	PSTATE_0(ZEN, "clock of P-state 0, the base", thermal_pstate_zen_fields),
	PSTATE_0(ZEN5, "clock of P-state 0, the base", thermal_pstate_zen5_fields),
	NUMBER(UM_ROLE_CPPC, UM_HAS_AMD, 0, 0xc00102b1, CPU, "CPPC_ENABLE",
	       "whether hardware chooses the clock", FROM_PSTATES, thermal_cppc_fields),
};

/*
 * On families 10h and 12h to 16h the first P-states are boosted ones (Linux cpupower amd.c), and only PCI config space
 * tells how many. So we do not know which state is the base.
 */
double um_thermal_base_hz(const struct um_thermal_model *m, uint64_t pstate)
{
	unsigned fid = (unsigned)(pstate & 0xff), did = (unsigned)(pstate >> 8 & 0x3f);

	if (!(pstate >> 63))
		return 0;
	switch (m->family) {
	case 0x11:
		return 100e6 * ((fid & 0x3f) + 8) / (1u << (pstate >> 6 & 7));
	case 0x17: case 0x18: case 0x19:
		return did ? 200e6 * fid / did : 0;
	case 0x1a:
		return 5e6 * (double)(pstate & 0xfff);
	}
	return 0;
}

const struct um_thermal_reg *um_thermal_reg(const struct um_thermal_model *m, unsigned open,
					    enum um_thermal_role role)
{
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i].role == role && (regs[i].on & m->has) && !(regs[i].gates & ~open))
			return &regs[i];
	return NULL;
}

const struct um_thermal_reg *um_thermal_reg_of(const struct um_thermal_model *m, size_t index)
{
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		if ((regs[i].on & m->has) && !index--)
			return &regs[i];
	return NULL;
}

const struct um_thermal_reg *um_thermal_reg_at(const struct um_thermal_model *m, uint32_t msr)
{
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i].reg.msr == msr && (regs[i].on & m->has))
			return &regs[i];
	return NULL;
}
