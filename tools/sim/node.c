/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree of a mounted machine: parse paths, return attributes, read and write text files. */
#include "sim/node.h"
#include "uncoremsr/sim.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"

static const mode_t node_mode[] = {
	[NODE_TOP] = S_IFDIR | 0755,
	[NODE_DEV] = S_IFDIR | 0755,
	[NODE_CPUS] = S_IFDIR | 0755,
	[NODE_CPU] = S_IFDIR | 0755,
	[NODE_CPUID] = S_IFREG | 0444, /* as cpuid_devnode() of the driver sets it */
	[NODE_RUN] = S_IFDIR | 0755,
	[NODE_RUN_STATE] = S_IFREG | 0644,
	[NODE_TROUBLE] = S_IFREG | 0644,
};

/* Parse "N", "N/msr" or "N/cpuid". */
static int parse_cpu(const char *name, struct node *n)
{
	unsigned long cpu;
	char *end;

	if (*name < '0' || *name > '9' || (name[0] == '0' && name[1] && name[1] != '/'))
		return -ENOENT;
	errno = 0;
	cpu = strtoul(name, &end, 10);
	if (errno || cpu > INT_MAX)
		return -ENOENT;
	n->cpu = (unsigned)cpu;
	if (!*end)
		n->kind = NODE_CPU;
	else if (!strcmp(end, "/msr"))
		n->kind = NODE_MSR;
	else if (!strcmp(end, "/cpuid"))
		n->kind = NODE_CPUID;
	else
		return -ENOENT;
	return 0;
}

int simnode_parse(const char *path, struct node *n)
{
	static const struct {
		const char *path;
		enum node_kind kind;
	} places[] = {
		{ "/", NODE_TOP }, { "/dev", NODE_DEV }, { "/dev/cpu", NODE_CPUS }, { "/run", NODE_RUN },
		{ "/sim/run", NODE_RUN_STATE }, { "/sim/trouble", NODE_TROUBLE },
	};
	static const char cpus[] = "/dev/cpu/", run[] = "/run/";

	*n = (struct node){ .kind = NODE_TEXT, .text = path + 1 };
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!strcmp(path, places[i].path)) {
			n->kind = places[i].kind;
			return 0;
		}
	if (!strncmp(path, cpus, sizeof(cpus) - 1))
		return parse_cpu(path + sizeof(cpus) - 1, n);
	if (strncmp(path, run, sizeof(run) - 1))
		return 0;
	n->kind = NODE_RUN_FILE;
	n->text = simrun_name(path);
	return n->text ? 0 : -ENOENT;
}

/* The drivers remove a CPU's nodes when it goes offline, and devtmpfs the empty directory. */
bool simnode_exists(struct simfs *fs, const struct node *n)
{
	switch (n->kind) {
	case NODE_CPU:
	case NODE_CPUID:
		return simdev_has_cpuid(&fs->dev, n->cpu);
	case NODE_MSR:
		return simdev_has_msr(&fs->dev, n->cpu);
	default:
		return true;
	}
}

int simnode_find(struct simfs *fs, const char *path, struct node *n)
{
	int err = simnode_parse(path, n);

	if (err)
		return err;
	return simnode_exists(fs, n) ? 0 : -ENOENT;
}

/* ---------------------------------------------------------------- text files */

static long text_length(struct uncoremsr_sim *sim, const char *path)
{
	char c;

	return uncoremsr_sim_file_read(sim, path, &c, 0);
}

/* Is the file writable? A write of 0 bytes fails with EACCES if it is read-only. */
static bool text_writable(struct uncoremsr_sim *sim, const char *path)
{
	return uncoremsr_sim_file_write(sim, path, "", 0) != -EACCES;
}

/* The text is generated for each read (sysfs and procfs do it for each open). */
int simnode_read_text(struct simfs *fs, const char *path, char *buf, size_t size, off_t pos)
{
	long len = text_length(fs->dev.sim, path);
	size_t n = 0;
	char *text;

	if (len < 0)
		return (int)len;
	text = malloc((size_t)len + 1);
	if (!text)
		return -ENOMEM;
	len = uncoremsr_sim_file_read(fs->dev.sim, path, text, (size_t)len);
	if (len > pos) {
		n = (size_t)(len - pos) < size ? (size_t)(len - pos) : size;
		memcpy(buf, text + pos, n);
	}
	free(text);
	return len < 0 ? (int)len : (int)n;
}

enum { STATE_TEXT = SIMDEV_TROUBLE_TEXT + 1 };

static int state_line(struct simfs *fs, enum node_kind kind, char line[STATE_TEXT])
{
	char text[SIMDEV_TROUBLE_TEXT];

	if (kind == NODE_RUN_STATE)
		return snprintf(line, STATE_TEXT, "%s\n", simrun_state(&fs->run));
	simdev_trouble(&fs->dev, text);
	return snprintf(line, STATE_TEXT, "%s\n", text);
}

int simnode_read_state(struct simfs *fs, enum node_kind kind, char *buf, size_t size, off_t pos)
{
	char text[STATE_TEXT];
	int len = state_line(fs, kind, text);
	size_t n = pos < len ? (size_t)(len - pos) : 0;

	if (n > size)
		n = size;
	memcpy(buf, text + (pos < len ? pos : 0), n);
	return (int)n;
}

int simnode_getattr(struct simfs *fs, const struct node *n, struct stat *st)
{
	char line[STATE_TEXT];
	long len = 0;

	if (n->kind == NODE_TEXT)
		len = text_length(fs->dev.sim, n->text);
	else if (n->kind == NODE_RUN_STATE || n->kind == NODE_TROUBLE)
		len = state_line(fs, n->kind, line);
	if (len < 0 && len != -EISDIR)
		return (int)len;
	memset(st, 0, sizeof(*st));
	st->st_uid = getuid();
	st->st_gid = getgid();
	st->st_nlink = 1;
	if (n->kind == NODE_MSR)
		*st = fs->msr;
	else if (n->kind != NODE_TEXT)
		st->st_mode = node_mode[n->kind];
	else if (len < 0)
		st->st_mode = S_IFDIR | 0755;
	else
		st->st_mode = S_IFREG | (text_writable(fs->dev.sim, n->text) ? 0644 : 0444);
	st->st_size = len < 0 ? 0 : len;
	return 0;
}
