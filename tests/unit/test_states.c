/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every public function in every state of its object: there is none, the handle is new, its open has
 * failed, it is open. Until a machine is open each function refuses: a negative errno, NULL, 0, or the
 * value that stands for "unknown". It never crashes; libcheck runs each row in a process of its own.
 *
 * A row is a function, the call, and whether the answer is a refusal.
 */
#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/handle.h"
#include "suites.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"
#include "uncoremsr/sim.h"

/* What the functions are called with. In the states without a machine only the handle can be there. */
struct objects {
	struct uncoremsr *um;
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	struct uncoremsr_cores *cores;
	const struct uncoremsr_core_kind *kind;
};

static int stop(void *user, const char *name, unsigned type, const char *cpus)
{
	(void)user, (void)name, (void)type, (void)cpus;
	return 1;
}

/* ---- calls of more than an expression ---- */

static bool no_cores(const struct objects *o)
{
	struct uncoremsr_cores *cores = NULL;
	int err = uncoremsr_cores_read(o->um, &cores);

	uncoremsr_cores_free(cores);
	return err == -EINVAL && !cores;
}

static bool no_dump(const struct objects *o)
{
	struct uncoremsr_cores *cores = NULL;

	(void)o;
	return uncoremsr_cores_load(NULL, NULL, NULL, 0) == -EINVAL &&
	       uncoremsr_cores_load(&cores, NULL, NULL, 0) == -EINVAL &&
	       uncoremsr_cores_load(&cores, "/nonexistent", NULL, 0) == -ENOENT && !cores;
}

static bool no_level(const struct objects *o)
{
	enum uncoremsr_level type;
	unsigned shift, cpus;

	return uncoremsr_core_level(o->kind, 99, &type, &shift, &cpus) == -ENODATA;
}

static bool no_handle(const struct objects *o)
{
	(void)o;
	uncoremsr_free(NULL);
	return uncoremsr_new(NULL) == -EINVAL;
}

static bool nothing_logged(const struct objects *o)
{
	uncoremsr_set_log(o->um, NULL, NULL);
	return true;
}

/* ---- the table ---- */

static uint64_t v;

#define ROWS(X) \
	/* uncoremsr.h */ \
	X(uncoremsr_version, uncoremsr_version() != NULL) \
	X(uncoremsr_errmsg, uncoremsr_errmsg(o->um) != NULL) \
	X(uncoremsr_hint, uncoremsr_hint(o->um) != NULL) \
	X(uncoremsr_error_class, uncoremsr_error_class(o->um) <= UNCOREMSR_ERROR_ACCESS) \
	X(uncoremsr_new, no_handle(o)) \
	X(uncoremsr_free, no_handle(o)) \
	X(uncoremsr_set_machine, uncoremsr_set_machine(o->um, "nonsense") < 0) \
	X(uncoremsr_set_sim, uncoremsr_set_sim(o->um, NULL) < 0) \
	X(uncoremsr_set_trace, uncoremsr_set_trace(o->um, 99, NULL, NULL) == -EINVAL) \
	X(uncoremsr_set_log, nothing_logged(o)) \
	X(uncoremsr_set_dry_run, uncoremsr_set_dry_run(o->um, 1) <= 0) \
	X(uncoremsr_open, o->um || uncoremsr_open(NULL) == -EINVAL) \
	X(uncoremsr_machine, !uncoremsr_machine(o->um)) \
	X(uncoremsr_is_simulated, !uncoremsr_is_simulated(o->um)) \
	X(uncoremsr_now, !uncoremsr_now(o->um)) \
	X(uncoremsr_advance, !uncoremsr_advance(o->um, 1)) \
	X(uncoremsr_num_packages, !uncoremsr_num_packages(o->um)) \
	X(uncoremsr_package, !uncoremsr_package(o->um, 0)) \
	X(uncoremsr_package_id, uncoremsr_package_id(o->package) < 0) \
	X(uncoremsr_package_die, uncoremsr_package_die(o->package) < 0) \
	X(uncoremsr_package_cpu, uncoremsr_package_cpu(o->package) < 0) \
	X(uncoremsr_package_cpus, !uncoremsr_package_cpus(o->package)) \
	X(uncoremsr_package_num_cores, !uncoremsr_package_num_cores(o->package)) \
	/* machine.h */ \
	X(uncoremsr_machine_text, !uncoremsr_machine_text(o->um, UNCOREMSR_MACHINE_VENDOR) && \
	  !uncoremsr_machine_text(o->um, UNCOREMSR_MACHINE_OFFLINE_CPUS) && \
	  !uncoremsr_machine_text(o->um, UNCOREMSR_MACHINE_DRIVER_DEVICE) && \
	  !uncoremsr_machine_text(o->um, 99)) \
	X(uncoremsr_machine_number, \
	  uncoremsr_machine_number(o->um, UNCOREMSR_MACHINE_FAMILY, &v) == -ENODATA && \
	  uncoremsr_machine_number(o->um, UNCOREMSR_MACHINE_CONTAINER, &v) == -ENODATA && \
	  uncoremsr_machine_number(o->um, UNCOREMSR_MACHINE_FAMILY, NULL) == -ENODATA && \
	  uncoremsr_machine_number(o->um, 99, &v) == -ENODATA) \
	X(uncoremsr_kernel_pmus, uncoremsr_kernel_pmus(o->um, stop, NULL) == -EINVAL) \
	X(uncoremsr_cores_read, no_cores(o)) \
	X(uncoremsr_cores_load, no_dump(o)) \
	X(uncoremsr_cores_free, no_cores(o)) \
	X(uncoremsr_core_kind, !uncoremsr_core_kind(o->cores, 0)) \
	X(uncoremsr_core_text, !uncoremsr_core_text(o->kind, UNCOREMSR_CORE_CPUS) && \
	  !uncoremsr_core_text(o->kind, 99)) \
	X(uncoremsr_core_number, \
	  uncoremsr_core_number(o->kind, UNCOREMSR_CORE_FAMILY, &v) == -ENODATA && \
	  uncoremsr_core_number(o->kind, UNCOREMSR_CORE_FAMILY, NULL) == -ENODATA && \
	  uncoremsr_core_number(o->kind, 99, &v) == -ENODATA) \
	X(uncoremsr_core_level, no_level(o)) \
	X(uncoremsr_core_event, uncoremsr_core_event(o->kind, 0) == UNCOREMSR_EVENT_NOT_LISTED) \
	X(uncoremsr_arch_event, !uncoremsr_arch_event(99, NULL, NULL) && \
	  uncoremsr_arch_event(0, NULL, NULL)) \
	X(uncoremsr_driver_state, uncoremsr_driver_state(o->um, 0) == UNCOREMSR_DRIVER_OTHER && \
	  uncoremsr_driver_state(o->um, 1) == UNCOREMSR_DRIVER_OTHER) \
	X(uncoremsr_counter_state, uncoremsr_counter_state(o->um, o->package, o->pmu, 0, 0, &v) == \
	  UNCOREMSR_COUNTER_UNKNOWN) \
	X(uncoremsr_pmu_num_units, uncoremsr_pmu_num_units(o->um, o->package, o->pmu) < 0)

#define CALL(name, refused) \
	static bool call_##name(const struct objects *o) { (void)o; return refused; }
ROWS(CALL)

static const struct {
	const char *name;
	bool (*call)(const struct objects *o); /* whether it refused */
} rows[] = {
#define ROW(name, refused) { #name, call_##name },
	ROWS(ROW)
};

#define NUM_ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

/* A crash is reported with the last mark: the function instead of a file, the state instead of a line. */
static void expect_refusal(const char *state, const struct objects *o)
{
	for (int i = 0; i < NUM_ROWS; i++) {
		_mark_point(rows[i].name, 0);
		ck_assert_msg(rows[i].call(o), "%s does not refuse: %s", rows[i].name, state);
	}
}

START_TEST(without_an_object_every_function_refuses)
{
	const struct objects nothing = { 0 };

	expect_refusal("NULL", &nothing);
}
END_TEST

START_TEST(before_the_machine_is_open_every_function_refuses)
{
	struct objects o = { 0 };

	ck_assert_int_eq(uncoremsr_new(&o.um), 0);
	expect_refusal("a new handle", &o);
	uncoremsr_free(o.um);
}
END_TEST

static const char *const bad_machines[] = {
	"sim:nonsense", "sim:westmere-2s,nonsense=1", "root:/nonexistent", "root:/dev",
};

START_TEST(after_a_failed_open_every_function_refuses)
{
	struct objects o = { 0 };

	ck_assert_int_eq(uncoremsr_new(&o.um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(o.um, bad_machines[_i]), 0);
	ck_assert_int_lt(uncoremsr_open(o.um), 0);
	expect_refusal(bad_machines[_i], &o);
	/* And another machine can still be chosen. */
	ck_assert_int_eq(uncoremsr_set_machine(o.um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(uncoremsr_open(o.um), 0);
	ck_assert_str_eq(uncoremsr_machine(o.um), "sim:westmere-2s");
	uncoremsr_free(o.um);
}
END_TEST

START_TEST(on_an_open_machine_no_function_crashes)
{
	struct objects o = { 0 };

	ck_assert_int_eq(uncoremsr_new(&o.um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(o.um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(uncoremsr_open(o.um), 0);
	o.package = uncoremsr_package(o.um, 0);
	ck_assert_int_eq(uncoremsr_cores_read(o.um, &o.cores), 0);
	o.kind = uncoremsr_core_kind(o.cores, 0);
	for (int i = 0; i < NUM_ROWS; i++) {
		_mark_point(rows[i].name, 0);
		rows[i].call(&o);
	}
	uncoremsr_cores_free(o.cores);
	uncoremsr_free(o.um);
}
END_TEST

/* The kernel's PMUs of a machine that is not open are read from a simulated machine of their own. */
START_TEST(a_simulated_machine_that_was_not_opened_leaves_nothing_behind)
{
	struct uncoremsr *um;
	struct uncoremsr_session *s;

	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:skylake-sp-perf"), 0);
	ck_assert_ptr_nonnull(uncoremsr_pmu(um, "kernel", 0));
	ck_assert_int_eq(uncoremsr_set_machine(um, "live"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_ptr_null(um->sim_open);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	uncoremsr_session_set_route(s, UNCOREMSR_ROUTE_PERF);
	/* It may be forbidden here; what counts is the kernel that is asked. */
	if (uncoremsr_session_add(s, "context-switches") > 0)
		uncoremsr_session_start(s);
	uncoremsr_session_free(s);
	uncoremsr_free(um);
}
END_TEST

Suite *states_suite(void)
{
	Suite *s = suite_create("states");
	TCase *tc = tcase_create("states");

	tcase_add_test(tc, without_an_object_every_function_refuses);
	tcase_add_test(tc, before_the_machine_is_open_every_function_refuses);
	tcase_add_loop_test(tc, after_a_failed_open_every_function_refuses, 0,
			    (int)(sizeof(bad_machines) / sizeof(bad_machines[0])));
	tcase_add_test(tc, on_an_open_machine_no_function_crashes);
	tcase_add_test(tc, a_simulated_machine_that_was_not_opened_leaves_nothing_behind);
	suite_add_tcase(s, tc);
	return s;
}
