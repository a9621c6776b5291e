/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which registers show throttling on which processor, and what their bits mean. Data only. An address can be another
 * register on another processor (0x690 is a branch record from Skylake on), so a successful read does not prove that
 * the register exists. The model decides which registers are used; for architectural registers CPUID decides.
 */
#ifndef UM_THERMAL_H
#define UM_THERMAL_H

#include "uarch/uarch.h"
#include "uncoremsr/throttle.h"

/* Number of causes that can slow a processor down. Later values of the public enum are not causes. */
#define UM_NUM_CAUSES UNCOREMSR_CAUSE_REGISTERS

/* Features that must be present, by CPUID or by model, for a register or bit to be valid. */
enum um_thermal_gate {
	UM_GATE_ACPI = 1 << 0,    /* leaf 1 EDX 22: 0x19a, 0x19c */
	UM_GATE_TM2 = 1 << 1,     /* leaf 1 ECX 8: thresholds */
	UM_GATE_DTS = 1 << 2,     /* leaf 6 EAX 0: digital readout */
	UM_GATE_PLN = 1 << 3,     /* leaf 6 EAX 4: power limit notification */
	UM_GATE_ECMD = 1 << 4,    /* leaf 6 EAX 5: clock modulation in steps of 1/16 */
	UM_GATE_PTM = 1 << 5,     /* leaf 6 EAX 6: package status */
	UM_GATE_HWP = 1 << 6,     /* leaf 6 EAX 7: hardware chooses the frequency; current limit */
	UM_GATE_HFI = 1 << 7,     /* leaf 6 EAX 19: hardware feedback */
	UM_GATE_APERF = 1 << 8,   /* leaf 6 ECX 0: MSRs 0xe7 and 0xe8 */
	UM_GATE_FORCEPR = 1 << 9, /* by model: bits 2 and 3 of 0x19c exist */
};

/* The purpose of a register; each is read once per core or package. */
enum um_thermal_role {
	UM_ROLE_CORE_STATUS,
	UM_ROLE_CLOCK_MODULATION,
	UM_ROLE_PERF_STATUS,
	UM_ROLE_PERF_CTL,
	UM_ROLE_HWP_CAPABILITIES,
	UM_ROLE_HWP_STATUS,
	UM_ROLE_MPERF,
	UM_ROLE_APERF,
	UM_ROLE_PSTATE_LIMIT,
	UM_ROLE_PSTATE_ASKED,
	UM_ROLE_PSTATE_0,
	UM_ROLE_CPPC,
	UM_ROLE_PACKAGE_STATUS,
	UM_ROLE_PM_ENABLE,
	UM_ROLE_TARGET,
	UM_ROLE_POWER_CTL,
	UM_ROLE_LIMITS,
	UM_ROLE_GRAPHICS_LIMITS,
	UM_ROLE_RING_LIMITS,
	UM_ROLE_UNITS,
	UM_ROLE_PACKAGE_LIMIT,
	UM_ROLE_PACKAGE_PERF,
	UM_ROLE_DRAM_PERF,
	UM_ROLE_CORES_PERF,
	UM_ROLE_SMI,
	UM_ROLE_PLATFORM_INFO,
	UM_NUM_ROLES,
};

enum { UM_NO_BIT = 0xff };

/* A reason in a status register: its status bit (active now) and its sticky log bit (writing 0 clears it). */
struct um_limit_bit {
	uint8_t now, log;      /* UM_NO_BIT: there is none */
	uint8_t cause;         /* enum uncoremsr_cause_kind; UM_NUM_CAUSES: normal operation */
	bool decides;          /* the log bit alone is enough evidence of throttling */
	uint16_t gates;
	const char *detail;    /* a name more exact than the cause ("PL1"), or NULL */
};

/* One register on the processors that have it. */
struct um_thermal_reg {
	enum um_thermal_role role; /* UM_NUM_ROLES: the register is only described */
	uint32_t on;           /* the register exists if the model has any of these UM_HAS_ bits */
	uint16_t gates;        /* the register also needs all of these UM_GATE_ bits, from CPUID */
	struct um_reg reg;
	const struct um_limit_bit *bits;
	size_t num_bits;
};

/* Registers that a model has. */
enum um_thermal_has {
	UM_HAS_STATUS = 1 << 0,      /* 0x19c, 0x1b1, 0x19a, if CPUID reports them */
	UM_HAS_TARGET = 1 << 1,      /* 0x1a2 */
	UM_HAS_NEHALEM = 1 << 2,     /* 0x34, 0xce, 0x198 with the ratio in bits 7:0 */
	UM_HAS_RATIO_8 = 1 << 3,     /* 0x34, 0xce, 0x198 with the ratio in bits 15:8 */
	UM_HAS_POWER_CTL = 1 << 4,   /* 0x1fc bit 0 */
	UM_HAS_RAPL = 1 << 5,        /* 0x606, 0x610 */
	UM_HAS_PACKAGE_PERF = 1 << 6,
	UM_HAS_DRAM_PERF = 1 << 7,
	UM_HAS_CORES_PERF = 1 << 8,
	UM_HAS_690_CLIENT = 1 << 9,
	UM_HAS_690_SERVER = 1 << 10,
	UM_HAS_64F = 1 << 11,
	UM_HAS_6B0 = 1 << 12,        /* 0x6b0, 0x6b1 in the layout of Haswell and Broadwell */
	UM_HAS_6B0_SKYLAKE = 1 << 13,
	UM_HAS_TPMI = 1 << 14,       /* no register: limit reasons in the debugfs of the kernel's TPMI driver */
	UM_HAS_AMD = 1 << 15,        /* 0xc0010061 and its neighbours */
	UM_HAS_NO_FORCEPR = 1 << 16, /* bits 2 and 3 of 0x19c mean nothing */
	UM_HAS_AMD_SELECTORS = 1 << 17, /* core counters at 0xc0010200 */
	UM_HAS_PSTATE_OLD = 1 << 18, /* 0xc0010064: fid 5:0, did 8:6 */
	UM_HAS_PSTATE_ZEN = 1 << 19, /* fid 7:0, did 13:8 */
	UM_HAS_PSTATE_ZEN5 = 1 << 20, /* fid 11:0 */
	UM_HAS_PSTATE_OTHER = 1 << 21, /* layout not known */
	UM_HAS_HSMP = 1 << 22,       /* no register: a mailbox that a driver of the kernel reads */
};

struct um_thermal_model {
	char vendor[16];
	int family, model_first, model_last; /* inclusive */
	uint32_t has;
};

/* AMD: the base clock in Hz from the register of P-state 0; 0: not known. */
double um_thermal_base_hz(const struct um_thermal_model *m, uint64_t pstate);
/* Find the model of a processor. NULL: nothing is known about this vendor. */
const struct um_thermal_model *um_thermal_find(const char *vendor, int family, int model);
/* The features (UM_GATE_ bits) that are present, from eax, ebx, ecx, edx of leaf 1 and leaf 6 (zeros: no such leaf). */
unsigned um_thermal_gates(const struct um_thermal_model *m, const uint32_t leaf1[4],
			  const uint32_t leaf6[4]);
/* The register for a role on a processor. NULL: the processor has none, or CPUID reports that it is absent. */
const struct um_thermal_reg *um_thermal_reg(const struct um_thermal_model *m, unsigned gates,
					    enum um_thermal_role role);
/* The registers of a model by index, even if CPUID reports that one is absent; NULL past the end. */
const struct um_thermal_reg *um_thermal_reg_of(const struct um_thermal_model *m, size_t index);
/* The register of a model at an address, even if CPUID reports that it is absent; NULL: there is none. */
const struct um_thermal_reg *um_thermal_reg_at(const struct um_thermal_model *m, uint32_t msr);

#endif
