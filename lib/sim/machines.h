/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ready machines. */
#ifndef UM_SIM_MACHINES_H
#define UM_SIM_MACHINES_H

#include <stddef.h>

/* The name of a ready machine, and its title if asked for; NULL past the end. */
const char *um_sim_machine_name(size_t index, const char **title);
/* The description of a ready machine; NULL: there is none of that name. */
const char *um_sim_ready(const char *name, const char **title);

#endif
