/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/options.h"
#include "common/number.h"
#include "common/output.h"
#include "common/privileges.h"
#include "common/records.h"
#include "common/series.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_MACHINE = TOOL_LONG + 1000, OPT_FORMAT, OPT_VERBOSE = 'v', OPT_HELP = 'h', OPT_VERSION = 'V' };

#define MAX_OPTIONS 64

static const struct tool_option common_options[] = {
	{ OPT_MACHINE, "machine", "WHAT",
	  "live (default), root:DIR (the tree under DIR), or\n"
	  "sim:NAME[,KEY=VALUE...] (a simulated machine);\n"
	  "if not given, the environment variable UNCOREMSR_MACHINE" },
	{ OPT_FORMAT, "format", "FORMAT", "text (default), csv or json" },
	{ OPT_VERBOSE, "verbose", NULL, "explain choices on standard error" },
	{ OPT_HELP, "help", NULL, "print this help" },
	{ OPT_VERSION, "version", NULL, "print the version" },
	{ 0, NULL, NULL, NULL },
};

/* The first record format is the default. */
static const struct record_format *const formats[] = { &record_text, &record_csv, &record_json };
static const struct series_format *const series_formats[] = { &series_prometheus, &series_collectd };

static const char series_help[] = "text (default), csv, json, prometheus or collectd";

enum { TAIL = 80 }; /* room for "; see uncore-throttle --help" and a newline */

/* Always one line, without a name if @name is NULL. Allocates nothing, so that it can print "out of memory". */
static void tool_line(const char *name, const char *text, const char *tail)
{
	char line[4096 + OUT_SHOWN + TAIL];
	size_t len = 0, left = strlen(text);

	if (name)
		len = (size_t)snprintf(line, sizeof(line) / 2, "%s: ", name);
	while (left) {
		size_t num = out_show(line + len, text, left, "");

		text += num;
		left -= num;
		len += strlen(line + len);
		if (len >= sizeof(line) - OUT_SHOWN - TAIL) {
			out_message(line, len);
			len = 0;
		}
	}
	len += (size_t)snprintf(line + len, sizeof(line) - len, "%s\n", tail);
	out_message(line, len);
}

static void print_line(const char *fmt, va_list ap, const char *tail)
{
	char line[1024];

	vsnprintf(line, sizeof(line), fmt, ap);
	tool_line(this_tool.name, line, tail);
}

int tool_usage(const char *fmt, ...)
{
	char tail[TAIL - 16];
	va_list ap;

	snprintf(tail, sizeof(tail), "; see %s --help", this_tool.name);
	va_start(ap, fmt);
	print_line(fmt, ap, tail);
	va_end(ap);
	return TOOL_USAGE;
}

int tool_say(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line(fmt, ap, "");
	va_end(ap);
	return status;
}

int tool_no_memory(void)
{
	return tool_say(TOOL_PARTIAL, "out of memory");
}

static bool told_memory;

static int fail_of(const char *name, const struct uncoremsr *um)
{
	const char *hint = uncoremsr_error(um)->hint;
	enum uncoremsr_error_class class = uncoremsr_error(um)->error_class;
	/* A failure must not become exit status 0, even if its class is NONE. */
	int status = class == UNCOREMSR_ERROR_NONE ? TOOL_PARTIAL : (int)class;
	int why = uncoremsr_error(um)->starved;

	told_memory |= uncoremsr_error(um)->code == -ENOMEM;
	tool_say(0, "%s%s%s%s%s", name, *name ? ": " : "", uncoremsr_error(um)->message, *hint ? "; " : "", hint);
	/* An earlier lack of memory may have caused this failure, so report it, too. */
	if (why == ENOMEM && !told_memory)
		tool_say(0, "out of memory: the output is incomplete");
	told_memory |= why == ENOMEM;
	return status;
}

int tool_fail(const struct uncoremsr *um)
{
	return fail_of("", um);
}

void tool_output(const struct tool_common *common, struct out *o, struct records *w, const void *user)
{
	signal(SIGPIPE, SIG_IGN);
	out_init(o, STDOUT_FILENO);
	records_init(w, common, o, user);
}

int out_finish(struct out *o, int status)
{
	int err;

	signal(SIGPIPE, SIG_IGN);
	err = out_flush(o);
	free(o->buf);
	o->buf = NULL;
	o->size = 0;
	status = tool_complete(NULL, NULL, status);
	if (!err || err == ENOMEM)
		return status;
	/* Do not report EPIPE on standard output: a reader such as "| head" closes the pipe when it has enough. */
	if (err != EPIPE || o->fd != STDOUT_FILENO)
		tool_say(0, "%s: %s", o->name,
			 err == EPIPE ? "the reader has closed it"
			 : err == EINTR ? "nobody reads it: the rest is dropped"
					: strerror(err));
	return status ? status : TOOL_PARTIAL;
}

/* ---- help ---- */

static const struct tool_command *command_at(size_t i)
{
	return (const void *)((const char *)this_tool.commands + i * this_tool.command_size);
}

static bool has_option(const struct tool_command *c, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = c->options; at && (at = strstr(at, name)); at += len)
		if ((at == c->options || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

/* False: no sub-command lists the option, so it works with all of them. */
static bool has_owners(const struct tool_option *o, char names[80])
{
	*names = '\0';
	for (size_t i = 0; o->name && this_tool.commands && command_at(i)->name; i++)
		if (has_option(command_at(i), o->name))
			list_add(names, 80, ", ", command_at(i)->name);
	return *names;
}

enum { HELP_WIDTH = 80, HELP_INDENT = 28 };

static void help_option(struct out *out, const struct tool_option *o, const char *help)
{
	char left[64], letter[] = "    ", owners[80];
	const char *name = o->name ? o->name : "";
	const size_t start = out->len;

	if (o->id < TOOL_LONG)
		snprintf(letter, sizeof(letter), "-%c%s", o->id, o->name ? ", " : "");
	snprintf(left, sizeof(left), "%s%s%s%s%s", letter, o->name ? "--" : "", name,
		 !o->arg || *o->arg == '[' ? "" : o->name ? "=" : " ", o->arg ? o->arg : "");
	out_fmt(out, "  %-25s ", left);
	if (strlen(left) > 25)
		out_fmt(out, "\n%*s", HELP_INDENT, "");
	if (has_owners(o, owners))
		out_fmt(out, "%s: ", owners);
	for (; *help; help++)
		out_char(out, *help == '\n' ? ' ' : *help);
	out_fold(out, start, HELP_WIDTH, HELP_INDENT);
}

static void help_options(struct out *out, const struct tool_option *o)
{
	for (; o->id; o++)
		help_option(out, o, o->id != OPT_FORMAT ? o->help
				    : this_tool.own_format_help ? this_tool.own_format_help
				    : this_tool.series ? series_help : o->help);
}

/* Line breaks are only between options. */
static void help_form(struct out *out, const char *form, const char *end)
{
	size_t indent = strlen("usage: ") + strlen(this_tool.name), column = indent + 1;

	for (const char *next; form < end; form = next) {
		size_t len;

		for (next = form + 1; next < end && !(*next == ' ' && strchr("[-", next[1])); next++)
			;
		len = (size_t)(next - form);
		if (column + len > HELP_WIDTH) {
			out_fmt(out, "\n%*s", (int)indent, "");
			column = indent;
		}
		column += len;
		out_mem(out, form, len);
	}
	out_char(out, '\n');
}

static void help_synopsis(struct out *out)
{
	for (const char *form = this_tool.synopsis; *form;) {
		size_t len = strcspn(form, "\n");

		out_fmt(out, "%s %s ", form == this_tool.synopsis ? "usage:" : "      ", this_tool.name);
		help_form(out, form, form + len);
		form += len + (form[len] == '\n');
	}
}

static void help(struct out *out)
{
	help_synopsis(out);
	out_char(out, '\n');
	out_str(out, this_tool.about);
	out_str(out, "\nOptions:\n");
	help_options(out, this_tool.options);
	out_str(out, "\nCommon options:\n");
	help_options(out, common_options);
	out_str(out, "\nExit status:\n");
	out_str(out, this_tool.statuses);
	out_str(out, "\nExamples:\n");
	out_str(out, this_tool.examples);
}

static int help_or_version(int id)
{
	struct out out;

	out_init(&out, STDOUT_FILENO);
	if (id == OPT_HELP)
		help(&out);
	else
		out_fmt(&out, "%s %s\n", this_tool.name, uncoremsr_version());
	return out_finish(&out, TOOL_DONE);
}

/* ---- parsing ---- */

struct parser {
	struct option longs[MAX_OPTIONS];
	char shorts[2 * MAX_OPTIONS + 3];
	bool given[MAX_OPTIONS]; /* the indexes are those of this_tool.options */
};

/* @n options precede those of the table @o. Returns the new number of options. */
static size_t parser_add(struct parser *p, size_t n, const struct tool_option *o)
{
	char *s = p->shorts + strlen(p->shorts);

	for (; o->id; o++) {
		if (o->id < TOOL_LONG) {
			*s++ = (char)o->id;
			if (o->arg)
				*s++ = ':';
		}
		if (o->name && n < MAX_OPTIONS - 1)
			p->longs[n++] = (struct option){
				.name = o->name,
				.has_arg = !o->arg ? no_argument : *o->arg == '['
					   ? optional_argument : required_argument,
				.val = o->id,
			};
	}
	return n;
}

static int parse_format(struct tool_common *common, const char *arg)
{
	common->writer = NULL;
	common->series = NULL;
	common->own_format = this_tool.own_format && strcmp(arg, this_tool.own_format) == 0;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (strcmp(arg, formats[i]->name) == 0)
			common->writer = formats[i];
	for (size_t i = 0; this_tool.series && i < ARRAY_SIZE(series_formats); i++)
		if (strcmp(arg, series_formats[i]->name) == 0)
			common->series = series_formats[i];
	/* In the other formats no records are written, so the record format does not matter. */
	if (common->series || common->own_format)
		common->writer = &record_csv;
	if (common->writer)
		return TOOL_GO_ON;
	if (this_tool.own_format)
		return tool_usage("--format: '%s': must be text, csv, json or %s", arg, this_tool.own_format);
	return tool_usage("--format: '%s': must be text, csv%s", arg,
			  this_tool.series ? ", json, prometheus or collectd" : " or json");
}

static int parse_common(struct tool_common *common, int id)
{
	switch (id) {
	case OPT_MACHINE:
		common->machine = optarg;
		common->machine_given = true;
		return TOOL_GO_ON;
	case OPT_FORMAT:
		return parse_format(common, optarg);
	case OPT_VERBOSE:
		common->verbose = true;
		return TOOL_GO_ON;
	default:
		return help_or_version(id);
	}
}

enum { LONGEST_NAME = 32 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters to insert, remove, replace or swap to turn @text into @name; SIZE_MAX: too different. */
static size_t distance_of(const char *text, size_t len, const char *name)
{
	/* rows[i][k]: the distance of the first i letters of @text from the first k of @name. */
	size_t rows[LONGEST_NAME + 1][LONGEST_NAME + 1], to = strlen(name), far;

	if (len > LONGEST_NAME || to > LONGEST_NAME)
		return SIZE_MAX;
	for (size_t i = 0; i <= len; i++)
		for (size_t k = 0; k <= to; k++) {
			size_t *cell = &rows[i][k];

			*cell = i ? i : k;
			if (!i || !k)
				continue;
			*cell = least(least(rows[i - 1][k], rows[i][k - 1]) + 1,
				      rows[i - 1][k - 1] + (text[i - 1] != name[k - 1]));
			if (i > 1 && k > 1 && text[i - 1] == name[k - 2] && text[i - 2] == name[k - 1])
				*cell = least(*cell, rows[i - 2][k - 2] + 1);
		}
	far = (len < to ? len : to) / 3;
	return rows[len][to] > far ? SIZE_MAX : rows[len][to];
}

bool list_has(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

void list_add(char *list, size_t size, const char *between, const char *word)
{
	size_t len = strlen(list);

	snprintf(list + len, size - len, "%s%s", len ? between : "", word);
}

/* Suggest the names that begin with an ambiguous one, or the names that are similar to an unknown one. */
static int refuse_long(const struct parser *p, const char *word)
{
	const char *name = word + 2;
	size_t len = strcspn(name, "="), best = SIZE_MAX;
	char starts[400] = "", near[400] = "";

	for (const struct option *o = p->longs; o->name; o++) {
		size_t distance = distance_of(name, len, o->name);

		if (len && strncmp(o->name, name, len) == 0)
			list_add(starts, sizeof(starts), " or --", o->name);
		if (distance < best)
			*near = '\0';
		if (distance < best || (distance == best && best < SIZE_MAX))
			list_add(near, sizeof(near), " or --", o->name);
		best = distance < best ? distance : best;
	}
	if (*starts)
		return tool_say(TOOL_USAGE, "%.*s: ambiguous: --%s?", (int)len + 2, word, starts);
	if (*near)
		return tool_say(TOOL_USAGE, "%.*s: unknown option; did you mean --%s?", (int)len + 2, word, near);
	return tool_usage("%.*s: unknown option", (int)len + 2, word);
}

/* A long option is a whole word of argv; if several letters are in one word, optopt tells which one was wrong. */
static int parse_refuse(const struct parser *p, int id, char **argv)
{
	const char *word = argv[optind - 1];
	const char *name = NULL;

	for (const struct option *o = p->longs; o->name && optopt; o++)
		if (o->val == optopt)
			name = o->name;
	if (id == ':' && optopt < TOOL_LONG && strncmp(word, "--", 2) != 0)
		return tool_usage("-%c: needs an argument", optopt);
	if (id == ':')
		return tool_usage("--%s: needs an argument", name ? name : "?");
	if (name)
		return tool_usage("--%s: takes no argument", name);
	if (optopt)
		return tool_usage("-%c: unknown option", optopt);
	return refuse_long(p, word);
}

/*
 * Open /dev/null for each standard stream that is closed. Otherwise a register device could get descriptor 1 or 2, and
 * output would be written into registers. Open it read-only, so that writing to a closed stdout still fails.
 */
static void occupy_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/* ---- sub-commands ---- */

static const struct tool_command *named_command(const struct tool_common *common)
{
	for (size_t i = 0; common->num_words && command_at(i)->name; i++)
		if (!strcmp(command_at(i)->name, common->words[0]))
			return command_at(i);
	return NULL;
}

static int refuse_command(const struct tool_common *common)
{
	char names[200] = "";

	for (size_t i = 0; command_at(i)->name; i++)
		list_add(names, sizeof(names), command_at(i + 1)->name ? ", " : " or ", command_at(i)->name);
	return common->num_words ? tool_usage("'%s': unknown sub-command; must be %s", common->words[0], names)
				 : tool_usage("a sub-command is required: %s", names);
}

/* The first word names the sub-command, the others are its arguments. */
static int parse_command(const struct parser *p, struct tool_common *common)
{
	const struct tool_command *c = named_command(common);
	char owners[80];

	while (!(c && c->rest) && *common->rest)
		common->words[common->num_words++] = *common->rest++;
	c = named_command(common);
	if (!c)
		return refuse_command(common);
	common->command = c;
	common->words++;
	common->num_words--;
	for (const struct tool_option *o = this_tool.options; o->id; o++)
		if (p->given[o - this_tool.options] && has_owners(o, owners) && !has_option(c, o->name))
			return tool_usage("--%s: works only with %s", o->name, owners);
	if (common->num_words < c->least)
		return tool_usage("%s: %s missing", c->name, c->needs);
	if (common->num_words > c->most)
		return tool_usage("%s: '%s': one argument too many", c->name, common->words[c->most]);
	if (c->rest && common->has_rest && !*common->rest)
		return tool_usage("%s: no command; put it after --", c->name);
	return TOOL_GO_ON;
}

static void store(void *at, const char *arg)
{
	if (arg)
		*(const char **)at = arg;
	else
		*(bool *)at = true;
}

int tool_parse(int argc, char **argv, struct tool_common *common, int (*fn)(void *user, int id, const char *arg),
	       void *user)
{
	/* "-": getopt returns words that are not options with id 1. ":": it returns ":" for a missing argument. */
	struct parser p = { .shorts = "-:" };
	const char *machine = secure_getenv("UNCOREMSR_MACHINE");
	int id, status;

	occupy_standard_streams();
	status = privileges_limit();
	if (status)
		return status;
	/* Words that are not options are moved to the front of @argv, as by getopt(3) without "-". */
	*common = (struct tool_common){
		.machine = machine && *machine ? machine : NULL, .writer = formats[0], .words = argv + 1,
	};
	parser_add(&p, parser_add(&p, 0, this_tool.options), common_options);
	while ((id = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
		if (id == '?' || id == ':')
			return parse_refuse(&p, id, argv);
		if (id == TOOL_ARGUMENT && this_tool.options_only)
			return tool_usage("'%s': not an option", optarg);
		if (id == TOOL_ARGUMENT && this_tool.command) {
			common->rest = argv + optind - 1;
			common->has_rest = true;
			break;
		}
		for (size_t i = 0; this_tool.options[i].id; i++)
			p.given[i] |= this_tool.options[i].id == id;
		status = TOOL_GO_ON;
		if (id == TOOL_ARGUMENT && this_tool.commands)
			common->words[common->num_words++] = optarg;
		else if (id >= TOOL_STORED)
			store((char *)user + (id - TOOL_STORED), optarg);
		else if (id == OPT_MACHINE || id == OPT_FORMAT || (id < TOOL_LONG && strchr("vhV", id)))
			status = parse_common(common, id);
		else
			status = fn(user, id, optarg) ?: TOOL_GO_ON;
		if (status != TOOL_GO_ON)
			return status;
	}
	if (!common->has_rest) {
		common->rest = argv + optind;
		common->has_rest = strcmp(argv[optind - 1], "--") == 0;
	}
	if (this_tool.options_only && common->rest[0])
		return tool_usage("'%s': not an option", common->rest[0]);
	if (common->machine && !*common->machine)
		return tool_usage("--machine: '': a machine is required");
	return this_tool.commands ? parse_command(&p, common) : TOOL_GO_ON;
}

/* ---- machine ---- */

static void show_log(void *user, enum uncoremsr_log_level level, const char *line)
{
	(void)level;
	tool_line(user, line, "");
}

void tool_log(const struct tool_common *common, struct uncoremsr *um)
{
	uncoremsr_set(um, UNCOREMSR_LOG_FROM, common->verbose ? UNCOREMSR_LOG_REMARK : UNCOREMSR_LOG_WARNING);
	uncoremsr_set_log(um, show_log, (void *)(uintptr_t)this_tool.name);
}

int tool_complete(struct uncoremsr *um, struct out *whole, int status)
{
	int why = out_lacked_memory() ? ENOMEM : uncoremsr_error(um)->starved;

	if (why == ENOMEM && whole) {
		whole->len = 0;
		whole->error = 0;
	}
	if (!why)
		return status;
	/* Do not print more than one line about a lack of memory. */
	if (why != ENOMEM)
		tool_say(0, "%s: the output is incomplete%s", strerror(why),
			 why == EMFILE ? "; raise the limit on open files (ulimit -n)" : "");
	else if (!told_memory || (status == TOOL_DONE && !whole))
		tool_say(0, "out of memory%s", whole ? "" : ": the output is incomplete");
	told_memory |= why == ENOMEM;
	return status == TOOL_DONE ? TOOL_PARTIAL : status;
}

int tool_machine_fail(const struct tool_common *common, const struct uncoremsr *um)
{
	return fail_of(common->machine && !common->machine_given ? "UNCOREMSR_MACHINE" : "", um);
}

int tool_machine(const struct tool_common *common, struct uncoremsr **um)
{
	if (uncoremsr_new(um) < 0)
		return tool_no_memory();
	tool_log(common, *um);
	if (common->machine && strncmp(common->machine, "sim:", 4) == 0)
		doubt_machine(common->machine_given ? "--machine" : "UNCOREMSR_MACHINE", common->machine + 4);
	if (common->machine && uncoremsr_set_machine(*um, common->machine) < 0)
		return tool_machine_fail(common, *um);
	return 0;
}

static void print_operation(void *user, const char *line)
{
	(void)user;
	tool_line(NULL, line, "");
}

static void add_command(void *user, const char *line)
{
	out_str(user, line);
	out_char(user, '\n');
}

int tool_open(const struct tool_common *common, struct uncoremsr **um, struct out *commands, bool trace)
{
	int status = tool_machine(common, um), err = 0;

	if (status)
		return status;
	if (commands) {
		uncoremsr_set(*um, UNCOREMSR_DRY_RUN, 1);
		err = uncoremsr_set_trace(*um, UNCOREMSR_TRACE_COMMANDS, add_command, commands);
	} else if (trace) {
		err = uncoremsr_set_trace(*um, UNCOREMSR_TRACE_TEXT, print_operation, NULL);
	}
	return err < 0 || uncoremsr_open(*um) < 0 ? tool_machine_fail(common, *um) : 0;
}
