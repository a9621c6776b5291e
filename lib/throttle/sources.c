/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registers and files that are read, and which causes they show. */

#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

/* A power limit that holds for less than this share of the time is normal operation. */
#define SHARE_THAT_MATTERS 0.01
/* Fewer SMIs per second than this are normal. Each SMI stops all CPUs for 0.05 ms to some ms. */
#define SMI_PER_SECOND_THAT_MATTER 5

unsigned um_shows(const struct um_subject *s, int source)
{
	const struct um_thermal_reg *row = s->sources[source].row;
	unsigned causes = um_sources[source].shows ? 1u << um_sources[source].cause : 0;

	for (size_t i = 0; row && i < row->num_bits; i++)
		if (row->bits[i].cause != UM_NUM_CAUSES && !(row->bits[i].gates & ~s->gates))
			causes |= 1u << row->bits[i].cause;
	return causes;
}

static struct uncoremsr_cause *blame(struct um_subject *s, int source, enum uncoremsr_phase phase, bool decides,
				     enum uncoremsr_finding finding, uint64_t amount, uint64_t of)
{
	const struct um_source *row = &um_sources[source];
	struct uncoremsr_cause *c = um_blame(s, row->cause, phase, decides);
	struct um_evidence *e = um_add_gauge(s, row->cause, &s->sources[source], finding, amount, of);

	if (row->detail)
		um_list_add(e->detail, sizeof(e->detail), "%s", row->detail);
	return c;
}

static void judge_bits(struct um_subject *s, int source)
{
	const struct um_gauge *r = &s->sources[source];
	int below = um_thermal_below(r->row, s->gates, r->value);

	for (const struct um_limit_bit *b = r->row->bits; b < r->row->bits + r->row->num_bits; b++) {
		uint64_t mask = (b->now == UM_NO_BIT ? 0 : BIT(b->now)) | BIT(b->log);
		struct um_evidence *e;

		if (!um_blame_bit(s, b, r))
			continue;
		e = um_add_bits(s, b->cause, r, r->value & mask);
		if (b->detail)
			um_list_add(e->detail, sizeof(e->detail), "%s", b->detail);
	}
	if (below >= 0)
		s->pub.below_limit = below;
}

/* ---- registers of numbers ---- */

static void judge_clock_modulation(struct um_subject *s, int source)
{
	double duty = um_thermal_duty(s->sources[source].value, s->gates);

	if (duty < 1)
		blame(s, source, UNCOREMSR_PHASE_NOW, true, UNCOREMSR_FINDING_DUTY, (uint64_t)(duty * 1e6), UM_ABSENT)
			->share = 1 - duty;
}

/* The guaranteed HWP level drops while the processor is limited permanently (Linux intel_pstate). */
static void judge_hwp_level(struct um_subject *s, int source)
{
	unsigned now = (unsigned)(s->sources[source].value >> 8 & 0xff);

	if (!s->guaranteed)
		s->guaranteed = now;
	if (now && now < s->guaranteed)
		blame(s, source, UNCOREMSR_PHASE_NOW, true, UNCOREMSR_FINDING_GUARANTEED, now, s->guaranteed);
}

/* Bit 0: the guaranteed level has changed. Bit 2 is no alarm: it is set on most healthy machines. */
static void judge_hwp_status(struct um_subject *s, int source)
{
	if (!(s->sources[source].value & 1))
		return;
	um_note_log_bit(s, um_blame(s, UNCOREMSR_CAUSE_FIRMWARE, UNCOREMSR_PHASE_LOGGED, false));
	um_add_bits(s, UNCOREMSR_CAUSE_FIRMWARE, &s->sources[source], 1);
}

static void judge_pstate_limit(struct um_subject *s, int source)
{
	uint64_t value = s->sources[source].value;

	if (value & 0xf)
		blame(s, source, UNCOREMSR_PHASE_NOW, true, UNCOREMSR_FINDING_PSTATE, value & 0xf, value >> 4 & 0xf);
}

/* ---- registers that count ---- */

static double seconds(const struct um_subject *s)
{
	return (double)s->watcher->state.interval / 1e9;
}

/* Increase of the counter in bits 31:0 since the previous look(), across a wrap. 0 if there is no earlier value. */
static uint32_t grown_32(const struct um_subject *s, int source)
{
	const struct um_gauge *r = &s->sources[source];

	return r->had && s->watcher->state.interval ? (uint32_t)r->value - (uint32_t)r->before : 0;
}

/* The time unit is 1/2^N s, with N in bits 19:16 of register 0x606. If N reads as 0, it is 10 (Linux turbostat.c). */
static double time_unit(const struct um_gauge *units)
{
	unsigned n = (unsigned)(units->value >> 16 & 0xf);

	return 1.0 / (double)(1u << (n ? n : 10));
}

/* Judge a counter of lost time. A little time lost to a power limit is normal. */
static void judge_time(struct um_subject *s, int source)
{
	const struct um_gauge *units = &s->sources[UM_ROLE_UNITS];
	uint32_t delta = grown_32(s, source);
	bool decides = um_sources[source].decides;
	double lost, share;

	if (!delta)
		return;
	if (!units->known) { /* without the unit, the lost time is unknown */
		blame(s, source, UNCOREMSR_PHASE_BETWEEN, decides, UNCOREMSR_FINDING_LOST_UNITS, delta, UM_ABSENT);
		return;
	}
	lost = delta * time_unit(units);
	share = lost / seconds(s);
	um_raise_share(blame(s, source, UNCOREMSR_PHASE_BETWEEN, decides || share >= SHARE_THAT_MATTERS,
			     UNCOREMSR_FINDING_LOST_TIME, (uint64_t)(lost * 1e9), UM_ABSENT), share);
}

static void judge_smi(struct um_subject *s, int source)
{
	uint32_t delta = grown_32(s, source);

	if (delta)
		blame(s, source, UNCOREMSR_PHASE_BETWEEN, delta >= SMI_PER_SECOND_THAT_MATTER * seconds(s),
		      UNCOREMSR_FINDING_INTERRUPTS, delta, UM_ABSENT);
}

/* A power limit in register 0x610: value in bits 14:0, enable bit 15. The second limit has bits 46:32 and bit 47. */
static uint64_t microwatts(uint64_t field, double watts)
{
	return (uint64_t)((double)(field & 0x7fff) * watts * 1e6);
}

/* If a power limit is a cause, add both limits and their enable bits as evidence. */
static void show_limits(struct um_subject *s)
{
	const struct um_gauge *r = &s->sources[UM_ROLE_PACKAGE_LIMIT];
	double unit = 1.0 / (double)(1u << (s->sources[UM_ROLE_UNITS].value & 0xf));

	for (size_t i = 0; i < s->num_causes && r->known && s->sources[UM_ROLE_UNITS].known; i++)
		if (s->causes[i].kind == UNCOREMSR_CAUSE_POWER_LIMIT)
			um_add_gauge(s, UNCOREMSR_CAUSE_POWER_LIMIT, r, UNCOREMSR_FINDING_POWER_LIMITS,
				       microwatts(r->value, unit), microwatts(r->value >> 32, unit))
				->pub.mask = r->value & (BIT(15) | BIT(47));
}

/* ---- files (Linux drivers/thermal/intel/therm_throt.c, drivers/cpufreq) ---- */

/* The kernel's count since we cleared the logs. If the count is smaller than at that time, the kernel has reset it. */
static uint64_t since_clear(const struct um_gauge *f)
{
	return f->based && f->value >= f->base ? f->value - f->base : f->value;
}

/*
 * An increased kernel count shows that the cause began, but not whether it has ended. Counts of thermal interrupts are
 * needed because the kernel clears the log bit before we can read it. An external PROCHOT raises no such interrupt.
 */
static void judge_count(struct um_subject *s, int source)
{
	const struct um_gauge *f = &s->sources[source], *time = um_sources[source + 1].is_time ? f + 1 : NULL;
	uint64_t delta = um_grown(f), ms = time ? um_grown(time) : 0, since = since_clear(f);
	uint64_t interval = s->watcher->state.interval;
	struct uncoremsr_cause *c;

	if (!f->value)
		return;
	/* A long episode is counted only when it begins; later only its total time increases. */
	if (!since && !ms) {
		s->pub.before_clear = f->value;
		return;
	}
	c = blame(s, source, delta || ms ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED,
		  delta || ms || um_sources[source].decides, UNCOREMSR_FINDING_TIMES,
		  f->had && interval ? delta : UM_ABSENT, UM_ABSENT);
	c->logged = true;
	if (f->based)
		um_note_log_bit(s, c);
	c->count = since ? since : UM_ABSENT;
	c->total = f->value;
	if (ms && interval)
		um_raise_share(c, (double)ms * 1e6 / (double)interval);
	if (time && time->known)
		um_add_gauge(s, c->kind, time, UNCOREMSR_FINDING_MILLISECONDS, UM_ABSENT, UM_ABSENT);
}

uint64_t um_highest_khz(const struct um_subject *s)
{
	const struct um_gauge *highest = &s->sources[UM_FILE_HIGHEST];

	return s->table_khz ? s->table_khz : highest->known ? highest->value : 0;
}

/* acpi-cpufreq shows turbo as a frequency 1 MHz above the nominal one. */
enum { TURBO_STEP_KHZ = 1000 };

bool um_turbo_is_off(const struct um_subject *s)
{
	const struct um_gauge *limit = &s->sources[UM_FILE_BIOS_LIMIT];

	return limit->known && limit->value + TURBO_STEP_KHZ == um_highest_khz(s);
}

/*
 * bios_limit: the highest frequency in kHz that the firmware allows through ACPI (Linux
 * Documentation/admin-guide/pm/cpufreq.rst). Without that file the firmware may still limit the clock in another way.
 */
static void judge_bios_limit(struct um_subject *s, int source)
{
	uint64_t khz = s->sources[source].value, highest = um_highest_khz(s);

	if (khz && khz < highest && !um_turbo_is_off(s))
		blame(s, source, UNCOREMSR_PHASE_NOW, true, UNCOREMSR_FINDING_KHZ, UM_ABSENT, highest);
}

static void judge_flag(struct um_subject *s, int source)
{
	if (s->sources[source].value)
		blame(s, source, UNCOREMSR_PHASE_NOW, true, UNCOREMSR_FINDING_FLAG, UM_ABSENT, UM_ABSENT);
}

/* A sticky alarm. If it is off, the core may still be throttled: throttling begins below the critical temperature. */
static void judge_alarm(struct um_subject *s, int source)
{
	if (s->sources[source].value)
		um_note_log_bit(s, blame(s, source, UNCOREMSR_PHASE_LOGGED, true, UNCOREMSR_FINDING_FLAG, UM_ABSENT,
					 UM_ABSENT));
}

/* Use the temperature from the status register, else the highest temperature of the dies. */
static void judge_temperature(struct um_subject *s)
{
	const struct um_gauge *limit = &(s->of ? s->of : s)->sources[UM_ROLE_TARGET];
	int target = limit->known ? um_thermal_target(limit->value) : 0;

	if (s->pub.below_limit >= 0 && target) {
		s->pub.temperature = target - s->pub.below_limit;
		return;
	}
	for (const struct um_gauge *f = &s->sources[UM_FILE_TEMPERATURE]; f < &s->sources[UM_FILE_CRIT_ALARM]; f++)
		if (f->known)
			um_raise(&s->pub.temperature, (int)((int64_t)f->value / 1000));
}

/* ---- the table ---- */

#define SHOWS(why) .shows = true, .cause = UNCOREMSR_CAUSE_##why
#define BITS(as) .judge = judge_bits, .asked = UM_ASKED_##as
#define LOST_TIME(why) .judge = judge_time, .grows = true, SHOWS(why)
#define COUNT(where, text, why) \
	.judge = judge_count, .asked = UM_ASKED_NEXT, SHOWS(why), .of = UM_OF_##where, .name = text
#define TIME(where, text) .is_time = true, .of = UM_OF_##where, .name = text
#define OCC(text, why) COUNT(CHIP, "cpufreq/throttle_stats/" text, why)
#define ALARM { .judge = judge_alarm, .cause = UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE }

/*
 * @nonzero: on real hardware a thermal status (resolution field), clock ratio or HWP level is never 0.
 *
 * UM_OF_CHIP: these files of POWER count how often the on-chip controller lowered the highest frequency, by reason. All
 * CPUs of a chip have the same counts (Linux Documentation/ABI/testing/sysfs-devices-system-cpu,
 * drivers/cpufreq/powernv-cpufreq.c).
 */
const struct um_source um_sources[UM_NUM_SOURCES] = {
	[UM_ROLE_CORE_STATUS] = { BITS(NEXT), .nonzero = UINT64_MAX },
	[UM_ROLE_CLOCK_MODULATION] =
		{ .judge = judge_clock_modulation, .asked = UM_ASKED_NEXT, SHOWS(CLOCK_MODULATION) },
	[UM_ROLE_PERF_STATUS] = { .nonzero = 0xffff },
	[UM_ROLE_PERF_CTL] = { .nonzero = 0xffff },
	[UM_ROLE_HWP_CAPABILITIES] = { .judge = judge_hwp_level, SHOWS(FIRMWARE), .nonzero = 0xff00 },
	[UM_ROLE_HWP_STATUS] = { .judge = judge_hwp_status },
	[UM_ROLE_MPERF] = { .grows = true },
	[UM_ROLE_APERF] = { .grows = true },
	[UM_ROLE_PSTATE_LIMIT] =
		{ .judge = judge_pstate_limit, .asked = UM_ASKED_NEXT, SHOWS(FIRMWARE), .nonzero = 0xffff },
	[UM_ROLE_PSTATE_0] = { .constant = true },
	[UM_ROLE_PACKAGE_STATUS] = { BITS(NEXT), .nonzero = UINT64_MAX },
	[UM_ROLE_PM_ENABLE] = { .constant = true },
	[UM_ROLE_TARGET] = { .constant = true },
	[UM_ROLE_LIMITS] = { BITS(NEXT) },
	/* Limit reasons of the graphics and of the ring, which all cores share. */
	[UM_ROLE_GRAPHICS_LIMITS] = { BITS(GRAPHICS) },
	[UM_ROLE_RING_LIMITS] = { BITS(RING) },
	[UM_ROLE_UNITS] = { .constant = true },
	/* Time lost to a power limit. If a processor has such a counter, it alone answers questions about the cause. */
	[UM_ROLE_PACKAGE_PERF] = { LOST_TIME(POWER_LIMIT), .asked = UM_ASKED_FIRST },
	[UM_ROLE_DRAM_PERF] = { LOST_TIME(DIMM_THERMAL), .asked = UM_ASKED_FIRST, .decides = true },
	[UM_ROLE_CORES_PERF] = { LOST_TIME(POWER_LIMIT) },
	[UM_ROLE_SMI] = { .judge = judge_smi, .grows = true, .asked = UM_ASKED_NEXT, SHOWS(SMI) },
	[UM_ROLE_PLATFORM_INFO] = { .constant = true, .nonzero = 0xff00 },

	[UM_FILE_CORE_COUNT] = { COUNT(CORE, "thermal_throttle/core_throttle_count", CORE_THERMAL), .decides = true },
	[UM_FILE_CORE_TIME] = { TIME(CORE, "thermal_throttle/core_throttle_total_time_ms") },
	[UM_FILE_BIOS_LIMIT] = { .judge = judge_bios_limit, .cause = UNCOREMSR_CAUSE_FIRMWARE, .of = UM_OF_CORE,
				 .name = "cpufreq/bios_limit" },
	[UM_FILE_CEILING] = { .of = UM_OF_CORE, .name = "cpufreq/scaling_max_freq" },
	[UM_FILE_HIGHEST] = { .of = UM_OF_CORE, .name = "cpufreq/cpuinfo_max_freq" },
	[UM_FILE_BOOST] = { .of = UM_OF_CORE, .name = "cpufreq/boost" },
	[UM_FILE_PACKAGE_COUNT] =
		{ COUNT(PACKAGE, "thermal_throttle/package_throttle_count", PACKAGE_THERMAL), .decides = true },
	[UM_FILE_PACKAGE_TIME] = { TIME(PACKAGE, "thermal_throttle/package_throttle_total_time_ms") },
	[UM_FILE_HSMP_PROCHOT] = { .judge = judge_flag, .asked = UM_ASKED_NEXT, SHOWS(PROCHOT_EXTERNAL) },
	[UM_FILE_OCC_POWERCAP] = { OCC("powercap", POWER_LIMIT), .detail = "power cap" },
	[UM_FILE_OCC_OVERTEMP] = { OCC("overtemp", PACKAGE_THERMAL), .decides = true },
	[UM_FILE_OCC_SUPPLY] =
		{ OCC("supply_fault", PROCHOT_EXTERNAL), .decides = true, .detail = "power supply failure" },
	[UM_FILE_OCC_OVERCURRENT] = { OCC("overcurrent", CURRENT_LIMIT) },
	[UM_FILE_OCC_RESET] = { OCC("occ_reset", FIRMWARE), .decides = true, .detail = "on-chip controller reset" },
	[UM_FILE_CRIT_ALARM] = ALARM, ALARM, ALARM, ALARM,
};

void um_judge_sources(struct um_subject *s)
{
	for (int i = 0; i < UM_NUM_SOURCES; i++)
		if (s->sources[i].known && um_sources[i].judge)
			um_sources[i].judge(s, i);
	show_limits(s);
	judge_temperature(s);
}
