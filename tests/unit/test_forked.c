/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fork() in a program that counts. The child has a copy of the handle: it can neither count nor restore
 * registers with it, and nothing that it does affects the parent.
 */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lease_users.h"
#include "suite.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/region.h"
#include "uncoremsr/throttle.h"

static struct uncoremsr_throttle *watch;

static void begin(void)
{
	join(&a);
	count_as(&a, "0x1d:0x1,clockticks");
	ck_assert_int_eq(uncoremsr_throttle_new(a.um, &watch), 0);
	ck_assert_int_eq(uncoremsr_throttle_look(watch), 0);
}

static void end(void)
{
	ck_assert_int_eq(uncoremsr_throttle_free(watch), 0);
	ck_assert_int_eq(uncoremsr_session_stop(a.s), 0);
	leave(&a);
}

static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (!pid)
		_exit(fn());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status), "status 0x%x", status);
	return WEXITSTATUS(status);
}

static int no_pmu(void *user, const char *name, unsigned type, const char *list)
{
	(void)user, (void)name, (void)type, (void)list;
	return 0;
}

/* Call every function in the child. Returns the number of the first call that is not refused, or 0. */
static int call_everything(void)
{
	const struct uncoremsr_package *p = uncoremsr_package(a.um, 0);
	const struct uncoremsr_pmu *pmu = uncoremsr_pmu(a.um, NULL, 0);
	struct uncoremsr_throttle *other;
	struct uncoremsr_session *session;
	struct uncoremsr_region *r;
	const int answers[] = {
		uncoremsr_session_read(a.s), uncoremsr_session_sample(a.s), uncoremsr_session_rotate(a.s),
		uncoremsr_session_pause(a.s), uncoremsr_session_stop(a.s), uncoremsr_session_start(a.s),
		uncoremsr_session_add(a.s, "0x82:0x1"), uncoremsr_session_only(a.s, UNCOREMSR_ONLY_CPUS, "0"),
		uncoremsr_session_new(a.um, &session), uncoremsr_region_new(a.um, "cycles", &r),
		uncoremsr_throttle_look(watch), uncoremsr_throttle_clear(watch, NULL, NULL),
		uncoremsr_throttle_new(a.um, &other), uncoremsr_repair(a.um, NULL, NULL),
		uncoremsr_kernel_pmus(a.um, no_pmu, NULL),
		uncoremsr_leases(a.um) ? 0 : uncoremsr_error(a.um)->code,
		uncoremsr_counters(a.um, p, pmu) ? 0 : uncoremsr_error(a.um)->code,
	};

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (answers[i] != -ECHILD)
			return (int)i + 1;
	if (uncoremsr_advance(a.um, SECOND))
		return 101;
	return strstr(uncoremsr_error(a.um)->message, "from which this one was forked") ? 0 : 102;
}

static int free_everything(void)
{
	static struct image before, after;

	take_all(&before);
	if (uncoremsr_throttle_free(watch))
		return 1;
	uncoremsr_session_free(a.s);
	uncoremsr_free(a.um);
	take_all(&after);
	for (size_t i = 0; i < after.num; i++)
		if (before.regs[i].value != after.regs[i].value)
			return 2;
	return 0;
}

static int call_and_free(void)
{
	int first = call_everything();

	return first ? first : free_everything();
}

static int do_nothing(void)
{
	return 0;
}

/* A handle that the child opened itself sees the parent's leases and can count at the same time. */
static int count_itself(void)
{
	join(&b);
	if (uncoremsr_session_add(b.s, "0x1d:0x1") != 1 || uncoremsr_session_start(b.s) ||
	    !uncoremsr_advance(b.um, SECOND) || uncoremsr_session_read(b.s))
		return 1;
	if (uncoremsr_session_reading(b.s, 0, UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_INTERVAL)->counter != 1 ||
	    uncoremsr_session_stop(b.s))
		return 2;
	leave(&b);
	return 0;
}

static int grandchild(void)
{
	return in_child(call_and_free);
}

static int (*const children[])(void) = {
	do_nothing, call_everything, free_everything, call_and_free, count_itself, grandchild,
};

FIXTURE(.setup = setup, .teardown = teardown)

TEST_EACH(whatever_a_child_does_the_parent_counts_on_and_restores_all, ARRAY_SIZE(children))
{
	static struct image before;
	const struct uncoremsr_leases *leases;
	size_t num = 0;

	take_all(&before);
	begin();
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(in_child(children[_i]), 0);
		uncoremsr_sim_advance(sim, SECOND);
		ck_assert_msg(!uncoremsr_session_read(a.s), "%s", uncoremsr_error(a.um)->message);
		ck_assert_uint_eq(num_disturbed(a.s), 0);
		ck_assert_uint_eq(value_of(uncoremsr_session_reading(a.s, 0, UNCOREMSR_PLACE_PACKAGE, 0,
				  UNCOREMSR_INTERVAL)), 1000);
		ck_assert_int_eq(uncoremsr_throttle_look(watch), 0);
	}
	leases = leases_of(a.um);
	for (const struct uncoremsr_lease *l; (l = leases->list[num]); num++)
		ck_assert_int_eq(l->state, UNCOREMSR_LEASE_HELD);
	ck_assert_uint_ge(num, 4);
	end();
	expect_as_before(&before, "with a child");
	join(&a);
	leases = leases_of(a.um);
	ck_assert_ptr_null(leases->list[0]);
}

SUITE(forked)
