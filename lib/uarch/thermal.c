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
#include "common/error.h"
#include "uarch/thermal.h"

#define BIT(n) (1ull << (n))
#define LOW(n) (BIT(n) - 1)

#define FROM_SDM "Intel SDM volume 3B, power and thermal management; Linux therm_throt.c"
#define FROM_LIMITS "Intel SDM volume 4; Linux turbostat.c; CoreFreq intel_reg.h"
#define FROM_PSTATES \
	"AMD processor programming references; Linux msr-index.h, cpupower/utils/helpers/amd.c"
#define FROM_RAPL "Intel SDM volume 3B, RAPL interfaces; Linux turbostat.c"

/* ---- 0x19c and 0x1b1 ---- */

#define STATUS_FIELDS \
	{ "THERMAL", 0, 1, "its own sensor has tripped: it slows itself down now" }, \
	{ "THERMAL_LOG", 1, 1, "the same has happened; writing 0 clears it" }, \
	{ "PROCHOT", 2, 1, "PROCHOT# or FORCEPR# is driven from outside now" }, \
	{ "PROCHOT_LOG", 3, 1, "the same has happened; writing 0 clears it" }, \
	{ "CRITICAL", 4, 1, "critical temperature now" }, \
	{ "CRITICAL_LOG", 5, 1, "the same has happened; writing 0 clears it" }, \
	{ "THRESHOLD1", 6, 1, "above the kernel's first threshold now" }, \
	{ "THRESHOLD1_LOG", 7, 1, "the threshold was crossed; writing 0 clears it" }, \
	{ "THRESHOLD2", 8, 1, "above the kernel's second threshold now" }, \
	{ "THRESHOLD2_LOG", 9, 1, "the threshold was crossed; writing 0 clears it" }, \
	{ "POWER_LIMIT", 10, 1, "held back by a power limit now" }, \
	{ "POWER_LIMIT_LOG", 11, 1, "the same has happened; writing 0 clears it" }, \
	{ "READOUT", 16, 7, "degrees C below the target temperature" }, \
	{ "RESOLUTION", 27, 4, "of the readout, in degrees C" }, \
	{ "VALID", 31, 1, "the readout is valid" }

static const struct um_field core_status_fields[] = {
	STATUS_FIELDS,
	{ "CURRENT_LIMIT", 12, 1, "held back by a current limit now" },
	{ "CURRENT_LIMIT_LOG", 13, 1, "the same has happened; writing 0 clears it" },
	{ "CROSS_DOMAIN", 14, 1, "held back for another part of the chip now" },
	{ "CROSS_DOMAIN_LOG", 15, 1, "the same has happened; writing 0 clears it" },
};

static const struct um_field package_status_fields[] = {
	STATUS_FIELDS,
	{ "FEEDBACK", 26, 1, "the hardware feedback table was updated; writing 0 clears it" },
};

#define CORE_BITS(thermal) \
	{ 0, 1, thermal, true, UM_GATE_ACPI, NULL }, \
	{ 2, 3, UM_CAUSE_PROCHOT, true, UM_GATE_FORCEPR, NULL }, \
	{ 4, 5, UM_CAUSE_CRITICAL, true, 0, NULL }, \
	{ 6, 7, UM_NUM_CAUSES, false, UM_GATE_TM2, NULL }, \
	{ 8, 9, UM_NUM_CAUSES, false, UM_GATE_TM2, NULL }, \
	{ 10, 11, UM_CAUSE_POWER, false, UM_GATE_PLN, NULL }

static const struct um_limit_bit core_status_bits[] = {
	CORE_BITS(UM_CAUSE_CORE_THERMAL),
	{ 12, 13, UM_CAUSE_CURRENT, false, UM_GATE_HWP, NULL },
	{ 14, 15, UM_CAUSE_CROSS_DOMAIN, false, UM_GATE_HWP, NULL },
};

static const struct um_limit_bit package_status_bits[] = {
	CORE_BITS(UM_CAUSE_PACKAGE_THERMAL),
	{ UM_NO_BIT, 26, UM_NUM_CAUSES, false, UM_GATE_HFI, NULL },
};

/* ---- limit reasons: status in bits 15:0, the log 16 higher ---- */

#define REASON(name, n, text) \
	{ name, n, 1, text " now" }, { name "_LOG", (n) + 16, 1, text "; writing 0 clears it" }
#define PAIR(n, cause, decides, detail) { n, (n) + 16, cause, decides, 0, detail }
#define NORMAL(n) { n, (n) + 16, UM_NUM_CAUSES, false, 0, NULL }

#define COMMON_REASONS \
	REASON("PROCHOT", 0, "PROCHOT# driven from outside"), \
	REASON("THERMAL", 1, "too hot"), \
	REASON("VR_THERMAL", 6, "the voltage regulator is too hot")
#define COMMON_PAIRS \
	PAIR(0, UM_CAUSE_PROCHOT, true, NULL), PAIR(1, UM_CAUSE_PACKAGE_THERMAL, true, NULL), \
	PAIR(6, UM_CAUSE_VR_THERMAL, true, NULL)
#define TURBO_REASONS \
	REASON("PL1", 10, "package power limit 1"), REASON("PL2", 11, "package power limit 2"), \
	REASON("MAX_TURBO", 12, "turbo limit for this number of cores"), \
	REASON("ATTENUATION", 13, "turbo transition attenuation")
#define TURBO_PAIRS \
	PAIR(10, UM_CAUSE_POWER, false, "PL1"), PAIR(11, UM_CAUSE_POWER, false, "PL2"), \
	NORMAL(12), NORMAL(13)

static const struct um_field client_fields[] = {
	COMMON_REASONS, TURBO_REASONS,
	REASON("GRAPHICS_DRIVER", 4, "the graphics driver asked for it"),
	REASON("AUTONOMOUS", 5, "the hardware chose it because of utilization"),
	REASON("EDP", 8, "electrical design point (current)"),
	REASON("CORE_POWER", 9, "power limit of the cores"),
};

static const struct um_limit_bit client_bits[] = {
	COMMON_PAIRS, TURBO_PAIRS, NORMAL(5),
	PAIR(4, UM_CAUSE_CROSS_DOMAIN, false, "graphics driver"),
	PAIR(8, UM_CAUSE_CURRENT, false, "electrical design point"),
	PAIR(9, UM_CAUSE_POWER, false, "limit of the cores"),
};

/* On servers bits 2, 3, 10 and 13 to 15 have other meanings than on clients. */
static const struct um_field server_fields[] = {
	COMMON_REASONS,
	REASON("POWER_BUDGET", 2, "power budget of the package"),
	REASON("PLATFORM", 3, "platform configuration services (management controller)"),
	REASON("AUTONOMOUS", 5, "the hardware chose it because of utilization"),
	REASON("EDP", 8, "electrical design point (current)"),
	REASON("MULTICORE_TURBO", 10, "turbo limit for several cores"),
	REASON("P1", 13, "below the guaranteed frequency"),
	REASON("NCORE_TURBO", 14, "turbo limit for this number of cores"),
	REASON("FREQUENCY", 15, "the frequency is limited below the request"),
};

static const struct um_limit_bit server_bits[] = {
	COMMON_PAIRS, NORMAL(5), NORMAL(10), NORMAL(13), NORMAL(14), NORMAL(15),
	PAIR(2, UM_CAUSE_POWER, false, "power budget"),
	PAIR(3, UM_CAUSE_FIRMWARE, false, "platform configuration services"),
	PAIR(8, UM_CAUSE_CURRENT, false, "electrical design point"),
};

#define SKYLAKE_REASONS \
	COMMON_REASONS, \
	REASON("RATL", 5, "running average of the temperature"), \
	REASON("VR_CURRENT", 7, "current limit of the voltage regulator"), \
	REASON("OTHER", 8, "electrical or other"), \
	REASON("PL1", 10, "package power limit 1"), REASON("PL2", 11, "package power limit 2")
#define SKYLAKE_PAIRS \
	COMMON_PAIRS, PAIR(5, UM_CAUSE_PACKAGE_THERMAL, true, "running average"), \
	PAIR(7, UM_CAUSE_CURRENT, false, "voltage regulator"), \
	PAIR(8, UM_CAUSE_CURRENT, false, "electrical"), \
	PAIR(10, UM_CAUSE_POWER, false, "PL1"), PAIR(11, UM_CAUSE_POWER, false, "PL2")

static const struct um_field skylake_fields[] = {
	SKYLAKE_REASONS,
	REASON("RESIDENCY", 4, "residency state regulation"),
	REASON("MAX_TURBO", 12, "turbo limit for this number of cores"),
	REASON("ATTENUATION", 13, "turbo transition attenuation"),
	REASON("TVB", 14, "thermal velocity boost"),
};

static const struct um_limit_bit skylake_bits[] = {
	SKYLAKE_PAIRS, NORMAL(4), NORMAL(12), NORMAL(13), NORMAL(14),
};

/*
 * Ring and graphics share pins and sensors with the package, so these reasons count; their own power budgets do not
 * slow the cores. The ring has fewer reasons than the graphics; both use the same names.
 */
static const struct um_field haswell_graphics_fields[] = {
	COMMON_REASONS,
	REASON("GRAPHICS", 4, "the graphics driver asked for it"),
	REASON("CURRENT", 8, "current"),
	REASON("GRAPHICS_POWER", 9, "power limit of the graphics"),
	REASON("PL1", 10, "package power limit 1"), REASON("PL2", 11, "package power limit 2"),
};

#define HASWELL_RING_PAIRS COMMON_PAIRS, NORMAL(8), NORMAL(10), NORMAL(11)
#define SKYLAKE_RING_PAIRS HASWELL_RING_PAIRS, NORMAL(5), NORMAL(7)

static const struct um_limit_bit haswell_graphics_bits[] = {
	HASWELL_RING_PAIRS, NORMAL(4), NORMAL(9),
};
static const struct um_limit_bit haswell_ring_bits[] = { HASWELL_RING_PAIRS };

static const struct um_field skylake_graphics_fields[] = {
	SKYLAKE_REASONS, REASON("INEFFICIENT", 12, "graphics ran inefficiently"),
};

static const struct um_limit_bit skylake_graphics_bits[] = { SKYLAKE_RING_PAIRS, NORMAL(12) };
static const struct um_limit_bit skylake_ring_bits[] = { SKYLAKE_RING_PAIRS };

/* ---- the others ---- */

static const struct um_field clock_modulation_fields[] = {
	{ "DUTY", 0, 4, "share of the time running: bits 3:1 in 1/8, or 3:0 in 1/16" },
	{ "ON", 4, 1, "the clock is modulated" },
};

static const struct um_field target_fields[] = {
	{ "WINDOW", 0, 7, "averaging window; newer clients" },
	{ "FAN_OFFSET", 8, 8, "fan target, degrees below the target" },
	{ "TARGET", 16, 8, "temperature in degrees C at which the own sensor trips" },
	{ "OFFSET", 24, 6, "degrees by which it was lowered; 4 bits on servers" },
};

static const struct um_field power_ctl_fields[] = {
	{ "BD_PROCHOT", 0, 1, "PROCHOT# driven from outside slows the processor" },
};

static const struct um_field units_fields[] = {
	{ "POWER", 0, 4, "unit of power: 1/2^n W" },
	{ "ENERGY", 8, 5, "unit of energy: 1/2^n J" },
	{ "TIME", 16, 4, "unit of time: 1/2^n s" },
};

static const struct um_field package_limit_fields[] = {
	{ "PL1", 0, 15, "power limit 1, in units of 0x606" }, { "PL1_ON", 15, 1, "it is in force" },
	{ "PL2", 32, 15, "power limit 2" }, { "PL2_ON", 47, 1, "it is in force" },
	{ "LOCK", 63, 1, "cannot be changed until the next reset" },
};

static const struct um_field perf_fields[] = {
	{ "TIME", 0, 32, "time spent below the wanted frequency because of power" },
};

static const struct um_field energy_fields[] = {
	{ "ENERGY", 0, 32, "energy used since reset, in units of 0x606; wraps" },
};

static const struct um_field power_info_fields[] = {
	{ "TDP", 0, 15, "thermal design power, in units of 0x606" },
	{ "MINIMUM", 16, 15, "lowest power limit" }, { "MAXIMUM", 32, 15, "highest power limit" },
	{ "WINDOW", 48, 6, "longest time of a limit" },
};

static const struct um_field amd_selector_fields[] = {
	{ "EVENT", 0, 8, "event select, lower bits" }, { "UMASK", 8, 8, "unit mask" },
	{ "USR", 16, 1, "count in user mode" }, { "OS", 17, 1, "count in kernel mode" },
	{ "EDGE", 18, 1, "count how often the condition begins instead of how long it lasts" },
	{ "INT", 20, 1, "raise an interrupt when the counter wraps" },
	{ "EN", 22, 1, "count" }, { "INV", 23, 1, "with CMASK: count clocks below the threshold" },
	{ "CMASK", 24, 8, "threshold: count clocks with at least this many occurrences; 0 is off" },
	{ "EVENT_EXT", 32, 4, "event select, upper bits" },
	{ "GUEST", 40, 1, "count in guests only" }, { "HOST", 41, 1, "count in the host only" },
};

static const struct um_field pm_enable_fields[] = {
	{ "HWP_ENABLE", 0, 1, "hardware chooses the frequency; off again only by a reset" },
};

static const struct um_field hwp_capabilities_fields[] = {
	{ "HIGHEST", 0, 8, "highest level" }, { "GUARANTEED", 8, 8, "guaranteed level" },
	{ "EFFICIENT", 16, 8, "most efficient level" }, { "LOWEST", 24, 8, "lowest level" },
};

static const struct um_field hwp_status_fields[] = {
	{ "GUARANTEED_CHANGED", 0, 1, "the guaranteed level has changed" },
	{ "EXCURSION", 2, 1, "went below the requested minimum; normal operation" },
	{ "HIGHEST_CHANGED", 3, 1, "the highest level has changed" },
};

static const struct um_field perf_status_fields[] = {
	{ "RATIO_NEHALEM", 0, 8, "ratio on Nehalem and Westmere" },
	{ "RATIO", 8, 8, "ratio from Sandy Bridge on" },
};

static const struct um_field pstate_limit_fields[] = {
	{ "LIMIT", 0, 4, "fastest P-state allowed now; 0 is no limit" },
	{ "MAX", 4, 4, "number of the slowest P-state" },
};

static const struct um_field pstate_command_fields[] = {
	{ "PSTATE", 0, 3, "number of the requested P-state" },
};

#define PSTATE_VALID { "VALID", 63, 1, "this P-state exists" }
static const struct um_field pstate_old_fields[] = {
	{ "FID", 0, 6, "clock: 100 MHz x (FID + 16, on family 11h + 8) / 2^DID" },
	{ "DID", 6, 3, "divisor of the clock, as a power of 2" }, PSTATE_VALID,
};
static const struct um_field pstate_zen_fields[] = {
	{ "FID", 0, 8, "clock: 200 MHz x FID / DID" },
	{ "DID", 8, 6, "divisor of the clock" }, PSTATE_VALID,
};
static const struct um_field pstate_zen5_fields[] = {
	{ "FID", 0, 12, "clock: 5 MHz x FID" }, PSTATE_VALID,
};
static const struct um_field pstate_other_fields[] = { PSTATE_VALID };

static const struct um_field cppc_fields[] = {
	{ "ENABLE", 0, 1, "hardware chooses the clock itself, within the requested range" },
};

static const struct um_field platform_info_fields[] = {
	{ "RATIO", 8, 8, "ratio of the base frequency" },
};

#define FIELDS(f) .fields = f, .num_fields = ARRAY_SIZE(f)
#define BITS(b) .bits = b, .num_bits = ARRAY_SIZE(b)
#define REG(address, where, rw, label, text, from, ...) \
	.reg = { .msr = address, .count = 1, .scope = UM_SCOPE_##where, .access = rw, \
		 .name = label, .desc = text, .valid = ~0ull, .source = from, __VA_ARGS__ }
#define LIMITS(r, has, address, which, f, b) \
	{ .role = r, .on = has, BITS(b), \
	  REG(address, DIE, UM_REG_RW, "MSR_" #which "_PERF_LIMIT_REASONS", \
	      "why this part of the package runs slower than requested", FROM_LIMITS, FIELDS(f), \
	      .write_mask = LOW(16) << 16) }
#define NUMBER(r, has, gate, address, where, label, text, from, f) \
	{ .role = r, .on = has, .gates = gate, \
	  REG(address, where, UM_REG_RO, label, text, from, FIELDS(f)) }
#define COUNT(r, has, gate, address, where, label, text) \
	{ .role = r, .on = has, .gates = gate, \
	  REG(address, where, UM_REG_RO, label, text, FROM_SDM, .fields = NULL) }

/* A register that the tools can show and explain, but that is not used to find throttling. */
#define DESCRIBED(has, address, label, text, f) \
	NUMBER(UM_NUM_ROLES, has, 0, address, DIE, label, text, FROM_RAPL, f)

#define PSTATE_0(has, text, f) \
	NUMBER(UM_ROLE_PSTATE_0, UM_HAS_PSTATE_##has, 0, 0xc0010064, CPU, "PStateDef0", text, \
	       FROM_PSTATES, f)

#define ANY_RATIO (UM_HAS_NEHALEM | UM_HAS_RATIO_8)

static const struct um_thermal_reg regs[] = {
	{ .role = UM_ROLE_CORE_STATUS, .on = UM_HAS_STATUS, .gates = UM_GATE_ACPI,
	  BITS(core_status_bits),
	  REG(0x19c, CORE, UM_REG_RW, "IA32_THERM_STATUS", "thermal status of a core", FROM_SDM,
	      FIELDS(core_status_fields), .write_mask = 0xaaaa) },
	{ .role = UM_ROLE_PACKAGE_STATUS, .on = UM_HAS_STATUS, .gates = UM_GATE_PTM,
	  BITS(package_status_bits),
	  REG(0x1b1, DIE, UM_REG_RW, "IA32_PACKAGE_THERM_STATUS", "thermal status of a package",
	      FROM_SDM, FIELDS(package_status_fields), .write_mask = 0xaaa | BIT(26)) },
	NUMBER(UM_ROLE_CLOCK_MODULATION, UM_HAS_STATUS, UM_GATE_ACPI, 0x19a, CPU,
	       "IA32_CLOCK_MODULATION", "share of the time that the clock runs", FROM_SDM,
	       clock_modulation_fields),
	NUMBER(UM_ROLE_TARGET, UM_HAS_TARGET, UM_GATE_DTS, 0x1a2, DIE,
	       "MSR_TEMPERATURE_TARGET", "temperature that the readouts are below", FROM_SDM,
	       target_fields),
	NUMBER(UM_ROLE_POWER_CTL, UM_HAS_POWER_CTL, 0, 0x1fc, DIE, "MSR_POWER_CTL",
	       "whether PROCHOT# from outside is listened to", FROM_LIMITS, power_ctl_fields),
	NUMBER(UM_ROLE_PERF_STATUS, ANY_RATIO, 0, 0x198, CORE, "IA32_PERF_STATUS",
	       "ratio of the core's clock now", FROM_SDM, perf_status_fields),
	NUMBER(UM_ROLE_PERF_CTL, ANY_RATIO, 0, 0x199, CPU, "IA32_PERF_CTL",
	       "requested ratio", FROM_SDM, perf_status_fields),
	NUMBER(UM_ROLE_PM_ENABLE, UM_HAS_STATUS, UM_GATE_HWP, 0x770, DIE, "IA32_PM_ENABLE",
	       "whether hardware chooses the frequency", FROM_SDM, pm_enable_fields),
	NUMBER(UM_ROLE_HWP_CAPABILITIES, UM_HAS_STATUS, UM_GATE_HWP, 0x771, CPU,
	       "IA32_HWP_CAPABILITIES", "performance levels", FROM_SDM, hwp_capabilities_fields),
	NUMBER(UM_ROLE_HWP_STATUS, UM_HAS_STATUS, UM_GATE_HWP, 0x777, CPU, "IA32_HWP_STATUS",
	       "changes of the performance levels", FROM_SDM, hwp_status_fields),
	COUNT(UM_ROLE_MPERF, UM_HAS_STATUS | UM_HAS_AMD, UM_GATE_APERF, 0xe7, CPU, "IA32_MPERF",
	      "clocks at the base frequency while not halted"),
	COUNT(UM_ROLE_APERF, UM_HAS_STATUS | UM_HAS_AMD, UM_GATE_APERF, 0xe8, CPU, "IA32_APERF",
	      "clocks at the real frequency while not halted"),
	COUNT(UM_ROLE_SMI, ANY_RATIO, 0, 0x34, CORE, "MSR_SMI_COUNT",
	      "system management interrupts since reset"),
	NUMBER(UM_ROLE_PLATFORM_INFO, ANY_RATIO, 0, 0xce, DIE, "MSR_PLATFORM_INFO",
	       "base frequency", FROM_LIMITS, platform_info_fields),
	NUMBER(UM_ROLE_UNITS, UM_HAS_RAPL, 0, 0x606, DIE, "MSR_RAPL_POWER_UNIT",
	       "units of power, energy and time", FROM_RAPL, units_fields),
	NUMBER(UM_ROLE_PACKAGE_LIMIT, UM_HAS_RAPL, 0, 0x610, DIE, "MSR_PKG_POWER_LIMIT",
	       "power limits of the package", FROM_RAPL, package_limit_fields),
	NUMBER(UM_ROLE_PACKAGE_PERF, UM_HAS_PACKAGE_PERF, 0, 0x613, DIE,
	       "MSR_PKG_PERF_STATUS", "time the package was held back by power", FROM_RAPL,
	       perf_fields),
	NUMBER(UM_ROLE_DRAM_PERF, UM_HAS_DRAM_PERF, 0, 0x61b, DIE, "MSR_DRAM_PERF_STATUS",
	       "time the memory was held back", FROM_RAPL, perf_fields),
	NUMBER(UM_ROLE_CORES_PERF, UM_HAS_CORES_PERF, 0, 0x63b, DIE, "MSR_PP0_PERF_STATUS",
	       "time the cores were held back by power", FROM_RAPL, perf_fields),
	LIMITS(UM_ROLE_LIMITS, UM_HAS_690_CLIENT, 0x690, CORE, client_fields, client_bits),
	LIMITS(UM_ROLE_LIMITS, UM_HAS_690_SERVER, 0x690, CORE, server_fields, server_bits),
	LIMITS(UM_ROLE_LIMITS, UM_HAS_64F, 0x64f, CORE, skylake_fields, skylake_bits),
	LIMITS(UM_ROLE_GRAPHICS_LIMITS, UM_HAS_6B0, 0x6b0, GRAPHICS, haswell_graphics_fields,
	       haswell_graphics_bits),
	LIMITS(UM_ROLE_GRAPHICS_LIMITS, UM_HAS_6B0_SKYLAKE, 0x6b0, GRAPHICS,
	       skylake_graphics_fields, skylake_graphics_bits),
	LIMITS(UM_ROLE_RING_LIMITS, UM_HAS_6B0, 0x6b1, RING, haswell_graphics_fields,
	       haswell_ring_bits),
	LIMITS(UM_ROLE_RING_LIMITS, UM_HAS_6B0_SKYLAKE, 0x6b1, RING, skylake_graphics_fields,
	       skylake_ring_bits),
	DESCRIBED(UM_HAS_RAPL, 0x611, "MSR_PKG_ENERGY_STATUS", "energy of the package", energy_fields),
	DESCRIBED(UM_HAS_RAPL, 0x614, "MSR_PKG_POWER_INFO", "what limits the package can have",
		  power_info_fields),
	DESCRIBED(UM_HAS_DRAM_PERF, 0x619, "MSR_DRAM_ENERGY_STATUS", "energy of the memory",
		  energy_fields),
	DESCRIBED(UM_HAS_RAPL, 0x639, "MSR_PP0_ENERGY_STATUS", "energy of the cores", energy_fields),
	{ .role = UM_NUM_ROLES, .on = UM_HAS_AMD_SELECTORS,
	  REG(0xc0010200, CPU, UM_REG_RW, "PERF_CTL0",
	      "selector: which event the first core counter counts, and how",
	      "AMD processor programming references; Linux arch/x86/events/amd/core.c",
	      FIELDS(amd_selector_fields)) },
	{ .role = UM_ROLE_PSTATE_LIMIT, .on = UM_HAS_AMD,
	  REG(0xc0010061, CPU, UM_REG_RO, "PStateCurLim", "fastest P-state allowed now",
	      "AMD processor programming references; CoreFreq amd_reg.h",
	      FIELDS(pstate_limit_fields)) },
	NUMBER(UM_ROLE_PSTATE_ASKED, UM_HAS_AMD, 0, 0xc0010062, CPU, "PStateCtl",
	       "requested P-state", FROM_PSTATES, pstate_command_fields),
	PSTATE_0(OLD, "clock of P-state 0, perhaps a boosted one", pstate_old_fields),
	PSTATE_0(OTHER, "clock of P-state 0, perhaps a boosted one", pstate_other_fields),
	PSTATE_0(ZEN, "clock of P-state 0, the base", pstate_zen_fields),
	PSTATE_0(ZEN5, "clock of P-state 0, the base", pstate_zen5_fields),
	NUMBER(UM_ROLE_CPPC, UM_HAS_AMD, 0, 0xc00102b1, CPU, "CPPC_ENABLE",
	       "whether hardware chooses the clock", FROM_PSTATES, cppc_fields),
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

unsigned um_thermal_shows(const struct um_thermal_reg *r, unsigned gates)
{
	/* Registers that have no bit per cause: the whole register stands for one cause. */
	static const unsigned whole[UM_NUM_ROLES + 1] = {
		[UM_ROLE_CLOCK_MODULATION] = 1u << UM_CAUSE_CLOCK_MODULATION,
		[UM_ROLE_PSTATE_LIMIT] = 1u << UM_CAUSE_FIRMWARE,
		[UM_ROLE_PACKAGE_PERF] = 1u << UM_CAUSE_POWER,
		[UM_ROLE_CORES_PERF] = 1u << UM_CAUSE_POWER,
		[UM_ROLE_DRAM_PERF] = 1u << UM_CAUSE_DIMM,
		[UM_ROLE_SMI] = 1u << UM_CAUSE_SMI,
	};
	unsigned causes = whole[r->role];

	for (size_t i = 0; i < r->num_bits; i++)
		if (r->bits[i].cause != UM_NUM_CAUSES && !(r->bits[i].gates & ~gates))
			causes |= 1u << r->bits[i].cause;
	return causes;
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
