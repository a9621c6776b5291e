/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ready machines, in the format of uncoremsr-sim(5). CPUID words are those of real parts (from
 * public dumps); rates are plausible for a busy machine and were not measured anywhere.
 */
#include <string.h>

#include "common/error.h"
#include "sim/machines.h"
#include "sim/machines_kernel.h"
#include "sim/machines_perf.h"
#include "sim/workloads.h"

/* CPUID of Westmere-EP: leaf 0xA is version 3, 4 general counters of 48 bits, 3 fixed of 48. */
#define WESTMERE_IDENTITY \
	"brand = Simulated Westmere-EP processor @ 2.93GHz\n" \
	"leaf = 0x0 0 0x0000000b 0x756e6547 0x6c65746e 0x49656e69\n" \
	"leaf = 0x1 0 0x000206c2 0x00200800 0x029ee3ff 0xbfebfbff\n" \
	"leaf = 0x4 0 0x3c004121 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x4 1 0x3c004122 0x00c0003f 0x0000007f 0x00000000\n" \
	"leaf = 0x4 2 0x3c004143 0x01c0003f 0x000001ff 0x00000000\n" \
	"leaf = 0x4 3 0x3c07c163 0x03c0003f 0x00002fff 0x00000002\n" \
	"leaf = 0x6 0 0x00000005 0x00000002 0x00000009 0x00000000\n" \
	"leaf = 0xa 0 0x07300403 0x00000004 0x00000000 0x00000603\n" \
	"uncore = westmere\n"

/* Events that Nehalem and Westmere share. */
#define COMMON_WORKLOAD \
	"event = 0x00:0x01 rate=1200000\n"                  /* GQ full, read tracker */ \
	"event = 0x01:0x01 rate=900000000\n"                /* GQ not empty, read tracker */ \
	"event = 0x02:0x01 rate=3600000000 inc=4\n"         /* GQ occupancy, read tracker */ \
	"event = 0x03:0x01 rate=52000000\n"                 /* GQ allocations */ \
	"event = 0x03:0x02 rate=21000000\n" \
	"event = 0x03:0x04 rate=51000000\n" \
	"event = 0x03:0x20 rate=9000000\n" \
	"event = 0x04:0x01 rate=182000000\n"                /* GQ data port from QPI busy */ \
	"event = 0x08:0x01 rate=31000000\n"                 /* L3 hits: read, write, probe */ \
	"event = 0x08:0x02 rate=17000000\n" \
	"event = 0x08:0x04 rate=4200000\n" \
	"event = 0x09:0x01 rate=20500000\n"                 /* L3 misses */ \
	"event = 0x09:0x04 rate=6100000\n" \
	"event = 0x0a:0x01 rate=900000\n"                   /* L3 lines in: M E S F */ \
	"event = 0x0a:0x02 rate=15000000\n" \
	"event = 0x0a:0x04 rate=3100000\n" \
	"event = 0x0a:0x08 rate=2400000\n" \
	"event = 0x0b:0x01 rate=7600000\n"                  /* L3 lines out: M E */ \
	"event = 0x0b:0x02 rate=11000000\n" \
	"event = 0x20:0x01 rate=310000\n"                   /* QHL requests */ \
	"event = 0x20:0x02 rate=450000\n" \
	"event = 0x20:0x04 rate=5200000\n" \
	"event = 0x20:0x08 rate=2100000\n" \
	"event = 0x20:0x10 rate=15300000\n" \
	"event = 0x20:0x20 rate=7400000\n" \
	"event = 0x2a:0x01 rate=840000000 inc=4\n"          /* QMC occupancy per channel */ \
	"event = 0x2a:0x02 rate=828000000 inc=4\n" \
	"event = 0x2a:0x04 rate=834000000 inc=4\n" \
	"event = 0x2c:0x01 rate=7000000 burst=4\n"          /* QMC reads per channel */ \
	"event = 0x2c:0x02 rate=6900000 burst=4\n" \
	"event = 0x2c:0x04 rate=6950000 burst=4\n" \
	"event = 0x2f:0x01 rate=3200000\n"                  /* QMC full writes per channel */ \
	"event = 0x2f:0x02 rate=3150000\n" \
	"event = 0x2f:0x04 rate=3180000\n" \
	"event = 0x2f:0x08 rate=12000\n"                    /* partial writes */ \
	"event = 0x40:0x01 rate=84000\n"                    /* QPI stalls, single flit */ \
	"event = 0x40:0x02 rate=61000\n" \
	"event = 0x40:0x08 rate=83000\n" \
	"event = 0x40:0x10 rate=59000\n" \
	"event = 0x41:0x01 rate=240000\n"                   /* QPI stalls, multi flit */ \
	"event = 0x41:0x08 rate=236000\n" \
	"event = 0x42:0x02 rate=5100000\n"                  /* QPI header buffer busy */ \
	"event = 0x42:0x08 rate=4900000\n" \
	"event = 0x43:0x01 rate=7000\n" \
	"event = 0x60:0x01 rate=2900000\n"                  /* DRAM activates */ \
	"event = 0x60:0x02 rate=2850000\n" \
	"event = 0x60:0x04 rate=2870000\n" \
	"event = 0x62:0x01 rate=900000\n"                   /* DRAM page misses */ \
	"event = 0x62:0x02 rate=880000\n" \
	"event = 0x62:0x04 rate=890000\n" \
	"event = 0x63:0x01 rate=7000000\n"                  /* DRAM reads and writes */ \
	"event = 0x63:0x04 rate=6900000\n" \
	"event = 0x63:0x10 rate=6950000\n" \
	"event = 0x64:0x01 rate=3212000\n" \
	"event = 0x64:0x04 rate=3150000\n" \
	"event = 0x64:0x10 rate=3180000\n" \
	"event = 0x65:0x01 rate=128205\n"                   /* DRAM refresh: every 7.8 us */ \
	"event = 0x65:0x02 rate=128205\n" \
	"event = 0x65:0x04 rate=128205\n"

/*
 * Throttling events are defined on Westmere only. PROCHOT# is active for 3 s every 20 s, from time 0. In an event that
 * counts cycles of a state, an episode is one burst.
 */
#define PROCHOT "every=20 for=3"
#define WESTMERE_WORKLOAD \
	COMMON_WORKLOAD \
	"event = 0x67:0x01 rate=53333333 burst=episode every=60 for=2 phase=5\n" \
	"event = 0x80:0x01 rate=2666666667 burst=episode every=20 for=4\n" \
	"event = 0x80:0x02 rate=2666666667 burst=episode every=20 for=2\n" \
	"event = 0x81:0x01 rate=1333333333 burst=episode every=20 for=2 phase=1\n" \
	"event = 0x82:0x01 rate=10\n" /* short occurrences all the time, so that no interval counts 0 */ \
	"event = 0x82:0x01 rate=240 " PROCHOT "\n" \
	"event = 0x83:0x01 rate=1333333333 burst=5333333 " PROCHOT "\n" \
	"event = 0x83:0x02 rate=1333333333 burst=5333333 " PROCHOT "\n" \
	"event = 0x83:0x04 rate=1333333333 burst=5333333 " PROCHOT "\n" \
	"event = 0x83:0x08 rate=1333333333 burst=5333333 " PROCHOT "\n" \
	"event = 0x84:0x01 rate=1600000000\n" \
	"event = 0x84:0x02 rate=1500000000\n" \
	"event = 0x85:0x02 rate=2400000000\n" \
	/* The same episodes for the throttling registers. The uncore counts them with the events above (events=no). */ \
	"throttle = prochot-external events=no " PROCHOT "\n" \
	"throttle = core-thermal core=0 events=no every=20 for=4\n" \
	"throttle = dimm-thermal events=no every=60 for=2 phase=5\n"

static const struct um_sim_machine machines[] = {
	{ "westmere-2s",
	  "two six-core Westmere-EP packages with SMT, 24 CPUs, throttling by PROCHOT",
	  WESTMERE_IDENTITY
	  "package = 0 cores=0-2,8-10 cpus=0,2,4,6,8,10,12,14,16,18,20,22\n"
	  "package = 1 cores=0-2,8-10 cpus=1,3,5,7,9,11,13,15,17,19,21,23\n"
	  WESTMERE_WORKLOAD
	  "throttle = core-thermal core=1 events=no every=20 for=2\n"
	  "end\n" },
	{ "nehalem-1s", "one four-core Nehalem-EP package with SMT, 8 CPUs",
	  "brand = Simulated Nehalem-EP processor @ 2.93GHz\n"
	  "leaf = 0x0 0 0x0000000b 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000106a5 0x00100800 0x009ce3bd 0xbfebfbff\n"
	  "leaf = 0x4 0 0x1c004121 0x01c0003f 0x0000003f 0x00000000\n"
	  "leaf = 0x4 1 0x1c004122 0x00c0003f 0x0000007f 0x00000000\n"
	  "leaf = 0x4 2 0x1c004143 0x01c0003f 0x000001ff 0x00000000\n"
	  "leaf = 0x4 3 0x1c03c163 0x03c0003f 0x00001fff 0x00000002\n"
	  "leaf = 0x6 0 0x00000003 0x00000002 0x00000001 0x00000000\n"
	  "leaf = 0xa 0 0x07300403 0x00000044 0x00000000 0x00000603\n"
	  "uncore = nehalem\n"
	  "package = 0 cores=0-3 cpus=0-7\n"
	  COMMON_WORKLOAD
	  "end\n" },
	{ "westmere-2s-holes",
	  "Westmere-EP packages 0 and 2, missing CPU numbers, some CPUs offline",
	  WESTMERE_IDENTITY
	  "package = 0 cores=0-2,8-10 cpus=0,2,4,6,8,10,16,18,20,22,24,26\n"
	  "package = 2 cores=0,2,8,10 cpus=3,5,7,9,17,19,21,23\n"
	  "cpu0_hotplug = yes\n"
	  "offline = 0,5,8,17-18\n"
	  WESTMERE_WORKLOAD
	  "throttle = core-thermal package=0 core=1 events=no every=20 for=2\n"
	  "throttle = core-thermal package=2 core=2 events=no every=20 for=2\n"
	  "end\n" },
	{ "sandybridge-1s",
	  "one Sandy Bridge client package: other registers at the same addresses",
	  "brand = Simulated Sandy Bridge processor @ 3.30GHz\n"
	  "leaf = 0x0 0 0x0000000d 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000206a7 0x00100800 0x1fbae3ff 0xbfebfbff\n"
	  "leaf = 0x4 0 0x1c004121 0x01c0003f 0x0000003f 0x00000000\n"
	  "leaf = 0x4 1 0x1c004122 0x01c0003f 0x0000003f 0x00000000\n"
	  "leaf = 0x4 2 0x1c004143 0x01c0003f 0x000001ff 0x00000000\n"
	  "leaf = 0x4 3 0x1c03c163 0x03c0003f 0x00001fff 0x00000006\n"
	  "leaf = 0x6 0 0x00000075 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0xa 0 0x07300403 0x00000000 0x00000000 0x00000603\n"
	  "package = 0 cores=0-3 cpus=0-7\n"
	  SANDYBRIDGE_UNCORE
	  CLIENT_IMC RAPL_PACKAGE
	  "end\n" },
	{ "throttled-hour", "haswell-ep-2s with a scripted hour: one cause every five minutes",
	  HASWELL_EP_2S
	  "throttle = hour\n"
	  "end\n" },
	{ "skylake-sp-perf",
	  "two Skylake-SP packages whose boxes only the kernel reaches (perf_event_open)",
	  SKYLAKE_SP_PERF },
	{ "power9-2s", "two POWER9 chips of two cores with SMT4, 16 CPUs: in-memory counters",
	  "power = 0x004e1202\n"
	  "brand = simulated POWER9\n"
	  "driver = missing\n"
	  "tsc_hz = 3800000000\n"
	  "package = 0 cores=0 cpus=0-3\n"
	  "package = 0 cores=4 cpus=4-7\n"
	  "package = 8 cores=64 cpus=8-11\n"
	  "package = 8 cores=68 cpus=12-15\n"
	  "end\n" },
	{ "power10-2s", "two POWER10 chips of two cores with SMT8, 32 CPUs: in-memory counters",
	  "power = 0x00800200\n"
	  "brand = simulated POWER10\n"
	  "driver = missing\n"
	  "tsc_hz = 3900000000\n"
	  "package = 0 cores=0 cpus=0-7\n"
	  "package = 0 cores=8 cpus=8-15\n"
	  "package = 8 cores=128 cpus=16-23\n"
	  "package = 8 cores=136 cpus=24-31\n"
	  "end\n" },
	{ "generic", "one package with one CPU and no uncore registers, for cpuid=FILE",
	  "brand = Simulated processor\n"
	  "leaf = 0x0 0 0x0000000a 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000006f1 0x00000800 0x00000001 0x00000033\n"
	  "package = 0 cores=0 cpus=0\n"
	  "end\n" },
};

/* A ready machine by index: first those of this file, then those of boxes; NULL past the end. */
static const struct um_sim_machine *machine(size_t index)
{
	if (index < ARRAY_SIZE(machines))
		return &machines[index];
	index -= ARRAY_SIZE(machines);
	return index < um_sim_num_box_machines ? &um_sim_box_machines[index] : NULL;
}

const char *um_sim_machine_name(size_t index, const char **title)
{
	const struct um_sim_machine *m = machine(index);

	if (title)
		*title = m ? m->title : NULL;
	return m ? m->name : NULL;
}

const char *um_sim_ready(const char *name, const char **title)
{
	const struct um_sim_machine *m;

	for (size_t i = 0; (m = machine(i)); i++) {
		if (strcmp(m->name, name))
			continue;
		if (title)
			*title = m->title;
		return m->text;
	}
	return NULL;
}
