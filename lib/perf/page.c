/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The read sequence of include/uapi/linux/perf_event.h (struct perf_event_mmap_page): add the counter, read by
 * RDPMC, to the sum that the kernel has in the page; repeat if the kernel wrote to the page in between.
 */
#include "perf/page.h"

#include <linux/perf_event.h>

#if defined(__x86_64__) || defined(__i386__)
static uint64_t rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

#define barrier() __asm__ volatile("" ::: "memory")

bool um_perf_page_read(const void *mapped, uint64_t *value, uint64_t *missed)
{
	const volatile struct perf_event_mmap_page *page = mapped;
	uint32_t sequence, index;
	int64_t count;

	do {
		uint64_t raw;
		unsigned shift;

		sequence = page->lock;
		barrier();
		index = page->index;
		count = page->offset;
		*missed = page->time_enabled - page->time_running;
		if (!page->cap_user_rdpmc || !index || !page->pmc_width || page->pmc_width > 64)
			return false;
		shift = 64u - page->pmc_width;
		raw = rdpmc(index - 1);
		count += (int64_t)(raw << shift) >> shift;
		barrier();
	} while (page->lock != sequence);
	*value = (uint64_t)count;
	return true;
}
#else
bool um_perf_page_read(const void *mapped, uint64_t *value, uint64_t *missed)
{
	(void)mapped;
	(void)value;
	(void)missed;
	return false;
}
#endif
