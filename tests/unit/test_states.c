/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls each public function in each state of its object: no object, a new handle, a handle that failed to open, an
 * open handle. Without an open machine the function must return an error: a negative errno, NULL, 0, or the value for
 * "unknown". It must never crash. A row has the name of a function, and a call of it in an expression that is true if
 * there was an error. tests/tools/layering.bats compares the rows with the map of symbols.
 *
 * Uses internal headers, because some states of a handle exist only during a call.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "machine/handle.h"
#include "helpers.h"
#include "suite.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/throttle.h"
#include "uncoremsr/file.h"
#include "uncoremsr/imc.h"
#include "uncoremsr/perf_data.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/names.h"
#include "uncoremsr/region.h"
#include "uncoremsr/sampling.h"
#include "uncoremsr/sim.h"

/* Arguments of the calls. Only the handle exists as long as no machine is open. */
struct objects {
	struct uncoremsr *um;
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	struct uncoremsr_throttle *throttle;
	struct uncoremsr_sim *sim;
	struct uncoremsr_session *session; /* a session that was never started */
};

static int stop(void *user, const char *name, unsigned type, const char *cpus)
{
	(void)user, (void)name, (void)type, (void)cpus;
	return 1;
}

/* ---- calls that do not fit into one expression ---- */

/* Value of a result pointer before the call; a call that fails must set the pointer to NULL. */
static char unset[1];
#define UNSET ((void *)unset)

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

static int one_encoding(void *user, const struct uncoremsr_encoding *encoding)
{
	(void)user, (void)encoding;
	return 1;
}

static int one_event(void *user, const struct uncoremsr_event *event)
{
	(void)user, (void)event;
	return 1;
}

static int one_name(void *user, const char *name, int is_dir)
{
	(void)user, (void)name, (void)is_dir;
	return 1;
}

static void one_report(void *user, const struct uncoremsr_clear_report *report)
{
	(void)user, (void)report;
}

static void one_repair(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *lease)
{
	(void)user, (void)what, (void)lease;
}

static bool no_watcher(const struct objects *o)
{
	struct uncoremsr_throttle *t = UNSET;
	int err = uncoremsr_throttle_new(o->um, &t);

	uncoremsr_throttle_free(t);
	uncoremsr_throttle_free(NULL);
	return err < 0 && !t && uncoremsr_throttle_new(o->um, NULL) < 0;
}

static bool no_perf_data(const struct objects *o)
{
	struct uncoremsr_perf_data *data = UNSET;
	const struct uncoremsr_record *record = UNSET;

	(void)o;
	uncoremsr_perf_data_close(NULL);
	return uncoremsr_perf_data_open(-1, &data) == -EBADF && !data && uncoremsr_perf_data_next(NULL, &record) < 0 &&
	       !record;
}

static bool no_trace(const struct objects *o)
{
	struct uncoremsr_imc_trace *trace = UNSET;

	(void)o;
	uncoremsr_imc_trace_free(NULL);
	return uncoremsr_imc_trace_new(NULL, 64, &trace) < 0 && !trace;
}

static bool no_sim(const struct objects *o)
{
	struct uncoremsr_sim *sim = UNSET;
	char why[8];

	(void)o;
	uncoremsr_sim_free(NULL);
	return uncoremsr_sim_new(NULL, NULL, NULL, 0) < 0 &&
	       uncoremsr_sim_new(&sim, NULL, NULL, 0) < 0 &&
	       uncoremsr_sim_new(&sim, "nonsense", why, sizeof(why)) < 0 && !sim;
}

static bool no_session(const struct objects *o)
{
	struct uncoremsr_session *s = UNSET;
	int err = uncoremsr_session_new(o->um, &s);

	uncoremsr_session_free(s);
	uncoremsr_session_free(NULL);
	return err == -EINVAL && !s && uncoremsr_session_new(o->um, NULL) == -EINVAL;
}

static bool no_sampling(const struct objects *o)
{
	struct uncoremsr_sampling_options options = { .events = "cpu-clock" };
	struct uncoremsr_sampling *s = UNSET;
	int err = uncoremsr_sampling_open(o->um, &options, &s);

	uncoremsr_sampling_close(s);
	uncoremsr_sampling_close(NULL);
	return err < 0 && !s && uncoremsr_sampling_open(o->um, NULL, &s) < 0 &&
	       uncoremsr_sampling_open(o->um, &options, NULL) < 0;
}

static bool no_region(const struct objects *o)
{
	struct uncoremsr_region *r = UNSET;
	int err = uncoremsr_region_new(o->um, "cycles", &r);

	uncoremsr_region_free(r);
	uncoremsr_region_free(NULL);
	return err == -EINVAL && !r && uncoremsr_region_new(o->um, NULL, &r) == -EINVAL &&
	       uncoremsr_region_new(o->um, "cycles", NULL) == -EINVAL;
}

/* ---- table of calls ---- */

static uint64_t v;
static unsigned number;
static uint32_t regs[4];
static const char *text;
static char buf[64];

#define ROWS(X) \
	/* uncoremsr.h */ \
	X(uncoremsr_version, uncoremsr_version() != NULL) \
	X(uncoremsr_error, uncoremsr_error(o->um)->message && uncoremsr_error(o->um)->hint && \
	  uncoremsr_error(o->um)->error_class <= UNCOREMSR_ERROR_ACCESS && uncoremsr_error(o->um)->code <= 0 && !uncoremsr_error(o->um)->starved) \
	X(uncoremsr_new, no_handle(o)) \
	X(uncoremsr_free, no_handle(o)) \
	X(uncoremsr_set_machine, uncoremsr_set_machine(o->um, "nonsense") < 0) \
	X(uncoremsr_set_sim, uncoremsr_set_sim(o->um, NULL) < 0) \
	X(uncoremsr_set_trace, uncoremsr_set_trace(o->um, 99, NULL, NULL) == -EINVAL) \
	X(uncoremsr_set_log, nothing_logged(o)) \
	X(uncoremsr_set, uncoremsr_set(o->um, 99, 1) == -EINVAL && uncoremsr_set(o->um, UNCOREMSR_DRY_RUN, 1) <= 0 && \
	  uncoremsr_set(o->um, UNCOREMSR_OWN_CATALOG, 0) == (o->um ? 0 : -EINVAL) && \
	  uncoremsr_set(o->um, UNCOREMSR_LOG_FROM, 99) == -EINVAL) \
	X(uncoremsr_open, o->um || uncoremsr_open(NULL) == -EINVAL) \
	X(uncoremsr_now, !uncoremsr_now(o->um)) \
	X(uncoremsr_advance, !uncoremsr_advance(o->um, 1)) \
	X(uncoremsr_package, !uncoremsr_package(o->um, 0)) \
	/* machine.h */ \
	X(uncoremsr_machine, !uncoremsr_machine(o->um)) \
	X(uncoremsr_surroundings, !uncoremsr_surroundings(o->um, ~0u)) \
	X(uncoremsr_kernel_pmus, uncoremsr_kernel_pmus(o->um, stop, NULL) == -EINVAL) \
	X(uncoremsr_cores, !uncoremsr_cores(o->um, NULL) && uncoremsr_error(o->um)->code == -EINVAL && \
	  !uncoremsr_cores(o->um, "/nonexistent") && uncoremsr_error(o->um)->code == (o->um ? -ENOENT : -EINVAL)) \
	X(uncoremsr_driver_state, uncoremsr_driver_state(o->um, 0) == UNCOREMSR_DRIVER_OTHER && \
	  uncoremsr_driver_state(o->um, 1) == UNCOREMSR_DRIVER_OTHER) \
	X(uncoremsr_counters, !uncoremsr_counters(o->um, o->package, o->pmu)) \
	/* names.h */ \
	X(uncoremsr_uarch, !uncoremsr_uarch(9999)) \
	X(uncoremsr_pmu, !uncoremsr_pmu(o->um, NULL, 0) && !uncoremsr_pmu(o->um, "nonsense", 0)) \
	X(uncoremsr_register, !uncoremsr_register(o->um, NULL, 0) && \
	  !uncoremsr_register(o->um, "nonsense", 0)) \
	X(uncoremsr_collision, !uncoremsr_collision(0x391, 999)) \
	/* Names that perf has everywhere need no machine. */ \
	X(uncoremsr_event, !uncoremsr_event(NULL, NULL, 0) && \
	  !uncoremsr_event(o->um, "nonsense", 0)) \
	X(uncoremsr_event_tables, uncoremsr_event_tables(o->um, "nonsense") < 0) \
	X(uncoremsr_event_find, uncoremsr_event_find(o->um, NULL, "x", one_event, NULL) <= 0 && \
	  uncoremsr_event_find(o->um, NULL, NULL, one_event, NULL) <= 0) \
	X(uncoremsr_event_left_out, !uncoremsr_event_left_out("nonsense", 0) && !uncoremsr_event_left_out(NULL, 0)) \
	X(uncoremsr_core_event_name, !uncoremsr_core_event_name(o->um, "zen", 0xffff, 0, &number)) \
	X(uncoremsr_event_list_uarch, !uncoremsr_event_list_uarch(o->um)) \
	X(uncoremsr_event_list_set_cpu, uncoremsr_event_list_set_cpu(o->um, "nonsense") < 0) \
	X(uncoremsr_event_list_add, uncoremsr_event_list_add(o->um, "/nonexistent") < 0 && \
	  uncoremsr_event_list_add(o->um, NULL) < 0) \
	X(uncoremsr_event_list, !uncoremsr_event_list(o->um, 0)) \
	X(uncoremsr_encode, uncoremsr_encode(o->um, UNCOREMSR_ROUTE_MSR, NULL, "0x82:0x1", \
					     one_encoding, NULL) < 0 && \
	  uncoremsr_encode(o->um, UNCOREMSR_ROUTE_PERF, NULL, NULL, one_encoding, NULL) < 0) \
	X(uncoremsr_metric, !uncoremsr_metric(NULL, "westmere", 0) && !uncoremsr_metric(o->um, "westmere", 99) && \
	  !uncoremsr_metric(o->um, NULL, 3)) \
	/* names.h: functions on a session */ \
	X(uncoremsr_session_add_metric, uncoremsr_session_add_metric(o->session, "nonsense") < 0 && \
	  uncoremsr_session_add_metric(o->session, NULL) < 0) \
	X(uncoremsr_session_metric, !uncoremsr_session_metric(o->session, 0)) \
	X(uncoremsr_session_metric_reading, !uncoremsr_session_metric_reading(o->session, 0, UNCOREMSR_PLACE_PACKAGE, 0, \
		UNCOREMSR_TOTAL) && !uncoremsr_session_metric_reading(o->session, 0, 99, 0, UNCOREMSR_TOTAL)) \
	/* uncoremsr.h and region.h */ \
	X(uncoremsr_session_new, no_session(o)) \
	X(uncoremsr_session_free, no_session(o)) \
	X(uncoremsr_session_add, uncoremsr_session_add(o->session, "nonsense") < 0 && \
	  uncoremsr_session_add(o->session, NULL) < 0) \
	X(uncoremsr_session_add_listed, uncoremsr_session_add_listed(o->session, NULL, NULL) < 0) \
	X(uncoremsr_session_set_counter, uncoremsr_session_set_counter(o->session, 0, 0) < 0) \
	X(uncoremsr_session_set, uncoremsr_session_set(o->session, 99, 1) == -EINVAL && \
	  uncoremsr_session_set(o->session, UNCOREMSR_SESSION_ROUTE, 99) < 0) \
	X(uncoremsr_session_only, uncoremsr_session_only(o->session, UNCOREMSR_ONLY_CPUS, NULL) < 0 && \
	  uncoremsr_session_only(o->session, UNCOREMSR_ONLY_PACKAGES, NULL) < 0 && \
	  uncoremsr_session_only(o->session, UNCOREMSR_ONLY_CORES, NULL) < 0 && \
	  uncoremsr_session_only(o->session, UNCOREMSR_ONLY_CGROUP, NULL) < 0 && \
	  uncoremsr_session_only(o->session, 99, "0") == -EINVAL) \
	X(uncoremsr_session_set_target, uncoremsr_session_set_target(o->session, 99, 0) < 0) \
	X(uncoremsr_session_start, uncoremsr_session_start(o->session) < 0) \
	X(uncoremsr_session_read, uncoremsr_session_read(o->session) < 0) \
	X(uncoremsr_session_sample, uncoremsr_session_sample(o->session) < 0) \
	X(uncoremsr_session_rotate, uncoremsr_session_rotate(o->session) < 0) \
	X(uncoremsr_session_pause, uncoremsr_session_pause(o->session) < 0) \
	X(uncoremsr_session_stop, uncoremsr_session_stop(o->session) <= 0) \
	X(uncoremsr_session_event, !uncoremsr_session_event(o->session, 0)) \
	X(uncoremsr_session_state, !o->session || (uncoremsr_session_state(o->session)->turns <= 1 && \
	  !uncoremsr_session_state(o->session)->packages && !*uncoremsr_session_state(o->session)->cores)) \
	X(uncoremsr_session_package, !uncoremsr_session_package(NULL, 0) && \
	  !uncoremsr_session_package(o->session, 9)) \
	X(uncoremsr_session_reading, \
	  !uncoremsr_session_reading(o->session, 0, UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_INTERVAL) && \
	  !uncoremsr_session_reading(o->session, 0, UNCOREMSR_PLACE_EVERYWHERE, 0, UNCOREMSR_TOTAL) && \
	  !uncoremsr_session_reading(o->session, 0, UNCOREMSR_PLACE_CORES, 0, UNCOREMSR_TOTAL) && \
	  !uncoremsr_session_reading(o->session, 0, UNCOREMSR_PLACE_CORE, 0, UNCOREMSR_TOTAL) && \
	  !uncoremsr_session_reading(o->session, 0, UNCOREMSR_PLACE_UNIT, 0, UNCOREMSR_TOTAL) && \
	  !uncoremsr_session_reading(o->session, 0, 99, 0, UNCOREMSR_TOTAL)) \
	X(uncoremsr_session_unit, !uncoremsr_session_unit(o->session, 0, 0)) \
	X(uncoremsr_region_new, no_region(o)) \
	X(uncoremsr_region_free, no_region(o)) \
	X(uncoremsr_region_begin, uncoremsr_region_begin(NULL) == -EINVAL) \
	X(uncoremsr_region_end, uncoremsr_region_end(NULL) < 0) \
	X(uncoremsr_region_count, !uncoremsr_region_count(NULL, 0)) \
	/* sampling.h */ \
	X(uncoremsr_sampling_open, no_sampling(o)) \
	X(uncoremsr_sampling_close, no_sampling(o)) \
	X(uncoremsr_sampling_enable, uncoremsr_sampling_enable(NULL, 1) < 0) \
	X(uncoremsr_sampling_wait, uncoremsr_sampling_wait(NULL, -1, 0) < 0) \
	X(uncoremsr_sampling_next, uncoremsr_sampling_next(NULL, 0, NULL) < 0) \
	X(uncoremsr_sampling_state, !uncoremsr_sampling_state(NULL)) \
	X(uncoremsr_sampling_record, uncoremsr_sampling_record(NULL, NULL) < 0) \
	X(uncoremsr_sampling_copy, uncoremsr_sampling_copy(NULL) < 0) \
	X(uncoremsr_sampling_finish, uncoremsr_sampling_finish(NULL) < 0) \
	/* leases.h */ \
	X(uncoremsr_leases, !uncoremsr_leases(o->um)) \
	X(uncoremsr_repair, uncoremsr_repair(o->um, one_repair, NULL) < 0 && \
	  uncoremsr_repair(o->um, NULL, NULL) < 0) \
	/* throttle.h */ \
	X(uncoremsr_verdict_word, !uncoremsr_verdict_word(99)) \
	X(uncoremsr_cause_word, !uncoremsr_cause_word(99)) \
	X(uncoremsr_throttle_new, no_watcher(o)) \
	X(uncoremsr_throttle_free, no_watcher(o)) \
	X(uncoremsr_throttle_set, uncoremsr_throttle_set(o->throttle, 99, 1) < 0) \
	X(uncoremsr_throttle_look, uncoremsr_throttle_look(o->throttle) < 0) \
	X(uncoremsr_throttle_state, !uncoremsr_throttle_state(o->throttle) == !o->throttle) \
	X(uncoremsr_throttle_clear, uncoremsr_throttle_clear(o->throttle, one_report, NULL) < 0) \
	X(uncoremsr_throttle_subject, !uncoremsr_throttle_subject(o->throttle, 0)) \
	/* file.h: these functions work on files, without a handle */ \
	X(uncoremsr_file_open, uncoremsr_file_open(NULL, 1, 0) == -EINVAL) \
	X(uncoremsr_file_read, uncoremsr_file_read(-1, 1, NULL, NULL) == -EINVAL) \
	X(uncoremsr_file_error, *uncoremsr_file_error(-ETIMEDOUT)) \
	/* perf_data.h: these functions work on files, without a handle */ \
	X(uncoremsr_perf_data_open, no_perf_data(o)) \
	X(uncoremsr_perf_data_close, no_perf_data(o)) \
	X(uncoremsr_perf_data_next, no_perf_data(o)) \
	/* imc.h: these functions work on numbers and bytes, without a handle */ \
	X(uncoremsr_imc_field, !uncoremsr_imc_field(UNCOREMSR_IMC_LDBAR, 99)) \
	X(uncoremsr_imc_get, uncoremsr_imc_get(UNCOREMSR_IMC_LDBAR, 99, 0, &v) < 0 && uncoremsr_imc_get(99, 0, 0, &v) < 0 && \
	  uncoremsr_imc_get(UNCOREMSR_IMC_SCOM, 0, 0, NULL) < 0) \
	X(uncoremsr_imc_set, uncoremsr_imc_set(UNCOREMSR_IMC_LDBAR, 99, 0, &v) < 0 && \
	  uncoremsr_imc_set(UNCOREMSR_IMC_SCOM, 0, 0, NULL) < 0) \
	X(uncoremsr_imc_reserved, !uncoremsr_imc_reserved(UNCOREMSR_IMC_LDBAR, 0)) \
	X(uncoremsr_imc_trace_new, no_trace(o)) \
	X(uncoremsr_imc_trace_free, no_trace(o)) \
	X(uncoremsr_imc_record, !uncoremsr_imc_record(NULL, 0, 0x004e1200)) \
	X(uncoremsr_imc_trace_perf_data, uncoremsr_imc_trace_perf_data(NULL, 0x004e1200, 0, 1) == -EINVAL) \
	/* sim.h */ \
	X(uncoremsr_sim_machine, !uncoremsr_sim_machine(9999, &text) && \
	  uncoremsr_sim_machine(0, NULL)) \
	X(uncoremsr_sim_new, no_sim(o)) \
	X(uncoremsr_sim_free, no_sim(o)) \
	X(uncoremsr_sim_state, !uncoremsr_sim_state(o->sim)) \
	X(uncoremsr_sim_rdmsr, uncoremsr_sim_rdmsr(o->sim, 0, 0x391, &v) < 0) \
	X(uncoremsr_sim_wrmsr, uncoremsr_sim_wrmsr(o->sim, 0, 0x391, 0) < 0) \
	X(uncoremsr_sim_cpuid, uncoremsr_sim_cpuid(o->sim, 0, 0, 0, regs) < 0) \
	X(uncoremsr_sim_open_cpu, uncoremsr_sim_open_cpu(o->sim, 0, 0) < 0) \
	X(uncoremsr_sim_advance, uncoremsr_sim_advance(o->sim, 1) <= 0) \
	X(uncoremsr_sim_file_read, uncoremsr_sim_file_read(o->sim, "x", buf, sizeof(buf)) < 0) \
	X(uncoremsr_sim_file_write, uncoremsr_sim_file_write(o->sim, "x", "1", 1) < 0) \
	X(uncoremsr_sim_file_list, uncoremsr_sim_file_list(o->sim, "x", one_name, NULL) < 0)

#define CALL(name, refused) \
	static bool call_##name(const struct objects *o) { (void)o; return refused; }
ROWS(CALL)

static const struct {
	const char *name;
	bool (*call)(const struct objects *o);
} rows[] = {
#define ROW(name, refused) { #name, call_##name },
	ROWS(ROW)
};

#define NUM_ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

static void expect_refusal(const char *state, const struct objects *o)
{
	char accepted[4096] = "";

	for (int i = 0; i < NUM_ROWS; i++)
		if (!rows[i].call(o))
			strcat(strcat(accepted, " "), rows[i].name);
	ck_assert_msg(!*accepted, "%s: not refused:%s", state, accepted);
}

TEST(without_an_object_every_function_refuses)
{
	const struct objects nothing = { 0 };

	expect_refusal("NULL", &nothing);
}

TEST(before_the_machine_is_open_every_function_refuses)
{
	struct objects o = { 0 };

	ck_assert_int_eq(uncoremsr_new(&o.um), 0);
	expect_refusal("a new handle", &o);
	uncoremsr_free(o.um);
}

static const char *const bad_machines[] = {
	"sim:nonsense", "sim:westmere-2s,nonsense=1", "root:/nonexistent", "root:/dev",
};

TEST_EACH(after_a_failed_open_every_function_refuses, (sizeof(bad_machines) / sizeof(bad_machines[0])))
{
	struct objects o = { 0 };

	ck_assert_int_eq(uncoremsr_new(&o.um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(o.um, bad_machines[_i]), 0);
	ck_assert_int_lt(uncoremsr_open(o.um), 0);
	expect_refusal(bad_machines[_i], &o);
	ck_assert_int_eq(uncoremsr_set_machine(o.um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(uncoremsr_open(o.um), 0);
	ck_assert_str_eq(uncoremsr_machine(o.um)->name, "sim:westmere-2s");
	uncoremsr_free(o.um);
}

TEST(on_an_open_machine_no_function_crashes)
{
	struct objects o = { 0 };

	ck_assert_int_eq(uncoremsr_new(&o.um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(o.um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(uncoremsr_open(o.um), 0);
	o.package = uncoremsr_package(o.um, 0);
	o.pmu = uncoremsr_pmu(o.um, NULL, 0);
	ck_assert_int_eq(uncoremsr_throttle_new(o.um, &o.throttle), 0);
	ck_assert_int_eq(uncoremsr_session_new(o.um, &o.session), 0);
	ck_assert_int_eq(uncoremsr_sim_new(&o.sim, "nehalem-1s", NULL, 0), 0);
	for (int i = 0; i < NUM_ROWS; i++) {
		bool refused = rows[i].call(&o);

		/*
		 * On a session without events all functions must return an error, except functions that need no event.
		 */
		ck_assert_msg(refused || strncmp(rows[i].name, "uncoremsr_session_", 18) ||
			      is_one_of("uncoremsr_session_new uncoremsr_session_free uncoremsr_session_state",
					rows[i].name), "not refused: %s", rows[i].name);
	}
	uncoremsr_sim_free(o.sim);
	uncoremsr_throttle_free(o.throttle);
	uncoremsr_session_free(o.session);
	uncoremsr_free(o.um);
}

/* For a handle that is not open, the kernel's PMUs are read from a temporary simulated machine. */
TEST(a_simulated_machine_that_was_not_opened_leaves_nothing_behind)
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
	uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF);
	/* The live kernel may refuse to count. The session must not use the simulated machine, which was freed. */
	if (uncoremsr_session_add(s, "context-switches") > 0)
		uncoremsr_session_start(s);
	uncoremsr_session_free(s);
	uncoremsr_free(um);
}

SUITE(states)
