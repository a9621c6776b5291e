/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Write the records of POWER's trace mode as samples to a perf.data file. The samples are those that the kernel would
 * write (Linux arch/powerpc/perf/imc-pmu.c, trace_imc_prepare_sample()), but have the time of the record.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "sampling/file_writer.h"
#include "uncoremsr/imc.h"
#include "uncoremsr/perf_data.h"

__extension__ typedef unsigned __int128 wide;

/* The time base counts at 512 MHz on these processors. */
enum { TIMEBASE_MHZ = 512, PVR_POWER9 = 0x4e, ANY_TYPE = 42 };
#define CONFIG 0x10200000u /* config of the event trace_imc/trace_cycles/ in the catalogs */
#define KERNEL_START UINT64_C(0xc000000000000000)
#define NO_THREAD UINT32_MAX /* the records do not say which process ran */

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static const struct {
	const char *word;
	uint16_t misc;
} modes[] = {
	{ "kernel", UNCOREMSR_RECORD_KERNEL }, { "user", UNCOREMSR_RECORD_USER },
	{ "guest_kernel", UNCOREMSR_RECORD_GUEST_KERNEL }, { "guest_user", UNCOREMSR_RECORD_GUEST_USER },
};

static uint16_t misc_of(const char *mode)
{
	for (size_t i = 0; mode && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].word, mode) == 0)
			return modes[i].misc;
	return 0;
}

static void fill_attr(struct um_perf_data_event *ev)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = ANY_TYPE;
	attr.size = UM_PERF_DATA_ATTR;
	attr.config = CONFIG;
	attr.sample_period = 1;
	attr.sample_type = SAMPLE_TYPE;
	attr.sample_id_all = 1;
	memcpy(ev->attr, &attr, sizeof(attr) < sizeof(ev->attr) ? sizeof(attr) : sizeof(ev->attr));
}

static void put_sample(struct um_bytes *b, const struct uncoremsr_imc_record *r, unsigned cpu)
{
	size_t at = um_bytes_begin(b, PERF_RECORD_SAMPLE, misc_of(r->mode));

	um_bytes_u64(b, r->ip);
	um_bytes_u32(b, NO_THREAD);
	um_bytes_u32(b, NO_THREAD);
	um_bytes_u64(b, (uint64_t)((wide)r->tb1 * 1000 / TIMEBASE_MHZ));
	um_bytes_u32(b, cpu);
	um_bytes_u32(b, 0);
	um_bytes_u64(b, 1);
	um_bytes_end(b, at, 0);
}

static int put_records(struct um_perf_data *w, struct uncoremsr_imc_trace *t, uint32_t pvr, unsigned cpu)
{
	struct um_bytes b = { .at = NULL };

	/* Without this record perf warns that kernel addresses are restricted. */
	um_bytes_kernel_map(&b, KERNEL_START, UINT64_MAX - KERNEL_START, KERNEL_START, "[kernel.kallsyms]_text",
			    SAMPLE_TYPE);
	for (size_t i = 0; i < t->records; i++)
		put_sample(&b, uncoremsr_imc_record(t, (size_t)t->order[i], pvr), cpu);
	return um_perf_data_write_bytes(w, &b);
}

int uncoremsr_imc_trace_perf_data(struct uncoremsr_imc_trace *trace, uint32_t pvr, unsigned cpu, int fd)
{
	const struct uncoremsr_perf_data_build kernel = {
		.kernel = 1, .id = UM_NO_BUILD_ID, .id_size = UNCOREMSR_BUILD_ID_SIZE, .name = "[kernel.kallsyms]",
	};
	const struct um_perf_data_facts facts = {
		.texts = {
			[UM_FACT_ARCH] = "ppc64le", [UM_FACT_CPU] = pvr >> 16 == PVR_POWER9 ? "POWER9" : "POWER10",
		},
		.cpus_online = cpu + 1, .cpus_available = cpu + 1, .builds = &kernel, .num_builds = 1,
	};
	struct um_perf_data_event ev = { .name = "trace_imc/trace_cycles/" };
	struct um_perf_data w = { .fd = fd, .events = &ev, .num_events = 1 };

	if (!trace)
		return -EINVAL;
	fill_attr(&ev);
	return um_perf_data_begin(&w, &facts) ?: put_records(&w, trace, pvr, cpu) ?: um_perf_data_end(&w, &facts);
}
