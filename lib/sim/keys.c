/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys that describe the hardware and the driver, and the function that sets any key. */
#include "sim/keys.h"

#include <string.h>

#include "sim/box.h"
#include "sim/trouble.h"

/* Read all leaves from a file in the format of "cpuid -r". They replace those of the description. */
static int set_cpuid(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	struct um_cpuid_dump d;
	int err = um_cpuid_dump_load(&d, value, s->error);

	if (err)
		return err;
	um_cpuid_dump_free(&sim->cpuid);
	sim->cpuid = d;
	return 0;
}

/* Set the uncore. "client" is the older name of Sandy Bridge's uncore. */
static int set_uncore(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	sim->family = um_sim_family(strcmp(value, "client") ? value : "sandybridge");
	if (!sim->family && strcmp(value, "none"))
		return um_sim_bad(s, "'%s' is neither 'none' nor the name of a processor whose uncore can be simulated",
				  value);
	return 0;
}

static const struct um_sim_unit_rule units = { .package = -1 }, absent = { .absent = true, .package = -1 };
static const struct um_sim_item unit_rule[] = {
	UM_SIM_COPY(NULL, UM_SIM_NAME, unit_rule, pmu),
	{ NULL, UM_SIM_NUMBER32, UM_SIM_AT(unit_rule, number), 0, 1023, NULL },
	{ "package", UM_SIM_ID, UM_SIM_AT(unit_rule, package), 0, 255, NULL },
};

/* ---- topology ---- */

/* Assign CPUs to the cores in turn: firmware numbers the first threads of all cores before the second ones. */
static int add_cpus(struct uncoremsr_sim *sim, const struct um_sim_source *s,
		    struct um_sim_cpu cpu, const bool *cores, const bool *cpus)
{
	unsigned core = 0, nth = 0, ncores = 0;

	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++)
		ncores += cores[i];
	for (unsigned i = 0; i < UM_SIM_MAX_CPUS; i++) {
		if (!cpus[i])
			continue;
		if (sim->cpus[i].present)
			return um_sim_bad(s, "CPU %u is already in a package", i);
		while (!cores[core])
			core = (core + 1) % UM_SIM_MAX_CPUS;
		cpu.core_id = core;
		cpu.thread = nth / ncores;
		sim->cpus[i] = cpu;
		sim->num_cpus = i < sim->num_cpus ? sim->num_cpus : i + 1;
		core = (core + 1) % UM_SIM_MAX_CPUS;
		nth++;
	}
	if (nth < ncores)
		return um_sim_bad(s, "%u cores have only %u CPUs", ncores, nth);
	return 0;
}

struct package {
	struct um_sim_cpu cpu;
	bool cores[UM_SIM_MAX_CPUS], cpus[UM_SIM_MAX_CPUS];
};

static int set_package(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
	static const struct um_sim_item items[] = {
		{ NULL, UM_SIM_ID, offsetof(struct package, cpu.package), 0, 255, NULL },
		{ "cores", UM_SIM_LIST, offsetof(struct package, cores), 0, UM_SIM_MAX_CPUS - 1, "cores" },
		{ "cpus", UM_SIM_LIST, offsetof(struct package, cpus), 0, UM_SIM_MAX_CPUS - 1, "CPUs" },
		{ "die", UM_SIM_NUMBER32, offsetof(struct package, cpu.die), 0, 255, NULL },
		{ "l3", UM_SIM_NUMBER32, offsetof(struct package, cpu.l3), 0, 1023, NULL },
		{ "node", UM_SIM_NUMBER32, offsetof(struct package, cpu.node), 0, 255, NULL },
	};
	struct package p = { .cpu = { .present = true, .online = true, .l3 = UM_SIM_AS_DIE, .node = UM_SIM_AS_DIE } };
	int err = um_sim_take_value(s, value, 3, items, ARRAY_SIZE(items), &p);

	if (err)
		return err;
	if (!memchr(p.cores, true, sizeof(p.cores)) || !memchr(p.cpus, true, sizeof(p.cpus)))
		return um_sim_bad(s, "cores= or cpus= is missing; the form is %s", s->form);
	return add_cpus(sim, s, p.cpu, p.cores, p.cpus);
}

/* ---- CPUID ---- */

/* The number of leaves is limited, because a lookup is linear. */
#define MAX_LEAVES 16384

/* Add a leaf; it replaces an earlier one with the same number. */
static int add_leaf(struct uncoremsr_sim *sim, const struct um_cpuid_leaf *leaf)
{
	for (size_t i = 0; i < sim->cpuid.num; i++) {
		struct um_cpuid_leaf *l = &sim->cpuid.leaves[i];

		if (l->cpu == leaf->cpu && l->leaf == leaf->leaf && l->subleaf == leaf->subleaf) {
			*l = *leaf;
			return 0;
		}
	}
	return ARRAY_APPEND(sim->cpuid.leaves, sim->cpuid.num, *leaf);
}

struct leaf {
	struct um_cpuid_leaf is;
	bool cpus[UM_SIM_MAX_CPUS];
};

static int set_leaf(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
{
#define WORD(member) { NULL, UM_SIM_NUMBER32, offsetof(struct leaf, is.member), 0, UINT32_MAX, NULL }
	static const struct um_sim_item items[] = {
		WORD(leaf), WORD(subleaf), WORD(regs[0]), WORD(regs[1]), WORD(regs[2]), WORD(regs[3]),
		{ "cpus", UM_SIM_LIST, offsetof(struct leaf, cpus), 0, UM_SIM_MAX_CPUS - 1, "CPUs" },
	};
	struct leaf l = { .is.cpu = UM_SIM_EVERY_CPU };
	int err = um_sim_take_value(s, value, 6, items, ARRAY_SIZE(items), &l);

	if (err)
		return err;
	if (!memchr(l.cpus, true, sizeof(l.cpus)))
		return add_leaf(sim, &l.is);
	/* A leaf for some CPUs must follow the leaves that hold for all CPUs. */
	if (!sim->cpuid.num)
		return um_sim_bad(s, "leaves without cpus= must come before leaves with cpus=");
	if (sim->cpuid.num > MAX_LEAVES)
		return um_sim_bad(s, "more than %d leaves", MAX_LEAVES);
	for (l.is.cpu = 0; l.is.cpu < UM_SIM_MAX_CPUS && !err; l.is.cpu++)
		if (l.cpus[l.is.cpu])
			err = add_leaf(sim, &l.is);
	return err;
}

/* ---- the table ---- */

/* 100 GHz: faster than any processor, and small enough that all products fit into 128 bits. */
#define MAX_HZ (100 * UM_SIM_NS)
#define MAX_CPU (UM_SIM_MAX_CPUS - 1)

#define ITEM(key, kind, member, min, max, words) { .name = key, .num_items = 1, .items = (const struct um_sim_item[]){ \
	{ NULL, kind, offsetof(struct uncoremsr_sim, member), min, max, words } } }
#define YES_NO(key, member) ITEM(key, UM_SIM_CHOICE, member, 0, 0, NULL)
#define WORDS(key, member, words) ITEM(key, UM_SIM_WORD, member, 0, 0, words)

static const struct um_sim_key machine_keys[] = {
	ITEM("title", UM_SIM_NAME, title, 0, sizeof(((struct uncoremsr_sim *)0)->title), NULL),
	ITEM("brand", UM_SIM_NAME, brand, 0, sizeof(((struct uncoremsr_sim *)0)->brand), NULL),
	{ "leaf", "LEAF SUBLEAF EAX EBX ECX EDX [cpus=LIST]", .set = set_leaf },
	{ "cpuid", "FILE", .set = set_cpuid },
	WORDS("hypervisor", hypervisor, "no yes"),
	{ "package", "ID cores=LIST cpus=LIST [die=N] [l3=N] [node=N]", .set = set_package },
	ITEM("offline", UM_SIM_LIST, offline, 0, MAX_CPU, "CPUs"),
	YES_NO("cpu0_hotplug", cpu0_hotplug),
	{ "uncore", "NAME|none", .set = set_uncore },
	UM_SIM_ROWS("units", "PMU NUMBER [package=ID]", uncoremsr_sim, unit_rules, unit_rule, unit_rule, 2,
		    .usual = &units),
	UM_SIM_ROWS("absent", "PMU NUMBER [package=ID]", uncoremsr_sim, unit_rules, unit_rule, unit_rule, 2,
		    .usual = &absent),
	ITEM("uncore_hz", UM_SIM_NUMBER, uncore_hz, 1, MAX_HZ, NULL),
	ITEM("tsc_hz", UM_SIM_NUMBER, tsc_hz, 1, MAX_HZ, NULL),
	ITEM("max_khz", UM_SIM_NUMBER, max_khz, 1, MAX_HZ / 1000, NULL),
	WORDS("clock", stepped, "real stepped"),
	ITEM("start", UM_SIM_NUMBER, start, 0, UM_SIM_BITS(47, 0), NULL),
	ITEM("seed", UM_SIM_NUMBER, seed, 0, UINT64_MAX, NULL),
	ITEM("busy", UM_SIM_LIST, busy, 0, UM_SIM_COUNTERS - 1, "counters"),
	YES_NO("kernel_thermal", kernel_thermal),
	YES_NO("kernel_clears", kernel_clears),
	YES_NO("hsmp", hsmp),
	YES_NO("plr", plr),
	ITEM("slow", UM_SIM_SECONDS, slow, 0, 0, NULL),
	WORDS("driver", driver, "ready missing nonode"),
	WORDS("allow_writes", writes_allowed, "default on off"),
	WORDS("lockdown", lockdown, "none integrity confidentiality"),
	{ .name = NULL },
};

static const struct um_sim_key *find_key(const char *name)
{
	static const struct um_sim_key *const tables[] = {
		machine_keys, um_sim_workload_keys, um_sim_trouble_keys, um_sim_kernel_keys, um_sim_imc_keys,
	};

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct um_sim_key *k = tables[i]; k->name; k++)
			if (!strcmp(k->name, name))
				return k;
	return NULL;
}

static int add_row(struct uncoremsr_sim *sim, void *owner, const struct um_sim_source *s, const struct um_sim_key *k,
		   char *value)
{
	size_t *num = (size_t *)(void *)((char *)owner + k->num);
	char *rows;
	void *row;
	int err = array_room((char *)owner + k->list, *num, 1, k->size);

	if (err)
		return err;
	memcpy(&rows, (char *)owner + k->list, sizeof(rows));
	row = rows + *num * k->size;
	if (k->usual)
		memcpy(row, k->usual, k->size);
	else
		memset(row, 0, k->size);
	err = um_sim_take_value(s, value, k->words, k->items, k->num_items, row);
	if (!err && k->check)
		err = k->check(sim, s, row);
	*num += !err;
	return err;
}

int um_sim_set_key(struct uncoremsr_sim *sim, struct um_sim_source *s, char *value)
{
	const struct um_sim_key *k = find_key(s->key);
	void *owner;

	if (!k)
		return um_sim_bad(s, "there is no such key; uncoremsr-sim(5) lists them");
	if (!*value)
		return um_sim_bad(s, "the value is missing");
	s->form = k->form;
	if (k->set)
		return k->set(sim, s, value);
	owner = k->of_kernel ? (void *)sim->kernel : sim;
	return k->size ? add_row(sim, owner, s, k, value) : um_sim_take(s, k->items, owner, value);
}
