/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs every suite; CK_TAP_LOG_FILE_NAME (libcheck) writes the results as TAP. */
#include <check.h>
#include <stdlib.h>

#include "suites.h"

static Suite *(*const suites[])(void) = {
	cpuset_suite, identity_suite, core_kind_suite, topology_suite, uarch_suite,
	uarch_registers_suite, uarch_server_suite, uarch_words_suite, sim_suite,
	sim_boxes_suite, sim_thermal_suite, event_boxes_suite, events_suite, names_suite,
	access_suite, session_suite, front_suite, lease_suite, boxes_suite, box_trouble_suite,
	metrics_suite, meanings_suite,
	throttle_suite, throttle_look_suite, throttle_trouble_suite, throttle_tree_suite,
	throttle_clear_suite, throttle_watch_suite, perf_events_suite, perf_list_suite,
	perf_getters_suite, perf_count_suite, NULL,
};

int main(void)
{
	SRunner *sr = srunner_create(NULL);
	int failed;

	for (size_t i = 0; suites[i]; i++)
		srunner_add_suite(sr, suites[i]());
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
