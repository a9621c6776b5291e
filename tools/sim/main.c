/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-sim: list simulated machines, run a command on one, mount one as a directory, show lessons. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/lesson.h"
#include "sim/mount.h"
#include "common/file.h"
#include "common/number.h"
#include "common/records.h"

struct command_line {
	struct tool_common common;
	struct mount_options mount;
};

static const struct tool_option options[] = {
	{ TOOL_STORE(command_line, mount.log), "log", "FILE",
	  "write every register access to FILE, one line each:\n"
	  "seconds process CPU rd|wr register value result" },
	{ TOOL_STORE(command_line, mount.daemon), "daemon", NULL,
	  "continue in the background once DIR is mounted" },
	{ TOOL_STORE(command_line, mount.allow_other), "allow-other", NULL,
	  "other users may access DIR, as far as file modes permit" },
	{ 0, NULL, NULL, NULL },
};

struct list_row {
	const char *name, *title;
};

static const struct record_column columns[] = {
	{ .name = "name", .type = RECORD_STR, RECORD_AT(list_row, name), .width = -19 },
	{ .name = "title", .type = RECORD_STR, RECORD_AT(list_row, title) },
};

/* Print a list. @name returns the name and title of each entry by index, and NULL at the end. */
static int list_names(const struct command_line *cl, const char *(*name)(size_t index, const char **title))
{
	struct list_row row;
	struct records w;
	struct out o;

	tool_output(&cl->common, &o, &w, NULL);
	if (!records_for_people(&w))
		record_head(&w, columns, 2);
	for (size_t i = 0; (row.name = name(i, &row.title)); i++)
		record_row(&w, columns, 2, &row);
	records_free(&w);
	return out_finish(&o, TOOL_DONE);
}

static int list(const struct command_line *cl)
{
	return list_names(cl, uncoremsr_sim_machine);
}

static int make_machine(const char *what, struct uncoremsr_sim **sim)
{
	char error[1024] = "";
	int err = uncoremsr_sim_new(sim, what, error, sizeof(error));

	if (!err)
		return TOOL_DONE;
	if (!*error)
		snprintf(error, sizeof(error), "%s: %s", what, strerror(-err));
	return tool_say(tool_file_status(err), "%s", error);
}

/* The machine is made here only to find errors in its description before COMMAND starts. */
static int run(const struct command_line *cl)
{
	char **command = cl->common.rest;
	struct uncoremsr_sim *sim = NULL;
	char *machine = NULL;
	int status;

	if (!*command)
		return tool_usage("run: no command; put it after --");
	status = make_machine(cl->common.words[0], &sim);
	uncoremsr_sim_free(sim);
	if (status)
		return status;
	status = asprintf(&machine, "sim:%s", cl->common.words[0]) < 0 || setenv("UNCOREMSR_MACHINE", machine, 1);
	free(machine);
	if (status)
		return tool_no_memory();
	execvp(command[0], command);
	return tool_say(errno == ENOENT ? 127 : 126, "%s: %m", OUT_QUOTED(command[0]));
}

#ifdef HAVE_FUSE
static int mount_it(const struct command_line *cl)
{
	struct uncoremsr_sim *sim = NULL;
	int status;

	/* Warn here, but not in "run": the tools that it starts print these warnings themselves. */
	doubt_machine("mount", cl->common.words[0]);
	status = make_machine(cl->common.words[0], &sim);
	if (!status)
		status = mount_machine(sim, cl->common.words[1], &cl->mount);
	uncoremsr_sim_free(sim);
	return status;
}
#else
static int mount_it(const struct command_line *cl)
{
	return tool_say(TOOL_UNSUPPORTED, "mount %s: this build has no FUSE; install libfuse3-dev and build again",
			cl->common.words[0]);
}
#endif

static const char *lesson_name(size_t index, const char **title)
{
	*title = lessons[index].title;
	return lessons[index].name;
}

static int give(const struct lesson *l)
{
	struct lesson_room r = { .lesson = l };
	struct out o;
	int status = make_machine("westmere-2s,clock=stepped", &r.sim);

	if (status)
		return status;
	out_init(&o, STDOUT_FILENO);
	r.out = &o;
	out_fmt(&o, "%s: %s\nCPU 0 of the SIMULATED machine %s, whose clock runs only in this lesson\n\n", l->name, l->title,
		uncoremsr_sim_state(r.sim)->name);
	lesson_give(&r);
	status = out_finish(&o, TOOL_DONE);
	uncoremsr_sim_free(r.sim);
	return status;
}

static int lesson(const struct command_line *cl)
{
	size_t i = 0;

	if (!cl->common.num_words)
		return list_names(cl, lesson_name);
	while (lessons[i].name && strcmp(lessons[i].name, cl->common.words[0]) != 0)
		i++;
	if (!lessons[i].name)
		return tool_usage("lesson: '%s': no such lesson; \"uncore-sim lesson\" lists them", cl->common.words[0]);
	return give(&lessons[i]);
}

static const struct command {
	struct tool_command words;
	int (*run)(const struct command_line *cl);
} commands[] = {
	{ { "list", 0, 0, NULL, false, NULL }, list },
	{ { "run", 1, 1, "the machine's NAME is", true, NULL }, run },
	{ { "mount", 2, 2, "NAME and DIR, a machine and a directory, are", false, "log daemon allow-other" }, mount_it },
	{ { "lesson", 0, 1, NULL, false, NULL }, lesson },
	{ .run = NULL },
};

const struct tool this_tool = {
	.name = "uncore-sim",
	.synopsis = "[OPTION]... list\n"
		    "[OPTION]... lesson [NAME]\n"
		    "[OPTION]... run NAME[,KEY=VALUE...] -- COMMAND [ARG...]\n"
		    "[OPTION]... mount NAME[,KEY=VALUE...] DIR",
	.about =
		"Simulated machines, for trying, teaching and testing without the hardware. NAME\n"
		"is one that \"list\" shows, or the path of a machine file (with a slash).\n"
		"\n"
		"list   list the built-in machines\n"
		"lesson show the lesson NAME, on a machine of its own: what a counter is and\n"
		"       does, register by register; without NAME: list the lessons\n"
		"run    run COMMAND with UNCOREMSR_MACHINE=sim:NAME in its environment; each\n"
		"       uncore tool that it starts has a machine of its own\n"
		"mount  serve one machine, which all programs share, as DIR/dev/cpu/N/msr and\n"
		"       DIR/dev/cpu/N/cpuid with DIR/sys and DIR/proc, until interrupted or\n"
		"       unmounted\n",
	.options = options,
	.commands = &commands[0].words,
	.command_size = sizeof(commands[0]),
	.statuses = "  0  done (run: the exit status of COMMAND; 126, 127 when it cannot be started)\n"
		    "  1  something is missing in the result\n"
		    "  2  usage: unknown machine, bad parameter, no such directory\n"
		    "  3  this build cannot do it (no FUSE)\n"
		    "  4  no access to /dev/fuse or a file, or the mount is not allowed\n",
	.examples = "  uncore-sim lesson sampling\n"
		    "  uncore-sim run westmere-2s -- uncore-read --event 0x82 --umask 0x1\n"
		    "  uncore-sim mount westmere-2s /mnt/sim --daemon --log=/tmp/access.log\n"
		    "  uncore-read --machine=root:/mnt/sim --event 0x82 --umask 0x1\n",
};

int main(int argc, char **argv)
{
	struct command_line cl = { .mount = { NULL } };
	int status = tool_parse(argc, argv, &cl.common, NULL, &cl);
	const struct command *c = (const struct command *)cl.common.command;

	if (status != TOOL_GO_ON)
		return status;
	if (cl.common.num_words && !cl.common.writer->for_people)
		return tool_usage("%s: --format works only with lists", c->words.name);
	/* Refuse only the option --machine: the variable UNCOREMSR_MACHINE is meant for the tools that are started. */
	if (cl.common.machine_given)
		return tool_usage("--machine: %s takes the machine as an argument", this_tool.name);
	return c->run(&cl);
}
