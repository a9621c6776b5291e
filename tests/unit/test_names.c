/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event tables, every row of them, and everything that a name may be typed as. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/event.h"
#include "events/names.h"
#include "suites.h"

static const struct um_event_table *table(const char *uarch)
{
	const struct um_event_table *t = um_event_table_find(uarch, "uncore");

	ck_assert_msg(t != NULL, "no table for %s", uarch);
	return t;
}

static const struct um_event_row *find(const struct um_event_table *t, const char *name)
{
	return um_event_find(t, name, strlen(name));
}

/* ---- every row of every table */

static void for_each_row(void (*fn)(const struct um_event_table *t, const struct um_event_row *row))
{
	for (size_t i = 0; i < um_num_event_tables; i++) {
		const struct um_event_row *row = NULL;

		while ((row = um_event_next(&um_event_tables[i], row)))
			fn(&um_event_tables[i], row);
	}
}

static size_t num_rows(const struct um_event_table *t)
{
	const struct um_event_row *row = NULL;
	size_t num = 0;

	while ((row = um_event_next(t, row)))
		num++;
	return num;
}

/* Of all PMUs of a processor. */
static size_t num_rows_of(const char *uarch)
{
	size_t num = 0;

	for (size_t i = 0; i < um_num_event_tables; i++)
		if (strcmp(um_event_tables[i].uarch, uarch) == 0)
			num += num_rows(&um_event_tables[i]);
	return num;
}

START_TEST(the_tables_are_complete)
{
	ck_assert_uint_eq(num_rows(table("nehalem")), 176);
	ck_assert_uint_eq(num_rows(table("westmere")), 220);
	ck_assert_uint_eq(num_rows_of("nehalem-ex"), 730);
	ck_assert_uint_eq(num_rows_of("westmere-ex"), 813);
	ck_assert_uint_eq(num_rows_of("sandybridge"), 34);
	ck_assert_uint_eq(num_rows_of("skylake"), 23);
	ck_assert_uint_eq(num_rows_of("tigerlake"), 12);
}
END_TEST

static void check_table_has_pmu(const struct um_event_table *t, const struct um_uarch *u)
{
	for (size_t i = 0; i < u->num_pmus; i++)
		if (strcmp(u->pmus[i].name, t->pmu) == 0) {
			ck_assert_ptr_eq(um_event_table_of(t->uarch, &u->pmus[i]), t);
			return;
		}
	ck_abort_msg("%s has no PMU %s", t->uarch, t->pmu);
}

START_TEST(every_table_belongs_to_a_processor_that_can_be_programmed)
{
	for (size_t i = 0; i < um_num_event_tables; i++) {
		const struct um_event_table *t = &um_event_tables[i];
		const struct um_uarch *u = strcmp(t->uarch, "core") ? um_uarch_find(t->uarch)
								   : &um_core_registers;

		ck_assert_msg(u != NULL, "%s", t->uarch);
		check_table_has_pmu(t, u);
	}
	ck_assert_ptr_null(um_event_table_find("sandybridge", "uncore"));
	ck_assert_ptr_null(um_event_table_find("westmere", "cbo"));
}
END_TEST

START_TEST(names_are_sorted_and_so_unique)
{
	for (size_t i = 0; i < um_num_event_tables; i++) {
		const struct um_event_table *t = &um_event_tables[i];

		for (size_t j = 1; j < t->num_rows; j++) {
			const struct um_event_row *a = &t->rows[j - 1], *b = a + 1;
			int order = um_name_compare(a->name, b->name);

			/* Under one name processors may have other codes. */
			ck_assert_msg(order < 0 || (order == 0 && !(a->on & b->on)),
				      "%s before %s", a->name, b->name);
		}
	}
}
END_TEST

static void check_name(const struct um_event_table *t, const struct um_event_row *row)
{
	static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
	static const char core_signs[] = "abcdefghijklmnopqrstuvwxyz-";
	char folded[UM_EVENT_FOLDED], quick[UM_EVENT_FOLDED];
	bool core = strcmp(t->uarch, "core") == 0, prefixed = strncmp(row->name, "UNC_", 4) == 0;
	/* The longest name has to fit an event with all its modifiers. */
	size_t room = sizeof(((struct um_encoding *)0)->name) - sizeof(":edge:inv:cmask=255");

	ck_assert_msg(memchr(row->name, '\0', sizeof(row->name)) != NULL, "%.48s", row->name);
	ck_assert_uint_le(strlen(row->name), room);
	ck_assert_msg(prefixed == (!core && !strstr(t->uarch, "-ex")), "%s", row->name);
	ck_assert_msg(strspn(row->name, signs) == strlen(row->name) ||
		      (core && strspn(row->name, core_signs) == strlen(row->name)), "%s",
		      row->name);
	ck_assert_msg(find(t, row->name) == row, "%s is not found", row->name);
	ck_assert_uint_eq(um_name_fold_row(row, quick), um_name_fold(row->name, strlen(row->name),
								     folded));
	ck_assert_str_eq(quick, folded);
}

START_TEST(every_name_is_well_formed_and_leads_to_its_row)
{
	for_each_row(check_name);
}
END_TEST

static void check_texts(const struct um_event_table *t, const struct um_event_row *row)
{
	const char *desc = um_event_texts + row->desc, *note = um_event_texts + row->note;
	size_t len = strlen(desc);
	const struct um_event_row *before = row > t->rows ? row - 1 : NULL;

	ck_assert_msg(len > 10 && len < 250, "%s: '%s'", row->name, desc);
	ck_assert_msg(!strpbrk(desc, "\n\t%") && !strpbrk(note, "\n\t%"), "%s", row->name);
	ck_assert_msg(desc[len - 1] != '.' && desc[len - 1] != ' ' && !strstr(desc, "  "),
		      "%s: '%s'", row->name, desc);
	if (!before || strcmp(t->pmu, "uncore") != 0)
		return;
	ck_assert_msg(row->desc != before->desc || before->event != row->event,
		      "%s and %s have the same description", row->name, before->name);
}

START_TEST(every_row_says_in_words_of_its_own_what_it_counts)
{
	for_each_row(check_texts);
}
END_TEST

static void check_sources(const struct um_event_table *t, const struct um_event_row *row)
{
	const struct um_event_dispute *d = NULL;

	/* Of Nehalem the manual and FreeBSD have every event, with our codes. */
	if (strcmp(t->pmu, "uncore") == 0)
		ck_assert_uint_eq(um_event_sources(t, row) & (UM_SDM | UM_FREEBSD),
				  UM_SDM | UM_FREEBSD);
	ck_assert_uint_ne(um_event_sources(t, row), 0);
	while ((d = um_event_dispute(t, row, d))) {
		ck_assert_msg(row->sources & d->who, "%s", row->name);
		ck_assert_msg(d->their_event != row->event ||
			      d->their_umask != row->umask, "%s", row->name);
	}
}

START_TEST(every_row_has_sources_and_every_dispute_is_one)
{
	for_each_row(check_sources);
}
END_TEST

static void check_codes(const struct um_event_table *t, const struct um_event_row *row)
{
	const struct um_event_row *other = NULL;

	if (row->kind == UM_KIND_CLOCK) {
		ck_assert_ptr_null(um_event_at(t, row->event, row->umask, NULL));
		return;
	}
	if (strcmp(t->pmu, "uncore") != 0)
		return;
	ck_assert_msg(row->umask != 0, "%s has no unit mask", row->name);
	while ((other = um_event_at(t, row->event, row->umask, other)))
		ck_assert_msg(other == row || (other->extra_msr == row->extra_msr &&
					       other->extra_value != row->extra_value),
			      "%s and %s have the same codes", other->name, row->name);
	ck_assert_ptr_eq(um_event_named(t, row->event, row->umask),
			 row->extra_msr ? NULL : row);
}

START_TEST(no_two_rows_have_the_same_codes_and_codes_lead_back_to_the_name)
{
	for_each_row(check_codes);
}
END_TEST

static void check_spellings(const struct um_event_table *t, const struct um_event_row *row)
{
	static const enum um_source who[] = { UM_LIBPFM4, UM_LIKWID, UM_FREEBSD };
	char theirs[96];

	for (size_t i = 0; i < ARRAY_SIZE(who); i++) {
		if (um_event_spell(row, who[i], theirs, sizeof(theirs)) == -ENOENT) {
			ck_assert_msg(!(row->sources & who[i]) || row->ports, "%s", row->name);
			continue;
		}
		if (strchr(theirs, '{')) /* four names in one */
			continue;
		ck_assert_msg(find(t, theirs) == row, "%s does not lead to %s", theirs, row->name);
	}
}

START_TEST(what_other_tools_call_a_row_leads_back_to_it)
{
	for_each_row(check_spellings);
}
END_TEST

START_TEST(kinds_and_sources_have_words)
{
	for (unsigned i = UM_KIND_COUNT; i <= UM_KIND_CLOCK; i++)
		ck_assert_str_ne(um_event_kind_word(i), "");
	ck_assert_str_eq(um_source_word(UM_SDM), "sdm");
	ck_assert_str_eq(um_source_word(UM_PCM), "pcm");
	ck_assert_str_eq(um_source_word(UM_PERFMON), "perfmon");
	ck_assert_str_eq(um_source_word(256), "");
	ck_assert_str_eq(um_source_word(UM_SDM | UM_PCM), "");
}
END_TEST

/* ---- exact words: westmere unless @uarch says otherwise */

static const struct {
	const char *text, *name;
	unsigned event, umask;
	const char *uarch;
} exact[] = {
	{ "UNC_PROCHOT_ASSERTION", "UNC_PROCHOT_ASSERTION", 0x82, 0x01, NULL },
	{ "unc_prochot_assertion", "UNC_PROCHOT_ASSERTION", 0x82, 0x01, NULL },
	{ "PROCHOT_ASSERTION", "UNC_PROCHOT_ASSERTION", 0x82, 0x01, NULL },
	{ "wsm_unc::UNC_PROCHOT_ASSERTION", "UNC_PROCHOT_ASSERTION", 0x82, 0x01, NULL },
	{ "UNC_DRAM_THERMAL_THROTTLED", "UNC_DRAM_THERMAL_THROTTLED", 0x67, 0x01, NULL },
	{ "UNC_THERMAL_THROTTLED_TEMP.CORE_3", "UNC_THERMAL_THROTTLED_TEMP.CORE_3", 0x81, 0x08,
	  NULL },
	{ "UNC_THERMAL_THROTTLED_TEMP_CORE_0", "UNC_THERMAL_THROTTLED_TEMP.CORE_0", 0x81, 0x01,
	  NULL },
	{ "UNC_THERMAL_THROTTLING_TEMP:CORE_1", "UNC_THERMAL_THROTTLING_TEMP.CORE_1", 0x80, 0x02,
	  NULL },
	{ "UNC_THERMAL_THROTTLING_PROCHOT.CORE_0", "UNC_THERMAL_THROTTLING_PROCHOT.CORE_0", 0x83,
	  0x01, NULL },
	{ "UNC_THERMAL_THROTTLING_PROCHOT.CORE_2", "UNC_THERMAL_THROTTLING_PROCHOT.CORE_2", 0x83,
	  0x04, NULL },
	{ "UNC_TURBO_MODE.CORE_2", "UNC_TURBO_MODE.CORE_2", 0x84, 0x04, NULL },
	{ "UNC_CYCLES_UNHALTED_L3_FLL_ENABLE", "UNC_CYCLES_UNHALTED_L3_FLL_ENABLE", 0x85, 0x02,
	  NULL },
	{ "UNC_CYCLES_UNHALTED_L3_FLL_DISABLE", "UNC_CYCLES_UNHALTED_L3_FLL_DISABLE", 0x86, 0x01,
	  NULL },
	{ "UNC_CLK_UNHALTED", "UNC_CLK_UNHALTED", 0xff, 0x00, NULL },
	{ "UNCORE_CLOCK", "UNC_CLK_UNHALTED", 0xff, 0x00, NULL },
	{ "clockticks", "UNC_CLK_UNHALTED", 0xff, 0x00, NULL },
	{ "uncore_clockticks", "UNC_CLK_UNHALTED", 0xff, 0x00, NULL },
	{ "UCLOCK", "UNC_CLK_UNHALTED", 0xff, 0x00, NULL },
	{ "UNC_GQ_CYCLES_FULL.READ_TRACKER", "UNC_GQ_CYCLES_FULL.READ_TRACKER", 0x00, 0x01, NULL },
	{ "UNC_GC_OCCUPANCY:READ_TRACKER", "UNC_GQ_OCCUPANCY.READ_TRACKER", 0x02, 0x01, NULL },
	{ "UNC_GQ_ALLOC:RT_LLC_MISS", "UNC_GQ_ALLOC.RT_L3_MISS", 0x03, 0x02, NULL },
	{ "UNC_GQ_ALLOC.RT_TO_L3_RESP", "UNC_GQ_ALLOC.RT_TO_L3_RESP", 0x03, 0x04, NULL },
	{ "UNC_GQ_DATA_FROM:LLC", "UNC_GQ_DATA.FROM_L3", 0x04, 0x04, NULL },
	{ "UNC_GQ_DATA_TO:QPI_QMC", "UNC_GQ_DATA.TO_QPI_QMC", 0x05, 0x01, NULL },
	{ "UNC_SNP_RESP_TO_REMOTE_HOME.HITM", "UNC_SNP_RESP_TO_REMOTE_HOME.HITM", 0x07, 0x24,
	  NULL },
	{ "UNC_LLC_HITS:READ", "UNC_L3_HITS.READ", 0x08, 0x01, NULL },
	{ "UNC_L3_HITS_ANY", "UNC_L3_HITS.ANY", 0x08, 0x03, NULL },
	{ "UNC_L3_MISS.READ", "UNC_L3_MISS.READ", 0x09, 0x01, NULL },
	{ "UNC_L3_LINES_OUT.ANY", "UNC_L3_LINES_OUT.ANY", 0x0b, 0x1f, NULL },
	{ "UNC_GQ_SNOOP.GOTO_I_HIT_F", "UNC_GQ_SNOOP.GOTO_I_HIT_F", 0x0c, 0x08, NULL },
	{ "qhl_request_local_writes", "UNC_QHL_REQUESTS.LOCAL_WRITES", 0x20, 0x20, NULL },
	{ "UNC_QHL_ADDRESS_CONFLICTS.3WAY", "UNC_QHL_ADDRESS_CONFLICTS.3WAY", 0x24, 0x04, NULL },
	{ "UNC_QHL_TO_QMC_BYPASS", "UNC_QHL_TO_QMC_BYPASS", 0x26, 0x01, NULL },
	{ "UNC_QMC_OCCUPANCY.ANY", "UNC_QMC_OCCUPANCY.ANY", 0x2a, 0x07, NULL },
	{ "UNC_IMC_ISOC_OCCUPANCY:CH1", "UNC_QMC_ISSOC_OCCUPANCY.CH1", 0x2b, 0x02, NULL },
	{ "UNC_IMC_ISOC_OCCUPANCY:ANY", "UNC_QMC_ISSOC_READS.ANY", 0x2b, 0x07, NULL },
	{ "UNC_QMC_NORMAL_READS.ANY", "UNC_QMC_NORMAL_READS.ANY", 0x2c, 0x07, NULL },
	{ "qmc_normal_reads_any", "UNC_QMC_NORMAL_READS.ANY", 0x2c, 0x07, NULL },
	{ "UNC_QMC_WRITES:FULL_ANY", "UNC_QMC_WRITES.FULL.ANY", 0x2f, 0x07, NULL },
	{ "UNC_QMC_WRITES_PARTIAL_ANY", "UNC_QMC_WRITES.PARTIAL.ANY", 0x2f, 0x38, NULL },
	{ "UNC_IMC_RETRY.CH2", "UNC_IMC_RETRY.CH2", 0x32, 0x04, NULL },
	{ "UNC_QHL_FRC_ACK_CNFLTS.ANY", "UNC_QHL_FRC_ACK_CNFLTS.ANY", 0x33, 0x07, NULL },
	{ "UNC_QHL_SLEEPS.LOCAL_CONFLICT", "UNC_QHL_SLEEPS.LOCAL_CONFLICT", 0x34, 0x20, NULL },
	{ "UNC_ADDR_OPCODE_MATCH_RSPIWB_REMOTE", "UNC_ADDR_OPCODE_MATCH.REMOTE", 0x35, 0x02, NULL },
	{ "UNC_QPI_TX_STALLED_MULTI_FLIT.LINK_1", "UNC_QPI_TX_STALLED_MULTI_FLIT.LINK_1", 0x41,
	  0x38, NULL },
	{ "UNC_QPI_TX_STALLED_MULTI_FLIT_NCB_LINK_0", "UNC_QPI_TX_STALLED_MULTI_FLIT.NCB.LINK_0",
	  0x41, 0x02, "nehalem" },
	{ "UNC_QPI_TX_HEADER.BUSY.LINK_1", "UNC_QPI_TX_HEADER.BUSY.LINK_1", 0x42, 0x08, NULL },
	{ "UNC_DRAM_READ_CAS.AUTOPRE_CH2", "UNC_DRAM_READ_CAS.AUTOPRE_CH2", 0x63, 0x20, NULL },
	{ "UNC_DRAM_PRE_ALL.CH0", "UNC_DRAM_PRE_ALL.CH0", 0x66, 0x01, "nehalem" },
	{ "UNC_QMC_NORMAL_FULL.WRITE.CH2", "UNC_QMC_NORMAL_FULL.WRITE.CH2", 0x27, 0x20,
	  "nehalem" },
	{ "nhm_unc::UNC_QMC_NORMAL_FULL:READ_CH0", "UNC_QMC_NORMAL_FULL.READ.CH0", 0x27, 0x01,
	  "nehalem" },
	{ "UNC_QHL_FRC_ACK_CNFLTS.LOCAL", "UNC_QHL_FRC_ACK_CNFLTS.LOCAL", 0x33, 0x04, "nehalem" },
};

START_TEST(a_name_has_exactly_these_codes)
{
	const char *uarch = exact[_i].uarch ? exact[_i].uarch : "westmere";
	const struct um_event_row *row = find(table(uarch), exact[_i].text);

	ck_assert_msg(row != NULL, "%s: %s", uarch, exact[_i].text);
	ck_assert_str_eq(row->name, exact[_i].name);
	ck_assert_uint_eq(row->event, exact[_i].event);
	ck_assert_uint_eq(row->umask, exact[_i].umask);
}
END_TEST

/* Intel SDM volume 3, "pre-defined architectural performance events", and what perf_event_open(2) calls them. */
static const struct { const char *name; unsigned event, umask; } core_codes[] = {
	{ "cpu-cycles", 0x3c, 0 }, { "cycles", 0x3c, 0 }, { "CPU_CLK_UNHALTED.THREAD_P", 0x3c, 0 },
	{ "instructions", 0xc0, 0 }, { "INST_RETIRED.ANY_P", 0xc0, 0 },
	{ "bus-cycles", 0x3c, 1 }, { "CPU_CLK_UNHALTED.REF_XCLK", 0x3c, 1 },
	{ "cache-references", 0x2e, 0x4f }, { "LONGEST_LAT_CACHE.REFERENCE", 0x2e, 0x4f },
	{ "cache-misses", 0x2e, 0x41 }, { "LONGEST_LAT_CACHE.MISS", 0x2e, 0x41 },
	{ "branch-instructions", 0xc4, 0 }, { "branches", 0xc4, 0 },
	{ "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0 },
	{ "branch-misses", 0xc5, 0 }, { "BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, 0 },
	{ "TOPDOWN.SLOTS_P", 0xa4, 1 }, { "TOPDOWN.BACKEND_BOUND_SLOTS", 0xa4, 2 },
	{ "TOPDOWN_BAD_SPECULATION.ALL", 0x73, 0 }, { "TOPDOWN_FE_BOUND.ALL", 0x9c, 1 },
	{ "TOPDOWN_RETIRING.ALL", 0xc2, 2 }, { "MISC_RETIRED.LBR_INSERTS", 0xe4, 1 },
};

START_TEST(architectural_events_of_cores_have_these_codes)
{
	const struct um_event_table *t = um_event_table_find("core", "core");
	const struct um_event_row *row = NULL;
	size_t num = 0;

	while ((row = um_event_next(t, row)))
		num++;
	ck_assert_uint_eq(num, ARRAY_SIZE(core_codes));
	for (size_t i = 0; i < num; i++) {
		row = find(t, core_codes[i].name);
		ck_assert_msg(row && row->event == core_codes[i].event && row->umask == core_codes[i].umask,
			      "%s", core_codes[i].name);
	}
}
END_TEST

START_TEST(qualified_events_name_their_second_register)
{
	const struct um_event_row *row = find(table("westmere"), "UNC_GQ_SNOOP.GOTO_S_HIT_S");

	ck_assert_uint_eq(row->extra_msr, 0x301);
	ck_assert_uint_eq(row->extra_value, 4);
	row = find(table("westmere"), "UNC_ADDR_OPCODE_MATCH.IOH");
	ck_assert_uint_eq(row->extra_msr, 0x396);
	ck_assert_uint_eq(row->extra_value, 0);
}
END_TEST

static const struct {
	const char *uarch, *name;
	enum um_source who;
	unsigned event, umask;
} disputed[] = {
	{ "westmere", "UNC_PROCHOT_ASSERTION", UM_LIBPFM4, 0x82, 0x00 },
	{ "westmere", "UNC_DRAM_THERMAL_THROTTLED", UM_LIBPFM4, 0x67, 0x00 },
	{ "nehalem", "UNC_QHL_TO_QMC_BYPASS", UM_LIBPFM4, 0x26, 0x00 },
	{ "nehalem", "UNC_QPI_TX_STALLED_MULTI_FLIT.DRS.LINK_1", UM_LIKWID, 0x40, 0x08 },
	{ "westmere", "UNC_QMC_WRITES.FULL.ANY", UM_KERNEL, 0x2f, 0x0f },
};

START_TEST(who_gives_other_codes_is_recorded)
{
	const struct um_event_table *t = table(disputed[_i].uarch);
	const struct um_event_row *row = find(t, disputed[_i].name);
	const struct um_event_dispute *d = um_event_dispute(t, row, NULL);

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_eq(d->who, disputed[_i].who);
	ck_assert_uint_eq(d->their_event, disputed[_i].event);
	ck_assert_uint_eq(d->their_umask, disputed[_i].umask);
	ck_assert_uint_eq(um_event_sources(t, row) & disputed[_i].who, 0);
	ck_assert_ptr_null(um_event_dispute(t, row, d));
}
END_TEST

START_TEST(a_dispute_about_one_processor_is_none_about_the_other)
{
	const struct um_event_table *t = table("westmere");
	const struct um_event_row *row = find(t, "UNC_QPI_TX_STALLED_MULTI_FLIT.LINK_0");

	ck_assert_ptr_null(um_event_dispute(t, row, NULL));
	ck_assert_uint_eq(um_event_sources(t, row) & UM_LIKWID, UM_LIKWID);
}
END_TEST

/* ---- names that are none */

static const char *const nonsense[] = {
	"", ".", "UNC", "UNC_", "UNC_PROCHOT", "UNC_PROCHOT_ASSERTION_", "UNC_PROCHOT_ASSERTION.",
	"XUNC_PROCHOT_ASSERTION", "UNC-PROCHOT-ASSERTION", "UNC_PROCHOT_ASSERTION ",
	" UNC_PROCHOT_ASSERTION", "UNC_PROCHOT_ASSERTION*", "UNC_TURBO_MODE.CORE_[0-3]",
	"UNC_TURBO_MODE.CORE_4", "UNC_TURBO_MODE", "UNC_LLCX_HITS.READ", "UNC_L3_HITS..READ",
	"snb_unc::UNC_PROCHOT_ASSERTION", "wsm_unc::", "UNC_ADDR_OPCODE_MATCH_XOR_IOH",
	"UNC_QMC_NORMAL_FULL.READ.CH0", "UNC_QMC_NORMAL_FULL_READ_ANY", "\x01", "\xff\xff",
	"UNC_\nPROCHOT_ASSERTION", "0x82:0x1", "LLC", "instructions",
};

START_TEST(nonsense_is_no_name)
{
	ck_assert_msg(!find(table("westmere"), nonsense[_i]), "'%s'", nonsense[_i]);
}
END_TEST

START_TEST(only_the_given_length_counts)
{
	static const char text[] = "UNC_PROCHOT_ASSERTION:edge";

	ck_assert_ptr_null(um_event_find(table("westmere"), text, strlen(text)));
	ck_assert_ptr_nonnull(um_event_find(table("westmere"), text, strcspn(text, ":")));
	ck_assert_ptr_null(um_event_find(table("westmere"), "UNC_PROCHOT_ASSERTION\0X", 23));
}
END_TEST

START_TEST(a_name_of_another_processor_is_found_there)
{
	const struct um_event_row *row;
	const struct um_event_table *t;

	t = um_event_elsewhere("nehalem", "unc_prochot_assertion", 21, &row);
	ck_assert_ptr_eq(t, table("westmere"));
	ck_assert_str_eq(row->name, "UNC_PROCHOT_ASSERTION");
	t = um_event_elsewhere("westmere", "UNC_QMC_NORMAL_FULL.READ.CH0", 28, &row);
	ck_assert_ptr_eq(t, table("nehalem"));
	ck_assert_ptr_null(um_event_elsewhere("westmere", "UNC_BOGUS", 9, &row));
}
END_TEST

START_TEST(codes_lead_to_all_their_names)
{
	const struct um_event_table *t = table("westmere");
	const struct um_event_row *row = NULL;
	unsigned num = 0;

	while ((row = um_event_at(t, 0x0c, 0x04, row)))
		num += strncmp(row->name, "UNC_GQ_SNOOP.GOTO_S_HIT_", 24) == 0;
	ck_assert_uint_eq(num, 4);
	ck_assert_ptr_null(um_event_at(t, 0x82, 0x02, NULL));
	ck_assert_ptr_null(um_event_at(t, 0xff, 0x00, NULL));
	ck_assert_ptr_null(um_event_at(table("nehalem"), 0x82, 0x01, NULL));
}
END_TEST

/* ---- patterns */

static char matched[4096];
static struct um_error error;

static int note_name(void *user, const struct um_event_row *row)
{
	size_t len = strlen(matched);

	(void)user;
	snprintf(matched + len, sizeof(matched) - len, "%s ", row->name);
	return 0;
}

static int expand(const char *uarch, const char *pattern)
{
	matched[0] = '\0';
	memset(&error, 0, sizeof(error));
	return um_event_expand(table(uarch), pattern, strlen(pattern), note_name, NULL, &error);
}

static const struct {
	const char *pattern;
	int num;
	const char *first, *last;
} patterns[] = {
	{ "UNC_TURBO_MODE.CORE_[0-3]", 4, "UNC_TURBO_MODE.CORE_0 UNC_TURBO_MODE.CORE_1 ",
	  "UNC_TURBO_MODE.CORE_3 " },
	{ "UNC_TURBO_MODE.CORE_[2,0]", 2, "UNC_TURBO_MODE.CORE_0 ", "UNC_TURBO_MODE.CORE_2 " },
	{ "unc_turbo_mode:core_[0-1,3]", 3, "UNC_TURBO_MODE.CORE_0 ", "UNC_TURBO_MODE.CORE_3 " },
	{ "UNC_THERMAL_*", 12, "UNC_THERMAL_THROTTLED_TEMP.CORE_0 ",
	  "UNC_THERMAL_THROTTLING_TEMP.CORE_3 " },
	{ "*", 220, "UNC_ADDR_OPCODE_MATCH.IOH ", "UNC_TURBO_MODE.CORE_3 " },
	{ "**", 220, "UNC_ADDR_OPCODE_MATCH.IOH ", "UNC_TURBO_MODE.CORE_3 " },
	{ "UNC_LLC_*", 19, "UNC_L3_HITS.ANY ", "UNC_L3_MISS.WRITE " },
	{ "*PROCHOT*", 5, "UNC_PROCHOT_ASSERTION ", "UNC_THERMAL_THROTTLING_PROCHOT.CORE_3 " },
	{ "UNC_*_CAS.CH[0-1]", 4, "UNC_DRAM_READ_CAS.CH0 ", "UNC_DRAM_WRITE_CAS.CH1 " },
	{ "UNC_QPI_*.LINK_[1]", 11, "UNC_QPI_RX_NO_PPT_CREDIT.STALLS.LINK_1 ", "LINK_1 " },
	{ "UNC_PROCHOT_ASSERTION*", 1, "UNC_PROCHOT_ASSERTION ", "UNC_PROCHOT_ASSERTION " },
	{ "UNC_IMC_ISOC_OCCUPANCY:CH[0-2]", 3, "UNC_QMC_ISSOC_OCCUPANCY.CH0 ",
	  "UNC_QMC_ISSOC_OCCUPANCY.CH2 " },
	{ "*CORES_[13]", 1, "UNC_GQ_DATA.FROM_CORES_13 ", "UNC_GQ_DATA.FROM_CORES_13 " },
	{ "*CORES_1[3]", 0, "", "" },
	{ "UNC_NO_SUCH_*", 0, "", "" },
	{ "UNC_TURBO_MODE.CORE_[7]", 0, "", "" },
	{ "UNC_QMC_NORMAL_FULL*", 0, "", "" },
};

START_TEST(a_pattern_stands_for_these_names_in_table_order)
{
	size_t len = strlen(patterns[_i].last);

	ck_assert_int_eq(expand("westmere", patterns[_i].pattern), patterns[_i].num);
	ck_assert_msg(strncmp(matched, patterns[_i].first, strlen(patterns[_i].first)) == 0 &&
		      strlen(matched) >= len &&
		      (strlen(matched) == sizeof(matched) - 1 ||
		       strcmp(matched + strlen(matched) - len, patterns[_i].last) == 0),
		      "%s", matched);
}
END_TEST

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

START_TEST(a_bad_pattern_is_refused_and_calls_nobody)
{
	ck_assert_int_eq(expand("westmere", bad_patterns[_i].pattern), bad_patterns[_i].err);
	ck_assert_msg(strstr(error.msg, bad_patterns[_i].shows) != NULL, "%s", error.msg);
	ck_assert_str_ne(error.hint, "");
	ck_assert_str_eq(matched, "");
}
END_TEST

static int stop_here(void *user, const struct um_event_row *row)
{
	(void)row;
	++*(int *)user;
	return -ENOMEM;
}

START_TEST(a_callback_can_stop_a_pattern)
{
	int calls = 0;

	ck_assert_int_eq(um_event_expand(table("westmere"), "*", 1, stop_here, &calls, &error),
			 -ENOMEM);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(um_event_expand(table("westmere"), "*", 1, NULL, NULL, &error), 220);
}
END_TEST

/* ---- near matches */

static const char *const misspelled[][2] = {
	{ "UNC_PROCHOT_ASERTION", "UNC_PROCHOT_ASSERTION" },
	{ "unc_prochot_assertions", "UNC_PROCHOT_ASSERTION" },
	{ "PROCHOT_ASERTION", "UNC_PROCHOT_ASSERTION" },
	{ "PROCHOT", "UNC_PROCHOT_ASSERTION" },
	{ "UNC_LLC_HIT.READ", "UNC_L3_HITS.READ" },
	{ "UNC_L3_HITS", "UNC_L3_HITS.ANY" },
	{ "UNC_TURBO_MODE.CORE_4", "UNC_TURBO_MODE.CORE_0" },
	{ "UNC_DRAM_THERMAL_THROTLED", "UNC_DRAM_THERMAL_THROTTLED" },
};

START_TEST(a_misspelled_name_brings_the_right_one_first)
{
	const struct um_event_row *near[UM_NEAR];
	const char *text = misspelled[_i][0];
	size_t num = um_event_near(table("westmere"), text, strlen(text), near);

	ck_assert_uint_ge(num, 1);
	ck_assert_uint_le(num, UM_NEAR);
	ck_assert_str_eq(near[0]->name, misspelled[_i][1]);
}
END_TEST

START_TEST(what_is_like_nothing_has_no_near_match)
{
	static const char *const far[] = { "", "FOO", "UNC_", "xyzzy plugh", "\x01", "12345678" };
	const struct um_event_row *near[UM_NEAR];

	for (size_t i = 0; i < ARRAY_SIZE(far); i++)
		ck_assert_msg(!um_event_near(table("westmere"), far[i], strlen(far[i]), near),
			      "'%s' brought %s", far[i], near[0]->name);
}
END_TEST

START_TEST(near_matches_stay_on_this_processor)
{
	const struct um_event_row *near[UM_NEAR];
	const struct um_event_table *t = table("nehalem");
	size_t num = um_event_near(t, "UNC_TURBO_MODE.CORE_4", 21, near);

	for (size_t i = 0; i < num; i++)
		ck_assert_uint_ne(near[i]->on & t->on, 0);
}
END_TEST

/* Whatever is typed, nothing is read or written out of bounds (the sanitizers look on). */
START_TEST(ten_thousand_characters_of_anything_are_survived)
{
	static const char fill[] = "A_.:*[L0\xff\x01";
	static char text[10241];
	const struct um_event_row *near[UM_NEAR], *row;
	const struct um_event_table *t = table("westmere");
	size_t len = sizeof(text) - 1;

	for (size_t i = 0; i + 1 < sizeof(fill); i++) {
		memset(text, fill[i], len);
		ck_assert_ptr_null(um_event_find(t, text, len));
		ck_assert_ptr_null(um_event_elsewhere("westmere", text, len, &row));
		ck_assert_uint_eq(um_event_near(t, text, len, near), 0);
		ck_assert_int_eq(um_event_expand(t, text, len, note_name, NULL, &error), -EINVAL);
	}
}
END_TEST

/* Every length around that of the buffers, with what grows or shrinks while it is folded. */
START_TEST(names_as_long_as_the_buffers_are_survived)
{
	static const char *const words[] = { "LLC_", "UNC_QHL_REQUEST_", "*[0]", "GC_OCCUPANCY_" };
	const struct um_event_row *near[UM_NEAR];
	char text[160], folded[UM_EVENT_FOLDED];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (size_t at = 0; at < sizeof(text); at++)
			text[at] = words[i][at % strlen(words[i])];
		for (size_t len = 0; len < sizeof(text); len++) {
			size_t n = um_name_fold(text, len, folded);

			ck_assert_uint_lt(n, UM_EVENT_FOLDED);
			if (n)
				ck_assert_uint_eq(strlen(folded), n);
			um_event_near(table("westmere"), text, len, near);
			ck_assert_int_le(um_event_expand(table("westmere"), text, len, note_name,
							 NULL, &error), 220);
		}
	}
}
END_TEST

static void add_table_tests(Suite *s)
{
	TCase *tc = tcase_create("tables");

	tcase_add_test(tc, the_tables_are_complete);
	tcase_add_test(tc, every_table_belongs_to_a_processor_that_can_be_programmed);
	tcase_add_test(tc, names_are_sorted_and_so_unique);
	tcase_add_test(tc, every_name_is_well_formed_and_leads_to_its_row);
	tcase_add_test(tc, every_row_says_in_words_of_its_own_what_it_counts);
	tcase_add_test(tc, every_row_has_sources_and_every_dispute_is_one);
	tcase_add_test(tc, no_two_rows_have_the_same_codes_and_codes_lead_back_to_the_name);
	tcase_add_test(tc, what_other_tools_call_a_row_leads_back_to_it);
	tcase_add_test(tc, kinds_and_sources_have_words);
	suite_add_tcase(s, tc);
}

static void add_name_tests(Suite *s)
{
	TCase *tc = tcase_create("names");

	tcase_add_loop_test(tc, a_name_has_exactly_these_codes, 0, (int)ARRAY_SIZE(exact));
	tcase_add_test(tc, architectural_events_of_cores_have_these_codes);
	tcase_add_test(tc, qualified_events_name_their_second_register);
	tcase_add_loop_test(tc, who_gives_other_codes_is_recorded, 0, (int)ARRAY_SIZE(disputed));
	tcase_add_test(tc, a_dispute_about_one_processor_is_none_about_the_other);
	tcase_add_loop_test(tc, nonsense_is_no_name, 0, (int)ARRAY_SIZE(nonsense));
	tcase_add_test(tc, only_the_given_length_counts);
	tcase_add_test(tc, a_name_of_another_processor_is_found_there);
	tcase_add_test(tc, codes_lead_to_all_their_names);
	suite_add_tcase(s, tc);
}

Suite *names_suite(void)
{
	Suite *s = suite_create("names");
	TCase *tc = tcase_create("patterns");

	add_table_tests(s);
	add_name_tests(s);
	tcase_add_loop_test(tc, a_pattern_stands_for_these_names_in_table_order, 0,
			    (int)ARRAY_SIZE(patterns));
	tcase_add_loop_test(tc, a_bad_pattern_is_refused_and_calls_nobody, 0,
			    (int)ARRAY_SIZE(bad_patterns));
	tcase_add_test(tc, a_callback_can_stop_a_pattern);
	tcase_add_loop_test(tc, a_misspelled_name_brings_the_right_one_first, 0,
			    (int)ARRAY_SIZE(misspelled));
	tcase_add_test(tc, what_is_like_nothing_has_no_near_match);
	tcase_add_test(tc, near_matches_stay_on_this_processor);
	tcase_add_test(tc, ten_thousand_characters_of_anything_are_survived);
	tcase_add_test(tc, names_as_long_as_the_buffers_are_survived);
	suite_add_tcase(s, tc);
	return s;
}
