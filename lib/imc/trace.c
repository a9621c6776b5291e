/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Trace buffers: slots of 64 bytes (eight words). After the last slot the hardware continues with slot 0, without any
 * sign (Linux arch/powerpc/perf/imc-pmu.c, trace_imc_prepare_sample(), dump_trace_imc_data()).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "uncoremsr/imc.h"

#define WORD_SIZE 8
#define WORDS (UNCOREMSR_IMC_RECORD_SIZE / WORD_SIZE)
/* Linux asm/imc-pmu.h, IMC_TRACE_RECORD_TB1_MASK: the bits of the first time base that the second repeats. */
#define TB2_MASK UINT64_C(0x3ffffffffff)

enum { TB1, IP, VAL, CPMC, TB2 = 7 };

struct trace {
	struct uncoremsr_imc_trace pub;
	const unsigned char *image;
	bool little;       /* byte order of the records; a guess if pub.little is -1 */
	uint64_t *order;   /* pub.order */
	struct uncoremsr_imc_record record;
};

static uint64_t word_at(const unsigned char *p, bool little)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < WORD_SIZE; i++)
		v = v << 8 | p[little ? WORD_SIZE - 1 - i : i];
	return v;
}

static uint64_t word_of(const struct trace *t, size_t slot, unsigned word)
{
	return word_at(t->image + slot * UNCOREMSR_IMC_RECORD_SIZE + word * WORD_SIZE, t->little);
}

static uint64_t tb1_of(const struct trace *t, size_t slot)
{
	return word_of(t, slot, TB1);
}

static bool is_record(const struct trace *t, size_t slot)
{
	uint64_t tb1 = tb1_of(t, slot);

	return tb1 && (tb1 & TB2_MASK) == word_of(t, slot, TB2);
}

static bool is_empty(const struct trace *t, size_t slot)
{
	const unsigned char *p = t->image + slot * UNCOREMSR_IMC_RECORD_SIZE;

	return !p[0] && !memcmp(p, p + 1, UNCOREMSR_IMC_RECORD_SIZE - 1);
}

static size_t count_records(struct trace *t, bool little)
{
	size_t num = 0;

	t->little = little;
	for (size_t i = 0; i < t->pub.slots; i++)
		num += is_record(t, i);
	return num;
}

/* In the wrong byte order hardly any record has two time bases that agree. */
static void find_byte_order(struct trace *t)
{
	size_t little = count_records(t, true), big = count_records(t, false);

	t->little = little > big;
	t->pub.little = little == big ? -1 : t->little;
	t->pub.records = little > big ? little : big;
}

static void follow_kernel(struct trace *t)
{
	uint64_t last = 0;

	while (t->pub.kernel < t->pub.slots && is_record(t, t->pub.kernel) && tb1_of(t, t->pub.kernel) > last)
		last = tb1_of(t, t->pub.kernel++);
}

static int by_time(const void *a, const void *b, void *user)
{
	const struct trace *t = user;
	size_t x = (size_t)*(const uint64_t *)a, y = (size_t)*(const uint64_t *)b;
	uint64_t tx = tb1_of(t, x), ty = tb1_of(t, y);

	if (tx != ty)
		return tx < ty ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void sort_slots(struct trace *t)
{
	size_t num = 0;

	for (size_t i = 0; i < t->pub.slots; i++) {
		if (is_record(t, i))
			t->order[num++] = i;
		else
			t->pub.dropped += !is_empty(t, i);
	}
	qsort_r(t->order, t->pub.records, sizeof(*t->order), by_time, t);
}

static uint64_t step_behind(const struct trace *t, size_t index)
{
	return tb1_of(t, (size_t)t->order[index + 1]) - tb1_of(t, (size_t)t->order[index]);
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Number of records missing in @gap if records come every @step, rounded to the nearest. */
static uint64_t missing(uint64_t gap, uint64_t step)
{
	uint64_t steps = gap / step, rest = gap % step;

	steps += rest >= step - rest;
	return steps ? steps - 1 : 0;
}

/* Estimate the step as the median: the rate is constant, and at least half of the steps have no lost record. */
static int estimate(struct trace *t)
{
	size_t num = (size_t)t->pub.records - 1;
	uint64_t *steps, step;

	t->pub.step = t->pub.lost = UINT64_MAX;
	if (t->pub.records < 3)
		return 0;
	steps = malloc(num * sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	for (size_t i = 0; i < num; i++)
		steps[i] = step_behind(t, i);
	qsort(steps, num, sizeof(*steps), by_size);
	step = steps[(num - 1) / 2] + (steps[num / 2] - steps[(num - 1) / 2]) / 2;
	if (step) {
		t->pub.step = step;
		t->pub.lost = 0;
	}
	for (size_t i = 0; step && i < num; i++)
		t->pub.lost += missing(steps[i], step);
	free(steps);
	return 0;
}

static int look(struct trace *t)
{
	find_byte_order(t);
	follow_kernel(t);
	t->pub.order = t->order = malloc((t->pub.records + 1) * sizeof(*t->order));
	if (!t->order)
		return -ENOMEM;
	sort_slots(t);
	return estimate(t);
}

/* ---- privilege level of a record (Linux trace_imc_prepare_sample()) ---- */

static const char *mode_by_address(const struct trace *t, size_t slot)
{
	return word_of(t, slot, IP) >= UINT64_C(0xc000000000000000) ? "kernel" : "user";
}

/* ISA 3.1: the bits MSR[HV] and MSR[PR] of the record. */
static const char *mode_by_bits(const struct trace *t, size_t slot)
{
	static const char modes[][16] = { "guest_kernel", "guest_user", "kernel", "user" };

	return modes[word_of(t, slot, VAL) >> 62];
}

/* Linux asm/reg.h, PVR_POWER9 and others: upper half of the processor version register. */
static const struct {
	uint16_t version;
	const char *(*mode)(const struct trace *t, size_t slot);
} processors[] = {
	{ 0x4e, mode_by_address }, /* POWER9 */
	{ 0x80, mode_by_bits },    /* POWER10 */
	{ 0x82, mode_by_bits },    /* POWER11 */
};

static const char *mode_of(const struct trace *t, size_t slot, uint32_t pvr)
{
	for (size_t i = 0; i < ARRAY_SIZE(processors); i++)
		if (processors[i].version == pvr >> 16)
			return processors[i].mode(t, slot);
	return NULL;
}

/* ---- for callers ---- */

int uncoremsr_imc_trace_new(const void *image, size_t size, struct uncoremsr_imc_trace **trace)
{
	struct trace *t;
	int err;

	if (!trace)
		return -EINVAL;
	*trace = NULL;
	if (size > UNCOREMSR_IMC_TRACE_MOST)
		return -EFBIG;
	if (!image || !size || size % UNCOREMSR_IMC_RECORD_SIZE)
		return -EINVAL;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->pub.size = sizeof(t->pub);
	t->pub.slots = size / UNCOREMSR_IMC_RECORD_SIZE;
	t->image = image;
	err = look(t);
	if (err)
		uncoremsr_imc_trace_free(&t->pub);
	else
		*trace = &t->pub;
	return err;
}

void uncoremsr_imc_trace_free(struct uncoremsr_imc_trace *trace)
{
	if (trace)
		free(((struct trace *)trace)->order);
	free(trace);
}

const struct uncoremsr_imc_record *uncoremsr_imc_record(struct uncoremsr_imc_trace *trace, size_t slot, uint32_t pvr)
{
	struct trace *t = (struct trace *)trace;

	if (!t || slot >= t->pub.slots)
		return NULL;
	t->record = (struct uncoremsr_imc_record){
		.size = sizeof(t->record), .tb1 = tb1_of(t, slot), .ip = word_of(t, slot, IP),
		.val = word_of(t, slot, VAL), .tb2 = word_of(t, slot, TB2), .empty = is_empty(t, slot),
		.tb_ok = is_record(t, slot), .by_kernel = slot < t->pub.kernel, .mode = mode_of(t, slot, pvr),
	};
	for (unsigned i = 0; i < ARRAY_SIZE(t->record.cpmc); i++)
		t->record.cpmc[i] = word_of(t, slot, CPMC + i);
	return &t->record;
}
