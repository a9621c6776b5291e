/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The keys of a description: what the machine is and how it behaves. See uncoremsr-sim(5). */
#ifndef UM_SIM_KEYS_H
#define UM_SIM_KEYS_H

#include "sim/machine.h"
#include "sim/parse.h"

/* Set the key s->key to @value; the text @value is modified. 0; -EINVAL; -ENOMEM. */
int um_sim_set_key(struct uncoremsr_sim *sim, struct um_sim_source *s, char *value) UM_MUST_CHECK;

#endif
