/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ready machines whose uncore is made of boxes. CPUID words are from public dumps of real parts; for Ivy Bridge-EP and
 * Granite Rapids they are modelled on such dumps. The machines have fewer cores than real parts.
 */
#include <stddef.h>

#include "common/error.h"
#include "sim/machines_kernel.h"
#include "sim/workloads.h"

#define LEAF_4(l1d, l1i, l2, l3) \
	"leaf = 0x4 0 " l1d "\nleaf = 0x4 1 " l1i "\nleaf = 0x4 2 " l2 "\nleaf = 0x4 3 " l3 "\n"

#define AMD_CACHES(l3) \
	"leaf = 0x8000001d 0 0x00004121 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x8000001d 1 0x00004122 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x8000001d 2 0x00004143 0x01c0003f 0x000003ff 0x00000002\n" \
	"leaf = 0x8000001d 3 " l3 "\n"

const struct um_sim_machine um_sim_box_machines[] = {
	{ "nehalem-ex-4s", "four eight-core Nehalem-EX packages with SMT, 64 CPUs",
	  "brand = Simulated Nehalem-EX processor @ 2.27GHz\n"
	  "leaf = 0x0 0 0x0000000b 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000206e4 0x00200800 0x00bce3bd 0xbfebfbff\n"
	  LEAF_4("0x3c004121 0x01c0003f 0x0000003f 0", "0x3c004122 0x00c0003f 0x0000007f 0",
		 "0x3c004143 0x01c0003f 0x000001ff 0", "0x3c07c163 0x05c0003f 0x00001fff 2")
	  "leaf = 0x6 0 0x00000001 0x00000001 0x00000001 0x00000000\n"
	  "leaf = 0xa 0 0x07300403 0x00000044 0x00000000 0x00000603\n"
	  "tsc_hz = 2266666667\n"
	  "package = 0 cores=0-7 cpus=0-7,32-39\n"
	  "package = 1 cores=0-7 cpus=8-15,40-47\n"
	  "package = 2 cores=0-7 cpus=16-23,48-55\n"
	  "package = 3 cores=0-7 cpus=24-31,56-63\n"
	  NEHALEM_EX_UNCORE
	  "end\n" },
	{ "ivybridge-ep-2s", "two four-core Ivy Bridge-EP packages with SMT, 16 CPUs",
	  "brand = Simulated Ivy Bridge-EP processor @ 2.70GHz\n"
	  "leaf = 0x0 0 0x0000000d 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000306e4 0x00200800 0x7fbee3ff 0xbfebfbff\n"
	  LEAF_4("0x3c004121 0x01c0003f 0x0000003f 0", "0x3c004122 0x01c0003f 0x0000003f 0",
		 "0x3c004143 0x01c0003f 0x000001ff 0", "0x3c07c163 0x04c0003f 0x00003fff 6")
	  "leaf = 0x6 0 0x00000077 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0x00000281 0x00000000 0x00000000\n"
	  "leaf = 0xa 0 0x07300403 0x00000000 0x00000000 0x00000603\n"
	  INTEL_EXTENDED(0x00000001, 0x2c100800, 0x0000302e)
	  "tsc_hz = 2700000000\n"
	  "package = 0 cores=0-3 cpus=0-3,8-11\n"
	  "package = 1 cores=0-3 cpus=4-7,12-15\n"
	  IVYBRIDGE_EP_UNCORE
	  IMC_OLD("0-3") QPI("0-1") RAPL
	  "end\n" },
	{ "haswell-ep-2s", "two six-core Haswell-EP packages with SMT, 24 CPUs, throttled by turns",
	  HASWELL_EP_2S
	  SERVER_THROTTLING
	  "end\n" },
	{ "broadwell-ep-2s", "two four-core Broadwell-EP packages with SMT, 16 CPUs",
	  "brand = Simulated Broadwell-EP processor @ 2.20GHz\n"
	  "leaf = 0x0 0 0x00000014 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000406f1 0x00200800 0x7ffefbbf 0xbfebfbff\n"
	  LEAF_4("0x3c004121 0x01c0003f 0x0000003f 0", "0x3c004122 0x01c0003f 0x0000003f 0",
		 "0x3c004143 0x01c0003f 0x000001ff 0", "0x3c07c163 0x04c0003f 0x00004fff 6")
	  "leaf = 0x6 0 0x00000077 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0x021cbfbb 0x00000000 0x00000000\n"
	  "leaf = 0xa 0 0x07300403 0x00000000 0x00000000 0x00000603\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100800, 0x0000302e)
	  "tsc_hz = 2200000000\n"
	  "package = 0 cores=0-3 cpus=0-3,8-11\n"
	  "package = 1 cores=0-3 cpus=4-7,12-15\n"
	  BROADWELL_EP_UNCORE
	  IMC_OLD("0-3") QPI("0-1") RAPL
	  "end\n" },
	{ "knights-landing-1s",
	  "one eight-core Knights Landing package with four threads per core, 32 CPUs",
	  "brand = Simulated Knights Landing processor @ 1.30GHz\n"
	  "leaf = 0x0 0 0x0000000d 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x00050671 0x00200800 0x7ff8f39f 0xbfebfbff\n"
	  "leaf = 0x4 0 0xfc00c121 0x01c0003f 0x0000003f 0x00000000\n"
	  "leaf = 0x4 1 0xfc00c122 0x01c0003f 0x0000003f 0x00000000\n"
	  "leaf = 0x4 2 0xfc01c143 0x03c0003f 0x000003ff 0x00000013\n"
	  "leaf = 0x6 0 0x00000077 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0x1c0d23ab 0x00000001 0x00000000\n"
	  "leaf = 0xa 0 0x07280203 0x00000000 0x00000000 0x00000503\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100800, 0x0000302e)
	  "tsc_hz = 1300000000\n"
	  "package = 0 cores=0-7 cpus=0-31\n"
	  KNIGHTS_LANDING_UNCORE
	  IMC_KNL("0-5") RAPL
	  "end\n" },
	{ "skylake-sp-2s",
	  "two four-core Skylake-SP packages with SMT, 16 CPUs, throttled by turns",
	  "brand = Simulated Skylake-SP processor @ 2.10GHz\n"
	  "leaf = 0x0 0 0x00000016 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x00050654 0x00400800 0x7ffefbff 0xbfebfbff\n"
	  LEAF_4("0x7c004121 0x01c0003f 0x0000003f 0", "0x7c004122 0x01c0003f 0x0000003f 0",
		 "0x7c004143 0x03c0003f 0x000003ff 0", "0x7c0fc163 0x0280003f 0x0000bfff 4")
	  "leaf = 0x6 0 0x00000ef7 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0xd39ffffb 0x00000008 0x9c002400\n"
	  "leaf = 0xa 0 0x07300404 0x00000000 0x00000000 0x00000603\n"
	  "leaf = 0x15 0 0x00000002 0x000000a8 0x00000000 0x00000000\n"
	  "leaf = 0x16 0 0x00000834 0x00000e74 0x00000064 0x00000000\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x0000302e)
	  "tsc_hz = 2100000000\n"
	  "package = 0 cores=0-3 cpus=0-3,8-11\n"
	  "package = 1 cores=0-3 cpus=4-7,12-15\n"
	  SKYLAKE_SP_UNCORE
	  IMC_OLD("0-5") UPI("0-2") RAPL
	  SERVER_THROTTLING
	  "throttle = cross-domain package=1 for=3" AT_SECOND(115)
	  "end\n" },
	{ "cascadelake-ap-1s",
	  "one Cascade Lake-AP package of two four-core dies with SMT, 16 CPUs",
	  "brand = Simulated Cascade Lake-AP processor @ 2.10GHz\n"
	  "leaf = 0x0 0 0x00000016 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x00050657 0x00200800 0x7ffefbff 0xbfebfbff\n"
	  LEAF_4("0x3c004121 0x01c0003f 0x0000003f 0", "0x3c004122 0x01c0003f 0x0000003f 0",
		 "0x3c004143 0x03c0003f 0x000003ff 0", "0x3c07c163 0x0280003f 0x00004fff 5")
	  "leaf = 0x6 0 0x00000ef7 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0xd39ffffb 0x00000808 0xbc000400\n"
	  "leaf = 0xa 0 0x07300404 0x00000000 0x00000000 0x00000603\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x0000302e)
	  "tsc_hz = 2100000000\n"
	  "package = 0 cores=0-3 cpus=0-3,8-11 die=0\n"
	  "package = 0 cores=4-7 cpus=4-7,12-15 die=1\n"
	  CASCADELAKE_AP_UNCORE
	  IMC_OLD("0-5") UPI("0-2") RAPL
	  "end\n" },
	{ "icelake-sp-2s",
	  "two eight-core Ice Lake-SP packages with SMT, 32 CPUs, throttled by turns",
	  "brand = Simulated Ice Lake-SP processor @ 2.40GHz\n"
	  "leaf = 0x0 0 0x0000001b 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000606a6 0x00800800 0x7ffefbff 0xbfebfbff\n"
	  LEAF_4("0xfc004121 0x02c0003f 0x0000003f 0", "0xfc004122 0x01c0003f 0x0000003f 0",
		 "0xfc004143 0x04c0003f 0x000003ff 0", "0xfc1fc163 0x02c0003f 0x00011fff 4")
	  "leaf = 0x6 0 0x00000077 0x00000002 0x00000009 0x00000000\n" /* HWP switched off */
	  "leaf = 0x7 0 0x00000000 0xf3bfbfff 0x40417f4e 0xbc040412\n"
	  "leaf = 0xa 0 0x08300805 0x00000000 0x0000000f 0x00008604\n"
	  "leaf = 0x15 0 0x00000002 0x000000c0 0x00000000 0x00000000\n"
	  "leaf = 0x16 0 0x00000960 0x00000dac 0x00000064 0x00000000\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x0000392e)
	  "tsc_hz = 2400000000\n"
	  "package = 0 cores=0-7 cpus=0-7,16-23\n"
	  "package = 1 cores=0-7 cpus=8-15,24-31\n"
	  ICELAKE_SP_UNCORE
	  IMC_ICX("0-7") UPI("0-2") RAPL
	  SERVER_THROTTLING
	  "end\n" },
	{ "sapphire-rapids-2s",
	  "two eight-core Sapphire Rapids packages with SMT and 60 CHAs each, 32 CPUs",
	  "brand = Simulated Sapphire Rapids processor @ 2.50GHz\n"
	  "leaf = 0x0 0 0x00000020 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000806f8 0x00800800 0x7ffefbff 0xbfebfbff\n"
	  LEAF_4("0xfc004121 0x02c0003f 0x0000003f 0", "0xfc004122 0x01c0003f 0x0000003f 0",
		 "0xfc004143 0x03c0003f 0x000007ff 0", "0xfc1fc163 0x0380003f 0x00009fff 4")
	  "leaf = 0x6 0 0x0045cef7 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000002 0xf3bfbffb 0xbb417fee 0xffdd4430\n"
	  "leaf = 0x7 1 0x00001c30 0x00000000 0x00000000 0x00000000\n"
	  "leaf = 0x7 2 0x00000000 0x00000000 0x00000000 0x00000017\n"
	  "leaf = 0xa 0 0x08300805 0x00000000 0x0000000f 0x00008604\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x0000392e)
	  "tsc_hz = 2500000000\n"
	  "package = 0 cores=0-7 cpus=0-7,16-23\n"
	  "package = 1 cores=0-7 cpus=8-15,24-31\n"
	  SAPPHIRERAPIDS_UNCORE
	  IMC_SPR("0-7") UPI("0-3") RAPL
	  "end\n" },
	{ "granite-rapids-2s",
	  "two eight-core Granite Rapids packages with SMT and 86 CHAs each, 32 CPUs",
	  "brand = Simulated Granite Rapids processor @ 2.30GHz\n"
	  "leaf = 0x0 0 0x00000024 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000a06d1 0x00800800 0x7ffefbff 0xbfebfbff\n"
	  LEAF_4("0xfc004121 0x02c0003f 0x0000003f 0", "0xfc004122 0x03c0003f 0x0000003f 0",
		 "0xfc004143 0x03c0003f 0x000007ff 0", "0xfc1fc163 0x0380003f 0x00009fff 4")
	  "leaf = 0x6 0 0x0045cef7 0x00000002 0x00000009 0x00000000\n"
	  "leaf = 0x7 0 0x00000002 0xf3bfbffb 0xbb417fee 0xffdd4430\n"
	  "leaf = 0x7 1 0x00001c30 0x00000000 0x00000000 0x00000000\n"
	  "leaf = 0x7 2 0x00000000 0x00000000 0x00000000 0x00000017\n"
	  "leaf = 0xa 0 0x08300805 0x00000000 0x0000000f 0x00008604\n"
	  "leaf = 0x23 0 0x0000000b 0 0 0\n"
	  "leaf = 0x23 1 0x000000ff 0x0000000f 0 0\n"
	  "leaf = 0x23 3 0x00000dff 0 0 0\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x0000392e)
	  "tsc_hz = 2300000000\n"
	  "package = 0 cores=0-7 cpus=0-7,16-23\n"
	  "package = 1 cores=0-7 cpus=8-15,24-31\n"
	  GRANITERAPIDS_UNCORE
	  IMC_GNR("0-11") UPI("0-5") RAPL
	  "end\n" },
	{ "alderlake-hybrid",
	  "one Alder Lake package with eight P-cores and eight E-cores, 24 CPUs",
	  "brand = Simulated Alder Lake processor @ 3.20GHz\n"
	  "leaf = 0x0 0 0x00000020 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x00090672 0x00800800 0x7ffafbbf 0xbfebfbff\n"
	  LEAF_4("0xfc004121 0x02c0003f 0x0000003f 0", "0xfc004122 0x01c0003f 0x0000003f 0",
		 "0xfc01c143 0x0240003f 0x000007ff 0", "0xfc1fc163 0x0240003f 0x00009fff 4")
	  "leaf = 0x4 0 0xfc004121 0x01c0003f 0x0000003f 0 cpus=16-23\n"
	  "leaf = 0x4 1 0xfc004122 0x01c0003f 0x0000007f 0 cpus=16-23\n"
	  "leaf = 0x4 2 0xfc01c143 0x03c0003f 0x000007ff 0 cpus=16-23\n"
	  "leaf = 0x6 0 0x00dfcff7 0x00000002 0x00000409 0x00000003\n"
	  "leaf = 0x7 0 0x00000002 0x239c27eb 0x98c007ac 0xfc18c410\n" /* EDX 15: hybrid */
	  "leaf = 0x7 1 0x00400810 0x00000000 0x00000000 0x00000000\n"
	  "leaf = 0xa 0 0x07300605 0x00000000 0x00000007 0x00008603\n" /* what both kinds have */
	  "leaf = 0x1a 0 0x40000001 0 0 0\n"
	  "leaf = 0x1a 0 0x20000001 0 0 0 cpus=16-23\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x00003927)
	  "tsc_hz = 3187200000\n"
	  "package = 0 cores=0,4,8,12,16,20,24,28 cpus=0-15\n"
	  "package = 0 cores=32-39 cpus=16-23\n"
	  ALDERLAKE_UNCORE
	  CLIENT_IMC_FREE_RUNNING("0-1") RAPL_PACKAGE
	  "end\n" },
	{ "meteorlake", "one Meteor Lake package with four P-cores and four E-cores, 12 CPUs",
	  "brand = Simulated Meteor Lake processor @ 3.00GHz\n"
	  "leaf = 0x0 0 0x00000023 0x756e6547 0x6c65746e 0x49656e69\n"
	  "leaf = 0x1 0 0x000a06a4 0x00800800 0x7ffafbff 0xbfebfbff\n"
	  LEAF_4("0xfc004121 0x02c0003f 0x0000003f 0", "0xfc004122 0x03c0003f 0x0000003f 0",
		 "0xfc01c143 0x03c0003f 0x000007ff 0", "0xfc0fc163 0x02c0003f 0x00003fff 4")
	  "leaf = 0x6 0 0x00df8ff7 0x00000002 0x00000409 0x00000003\n"
	  "leaf = 0x7 0 0x00000002 0x239c27eb 0x994007ac 0xfc18c410\n"
	  "leaf = 0xa 0 0x07300805 0x00000000 0x00000007 0x00008603\n"
	  "leaf = 0x1a 0 0x40000002 0 0 0\n"
	  "leaf = 0x1a 0 0x20000002 0 0 0 cpus=8-11\n"
	  "leaf = 0x23 0 0x0000000b 0 0 0\n"
	  "leaf = 0x23 1 0x000000ff 0x0000000f 0 0\n"
	  "leaf = 0x23 1 0x000000ff 0x00000007 0 0 cpus=8-11\n"
	  "leaf = 0x23 3 0x00000dff 0 0 0\n"
	  "leaf = 0x23 3 0x0000007f 0 0 0 cpus=8-11\n"
	  INTEL_EXTENDED(0x00000121, 0x2c100000, 0x0000392e)
	  "tsc_hz = 2995200000\n"
	  "package = 0 cores=0-3 cpus=0-7\n"
	  "package = 0 cores=16-19 cpus=8-11\n"
	  METEORLAKE_UNCORE
	  CLIENT_IMC_FREE_RUNNING("0-1") RAPL_PACKAGE
	  "end\n" },
	{ "zen-1s", "one eight-core EPYC package (Zen 3) with SMT and two L3 caches, 16 CPUs",
	  "brand = Simulated Zen 3 processor, 8 cores\n"
	  "leaf = 0x0 0 0x00000010 0x68747541 0x444d4163 0x69746e65\n"
	  "leaf = 0x1 0 0x00a00f11 0x00100800 0x7eda320b 0x178bfbff\n"
	  "leaf = 0x6 0 0x00000004 0x00000000 0x00000001 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0x219c97a9 0x0040068c 0x00000010\n"
	  "leaf = 0x80000000 0 0x80000023 0x68747541 0x444d4163 0x69746e65\n"
	  "leaf = 0x80000001 0 0x00a00f11 0x40000000 0x75c237ff 0x2fd3fbff\n"
	  "leaf = 0x80000007 0 0x00000000 0x0000003b 0x00000000 0x00006799\n"
	  "leaf = 0x80000008 0 0x00003030 0x91bef75f 0x0000400f 0x00010007\n"
	  AMD_CACHES("0x0001c163 0x03c0003f 0x00007fff 0x00000001")
	  "leaf = 0x8000001e 0 0x00000000 0x00000100 0x00000000 0x00000000\n"
	  "tsc_hz = 2450000000\n"
	  "package = 0 cores=0-3 cpus=0-3,8-11 l3=0 node=0\n"
	  "package = 0 cores=4-7 cpus=4-7,12-15 l3=1 node=0\n"
	  ZEN3_UNCORE
	  RAPL_OF("0")
	  "hsmp = yes\n"
	  "throttle = package-thermal every=60 for=4 phase=10\n"
	  "throttle = prochot-external every=60 for=3 phase=25\n"
	  "throttle = firmware every=60 for=5 phase=40\n"
	  "end\n" },
	{ "naples-1s", "one eight-core EPYC package (Zen) of four nodes with an L3 each, 16 CPUs",
	  "brand = Simulated Zen processor, 8 cores\n"
	  "leaf = 0x0 0 0x0000000d 0x68747541 0x444d4163 0x69746e65\n"
	  "leaf = 0x1 0 0x00800f12 0x00100800 0x7ed8320b 0x178bfbff\n"
	  "leaf = 0x6 0 0x00000004 0x00000000 0x00000001 0x00000000\n"
	  "leaf = 0x7 0 0x00000000 0x209c01a9 0x00000000 0x00000000\n"
	  "leaf = 0x80000000 0 0x8000001f 0x68747541 0x444d4163 0x69746e65\n"
	  "leaf = 0x80000001 0 0x00800f12 0x40000000 0x35c233ff 0x2fd3fbff\n"
	  "leaf = 0x80000007 0 0x00000000 0x0000001b 0x00000000 0x00006799\n"
	  "leaf = 0x80000008 0 0x00003030 0x00000007 0x0000400f 0x00000000\n"
	  AMD_CACHES("0x0000c163 0x03c0003f 0x00001fff 0x00000001")
	  "leaf = 0x8000001e 0 0x00000000 0x00000100 0x00000300 0x00000000\n"
	  "tsc_hz = 2200000000\n"
	  "package = 0 cores=0-1 cpus=0-1,8-9 die=0 l3=0 node=0\n"
	  "package = 0 cores=2-3 cpus=2-3,10-11 die=1 l3=1 node=1\n"
	  "package = 0 cores=4-5 cpus=4-5,12-13 die=2 l3=2 node=2\n"
	  "package = 0 cores=6-7 cpus=6-7,14-15 die=3 l3=3 node=3\n"
	  ZEN_UNCORE
	  RAPL_OF("0")
	  "end\n" },
	{ "genoa-1s",
	  "one eight-core EPYC package (Zen 4) with SMT, two L3 caches, two channels, 16 CPUs",
	  "brand = Simulated Zen 4 processor, 8 cores\n"
	  "leaf = 0x0 0 0x00000010 0x68747541 0x444d4163 0x69746e65\n"
	  "leaf = 0x1 0 0x00a10f11 0x00100800 0x7efa320b 0x178bfbff\n"
	  "leaf = 0x6 0 0x00000004 0x00000000 0x00000001 0x00000000\n"
	  "leaf = 0x7 0 0x00000001 0xf1bf97a9 0x00415fce 0x10000010\n"
	  "leaf = 0x7 1 0x00000020 0x00000000 0x00000000 0x00000000\n"
	  "leaf = 0x80000000 0 0x80000028 0x68747541 0x444d4163 0x69746e65\n"
	  "leaf = 0x80000001 0 0x00a10f11 0x40000000 0x75c237ff 0x2fd3fbff\n"
	  "leaf = 0x80000007 0 0x00000000 0x0000003b 0x00000000 0x00006799\n"
	  "leaf = 0x80000008 0 0x00003934 0x79bef25f 0x0000400f 0x00010007\n"
	  AMD_CACHES("0x0001c163 0x03c0003f 0x00003fff 0x00000001")
	  "leaf = 0x8000001e 0 0x00000000 0x00000100 0x00000000 0x00000000\n"
	  "leaf = 0x80000022 0 0x00000007 0x00084106 0x00000028 0x00000000\n" /* channels 3, 5 */
	  "leaf = 0x80000026 0 0x00000001 0x00000002 0x00000100 0x00000000\n"
	  "leaf = 0x80000026 1 0x00000003 0x00000008 0x00000201 0x00000000\n"
	  "leaf = 0x80000026 2 0x00000003 0x00000008 0x00000302 0x00000000\n"
	  "leaf = 0x80000026 3 0x00000004 0x00000010 0x00000403 0x00000000\n"
	  "tsc_hz = 2400000000\n"
	  "package = 0 cores=0-3 cpus=0-3,8-11 die=0 l3=0 node=0\n"
	  "package = 0 cores=4-7 cpus=4-7,12-15 die=1 l3=1 node=0\n"
	  ZEN4_UNCORE
	  RAPL_OF("0")
	  "end\n" },
};

const size_t um_sim_num_box_machines = ARRAY_SIZE(um_sim_box_machines);
