/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that store the values of keys with several words, for the table of keys (keys.c). */
#ifndef UM_SIM_SETTERS_H
#define UM_SIM_SETTERS_H

#include "sim/machine.h"
#include "sim/parse.h"

/* Parse @value, which is overwritten, and store the result. 0; -EINVAL, with the message in s->error; -ENOMEM. */
typedef int um_sim_setter(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value);

/* keys_workload.c */
um_sim_setter um_sim_set_event, um_sim_set_rate, um_sim_set_throttle;
/* keys_trouble.c */
um_sim_setter um_sim_set_preset, um_sim_set_silent, um_sim_set_keeps, um_sim_set_allow, um_sim_set_fail,
	um_sim_set_delay, um_sim_set_open, um_sim_set_hotplug, um_sim_set_foreign,
	um_sim_set_suspend;
/* keys_kernel.c */
um_sim_setter um_sim_set_kernel_pmu, um_sim_set_kernel_format, um_sim_set_kernel_event,
	um_sim_set_kernel_rate, um_sim_set_kernel_filter, um_sim_set_perf_paranoid, um_sim_set_perf_limit,
	um_sim_set_perf_fail;

/* keys_imc.c */
um_sim_setter um_sim_set_power, um_sim_set_catalog, um_sim_set_nest;
int um_sim_set_imc_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *name,
			uint64_t rate);

#endif
