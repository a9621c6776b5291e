/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language: a text gives a selector word and a canonical name, or a clear error. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "encoded.h"
#include "machine.h"
#include "suite.h"

static int parse(const char *text)
{
	return encode_on("westmere", text);
}

static const struct {
	const char *text, *name;
	uint64_t word;
} good[] = {
	{ "0X82:0X1", "UNC_PROCHOT_ASSERTION", 0x420182 },
	{ "130:1", "UNC_PROCHOT_ASSERTION", 0x420182 },
	{ "0x83:0x01", "UNC_THERMAL_THROTTLING_PROCHOT.CORE_0", 0x420183 },
	{ "0x82:0x1:edge", "UNC_PROCHOT_ASSERTION:edge", 0x460182 },
	{ "0x82:0x1:e:i:c=3", "UNC_PROCHOT_ASSERTION:edge:inv:cmask=3", 0x3c60182 },
	{ "0x82:0x1:invert:cmask=255", "UNC_PROCHOT_ASSERTION:inv:cmask=255", 0xffc20182 },
	{ "0xff:0xff", "0xff:0xff", 0x42ffff },
	{ "0x400182", "UNC_PROCHOT_ASSERTION", 0x400182 },
	{ "0x182", "UNC_PROCHOT_ASSERTION", 0x400182 },
	{ "0x182:edge", "UNC_PROCHOT_ASSERTION:edge", 0x440182 },
	{ "uncore/event=0x82,umask=0x1/", "UNC_PROCHOT_ASSERTION", 0x420182 },
	{ "UNCORE/event=0x82,umask=1,edge,cmask=2/", "UNC_PROCHOT_ASSERTION:edge:cmask=2", 0x2460182 },
	{ "uncore/event=0x82,umask=1,edge=1,inv=1/", "UNC_PROCHOT_ASSERTION:edge:inv", 0xc60182 },
	{ "uncore/event=0x82,umask=1/:edge", "UNC_PROCHOT_ASSERTION:edge", 0x460182 },
	{ "uncore/event=0x82/", "0x82:0x0", 0x420082 },
	{ "Uncore_Clock", "UNC_CLK_UNHALTED", 0x1 },
	/* Names in different spellings, with modifiers. */
	{ "unc_prochot_assertion:edge", "UNC_PROCHOT_ASSERTION:edge", 0x460182 },
	{ "UNC_LLC_HITS:READ:e:c=2", "UNC_L3_HITS.READ:edge:cmask=2", 0x2460108 },
	{ "UNC_L3_HITS_READ:raw=0x40000", "UNC_L3_HITS.READ:edge", 0x460108 },
	{ "wsm_unc::UNC_QMC_WRITES:FULL_ANY:t=1", "UNC_QMC_WRITES.FULL.ANY:cmask=1", 0x142072f },
	{ "uncore/qhl_request_ioh_reads/", "UNC_QHL_REQUESTS.IOH_READS", 0x420120 },
	{ "uncore/UNC_PROCHOT_ASSERTION/:edge", "UNC_PROCHOT_ASSERTION:edge", 0x460182 },
	/* raw= changes the unit mask here, so the name no longer fits. */
	{ "UNC_TURBO_MODE.CORE_0:raw=0x200", "0x84:0x3", 0x420384 },
	/* Codes without a name, and codes of events that need a second register. */
	{ "0x0c:0x4", "0xc:0x4", 0x42040c },
	{ "0x35:0x1", "0x35:0x1", 0x420135 },
	{ "0xff:0x0", "0xff:0x0", 0x4200ff },
};

TEST_EACH(an_event_becomes_exactly_this_word_and_name, ARRAY_SIZE(good))
{
	ck_assert_int_eq(parse(good[_i].text), 1);
	ck_assert_str_eq(encoded[0].name, good[_i].name);
	ck_assert_uint_eq(encoded[0].word, good[_i].word);
}

static const struct {
	const char *text, *shows; /* @shows: the message must quote this part of the text */
	int err;
} refused[] = {
	{ "", "nothing", -EINVAL },
	{ ",", "nothing", -EINVAL },
	{ "0x82:0x1,", "nothing", -EINVAL },
	{ "0x8z:0x1", "0x8z", -EINVAL },
	{ "0x82:0x1z", "0x1z", -EINVAL },
	{ "0x82:", "unknown modifier", -EINVAL },
	{ "0x:0x1", "not a number", -EINVAL },
	{ "0x100:0x1", "0x100", -EINVAL },
	{ "0x82:300", "0x12c", -EINVAL },
	{ "0x82:-1", "-1", -EINVAL },
	{ "-1:1", "-1", -ENOENT },
	{ "0x82:0x1:cmask=256", "0x100", -EINVAL },
	{ "0x82:0x1:cmask=", "number is missing", -EINVAL },
	{ "0x82:0x1:bogus", "bogus", -EINVAL },
	{ "0x82:0x_", "not a number", -EINVAL },
	{ "0x82:0xffffffffffffffff", "0xffffffffffffffff is out of range", -EINVAL },
	{ "0x82:18446744073709551615", "0xffffffffffffffff is out of range", -EINVAL },
	{ "0x82:18446744073709551616", "too large", -EINVAL },
	{ "0x82:99999999999999999999", "too large", -EINVAL },
	{ "0x520182", "bit 20", -EINVAL },
	{ "0x410182", "0x10000", -EINVAL },
	{ "0x100400182", "0x100000000", -EINVAL },
	{ "uncore/event=0x82", "closing slash", -EINVAL },
	{ "uncore/event=0x82/x", "'x'", -EINVAL },
	{ "uncore/event=0x82,bogus=1/", "no term 'bogus=1'", -EINVAL },
	{ "uncore/event=0x82,event=0x83/", "event select was given already, 0x82", -EINVAL },
	{ "uncore/event/", "a value is missing", -EINVAL },
	{ "uncore/edge=2,event=1/", "edge 0x2 is out of range 0..0x1", -EINVAL },
	{ "uncore/event=0x82,raw=0x420183/", "were given already: 'raw=0x420183'", -EINVAL },
	{ "uncore/event=0x82,extra0=1/", "no term 'extra0=1'", -EINVAL },
	{ "uncore/event=0x82,config1=1/", "no term 'config1=1'", -EINVAL },
	{ "0x3420102:cmask=4", "cmask was given already, 0x3", -EINVAL },
	{ "cbo/event=0x82/", "westmere has no PMU 'cbo'", -ENOENT },
	{ "uncore1/event=0x82/", "there is only one uncore", -EINVAL },
	{ "core0/cycles/", "no units to choose from", -EINVAL },
	{ "core/cycles,edge/", "takes no modifier", -EINVAL },
	{ "core/cycles/x", "unknown modifier 'x'", -EINVAL },
	{ "core/event=0xc0,usr=0,os=0/", "neither user nor kernel mode", -EINVAL },
	{ "r0123456789abcdef0", "more than 64 bits", -EINVAL },
	{ "r80000005300c0", "reserved bits", -EINVAL },
	{ "0x82:0x1:u", "unknown modifier 'u'", -EINVAL },
	{ "{0x82:0x1", "closing brace", -EINVAL },
	{ "{}", "nothing", -EINVAL },
	{ "{{0x82:0x1}}", "nothing", -EINVAL },
	{ "0x82:0x1}", "}", -EINVAL },
	{ "UNC_NO_SUCH_EVENT", "UNC_NO_SUCH_EVENT", -ENOENT },
	{ "UNC_NO_SUCH_*", "no event of that name", -ENOENT },
	{ "UNC_QMC_NORMAL_FULL.READ.CH0", "nehalem has it", -ENOENT },
	{ "UNC_QMC_NORMAL_FULL*:edge", "nehalem has it", -ENOENT },
	{ "UNC_PROCHOT_ASSERTION:bogus", "unknown modifier 'bogus'", -EINVAL },
	{ "UNC_PROCHOT_ASSERTION:", "unknown modifier ''", -EINVAL },
	{ "UNC_PROCHOT_ASSERTION:raw=0x100000", "bit 20", -EINVAL },
	{ "UNC_PROCHOT_ASSERTION:raw=0x10000", "reserved bits", -EINVAL },
	{ "UNC_PROCHOT_ASSERTION:cmask=256", "0x100", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[0-5]", "number 4", -ENOENT },
	{ "UNC_TURBO_MODE.CORE_[0-3", "bracket", -EINVAL },
	{ "UNC_TURBO_MODE.CORE_[0,9", "bracket", -EINVAL },
	{ "uncore/UNC_NO_SUCH_EVENT/", "no event of that name", -ENOENT },
	{ "uncore/*/:edge", "no modifier", -EINVAL },
	{ "*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*,*", "more than 4096 events", -EINVAL },
	{ "UNC_CLK_UNHALTED:edge", "no modifier", -EINVAL },
};

TEST_EACH(invalid_text_is_refused_with_the_offending_part, ARRAY_SIZE(refused))
{
	ck_assert_int_eq(parse(refused[_i].text), refused[_i].err);
	ck_assert_msg(strstr(encode_error, refused[_i].shows) != NULL, "'%s' does not show '%s'",
		      encode_error, refused[_i].shows);
	ck_assert_uint_eq(encode_class, UNCOREMSR_ERROR_USAGE);
	ck_assert_uint_eq(num_encoded, 0);
}

TEST(a_bad_event_in_a_list_leaves_the_session_as_it_was)
{
	open_stepped("westmere-2s", "");
	add("0x82:0x1");
	ck_assert_int_eq(uncoremsr_session_add(s, "0x83:0x1,{0x84:0x1,bad}"), -ENOENT);
	ck_assert_uint_eq(num_events(s), 1);
	close_machine();
}

TEST(commas_inside_a_pmu_form_or_a_group_belong_to_it)
{
	ck_assert_int_eq(parse("uncore/event=0x82,umask=1/,{0x80:1,uncore/event=0x81,umask=2/},"
			       "clockticks"), 4);
	ck_assert_uint_eq(encoded[0].group, 0);
	ck_assert_uint_eq(encoded[1].group, 1);
	ck_assert_uint_eq(encoded[2].group, 1);
	ck_assert_uint_eq(encoded[3].group, 2);
	ck_assert(encoded[3].fixed);
}

TEST(a_pattern_in_braces_adds_its_events_to_that_group)
{
	ck_assert_int_eq(parse("{UNC_TURBO_MODE.CORE_[0-3],uncore/UNC_THERMAL_*_TEMP.CORE_[0]/},0x82:1"), 7);
	ck_assert_uint_eq(encoded[0].group, 0);
	ck_assert_uint_eq(encoded[5].group, 0);
	ck_assert_uint_eq(encoded[6].group, 1);
}

/* likwid's name of the event is an alias that is not in the table itself. */
TEST(an_alias_of_a_fixed_counter_has_the_row_of_its_event)
{
	ck_assert_int_eq(parse("INSTR_RETIRED_ANY:FIXC0,core/instructions/"), 2);
	for (size_t i = 0; i < num_encoded; i++) {
		ck_assert_int_eq(encoded[i].counter, 0x309);
		ck_assert_str_eq(encoded[i].event, "instructions");
	}
}

TEST(a_misspelled_name_gets_a_suggestion_and_the_form_for_raw_codes)
{
	ck_assert_int_eq(parse("UNC_PROCHOT_ASERTION:edge"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(encode_hint, "UNC_PROCHOT_ASSERTION"));
	ck_assert_ptr_nonnull(strstr(encode_hint, "EVENT:UMASK"));
}

TEST(a_name_of_another_processor_is_refused_with_its_codes_there)
{
	ck_assert_int_eq(encode_on("nehalem", "UNC_PROCHOT_ASSERTION"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(encode_error, "not defined for nehalem"));
	ck_assert_ptr_nonnull(strstr(encode_error, "westmere has it"));
	ck_assert_ptr_nonnull(strstr(encode_hint, "0x82:0x1"));
	ck_assert_int_eq(encode_on("nehalem", "0x82:0x1"), 1);
	ck_assert_str_eq(encoded[0].name, "0x82:0x1");
}

/* Texts of 10 KB: each character repeated, and some words of the language. Sanitizers would report memory errors. */
TEST(long_and_hostile_text_is_refused)
{
	static const char *const words[] = {
		":", "*", "[", "]", ",", "/", "{", "}", "*:", "*[0-3]:", "uncore/*/:", "UNC_*:e:",
		"UNC_TURBO_MODE.CORE_[0-3]:", "{UNC_", "A", "LLC_", "0x", "[0,", "cbo/event=",
		"r5", "core/r5", "extra0=", "cbo9", "port=1,",
	};
	static char text[10241];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (size_t at = 0; at < sizeof(text) - 1; at++)
			text[at] = words[i][at % strlen(words[i])];
		ck_assert_msg(parse(text) < 0, "%s", words[i]);
		ck_assert_uint_eq(num_encoded, 0);
	}
}

/* Longest time until a counter of the event can wrap; it is longer for events with fewer increments per clock. */
static uint64_t time_to_wrap(const char *event)
{
	uint64_t ns;

	open_stepped("westmere-2s", "");
	count(event);
	ns = uncoremsr_session_state(s)->max_interval;
	close_machine();
	return ns;
}

TEST(edge_and_threshold_bound_the_rate_to_one_per_clock)
{
	uint64_t once = time_to_wrap("clockticks");

	ck_assert_uint_lt(time_to_wrap("0x02:0x1"), once);
	ck_assert_uint_eq(time_to_wrap("0x02:0x1:edge"), once);
	ck_assert_uint_eq(time_to_wrap("0x02:0x1:cmask=2"), once);
}

SUITE(events)
