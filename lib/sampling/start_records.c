/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records that the kernel does not write, because what they tell happened before: where it lies itself,
 * and which processes run with which files mapped. As perf makes them (tools/perf/util/synthetic-events.c).
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/sampling.h"

enum { COMM_ROOM = 24, MAPS_ROOM = 64 * 1024, MAPS_MOST = 16 * 1024 * 1024 };

/* ---- the kernel ---- */

struct kernel_place {
	uint64_t start, end;
};

/* Lines "ADDRESS TYPE NAME"; addresses are 0 for who may not know them. */
static void look_at_symbol(struct kernel_place *k, const char *line)
{
	static const struct {
		const char *name;
		bool end;
	} marks[] = { { "_text", false }, { "_stext", false }, { "_etext", true } };
	char *rest;
	uint64_t at = strtoull(line, &rest, 16);

	if (rest == line || rest[0] != ' ' || !rest[1] || rest[2] != ' ')
		return;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		size_t len = strlen(marks[i].name);
		uint64_t *to = marks[i].end ? &k->end : &k->start;

		if (!strncmp(rest + 3, marks[i].name, len) && (rest[3 + len] == '\n' || !rest[3 + len]) && !*to)
			*to = at;
	}
}

/* The file is megabytes long; its lines about the image itself come first. */
static void find_kernel(const struct uncoremsr_sampling *s, struct kernel_place *k)
{
	struct um_access *a = s->um->m.access;
	char *text = malloc(MAPS_MOST);
	ssize_t len = text ? a->ops->read_text(a, "proc/kallsyms", text, MAPS_MOST) : -1;

	for (char *at = text; len > 0 && at && *at && !(k->start && k->end);) {
		char *next = strchr(at, '\n');

		look_at_symbol(k, at);
		at = next ? next + 1 : NULL;
	}
	free(text);
}

static void put_kernel(const struct uncoremsr_sampling *s, struct um_bytes *b)
{
	struct kernel_place k = { 0, 0 };
	size_t at;

	find_kernel(s, &k);
	if (!k.start || k.end <= k.start)
		return;
	at = um_bytes_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	um_bytes_u32(b, UINT32_MAX);
	um_bytes_u32(b, 0);
	um_bytes_u64(b, k.start);
	um_bytes_u64(b, k.end - k.start);
	um_bytes_u64(b, k.start);
	um_bytes_padded(b, "[kernel.kallsyms]_text", 8);
	um_bytes_end(b, at, s->first.sample_type);
}

/* ---- processes ---- */

struct process {
	const struct uncoremsr_sampling *s;
	struct um_bytes *b;
	uint32_t pid;
	char *maps;                  /* room for its file of maps */
	size_t room;
};

static void put_task(const struct process *p, uint32_t type, uint32_t tid, uint32_t parent)
{
	size_t at = um_bytes_begin(p->b, type, PERF_RECORD_MISC_COMM_EXEC);

	um_bytes_u32(p->b, p->pid);
	um_bytes_u32(p->b, tid == p->pid ? parent : p->pid);
	um_bytes_u32(p->b, tid);
	um_bytes_u32(p->b, tid == p->pid ? parent : p->pid);
	um_bytes_u64(p->b, 0);
	um_bytes_end(p->b, at, p->s->first.sample_type);
}

static void put_name(const struct process *p, uint32_t tid, const char *comm)
{
	size_t at = um_bytes_begin(p->b, PERF_RECORD_COMM, 0);

	um_bytes_u32(p->b, p->pid);
	um_bytes_u32(p->b, tid);
	um_bytes_padded(p->b, comm, 8);
	um_bytes_end(p->b, at, p->s->first.sample_type);
}

static int put_thread(void *user, const char *name)
{
	const struct process *p = user;
	struct um_access *a = p->s->um->m.access;
	uint32_t tid = (uint32_t)strtoul(name, NULL, 10);
	char path[64], comm[COMM_ROOM];

	if (!tid)
		return 0;
	snprintf(path, sizeof(path), "proc/%" PRIu32 "/task/%" PRIu32 "/comm", p->pid, tid);
	if (um_access_line(a, path, comm, sizeof(comm)) < 0)
		return 0;
	put_task(p, PERF_RECORD_FORK, tid, 1);
	put_name(p, tid, comm);
	return 0;
}

/* "START-END PERMS OFFSET MAJOR:MINOR INODE     NAME" */
static void put_map(const struct process *p, const char *line)
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
	um_bytes_end(p->b, at, p->s->first.sample_type);
}

static void put_maps(struct process *p)
{
	struct um_access *a = p->s->um->m.access;
	char path[64];
	ssize_t len;

	snprintf(path, sizeof(path), "proc/%" PRIu32 "/maps", p->pid);
	for (;;) {
		char *grown;

		len = a->ops->read_text(a, path, p->maps, p->room);
		if (len < (ssize_t)p->room - 1 || p->room >= MAPS_MOST)
			break;
		grown = realloc(p->maps, p->room * 2);
		if (!grown)
			break;
		p->maps = grown;
		p->room *= 2;
	}
	for (char *at = p->maps; len > 0 && at && *at;) {
		char *next = strchr(at, '\n');

		if (next)
			*next++ = '\0';
		put_map(p, at);
		at = next;
	}
}

static int put_process(void *user, const char *name)
{
	struct process *p = user;
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

/* The process that a thread is of; itself where its file does not tell. */
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

int um_sampling_start_records(const struct uncoremsr_sampling *s, struct um_bytes *b)
{
	struct process p = { .s = s, .b = b, .room = MAPS_ROOM };
	struct um_access *a = s->um->m.access;

	put_kernel(s, b);
	p.maps = malloc(p.room);
	if (!p.maps)
		return -ENOMEM;
	if (s->target == UNCOREMSR_TARGET_SYSTEM)
		a->ops->list(a, "proc", put_process, &p);
	/* A command tells all of it by its exec. */
	for (size_t i = 0; s->target != UNCOREMSR_TARGET_COMMAND && i < s->num_ids; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%ld", process_of(s, s->ids[i]));
		put_process(&p, name);
	}
	free(p.maps);
	return b->failed ? -ENOMEM : 0;
}
