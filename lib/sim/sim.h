/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions behind struct um_simulator: the simulated machine as a back end of the library. */
#ifndef UM_SIM_H
#define UM_SIM_H

#include <stdbool.h>

#include "access/access.h"

struct uncoremsr_sim;

/* Make an access to a simulated machine. @own: closing the access frees @sim, too. 0; -ENOMEM (@sim is kept). */
int um_sim_access(struct um_access **out, struct uncoremsr_sim *sim, bool own) UM_MUST_CHECK;

/* Like uncoremsr_sim_file_read(), but @buf gets the part of the file that begins at @at. */
long um_sim_file_part(struct uncoremsr_sim *sim, const char *path, size_t at, char *buf, size_t size);

struct um_op;
/* Read many registers at one moment, with time stamps. With the key delay= they are read one after the other. */
void um_sim_batch_read(struct uncoremsr_sim *sim, struct um_op *ops, size_t n);

struct um_perf_kernel;
/* Make the machine's kernel (perf/kernel.h), to be destroyed before the machine is freed. 0; -ENOMEM. */
int um_sim_perf_kernel(struct uncoremsr_sim *sim, struct um_perf_kernel **out) UM_MUST_CHECK;

#endif
