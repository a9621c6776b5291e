/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SIGHUP: read the command line and the file again, and count the events that they now name. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/notify.h"
#include "agent/sampler.h"
#include "common/output.h"
#include "common/privileges.h"
#include "uncoremsr/machine.h"

void reload_tell_missing(const struct agent *a)
{
	const struct agent_missing *first = NULL;
	char more[64] = "";
	size_t num = 0;

	for (size_t i = 0; i < a->setup->counts.num; i++) {
		const struct agent_count *n = &a->setup->counts.list[i];

		first = first ? first : n->missing;
		num += n->num_missing;
	}
	if (num > 1)
		snprintf(more, sizeof(more), "; %zu more, see --check", num - 1);
	if (num)
		tool_say(0, "%s:%u: not counted: %s%s", OUT_QUOTED(a->setup->cfg.path), first->line, first->why, more);
}

/* Rights that were not needed at the start were dropped and cannot be regained. A simulated machine needs none. */
static bool has_rights(const struct agent *a, const struct agent_counts *new)
{
	unsigned missing = agent_needs(new).counting & a->given_up;

	missing = uncoremsr_machine(a->um)->simulated ? 0 : missing;
	if (missing)
		tool_say(0, "counting through %s needs a capability that was given up at the start; restart "
			 "the agent", missing & PRIVILEGES_REGISTERS ? "registers" : "the kernel");
	return !missing;
}

void setup_free(struct setup *s)
{
	agent_counts_free(&s->counts);
	agent_config_free(&s->cfg);
	free(s);
}

/* Read the command line and the file again. NULL after a message about what is wrong. */
static struct setup *read_again(struct agent *a)
{
	struct setup *new = calloc(1, sizeof(*new));

	if (!new) {
		tool_no_memory();
		return NULL;
	}
	optind = 0; /* make getopt(3) start from the first word */
	if (agent_options_parse(&new->cfg, a->argc, a->argv) == TOOL_GO_ON &&
	    !agent_counts_make(&new->counts, &new->cfg, a->um, &a->totals) && has_rights(a, &new->counts) &&
	    !agent_needs_meet(&new->counts))
		return new;
	setup_free(new);
	return NULL;
}

void reload(struct agent *a)
{
	struct setup *old = a->setup, *new = read_again(a);
	bool counts = true;

	notify("RELOADING=1");
	if (new) {
		outputs_tell_other(&a->outputs, &old->cfg, &new->cfg);
		agent_counts_read(&old->counts);
		sampler_withhold(a);
		sampler_stop(a);
		a->setup = new;
		if (sampler_start(a)) {
			sampler_stop(a);
			a->setup = old;
			setup_free(new);
			new = NULL;
			counts = !sampler_start(a);
		}
	}
	if (new) {
		setup_free(old);
		reload_tell_missing(a);
	} else {
		tool_say(0, "%s: not used; %s", OUT_QUOTED(old->cfg.path), counts
			 ? "the agent keeps counting as before"
			 : "what was counted before cannot be started again either, so nothing is counted; remove the "
			   "cause, then send SIGHUP again");
	}
	notify("READY=1");
}
