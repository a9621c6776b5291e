/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * If one of our counters wraps, hardware sets an overflow bit in a status register. The session clears this bit when it
 * ends. Registers and bits are from the manuals.
 */
#include <inttypes.h>
#include <string.h>

#include "machine.h"
#include "steps.h"
#include "suite.h"
#include "uncoremsr/leases.h"

static const struct {
	const char *machine, *event;
	uint32_t counter;
	unsigned width;
	uint32_t clears;       /* register that clears the overflow bit; 0 if none is known */
	uint64_t bit;
	uint32_t status;       /* status register of the simulated machine; 0 if the machine has no status register */
} wraps[] = {
	{ "nehalem-1s,rate=0x1d:0x1=1000", "0x1d:0x1", 0x3b0, 48, 0x393, 0x1, 0x392 },
	{ "westmere-2s,busy=0,1,2,rate=0x1d:0x1=1000", "0x1d:0x1", 0x3b3, 48, 0x393, 0x8, 0x392 },
	{ "nehalem-1s", "clockticks", 0x394, 48, 0x393, 0x100000000, 0x392 },
	{ "haswell-ep-2s", "cbo1/event=0x34,umask=0x11,filter_state=0x1f/", 0xe18, 48, 0xe17, 0x1, 0xe17 },
	{ "haswell-ep-2s", "ubox/event=0x42,umask=0x8/", 0x709, 48, 0x708, 0x1, 0x708 },
	{ "skylake-sp-2s", "iio1/event=0x83,umask=0x4,ch_mask=0xff,fc_mask=0x7/", 0xa61, 48, 0xa67, 0x1, 0xa67 },
	{ "nehalem-ex-4s", "ubox/event=0x2/", 0xc11, 48, 0, 0, 0 },
	{ "nehalem-ex-4s", "cbox1/event=0x14,umask=0x7/", 0xd91, 48, 0xd82, 0x1, 0xd81 },
	{ "sandybridge-1s", "cbo0/event=0x34,umask=0x88/", 0x706, 44, 0, 0, 0 },
	{ "zen-1s", "df/event=0x7,umask=0x38/", 0xc0010241, 48, 0, 0, 0 },
	{ "skylake-sp-2s", "core/event=0xb1,umask=0x1/", 0xc1, 48, 0x390, 0x1, 0x38e },
	{ "skylake-sp-2s", "core/instructions/", 0x309, 48, 0x390, 0x100000000, 0x38e },
};

/* Begin to count the event of row @i, and to watch accesses to the register that clears the overflow bit. */
static void begin(int i)
{
	play_on(wraps[i].event, "route msr; only %s 0; watch 0x%x; start %s; after 1 any",
		strncmp(wraps[i].event, "core", 4) ? "packages" : "cpus", wraps[i].clears, wraps[i].event);
}

/* The first read after the test has written the counter is disturbed. */
static void wrap(int i)
{
	poke(0, wraps[i].counter, (UINT64_C(1) << wraps[i].width) - 2);
	play_on(wraps[i].event, "after 0 any; after 1");
	ck_assert_uint_lt(peek(0, wraps[i].counter), UINT64_C(1) << 40);
	if (wraps[i].status)
		ck_assert_uint_eq(peek(0, wraps[i].status) & wraps[i].bit, wraps[i].bit);
}

FIXTURE(.teardown = close_in_root)

TEST_EACH(the_overflow_bit_is_cleared_by_a_single_write, ARRAY_SIZE(wraps))
{
	open_stepped(wraps[_i].machine, "");
	begin(_i);
	wrap(_i);
	play_on(wraps[_i].event, "writes 0; stop; reads 0; writes %d 0x%" PRIx64, wraps[_i].clears != 0, wraps[_i].bit);
	if (wraps[_i].status)
		ck_assert_uint_eq(peek(0, wraps[_i].status) & wraps[_i].bit, 0);
}

TEST_EACH(an_overflow_bit_that_stays_set_is_named_and_repaired, ARRAY_SIZE(wraps))
{
	if (!wraps[_i].status)
		return;
	open_stepped(wraps[_i].machine, "");
	play_on(wraps[_i].event, "root");
	begin(_i);
	wrap(_i);
	logged[0] = '\0';
	/* Another program uses the counter now, so the repair must not change the counter. */
	play_on(wraps[_i].event, "deny write 0x%x EIO; stop EIO; logged some (0x%x) ; logged some uncore-doctor --repair; "
		"write 0 0x%x 77; allow", wraps[_i].clears, wraps[_i].clears, wraps[_i].counter);
	reopen_in_root();
	ck_assert_int_ge(uncoremsr_repair(um, NULL, NULL), 0);
	ck_assert_uint_eq(peek(0, wraps[_i].status) & wraps[_i].bit, 0);
	ck_assert_uint_eq(peek(0, wraps[_i].counter), 77);
}

TEST_EACH(without_a_wrap_nothing_is_cleared, ARRAY_SIZE(wraps))
{
	open_stepped(wraps[_i].machine, "");
	begin(_i);
	play_on(wraps[_i].event, "after 1; stop; writes 0; reads 0");
}

SUITE(wrapped)
