/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Named events of all tables, name patterns, and suggestions of similar names. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

struct found {
	char names[16384];
	const struct uncoremsr_event *first;
};
static struct found found;

static int note_event(void *user, const struct uncoremsr_event *ev)
{
	size_t len = strlen(found.names);

	(void)user;
	found.first = found.first ? found.first : ev;
	snprintf(found.names + len, sizeof(found.names) - len, "%s ", ev->name);
	return 0;
}

static int look_for(const char *uarch, const char *text)
{
	found.names[0] = '\0';
	found.first = NULL;
	return uncoremsr_event_find(tables(), uarch, text, note_event, NULL);
}

static const struct uncoremsr_event *find(const char *uarch, const char *name)
{
	return look_for(uarch, name) == 1 ? found.first : NULL;
}

/* ---- every event of every table */

static bool is_uncore(const struct uncoremsr_event *ev)
{
	return !strcmp(ev->pmu, "uncore");
}

static bool is_of_table(const struct uncoremsr_event *ev)
{
	return !strcmp(ev->from, "table");
}

static void for_each_event(void (*fn)(const char *uarch, const struct uncoremsr_event *ev))
{
	const struct uncoremsr_event *ev;
	const char *uarch;
	unsigned num = 0;

	for (size_t i = 0; (uarch = uarch_name(i)); i++)
		for (size_t k = 0; (ev = uncoremsr_event(tables(), uarch, k)); k++)
			if (is_of_table(ev) && !strcmp(ev->uarch, uarch)) {
				fn(uarch, ev);
				num++;
			}
	for (size_t k = 0; (ev = uncoremsr_event(tables(), "core", k)); k++)
		if (is_of_table(ev))
			fn("core", ev);
	ck_assert_uint_gt(num, 2000);
}

static void check_name(const char *uarch, const struct uncoremsr_event *ev)
{
	static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
	static const char core_signs[] = "abcdefghijklmnopqrstuvwxyz-";
	static char before[96], before_pmu[32];
	const char *name = ev->name, *pmu = ev->pmu;
	bool core = !strcmp(uarch, "core");
	char text[128];

	ck_assert_msg(strlen(name) < 48, "%s is long", name);
	ck_assert_msg(!strncmp(name, "UNC_", 4) == (!core && !strstr(uarch, "-ex")) || !strcmp(name, "UNCORE_CLOCK"),
		      "%s", name);
	ck_assert_msg(strspn(name, signs) == strlen(name) || (core && strspn(name, core_signs) == strlen(name)), "%s", name);
	snprintf(text, sizeof(text), "%s/%s/", pmu, name);
	ck_assert_msg(find(uarch, name) == ev || find(uarch, text) == ev, "%s: %s is not found", uarch, name);
	/* Events are sorted by name, so equal names are neighbours. */
	ck_assert_msg(strcasecmp(before, name) || strcmp(before_pmu, pmu), "%s twice", name);
	snprintf(before, sizeof(before), "%s", name);
	snprintf(before_pmu, sizeof(before_pmu), "%s", pmu);
}

TEST(every_name_is_well_formed_and_leads_to_its_event_alone)
{
	for_each_event(check_name);
}

static void check_texts(const char *uarch, const struct uncoremsr_event *ev)
{
	static char before[512];
	static uint64_t before_select = UINT64_MAX;
	const char *desc = ev->description, *note = ev->note;
	const char *name = ev->name;
	size_t len = strlen(desc);

	ck_assert_msg(len > 10 && len < 250, "%s: '%s'", name, desc);
	ck_assert_msg(!strpbrk(desc, "\n\t%") && !strpbrk(note, "\n\t%"), "%s", name);
	ck_assert_msg(desc[len - 1] != '.' && desc[len - 1] != ' ' && !strstr(desc, "  "), "%s: '%s'", name, desc);
	ck_assert_msg(*ev->kind && *ev->unit, "%s: %s", uarch, name);
	ck_assert_msg(!is_uncore(ev) || strcmp(before, desc) || before_select != ev->event_select,
	      "%s: %s", name, desc);
	snprintf(before, sizeof(before), "%s", desc);
	before_select = ev->event_select;
}

TEST(every_event_has_a_description_of_its_own)
{
	for_each_event(check_texts);
}

static bool has_source(const struct uncoremsr_event *ev, const char *who)
{
	for (const char *const *source = ev->sources; *source; source++)
		if (!strcmp(*source, who))
			return true;
	return false;
}

static void check_sources(const char *uarch, const struct uncoremsr_event *ev)
{
	const struct uncoremsr_other_codes *other = ev->dispute;
	const char *name = ev->name;

	(void)uarch;
	/* Every event of Nehalem is in the manual and in FreeBSD, with the same codes. */
	ck_assert_msg(!is_uncore(ev) || (has_source(ev, "sdm") && has_source(ev, "freebsd")), "%s", name);
	ck_assert_msg(ev->sources[0], "%s has no source", name);
	ck_assert_msg(!other || (!has_source(ev, other->source) && (other->event_select != ev->event_select ||
							     other->unit_mask != ev->unit_mask)), "%s", name);
}

TEST(every_event_has_sources_and_in_every_dispute_the_codes_differ)
{
	for_each_event(check_sources);
}

static void check_codes(const char *uarch, const struct uncoremsr_event *ev)
{
	unsigned select = (unsigned)ev->event_select;
	unsigned umask = (unsigned)ev->unit_mask;
	const char *name = ev->name;
	const struct uncoremsr_event *other;
	bool extra = ev->extra_register != UINT64_MAX;
	char codes[32];

	if (!is_uncore(ev) || !strcmp(ev->kind, "clock"))
		return;
	ck_assert_msg(umask, "%s has no unit mask", name);
	for (size_t i = 0; (other = uncoremsr_event(tables(), uarch, i)); i++)
		ck_assert_msg(other == ev || other->event_select != select || other->unit_mask != umask ||
		      (extra && other->extra_register == ev->extra_register && other->extra_value != ev->extra_value),
		      "%s and %s have the same codes", name, other->name);
	/* If an event needs an extra register, event codes alone do not select it. */
	snprintf(codes, sizeof(codes), "0x%x:0x%x", select, umask);
	ck_assert_msg(!strcmp(encode_one(uarch, codes)->name, extra ? codes : name), "%s is %s", codes, encoded->name);
}

TEST(no_two_events_have_the_same_codes_and_codes_lead_back_to_the_name)
{
	for_each_event(check_codes);
}

/* ---- texts that are not names */

static const char *const nonsense[] = {
	"", ".", "UNC", "UNC_", "UNC_PROCHOT", "UNC_PROCHOT_ASSERTION_", "UNC_PROCHOT_ASSERTION.",
	"XUNC_PROCHOT_ASSERTION", "UNC-PROCHOT-ASSERTION",
	"UNC_TURBO_MODE.CORE_4", "UNC_TURBO_MODE", "UNC_LLCX_HITS.READ", "UNC_L3_HITS..READ",
	"wsm_unc::", "UNC_ADDR_OPCODE_MATCH_XOR_IOH",
	"UNC_QMC_NORMAL_FULL.READ.CH0", "UNC_QMC_NORMAL_FULL_READ_ANY", "\x01", "\xff\xff",
	"UNC_\nPROCHOT_ASSERTION", "LLC",
};

TEST_EACH(an_invalid_name_is_not_found, ARRAY_SIZE(nonsense))
{
	ck_assert_msg(look_for("westmere", nonsense[_i]) < 0, "'%s': %s", nonsense[_i], found.names);
}

/* ---- patterns */

static const struct {
	const char *pattern;
	int num;
	const char *first, *last;
} patterns[] = {
	{ "UNC_TURBO_MODE.CORE_[0-3]", 4, "UNC_TURBO_MODE.CORE_0 UNC_TURBO_MODE.CORE_1 ", "UNC_TURBO_MODE.CORE_3 " },
	{ "UNC_TURBO_MODE.CORE_[2,0]", 2, "UNC_TURBO_MODE.CORE_0 ", "UNC_TURBO_MODE.CORE_2 " },
	{ "UNC_TURBO_MODE.CORE_[02]", 2, "UNC_TURBO_MODE.CORE_0 ", "UNC_TURBO_MODE.CORE_2 " },
	{ "UNC_TURBO_MODE.CORE_?", 4, "UNC_TURBO_MODE.CORE_0 ", "UNC_TURBO_MODE.CORE_3 " },
	{ "unc_turbo_mode:core_[0-1,3]", 3, "UNC_TURBO_MODE.CORE_0 ", "UNC_TURBO_MODE.CORE_3 " },
	{ "UNC_THERMAL_*", 12, "UNC_THERMAL_THROTTLED_TEMP.CORE_0 ", "UNC_THERMAL_THROTTLING_TEMP.CORE_3 " },
	{ "*", 220, "UNC_ADDR_OPCODE_MATCH.IOH ", "UNC_TURBO_MODE.CORE_3 " },
	{ "**", 220, "UNC_ADDR_OPCODE_MATCH.IOH ", "UNC_TURBO_MODE.CORE_3 " },
	{ "UNC_LLC_*", 19, "UNC_L3_HITS.ANY ", "UNC_L3_MISS.WRITE " },
	{ "*PROCHOT*", 5, "UNC_PROCHOT_ASSERTION ", "UNC_THERMAL_THROTTLING_PROCHOT.CORE_3 " },
	{ "UNC_*_CAS.CH[0-1]", 4, "UNC_DRAM_READ_CAS.CH0 ", "UNC_DRAM_WRITE_CAS.CH1 " },
	{ "UNC_QPI_*.LINK_[1]", 11, "UNC_QPI_RX_NO_PPT_CREDIT.STALLS.LINK_1 ", "LINK_1 " },
	{ "UNC_PROCHOT_ASSERTION*", 1, "UNC_PROCHOT_ASSERTION ", "UNC_PROCHOT_ASSERTION " },
	{ "UNC_IMC_ISOC_OCCUPANCY:CH[0-2]", 3, "UNC_QMC_ISSOC_OCCUPANCY.CH0 ", "UNC_QMC_ISSOC_OCCUPANCY.CH2 " },
	{ "*CORES_[13]", 1, "UNC_GQ_DATA.FROM_CORES_13 ", "UNC_GQ_DATA.FROM_CORES_13 " },
	{ "*CORES_1[3]", 0, "", "" },
	{ "UNC_NO_SUCH_*", 0, "", "" },
	{ "UNC_TURBO_MODE.CORE_[7]", 0, "", "" },
	{ "UNC_QMC_NORMAL_FULL*", 0, "", "" },
};

TEST_EACH(a_pattern_matches_these_names_in_table_order, ARRAY_SIZE(patterns))
{
	int num = look_for("westmere", patterns[_i].pattern);
	size_t len = strlen(patterns[_i].last);

	ck_assert_int_eq(num, patterns[_i].num ? patterns[_i].num : -ENOENT);
	ck_assert_msg(!strncmp(found.names, patterns[_i].first, strlen(patterns[_i].first)) &&
		      strlen(found.names) >= len &&
		      !strcmp(found.names + strlen(found.names) - len, patterns[_i].last), "%s", found.names);
}

static const struct {
	const char *pattern, *shows;
	int err;
} bad_patterns[] = {
	{ "UNC_TURBO_MODE.CORE_[0-5]", "number 4", -ENOENT },
	{ "UNC_TURBO_MODE.CORE_[3,63]", "number 63", -ENOENT },
	{ "UNC_TURBO_MODE.CORE_[0-3", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[3-0]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[a]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[-1]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[0-]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[0,]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[64]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[99999999999999999999]", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[0 1]", "bracket", -EINVAL },
	{ "**********************************************************************"
	  "**********************************************************************",
	  "too long", -EINVAL },
};

TEST_EACH(a_bad_pattern_is_refused_without_a_callback, ARRAY_SIZE(bad_patterns))
{
	ck_assert_int_eq(look_for("westmere", bad_patterns[_i].pattern), bad_patterns[_i].err);
	ck_assert_msg(strstr(uncoremsr_error(tables())->message, bad_patterns[_i].shows) != NULL, "%s",
		      uncoremsr_error(tables())->message);
	ck_assert_str_ne(uncoremsr_error(tables())->hint, "");
	ck_assert_str_eq(found.names, "");
}

struct stopped {
	int calls, answer;
};

static int stop_here(void *user, const struct uncoremsr_event *ev)
{
	struct stopped *stopped = user;

	(void)ev;
	stopped->calls++;
	return stopped->answer;
}

TEST(a_callback_can_stop_a_pattern)
{
	static const int answers[] = { -ENOMEM, 7 };

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct stopped stopped = { .answer = answers[i] };

		ck_assert_int_eq(uncoremsr_event_find(tables(), "westmere", "*", stop_here, &stopped), answers[i]);
		ck_assert_int_eq(stopped.calls, 1);
	}
	ck_assert_int_eq(uncoremsr_event_find(tables(), "westmere", "*", NULL, NULL), 220);
}

/* ---- near matches */

static const char *const misspelled[][2] = {
	{ "UNC_PROCHOT_ASERTION", "UNC_PROCHOT_ASSERTION" },
	{ "unc_prochot_assertions", "UNC_PROCHOT_ASSERTION" },
	{ "PROCHOT_ASERTION", "UNC_PROCHOT_ASSERTION" },
	{ "UNC_LLC_HIT.READ", "UNC_L3_HITS.READ" },
	{ "UNC_L3_HITS", "UNC_L3_HITS.ANY" },
	{ "UNC_TURBO_MODE.CORE_4", "UNC_TURBO_MODE.CORE_0" },
	{ "UNC_DRAM_THERMAL_THROTLED", "UNC_DRAM_THERMAL_THROTTLED" },
};

TEST_EACH(for_a_misspelled_name_the_right_one_is_suggested_first, ARRAY_SIZE(misspelled))
{
	char first[96];

	ck_assert_int_eq(look_for("westmere", misspelled[_i][0]), -ENOENT);
	snprintf(first, sizeof(first), "did you mean %s", misspelled[_i][1]);
	ck_assert_msg(!strncmp(uncoremsr_error(tables())->hint, first, strlen(first)), "%s", uncoremsr_error(tables())->hint);
}

TEST(a_name_without_similar_names_has_no_suggestion)
{
	static const char *const far[] = { "", "FOO", "UNC_", "xyzzy plugh", "\x01", "12345678" };

	for (size_t i = 0; i < ARRAY_SIZE(far); i++) {
		ck_assert_int_lt(look_for("westmere", far[i]), 0);
		ck_assert_msg(!strstr(uncoremsr_error(tables())->hint, "did you mean"), "'%s' brought %s", far[i],
			      uncoremsr_error(tables())->hint);
	}
}

TEST(suggested_names_exist_on_this_processor)
{
	char hint[512], *rest = hint, *word;
	unsigned num = 0;

	ck_assert_int_eq(look_for("nehalem", "UNC_L3_HITS.REED"), -ENOENT);
	snprintf(hint, sizeof(hint), "%s", uncoremsr_error(tables())->hint);
	while ((word = strsep(&rest, " ,?;")))
		if (!strncmp(word, "UNC_", 4)) {
			ck_assert_msg(find("nehalem", word) != NULL, "%s", word);
			num++;
		}
	ck_assert_uint_gt(num, 0);
	look_for("nehalem", "UNC_TURBO_MODE.CORE_4");
	ck_assert_msg(!strstr(uncoremsr_error(tables())->hint, "UNC_TURBO_MODE"), "%s", uncoremsr_error(tables())->hint);
}

SUITE(names)
