/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* AMD's uncore PMUs, as in Linux (arch/x86/events/amd/uncore.c, asm/perf_event.h). */
#ifndef KERNEL_AMD_H
#define KERNEL_AMD_H

#include "kernel_side.h"

#define AMD_NB 0xf0000ffffull     /* AMD64_RAW_EVENT_MASK_NB: event 0-7, 32-35, unit mask */
#define AMD_DF_V2 0x3f0f00ffffull /* AMD64_PERFMON_V2_RAW_EVENT_MASK_NB: also event 36-37, unit mask 24-27 */

/* Source: amd_uncore_llc_event_init(), families 17h and 18h. */
#define OLD_SLICES (0xfull << 48)
#define OLD_THREADS (0xffull << 56)
static uint64_t fill_l3_old(uint64_t config)
{
	config |= config & OLD_SLICES ? 0 : OLD_SLICES;
	return config | (config & OLD_THREADS ? 0 : OLD_THREADS);
}

/* Family 19h and later: without a thread mask the kernel ignores an event's slice and core, and counts all. */
#define L3_SAYS (0x7ull << 42 | 0x3ull << 46 | 0x7ull << 48 | 0x3ull << 56)
#define L3_THREADS (0x3ull << 56)
#define L3_ALL (L3_THREADS | 0x3ull << 46)
static uint64_t fill_l3(uint64_t config)
{
	return config & L3_THREADS ? config : (config & ~L3_SAYS) | L3_ALL;
}

#define AMD_12 "event config:0-7,32-35;umask config:8-15;"
#define AMD_DF_OLD PMU("amd_df", "event config:0-7,32-35,59-60;umask config:8-15;", AMD_NB, .num = 4)
static const struct kernel_pmu k_bulldozer[] = { PMU("amd_nb", AMD_12, AMD_NB, .num = 4), { 0 } };
static const struct kernel_pmu k_jaguar[] = {
	PMU("amd_nb", AMD_12, AMD_NB, .num = 4), PMU("amd_l2", AMD_12, AMD_NB, .num = 4), { 0 },
};
static const struct kernel_pmu k_zen[] = {
	PMU("amd_l3", "event config:0-7;umask config:8-15;slicemask config:48-51;"
	  "threadmask config:56-63;", 0xffff | OLD_SLICES | OLD_THREADS, .num = 6,
	  .fill = fill_l3_old),
	AMD_DF_OLD, { 0 },
};
#define AMD_L3 \
	PMU("amd_l3", "event config:0-7;umask config:8-15;coreid config:42-44;enallslices config:46;" \
	  "enallcores config:47;sliceid config:48-50;threadmask config:56-57;", \
	  0xffff | L3_SAYS, .num = 6, .fill = fill_l3)
static const struct kernel_pmu k_zen3[] = { AMD_L3, AMD_DF_OLD, { 0 } };
/* CPUID has the number of data fabric counters, so the table has no number. */
static const struct kernel_pmu k_zen4[] = {
	AMD_L3, PMU("amd_df", "event config:0-7,32-37;umask config:8-15,24-27;", AMD_DF_V2),
	PMU("amd_umc_0", "event config:0-7;rdwrmask config:8-9;", 0x3ff, .num = 4), { 0 },
};

#endif
