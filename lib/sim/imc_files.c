/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device tree as folders, and the nest's counters as files of firmware's memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/imc.h"

/* Words of the control block (skiboot include/imc.h), at multiples of 8. */
enum { STATUS, COMMAND, SPEED, AVAILABILITY, MODE, CONTROL_WORDS };
enum { STATUS_RUNNING = 1, STATUS_PAUSED = 2, COMMAND_RESUME = 1, COMMAND_PAUSE = 2 };

/* ---- the tree ---- */

/* The part of @path below @dir; NULL: it is not below it. */
static const char *below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strncmp(path, dir, len))
		return NULL;
	return !path[len] ? path + len : path[len] == '/' ? path + len + 1 : NULL;
}

/* Find the child named by the first component of *path, and remove the component. */
static const struct um_tree_node *step(const struct um_tree_node *node, const char **path)
{
	size_t len = strcspn(*path, "/");

	for (const struct um_tree_node *child = node->first; child; child = child->next)
		if (strlen(child->name) == len && !memcmp(child->name, *path, len)) {
			*path += (*path)[len] ? len + 1 : len;
			return child;
		}
	return NULL;
}

/* Follow *path from the counters' node as far as there are nodes. *path becomes the rest: "" or a file's name. */
static const struct um_tree_node *walk(const struct um_sim_imc *imc, const char **path)
{
	const struct um_tree_node *node = imc->counters, *next;

	while (**path && (next = step(node, path)))
		node = next;
	return node;
}

static int tree_file(const struct um_sim_imc *imc, const char *path, struct um_sim_text *t)
{
	const struct um_tree_node *node = walk(imc, &path);
	const struct um_tree_property *p = *path ? um_tree_property(node, path) : NULL;

	if (!*path)
		return -EISDIR;
	if (!p)
		return -ENOENT;
	if (t)
		um_sim_put(t, p->data, p->len);
	return 0;
}

static int list_tree(const struct um_sim_imc *imc, const char *path,
		     int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	const struct um_tree_node *node = walk(imc, &path);
	int err = *path ? -ENOENT : 0;

	for (const struct um_tree_property *p = node->properties; p && !err; p = p->next)
		err = fn(user, p->name, 0);
	for (const struct um_tree_node *child = node->first; child && !err; child = child->next)
		err = fn(user, child->name, 1);
	return err;
}

/* ---- memory ---- */

static void put_word(unsigned char *memory, uint32_t size, uint64_t at, uint64_t value)
{
	for (unsigned i = 0; i < 8 && at + 8 <= size; i++)
		memory[at + i] = (unsigned char)(value >> (56 - 8 * i));
}

/* Content of a counter at time 0: an arbitrary value. */
static uint64_t initial(const struct uncoremsr_sim *sim, unsigned package, uint32_t offset)
{
	uint64_t x = sim->seed + package * 0x10001u + offset + 1;

	if (sim->start != UINT64_MAX)
		return sim->start;
	return (x * 0x9e3779b97f4a7c15ull) ^ (x << 40);
}

static bool has_cpu_online(const struct uncoremsr_sim *sim, unsigned package)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		if (um_sim_online(sim, cpu) && sim->cpus[cpu].package == package)
			return true;
	return false;
}

/*
 * Is the nest's microcode paused? While an event of the nest is open the kernel lets it run, on chips that have a CPU
 * online (nest_imc_event_init() in Linux arch/powerpc/perf/imc-pmu.c).
 */
static bool is_paused(const struct uncoremsr_sim *sim, unsigned package)
{
	return sim->imc->paused && sim->now >= sim->imc->paused_at &&
	       !(sim->kernel->open_imc[UM_SIM_IMC_NEST] && has_cpu_online(sim, package));
}

static void put_counters(const struct uncoremsr_sim *sim, unsigned package, unsigned char *memory)
{
	const struct um_sim_kernel *k = sim->kernel;
	uint64_t now = is_paused(sim, package) ? sim->imc->paused_at : sim->now;
	unsigned cpu = um_sim_first_cpu(sim, (int)package);

	for (size_t i = 0; i < k->num_pmus; i++) {
		const struct um_sim_kernel_pmu *pmu = &k->pmus[i];

		for (size_t n = 0; pmu->level == UM_SIM_IMC_NEST && n < k->num_events; n++) {
			uint32_t offset;

			if (strcmp(k->events[n].pmu, pmu->name))
				continue;
			offset = (uint32_t)strtoul(k->events[n].terms + strlen("event="), NULL, 0);
			put_word(memory, sim->imc->nest_size, offset,
				 initial(sim, package, offset) +
					 (uint64_t)um_sim_imc_happened(sim, pmu, cpu, offset, now));
		}
	}
}

static void put_control(const struct uncoremsr_sim *sim, unsigned package, unsigned char *memory)
{
	bool paused = is_paused(sim, package);
	const uint64_t words[CONTROL_WORDS] = {
		[STATUS] = paused ? STATUS_PAUSED : STATUS_RUNNING,
		[COMMAND] = paused ? COMMAND_PAUSE : COMMAND_RESUME,
		[SPEED] = 0, [AVAILABILITY] = UINT64_MAX, [MODE] = 0,
	};

	for (size_t i = 0; i < CONTROL_WORDS; i++)
		put_word(memory, sim->imc->nest_size, sim->imc->control + 8 * i, words[i]);
}

/* Compose the file with a chip's nest memory. Only root may open it. */
static int read_nest(const struct uncoremsr_sim *sim, unsigned package, struct um_sim_text *t)
{
	unsigned char *memory;

	if (!t)
		return 0;
	if (sim->kernel->unprivileged)
		return -EACCES;
	memory = calloc(1, sim->imc->nest_size);
	if (!memory)
		return -ENOMEM;
	put_counters(sim, package, memory);
	put_control(sim, package, memory);
	um_sim_put(t, memory, sim->imc->nest_size);
	free(memory);
	return 0;
}

static void nest_name(const struct uncoremsr_sim *sim, unsigned package, char *buf, size_t size)
{
	snprintf(buf, size, "imc_nest_chip_%x", (unsigned)sim->packages[package].id);
}

/* ---- both ---- */

int um_sim_imc_file(struct uncoremsr_sim *sim, const char *path, struct um_sim_text *t)
{
	const struct um_sim_imc *imc = sim->imc;
	const char *rest;
	char name[32];

	if (!imc)
		return -ENOENT;
	rest = below(path, UM_SIM_IMC_TREE);
	if (rest)
		return tree_file(imc, rest, t);
	if (imc->nest_size) {
		rest = below(path, UM_SIM_IMC_EXPORTS);
		for (unsigned i = 0; rest && *rest && i < sim->num_packages; i++) {
			nest_name(sim, i, name, sizeof(name));
			if (!strcmp(name, rest))
				return read_nest(sim, i, t);
		}
		if (below(UM_SIM_IMC_EXPORTS, path) || !*path)
			return -EISDIR;
	}
	return below(UM_SIM_IMC_TREE, path) ? -EISDIR : -ENOENT;
}

/* If @to lies below the directory @path, list the component of @to that follows. */
static int list_way(const char *to, const char *path,
		    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	const char *rest = *path ? below(to, path) : to;
	char name[64];

	if (!rest || !*rest)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, "/"), rest);
	return fn(user, name, 1);
}

int um_sim_imc_list(struct uncoremsr_sim *sim, const char *path,
		    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	const struct um_sim_imc *imc = sim->imc;
	const char *rest = imc ? below(path, UM_SIM_IMC_TREE) : NULL;
	char name[32];
	int err = 0;

	if (!imc)
		return 0;
	if (rest)
		return list_tree(imc, rest, fn, user);
	if (imc->nest_size && !strcmp(path, UM_SIM_IMC_EXPORTS))
		for (unsigned i = 0; i < sim->num_packages && !err; i++) {
			nest_name(sim, i, name, sizeof(name));
			err = fn(user, name, 0);
		}
	if (!err)
		err = list_way(UM_SIM_IMC_TREE, path, fn, user);
	return err || !imc->nest_size ? err : list_way(UM_SIM_IMC_EXPORTS, path, fn, user);
}
