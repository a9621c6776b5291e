/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters are shared by all counters of a box: bits that no event uses must stay as they were.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"

/* PCU_MSR_PMON_BOX_FILTER of the Xeon E5 v3: bands 0 to 3 in bits 7:0, 15:8, 23:16 and 31:24. */
enum { PCU_FILTER = 0x715 };

FIXTURE(.teardown = close_machine)

#define BAND_0 "pcu/event=0xb,filter_band0=0xc/"

static const struct story stories[] = {
	{ "filter bits that no event uses are kept", "haswell-ep-2s",
	  "write 0 0x715 0x55000001; start pcu/event=0xc,filter_band1=0xc/,pcu/event=0xd,filter_band2=0x10/; "
	  "read 0 0x715 0x55100c01; after 1; disturbed 0; stop; read 0 0x715 0x55000001" },
	/*
	 * Each turn sets its bits in the original contents of the filter, not in the contents that the previous turn
	 * left.
	 */
	{ "each turn sets its own filter bits and keeps the others", "haswell-ep-2s",
	  "write 0 0x715 0x22000000; start " BAND_0 ",pcu/event=0xb,filter_band0=0x10/; turns 2; "
	  "read 0 0x715 0x2200000c; pass 1; rotate; read 0 0x715 0x22000010; pass 1; rotate; read 0 0x715 0x2200000c; "
	  "pass 1; rotate; stop; read 0 0x715 0x22000000" },
	/* Another program's change of a filter bit is noticed only if our events use the bit. */
	{ "another program may change the rest of a filter", "haswell-ep-2s",
	  "start " BAND_0 "; write 0 0x715 0x4400000c; after 1; disturbed 0; write 0 0x715 0x4400000d; after 1; "
	  "unknown 0 0 disturbed filter 0x715; stop; "
	  "read 0 0x715 0x4400000d; logged some register 0x715 holds 0x4400000d, not our 0xc: left as it is" },
	{ "an event without a filter leaves the register alone", "haswell-ep-2s",
	  "write 0 0x715 0x77; start pcu/event=0x80,occ_sel=1/,cbo0/event=0x37,umask=0x1/; read 0 0x715 0x77; "
	  "write 0 0x715 0x78; after 1; disturbed 0; stop; read 0 0x715 0x78" },
	/* If nothing has changed, the check in each interval reads the register of each package once. */
	{ "each check reads a filter once", "haswell-ep-2s",
	  "only packages 0; start " BAND_0 ",pcu/event=0xb,filter_band0=0xc,thresh=1/; watch 0x715; after 1; reads 1; "
	  "after 1; reads 2; after 1; reads 3" },
	/* All CPUs of the packages go offline and come back. Then enabling the box fails, so the session ends. */
	{ "a filter is restored even if counting cannot continue", "haswell-ep-2s",
	  "write 0 0x715 0x22000000; start " BAND_0 "; read 0 0x715 0x2200000c; deny read 0x0-0xffffffff ENXIO; "
	  "after 1 ENXIO; allow; deny read 0x710 EIO; after 1 EIO; allow; stop; read 0 0x715 0x22000000" },
	/*
	 * The other program sets bit 32, which our tables do not list, so we could not restore the value of the
	 * register. The register is therefore not used again, although the other program seems to have ended.
	 */
	{ "a filter that could not be restored is not used again",
	  "haswell-ep-2s,keeps=0x715:0x100000000,foreign=0x715:0x100000001:at=0.5",
	  "start " BAND_0 "; watch 0x715; repeat 9 after 1 any; unknown 0 0 failed bits 0x100000000 could not be put "
	  "back; stop; writes 0" },
};

TEST_STORIES(a_session_keeps_filter_bits_of_other_programs, play_session, stories)

static int write_some_bits(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	return true_ops->write(a, cpu, msr, msr == PCU_FILTER ? v & ~UINT64_C(8) : v);
}

/* A hypervisor may ignore writes to some bits. The register then has neither its old value nor our word. */
TEST(a_filter_that_ignores_some_bits_is_restored)
{
	open_stepped("haswell-ep-2s", "");
	spy_on()->write = write_some_bits;
	play_on(__func__, "write 0 0x715 0x22000000; add pcu/event=0xb,filter_band0=0xc/; no-start EOPNOTSUPP 0x715; "
		"hints run on the hardware; read 0 0x715 0x22000000; logged 0 another program wrote it");
}

SUITE(filters)
