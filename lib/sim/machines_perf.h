/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A machine for the kernel's route: a server with many boxes that only perf can count. Formats and events are as in
 * Linux (arch/x86/events/intel/uncore_snbep.c, skx_*). It has as many boxes as a large part, but few CPUs, so that
 * lists stay short.
 */
#ifndef UM_SIM_MACHINES_PERF_H
#define UM_SIM_MACHINES_PERF_H

#define BOX_FORMATS(pmu, umask, thresh) \
	"kernel_format = " pmu " event config:0-7\n" \
	"kernel_format = " pmu " umask config:" umask "\n" \
	"kernel_format = " pmu " edge config:18\n" \
	"kernel_format = " pmu " inv config:23\n" \
	"kernel_format = " pmu " thresh config:" thresh "\n"

#define CHA_FORMATS(pmu) \
	BOX_FORMATS(pmu, "8-15", "24-31") \
	"kernel_format = " pmu " tid_en config:19\n" \
	"kernel_format = " pmu " filter_tid config1:0-8\n" \
	"kernel_format = " pmu " filter_state config1:17-26\n" \
	"kernel_format = " pmu " filter_rem config1:32\n" \
	"kernel_format = " pmu " filter_loc config1:33\n" \
	"kernel_format = " pmu " filter_all_op config1:35\n" \
	"kernel_format = " pmu " filter_nm config1:36\n" \
	"kernel_format = " pmu " filter_not_nm config1:37\n" \
	"kernel_format = " pmu " filter_opc0 config1:41-50\n" \
	"kernel_format = " pmu " filter_opc1 config1:51-60\n" \
	"kernel_format = " pmu " filter_nc config1:62\n" \
	"kernel_format = " pmu " filter_isoc config1:63\n"

/* If one of these fields of the second filter is 0, nothing passes (skx_cha_filter_mask()). */
#define TOR_FILTERS(event) \
	"kernel_filter = uncore_cha " event " config1:32-33\n" \
	"kernel_filter = uncore_cha " event " config1:41-60 all=35\n" \
	"kernel_filter = uncore_cha " event " config1:36-37\n"

#define FREE_EVENT(name, umask) \
	"kernel_event = uncore_iio_free_running " name " event=0xff,umask=" umask \
	" scale=3.814697266e-6 unit=MiB\n" \
	"kernel_rate = uncore_iio_free_running " umask "ff 131072000\n" /* 500 MiB/s */

/* Events that count clocks in which a port moved data; in Linux they have no scale. */
#define UTIL_EVENT(name, umask) \
	"kernel_event = uncore_iio_free_running " name " event=0xff,umask=" umask "\n" \
	"kernel_rate = uncore_iio_free_running " umask "ff 40000000\n"

#define SKYLAKE_SP_PERF \
	"brand = Simulated Skylake-SP processor @ 2.70GHz\n" \
	"leaf = 0x0 0 0x00000016 0x756e6547 0x6c65746e 0x49656e69\n" \
	"leaf = 0x1 0 0x00050654 0x00200800 0x7ffefbff 0xbfebfbff\n" \
	"leaf = 0x4 0 0x3c004121 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x4 1 0x3c004122 0x01c0003f 0x0000003f 0x00000000\n" \
	"leaf = 0x4 2 0x3c004143 0x03c0003f 0x000003ff 0x00000000\n" \
	"leaf = 0x6 0 0x00000000 0x00000000 0x00000001 0x00000000\n" \
	"leaf = 0xa 0 0x07300404 0x00000000 0x00000000 0x00000603\n" \
	"tsc_hz = 2700000000\n" \
	"package = 0 cores=0-3 cpus=0-3,8-11\n" \
	"package = 1 cores=0-3 cpus=4-7,12-15\n" \
	"kernel_pmu = power type=11 cpumask=package\n" \
	"kernel_format = power event config:0-7\n" \
	"kernel_event = power energy-pkg event=0x02 scale=2.3283064365386962890625e-10 " \
	"unit=Joules\n" \
	"kernel_rate = power 0x02 386547056640\n" /* 90 W */ \
	"kernel_pmu = uncore_ubox type=12 counters=2 cpumask=package\n" \
	BOX_FORMATS("uncore_ubox", "8-15", "24-28") \
	"kernel_pmu = uncore_cha_0-17 type=13 counters=4 cpumask=package\n" \
	CHA_FORMATS("uncore_cha") \
	"kernel_rate = uncore_cha 0x0 2100000000\n" /* clock */ \
	"kernel_rate = uncore_cha 0x2135 12000000\n" /* TOR inserts, IA */ \
	"kernel_rate = uncore_cha 0x1134 20000000\n" /* LLC lookups, any */ \
	"kernel_filter = uncore_cha 0x34 config1:17-26\n" \
	TOR_FILTERS("0x35") TOR_FILTERS("0x36") \
	"kernel_pmu = uncore_iio_0-5 type=31 counters=4 cpumask=package\n" \
	BOX_FORMATS("uncore_iio", "8-15", "24-35") \
	"kernel_format = uncore_iio ch_mask config:36-43\n" \
	"kernel_format = uncore_iio fc_mask config:44-46\n" \
	"kernel_filter = uncore_iio any config:36-43\n" \
	"kernel_filter = uncore_iio any config:44-46\n" \
	"kernel_rate = uncore_iio 0x483 24000000\n" /* data requested of the CPU */ \
	"kernel_pmu = uncore_iio_free_running_0-5 type=37 free_running=yes cpumask=package\n" \
	"kernel_format = uncore_iio_free_running event config:0-7\n" \
	"kernel_format = uncore_iio_free_running umask config:8-15\n" \
	"kernel_event = uncore_iio_free_running ioclk event=0xff,umask=0x10\n" \
	"kernel_rate = uncore_iio_free_running 0x10ff 500000000\n" \
	FREE_EVENT("bw_in_port0", "0x20") FREE_EVENT("bw_in_port1", "0x21") \
	FREE_EVENT("bw_in_port2", "0x22") FREE_EVENT("bw_in_port3", "0x23") \
	FREE_EVENT("bw_out_port0", "0x24") FREE_EVENT("bw_out_port1", "0x25") \
	FREE_EVENT("bw_out_port2", "0x26") FREE_EVENT("bw_out_port3", "0x27") \
	UTIL_EVENT("util_in_port0", "0x30") UTIL_EVENT("util_out_port0", "0x31") \
	UTIL_EVENT("util_in_port1", "0x32") UTIL_EVENT("util_out_port1", "0x33") \
	UTIL_EVENT("util_in_port2", "0x34") UTIL_EVENT("util_out_port2", "0x35") \
	UTIL_EVENT("util_in_port3", "0x36") UTIL_EVENT("util_out_port3", "0x37") \
	"kernel_pmu = uncore_irp_0-5 type=43 counters=2 cpumask=package\n" \
	BOX_FORMATS("uncore_irp", "8-15", "24-31") \
	"kernel_pmu = uncore_pcu type=49 counters=4 cpumask=package\n" \
	BOX_FORMATS("uncore_pcu", "8-15", "24-31") \
	"kernel_format = uncore_pcu occ_invert config:30\n" \
	"kernel_format = uncore_pcu occ_edge_det config:31\n" \
	"kernel_format = uncore_pcu filter_band0 config1:0-7\n" \
	"kernel_format = uncore_pcu filter_band1 config1:8-15\n" \
	"kernel_format = uncore_pcu filter_band2 config1:16-23\n" \
	"kernel_format = uncore_pcu filter_band3 config1:24-31\n" \
	"kernel_pmu = uncore_imc_0-5 type=50 counters=4 cpumask=package\n" \
	BOX_FORMATS("uncore_imc", "8-15", "24-31") \
	"kernel_event = uncore_imc clockticks event=0x00,umask=0x00\n" \
	"kernel_event = uncore_imc cas_count_read event=0x04,umask=0x03 " \
	"scale=6.103515625e-5 unit=MiB\n" \
	"kernel_event = uncore_imc cas_count_write event=0x04,umask=0x0c " \
	"scale=6.103515625e-5 unit=MiB\n" \
	"kernel_rate = uncore_imc 0x0000 1333000000\n" \
	"kernel_rate = uncore_imc 0x0304 24576000\n" /* 1500 MiB/s */ \
	"kernel_rate = uncore_imc 0x0c04 8192000\n" /* 500 MiB/s */ \
	"kernel_pmu = uncore_m2m_0-1 type=56 counters=4 cpumask=package\n" \
	BOX_FORMATS("uncore_m2m", "8-15", "24-31") \
	"kernel_pmu = uncore_upi_0-2 type=58 counters=4 cpumask=package\n" \
	BOX_FORMATS("uncore_upi", "8-15,32-43,45-55", "24-31") \
	"kernel_pmu = uncore_m3upi_0-2 type=61 counters=3 cpumask=package\n" \
	BOX_FORMATS("uncore_m3upi", "8-15", "24-31") \
	"end\n"

#endif
