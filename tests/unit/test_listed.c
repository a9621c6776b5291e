/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of event lists that a route refuses, with the reason. Accepted events are in tests/kept/listed, their
 * encodings in tests/kept/words.xz, and round-trip.bats encodes the printed names again.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

/* The events are invented; the boxes of real processors accept their codes. */
#define LIST "tests/kept/listed.json"
#define DEV "sys/bus/event_source/devices/"

#define CHA "event 0-7;umask 8-15;edge 18;filter_state 1:17-26;filter_rem 1:32;" \
	"filter_loc 1:33;filter_nm 1:36;filter_not_nm 1:37;filter_opc0 1:41-50"

static const struct {
	const char *pmu, *type, *formats; /* @formats: bits of config; the prefix "1:" means config1 */
} server[] = {
	{ "cpu", "4", "event 0-7;umask 8-15;edge 18;inv 23;cmask 24-31;offcore_rsp 1:0-63" },
	{ "uncore_cha_0", "20", CHA },
	{ "uncore_cha_1", "21", CHA },
	{ "uncore_iio_free_running_0", "30", "event 0-7;umask 8-15" },
	{ "uncore_imc_0", "40", "event 0-7;umask 8-15;edge 18;inv 23;thresh 24-31" },
	{ "uncore_cbox_0", "25", "event 0-7;umask 8-15" },
	{ "amd_l3", "26", "event 0-7;umask 8-15" },
	{ "uncore_ubox", "50", "event 0-7;umask 8-15" },
	{ "uncore_pcu", "60", "event 0-7;occ_sel 14-15;edge 18;occ_invert 30;occ_edge 14-51" },
}, hybrid[] = {
	{ "cpu_core", "4", "event 0-7;umask 8-15" },
	{ "cpu_atom", "10", "event 0-7;umask 8-15" },
};

static size_t num_kinds = ARRAY_SIZE(hybrid);

static void set_up_on(unsigned intel_model, bool is_hybrid)
{
	tree_begin(intel_model);
	for (size_t i = 0; i < ARRAY_SIZE(server) && !is_hybrid; i++)
		tree_pmu(server[i].pmu, server[i].type, server[i].formats, NULL);
	for (size_t i = 0; i < num_kinds && is_hybrid; i++)
		tree_pmu(hybrid[i].pmu, hybrid[i].type, hybrid[i].formats, NULL);
	if (!is_hybrid) {
		tree_add(DEV "cpu/events/cpu-cycles", "event=0x3c\n");
		/* Predefined events that refer to one another, and at last to an event of the list. */
		tree_add(DEV "uncore_pcu/events/d", "c\n");
		tree_add(DEV "uncore_pcu/events/c", "b\n");
		tree_add(DEV "uncore_pcu/events/b", "a\n");
		tree_add(DEV "uncore_pcu/events/a", "UNC_P_T.C0\n");
	}
	ck_assert_int_gt(uncoremsr_event_list_add(tree(), LIST), 0);
}

static void set_up(bool is_hybrid)
{
	set_up_on(0, is_hybrid);
}

#define EDGES ",edge,edge,edge,edge,edge,edge,edge,edge,edge,edge"
static const struct {
	const char *uarch, *text, *registers, *kernel; /* parts of the messages; NULL: the route accepts */
} refused[] = {
	{ "skylake-sp", "uncore_iio/UNC_CHA_T.A/", "in the event list this event belongs to PMU cha", NULL },
	{ "skylake-sp", "uncore_imc/UNC_CHA_T.A/", NULL, "'uncore_imc_0' has no term or event 'UNC_CHA_T.A'" },
	{ "skylake-sp", "UNC_CHA_T.HIGH", "which cannot count the event on cha", NULL },
	{ "skylake-sp", "UNC_IIO_T.WHAT", "a fixed counter of iio_free_running that the tables do not have", NULL },
	{ "skylake-sp", "UNC_M_T.READS", "whose registers cannot be reached", NULL },
	{ "skylake-sp", "UNC_H_T.MATCH",
	  "whose registers cannot be reached", "perf cannot express this event: the kernel has no format" },
	{ "skylake-sp", "uncore_cha/UNC_H_T.MATCH/",
	  "whose registers cannot be reached", "'uncore_cha_0' has no term or event 'UNC_H_T.MATCH'" },
	/* Entries of a list with another event code, or with more terms, cannot be used as unit masks of an event. */
	{ "skylake-sp", "skx_unc_cha0::UNC_CHA_T:A:HIGH", "unknown modifier 'HIGH'", "not a name that the kernel" },
	{ "skylake-sp", "skx_unc_cha0::UNC_CHA_T:IPQ:OPC", "unknown modifier 'OPC'", "not a name that the kernel" },
	/* libpfm4 writes filters after the unit masks. */
	{ "haswell-ep", "hswep_unc_cbo0::UNC_C_T:A:cf=1", "cbo has no term 'cf=1'", NULL },
	/* Only Sandy Bridge-EP and Ivy Bridge-EP have the mask STATE_MESIF. */
	{ "haswell-ep", "hswep_unc_cbo0::UNC_C_T:A:STATE_MESIF", "unknown modifier 'STATE_MESIF'", NULL },
	/* A shortened name would be the name of another event. */
	{ "skylake-sp", "cpu/T.CORE" EDGES EDGES EDGES EDGES "/", "too long", NULL },
	{ "skylake-sp", "UNC_IIO_T.P0:port=1", "no term 'port=1'", NULL },
	{ "skylake", "cpu/T.CORE,port=9,set=7/", "no port or set", NULL },
	/* States of the PCU are numbers: or-ing C0 and C3 would give C6. */
	{ "sandybridge-ep", "snbep_unc_pcu::UNC_P_T:C0:C3", "unknown modifier 'C3'", "not a name that the kernel" },
	/* The list has a filter for the event, and the user adds another filter. */
	{ "skylake-sp", "UNC_CHA_T.OPC:filter_opc0=0x200",
	  "config1 and a term set the same filter", "config1 and a term set the same filter" },
	{ "skylake-sp", "UNC_CHA_T.OPC:filter_opc1=0x1",
	  "config1 and a term set the same filter", "config1 and a term set the same filter" },
	{ "skylake-sp", "UNC_CHA_T.OPC:config1=0x4003300000000",
	  "this term was given already: 'config1'", "this term was given already: 'config1'" },
	{ "skylake-sp", "cha/UNC_CHA_T.OPC,filter_opc0=0x200/",
	  "config1 and a term set the same filter", "config1 and a term set the same filter" },
	{ "skylake-sp", "T.OFFCORE:offcore_rsp=0x4", NULL, "offcore_rsp was given already" },
	{ "skylake-sp", "T.OFFCORE:config1=0x4", NULL, "config1 was given already" },
	/* Codes by which the kernel selects free-running counters. */
	{ "skylake-sp", "iio_free_running/event=0xff,umask=0x41/", "has no term 'event=0xff'", NULL },
	{ "skylake-sp", "iio_free_running/event=0xfe,umask=0x21/", "has no term 'event=0xfe'", NULL },
	{ "skylake-sp", "iio_free_running/event=0xff,umask=0x21/e", "unknown modifier 'e'", NULL },
	/* The kernel's PMU names have an underscore before the unit number. */
	{ "skylake-sp", "imc1/UNC_M_T.READS/", NULL, "this kernel has no PMU 'imc1'" },
	{ "skylake-sp", "imc00/UNC_M_T.READS/", NULL, "this kernel has no PMU 'imc00'" },
	{ "skylake-sp", "cha/event=0x1,opcode=0x1/", "filter_opc0 has no effect", NULL },
	/*
	 * The modifier e means exclusive use for core events, as in perf, and edge for uncore events. "edge" and "e=1"
	 * mean edge for both.
	 */
	{ "skylake-sp", "T.CORE:e", "exclusive use of the PMU", NULL },
	{ "skylake-sp", "T.CORE:ue", "unknown modifier 'ue'", NULL },
	{ "skylake-sp", "cpu/T.CORE/e", "exclusive use of the PMU", NULL },
	{ "skylake-sp", "r1d1:e", "exclusive use of the PMU", NULL },
	{ "skylake-sp", "cache-misses:e", "exclusive use of the PMU", NULL },
	{ "skylake-sp", "cycles:e", "exclusive use of the PMU", NULL },
	{ "skylake-sp", "UNC_U_T.CLOCK:e", "takes no modifier", "has no term or event 'edge'" },
	{ "skylake-sp", "T.CORE:NOSUCH", NULL, "NOSUCH" },
	{ "skylake-sp", "cha/T.CORE/",
	  "in the event list this event belongs to PMU core", "'uncore_cha_0' has no term or event 'T.CORE'" },
	{ "skylake-sp", "T.FIXED_4", "which core does not have here", NULL },
	{ "skylake-sp", "T.FIXED_9", "which core does not have here", NULL },
	{ "skylake-sp", "core/T.CORE,offcore_rsp=0x4/", "core has no term 'offcore_rsp=0x4'", NULL },
	{ "skylake-sp", "T.OFFCORE", "only the kernel's route (perf) sets", NULL },
	{ "skylake-sp", "T.LATENCY", "only the kernel's route (perf) sets", "have no room for event=0xbb" },
	{ "skylake-sp", "cha/event=0x50,umask=0x1,config1=0x1000000000/",
	  "bits 0x1000000000 of config1 have no effect on this event",
	  "bits 0x1000000000 of config1 have no effect on this event" },
	{ "skylake-sp", "cha/event=0x1,umask=0x1,filter_opc0=0x2/",
	  "filter_opc0 has no effect: it sets register 0xe06, which this event does not use",
	  "it sets register 0xe06, which this event does not use" },
	{ "skylake-sp", "cha/event=0x1,umask=0x1,filter_state=0x1/",
	  "filter_state has no effect: it sets register 0xe05, which this event does not use",
	  "it sets register 0xe05, which this event does not use" },
	{ "knightslanding", "cha/event=0x35,umask=0x1,filter_rem=1/", NULL, "Linux always sets filter_rem for it" },
	{ "zen", "l3/event=0x4,umask=0xff,slicemask=0x1/", NULL, "have no room for all of its bits" },
	{ "skylake-sp", "cpu/cs/", NULL, "'cpu' has no term or event 'cs'" },
	{ "skylake-sp", "cha/cycles/", NULL, "'uncore_cha_0' has no term or event 'cycles'" },
	{ "skylake-sp", "UNC_M2M_T", NULL, "this kernel has no PMU 'uncore_m2m'" },
	{ "alderlake", "cpu_atom/T.BIG/",
	  "the event lists do not have this event for this kind of core", "'cpu_atom' has no term or event 'T.BIG'" },
};

static void expect(const char *text, int num, const char *says)
{
	ck_assert_msg(num < 0 && strstr(encode_error, says), "%s: %d %s", text, num, encode_error);
}

FIXTURE(.teardown = tree_end, .only_if = has_lists)

TEST_EACH(an_event_of_a_list_that_does_not_fit_is_refused_with_the_reason, ARRAY_SIZE(refused))
{
	const char *uarch = refused[_i].uarch, *text = refused[_i].text;

	set_up(!strcmp(uarch, "alderlake"));
	if (refused[_i].registers)
		expect(text, encode(tree(), UNCOREMSR_ROUTE_MSR, uarch, text), refused[_i].registers);
	if (refused[_i].kernel)
		expect(text, tree_encode(uarch, text), refused[_i].kernel);
}

/* Firmware can switch off all E-cores. On Sandy Bridge no MSR reaches the PCU, so the kernel's formats are used. */
TEST(events_are_encoded_for_the_pmus_that_the_kernel_has)
{
	static const struct { const char *uarch, *text, *pmu; uint64_t config; } rows[] = {
		{ "alderlake", "T.CORE", "cpu_core", 0x1d1 }, { "alderlake", "T.BOTH", "cpu_core", 2 },
		{ "alderlake", "T.BIG", "cpu_core", 4 },
		{ "sandybridge", "uncore_pcu/UNC_P_T.C0/", "uncore_pcu", 0x4080 },
		{ "sandybridge", "uncore_pcu/UNC_P_T.CLOCK/", "uncore_pcu", 1 },
		{ "sandybridge", "uncore_pcu/d/", "uncore_pcu", 0x4080 },
	};

	num_kinds = 1;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		set_up(!strcmp(rows[i].uarch, "alderlake"));
		ck_assert_msg(tree_encode(rows[i].uarch, rows[i].text) == 1, "%s: %s", rows[i].text, encode_error);
		ck_assert_uint_eq(num_encoded, 1);
		ck_assert_str_eq(encoded->pmu, rows[i].pmu);
		ck_assert_uint_eq(encoded->config[0], rows[i].config);
	}
	num_kinds = ARRAY_SIZE(hybrid);
}

/* Names of libpfm4 with a PMU prefix: for one box or all boxes of a kind. */
static const struct { const char *text, *kernel; } qualified[] = {
	{ "DRAM_CLOCKTICKS:MBOX1FIX", "this kernel has no PMU 'uncore_imc_1'" },
	{ "skx_unc_m2m0::UNC_M2M_T", "this kernel has no PMU 'uncore_m2m_0'" },
	{ "skx_unc_pcu1::UNC_P_T.C0", "there is only one pcu" },
	{ "skx_unc_cha5::UNC_CHA_T.A", "this kernel has no PMU 'uncore_cha_5'" },
	{ "skx_unc_cha99::UNC_CHA_T.A", "units 0 to" },
	{ "skx_unc_iio0::UNC_CHA_T.A", "in the event list this event belongs to PMU uncore_cha" },
};

TEST_EACH(a_libpfm4_name_means_only_its_own_box, ARRAY_SIZE(qualified))
{
	set_up_on(0x55, false);
	expect(qualified[_i].text, tree_encode(NULL, qualified[_i].text), qualified[_i].kernel);
}

static size_t count_events(struct uncoremsr *um)
{
	size_t num = 0;

	while (uncoremsr_event(um, "westmere", num))
		num++;
	return num;
}

TEST(a_list_that_is_added_later_adds_its_events_and_keeps_earlier_ones)
{
	const struct uncoremsr_event *first, *listed;
	struct uncoremsr *um;
	size_t num, with_list;

	ck_assert_int_eq(uncoremsr_new(&um), 0);
	num = count_events(um);
	first = uncoremsr_event(um, "westmere", 0);
	ck_assert_int_eq(uncoremsr_event_find(um, "westmere", "UNC_IIO_T.*", NULL, NULL), -ENOENT);
	ck_assert_int_gt(uncoremsr_event_list_add(um, LIST), 0);
	with_list = count_events(um);
	ck_assert_uint_gt(with_list, num);
	ck_assert_ptr_eq(uncoremsr_event(um, "westmere", 0), first);
	ck_assert_int_eq(uncoremsr_event_find(um, "westmere", "UNC_IIO_T.*", NULL, NULL), 7);
	listed = uncoremsr_event(um, "westmere", with_list - 1);
	/* In a list that is added twice, the earlier entries hide the new entries. */
	ck_assert_int_gt(uncoremsr_event_list_add(um, LIST), 0);
	ck_assert_uint_eq(count_events(um), 2 * with_list - num);
	ck_assert_ptr_eq(uncoremsr_event(um, "westmere", with_list - 1), listed);
	ck_assert_int_eq(listed->hidden, 0);
	ck_assert_int_eq(uncoremsr_event(um, "westmere", 2 * with_list - num - 1)->hidden, 1);
	uncoremsr_free(um);
}

SUITE(listed)
