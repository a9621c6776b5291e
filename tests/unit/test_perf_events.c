/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kernel PMUs from sysfs, and encodings of event texts. Uses internal headers, because no public function shows the
 * CPUs of a group of cores.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "encoded.h"
#include "helpers.h"
#include "machine/core_groups.h"
#include "suite.h"

#define DEV "sys/bus/event_source/devices/"

/* C-boxes of two packages with a gap in their numbers, a memory controller, a core PMU. */
static void make_tree(void)
{
	tree_begin(0);
	tree_pmu("cpu", "4", "event 0-7;umask 8-15;offcore_rsp 1:0-63", NULL);
	tree_add(DEV "cpu/events/mem-loads", "event=0xcd,umask=0x1,offcore_rsp=3\n");
	tree_add(DEV "cpu/events/one", "event=0x11\n");
	tree_add(DEV "cpu/events/two", "one\n");
	tree_add(DEV "cpu/events/three", "two\n");
	tree_add(DEV "cpu/events/four", "three\n");
	tree_add(DEV "cpu/events/five", "four\n");
	tree_add(DEV "cpu/events/self", "self\n");
	tree_add(DEV "cpu/caps/max_precise", "3\n");
	tree_pmu("msr", "9", "event 0-63", NULL);
	tree_add(DEV "msr/events/tsc", "event=0x00\n");
	tree_pmu("uncore_cha_0", "20", "event 0-7;umask 8-15,32-43,45-55", "0,18\n");
	tree_pmu("uncore_cha_1", "21", "event 0-7;umask 8-15,32-43,45-55", "0,18\n");
	tree_pmu("uncore_cha_10", "22", "event 0-7;umask 8-15,32-43,45-55", "0,18\n");
	tree_pmu("uncore_imc_0", "30", "event 0-7;umask 8-15", "0,18\n");
	tree_add(DEV "uncore_imc_0/alias", "uncore_type_6_0\n");
	tree_add(DEV "uncore_imc_0/events/cas_count_read", "event=0x04,umask=0x03\n");
	tree_add(DEV "uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5\n");
	tree_add(DEV "uncore_imc_0/events/cas_count_read.unit", "MiB\n");
	tree_pmu("uncore_imc_free_running_0", "40", "", NULL);
	tree_add("sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
}

/* Format texts. A text has an error, or the number of its config word and the bits that a value of all ones sets. */
static const struct {
	const char *text;
	int err;
	unsigned config;
	uint64_t mask;
} formats[] = {
	{ "config:0-7", 0, 0, 0xff },
	{ "config:0-7,21", 0, 0, 0x2000ff },
	{ "config2:8-15,32-63", 0, 2, 0xffffffff0000ff00 },
	{ "config1:0-63", 0, 1, UINT64_MAX },
	{ "config3:5", 0, 3, 0x20 },
	{ "config", -EINVAL, 0, 0 },
	{ "config:", -EINVAL, 0, 0 },
	{ "config:7-0", -EINVAL, 0, 0 },
	{ "config:64", -EINVAL, 0, 0 },
	{ "config4:0", -EINVAL, 0, 0 },
	{ "config:0-7x", -EINVAL, 0, 0 },
	{ "confi", -EINVAL, 0, 0 },
};

FIXTURE(.teardown = tree_end)

TEST(format_files_are_read_with_several_ranges_and_refused_when_malformed)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char text[64];
		int bits = __builtin_popcountll(formats[i].mask);

		tree_begin(0);
		tree_pmu("box", "20", "event 0-7", NULL);
		tree_add(DEV "box/format/odd", formats[i].text);
		snprintf(text, sizeof(text), "box/odd=0x%llx/", (unsigned long long)(UINT64_MAX >> (64 - (bits ? bits : 1))));
		ck_assert_msg((tree_encode(NULL, text) == 1) == !formats[i].err, "%s: %s", formats[i].text, text);
		for (unsigned k = 0; k < 4 && !formats[i].err; k++)
			ck_assert_uint_eq(encoded->config[k], k == formats[i].config ? formats[i].mask : 0);
	}
}

TEST(a_value_fills_the_ranges_upward_and_is_refused_when_too_wide)
{
	static const struct {
		const char *format, *text;
		uint64_t config;
	} rows[] = {
		{ "0-7,21", "box/odd=0x102/", 0x200002 },
		{ "8-15,32-43,45-55", "box/odd=0x123456/", 0x223400005600 },
		{ "8-15,32-63", "box/odd=0x20c8168201/", 0x20c8168200000100 },
		{ "0-63", "box/odd=0xffffffffffffffff/", UINT64_MAX },
	};
	char format[64];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		tree_begin(0);
		snprintf(format, sizeof(format), "odd %s", rows[i].format);
		tree_pmu("box", "20", format, NULL);
		ck_assert_int_eq(tree_encode(NULL, rows[i].text), 1);
		ck_assert_uint_eq(encoded->config[0], rows[i].config);
		if (!i) {
			ck_assert_int_eq(tree_encode(NULL, "box/odd=0x200/"), -EINVAL);
			ck_assert_ptr_nonnull(strstr(encode_error, "0x200 is out of range 0..0x1ff"));
		}
	}
}

TEST(a_unit_number_is_decimal_or_a_long_hexadecimal_one)
{
	static const char *const rows[][2] = {
		{ "uncore_cha_12", "uncore_cha" }, { "uncore_pcu", "uncore_pcu" }, { "cpum_cf", "cpum_cf" },
		{ "mrvl_ddr_pmu_87e1b0000000", "mrvl_ddr_pmu" }, { "uncore_imc_free_running_0", "uncore_imc_free_running" },
	};

	tree_begin(0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tree_pmu(rows[i][0], "20", "event 0-7", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s/event=1/", rows[i][1]);
		ck_assert_msg(tree_encode(NULL, text) == 1 && num_encoded == 1, "%s: %s", text, encode_error);
		ck_assert_str_eq(encoded->pmu, rows[i][0]);
	}
}

TEST(a_name_means_one_unit_a_family_or_what_a_pattern_matches)
{
	static const struct {
		const char *text, *names;
	} rows[] = {
		{ "uncore_cha", "uncore_cha_0 uncore_cha_1 uncore_cha_10 " },
		{ "cha", "uncore_cha_0 uncore_cha_1 uncore_cha_10 " },
		{ "cha_10", "uncore_cha_10 " },
		{ "uncore_cha_1*", "uncore_cha_1 uncore_cha_10 " },
		{ "cha_?", "uncore_cha_0 uncore_cha_1 " },
		{ "imc", "uncore_imc_0 " },
		{ "uncore_type_6_0", "uncore_imc_0 " },
		{ "uncore_type_6", "uncore_imc_0 " },
		{ "imc_free_running", "uncore_imc_free_running_0 " },
		{ "CHA", "" },
		{ "ch", "" },
		{ "uncore_", "" },
	};

	make_tree();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[64], names[256] = "";

		snprintf(text, sizeof(text), "%s/config=1/", rows[i].text);
		tree_encode(NULL, text);
		for (size_t k = 0; k < num_encoded; k++)
			strcat(strcat(names, encoded[k].pmu), " ");
		ck_assert_msg(!strcmp(names, rows[i].names), "%s: %s", text, names);
	}
}

/* Write "TYPE:CONFIG:CONFIG1:LETTERS" for each unit; the letters are perf's modifiers. */
static void show(char *out, size_t size)
{
	size_t len = 0;

	*out = '\0';
	for (size_t i = 0; i < num_encoded; i++)
		len += (size_t)snprintf(out + len, size - len, "%s%u:%llx:%llx%s%s", len ? " " : "",
					(unsigned)encoded[i].type, (unsigned long long)encoded[i].config[0],
					(unsigned long long)encoded[i].config[1], *encoded[i].modifiers ? ":" : "",
					encoded[i].modifiers);
}

static const struct {
	const char *text, *says;
} refused[] = {
	{ "", "an event is missing" },
	{ "cycles,", "an event is missing" },
	{ "cycles,nope", "nope" },
	{ "cycles,,cs", "an event is missing" },
	{ "{}", "an event is missing" },
	{ "{cycles,{cs}}", "an event is missing" },
	{ "cycles:uu", "a modifier is given twice" },
	{ "cycles:pppp", "a modifier is given twice" },
	{ "cpu/event=-1/", "not a number: '-1'" },
	{ "cpu/event=0x/", "not a number: '0x'" },
	{ "cpu/Event=1/", "has no term or event 'Event'" },
	{ "cpu/event=?/", "the kernel's event needs a value for 'event'" },
	{ "cpu/event=?1/", "not a number: '?1'" },
	{ "cpu/r1b1=1/", "has no term or event 'r1b1'" },
	{ "cpu/e1b1/", "has no term or event 'e1b1'" },
	{ "cpu/r/", "has no term or event 'r'" },
	{ "cpu/five/", "the kernel's event refers to itself: 'one'" },
	{ "cpu/self/", "the kernel's event refers to itself: 'self'" },
	{ "cpu/r0x/", "has no term or event 'r0x'" },
	{ "cpu/event='/", "not a number" },
	{ "cpu/event=''/", "a number is missing in" },
	{ "r12345678901234567", "not a name" },
	{ "sched:nosuch", "not a name" },
	{ "cha/event=0x1,umask=0x80000000/", "is out of range" },
};

/* Invalid texts only; tests/kept/words.xz has the encodings of valid texts. */
TEST(invalid_event_strings_are_refused)
{
	make_tree();
	/* An event of the kernel may refer to another event of the kernel, but a chain of references must end. */
	ck_assert_int_eq(tree_encode(NULL, "cpu/four/"), 1);
	ck_assert_uint_eq(encoded->config[0], 0x11);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		ck_assert_msg(tree_encode(NULL, refused[i].text) < 0, "%s was taken", refused[i].text);
		ck_assert_uint_eq(num_encoded, 0);
		ck_assert_msg(strstr(encode_error, refused[i].says) != NULL, "%s: %s", refused[i].text, encode_error);
	}
}

static int parse_one(const char *text, char *attrs, size_t size)
{
	int num = tree_encode(NULL, text);

	show(attrs, size);
	return num;
}

/* The kernel mounts tracefs for root only, so users without root cannot even see which files exist. */
static void lose_sight_of_tracefs(void)
{
	if (geteuid() == 0) {
		ck_assert_int_eq(chmod(tree_path(""), 0755), 0);
		ck_assert_int_eq(seteuid(65534), 0);
	} else {
		ck_assert_int_eq(chmod(tree_path("sys/kernel/tracing"), 0), 0);
	}
}

static void see_tracefs(void)
{
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	else
		ck_assert_int_eq(chmod(tree_path("sys/kernel/tracing"), 0700), 0);
}

#define NO_LIST "names of this processor's own events come from an event list: --event-list=FILE"

/* The hint about an invalid text lists the existing PMUs (each family once), or the sources of event names. */
TEST(invalid_event_strings_get_a_fitting_hint)
{
	static const struct {
		const char *text;
		bool traced;
		const char *hint;
	} rows[] = {
		{ "nosuch/event=1/", true, "it has cpu, msr, uncore_cha, uncore_imc, uncore_imc_free_running" },
		{ "cpu/Event=1/", true, ", and config, config1, config2" },
		{ "cpu/mem-load=1/", true, ", and config, config1, config2" },
		{ "nosuch:event", true, NO_LIST }, { "nosuch", false, NO_LIST }, { "NOSUCH:event", false, NO_LIST },
		{ "nosuch:event", false, "tracepoints need tracefs, which is not mounted here: mount -t tracefs "
					 "nodev /sys/kernel/tracing" },
	};
	char attrs[128];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		make_tree();
		if (!rows[i].traced)
			ck_assert_int_eq(rename(tree_path("sys/kernel/tracing/events"), tree_path("elsewhere")), 0);
		ck_assert_int_lt(parse_one(rows[i].text, attrs, sizeof(attrs)), 0);
		ck_assert_msg(strstr(encode_hint, rows[i].hint) != NULL, "%s: %s", rows[i].text, encode_hint);
		if (*rows[i].hint == ',')
			ck_assert_msg(!strncmp(encode_hint, "the PMU's terms are ", 20) &&
				      strstr(encode_hint, "event") && strstr(encode_hint, "umask") &&
				      strstr(encode_hint, "offcore_rsp"), "%s", encode_hint);
	}
}

/* According to perf-list(1), modifiers of a group apply to all its events, in addition to the events' own modifiers. */
TEST(modifiers_of_a_group_apply_in_addition_to_those_of_its_events)
{
	char alone[128], of_group[128], of_event[128], text[32];
	const char *const letters = "ukhGHIPDep";

	make_tree();
	for (const char *l = letters; *l; l++)
		for (const char *other = letters; *other; other++) {
			const bool same = *l == *other && *l != 'p';

			snprintf(text, sizeof(text), same ? "cycles:%c" : "cycles:%c%c", *l, *other);
			ck_assert_int_eq(parse_one(text, alone, sizeof(alone)), 1);
			snprintf(text, sizeof(text), "{cycles:%c}:%c", *l, *other);
			ck_assert_int_eq(parse_one(text, of_event, sizeof(of_event)), 1);
			snprintf(text, sizeof(text), "{cycles:%c}:%c", *other, *l);
			ck_assert_int_eq(parse_one(text, of_group, sizeof(of_group)), 1);
			if (!strchr("pP", *l) || !strchr("pP", *other)) {
				ck_assert_msg(!strcmp(of_event, alone), "%s: %s, not %s", text, of_event, alone);
				ck_assert_str_eq(of_group, of_event);
			}
		}
}

TEST(a_tracepoint_in_an_unreadable_tracefs_is_not_reported_as_unknown)
{
	char attrs[512];

	make_tree();
	ck_assert_int_eq(chmod(tree_path("sys/kernel/tracing"), 0700), 0);
	lose_sight_of_tracefs();
	ck_assert_int_eq(parse_one("sched:sched_switch", attrs, sizeof(attrs)), -EACCES);
	ck_assert_int_eq(encode_class, UNCOREMSR_ERROR_ACCESS);
	ck_assert_ptr_nonnull(strstr(encode_error, "'sched:sched_switch': the tracepoint's id"));
	ck_assert_ptr_nonnull(strstr(encode_hint, "run as root"));
	ck_assert_int_eq(parse_one("cycles:u", attrs, sizeof(attrs)), 1);
	ck_assert_int_eq(parse_one("cs:u", attrs, sizeof(attrs)), 1);
	ck_assert_int_eq(parse_one("r1b1:u", attrs, sizeof(attrs)), 1);
	ck_assert_str_eq(attrs, "4:1b1:0:u");
	ck_assert_int_eq(parse_one("r1b1", attrs, sizeof(attrs)), 1);
	ck_assert_str_eq(attrs, "4:1b1:0");
	ck_assert_int_eq(parse_one("s1b1:u", attrs, sizeof(attrs)), -EACCES);
	see_tracefs();
}

/* The kernel's file with the highest precision has one digit from 0 to 3. */
TEST(precision_is_the_requested_one_or_with_P_the_highest)
{
	static const struct {
		const char *most, *text;
		unsigned precise;
	} rows[] = {
		{ "3\n", "cycles:P", 3 }, { "2\n", "cycles:P", 2 }, { "1\n", "cpu/event=0xb1/P", 1 },
		{ "0\n", "cycles:P", 0 }, { "4\n", "cycles:P", 0 }, { "/\n", "cycles:P", 0 },
		{ "22\n", "cycles:P", 0 }, { "\n", "cycles:P", 0 }, { NULL, "cycles:P", 0 },
		{ "3\n", "cs:P", 0 }, { "3\n", "msr/tsc/P", 0 }, { "3\n", "cycles", 0 },
		{ "3\n", "cycles:p", 1 }, { "3\n", "cycles:ppu", 2 }, { "1\n", "cycles:ppp", 3 },
		{ "3\n", "{cycles:pp}:p", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t most = 0;

		tree_begin(0);
		tree_pmu("cpu", "4", "event 0-7", NULL);
		if (rows[i].most)
			tree_add(DEV "cpu/caps/max_precise", rows[i].most);
		tree_pmu("msr", "9", "event 0-63", NULL);
		tree_add(DEV "msr/events/tsc", "event=0x00\n");
		ck_assert_msg(tree_encode(NULL, rows[i].text) == 1, "%s: %s", rows[i].text, encode_error);
		for (const char *c = encoded->modifiers; *c; c++)
			most += *c == 'p';
		ck_assert_msg(most == rows[i].precise, "%s: %s", rows[i].text, encoded->modifiers);
	}
}

TEST(a_tracepoint_is_found_where_older_kernels_have_it_and_its_number_is_checked)
{
	char attrs[512];

	make_tree();
	tree_add("sys/kernel/debug/tracing/events/irq/softirq_entry/id", "147\n");
	tree_add("sys/kernel/tracing/events/irq/damaged/id", "14x\n");
	tree_add("sys/kernel/tracing/events/irq/empty/id", "");
	ck_assert_int_eq(parse_one("irq:softirq_entry", attrs, sizeof(attrs)), 1);
	ck_assert_str_eq(attrs, "2:93:0");
	tree_add("sys/kernel/tracing/events/irq/first/id", "7\n");
	ck_assert_int_eq(parse_one("irq:first", attrs, sizeof(attrs)), 1);
	ck_assert_str_eq(attrs, "2:7:0");
	ck_assert_int_eq(parse_one("irq:damaged", attrs, sizeof(attrs)), -ENOENT);
	ck_assert_int_eq(parse_one("irq:empty", attrs, sizeof(attrs)), -ENOENT);
	ck_assert_int_eq(parse_one("irq:../irq/damaged", attrs, sizeof(attrs)), -ENOENT);
}

TEST(without_a_usable_scale_counts_have_no_unit)
{
	make_tree();
	tree_add(DEV "uncore_imc_0/events/odd", "event=0x05\n");
	tree_add(DEV "uncore_imc_0/events/odd.scale", "many\n");
	tree_add(DEV "uncore_imc_0/events/odd.unit", "MiB\n");
	ck_assert_int_eq(tree_encode(NULL, "imc/odd/"), 1);
	ck_assert_str_eq(encoded->scale, "1");
	ck_assert_str_eq(encoded->measure, "");
}

/* ---- groups of cores ---- */

static const struct {
	const char *text, *groups; /* "text:cpus text:cpus"; NULL: refused */
} core_groups[] = {
	{ "0", "0:0" },
	{ "1-2", "1-2:1-2" },
	{ "[3-4]", "3:3 4:4" },
	{ "11-0xa", "11-0xa:10-11" },
	{ "0,2-3", "0,2-3:0,2-3" },
	{ "  5-15", "5-15:5-15" },
	{ "0-10,20-18", "0-10,20-18:0-10,18-20" },
	{ "0XA-0xC", "0XA-0xC:10-12" },
	{ "0x10-12", "0x10-12:12-16" },
	{ "08-010", "08-010:8-10" }, /* a leading 0 does not mean octal */
	{ "1,3,5-8,10", "1,3,5-8,10:1,3,5-8,10" },
	{ "3,4-8,3", "3,4-8,3:3-8" },
	{ "0, 2,	4", "0, 2,	4:0,2,4" },
	{ "[0-15", NULL },
	{ "5g", NULL },
	{ "", NULL },
	{ "[]", NULL },
	{ "-1", NULL },
	{ "1-", NULL },
	{ "64", NULL },
	{ "4294967296", NULL },
	{ "99999999999999999999999", NULL },
};

static void show_groups(const struct um_core_groups *g, char *out)
{
	*out = '\0';
	for (size_t i = 0; i < g->num; i++) {
		char *cpus = um_cpuset_format(&g->cpus[i]);

		ck_assert_ptr_nonnull(cpus);
		sprintf(out + strlen(out), "%s%s:%s", i ? " " : "", g->texts[i], cpus);
		free(cpus);
	}
}

TEST(groups_of_cores_are_written_as_collectd_has_them)
{
	for (size_t i = 0; i < ARRAY_SIZE(core_groups); i++) {
		struct um_core_groups g = { 0 };
		struct um_error e;
		char out[256];
		int err = um_core_groups_add(&g, core_groups[i].text, 64, &e);

		ck_assert_msg(err == (core_groups[i].groups ? 0 : -EINVAL), "'%s': %d", core_groups[i].text, err);
		show_groups(&g, out);
		ck_assert_str_eq(out, core_groups[i].groups ? core_groups[i].groups : "");
		um_core_groups_free(&g);
	}
}

TEST(an_impossible_cpu_is_refused_with_the_valid_range)
{
	struct um_core_groups g = { 0 };
	struct um_error e;

	ck_assert_int_eq(um_core_groups_add(&g, "63", 64, &e), 0);
	ck_assert_int_eq(um_core_groups_add(&g, "64", 64, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.msg, "there is no CPU 64"));
	ck_assert_str_eq(e.hint, "CPUs are 0 to 63");
	um_core_groups_free(&g);
}

SUITE(perf_events)
