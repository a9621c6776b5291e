/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * If one of our counters wraps, hardware sets an overflow bit in a status register; the session clears it when
 * it ends. Registers and bits are from the manuals.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "suite.h"
#include "uncoremsr/leases.h"

/* Counts reads and writes of one register. */
static struct {
	uint32_t msr;
	bool fails;
	unsigned reads, writes;
	uint64_t written;
} spy;

static int spy_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	spy.reads += msr == spy.msr;
	return true_ops->read(a, cpu, msr, v);
}

static int spy_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	spy.writes += msr == spy.msr;
	if (msr == spy.msr && spy.fails)
		return -EIO;
	if (msr == spy.msr)
		spy.written = v;
	return true_ops->write(a, cpu, msr, v);
}

static void install_spy(uint32_t msr)
{
	struct um_access_ops *ops = spy_on();

	memset(&spy, 0, sizeof(spy));
	spy.msr = msr;
	ops->read = spy_read;
	ops->write = spy_write;
	ops->batch_read = NULL;
}

static const struct {
	const char *machine, *event;
	uint32_t counter;
	unsigned width;
	uint32_t clears;       /* register that clears the bit; 0: none is known */
	uint64_t bit;
	uint32_t status;       /* status register of the simulated machine; 0: it has none */
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

static void begin_on(int i)
{
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	if (!strncmp(wraps[i].event, "core", 4))
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0"), 0);
	else
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
	install_spy(wraps[i].clears);
	count(wraps[i].event);
	pass_and_read(SECOND);
}

static void begin(int i)
{
	open_stepped(wraps[i].machine, "");
	begin_on(i);
}

FIXTURE(.teardown = close_in_root)

TEST_EACH(the_overflow_bit_is_cleared_by_a_single_write, ARRAY_SIZE(wraps))
{
	begin(_i);
	poke(0, wraps[_i].counter, (UINT64_C(1) << wraps[_i].width) - 2);
	pass_and_read(0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_lt(peek(0, wraps[_i].counter), UINT64_C(1) << 40);
	if (wraps[_i].status)
		ck_assert_uint_eq(peek(0, wraps[_i].status) & wraps[_i].bit, wraps[_i].bit);
	ck_assert_uint_eq(spy.writes, 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(spy.reads, 0);
	ck_assert_uint_eq(spy.writes, wraps[_i].clears != 0);
	ck_assert_uint_eq(spy.written, wraps[_i].bit);
	if (wraps[_i].status)
		ck_assert_uint_eq(peek(0, wraps[_i].status) & wraps[_i].bit, 0);
}

TEST_EACH(an_overflow_bit_that_stays_set_is_named_and_repaired, ARRAY_SIZE(wraps))
{
	char address[16];

	if (!wraps[_i].status)
		return;
	make_root();
	open_stepped(wraps[_i].machine, "");
	use_root();
	begin_on(_i);
	poke(0, wraps[_i].counter, (UINT64_C(1) << wraps[_i].width) - 2);
	pass_and_read(0);
	pass_and_read(SECOND);
	logged[0] = '\0';
	spy.fails = true;
	ck_assert_int_eq(uncoremsr_session_stop(s), -EIO);
	snprintf(address, sizeof(address), "(0x%x) ", wraps[_i].clears);
	ck_assert_msg(strstr(logged, address) && strstr(logged, "uncore-doctor --repair"), "%s", logged);
	/* The repair must not change the counter, because another program uses it now. */
	poke(0, wraps[_i].counter, 77);
	spy.fails = false;
	reopen_in_root();
	ck_assert_int_ge(uncoremsr_repair(um, NULL, NULL), 0);
	ck_assert_uint_eq(peek(0, wraps[_i].status) & wraps[_i].bit, 0);
	ck_assert_uint_eq(peek(0, wraps[_i].counter), 77);
}

TEST_EACH(without_a_wrap_nothing_is_cleared, ARRAY_SIZE(wraps))
{
	begin(_i);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(spy.writes + spy.reads, 0);
}

SUITE(wrapped)
