/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernel PMUs out of sysfs, and what event strings become. */
#include "fake_tree.h"
#include "machine/core_groups.h"
#include "events/source.h"
#include "perf/from_tables.h"
#include "common/number.h"
#include "suites.h"

#define DEV "sys/bus/event_source/devices/"

/* Two packages' C-boxes with a hole in their numbers, a memory controller, a core PMU. */
static void make_tree(struct fake_tree *f)
{
	static const char *const cha[] = { "0", "1", "10" };
	char path[96];

	fake_init(f);
	fake_add(f, DEV "cpu/type", "4\n");
	fake_add(f, DEV "cpu/format/event", "config:0-7\n");
	fake_add(f, DEV "cpu/format/umask", "config:8-15\n");
	fake_add(f, DEV "cpu/format/offcore_rsp", "config1:0-63\n");
	fake_add(f, DEV "cpu/events/mem-loads", "event=0xcd,umask=0x1,offcore_rsp=3\n");
	fake_add(f, DEV "cpu/events/one", "event=0x11\n");
	fake_add(f, DEV "cpu/events/two", "one\n");
	fake_add(f, DEV "cpu/events/three", "two\n");
	fake_add(f, DEV "cpu/events/four", "three\n");
	fake_add(f, DEV "cpu/events/five", "four\n");
	fake_add(f, DEV "cpu/events/self", "self\n");
	fake_add(f, DEV "cpu/caps/max_precise", "3\n");
	fake_add(f, DEV "msr/type", "9\n");
	fake_add(f, DEV "msr/format/event", "config:0-63\n");
	fake_add(f, DEV "msr/events/tsc", "event=0x00\n");
	for (unsigned i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), DEV "uncore_cha_%s/type", cha[i]);
		fake_add(f, path, i == 0 ? "20\n" : i == 1 ? "21\n" : "22\n");
		snprintf(path, sizeof(path), DEV "uncore_cha_%s/format/event", cha[i]);
		fake_add(f, path, "config:0-7\n");
		snprintf(path, sizeof(path), DEV "uncore_cha_%s/format/umask", cha[i]);
		fake_add(f, path, "config:8-15,32-43,45-55\n");
		snprintf(path, sizeof(path), DEV "uncore_cha_%s/cpumask", cha[i]);
		fake_add(f, path, "0,18\n");
	}
	fake_add(f, DEV "uncore_imc_0/type", "30\n");
	fake_add(f, DEV "uncore_imc_0/alias", "uncore_type_6_0\n");
	fake_add(f, DEV "uncore_imc_0/cpumask", "0,18\n");
	fake_add(f, DEV "uncore_imc_0/format/event", "config:0-7\n");
	fake_add(f, DEV "uncore_imc_0/format/umask", "config:8-15\n");
	fake_add(f, DEV "uncore_imc_0/events/cas_count_read", "event=0x04,umask=0x03\n");
	fake_add(f, DEV "uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5\n");
	fake_add(f, DEV "uncore_imc_0/events/cas_count_read.unit", "MiB\n");
	fake_add(f, DEV "uncore_imc_free_running_0/type", "40\n");
	fake_add(f, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
}

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

START_TEST(format_files_are_read_with_several_ranges_and_refused_when_malformed)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct um_kernel_format f = { .name = NULL };

		ck_assert_msg(um_format_parse(&f, formats[i].text) == formats[i].err, "%s",
			      formats[i].text);
		if (formats[i].err)
			continue;
		ck_assert_uint_eq(f.config, formats[i].config);
		ck_assert_uint_eq(f.mask, formats[i].mask);
	}
}
END_TEST

START_TEST(a_value_fills_the_ranges_upward_and_is_refused_when_too_wide)
{
	static const struct {
		const char *format;
		uint64_t value, config;
	} rows[] = {
		{ "config:0-7,21", 0x102, 0x200002 },
		{ "config:8-15,32-43,45-55", 0x123456, 0x223400005600 },
		{ "config:8-15,32-63", 0x20c8168201, 0x20c8168200000100 },
		{ "config:0-63", UINT64_MAX, UINT64_MAX },
	};
	struct um_kernel_format f = { .name = NULL };
	uint64_t configs[UM_CONFIGS], max;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(configs, 0, sizeof(configs));
		ck_assert_int_eq(um_format_parse(&f, rows[i].format), 0);
		ck_assert_int_eq(um_format_fill(&f, rows[i].value, configs, &max), 0);
		ck_assert_uint_eq(configs[0], rows[i].config);
	}
	ck_assert_int_eq(um_format_parse(&f, "config:0-7,21"), 0);
	ck_assert_int_eq(um_format_fill(&f, 0x200, configs, &max), -ERANGE);
	ck_assert_uint_eq(max, 0x1ff);
}
END_TEST

START_TEST(a_unit_number_is_decimal_or_a_long_hexadecimal_one)
{
	static const struct {
		const char *name;
		size_t suffix;
	} rows[] = {
		{ "uncore_cha_12", 3 }, { "uncore_cha", 0 }, { "cpum_cf", 0 }, { "cpu", 0 },
		{ "mrvl_ddr_pmu_87e1b0000000", 13 }, { "uncore_imc_free_running", 0 },
		{ "uncore_imc_free_running_0", 2 }, { "_0", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		ck_assert_msg(um_unit_suffix(rows[i].name, strlen(rows[i].name)) == rows[i].suffix,
			      "%s", rows[i].name);
}
END_TEST

static int note(void *user, struct um_kernel_pmu *pmu)
{
	char *names = user;

	strcat(strcat(names, pmu->name), " ");
	return 0;
}

START_TEST(a_name_means_one_unit_a_family_or_what_a_pattern_matches)
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
	struct um_kernel_pmus p;
	struct fake_tree f;

	make_tree(&f);
	ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char names[256] = "";

		um_kernel_pmus_match(&p, rows[i].text, strlen(rows[i].text), note, names);
		ck_assert_str_eq(names, rows[i].names);
	}
	um_kernel_pmus_free(&p);
	fake_free(&f);
}
END_TEST

/*
 * "TYPE CONFIG CONFIG1 FLAGS" of each unit; flags are the letters of what is excluded; +D pinned, +e
 * exclusive, +p precise.
 */
static void show(const struct um_perf_events *list, char *out, size_t size)
{
	size_t len = 0;

	*out = '\0';
	for (size_t i = 0; i < list->num; i++)
		for (size_t u = 0; u < list->events[i].num_units; u++) {
			const struct um_perf_attr *a = &list->events[i].units[u].attr;

			len += (size_t)snprintf(out + len, size - len, "%s%u:%llx:%llx%s%s%s%s%s%s%s%s",
						len ? " " : "", a->type,
						(unsigned long long)a->config[0],
						(unsigned long long)a->config[1],
						a->exclude_user ? "-u" : "",
						a->exclude_kernel ? "-k" : "",
						a->exclude_hv ? "-h" : "",
						a->exclude_host ? "-H" : "",
						a->exclude_guest ? "-G" : "",
						a->exclude_idle ? "-I" : "",
						a->pinned ? "+D" : "",
						a->exclusive ? "+e" : "");
			if (a->precise)
				len += (size_t)snprintf(out + len, size - len, "+p%u", a->precise);
		}
}

static const struct {
	const char *text, *attrs;
} strings[] = {
	{ "cycles", "0:0:0-G" },
	{ "cpu/four/", "4:11:0-G" },
	{ "cycles:u", "0:0:0-k-h-G" },
	{ "cycles:k", "0:0:0-u-h" },
	{ "cycles:uk", "0:0:0-h-G" },
	{ "cycles:h", "0:0:0-u-k" },
	{ "cycles:G", "0:0:0-H" },
	{ "cycles:GH", "0:0:0" },
	{ "cycles:p", "0:0:0-G+p1" },
	{ "cycles:", "0:0:0-G" },
	{ "cs", "1:3:0" },
	{ "LLC-load-misses", "3:10002:0-G" },
	{ "Branches", "0:4:0-G" },
	{ "r5301b1", "4:5301b1:0-G" },
	{ "cpu/event=0xb1,umask=0x1/", "4:1b1:0-G" },
	{ "cpu/event=0xb1,umask=0x1/u", "4:1b1:0-k-h-G" },
	{ "cpu/event=0xb1,umask=0x1/:u", "4:1b1:0-k-h-G" },
	{ "cpu/r1a8/", "4:1a8:0-G" },
	{ "cpu/r0x1a8/", "4:1a8:0-G" },
	{ "cpu/r1/", "4:1:0-G" },
	{ "cpu/r0x1/", "4:1:0-G" },
	{ "cpu/event='1'/", "4:1:0-G" },
	{ "cpu/config=0x12,config1=0x34/", "4:12:34-G" },
	{ "cpu/event=0x3c,event=0xc0,period=1000/", "4:fc:0-G" },
	{ "cpu/mem-loads/", "4:1cd:3-G" },
	{ "mem-loads", "4:1cd:3-G" },
	{ "cpu//", "4:0:0-G" },
	{ "msr/tsc/", "9:0:0" },
	{ "cha/event=0x35,umask=0x123456/",
	  "20:223400005635:0 21:223400005635:0 22:223400005635:0" },
	{ "uncore_cha_10/event=0x35/", "22:35:0" },
	{ "uncore_imc/cas_count_read,umask=0x80/", "30:8304:0" },
	{ "sched:sched_switch", "2:13c:0" },
	{ "sched:sched_switch:u", "2:13c:0-k-h" },
	{ "{cycles:u,instructions}:k", "0:0:0-h-G 0:1:0-u-h-G" },
	{ "{cycles:uk,instructions}:h", "0:0:0-G 0:1:0-u-k-G" },
	{ "{cycles:uh,instructions}:k", "0:0:0-G 0:1:0-u-h-G" },
	{ "{cycles:kh,instructions}:u", "0:0:0-G 0:1:0-k-h-G" },
	{ " cycles , instructions ", "0:0:0-G 0:1:0-G" },
	{ "cpu/event=0xb1,name='a b'/", "4:b1:0-G" },
	{ "cpu/event='0xb1',umask='1'/", "4:1b1:0-G" },
	/* TYPE:CONFIG, of a PMU and of a type that is none. */
	{ "20:0x35", "20:35:0" },
	{ "20:0x35:u", "20:35:0-k-h" },
	{ "0:0x1", "0:1:0-G" },
	{ "1:3", "1:3:0" },
	{ "3:0x10002", "3:10002:0-G" },
	{ "9:0", "9:0:0" },
	{ "{cycles}:", "0:0:0-G" },
	{ "cycles:HD", "0:0:0-G+D" },
	{ "cycles:He", "0:0:0-G+e" },
	{ "{cycles:He}:D", "0:0:0-G+D+e" },
	{ "{cycles:HD}:e", "0:0:0-G+D+e" },
	/* What a member says for itself stays, as perf has it. */
	{ "{cycles:pp,instructions}:k", "0:0:0-u-h-G+p2 0:1:0-u-h-G" },
	{ "{cycles:G,cycles:H}:k", "0:0:0-u-h-H 0:0:0-u-h-G" },
	{ "{cycles,cs}:G", "0:0:0-H 1:3:0-H" },
};

START_TEST(event_strings_become_what_perf_makes_of_them)
{
	struct um_perf_events list = { 0 };
	struct um_kernel_pmus p;
	struct um_error e;
	struct fake_tree f;
	char attrs[512];

	make_tree(&f);
	ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		struct um_perf_scope scope = { .pmus = &p, .access = &f.base };
		int num = um_perf_parse(&list, &scope, NULL, strings[i].text, &e);

		ck_assert_msg(num > 0, "%s: %s", strings[i].text, e.msg);
		show(&list, attrs, sizeof(attrs));
		ck_assert_msg(!strcmp(attrs, strings[i].attrs), "%s: %s, not %s", strings[i].text,
			      attrs, strings[i].attrs);
		/* The number is that of what came, whatever the list had. */
		ck_assert_int_eq(um_perf_parse(&list, &scope, NULL, strings[i].text, &e), num);
		um_perf_events_free(&list);
	}
	um_kernel_pmus_free(&p);
	fake_free(&f);
}
END_TEST

/* Where two numbers are the codes of an uncore: TYPE is decimal, and CONFIG more than a unit mask. */
static const struct {
	const char *text, *attrs; /* NULL: it is refused */
} typed[] = {
	{ "4:0x1b7", "4:1b7:0-G" }, { "4:0x1b7:P", "4:1b7:0+p3" }, { "4:0x100", "4:100:0-G" }, { "4:0xff", NULL }, { "4:0x1b", NULL },
	{ "0x4:0x1b7", NULL }, { "5:0x1b7", NULL }, { "4=1:0x1b7", NULL }, { "4:0x1b7=1", NULL },
};

START_TEST(beside_codes_of_an_uncore_a_type_has_a_config_that_is_no_unit_mask)
{
	struct um_perf_events list = { 0 };
	struct um_kernel_pmus p;
	struct um_error e;
	struct fake_tree f;
	char attrs[512];

	make_tree(&f);
	ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
	for (size_t i = 0; i < ARRAY_SIZE(typed); i++) {
		struct um_perf_scope scope = { .pmus = &p, .access = &f.base, .codes = true };
		int num = um_perf_parse(&list, &scope, NULL, typed[i].text, &e);

		ck_assert_msg((num == 1) == (typed[i].attrs != NULL), "%s: %d", typed[i].text, num);
		show(&list, attrs, sizeof(attrs));
		ck_assert_str_eq(attrs, typed[i].attrs ? typed[i].attrs : "");
		um_perf_events_free(&list);
	}
	um_kernel_pmus_free(&p);
	fake_free(&f);
}
END_TEST

static const struct {
	const char *text, *says;
} refused[] = {
	{ "", "nothing where an event should be" },
	{ "cycles,", "nothing where an event should be" },
	{ "cycles,,cs", "nothing where an event should be" },
	{ "{}", "nothing where an event should be" },
	{ "{cycles", "no closing brace" },
	{ "{cycles,{cs}}", "nothing where an event should be" },
	{ "cycles:uu", "a modifier twice" },
	{ "cycles:pppp", "a modifier twice" },
	{ "cycles:x", "unknown modifier 'x'" },
	{ "cycles/", "no closing slash" },
	{ "cpu/event=0x100/", "event 0x100 is out of range 0..0xff" },
	{ "cpu/event=-1/", "not a number: '-1'" },
	{ "cpu/event=0x/", "not a number: '0x'" },
	{ "cpu/Event=1/", "has no term or event 'Event'" },
	{ "cpu/event=1,/", "an empty term" },
	{ "cpu/event=?/", "the kernel's event wants a value for 'event'" },
	{ "cpu/event=?1/", "not a number: '?1'" },
	{ "cpu/r1b1=1/", "has no term or event 'r1b1'" },
	{ "cpu/e1b1/", "has no term or event 'e1b1'" },
	{ "cpu/r/", "has no term or event 'r'" },
	{ "cpu/five/", "the kernel's event goes round in circles: 'one'" },
	{ "cpu/self/", "the kernel's event goes round in circles: 'self'" },
	{ "cpu/r0x/", "has no term or event 'r0x'" },
	{ "cpu/event='/", "not a number" },
	{ "cpu/event=''/", "not a number" },
	{ "nosuch/event=1/", "this kernel has no PMU 'nosuch'" },
	{ "r12345678901234567", "not a name" },
	{ "UNC_NO_SUCH", "not a name" },
	{ "sched:nosuch", "not a name" },
	{ "cha/event=0x1,umask=0x80000000/", "is out of range" },
};

START_TEST(what_is_not_understood_is_refused_and_leaves_the_list_alone)
{
	struct um_perf_events list = { 0 };
	struct um_kernel_pmus p;
	struct um_error e;
	struct fake_tree f;
	struct um_perf_scope scope = { .pmus = &p, .access = &f.base };
	const unsigned num = _i ? 3 : 0;

	make_tree(&f);
	ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
	if (num)
		ck_assert_int_eq(um_perf_parse(&list, &scope, NULL, "cs,{cycles,instructions}", &e), 3);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		int err = um_perf_parse(&list, &scope, NULL, refused[i].text, &e);

		ck_assert_msg(err < 0, "%s was taken", refused[i].text);
		ck_assert_msg(strstr(e.msg, refused[i].says) != NULL, "%s: %s", refused[i].text,
			      e.msg);
		ck_assert_uint_eq(list.num, num);
		ck_assert_uint_eq(list.num_groups, num ? 2 : 0);
	}
	ck_assert_int_eq(um_perf_parse(&list, &scope, NULL, "faults", &e), 1);
	ck_assert_uint_eq(list.events[num].group, num ? 2 : 0);
	um_perf_events_free(&list);
	um_kernel_pmus_free(&p);
	fake_free(&f);
}
END_TEST

/* Only without a file any CPU will do. */
START_TEST(a_file_of_cpus_that_names_none_is_not_any_cpu)
{
	/* Every other one of 4,096 CPUs: 10 KiB. */
	char many[16384] = "0", half[70000] = "0";
	const struct {
		const char *file, *text;
		int are, err;
		size_t num;
	} rows[] = {
		{ "other", "0\n", UM_CPUS_ANY, 0, 0 },
		{ "cpumask", "0,18\n", UM_CPUS_MASK, 0, 2 },
		{ "cpus", "0-15\n", UM_CPUS_COVERED, 0, 16 },
		{ "cpumask", "\n", UM_CPUS_MASK, 0, 0 },
		{ "cpumask", "", UM_CPUS_MASK, 0, 0 },
		{ "cpus", "\n", UM_CPUS_COVERED, 0, 0 },
		{ "cpumask", "0-\n", UM_CPUS_MASK, -EINVAL, 0 },
		{ "cpumask", many, UM_CPUS_MASK, 0, 2048 },
		{ "cpumask", half, UM_CPUS_MASK, -EFBIG, 0 },
	};

	for (unsigned i = 2, len = 1; i < 4096; i += 2)
		len += (unsigned)snprintf(many + len, sizeof(many) - len, ",%u", i);
	memset(half + 1, ' ', sizeof(half) - 2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_kernel_pmus p;
		struct fake_tree f;
		char path[96];

		fake_init(&f);
		fake_add(&f, DEV "uncore_x/type", "20\n");
		snprintf(path, sizeof(path), DEV "uncore_x/%s", rows[i].file);
		fake_add(&f, path, rows[i].text);
		ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
		ck_assert_int_eq(um_kernel_pmu_load(&p, &p.pmus[0]), 0);
		ck_assert_msg((int)p.pmus[0].cpus_are == rows[i].are, "%zu", i);
		ck_assert_int_eq(p.pmus[0].cpus_err, rows[i].err);
		ck_assert_uint_eq(p.pmus[0].cpus.num, rows[i].num);
		um_kernel_pmus_free(&p);
		fake_free(&f);
	}
}
END_TEST

/* tracefs is root's, as the kernel mounts it: what is in it may not even be looked for. */
static ssize_t read_without_tracefs(struct um_access *a, const char *path, char *buf, size_t size)
{
	return strstr(path, "tracing") ? -EACCES : fake_read_text(a, path, buf, size);
}

static int parse_one(struct fake_tree *f, const char *text, char *attrs, size_t size,
		     struct um_error *e)
{
	struct um_perf_events list = { 0 };
	struct um_kernel_pmus p;
	struct um_perf_scope scope = { .pmus = &p, .access = &f->base };
	int num;

	ck_assert_int_eq(um_kernel_pmus_read(&p, &f->base), 0);
	num = um_perf_parse(&list, &scope, NULL, text, e);
	show(&list, attrs, size);
	um_perf_events_free(&list);
	um_kernel_pmus_free(&p);
	return num;
}

#define NO_LIST "names of this processor's own events come from an event list: --event-list=FILE"

/* What to do next: the PMUs that there are, each family once; where names come from. */
START_TEST(what_is_not_understood_has_advice_that_fits)
{
	static const struct {
		const char *text;
		bool traced;
		const char *hint;
	} rows[] = {
		{ "nosuch/event=1/", true, "it has cpu, msr, uncore_cha, uncore_imc, uncore_imc_free_running" },
		{ "cpu/Event=1/", true, "its terms are event, umask, offcore_rsp, and config, config1, config2" },
		{ "cpu/mem-load=1/", true, "its terms are event, umask, offcore_rsp, and config, config1, config2" },
		{ "nosuch:event", true, NO_LIST }, { "nosuch", false, NO_LIST }, { "NOSUCH:event", false, NO_LIST },
		{ "nosuch:event", false, "if it is a tracepoint: tracefs is not mounted here: mount -t tracefs "
					 "nodev /sys/kernel/tracing" },
	};
	char attrs[128];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_error e = { .hint = "" };
		struct fake_tree f;

		make_tree(&f);
		if (!rows[i].traced)
			strcpy(fake_find(&f, "sys/kernel/tracing/events/sched/sched_switch/id")->path,
			       "sys/kernel/tracing/");
		ck_assert_int_lt(parse_one(&f, rows[i].text, attrs, sizeof(attrs), &e), 0);
		ck_assert_msg(!strcmp(e.hint, rows[i].hint), "%s: %s", rows[i].text, e.hint);
		fake_free(&f);
	}
}
END_TEST

/* As "man perf-list" has it: those of a group are of all its events, beside their own. */
START_TEST(letters_of_a_group_and_of_its_event_add_up)
{
	char alone[128], of_group[128], of_event[128], text[32];
	const char *const letters = "ukhGHIPDep";
	struct um_error e;
	struct fake_tree f;

	make_tree(&f);
	for (const char *l = letters; *l; l++)
		for (const char *other = letters; *other; other++) {
			const bool same = *l == *other && *l != 'p';

			snprintf(text, sizeof(text), same ? "cycles:%c" : "cycles:%c%c", *l, *other);
			ck_assert_int_eq(parse_one(&f, text, alone, sizeof(alone), &e), 1);
			snprintf(text, sizeof(text), "{cycles:%c}:%c", *l, *other);
			ck_assert_int_eq(parse_one(&f, text, of_event, sizeof(of_event), &e), 1);
			snprintf(text, sizeof(text), "{cycles:%c}:%c", *other, *l);
			ck_assert_int_eq(parse_one(&f, text, of_group, sizeof(of_group), &e), 1);
			if (!strchr("pP", *l) || !strchr("pP", *other)) { /* the group's counts, of these */
				ck_assert_msg(!strcmp(of_event, alone), "%s: %s, not %s", text, of_event, alone);
				ck_assert_str_eq(of_group, of_event);
			}
		}
	fake_free(&f);
}
END_TEST

START_TEST(a_tracepoint_that_may_not_be_looked_for_is_no_spelling_mistake)
{
	struct um_error e;
	struct fake_tree f;
	char attrs[512];

	make_tree(&f);
	f.ops.read_text = read_without_tracefs;
	ck_assert_int_eq(parse_one(&f, "sched:sched_switch", attrs, sizeof(attrs), &e), -EACCES);
	ck_assert_int_eq(e.class, UNCOREMSR_ERROR_ACCESS);
	ck_assert_ptr_nonnull(strstr(e.msg, "'sched:sched_switch': the tracepoint's id"));
	ck_assert_ptr_nonnull(strstr(e.hint, "run as root"));
	/* What has a meaning without it needs no tracefs. */
	ck_assert_int_eq(parse_one(&f, "cycles:u", attrs, sizeof(attrs), &e), 1);
	ck_assert_int_eq(parse_one(&f, "cs:u", attrs, sizeof(attrs), &e), 1);
	ck_assert_int_eq(parse_one(&f, "r1b1:u", attrs, sizeof(attrs), &e), 1);
	ck_assert_str_eq(attrs, "4:1b1:0-k-h-G");
	ck_assert_int_eq(parse_one(&f, "r1b1", attrs, sizeof(attrs), &e), 1);
	ck_assert_str_eq(attrs, "4:1b1:0-G");
	ck_assert_int_eq(parse_one(&f, "s1b1:u", attrs, sizeof(attrs), &e), -EACCES);
	fake_free(&f);
}
END_TEST

/* What the kernel can do at most, as its file has it: one digit from 0 to 3. */
START_TEST(precision_is_what_is_asked_for_or_the_most_that_there_is)
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
		struct um_perf_events list = { 0 };
		struct um_kernel_pmus p;
		struct um_error e;
		struct fake_tree f;
		struct um_perf_scope scope = { .pmus = &p, .access = &f.base };

		fake_init(&f);
		fake_add(&f, DEV "cpu/type", "4\n");
		fake_add(&f, DEV "cpu/format/event", "config:0-7\n");
		if (rows[i].most)
			fake_add(&f, DEV "cpu/caps/max_precise", rows[i].most);
		fake_add(&f, DEV "msr/type", "9\n");
		fake_add(&f, DEV "msr/events/tsc", "event=0x00\n");
		fake_add(&f, DEV "msr/format/event", "config:0-63\n");
		ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
		ck_assert_msg(um_perf_parse(&list, &scope, NULL, rows[i].text, &e) == 1, "%s: %s",
			      rows[i].text, e.msg);
		ck_assert_msg(list.events[0].units[0].attr.precise == rows[i].precise, "%s: %u",
			      rows[i].text, list.events[0].units[0].attr.precise);
		um_perf_events_free(&list);
		um_kernel_pmus_free(&p);
		fake_free(&f);
	}
}
END_TEST

/* perf leaves guests out of what has modes, and only there is that a default. */
START_TEST(guests_are_left_out_by_default_with_and_without_a_core_pmu)
{
	static const struct {
		const char *text;
		bool without, by_default;
	} rows[] = {
		{ "cycles", true, true }, { "cycles:u", true, true }, { "cycles:k", false, false },
		{ "cycles:H", true, false }, { "cycles:P", false, false },
		{ "cycles:p", true, true }, { "cycles:kp", true, true }, { "cycles:uP", true, true },
		{ "cycles:pG", false, false }, { "cycles:D", false, false }, { "{cycles}:D", true, true },
		{ "{cycles}:P", true, true }, { "{cycles:D}:k", false, false }, { "{cycles}:G", false, false },
		{ "{cycles}:GH", false, false }, { "{cycles:G}:u", false, false }, { "{cycles:P}:k", false, false },
		{ "{cycles:H}:G", false, false }, { "r1a8", true, true },
		{ "LLC-load-misses", true, true }, { "cs", false, false },
	};
	struct fake_tree f;

	fake_init(&f);
	fake_add(&f, DEV "msr/type", "9\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_perf_events list = { 0 };
		struct um_kernel_pmus p;
		struct um_perf_scope scope = { .pmus = &p, .access = &f.base };
		struct um_error e;
		const struct um_perf_attr *a;

		ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
		ck_assert_msg(um_perf_parse(&list, &scope, NULL, rows[i].text, &e) == 1, "%s: %s",
			      rows[i].text, e.msg);
		a = &list.events[0].units[0].attr;
		ck_assert_msg(a->exclude_guest == rows[i].without &&
			      a->guest_by_default == rows[i].by_default, "%s", rows[i].text);
		um_perf_events_free(&list);
		um_kernel_pmus_free(&p);
	}
	fake_free(&f);
}
END_TEST

START_TEST(a_tracepoint_is_found_where_older_kernels_have_it_and_its_number_is_checked)
{
	struct um_error e;
	struct fake_tree f;
	char attrs[512];

	make_tree(&f);
	fake_add(&f, "sys/kernel/debug/tracing/events/irq/softirq_entry/id", "147\n");
	fake_add(&f, "sys/kernel/tracing/events/irq/damaged/id", "14x\n");
	fake_add(&f, "sys/kernel/tracing/events/irq/empty/id", "");
	ck_assert_int_eq(parse_one(&f, "irq:softirq_entry", attrs, sizeof(attrs), &e), 1);
	ck_assert_str_eq(attrs, "2:93:0");
	fake_add(&f, "sys/kernel/tracing/events/irq/first/id", "7\n");
	ck_assert_int_eq(parse_one(&f, "irq:first", attrs, sizeof(attrs), &e), 1);
	ck_assert_str_eq(attrs, "2:7:0");
	ck_assert_int_eq(parse_one(&f, "irq:damaged", attrs, sizeof(attrs), &e), -ENOENT);
	ck_assert_int_eq(parse_one(&f, "irq:empty", attrs, sizeof(attrs), &e), -ENOENT);
	ck_assert_int_eq(parse_one(&f, "irq:../irq/damaged", attrs, sizeof(attrs), &e), -ENOENT);
	fake_free(&f);
}
END_TEST

START_TEST(an_event_of_the_kernel_brings_scale_and_unit)
{
	struct um_perf_events list = { 0 };
	struct um_kernel_pmus p;
	struct um_error e;
	struct fake_tree f;

	make_tree(&f);
	ck_assert_int_eq(um_kernel_pmus_read(&p, &f.base), 0);
	{
		struct um_perf_scope scope = { .pmus = &p, .access = &f.base };

		ck_assert_int_eq(um_perf_parse(&list, &scope, NULL, "imc/cas_count_read/", &e), 1);
	}
	ck_assert_double_eq_tol(list.events[0].scale, 6.103515625e-5, 1e-15);
	ck_assert_str_eq(list.events[0].measure, "MiB");
	ck_assert_str_eq(list.events[0].pmu, "uncore_imc_0");
	ck_assert(list.events[0].is_uncore);
	um_perf_events_free(&list);
	um_kernel_pmus_free(&p);
	fake_free(&f);
}
END_TEST

START_TEST(the_42_predefined_names_are_all_there_and_in_their_classes)
{
	struct um_lookup l = { .machine = true };
	unsigned by_type[4] = { 0 };

	for (size_t i = 0; i < 42; i++) {
		struct um_meaning m;

		um_name_encode(um_perf_source.list(&l, &(size_t){ i }), &m);
		by_type[m.type]++;
	}
	ck_assert_uint_eq(by_type[0], 7);
	ck_assert_uint_eq(by_type[1], 9);
	ck_assert_uint_eq(by_type[3], 26);
}
END_TEST

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
	{ "08-010", "08-010:8-10" }, /* no octal, as in every other number */
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
		char *cpus = um_cpuset_format(&g->groups[i].cpus);

		ck_assert_ptr_nonnull(cpus);
		sprintf(out + strlen(out), "%s%s:%s", i ? " " : "", g->groups[i].text, cpus);
		free(cpus);
	}
}

START_TEST(groups_of_cores_are_written_as_collectd_has_them)
{
	for (size_t i = 0; i < ARRAY_SIZE(core_groups); i++) {
		struct um_core_groups g = { 0 };
		struct um_error e;
		char out[256];
		int err = um_core_groups_add(&g, core_groups[i].text, 64, &e);

		ck_assert_msg(err == (core_groups[i].groups ? 0 : -EINVAL), "'%s': %d",
			      core_groups[i].text, err);
		show_groups(&g, out);
		ck_assert_str_eq(out, core_groups[i].groups ? core_groups[i].groups : "");
		um_core_groups_free(&g);
	}
}
END_TEST

START_TEST(a_cpu_that_cannot_be_is_refused_with_those_that_can)
{
	struct um_core_groups g = { 0 };
	struct um_error e;

	ck_assert_int_eq(um_core_groups_add(&g, "63", 64, &e), 0);
	ck_assert_int_eq(um_core_groups_add(&g, "64", 64, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.msg, "there is no CPU 64"));
	ck_assert_str_eq(e.hint, "CPUs are 0 to 63");
	um_core_groups_free(&g);
}
END_TEST

START_TEST(a_core_in_two_groups_is_refused_and_named)
{
	struct um_core_groups g = { 0 };
	struct um_error e;

	ck_assert_int_eq(um_core_groups_add(&g, "[4-15,32-63]", 64, &e), 0);
	ck_assert_uint_eq(g.num, 44);
	ck_assert_int_eq(um_core_groups_add(&g, "0-3", 64, &e), 0);
	ck_assert_int_eq(um_core_groups_add(&g, "1-2", 64, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.msg, "CPU 1 is in group '0-3' already"));
	ck_assert_uint_eq(g.num, 45);
	um_core_groups_free(&g);
}
END_TEST

Suite *perf_events_suite(void)
{
	Suite *s = suite_create("perf_events");
	TCase *tc = tcase_create("strings");

	tcase_add_test(tc, format_files_are_read_with_several_ranges_and_refused_when_malformed);
	tcase_add_test(tc, a_value_fills_the_ranges_upward_and_is_refused_when_too_wide);
	tcase_add_test(tc, a_unit_number_is_decimal_or_a_long_hexadecimal_one);
	tcase_add_test(tc, a_name_means_one_unit_a_family_or_what_a_pattern_matches);
	tcase_add_test(tc, event_strings_become_what_perf_makes_of_them);
	tcase_add_test(tc, beside_codes_of_an_uncore_a_type_has_a_config_that_is_no_unit_mask);
	tcase_add_loop_test(tc, what_is_not_understood_is_refused_and_leaves_the_list_alone, 0, 2);
	tcase_add_test(tc, what_is_not_understood_has_advice_that_fits);
	tcase_add_test(tc, letters_of_a_group_and_of_its_event_add_up);
	tcase_add_test(tc, a_tracepoint_that_may_not_be_looked_for_is_no_spelling_mistake);
	tcase_add_test(tc, precision_is_what_is_asked_for_or_the_most_that_there_is);
	tcase_add_test(tc, guests_are_left_out_by_default_with_and_without_a_core_pmu);
	tcase_add_test(tc,
		       a_tracepoint_is_found_where_older_kernels_have_it_and_its_number_is_checked);
	tcase_add_test(tc, a_file_of_cpus_that_names_none_is_not_any_cpu);
	tcase_add_test(tc, an_event_of_the_kernel_brings_scale_and_unit);
	tcase_add_test(tc, the_42_predefined_names_are_all_there_and_in_their_classes);
	tcase_add_test(tc, groups_of_cores_are_written_as_collectd_has_them);
	tcase_add_test(tc, a_cpu_that_cannot_be_is_refused_with_those_that_can);
	tcase_add_test(tc, a_core_in_two_groups_is_refused_and_named);
	suite_add_tcase(s, tc);
	return s;
}
