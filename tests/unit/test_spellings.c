/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spellings of other programs, and names that we print: both must be understood. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

enum { ANY = 0 };

static const struct {
	const char *uarch, *text, *name;
	uint64_t word;
	uint32_t counters;            /* ANY: not tested */
} spelled[] = {
	/* libpfm4's full form */
	{ "westmere", "wsm_unc::UNC_LLC_MISS:READ:e=0:i=0:c=0:o=0", "UNC_L3_MISS.READ", 0x420109, ANY },
	{ "nehalem", "nhm_unc::UNC_LLC_MISS:READ:e=1:i=0:c=2:o=1", "UNC_L3_MISS.READ:edge:cmask=2", 0x2460109, ANY },
	{ "westmere", "wsm_unc::UNC_CLK_UNHALTED:e=0:i=0:c=0:o=0", "UNC_CLK_UNHALTED", 1, ANY },
	/* unit masks, named and numbered */
	{ "westmere", "wsm_unc::UNC_PROCHOT_ASSERTION:0x1:e:i:c=5",
	  "UNC_PROCHOT_ASSERTION:edge:inv:cmask=5", 0x5c60182, ANY },
	{ "westmere", "UNC_L3_MISS:0x3", "UNC_L3_MISS.ANY", 0x420309, ANY },
	{ "westmere", "UNC_L3_MISS:0xff", "0x9:0xff", 0x42ff09, ANY },
	{ "westmere", "UNC_DRAM_OPEN:CH0:CH1", "0x60:0x3", 0x420360, ANY },
	{ "nehalem", "nhm_unc::UNC_DRAM_OPEN:CH0:CH1:CH2:e", "0x60:0x7:edge", 0x460760, ANY },
	{ "westmere", "UNC_LLC_HITS:READ:WRITE", "UNC_L3_HITS.ANY", 0x420308, ANY },
	{ "westmere", "UNC_L3_HITS.READ:WRITE", "UNC_L3_HITS.ANY", 0x420308, ANY },
	/* Events with event select 0. */
	{ "westmere", "UNC_GQ_CYCLES_FULL:0x3", "0x0:0x3", 0x420300, ANY },
	{ "westmere", "UNC_GQ_CYCLES_FULL:READ_TRACKER:WRITE_TRACKER", "0x0:0x3", 0x420300, ANY },
	{ "westmere", "UNC_GQ_DATA_FROM:QPI:LLC", "0x4:0x5", 0x420504, ANY },
	{ "westmere", "wsm_unc::UNC_QHL_ADDRESS_CONFLICTS:2WAY:3WAY", "0x24:0x6", 0x420624, ANY },
	/* client processors, where libpfm4 has separate filters */
	{ "sandybridge", "snb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M:READ_FILTER:e=0:i=0:c=0",
	  "cbo0/UNC_CBO_CACHE_LOOKUP.READ_M/", 0x401134, ANY },
	{ "ivybridge", "ivb_unc_cbo3::UNC_CBO_XSNP_RESPONSE:HITM:XCORE_FILTER:c=2",
	  "cbo3/UNC_CBO_XSNP_RESPONSE.HITM_XCORE,cmask=0x2/", 0x2404822, ANY },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP:STATE_E:STATE_S:ANY_FILTER",
	  "cbo/UNC_CBO_CACHE_LOOKUP.ANY_ES/", 0x408634, ANY },
	{ "sandybridge", "snb_unc_cbo0::UNC_CLOCKTICKS", "clock/UNC_CLOCK.SOCKET/", 0x400000, ANY },
	/* After a unit mask, i means inversion, although the events have a state I. */
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP.READ:M:i", "cbo/UNC_CBO_CACHE_LOOKUP.READ_M,inv/", 0xc01134, ANY },
	/* likwid's counters and options */
	{ "westmere", "UNC_L3_MISS_READ:UPMC0", "UNC_L3_MISS.READ", 0x420109, 0x1 },
	{ "westmere", "UNC_L3_MISS_READ:UPMC7:EDGEDETECT", "UNC_L3_MISS.READ:edge", 0x460109, 0x80 },
	{ "westmere", "UNC_L3_MISS_READ:UPMC2:EDGEDETECT:INVERT:THRESHOLD=0x5",
	  "UNC_L3_MISS.READ:edge:inv:cmask=5", 0x5c60109, 0x4 },
	{ "westmere", "UNCORE_CLOCK:UPMCFIX", "UNC_CLK_UNHALTED", 1, ANY },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX2C1", "cbo2/UNC_CBO_CACHE_LOOKUP.READ_M/", 0x401134, 0x2 },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX0C0", "cbo0/UNC_CBO_CACHE_LOOKUP.READ_M/", 0x401134, 0x1 },
	{ "sandybridge", "cbo3/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX3C0",
	  "cbo3/UNC_CBO_CACHE_LOOKUP.READ_M/", 0x401134, 0x1 },
	{ "sandybridge", "UNC_CLOCK_SOCKET:UBOXFIX", "clock/UNC_CLOCK.SOCKET/", 0x400000, ANY },
	{ "westmere", "core/event=0xc0/:PMC1", "core/INST_RETIRED.ANY_P/", 0x4300c0, 0x2 },
	{ "westmere", "INSTR_RETIRED_ANY:FIXC0:KERNEL", "core/instructions/", 0x3, ANY },
	{ "westmere", "INSTR_RETIRED_ANY:FIXC0", "core/instructions/u", 0x2, ANY },
	{ "westmere", "CPU_CLK_UNHALTED_CORE:FIXC1:KERNEL", "core/cycles/", 0x30, ANY },
	{ "sandybridge", "CPU_CLK_UNHALTED_REF:FIXC2", "core/ref-cycles/u", 0x200, ANY },
	/* The kernel's spelling: unit 0 of uncore_cbox has the clock. */
	{ "sandybridge", "uncore_cbox_0/clockticks/", "clock/UNC_CLOCK.SOCKET/", 0x400000, ANY },
};

TEST_EACH(spellings_of_other_programs_are_accepted, ARRAY_SIZE(spelled))
{
	const struct encoded *ev = encode_one(spelled[_i].uarch, spelled[_i].text);

	ck_assert_str_eq(ev->name, spelled[_i].name);
	ck_assert_uint_eq(ev->word & ~(UINT64_C(3) << 16), spelled[_i].word & ~(UINT64_C(3) << 16));
	if (spelled[_i].counters)
		ck_assert_uint_eq((uint64_t)ev->counters, spelled[_i].counters);
}

static const struct {
	const char *uarch, *text, *why;
} refused[] = {
	{ "westmere", "UNC_L3_MISS_READ:UPMC8", "no such counter" },
	{ "westmere", "UNC_L3_MISS_READ:UPMC99999999999", "no such counter" },
	{ "sandybridge", "UNC_CLOCK.SOCKET:UBOX99999999999FIX", "cannot count on that unit" },
	{ "westmere", "UNC_L3_MISS_READ:UPMCFIX", "no counter of uncore can count that" },
	{ "westmere", "UNC_L3_MISS_READ:CBOX0C0", "unknown modifier" },
	{ "westmere", "UNCORE_CLOCK:UPMC0", "a counter of its own" },
	{ "westmere", "INSTR_RETIRED_ANY:FIXC1", "fixed counter 0 counts it, not 1" },
	{ "westmere", "CPU_CLK_UNHALTED_CORE:FIXC0:KERNEL", "fixed counter 1 counts it, not 0" },
	{ "skylake-sp", "CPU_CLK_UNHALTED_REF:FIXC40", "fixed counter 2 counts it, not 40" },
	{ "westmere", "UNC_L3_MISS:0x100", "no unit mask" },
	{ "westmere", "UNC_DRAM_OPEN:CH0:CH7", "unknown modifier" },
	{ "westmere", "UNC_DRAM_OPEN:CH0=1", "no event of that name" },
	{ "westmere", "UNC_DRAM_OPEN:CH0:CH1=1", "unknown modifier" },
	{ "westmere", "UNC_L3_MISS::READ", "no event of that name" },
	{ "westmere", "UNC_L3_MISS:0x", "not a number" },
	{ "westmere", "wsm_unc::UNC_PROCHOT_ASSERTION:READ", "unknown modifier" },
	/* Both event names begin with UNC_GQ_CYCLES, but have different event selects. */
	{ "westmere", "UNC_GQ_CYCLES:FULL_READ_TRACKER:NOT_EMPTY_READ_TRACKER", "a unit mask of another event" },
	{ "westmere", "UNC_L3_HITS:READ:o=2", "unknown modifier" },
	{ "sandybridge", "ivb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M", "it belongs to processor ivybridge" },
	{ "sandybridge", "snb_unc_cbo9::UNC_CBO_CACHE_LOOKUP:STATE_M", "units 0 to" },
	{ "sandybridge", "snb_unc_cbo0::UNC_CBO_CACHE_LOOKUP:STATE_M:HITM", "unknown modifier" },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX9C0", "cannot count on that unit" },
	{ "sandybridge", "cbo1/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX2C0", "cannot count on that unit" },
	{ "sandybridge", "cbo1/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX0C0", "cannot count on that unit" },
	{ "sandybridge", "cbo0/UNC_CBO_CACHE_LOOKUP.READ_M/:CBOX1C0", "cannot count on that unit" },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX4C0", "cannot count on that unit" },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:CBOX0C2", "no such counter" },
	/* The beginning of several event names with different codes is not a name, even if one code is 0. */
	{ "westmere", "UNC_GQ_CYCLES:0x1", "no event of that name" },
	{ "westmere", "UNC_L3_HITS:READ:o=10", "unknown modifier" },
	{ "sandybridge", "UNC_CBO_CACHE_LOOKUP_READ_M:o=0", "unknown modifier" },
	{ "sandybridge", "snb_unc_cbo0::XXX_CLOCK_SOCKET", "no event of that name" },
	{ "sandybridge", "uncore_cbox_1/clockticks/", "clock has" },
	{ "sandybridge", "cbo0/clockticks/", "clock has" },
};

TEST_EACH(impossible_spellings_are_refused, ARRAY_SIZE(refused))
{
	ck_assert_msg(encode_on(refused[_i].uarch, refused[_i].text) < 0, "%s became %s", refused[_i].text,
		      num_encoded ? encoded->name : "nothing");
	ck_assert_msg(strstr(encode_error, refused[_i].why) != NULL, "%s: %s", refused[_i].text, encode_error);
}

/* The canonical name of @text has the same encoding. */
static void check_again(const char *uarch, const char *text)
{
	struct encoded first;

	if (encode_on(uarch, text) != 1)
		return;
	first = *encoded;
	encode_one(uarch, first.name);
	ck_assert_msg(same_words(&first, encoded) && !strcmp(first.name, encoded->name), "%s: %s is %s, which is %s", uarch,
	      text, first.name, encoded->name);
}

/* At least the number of processors in the library, because TEST_EACH needs a constant. */
enum { MOST_PROCESSORS = 128 };

TEST_EACH(every_name_of_every_table_reads_back_with_every_modifier, MOST_PROCESSORS)
{
	static const char *const modifiers[] = { "", ":edge", ":inv:cmask=3", ":e:i:c=1", ":t=2" };
	const char *uarch = uarch_name((size_t)_i), *pmu;
	const struct uncoremsr_event *ev;
	char text[256];

	for (size_t k = 0; uarch && (ev = uncoremsr_event(tables(), uarch, k)); k++) {
		if (strcmp(ev->from, "table"))
			continue;
		pmu = ev->pmu;
		for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++) {
			snprintf(text, sizeof(text), "%s/%s%s/%s", pmu, ev->name,
				 ev->ports > 0 ? ",port=1" : "", modifiers[i]);
			check_again(uarch, text);
		}
	}
	ck_assert_ptr_null(uncoremsr_uarch(MOST_PROCESSORS));
}

/* The names that "encode" prints for libpfm4 and likwid. */
TEST_EACH(spellings_printed_for_other_programs_are_accepted_again, 2)
{
	static const char *const uarchs[] = { "nehalem", "westmere" };
	const struct uncoremsr_event *ev;
	const struct uncoremsr_spelling *s;
	char text[192];
	unsigned num = 0;

	for (size_t k = 0; (ev = uncoremsr_event(tables(), uarchs[_i], k)); k++) {
		uint64_t umask = ev->unit_mask;
		uint64_t codes = ev->event_select | umask << 8;

		if (strcmp(ev->pmu, "uncore") || !strcmp(ev->kind, "clock"))
			continue;
		for (size_t i = 0; (s = ev->spellings[i]); i++) {
			if (!strcmp(s->program, "likwid"))
				snprintf(text, sizeof(text), "%s:UPMC0:EDGEDETECT:THRESHOLD=0x2", s->text);
			else if (!strcmp(s->program, "libpfm4"))
				snprintf(text, sizeof(text), "%s::%s:0x%x:e:c=2", _i ? "wsm_unc" : "nhm_unc", s->text,
					 (unsigned)umask);
			else
				continue;
			encode_one(uarchs[_i], text);
			ck_assert_msg((encoded->word & 0xff04ffff) == (codes | 0x2040000), "%s is 0x%llx", text,
				      (unsigned long long)encoded->word);
			num++;
		}
	}
	ck_assert_uint_gt(num, 300);
}

SUITE(spellings)
