/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Meanings of register values: known values, and values of real machines compared with an independent decoding.
 * Uses internal headers, because it judges single values without a machine.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "throttle/throttle.h"

/* ---- gates ---- */

static const struct um_thermal_model *intel(int model)
{
	const struct um_thermal_model *m = um_thermal_find("GenuineIntel", 6, model);

	ck_assert_ptr_nonnull(m);
	return m;
}

TEST(each_of_64_bits_has_the_name_of_its_field)
{
	static const struct um_field fields[] = {
		{ "LOW", 0, 1, "" }, { "WIDE", 1, 2, "" }, { "NEXT", 3, 1, "" }, { "HIGH", 63, 1, "" }, { .name = "" },
	};
	char names[UM_BITS];

	ck_assert_str_eq(um_thermal_bits(fields, UINT64_MAX, names, sizeof(names)), "LOW NEXT HIGH");
	ck_assert_str_eq(um_thermal_bits(fields, 8, names, sizeof(names)), "NEXT");
}

TEST(names_of_bits_are_cut_to_the_buffer)
{
	const struct um_thermal_reg *reg = um_thermal_reg(intel(0x3f), ~0u, UM_ROLE_LIMITS);
	char names[40];

	for (size_t room = 1; room < 32; room++) {
		memset(names, 'x', sizeof(names));
		um_thermal_bits(um_reg_fields(&reg->reg), ~UINT64_C(0), names, room);
		ck_assert_uint_eq(strlen(names), room - 1);
		for (size_t i = room; i < sizeof(names); i++)
			ck_assert_int_eq(names[i], 'x');
	}
}

TEST(cpuid_decides_which_registers_and_bits_exist)
{
	static const uint32_t one[4] = { 0, 0, 1u << 8, 1u << 22 }, none[4] = { 0 };
	static const uint32_t westmere[4] = { 0x7, 0, 1, 0 }, skylake[4] = { 0xef7, 0, 9, 0 };
	const struct um_thermal_model *m = intel(0x2c);
	unsigned gates = um_thermal_gates(m, one, westmere);

	ck_assert_ptr_nonnull(um_thermal_reg(m, gates, UM_ROLE_CORE_STATUS));
	ck_assert_ptr_null(um_thermal_reg(m, gates, UM_ROLE_PACKAGE_STATUS));
	ck_assert_ptr_null(um_thermal_reg(m, um_thermal_gates(m, none, westmere), UM_ROLE_CORE_STATUS));
	ck_assert_uint_eq(um_thermal_log_bits(um_thermal_reg(m, gates, UM_ROLE_CORE_STATUS), gates), 0x2aa);
	m = intel(0x55);
	gates = um_thermal_gates(m, one, skylake);
	ck_assert_uint_eq(um_thermal_log_bits(um_thermal_reg(m, gates, UM_ROLE_CORE_STATUS), gates), 0xaaaa);
	ck_assert_uint_eq(um_thermal_log_bits(um_thermal_reg(m, gates, UM_ROLE_PACKAGE_STATUS), gates), 0xaaa);
	m = um_thermal_find("GenuineIntel", 15, 4);
	gates = um_thermal_gates(m, one, none);
	ck_assert_uint_eq(um_thermal_log_bits(um_thermal_reg(m, gates, UM_ROLE_CORE_STATUS), gates) & 0xc, 0);
}

/* ---- values ---- */

static struct um_decoded status(int model, enum um_thermal_role role, uint64_t value)
{
	return um_thermal_decode(um_thermal_reg(intel(model), ~0u, role), ~0u, value);
}

TEST(known_values_decode_as_they_should)
{
	struct um_decoded d = status(0x2e, UM_ROLE_CORE_STATUS, 0x88330008);

	ck_assert_uint_eq(d.now, 0);
	ck_assert_uint_eq(d.logged, 8);
	ck_assert_int_eq(d.below, 51);
	d = status(0x55, UM_ROLE_PACKAGE_STATUS, 0x880003c3);
	ck_assert_uint_eq(d.now, 0x141);
	ck_assert_uint_eq(d.logged, 0x282);
	ck_assert_int_eq(d.below, 0);
	d = status(0x8f, UM_ROLE_CORE_STATUS, 0x883a0400);
	ck_assert_uint_eq(d.now, 0x400);
	d = status(0x8c, UM_ROLE_CORE_STATUS, 0x88228282);
	ck_assert_uint_eq(d.logged, 0x8282);
	d = status(0x2e, UM_ROLE_CORE_STATUS, 0x08330008);
	ck_assert(!d.valid);
	ck_assert_int_eq(d.below, -1);
}

TEST(bits_that_the_processor_does_not_have_mean_nothing)
{
	const struct um_thermal_reg *r = um_thermal_reg(intel(0x2c), ~0u, UM_ROLE_CORE_STATUS);
	unsigned gates = UM_GATE_ACPI | UM_GATE_TM2 | UM_GATE_DTS | UM_GATE_FORCEPR;
	struct um_decoded d = um_thermal_decode(r, gates, 0x8833fc00);

	ck_assert_uint_eq(d.now | d.logged, 0);
	d = um_thermal_decode(r, gates & ~(unsigned)UM_GATE_DTS, 0x88330000);
	ck_assert(!d.valid);
}

TEST(clock_modulation_counts_only_with_its_enable_bit)
{
	ck_assert_double_eq(um_thermal_duty(0x8, 0), 1);
	ck_assert_double_eq(um_thermal_duty(0x10, 0), 1);
	ck_assert_double_eq(um_thermal_duty(0x18, 0), 0.5);
	ck_assert_double_eq(um_thermal_duty(0x12, 0), 0.125);
	ck_assert_double_eq(um_thermal_duty(0x11, UM_GATE_ECMD), 0.0625);
}

TEST(the_name_of_a_processor_contains_its_base_frequency)
{
	ck_assert_double_eq_tol(um_thermal_brand_hz("Intel(R) Xeon(R) CPU X5650 @ 2.67GHz"), 2.67e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @ 800MHz"), 8e8, 1);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"), 2.4e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Intel(R) Xeon(R) CPU @ 3.05GHz"), 3.05e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @ 2.40GHz ES"), 2.4e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @2.40GHz"), 2.4e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("Genuine Intel(R) CPU @ 800MHz ES"), 8e8, 1);
	ck_assert_double_eq_tol(um_thermal_brand_hz("@ 99.99GHz"), 99.99e9, 1e3);
	ck_assert_double_eq_tol(um_thermal_brand_hz("@ 1.06251923GHz"), 1062519230, 0.5);
	ck_assert(um_thermal_brand_hz("@ 100.00GHz") <= 0); /* not a possible frequency */
	ck_assert(um_thermal_brand_hz("@ 99999999999999999999999999999999999999GHz") <= 0);
	ck_assert(um_thermal_brand_hz("Genuine Intel(R) CPU @ 2.40GHx") <= 0);
	ck_assert(um_thermal_brand_hz("Genuine Intel(R) CPU @ 800MHx") <= 0);
	ck_assert(um_thermal_brand_hz("AMD EPYC 7763 64-Core Processor") <= 0);
	ck_assert(um_thermal_brand_hz("@") <= 0);
	ck_assert(um_thermal_brand_hz("@ 3.") <= 0);
}

/* Computed by hand from the fields; the first value is from an EPYC 7763. */
TEST(the_base_clock_of_amd_follows_its_family)
{
	static const struct { int family; uint64_t word, mhz; } clocks[] = {
		{ 0x17, 0x8000000048100862, 2450 }, { 0x19, 0x8000000048100862, 2450 },
		{ 0x19, 0x0000000048100862, 0 }, { 0x19, 0x8000000000000062, 0 },
		{ 0x18, 0x800000004514085a, 2250 }, { 0x15, 0x8000019e40001017, 0 },
		{ 0x10, 0x800001394000304e, 0 }, { 0x16, 0x8000019e40001017, 0 },
		{ 0x11, 0x8000000000000002, 1000 },
		{ 0x12, 0x8000000000000111, 0 }, { 0x1a, 0x800000000000020d, 2625 },
	};

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		struct um_thermal_model m = { .family = clocks[i].family };

		ck_assert_uint_eq((uint64_t)(um_thermal_base_hz(&m, clocks[i].word) / 1e6), clocks[i].mhz);
	}
}

/* ---- recorded machines ---- */

#define CORPUS "../shared/corpus/"

/* Known difference: on this Skylake-SP one CPU has the reserved bit 13 of IA32_PACKAGE_THERM_STATUS (0x1b1) set. */
static const char *const not_as_ours[][3] = {
	{ "GenuineIntel0050654_SkylakeXeon_CPUID6.msr.tsv", "000001b1", "111" },
};

struct recorded {
	char file[128];
	struct um_identity id;
	const struct um_thermal_model *model;
	unsigned gates;
	int target;
};

static void read_leaf(const struct um_cpuid_dump *d, uint32_t leaf, uint32_t regs[4])
{
	const struct um_cpuid_leaf *l = um_cpuid_dump_find(d, d->leaves[0].cpu, leaf, 0);

	memset(regs, 0, 4 * sizeof(*regs));
	if (l)
		memcpy(regs, l->regs, sizeof(l->regs));
}

static void load(struct recorded *m, const char *file)
{
	struct um_cpuid_dump d;
	struct um_error e;
	uint32_t one[4], six[4];
	char path[256];

	snprintf(m->file, sizeof(m->file), "%s", file);
	snprintf(path, sizeof(path), CORPUS "cpuid/%.*s.cpuid", (int)(strlen(file) - 8), file);
	ck_assert_msg(um_cpuid_dump_load(&d, path, &e) == 0, "%s", e.msg);
	read_leaf(&d, 1, one);
	read_leaf(&d, 6, six);
	um_identity_decode_signature(&m->id, one[0]);
	m->model = um_thermal_find("GenuineIntel", m->id.family, m->id.model);
	ck_assert_ptr_nonnull(m->model);
	m->gates = um_thermal_gates(m->model, one, six);
	um_cpuid_dump_free(&d);
}

/* Target temperature (0x1a2) of the machine that the file is from; degrees C in the file are computed with it. */
static int find_target(const char *file)
{
	char path[256], line[256];
	int target = 0;
	FILE *f;

	snprintf(path, sizeof(path), CORPUS "msr/%s", file);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		const char *value = strrchr(line, '\t');

		if (value && strtoul(line, NULL, 16) == 0x1a2 && value[1] != 'F')
			target = um_thermal_target(strtoull(value + 1, NULL, 16));
	}
	fclose(f);
	return target;
}

static const struct { const char *ours, *theirs; } names[] = {
	{ "THERMAL", "hot" },        { "PROCHOT", "prochot" },    { "CRITICAL", "critical" },
	{ "THRESHOLD1", "thr1" },    { "THRESHOLD2", "thr2" },    { "POWER_LIMIT", "power" },
	{ "CURRENT_LIMIT", "current" }, { "CROSS_DOMAIN", "crossdomain" },
};

static const struct { const char *ours, *theirs; } limit_names[] = {
	{ "PROCHOT", "prochot" },    { "THERMAL", "thermal" },    { "VR_THERMAL", "vr-thermal" },
	{ "POWER_BUDGET", "power-budget" }, { "PLATFORM", "platform" },
	{ "AUTONOMOUS", "autonomous" }, { "EDP", "edp" },         { "CORE_POWER", "core-power" },
	{ "MULTICORE_TURBO", "multicore-turbo" }, { "P1", "p1" }, { "PL1", "pl1" },
	{ "PL2", "pl2" },
	{ "NCORE_TURBO", "ncore-turbo" }, { "FREQUENCY", "frequency" },
	{ "MAX_TURBO", "max-turbo" }, { "ATTENUATION", "turbo-attenuation" },
	{ "GRAPHICS_DRIVER", "graphics-driver" },
};

static const char *their_name(const char *name, size_t len, bool limits)
{
	size_t num = limits ? ARRAY_SIZE(limit_names) : ARRAY_SIZE(names);

	for (size_t i = 0; i < num; i++) {
		const char *ours = limits ? limit_names[i].ours : names[i].ours;

		if (strlen(ours) == len && !memcmp(ours, name, len))
			return limits ? limit_names[i].theirs : names[i].theirs;
	}
	return "?";
}

/* Translate "THERMAL_LOG POWER_LIMIT_LOG" to "hot,power", and no bits to "-". */
static void translate(const char *bits, bool limits, char *out, size_t size)
{
	snprintf(out, size, "-");
	for (size_t n; *bits; bits += n + (bits[n] == ' ')) {
		size_t used = strcmp(out, "-") ? strlen(out) : 0, len;

		n = strcspn(bits, " ");
		len = n > 4 && !memcmp(bits + n - 4, "_LOG", 4) ? n - 4 : n;
		snprintf(out + used, size - used, "%s%s", used ? "," : "", their_name(bits, len, limits));
	}
}

struct row {
	char *file, *msr, *cpus, *value, *kind, *now, *logged, *readout;
};

static void check_bits(const struct row *r, const struct um_thermal_reg *reg, const struct um_decoded *d)
{
	bool limits = reg->role == UM_ROLE_LIMITS;
	char bits[256], text[256];

	translate(um_thermal_bits(um_reg_fields(&reg->reg), d->now, bits, sizeof(bits)), limits, text, sizeof(text));
	ck_assert_msg(!strcmp(text, r->now), "%s %s %s: now %s", r->file, r->msr, r->value, text);
	translate(um_thermal_bits(um_reg_fields(&reg->reg), d->logged, bits, sizeof(bits)), limits, text,
		  sizeof(text));
	ck_assert_msg(!strcmp(text, r->logged), "%s %s %s: logged %s", r->file, r->msr, r->value, text);
}

/* Compare the temperature as "29-below", or "29-below 71C" if the target is known. */
static void check_readout(const struct row *r, const struct recorded *m, const struct um_decoded *d)
{
	char text[64];

	if (m->target && d->valid)
		snprintf(text, sizeof(text), "%d-below %dC", d->below, m->target - d->below);
	else
		snprintf(text, sizeof(text), "%d-below", d->below);
	if (d->valid)
		ck_assert_msg(!strcmp(text, r->readout), "%s %s: %s", r->file, r->value, text);
	ck_assert_msg(d->valid == !strcmp(r->kind, "valid"), "%s %s: valid %d", r->file, r->value, d->valid);
}

static void check_status(const struct row *r, const struct recorded *m, enum um_thermal_role role)
{
	const struct um_thermal_reg *reg = um_thermal_reg(m->model, m->gates, role);
	struct um_decoded d;

	if (!strcmp(r->kind, "absent")) {
		ck_assert_msg(!reg, "%s: %s is claimed", r->file, r->msr);
		return;
	}
	ck_assert_msg(reg != NULL, "%s: %s is not claimed", r->file, r->msr);
	d = um_thermal_decode(reg, m->gates, strtoull(r->value, NULL, 16));
	check_bits(r, reg, &d);
	check_readout(r, m, &d);
}

static void check_limits(const struct row *r, const struct recorded *m, uint32_t msr)
{
	const struct um_thermal_reg *reg = um_thermal_reg_at(m->model, msr);
	struct um_decoded d;
	char bits[128];
	bool client = !strcmp(r->kind, "limit-reasons-client");

	if (!client && strcmp(r->kind, "limit-reasons-server")) {
		/* On one recorded server the msr driver refused to read 0x690, although the processor has it. */
		ck_assert_msg(!reg || (!strcmp(r->kind, "absent") && msr == 0x690 &&
				       (m->model->has & UM_HAS_690_SERVER)),
			      "%s: %s is claimed", r->file, r->msr);
		return;
	}
	ck_assert_msg(reg != NULL, "%s: %s is not claimed", r->file, r->msr);
	ck_assert_int_eq(client, !strcmp(um_thermal_bits(um_reg_fields(&reg->reg), 0x800, bits, sizeof(bits)), "PL2"));
	d = um_thermal_decode(reg, m->gates, strtoull(r->value, NULL, 16));
	check_bits(r, reg, &d);
}

static void check_others(const struct row *r, const struct recorded *m, uint32_t msr)
{
	uint64_t value = strtoull(r->value, NULL, 16);
	char text[32];

	switch (msr) {
	case 0x19a:
		ck_assert_msg(um_thermal_duty(value, m->gates) >= 1, "%s", r->file);
		snprintf(text, sizeof(text), "field=%u", (unsigned)(value & 0xf));
		ck_assert_str_eq(text, r->readout);
		break;
	case 0x1a2:
		snprintf(text, sizeof(text), "target=%d", um_thermal_target(value));
		ck_assert_msg(!strcmp(text, r->kind), "%s: %s", r->file, text);
		break;
	case 0x1fc:
		snprintf(text, sizeof(text), "bit0=%d", (int)(value & 1));
		ck_assert_str_eq(text, r->kind);
		break;
	default:
		ck_abort_msg("%s: %s is not decoded", r->file, r->msr);
	}
}

static bool is_listed(const struct row *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(not_as_ours); i++)
		if (!strcmp(r->file, not_as_ours[i][0]) && !strcmp(r->msr, not_as_ours[i][1]) &&
		    !strcmp(r->cpus, not_as_ours[i][2]))
			return true;
	return false;
}

static void check_row(struct recorded *m, const struct row *r)
{
	uint32_t msr = (uint32_t)strtoul(r->msr, NULL, 16);

	if (strcmp(m->file, r->file)) {
		load(m, r->file);
		m->target = find_target(r->file);
	}
	if (is_listed(r))
		return;
	if (msr == 0x19c || msr == 0x1b1)
		check_status(r, m, msr == 0x19c ? UM_ROLE_CORE_STATUS : UM_ROLE_PACKAGE_STATUS);
	else if (msr == 0x690 || msr == 0x6b0)
		check_limits(r, m, msr);
	else
		check_others(r, m, msr);
}

static bool split(char *line, struct row *r)
{
	char **to[] = { &r->file, &r->msr, &r->cpus, &r->value, &r->kind, &r->now, &r->logged, &r->readout };

	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(to); i++) {
		*to[i] = strsep(&line, "\t");
		if (!*to[i])
			return false;
	}
	return r->file[0] != '#';
}

TEST(every_recorded_register_decodes_as_the_independent_decode_says)
{
	FILE *f = fopen(CORPUS "msr/thermal-decode.tsv", "r");
	struct recorded m = { .file = "" };
	char line[512];
	unsigned n = 0;

	if (!f) {
		fprintf(stderr, "every_recorded_register_decodes: skipped: no corpus\n");
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		struct row r;

		if (!split(line, &r))
			continue;
		check_row(&m, &r);
		n++;
	}
	fclose(f);
	ck_assert_uint_gt(n, 1000);
}

SUITE(throttle)
