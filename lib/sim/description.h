/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a machine from its description, the text format of uncoremsr-sim(5). */
#ifndef UM_SIM_DESCRIPTION_H
#define UM_SIM_DESCRIPTION_H

#include "sim/machine.h"

/* Fill @sim from "NAME[,KEY=VALUE...]". 0; -ENOENT no such machine or file; -EINVAL, with a message in @e; -ENOMEM. */
int um_sim_describe(struct uncoremsr_sim *sim, const char *what, struct um_error *e) UM_MUST_CHECK;

#endif
