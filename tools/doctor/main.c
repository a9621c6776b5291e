/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: find out what prevents counting on this machine. Changes nothing unless told to. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/properties.h"
#include "common/memory.h"
#include "doctor/doctor.h"

static const struct tool_option options[] = {
	{ DOCTOR_REPAIR, "repair", NULL,
	  "restore registers that sessions changed before they died" },
	{ DOCTOR_LEASES, "leases", NULL, "show who holds which counter, for which event, since when" },
	{ DOCTOR_GRANT, "grant", "GROUP",
	  "print (but do not run) a shell script that lets the\n"
	  "members of GROUP count without root" },
	{ TOOL_STORE(doctor, core), "core", NULL,
	  "with --grant: msr-safe also allows writing core counters\n"
	  "(without their interrupts) and the log bits of throttling" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-doctor",
	.synopsis = "[OPTION]...\n--repair | --leases | --grant=GROUP [--core] [OPTION]...",
	.about = "Report what stands in the way of counting uncore events here, worst first, each\n"
		 "with the command to run next; then which commands answer users' questions\n"
		 "here. Without --repair nothing is changed.\n",
	.options = options,
	.options_only = true,
	.statuses =
		"  0   nothing stands in the way (apart from remarks); --repair: nothing is left\n"
		"  1   a session of this library left something behind, or the output failed\n"
		"  2   usage error: invalid command line, or no such machine\n"
		"  3   not supported here, or no counter is free\n"
		"  4   no access: driver, permission, lockdown, lease directory\n",
	.examples =
		"  uncore-doctor\n"
		"  uncore-doctor --machine=sim:westmere-2s,lockdown=integrity --format=json\n"
		"  uncore-doctor --grant=uncore >grant.sh\n",
};

/* Is @name a group name that groupadd(8) accepts and that needs no quoting? */
static bool good_group(const char *name)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz_";
	static const char others[] = "abcdefghijklmnopqrstuvwxyz_0123456789-";
	size_t len = strlen(name);

	return len > 0 && len <= 32 && strchr(first, name[0]) && strspn(name, others) == len;
}

static int parse_option(void *user, int id, const char *arg)
{
	struct doctor *d = user;

	if (d->job && d->job != id)
		return tool_usage("--repair, --leases and --grant: choose one");
	d->job = id;
	if (id == DOCTOR_GRANT)
		d->group = arg;
	if (d->group && !good_group(d->group))
		return tool_usage("--grant: '%s': not a valid group name", arg);
	return 0;
}

static int parse(struct doctor *d, int argc, char **argv)
{
	int status = tool_parse(argc, argv, &d->common, parse_option, d);

	if (status != TOOL_GO_ON)
		return status;
	if (d->job == DOCTOR_GRANT && !d->common.writer->for_people)
		return tool_usage("--grant: prints a shell script; leave out --format");
	if (d->core && d->job != DOCTOR_GRANT)
		return tool_usage("--core: only with --grant=GROUP");
	return TOOL_GO_ON;
}

static void name_machine(struct doctor *d)
{
	const char *machine = d->common.machine;
	struct out o;

	d->root = "";
	if (!machine || strcmp(machine, "live") == 0)
		return;
	if (strncmp(machine, "root:", 5) == 0)
		d->root = out_quoted(d->quoted, machine + 5);
	out_init(&o, -1);
	out_str(&o, " --machine=");
	out_shell_str(&o, machine);
	if (!o.error)
		snprintf(d->machine, sizeof(d->machine), "%.*s", (int)o.len, o.buf);
	out_free(&o);
}

static int note_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct doctor *d = user;

	(void)type, (void)cpus;
	d->has_core_pmu |= strcmp(name, "cpu") == 0 || strcmp(name, "cpu_core") == 0;
	d->has_uncore_pmu |= strncmp(name, "uncore", 6) == 0;
	d->has_in_memory_pmu |= is_in_memory_pmu(name);
	return 0;
}

static int examine(struct doctor *d)
{
	bool ready;
	int status;

	if (uncoremsr_kernel_pmus(d->um, note_pmu, d) == -ENOMEM)
		no_memory();
	doctor_check_processor(d);
	ready = doctor_check_driver(d);
	if (!machine_is_power(d->um))
		doctor_check_leases(d);
	if (ready && uncoremsr_machine(d->um)->supported)
		doctor_check_counters(d);
	doctor_check_surroundings(d);
	doctor_check_kernel(d);
	status = doctor_show(d);
	doctor_show_questions(d);
	return status;
}

static int work(struct doctor *d)
{
	name_machine(d);
	if (records_for_people(&d->records) && (d->job == DOCTOR_REPAIR || d->job == DOCTOR_LEASES))
		put_simulated(d->records.out, machine_simulated_name(d->um));
	switch (d->job) {
	case DOCTOR_REPAIR:
		return doctor_repair(d);
	case DOCTOR_LEASES:
		return doctor_show_leases(d);
	case DOCTOR_GRANT:
		return doctor_grant(d);
	default:
		return examine(d);
	}
}

int main(int argc, char **argv)
{
	struct doctor d = { .um = NULL };
	struct out o;
	int status = parse(&d, argc, argv);
	bool whole;

	if (status != TOOL_GO_ON)
		return status;
	tool_output(&d.common, &o, &d.records, NULL);
	status = tool_open(&d.common, &d.um, NULL, false);
	if (!status)
		status = work(&d);
	/* If memory ran out, print no findings and no script, because they could be wrong. */
	whole = !d.job || d.job == DOCTOR_GRANT;
	status = out_finish(&o, tool_complete(d.um, whole ? &o : NULL, status));
	uncoremsr_free(d.um);
	doctor_free_findings(&d);
	records_free(&d.records);
	return status;
}
