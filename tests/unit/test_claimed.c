/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The start of a session, from the search for free counters to the first interval: which registers are read, which
 * messages are logged, which counters are kept or released.
 *
 * Uses internal headers, because it makes and reads locks and journals itself.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/handle.h"
#include "lease_steps.h"
#include "suite.h"

/* ---- counters that other programs use ---- */

static unsigned reads[0x400];

static int count_reads(struct um_access *access, unsigned cpu, uint32_t msr, uint64_t *v)
{
	if (cpu == 0 && msr < 0x400)
		reads[msr]++;
	return true_ops->read(access, cpu, msr, v);
}

FIXTURE(.setup = setup, .teardown = teardown)

/* A read may interrupt another CPU, so a counter in use is detected by a single read of its selector. */
TEST(another_programs_counter_is_read_once_and_reported)
{
	struct um_access_ops *spy;

	poke(0, SEL0, 0x4000aa);
	poke(0, SEL0 + 1, 0x4000bb);
	poke(0, GLOBAL, 2);
	join(&a);
	um = a.um;
	spy = spy_on();
	spy->read = count_reads;
	spy->batch_read = NULL; /* without a batch the library reads registers one by one */
	ck_assert_int_eq(uncoremsr_session_only(a.s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
	memset(reads, 0, sizeof(reads));
	count_as(&a, "0x82:0x1");
	um = NULL;
	ck_assert_uint_eq(reads[SEL0], 1);
	ck_assert_uint_eq(reads[SEL0 + 1], 1);
	ck_assert_uint_eq(reads[PMC0], 0);
	ck_assert_uint_eq(reads[PMC0 + 1], 0);
	ck_assert_uint_gt(reads[SEL0 + 2], 1);
	ck_assert_uint_eq(reads[SEL0 + 3], 0); /* the library stops searching when enough counters were found */
	ck_assert_ptr_nonnull(strstr(logged, "- package 0: counter 0 is in use by another program (selector "
				     "0x3c0 holds 0x4000aa, global enable bit off)\n"));
	ck_assert_ptr_nonnull(strstr(logged, "- package 0: counter 1 is in use by another program (selector "
				     "0x3c1 holds 0x4000bb, global enable bit on)\n"));
	ck_assert_ptr_nonnull(strstr(logged, "W package 0: another program uses counter 0, 1 without a lease: "
				     "left alone, but watch for disturbed intervals\n"));
	ck_assert_uint_eq(times("another program uses counter"), 1);
	ck_assert_uint_eq(times("W "), 1);
}

/* ---- leases and journals of our sessions ---- */

#define THEIRS(counter) "write 0 0x3c" counter " 0x4000aa; "
#define THEIRS_2_TO_7 THEIRS("2") THEIRS("3") THEIRS("4") THEIRS("5") THEIRS("6") THEIRS("7")
/*
 * Package 0 has only one of the two counters that session a needs. So session a counts nothing on package 0, and does
 * not warn about counters of other programs.
 */
#define ONE_IS_FREE(selector) \
	"as b; as a; no-turns; start 0x82:0x1,0x82:0x3; logged 0 another program uses; read 0 " selector " 0; " \
	"after 1 any; status 0 0 failed; status 1 0 ok; as b; only packages 0; start 0x82:0x1; " \
	"read 0 " selector " 0x400182"

static const struct story stories[] = {
	{ "a package where only the first counter is free keeps no counter", "westmere-2s",
	  THEIRS("1") THEIRS_2_TO_7 ONE_IS_FREE("0x3c0") },
	{ "a package where only the second counter is free keeps no counter", "westmere-2s",
	  THEIRS("0") THEIRS_2_TO_7 ONE_IS_FREE("0x3c1") },
	{ "without turns nothing is counted if a filter that all packages need is in use", "haswell-ep-2s",
	  "as a; start cbo/event=0x34,umask=0x11,filter_state=0x1/; as b; image; no-turns; "
	  "add cbo/event=0x34,umask=0x11,filter_state=0x2/,pcu/event=0x0/; no-start EBUSY is in use; same" },
};

TEST_STORIES(users_of_one_machine_get_what_is_free, play_leases, stories)

enum { PATH_SIZE = DIR_SIZE + 128 };

static const char *journal_here(char path[PATH_SIZE])
{
	char folder[DIR_SIZE + 16];

	snprintf(folder, sizeof(folder), "%s/run/uncoremsr", root);
	return only_journal(path, folder);
}

static size_t written(void)
{
	static char text[1 << 20];
	char path[PATH_SIZE];
	FILE *f = fopen(journal_here(path), "r");
	size_t len;

	ck_assert_ptr_nonnull(f);
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	return strlen(text);
}

/*
 * The unit of each package has 9 counters and one shared register, so it needs ten records. The records have at most
 * three words for each counter and each event, and two for the register.
 */
TEST_EACH(a_journal_has_room_for_all_before_anything_is_written, 2)
{
	char path[PATH_SIZE];
	struct stat st;

	join(&a);
	count_as(&a, _i ? "0x82:0x1" : "0x82:0x1,0x1d:0x1,clockticks");
	ck_assert_int_eq(stat(journal_here(path), &st), 0);
	ck_assert_int_eq(st.st_size, 2 * (10 * 544 + (3 * ((_i ? 1 : 3) + 9) + 2) * 24));
	for (int turn = 0; turn < 4; turn++) {
		uncoremsr_sim_advance(sim, SECOND);
		ck_assert_int_eq(uncoremsr_session_read(a.s), 0);
	}
}

/* A journal with two records is kept until both records have no words left. */
TEST(a_journal_record_is_removed_only_once)
{
	struct um_lease_id id = { .package = 0, .die = -1, .unit = "uncore", .kind = UM_LEASE_COUNTER };
	struct um_lease leases[2];
	struct um_record r;
	struct um_error e;
	struct um_guard g;
	struct um_box box;
	char path[DIR_SIZE + UM_LEASE_NAME + 32];

	join(&a);
	ck_assert_int_eq(um_box_find(&a.um->m, 0, -1, "uncore", &box), 0);
	ck_assert_int_eq(um_guard_open(&g, &a.um->m, true, &e), 0);
	ck_assert_int_eq(um_journal_begin(&g, 0, &e), 0);
	for (id.number = 0; id.number < 2; id.number++) {
		struct um_lease *l = &leases[id.number];

		*l = um_lease_make(&id, &box);
		um_record_begin(&r, &a.um->m, g.boot, &id, "0x82:0x1");
		um_record_add_word(&r, 0x400182);
		ck_assert_int_eq(um_lease_store(&g, l, &r, &e), 0);
		ck_assert_uint_eq(g.left, id.number); /* no record is stored before the lease is taken */
		ck_assert_int_eq(um_lease_take(&g, l, &e), 0);
		for (int again = 0; again < 2; again++)
			ck_assert_int_eq(um_lease_store(&g, l, &r, &e), 0);
		ck_assert_uint_eq(g.left, id.number + 1); /* the later record replaced the first record */
	}
	snprintf(path, sizeof(path), "%s/run/uncoremsr/%s", root, g.journal_name);
	um_lease_forget(&g, &leases[0]);
	um_lease_forget(&g, &leases[0]);
	ck_assert_uint_eq(g.left, 1);
	um_guard_close(&g);
	ck_assert_int_eq(access(path, F_OK), 0);
	poke(0, SEL0, 0x400182);
	poke(0, SEL0 + 1, 0x400182);
	ck_assert_int_eq(uncoremsr_repair(a.um, NULL, NULL), 1);
	ck_assert_uint_eq(peek(0, SEL0), 0x400182);
	ck_assert_uint_eq(peek(0, SEL0 + 1), 0);
	ck_assert_int_ne(access(path, F_OK), 0);
}

/* The C-boxes of Haswell-EP have a box control and two filter registers with five fields, shared by all counters. */
TEST(a_journal_has_room_for_the_registers_that_counters_share)
{
	struct stat st;
	size_t len;
	char path[PATH_SIZE];

	use_machine("haswell-ep-2s,clock=stepped", um_uarch_find("haswell-ep"), 6);
	join(&a);
	count_as(&a, "{cbo/event=0x35,umask=0x1,filter_opc=0x182/},{cbo/event=0x35,umask=0x1,filter_opc=0x180/},"
		 "{cbo/event=0x34,umask=0x11,filter_state=0x1/},{cbo/event=0x34,umask=0x11,filter_state=0x2/}");
	ck_assert_int_eq(stat(journal_here(path), &st), 0);
	for (int turn = 0; turn < 8; turn++) {
		uncoremsr_sim_advance(sim, SECOND);
		ck_assert_int_eq(uncoremsr_session_rotate(a.s), 0);
	}
	len = written();
	ck_assert_uint_gt(len, 4 * 544);
	ck_assert_uint_lt(len, (size_t)st.st_size);
}

TEST(a_counter_that_is_taken_again_needs_no_more_room_in_the_journal)
{
	size_t len = 0;

	join(&a);
	count_as(&a, "0x82:0x1");
	for (unsigned turn = 0; turn < 20; turn++) {
		poke(0, SEL0, turn % 2 ? 0x182 : 0);
		poke(0, 0x3b0, turn << turn);
		uncoremsr_sim_advance(sim, SECOND);
		uncoremsr_session_read(a.s);
		ck_assert_uint_eq(peek(0, SEL0), 0x400182);
		len = turn ? len : written();
		ck_assert_uint_eq(written(), len);
	}
	leave(&a);
	ck_assert_uint_eq(peek(0, 0x3b0), 19u << 19);
}

TEST(events_with_names_of_any_length_take_turns_without_more_room_in_the_journal)
{
	size_t len = 0;

	join(&a);
	count_as(&a, "0x1:0x1,0x1:0x2,0x1:0x3,0x1:0x4,0x1:0x5,0x1:0x6,0x1:0x7,0x1:0x8,0x10:0x11");
	for (unsigned turn = 0; turn < 20; turn++) {
		poke(0, SEL0, 0);
		uncoremsr_sim_advance(sim, SECOND);
		uncoremsr_session_read(a.s);
		uncoremsr_session_rotate(a.s);
		len = turn > 2 ? len : written();
		ck_assert_uint_eq(written(), len);
	}
	leave(&a);
}

/* ---- missing units ---- */

#define ABSENT "haswell-ep-2s,absent=cbo 1 package=0,absent=cbo 3 package=0,absent=sbox 2"
#define LEFT_OUT(package) "logged 1 W package " package ": absent units are left out: "

/* There is one message per kind of unit and package. */
static const struct story missing[] = {
	/* On package 1 the machine has no cbo4 and no sbox3. */
	{ "missing units are named by kind and package", ABSENT,
	  "start cbo/event=0x37,umask=0x1/,sbox/event=0x2,umask=0x1/,pcu/event=0/; logged 4 left out; "
	  "logged 0 W not counted: ; " LEFT_OUT("0") "cbo1, cbo3\n; " LEFT_OUT("0") "sbox2\n; "
	  LEFT_OUT("1") "cbo4\n; " LEFT_OUT("1") "sbox2, sbox3\n; after 1" },
	/* One of two M-boxes is left out. The W-box is not left out, because the machine has no other W-box. */
	{ "the only unit of a kind is not left out", "nehalem-ex-4s,absent=mbox 1 package=0,absent=wbox 0 package=0",
	  "start mbox/event=0x2/,wbox/event=0x4,umask=0x1/; logged 1 left out; logged 1 W not counted: ; "
	  LEFT_OUT("0") "mbox1\n; after 1 EIO" },
	{ "a kind without any unit is an error", "haswell-ep-2s,absent=sbox 0 package=0,absent=sbox 1 package=0,"
	  "absent=sbox 2 package=0,absent=sbox 3 package=0",
	  "only packages 0; start cbo/event=0x37,umask=0x1/,sbox/event=0x2,umask=0x1/; logged 0 left out; "
	  "logged 4 W not counted: ; after 1 EIO" },
	/* A CPU whose registers cannot be read is an error; the unit is not left out. */
	{ "a cpu that fails is an error", "skylake-sp-2s,fail=read:0x186-0x18f:EIO:cpu=1",
	  "route msr; only cpus 1,2; start core/event=0xb1,umask=0x1/; logged 0 left out; logged 1 W not counted: ; "
	  "after 1 EIO" },
	{ "a missing unit that was requested is an error", ABSENT,
	  "only packages 0; start cbo1/event=0x37,umask=0x1/,cbo2/event=0x37,umask=0x1/; logged 0 left out; "
	  "logged 1 W not counted: CPU 0: reading C1_MSR_PMON_CTL0 (0xe11): the register faults\n; after 1 EIO; "
	  "status 0 0 failed; status 0 1 ok" },
};

#define SPREAD(event) "total-status 0 " event " spread; total-detail 0 " event " took 28.000 ms, reading 2.000 ms; "

/* Events that wait for their turn have not been counted yet. */
static const struct story slow[] = {
	{ "a slow start affects only events that count from the start",
	  "nehalem-1s,delay=0x391:0.006,delay=0x3b0-0x3b7:0.001",
	  "repeat 9 add 1:1; start; after 0.02; " SPREAD("0") SPREAD("1") SPREAD("2") SPREAD("3") SPREAD("4") SPREAD("5")
	  SPREAD("6") SPREAD("7") "status 0 8 not-counted; rotate; after 0.02; status 0 8 spread; "
	  "detail 0 8 reading 7.000 ms; total-detail 0 8 reading 7.000 ms" },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(a_slow_start_is_uncertain, play_session, slow)

TEST_STORIES(units_that_are_missing_are_named_by_kind_and_package, play_session, missing)

SUITE(claimed)
