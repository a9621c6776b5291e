/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leases and journals: several sessions on one machine, and files that an attacker may have made.
 *
 * Uses internal headers, because it makes and reads locks and journals itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/handle.h"
#include "journals.h"
#include "lease_steps.h"
#include "suite.h"

/* ---- records ---- */

static struct um_record sample_record(void)
{
	struct um_record r = record_of("uncore", 0, UM_LEASE_COUNTER, 0);

	r.old.word = 0x1234;
	r.old.counter = 0x777;
	um_record_add_word(&r, 0x420183);
	return r;
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(a_record_cut_or_changed_anywhere_is_refused)
{
	struct um_record r = sample_record(), again;
	char text[UM_RECORD_TEXT];
	int len = um_record_format(&r, text, sizeof(text));

	for (int i = 0; i < len; i++) {
		size_t cut = (size_t)i, whole = (size_t)len;

		ck_assert_int_ne(um_record_parse(&again, text, &cut), UM_FAULT_NONE);
		text[i] ^= 1;
		ck_assert_int_ne(um_record_parse(&again, text, &whole), UM_FAULT_NONE);
		text[i] ^= 1;
	}
}

static void other_boot(struct um_record *r) { strcpy(r->boot, "another"); }
static void other_uarch(struct um_record *r) { strcpy(r->uarch, "nehalem"); }
static void bad_counter(struct um_record *r) { r->id.number = 9; }
static void bad_word(struct um_record *r) { r->words[1] = 0x520182; }
static void disabled_word(struct um_record *r) { r->words[1] = 0x182; }
static void high_word(struct um_record *r) { r->words[0] |= UINT64_C(1) << 32; }
static void bad_selector(struct um_record *r) { r->old.word = 1 << 16; }
static void bad_value(struct um_record *r) { r->old.counter = UINT64_C(1) << 48; }

static int check_record(const struct um_record *r)
{
	struct um_box box;

	ck_assert_int_eq(um_box_find(&a.um->m, 0, -1, "uncore", &box), 0);
	return um_record_check(r, &a.um->m, "-") || um_record_check_registers(r, &a.um->m, &box);
}

TEST(a_record_that_no_session_of_ours_can_have_written_is_refused)
{
	void (*const spoil[])(struct um_record *r) = {
		other_boot, other_uarch, bad_counter, bad_word, disabled_word, high_word,
		bad_selector, bad_value,
	};
	struct um_record r = sample_record();

	join(&a);
	ck_assert_int_eq(check_record(&r), 0);
	for (size_t i = 0; i < ARRAY_SIZE(spoil); i++) {
		r = sample_record();
		spoil[i](&r);
		ck_assert_msg(check_record(&r), "case %zu", i);
	}
}

/* ---- several users of a machine ---- */

#define BUSY(counter) "write 0 0x3c" counter " 0x4000aa; "
#define CBO "cbo/event=0x34,umask=0x88/"
#define CBO0 "cbo0/event=0x34,umask=0x88/"
#define ARB "arb/event=0x81,umask=0x1/"
#define TOR(opcode) "cbo/event=0x35,umask=0x1,filter_opc=" opcode "/"
/* Bit 29 of the client's global control lets the counters of all boxes run. */
#define GATE_OPEN "read 0 0x391 0x20000000; "
#define GATE_CLOSED "read 0 0x391 0; "
#define BOTH_COUNT "as a; start " CBO "; as b; start " ARB "," CBO0 "; " GATE_OPEN

static const struct story stories[] = {
	/*
	 * On an offline package the lock bytes of leases are unknown, so locked bytes on an offline package are not
	 * listed as locks without a journal.
	 */
	{ "leases on an offline package are not listed as unknown locks", "westmere-2s",
	  "as a; start 0x82:0x1; online 1-23/2 0; as b; leases 2 held; leave; online 1-23/2 1" },
	{ "force takes another program's counter and restores it", "westmere-2s",
	  BUSY("0") BUSY("1") BUSY("2") BUSY("3") BUSY("4") BUSY("5") BUSY("6") BUSY("7") "write 0 0x391 0xff; "
	  "as a; image; only packages 0; add 0x1d:0x1; no-start EBUSY ; force 1; start; force 0 EBUSY; "
	  "logged 1 W package 0: counter 0 is in use by another program (selector 0x3c0 holds 0x4000aa, global enable "
	  "bit on): taken anyway, and put back afterwards\n; logged 1 taken anyway; "
	  "logged some counter 1, 2, 3, 4, 5, 6, 7 without a lease: left alone; read 0 0x3c0 0x40011d; stop; same" },
	{ "a session that could write nothing leaves no journal", "westmere-2s,allow_writes=off",
	  "as a; add 0x1d:0x1,clockticks; no-start EPERM ; leases 0" },
	{ "the session that opened a gate leaves it open for the other one", "sandybridge-1s",
	  BOTH_COUNT "as a; stop; " GATE_OPEN "as b; stop; " GATE_CLOSED "leave" },
	{ "the session that opened a gate closes it after the other one has ended", "sandybridge-1s",
	  BOTH_COUNT "stop; " GATE_OPEN "as a; stop; " GATE_CLOSED "leave" },
	/*
	 * The process died after it had restored everything. Then another program starts, and sets its enable bit
	 * first.
	 */
	{ "a session that starts does not clear an enable bit that another program may need", "westmere-2s",
	  "as a; only packages 0; start 0x82:0x1; die; write 0 0x391 0; write 0 0x3b0 0x1234; write 0 0x3c0 0; "
	  "write 0 0x391 1; as b; only packages 1; start 0x82:0x1; read 0 0x391 1; stop; repair 0; read 0 0x391 0" },
	{ "a gate opened by a session that died is closed when the other ends", "sandybridge-1s",
	  "as b; image; as a; start " CBO "; as b; start " ARB "; as a; die; as c; repair 4; "
	  "logged some left enabled: another session (pid ; logged some needs it, and restores it when it ends; leave; "
	  GATE_OPEN "as b; after 1; disturbed 0; stop; same" },
	{ "a gate left open stays open for another program's counter", "sandybridge-1s",
	  "as a; start " CBO0 "; die; write 0 0x3b3 0x400181; as b; repair 1; "
	  "logged some left enabled, because another program's counters need it; " GATE_OPEN "leave" },
	{ "a filter belongs to one session at a time", "haswell-ep-2s",
	  "as a; start " TOR("0x182") "; as b; add " TOR("0x180") "; "
	  "no-start EBUSY which all counters of the unit share, is in use by; leave; "
	  "as b; start cbo/event=0x37,umask=0x1/; " /* the event needs no filter */
	  "as a; leave; as b; leave; as b; start " TOR("0x180") },
	/*
	 * Another program's counter of cbo1 is stopped by the closed gate, so closing the gate again would change
	 * nothing.
	 */
	{ "a gate that is already closed is repaired only once", "sandybridge-1s",
	  "as a; start " CBO0 "; die; write 0 0x391 0; write 0 0x711 0x400103; as b; repair 2; repair 0; leave; "
	  GATE_CLOSED "read 0 0x711 0x400103" },
};

TEST_STORIES(several_users_of_one_machine_behave_as_the_steps_say, play_leases, stories)

/* A process that holds several counters is named once. */
TEST(for_the_ninth_event_the_holder_of_the_counters_is_named)
{
	struct um_record r = sample_record();
	char pid[32], name[32], *first;

	join(&a);
	join(&b);
	count_as(&a, "0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1");
	ck_assert_int_eq(uncoremsr_session_only(b.s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
	snprintf(pid, sizeof(pid), "(pid %d)", (int)getpid());
	refuse_as(&b, "0x1d:0x1", -EBUSY, pid);
	ck_assert_uint_eq(uncoremsr_error(b.um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	first = strstr(uncoremsr_error(b.um)->message, pid);
	ck_assert_ptr_null(strstr(first + 1, pid));
	/* Leftovers of a dead session on the same counters must not be named as holders. */
	for (r.id.number = 0; r.id.number < 8; r.id.number++) {
		snprintf(name, sizeof(name), "1-%u.journal", r.id.number);
		write_journal(name, &r, 1);
	}
	refuse_as(&b, NULL, -EBUSY, pid);
}

/* Lock the bytes of all counters by a classic lock, or the whole file by flock(). */
static bool take_classic(const void *flocks)
{
	struct flock counters = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 56, .l_len = (off_t)1 << 56,
	};
	int fd = open_lock("lock");

	return fd >= 0 && !(*(const bool *)flocks ? flock(fd, LOCK_EX) : fcntl(fd, F_SETLK, &counters));
}

/* Classic record locks conflict with ours; locks of flock() do not. */
TEST(the_holder_of_a_classic_lock_is_named)
{
	pid_t flocks, holder;
	char pid[32];

	join(&a);
	count_as(&a, "0x1d:0x1"); /* creates the lock file */
	leave(&a);
	flocks = hold_in_child(take_classic, &(bool){ true });
	holder = hold_in_child(take_classic, &(bool){ false });
	snprintf(pid, sizeof(pid), "pid %ld)", (long)holder);
	join(&a);
	refuse_as(&a, "0x1d:0x1", -EBUSY, pid);
	end_child(holder);
	ck_assert_int_eq(uncoremsr_session_start(a.s), 0);
	end_child(flocks);
}

/* If another lease has taken the same byte meanwhile, releasing the first lease again must not free the byte. */
TEST(a_lease_is_released_only_once)
{
	const struct um_lease_id id = { .package = 0, .die = -1, .kind = UM_LEASE_COUNTER };
	struct um_lease first, second, other;
	struct um_guard ours, theirs;
	struct um_error error;
	struct um_box box;

	join(&a);
	ck_assert_int_eq(um_box_find(&a.um->m, 0, -1, "uncore", &box), 0);
	ck_assert_int_eq(um_guard_open(&ours, &a.um->m, true, &error), 0);
	ck_assert_int_eq(um_guard_open(&theirs, &a.um->m, true, &error), 0);
	first = second = other = um_lease_make(&id, &box);
	ck_assert_int_eq(um_lease_take(&ours, &first, &error), 0);
	um_lease_release(&ours, &first);
	ck_assert_int_eq(um_lease_take(&ours, &second, &error), 0);
	um_lease_release(&ours, &first);
	ck_assert_int_eq(um_lease_take(&theirs, &other, &error), -EBUSY);
	um_lease_release(&ours, &second);
	ck_assert_int_eq(um_lease_take(&theirs, &other, &error), 0);
	um_guard_close(&theirs);
	um_guard_close(&ours);
}

TEST(a_dry_run_leaves_no_lease)
{
	join(&a);
	a.um->m.dry_run = true;
	count_as(&a, "0x1d:0x1");
	join(&b);
	ck_assert_ptr_null(leases_of(b.um)->list[0]);
}

/* ---- leases that cannot be used ---- */

TEST(without_a_lease_directory_nothing_is_programmed)
{
	static struct image before;
	char path[160];

	take_all(&before);
	snprintf(path, sizeof(path), "%s/run/uncoremsr", root);
	write_lease("x", "", 0);
	ck_assert_int_eq(chmod(path, 0777), 0);
	join(&a);
	refuse_as(&a, "0x1d:0x1", -EPERM, "not trusted");
	ck_assert_uint_eq(uncoremsr_error(a.um)->error_class, UNCOREMSR_ERROR_ACCESS);
	leave(&a);
	expect_as_before(&before, "untrusted directory");
}

TEST(a_journal_of_another_boot_is_reported_and_never_replayed)
{
	struct um_record r = sample_record();
	uint64_t word;

	poke(0, SEL0, 0x420183); /* the selector has the value from the record, so a repair would restore the counter */
	word = peek(0, SEL0);
	strcpy(r.boot, "other");
	write_journal("1-1.journal", &r, 1);
	join(&a);
	ck_assert_int_eq(uncoremsr_repair(a.um, NULL, NULL), 0);
	ck_assert_uint_eq(peek(0, SEL0), word);
	ck_assert_ptr_nonnull(strstr(logged, "1-1.journal: nothing is restored from it: from another boot"));
}

TEST_EACH(a_counter_that_was_on_before_is_restored_only_on_request, 2)
{
	struct um_record r = sample_record();
	uint64_t ours;

	poke(0, SEL0, 0x420182);
	poke(0, GLOBAL, 1);
	ours = peek(0, SEL0);
	r.old.word = _i ? 0x100182 : 0x4000aa; /* run 0: the enable bit; run 1: the interrupt bit */
	write_journal("1-1.journal", &r, 1);
	join(&a);
	count_as(&a, "0x1d:0x1");
	ck_assert_uint_eq(peek(0, SEL0), ours);
	ck_assert_ptr_nonnull(strstr(logged, "uncore-doctor --repair puts it back"));
	leave(&a);
	join(&a);
	ck_assert_int_eq(uncoremsr_repair(a.um, NULL, NULL), 1);
	ck_assert_uint_eq(peek(0, SEL0), r.old.word);
}

TEST(registers_that_another_session_holds_are_not_restored)
{
	struct um_record r = sample_record();
	char holder[64];

	join(&a);
	count_as(&a, "0x1d:0x1"); /* session a holds counter 0 of package 0 */
	write_journal("1-1.journal", &r, 1);
	join(&b);
	ck_assert_int_eq(uncoremsr_repair(b.um, NULL, NULL), 0);
	snprintf(holder, sizeof(holder), "held by another session (pid %d)", (int)getpid());
	ck_assert_msg(strstr(logged, holder) != NULL, "%s", logged);
	ck_assert_ptr_nonnull(leases_of(b.um)->list[2]);
	leave(&a);
	ck_assert_int_eq(uncoremsr_repair(b.um, NULL, NULL), 0);
	ck_assert_ptr_null(leases_of(b.um)->list[0]);
}

/* Lock the package's gate, but write no record. Root sees the same if a group member holds the lock, because root
 * does not believe the member's journal. */
static void share_gate(struct um_guard *g, struct um_lease *lease, const struct user *u)
{
	const struct um_lease_id id = { .package = 0, .die = -1, .kind = UM_LEASE_GATE, .number = GLOBAL };
	struct um_error error;
	struct um_box box;

	ck_assert_int_eq(um_box_find(&u->um->m, 0, -1, "cbo0", &box), 0);
	ck_assert_int_eq(um_guard_open(g, &u->um->m, true, &error), 0);
	*lease = um_lease_make(&id, &box);
	ck_assert_int_eq(um_lease_take(g, lease, &error), 0);
}

/*
 * When the session that opened the gate dies, a group member still uses the gate. So the gate stays open, and the next
 * session on the package closes the gate at its end.
 */
TEST(a_gate_opened_by_a_dead_session_is_closed_by_the_next_one)
{
	struct um_lease members;
	struct um_guard g;

	use_machine("sandybridge-1s,clock=stepped", um_uarch_find("sandybridge"), 0);
	join(&a);
	count_as(&a, CBO0);
	bury(&a);
	join(&b);
	share_gate(&g, &members, &b);
	count_as(&b, CBO0);
	ck_assert_msg(strstr(logged, "register 0x391: left by ") != NULL, "%s", logged);
	ck_assert_uint_eq(peek(0, GLOBAL), 1u << 29);
	um_lease_release(&g, &members);
	um_guard_close(&g);
	ck_assert_int_eq(uncoremsr_session_stop(b.s), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), 0);
}

SUITE(lease)
