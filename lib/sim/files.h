/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Contents of the machine's files (contents.c, heat.c), for the table of paths (files.c). */
#ifndef UM_SIM_FILES_H
#define UM_SIM_FILES_H

#include "sim/model.h"

/* A text being made: counted to its end, kept as far as it fits. */
struct um_sim_text {
	char *buf;
	size_t size, len;
};

void um_sim_print(struct um_sim_text *t, const char *fmt, ...) UM_PRINTF(2, 3);

typedef void um_sim_show(struct uncoremsr_sim *sim, unsigned cpu, struct um_sim_text *t);
typedef int um_sim_store(struct uncoremsr_sim *sim, unsigned cpu, const char *text);
typedef bool um_sim_exists(const struct uncoremsr_sim *sim, unsigned cpu);

struct um_sim_file {
	const char *path;
	um_sim_show *show;
	um_sim_store *store;   /* NULL: read only */
	um_sim_exists *exists; /* NULL: always */
};

um_sim_show um_sim_show_online, um_sim_show_offline, um_sim_show_present, um_sim_show_possible,
	um_sim_show_kernel_max, um_sim_show_cpu_online, um_sim_show_package, um_sim_show_die,
	um_sim_show_core, um_sim_show_package_cpus, um_sim_show_die_cpus, um_sim_show_core_cpus,
	um_sim_show_allow_writes, um_sim_show_lockdown, um_sim_show_cpuinfo, um_sim_show_devices,
	um_sim_show_name, um_sim_show_title, um_sim_show_clock,
	um_sim_show_max_rate, um_sim_show_l3_cpus, um_sim_show_l3_id, um_sim_show_three,
	um_sim_show_core_count, um_sim_show_core_max, um_sim_show_core_total,
	um_sim_show_package_count, um_sim_show_package_max, um_sim_show_package_total,
	um_sim_show_sensor_name, um_sim_show_package_label, um_sim_show_package_input,
	um_sim_show_package_alarm, um_sim_show_core_label, um_sim_show_core_input,
	um_sim_show_core_alarm, um_sim_show_max, um_sim_show_crit, um_sim_show_prochot_status;
um_sim_store um_sim_store_cpu_online, um_sim_store_clock;
um_sim_exists um_sim_has_switch, um_sim_has_driver, um_sim_has_lockdown, um_sim_has_l3,
	um_sim_has_core_count, um_sim_has_package_count, um_sim_has_sensors,
	um_sim_has_package_sensor, um_sim_has_package_limit, um_sim_has_core_sensor,
	um_sim_has_hsmp;

#endif
