/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters are shared by all counters of a box: bits that no event uses must stay as they were.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"

/* PCU_MSR_PMON_BOX_FILTER of the Xeon E5 v3: bands 0 to 3 in bits 7:0, 15:8, 23:16 and 31:24. */
enum { PCU_CONTROL = 0x710, PCU_FILTER = 0x715 };

FIXTURE(.teardown = close_machine)

#define BAND_0 "pcu/event=0xb,filter_band0=0xc/"

/* Steps: see steps.h. */
static const struct story stories[] = {
	{ "filter bits that no event uses are kept", "haswell-ep-2s",
	  "write 0 0x715 0x55000001; start pcu/event=0xc,filter_band1=0xc/,pcu/event=0xd,filter_band2=0x10/; "
	  "read 0 0x715 0x55100c01; after 1; disturbed 0; stop; read 0 0x715 0x55000001" },
	/* Each turn changes the original contents, not what the previous turn left. */
	{ "each turn sets its own filter bits and keeps the others", "haswell-ep-2s",
	  "write 0 0x715 0x22000000; start " BAND_0 ",pcu/event=0xb,filter_band0=0x10/; turns 2; "
	  "read 0 0x715 0x2200000c; "
	  "pass 1; rotate; read 0 0x715 0x22000010; pass 1; rotate; read 0 0x715 0x2200000c; pass 1; rotate; stop; "
	  "read 0 0x715 0x22000000" },
	/*
	 * The other program changes bits that no event of ours uses, and only the bits that our events use are
	 * checked.
	 */
	{ "another program may change the rest of a filter", "haswell-ep-2s",
	  "start " BAND_0 "; write 0 0x715 0x4400000c; after 1; disturbed 0; write 0 0x715 0x4400000d; after 1; "
	  "unknown 0 0 disturbed filter 0x715; stop; " /* not restored, because another program wrote it */
	  "read 0 0x715 0x4400000d; logged some register 0x715 holds 0x4400000d, not our 0xc: left as it is" },
	/* Events of other boxes, and events without a filter, do not change the filter. */
	{ "an event without a filter leaves the register alone", "haswell-ep-2s",
	  "write 0 0x715 0x77; start pcu/event=0x80,occ_sel=1/,cbo0/event=0x37,umask=0x1/; read 0 0x715 0x77; "
	  "write 0 0x715 0x78; after 1; disturbed 0; stop; read 0 0x715 0x78" },
};

TEST_EACH(a_filter_keeps_the_bits_of_others, ARRAY_SIZE(stories))
{
	play_session(&stories[_i]);
}

static unsigned filter_reads;

static int count_reads(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	filter_reads += cpu == 0 && msr == PCU_FILTER;
	return true_ops->read(a, cpu, msr, v);
}

/* If nothing has changed, the check in each interval reads the register once. */
TEST(each_check_reads_a_filter_once)
{
	struct um_access_ops *spy;

	open_stepped("haswell-ep-2s", "");
	count("pcu/event=0xb,filter_band0=0xc/,pcu/event=0xb,filter_band0=0xc,thresh=1/");
	spy = spy_on();
	spy->read = count_reads;
	spy->batch_read = NULL;
	for (int i = 0; i < 3; i++) {
		filter_reads = 0;
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(filter_reads, 1);
	}
	stop_spying();
}

static bool away, fails;

static int read_if_there(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	return away ? -ENXIO : fails && msr == PCU_CONTROL ? -EIO : true_ops->read(a, cpu, msr, v);
}

/* All CPUs of the packages were offline. When they are back, enabling the box fails, so the session ends. */
TEST(a_filter_is_restored_even_if_counting_cannot_continue)
{
	struct um_access_ops *spy;

	open_stepped("haswell-ep-2s", "");
	poke(0, PCU_FILTER, 0x22000000);
	count("pcu/event=0xb,filter_band0=0xc/");
	ck_assert_uint_eq(peek(0, PCU_FILTER), 0x2200000c);
	spy = spy_on();
	spy->read = read_if_there;
	spy->batch_read = NULL;
	away = true;
	ck_assert_int_eq(pass_and_read(SECOND), -ENXIO);
	away = false;
	fails = true;
	ck_assert_int_eq(pass_and_read(SECOND), -EIO);
	fails = false;
	stop_spying();
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, PCU_FILTER), 0x22000000);
}

static int write_some_bits(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	return true_ops->write(a, cpu, msr, msr == PCU_FILTER ? v & ~UINT64_C(8) : v);
}

/* A hypervisor may ignore writes to some bits. The register then has neither its old value nor our word. */
TEST(a_filter_that_ignores_some_bits_is_restored)
{
	struct um_access_ops *spy;

	open_stepped("haswell-ep-2s", "");
	poke(0, PCU_FILTER, 0x22000000);
	add("pcu/event=0xb,filter_band0=0xc/");
	spy = spy_on();
	spy->write = write_some_bits;
	expect_start(-ENOTSUP, "0x715", "run on the hardware");
	stop_spying();
	ck_assert_uint_eq(peek(0, PCU_FILTER), 0x22000000);
	ck_assert_ptr_null(strstr(logged, "another program wrote it"));
}

static unsigned filter_writes;

static int read_foreign(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	int err = true_ops->read(a, cpu, msr, v);

	if (msr == PCU_FILTER)
		*v = 0x100000001;
	return err;
}

static int count_writes(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	filter_writes += msr == PCU_FILTER;
	return true_ops->write(a, cpu, msr, v);
}

/*
 * The other program has set bit 32, which our tables do not list, so we could not restore its value. The register is
 * therefore not used again, although that program seems to have ended.
 */
TEST(a_filter_that_could_not_be_restored_is_not_used_again)
{
	struct um_access_ops *spy;

	open_stepped("haswell-ep-2s", "");
	count("pcu/event=0xb,filter_band0=0xc/");
	spy = spy_on();
	spy->read = read_foreign;
	spy->write = count_writes;
	spy->batch_read = NULL;
	filter_writes = 0;
	for (int i = 0; i < 9; i++)
		pass_and_read(SECOND);
	expect_unknown(reading(0, 0), UNCOREMSR_FAILED, "bits 0x100000000 could not be put back");
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(filter_writes, 0);
	stop_spying();
}

SUITE(filters)
