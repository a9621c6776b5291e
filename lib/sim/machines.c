/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/machines.h"

#include <string.h>

const struct um_sim_ready *um_sim_find_ready(const char *name)
{
	for (size_t i = 0; i < um_sim_num_ready; i++)
		if (!strcmp(um_sim_all_ready[i].name, name))
			return &um_sim_all_ready[i];
	return NULL;
}

const struct um_sim_ready *um_sim_ready_at(size_t index)
{
	for (size_t i = 0; i < um_sim_num_ready; i++)
		if (um_sim_all_ready[i].title && !index--)
			return &um_sim_all_ready[i];
	return NULL;
}
