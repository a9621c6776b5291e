/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Options of the agent. The lines before the first empty line of the input are the arguments; the rest is the
 * configuration file, whatever path --config has. An accepted configuration must be complete, and no memory may leak.
 */
#include <fcntl.h>
#include <getopt.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/agent/address.h"
#include "../../tools/agent/agent.h"
#include "../../tools/agent/program.h"

enum { MOST_ARGUMENTS = 32 };

static void check_group(const struct agent_group *g)
{
	for (size_t i = 0; i < g->num_events; i++)
		REQUIRE(g->events[i].text && g->events[i].kind <= AGENT_ALL_LISTED);
	for (size_t i = 0; i < agent_num_cores(g); i++)
		REQUIRE(*g->cores->values[i].text);
}

static void check(const struct agent_config *cfg)
{
	char why[ADDRESS_WHY];
	struct address a;
	unsigned long parts[SNMP_MOST_PARTS];

	REQUIRE(cfg->interval_ns && cfg->state && *cfg->state && !cfg->num_wrong && cfg->min_running <= 100);
	REQUIRE(cfg->num_listens <= AGENT_MOST_LISTENS && cfg->num_lists <= AGENT_MOST_LISTS);
	REQUIRE(cfg->check || cfg->num_listens || *cfg->collectd.where || *cfg->snmp.address);
	for (size_t i = 0; i < cfg->num_listens; i++)
		REQUIRE(address_parse(&a, cfg->listens[i].text, why) && address_same(&a, &cfg->listens[i].address));
	for (size_t i = 0; i < cfg->num_lists; i++)
		REQUIRE(*cfg->lists[i].path);
	/* Texts must end within their arrays, because another process reads them. */
	REQUIRE(memchr(cfg->collectd.where, '\0', sizeof(cfg->collectd.where)));
	if (*cfg->collectd.where && strcmp(cfg->collectd.where, "exec") != 0)
		REQUIRE(address_parse(&a, cfg->collectd.where, why));
	REQUIRE(memchr(cfg->collectd.hostname, '\0', sizeof(cfg->collectd.hostname)));
	REQUIRE(memchr(cfg->snmp.address, '\0', sizeof(cfg->snmp.address)));
	REQUIRE(cfg->snmp.num_base && agent_snmp_parse(cfg->snmp_base, parts) == cfg->snmp.num_base);
	check_group(&cfg->own);
	for (size_t i = 0; i < cfg->num_groups; i++)
		check_group(&cfg->groups[i]);
}

static int parse(struct agent_config *cfg, int argc, char **argv)
{
	static int nothing = -1, errors = -1;
	int status;

	if (nothing < 0) {
		nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
		errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		REQUIRE(nothing >= 0 && errors >= 0 && dup2(nothing, STDOUT_FILENO) >= 0);
	}
	fflush(stdout);
	REQUIRE(dup2(nothing, STDERR_FILENO) >= 0);
	optind = 0; /* getopt(3) begins anew */
	status = agent_options_parse(cfg, argc, argv);
	REQUIRE(dup2(errors, STDERR_FILENO) >= 0);
	return status;
}

static void target(const char *text, size_t size)
{
	const char *end = memmem(text, size, "\n\n", 2), *file = end ? end + 2 : text + size;
	char *arguments = strndup(text, end ? (size_t)(end - text) : size), *rest = arguments, *word;
	char name[] = "uncore-agent", path[48], *argv[MOST_ARGUMENTS + 2] = { name };
	int fd = fuzz_file(file, (size_t)(text + size - file)), argc = 1, status;
	struct agent_config cfg;

	REQUIRE(arguments);
	snprintf(path, sizeof(path), "--config=/proc/self/fd/%d", fd);
	while ((word = strsep(&rest, "\n")) && argc <= MOST_ARGUMENTS)
		if (*word)
			argv[argc++] = strncmp(word, "--con", 5) ? word : path;
	status = parse(&cfg, argc, argv);
	fuzz_parsed();
	REQUIRE(status == TOOL_GO_ON || (status >= TOOL_DONE && status <= TOOL_NO_ACCESS));
	if (status == TOOL_GO_ON)
		check(&cfg);
	agent_config_free(&cfg);
	close(fd);
	free(arguments);
}
