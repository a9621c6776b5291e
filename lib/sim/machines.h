/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ready machines: the files machines/NAME.sim, and parts/NAME.sim for what several machines share, in the format of
 * uncoremsr-sim(5). CPUID words are those of real parts, from public dumps, unless a file says something else; rates are
 * made up. The machines have fewer cores than real parts.
 */
#ifndef UM_SIM_MACHINES_H
#define UM_SIM_MACHINES_H

#include <stddef.h>

/* @title NULL: a part, which alone is no machine. */
struct um_sim_ready {
	const char *name, *title, *text;
};

/* Made of the files by texts.awk. */
extern const struct um_sim_ready um_sim_all_ready[];
extern const size_t um_sim_num_ready;

/* The text of a machine or part; NULL: there is none of that name. */
const struct um_sim_ready *um_sim_find_ready(const char *name);
/* The machine with that index; NULL past the end. */
const struct um_sim_ready *um_sim_ready_at(size_t index);

#endif
