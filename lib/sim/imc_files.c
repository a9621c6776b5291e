/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device tree as folders, and the nest counters in the files that export firmware memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "sim/counter.h"
#include "sim/imc.h"
#include "sim/search.h"

/* Words of the control block (skiboot include/imc.h), at multiples of 8. */
enum { STATUS, COMMAND, SPEED, AVAILABILITY, MODE, CONTROL_WORDS };
enum { STATUS_RUNNING = 1, STATUS_PAUSED = 2, COMMAND_RESUME = 1, COMMAND_PAUSE = 2 };

/* ---- the tree ---- */

/* Enter the child named by the first component of s->rest. NULL: there is none. */
static const struct um_tree_node *step(struct um_sim_search *s, const struct um_tree_node *node)
{
	size_t len = strcspn(s->rest, "/");

	for (const struct um_tree_node *child = node->first; child; child = child->next)
		if (um_is_exactly(s->rest, len, child->name)) {
			s->rest += s->rest[len] ? len + 1 : len;
			return child;
		}
	return NULL;
}

static void offer_tree(struct um_sim_search *s)
{
	const struct um_tree_node *node = s->sim->imc->counters, *next;

	if (!um_sim_enter(s, UM_SIM_IMC_TREE))
		return;
	while (*s->rest && (next = step(s, node)))
		node = next;
	for (const struct um_tree_property *p = node->properties; p; p = p->next)
		if (um_sim_offer(s, "%s", p->name))
			um_sim_put(s, p->data, p->len);
	for (const struct um_tree_node *child = node->first; child; child = child->next)
		um_sim_offer(s, "%s/", child->name);
}

/* ---- memory ---- */

static void put_word(unsigned char *memory, uint32_t size, uint64_t at, uint64_t value)
{
	for (unsigned i = 0; i < 8 && at + 8 <= size; i++)
		memory[at + i] = (unsigned char)(value >> (56 - 8 * i));
}

/*
 * Is the nest's microcode paused on the chip of @cpu? While an event of the nest is open the kernel lets it run, on
 * chips that have a CPU online (nest_imc_event_init() in Linux arch/powerpc/perf/imc-pmu.c).
 */
static bool is_paused(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return sim->imc->paused && sim->now >= sim->imc->paused_at &&
	       !(sim->kernel->open_imc[UM_SIM_IMC_NEST] && um_sim_first_online(sim, UM_SIM_PER_PACKAGE, cpu) >= 0);
}

static void put_counters(const struct uncoremsr_sim *sim, unsigned cpu, unsigned char *memory)
{
	const struct um_sim_kernel *k = sim->kernel;
	uint64_t now = is_paused(sim, cpu) ? sim->imc->paused_at : sim->now;

	for (size_t i = 0; i < k->num_pmus; i++) {
		const struct um_sim_kernel_pmu *pmu = &k->pmus[i];

		for (size_t n = 0; pmu->level == UM_SIM_IMC_NEST && n < k->num_events; n++) {
			struct um_sim_perf_event ev = { .pmu = pmu, .cpu = cpu };

			if (strcmp(k->events[n].pmu, pmu->name))
				continue;
			ev.attr.config[0] = strtoul(k->events[n].terms + strlen("event="), NULL, 0);
			put_word(memory, sim->imc->nest_size, ev.attr.config[0],
				 um_sim_garbage(sim, (uint64_t)cpu << 32 | ev.attr.config[0], UINT64_MAX) +
					 (uint64_t)um_sim_kernel_happened(sim, &ev, now));
		}
	}
}

static void put_control(const struct uncoremsr_sim *sim, bool paused, unsigned char *memory)
{
	const uint64_t words[CONTROL_WORDS] = {
		[STATUS] = paused ? STATUS_PAUSED : STATUS_RUNNING,
		[COMMAND] = paused ? COMMAND_PAUSE : COMMAND_RESUME,
		[SPEED] = 0, [AVAILABILITY] = UINT64_MAX, [MODE] = 0,
	};

	for (size_t i = 0; i < CONTROL_WORDS; i++)
		put_word(memory, sim->imc->nest_size, sim->imc->control + 8 * i, words[i]);
}

static int print_memory(struct um_sim_search *s, unsigned cpu)
{
	const struct uncoremsr_sim *sim = s->sim;
	unsigned char *memory = calloc(1, sim->imc->nest_size);

	if (!memory)
		return -ENOMEM;
	put_counters(sim, cpu, memory);
	put_control(sim, is_paused(sim, cpu), memory);
	um_sim_put(s, memory, sim->imc->nest_size);
	free(memory);
	return 0;
}

void um_sim_imc_files(struct um_sim_search *s)
{
	const struct uncoremsr_sim *sim = s->sim;
	const struct um_sim_copies *chips = &sim->copies[UM_SIM_PER_PACKAGE];

	if (!sim->imc)
		return;
	offer_tree(s);
	if (!sim->imc->nest_size || !um_sim_enter(s, UM_SIM_IMC_EXPORTS))
		return;
	for (unsigned i = 0; i < chips->num; i++) {
		unsigned cpu = chips->at[i].first_cpu;

		/* Only root may open the file. */
		if (um_sim_offer(s, "imc_nest_chip_%x", (unsigned)sim->cpus[cpu].package))
			s->result = sim->kernel->unprivileged ? -EACCES : print_memory(s, cpu);
	}
}
