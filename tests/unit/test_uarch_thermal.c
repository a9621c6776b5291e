/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers that show why a processor is throttled, from other sources than the table's: layouts from Intel SDM
 * volume 4 and turbostat.c, models from the allowlists of LLNL's msr-safe and from recorded machines.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <stdio.h>
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uarch/thermal.h"

static const struct um_thermal_model *intel(int model)
{
	return um_thermal_find("GenuineIntel", 6, model);
}

enum { WESTMERE = 0x2c, SANDY_EP = 0x2d, HASWELL = 0x3c, HASWELL_EP = 0x3f, SKYLAKE = 0x5e };

static const struct um_thermal_model *layout(int model)
{
	return model ? intel(model) : um_thermal_find("AuthenticAMD", 0x17, 1);
}

/* ---- registers ---- */

#define LIMIT_LOGS 0xffff0000u

static const struct {
	int model; /* 0: AMD */
	uint32_t msr;
	enum um_thermal_role role;
	enum um_scope scope;
	enum um_reg_access access;
	uint64_t written;
	unsigned gates;
} registers[] = {
	{ HASWELL, 0x19c, UM_ROLE_CORE_STATUS, UM_SCOPE_CORE, UM_REG_RW, 0xaaaa, UM_GATE_ACPI },
	{ HASWELL, 0x1b1, UM_ROLE_PACKAGE_STATUS, UM_SCOPE_DIE, UM_REG_RW, 0x4000aaa, UM_GATE_PTM },
	{ HASWELL, 0x19a, UM_ROLE_CLOCK_MODULATION, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_ACPI },
	{ HASWELL, 0x1a2, UM_ROLE_TARGET, UM_SCOPE_DIE, UM_REG_RO, 0, UM_GATE_DTS },
	{ HASWELL, 0x1fc, UM_ROLE_POWER_CTL, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x198, UM_ROLE_PERF_STATUS, UM_SCOPE_CORE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x199, UM_ROLE_PERF_CTL, UM_SCOPE_CPU, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x770, UM_ROLE_PM_ENABLE, UM_SCOPE_DIE, UM_REG_RO, 0, UM_GATE_HWP },
	{ HASWELL, 0x771, UM_ROLE_HWP_CAPABILITIES, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_HWP },
	{ HASWELL, 0x777, UM_ROLE_HWP_STATUS, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_HWP },
	{ HASWELL, 0xe7, UM_ROLE_MPERF, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_APERF },
	{ HASWELL, 0xe8, UM_ROLE_APERF, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_APERF },
	{ HASWELL, 0x34, UM_ROLE_SMI, UM_SCOPE_CORE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0xce, UM_ROLE_PLATFORM_INFO, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x606, UM_ROLE_UNITS, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x610, UM_ROLE_PACKAGE_LIMIT, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x611, UM_NUM_ROLES, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x613, UM_ROLE_PACKAGE_PERF, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x614, UM_NUM_ROLES, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x619, UM_NUM_ROLES, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x61b, UM_ROLE_DRAM_PERF, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x639, UM_NUM_ROLES, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ SANDY_EP, 0x63b, UM_ROLE_CORES_PERF, UM_SCOPE_DIE, UM_REG_RO, 0, 0 },
	{ HASWELL, 0x690, UM_ROLE_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	{ HASWELL_EP, 0x690, UM_ROLE_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	{ SKYLAKE, 0x64f, UM_ROLE_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	{ HASWELL, 0x6b0, UM_ROLE_GRAPHICS_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	{ SKYLAKE, 0x6b0, UM_ROLE_GRAPHICS_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	{ HASWELL, 0x6b1, UM_ROLE_RING_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	{ SKYLAKE, 0x6b1, UM_ROLE_RING_LIMITS, UM_SCOPE_DIE, UM_REG_RW, LIMIT_LOGS, 0 },
	/* AMD: BKDG and PPR, "P-state control registers"; CPPC in Linux msr-index.h. */
	{ 0, 0xe7, UM_ROLE_MPERF, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_APERF },
	{ 0, 0xe8, UM_ROLE_APERF, UM_SCOPE_CPU, UM_REG_RO, 0, UM_GATE_APERF },
	{ 0, 0xc0010200, UM_NUM_ROLES, UM_SCOPE_CPU, UM_REG_RW, 0, 0 },
	{ 0, 0xc0010061, UM_ROLE_PSTATE_LIMIT, UM_SCOPE_CPU, UM_REG_RO, 0, 0 },
	{ 0, 0xc0010062, UM_ROLE_PSTATE_ASKED, UM_SCOPE_CPU, UM_REG_RO, 0, 0 },
	{ 0, 0xc0010064, UM_ROLE_PSTATE_0, UM_SCOPE_CPU, UM_REG_RO, 0, 0 },
	{ 0, 0xc00102b1, UM_ROLE_CPPC, UM_SCOPE_CPU, UM_REG_RO, 0, 0 },
};

TEST(each_register_has_its_scope_cpuid_condition_and_clearable_bits)
{
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		const struct um_thermal_reg *r = um_thermal_reg_at(layout(registers[i].model), registers[i].msr);

		ck_assert_msg(r != NULL, "0x%x", registers[i].msr);
		ck_assert_msg(r->role == registers[i].role && r->reg.scope == registers[i].scope &&
			      r->reg.access == registers[i].access &&
			      r->reg.write_mask == registers[i].written &&
			      r->gates == registers[i].gates, "0x%x (row %zu)", r->reg.msr, i);
		ck_assert_uint_eq(r->reg.count, 1);
		ck_assert_uint_eq(r->reg.valid, UINT64_MAX);
		ck_assert(*r->reg.name && *r->reg.desc && *r->reg.source);
	}
}

/* ---- fields ---- */

#define STATUS \
	"THERMAL 0 THERMAL_LOG 1 PROCHOT 2 PROCHOT_LOG 3 CRITICAL 4 CRITICAL_LOG 5 " \
	"THRESHOLD1 6 THRESHOLD1_LOG 7 THRESHOLD2 8 THRESHOLD2_LOG 9 POWER_LIMIT 10 " \
	"POWER_LIMIT_LOG 11 READOUT 16-22 RESOLUTION 27-30 VALID 31 "
#define PINS "PROCHOT 0 PROCHOT_LOG 16 THERMAL 1 THERMAL_LOG 17 VR_THERMAL 6 VR_THERMAL_LOG 22 "
#define TURBO \
	"PL1 10 PL1_LOG 26 PL2 11 PL2_LOG 27 MAX_TURBO 12 MAX_TURBO_LOG 28 ATTENUATION 13 " \
	"ATTENUATION_LOG 29 "
#define SKYLAKES \
	PINS "RATL 5 RATL_LOG 21 VR_CURRENT 7 VR_CURRENT_LOG 23 OTHER 8 OTHER_LOG 24 PL1 10 " \
	"PL1_LOG 26 PL2 11 PL2_LOG 27 "
#define HASWELL_GRAPHICS \
	PINS "GRAPHICS 4 GRAPHICS_LOG 20 CURRENT 8 CURRENT_LOG 24 GRAPHICS_POWER 9 " \
	"GRAPHICS_POWER_LOG 25 PL1 10 PL1_LOG 26 PL2 11 PL2_LOG 27 "

/* Fields as "NAME low" or "NAME low-high", each followed by a space. */
static const struct {
	int model;
	uint32_t msr;
	const char *fields;
} fields[] = {
	{ HASWELL, 0x19c, STATUS "CURRENT_LIMIT 12 CURRENT_LIMIT_LOG 13 CROSS_DOMAIN 14 "
	  "CROSS_DOMAIN_LOG 15 " },
	{ HASWELL, 0x1b1, STATUS "FEEDBACK 26 " },
	{ HASWELL, 0x19a, "DUTY 0-3 ON 4 " },
	{ HASWELL, 0x1a2, "WINDOW 0-6 FAN_OFFSET 8-15 TARGET 16-23 OFFSET 24-29 " },
	{ HASWELL, 0x1fc, "BD_PROCHOT 0 " },
	{ HASWELL, 0x198, "RATIO_NEHALEM 0-7 RATIO 8-15 " },
	{ HASWELL, 0x199, "RATIO_NEHALEM 0-7 RATIO 8-15 " },
	{ HASWELL, 0x770, "HWP_ENABLE 0 " },
	{ HASWELL, 0x771, "HIGHEST 0-7 GUARANTEED 8-15 EFFICIENT 16-23 LOWEST 24-31 " },
	{ HASWELL, 0x777, "GUARANTEED_CHANGED 0 EXCURSION 2 HIGHEST_CHANGED 3 " },
	{ HASWELL, 0xce, "RATIO 8-15 " },
	{ HASWELL, 0x606, "POWER 0-3 ENERGY 8-12 TIME 16-19 " },
	{ HASWELL, 0x610, "PL1 0-14 PL1_ON 15 PL2 32-46 PL2_ON 47 LOCK 63 " },
	{ HASWELL, 0x611, "ENERGY 0-31 " }, { HASWELL, 0x619, "ENERGY 0-31 " },
	{ HASWELL, 0x639, "ENERGY 0-31 " },
	{ HASWELL, 0x613, "TIME 0-31 " }, { HASWELL, 0x61b, "TIME 0-31 " },
	{ SANDY_EP, 0x63b, "TIME 0-31 " },
	{ HASWELL, 0x614, "TDP 0-14 MINIMUM 16-30 MAXIMUM 32-46 WINDOW 48-53 " },
	{ HASWELL, 0x690, PINS TURBO "GRAPHICS_DRIVER 4 GRAPHICS_DRIVER_LOG 20 AUTONOMOUS 5 "
	  "AUTONOMOUS_LOG 21 EDP 8 EDP_LOG 24 CORE_POWER 9 CORE_POWER_LOG 25 " },
	{ HASWELL_EP, 0x690, PINS "POWER_BUDGET 2 POWER_BUDGET_LOG 18 PLATFORM 3 PLATFORM_LOG 19 "
	  "AUTONOMOUS 5 AUTONOMOUS_LOG 21 EDP 8 EDP_LOG 24 MULTICORE_TURBO 10 "
	  "MULTICORE_TURBO_LOG 26 P1 13 P1_LOG 29 NCORE_TURBO 14 NCORE_TURBO_LOG 30 FREQUENCY 15 "
	  "FREQUENCY_LOG 31 " },
	{ SKYLAKE, 0x64f, SKYLAKES "RESIDENCY 4 RESIDENCY_LOG 20 MAX_TURBO 12 MAX_TURBO_LOG 28 "
	  "ATTENUATION 13 ATTENUATION_LOG 29 TVB 14 TVB_LOG 30 " },
	{ HASWELL, 0x6b0, HASWELL_GRAPHICS }, { HASWELL, 0x6b1, HASWELL_GRAPHICS },
	{ SKYLAKE, 0x6b0, SKYLAKES "INEFFICIENT 12 INEFFICIENT_LOG 28 " },
	{ SKYLAKE, 0x6b1, SKYLAKES "INEFFICIENT 12 INEFFICIENT_LOG 28 " },
	{ 0, 0xc0010200, "EVENT 0-7 UMASK 8-15 USR 16 OS 17 EDGE 18 INT 20 EN 22 INV 23 CMASK 24-31 "
	  "EVENT_EXT 32-35 GUEST 40 HOST 41 " },
	{ 0, 0xc0010061, "LIMIT 0-3 MAX 4-7 " }, { 0, 0xc0010062, "PSTATE 0-2 " },
	{ 0, 0xc00102b1, "ENABLE 0 " },
	{ HASWELL, 0xe7, "" }, { HASWELL, 0xe8, "" }, { HASWELL, 0x34, "" },
	{ 0, 0xc0010064, "FID 0-7 DID 8-13 VALID 63 " },
};

static const char *fields_of(const struct um_reg *r, char text[1024])
{
	size_t len = 0;

	*text = '\0';
	for (const struct um_field *f = um_reg_fields(r); *f->name; f++)
		len += (size_t)snprintf(text + len, 1024 - len, f->width == 1 ? "%s %d " : "%s %d-%d ",
					f->name, f->shift, f->shift + f->width - 1);
	return text;
}

TEST(every_field_has_the_bits_of_the_manual)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct um_reg *r = &um_thermal_reg_at(layout(fields[i].model), fields[i].msr)->reg;
		char text[1024];

		ck_assert_msg(!strcmp(fields_of(r, text), fields[i].fields), "0x%x: %s", r->msr, text);
	}
}

/* Linux tools/power/cpupower/utils/helpers/amd.c; for families 12h and 14h only bit 63 is certain. */
TEST(the_clock_of_a_p_state_is_where_the_family_has_it)
{
	static const struct { const char *vendor; int family; const char *fields; } t[] = {
		{ "AuthenticAMD", 0x10, "FID 0-5 DID 6-8 VALID 63 " },
		{ "AuthenticAMD", 0x11, "FID 0-5 DID 6-8 VALID 63 " },
		{ "AuthenticAMD", 0x12, "VALID 63 " }, { "AuthenticAMD", 0x14, "VALID 63 " },
		{ "AuthenticAMD", 0x15, "FID 0-5 DID 6-8 VALID 63 " },
		{ "AuthenticAMD", 0x16, "FID 0-5 DID 6-8 VALID 63 " },
		{ "AuthenticAMD", 0x17, "FID 0-7 DID 8-13 VALID 63 " },
		{ "HygonGenuine", 0x18, "FID 0-7 DID 8-13 VALID 63 " },
		{ "AuthenticAMD", 0x19, "FID 0-7 DID 8-13 VALID 63 " },
		{ "AuthenticAMD", 0x1a, "FID 0-11 VALID 63 " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct um_thermal_model *m = um_thermal_find(t[i].vendor, t[i].family, 1);
		const struct um_thermal_reg *r = um_thermal_reg(m, 0, UM_ROLE_PSTATE_0);
		char text[1024];

		ck_assert_ptr_nonnull(r);
		ck_assert_uint_eq(r->reg.msr, 0xc0010064);
		ck_assert_msg(!strcmp(fields_of(&r->reg, text), t[i].fields), "%x: %s", t[i].family, text);
	}
}

/* ---- causes of status bits ---- */

/* Status and log bits: the cause of a bit, if any, and whether the log bit alone decides the verdict. */
#define NOTHING UM_NUM_CAUSES
static const struct reason {
	int model;
	uint32_t msr;
	unsigned now, log;
	enum uncoremsr_cause_kind cause;
	bool decides;
	unsigned gates;
} reasons[] = {
#define COMMON(m, msr, thermal) \
	{ m, msr, 0, 1, thermal, true, UM_GATE_ACPI }, \
	{ m, msr, 2, 3, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true, UM_GATE_FORCEPR }, \
	{ m, msr, 4, 5, UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, true, 0 }, \
	{ m, msr, 6, 7, NOTHING, false, UM_GATE_TM2 }, \
	{ m, msr, 8, 9, NOTHING, false, UM_GATE_TM2 }, \
	{ m, msr, 10, 11, UNCOREMSR_CAUSE_POWER_LIMIT, false, UM_GATE_PLN }
	COMMON(HASWELL, 0x19c, UNCOREMSR_CAUSE_CORE_THERMAL),
	{ HASWELL, 0x19c, 12, 13, UNCOREMSR_CAUSE_CURRENT_LIMIT, false, UM_GATE_HWP },
	{ HASWELL, 0x19c, 14, 15, UNCOREMSR_CAUSE_CROSS_DOMAIN, false, UM_GATE_HWP },
	COMMON(HASWELL, 0x1b1, UNCOREMSR_CAUSE_PACKAGE_THERMAL),
	{ HASWELL, 0x1b1, UM_NO_BIT, 26, NOTHING, false, UM_GATE_HFI },
#define LIMIT(m, msr, bit, cause, decides) { m, msr, bit, (bit) + 16, cause, decides, 0 }
#define HOT(m, msr) \
	LIMIT(m, msr, 0, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true), \
	LIMIT(m, msr, 1, UNCOREMSR_CAUSE_PACKAGE_THERMAL, true), \
	LIMIT(m, msr, 6, UNCOREMSR_CAUSE_VR_THERMAL, true)
	HOT(HASWELL, 0x690),
	LIMIT(HASWELL, 0x690, 4, UNCOREMSR_CAUSE_CROSS_DOMAIN, false), LIMIT(HASWELL, 0x690, 5, NOTHING, false),
	LIMIT(HASWELL, 0x690, 8, UNCOREMSR_CAUSE_CURRENT_LIMIT, false),
	LIMIT(HASWELL, 0x690, 9, UNCOREMSR_CAUSE_POWER_LIMIT, false),
	LIMIT(HASWELL, 0x690, 10, UNCOREMSR_CAUSE_POWER_LIMIT, false),
	LIMIT(HASWELL, 0x690, 11, UNCOREMSR_CAUSE_POWER_LIMIT, false),
	LIMIT(HASWELL, 0x690, 12, NOTHING, false), LIMIT(HASWELL, 0x690, 13, NOTHING, false),
	HOT(HASWELL_EP, 0x690),
	LIMIT(HASWELL_EP, 0x690, 2, UNCOREMSR_CAUSE_POWER_LIMIT, false),
	LIMIT(HASWELL_EP, 0x690, 3, UNCOREMSR_CAUSE_FIRMWARE, false),
	LIMIT(HASWELL_EP, 0x690, 5, NOTHING, false), LIMIT(HASWELL_EP, 0x690, 8, UNCOREMSR_CAUSE_CURRENT_LIMIT, false),
	LIMIT(HASWELL_EP, 0x690, 10, NOTHING, false), LIMIT(HASWELL_EP, 0x690, 13, NOTHING, false),
	LIMIT(HASWELL_EP, 0x690, 14, NOTHING, false), LIMIT(HASWELL_EP, 0x690, 15, NOTHING, false),
	HOT(SKYLAKE, 0x64f),
	LIMIT(SKYLAKE, 0x64f, 4, NOTHING, false), LIMIT(SKYLAKE, 0x64f, 5, UNCOREMSR_CAUSE_PACKAGE_THERMAL, true),
	LIMIT(SKYLAKE, 0x64f, 7, UNCOREMSR_CAUSE_CURRENT_LIMIT, false),
	LIMIT(SKYLAKE, 0x64f, 8, UNCOREMSR_CAUSE_CURRENT_LIMIT, false),
	LIMIT(SKYLAKE, 0x64f, 10, UNCOREMSR_CAUSE_POWER_LIMIT, false),
	LIMIT(SKYLAKE, 0x64f, 11, UNCOREMSR_CAUSE_POWER_LIMIT, false),
	LIMIT(SKYLAKE, 0x64f, 12, NOTHING, false), LIMIT(SKYLAKE, 0x64f, 13, NOTHING, false),
	LIMIT(SKYLAKE, 0x64f, 14, NOTHING, false),
#define BUDGETS(m, msr) \
	LIMIT(m, msr, 8, NOTHING, false), LIMIT(m, msr, 10, NOTHING, false), \
	LIMIT(m, msr, 11, NOTHING, false)
	HOT(HASWELL, 0x6b0), BUDGETS(HASWELL, 0x6b0),
	LIMIT(HASWELL, 0x6b0, 4, NOTHING, false), LIMIT(HASWELL, 0x6b0, 9, NOTHING, false),
	HOT(HASWELL, 0x6b1), BUDGETS(HASWELL, 0x6b1),
	HOT(SKYLAKE, 0x6b0), BUDGETS(SKYLAKE, 0x6b0), LIMIT(SKYLAKE, 0x6b0, 5, NOTHING, false),
	LIMIT(SKYLAKE, 0x6b0, 7, NOTHING, false), LIMIT(SKYLAKE, 0x6b0, 12, NOTHING, false),
	HOT(SKYLAKE, 0x6b1), BUDGETS(SKYLAKE, 0x6b1), LIMIT(SKYLAKE, 0x6b1, 5, NOTHING, false),
	LIMIT(SKYLAKE, 0x6b1, 7, NOTHING, false),
};

static const struct reason *reason_of(int model, uint32_t msr, const struct um_limit_bit *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].model == model && reasons[i].msr == msr && reasons[i].log == b->log)
			return &reasons[i];
	ck_abort_msg("0x%x: no source has bit %d", msr, b->log);
}

TEST(every_limit_reason_has_its_cause_weight_and_cpuid_condition)
{
	static const struct { int model; uint32_t msr; } with[] = {
		{ HASWELL, 0x19c }, { HASWELL, 0x1b1 }, { HASWELL, 0x690 }, { HASWELL_EP, 0x690 },
		{ SKYLAKE, 0x64f }, { HASWELL, 0x6b0 }, { HASWELL, 0x6b1 }, { SKYLAKE, 0x6b0 },
		{ SKYLAKE, 0x6b1 },
	};
	bool used[ARRAY_SIZE(reasons)] = { false };
	size_t seen = 0;

	for (size_t i = 0; i < ARRAY_SIZE(with); i++) {
		const struct um_thermal_reg *r = um_thermal_reg_at(intel(with[i].model), with[i].msr);

		for (size_t k = 0; k < r->num_bits; k++, seen++) {
			const struct um_limit_bit *b = &r->bits[k];
			const struct reason *want = reason_of(with[i].model, with[i].msr, b);

			ck_assert_msg(b->now == want->now && b->cause == want->cause &&
				      b->decides == want->decides && b->gates == want->gates,
				      "0x%x, bit %d (model 0x%x)", with[i].msr, b->log,
				      (unsigned)with[i].model);
			ck_assert_msg(!used[want - reasons], "0x%x: bit %d twice", with[i].msr, b->log);
			used[want - reasons] = true;
		}
	}
	ck_assert_uint_eq(seen, ARRAY_SIZE(reasons));
}

/* ---- models ---- */

#define HASWELLS "3c 45 46 3d 47 "
#define NAMED_64F "4e 5e 8e 9e 66 7d 7e 8c 8d a5 a6 97 9a bf "
#define CLIENTS NAMED_64F "a7 b7 ba be d7 aa ac c6 c5 b5 bd cc d5 "
#define HASWELL_EPS "3f 4f 56 "
#define LATE_SERVERS "6a 6c 8f cf ad ae af b6 "
#define SANDYS "2a 3a "
#define SANDY_EPS "2d 3e "
#define GOLDMONTS "5c 5f 7a 86 96 9c "
#define SILVERMONTS "37 4a 4d 5a 5d 4c 75 "
#define PHIS "57 85 "
#define NEHALEMS "1a 1e 1f 2e 25 2c 2f "
#define SANDY_ON SANDYS SANDY_EPS HASWELLS HASWELL_EPS CLIENTS "55 " LATE_SERVERS

/* Models of family 6 (two hexadecimal digits and a space each) that have the register. */
static const struct {
	uint32_t msr;
	const char *models;
} on[] = {
	{ 0x690, HASWELLS HASWELL_EPS },
	{ 0x64f, NAMED_64F "55 6a 6c " },
	{ 0x6b0, HASWELLS CLIENTS }, { 0x6b1, HASWELLS CLIENTS },
	{ 0x63b, SANDY_EPS LATE_SERVERS },
	{ 0x61b, SANDY_EPS HASWELLS HASWELL_EPS CLIENTS "55 " LATE_SERVERS PHIS },
	{ 0x613, SANDY_EPS HASWELLS HASWELL_EPS CLIENTS "55 " LATE_SERVERS PHIS GOLDMONTS },
	{ 0x606, SANDY_ON PHIS GOLDMONTS }, { 0x610, SANDY_ON PHIS GOLDMONTS },
	{ 0x1fc, SANDY_ON GOLDMONTS },
	{ 0x1a2, NEHALEMS SANDY_ON PHIS GOLDMONTS SILVERMONTS },
	{ 0x34, NEHALEMS SANDY_ON PHIS GOLDMONTS SILVERMONTS },
	{ 0xce, NEHALEMS SANDY_ON PHIS GOLDMONTS SILVERMONTS },
};

static bool is_in(const char *models, int model)
{
	char text[8];

	snprintf(text, sizeof(text), "%02x ", (unsigned)model);
	return strstr(models, text) != NULL;
}

TEST(exactly_these_models_have_the_register)
{
	for (size_t i = 0; i < ARRAY_SIZE(on); i++)
		for (int model = 0; model < 256; model++) {
			const struct um_thermal_reg *r = um_thermal_reg_at(intel(model), on[i].msr);

			ck_assert_msg(!r == !is_in(on[i].models, model), "0x%x on model 0x%x",
				      on[i].msr, (unsigned)model);
		}
	for (int model = 0; model < 256; model++) {
		const struct um_thermal_model *m = intel(model);

		ck_assert_msg(um_thermal_reg_at(m, 0x19c) && um_thermal_reg_at(m, 0xe8), "0x%x", (unsigned)model);
		/* The client and the server layout of 0x690 have different bits. */
		if (is_in(HASWELLS HASWELL_EPS, model))
			ck_assert_msg((um_thermal_reg_at(m, 0x690)->num_bits == 11) &&
				      um_thermal_reg_at(m, 0x690)->on ==
				      (is_in(HASWELLS, model) ? UM_HAS_690_CLIENT
							      : UM_HAS_690_SERVER), "0x%x",
				      (unsigned)model);
		if (is_in(HASWELLS CLIENTS, model))
			ck_assert_uint_eq(um_thermal_reg_at(m, 0x6b0)->on, is_in(HASWELLS, model)
					  ? UM_HAS_6B0 : UM_HAS_6B0_SKYLAKE);
		ck_assert_msg(!(m->has & UM_HAS_NEHALEM) == !is_in(NEHALEMS, model), "0x%x", (unsigned)model);
		ck_assert_msg(!(m->has & UM_HAS_TPMI) == !is_in("ad ae af b6 ", model), "0x%x", (unsigned)model);
		ck_assert_msg(!(m->has & UM_HAS_NO_FORCEPR) == !is_in("09 0d 15 ", model), "0x%x", (unsigned)model);
	}
}

/* Families: Intel 6, 15, 18 and 19, AMD 0x10 to 0x1a except 0x13 and 0x18, which is Hygon's. */
TEST(unknown_families_have_no_model)
{
	static const char *const vendors[] = { "GenuineIntel", "AuthenticAMD", "HygonGenuine", "Other" };
	static const char *const families[] = {
		"06 0f 12 13 ", "10 11 12 14 15 16 17 19 1a ", "18 ", "",
	};

	for (size_t v = 0; v < ARRAY_SIZE(vendors); v++)
		for (int family = 0; family < 32; family++)
			for (int model = -1; model <= 256; model++) {
				const struct um_thermal_model *m = um_thermal_find(vendors[v], family, model);

				ck_assert_msg(!m == !(is_in(families[v], family) && model >= 0 && model < 256),
					      "%s 0x%x 0x%x", vendors[v], (unsigned)family, (unsigned)model);
				ck_assert(!m || m->family == family);
			}
	ck_assert(um_thermal_find("GenuineIntel", 15, 4)->has & UM_HAS_NO_FORCEPR);
	for (int family = 0x10; family <= 0x1a; family++) {
		const struct um_thermal_model *m =
			um_thermal_find(family == 0x18 ? "HygonGenuine" : "AuthenticAMD", family, 1);

		if (!m)
			continue;
		ck_assert_ptr_nonnull(um_thermal_reg_at(m, 0xc0010061));
		ck_assert_ptr_null(um_thermal_reg_at(m, 0x19c));
		/* Linux amd/core.c, PERFCTR_CORE: from family 15 hexadecimal on. */
		ck_assert_msg(!um_thermal_reg_at(m, 0xc0010200) == (family < 0x15), "0x%x", (unsigned)family);
	}
}

/* Each UM_GATE_* is one feature bit in CPUID leaf 1 or 6 (SDM volume 2A, CPUID). */
TEST(each_cpuid_bit_enables_only_its_own_registers_and_bits)
{
	static const struct { unsigned leaf, reg, bit, gate; } want[] = {
		{ 1, 3, 22, UM_GATE_ACPI }, { 1, 2, 8, UM_GATE_TM2 }, { 6, 0, 0, UM_GATE_DTS },
		{ 6, 0, 4, UM_GATE_PLN }, { 6, 0, 5, UM_GATE_ECMD }, { 6, 0, 6, UM_GATE_PTM },
		{ 6, 0, 7, UM_GATE_HWP }, { 6, 0, 19, UM_GATE_HFI }, { 6, 2, 0, UM_GATE_APERF },
	};

	for (unsigned n = 0; n < 2 * 4 * 32; n++) {
		unsigned leaf = n < 128 ? 1 : 6, reg = n / 32 % 4, bit = n % 32, gate = 0;
		uint32_t leaves[2][4] = { { 0 } };

		for (size_t i = 0; i < ARRAY_SIZE(want); i++)
			if (want[i].leaf == leaf && want[i].reg == reg && want[i].bit == bit)
				gate = want[i].gate;
		leaves[leaf == 6][reg] = 1u << bit;
		ck_assert_uint_eq(um_thermal_gates(intel(0x5e), leaves[0], leaves[1]), gate | UM_GATE_FORCEPR);
		ck_assert_uint_eq(um_thermal_gates(intel(0x0d), leaves[0], leaves[1]), gate);
	}
}

TEST(each_way_to_a_register_leads_to_the_same_row)
{
	for (int model = 0; model < 256; model++) {
		const struct um_thermal_model *m = intel(model);
		const struct um_thermal_reg *r;
		size_t num = 0, by_address = 0;

		for (; (r = um_thermal_reg_of(m, num)); num++) {
			ck_assert_ptr_eq(um_thermal_reg_at(m, r->reg.msr), r);
			if (r->role == UM_NUM_ROLES)
				continue;
			ck_assert_ptr_eq(um_thermal_reg(m, r->gates, r->role), r);
			if (r->gates)
				ck_assert_ptr_null(um_thermal_reg(m, ~(unsigned)r->gates, r->role));
		}
		for (uint32_t msr = 0; msr < 0x1000; msr++)
			by_address += um_thermal_reg_at(m, msr) != NULL;
		ck_assert_uint_eq(num, by_address);
	}
}

/*
 * The base clock in a P-state of AMD, bit by bit: fields of family 11h (100 MHz * (fid + 8) / 2^did), of 17h to
 * 19h (200 MHz * fid / did), and of 1Ah (5 MHz each); Linux, tools/power/cpupower/utils/helpers/amd.c.
 */
TEST(the_base_clock_of_amd_has_the_fields_of_its_family)
{
	const uint64_t valid = UINT64_C(1) << 63;
	struct um_thermal_model m = { .family = 0x1a };

	for (unsigned bit = 0; bit < 64; bit++)
		ck_assert_double_eq(um_thermal_base_hz(&m, valid | UINT64_C(1) << bit),
				    bit < 12 ? 5e6 * (double)(UINT64_C(1) << bit) : 0);
	m.family = 0x19;
	for (unsigned bit = 0; bit < 63; bit++) {
		double fid = bit < 8 ? 1u << bit : 0;

		ck_assert_double_eq(um_thermal_base_hz(&m, valid | 8 << 8 | UINT64_C(1) << bit),
				    bit < 8 ? 200e6 * fid / 8 : 0);
		ck_assert_double_eq(um_thermal_base_hz(&m, valid | 64 | UINT64_C(1) << bit),
				    bit >= 8 && bit < 14 ? 200e6 * 64 / (1u << (bit - 8)) : 0);
	}
	m.family = 0x11;
	for (unsigned bit = 0; bit < 63; bit++) {
		double fid = bit < 6 ? 1u << bit : 0, did = bit >= 6 && bit < 9 ? 1u << (bit - 6) : 0;

		ck_assert_double_eq(um_thermal_base_hz(&m, valid | UINT64_C(1) << bit),
				    100e6 * (fid + 8) / (1u << (unsigned)did));
	}
	ck_assert_double_eq(um_thermal_base_hz(&m, 0x1), 0);
	m.family = 0x15;
	ck_assert_double_eq(um_thermal_base_hz(&m, valid | 0x1), 0);
}

SUITE(uarch_thermal)
