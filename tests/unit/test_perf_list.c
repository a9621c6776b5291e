/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event lists in JSON, from tests/fixtures/lists. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

#define LISTS "tests/fixtures/lists/"
#define SKYLAKE "GenuineIntel-6-55-4"

static void set_up(void)
{
	tree_begin(0);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(tree(), SKYLAKE), 0);
}

static void set_up_with_old(void)
{
	set_up();
	ck_assert_int_eq(uncoremsr_event_list_add(tree(), LISTS "old.json"), 1);
}

static const char *why(void)
{
	return uncoremsr_error(tree())->message;
}

static int take_listed(void *user, const struct uncoremsr_event *ev)
{
	if (strcmp(ev->from, "list"))
		return 0;
	*(const struct uncoremsr_event **)user = ev;
	return 1;
}

static const struct uncoremsr_event *find(const char *name)
{
	const struct uncoremsr_event *found = NULL;

	uncoremsr_event_find(tree(), NULL, name, take_listed, &found);
	return found;
}

static const struct uncoremsr_event *of(const char *name)
{
	const struct uncoremsr_event *ev = find(name);

	ck_assert_msg(ev != NULL, "%s", name);
	return ev;
}

static size_t next_listed(size_t from)
{
	const struct uncoremsr_event *ev;

	while ((ev = uncoremsr_event(tree(), NULL, from)) && strcmp(ev->from, "list"))
		from++;
	return ev ? from : SIZE_MAX;
}

static const struct uncoremsr_event *listed(size_t index)
{
	size_t at = next_listed(0);

	while (at != SIZE_MAX && index--)
		at = next_listed(at + 1);
	return at == SIZE_MAX ? NULL : uncoremsr_event(tree(), NULL, at);
}

static void add_list(const char *path, int num)
{
	int got = uncoremsr_event_list_add(tree(), path);

	ck_assert_msg(got == num, "%s: %d, not %d: %s", path, got, num, got < 0 ? why() : "");
}

static int add_text(const char *text, size_t len)
{
	return add_list_text(tree(), text, len);
}

FIXTURE(.setup = set_up_with_old, .teardown = tree_end, .only_if = has_lists)

TEST(other_properties_of_an_entry_are_kept)
{
	add_list(LISTS "new.json", 1);
	ck_assert_ptr_nonnull(strstr(of("UNC_H_TEST.MATCH")->impossible, "match register"));
	ck_assert_int_eq(find("TEST.OLD_NAME")->deprecated, 1);
	ck_assert_ptr_nonnull(strstr(of("TEST.OLD_NAME")->description, "TEST.NEW_NAME"));
	ck_assert_int_ne(find("OLD.CYCLES")->deprecated, 1);
	ck_assert_str_eq(of("UNC_Q_TEST.EXTSEL")->unit, "QPI LL");
}

TEST(names_are_found_whole_and_in_any_case)
{
	ck_assert_ptr_nonnull(find("old.cycles"));
	ck_assert_ptr_eq(find("old.cycles"), find("OLD.CYCLES"));
	ck_assert_ptr_null(find("OLD.CYCLES")->impossible);
	ck_assert_ptr_null(find("OLD.CYCLE"));
	ck_assert_ptr_null(find("OLD.CYCLES_"));
	ck_assert_ptr_null(find(""));
	ck_assert_str_eq(listed(3)->name, "OLD.SWITCHES");
	ck_assert_ptr_null(listed(4));
}

/* Other programs spell names with different separators, or with different names of boxes. */
static const struct {
	const char *name, *found;
} alike[] = {
	{ "UNC_CHA_TEST:EXTENDED", "UNC_CHA_TEST.EXTENDED" }, { "unc_cha_test_extended", "UNC_CHA_TEST.EXTENDED" },
	{ "OLD:CYCLES", "OLD.CYCLES" }, { "OLD:CYCLE", NULL }, { "OLD:CYCLESS", NULL }, { "OLD-CYCLES", NULL },
	{ "UNC_C_TEST:EXTENDED", NULL },
	{ "icx_unc_cha0::UNC_C_TEST:EXTENDED", "UNC_CHA_TEST.EXTENDED" },
	{ "TEST_EXTENDED:CBOX0C0", "UNC_CHA_TEST.EXTENDED" },
	{ "icx_unc_iio0::UNC_C_TEST:EXTENDED", NULL },
	{ "UNC_:CBOX0C0", NULL }, { ":CBOX0C0", NULL },
};

TEST_EACH(other_spellings_of_a_name_are_found, ARRAY_SIZE(alike))
{
	int num;

	add_list(LISTS "new.json", 1);
	num = encode(tree(), UNCOREMSR_ROUTE_MSR, "icelake-sp", alike[_i].name);
	ck_assert_msg((num == 1) == (alike[_i].found != NULL), "%s: %d", alike[_i].name, num);
	if (num == 1)
		ck_assert_str_eq(encoded->event, alike[_i].found);
}

TEST(several_lists_are_kept_in_order_with_their_versions)
{
	add_list(LISTS "new.json.gz", 1);
	ck_assert_str_eq(uncoremsr_event_list(tree(), 0)->file, LISTS "old.json");
	ck_assert_str_eq(uncoremsr_event_list(tree(), 0)->version, "");
	ck_assert_str_eq(uncoremsr_event_list(tree(), 1)->file, LISTS "new.json.gz");
	ck_assert_str_eq(uncoremsr_event_list(tree(), 1)->version, "1.07");
	ck_assert_ptr_null(uncoremsr_event_list(tree(), 2));
	ck_assert_str_eq(listed(4)->name, "UNC_CHA_TEST.EXTENDED");
	ck_assert_ptr_nonnull(find("INST_RETIRED.ANY"));
}

TEST(a_mapfile_names_the_lists_of_a_processor)
{
	/* The file of type "offcore" (event matrix) is not an event list, and a missing file is not an error. */
	add_list(LISTS "mapped", 2);
	ck_assert_ptr_nonnull(find("MAPPED.CORE"));
	ck_assert_str_eq(of("UNC_MAPPED")->pmu, "uncore_cha");
	ck_assert_ptr_null(find("OTHER.CORE"));
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(tree(), "GenuineIntel-6-55-A"), 0);
	add_list(LISTS "mapped", 1);
	ck_assert_ptr_nonnull(find("OTHER.CORE"));
	set_up();
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(tree(), "GenuineIntel-6-97-2"), 0);
	add_list(LISTS "mapped", 2);
	ck_assert_int_eq(find("MAPPED.CORE")->core_type, 0x40);
	ck_assert_int_eq(find("OTHER.CORE")->core_type, 0x20);
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(tree(), "GenuineIntel-6-1-2"), 0);
	add_list(LISTS "mapped", -ENOENT);
	ck_assert_ptr_nonnull(strstr(why(), "none is for this processor"));
	ck_assert_ptr_nonnull(strstr(why(), "GenuineIntel-6-1-2"));
}

TEST(without_a_mapfile_lists_are_found_by_file_name_with_and_without_stepping)
{
	add_list(LISTS "named", 3);
	ck_assert_ptr_nonnull(find("NAMED.STEPPING"));
	ck_assert_ptr_nonnull(find("NAMED.MODEL"));
	ck_assert_str_eq(of("NAMED.BOTH")->terms, "event=0x2");
	ck_assert_str_eq(of("UNC_NAMED")->pmu, "uncore_imc");
	ck_assert_ptr_null(find("NAMED.SEVEN"));
	ck_assert_ptr_null(find("NAMED.NEHALEM"));
	ck_assert_int_eq(uncoremsr_event_list_set_cpu(tree(), "GenuineIntel-6-97-4"), 0);
	add_list(LISTS "named", -ENOENT);
}

/* ---- JSON variants with the same meaning ---- */

FIXTURE(.setup = set_up, .teardown = tree_end, .only_if = has_lists)

/* The event ODD with code 0x3c and unit mask 2, in different JSON notations. */
static const char *const spellings[] = {
	"[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	"\xef\xbb\xbf[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	" \t\r\n[ { \"UMask\" : \"2\" ,\n\"EventName\"\t:\r\n\"ODD\",\"EventCode\":\"0x3c\" } ] \n",
	/* One character of the event's name, or of a key, as a \u escape. */
	"[{\"EventName\":\"O\\u0044D\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	"[{\"Event\\u004eame\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	/* Quotes, brackets and commas in strings; nested values; numbers; null. */
	"[{\"BriefDescription\":\"a \\\"b\\\" ]},{\",\"EventName\":\"ODD\",\"EventCode\":\"0x3c\","
	"\"UMask\":\"2\"}]",
	"[{\"BriefDescription\":\"]},{[\",\"EventName\":\"ODD\","
	"\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	"[{\"x\":[{\"EventName\":\"NOT_ODD\"}],\"y\":1.5e3,\"z\":null,\"EventName\":\"ODD\","
	"\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	/* Letters outside ASCII. */
	"[{\"BriefDescription\":\"Intel\xc2\xae\",\"EventName\":\"ODD\",\"EventCode\":\"0x3c\","
	"\"UMask\":\"2\"}]",
	/* If a key occurs twice, the last value is used. */
	"[{\"EventName\":\"EVEN\",\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}]",
	/* perfmon's newer form: an object with the events in "Events". All other members and entries are ignored. */
	"{\"Events\":[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\",\"UMask\":\"2\"}],"
	"\"More\":{\"a\":[]}}",
	"{\"Header\":{},\"n\":3,\"Events\":[{\"EventName\":\"ODD\",\"EventCode\":\"0x3c\","
	"\"UMask\":\"2\"},7,\"x\",[],{},{\"EventName\":8}]}",
};

TEST_EACH(a_list_has_the_same_events_in_every_json_notation, ARRAY_SIZE(spellings))
{
	const struct uncoremsr_event *ev;

	ck_assert_msg(add_text(spellings[_i], strlen(spellings[_i])) == 1, "%s", why());
	ev = find("odd");
	ck_assert_ptr_nonnull(ev);
	ck_assert_str_eq(ev->name, "ODD");
	ck_assert_str_eq(ev->terms, "event=0x3c,umask=0x2");
	ck_assert_ptr_eq(listed(0), ev);
	ck_assert_ptr_null(listed(1));
	ck_assert_ptr_null(find("NOT_ODD"));
	ck_assert_ptr_null(find("EVEN"));
}

/* Only the field Unit selects the type of core, although more fields may contain the same word. */
static const struct {
	const char *rest;
	int core_type; /* -1: any */
} kinds[] = {
	{ "\"Unit\":\"cpu_core\"", 0x40 },
	{ "\"Unit\":\"cpu_atom\"", 0x20 },
	{ "\"Unit\" : \"cpu\\u005fcore\"", 0x40 },
	{ "\"Unit\":\"cpu_atom\",\"BriefDescription\":\"cpu_core\"", 0x20 },
	{ "\"BriefDescription\":\"cpu_core\"", -1 },
	{ "\"BriefDescription\":\"cpu_atom\",\"Unit\":\"CBO\"", -1 },
	{ "\"BriefDescription\":\"as \\\"cpu_core\\\" has it\"", -1 },
	{ "\"cpu_core\":\"Unit\"", -1 },
	{ "\"Unit\":7,\"Other\":[\"cpu_atom\"]", -1 },
};

TEST_EACH(the_unit_of_an_entry_gives_its_kind_of_core, ARRAY_SIZE(kinds))
{
	char text[160];

	snprintf(text, sizeof(text), "[{\"EventName\":\"ODD\",\"EventCode\":1,%s}]", kinds[_i].rest);
	ck_assert_msg(add_text(text, strlen(text)) == 1, "%s", why());
	ck_assert_int_eq(find("ODD")->core_type, kinds[_i].core_type);
}

/* Pseudo codes of fixed counters are replaced by real codes; real codes are not changed. */
static const struct {
	const char *fields, *terms;
} fixed_codes[] = {
	{ "\"EventName\":\"CPU_CLK_UNHALTED.REF\",\"EventCode\":\"0x0\",\"UMask\":\"0x03\"", "event=0x0,umask=0x3" },
	{ "\"EventName\":\"CPU_CLK_UNHALTED.REF\",\"EventCode\":\"0x3c\",\"UMask\":\"0x01\"",
	  "event=0x3c,umask=0x1" },
	{ "\"EventName\":\"CPU_CLK_UNHALTED.THREAD\",\"EventCode\":\"0x00\",\"UMask\":\"0x02\"", "event=0x3c" },
};

TEST_EACH(only_pseudo_codes_of_fixed_counters_are_replaced, ARRAY_SIZE(fixed_codes))
{
	char text[160];

	snprintf(text, sizeof(text), "[{%s}]", fixed_codes[_i].fields);
	ck_assert_msg(add_text(text, strlen(text)) == 1, "%s", why());
	ck_assert_str_eq(listed(0)->terms, fixed_codes[_i].terms);
}

/* ---- malformed lists ---- */

FIXTURE(.setup = set_up_with_old, .teardown = tree_end, .only_if = has_lists)

static const struct {
	const char *text, *says;
	size_t len; /* 0 means the length of @text */
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
	{ "{\"Header\":{\"Version\":\"1\"},\"Events\":7}", "it contains no event", 0 },
	{ "{}", "it contains no event", 0 },
	{ "[7,{\"Name\":\"A\"}]", "it contains no event", 0 },
};

TEST_EACH(invalid_json_anywhere_in_a_list_is_refused_and_nothing_is_added, ARRAY_SIZE(malformed))
{
	size_t len = malformed[_i].len ? malformed[_i].len : strlen(malformed[_i].text);

	ck_assert_int_eq(add_text(malformed[_i].text, len), -EINVAL);
	ck_assert_msg(strstr(why(), malformed[_i].says) != NULL, "%s", why());
	ck_assert_ptr_null(listed(4));
	ck_assert_ptr_null(uncoremsr_event_list(tree(), 1));
	ck_assert_ptr_null(find("A"));
	ck_assert_ptr_null(find("B"));
	ck_assert_ptr_nonnull(find("OLD.CYCLES"));
}

/* ---- many names, and duplicates ---- */

enum { MANY = 5000 };

TEST(all_of_many_names_are_found_and_of_equal_names_the_first)
{
	size_t size, at;
	char *text, name[32], terms[32];
	FILE *f = open_memstream(&text, &size);

	fputc('[', f);
	for (unsigned i = 0; i < 2 * MANY; i++)
		fprintf(f, "%s{\"EventName\":\"%s_%u\",\"EventCode\":\"%u\",\"UMask\":\"%u\"}",
			i ? "," : "", i < MANY ? "EV" : "ev", i % MANY, i % MANY % 200 + 1,
			i / MANY);
	fputc(']', f);
	fclose(f);
	ck_assert_int_eq(add_text(text, size), 1);
	at = next_listed(0);
	for (unsigned i = 0; i < 4 + 2 * MANY; i++, at = next_listed(at + 1)) {
		const struct uncoremsr_event *ev = uncoremsr_event(tree(), NULL, at);

		ck_assert_ptr_nonnull(ev);
		if (i < 4 || i >= 4 + MANY)
			continue;
		snprintf(name, sizeof(name), "Ev_%u", i - 4);
		snprintf(terms, sizeof(terms), "event=0x%x", (i - 4) % 200 + 1);
		ck_assert_msg(find(name) == ev && !strcmp(ev->terms, terms), "%s", name);
	}
	ck_assert_uint_eq(at, SIZE_MAX);
	ck_assert_ptr_null(find("EV_5000"));
	ck_assert_str_eq(listed(4 + MANY)->name, "ev_0");
	free(text);
}

SUITE(perf_list)
