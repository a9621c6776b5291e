/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys of POWER machines: the processor, its catalog of in-memory counters, their workload. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/imc.h"
#include "sim/keys.h"

static int only_power(const struct uncoremsr_sim *sim, const struct um_sim_source *s)
{
	return sim->imc ? 0 : um_sim_bad(s, "only a machine with power= has in-memory counters");
}

static int set_power(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	if (!um_sim_number(value, UINT32_MAX, &sim->pvr) || !sim->pvr)
		return um_sim_bad(s, "'%s' is not a processor version register, such as 0x004e1202", value);
	if (!sim->imc)
		sim->imc = calloc(1, sizeof(*sim->imc));
	return sim->imc ? 0 : -ENOMEM;
}

static int set_catalog(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	int err = only_power(sim, s);

	if (err)
		return err;
	free(sim->imc->path);
	sim->imc->path = strdup(value);
	return sim->imc->path ? 0 : -ENOMEM;
}

static int set_nest(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct um_sim_item items[] = {
		{ NULL, UM_SIM_CHOICE, UM_SIM_AT(imc, paused), 0, 0, "running paused" },
		{ "at", UM_SIM_SECONDS, UM_SIM_AT(imc, paused_at), 0, 0, NULL },
	};
	int err = only_power(sim, s);

	if (err)
		return err;
	sim->imc->paused_at = 0;
	return um_sim_take_value(s, value, 1, items, ARRAY_SIZE(items), sim->imc);
}

int um_sim_set_imc_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *name, uint64_t rate)
{
	struct um_sim_imc_rate r = { .rate = rate };

	if (strlen(name) >= sizeof(r.name))
		return um_sim_bad(s, "'%s' is not an event of a catalog", name);
	if (rate > UM_SIM_KERNEL_MAX_RATE)
		return um_sim_bad(s, "the rate is above %llu per second", (unsigned long long)UM_SIM_KERNEL_MAX_RATE);
	snprintf(r.name, sizeof(r.name), "%s", name);
	return ARRAY_APPEND(sim->imc->rates, sim->imc->num_rates, r);
}

const struct um_sim_key um_sim_imc_keys[] = {
	{ "power", "PVR", .set = set_power },
	{ "catalog", "FILE", .set = set_catalog },
	{ "nest", "running|paused [at=SECONDS]", .set = set_nest },
	{ .name = NULL },
};
