/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/machines.h"

#include <string.h>

const struct um_sim_builtin *um_sim_find_builtin(const char *name)
{
	for (size_t i = 0; i < um_sim_num_builtins; i++)
		if (!strcmp(um_sim_builtins[i].name, name))
			return &um_sim_builtins[i];
	return NULL;
}

const struct um_sim_builtin *um_sim_builtin_at(size_t index)
{
	for (size_t i = 0; i < um_sim_num_builtins; i++)
		if (um_sim_builtins[i].title && !index--)
			return &um_sim_builtins[i];
	return NULL;
}
