/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Workloads in the boxes of the ready machines, with the peculiarities of each family. Rates are made up and round; unit
 * n of a package has n + 1 times the rate ("spread").
 */
#ifndef UM_SIM_WORKLOADS_H
#define UM_SIM_WORKLOADS_H

struct um_sim_machine {
	const char *name, *title, *text;
};

extern const struct um_sim_machine um_sim_box_machines[];
extern const size_t um_sim_num_box_machines;

/* Leaves 0x80000000, 0x80000001, invariant TSC, address sizes. */
#define INTEL_EXTENDED(ecx, edx, sizes) \
	"leaf = 0x80000000 0 0x80000008 0 0 0\n" \
	"leaf = 0x80000001 0 0 0 " #ecx " " #edx "\n" \
	"leaf = 0x80000007 0 0 0 0 0x00000100\n" \
	"leaf = 0x80000008 0 " #sizes " 0 0 0\n"

/*
 * Throttling of server processors after Westmere. Each cause that they can show holds once in two minutes, at another
 * time than the others and not at time 0.
 */
#define AT_SECOND(n) " every=120 phase=" #n "\n"
#define SERVER_THROTTLING \
	"throttle = core-thermal package=0 core=1 for=4" AT_SECOND(10) \
	"throttle = package-thermal package=1 for=4" AT_SECOND(20) \
	"throttle = prochot-external for=3" AT_SECOND(30) \
	"throttle = power-limit package=0 for=5" AT_SECOND(40) \
	"throttle = current-limit package=1 for=3" AT_SECOND(50) \
	"throttle = vr-thermal package=0 for=3" AT_SECOND(60) \
	"throttle = dimm-thermal package=1 for=4" AT_SECOND(70) \
	"throttle = clock-modulation package=0 core=3 for=3" AT_SECOND(80) \
	"throttle = smi package=0 rate=20 for=5" AT_SECOND(90) \
	"throttle = firmware package=1 for=5" AT_SECOND(100) \
	"throttle = critical-temperature package=0 core=2 for=2" AT_SECOND(110)

#define IVYBRIDGE_EP_UNCORE \
	"uncore = ivybridge-ep\n" \
	"uncore_hz = 2700000000\n" \
	RING_WORKLOAD

#define SANDYBRIDGE_UNCORE \
	"uncore = sandybridge\n" \
	"uncore_hz = 3300000000\n" \
	"set = 0x396 5\n"                                   /* boxes of four cores and of the graphics */ \
	CLIENT_WORKLOAD

#define CLIENT_WORKLOAD \
	"event = cbo:0x22:0x41 rate=3000\n"                 /* snoops: miss */ \
	"event = cbo:0x22:0x44 rate=5000\n"                 /* hit */ \
	"event = cbo:0x34:0x81 rate=1000\n"                 /* lookups that found M */ \
	"event = cbo:0x34:0x88 rate=700000\n"               /* lookups that found I */ \
	"event = cbo:0x34:0x8f rate=2500000\n"              /* any state */ \
	"event = arb:0x80:0x01 rate=90000000 inc=8\n"       /* occupancy: counter 0 alone */ \
	"event = arb:0x81:0x01 rate=4000000\n" \
	"event = arb:0x81:0x20 rate=900000\n" \
	"event = arb:0x83:0x01 rate=6000000 inc=2\n" \
	"event = arb:0x84:0x01 rate=120000\n"

/* One SBOX and one C-box of package 1 are fused off and fault. */
#define HASWELL_EP_UNCORE \
	"uncore = haswell-ep\n" \
	"uncore_hz = 2300000000\n" \
	"set = 0x702 6\n" \
	"absent = sbox 3 package=1\n" \
	"absent = cbo 4 package=1\n" \
	RING_WORKLOAD SBOX_WORKLOAD

#define HASWELL_EP_2S \
	"brand = Simulated Haswell-EP processor @ 2.30GHz\n" \
	"leaf = 0x0 0 0x0000000f 0x756e6547 0x6c65746e 0x49656e69\n" \
	"leaf = 0x1 0 0x000306f2 0x00400800 0x7ffefbff 0xbfebfbff\n" \
	"leaf = 0x4 0 0x7c004121 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x4 1 0x7c004122 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x4 2 0x7c004143 0x01c0003f 0x000001ff 0x00000000\n" \
	"leaf = 0x4 3 0x7c0fc163 0x04c0003f 0x00008fff 0x00000006\n" \
	"leaf = 0x6 0 0x00000077 0x00000002 0x00000009 0x00000000\n" \
	"leaf = 0x7 0 0x00000000 0x000037ab 0x00000000 0x9c000400\n" \
	"leaf = 0xa 0 0x07300403 0x00000000 0x00000000 0x00000603\n" \
	INTEL_EXTENDED(0x00000021, 0x2c100800, 0x0000302e) \
	"tsc_hz = 2300000000\n" \
	"package = 0 cores=0-5 cpus=0-5,12-17\n" \
	"package = 1 cores=0-5 cpus=6-11,18-23\n" \
	HASWELL_EP_UNCORE \
	IMC_OLD("0-3") QPI("0-1") RAPL

#define BROADWELL_EP_UNCORE \
	"uncore = broadwell-ep\n" \
	"uncore_hz = 2200000000\n" \
	"set = 0x702 4\n" \
	RING_WORKLOAD SBOX_WORKLOAD

/* The events of the ring since Sandy Bridge-EP. */
#define RING_WORKLOAD \
	"event = cbo:0x00:0x00 rate=2300000000 spread=0\n"  /* clock ticks */ \
	"event = cbo:0x34:0x03 rate=2000000\n"              /* lookups: data read */ \
	"event = cbo:0x34:0x05 rate=800000\n"               /* write */ \
	"event = cbo:0x34:0x11 rate=5000000\n"              /* any */ \
	"event = cbo:0x34:0x41 rate=1500000\n"              /* of a node */ \
	"event = cbo:0x35:0x01 rate=600000 opc=0x182\n"     /* TOR: data reads by opcode */ \
	"event = cbo:0x35:0x01 rate=70000 opc=0x180\n" \
	"event = cbo:0x35:0x01 rate=400000 opc=0x19e\n"     /* what devices read, and wrote */ \
	"event = cbo:0x35:0x01 rate=250000 opc=0x1c8\n" \
	"event = cbo:0x35:0x03 rate=300000 opc=0x182\n"     /* data reads that miss */ \
	"event = cbo:0x35:0x08 rate=900000\n"               /* all */ \
	"event = cbo:0x36:0x08 rate=20000000 inc=10\n"      /* occupancy: counter 0 alone */ \
	"event = cbo:0x37:0x01 rate=110000\n"               /* victims */ \
	"event = cbo:0x37:0x04 rate=130000\n" \
	"event = cbo:0x11:0x01 rate=7000000 inc=5\n" \
	"event = pcu:0x00:0x00 rate=800000000 spread=0\n"   /* clock of the power control unit */ \
	"event = pcu:0x80:1 rate=2400000000 inc=4\n"        /* cores in C0, C3, C6 */ \
	"event = pcu:0x80:2 rate=800000000 inc=2\n" \
	"event = pcu:0x80:3 rate=1600000000 inc=2\n" \
	"event = pcu:0x0b:0 rate=790000000\n"               /* frequency bands */ \
	"event = pcu:0x0c:0 rate=780000000\n" \
	"event = pcu:0x0d:0 rate=770000000\n" \
	"event = pcu:0x0e:0 rate=760000000\n" \
	"event = pcu:0x74:0 rate=300\n" \
	"event = ubox:0x42:0x08 rate=12000\n" \
	"event = ubox:0x44:0x01 rate=700\n"

/* Sandy Bridge-EP and Ivy Bridge-EP have no SBOX. */
#define SBOX_WORKLOAD \
	"event = sbox:0x00:0x00 rate=2300000000 spread=0\n" \
	"event = sbox:0x02:0x01 rate=500000\n" \
	"event = sbox:0x1b:0x03 rate=1200000\n"

/* A mesh has more CHAs than cores. */
#define MESH_WORKLOAD(clock, rate) \
	"event = cha:" clock ":0x00 rate=" rate " spread=0\n" \
	"event = cha:0x34:0x03 rate=2000000\n" \
	"event = cha:0x34:0x11 rate=5000000\n" \
	"event = cha:0x50:0x01 rate=400000\n"               /* requests: local reads */ \
	"event = cha:0x50:0x02 rate=300000\n"               /* remote reads */ \
	"event = cha:0x50:0x04 rate=200000\n" \
	"event = ubox:0x42:0x08 rate=12000\n"

#define TOR_WORKLOAD \
	"event = cha:0x35:0x21 rate=600000 opc=0x201\n" \
	"event = cha:0x35:0x21 rate=70000 opc=0x202\n" \
	"event = cha:0x35:0x11 rate=900000\n" \
	"event = cha:0x36:0x21 rate=20000000 inc=10\n"

/* The unit mask of TOR events has 24 or 26 more bits. These events count misses of data reads by cores. */
#define TOR_EXT_WORKLOAD \
	"event = cha:0x35:0xc001fe01 rate=600000\n" \
	"event = cha:0x35:0xc8f8fe01 rate=250000\n" \
	"event = cha:0x36:0xc001fe01 rate=20000000 inc=10\n"

#define PCU_WORKLOAD \
	"event = pcu:0x00:0x00 rate=1000000000 spread=0\n" \
	"event = pcu:0x80:1 rate=2400000000 inc=4\n" \
	"event = pcu:0x80:3 rate=1600000000 inc=2\n" \
	"event = pcu:0x0b:0 rate=790000000\n" \
	"event = pcu:0x0e:0 rate=760000000\n"

/* IIO events need a channel mask and an FC mask. Event 0x83 needs counter 0 or 1, 0xc0 one of the others. */
#define IIO_WORKLOAD \
	"event = iio:0x01:0x00 rate=500000000 spread=0\n" \
	"event = iio:0x83:0x01 rate=1000000\n" \
	"event = iio:0x83:0x04 rate=2000000\n" \
	"event = iio:0xc0:0x01 rate=300000\n" \
	"event = irp:0x01:0x00 rate=500000000 spread=0\n" \
	"event = irp:0x0f:0x01 rate=80000 inc=2\n" \
	"event = irp:0x10:0x08 rate=40000\n"

#define FREE_RUNNING_WORKLOAD \
	"event = iio_free_running:ioclk rate=500000000 spread=0\n" \
	"event = iio_free_running:bw_in_port0 rate=1000000\n" \
	"event = iio_free_running:bw_in_port1 rate=2000000\n" \
	"event = iio_free_running:bw_in_port2 rate=3000000\n" \
	"event = iio_free_running:bw_in_port3 rate=4000000\n"

#define M2PCIE_WORKLOAD \
	"event = m2pcie:0x01:0x00 rate=500000000 spread=0\n" \
	"event = m2pcie:0x23:0x01 rate=60000\n" \
	"event = m2pcie:0x40:0x01 rate=90000\n"

#define SKYLAKE_SP_UNCORE \
	"units = cha 10\n" \
	MESH_SP_UNCORE
#define CASCADELAKE_AP_UNCORE \
	"units = cha 8\n" \
	MESH_SP_UNCORE
#define MESH_SP_UNCORE \
	"uncore = skylake-sp\n" \
	"uncore_hz = 2100000000\n" \
	MESH_WORKLOAD("0x00", "2100000000") TOR_WORKLOAD PCU_WORKLOAD IIO_WORKLOAD \
	FREE_RUNNING_WORKLOAD \
	"event = iio_free_running:bw_out_port0 rate=5000000\n"

#define ICELAKE_SP_UNCORE \
	"uncore = icelake-sp\n" \
	"uncore_hz = 2400000000\n" \
	"units = cha 40\n"                                  /* enough to reach behind both gaps in the addresses */ \
	MESH_WORKLOAD("0x00", "2400000000") TOR_EXT_WORKLOAD PCU_WORKLOAD IIO_WORKLOAD \
	M2PCIE_WORKLOAD FREE_RUNNING_WORKLOAD

#define SAPPHIRERAPIDS_UNCORE \
	"uncore = sapphirerapids\n" \
	"uncore_hz = 2500000000\n" \
	"units = cha 60\n" \
	"absent = iio 11 package=1\n" \
	"absent = irp 11 package=1\n" \
	DISCOVERY_WORKLOAD

/* A selector that is 0 is off, so clock ticks have event select 1 here. */
#define DISCOVERY_WORKLOAD \
	MESH_WORKLOAD("0x01", "2500000000") TOR_EXT_WORKLOAD IIO_WORKLOAD FREE_RUNNING_WORKLOAD \
	"event = iio_free_running:bw_out_port0 rate=5000000\n"

#define GRANITERAPIDS_UNCORE \
	"uncore = graniterapids\n" \
	"uncore_hz = 2300000000\n" \
	"units = cha 86\n" \
	DISCOVERY_WORKLOAD

/* Units are 12 addresses apart. TOR events need the bits remote, local and near or not near memory in filter 1. */
#define KNIGHTS_LANDING_UNCORE \
	"uncore = knightslanding\n" \
	"uncore_hz = 1300000000\n" \
	"units = cha 38\n" \
	"event = cha:0x00:0x00 rate=1300000000 spread=0\n" \
	"event = cha:0x35:0x21 rate=600000 opc=0x182\n" \
	"event = cha:0x35:0x21 rate=70000 opc=0x180\n" \
	"event = cha:0x3d:0x01 rate=300000\n" \
	"event = cha:0x13:0x01 rate=200000\n" \
	"event = ubox:0x42:0x08 rate=12000\n" \
	"event = pcu:0x00:0 rate=1000000000 spread=0\n" \
	"event = pcu:0x80:1 rate=2400000000 inc=8\n"

/* The code of a B-box event is event + 32 * counter; of an M-box event INC_SEL, or 32 + SET_FLAG_SEL. */
#define NEHALEM_EX_UNCORE \
	"uncore = nehalem-ex\n" \
	"uncore_hz = 2266666667\n" \
	"event = cbox:0x00:0x01 rate=700000\n" \
	"event = cbox:0x14:0x07 rate=900000\n"              /* misses */ \
	"event = cbox:0x15:0x0f rate=3000000\n"             /* hits */ \
	"event = bbox:0x08:0 rate=400000\n"                 /* counter 0 */ \
	"event = bbox:0x29:0 rate=500000\n"                 /* counter 1, event 9 */ \
	"event = bbox:0x2c:0 rate=450000\n"                 /* event 12: writes to memory */ \
	"event = bbox:0x4a:0 rate=600000\n"                 /* counter 2, event 10 */ \
	"event = bbox:0x6b:0 rate=700000\n"                 /* counter 3, event 11 */ \
	"event = bbox:0x00:0 rate=40000\n" \
	"event = sbox:0x00:0x00 rate=30000\n"               /* transactions that pass the match register */ \
	"event = sbox:0x11:0x00 rate=20000\n" \
	"event = sbox:0x60:0x08 rate=250000\n" \
	"event = mbox:0x04:0 rate=11000\n"                  /* INC_SEL 4 */ \
	"event = mbox:0x0d:0 rate=1300000\n" \
	"event = mbox:0x0e:0 rate=1400000\n" \
	"event = mbox:0x21:0 rate=15000\n"                  /* SET_FLAG_SEL 1 */ \
	"event = rbox:0:0 rate=100000\n" \
	"event = rbox:1:0 rate=110000\n" \
	"event = rbox:2:0 rate=120000\n" \
	"event = rbox:3:0 rate=130000\n" \
	"event = rbox:4:0 rate=140000\n" \
	"event = rbox:5:0 rate=150000\n" \
	"event = rbox:6:0 rate=160000\n" \
	"event = rbox:23:0 rate=330000\n" \
	"event = ubox:0x00:0 rate=900\n" \
	"event = ubox:0x02:0 rate=1700\n" \
	"event = wbox:0x80:0x00 rate=2266666667\n" \
	"event = wbox:0x04:0x01 rate=500000000\n" \
	"event = wbox:0x03:0x01 rate=300000\n"

/* From Alder Lake on register 396 has the number of CBos. */
#define ALDERLAKE_UNCORE \
	"uncore = alderlake\n" \
	"uncore_hz = 3800000000\n" \
	"units = cbo 10\n" \
	CLIENT_WORKLOAD

#define METEORLAKE_UNCORE \
	"uncore = meteorlake\n" \
	"uncore_hz = 3000000000\n" \
	"units = cbo 8\n" \
	CLIENT_WORKLOAD \
	"event = arb:0x85:0x01 rate=77000\n" \
	"event = hac_arb:0x81:0x01 rate=660000\n" \
	"event = hac_cbo:0x35:0x01 rate=550000\n" \
	"event = sncu:UNC_CLOCK.SOCKET rate=2400000000\n"

/* The spread counts L3 complexes and nodes: the second L3 of a package has twice the rate. */
#define ZEN_WORKLOAD(clock) \
	"uncore_hz = " clock "\n" \
	"event = l3:0x04:0xff rate=9000000\n"               /* requests */ \
	"event = l3:0x04:0x01 rate=1200000\n"               /* misses */ \
	"event = l3:0x9a:0x1f rate=1000000\n" \
	"event = l3:0x90:0x00 rate=300000000\n" \
	"event = df:0x07:0x38 rate=4000000\n"               /* data from channels 0 and 1 */ \
	"event = df:0x47:0x38 rate=4500000\n" \
	"event = df:0x187:0x38 rate=300000\n"               /* event select with upper bits set */

#define ZEN3_UNCORE "uncore = zen3\n" ZEN_WORKLOAD("2450000000")
#define ZEN_UNCORE \
	"uncore = zen\n" \
	ZEN_WORKLOAD("2200000000") \
	"event = df:0x7c7:0x02 rate=2500000\n"             /* to the package's other dies */
#define ZEN4_UNCORE \
	"uncore = zen4\n" \
	ZEN_WORKLOAD("2400000000") \
	"event = df:0x1f:0x7fe rate=8000000\n"              /* a unit mask of more than eight bits */ \
	"event = df:0x81f:0x7fe rate=3000000\n"             /* reads and writes by devices */ \
	"event = df:0x85f:0x7ff rate=2000000\n" \
	"event = umc:0x0a:0 rate=5000000\n"                 /* reads and writes */ \
	"event = umc:0x0a:1 rate=3000000\n"                 /* reads */ \
	"event = umc:0x0a:2 rate=2000000\n"

#endif
