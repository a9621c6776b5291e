/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All suites of the unit tests, the one that takes longest first. NAME_suite() makes the suite NAME. */
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

#ifndef SUITES
#define SUITES(X) \
	X(both_routes) X(throttle_sweep) X(lease) X(lease_folder) X(member) X(group) X(holders) X(boxes) X(uarch) X(cpuset) X(sim) X(sim_texts) \
	X(identity) X(core_kind) X(cpuid_dump) X(topology) \
	X(uarch_registers) X(uarch_bounds) X(uarch_habits) X(collisions) \
	X(uarch_thermal) X(second) \
	X(sim_boxes) X(sim_thermal) \
	X(events) X(names) X(meanings) X(sentences) \
	X(access) X(states) X(session) X(front) X(box_trouble) X(formula) X(metrics) X(metric_inputs) \
	X(judged) X(judged_clock) X(throttle) X(throttle_trouble) X(throttle_tree) X(policy) X(sensors) X(throttle_clear) X(throttle_watch) \
	X(perf_events) X(perf_list) X(listed) X(perf_getters) X(perf_count) \
	X(shared) X(forked) X(hotplug) X(arrived) X(late) X(silent) X(left) X(restored) X(old_values) X(spread) X(claimed) X(retake) X(filters) X(suspend) X(wrapped) \
	X(memory_route) X(sums) X(freed) \
	X(fit) X(sampled) X(counters) X(records) X(record_text) X(journals) X(planned) X(units) X(beside) \
	X(imc_catalog) X(imc_registers) X(array) X(imc_trace) X(imc_kernel) X(perf_record) X(perf_file) X(ring) X(sampling) X(sim_samples)
#endif

#define DECLARE_SUITE(name) Suite *name##_suite(void);
SUITES(DECLARE_SUITE)
#undef DECLARE_SUITE

#endif
