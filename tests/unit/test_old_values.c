/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Old contents of registers: a session overwrites them only if it can restore them. The machines have bits that are in
 * no table, like some emulators and new steppings.
 */
#include "machine.h"
#include "steps.h"
#include "suite.h"

enum { GLOBAL = 0x391 };

/* Nothing is written, not even with --force. The error and the hint name the register. */
#define REFUSED(why, hint) \
	"; image; force 0; no-start EBUSY " why "; hints " hint "; hints --force does not help; " \
	"force 1; no-start EBUSY " why "; hints " hint "; hints --force does not help; same"

static const struct story stories[] = {
	{ "a counter whose selector cannot be restored is left alone",
	  "westmere-2s,keeps=0x3c0-0x3c7:0x90000,set=0x3c0:0x90407",
	  "start 0x82:0x1; after 1; value 0 0 250; on 0 0 1; read 0 0x3c0 0x90407; logged some counter 0 is not taken: "
	  "UNCORE_PERFEVTSEL0 (0x3c0) holds 0x90407, and its bits 0x90000 could not be put back; stop; "
	  "read 0 0x3c0 0x90407; "
	  "read 0 0x3c1 0; read 0 0x391 0" },
	/* A write to IA32_PMC0 (0xc1) stores 32 bits and extends the sign (SDM, "Full-width writes"). */
	{ "a core counter that 32 bit writes cannot restore is left alone",
	  "westmere-2s,set=0xc1:0x123456789abc,set=0xc2:0xffff80000001",
	  "route msr; start core/event=0xc0,umask=0/; after 1; read 0 0xc1 0x123456789abc; "
	  "logged some (0xc1) holds 0x123456789abc; stop; read 0 0xc1 0x123456789abc; read 0 0xc2 0xffff80000001" },
	/* The processor can write the counter's alias in full width (0x345 bit 13). Counters start at 0x5a. */
	{ "a core counter with an alias is taken and restored", "haswell-ep-2s,set=0xc1:0x123456789abc",
	  "route msr; start core/event=0xc0,umask=0/; read 0 0xc1 0x5a; after 1; stop; read 0 0xc1 0x123456789abc" },
	/* A program without a lease begins to use the counter between our check and our first write. */
	{ "a counter that was taken since it was found free is left alone",
	  "westmere-2s,foreign=0x3c0:0x400103:after=6:package=0",
	  "start 0x82:0x1; after 1 any; unknown 0 0 disturbed another program uses the counter now; value 1 0 250; "
	  "stop; read 0 0x3c0 0x400103; read 0 0x3b0 0x1234" },
	{ "if one package is refused the other one counts", "haswell-ep-2s,keeps=0x710:0x1000000",
	  "write 6 0x710 0x1000100; start pcu/event=0x80/; after 1 EBUSY; status 0 0 ok; "
	  "unknown 1 0 failed (0x710) holds 0x1000100; read 6 0x710 0x1000100; read 6 0x711 0; stop; read 0 0x711 0" },
	{ "a counter that was requested is refused", "westmere-2s,keeps=0x3c0-0x3c7:0x90000,set=0x3c0:0x90407",
	  "add 0x82:0x1; counter 0 0" REFUSED("counter 0 cannot be taken: UNCORE_PERFEVTSEL0 (0x3c0) holds 0x90407, "
	  "and its bits 0x90000 could not be put back", "wrmsr -p 0 0x3c0 0") },
	/* IA32_FIXED_CTR1 counts cycles and has 48 bits. The values for Haswell-EP are from its uncore guide. */
	{ "the only fixed counter is refused", "skylake-sp-2s,keeps=0x30a:0x1000000000000,set=0x30a:0x1000000000000",
	  "route msr; add core/cycles/" REFUSED("the fixed counter of cycles cannot be taken: IA32_FIXED_CTR1 (0x30a) "
	  "holds 0x1000000000000, and its bits 0x1000000000000 could not be put back", "wrmsr -p 0 0x30a 0") },
	{ "if no counter can be restored all are refused", "westmere-2s,keeps=0x3c0-0x3c7:0x90000,set=0x3c0:0x90407,"
	  "set=0x3c1:0x90407,set=0x3c2:0x90407,set=0x3c3:0x90407,set=0x3c4:0x90407,set=0x3c5:0x90407,set=0x3c6:0x90407,"
	  "set=0x3c7:0x90407",
	  "add 0x82:0x1" REFUSED("0 of 8 free; says UNCORE_PERFEVTSEL0 (0x3c0) holds 0x90407, and its bits "
	  "0x90000 could not be put back", "wrmsr -p 0 0x3c0 0") },
	{ "a filter is refused", "haswell-ep-2s,keeps=0x715:0x100000000,set=0x715:0x100000000",
	  "add pcu/event=0xb,filter_band0=0xc/" REFUSED("(0x715) holds 0x100000000, and its bits 0x100000000 could "
	  "not be put back", "wrmsr -p 0 0x715 0") },
	{ "a box control is refused", "haswell-ep-2s,keeps=0x710:0x1000000,set=0x710:0x1000100",
	  "add pcu/event=0x80/" REFUSED("(0x710) holds 0x1000100, and its bits 0x1000000 could not be put back",
	  "wrmsr -p 0 0x710 0") },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(only_registers_that_can_be_restored_are_changed, play_session, stories)

/* Check a counter's state, and the register, contents and bits that cannot be restored (0 if there are none). */
static void expect_state(const struct uncoremsr_pmu *pmu, unsigned counter,
			 enum uncoremsr_counter_state state, uint32_t msr, uint64_t holds,
			 uint64_t bits)
{
	const struct uncoremsr_counter *c = uncoremsr_counters(um, uncoremsr_package(um, 0), pmu)->list[counter];

	ck_assert_uint_eq(c->number, counter);
	ck_assert_int_eq(c->state, state);
	ck_assert_uint_eq(c->stuck ? c->stuck->msr : 0, msr);
	ck_assert_uint_eq(c->stuck ? c->stuck->holds : 0, holds);
	ck_assert_uint_eq(c->stuck ? c->stuck->bits : 0, bits);
}

TEST(the_state_of_a_counter_shows_bits_that_could_not_be_restored)
{
	const struct uncoremsr_pmu *uncore, *core;

	open_stepped("westmere-2s", ",keeps=0x3c0-0x3c7:0x90000,set=0x3c0:0x90407,set=0x3c1:0x490407,"
		     "set=0x3c2:0x400407,set=0xc1:0x123456789abc");
	uncore = uncoremsr_pmu(um, NULL, 0);
	core = uncoremsr_pmu(um, "core", 0);
	expect_state(uncore, 0, UNCOREMSR_COUNTER_STUCK, 0x3c0, 0x90407, 0x90000);
	expect_state(uncore, 1, UNCOREMSR_COUNTER_IN_USE, 0x3c1, 0x490407, 0x90000);
	expect_state(uncore, 2, UNCOREMSR_COUNTER_IN_USE, 0, 0, 0);
	expect_state(uncore, 3, UNCOREMSR_COUNTER_FREE, 0, 0, 0);
	poke(0, GLOBAL, 8);
	expect_state(uncore, 3, UNCOREMSR_COUNTER_IN_USE, 0, 0, 0);
	poke(0, GLOBAL, 0);
	expect_state(core, 0, UNCOREMSR_COUNTER_STUCK, 0xc1, 0x123456789abc, 0x123400000000);
}

/* 0x4c1 can be written in full width if bit 13 of 0x345 is set. The bit is taken as 0 if 0x345 cannot be read. */
TEST(a_counter_with_a_full_width_alias_is_free_whatever_it_holds)
{
	open_stepped("haswell-ep-2s", ",set=0xc1:0x123456789abc");
	expect_state(uncoremsr_pmu(um, "core", 0), 0, UNCOREMSR_COUNTER_FREE, 0, 0, 0);
	open_stepped("haswell-ep-2s", ",set=0xc1:0x123456789abc,fail=read 0x345 EIO");
	expect_state(uncoremsr_pmu(um, "core", 0), 0, UNCOREMSR_COUNTER_STUCK, 0xc1, 0x123456789abc, 0x123400000000);
}

TEST(shared_registers_that_can_be_restored_are_not_listed)
{
	open_stepped("westmere-2s", "");
	ck_assert_ptr_null(uncoremsr_counters(um, uncoremsr_package(um, 0), uncoremsr_pmu(um, NULL, 0))->shared[0]);
}

/* A filter of one box and the control register of another box. A register with several fields is reported once. */
TEST(filters_and_gates_that_could_not_be_restored_are_listed)
{
	const struct uncoremsr_stuck *found;
	const struct uncoremsr_pmu *pmu;
	unsigned num = 0;

	open_stepped("haswell-ep-2s", ",keeps=0xe05:0x8000000000000000,set=0xe05:0x8000000000000000,"
		     "keeps=0x710:0x1000000,set=0x710:0x1000100");
	for (size_t i = 0; (pmu = uncoremsr_pmu(um, NULL, i)); i++) {
		const struct uncoremsr_counters *c = uncoremsr_counters(um, uncoremsr_package(um, 0), pmu);

		for (size_t k = 0; c && (found = c->shared[k]); k++) {
			num++;
			ck_assert_uint_eq(found->cpu, 0);
			ck_assert(found->msr == 0xe05 || found->msr == 0x710);
			ck_assert_uint_eq(found->holds, found->msr == 0xe05 ? UINT64_C(0x8000000000000000) : 0x1000100);
			ck_assert_uint_eq(found->bits, found->msr == 0xe05 ? UINT64_C(0x8000000000000000) : 0x1000000);
		}
	}
	ck_assert_uint_eq(num, 2);
}

SUITE(old_values)
