/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records of what existed before sampling began, because the kernel writes none: the kernel's own mapping, and the
 * running processes with their mapped files. perf does the same (tools/perf/util/synthetic-events.c).
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/sampling.h"

/* @TEXT_ROOM exceeds the largest file to read. Only the pages that are really written use memory. */
enum { COMM_ROOM = 24, MODULE_ROOM = 64, TEXT_ROOM = 16 * 1024 * 1024 };

struct start {
	const struct uncoremsr_sampling *s;
	struct um_bytes *b;
	char *text;                  /* the file that was read last */
	uint32_t pid;
};

/* Read a file into @text. Returns NULL if the file cannot be read or is empty. */
static char *read_file(const struct start *p, const char *path)
{
	struct um_access *a = p->s->um->m.access;

	return a->ops->read_text(a, path, p->text, TEXT_ROOM) > 0 ? p->text : NULL;
}

/* ---- the kernel ---- */

/* Address of a symbol in lines "ADDRESS TYPE NAME"; @end: " NAME\n". 0: no such symbol, or not shown to this user. */
static uint64_t address_of(const char *text, const char *end)
{
	const char *line = strstr(text, end);

	while (line && line > text && line[-1] != '\n')
		line--;
	return line ? strtoull(line, NULL, 16) : 0;
}

static void put_kernel(const struct start *p)
{
	const char *text = read_file(p, "proc/kallsyms");
	uint64_t start, end;

	if (!text)
		return;
	start = address_of(text, " _text\n") ?: address_of(text, " _stext\n");
	end = address_of(text, " _etext\n");
	if (start && end > start)
		um_bytes_kernel_map(p->b, start, end - start, start, "[kernel.kallsyms]_text",
				    p->s->settings.sample_type);
}

/* Lines of /proc/modules: "NAME SIZE REFERENCES USERS STATE ADDRESS". An address of 0 is hidden from this user. */
static void put_modules(const struct start *p)
{
	for (const char *line = read_file(p, "proc/modules"); line; line = strchr(line, '\n')) {
		char name[MODULE_ROOM], shown[MODULE_ROOM + 2];
		uint64_t size, start;

		line += *line == '\n';
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &start) != 3 || !start || !size)
			continue;
		snprintf(shown, sizeof(shown), "[%s]", name);
		um_bytes_kernel_map(p->b, start, size, 0, shown, p->s->settings.sample_type);
	}
}

/* ---- processes ---- */

static void put_fork(const struct start *p, uint32_t tid)
{
	uint32_t parent = tid == p->pid ? 1 : p->pid;
	size_t at = um_bytes_begin(p->b, PERF_RECORD_FORK, PERF_RECORD_MISC_COMM_EXEC);

	um_bytes_u32(p->b, p->pid);
	um_bytes_u32(p->b, parent);
	um_bytes_u32(p->b, tid);
	um_bytes_u32(p->b, parent);
	um_bytes_u64(p->b, 0);
	um_bytes_end(p->b, at, p->s->settings.sample_type);
}

static void put_name(const struct start *p, uint32_t tid, const char *comm)
{
	size_t at = um_bytes_begin(p->b, PERF_RECORD_COMM, 0);

	um_bytes_u32(p->b, p->pid);
	um_bytes_u32(p->b, tid);
	um_bytes_padded(p->b, comm, 8);
	um_bytes_end(p->b, at, p->s->settings.sample_type);
}

static int put_thread(void *user, const char *name)
{
	const struct start *p = user;
	struct um_access *a = p->s->um->m.access;
	uint32_t tid = (uint32_t)strtoul(name, NULL, 10);
	char path[64], comm[COMM_ROOM];

	if (!tid)
		return 0;
	snprintf(path, sizeof(path), "proc/%" PRIu32 "/task/%" PRIu32 "/comm", p->pid, tid);
	if (um_access_line(a, path, comm, sizeof(comm)) < 0)
		return 0;
	put_fork(p, tid);
	put_name(p, tid, comm);
	return 0;
}

/* Write a record for an executable mapping in /proc/PID/maps: "START-END PERMS OFFSET MAJOR:MINOR INODE NAME". */
static void put_map(const struct start *p, const char *line)
{
	uint64_t start, stop, offset, inode;
	unsigned major, minor;
	char perms[5];
	int name = 0;
	size_t at;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &start, &stop, perms,
		   &offset, &major, &minor, &inode, &name) < 7 || perms[2] != 'x' || stop <= start)
		return;
	at = um_bytes_begin(p->b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	um_bytes_u32(p->b, p->pid);
	um_bytes_u32(p->b, p->pid);
	um_bytes_u64(p->b, start);
	um_bytes_u64(p->b, stop - start);
	um_bytes_u64(p->b, offset);
	um_bytes_u32(p->b, major);
	um_bytes_u32(p->b, minor);
	um_bytes_u64(p->b, inode);
	um_bytes_u64(p->b, 0);
	um_bytes_u32(p->b, (perms[0] == 'r' ? 1u : 0u) | (perms[1] == 'w' ? 2u : 0u) | 4u);
	um_bytes_u32(p->b, perms[3] == 's' ? 1u : 2u); /* MAP_SHARED, MAP_PRIVATE */
	um_bytes_padded(p->b, name && line[name] ? line + name : "//anon", 8);
	um_bytes_end(p->b, at, p->s->settings.sample_type);
}

static void put_maps(const struct start *p)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%" PRIu32 "/maps", p->pid);
	for (char *at = read_file(p, path); at && *at;) {
		char *next = strchr(at, '\n');

		if (next)
			*next++ = '\0';
		put_map(p, at);
		at = next;
	}
}

static int put_process(void *user, const char *name)
{
	struct start *p = user;
	struct um_access *a = p->s->um->m.access;
	char path[64];

	if (!isdigit((unsigned char)name[0]))
		return 0;
	p->pid = (uint32_t)strtoul(name, NULL, 10);
	snprintf(path, sizeof(path), "proc/%" PRIu32 "/task", p->pid);
	a->ops->list(a, path, put_thread, p);
	put_maps(p);
	return p->b->failed ? -ENOMEM : 0;
}

/* The id of the thread's process, or the id of the thread itself if its status file has no process id. */
static long process_of(const struct uncoremsr_sampling *s, long id)
{
	struct um_access *a = s->um->m.access;
	char path[64], text[512], *line;

	snprintf(path, sizeof(path), "proc/%ld/status", id);
	if (a->ops->read_text(a, path, text, sizeof(text)) <= 0)
		return id;
	line = strstr(text, "\nTgid:");
	return line ? strtol(line + 6, NULL, 10) : id;
}

void um_sampling_start_records(const struct uncoremsr_sampling *s, struct um_bytes *b)
{
	struct start p = { .s = s, .b = b, .text = malloc(TEXT_ROOM) };
	struct um_access *a = s->um->m.access;

	if (!p.text) {
		b->failed = true;
		return;
	}
	put_kernel(&p);
	put_modules(&p);
	if (s->target == UNCOREMSR_TARGET_SYSTEM)
		a->ops->list(a, "proc", put_process, &p);
	/* A command that we start needs no records from us, because the kernel records its exec and mappings. */
	for (size_t i = 0; s->target != UNCOREMSR_TARGET_COMMAND && i < s->num_ids; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%ld", process_of(s, s->ids[i]));
		put_process(&p, name);
	}
	free(p.text);
}
