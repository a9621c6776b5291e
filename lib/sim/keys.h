/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys whose values have a form of their own: several words, some of them NAME=VALUE. */
#ifndef UM_SIM_KEYS_H
#define UM_SIM_KEYS_H

#include "sim/model.h"

typedef int um_sim_setter(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value);

struct um_sim_key {
	const char *name;
	um_sim_setter *set;
};

/* Of boxes and cores (box_workload.c). */
um_sim_setter um_sim_set_box_event, um_sim_set_box_rate, um_sim_set_units, um_sim_set_absent;

um_sim_setter um_sim_set_leaf, um_sim_set_package, um_sim_set_event, um_sim_set_rate,
	um_sim_set_preset, um_sim_set_silent, um_sim_set_fail, um_sim_set_open,
	um_sim_set_hotplug, um_sim_set_foreign, um_sim_set_throttle;
/* Of the kernel (perf_keys.c). */
um_sim_setter um_sim_set_kernel_pmu, um_sim_set_kernel_format, um_sim_set_kernel_event,
	um_sim_set_kernel_rate, um_sim_set_kernel_uncore, um_sim_set_perf_paranoid,
	um_sim_set_perf_user, um_sim_set_perf_limit, um_sim_set_perf_fail;
/* "EIO" and such, as negative errno. */
int um_sim_errno(const struct um_sim_source *s, const char *name, int *err);

/* One NAME=VALUE word. Numbers below @min and above @max are refused. */
struct um_sim_option {
	const char *name;
	enum { UM_SIM_OPT_NUMBER, UM_SIM_OPT_SECONDS, UM_SIM_OPT_TEXT } kind;
	uint64_t *value;   /* left alone when the option is not given */
	const char **text;
	uint64_t min, max;
};

/* Words from @words[first] on must be such options. */
int um_sim_options(const struct um_sim_source *s, char **words, int first, int num,
		   const struct um_sim_option *opts, size_t num_opts);
/* Words of a value: between @min and @max of them, or a message that shows @form. */
int um_sim_split(const struct um_sim_source *s, char *value, char **words, int min, int max,
		 const char *form);

#endif
