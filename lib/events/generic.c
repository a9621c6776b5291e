/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names that perf gives to events of every processor (Linux include/uapi/linux/perf_event.h,
 * tools/perf/util/parse-events.l). They are case sensitive, as perf has them.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "perf/event.h"

static const struct generic {
	const char *name;
	uint32_t type;
	uint64_t config;
} names[] = {
	/* The first seven, and the first nine of the software events, are the collectd design's. */
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	/* The rest, and second names. */
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "Branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", PERF_TYPE_SOFTWARE, 11 /* newer than some headers */ },
};

enum { DESIGN_HARDWARE = 7, DESIGN_SOFTWARE = 9 };
enum { READ = 1, WRITE = 2, PREFETCH = 4 };

/* The first spelling of each is the one that is shown. */
static const struct cache {
	const char *spellings[5];
	unsigned id, ops;
} caches[] = {
	{ { "L1-dcache", "l1-d", "l1d", "L1-data" }, PERF_COUNT_HW_CACHE_L1D,
	  READ | WRITE | PREFETCH },
	{ { "L1-icache", "l1-i", "l1i", "L1-instruction" }, PERF_COUNT_HW_CACHE_L1I,
	  READ | PREFETCH },
	{ { "LLC", "L2" }, PERF_COUNT_HW_CACHE_LL, READ | WRITE | PREFETCH },
	{ { "dTLB", "d-tlb", "Data-TLB" }, PERF_COUNT_HW_CACHE_DTLB, READ | WRITE | PREFETCH },
	{ { "iTLB", "i-tlb", "Instruction-TLB" }, PERF_COUNT_HW_CACHE_ITLB, READ },
	{ { "branch", "bpu", "btb", "bpc" }, PERF_COUNT_HW_CACHE_BPU, READ },
	{ { "node" }, PERF_COUNT_HW_CACHE_NODE, READ | WRITE | PREFETCH },
};

static const struct word {
	const char *text;
	unsigned value;
} ops[] = {
	{ "load", 0 }, { "loads", 0 }, { "read", 0 }, { "store", 1 }, { "stores", 1 },
	{ "write", 1 }, { "prefetch", 2 }, { "prefetches", 2 }, { "speculative-read", 2 },
	{ "speculative-load", 2 },
}, results[] = {
	{ "refs", 0 }, { "Reference", 0 }, { "ops", 0 }, { "access", 0 }, { "misses", 1 },
	{ "miss", 1 },
};

/* "-WORD" at the start of the text: taken off it. The longest word wins. */
static bool take_word(const char **text, size_t *len, const struct word *words, size_t num,
		      unsigned *value)
{
	size_t best = 0;

	if (!*len || **text != '-')
		return false;
	for (size_t i = 0; i < num; i++) {
		size_t n = strlen(words[i].text);

		if (n <= best || n > *len - 1 || memcmp(*text + 1, words[i].text, n) ||
		    (n + 1 < *len && (*text)[n + 1] != '-'))
			continue;
		best = n;
		*value = words[i].value;
	}
	if (!best)
		return false;
	*text += best + 1;
	*len -= best + 1;
	return true;
}

/* What follows the cache's name: "-loads", "-load-misses", "-misses" or nothing. */
static bool cache_rest(const struct cache *c, const char *text, size_t len, uint64_t *config)
{
	unsigned op = 0, result = 0;

	take_word(&text, &len, ops, ARRAY_SIZE(ops), &op);
	take_word(&text, &len, results, ARRAY_SIZE(results), &result);
	if (len || !(c->ops >> op & 1))
		return false;
	*config = c->id | op << 8 | result << 16;
	return true;
}

static bool cache_event(const char *name, size_t len, uint64_t *config)
{
	for (size_t i = 0; i < ARRAY_SIZE(caches); i++)
		for (const char *const *s = caches[i].spellings; *s; s++) {
			size_t n = strlen(*s);

			if (n <= len && !memcmp(name, *s, n) && (n == len || name[n] == '-') &&
			    cache_rest(&caches[i], name + n, len - n, config))
				return true;
		}
	return false;
}

bool um_perf_generic(const char *name, size_t len, uint32_t *type, uint64_t *config)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !memcmp(name, names[i].name, len)) {
			*type = names[i].type;
			*config = names[i].config;
			return true;
		}
	*type = PERF_TYPE_HW_CACHE;
	return cache_event(name, len, config);
}

/* Hardware, cache, software: the order of the design's table. */
static const char *const cache_names[] = {
	"L1-dcache-loads", "L1-dcache-load-misses", "L1-dcache-stores", "L1-dcache-store-misses",
	"L1-dcache-prefetches", "L1-dcache-prefetch-misses", "L1-icache-loads",
	"L1-icache-load-misses", "L1-icache-prefetches", "L1-icache-prefetch-misses", "LLC-loads",
	"LLC-load-misses", "LLC-stores", "LLC-store-misses", "LLC-prefetches",
	"LLC-prefetch-misses", "dTLB-loads", "dTLB-load-misses", "dTLB-stores",
	"dTLB-store-misses", "dTLB-prefetches", "dTLB-prefetch-misses", "iTLB-loads",
	"iTLB-load-misses", "branch-loads", "branch-load-misses",
};

const char *um_perf_generic_name(size_t index, uint32_t *type, uint64_t *config)
{
	const char *name;

	if (index < DESIGN_HARDWARE)
		name = names[index].name;
	else if (index - DESIGN_HARDWARE < ARRAY_SIZE(cache_names))
		name = cache_names[index - DESIGN_HARDWARE];
	else if (index - ARRAY_SIZE(cache_names) < DESIGN_HARDWARE + DESIGN_SOFTWARE)
		name = names[index - ARRAY_SIZE(cache_names)].name;
	else
		return NULL;
	um_perf_generic(name, strlen(name), type, config);
	return name;
}
