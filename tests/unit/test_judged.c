/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Throttling registers and files: the meaning of each bit, and the causes that they can show. */
#include "judged.h"
#include "draw.h"
#include "suite.h"

FIXTURE(.setup = make_handle, .teardown = free_handle)

/* ---- fields, bit by bit ---- */

/* The guaranteed level is in 0x771 bits 15:8; the bits beside them have other levels. */
TEST(a_lower_guaranteed_level_is_noticed_in_any_of_its_bits)
{
	for (unsigned bit = 0; bit < 8; bit++) {
		unsigned now = bit ? 0xffu & ~(1u << bit) : 0xfe;

		begin(0);
		core->guaranteed = 0xff;
		read_as(core, UM_ROLE_HWP_CAPABILITIES, 0, 0x01020055u | now << 8);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_GUARANTEED), now);
		ck_assert_int_eq(of(core, UNCOREMSR_FINDING_GUARANTEED), 0xff);
		ck_assert_int_eq(core->pub.verdict, UNCOREMSR_VERDICT_THROTTLED);
	}
	judge_source(core, UM_ROLE_HWP_CAPABILITIES, 0, 0xffff18ff);
	ck_assert_uint_eq(core->guaranteed, 0x18);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
	begin(0);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->guaranteed, 0);
}

/* 0x777 bit 0: the guaranteed level has changed. Bits 31:1 are about excursions and the highest level. */
TEST(the_sticky_bit_of_the_guaranteed_level_is_a_log_bit)
{
	const struct uncoremsr_cause *c;

	judge_source(core, UM_ROLE_HWP_STATUS, 0, 0xd);
	c = cause_of(core, UNCOREMSR_CAUSE_FIRMWARE);
	ck_assert(c && c->logged && log_bit(c) && !holds(c));
	ck_assert_uint_eq(found(core, UNCOREMSR_FINDING_BITS)->mask, 1);
	ck_assert_uint_eq(found(core, UNCOREMSR_FINDING_BITS)->value, 0xd);
	judge_source(core, UM_ROLE_HWP_STATUS, 0, 0xc);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
}

/* 0xc0010061: fastest allowed P-state in bits 3:0, slowest existing P-state in bits 7:4. */
TEST(a_limited_pstate_means_throttled)
{
	for (unsigned fastest = 0; fastest < 16; fastest++) {
		begin(UM_HAS_AMD);
		read_as(core, UM_ROLE_PSTATE_LIMIT, 0, 0xf50u | fastest);
		um_judge_all(&watcher);
		ck_assert_int_eq(core->pub.verdict, fastest ? UNCOREMSR_VERDICT_THROTTLED : UNCOREMSR_VERDICT_OK);
		ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_PSTATE), fastest ? (int)fastest : -1);
		ck_assert_int_eq(of(core, UNCOREMSR_FINDING_PSTATE), fastest ? 5 : -1);
	}
	begin(UM_HAS_AMD);
	read_as(core, UM_ROLE_PSTATE_LIMIT, 0, 0xf1);
	um_judge_all(&watcher);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_PSTATE), 15);
}

/* The target is in 0x1a2 bits 23:16, in degrees; only 50 to 130 are accepted. */
TEST(targets_from_50_to_130_degrees_are_accepted)
{
	for (int degrees = 0; degrees < 256; degrees++)
		ck_assert_int_eq(um_thermal_target(0x3f00ff00u | (uint64_t)degrees << 16),
				 degrees >= 50 && degrees <= 130 ? degrees : 0);
}

/* The duty cycle is in 0x19a bits 3:1 in eighths, or with CPUID leaf 6 EAX bit 5 in bits 3:0 in sixteenths. */
TEST(the_duty_cycle_of_a_modulated_clock_is_decoded)
{
	for (unsigned field = 1; field < 16; field++) {
		begin(0);
		core->gates = UM_GATE_ECMD;
		read_as(core, UM_ROLE_CLOCK_MODULATION, 0, 0x10u | field);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_DUTY), (int64_t)(field * 1000000 / 16));
		ck_assert_int_eq(core->pub.verdict, UNCOREMSR_VERDICT_THROTTLED);
		ck_assert_double_eq_tol(cause_of(core, UNCOREMSR_CAUSE_CLOCK_MODULATION)->share, 1 - field / 16., 1e-9);
	}
	for (unsigned field = 1; field < 8; field++)
		ck_assert_double_eq_tol(um_thermal_duty(0x11u | field << 1, 0), field / 8., 1e-9);
}

/* 0x606 bits 19:16 are N: the unit of time is 1/2^N s. */
TEST(lost_time_has_the_unit_that_the_processor_reports)
{
	for (unsigned n = 0; n < 16; n++) {
		unsigned unit = n ? n : 10;

		begin(0);
		read_as(package, UM_ROLE_UNITS, 0, 0xf0ef03u | n << 16);
		read_as(package, UM_ROLE_PACKAGE_PERF, 0xffffffff, 0x200000001);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_LOST_TIME), (int64_t)(2e9 / (1u << unit)));
		ck_assert_double_eq_tol(cause_of(package, UNCOREMSR_CAUSE_POWER_LIMIT)->share,
					2. / (1u << unit) < 1 ? 2. / (1u << unit) : 1, 1e-9);
	}
}

/* A power limit that holds for less than one percent of the time does not change the verdict. */
TEST(a_power_limit_matters_from_one_per_cent_of_the_time)
{
	static const struct { uint64_t ms; bool matters; } losses[] = {
		{ 9, false }, { 10, true }, { 11, true }, { 1000, true }, { 3000, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		begin(0);
		/* The unit of time is 1/2^10 s (0x606 bits 19:16); the interval is 1000 units. */
		watcher.state.interval = 976562500;
		read_as(package, UM_ROLE_UNITS, 0, 10 << 16);
		read_as(package, UM_ROLE_PACKAGE_PERF, 5, 5 + losses[i].ms);
		um_judge_all(&watcher);
		ck_assert_int_eq(cause_of(package, UNCOREMSR_CAUSE_POWER_LIMIT)->decides, losses[i].matters);
		ck_assert(happened(cause_of(package, UNCOREMSR_CAUSE_POWER_LIMIT)));
		ck_assert_double_le(cause_of(package, UNCOREMSR_CAUSE_POWER_LIMIT)->share, 1);
	}
	begin(0);
	read_as(package, UM_ROLE_UNITS, 0, 10 << 16);
	read_as(package, UM_ROLE_DRAM_PERF, 5, 6);
	um_judge_all(&watcher);
	ck_assert(cause_of(package, UNCOREMSR_CAUSE_DIMM_THERMAL)->decides);
}

/* 0x610: PL1 in bits 14:0, PL2 in bits 46:32, in units of 1/2^N W (0x606 bits 3:0); bits 15 and 47 enable the
 * limits. */
TEST(power_limits_have_the_unit_that_the_processor_reports)
{
	for (unsigned n = 0; n < 16; n++) {
		begin(0);
		read_as(package, UM_ROLE_UNITS, 0, 0xa00f0u | n);
		read_as(package, UM_ROLE_PACKAGE_PERF, 0, 1000);
		read_as(package, UM_ROLE_PACKAGE_LIMIT, 0, UINT64_C(0xffff90000fffa800));
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_POWER_LIMITS),
				 (int64_t)(0x2800 * 1e6 / (1u << n)));
		ck_assert_int_eq(of(package, UNCOREMSR_FINDING_POWER_LIMITS), (int64_t)(0x1000 * 1e6 / (1u << n)));
		ck_assert_uint_eq(found(package, UNCOREMSR_FINDING_POWER_LIMITS)->mask,
				 (int64_t)(UINT64_C(1) << 15 | UINT64_C(1) << 47));
	}
	/* Test each bit of the limit, in watts, while the bits beside the field are set. */
	for (unsigned bit = 0; bit < 15; bit++) {
		begin(0);
		read_as(package, UM_ROLE_UNITS, 0, 0xa0000);
		read_as(package, UM_ROLE_PACKAGE_PERF, 0, 1000);
		read_as(package, UM_ROLE_PACKAGE_LIMIT, 0, UINT64_C(0xffff0000) | 0x8000 | 1u << bit);
		um_judge_all(&watcher);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_POWER_LIMITS), (int64_t)1000000 << bit);
	}
}

TEST(a_few_interrupts_of_firmware_are_normal)
{
	for (unsigned count = 1; count < 8; count++) {
		judge_source(package, UM_ROLE_SMI, 0xfffffffe, 0xfffffffe + count);
		ck_assert_int_eq(amount(package, UNCOREMSR_FINDING_INTERRUPTS), count);
		ck_assert_int_eq(cause_of(package, UNCOREMSR_CAUSE_SMI)->decides, count >= 5);
		/* From five interrupts (SMI) per second on, firmware is a cause; 7 in 2 s are too few. */
		watcher.state.interval = 2000000000;
		um_judge_all(&watcher);
		ck_assert(!cause_of(package, UNCOREMSR_CAUSE_SMI)->decides);
	}
}

/* ---- status bits ---- */

/* Status bits with a log bit, a log bit alone, bits that show no cause, and bits that this processor does not have. */
static const struct um_limit_bit bits[] = {
	{ .now = 1, .log = 2, .cause = UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, .decides = true },
	{ .now = 3, .log = 4, .cause = UNCOREMSR_CAUSE_POWER_LIMIT, .detail = "PL1" },
	{ .now = 5, .log = 6, .cause = UNCOREMSR_CAUSE_POWER_LIMIT, .detail = "PL2" },
	{ .now = UM_NO_BIT, .log = 7, .cause = UNCOREMSR_CAUSE_CURRENT_LIMIT },
	{ .now = 0, .log = 8, .cause = UNCOREMSR_CAUSE_OTHER, .detail = "BUDGET" },
	{ .now = 9, .log = 10, .cause = UM_NUM_CAUSES, .detail = "TURBO" },
	{ .now = 11, .log = 12, .cause = UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, .gates = UM_GATE_FORCEPR,
	  .detail = "OUTSIDE" },
};

static bool told_by(enum uncoremsr_cause_kind cause, unsigned v, unsigned before, struct uncoremsr_cause *c,
		    uint64_t *mask, const char **detail)
{
	static const struct { enum uncoremsr_cause_kind cause; unsigned now, log; const char *detail; } all[] = {
		{ UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, 0x2, 0x4, "" },
		{ UNCOREMSR_CAUSE_POWER_LIMIT, 0x28, 0x50, NULL },
		{ UNCOREMSR_CAUSE_CURRENT_LIMIT, 0, 0x80, "" }, { UNCOREMSR_CAUSE_OTHER, 0x1, 0x100, "BUDGET" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i].cause != cause)
			continue;
		*mask = v & (all[i].now | all[i].log);
		*c = (struct uncoremsr_cause){
			.phase = v & all[i].now ? UNCOREMSR_PHASE_NOW
				 : v & ~before & all[i].log ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED,
			.logged = (v & all[i].log) != 0,
		};
		c->decides = c->phase > UNCOREMSR_PHASE_LOGGED ||
			     (cause == UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE && c->logged);
		*detail = all[i].detail ? all[i].detail
			  : !(v & 0x60) ? "PL1" : !(v & 0x18) ? "PL2" : "PL1, PL2";
		return *mask != 0;
	}
	return false;
}

static void expect_bits(unsigned v, unsigned before)
{
	for (enum uncoremsr_cause_kind cause = 0; cause < UM_NUM_CAUSES; cause++) {
		const struct uncoremsr_cause *c = cause_of(core, cause);
		const struct um_evidence *e = NULL;
		struct uncoremsr_cause told;
		const char *detail;
		uint64_t mask;

		for (size_t i = 0; i < core->num_evidence; i++)
			if (core->evidence[i].cause == cause)
				e = &core->evidence[i];
		if (!told_by(cause, v, before, &told, &mask, &detail)) {
			ck_assert_msg(!c && !e, "cause %d of %#x", cause, v);
			continue;
		}
		ck_assert_msg(c && e, "cause %d of %#x", cause, v);
		ck_assert_msg(c->phase == told.phase && c->logged == told.logged && log_bit(c) == told.logged &&
			      c->decides == told.decides, "cause %d of %#x after %#x", cause, v, before);
		ck_assert_uint_eq(e->pub.mask, mask);
		ck_assert_str_eq(e->detail, detail);
	}
	ck_assert_uint_eq(core->pub.could_show, 1u << UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE |
						1u << UNCOREMSR_CAUSE_POWER_LIMIT |
					    1u << UNCOREMSR_CAUSE_CURRENT_LIMIT | 1u << UNCOREMSR_CAUSE_OTHER);
}

TEST(each_status_bit_indicates_only_its_own_cause)
{
	static const unsigned befores[] = { 0, 0x1fff, 0x1555, 0xaaa };

	for (unsigned v = draw_first(16); v < 0x2000; v += draw_step(16))
		for (size_t i = 0; i < ARRAY_SIZE(befores); i++) {
			begin(0);
			rows[UM_ROLE_LIMITS].bits = bits;
			rows[UM_ROLE_LIMITS].num_bits = ARRAY_SIZE(bits);
			read_as(core, UM_ROLE_LIMITS, befores[i], v);
			um_judge_all(&watcher);
			expect_bits(v, befores[i]);
			if (i)
				continue;
			core->sources[UM_ROLE_LIMITS].had = false;
			um_judge_all(&watcher);
			expect_bits(v, v);
		}
}

/* 0x19c bits 22:16 are the degrees below the target in 0x1a2; bit 31 says that bits 22:16 are valid. */
TEST(the_temperature_is_the_target_minus_the_degrees_below_it)
{
	for (int below = 0; below < 128; below++) {
		begin(0);
		core->gates = UM_GATE_DTS;
		rows[UM_ROLE_CORE_STATUS].bits = bits;
		rows[UM_ROLE_CORE_STATUS].num_bits = 1;
		read_as(core, UM_ROLE_CORE_STATUS, 0, 0xff80ff00u | (unsigned)below << 16);
		read_as(package, UM_ROLE_TARGET, 0, 100 << 16);
		um_judge_all(&watcher);
		ck_assert_int_eq(core->pub.below_limit, below);
		ck_assert_double_eq(core->pub.temperature, 100 - below);
		read_as(core, UM_FILE_TEMPERATURE, 0, 42000); /* the kernel's temperature is used if the sensor has none */
		um_judge_all(&watcher);
		ck_assert_double_eq(core->pub.temperature, 100 - below);
		core->sources[UM_FILE_TEMPERATURE].known = false;
		package->sources[UM_ROLE_TARGET].known = false;
		um_judge_all(&watcher);
		ck_assert_int_eq(core->pub.below_limit, below);
		ck_assert_double_nan(core->pub.temperature);
		package->sources[UM_ROLE_TARGET].known = true;
		core->sources[UM_ROLE_CORE_STATUS].value &= 0x7fffffff;
		um_judge_all(&watcher);
		ck_assert_int_eq(core->pub.below_limit, -1);
		ck_assert_double_nan(core->pub.temperature);
	}
}

/* ---- causes that a register or file can show ---- */

static const struct { int source; unsigned causes; } sources[] = {
	{ UM_ROLE_CLOCK_MODULATION, 1u << UNCOREMSR_CAUSE_CLOCK_MODULATION },
	{ UM_ROLE_HWP_CAPABILITIES, 1u << UNCOREMSR_CAUSE_FIRMWARE },
	{ UM_ROLE_HWP_STATUS, 0 },
	{ UM_ROLE_PSTATE_LIMIT, 1u << UNCOREMSR_CAUSE_FIRMWARE },
	{ UM_ROLE_PACKAGE_PERF, 1u << UNCOREMSR_CAUSE_POWER_LIMIT },
	{ UM_ROLE_CORES_PERF, 1u << UNCOREMSR_CAUSE_POWER_LIMIT },
	{ UM_ROLE_DRAM_PERF, 1u << UNCOREMSR_CAUSE_DIMM_THERMAL },
	{ UM_ROLE_SMI, 1u << UNCOREMSR_CAUSE_SMI },
	{ UM_ROLE_TARGET, 0 },
	{ UM_ROLE_UNITS, 0 },
	{ UM_FILE_CORE_COUNT, 1u << UNCOREMSR_CAUSE_CORE_THERMAL },
	{ UM_FILE_CORE_TIME, 0 },
	{ UM_FILE_PACKAGE_COUNT, 1u << UNCOREMSR_CAUSE_PACKAGE_THERMAL },
	{ UM_FILE_HSMP_PROCHOT, 1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL },
	{ UM_FILE_CRIT_ALARM, 0 },
};

TEST(the_registers_that_were_read_determine_which_causes_could_show)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		for (size_t k = 0; k < ARRAY_SIZE(sources); k++) {
			begin(0);
			read_as(core, sources[i].source, 0, 0);
			read_as(core, sources[k].source, 0, 0);
			um_judge_all(&watcher);
			ck_assert_msg(core->pub.could_show == (sources[i].causes | sources[k].causes),
				      "%zu and %zu: %#x", i, k, core->pub.could_show);
			ck_assert_uint_eq(core->num_causes, 0);
			ck_assert_int_eq(core->pub.verdict, core->pub.could_show ? UNCOREMSR_VERDICT_OK
									  : UNCOREMSR_VERDICT_UNKNOWN);
			ck_assert_double_nan(core->pub.temperature);
			ck_assert_int_eq(core->pub.below_limit, -1);
		}
}

/* Registers that count (time limited by power, throttled memory, SMIs) show a cause only if they grow between two
 * readings. */
TEST(a_single_reading_shows_no_growth)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		bool grows = sources[i].source == UM_ROLE_PACKAGE_PERF || sources[i].source == UM_ROLE_CORES_PERF ||
			     sources[i].source == UM_ROLE_DRAM_PERF || sources[i].source == UM_ROLE_SMI;

		begin(0);
		read_as(core, sources[i].source, 0, 0);
		for (int r = 0; r < UM_NUM_ROLES; r++)
			core->sources[r].had = false;
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->pub.could_show, grows ? 0 : sources[i].causes);
		ck_assert_int_eq(core->pub.verdict, core->pub.could_show ? UNCOREMSR_VERDICT_OK
								       : UNCOREMSR_VERDICT_UNKNOWN);
	}
}

/* ---- files ---- */

TEST(a_drivers_flag_is_a_status_or_a_log)
{
	const struct uncoremsr_cause *c;

	judge_source(core, UM_FILE_HSMP_PROCHOT, 0, 1);
	c = cause_of(core, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
	ck_assert(c && holds(c) && c->decides && !c->logged && !log_bit(c));
	judge_source(core, UM_FILE_CRIT_ALARM, 0, 1);
	c = cause_of(core, UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE);
	ck_assert(c && !holds(c) && c->decides && c->logged && log_bit(c));
	ck_assert_int_eq(core->pub.verdict, UNCOREMSR_VERDICT_WAS_THROTTLED);
	/*
	 * HSMP without PROCHOT means ok. The alarm of the critical temperature proves nothing while it is off, because
	 * throttling begins at lower temperatures.
	 */
	judge_source(core, UM_FILE_HSMP_PROCHOT, 1, 0);
	ck_assert_int_eq(core->pub.verdict, UNCOREMSR_VERDICT_OK);
	judge_source(core, UM_FILE_CRIT_ALARM, 0, 0);
	ck_assert_int_eq(core->pub.verdict, UNCOREMSR_VERDICT_UNKNOWN);
}

TEST(file_temperatures_are_in_millidegrees)
{
	static const struct { int64_t milli; int degrees; } temperatures[] = {
		{ 999, 0 }, { 1000, 1 }, { 68999, 68 }, { 100000, 100 }, { -1000, -1 }, { -12000, -12 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(temperatures); i++) {
		judge_source(core, UM_FILE_TEMPERATURE, 0, (uint64_t)temperatures[i].milli);
		ck_assert_double_eq(core->pub.temperature, temperatures[i].degrees);
	}
}

/* Linux counts episodes and sums their duration in ms; an episode that continues is not counted again. */
TEST(only_differences_of_the_kernels_counts_matter)
{
	const struct uncoremsr_cause *c;

	begin(0);
	read_as(core, UM_FILE_CORE_COUNT, 7, 9);
	read_as(core, UM_FILE_CORE_TIME, 100, 350);
	um_judge_all(&watcher);
	c = cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL);
	ck_assert(c && happened(c) && c->logged && c->decides && !log_bit(c));
	ck_assert_uint_eq(c->total, 9);
	core->sources[UM_FILE_CORE_TIME].known = false;
	um_judge_all(&watcher);
	ck_assert_double_nan(cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL)->share);
	core->sources[UM_FILE_CORE_TIME].known = true;
	um_judge_all(&watcher);
	c = cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL);
	ck_assert_double_eq_tol(c->share, 0.25, 1e-9);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_TIMES), 2);
	begin(0);
	read_as(core, UM_FILE_PACKAGE_COUNT, 9, 9);
	read_as(core, UM_FILE_PACKAGE_TIME, 100, 2100);
	um_judge_all(&watcher);
	c = cause_of(core, UNCOREMSR_CAUSE_PACKAGE_THERMAL);
	ck_assert(c && happened(c) && c->share >= 1 && c->share <= 1);
	read_as(core, UM_FILE_PACKAGE_TIME, 100, 1700);
	um_judge_all(&watcher);
	ck_assert_double_eq(cause_of(core, UNCOREMSR_CAUSE_PACKAGE_THERMAL)->share, 1);
	begin(0);
	read_as(core, UM_FILE_CORE_COUNT, 0, 9);
	core->sources[UM_FILE_CORE_COUNT].had = false;
	um_judge_all(&watcher);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_TIMES), -1);
	ck_assert(!happened(cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL)));
	/* A count in a file that has decreased was reset, so nothing is known about its growth. */
	judge_source(core, UM_FILE_CORE_COUNT, 9, 3);
	c = cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL);
	ck_assert(c && !happened(c));
	/* A count of 8 when the logs were cleared and 9 now is one event since the clear; 9 and 9 are none. */
	begin(0);
	read_as(core, UM_FILE_CORE_COUNT, 9, 9);
	core->sources[UM_FILE_CORE_COUNT].based = true;
	core->sources[UM_FILE_CORE_COUNT].base = 8;
	um_judge_all(&watcher);
	c = cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL);
	ck_assert(c && log_bit(c) && c->count == 1 && c->total == 9);
	core->sources[UM_FILE_CORE_COUNT].base = 9;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_CORE_THERMAL));
	ck_assert_uint_eq(core->pub.before_clear, 9);
}

TEST(a_frequency_limit_at_the_maximum_is_no_limit)
{
	begin(0);
	read_as(core, UM_FILE_HIGHEST, 0, 2600000);
	read_as(core, UM_FILE_BIOS_LIMIT, 0, 2600000);
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
	ck_assert_uint_eq(core->pub.could_show, 0); /* frequency limits cannot rule out throttling */
	/* Not causes: a limit set by software, and a firmware limit 1 MHz below the maximum, which turns off turbo. */
	read_as(core, UM_FILE_CEILING, 0, 1200000);
	read_as(core, UM_FILE_BIOS_LIMIT, 0, 2599000);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->num_causes, 0);
	core->sources[UM_FILE_CEILING].known = false;
	read_as(core, UM_FILE_BIOS_LIMIT, 0, 2599999);
	um_judge_all(&watcher);
	ck_assert(holds(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE)));
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_KHZ), 2600000);
	core->sources[UM_FILE_HIGHEST].known = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
	core->sources[UM_FILE_HIGHEST].known = true;
	/* 0 in bios_limit means no limit */
	read_as(core, UM_FILE_BIOS_LIMIT, 0, 0);
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
}

SUITE(judged)
