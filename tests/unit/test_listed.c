/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of event lists on both routes: the reason of a refusal, and names that must give the same encoding again. The
 * words of more texts are in tests/kept/words.xz (tests/kept/listed).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "encoded.h"
#include "helpers.h"
#include "suite.h"

/* Invented events, with codes that the boxes of real processors accept. */
#define LIST "tests/kept/listed.json"

#define CHA "event 0-7;umask 8-15;edge 18;filter_state 1:17-26;filter_rem 1:32;" \
	"filter_loc 1:33;filter_nm 1:36;filter_not_nm 1:37;filter_opc0 1:41-50"

static const struct {
	const char *pmu, *type, *formats; /* formats: bits of config, or with "1:" of config1 */
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

static size_t num_kinds = ARRAY_SIZE(hybrid); /* kinds of cores on the hybrid machine */

static bool set_up_on(unsigned intel_model, bool is_hybrid)
{
	tree_begin(intel_model);
	for (size_t i = 0; i < ARRAY_SIZE(server) && !is_hybrid; i++)
		tree_pmu(server[i].pmu, server[i].type, server[i].formats, NULL);
	for (size_t i = 0; i < num_kinds && is_hybrid; i++)
		tree_pmu(hybrid[i].pmu, hybrid[i].type, hybrid[i].formats, NULL);
	if (!is_hybrid)
		tree_add("sys/bus/event_source/devices/cpu/events/cpu-cycles", "event=0x3c\n");
	return uncoremsr_event_list_add(tree(), LIST) != -ENOTSUP;
}

static bool set_up(bool is_hybrid)
{
	return set_up_on(0, is_hybrid);
}

/* Return " no filter" if the last remark says that the event has a filter and none was set, else "". */
static const char *without_filter(const struct encoded *ev)
{
	return ev->num_remarks && strstr(ev->remarks[ev->num_remarks - 1], "the event list gives this event a filter") ? " no filter" : "";
}

/*
 * Write the encoding for registers to @out: "NAME WORD of COUNTERS" or "NAME fixed COUNTER", and the extra registers;
 * or the error message.
 */
static void by_registers(const char *uarch, const char *text, char *out, size_t size)
{
	int num = encode(tree(), UNCOREMSR_ROUTE_MSR, uarch, text), len = 0;

	if (num < 0)
		snprintf(out, size, "%s", encode_error);
	for (size_t k = 0; k < num_encoded; k++) {
		const struct encoded *ev = &encoded[k];

		len += snprintf(out + len, size - (size_t)len, "%s%s", k ? "; " : "", ev->name);
		if (ev->fixed)
			len += snprintf(out + len, size - (size_t)len, " fixed 0x%x", (unsigned)ev->counter);
		else
			len += snprintf(out + len, size - (size_t)len, " 0x%llx of 0x%x",
					(unsigned long long)ev->word, (unsigned)ev->counters);
		for (size_t i = 0; i < ev->num_registers; i++)
			if (ev->registers[i].use == UNCOREMSR_USE_EVENT)
				len += snprintf(out + len, size - (size_t)len, " 0x%x=0x%llx", ev->registers[i].address,
						(unsigned long long)ev->registers[i].value);
		len += snprintf(out + len, size - (size_t)len, "%s", without_filter(ev));
	}
}

/*
 * Write the encoding for the kernel to @out: "PMU: TYPE:CONFIG:CONFIG1 ..." for all units, with the letters of
 * modifiers appended; or the error message.
 */
static void by_kernel(const char *uarch, const char *text, char *out, size_t size)
{
	int num = tree_encode(uarch, text), len = 0;

	if (num < 0)
		snprintf(out, size, "%s", encode_error);
	for (size_t k = 0; k < num_encoded; k++) {
		const struct encoded *ev = &encoded[k];

		if (!ev->unit)
			len += snprintf(out + len, size - (size_t)len, "%s%s:", k ? "; " : "", ev->family);
		len += snprintf(out + len, size - (size_t)len, " %u:%llx:%llx%s%s", (unsigned)ev->type,
				(unsigned long long)ev->config[0], (unsigned long long)ev->config[1],
				*ev->modifiers ? ":" : "", ev->modifiers);
		if (ev->unit == ev->units - 1)
			len += snprintf(out + len, size - (size_t)len, "%s", without_filter(ev));
	}
}

static const struct {
	const char *uarch;
	const char *text;
	const char *registers, *kernel; /* expected encoding, or part of the error message; NULL: not tested */
} told[] = {
	{ "skylake-sp", "UNC_CHA_T.A:edge", "UNC_CHA_T.A:edge 0x442150 of 0xa", "uncore_cha: 20:42150:0 21:42150:0" },
	{ "skylake-sp", "uncore_cha_1/UNC_CHA_T.A,edge/",
	  "cha1/UNC_CHA_T.A,edge/ 0x442150 of 0xa", "uncore_cha_1: 21:42150:0" },
	{ "skylake-sp", "uncore_iio/UNC_CHA_T.A/", "the event list has this event for PMU cha", NULL },
	{ "skylake-sp", "uncore_imc/UNC_CHA_T.A/", NULL, "'uncore_imc_0' has no term or event 'UNC_CHA_T.A'" },
	{ "skylake-sp", "UNC_CHA_T.HIGH", "with which cha cannot count the event here", NULL },
	{ "skylake-sp", "UNC_CHA_T.OPC", "UNC_CHA_T.OPC 0x402435 of 0x1 0xe06=0x40433",
	  "uncore_cha: 20:2435:4043300000000 21:2435:4043300000000" },
	{ "skylake-sp", "UNC_CHA_T.STATE:filter_state=0x4",
	  "UNC_CHA_T.STATE:filter_state=0x4 0x401134 of 0xf 0xe05=0x80000", NULL },
	{ "skylake-sp", "UNC_IIO_T.BANDWIDTH_IN.PART1", "UNC_IIO_T.BANDWIDTH_IN.PART1 fixed 0xb01",
	  "uncore_iio_free_running_0: 30:21ff:0" },
	{ "skylake-sp", "UNC_IIO_T.BANDWIDTH_OUT.PART3", "UNC_IIO_T.BANDWIDTH_OUT.PART3 fixed 0xb07",
	  "uncore_iio_free_running_0: 30:33ff:0" }, /* the code in perf; no list has this event */
	{ "skylake-sp", "UNC_IIO_T.WHAT", "a fixed counter of iio_free_running that the tables do not have",
	  "uncore_iio_free_running: 30:ff:0" },
	{ "skylake-sp", "UNC_M_T.READS", "whose registers cannot be reached", "uncore_imc: 40:304:0" },
	{ "skylake-sp", "UNC_H_T.MATCH", "whose registers cannot be reached",
	  "perf cannot express this event: the kernel has no format" },
	{ "skylake-sp", "uncore_cha/UNC_H_T.MATCH/", "whose registers cannot be reached",
	  "'uncore_cha_0' has no term or event 'UNC_H_T.MATCH'" },
	{ "skylake-sp", "UNC_CHA_T.STATE:filter_state=0x4", NULL, "uncore_cha: 20:1134:80000 21:1134:80000" },
	/* On Sandy Bridge (client) no MSR reaches the PCU: the kernel's formats are used, which have no unit mask. */
	{ "sandybridge", "uncore_pcu/UNC_P_T.C0/", NULL, "uncore_pcu: 60:4080:0" },
	{ "sandybridge", "uncore_pcu/UNC_P_T.CLOCK/", NULL, "uncore_pcu: 60:1:0" },
	/* For occupancy events, e and i of libpfm4 are Linux's terms occ_edge (bit 31) and occ_invert (bit 30). */
	{ "sandybridge-ep", "snbep_unc_pcu::UNC_P_T.C0:e=1:i=1:t=1",
	  "UNC_P_T.C0:thresh=0x1:occ_invert=0x1:occ_edge=0x1 0xc1404080 of 0xf", NULL },
	/*
	 * With the name of a libpfm4 PMU, each part after a colon is a unit mask, and the masks are or-ed. Without the
	 * PMU the whole text is a name from the list.
	 */
	{ "skylake-sp", "skx_unc_cha0::UNC_CHA_T:A:B", "skx_unc_cha0::UNC_CHA_T:A:B 0x406150 of 0xa",
	  "uncore_cha_0: 20:6150:0" },
	/* libpfm4's full form of an event: filters after the unit masks, and modifiers with the value 0. */
	{ "haswell-ep", "hswep_unc_cbo0::UNC_C_T:OPCODE:OPC_DRD:nf=0:isoc=0:nc=1",
	  "cbo0/UNC_C_T.OPCODE,filter_opc=0x182,filter_nc/ 0x400135 of 0xf 0xe05=0x0 0xe06=0x58200000",
	  NULL },
	{ "haswell-ep", "hswep_unc_cbo0::UNC_C_T:A:cf=1", "cbo has no term 'cf=1'", NULL },
	{ "skylake-sp", "UNC_IIO_T.P0:port=1", "no term 'port=1'", NULL },
	{ "skylake", "cpu/T.CORE,port=9,set=7/", "no port or set", NULL },
	{ "skylake-sp", "skx_unc_iio0::UNC_IIO_T:P0:P1:FC_POSTED_REQ:FC_CMPL:e=0:i=0:t=0",
	  "skx_unc_iio0::UNC_IIO_T:P0:P1:FC_POSTED_REQ:FC_CMPL:e=0:i=0:t=0 0x5030004004c2 of 0xf",
	  NULL },
	/* States of the PCU are numbers: or-ing C0 and C3 would give C6. */
	{ "sandybridge-ep", "snbep_unc_pcu::UNC_P_T:C0:C3", "unknown modifier 'C3'", "not a name that the kernel" },
	/* The user gives a filter in addition to that of the list. */
	{ "skylake-sp", "UNC_CHA_T.OPC:filter_opc0=0x200", "config1 and a term set the same filter",
	  "config1 and a term set the same filter" },
	{ "skylake-sp", "UNC_CHA_T.OPC:filter_opc1=0x1", "config1 and a term set the same filter",
	  "config1 and a term set the same filter" },
	{ "skylake-sp", "UNC_CHA_T.OPC:config1=0x4003300000000", "this term was given already: 'config1'",
	  "this term was given already: 'config1'" },
	{ "skylake-sp", "cha/UNC_CHA_T.OPC,filter_opc0=0x200/", "config1 and a term set the same filter",
	  "config1 and a term set the same filter" },
	{ "skylake-sp", "T.OFFCORE:offcore_rsp=0x4", NULL, "offcore_rsp was given already" },
	{ "skylake-sp", "T.OFFCORE:config1=0x4", NULL, "config1 was given already" },
	/* The kernel's codes for free-running counters. */
	{ "skylake-sp", "iio_free_running/event=0xff,umask=0x41/", "has no term 'event=0xff'", NULL },
	{ "skylake-sp", "iio_free_running/event=0xfe,umask=0x21/", "has no term 'event=0xfe'", NULL },
	{ "skylake-sp", "iio_free_running/event=0xff,umask=0x21/e", "unknown modifier 'e'", NULL },
	/* In these PMU names the unit number lacks the underscore that the kernel's names have before it. */
	{ "skylake-sp", "imc1/UNC_M_T.READS/", NULL, "this kernel has no PMU 'imc1'" },
	{ "skylake-sp", "imc00/UNC_M_T.READS/", NULL, "this kernel has no PMU 'imc00'" },
	/* likwid's options, and its separate names for counters. */
	{ "skylake-sp", "T_IPQ:CBOX1C3:OPCODE=0x202", "cha1/UNC_CHA_T.IPQ,filter_opc0=0x202/ 0x400435 of 0x8 0xe16=0x40433",
	  "uncore_cha_1: 21:435:4043300000000" },
	{ "skylake-sp", "cha/event=0x1,opcode=0x1/", "filter_opc0 has no effect", NULL },
	/*
	 * The modifier e means exclusive use for core events, as in perf, and edge for uncore events. "edge" and "e=1"
	 * mean edge for both.
	 */
	{ "skylake-sp", "T.CORE:e", "exclusive use, as in perf", "cpu: 4:1d1:0:e" },
	{ "skylake-sp", "T.CORE:ue", "unknown modifier 'ue'", "cpu: 4:1d1:0:ue" },
	{ "skylake-sp", "cpu/T.CORE/e", "exclusive use, as in perf", "cpu: 4:1d1:0:e" },
	{ "skylake-sp", "r1d1:e", "exclusive use, as in perf", "cpu: 4:1d1:0:e" },
	{ "skylake-sp", "cache-misses:e", "exclusive use, as in perf", "cpu: 0:3:0:e" },
	{ "skylake-sp", "cycles:e", "exclusive use, as in perf", "cpu: 0:0:0:e" },
	{ "skylake-sp", "T.CORE:u:edge:i:c=1", "T.CORE:u:edge:i:c=1 0x1c501d1 of 0x3", "cpu: 4:18401d1:0:u" },
	{ "skylake-sp", "UNC_U_T.CLOCK:e", "takes no modifier", "has no term or event 'edge'" },
	/* A filter that is given as a whole word is shown as that word. */
	{ "skylake-sp", "UNC_CHA_T.IPQ:config1=0x3a00000000",
	  "UNC_CHA_T.IPQ:config1=0x3a00000000 0x400435 of 0xf 0xe06=0x3a", NULL },
	{ "skylake-sp", "T.CORE:NOSUCH", NULL, "NOSUCH" },
	{ "skylake-sp", "cpu/T.CORE,cmask=2/", "cpu/T.CORE,cmask=2/ 0x24301d1 of 0x3", "cpu: 4:20001d1:0" },
	{ "skylake-sp", "cha/T.CORE/", "the event list has this event for PMU core",
	  "'uncore_cha_0' has no term or event 'T.CORE'" },
	{ "skylake-sp", "T.FIXED_4", "which core does not have here", NULL },
	{ "skylake-sp", "T.FIXED_9", "which core does not have here", NULL },
	{ "skylake-sp", "core/T.CORE,offcore_rsp=0x4/", "core has no term 'offcore_rsp=0x4'", NULL },
	{ "skylake-sp", "T.OFFCORE", "only the kernel's route (perf) sets", "cpu: 4:1b7:3" },
	{ "skylake-sp", "T.LATENCY", "only the kernel's route (perf) sets", "have no room for event=0xbb" },
	{ "skylake-sp", "cha/event=0x50,umask=0x1,config1=0x1000000000/",
	  "bits 0x1000000000 of config1 have no effect on this event",
	  "bits 0x1000000000 of config1 have no effect on this event" },
	{ "skylake-sp", "cha/event=0x1,umask=0x1,filter_opc0=0x2/",
	  "filter_opc0 has no effect on this event, which does not use the register that the term "
	  "fills (0xe06)",
	  "this event, which does not use the register that the term fills (0xe06)" },
	{ "skylake-sp", "cha/event=0x1,umask=0x1,filter_state=0x1/",
	  "filter_state has no effect on this event, which does not use the register that the term "
	  "fills (0xe05)",
	  "this event, which does not use the register that the term fills (0xe05)" },
	{ "knightslanding", "cha/event=0x35,umask=0x1,filter_rem=1/",
	  "cha/event=0x35,umask=0x1,filter_rem/ 0x400135 of 0xf 0xe06=0x21",
	  "Linux always sets filter_rem for it" },
	{ "knightslanding", "cha/event=0x35,umask=0x1,filter_rem=1,filter_local=1,filter_nnm=1/",
	  "cha/event=0x35,umask=0x1,filter_rem,filter_local,filter_nnm/ 0x400135 of 0xf "
	  "0xe06=0x23",
	  "uncore_cha: 20:135:100000000 21:135:100000000" },
	{ "zen", "l3/event=0x4,umask=0xff,slicemask=0x1/",
	  "l3/event=0x4,umask=0xff,slicemask=0x1/ 0xff0100000040ff04 of 0x3f",
	  "have no room for all of its bits" },
	{ "skylake-sp", "cpu/instructions,cmask=1/", NULL, "cpu: 0:1000001:0" },
	{ "skylake-sp", "cpu/cs/", NULL, "'cpu' has no term or event 'cs'" },
	{ "skylake-sp", "cha/cycles/", NULL, "'uncore_cha_0' has no term or event 'cycles'" },
	{ "skylake-sp", "UNC_M2M_T", NULL, "this kernel has no PMU 'uncore_m2m'" },
	{ "alderlake", "cpu_atom/T.BOTH/", "cpu_atom/T.BOTH/ 0x430003 of 0x3ff", NULL },
	{ "alderlake", "cpu_atom/T.BIG/", "the event lists do not have this event for this kind of core", NULL },
	{ "alderlake", "cpu_atom/T.BOTH/", NULL, "cpu_atom: 10:3:0" },
	{ "alderlake", "cpu_atom/T.BIG/", NULL, "'cpu_atom' has no term or event 'T.BIG'" },
};

/* An error message must contain @expected; an encoding must be equal to it. */
static void expect(const char *text, const char *got, const char *expected)
{
	bool refused = !strncmp(got, "event '", 7);

	ck_assert_msg(refused ? strstr(got, expected) != NULL : !strcmp(got, expected),
		      "%s: %s, not %s", text, got, expected);
}

/* Remove the mask of counters, " of 0x8", from an encoding. */
static void leave_counters_out(char *text)
{
	char *of = strstr(text, " of 0x");

	if (of)
		memmove(of, of + 6 + strspn(of + 6, "0123456789abcdef"),
			strlen(of + 6 + strspn(of + 6, "0123456789abcdef")) + 1);
}

/*
 * The name in the encoding must give the same encoding again, except for a counter that the user chose, which is not
 * part of the name.
 */
static void expect_again(const char *uarch, const char *first)
{
	char name[200], again[1200], got[1200];

	snprintf(got, sizeof(got), "%s", first);
	if (!strncmp(got, "event '", 7) || strchr(got, ';'))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(got, " "), got);
	by_registers(uarch, name, again, sizeof(again));
	leave_counters_out(again);
	leave_counters_out(got);
	expect(name, again, got);
}

TEST_EACH(a_name_from_a_list_gives_exactly_this_encoding_on_each_route, ARRAY_SIZE(told))
{
	char got[1200] = "";

	if (!without_lists(set_up(!strcmp(told[_i].uarch, "alderlake")))) {
		if (told[_i].registers) {
			by_registers(told[_i].uarch, told[_i].text, got, sizeof(got));
			expect(told[_i].text, got, told[_i].registers);
			expect_again(told[_i].uarch, got);
		}
		if (told[_i].kernel) {
			by_kernel(told[_i].uarch, told[_i].text, got, sizeof(got));
			expect(told[_i].text, got, told[_i].kernel);
		}
	}
	tree_end();
}

/* Firmware can switch off all small cores. */
TEST(if_only_one_kind_of_core_exists_events_are_encoded_for_it)
{
	char got[1200] = "";

	num_kinds = 1;
	if (!without_lists(set_up(true))) {
		by_kernel("alderlake", "T.CORE", got, sizeof(got));
		expect("T.CORE", got, "cpu_core: 4:1d1:0");
		by_kernel("alderlake", "T.BOTH", got, sizeof(got));
		expect("T.BOTH", got, "cpu_core: 4:2:0");
		by_kernel("alderlake", "T.BIG", got, sizeof(got));
		expect("T.BIG", got, "cpu_core: 4:4:0");
	}
	tree_end();
	num_kinds = ARRAY_SIZE(hybrid);
}

/* Names of libpfm4 with a PMU prefix: for one box or all boxes of a kind. Unit masks are or-ed, and e means edge. */
static const struct { const char *text, *kernel; } qualified[] = {
	{ "DRAM_CLOCKTICKS:MBOX1FIX", "this kernel has no PMU 'uncore_imc_1'" },
	{ "skx_unc_m2m0::UNC_M2M_T", "this kernel has no PMU 'uncore_m2m_0'" },
	{ "skx_unc_pcu1::UNC_P_T.C0", "there is only one pcu" },
	{ "skx_unc_cha5::UNC_CHA_T.A", "this kernel has no PMU 'uncore_cha_5'" },
	{ "skx_unc_cha99::UNC_CHA_T.A", "units 0 to" },
	{ "skx_unc_iio0::UNC_CHA_T.A", "the event list has this event for PMU uncore_cha" },
};

TEST_EACH(a_libpfm4_name_means_only_its_own_box, ARRAY_SIZE(qualified))
{
	char got[1200] = "";

	if (!without_lists(set_up_on(0x55, false))) {
		by_kernel(NULL, qualified[_i].text, got, sizeof(got));
		expect(qualified[_i].text, got, qualified[_i].kernel);
	}
	tree_end();
}

/* The terms of a list and of the user together are limited to 24. */
TEST(too_many_terms_are_refused)
{
	static const char more[] = ",edge,edge,edge,edge,edge,edge,edge,edge,edge,edge,edge,edge,edge,"
				   "edge,edge,edge,edge,edge,edge,edge,edge,edge/";
	char text[200], got[1200] = "";

	if (!without_lists(set_up(false))) {
		snprintf(text, sizeof(text), "cha/UNC_CHA_T.A%s", more);
		by_registers("skylake-sp", text, got, sizeof(got));
		ck_assert_msg(strstr(got, "0x442150 of 0xa") != NULL, "%s", got);
		snprintf(text, sizeof(text), "cha/UNC_CHA_T.A,edge%s", more);
		by_registers("skylake-sp", text, got, sizeof(got));
		ck_assert_msg(strstr(got, "too many terms") != NULL, "%s", got);
	}
	tree_end();
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
	if (!without_lists(uncoremsr_event_list_add(um, LIST) != -ENOTSUP)) {
		with_list = count_events(um);
		ck_assert_uint_gt(with_list, num);
		ck_assert_ptr_eq(uncoremsr_event(um, "westmere", 0), first);
		ck_assert_int_eq(uncoremsr_event_find(um, "westmere", "UNC_IIO_T.*", NULL, NULL), 7);
		listed = uncoremsr_event(um, "westmere", with_list - 1);
		/* Add the same list again: the earlier entries hide the new ones. */
		ck_assert_int_gt(uncoremsr_event_list_add(um, LIST), 0);
		ck_assert_uint_eq(count_events(um), 2 * with_list - num);
		ck_assert_ptr_eq(uncoremsr_event(um, "westmere", with_list - 1), listed);
		ck_assert_int_eq(listed->hidden, 0);
		ck_assert_int_eq(uncoremsr_event(um, "westmere", 2 * with_list - num - 1)->hidden, 1);
	}
	uncoremsr_free(um);
}

SUITE(listed)
