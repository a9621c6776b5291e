/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perf's names for events of every processor (Linux include/uapi/linux/perf_event.h,
 * tools/perf/util/parse-events.l). Case matters, as in perf.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "common/error.h"
#include "names/source.h"

/* perf's names, in the order in which they are listed. */
static const struct perf_name {
	char name[28];
	uint32_t type;
	uint64_t config;
} names[] = {
#define NAME(name, type, config) { name, type, config }
#define HARDWARE(name, config) NAME(name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config)
#define SOFTWARE(name, config) NAME(name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config)
#define CACHE(name, cache, op, result) \
	NAME(name, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | op << 8 | result << 16)
	/* The 42 names in the design of collectd's plugin intel_pmu. */
	HARDWARE("cpu-cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	CACHE("L1-dcache-loads", L1D, 0, 0),
	CACHE("L1-dcache-load-misses", L1D, 0, 1),
	CACHE("L1-dcache-stores", L1D, 1, 0),
	CACHE("L1-dcache-store-misses", L1D, 1, 1),
	CACHE("L1-dcache-prefetches", L1D, 2, 0),
	CACHE("L1-dcache-prefetch-misses", L1D, 2, 1),
	CACHE("L1-icache-loads", L1I, 0, 0),
	CACHE("L1-icache-load-misses", L1I, 0, 1),
	CACHE("L1-icache-prefetches", L1I, 2, 0),
	CACHE("L1-icache-prefetch-misses", L1I, 2, 1),
	CACHE("LLC-loads", LL, 0, 0),
	CACHE("LLC-load-misses", LL, 0, 1),
	CACHE("LLC-stores", LL, 1, 0),
	CACHE("LLC-store-misses", LL, 1, 1),
	CACHE("LLC-prefetches", LL, 2, 0),
	CACHE("LLC-prefetch-misses", LL, 2, 1),
	CACHE("dTLB-loads", DTLB, 0, 0),
	CACHE("dTLB-load-misses", DTLB, 0, 1),
	CACHE("dTLB-stores", DTLB, 1, 0),
	CACHE("dTLB-store-misses", DTLB, 1, 1),
	CACHE("dTLB-prefetches", DTLB, 2, 0),
	CACHE("dTLB-prefetch-misses", DTLB, 2, 1),
	CACHE("iTLB-loads", ITLB, 0, 0),
	CACHE("iTLB-load-misses", ITLB, 0, 1),
	CACHE("branch-loads", BPU, 0, 0),
	CACHE("branch-load-misses", BPU, 0, 1),
	SOFTWARE("cpu-clock", CPU_CLOCK),
	SOFTWARE("task-clock", TASK_CLOCK),
	SOFTWARE("context-switches", CONTEXT_SWITCHES),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS),
	SOFTWARE("page-faults", PAGE_FAULTS),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ),
	SOFTWARE("alignment-faults", ALIGNMENT_FAULTS),
	SOFTWARE("emulation-faults", EMULATION_FAULTS),
	/* Names that are not in collectd's design, and synonyms. */
	CACHE("node-loads", NODE, 0, 0),
	CACHE("node-load-misses", NODE, 0, 1),
	CACHE("node-stores", NODE, 1, 0),
	CACHE("node-store-misses", NODE, 1, 1),
	CACHE("node-prefetches", NODE, 2, 0),
	CACHE("node-prefetch-misses", NODE, 2, 1),
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS),
	HARDWARE("Branches", BRANCH_INSTRUCTIONS),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	SOFTWARE("faults", PAGE_FAULTS),
	SOFTWARE("cs", CONTEXT_SWITCHES),
	SOFTWARE("migrations", CPU_MIGRATIONS),
	SOFTWARE("dummy", DUMMY),
	SOFTWARE("bpf-output", BPF_OUTPUT),
	NAME("cgroup-switches", PERF_TYPE_SOFTWARE, 11), /* the constant is newer than some headers */
};

enum { READ = 1, WRITE = 2, PREFETCH = 4 };

/* The first spelling is the one that is shown. */
static const struct cache {
	char spellings[5][16];
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
	char text[20];
	unsigned value;
} ops[] = {
	{ "load", 0 }, { "loads", 0 }, { "read", 0 }, { "store", 1 }, { "stores", 1 },
	{ "write", 1 }, { "prefetch", 2 }, { "prefetches", 2 }, { "speculative-read", 2 },
	{ "speculative-load", 2 },
}, results[] = {
	{ "refs", 0 }, { "Reference", 0 }, { "ops", 0 }, { "access", 0 }, { "misses", 1 },
	{ "miss", 1 },
};

/* Remove "-WORD" from the start of the text. The longest matching word wins. */
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

/* Read the rest after the cache's name: "-loads", "-load-misses", "-misses" or nothing. */
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
		for (const char (*s)[16] = caches[i].spellings; **s; s++) {
			size_t n = strlen(*s);

			if (n <= len && !memcmp(name, *s, n) && (n == len || name[n] == '-') &&
			    cache_rest(&caches[i], name + n, len - n, config))
				return true;
		}
	return false;
}

/* Find a name in any of perf's spellings; NULL: no such name. */
static const struct perf_name *perf_name(const char *text, size_t len)
{
	uint64_t config;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !memcmp(text, names[i].name, len))
			return &names[i];
	if (!cache_event(text, len, &config))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].type == PERF_TYPE_HW_CACHE && names[i].config == config)
			return &names[i];
	return NULL;
}

/* ---- the source ---- */

struct perf_event {
	struct um_name base;
	const struct perf_name *row;
};

static void fill(void *records, const void *of)
{
	struct perf_event *ev = records;

	for (const struct perf_name *row = of; row < names + ARRAY_SIZE(names); row++, ev++)
		*ev = (struct perf_event){ .base = { .pub.name = row->name, .source = &um_perf_source }, .row = row };
}

/* The record of a name; NULL: out of memory. */
static const struct uncoremsr_event *record(struct um_names *n, const struct perf_name *row)
{
	struct perf_event *events = um_records(n, names, ARRAY_SIZE(names), sizeof(*events), fill);

	return events ? &events[row - names].base.pub : NULL;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct uncoremsr_event *ev;
	int err = 0;

	for (size_t i = 0; l->machine && i < ARRAY_SIZE(names) && !err; i++) {
		ev = record(l->names, &names[i]);
		err = ev ? fn(user, ev) : -ENOMEM;
	}
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct perf_name *found = l->machine ? perf_name(text, len) : NULL;

	return found ? record(l->names, found) : NULL;
}

static void describe(struct um_name *name)
{
	const struct perf_name *row = ((const struct perf_event *)name)->row;

	name->pub.pmu = row->type == PERF_TYPE_SOFTWARE ? "software" : "cpu";
}

static void mean(const struct perf_name *name, struct um_meaning *m)
{
	m->perf_name = true;
	m->type = name->type;
	m->config = name->config;
	if (name->type != PERF_TYPE_SOFTWARE)
		return;
	if (name->config == PERF_COUNT_SW_CPU_CLOCK || name->config == PERF_COUNT_SW_TASK_CLOCK) {
		m->scale = 1e-9;
		m->measure = "s";
	}
}

static void encode(const struct uncoremsr_event *ev, struct um_meaning *m)
{
	mean(((const struct perf_event *)ev)->row, m);
}

bool um_perf_meaning(const char *name, size_t len, struct um_meaning *m)
{
	const struct perf_name *found = perf_name(name, len);

	*m = (struct um_meaning)UM_NO_MEANING;
	if (found)
		mean(found, m);
	return found;
}

const struct um_name_source um_perf_source = { "perf", each, find, describe, encode, false };
