/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples of the simulated kernel with a stepped clock: the number of samples, the period of each, and throttle
 * records. A key sets the rates, so that tests can compute the expected results.
 */
#include <check.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "suite.h"
#include "uncoremsr/sampling.h"

/* A million cycles per second on each CPU. */
#define MACHINE "sim:skylake-sp-perf,clock=stepped,kernel_rate=cpu 0x3c 1000000"

static struct uncoremsr *um;

static void open_machine(const char *what)
{
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_msg(!uncoremsr_set_machine(um, what) && !uncoremsr_open(um), "%s", uncoremsr_error(um)->message);
}

static void setup(void)
{
	open_machine(MACHINE);
}

static void teardown(void)
{
	uncoremsr_free(um);
}

static struct uncoremsr_sampling *begin(struct uncoremsr_sampling_options o)
{
	struct uncoremsr_sampling *s;

	o.cpus = o.cpus ? o.cpus : "3";
	ck_assert_msg(!uncoremsr_sampling_open(um, &o, &s), "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_sampling_enable(s, 1), 0);
	return s;
}

static int refusal(struct uncoremsr_sampling_options o)
{
	struct uncoremsr_sampling *s;
	int err = uncoremsr_sampling_open(um, &o, &s);

	ck_assert_ptr_null(s);
	return err;
}

static struct tally {
	unsigned samples, kernel, exact, in_program, comms, maps, throttled, unthrottled;
	uint64_t period, lost, last_ip;
} tally;

static void take_all(struct uncoremsr_sampling *s)
{
	struct uncoremsr_record r;
	uint64_t last = 0;

	tally = (struct tally){ .samples = 0 };
	ck_assert_int_eq(uncoremsr_sampling_enable(s, 0), 0);
	while (uncoremsr_sampling_next(s, 0, &r) == 1) {
		ck_assert_uint_ge(r.time, last);
		last = r.time;
		tally.comms += r.type == UNCOREMSR_RECORD_COMMAND;
		tally.maps += r.type == UNCOREMSR_RECORD_MAP;
		tally.throttled += r.type == UNCOREMSR_RECORD_THROTTLE;
		tally.unthrottled += r.type == UNCOREMSR_RECORD_UNTHROTTLE;
		if (r.type == UNCOREMSR_RECORD_LOST)
			tally.lost += r.lost;
		if (r.type != UNCOREMSR_RECORD_SAMPLE)
			continue;
		ck_assert_uint_eq(r.cpu, 3);
		tally.samples++;
		tally.kernel += (r.misc & UNCOREMSR_RECORD_MODE) == UNCOREMSR_RECORD_KERNEL;
		tally.exact += (r.misc & PERF_RECORD_MISC_EXACT_IP) != 0;
		tally.in_program += r.ip - 0x400000 < 0x2000;
		tally.period += r.period;
		tally.last_ip = r.ip;
	}
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(a_sample_is_taken_each_period_and_the_program_is_recorded)
{
	struct uncoremsr_sampling *s = begin((struct uncoremsr_sampling_options){
		.events = "cpu/event=0x3c/", .period = 1000 });

	ck_assert_int_eq(uncoremsr_sampling_wait(s, -1, 1000), 0);
	take_all(s);
	ck_assert_uint_eq(tally.samples, 1000);
	ck_assert_uint_eq(tally.period, 1000000);
	ck_assert_uint_eq(tally.kernel + tally.in_program, 1000);
	ck_assert(tally.kernel > 100 && tally.kernel < 200);
	ck_assert_uint_eq(tally.exact, 0);
	ck_assert(tally.comms == 1 && tally.maps == 1);
	uncoremsr_sampling_close(s);
}

TEST(a_frequency_adapts_the_period_and_a_rare_event_has_fewer_samples)
{
	struct uncoremsr_sampling *s = begin((struct uncoremsr_sampling_options){
		.events = "cpu/event=0x3c/u", .frequency = 100 });

	ck_assert_int_eq(uncoremsr_sampling_wait(s, -1, 1000), 0);
	take_all(s);
	ck_assert_uint_eq(tally.samples, 100);
	ck_assert_uint_eq(tally.kernel, 0);
	ck_assert(tally.period > 0 && tally.period <= 850000);
	uncoremsr_sampling_close(s);
}

TEST(too_many_samples_in_a_tick_are_throttled_until_the_next_one)
{
	/* 800 samples in each of 10 ticks of 4 ms; the limit of 100000 per second allows 400 per tick. */
	struct uncoremsr_sampling *s = begin((struct uncoremsr_sampling_options){
		.events = "cpu/event=0x3c/", .period = 5 });

	uncoremsr_sampling_wait(s, -1, 40);
	take_all(s);
	ck_assert_uint_eq(tally.samples, 4000);
	ck_assert_uint_eq(tally.throttled, 10);
	ck_assert_uint_eq(tally.unthrottled, 9);
	uncoremsr_sampling_close(s);
}

TEST(samples_lost_because_the_ring_is_full_are_counted)
{
	struct uncoremsr_sampling *s = begin((struct uncoremsr_sampling_options){
		.events = "cpu/event=0x3c/", .period = 100 });
	struct uncoremsr_record r;
	uint64_t before = 0;

	/* 30000 samples of at least 40 bytes do not fit into ring buffers of 512 KiB. */
	for (int i = 0; i < 150; i++)
		uncoremsr_sampling_wait(s, -1, 20);
	while (uncoremsr_sampling_next(s, 0, &r) == 1)
		before += r.type == UNCOREMSR_RECORD_SAMPLE;
	ck_assert(before > 8000 && before < 14000);
	uncoremsr_sampling_wait(s, -1, 20);
	take_all(s);
	ck_assert_uint_gt(tally.lost, 16000);
	ck_assert_uint_ge(before + tally.samples + tally.lost, 30200);
	uncoremsr_sampling_close(s);
}

TEST(precise_samples_have_the_exact_address_if_the_pmu_can)
{
	uint64_t late;
	struct uncoremsr_sampling *s = begin((struct uncoremsr_sampling_options){
		.events = "cpu/event=0x3c/u", .period = 100000 });

	uncoremsr_sampling_wait(s, -1, 200);
	take_all(s);
	late = tally.last_ip;
	uncoremsr_sampling_close(s);
	s = begin((struct uncoremsr_sampling_options){ .events = "cpu/event=0x3c/upp", .period = 100000 });
	uncoremsr_sampling_wait(s, -1, 200);
	take_all(s);
	ck_assert_uint_gt(tally.samples, 0);
	ck_assert_uint_eq(tally.exact, tally.samples);
	ck_assert_uint_lt(tally.last_ip, late);
	uncoremsr_sampling_close(s);
	ck_assert_int_eq(refusal((struct uncoremsr_sampling_options){
		.events = "cpu/event=0x3c/ppp", .period = 1000 }), -ENOTSUP);
	ck_assert_int_eq(refusal((struct uncoremsr_sampling_options){
		.events = "uncore_imc/cas_count_read/", .period = 1000 }), -ENOTSUP);
}

TEST(trace_imc_samples_at_its_own_rate_and_without_other_events)
{
	const char *event = "trace_imc/trace_cycles/";
	struct uncoremsr_sampling *s;

	teardown();
	open_machine("sim:power9-2s,clock=stepped");
	/*
	 * The trace_imc driver clears the buffer at each change of the period, so a frequency is refused. A request for
	 * a call chain crashes the driver, so call chains are refused, too.
	 */
	ck_assert_int_eq(refusal((struct uncoremsr_sampling_options){ .events = event, .frequency = 99 }), -EINVAL);
	ck_assert_int_eq(refusal((struct uncoremsr_sampling_options){
		.events = event, .flags = UNCOREMSR_SAMPLING_CALLCHAIN }), -EINVAL);
	ck_assert_int_eq(refusal((struct uncoremsr_sampling_options){
		.events = event, .flags = UNCOREMSR_SAMPLING_ADDRESS }), -EINVAL);
	ck_assert_int_eq(refusal((struct uncoremsr_sampling_options){
		.events = "trace_imc/trace_cycles/,cpu-clock" }), -EINVAL);
	s = begin((struct uncoremsr_sampling_options){ .events = event });
	uncoremsr_sampling_wait(s, -1, 1000);
	take_all(s);
	ck_assert_uint_eq(tally.samples, 500);
	ck_assert_uint_eq(tally.period, 500);
	uncoremsr_sampling_close(s);
}

SUITE(sim_samples)
