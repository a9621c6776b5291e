/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-agent: the sampler. It counts, and hands finished values to processes without rights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/address.h"
#include "agent/agent.h"
#include "agent/check.h"
#include "agent/child.h"
#include "agent/counts.h"
#include "agent/needs.h"
#include "agent/notify.h"
#include "agent/snapshot.h"
#include "agent/state.h"
#include "common/output.h"
#include "common/privileges.h"
#include "common/throttle_series.h"
#include "common/turns.h"
#include "uncoremsr/machine.h"

_Static_assert((int)AGENT_MOST_LISTENS <= (int)AGENT_MOST_DESCRIPTORS, "one program gets all sockets that listen");

/* collectd's defaults, used if its configuration does not set them. */
#define COLLECTD_TIMEOUT 2.0
#define COLLECTD_INTERVAL_NS (10 * NS_PER_S)

/* The configuration in use and its counts. It is allocated, so that pointers into it stay valid. */
struct setup {
	struct agent_config cfg;
	struct agent_counts counts;
};

struct agent {
	int argc;
	char **argv;
	struct setup *setup;
	struct agent_totals totals;
	struct uncoremsr *um;
	struct uncoremsr_throttle *throttle; /* NULL: throttling is not reported */
	struct throttle_series throttle_series;
	bool blind;             /* the latest look at throttling failed completely */
	struct tool_wait wait;
	struct shared_writer shared;
	struct agent_child outputs[AGENT_OUTPUTS];
	size_t num_outputs;
	char *listens[AGENT_MOST_LISTENS]; /* addresses that the agent listens on, from the start to the end */
	size_t num_listening;
	struct snapshot snapshot;
	uint64_t last_ns;       /* end of the previous interval */
	uint64_t wall_offset_ns; /* add it to the machine's clock to get Unix time; measured at the start */
	bool withheld;          /* the previous interval ended too late and was not sent to the outputs */
	uint64_t missed;
	uint64_t watchdog_ns;   /* how often the service manager wants a sign; UINT64_MAX: never */
	unsigned given_up;      /* ways to count whose right was dropped at the start: enum privileges_counting */
	int die_of;             /* signal that must end the agent; 0: none */
};

/* ---- before counting ---- */

/* Add an output; NULL after a message that its program cannot be opened. */
static struct agent_child *add_output(struct agent *a, enum agent_output output)
{
	struct agent_child *c = &a->outputs[a->num_outputs];
	char why[AGENT_PROGRAM_WHY];

	*c = (struct agent_child){ .output = output, .shared = &a->shared, .snapshot = &a->snapshot,
				   .wait = &a->wait, .program = agent_child_program(output, why) };
	if (c->program < 0) {
		tool_say(&agent_tool, 0, "%s: cannot open the program of this output: %s", agent_child_name(output),
			 why);
		return NULL;
	}
	a->num_outputs++;
	return c;
}

/* Give an output the file that it keeps from run to run. Without it the output still works. */
static void add_state(struct agent *a, struct agent_child *c, const char *name, const char *for_what)
{
	int fd = state_open(a->setup->cfg.state, name, for_what);

	if (fd >= 0)
		c->fds[c->num_fds++] = fd;
}

static int add_http(struct agent *a)
{
	struct agent_child *http = add_output(a, AGENT_HTTP);
	const struct agent_config *cfg = &a->setup->cfg;
	char why[ADDRESS_WHY];

	for (size_t i = 0; http && i < cfg->num_listens; i++) {
		/* Keep the address: a socket file must be removed at the end. */
		char *where = strdup(cfg->listens[i]);
		int fd = where ? address_listen(where, why) : -1;

		if (!where)
			return tool_no_memory(&agent_tool);
		if (fd < 0) {
			free(where);
			return tool_say(&agent_tool, TOOL_NO_ACCESS, "cannot listen on %s: %s",
					cfg->listens[i], why);
		}
		http->fds[http->num_fds++] = fd;
		a->listens[a->num_listening++] = where;
	}
	return http ? 0 : TOOL_UNSUPPORTED;
}

static int add_collectd(struct agent *a)
{
	const struct agent_config *cfg = &a->setup->cfg;
	const bool exec = strcmp(cfg->collectd, "exec") == 0;
	struct agent_child *c = add_output(a, AGENT_COLLECTD);
	struct agent_collectd *set = &a->shared.memory->collectd;

	if (!c)
		return TOOL_UNSUPPORTED;
	add_state(a, c, "collectd-totals", "so after each start collectd gets no totals for a while");
	c->writes = exec;
	*set = (struct agent_collectd){
		.values = cfg->collectd_values ? cfg->collectd_values : SERIES_COUNTER | SERIES_FOUR,
		.run = wait_wall_clock(&a->wait) ^ (uint64_t)getpid(),
		.timeout = cfg->collectd_timeout > 0 ? cfg->collectd_timeout : COLLECTD_TIMEOUT,
		.timeout_ns = cfg->collectd_interval_ns ? cfg->collectd_interval_ns : COLLECTD_INTERVAL_NS,
	};
	if (cfg->hostname)
		memcpy(set->hostname, cfg->hostname, strlen(cfg->hostname) + 1);
	/* The length of the path was checked when the configuration was read. */
	if (!exec)
		snprintf(set->path, sizeof(set->path), "%s", cfg->collectd + strlen("unix:"));
	return 0;
}

static int add_snmp(struct agent *a)
{
	const struct agent_config *cfg = &a->setup->cfg;
	struct agent_child *c = add_output(a, AGENT_SNMP);
	struct agent_snmp *set = &a->shared.memory->snmp;

	if (!c)
		return TOOL_UNSUPPORTED;
	add_state(a, c, "snmp-rows", "so rows get other numbers at each start");
	*set = (struct agent_snmp){ .intel_pmu_mib = cfg->intel_pmu_mib, .started_ns = wait_wall_clock(&a->wait) };
	set->num_base = agent_snmp_parse(cfg->snmp_base ? cfg->snmp_base : SNMP_BASE, set->base);
	snprintf(set->address, sizeof(set->address), "%s", cfg->agentx);
	return 0;
}

static int add_outputs(struct agent *a)
{
	const struct agent_config *cfg = &a->setup->cfg;
	int err = shared_create(&a->shared), status;

	if (err)
		return tool_say(&agent_tool, TOOL_PARTIAL, "cannot share memory with the outputs: %s", strerror(-err));
	status = cfg->num_listens ? add_http(a) : 0;
	if (!status && cfg->collectd)
		status = add_collectd(a);
	return status || !cfg->agentx ? status : add_snmp(a);
}

static bool is_over(const struct agent *a)
{
	for (size_t i = 0; i < a->num_outputs; i++)
		if (a->outputs[i].over)
			return true;
	return false;
}

static int start_outputs(struct agent *a)
{
	for (size_t i = 0; i < a->num_outputs; i++) {
		int err = agent_child_start(&a->outputs[i]);

		if (err)
			return tool_say(&agent_tool, TOOL_PARTIAL, "%s: cannot start its process: %s",
					agent_child_name(a->outputs[i].output), strerror(-err));
	}
	return 0;
}

/* ---- counting ---- */

/* Look at throttling. Causes that cannot be judged become unknown values. If the whole look fails, print why, once. */
static void look(struct agent *a)
{
	bool blind = a->throttle && uncoremsr_throttle_look(a->throttle) < 0;

	if (blind && !a->blind)
		tool_fail(&agent_tool, a->um);
	a->blind = blind;
}

/*
 * Add the interval to the totals, but do not publish it. A scraper computes rates as if all values had the same age when
 * it reads them; totals of a late moment would give it rates that never existed.
 */
static void withhold(struct agent *a)
{
	snapshot_begin(&a->snapshot, 0);
	agent_counts_say(&a->setup->counts, &a->snapshot.series, false);
	a->last_ns = uncoremsr_now(a->um);
}

static void publish(struct agent *a, bool baseline)
{
	const uint64_t now = uncoremsr_now(a->um), wall_ns = wait_wall_clock(&a->wait);
	struct snapshot *s = &a->snapshot;
	int err;

	snapshot_begin(s, wall_ns);
	agent_counts_say(&a->setup->counts, &s->series, baseline);
	if (a->throttle)
		throttle_series_say(&a->throttle_series, &s->series, uncoremsr_machine(a->um)->name, a->throttle);
	err = snapshot_end(s);
	if (!err)
		err = shared_publish(&a->shared, &(struct shared_interval){
			.wall_ns = wall_ns, .made_ns = shared_now_ns(), .interval_ns = a->setup->cfg.interval_ns,
			.series = { .ns = baseline ? 0 : now - a->last_ns, .missed = a->missed },
			.size = s->rows.len,
		}, s->rows.buf);
	a->last_ns = now;
	if (err)
		tool_say(&agent_tool, 0, "the values of an interval were not sent: %s", strerror(err));
	for (size_t i = 0; i < a->num_outputs && !err; i++)
		agent_child_wake(&a->outputs[i]);
}

static int start_throttle(struct agent *a)
{
	if (!a->setup->cfg.throttle)
		return 0;
	if (uncoremsr_throttle_new(a->um, &a->throttle) < 0)
		return tool_no_memory(&agent_tool);
	uncoremsr_throttle_set(a->throttle, UNCOREMSR_THROTTLE_COUNTING, 1);
	look(a);
	return 0;
}

/* Print one line about everything that the file asks for and that cannot be counted here. */
static void tell_missing(const struct agent *a)
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
		tool_say(&agent_tool, 0, "%s:%u: not counted: %s%s", OUT_QUOTED(a->setup->cfg.path), first->line,
			 first->why, more);
}

/* ---- reading the file again ---- */

/* Rights that were not needed at the start were dropped and cannot be regained. A simulated machine needs none. */
static bool has_rights(const struct agent *a, const struct agent_counts *new)
{
	unsigned missing = agent_needs(new).counting & a->given_up;

	missing = uncoremsr_machine(a->um)->simulated ? 0 : missing;
	if (missing)
		tool_say(&agent_tool, 0, "counting through %s needs a capability that was given up at the start; restart "
			 "the agent", missing & PRIVILEGES_REGISTERS ? "registers" : "the kernel");
	return !missing;
}

static void drop(struct setup *old)
{
	agent_counts_free(&old->counts);
	agent_config_free(&old->cfg);
	free(old);
}

/* Read the command line and the file again. NULL after a message about what is wrong. */
static struct setup *read_again(struct agent *a)
{
	struct setup *new = calloc(1, sizeof(*new));

	if (!new) {
		tool_no_memory(&agent_tool);
		return NULL;
	}
	optind = 0; /* getopt(3) begins anew */
	if (agent_options_parse(&new->cfg, a->argc, a->argv) == TOOL_GO_ON &&
	    !agent_counts_make(&new->counts, &new->cfg, a->um, &a->totals) && has_rights(a, &new->counts) &&
	    !agent_needs_meet(&new->counts))
		return new;
	drop(new);
	return NULL;
}

static bool listens_on(const struct agent *a, const char *address)
{
	for (size_t i = 0; i < a->num_listening; i++)
		if (strcmp(a->listens[i], address) == 0)
			return true;
	return false;
}

static void tell_other(const char *output, const char *old, const char *new)
{
	if (strcmp(old ? old : "", new ? new : ""))
		tool_say(&agent_tool, 0, "%s: %s, after a restart", output, new ? new : "left out");
}

/* A reload does not change sockets: print which addresses in the file take effect only after a restart. */
static void tell_other_addresses(const struct agent *a, const struct agent_config *new)
{
	for (size_t i = 0; i < new->num_listens; i++)
		if (!listens_on(a, new->listens[i]))
			tool_say(&agent_tool, 0, "%s: takes effect after a restart", new->listens[i]);
	tell_other("collectd", a->setup->cfg.collectd, new->collectd);
	tell_other("AgentX", a->setup->cfg.agentx, new->agentx);
}

static void switch_throttle(struct agent *a)
{
	if (a->setup->cfg.throttle && !a->throttle) {
		start_throttle(a);
	} else if (!a->setup->cfg.throttle && a->throttle) {
		uncoremsr_throttle_free(a->throttle);
		a->throttle = NULL;
	}
}

/* Reload the configuration; totals of events that stay in it continue. */
static void reload(struct agent *a)
{
	struct setup *old = a->setup, *new = read_again(a);
	bool counts = true;

	notify("RELOADING=1");
	if (new) {
		tell_other_addresses(a, &new->cfg);
		agent_counts_read(&old->counts);
		withhold(a);
		agent_counts_stop(&old->counts);
		if (agent_counts_start(&new->counts)) {
			drop(new);
			new = NULL;
			counts = !agent_counts_start(&old->counts);
		}
		a->last_ns = uncoremsr_now(a->um);
	}
	if (new) {
		a->setup = new;
		drop(old);
		switch_throttle(a);
		tell_missing(a);
	} else {
		tool_say(&agent_tool, 0, "%s: not used; %s", OUT_QUOTED(old->cfg.path), counts
			 ? "the agent keeps counting as before"
			 : "what was counted before cannot be started again either, so nothing is counted; remove the "
			   "cause, then send SIGHUP again");
	}
	notify("READY=1");
}

/* ---- waiting ---- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Wait until @deadline. False: a signal ends the run, or (*again is set) the file must be read again. */
static bool wait_for(struct agent *a, uint64_t from, uint64_t deadline, bool *again)
{
	while (from < deadline) {
		uint64_t sign = a->watchdog_ns == UINT64_MAX ? UINT64_MAX : from + a->watchdog_ns;
		enum wake wake = turns_wait_until(&a->wait, a->setup->counts.running,
						  a->setup->counts.num_running, from,
						  earlier(sign, deadline), a->setup->cfg.interval_ns);

		notify("WATCHDOG=1");
		*again = wake == WAKE_REOPEN;
		if (wake == WAKE_STOP || wake == WAKE_DIE)
			a->die_of = a->wait.info.si_signo;
		if (a->die_of || *again)
			return false;
		for (size_t i = 0; wake == WAKE_CHILD && i < a->num_outputs; i++)
			agent_child_look(&a->outputs[i]);
		if (is_over(a))
			return false;
		from = wake == WAKE_TIME ? earlier(sign, deadline) : uncoremsr_now(a->um);
	}
	return true;
}

/* The next multiple of the interval in Unix time. So intervals end at the same moments after a restart. */
static uint64_t next_deadline(const struct agent *a)
{
	uint64_t now = uncoremsr_now(a->um), interval_ns = a->setup->cfg.interval_ns;

	return now + interval_ns - (now + a->wall_offset_ns) % interval_ns;
}

/* Withhold an interval that ended too late, but never two in a row: late values are better than none. */
static bool is_withheld(struct agent *a, uint64_t deadline)
{
	a->withheld = !a->withheld && uncoremsr_now(a->um) - deadline > shared_most_late_ns(a->setup->cfg.interval_ns);
	return a->withheld;
}

/* If the first interval would be shorter than half its length, skip it: totals begin after it. */
static bool begin(struct agent *a)
{
	uint64_t now = uncoremsr_now(a->um), deadline = next_deadline(a);
	bool again = false;

	if (deadline - now >= a->setup->cfg.interval_ns / 2)
		return true;
	if (!wait_for(a, now, deadline, &again) && !again)
		return false;
	if (again) {
		reload(a);
		return true;
	}
	agent_counts_read(&a->setup->counts);
	publish(a, true);
	return true;
}

static void count(struct agent *a)
{
	const uint64_t most = a->setup->cfg.count ? a->setup->cfg.count : UINT64_MAX;
	uint64_t last, num = 0;

	if (!begin(a))
		return;
	last = uncoremsr_now(a->um);
	while (num < most) {
		const uint64_t interval_ns = a->setup->cfg.interval_ns;
		uint64_t deadline = next_deadline(a);
		bool again;

		a->missed += (deadline - last - 1) / interval_ns;
		if (wait_for(a, uncoremsr_now(a->um), deadline, &again)) {
			agent_counts_read(&a->setup->counts);
			if (is_withheld(a, deadline)) {
				withhold(a);
				continue;
			}
			look(a);
			publish(a, false);
			agent_counts_tell_shares(&a->setup->counts);
			agent_counts_retry(&a->setup->counts);
			last = deadline;
			num++;
		} else if (again) {
			reload(a);
			last = uncoremsr_now(a->um);
		} else {
			return;
		}
	}
}

/* ---- all together ---- */

static int open_machine(struct agent *a)
{
	int status = tool_machine(&agent_tool, &a->setup->cfg.common, &a->um);

	if (status)
		return status;
	return uncoremsr_open(a->um) < 0 ? tool_fail(&agent_tool, a->um) : 0;
}

static int check(struct agent *a)
{
	struct out out;
	int status;

	out_init(&out, STDOUT_FILENO);
	status = out_finish(&out, &agent_tool, agent_check(&a->setup->counts, &out));
	out_free(&out);
	return status;
}

/* Stop counting and restore the registers. 0, or the exit status after a message about what stays changed. */
static int stop(struct agent *a)
{
	int status = agent_counts_stop(&a->setup->counts);

	if (uncoremsr_throttle_free(a->throttle))
		status = TOOL_PARTIAL;
	a->throttle = NULL;
	return status;
}

static int serve(struct agent *a)
{
	int status, stopped;

	a->wait.um = a->um;
	status = agent_needs_meet(&a->setup->counts);
	if (!status)
		status = add_outputs(a);
	if (status)
		return status;
	/* Drop rights now: the sockets are open, and devices need only the rights that are kept. */
	if (privileges_for_service(agent_needs(&a->setup->counts).counting, &a->given_up) < 0)
		return tool_say(&agent_tool, TOOL_NO_ACCESS, "cannot give up capabilities: %m");
	if (privileges_are_for_old_kernel())
		tool_say(&agent_tool, 0, "keeps CAP_SYS_ADMIN for the kernel's counters: this kernel is older than 5.8 "
			 "and has no CAP_PERFMON");
	tell_missing(a);
	/* Without --count wait in real time even on a stepped clock, because others read the values in real time. */
	a->wait.wall = !a->setup->cfg.count;
	/* SIGHUP reloads the configuration file, if there is one. */
	wait_init(&a->wait, a->setup->cfg.path != NULL);
	wait_dispositions();
	a->watchdog_ns = notify_watchdog_ns();
	/* Start the outputs before any device is open, so that they inherit none. */
	status = start_outputs(a);
	if (!status)
		status = agent_counts_start(&a->setup->counts);
	if (!status)
		status = start_throttle(a);
	if (!status) {
		a->last_ns = uncoremsr_now(a->um);
		a->wall_offset_ns = wait_wall_clock(&a->wait) - a->last_ns;
		publish(a, true);
		notify("READY=1");
		count(a);
		notify("STOPPING=1");
	}
	stopped = stop(a);
	return status ? status : stopped;
}

static void clean_up(struct agent *a)
{
	for (size_t i = 0; i < a->num_outputs; i++)
		agent_child_stop(&a->outputs[i]);
	for (size_t i = 0; i < a->num_listening; i++) {
		address_remove(a->listens[i]);
		free(a->listens[i]);
	}
	drop(a->setup);
	agent_totals_free(&a->totals);
	throttle_series_free(&a->throttle_series);
	uncoremsr_free(a->um);
	snapshot_free(&a->snapshot);
	shared_free(&a->shared);
}

static int work(struct agent *a)
{
	struct setup *setup = a->setup;
	int status = agent_options_parse(&setup->cfg, a->argc, a->argv);

	if (status != TOOL_GO_ON)
		return status;
	status = open_machine(a);
	if (!status)
		status = agent_counts_make(&setup->counts, &setup->cfg, a->um, &a->totals);
	if (!status)
		status = setup->cfg.check ? check(a) : serve(a);
	return a->um ? tool_complete(&agent_tool, a->um, NULL, status) : status;
}

int main(int argc, char **argv)
{
	struct agent a = { .argc = argc, .argv = argv, .setup = calloc(1, sizeof(*a.setup)) };
	int status;

	if (!a.setup)
		return tool_no_memory(&agent_tool);
	snapshot_init(&a.snapshot);
	status = work(&a);
	clean_up(&a);
	if (a.die_of)
		wait_die(a.die_of);
	return status;
}
