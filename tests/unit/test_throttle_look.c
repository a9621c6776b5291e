/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncoremsr_throttle_look() on simulated machines: the causes that it reports, what is unknown, and which registers it
 * does not access.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "access/access.h"
#include "suite.h"
#include "throttle_machine.h"

/* ---- episodes ---- */

#define CALM ",clock=stepped,throttle=none"
#define NOW "for=20:phase=100"

static const struct {
	const char *machine, *cause;
	int package, core; /* subject that must report the cause */
	bool told;         /* the processor can show the cause */
} episodes[] = {
	{ "westmere-2s", "core-thermal", 0, 0, true },
	{ "westmere-2s", "prochot-external", 0, 0, true },
	{ "westmere-2s", "critical-temperature", 1, 0, true },
	{ "westmere-2s", "clock-modulation", 0, 0, true },
	{ "westmere-2s", "smi", 0, -1, true },
	{ "westmere-2s", "dimm-thermal", 0, -1, false },
	{ "westmere-2s", "vr-thermal", 0, -1, false },
	{ "haswell-ep-2s", "core-thermal", 0, 0, true },
	{ "haswell-ep-2s", "package-thermal", 1, -1, true },
	{ "haswell-ep-2s", "prochot-external", 0, -1, true },
	{ "haswell-ep-2s", "prochot-external", 0, 0, true },
	{ "haswell-ep-2s", "power-limit", 0, -1, true },
	{ "haswell-ep-2s", "current-limit", 0, -1, true },
	{ "haswell-ep-2s", "vr-thermal", 0, -1, true },
	{ "haswell-ep-2s", "dimm-thermal", 0, -1, true },
	{ "haswell-ep-2s", "clock-modulation", 0, 0, true },
	{ "haswell-ep-2s", "smi", 1, -1, true },
	{ "haswell-ep-2s", "firmware", 0, 0, true },
	{ "haswell-ep-2s", "critical-temperature", 0, -1, true },
	{ "skylake-sp-2s", "core-thermal", 1, 0, true },
	{ "skylake-sp-2s", "package-thermal", 0, -1, true },
	{ "skylake-sp-2s", "prochot-external", 0, -1, true },
	{ "skylake-sp-2s", "power-limit", 0, -1, true },
	{ "skylake-sp-2s", "current-limit", 0, -1, true },
	{ "skylake-sp-2s", "vr-thermal", 0, -1, true },
	{ "skylake-sp-2s", "dimm-thermal", 0, -1, true },
	{ "icelake-sp-2s", "core-thermal", 0, 0, true },
	{ "icelake-sp-2s", "package-thermal", 0, -1, true },
	{ "icelake-sp-2s", "prochot-external", 0, -1, true },
	{ "icelake-sp-2s", "power-limit", 0, 0, true },
	{ "icelake-sp-2s", "current-limit", 0, -1, true },
	{ "icelake-sp-2s", "vr-thermal", 0, -1, true },
	{ "skylake-sp-2s", "cross-domain", 0, 0, true },
	{ "skylake-sp-2s", "current-limit", 0, 0, true },
	{ "skylake-sp-2s", "firmware", 1, 0, true },
	{ "icelake-sp-2s", "firmware", 0, 0, true },
	{ "icelake-sp-2s", "dimm-thermal", 0, -1, true },
	{ "zen-1s", "firmware", 0, 0, true },
	{ "zen-1s,hsmp=yes", "prochot-external", 0, -1, true },
};

FIXTURE(.teardown = close_machine)

/* The cause holds from 100 to 120 s. Readings are at 90 s (before), 105 and 110 s (during), 125 and 140 s (after). */
TEST_EACH(an_episode_is_reported_with_its_cause_and_no_other, (sizeof(episodes) / sizeof(episodes[0])))
{
	const char *machine = episodes[_i].machine, *cause = episodes[_i].cause;
	int package = episodes[_i].package, core = episodes[_i].core;
	const struct uncoremsr_cause *c;
	char what[128];

	snprintf(what, sizeof(what), "%s" CALM ",throttle=%s:" NOW, machine, cause);
	open_machine(what);
	pass_and_look(90);
	ck_assert_msg(!strcmp(causes_now(), ""), "%s: before: %s", what, causes_now());
	pass_and_look(15);
	pass_and_look(5);
	if (episodes[_i].told) {
		ck_assert_msg(!strcmp(causes_now(), cause), "%s: now: '%s'", what, causes_now());
		ck_assert_msg(!strcmp(verdict(package, core), "throttled"), "%s: %s", what, verdict(package, core));
		c = find_cause(subject(package, core), cause);
		ck_assert_msg(c && c->decides, "%s", what);
	} else {
		ck_assert_ptr_null(find_cause(subject(package, core), cause));
	}
	pass_and_look(15);
	pass_and_look(15);
	ck_assert_msg(!strcmp(causes_now(), ""), "%s: after: %s", what, causes_now());
}

static const char *const machines[] = {
	"westmere-2s" CALM, "haswell-ep-2s" CALM, "skylake-sp-2s" CALM, "icelake-sp-2s" CALM,
	"zen-1s" CALM, "nehalem-1s" CALM,
};

TEST_EACH(a_calm_machine_is_ok_for_an_hour, (sizeof(machines) / sizeof(machines[0])))
{
	open_machine(machines[_i]);
	uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_COUNTING, 1);
	for (int i = 0; i < 360; i++) {
		const struct uncoremsr_subject *s;

		look();
		for (size_t k = 0; (s = uncoremsr_throttle_subject(t, k)); k++) {
			ck_assert_msg(s->verdict ==
				      UNCOREMSR_VERDICT_OK, "%s: subject %zu at look %d",
				      machines[_i], k, i);
			ck_assert_str_eq(causes_now(), "");
		}
		pass(10);
	}
}

/* Every five minutes another cause holds. Each must be reported while it holds, and no other cause. */
TEST(the_scripted_hour_is_reported_as_scripted)
{
	static const char *const hour[] = {
		"", "core-thermal", "package-thermal", "prochot-external", "power-limit",
		"current-limit", "vr-thermal", "dimm-thermal", "clock-modulation", "smi", "firmware",
		"critical-temperature",
	};

	open_machine("throttled-hour,clock=stepped");
	for (unsigned i = 0; i < 360; i++) {
		const char *expected = hour[i / 30];

		look();
		ck_assert_msg(!*causes_now() || !strcmp(causes_now(), expected), "%u s: %s, not %s",
			      10 * i, causes_now(), expected);
		if (i % 30 == 2)
			ck_assert_msg(!strcmp(causes_now(), expected), "%u s: '%s', not %s", 10 * i,
				      causes_now(), expected);
		if (i % 30 >= 15)
			ck_assert_str_eq(causes_now(), "");
		pass(10);
	}
}

/* Contents of IA32_MPERF and IA32_APERF on every CPU, as if firmware or a debugger had written them. */
static uint64_t clocks[2];
static const struct um_access_ops *real_ops;

static int read_clocks(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int err = real_ops->read(a, cpu, msr, value);

	if (msr == 0xe7 || msr == 0xe8)
		*value = clocks[msr - 0xe7];
	return err;
}

static void batch_read_clocks(struct um_access *a, struct um_op *ops, size_t n)
{
	real_ops->batch_read(a, ops, n);
	for (size_t i = 0; i < n; i++)
		if (ops[i].msr == 0xe7 || ops[i].msr == 0xe8)
			ops[i].value = clocks[ops[i].msr - 0xe7];
}

TEST(a_clock_that_no_processor_has_is_unknown)
{
	static const uint64_t jumps[] = { 1000, 1 << 30, UINT64_C(1) << 40, UINT64_MAX - 1 };
	struct um_access_ops ops;

	open_machine("skylake-sp-2s,clock=stepped,throttle=none");
	real_ops = access_of(um)->ops;
	ops = *real_ops;
	ops.read = read_clocks;
	ops.batch_read = batch_read_clocks;
	access_of(um)->ops = &ops;
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		clocks[0] = clocks[1] = 0;
		look();
		clocks[0] = clocks[1] = 1;
		pass_and_look(1);
		ck_assert_uint_gt(subject(0, 0)->frequency, 0);
		clocks[0] = 2;
		clocks[1] = jumps[i];
		pass_and_look(1);
		ck_assert_uint_eq(subject(0, 0)->frequency, UINT64_MAX);
	}
	access_of(um)->ops = real_ops;
}

SUITE(throttle_look)
