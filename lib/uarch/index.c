/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find the table of a processor (the list is models.h). Only processors with a table can be programmed. Many rows have
 * only a name, for the message that refuses the processor. Models without a row are refused, too: with the table of a
 * similar model, an address could be another register.
 */
#include <string.h>

#include "common/error.h"
#include "uarch/uarch.h"

#define NAME(f, m, n, t)
#define NAMES(v, f, m1, m2, n, t)
#define TABLE(f, m, u, n, t) extern const struct um_uarch um_uarch_##u;
#define TABLES(v, f, m1, m2, u, n, t) extern const struct um_uarch um_uarch_##u;
#include "uarch/models.h"
#undef NAME
#undef NAMES
#undef TABLE
#undef TABLES

#define SHOWN(name, tables) { sizeof(struct uncoremsr_uarch), name, tables }
#define NAME(f, m, n, t) { "GenuineIntel", f, m, m, n, t, NULL, SHOWN(n, 0) },
#define NAMES(v, f, m1, m2, n, t) { v, f, m1, m2, n, t, NULL, SHOWN(n, 0) },
#define TABLE(f, m, u, n, t) { "GenuineIntel", f, m, m, n, t, &um_uarch_##u, SHOWN(n, 1) },
#define TABLES(v, f, m1, m2, u, n, t) { v, f, m1, m2, n, t, &um_uarch_##u, SHOWN(n, 1) },

const struct um_model um_models[] = {
#include "uarch/models.h"
};

const size_t um_num_models = ARRAY_SIZE(um_models);

const struct um_model *um_model_find(const char *vendor, int family, int model)
{
	for (const struct um_model *m = um_models; m != um_models + um_num_models; m++)
		if (family == m->family && model >= m->model_first && model <= m->model_last &&
		    strcmp(vendor, m->vendor) == 0)
			return m;
	return NULL;
}

const struct um_model *um_model_named(const char *name)
{
	for (size_t i = 0; i < um_num_models; i++)
		if (strcmp(um_models[i].name, name) == 0)
			return &um_models[i];
	return NULL;
}

const struct um_uarch *um_core_registers_of(const char *vendor)
{
	return strcmp(vendor, "GenuineIntel") == 0 ? &um_core_registers : NULL;
}

const struct um_uarch *um_uarch_find(const char *name)
{
	for (const struct um_model *m = um_models; m != um_models + um_num_models; m++)
		if (m->uarch && strcmp(m->name, name) == 0)
			return m->uarch;
	return strcmp(um_core_registers.name, name) == 0 ? &um_core_registers : NULL;
}
