/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples of the simulated machine's kernel. The sampled program is made up; each CPU always runs its own process of
 * it. The event's rate determines how often the program is interrupted. Records: perf_event_open(2), "MMAP layout".
 * Throttling: Linux kernel/events/core.c, __perf_event_account_interrupt().
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "sim/imc.h"
#include "sim/kernel.h"

enum {
	TICK_NS = UM_SIM_KERNEL_TURN,
	MOST_IN_TICK = UM_SIM_MAX_SAMPLE_RATE / 250,
	TRACE_RATE = 500,        /* records of trace_imc per second and CPU */
	FIRST_PID = 1000,        /* process id of the program on CPU 0 */
	KERNEL_OF_100 = 15,      /* percent of the time in the kernel, as in kernel_rates.c */
};

#define PROGRAM "/usr/bin/simulated"
#define TEXT_BEGIN 0x400000ull
#define TEXT_SIZE 0x2000ull
#define KERNEL_TEXT 0xffffffff81000000ull
#define POWER_KERNEL_TEXT 0xc000000000000000ull

/* Functions in user space, with the number of samples out of 100. Each function is called by the next one. */
static const struct place {
	unsigned of_100;
	uint64_t address;
} places[] = { { 65, 0x401130 }, { 25, 0x401190 }, { 10, 0x4011f0 } };

int um_sim_samples_check(const struct um_sim_kernel_pmu *pmu, const struct um_perf_attr *attr)
{
	switch (pmu->kind) {
	case UM_SIM_PMU_SOFTWARE:
	case UM_SIM_PMU_TRACEPOINT:
		return attr->precise ? -EOPNOTSUPP : 0;
	case UM_SIM_PMU_CORE:
		return attr->precise > (pmu->amd ? 0 : 2) ? -EOPNOTSUPP : 0; /* highest level: file caps/max_precise */
	case UM_SIM_PMU_IMC:
		return pmu->level == UM_SIM_IMC_TRACE ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

/* ---- the ring ---- */

static uint64_t room_in(const struct perf_event_mmap_page *ring)
{
	return ring->data_size - (ring->data_head - __atomic_load_n(&ring->data_tail, __ATOMIC_ACQUIRE));
}

bool um_sim_ring_is_half_full(const void *ring)
{
	const struct perf_event_mmap_page *page = ring;

	return page && room_in(page) <= page->data_size / 2;
}

struct record {
	struct perf_event_header head;
	unsigned char bytes[512];
};

static void add_bytes(struct record *r, const void *bytes, size_t len)
{
	memcpy(r->bytes + (r->head.size - sizeof(r->head)), bytes, len);
	r->head.size = (uint16_t)(r->head.size + len);
}

static void add64(struct record *r, uint64_t v)
{
	add_bytes(r, &v, sizeof(v));
}

/* Two numbers of 32 bits, in this order in memory. */
static uint64_t pair(uint32_t a, uint32_t b)
{
	uint64_t both;

	memcpy(&both, (uint32_t[]){ a, b }, sizeof(both));
	return both;
}

/* Add a field that only some events have in their records. */
static void add_field(struct record *r, const struct um_sim_perf_event *ev, uint64_t field, uint64_t value)
{
	if (ev->sampling.sample_type & field)
		add64(r, value);
}

static struct record begin(uint32_t type, unsigned misc)
{
	return (struct record){ .head = { type, (uint16_t)misc, sizeof(struct perf_event_header) } };
}

/* Append a record. False: the ring has no room. */
static bool put(struct perf_event_mmap_page *ring, const struct record *r)
{
	unsigned char *data = (unsigned char *)ring + ring->data_offset;
	const unsigned char *from = (const unsigned char *)r;

	if (room_in(ring) < r->head.size)
		return false;
	for (size_t i = 0; i < r->head.size; i++)
		data[(ring->data_head + i) & (ring->data_size - 1)] = from[i];
	__atomic_store_n(&ring->data_head, ring->data_head + r->head.size, __ATOMIC_RELEASE);
	return true;
}

/* ---- records ---- */

/* The id of the running process, and of its only thread. */
static uint32_t runs_on(const struct um_sim_perf_event *ev)
{
	return ev->pid >= 0 ? (uint32_t)ev->pid : FIRST_PID + ev->cpu;
}

/* Put a record that is not a sample. Its trailer has the identifying fields of a sample (sample_id_all). */
static bool put_with_trailer(const struct um_sim_perf_event *ev, struct record *r, uint64_t ns)
{
	add_field(r, ev, PERF_SAMPLE_TID, pair(runs_on(ev), runs_on(ev)));
	add_field(r, ev, PERF_SAMPLE_TIME, ns);
	add_field(r, ev, PERF_SAMPLE_ID, ev->id);
	add_field(r, ev, PERF_SAMPLE_CPU, pair(ev->cpu, 0));
	add_field(r, ev, PERF_SAMPLE_IDENTIFIER, ev->id);
	return put(ev->ring, r);
}

/* If samples were lost, write a LOST record before anything else, as soon as there is room. */
static bool tell_lost(struct um_sim_perf_event *ev, uint64_t ns)
{
	struct record r = begin(PERF_RECORD_LOST, 0);

	if (ev->dropped == ev->dropped_told)
		return true;
	add64(&r, ev->id);
	add64(&r, ev->dropped - ev->dropped_told);
	if (!put_with_trailer(ev, &r, ns))
		return false;
	ev->dropped_told = ev->dropped;
	return true;
}

static void tell_program(struct um_sim_perf_event *ev, uint64_t ns)
{
	static const char comm[16] = "simulated", file[24] = PROGRAM;
	struct record r = begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);

	if (!ev->sampling.tells_tasks || ev->told)
		return;
	ev->told = true;
	add64(&r, pair(runs_on(ev), runs_on(ev)));
	add_bytes(&r, comm, sizeof(comm));
	ev->dropped += !put_with_trailer(ev, &r, ns);
	r = begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	add64(&r, pair(runs_on(ev), runs_on(ev)));
	add64(&r, TEXT_BEGIN);
	add64(&r, TEXT_SIZE);
	add64(&r, 0);
	add_bytes(&r, file, sizeof(file));
	ev->dropped += !put_with_trailer(ev, &r, ns);
}

static void tell_throttle(struct um_sim_perf_event *ev, bool on, uint64_t ns)
{
	struct record r = begin(on ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE, 0);

	if (ev->throttled == on)
		return;
	ev->throttled = on;
	add64(&r, ns);
	add64(&r, ev->id);
	add64(&r, ev->id);
	ev->dropped += !put_with_trailer(ev, &r, ns);
}

/* Spread samples over 0 to 99, so that neighbours differ; each value occurs once in 100 samples. */
static uint64_t scattered(uint64_t n)
{
	return n * 37 % 100;
}

static uint64_t address_of(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev, size_t *place,
			   bool *in_kernel)
{
	const struct um_perf_attr *a = &ev->attr;
	uint64_t n = ev->taken, at = scattered(n), skid = a->precise ? 0 : 4;

	*place = 0;
	*in_kernel = a->exclude_user || (!a->exclude_kernel && at < KERNEL_OF_100);
	if (*in_kernel)
		return (sim->imc ? POWER_KERNEL_TEXT : KERNEL_TEXT) + 0x1000 + skid;
	at = scattered(n / 7 + n);
	while (at >= places[*place].of_100)
		at -= places[(*place)++].of_100;
	return places[*place].address + skid;
}

static void put_sample(const struct uncoremsr_sim *sim, struct um_sim_perf_event *ev, uint64_t ns, uint64_t period)
{
	struct record r;
	uint64_t ip;
	size_t place;
	bool in_kernel;

	ip = address_of(sim, ev, &place, &in_kernel);
	r = begin(PERF_RECORD_SAMPLE, (in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) |
		  (ev->attr.precise ? PERF_RECORD_MISC_EXACT_IP : 0u));
	add_field(&r, ev, PERF_SAMPLE_IDENTIFIER, ev->id);
	add_field(&r, ev, PERF_SAMPLE_IP, ip);
	add_field(&r, ev, PERF_SAMPLE_TID, pair(runs_on(ev), runs_on(ev)));
	add_field(&r, ev, PERF_SAMPLE_TIME, ns);
	add_field(&r, ev, PERF_SAMPLE_ADDR, 0);
	add_field(&r, ev, PERF_SAMPLE_ID, ev->id);
	add_field(&r, ev, PERF_SAMPLE_CPU, pair(ev->cpu, 0));
	add_field(&r, ev, PERF_SAMPLE_PERIOD, period);
	if (ev->sampling.sample_type & PERF_SAMPLE_CALLCHAIN) {
		size_t callers = in_kernel ? 0 : ARRAY_SIZE(places) - 1 - place;

		add64(&r, 2 + callers);
		add64(&r, in_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
		add64(&r, ip);
		for (size_t i = 0; i < callers; i++)
			add64(&r, places[place + 1 + i].address + 9);
	}
	ev->taken++;
	ev->dropped += !tell_lost(ev, ns) || !put(ev->ring, &r);
}

/* ---- times of samples ---- */

/* Does the event sample now? A process always runs on CPU 0, so its events on other CPUs have no samples. */
static bool samples(const struct um_sim_perf_event *ev)
{
	return ev->ring && ev->on && !ev->dead && (ev->pid < 0 || !ev->cpu);
}

/* How many samples are due from time 0 to @ns. */
static um_u128 due(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev, uint64_t ns)
{
	if (ev->pmu->kind == UM_SIM_PMU_IMC)
		return (um_u128)TRACE_RATE * ns / UM_SIM_NS;
	if (ev->sampling.by_frequency)
		return (um_u128)ev->sampling.period * ns / UM_SIM_NS;
	return um_sim_kernel_happened(sim, ev, ns) / ev->sampling.period;
}

static uint64_t period_of(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev, uint64_t from,
			  uint64_t to, uint64_t num)
{
	if (!ev->sampling.by_frequency)
		return ev->sampling.period;
	return (uint64_t)((um_sim_kernel_happened(sim, ev, to) - um_sim_kernel_happened(sim, ev, from)) / num);
}

static void take_tick(const struct uncoremsr_sim *sim, struct um_sim_perf_event *ev, uint64_t from, uint64_t to)
{
	um_u128 all = due(sim, ev, to) - due(sim, ev, from);
	uint64_t num = all > MOST_IN_TICK ? MOST_IN_TICK : (uint64_t)all, period;

	tell_throttle(ev, false, from);
	if (!num)
		return;
	period = period_of(sim, ev, from, to, (uint64_t)all);
	/* A period of 0 means that a rare event in frequency mode did not happen: no samples. */
	for (uint64_t i = 0; period && i < num; i++)
		put_sample(sim, ev, from + (to - from) * (i + 1) / (num + 1), period);
	if (all > MOST_IN_TICK)
		tell_throttle(ev, true, to - 1);
}

void um_sim_samples_take(const struct uncoremsr_sim *sim, struct um_sim_perf_event *ev)
{
	if (!samples(ev))
		return;
	tell_program(ev, ev->sampled);
	while (ev->sampled < sim->now) {
		uint64_t left = TICK_NS - ev->sampled % TICK_NS, end = sim->now;

		if (left < end - ev->sampled)
			end = ev->sampled + left;
		take_tick(sim, ev, ev->sampled, end);
		ev->sampled = end;
	}
}
