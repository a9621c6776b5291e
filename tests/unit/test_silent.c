/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers that ignore writes or read as 0, as in virtual machines and emulators: if a counter does not verifiably
 * count, its reading is unknown with a reason, never 0.
 */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "steps.h"
#include "suite.h"

#define UNKNOWN(event, register) \
	"unknown 0 " event " silent " register " does not keep; " \
	"total-unknown 0 " event " silent " register " does not keep; "

/*
 * Package 1, which has the odd CPUs, is offline. When CPU 5 comes online again, its registers have been reset, as after
 * a sleep state, and some registers ignore writes.
 */
#define OFFLINE "westmere-2s,rate=0x1d:0x1=1000"
#define SILENT_ON_RETURN(register) \
	"start 0x1d:0x1; online 1-23/2 0; after 1 ENXIO; online 5 1; deny any " register " silent; " \
	"write 5 0x3c0 0; write 5 0x391 0; after 1 any; unknown 1 0 silent; " \
	"after 1 any; unknown 1 0 silent does not keep; after 1 any; unknown 1 0 silent does not keep"

static const struct story stories[] = {
	{ "silent counters are unknown and the fixed one counts on", "westmere-2s,silent=0x3b0-0x3b7,"
	  "rate=0x1d:0x1=1000",
	  "start 0x1d:0x1,clockticks; after 1; value 1 1 2666666667; " UNKNOWN("0", "UNCORE_PMC0 (0x3b0)") "after 1; "
	  UNKNOWN("0", "UNCORE_PMC0 (0x3b0)") "stop; read 0 0x391 0; read 0 0x3c0 0" },
	{ "a silent fixed counter is unknown and the others count", "westmere-2s,silent=0x394,rate=0x1d:0x1=1000",
	  "start 0x1d:0x1,clockticks; after 1; " UNKNOWN("1", "UNCORE_FIXED_CTR0 (0x394)") "value 0 0 1000" },
	{ "a counter that is silent at its turn is unknown",
	  "westmere-2s,busy=0,1,2,3,4,5,6,rate=0x1d:0x1=1000,rate=0x1d:0x2=500",
	  "start 0x1d:0x1,0x1d:0x2,clockticks; pass 1; deny any 0x3b7 silent; rotate; after 1; "
	  UNKNOWN("1", "UNCORE_PMC7 (0x3b7)") "value 0 2 5333333334" },
	{ "a counter that is silent after a time offline is unknown", OFFLINE, SILENT_ON_RETURN("0x3b0") },
	{ "a selector that is silent after a time offline makes its counter unknown", OFFLINE,
	  SILENT_ON_RETURN("0x3c0") },
	{ "a gate that is silent after a time offline makes its counters unknown", OFFLINE, SILENT_ON_RETURN("0x391") },
	{ "an event that did not happen has the count zero", "westmere-2s",
	  "start 0x1d:0x1; after 1; status 0 0 ok; value 0 0 0; raw 0 0 0x5a" },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(a_counter_that_does_not_verifiably_count_is_unknown, play_session, stories)

/* ---- registers that ignore writes from the start ---- */

/* Registers of each family that ignore writes: counters, selectors and gates. Addresses are from the manuals. */
static const struct {
	const char *machine, *event, *registers, *named;
} families[] = {
	{ "nehalem-1s", "0x1d:0x1", "0x3b0-0x3b7", "0x3b0" },
	{ "nehalem-1s", "0x1d:0x1", "0x3c0-0x3c7", "0x3c0" },
	{ "nehalem-1s", "0x1d:0x1", "0x391", "0x391" },
	{ "nehalem-1s", "clockticks", "0x394", "0x394" },
	{ "nehalem-1s", "clockticks", "0x395", "0x395" },
	{ "nehalem-ex-4s", "cbox/event=0x14,umask=0x7/", "0xd00-0xfff", "0xd1" },
	{ "nehalem-ex-4s", "wbox/clockticks/", "0x395", "0x395" },
	{ "nehalem-ex-4s", "ubox/event=0x2/", "0xc11", "0xc11" },
	{ "sandybridge-1s", "cbo/event=0x34,umask=0x88/", "0x706-0x707,silent=0x716-0x717,"
	  "silent=0x726-0x727,silent=0x736-0x737", "0x706" },
	{ "sandybridge-1s", "cbo/event=0x34,umask=0x88/", "0x391", "0x391" },
	{ "ivybridge-ep-2s", "cbo/event=0x34,umask=0x11/", "0xd16-0xd19,silent=0xd36-0xd39,"
	  "silent=0xd56-0xd59,silent=0xd76-0xd79", "0xd16" },
	{ "haswell-ep-2s", "pcu/event=0x80,occ_sel=1/", "0x717-0x71a", "0x717" },
	{ "haswell-ep-2s", "pcu/event=0x80,occ_sel=1/", "0x711-0x714", "0x711" },
	{ "haswell-ep-2s", "pcu/event=0xb,filter_band0=0xc/", "0x715", "0x715" },
	{ "haswell-ep-2s", "ubox/clockticks/", "0x704", "0x704" },
	{ "skylake-sp-2s", "pcu/event=0xb,filter_band0=0xc/", "0x717-0x71a", "0x717" },
	{ "sapphire-rapids-2s", "ubox/event=0x42,umask=0x8/", "0x2fd8-0x2fdf", "0x2fd8" },
	{ "zen-1s", "df/event=0x7,umask=0x38/", "0xc0010241,silent=0xc0010243,silent=0xc0010245,"
	  "silent=0xc0010247", "0xc0010241" },
	{ "zen-1s", "df/event=0x7,umask=0x38/", "0xc0010240,silent=0xc0010242,silent=0xc0010244,"
	  "silent=0xc0010246", "0xc0010240" },
	{ "skylake-sp-2s", "core/event=0xb1,umask=0x1/", "0xc1-0xc8", "0xc1" },
	{ "skylake-sp-2s", "core/event=0xb1,umask=0x1/", "0x186-0x18d", "0x186" },
	{ "skylake-sp-2s", "core/event=0xb1,umask=0x1/", "0x38f", "0x38f" },
	{ "skylake-sp-2s", "core/instructions/", "0x309", "0x309" },
	{ "skylake-sp-2s", "core/instructions/", "0x38d", "0x38d" },
};

TEST_EACH(if_registers_ignore_writes_the_start_fails_and_names_one, ARRAY_SIZE(families))
{
	char keys[192];

	snprintf(keys, sizeof(keys), ",silent=%s", families[_i].registers);
	open_stepped(families[_i].machine, keys);
	play_on(families[_i].registers, "%sadd %s; no-start EOPNOTSUPP %s; hints run on the hardware",
		strncmp(families[_i].event, "core", 4) ? "" : "route msr; only cpus 0; ", families[_i].event,
		families[_i].named);
}

TEST(on_a_dry_run_silent_registers_are_not_an_error)
{
	sim = sim_or_fail("westmere-2s,clock=stepped,silent=0x391-0x3c7");
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	uncoremsr_set_sim(um, sim);
	uncoremsr_set(um, UNCOREMSR_DRY_RUN, 1);
	logged[0] = '\0';
	uncoremsr_set_log(um, remember, NULL);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	count("0x1d:0x1,clockticks");
	ck_assert_ptr_null(strstr(logged, "keep"));
}

/* ---- the start value of counters of every width ---- */

static const struct {
	const char *machine, *event;
	uint32_t counter;
	unsigned width;
	uint64_t rate;
} widths[] = {
	{ "nehalem-1s,rate=0x1d:0x1=1000", "0x1d:0x1", 0x3b0, 48, 1000 },
	{ "nehalem-1s", "clockticks", 0x394, 48, 2400000000 },
	{ "sandybridge-1s", "cbo0/event=0x34,umask=0x88/", 0x706, 44, 700000 },
	{ "haswell-ep-2s", "ubox/event=0x42,umask=0x8/", 0x709, 44, 12000 },
	{ "skylake-sp-2s", "cha0/event=0x50,umask=0x1/", 0xe08, 48, 400000 },
	{ "zen-1s", "df/event=0x7,umask=0x38/", 0xc0010241, 48, 4000000 },
};

TEST_EACH(a_wrap_is_exact_at_every_width, ARRAY_SIZE(widths))
{
	uint64_t limit = UINT64_C(1) << widths[_i].width;

	open_stepped(widths[_i].machine, "");
	count(widths[_i].event);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	if (strncmp(widths[_i].event, "clock", 5))
		ck_assert_uint_eq(value(0, 0), widths[_i].rate);
	poke(0, widths[_i].counter, limit - 2);
	pass_and_read(0); /* the reading is disturbed, because the test wrote the counter */
	ck_assert_int_eq(pass_and_read(2 * SECOND), 0);
	ck_assert_int_eq(reading(0, 0)->status, UNCOREMSR_OK);
	ck_assert_uint_gt(value(0, 0), 2);
	/* The width of Haswell-EP's U-box counters is 44 or 48 bits, depending on the source; 44 is assumed. */
	ck_assert_uint_eq(peek(0, widths[_i].counter) & (limit - 1), value(0, 0) - 2);
}

SUITE(silent)
