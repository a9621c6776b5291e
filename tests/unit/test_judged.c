/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From readings to causes, without a machine: one package with one core, whose registers and files
 * were read as a test says. Where the fields are, and their units: Intel SDM volume 4; AMD's
 * programmer's manual volume 2, 17.1.1 (P-states).
 */
#include <check.h>

#include "suites.h"
#include "throttle/throttle.h"

static struct um_thermal_model model;
static struct um_thermal_reg rows[UM_NUM_ROLES];
static struct uncoremsr_subject who[2], *const package = &who[0], *const core = &who[1];
static struct uncoremsr_throttle watcher;
static struct uncoremsr *um;
static bool inherits;          /* the package has no status of its own */

static void make_handle(void)
{
	inherits = false;
	ck_assert_int_eq(uncoremsr_new(&um), 0);
}

static void free_handle(void)
{
	uncoremsr_free(um);
}

/* Between two looks a second has passed. */
static void begin(unsigned has)
{
	model = (struct um_thermal_model){ .has = has };
	watcher = (struct uncoremsr_throttle){
		.um = um, .model = &model, .subjects = who, .num_subjects = 2, .interval_ns = 1000000000,
	};
	*package = (struct uncoremsr_subject){
		.core = -1, .num = 1, .watcher = &watcher, .inherits = inherits,
	};
	*core = (struct uncoremsr_subject){ .of = package, .watcher = &watcher };
	for (int role = 0; role < UM_NUM_ROLES; role++)
		rows[role] = (struct um_thermal_reg){ .role = (enum um_thermal_role)role };
}

static void read_as(struct uncoremsr_subject *s, enum um_thermal_role role, uint64_t before,
		    uint64_t value)
{
	s->regs[role] = (struct um_reading){
		.row = &rows[role], .value = value, .before = before, .known = true, .had = true,
	};
}

static void file_as(enum um_file_role role, uint64_t before, uint64_t value)
{
	core->files[role] = (struct um_number_file){
		.value = value, .before = before, .known = true, .had = true,
	};
}

static const struct uncoremsr_cause *cause_of(const struct uncoremsr_subject *s, enum um_cause cause)
{
	for (size_t i = 0; i < s->num_causes; i++)
		if (s->causes[i].cause == cause)
			return &s->causes[i];
	return NULL;
}

/* A number of the piece of evidence that tells @finding; -1: there is none. */
static int64_t found(const struct uncoremsr_subject *s, enum uncoremsr_finding finding,
		     enum uncoremsr_evidence_property property)
{
	for (size_t i = 0; i < s->num_evidence; i++)
		if (s->evidence[i].number[UNCOREMSR_EVIDENCE_FINDING] == (uint64_t)finding)
			return (int64_t)s->evidence[i].number[property];
	return -1;
}

static int64_t amount(const struct uncoremsr_subject *s, enum uncoremsr_finding finding)
{
	return found(s, finding, UNCOREMSR_EVIDENCE_AMOUNT);
}

static int64_t of(const struct uncoremsr_subject *s, enum uncoremsr_finding finding)
{
	return found(s, finding, UNCOREMSR_EVIDENCE_OF);
}

/* ---- fields, bit by bit ---- */

/* 0x771 bits 15:8; what is around them is another level. */
START_TEST(a_guaranteed_level_that_sinks_is_seen_in_each_of_its_bits)
{
	for (unsigned bit = 0; bit < 8; bit++) {
		unsigned now = bit ? 0xffu & ~(1u << bit) : 0xfe;

		begin(0);
		core->guaranteed = 0xff;
		read_as(core, UM_ROLE_HWP_CAPABILITIES, 0, 0x01020055u | now << 8);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_GUARANTEED), now);
		ck_assert_int_eq(of(core, UNCOREMSR_FINDING_GUARANTEED), 0xff);
		ck_assert_int_eq(core->verdict, UNCOREMSR_VERDICT_THROTTLED);
	}
	begin(0);
	read_as(core, UM_ROLE_HWP_CAPABILITIES, 0, 0xffff18ff);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->guaranteed, 0x18);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
	begin(0);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->guaranteed, 0);
}
END_TEST

/* 0x777: that it changed is bit 0; the others are excursions and the highest level. */
START_TEST(that_the_guaranteed_level_changed_is_a_memory_of_its_bit)
{
	const struct uncoremsr_cause *c;

	begin(0);
	read_as(core, UM_ROLE_HWP_STATUS, 0, 0xd);
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_FIRMWARE);
	ck_assert(c && c->logged && c->log_bit && !c->holds);
	ck_assert_int_eq(found(core, UNCOREMSR_FINDING_BITS, UNCOREMSR_EVIDENCE_MASK), 1);
	ck_assert_int_eq(found(core, UNCOREMSR_FINDING_BITS, UNCOREMSR_EVIDENCE_VALUE), 0xd);
	begin(0);
	read_as(core, UM_ROLE_HWP_STATUS, 0, 0xc);
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
}
END_TEST

/* 0xc0010061: the fastest P-state allowed in bits 3:0, the slowest there is in bits 7:4. */
START_TEST(a_limit_of_pstates_holds_the_core_down)
{
	for (unsigned fastest = 0; fastest < 16; fastest++) {
		begin(UM_HAS_AMD);
		read_as(core, UM_ROLE_PSTATE_LIMIT, 0, 0xf50u | fastest);
		um_judge_all(&watcher);
		ck_assert_int_eq(core->verdict, fastest ? UNCOREMSR_VERDICT_THROTTLED
							: UNCOREMSR_VERDICT_OK);
		ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_PSTATE), fastest ? (int)fastest : -1);
		ck_assert_int_eq(of(core, UNCOREMSR_FINDING_PSTATE), fastest ? 5 : -1);
	}
	begin(UM_HAS_AMD);
	read_as(core, UM_ROLE_PSTATE_LIMIT, 0, 0xf1);
	um_judge_all(&watcher);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_PSTATE), 15);
}
END_TEST

/* 0x1a2 bits 23:16, in degrees; a real target is one of 50 to 130. */
START_TEST(every_target_that_can_be_is_a_temperature)
{
	for (int degrees = 0; degrees < 256; degrees++)
		ck_assert_int_eq(um_thermal_target(0x3f00ff00u | (uint64_t)degrees << 16),
				 degrees >= 50 && degrees <= 130 ? degrees : 0);
}
END_TEST

/* 0x19a bits 3:1 in eighths, with CPUID leaf 6 EAX bit 5 bits 3:0 in sixteenths. */
START_TEST(a_modulated_clock_has_the_share_of_its_field)
{
	for (unsigned field = 1; field < 16; field++) {
		begin(0);
		core->gates = UM_GATE_ECMD;
		read_as(core, UM_ROLE_CLOCK_MODULATION, 0, 0x10u | field);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_DUTY), (int64_t)(field * 1000000 / 16));
		ck_assert_int_eq(core->verdict, UNCOREMSR_VERDICT_THROTTLED);
		ck_assert_double_eq_tol(cause_of(core, UM_CAUSE_CLOCK_MODULATION)->share,
					1 - field / 16., 1e-9);
	}
	for (unsigned field = 1; field < 8; field++)
		ck_assert_double_eq_tol(um_thermal_duty(0x11u | field << 1, 0), field / 8., 1e-9);
}
END_TEST

/* 0x606 bits 19:16: time in 1/2^N s. */
START_TEST(lost_time_is_in_the_unit_that_the_processor_tells)
{
	for (unsigned n = 0; n < 16; n++) {
		unsigned unit = n ? n : 10;

		begin(0);
		read_as(package, UM_ROLE_UNITS, 0, 0xf0ef03u | n << 16);
		read_as(package, UM_ROLE_PACKAGE_PERF, 0xffffffff, 0x200000001);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_LOST_TIME),
				 (int64_t)(2e9 / (1u << unit)));
		ck_assert_double_eq_tol(cause_of(package, UM_CAUSE_POWER)->share,
					2. / (1u << unit) < 1 ? 2. / (1u << unit) : 1, 1e-9);
	}
}
END_TEST

/* Less than one per cent of the time is a power limit at work, and no verdict. */
START_TEST(a_power_limit_matters_from_one_per_cent_of_the_time)
{
	static const struct { uint64_t ms; bool matters; } losses[] = {
		{ 9, false }, { 10, true }, { 11, true }, { 1000, true }, { 3000, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		begin(0);
		/* 1/2^10 s; the interval fits it. */
		watcher.interval_ns = 976562500;
		read_as(package, UM_ROLE_UNITS, 0, 10 << 16);
		read_as(package, UM_ROLE_PACKAGE_PERF, 5, 5 + losses[i].ms);
		um_judge_all(&watcher);
		ck_assert_int_eq(cause_of(package, UM_CAUSE_POWER)->decides, losses[i].matters);
		ck_assert(cause_of(package, UM_CAUSE_POWER)->happened);
		ck_assert_double_le(cause_of(package, UM_CAUSE_POWER)->share, 1);
	}
	/* The time of memory that is held back always does. */
	begin(0);
	read_as(package, UM_ROLE_UNITS, 0, 10 << 16);
	read_as(package, UM_ROLE_DRAM_PERF, 5, 6);
	um_judge_all(&watcher);
	ck_assert(cause_of(package, UM_CAUSE_DIMM)->decides);
}
END_TEST

/* 0x610: PL1 in bits 14:0, PL2 in 46:32, in 1/2^N W by 0x606 bits 3:0; bits 15 and 47 enable. */
START_TEST(limits_of_power_are_in_the_unit_that_the_processor_tells)
{
	for (unsigned n = 0; n < 16; n++) {
		begin(0);
		read_as(package, UM_ROLE_UNITS, 0, 0xa00f0u | n);
		read_as(package, UM_ROLE_PACKAGE_PERF, 0, 1000);
		read_as(package, UM_ROLE_PACKAGE_LIMIT, 0, UINT64_C(0xffff90000fffa800));
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_POWER_LIMITS),
				 (int64_t)(0x2800 * 1e6 / (1u << n)));
		ck_assert_int_eq(of(package, UNCOREMSR_FINDING_POWER_LIMITS),
				 (int64_t)(0x1000 * 1e6 / (1u << n)));
		ck_assert_int_eq(found(package, UNCOREMSR_FINDING_POWER_LIMITS,
				       UNCOREMSR_EVIDENCE_MASK),
				 (int64_t)(UINT64_C(1) << 15 | UINT64_C(1) << 47));
	}
	/* Each bit of the limit, in watts, and none beside them. */
	for (unsigned bit = 0; bit < 15; bit++) {
		begin(0);
		read_as(package, UM_ROLE_UNITS, 0, 0xa0000);
		read_as(package, UM_ROLE_PACKAGE_PERF, 0, 1000);
		read_as(package, UM_ROLE_PACKAGE_LIMIT, 0, UINT64_C(0xffff0000) | 0x8000 | 1u << bit);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_POWER_LIMITS), (int64_t)1000000 << bit);
	}
}
END_TEST

START_TEST(a_few_interrupts_of_firmware_are_normal)
{
	for (unsigned count = 1; count < 8; count++) {
		begin(0);
		read_as(package, UM_ROLE_SMI, 0xfffffffe, 0xfffffffe + count);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_INTERRUPTS), count);
		ck_assert_int_eq(cause_of(package, UM_CAUSE_SMI)->decides, count >= 5);
		/* That is five each second. */
		watcher.interval_ns = 2000000000;
		um_judge_all(&watcher);
		ck_assert(!cause_of(package, UM_CAUSE_SMI)->decides);
	}
}
END_TEST

/* ---- status bits ---- */

/* A state and its memory; a memory alone; what is no cause; what this processor has not. */
static const struct um_limit_bit bits[] = {
	{ .now = 1, .log = 2, .cause = UM_CAUSE_CRITICAL, .decides = true },
	{ .now = 3, .log = 4, .cause = UM_CAUSE_POWER, .detail = "PL1" },
	{ .now = 5, .log = 6, .cause = UM_CAUSE_POWER, .detail = "PL2" },
	{ .now = UM_NO_BIT, .log = 7, .cause = UM_CAUSE_CURRENT },
	{ .now = 0, .log = 8, .cause = UM_CAUSE_OTHER, .detail = "BUDGET" },
	{ .now = 9, .log = 10, .cause = UM_NUM_CAUSES, .detail = "TURBO" },
	{ .now = 11, .log = 12, .cause = UM_CAUSE_PROCHOT, .gates = UM_GATE_FORCEPR, .detail = "OUTSIDE" },
};

/* What the bits say of @cause, counted by hand from those above: is there anything? */
static bool told_by(enum um_cause cause, unsigned v, unsigned before, struct uncoremsr_cause *c,
		    uint64_t *mask, const char **detail)
{
	static const struct { enum um_cause cause; unsigned now, log; const char *detail; } all[] = {
		{ UM_CAUSE_CRITICAL, 0x2, 0x4, "" }, { UM_CAUSE_POWER, 0x28, 0x50, NULL },
		{ UM_CAUSE_CURRENT, 0, 0x80, "" }, { UM_CAUSE_OTHER, 0x1, 0x100, "BUDGET" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i].cause != cause)
			continue;
		*mask = v & (all[i].now | all[i].log);
		*c = (struct uncoremsr_cause){
			.holds = v & all[i].now, .logged = v & all[i].log,
			.happened = v & ~before & all[i].log,
		};
		c->decides = c->holds || c->happened || (cause == UM_CAUSE_CRITICAL && c->logged);
		*detail = all[i].detail ? all[i].detail
			  : !(v & 0x60) ? "PL1" : !(v & 0x18) ? "PL2" : "PL1, PL2";
		return *mask != 0;
	}
	return false;
}

static void expect_bits(unsigned v, unsigned before)
{
	for (int cause = 0; cause < UM_NUM_CAUSES; cause++) {
		const struct uncoremsr_cause *c = cause_of(core, (enum um_cause)cause);
		const struct um_evidence *e = NULL;
		struct uncoremsr_cause told;
		const char *detail;
		uint64_t mask;

		for (size_t i = 0; i < core->num_evidence; i++)
			if ((int)core->evidence[i].cause == cause)
				e = &core->evidence[i];
		if (!told_by((enum um_cause)cause, v, before, &told, &mask, &detail)) {
			ck_assert_msg(!c && !e, "cause %d of %#x", cause, v);
			continue;
		}
		ck_assert_msg(c && e, "cause %d of %#x", cause, v);
		ck_assert_msg(c->holds == told.holds && c->happened == told.happened &&
			      c->logged == told.logged && c->log_bit == told.logged &&
			      c->decides == told.decides, "cause %d of %#x after %#x", cause, v, before);
		ck_assert_uint_eq(e->number[UNCOREMSR_EVIDENCE_MASK], mask);
		ck_assert_str_eq(e->detail, detail);
	}
	ck_assert_uint_eq(core->could_show, 1u << UM_CAUSE_CRITICAL | 1u << UM_CAUSE_POWER |
					    1u << UM_CAUSE_CURRENT | 1u << UM_CAUSE_OTHER);
}

START_TEST(each_bit_of_a_status_speaks_for_its_cause_alone)
{
	static const unsigned befores[] = { 0, 0x1fff, 0x1555, 0xaaa };

	for (unsigned v = 0; v < 0x2000; v++)
		for (size_t i = 0; i < ARRAY_SIZE(befores); i++) {
			begin(0);
			rows[UM_ROLE_LIMITS].bits = bits;
			rows[UM_ROLE_LIMITS].num_bits = ARRAY_SIZE(bits);
			read_as(core, UM_ROLE_LIMITS, befores[i], v);
			um_judge_all(&watcher);
			expect_bits(v, befores[i]);
			if (i)
				continue;
			/* At the first look nothing is new. */
			core->regs[UM_ROLE_LIMITS].had = false;
			um_judge_all(&watcher);
			expect_bits(v, v);
		}
}
END_TEST

/* 0x19c bits 22:16: degrees below the target of 0x1a2; bit 31 says that they are valid. */
START_TEST(the_temperature_is_the_target_less_what_the_sensor_is_below_it)
{
	for (int below = 0; below < 128; below++) {
		begin(0);
		core->gates = UM_GATE_DTS;
		rows[UM_ROLE_CORE_STATUS].bits = bits;
		rows[UM_ROLE_CORE_STATUS].num_bits = 1;
		read_as(core, UM_ROLE_CORE_STATUS, 0, 0xff80ff00u | (unsigned)below << 16);
		read_as(package, UM_ROLE_TARGET, 0, 100 << 16);
		um_judge_all(&watcher);
		ck_assert_int_eq(core->below, below);
		ck_assert_int_eq(core->celsius, 100 - below);
		file_as(UM_FILE_TEMPERATURE, 0, 42000); /* the kernel's, where the sensor does not tell */
		um_judge_all(&watcher);
		ck_assert_int_eq(core->celsius, below <= 100 ? 100 - below : 42);
		core->files[UM_FILE_TEMPERATURE].known = false;
		package->regs[UM_ROLE_TARGET].known = false;
		um_judge_all(&watcher);
		ck_assert_int_eq(core->below, below);
		ck_assert_int_eq(core->celsius, -1);
		package->regs[UM_ROLE_TARGET].known = true;
		core->regs[UM_ROLE_CORE_STATUS].value &= 0x7fffffff;
		um_judge_all(&watcher);
		ck_assert_int_eq(core->below, -1);
		ck_assert_int_eq(core->celsius, -1);
	}
}
END_TEST

/* ---- what could have been shown ---- */

static const struct { int role, file; unsigned causes; bool tells; } sources[] = {
	{ UM_ROLE_CLOCK_MODULATION, -1, 1u << UM_CAUSE_CLOCK_MODULATION, false },
	{ UM_ROLE_HWP_CAPABILITIES, -1, 1u << UM_CAUSE_FIRMWARE, false },
	{ UM_ROLE_HWP_STATUS, -1, 0, false },
	{ UM_ROLE_PSTATE_LIMIT, -1, 1u << UM_CAUSE_FIRMWARE, true },
	{ UM_ROLE_PACKAGE_PERF, -1, 1u << UM_CAUSE_POWER, true },
	{ UM_ROLE_CORES_PERF, -1, 1u << UM_CAUSE_POWER, true },
	{ UM_ROLE_DRAM_PERF, -1, 1u << UM_CAUSE_DIMM, true },
	{ UM_ROLE_SMI, -1, 1u << UM_CAUSE_SMI, false },
	{ UM_ROLE_TARGET, -1, 0, false },
	{ UM_ROLE_UNITS, -1, 0, false },
	{ -1, UM_FILE_CORE_COUNT, 1u << UM_CAUSE_CORE_THERMAL, true },
	{ -1, UM_FILE_CORE_TIME, 0, false },
	{ -1, UM_FILE_PACKAGE_COUNT, 1u << UM_CAUSE_PACKAGE_THERMAL, true },
	{ -1, UM_FILE_HSMP_PROCHOT, 1u << UM_CAUSE_PROCHOT, true },
	{ -1, UM_FILE_CRIT_ALARM, 0, false },
};

static void read_source(size_t i)
{
	if (sources[i].file >= 0)
		file_as((enum um_file_role)sources[i].file, 0, 0);
	else
		read_as(core, (enum um_thermal_role)sources[i].role, 0, 0);
}

START_TEST(what_was_read_could_have_shown_its_causes_and_no_others)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		for (size_t k = 0; k < ARRAY_SIZE(sources); k++) {
			begin(0);
			read_source(i);
			read_source(k);
			um_judge_all(&watcher);
			ck_assert_msg(core->could_show == (sources[i].causes | sources[k].causes),
				      "%zu and %zu: %#x", i, k, core->could_show);
			ck_assert_uint_eq(core->num_causes, 0);
			ck_assert_int_eq(core->verdict, sources[i].tells || sources[k].tells
							? UNCOREMSR_VERDICT_OK : UNCOREMSR_VERDICT_UNKNOWN);
			ck_assert_int_eq(core->celsius, -1);
			ck_assert_int_eq(core->below, -1);
		}
}
END_TEST

/* What grows tells of an interval, which the first look has not. */
START_TEST(one_look_alone_shows_nothing_of_what_grows)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		bool grows = sources[i].role == UM_ROLE_PACKAGE_PERF || sources[i].role == UM_ROLE_CORES_PERF ||
			     sources[i].role == UM_ROLE_DRAM_PERF || sources[i].role == UM_ROLE_SMI;

		begin(0);
		read_source(i);
		for (int r = 0; r < UM_NUM_ROLES; r++)
			core->regs[r].had = false;
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->could_show, grows ? 0 : sources[i].causes);
		ck_assert_int_eq(core->verdict, sources[i].tells && !grows ? UNCOREMSR_VERDICT_OK
									    : UNCOREMSR_VERDICT_UNKNOWN);
	}
}
END_TEST

/* ---- the clock ---- */

/* 0xce bits 15:8: steps of 133.33 MHz on Nehalem and Westmere, of 100 MHz after them. */
START_TEST(the_base_clock_is_in_steps_of_its_generation)
{
	static const struct { unsigned has; uint64_t base; } steps[] = {
		{ UM_HAS_NEHALEM, 2666666666 }, { 0, 2000000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		begin(steps[i].has);
		read_as(package, UM_ROLE_PLATFORM_INFO, 0, 0xff0014ff);
		read_as(core, UM_ROLE_MPERF, 1000, 2000);
		read_as(core, UM_ROLE_APERF, 1000, 1500);
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->hz, steps[i].base / 2);
		/* Both are 0 again after the CPU was offline. */
		read_as(core, UM_ROLE_APERF, 1000, 10);
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->hz, 0);
	}
	begin(0);
	watcher.base_hz = 3e9; /* the name of the processor is more exact */
	read_as(package, UM_ROLE_PLATFORM_INFO, 0, 0x1400);
	read_as(core, UM_ROLE_MPERF, 0, 1000);
	read_as(core, UM_ROLE_APERF, 0, 1000);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->hz, 3000000000);
}
END_TEST

/*
 * A core at @percent of its base clock of 2 GHz, busy all the time unless @busy says less; ordered
 * to ratio 20 at the last look and @wanted now, running at ratio @before then and @now.
 */
static const struct uncoremsr_cause *run(unsigned percent, double busy, unsigned wanted,
					 unsigned before, unsigned now)
{
	begin(0);
	read_as(package, UM_ROLE_PLATFORM_INFO, 0, 20 << 8);
	read_as(core, UM_ROLE_MPERF, 0, (uint64_t)(2e9 * busy));
	read_as(core, UM_ROLE_APERF, 0, (uint64_t)(2e9 * busy * percent / 100));
	read_as(core, UM_ROLE_PERF_CTL, 20 << 8, wanted << 8);
	read_as(core, UM_ROLE_PERF_STATUS, before << 8, now << 8);
	um_judge_all(&watcher);
	return cause_of(core, UM_CAUSE_FIRMWARE);
}

START_TEST(a_busy_core_that_is_slower_than_ordered_is_held_back_by_firmware)
{
	const struct uncoremsr_cause *c = run(60, 1, 20, 12, 12);

	ck_assert(c && c->decides && c->holds && c->happened);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_FREQUENCY), 1200000000);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_FREQUENCY), 2000000000);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_RATIO), 12);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_RATIO), 20);
	c = run(60, 1, 20, 12, 20);
	ck_assert(c && c->decides && !c->holds && c->happened);
	/* At the edges: 95 % of what was ordered, busy for a tenth of the time. */
	ck_assert_ptr_null(run(95, 1, 20, 12, 12));
	ck_assert_ptr_nonnull(run(94, 1, 20, 12, 12));
	ck_assert_ptr_null(run(60, 0.09, 20, 12, 12));
	ck_assert_ptr_nonnull(run(60, 0.1, 20, 12, 12));
	/* The order has just changed; it runs as ordered; turbo that is not reached is no loss. */
	ck_assert_ptr_null(run(60, 1, 21, 12, 12));
	ck_assert_ptr_null(run(60, 1, 20, 20, 20));
	ck_assert_ptr_null(run(100, 1, 30, 20, 20));
	/* Without one of the readings at the last look nothing is known of the time between. */
	for (int role = 0; role < UM_NUM_ROLES; role++) {
		if (!core->regs[role].known)
			continue;
		for (int had = 0; had < 2; had++) {
			run(60, 1, 20, 12, 12);
			core->explained = false;
			core->regs[role].known = had;
			core->regs[role].had = !had;
			um_judge_all(&watcher);
			ck_assert_msg(!cause_of(core, UM_CAUSE_FIRMWARE), "role %d", role);
		}
	}
}
END_TEST

/* 0x198 and 0x199: the ratio in bits 15:8; on Nehalem and Westmere in bits 7:0. */
START_TEST(a_ratio_is_read_in_each_of_its_bits)
{
	for (unsigned bit = 0; bit < 8; bit++)
		for (int nehalem = 0; nehalem < 2; nehalem++) {
			unsigned now = 1u << bit;

			begin(nehalem ? UM_HAS_NEHALEM : 0);
			read_as(package, UM_ROLE_PLATFORM_INFO, 0, 255 << 8);
			watcher.base_hz = 2e9;
			read_as(core, UM_ROLE_MPERF, 0, 2000000000);
			read_as(core, UM_ROLE_APERF, 0, 1000000000);
			read_as(core, UM_ROLE_PERF_CTL, nehalem ? 0xff : 0xff00, nehalem ? 0xff : 0xff00);
			read_as(core, UM_ROLE_PERF_STATUS, 0, nehalem ? 0xff00 | now : 0xff00ff | now << 8);
			um_judge_all(&watcher);
			ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_RATIO), now);
			ck_assert_int_eq(of(core, UNCOREMSR_FINDING_RATIO), 255);
		}
}
END_TEST

/* 0xce bits 15:8: below that ratio, not only below what was ordered, it is slow. */
START_TEST(the_base_ratio_is_read_in_each_of_its_bits)
{
	for (unsigned base = 2; base < 256; base++)
		for (unsigned below = 0; below < 2; below++) {
			unsigned now = base - below;

			begin(0);
			watcher.base_hz = 2e9;
			read_as(package, UM_ROLE_PLATFORM_INFO, 0, 0xff00ff | base << 8);
			read_as(core, UM_ROLE_MPERF, 0, 2000000000);
			read_as(core, UM_ROLE_APERF, 0, 1000000000);
			read_as(core, UM_ROLE_PERF_CTL, 255 << 8, 255 << 8);
			read_as(core, UM_ROLE_PERF_STATUS, now << 8, now << 8);
			um_judge_all(&watcher);
			ck_assert_msg(!cause_of(core, UM_CAUSE_FIRMWARE) == !below, "%u of %u", now, base);
		}
}
END_TEST

/* Without a base clock no speed is known, and nothing would show that it is too low. */
START_TEST(without_a_base_clock_a_slow_one_could_not_be_shown)
{
	run(60, 1, 20, 20, 20);
	ck_assert_uint_ne(core->could_show & 1u << UM_CAUSE_FIRMWARE, 0);
	for (int role = 0; role < UM_NUM_ROLES; role++) {
		if (!core->regs[role].known)
			continue;
		core->regs[role].had = false;
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->could_show & 1u << UM_CAUSE_FIRMWARE, 0);
		core->regs[role].had = true;
	}
	package->regs[UM_ROLE_PLATFORM_INFO].known = false;
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->hz, 0);
	ck_assert_uint_eq(core->could_show & 1u << UM_CAUSE_FIRMWARE, 0);
	/* Nor is it, where the name of the processor tells the clock, known from which ratio on. */
	run(60, 1, 20, 12, 12);
	watcher.base_hz = 2e9;
	core->explained = package->regs[UM_ROLE_PLATFORM_INFO].known = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
}
END_TEST

/* 80 GHz may be; 150 GHz is no clock: one of both counts was written meanwhile. */
START_TEST(a_clock_beyond_any_is_unknown)
{
	run(4000, 1, 20, 20, 20);
	ck_assert_uint_eq(core->hz, UINT64_C(80000000000));
	run(7500, 1, 20, 20, 20);
	ck_assert_uint_eq(core->hz, 0);
}
END_TEST

/*
 * AMD at half of its base clock, busy all the time, with P-state @before asked for at the last look and
 * @now: a P-state but 0, or an order that is not known, explains it.
 */
static const struct uncoremsr_cause *ordered(unsigned before, unsigned now)
{
	begin(UM_HAS_AMD);
	watcher.base_hz = 2e9;
	read_as(core, UM_ROLE_MPERF, 0, 2000000000);
	read_as(core, UM_ROLE_APERF, 0, 1000000000);
	read_as(core, UM_ROLE_PSTATE_ASKED, before, now);
	um_judge_all(&watcher);
	return cause_of(core, UM_CAUSE_FIRMWARE);
}

/* At the edges: busy for nine tenths of the time, at 95 % of the base clock. */
START_TEST(amd_is_slow_below_the_edge_only)
{
	static const struct { uint64_t mperf, aperf; bool slow; } edges[] = {
		{ 2000000000, 1900000000, false }, { 2000000000, 1899999000, true },
		{ 1800000000, 900000000, true }, { 1799999000, 900000000, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(edges); i++) {
		ordered(0, 0);
		read_as(core, UM_ROLE_MPERF, 0, edges[i].mperf);
		read_as(core, UM_ROLE_APERF, 0, edges[i].aperf);
		core->explained = false;
		um_judge_all(&watcher);
		ck_assert_msg(!cause_of(core, UM_CAUSE_FIRMWARE) == !edges[i].slow, "%zu", i);
	}
}
END_TEST

START_TEST(only_where_pstate_0_was_asked_for_all_the_time_amd_is_slow)
{
	ck_assert_ptr_nonnull(ordered(0, 0));
	ck_assert_ptr_null(ordered(0, 1));
	ck_assert_ptr_null(ordered(2, 0));
	ck_assert_ptr_null(ordered(4, 4));
	/* Other bits than 2:0 are none of it. */
	ck_assert_ptr_nonnull(ordered(8, 8));
	ordered(0, 0);
	core->regs[UM_ROLE_PSTATE_ASKED].had = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
	core->regs[UM_ROLE_PSTATE_ASKED].had = true;
	core->regs[UM_ROLE_PSTATE_ASKED].known = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
}
END_TEST

/* AMD, P-state 0 of 2 GHz: is it unknown whether the clock is held down? */
static bool riddle(uint64_t mperf, uint64_t mperf_now, uint64_t aperf, uint64_t aperf_now)
{
	begin(UM_HAS_AMD);
	model.family = 0x17;
	read_as(core, UM_ROLE_PSTATE_0, 0, UINT64_C(1) << 63 | 8 << 8 | 80);
	read_as(core, UM_ROLE_PSTATE_ASKED, 0, 0);
	read_as(core, UM_ROLE_MPERF, mperf, mperf_now);
	read_as(core, UM_ROLE_APERF, aperf, aperf_now);
	um_judge_all(&watcher);
	for (size_t i = 0; i < core->num_questions; i++)
		if (core->questions[i].number[UNCOREMSR_QUESTION_CAUSE] == UM_CAUSE_FIRMWARE)
			return true;
	return false;
}

/* A core that slept all the time is well; clocks of which one alone moves, or none ever did, are broken. */
START_TEST(a_core_that_sleeps_is_no_open_question)
{
	ck_assert(!riddle(1000, 1000, 900, 900));
	ck_assert(!riddle(1000, 2000, 900, 1900));
	ck_assert(riddle(1000, 2000, 900, 900));
	ck_assert(riddle(1000, 1000, 900, 1900));
	ck_assert(riddle(0, 0, 0, 0));
	/* Both begin again after the CPU was offline. */
	ck_assert(!riddle(1000, 10, 900, 9));
	/* On families whose P-state 0 may be a boosted one nothing is judged by it. */
	model.family = 0x15;
	core->regs[UM_ROLE_MPERF].known = false;
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->hz, 0);
	for (size_t i = 0; i < core->num_questions; i++)
		ck_assert_uint_ne(core->questions[i].number[UNCOREMSR_QUESTION_CAUSE], UM_CAUSE_FIRMWARE);
}
END_TEST

/* The package's cause, which it has from its core. */
static const struct uncoremsr_cause *inherited(enum um_cause cause)
{
	const struct uncoremsr_cause *c = cause_of(package, cause), *from = cause_of(core, cause);

	ck_assert(c && from);
	ck_assert_uint_eq(c->cores, 1);
	ck_assert_int_eq(package->verdict, core->verdict);
	ck_assert_uint_eq(package->num_evidence, 1);
	ck_assert_uint_eq(package->evidence[0].number[UNCOREMSR_EVIDENCE_CORE], 3);
	return c;
}

/* Nehalem and Westmere: a package is what its cores are, no more and no less. */
START_TEST(a_package_without_a_status_could_show_what_each_of_its_cores_could)
{
	inherits = true;
	begin(0);
	core->core = 3;
	file_as(UM_FILE_CORE_COUNT, 7, 7);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->could_show, 1u << UM_CAUSE_CORE_THERMAL);
	ck_assert_uint_eq(package->could_show, core->could_show);
	core->files[UM_FILE_CORE_COUNT].known = false;
	um_judge_all(&watcher);
	ck_assert_uint_eq(package->could_show, 0);
}
END_TEST

START_TEST(a_package_without_a_status_has_the_causes_of_its_cores)
{
	const struct uncoremsr_cause *c;

	inherits = true;
	run(60, 1, 20, 12, 12);
	core->core = 3;
	um_judge_all(&watcher);
	c = inherited(UM_CAUSE_FIRMWARE);
	ck_assert(c->holds && c->happened && c->decides && !c->logged && !c->log_bit);
	run(60, 1, 20, 12, 20);
	core->core = 3;
	um_judge_all(&watcher);
	c = inherited(UM_CAUSE_FIRMWARE);
	ck_assert(!c->holds && c->happened && c->decides);

	begin(0);
	core->core = 3;
	file_as(UM_FILE_CRIT_ALARM, 0, 1);
	um_judge_all(&watcher);
	c = inherited(UM_CAUSE_CRITICAL);
	ck_assert(!c->holds && !c->happened && c->logged && c->log_bit && c->decides);

	begin(0);
	core->core = 3;
	file_as(UM_FILE_CORE_COUNT, 7, 9);
	file_as(UM_FILE_CORE_TIME, 100, 350);
	core->files[UM_FILE_CORE_TIME].known = false;
	um_judge_all(&watcher);
	c = inherited(UM_CAUSE_CORE_THERMAL);
	ck_assert(!c->holds && c->happened && c->logged && !c->log_bit && c->decides);

	/* A core that is well takes nothing from what another one has shown. */
	begin(0);
	um_judge_all(&watcher);
	ck_assert_uint_eq(package->num_causes, 0);
}
END_TEST

/* Of more cores than there is room for evidence of, each counts, and the last takes what has no room. */
START_TEST(a_package_counts_each_of_its_cores)
{
	enum { CORES = UM_MAX_EVIDENCE + 3 };
	static struct uncoremsr_subject many[1 + CORES];

	for (unsigned cold = 0; cold < 2; cold++) {
		begin(0);
		watcher.subjects = many;
		watcher.num_subjects = 1 + CORES - cold;
		many[0] = (struct uncoremsr_subject){ .core = -1, .num = CORES - cold, .watcher = &watcher };
		for (int i = 0; i < CORES; i++) {
			many[1 + i] = *core;
			many[1 + i].of = &many[0];
			many[1 + i].core = i;
			many[1 + i].files[UM_FILE_HSMP_PROCHOT] = (struct um_number_file){
				.value = 1, .known = true, .had = true,
			};
		}
		um_judge_all(&watcher);
		ck_assert_uint_eq(cause_of(&many[0], UM_CAUSE_PROCHOT)->cores, CORES - cold);
		ck_assert_uint_eq(many[0].num_evidence, UM_MAX_EVIDENCE);
		for (unsigned i = 0; i < UM_MAX_EVIDENCE; i++)
			ck_assert_uint_eq(many[0].evidence[i].number[UNCOREMSR_EVIDENCE_CORE], i);
	}
}
END_TEST

/* Where the hardware chooses the clock itself nothing was ordered. */
START_TEST(with_hwp_no_ratio_was_ordered)
{
	run(60, 1, 20, 12, 12);
	core->gates = UM_GATE_HWP;
	core->explained = core->explained_before = false;
	um_judge_all(&watcher);
	core->explained = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
}
END_TEST

/* ---- files ---- */

START_TEST(a_flag_of_the_driver_is_a_state_or_a_memory)
{
	const struct uncoremsr_cause *c;

	begin(0);
	file_as(UM_FILE_HSMP_PROCHOT, 0, 1);
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_PROCHOT);
	ck_assert(c && c->holds && c->decides && !c->logged && !c->log_bit);
	begin(0);
	file_as(UM_FILE_CRIT_ALARM, 0, 1);
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_CRITICAL);
	ck_assert(c && !c->holds && c->decides && c->logged && c->log_bit);
	ck_assert_int_eq(core->verdict, UNCOREMSR_VERDICT_WAS_THROTTLED);
	/* No PROCHOT now is an answer; never critical is none about what comes before that. */
	begin(0);
	file_as(UM_FILE_HSMP_PROCHOT, 1, 0);
	um_judge_all(&watcher);
	ck_assert_int_eq(core->verdict, UNCOREMSR_VERDICT_OK);
	begin(0);
	file_as(UM_FILE_CRIT_ALARM, 0, 0);
	um_judge_all(&watcher);
	ck_assert_int_eq(core->verdict, UNCOREMSR_VERDICT_UNKNOWN);
}
END_TEST

START_TEST(millidegrees_are_degrees)
{
	static const struct { uint64_t milli; int degrees; } temperatures[] = {
		{ 999, 0 }, { 1000, 1 }, { 68999, 68 }, { 100000, 100 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(temperatures); i++) {
		begin(0);
		file_as(UM_FILE_TEMPERATURE, 0, temperatures[i].milli);
		um_judge_all(&watcher);
		ck_assert_int_eq(core->celsius, temperatures[i].degrees);
	}
}
END_TEST

/* Linux counts episodes, and adds up their time in ms; one that goes on counts no more. */
START_TEST(counts_of_the_kernel_are_differences)
{
	const struct uncoremsr_cause *c;

	begin(0);
	file_as(UM_FILE_CORE_COUNT, 7, 9);
	file_as(UM_FILE_CORE_TIME, 100, 350);
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_CORE_THERMAL);
	ck_assert(c && c->happened && c->logged && c->decides && !c->log_bit && !c->holds);
	ck_assert_uint_eq(c->total, 9);
	core->files[UM_FILE_CORE_TIME].known = false;
	um_judge_all(&watcher);
	ck_assert_double_lt(cause_of(core, UM_CAUSE_CORE_THERMAL)->share, 0); /* unknown */
	core->files[UM_FILE_CORE_TIME].known = true;
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_CORE_THERMAL);
	ck_assert_double_eq_tol(c->share, 0.25, 1e-9);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_TIMES), 2);
	begin(0);
	file_as(UM_FILE_PACKAGE_COUNT, 9, 9);
	file_as(UM_FILE_PACKAGE_TIME, 100, 2100);
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_PACKAGE_THERMAL);
	ck_assert(c && c->happened && c->share >= 1 && c->share <= 1);
	file_as(UM_FILE_PACKAGE_TIME, 100, 1700);
	um_judge_all(&watcher);
	ck_assert_double_eq(cause_of(core, UM_CAUSE_PACKAGE_THERMAL)->share, 1);
	/* At the first look there is a number, and no difference. */
	begin(0);
	file_as(UM_FILE_CORE_COUNT, 0, 9);
	core->files[UM_FILE_CORE_COUNT].had = false;
	um_judge_all(&watcher);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_TIMES), -1);
	ck_assert(!cause_of(core, UM_CAUSE_CORE_THERMAL)->happened);
	/* It was set back: no difference. */
	begin(0);
	file_as(UM_FILE_CORE_COUNT, 9, 3);
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_CORE_THERMAL);
	ck_assert(c && !c->happened);
	/* Cleared by us at 8: one since; at 9: none. */
	begin(0);
	file_as(UM_FILE_CORE_COUNT, 9, 9);
	core->files[UM_FILE_CORE_COUNT].based = true;
	core->files[UM_FILE_CORE_COUNT].base = 8;
	um_judge_all(&watcher);
	c = cause_of(core, UM_CAUSE_CORE_THERMAL);
	ck_assert(c && c->log_bit && c->count == 1 && c->total == 9);
	core->files[UM_FILE_CORE_COUNT].base = 9;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_CORE_THERMAL));
	ck_assert_uint_eq(core->remembered, 9);
}
END_TEST

START_TEST(a_ceiling_at_the_top_is_none)
{
	begin(0);
	file_as(UM_FILE_HIGHEST, 0, 2600000);
	file_as(UM_FILE_BIOS_LIMIT, 0, 2600000);
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
	ck_assert_uint_eq(core->could_show, 0); /* the processor has other ways than the kernel's */
	file_as(UM_FILE_CEILING, 0, 2600000);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->could_show, 1u << UM_CAUSE_OTHER);
	core->files[UM_FILE_CEILING].known = false;
	file_as(UM_FILE_BIOS_LIMIT, 0, 2599999);
	um_judge_all(&watcher);
	ck_assert(cause_of(core, UM_CAUSE_FIRMWARE)->holds);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_KHZ), 2600000);
	/* Nobody knows how high it could be. */
	core->files[UM_FILE_HIGHEST].known = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
	core->files[UM_FILE_HIGHEST].known = true;
	/* 0 kHz is no ceiling. */
	file_as(UM_FILE_BIOS_LIMIT, 0, 0);
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UM_CAUSE_FIRMWARE));
}
END_TEST

Suite *judged_suite(void)
{
	const TTest *const tests[] = {
		a_guaranteed_level_that_sinks_is_seen_in_each_of_its_bits,
		that_the_guaranteed_level_changed_is_a_memory_of_its_bit,
		a_limit_of_pstates_holds_the_core_down,
		every_target_that_can_be_is_a_temperature,
		a_modulated_clock_has_the_share_of_its_field,
		lost_time_is_in_the_unit_that_the_processor_tells,
		a_power_limit_matters_from_one_per_cent_of_the_time,
		limits_of_power_are_in_the_unit_that_the_processor_tells,
		a_few_interrupts_of_firmware_are_normal,
		each_bit_of_a_status_speaks_for_its_cause_alone,
		the_temperature_is_the_target_less_what_the_sensor_is_below_it,
		what_was_read_could_have_shown_its_causes_and_no_others,
		one_look_alone_shows_nothing_of_what_grows,
		a_package_counts_each_of_its_cores,
		the_base_clock_is_in_steps_of_its_generation,
		a_busy_core_that_is_slower_than_ordered_is_held_back_by_firmware,
		a_ratio_is_read_in_each_of_its_bits,
		the_base_ratio_is_read_in_each_of_its_bits, without_a_base_clock_a_slow_one_could_not_be_shown,
		a_clock_beyond_any_is_unknown,
		amd_is_slow_below_the_edge_only,
		only_where_pstate_0_was_asked_for_all_the_time_amd_is_slow,
		a_core_that_sleeps_is_no_open_question,
		a_package_without_a_status_could_show_what_each_of_its_cores_could,
		a_package_without_a_status_has_the_causes_of_its_cores,
		with_hwp_no_ratio_was_ordered,
		a_flag_of_the_driver_is_a_state_or_a_memory,
		millidegrees_are_degrees,
		counts_of_the_kernel_are_differences,
		a_ceiling_at_the_top_is_none,
	};
	Suite *s = suite_create("judged");
	TCase *tc = tcase_create("judged");

	tcase_add_checked_fixture(tc, make_handle, free_handle);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		tcase_add_test(tc, tests[i]);
	suite_add_tcase(s, tc);
	return s;
}
