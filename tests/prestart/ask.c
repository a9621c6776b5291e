/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * usage: ask <COMMANDS >ANSWERS
 * Runs many commands, but loads each tool only once (prestart.h). COMMANDS has the number of words of each command,
 * then the words; the first words may be NAME=VALUE for the environment. ANSWERS has the exit status, the standard
 * output and the standard error of each command. The status is 124 if the command ran for more than a minute, and 128
 * plus N if signal N killed it. Each item ends with a NUL byte and must not contain another one.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prestart.h"

enum { MAX_WORDS = 128, MAX_TOOLS = 16, LIMIT_MS = 60000 };

static struct {
	char *name;
	struct prestart program;
} tools[MAX_TOOLS];

static int outputs[2];

static void die(const char *what)
{
	fprintf(stderr, "ask: %s: %s\n", what, strerror(errno));
	exit(3);
}

static struct prestart *tool(const char *name)
{
	size_t i = 0;

	while (i < MAX_TOOLS && tools[i].name && strcmp(tools[i].name, name))
		i++;
	if (i == MAX_TOOLS)
		die("too many tools");
	if (!tools[i].name) {
		tools[i].name = strdup(name);
		prestart(&tools[i].program, name, outputs[0], outputs[1]);
	}
	return &tools[i].program;
}

static void give(int fd)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	for (; (n = pread(fd, buf, sizeof(buf), at)) > 0; at += n) {
		for (ssize_t i = 0; i < n; i++)
			buf[i] = buf[i] ? buf[i] : '?';
		fwrite(buf, 1, (size_t)n, stdout);
	}
	putchar('\0');
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		die("output");
}

static void run(char **words)
{
	struct prestart *p;
	char **name = words;
	int status;
	pid_t pid;

	while (*name && strchr(*name, '='))
		name++;
	if (!*name)
		die("a command without a tool");
	p = tool(*name);
	pid = prestart_run(p, words);
	if (pid < 0)
		die(*name);
	prestart_go(p);
	if (prestart_end(p, &status, LIMIT_MS)) {
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	} else {
		kill(-pid, SIGKILL);
		prestart_end(p, &status, -1);
		status = 124;
	}
	printf("%d%c", status, '\0');
	give(outputs[0]);
	give(outputs[1]);
}

static char *next(void)
{
	char *word = NULL;
	size_t size = 0;

	if (getdelim(&word, &size, '\0', stdin) < 0) {
		free(word);
		return NULL;
	}
	return word;
}

int main(void)
{
	char *words[MAX_WORDS + 1], *text;

	outputs[0] = memfd_create("output", MFD_CLOEXEC);
	outputs[1] = memfd_create("errors", MFD_CLOEXEC);
	while ((text = next())) {
		int num = atoi(text);

		if (num < 1 || num > MAX_WORDS)
			die("the number of words");
		for (int i = 0; i < num; i++)
			words[i] = next();
		words[num] = NULL;
		if (!words[num - 1])
			die("a word is missing");
		run(words);
		for (int i = 0; i < num; i++)
			free(words[i]);
		free(text);
	}
	for (size_t i = 0; i < MAX_TOOLS && tools[i].name; i++) {
		prestart_stop(&tools[i].program);
		free(tools[i].name);
	}
	return fflush(stdout) != 0;
}
