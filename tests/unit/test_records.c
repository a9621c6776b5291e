/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Contents of the lease directory: locked bytes, records, and reports about leftovers.
 *
 * Uses internal headers, because it makes and reads locks and journals itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/handle.h"
#include "journals.h"
#include "suite.h"

/* ---- bytes of the lock file ---- */

static struct um_lease lease_of(struct um_lease_id id, const struct um_pmu *pmu, unsigned number)
{
	const struct um_box b = { .pmu = pmu, .number = number, .num_general = pmu->num_general };

	return um_lease_make(&id, &b);
}

FIXTURE(.teardown = close_in_root)

/* Locks that belong to no lease are listed, at most sixteen of them; their purpose is unknown. */
TEST_EACH(locks_without_a_lease_are_listed_as_such, 5)
{
	const int num = 15 + _i;
	const struct uncoremsr_leases *leases;
	const struct uncoremsr_lease *l;
	struct um_guard g;
	struct um_error e;
	char path[160];
	int fd, listed = 0;

	open_in_root("westmere-2s");
	ck_assert_int_eq(um_guard_open(&g, &um->m, true, &e), 0);
	snprintf(path, sizeof(path), "%s/run/uncoremsr/lock", root);
	fd = open(path, O_RDWR | O_CLOEXEC);
	for (int i = 0; i < num; i++) {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 7 + 3 * i, .l_len = 2 };

		ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &lock), 0);
	}
	leases = leases_of(um);
	for (; (l = leases->list[(size_t)listed]); listed++) {
		ck_assert_int_eq(l->state, UNCOREMSR_LEASE_LOCKED);
		ck_assert_int_eq(l->package, -1);
		ck_assert_int_eq(l->die, -1);
		ck_assert_int_eq((int64_t)l->first, 7 + 3 * listed);
		ck_assert_int_eq((int64_t)l->last, 8 + 3 * listed);
	}
	ck_assert_int_eq(listed, num < 16 ? num : 16);
	close(fd);
	um_guard_close(&g);
}

TEST(each_kind_of_lease_has_its_agreed_lock_byte)
{
	const struct um_pmu *uncore = um_uarch_westmere.pmus;
	const struct um_pmu *core = um_core_registers.pmus;
	static const struct { enum um_lease_kind kind; uint64_t what; } kinds[] = {
		{ UM_LEASE_COUNTER, 1 }, { UM_LEASE_EXTRA, 2 }, { UM_LEASE_GATE, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (int bit = -1; bit < 15; bit++) {
			bool counter = kinds[i].kind == UM_LEASE_COUNTER;
			int package = bit < 0 ? 0 : 1 << bit;
			uint64_t what = kinds[i].what << 56;
			struct um_lease_id id = {
				.package = package, .die = -1, .kind = kinds[i].kind,
				.number = counter ? 3 : 0x391,
			};

			ck_assert_uint_eq(lease_of(id, uncore, 0).byte,
					  what | (uint64_t)package << 40 | (counter ? 0x3b3 : 0x391));
			for (int die = 0; die < 8; die++) {
				id.die = (1 << die) - 1;
				ck_assert_uint_eq(lease_of(id, uncore, 0).byte & 0xffffffffffffff,
						  (uint64_t)package << 40 | UINT64_C(1) << (32 + die) |
						  (counter ? 0x3b3 : 0x391));
			}
		}
	/* The lock byte for a PMU of a die depends on the die, not on the number of the unit. */
	for (unsigned number = 0; number < 3; number++) {
		struct um_pmu of_die = *uncore;
		struct um_lease_id id = { .package = 1, .die = 2, .number = 3 };

		of_die.scope = UM_SCOPE_DIE;
		ck_assert_uint_eq(lease_of(id, &of_die, number).byte,
				  UINT64_C(1) << 56 | UINT64_C(1) << 40 | UINT64_C(3) << 32 | 0x3b3);
	}
	for (unsigned bit = 0; bit < 16; bit++)
		for (int package = 0; package < 128; package += package < 2 ? 1 : 21) {
			struct um_lease_id id = { .package = package, .die = 1, .number = 1 };

			ck_assert_uint_eq(lease_of(id, core, 1u << bit).byte,
					  UINT64_C(1) << 56 | UINT64_C(1) << 55 |
					  (uint64_t)package << 48 | UINT64_C(1) << (32 + bit) | 0xc2);
		}
}

/* ---- records ---- */

TEST(formatting_a_record_needs_its_length_and_one_byte)
{
	struct um_record r = record_of("uncore", 0, UM_LEASE_COUNTER, 1);
	char text[UM_RECORD_TEXT];
	int len = um_record_format(&r, text, sizeof(text));

	ck_assert_int_eq(um_record_format(&r, text, (size_t)len + 1), len);
	for (size_t size = UM_RECORD_HEAD + 1; size <= (size_t)len; size++)
		ck_assert_int_eq(um_record_format(&r, text, size), -ENOSPC);
}

/* A process that held a lock may have ended, or may be in another container. */
TEST(a_holder_that_is_not_found_is_unknown)
{
	struct um_locked l = { .first = 7, .last = 7 };
	struct um_guard g;
	struct um_error e;

	open_in_root("westmere-2s");
	ck_assert_int_eq(um_guard_open(&g, &um->m, true, &e), 0);
	um_lock_describe(&g, &l);
	ck_assert_int_eq(l.pid, 0);
	ck_assert_int_eq(l.user, -1);
	ck_assert_str_eq(l.command, "");
	um_guard_close(&g);
}

TEST(an_unknown_process_is_shown_without_a_pid)
{
	char text[64];

	ck_assert_str_eq(um_process_text("uncore-read", 4711, text, sizeof(text)), "uncore-read (pid 4711)");
	ck_assert_str_eq(um_process_text("another session", 0, text, sizeof(text)), "another session");
}

TEST(a_journal_in_another_format_has_another_version)
{
	static const struct { const char *text; enum um_fault fault; } heads[] = {
		{ "uncoremsr-journal 4 used 00412\nboot", UM_FAULT_VERSION },
		{ "uncoremsr-journal 2", UM_FAULT_VERSION }, { "uncoremsr-journal ", UM_FAULT_VERSION },
		{ "uncoremsr-journal", UM_FAULT_FOREIGN }, { "uncoremsr-journaL 3 used 00412\nboot ",
		  UM_FAULT_FOREIGN }, { "uncoremsr-journal 3 used 00412\n", UM_FAULT_VERSION },
		{ "uncoremsr-journal 3 used 00031\nb", UM_FAULT_TORN },
		{ "uncoremsr-journal 3 lost 00032\nb", UM_FAULT_TORN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct um_record r;
		size_t len = strlen(heads[i].text);

		ck_assert_msg(um_record_parse(&r, heads[i].text, &len) == heads[i].fault, "%s", heads[i].text);
		ck_assert_uint_eq(len, strstr(heads[i].text, "3 lost 00032") ? 32 : 0);
	}
}

static enum um_fault checked(const struct um_record *r, const char *unit)
{
	struct um_box b;

	ck_assert_int_eq(um_box_find(&um->m, r->id.package, r->id.die, unit, &b), 0);
	return um_record_check_registers(r, &um->m, &b);
}

/* Westmere's clock is counter 8: bit 0 of 0x395 enables it, 0x394 has its 48-bit count. */
TEST(old_words_of_a_fixed_counter_are_those_of_its_control_register)
{
	struct um_record r;

	open_machine("westmere-2s");
	for (unsigned bit = 0; bit < 64; bit++) {
		r = record_of("uncore", 0, UM_LEASE_COUNTER, 8);
		r.words[0] = 1;
		ck_assert_int_eq(checked(&r, "uncore"), UM_FAULT_NONE);
		r.words[0] = UINT64_C(1) << bit;
		ck_assert_int_eq(checked(&r, "uncore"), bit ? UM_FAULT_WORDS : UM_FAULT_NONE);
		r.words[0] = 1;
		r.old.counter = UINT64_C(1) << bit;
		ck_assert_int_eq(checked(&r, "uncore"), bit < 48 ? UM_FAULT_NONE : UM_FAULT_WORDS);
	}
	/* The word 0x182 has no enable bit, so it is accepted only if it equals the old contents. */
	r = record_of("uncore", 0, UM_LEASE_COUNTER, 0);
	r.old.word = r.words[0] = 0x182;
	ck_assert_int_eq(checked(&r, "uncore"), UM_FAULT_NONE);
	r.words[1] = 0x183;
	r.num_words = 2;
	ck_assert_int_eq(checked(&r, "uncore"), UM_FAULT_WORDS);
	r.id.number = 9;
	ck_assert_int_eq(checked(&r, "uncore"), UM_FAULT_COUNTER);
}

/* Cn_MSR_PMON_BOX_FILTER0 (0xe05 of C-box 0) of Haswell-EP; bit 63 does not exist. */
TEST(words_of_a_filter_or_gate_are_checked_with_the_tables)
{
	struct um_record r;

	open_machine("haswell-ep-2s");
	r = record_of("cbo0", 0, UM_LEASE_EXTRA, 0xe05);
	r.words[0] = 0x1f;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_NONE);
	r.words[0] = 0x1f | UINT64_C(1) << 63;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_WORDS);
	r.words[0] = 0;
	r.old.word = UINT64_C(1) << 63;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_WORDS);
	r.id.number = 0xe04;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_REGISTER);
	/* Cn_MSR_PMON_BOX_CTL (0xe00 of C-box 0): bit 8 freezes the box. */
	r = record_of("cbo0", 0, UM_LEASE_GATE, 0xe00);
	r.words[0] = 0;
	r.old.word = 0x100;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_NONE);
	r.old.word = 0x101;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_WORDS);
	r.old.word = 0x10000; /* the box was not frozen: a session would not have written a record */
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_WORDS);
	r.old.word = 0x100;
	r.id.number = 0xe01;
	ck_assert_int_eq(checked(&r, "cbo0"), UM_FAULT_GATE);
}

/* MSR_S1_PMON_MM_CFG, MATCH and MASK (SDM, Nehalem-EX): each belongs to the S-box. */
TEST(every_register_that_a_box_shares_is_known)
{
	open_machine("nehalem-ex-4s");
	for (unsigned msr = 0xe57; msr <= 0xe5b; msr++) {
		struct um_record r = record_of("sbox1", uncoremsr_package(um, 0)->id, UM_LEASE_EXTRA, msr);

		r.words[0] = 0;
		ck_assert_msg(checked(&r, "sbox1") == (msr >= 0xe58 && msr <= 0xe5a ? UM_FAULT_NONE
									     : UM_FAULT_REGISTER), "0x%x", msr);
	}
}

/* ---- list of leases ---- */

TEST_EACH(leases_are_listed_in_the_order_of_the_machine, 8)
{
	static const struct { int package, die; const char *unit; enum um_lease_kind kind;
			      unsigned number; } order[] = {
		{ 0, -1, "uncore", UM_LEASE_COUNTER, 1 }, { 0, -1, "uncore", UM_LEASE_COUNTER, 2 },
		{ 0, -1, "uncore", UM_LEASE_EXTRA, 0 }, { 0, -1, "uncore", UM_LEASE_GATE, 0 },
		{ 0, 0, "cbo2", UM_LEASE_COUNTER, 3 }, { 0, 0, "cbo10", UM_LEASE_COUNTER, 0 },
		{ 0, 1, "cbo1", UM_LEASE_COUNTER, 0 }, { 1, 0, "cbo0", UM_LEASE_COUNTER, 0 },
	};
	struct um_record r[ARRAY_SIZE(order)];
	const struct uncoremsr_leases *leases;

	open_in_root("westmere-2s");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		size_t at = (i * 5 + (size_t)_i) % ARRAY_SIZE(order);

		r[at] = record_of(order[i].unit, order[i].package, order[i].kind, order[i].number);
		r[at].id.die = order[i].die;
	}
	write_journal("1-1.journal", r, ARRAY_SIZE(r));
	leases = leases_of(um);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const struct um_found_lease *l = (const void *)leases->list[i];

		ck_assert_int_eq(l->id.package, order[i].package);
		ck_assert_int_eq(l->id.die, order[i].die);
		ck_assert_str_eq(l->id.unit, order[i].unit);
		ck_assert_int_eq(l->id.kind, order[i].kind);
		ck_assert_uint_eq(l->id.number, order[i].number);
		/* A record with register 0 is invalid. A record about an offline package may be correct. */
		ck_assert_int_eq(l->pub.state, i == 2 || i == 3 ? UNCOREMSR_LEASE_INVALID
							    : UNCOREMSR_LEASE_LEFTOVER);
	}
	ck_assert_ptr_null(leases->list[ARRAY_SIZE(order)]);
}

TEST(numbers_of_a_lease_are_published_or_unknown)
{
	struct um_record r[3] = {
		record_of("uncore", 0, UM_LEASE_COUNTER, 1), record_of("uncore", 0, UM_LEASE_COUNTER, 2),
		record_of("uncore", 0, UM_LEASE_GATE, 0x391),
	};
	const struct uncoremsr_lease *const *list, *told;

	open_in_root("westmere-2s");
	r[0].pid = r[1].pid = 0;
	r[0].since = r[0].id.number = 0;
	*r[0].command = *r[0].event = '\0';
	r[1].pid = r[1].since = 1;
	r[2].old.word = 0;
	r[2].words[0] = 1;
	write_journal("1-1.journal", r, ARRAY_SIZE(r));
	write_file(root, "run/uncoremsr/2-1.journal", "damaged", 7);
	list = leases_of(um)->list;
	told = list[0];
	ck_assert(told->package == -1 && told->die == -1 && told->counter == -1 && told->msr == UINT64_MAX);
	ck_assert(told->pid == -1 && told->user == -1 && told->holder == -1 && told->why);
	told = list[1];
	ck_assert(told->package == 0 && told->die == -1 && told->counter == 0 && told->msr == UINT64_MAX);
	ck_assert(told->pid == -1 && told->user == -1 && told->holder == -1);
	ck_assert(told->since == UINT64_MAX && told->holds == UINT64_MAX && told->selector == UINT64_MAX);
	ck_assert(told->first == UINT64_MAX && told->last == UINT64_MAX);
	ck_assert(!told->command && !told->event && !told->why);
	ck_assert(list[2]->pid == 1 && list[2]->since == 1 && list[2]->counter == 2);
	ck_assert(list[3]->counter == -1 && list[3]->msr == 0x391);
}

static void check_not_ours(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *lease)
{
	++*(int *)user;
	ck_assert_int_eq(what, UNCOREMSR_REPAIR_NOT_OURS);
	ck_assert_uint_eq(lease->holds, 0x4000aa);
	ck_assert_uint_eq(lease->selector, UINT64_MAX);
}

/* Addresses of registers are reported only for journals that a repair does not replay (OF_USER, BORROWED). */
TEST(a_register_that_is_not_ours_is_reported_with_what_it_holds)
{
	struct um_record r = record_of("uncore", 0, UM_LEASE_COUNTER, 0);
	int num = 0;

	open_in_root("westmere-2s");
	poke(0, 0x3c0, 0x4000aa);
	write_journal("1-1.journal", &r, 1);
	ck_assert_int_eq(uncoremsr_repair(um, check_not_ours, &num), 0);
	ck_assert_int_eq(num, 1);
}

/* ---- repair ---- */

/* Leftovers of a killed session on counters 0 to 8 of package 0, then of package 1. Counter 8 is the clock. */
TEST_EACH(at_most_sixteen_leftovers_are_reported_one_by_one, 4)
{
	int num = 15 + _i;
	struct um_record r[18];

	open_in_root("westmere-2s,start=0x1234");
	for (int i = 0; i < num; i++) {
		unsigned cpu = i >= 9, counter = (unsigned)i % 9;

		r[i] = record_of("uncore", (int)cpu, UM_LEASE_COUNTER, counter);
		r[i].old.counter = 0x100u + (unsigned)i;
		if (counter == 8)
			r[i].words[0] = 1;
		poke(cpu, counter == 8 ? 0x395 : 0x3c0 + counter, r[i].words[0]);
	}
	poke(0, 0x391, 0x1000000ff);
	write_journal("1-1.journal", r, (size_t)num);
	ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), num);
	ck_assert_uint_eq(times("W package"), num > 16 ? 16 : (unsigned)num);
	ck_assert_uint_eq(times("restored to what it held before uncore-read (pid 42) used it and died"),
			  (unsigned)num);
	ck_assert_uint_eq(times("more registers or counters of dead sessions were restored"), num > 16);
	if (num > 16) {
		char more[96];

		snprintf(more, sizeof(more), "%d more registers or counters of dead sessions were restored", num - 16);
		ck_assert_ptr_nonnull(strstr(logged, more));
	}
	ck_assert_ptr_nonnull(strstr(logged, "package 1 counter 5: restored"));
	for (int i = 0; i < num; i++) {
		unsigned cpu = i >= 9, counter = (unsigned)i % 9;

		ck_assert_uint_eq(peek(cpu, counter == 8 ? 0x395 : 0x3c0 + counter), 0);
		ck_assert_uint_eq(peek(cpu, counter == 8 ? 0x394 : 0x3b0 + counter), 0x100u + (unsigned)i);
	}
	ck_assert_uint_eq(peek(0, 0x391), 0);
}

/*
 * A write to IA32_PMC0 stores 32 bits and extends the sign. A value of more than 31 bits is restored through
 * IA32_A_PMC0 if 0x345 has bit 13 set (full-width writes); otherwise the counter is set to 0. Only a repair restores
 * leftovers on core counters, because the kernel uses these counters, too.
 */
#define CORE_COUNTER(old, back) \
	"root; write 1 0x186 0x4300c0; record cpu1 0 counter 0 0x4300c0 " old "; start cbo0/event=0x37,umask=0x1/; " \
	"stop; read 1 0x186 0x4300c0; repair 1; read 1 0xc1 " back "; read 1 0x186 0; " \
	"logged some package 0 cpu1 counter 0: restored"
#define NARROW "haswell-ep-2s,fail=read 0x345 EIO"
/* U_MSR_PMON_GLOBAL_CTL (0xc00) of Nehalem-EX: all units of a package share the gate, bit 28. */
#define OPEN "0x10000000"
#define TWO_PACKAGES \
	"root; write 0 0x3c0 0x420182; write 1 0x3c0 0x420182; record uncore 0 counter 0 0x420182; " \
	"record uncore 1 counter 0 0x420182; "
#define OF_UNIT(unit, told) "root; record " unit " 0 counter 0 0x420182; repair 0; logged some " told

static const struct story stories[] = {
	{ "a core counter of 31 bits is restored", NARROW, CORE_COUNTER("0x7fffffff", "0x7fffffff") },
	{ "a core counter of 1 bit is restored", NARROW, CORE_COUNTER("1", "1") },
	{ "a core counter of 32 bits becomes 0", NARROW, CORE_COUNTER("0x80000000", "0") },
	{ "a core counter of 33 bits becomes 0", NARROW, CORE_COUNTER("0x100000000", "0") },
	{ "a core counter of 32 bits with an alias is restored", "haswell-ep-2s",
	  CORE_COUNTER("0x80000000", "0x80000000") },
	{ "a core counter of 45 bits with an alias is restored", "haswell-ep-2s",
	  CORE_COUNTER("0x123456789abc", "0x123456789abc") },
	{ "a repair uses another cpu if the first one went offline", "westmere-2s",
	  TWO_PACKAGES "online 1 0; repair 2; logged 0 no CPU of package 1 is online" },
	{ "a repair names a package that is offline", "westmere-2s",
	  TWO_PACKAGES "online 1-23/2 0; repair 1; logged 1 no CPU of package 1 is online; "
	  "logged 1 uncore-doctor --repair restores it" },
	{ "a repair closes the gate on its own package only", "nehalem-ex-4s",
	  "root; write 0 0xc00 " OPEN "; write 8 0xc00 " OPEN "; write 16 0xc00 " OPEN "; write 24 0xc00 " OPEN "; "
	  "record - 2 gate 0xc00 " OPEN "; repair 1; read 0 0xc00 " OPEN "; read 8 0xc00 " OPEN "; read 16 0xc00 0; "
	  "read 24 0xc00 " OPEN },
	/* The CPU of unit "cpu3" is offline. The machine has no units with the other names. */
	{ "the record of an offline unit waits", "haswell-ep-2s,offline=3", OF_UNIT("cpu3", "cpu3 is offline") },
	{ "the record of a cpu that cannot exist is refused", "haswell-ep-2s,offline=3",
	  OF_UNIT("cpu999", "names a unit that does not exist") },
	{ "the record of an unknown unit is refused", "haswell-ep-2s,offline=3",
	  OF_UNIT("cpx3", "names a unit that does not exist") },
	{ "the record of a unit with a path is refused", "haswell-ep-2s,offline=3",
	  OF_UNIT("cpu3/../cpu3", "names a unit that does not exist") },
	{ "the record of a box that cannot exist is refused", "haswell-ep-2s,offline=3",
	  OF_UNIT("cbo99", "names a unit that does not exist") },
};

TEST_STORIES(a_repair_restores_what_it_can_reach, play_journal, stories)

/* Only our record has the old contents of the gate, which the other user's session does not know. */
TEST_EACH(the_record_of_a_gate_that_another_user_needs_is_kept, 2)
{
	struct um_lease_id id = { .kind = UM_LEASE_GATE, .number = 0x391 };
	struct um_lease lease;
	struct um_record r;
	struct um_guard g;
	struct um_error e;
	struct um_box b;

	open_in_root("sandybridge-1s,clock=stepped");
	id.die = uncoremsr_package(um, 0)->die;
	ck_assert_int_eq(um_box_find(&um->m, 0, id.die, "cbo0", &b), 0);
	count("cbo0/event=0x34,umask=0x88/");
	ck_assert_uint_eq(peek(0, 0x391), 1u << 29);
	ck_assert_int_eq(um_guard_open(&g, &um->m, true, &e), 0);
	lease = um_lease_make(&id, &b);
	ck_assert_int_eq(um_lease_take(&g, &lease, &e), 0);
	if (_i) {
		r = record_of("", 0, UM_LEASE_GATE, 0x391);
		r.id.die = id.die;
		r.words[0] = 1u << 29;
		write_journal("1-1.journal", &r, 1);
	}
	ck_assert_int_eq(uncoremsr_session_stop(s), -EBUSY);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "another user's session needs it"));
	logged[0] = '\0';
	ck_assert_int_ge(uncoremsr_repair(um, NULL, NULL), 0);
	ck_assert_msg(strstr(logged, ", and held by another session") != NULL, "%s", logged);
	ck_assert_ptr_null(strstr(logged, "left enabled"));
	ck_assert_uint_eq(peek(0, 0x391), 1u << 29);
	um_lease_release(&g, &lease);
	um_guard_close(&g);
	ck_assert_int_gt(uncoremsr_repair(um, NULL, NULL), 0);
	ck_assert_uint_eq(peek(0, 0x391), 0);
}

SUITE(records)
