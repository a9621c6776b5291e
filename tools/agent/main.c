/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-agent: prepare, give up rights, count (sampler.c), clean up. */
#include <unistd.h>

#include "agent/sampler.h"
#include "common/memory.h"
#include "common/privileges.h"

static int serve(struct agent *a)
{
	int status;

	a->wait.um = a->um;
	status = agent_needs_meet(&a->setup->counts);
	if (!status)
		status = outputs_open(&a->outputs, &a->setup->cfg, &a->wait);
	if (status)
		return status;
	/* Drop rights now: the sockets are open, and devices need only the rights that are kept. */
	if (privileges_for_service(agent_needs(&a->setup->counts).counting, &a->given_up) < 0)
		return tool_say(TOOL_NO_ACCESS, "cannot drop capabilities: %m");
	if (privileges_are_for_old_kernel())
		tool_say(0, "keeps CAP_SYS_ADMIN for the kernel's counters: this kernel is older than 5.8 "
			 "and has no CAP_PERFMON");
	sampler_tell_missing(a);
	/*
	 * Without --count, wait in real time even on a stepped clock, because other programs read the values in real
	 * time.
	 */
	a->wait.wall = !a->setup->cfg.count;
	/* SIGHUP reloads the configuration file, if there is one. */
	wait_init(&a->wait, a->setup->cfg.path != NULL);
	wait_dispositions();
	a->watchdog_ns = notify_watchdog_ns();
	status = outputs_start(&a->outputs);
	return status ? status : sampler_run(a);
}

static void clean_up(struct agent *a)
{
	outputs_close(&a->outputs);
	setup_free(a->setup);
	agent_totals_free(&a->totals);
	throttle_series_free(&a->throttle_series);
	uncoremsr_free(a->um);
}

static int work(struct agent *a)
{
	struct setup *setup = a->setup;
	int status = agent_options_parse(&setup->cfg, a->argc, a->argv);

	if (status != TOOL_GO_ON)
		return status;
	status = tool_open(&setup->cfg.common, &a->um, NULL, false);
	if (!status)
		status = agent_counts_make(&setup->counts, &setup->cfg, a->um, &a->totals);
	if (!status)
		status = setup->cfg.check ? agent_check(&setup->counts) : serve(a);
	return a->um ? tool_complete(a->um, NULL, status) : status;
}

int main(int argc, char **argv)
{
	struct agent a = { .argc = argc, .argv = argv, .setup = need(calloc(1, sizeof(*a.setup))) };
	int status = work(&a);

	clean_up(&a);
	if (a.die_of)
		wait_die(a.die_of);
	return status;
}
