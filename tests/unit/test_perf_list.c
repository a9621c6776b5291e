/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event lists in JSON: tests/fixtures/lists, which were made for this. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_tree.h"
#include "perf/from_tables.h"
#include "events/json_list.h"
#include "suites.h"

#define LISTS "tests/fixtures/lists/"

static struct um_json_lists *lists;
static struct um_error why;
static struct um_identity skylake = { .source = "cpuid", .vendor = "GenuineIntel", .family = 6,
				      .model = 0x55, .stepping = 4 };

static void set_up(void)
{
	ck_assert_int_eq(um_json_new(&lists), 0);
}

static void tear_down(void)
{
	um_json_free(lists);
}

/*
 * A library that was made with JSON=no has no lists, and says so. @function: libcheck's name for
 * the test, which has "_fn" at its end.
 */
static bool is_left_out(const char *function)
{
	if (um_json_add(lists, LISTS "old.json", &skylake, &why) != -ENOTSUP)
		return false;
	ck_assert_ptr_nonnull(strstr(why.msg, "built without JSON event lists"));
	fprintf(stderr, "%.*s: skipped: built without JSON event lists\n",
		(int)strlen(function) - 3, function);
	return true;
}

#define left_out() is_left_out(__func__)

static const struct um_json_event *find(const char *name)
{
	return um_json_find(lists, name, strlen(name));
}

static void add(const char *path, int num)
{
	int got = um_json_add(lists, path, &skylake, &why);

	ck_assert_msg(got == num, "%s: %d, not %d: %s", path, got, num, got < 0 ? why.msg : "");
}

/* A list that is written here. Returns what adding it gave. */
static int add_text(const char *text, size_t len)
{
	int fd = memfd_create("list", MFD_CLOEXEC), num;
	char path[64];

	ck_assert_int_eq(write(fd, text, len), (int)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	num = um_json_add(lists, path, &skylake, &why);
	close(fd);
	return num;
}

static const struct {
	const char *name, *pmu, *terms, *counters;
} entries[] = {
	{ "OLD.CYCLES", "cpu", "event=0x3c", "0,1,2,3" },
	{ "OLD.OFFCORE", "cpu", "event=0xb7,umask=0x1,offcore_rsp=0x3fbfc00001", "0,1,2,3" },
	{ "OLD.LATENCY", "cpu", "event=0xcd,umask=0x1,ldlat=0x80", "0,1,2,3" },
	{ "OLD.SWITCHES", "cpu", "event=0x79,umask=0x30,cmask=0x4,inv=0x1,edge=0x1", "0,1,2,3" },
	{ "UNC_CHA_TEST.EXTENDED", "uncore_cha", "event=0x35,umask=0xc816fe21", "0,1,2,3" },
	{ "UNC_IIO_TEST.PART0", "uncore_iio", "event=0x83,umask=0x1,ch_mask=0x1,fc_mask=0x7",
	  "0,1" },
	{ "UNC_CHA_TEST.FILTERED", "uncore_cha", "event=0x36,umask=0x24,config1=0x4043300000000",
	  "0" },
	{ "UNC_Q_TEST.EXTSEL", "uncore_qpi", "event=0x102,umask=0x8", "0,1,2,3" },
	{ "UNC_M_TEST.CLOCK", "uncore_imc", "event=0xff", "FIXED" },
	{ "UNC_IIO_TEST.BANDWIDTH_IN.PART3_FREERUN", "uncore_iio_free_running",
	  "event=0xff,umask=0x23", "0" },
	{ "UNC_P_TEST.C0", "uncore_pcu", "event=0x80,umask=0x40", "0,1,2,3" },
	{ "INST_RETIRED.ANY", "cpu", "event=0xc0", "Fixed counter 0" },
	{ "TEST.OLD_NAME", "cpu", "event=0xc6,umask=0x1,frontend=0x11", "0,1" },
};

START_TEST(fields_of_an_entry_become_terms_of_a_pmu)
{
	const struct um_json_event *ev;

	set_up();
	if (!left_out()) {
		add(LISTS "new.json", 1);
		ev = find(entries[_i].name);
		ck_assert_ptr_nonnull(ev);
		ck_assert_str_eq(ev->pmu, entries[_i].pmu);
		ck_assert_str_eq(ev->terms, entries[_i].terms);
		ck_assert_str_eq(ev->counters, entries[_i].counters);
		ck_assert_str_eq(ev->impossible, "");
		/* Made once, not at each look. */
		ck_assert_ptr_eq(find(entries[_i].name), ev);
	}
	tear_down();
}
END_TEST

START_TEST(what_an_entry_says_besides_its_terms_is_kept)
{
	set_up();
	if (!left_out()) {
		add(LISTS "new.json", 1);
		ck_assert_str_eq(find("UNC_P_TEST.C0")->occ_terms, "event=0x80,occ_sel=0x1");
		ck_assert_str_eq(find("UNC_CHA_TEST.EXTENDED")->occ_terms, "");
		ck_assert_ptr_nonnull(strstr(find("UNC_H_TEST.MATCH")->impossible,
					     "match register"));
		ck_assert(find("TEST.OLD_NAME")->deprecated);
		ck_assert_ptr_nonnull(strstr(find("TEST.OLD_NAME")->description, "TEST.NEW_NAME"));
		ck_assert(!find("OLD.CYCLES")->deprecated);
		ck_assert_str_eq(find("UNC_Q_TEST.EXTSEL")->unit, "QPI LL");
	}
	tear_down();
}
END_TEST

START_TEST(names_are_found_whole_and_in_any_case)
{
	set_up();
	if (!left_out()) {
		ck_assert_ptr_nonnull(find("old.cycles"));
		ck_assert_ptr_eq(find("old.cycles"), find("OLD.CYCLES"));
		ck_assert_ptr_null(find("OLD.CYCLE"));
		ck_assert_ptr_null(find("OLD.CYCLES_"));
		ck_assert_ptr_null(find(""));
		ck_assert_ptr_nonnull(um_json_find(lists, "OLD.CYCLES:config1=1", 10));
		ck_assert_str_eq(um_json_event(lists, 3)->name, "OLD.SWITCHES");
		ck_assert_ptr_null(um_json_event(lists, 4));
	}
	tear_down();
}
END_TEST

/* What other programs write between the words, and of the box. */
static const struct {
	const char *pmu, *name, *found;
} alike[] = {
	{ NULL, "UNC_CHA_TEST:EXTENDED", "UNC_CHA_TEST.EXTENDED" },
	{ NULL, "unc_cha_test_extended", "UNC_CHA_TEST.EXTENDED" },
	{ NULL, "OLD:CYCLES", "OLD.CYCLES" },
	{ NULL, "OLD:CYCLE", NULL }, { NULL, "OLD:CYCLESS", NULL }, { NULL, "OLD-CYCLES", NULL },
	{ NULL, "UNC_C_TEST:EXTENDED", NULL },
	{ "uncore_cha", "UNC_C_TEST:EXTENDED", "UNC_CHA_TEST.EXTENDED" },
	{ "uncore_cha", "TEST_EXTENDED", "UNC_CHA_TEST.EXTENDED" },
	{ "uncore_iio", "UNC_C_TEST:EXTENDED", NULL },
	{ "uncore_cha", "UNC_", NULL }, { "uncore_cha", "", NULL },
};

START_TEST(other_spellings_of_a_name_are_found)
{
	const char *pmu = alike[_i].pmu, *name = alike[_i].name;
	const struct um_json_event *ev;

	set_up();
	if (!left_out()) {
		add(LISTS "new.json", 1);
		ev = pmu ? um_json_find_on(lists, pmu, name, strlen(name)) : find(name);
		if (alike[_i].found)
			ck_assert_msg(ev && !strcmp(ev->name, alike[_i].found), "%s", name);
		else
			ck_assert_msg(!ev, "%s: %s", name, ev ? ev->name : "");
	}
	tear_down();
}
END_TEST

START_TEST(several_lists_stand_behind_each_other_with_their_versions)
{
	const char *version;

	set_up();
	if (!left_out()) {
		add(LISTS "new.json.gz", 1);
		ck_assert_str_eq(um_json_file(lists, 0, &version), LISTS "old.json");
		ck_assert_str_eq(version, "");
		ck_assert_str_eq(um_json_file(lists, 1, &version), LISTS "new.json.gz");
		ck_assert_str_eq(version, "1.07");
		ck_assert_ptr_null(um_json_file(lists, 2, &version));
		ck_assert_str_eq(um_json_event(lists, 4)->name, "UNC_CHA_TEST.EXTENDED");
		ck_assert_ptr_nonnull(find("INST_RETIRED.ANY"));
	}
	tear_down();
}
END_TEST

START_TEST(a_mapfile_names_the_lists_of_a_processor)
{
	set_up();
	if (!left_out()) {
		/* The matrix is no list, a file that was not downloaded is no mistake. */
		add(LISTS "mapped", 2);
		ck_assert_ptr_nonnull(find("MAPPED.CORE"));
		ck_assert_str_eq(find("UNC_MAPPED")->pmu, "uncore_cha");
		ck_assert_ptr_null(find("OTHER.CORE"));
		skylake.stepping = 10;
		add(LISTS "mapped", 1);
		ck_assert_ptr_nonnull(find("OTHER.CORE"));
		skylake.model = 0x97;
		skylake.stepping = 2;
		tear_down();
		set_up();
		add(LISTS "mapped", 2);
		ck_assert_uint_eq(find("MAPPED.CORE")->core_type, 0x40);
		ck_assert_uint_eq(find("OTHER.CORE")->core_type, 0x20);
		skylake.model = 0x01;
		add(LISTS "mapped", -ENOENT);
		ck_assert_ptr_nonnull(strstr(why.msg, "none is for this processor"));
		ck_assert_ptr_nonnull(strstr(why.msg, "GenuineIntel-6-1-2"));
	}
	skylake.model = 0x55;
	skylake.stepping = 4;
	tear_down();
}
END_TEST

START_TEST(without_a_mapfile_file_names_tell_with_and_without_stepping)
{
	set_up();
	if (!left_out()) {
		add(LISTS "named", 3);
		ck_assert_ptr_nonnull(find("NAMED.STEPPING"));
		ck_assert_ptr_nonnull(find("NAMED.MODEL"));
		/* The nearer one is first. */
		ck_assert_str_eq(find("NAMED.BOTH")->terms, "event=0x2");
		ck_assert_str_eq(find("UNC_NAMED")->pmu, "uncore_imc");
		ck_assert_ptr_null(find("NAMED.SEVEN"));
		ck_assert_ptr_null(find("NAMED.NEHALEM"));
		skylake.model = 0x97;
		add(LISTS "named", -ENOENT);
		skylake.model = 0x55;
	}
	tear_down();
}
END_TEST

static const struct {
	const char *file;
	int err;
	const char *says;
} refused[] = {
	{ LISTS "broken.json", -EINVAL, LISTS "broken.json: line 4: " },
	{ LISTS "cut.json.gz", -EINVAL, "cut.json.gz: line " },
	{ LISTS "empty.json", -EINVAL, "there is no event in it" },
	{ LISTS "mapped/TST/events/matrix.json", -EINVAL, "there is no event in it" },
	{ LISTS "mapped/mapfile.csv", -EINVAL, "mapfile.csv: line 1: " },
	{ LISTS "nosuch.json", -ENOENT, "nosuch.json: No such file" },
};

START_TEST(what_is_no_list_is_refused_with_file_and_line)
{
	set_up();
	if (!left_out()) {
		add(refused[_i].file, refused[_i].err);
		ck_assert_msg(strstr(why.msg, refused[_i].says) != NULL, "%s", why.msg);
		/* The list that was there is still whole. */
		ck_assert_ptr_nonnull(find("OLD.SWITCHES"));
		ck_assert_ptr_null(um_json_event(lists, 4));
	}
	tear_down();
}
END_TEST

/* ---- many ways to write the same ---- */

/* One event ODD, code 0x3c, mask 2, among whatever JSON allows. */
static const char *const spellings[] = {
	"[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	"\xef\xbb\xbf[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	" \t\r\n[ { \"UMask\" : \"2\" ,\n\"EventName\"\t:\r\n\"ODD\",\"EventCode\":\"0x3c\" } ] \n",
	/* A character of the name by its number, and of the key. */
	"[{\"EventName\":\"O\\u0044D\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	"[{\"Event\\u004eame\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	/* Quotes, brackets and commas inside of strings, nested values, numbers, none. */
	"[{\"BriefDescription\":\"a \\\"b\\\" ]},{\",\"EventName\":\"ODD\",\"EventCode\":\"0x3c\","
	"\"UMask\":\"2\"}]",
	"[{\"BriefDescription\":\"]},{[\",\"EventName\":\"ODD\","
	"\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	"[{\"x\":[{\"EventName\":\"NOT_ODD\"}],\"y\":1.5e3,\"z\":null,\"EventName\":\"ODD\","
	"\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	/* Letters beyond ASCII. */
	"[{\"BriefDescription\":\"Intel\xc2\xae\",\"EventName\":\"ODD\",\"EventCode\":\"0x3c\","
	"\"UMask\":\"2\"}]",
	/* Of two values the last one counts. */
	"[{\"EventName\":\"EVEN\",\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	/* The new form, with other things around; entries that are no events behind the first. */
	"{\"Events\":[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}],"
	"\"More\":{\"a\":[]}}",
	"{\"Header\":{},\"n\":3,\"Events\":[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\","
	"\"UMask\":\"2\"},7,\"x\",[],{},{\"EventName\":8}]}",
};

START_TEST(a_list_means_the_same_however_it_is_written)
{
	const struct um_json_event *ev;

	set_up();
	if (!left_out()) {
		tear_down();
		set_up();
		ck_assert_msg(add_text(spellings[_i], strlen(spellings[_i])) == 1, "%s", why.msg);
		ev = find("odd");
		ck_assert_ptr_nonnull(ev);
		ck_assert_str_eq(ev->name, "ODD");
		ck_assert_str_eq(ev->terms, "event=0x3c,umask=0x2");
		ck_assert_ptr_eq(um_json_event(lists, 0), ev);
		ck_assert_ptr_null(um_json_event(lists, 1));
		ck_assert_ptr_null(find("NOT_ODD"));
		ck_assert_ptr_null(find("EVEN"));
	}
	tear_down();
}
END_TEST

/* Which kind of core an entry is for is said by its Unit, not by what else has the word. */
static const struct {
	const char *rest;
	uint8_t core_type;
} kinds[] = {
	{ "\"Unit\":\"cpu_core\"", 0x40 },
	{ "\"Unit\":\"cpu_atom\"", 0x20 },
	{ "\"Unit\" : \"cpu\\u005fcore\"", 0x40 },
	{ "\"Unit\":\"cpu_atom\",\"BriefDescription\":\"cpu_core\"", 0x20 },
	{ "\"BriefDescription\":\"cpu_core\"", 0 },
	{ "\"BriefDescription\":\"cpu_atom\",\"Unit\":\"CBO\"", 0 },
	{ "\"BriefDescription\":\"as \\\"cpu_core\\\" has it\"", 0 },
	{ "\"cpu_core\":\"Unit\"", 0 },
	{ "\"Unit\":7,\"Other\":[\"cpu_atom\"]", 0 },
};

START_TEST(the_unit_of_an_entry_tells_its_kind_of_core)
{
	char text[160];

	set_up();
	if (!left_out()) {
		tear_down();
		set_up();
		snprintf(text, sizeof(text), "[{\"EventName\":\"ODD\",\"EventCode\":1,%s}]", kinds[_i].rest);
		ck_assert_msg(add_text(text, strlen(text)) == 1, "%s", why.msg);
		ck_assert_uint_eq(find("ODD")->core_type, kinds[_i].core_type);
	}
	tear_down();
}
END_TEST

/* Pseudo codes of fixed counters become real ones; a real code is kept. */
static const struct {
	const char *fields, *terms;
} fixed_codes[] = {
	{ "\"EventName\":\"CPU_CLK_UNHALTED.REF\",\"EventCode\":\"0x0\",\"UMask\":\"0x03\"",
	  "event=0x0,umask=0x3" },
	{ "\"EventName\":\"CPU_CLK_UNHALTED.REF\",\"EventCode\":\"0x3c\",\"UMask\":\"0x01\"",
	  "event=0x3c,umask=0x1" },
	{ "\"EventName\":\"CPU_CLK_UNHALTED.THREAD\",\"EventCode\":\"0x00\",\"UMask\":\"0x02\"",
	  "event=0x3c" },
};

START_TEST(only_pseudo_codes_of_fixed_counters_are_replaced)
{
	char text[160];

	set_up();
	if (!left_out()) {
		tear_down();
		set_up();
		snprintf(text, sizeof(text), "[{%s}]", fixed_codes[_i].fields);
		ck_assert_msg(add_text(text, strlen(text)) == 1, "%s", why.msg);
		ck_assert_str_eq(um_json_event(lists, 0)->terms, fixed_codes[_i].terms);
	}
	tear_down();
}
END_TEST

static const struct {
	const char *text, *says;
	size_t len; /* 0: the text's */
} malformed[] = {
	{ "", "line 1: an array or an object expected", 0 },
	{ "\n\n7", "line 3: an array or an object expected", 0 },
	{ "[", "line 1: ", 0 },
	{ "[{\"EventName\":\"A\"}", "line 1: ',' or ']' expected", 0 },
	{ "[{\"EventName\":\"A\"}\n{\"EventName\":\"B\"}]", "line 2: ',' or ']' expected", 0 },
	{ "[{\"EventName\":\"A\"},]", "line 1: ", 0 },
	{ "[{\"EventName\":\"A\"},\n{\"EventName\":\"B\",\n\"x\":}]", "line 3: ", 0 },
	{ "[{\"EventName\":\"A\"},\n{\"EventName\":\"B\"", "line 2: ", 0 },
	{ "[{\"EventName\":\"A\"},\n{\"EventName\":\"B\" \"x\":\"y\"}]", "line 2: ", 0 },
	{ "[{\"EventName\":\"A\"},{\"EventName\":\"B\",}]", "line 1: ", 0 },
	{ "[{\"EventName\":\"A\"},{\"EventName\":\"B\xff\"}]", "line 1: ", 0 },
	{ "[{\"EventName\":\"A\tB\"}]", "line 1: ", 0 },
	{ "[{\"EventName\":\"A\\u0000B\"}]", "line 1: ", 0 },
	{ "[{\"EventName\":\"A\0B\"}]", "line 1: ", 21 },
	{ "[{\"EventName\":\"A\"}\0,{\"EventName\":\"B\"}]", "line 1: ',' or ']' expected", 38 },
	{ "{\"Events\":[{\"EventName\":\"A\"}]", "line 1: ',' or '}' expected", 0 },
	{ "{\"Events\"\n[]}", "line 2: ':' expected", 0 },
	{ "{Events:[]}", "line 1: a name in quotes expected", 0 },
	{ "{\"Header\":{\"Version\":\"1\"},\"Events\":7}", "there is no event in it", 0 },
	{ "{}", "there is no event in it", 0 },
	{ "[7,{\"Name\":\"A\"}]", "there is no event in it", 0 },
};

START_TEST(what_is_no_json_is_refused_wherever_it_stands_and_leaves_nothing)
{
	size_t len = malformed[_i].len ? malformed[_i].len : strlen(malformed[_i].text);

	set_up();
	if (!left_out()) {
		ck_assert_int_eq(add_text(malformed[_i].text, len), -EINVAL);
		ck_assert_msg(strstr(why.msg, malformed[_i].says) != NULL, "%s", why.msg);
		ck_assert_ptr_null(um_json_event(lists, 4));
		ck_assert_ptr_null(um_json_file(lists, 1, NULL));
		ck_assert_ptr_null(find("A"));
		ck_assert_ptr_null(find("B"));
		ck_assert_ptr_nonnull(find("OLD.CYCLES"));
	}
	tear_down();
}
END_TEST

/* ---- many names, and equal ones ---- */

enum { MANY = 5000 };

START_TEST(each_of_many_names_is_found_and_of_equal_ones_the_first)
{
	size_t size;
	char *text, name[32], terms[32];
	FILE *f = open_memstream(&text, &size);

	set_up();
	/* Each name twice, in upper and lower case. */
	fputc('[', f);
	for (unsigned i = 0; i < 2 * MANY; i++)
		fprintf(f, "%s{\"EventName\":\"%s_%u\",\"EventCode\":\"%u\",\"UMask\":\"%u\"}",
			i ? "," : "", i < MANY ? "EV" : "ev", i % MANY, i % MANY % 200 + 1,
			i / MANY);
	fputc(']', f);
	fclose(f);
	if (!left_out()) {
		ck_assert_int_eq(add_text(text, size), 1);
		for (unsigned i = 0; i < MANY; i++) {
			snprintf(name, sizeof(name), "Ev_%u", i);
			snprintf(terms, sizeof(terms), "event=0x%x", i % 200 + 1);
			ck_assert_str_eq(find(name)->terms, terms);
			ck_assert_ptr_eq(find(name), um_json_event(lists, 4 + i));
		}
		ck_assert_ptr_null(find("EV_5000"));
		ck_assert_str_eq(um_json_event(lists, 4 + MANY)->name, "ev_0");
		ck_assert_ptr_null(um_json_event(lists, 4 + 2 * MANY));
	}
	free(text);
	tear_down();
}
END_TEST

/* ---- two kinds of cores ---- */

static void make_hybrid(struct fake_tree *f)
{
	fake_init(f);
	fake_add(f, "sys/bus/event_source/devices/cpu_core/type", "4\n");
	fake_add(f, "sys/bus/event_source/devices/cpu_core/format/event", "config:0-7\n");
	fake_add(f, "sys/bus/event_source/devices/cpu_atom/type", "10\n");
	fake_add(f, "sys/bus/event_source/devices/cpu_atom/format/event", "config:0-7\n");
}

/* "cpu_core:2 cpu_atom:3" */
static void expect_units(struct um_kernel_pmus *pmus, struct um_access *access, const char *name,
			 const char *units)
{
	struct um_perf_scope scope = { .pmus = pmus, .lists = lists, .access = access };
	struct um_perf_events events = { .num = 0 };
	char got[128] = "";

	ck_assert_msg(um_perf_parse(&events, &scope, NULL, name, &why) == 1, "%s: %s", name, why.msg);
	for (size_t i = 0; i < events.events[0].num_units; i++) {
		const struct um_perf_unit *unit = &events.events[0].units[i];

		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s:%llx", i ? " " : "",
			 unit->pmu->name, (unsigned long long)unit->attr.config[0]);
	}
	ck_assert_str_eq(got, units);
	um_perf_events_free(&events);
}

START_TEST(a_name_of_two_kinds_of_cores_is_an_event_of_each_with_its_own_code)
{
	struct um_identity adl = { .source = "cpuid", .vendor = "GenuineIntel", .family = 6,
				   .model = 0x97, .stepping = 2 };
	struct um_kernel_pmus pmus;
	struct fake_tree f;

	set_up();
	make_hybrid(&f);
	ck_assert_int_eq(um_kernel_pmus_read(&pmus, &f.base), 0);
	if (!left_out()) {
		tear_down();
		set_up();
		ck_assert_int_eq(um_json_add(lists, LISTS "hybrid", &adl, &why), 2);
		expect_units(&pmus, &f.base, "BOTH", "cpu_core:2 cpu_atom:3");
		expect_units(&pmus, &f.base, "both", "cpu_core:2 cpu_atom:3");
		expect_units(&pmus, &f.base, "CORE_ONLY", "cpu_core:4");
		expect_units(&pmus, &f.base, "ATOM_ONLY", "cpu_atom:5");
		ck_assert_str_eq(um_json_find_for(lists, "both", 4, 0x40)->terms, "event=0x2");
		ck_assert_str_eq(um_json_find_for(lists, "BOTH", 4, 0x20)->terms, "event=0x3");
		ck_assert_ptr_null(um_json_find_for(lists, "ATOM_ONLY", 9, 0x40));
		ck_assert_ptr_null(um_json_find_for(lists, "BOTH", 4, 0));
		ck_assert_ptr_eq(find("BOTH"), um_json_event(lists, 0));
	}
	um_kernel_pmus_free(&pmus);
	fake_free(&f);
	tear_down();
}
END_TEST

Suite *perf_list_suite(void)
{
	Suite *s = suite_create("perf_list");
	TCase *tc = tcase_create("lists");

	tcase_add_loop_test(tc, fields_of_an_entry_become_terms_of_a_pmu, 0,
			    sizeof(entries) / sizeof(entries[0]));
	tcase_add_test(tc, what_an_entry_says_besides_its_terms_is_kept);
	tcase_add_test(tc, names_are_found_whole_and_in_any_case);
	tcase_add_loop_test(tc, other_spellings_of_a_name_are_found, 0,
			    sizeof(alike) / sizeof(alike[0]));
	tcase_add_test(tc, several_lists_stand_behind_each_other_with_their_versions);
	tcase_add_test(tc, a_mapfile_names_the_lists_of_a_processor);
	tcase_add_test(tc, without_a_mapfile_file_names_tell_with_and_without_stepping);
	tcase_add_loop_test(tc, what_is_no_list_is_refused_with_file_and_line, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_loop_test(tc, a_list_means_the_same_however_it_is_written, 0,
			    sizeof(spellings) / sizeof(spellings[0]));
	tcase_add_loop_test(tc, only_pseudo_codes_of_fixed_counters_are_replaced, 0,
			    sizeof(fixed_codes) / sizeof(fixed_codes[0]));
	tcase_add_loop_test(tc, the_unit_of_an_entry_tells_its_kind_of_core, 0,
			    sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_loop_test(tc,
			    what_is_no_json_is_refused_wherever_it_stands_and_leaves_nothing, 0,
			    sizeof(malformed) / sizeof(malformed[0]));
	tcase_add_test(tc, each_of_many_names_is_found_and_of_equal_ones_the_first);
	tcase_add_test(tc, a_name_of_two_kinds_of_cores_is_an_event_of_each_with_its_own_code);
	suite_add_tcase(s, tc);
	return s;
}
