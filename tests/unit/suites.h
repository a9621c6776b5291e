/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

Suite *cpuset_suite(void);
Suite *identity_suite(void);
Suite *core_kind_suite(void);
Suite *topology_suite(void);
Suite *uarch_suite(void);
Suite *uarch_server_suite(void);
Suite *uarch_words_suite(void);
Suite *uarch_registers_suite(void);
Suite *sim_suite(void);
Suite *sim_boxes_suite(void);
Suite *event_boxes_suite(void);
Suite *sim_thermal_suite(void);
Suite *events_suite(void);
Suite *names_suite(void);
Suite *meanings_suite(void);
Suite *access_suite(void);
Suite *session_suite(void);
Suite *front_suite(void);
Suite *lease_suite(void);
Suite *boxes_suite(void);
Suite *box_trouble_suite(void);
Suite *metrics_suite(void);
Suite *perf_events_suite(void);
Suite *perf_list_suite(void);
Suite *perf_getters_suite(void);
Suite *perf_count_suite(void);
Suite *throttle_suite(void);
Suite *throttle_look_suite(void);
Suite *throttle_trouble_suite(void);
Suite *throttle_tree_suite(void);
Suite *throttle_clear_suite(void);
Suite *throttle_watch_suite(void);

#endif
