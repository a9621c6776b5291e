/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PMUs of the simulated servers and clients that only the kernel can count: memory controllers and links between
 * packages (in PCI or memory space), and RAPL. Formats are as in Linux (arch/x86/events/intel/uncore_snb.c,
 * uncore_snbep.c, arch/x86/events/rapl.c). Rates are made up so that bandwidths can be checked by hand: each channel
 * reads 1.28 GB/s and writes 0.32 GB/s.
 */
#ifndef UM_SIM_MACHINES_KERNEL_H
#define UM_SIM_MACHINES_KERNEL_H

#define PLAIN_FORMATS(pmu, event, umask) \
	"kernel_format = " pmu " event config:" event "\n" \
	"kernel_format = " pmu " umask config:" umask "\n" \
	"kernel_format = " pmu " edge config:18\n" \
	"kernel_format = " pmu " inv config:23\n" \
	"kernel_format = " pmu " thresh config:24-31\n"

/* RAPL: 90 W for the package; in the form with memory, 15 W for that. Units of 2^-32 J. */
#define RAPL_OF(cpus) \
	"kernel_pmu = power type=11 cpumask=" cpus "\n" \
	"kernel_format = power event config:0-7\n" \
	"kernel_event = power energy-pkg event=0x02 scale=2.3283064365386962890625e-10 " \
	"unit=Joules\n" \
	"kernel_rate = power 0x02 386547056640\n"
#define RAPL_PACKAGE RAPL_OF("package")
#define RAPL \
	RAPL_PACKAGE \
	"kernel_event = power energy-ram event=0x03 scale=2.3283064365386962890625e-10 " \
	"unit=Joules\n" \
	"kernel_rate = power 0x03 64424509440\n"

/* A memory channel: 20 million lines of 64 bytes read per second, 5 million written. */
#define IMC(numbers, read, write) \
	"kernel_pmu = uncore_imc_" numbers " type=50 counters=4 cpumask=package\n" \
	PLAIN_FORMATS("uncore_imc", "0-7", "8-15") \
	"kernel_rate = uncore_imc " read " 20000000\n" \
	"kernel_rate = uncore_imc " write " 5000000\n"
#define IMC_OLD(numbers) IMC(numbers, "0x0304", "0x0c04")
#define IMC_ICX(numbers) IMC(numbers, "0x0f04", "0x3004")
#define IMC_SPR(numbers) IMC(numbers, "0xcf05", "0xf005")
/* Granite Rapids: a channel has two halves, each with events of its own. */
#define IMC_GNR(numbers) \
	IMC(numbers, "0xcf05", "0xf005") \
	"kernel_rate = uncore_imc 0xcf06 20000000\n" \
	"kernel_rate = uncore_imc 0xf006 5000000\n"
#define IMC_KNL(numbers) IMC(numbers, "0x0103", "0x0203")

/* QPI counts flits of 8 bytes. Event 0x102 has nine bits; the ninth is bit 21 of config. */
#define QPI(numbers) \
	"kernel_pmu = uncore_qpi_" numbers " type=80 counters=4 cpumask=package\n" \
	PLAIN_FORMATS("uncore_qpi", "0-7,21", "8-15") \
	"kernel_rate = uncore_qpi 0x0200 100000000\n" \
	"kernel_rate = uncore_qpi 0x0201 80000000\n" \
	"kernel_rate = uncore_qpi 0x200802 60000000\n" \
	"kernel_rate = uncore_qpi 0x200403 20000000\n"

/* UPI uses nine slots for a line of 64 bytes. */
#define UPI(numbers) \
	"kernel_pmu = uncore_upi_" numbers " type=80 counters=4 cpumask=package\n" \
	PLAIN_FORMATS("uncore_upi", "0-7", "8-15,32-43,45-55") \
	"kernel_rate = uncore_upi 0x0f02 90000000\n" \
	"kernel_rate = uncore_upi 0x0f03 45000000\n"

/* Clients: free-running counters of the memory controller. */
#define CLIENT_IMC \
	"kernel_pmu = uncore_imc type=50 counters=5 cpumask=package\n" \
	"kernel_format = uncore_imc event config:0-7\n" \
	"kernel_event = uncore_imc data_reads event=0x01 scale=6.103515625e-5 unit=MiB\n" \
	"kernel_event = uncore_imc data_writes event=0x02 scale=6.103515625e-5 unit=MiB\n" \
	"kernel_rate = uncore_imc 0x01 40000000\n" \
	"kernel_rate = uncore_imc 0x02 10000000\n"
#define CLIENT_IMC_FREE_RUNNING(numbers) \
	"kernel_pmu = uncore_imc_free_running_" numbers " type=50 free_running=yes cpumask=package\n" \
	"kernel_format = uncore_imc_free_running event config:0-7\n" \
	"kernel_format = uncore_imc_free_running umask config:8-15\n" \
	"kernel_event = uncore_imc_free_running data_read event=0xff,umask=0x20 " \
	"scale=6.103515625e-5 unit=MiB\n" \
	"kernel_event = uncore_imc_free_running data_write event=0xff,umask=0x30 " \
	"scale=6.103515625e-5 unit=MiB\n" \
	"kernel_rate = uncore_imc_free_running 0x20ff 20000000\n" \
	"kernel_rate = uncore_imc_free_running 0x30ff 5000000\n"

#endif
