/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gates that sessions share with other programs and with dead sessions: who closes a gate, and which
 * bits are set afterwards.
 *
 * Uses internal headers, because it makes and reads locks and journals itself.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "machine/handle.h"
#include "lease_users.h"
#include "suite.h"

#define CLIENT "sandybridge-1s,clock=stepped,start=0x1234"
#define CBO0 "cbo0/event=0x34,umask=0x88/"

enum { OPEN = 1u << 29 };

/* Lock the package's gate, but write no record. A group member's lock looks like this to root, who does not believe the
 * member's journal. */
static void share_gate(struct um_guard *g, struct um_lease *lease, const struct user *u)
{
	const struct um_lease_id id = { .package = 0, .die = -1, .kind = UM_LEASE_GATE, .number = GLOBAL };
	struct um_error error;
	struct um_box box;

	ck_assert_int_eq(um_box_find(&u->um->m, 0, -1, "cbo0", &box), 0);
	ck_assert_int_eq(um_guard_open(g, &u->um->m, true, &error), 0);
	*lease = um_lease_make(&id, &box);
	ck_assert_int_eq(um_lease_share(g, lease, &error), 0);
}

FIXTURE(.setup = setup, .teardown = teardown)

/* When the session that opened the gate dies, a group member still uses it. So the gate stays open, and the next
 * session on the package closes it when it stops. */
TEST(a_gate_opened_by_a_dead_session_is_closed_by_the_next_one)
{
	struct um_lease members;
	struct um_guard g;

	use_machine(CLIENT, um_uarch_find("sandybridge"), 0);
	join(&a);
	count_as(&a, CBO0);
	bury(&a);
	join(&b);
	share_gate(&g, &members, &b);
	count_as(&b, CBO0);
	ck_assert_msg(strstr(logged, "register 0x391: left by ") != NULL, "%s", logged);
	ck_assert_uint_eq(peek(0, GLOBAL), OPEN);
	um_lease_release(&g, &members);
	um_guard_close(&g);
	ck_assert_int_eq(uncoremsr_session_stop(b.s), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), 0);
}

/* ---- boxes ---- */

enum { CBO1_CONTROL = 0xe10, FREEZE = 0x10100 };

/* The groups take turns. The first group does not use the box, so the box stays frozen until the second
 * group's turn. */
TEST(a_frozen_box_is_opened_when_its_turn_comes)
{
	use_machine("haswell-ep-2s,clock=stepped", um_uarch_find("haswell-ep"), 0);
	poke(0, CBO1_CONTROL, FREEZE);
	ck_assert_uint_eq(peek(0, CBO1_CONTROL), FREEZE);
	join(&a);
	ck_assert_int_eq(uncoremsr_session_only(a.s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
	count_as(&a, "{cbo0/event=0x37,umask=1/,cbo0/event=0x37,umask=2/,cbo0/event=0x37,umask=4/},"
		 "{cbo0/event=0x37,umask=8/,cbo0/event=0x39,umask=1/,cbo1/event=0x37,umask=1/}");
	ck_assert_uint_eq(uncoremsr_session_state(a.s)->turns, 2);
	ck_assert_uint_eq(peek(0, CBO1_CONTROL), FREEZE);
	ck_assert_int_eq(uncoremsr_session_rotate(a.s), 0);
	ck_assert_uint_eq(peek(0, CBO1_CONTROL) & 0x100, 0);
	ck_assert_int_eq(uncoremsr_session_stop(a.s), 0);
	ck_assert_uint_eq(peek(0, CBO1_CONTROL), FREEZE);
}

SUITE(gates)
