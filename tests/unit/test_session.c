/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on simulated machines: exact counts, unchanged counters of other programs, and restored registers.
 *
 * Uses internal headers, because the test intercepts register accesses and reads the internal choices of a session.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "failing.h"
#include "steps.h"
#include "suite.h"

/* The selectors of counters 0 to 5 must still have the contents that the key busy= gave to the selectors. */
#define THEIRS(cpu) \
	"read " cpu " 0x3c0 0x400103; read " cpu " 0x3c1 0x400103; read " cpu " 0x3c2 0x400103; " \
	"read " cpu " 0x3c3 0x400103; read " cpu " 0x3c4 0x400103; read " cpu " 0x3c5 0x400103"

/* Steps: see steps.h. On Westmere package 0 has the even CPUs, package 1 the odd CPUs. */
static const struct story stories[] = {
	/* The counter wraps in the third interval (2^48 is 281,474,976,710,656) and sets the overflow bit in 0x392. */
	{ "a wrap of 48 bits is taken into account and sums go beyond them", "nehalem-1s,rate=0x1d:0x1=100000000000",
	  "start 0x1d:0x1; after 1000; value 0 0 100000000000000; after 1000; value 0 0 100000000000000; "
	  "raw 0 0 200000000000090; after 1000; value 0 0 100000000000000; raw 0 0 18525023289434; "
	  "field 0 0x392 0 1 1; repeat 7 after 1000; value 0 0 100000000000000; total 0 0 1000000000000000" },
	/* A counter can count at most 64 per clock, and the clock is at most 4 GHz: 256e9 per second. */
	{ "a count beyond the hardware's maximum is unknown", "westmere-2s,rate=0x2c:0x1=256000000000",
	  "start 0x2c:0x1; after 1; status 0 0 ok; "
	  "machine westmere-2s,rate=0x2c:0x1=90000000000000; start 0x2c:0x1; after 1; status 0 0 disturbed; "
	  "machine westmere-2s,rate=0x2c:0x1=260000000000; start 0x2c:0x1; after 1; status 0 0 disturbed" },
	/*
	 * 20e9 instructions per second are possible (four per clock at 5 GHz). 9e9 cycles are impossible (one per
	 * clock).
	 */
	{ "a fixed counter may count several per clock",
	  "westmere-2s,rate=core:0xc0:0x0=20000000000,rate=core:0x3c:0x0=9000000000",
	  "route msr; start instructions,cycles; after 5; status 0 0 ok; status 0 1 disturbed" },
	{ "before the first read readings are unknown", "westmere-2s", "start 0x82:0x1; unknown 0 0 not-counted" },
	{ "a second read at the same time has no value", "westmere-2s",
	  "start 0x82:0x1; after 1; after 0; unknown 0 0 not-counted nothing was counted since the previous read" },
	{ "counters of other programs are neither taken nor stopped", "westmere-2s,busy=0,rate=0x1d:0x1=10",
	  "write 0 0x3c3 0x40011d; " /* selector on, gate off: another program is setting up the counter */
	  "write 0 0x391 0x11; " /* gate on, selector off */
	  "start 0x1d:0x1,0x1d:0x1,0x1d:0x1; on 0 0 1; on 0 1 2; on 0 2 5; read 0 0x391 0x37; stop; read 0 0x391 0x11; "
	  "read 0 0x3c3 0x40011d; logged some counter 0 is in use; "
	  "logged some package 0: another program uses counter 0, 3, 4 without a lease" },
	{ "interrupt routing bits of other programs are kept", "westmere-2s",
	  "write 0 0x391 0x8001000000000000; start 0x82:0x1; read 0 0x391 0x8001000000000001; stop; "
	  "read 0 0x391 0x8001000000000000" },
	{ "a leftover interrupt bit is cleared while we count", "nehalem-1s",
	  "write 0 0x3c0 0x100182; start 0x1d:0x1; read 0 0x3c0 0x40011d; stop; read 0 0x3c0 0x100182" },
	{ "a counter that another program set back is noticed", "westmere-2s,rate=0x1d:0x1=1000",
	  "start 0x1d:0x1; after 1; write 1 0x3b0 0; after 0.5; status 1 0 disturbed; value 0 0 500; after 1; "
	  "value 1 0 1000" },
	/* The groups need 5 + 4 of 8 counters and are not split, so the second group has to wait for its turn. */
	{ "a group without a turn is reported as not counted, not as zero", "nehalem-1s",
	  "start {0x1d:0x1,0x1d:0x1,0x1d:0x1,0x1d:0x1,0x1d:0x1},{0x1e:0x1,0x1e:0x1,0x1e:0x1,0x1e:0x1}; turns 2; "
	  "after 1; status 0 0 ok; status 0 5 not-counted" },
	{ "turns restore old values and leave a taken counter alone", "westmere-2s,start=77,busy=0,1,2,3,4,5",
	  "start 0x1d:0x1,0x1d:0x2,0x1d:0x4; turns 2; repeat 5 rotate; write 0 0x3c6 0x4000aa; rotate; rotate; "
	  "after 0 any; "
	  "status 0 0 disturbed; read 0 0x3c6 0x4000aa; write 0 0x3c6 0; write 0 0x3b6 77; write 0 0x391 0x3f; stop; "
	  "read 0 0x391 0x3f; read 0 0x3c6 0; read 0 0x3c7 0; read 0 0x3b6 77; read 0 0x3b7 77; read 0 0x395 0; "
	  "read 0 0x394 77; read 1 0x391 0x3f; read 1 0x3c6 0; read 1 0x3c7 0; read 1 0x3b6 77; read 1 0x3b7 77; "
	  "read 1 0x395 0; read 1 0x394 77; " THEIRS("0") "; " THEIRS("1") },
	{ "cpus can be chosen but not two of one package", "westmere-2s",
	  "only cpus 0,2 EINVAL; says both in package 0; only cpus 0,99 EINVAL; only cpus 2; "
	  "next; only cpus 99 EINVAL; only cpus x EINVAL; only cpus 5; "
	  "packages 1; through 0 5; "
	  "next; add 0x82:0x1; only cpus 0,2 EINVAL; says both in package 0" },
	{ "an offset beyond the memory of a unit is refused", "power9-2s",
	  "no-event nest_mcs01_imc/event=0x40000/ EINVAL no counter of nest_mcs01_imc at offset 0x40000; "
	  "hints below 0x40000; no-event nest_mcs01_imc/event=0x3fffc/ EINVAL ; add nest_mcs01_imc/event=0x3fff8/" },
	{ "packages can be chosen by their ids", "westmere-2s-holes",
	  "only packages 1 EINVAL; only packages 2; packages 1; through 0 3" },
	{ "a package without any cpu is lost until one comes back", "westmere-2s,rate=0x1d:0x1=10",
	  "start 0x1d:0x1; online 1-23/2 0; after 1 ENXIO; value 0 0 10; status 1 0 lost; after 1 ENXIO; "
	  "status 1 0 lost; online 5 1; after 1; status 1 0 lost; through 1 5; after 2; disturbed 0; value 1 0 20; "
	  "stop; read 5 0x391 0; "
	  /*
	   * A reset clears registers of the offline package. The counter seems free, but our session holds a lease on
	   * the counter.
	   */
	  "machine westmere-2s,rate=0x1d:0x1=10; start 0x1d:0x1; online 1-23/2 0; after 1 ENXIO; status 1 0 lost; "
	  "online 5 1; write 5 0x3c0 0; write 5 0x391 0; "
	  "after 1; status 1 0 lost; through 1 5; after 2; disturbed 0; value 1 0 20; stop; read 5 0x391 0" },
	{ "a package that fails is restored and the other counts", "westmere-2s,rate=0x1d:0x1=10",
	  "image; add 0x1d:0x1; deny any 0x0-0xffffffff EIO 1 6; start; package-error 0 0x; package-error 1; "
	  "after 1 EIO; value 1 0 10; status 0 0 failed; raw 0 0 0xffffffffffffffff; stop; same" },
	/* The second machine is an unknown model that has core counters. */
	{ "a session without events is refused with the lack of counters if there are none", "generic",
	  "no-start EOPNOTSUPP ; machine westmere-2s,leaf=0x1 0 0x000f06f0 0x0 0x0 0x0; no-start EINVAL " },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(sessions_behave_as_the_steps_say, play_session, stories)

/* ---- counting ---- */

TEST(an_interval_in_which_two_wraps_are_possible_is_unknown)
{
	open_machine("nehalem-1s,clock=stepped");
	count("0x1d:0x1");
	ck_assert_int_eq(pass_and_read(uncoremsr_session_state(s)->max_interval + 1), 0);
	play_on(__func__, "unknown 0 0 wrapped; counted 0 0 0xffffffffffffffff; after 1; status 0 0 ok; "
		"total-status 0 0 wrapped");
}

TEST(sampling_in_between_makes_long_intervals_possible)
{
	open_machine("nehalem-1s,clock=stepped,rate=0x1d:0x1=1000000000");
	count("0x1d:0x1");
	for (int i = 0; i < 3; i++) {
		pass(uncoremsr_session_state(s)->max_interval);
		ck_assert_int_eq(uncoremsr_session_sample(s), 0);
	}
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	ck_assert_uint_eq(value(0, 0), 3 * uncoremsr_session_state(s)->max_interval);
}

/* ---- several sessions of one handle ---- */

/* The simulated machine exists only in this process, so no lease directory excludes sessions from each other. */
TEST(sessions_of_one_handle_do_not_share_a_counter)
{
	struct uncoremsr_session *other;

	open_machine("westmere-2s,clock=stepped");
	count("0x82:0x1");
	ck_assert_int_eq(uncoremsr_session_new(um, &other), 0);
	ck_assert_int_ge(uncoremsr_session_add(other, "0x83:0x1"), 0);
	ck_assert_int_eq(uncoremsr_session_start(other), 0);
	ck_assert_int_eq(uncoremsr_session_reading(other, 0, UNCOREMSR_PLACE_PACKAGE, 0,
			 UNCOREMSR_INTERVAL)->counter, 1);
	ck_assert_uint_eq(times("package 0: counter 0 is held by another session of this program\n"), 1);
	ck_assert_uint_eq(times("another program"), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_int_eq(reading(0, 0)->counter, 0);
	uncoremsr_session_free(other);
}

/* ---- chosen CPUs and catalogs ---- */

static unsigned num_written;

static int write_through_5(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	ck_assert_uint_eq(cpu, 5);
	num_written++;
	return true_ops->write(a, cpu, msr, v);
}

static int read_through_5(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	ck_assert_uint_eq(cpu, 5);
	return true_ops->read(a, cpu, msr, v);
}

/* The registers belong to a package up to Haswell-EP, and to a die from Skylake-SP on. */
TEST(registers_are_reached_through_the_cpu_that_was_chosen)
{
	static const struct { const char *machine, *event; } rows[] = {
		{ "westmere-2s", "0x82:0x1" }, { "haswell-ep-2s", "cbo/event=0x11,umask=0x1/" },
		{ "skylake-sp-2s", "cha/event=0x35,umask=0x11/" }, { "icelake-sp-2s", "cha/event=0x35,umask=0x11/" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_access_ops *ops;

		open_machine(rows[i].machine);
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "5"), 0);
		ck_assert_int_ge(uncoremsr_session_add(s, rows[i].event), 1);
		ops = spy_on();
		ops->read = read_through_5;
		ops->write = write_through_5;
		num_written = 0;
		ck_assert_int_eq(uncoremsr_session_start(s), 0);
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
		stop_spying();
		ck_assert_uint_gt(num_written, 2);
	}
}

/* The library itself adds the machine's own catalog when names are looked up. */
TEST(an_added_catalog_stays_in_place_when_the_machines_own_is_added)
{
	const struct uncoremsr_event_list *list;

	open_machine("power9-2s,clock=stepped");
	if (uncoremsr_event_list_add(um, "tests/fixtures/imc/small.dts") == -ENOTSUP) {
		fprintf(stderr, "%s: skipped: no libfdt or no dtc\n", __func__);
		return;
	}
	list = uncoremsr_event_list(um, 0);
	ck_assert_ptr_null(uncoremsr_event_list(um, 1));
	ck_assert_ptr_nonnull(uncoremsr_event(um, NULL, 0));
	ck_assert_str_eq(uncoremsr_event_list(um, 1)->file, "/proc/device-tree");
	ck_assert_ptr_eq(uncoremsr_event_list(um, 0), list);
	ck_assert_str_eq(list->file, "tests/fixtures/imc/small.dts");
	ck_assert_str_eq(list->version, "0x99");
}

/* ---- machines that must not be touched ---- */

TEST(other_models_are_refused_by_name)
{
	static const char text[] = "leaf = 0x0 0 0x0000000b 0x756e6547 0x6c65746e 0x49656e69\n"
				   "leaf = 0x1 0 0x000406d8 0x00200800 0x029ee3ff 0xbfebfbff\n"
				   "leaf = 0xa 0 0x07300203 0x00000000 0x00000000 0x00000503\n"
				   "package = 0 cores=0-3 cpus=0-3\nend\n";
	char path[FD_PATH_SIZE], what[80];
	int fd = file_in_memory(path, text, sizeof(text) - 1);

	snprintf(what, sizeof(what), "%s,clock=stepped", path);
	open_machine(what);
	close(fd);
	ck_assert_int_eq(uncoremsr_session_add(s, "0x82:0x1"), -ENOTSUP);
	ck_assert_uint_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "Avoton"));
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "memory-bandwidth"), -ENOTSUP);
}

/* ---- failures ---- */

TEST(the_machine_that_was_chosen_last_is_opened)
{
	ck_assert_int_eq(uncoremsr_sim_new(&sim, "westmere-2s", NULL, 0), 0);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_sim(um, sim), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:nehalem-1s"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_str_eq(uncoremsr_machine(um)->name, "sim:nehalem-1s");
	ck_assert_ptr_null(uncoremsr_package(um, 1));
}

/* ---- refusals ---- */

TEST(a_refusal_returns_the_code_of_its_error)
{
	static const struct { const char *machine, *event, *metric; } rows[] = {
		{ "westmere-2s", "cbo9/event=1/", NULL }, { "zen-1s", "nosuch/event=1/", NULL },
		{ "power9-2s", NULL, "ipc" }, { "westmere-2s,driver=missing", NULL, "memory-bandwidth" },
		{ "westmere-2s,open=EMFILE", NULL, "memory-bandwidth" },
		{ "westmere-2s,allow_writes=off", NULL, "memory-bandwidth" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int err;

		open_machine(rows[i].machine);
		err = rows[i].event ? uncoremsr_session_add(s, rows[i].event)
				    : uncoremsr_session_add_metric(s, rows[i].metric);
		ck_assert_msg(err < 0 && err == uncoremsr_error(um)->code, "row %zu: %d, %d", i, err,
			      uncoremsr_error(um)->code);
	}
}

/* ---- trace ---- */

/* Count one event from start to stop. Returns how often a register was read or written. */
static unsigned accesses_of_a_life(enum uncoremsr_trace_style style)
{
	open_machine("nehalem-1s,clock=stepped");
	fail_after(-1, 0, 0);
	logged[0] = '\0';
	uncoremsr_set_trace(um, style, remember_line, NULL);
	count("0x82:0x1");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	return (unsigned)(spy.reads + spy.writes);
}

TEST(a_trace_lists_every_access_and_causes_no_accesses)
{
	unsigned plain = accesses_of_a_life(UNCOREMSR_TRACE_NONE), lines = 0;

	ck_assert_uint_eq(accesses_of_a_life(UNCOREMSR_TRACE_TEXT), plain);
	for (const char *at = logged; (at = strstr(at, "cpu 0 ")); at++)
		lines++;
	ck_assert_msg(lines == plain, "%u accesses, %u told:\n%s", plain, lines, logged);
	/* In the trace, a write shows the value that was read before as the old value. */
	ck_assert_ptr_nonnull(strstr(logged, "UNCORE_PERFEVTSEL0 (0x3c0) 0x400182 -> 0x0"));
}

/* ---- chosen targets and options ---- */

static const struct um_target *target(enum uncoremsr_target which, long id)
{
	ck_assert_int_eq(uncoremsr_session_set_target(s, which, id), 0);
	return &s->choices.target;
}

TEST(tasks_of_one_kind_are_counted_together_and_each_once)
{
	const struct um_target *t;

	open_machine("westmere-2s,clock=stepped");
	t = target(UNCOREMSR_TARGET_THREAD, 5);
	ck_assert_uint_eq(target(UNCOREMSR_TARGET_THREAD, 5)->num_pids, 1);
	ck_assert_uint_eq(target(UNCOREMSR_TARGET_THREAD, 6)->num_pids, 2);
	ck_assert_int_eq(t->pids[0], 5);
	ck_assert_int_eq(t->pids[1], 6);
	/* A target of another kind replaces earlier targets; there can be only one command. */
	ck_assert_uint_eq(target(UNCOREMSR_TARGET_COMMAND, 7)->num_pids, 1);
	ck_assert_uint_eq(target(UNCOREMSR_TARGET_COMMAND, 8)->num_pids, 1);
	ck_assert_int_eq(t->pids[0], 8);
	ck_assert_int_eq(t->kind, UM_TARGET_CHILD);
	ck_assert_int_eq(target(UNCOREMSR_TARGET_SYSTEM, 0)->kind, UM_TARGET_SYSTEM);
	ck_assert_uint_eq(t->num_pids, 0);
	ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_THREAD, -1), -EINVAL);
	ck_assert_str_eq(uncoremsr_error(um)->message, "-1 cannot be the id of a process or thread");
	if (sizeof(long) > sizeof(pid_t))
		ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_THREAD, LONG_MAX), -EINVAL);
	ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_COMMAND + 1, 1), -EINVAL);
	ck_assert_str_eq(uncoremsr_error(um)->message, "no such target");
	ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_PROCESS, 99999999), -ESRCH);
	ck_assert_str_eq(uncoremsr_error(um)->message, "process 99999999: simulated machines have no processes");
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->hint, "COMMAND"));
	ck_assert_int_eq(t->kind, UM_TARGET_SYSTEM);
}

static const char *const *threads; /* names in the task directory of a process, ending with NULL */

static int list_threads(struct um_access *a, const char *path, int (*fn)(void *user, const char *name), void *user)
{
	int err = 0;

	(void)a;
	ck_assert_str_eq(path, *threads ? "proc/12/task" : "proc/5/task");
	for (size_t i = 0; threads[i] && !err; i++)
		err = fn(user, threads[i]);
	return err;
}

TEST(a_process_is_counted_by_its_threads_each_once)
{
	static const char *const some[] = { "x", "0", "-3", "7y", "12", "1", "12", "", "345", NULL };
	static const char *const none[] = { NULL };
	static const pid_t tids[] = { 12, 1, 345 };

	open_machine("westmere-2s,clock=stepped");
	spy_on()->list = list_threads;
	/* While a process ends, its directory still exists, but has no threads. */
	threads = none;
	ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_PROCESS, 5), -ESRCH);
	ck_assert_str_eq(uncoremsr_error(um)->message, "there is no process 5");
	threads = some;
	ck_assert_uint_eq(target(UNCOREMSR_TARGET_PROCESS, 12)->num_pids, ARRAY_SIZE(tids));
	ck_assert_mem_eq(s->choices.target.pids, tids, sizeof(tids));
	ck_assert_int_eq(s->choices.target.kind, UM_TARGET_PROCESS);
	stop_spying();
}

TEST(the_kind_of_target_cannot_change_once_events_were_added)
{
	open_machine("westmere-2s,clock=stepped");
	target(UNCOREMSR_TARGET_THREAD, 5);
	ck_assert_int_eq(uncoremsr_session_add(s, "task-clock"), 1);
	ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_SYSTEM, 0), -EINVAL);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, "no-such-group"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "before the events"));
	ck_assert_uint_eq(target(UNCOREMSR_TARGET_THREAD, 6)->num_pids, 2);
}

/* A control group is named relative to the root of all control groups, or by the path of its directory. */
TEST(a_group_is_the_folder_that_was_named)
{
	static const struct { const char *path, *folder; } names[] = {
		{ "no-such/group", "/sys/fs/cgroup/no-such/group: " },
		{ "//no-such", "/sys/fs/cgroup/no-such: " },
		{ "/sys/fs/cgroup/no-such", "/sys/fs/cgroup/no-such: " },
		{ "/sys/fs/cgroup-not", "/sys/fs/cgroup/sys/fs/cgroup-not: " },
		{ "/sys/fs/cgrouq", "/sys/fs/cgroup/sys/fs/cgrouq: " },
	};
	static const char *const unnamed[] = { "", "0::", "4:memory:" };
	char *path = calloc(1, 5001);

	ck_assert_ptr_nonnull(path);
	open_machine("westmere-2s,clock=stepped");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, names[i].path), -ENOENT);
		ck_assert_msg(strstr(uncoremsr_error(um)->message, names[i].folder) != NULL, "%s: %s",
			      names[i].path, uncoremsr_error(um)->message);
		ck_assert_uint_eq(s->choices.target.num_cgroups, 0);
		ck_assert_int_eq(s->choices.target.kind, UM_TARGET_SYSTEM);
	}
	for (size_t i = 0; i < ARRAY_SIZE(unnamed); i++) {
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, unnamed[i]), -EINVAL);
		ck_assert_str_eq(uncoremsr_error(um)->message, "cgroup '': no name");
	}
	memset(path, 'x', 5000);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, path), -ENAMETOOLONG);
	free(path);
}

/*
 * Real control groups need permissions. To the library, any directory with the files of a group is a control group; the
 * path is given relative to /sys/fs/cgroup.
 */
TEST(groups_that_are_named_before_the_events_replace_each_other)
{
	char dir[DIR_SIZE], path[DIR_SIZE + 16];
	const struct um_target *t;

	open_machine("westmere-2s,clock=stepped");
	t = &s->choices.target;
	make_dir(dir);
	write_text(dir, "a/cgroup.procs", "");
	write_text(dir, "a/cgroup.events", "populated 1");
	write_text(dir, "b/cgroup.procs", "");
	write_text(dir, "b/cgroup.events", "populated 1");
	snprintf(path, sizeof(path), "../../..%s/a", dir);
	if (access("/sys/fs/cgroup", F_OK) == 0) {
		ck_assert_msg(!uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, path), "%s", uncoremsr_error(um)->message);
		ck_assert_int_eq(t->kind, UM_TARGET_CGROUP);
		path[strlen(path) - 1] = 'b';
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, path), 0);
		ck_assert_uint_eq(t->num_cgroups, 1);
		ck_assert_ptr_nonnull(strstr(t->cgroups[0], "/b"));
		ck_assert_int_eq(uncoremsr_session_add(s, "task-clock"), 1);
		/*
		 * After an event was added, a new control group is used for later events only, so the session has two
		 * control groups.
		 */
		path[strlen(path) - 1] = 'a';
		ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, path), 0);
		ck_assert_uint_eq(t->num_cgroups, 2);
		ck_assert_ptr_nonnull(strstr(t->cgroups[0], "/b"));
		ck_assert_ptr_nonnull(strstr(t->cgroups[1], "/a"));
	}
	remove_dir(dir);
}

TEST(options_are_switched_on_and_off)
{
	static const int numbers[] = { 1, 0, 5, -1, 0 };

	open_machine("westmere-2s,clock=stepped");
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		bool on = numbers[i] != 0;

		ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_MULTIPLEX, numbers[i]), 0);
		ck_assert(s->choices.no_turns == !on);
		ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_FORCE, numbers[i]), 0);
		ck_assert(s->choices.force == on);
		ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_VERIFY, numbers[i]), 0);
		ck_assert(s->no_verify == !on);
	}
	ck_assert_int_eq(uncoremsr_session_set(s, (enum uncoremsr_session_option)99, 1), -EINVAL);
	ck_assert_str_eq(uncoremsr_error(um)->message, "unknown session option");
}

SUITE(session)
