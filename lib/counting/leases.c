/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The lease directory as found at one moment: its files, whether what stands in them can be
 * believed, and what the public header tells about them. What is there is checked as if an enemy
 * had written it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counting/lease.h"
#include "counting/registers.h"
#include "uncoremsr/leases.h"

struct uncoremsr_lease {
	enum uncoremsr_lease_state state;
	struct um_lease_id id;     /* from the file's name */
	char file[96];
	struct um_record record;
	char why[128];
};

struct uncoremsr_leases {
	struct uncoremsr_lease *all;
	size_t num;
};

int um_lease_each(struct um_guard *g,
		  int (*fn)(void *user, const char *name, const struct um_lease_id *id), void *user)
{
	int fd = g->dir < 0 ? -1 : openat(g->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int err = 0;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && !err && (entry = readdir(dir))) {
		struct um_lease_id id;

		if (um_lease_parse_name(entry->d_name, &id))
			err = fn(user, entry->d_name, &id);
	}
	if (dir)
		closedir(dir);
	return err;
}

static int open_lease(struct um_guard *g, const char *name, int flags)
{
	int fd = openat(g->dir, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A unit that has the gate of a whole package: any will do. */
static bool box_behind(struct uncoremsr *um, const struct um_lease_id *id, struct um_box *box)
{
	for (size_t i = 0; i < um->m.num_pmus; i++) {
		struct um_box b = {
			.pmu = &um->m.pmus[i], .package = id->package, .die = id->die,
			.num_general = um->m.pmus[i].num_general, .width = um->m.pmus[i].general_width,
		};

		if (b.pmu->reach == UM_REACH_MSR && um_record_gate(id, &b)) {
			*box = b;
			return true;
		}
	}
	return false;
}

static bool box_of(struct uncoremsr *um, const struct um_lease_id *id, struct um_box *box)
{
	if (id->kind == UM_LEASE_GATE && !id->unit[0])
		return box_behind(um, id, box);
	return um_box_find(um, id->package, id->die, id->unit, box);
}

static bool same_id(const struct um_lease_id *a, const struct um_lease_id *b)
{
	return a->package == b->package && a->die == b->die && a->kind == b->kind &&
	       a->number == b->number && !strcmp(a->unit, b->unit);
}

static bool has_package(const struct uncoremsr *um, const struct um_lease_id *id)
{
	for (size_t i = 0; i < um->m.topo.num_packages; i++)
		if (um->m.topo.packages[i].id == id->package && um->m.topo.packages[i].die == id->die)
			return true;
	return false;
}

/* "cpu3", which is there but switched off: it can be put back when it is online again. */
static bool is_offline_cpu(const struct uncoremsr *um, const struct um_lease_id *id)
{
	char path[96], text[8];

	if (strncmp(id->unit, "cpu", 3) || !isdigit((unsigned char)id->unit[3]))
		return false;
	snprintf(path, sizeof(path), "sys/devices/system/cpu/%s/online", id->unit);
	return um_access_line(um->m.access, path, text, sizeof(text)) > 0 && *text == '0';
}

int um_lease_check(struct uncoremsr *um, struct um_guard *g, int fd, const struct um_lease_id *id,
		   struct um_record *r, struct um_box *box, char *why, size_t size)
{
	int have = um_lease_load(fd, r, why, size);

	if (have <= 0)
		return have;
	if (!same_id(&r->id, id)) {
		snprintf(why, size, "about another counter than its name says");
		return -EINVAL;
	}
	*box = (struct um_box){ .pmu = NULL };
	if (!um->m.num_pmus)
		return 1;
	if (um_record_check(r, um, g->boot, why, size))
		return -EINVAL;
	/* A package without an online CPU cannot be asked now. */
	if (!has_package(um, id))
		return 1;
	if (!box_of(um, id, box)) {
		*box = (struct um_box){ .pmu = NULL };
		if (is_offline_cpu(um, id))
			return 1;
		snprintf(why, size, "names a unit that does not exist");
		return -EINVAL;
	}
	return um_record_check_registers(r, um, box, why, size) ? -EINVAL : 1;
}

const char *uncoremsr_lease_dir(const struct uncoremsr *um)
{
	return um->m.lease_dir[0] ? um->m.lease_dir : NULL;
}

struct listing {
	struct uncoremsr *um;
	struct um_guard *g;
	struct uncoremsr_leases *list;
};

static int list_one(void *user, const char *name, const struct um_lease_id *id)
{
	struct listing *l = user;
	struct uncoremsr_lease found = { .id = *id };
	struct uncoremsr_lease *all;
	struct um_box box;
	int fd = open_lease(l->g, name, O_RDONLY), have;
	bool held;

	if (fd < 0)
		return 0;
	snprintf(found.file, sizeof(found.file), "%s", name);
	have = um_lease_check(l->um, l->g, fd, id, &found.record, &box, found.why,
			      sizeof(found.why));
	held = um_lease_is_held(fd);
	close(fd);
	/* What goes with a counter that is held is told with the counter. */
	if (held ? id->kind != UM_LEASE_COUNTER : !have)
		return 0;
	if (have <= 0)
		found.record.pid = -1;
	found.state = held ? UNCOREMSR_LEASE_HELD
			   : have > 0 ? UNCOREMSR_LEASE_LEFTOVER : UNCOREMSR_LEASE_INVALID;
	all = realloc(l->list->all, (l->list->num + 1) * sizeof(*all));
	if (!all)
		return um_fail(&l->um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED,
			       "out of memory");
	l->list->all = all;
	all[l->list->num++] = found;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct um_lease_id *x = &((const struct uncoremsr_lease *)a)->id;
	const struct um_lease_id *y = &((const struct uncoremsr_lease *)b)->id;
	int order;

	if (x->package != y->package)
		return x->package < y->package ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	order = strverscmp(x->unit, y->unit);
	if (order)
		return order;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **out)
{
	struct uncoremsr_leases *list = calloc(1, sizeof(*list));
	struct um_guard g = { .dir = -1 };
	int err;

	*out = NULL;
	if (!list)
		return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	err = um_guard_open(&g, um, false, &um->error);
	if (err == -ENOENT) /* nobody has counted here yet */
		err = 0;
	if (!err)
		err = um_lease_each(&g, list_one, &(struct listing){ um, &g, list });
	um_guard_close(&g);
	if (err) {
		uncoremsr_leases_free(list);
		return err;
	}
	if (list->num)
		qsort(list->all, list->num, sizeof(*list->all), by_place);
	*out = list;
	return 0;
}

void uncoremsr_leases_free(struct uncoremsr_leases *leases)
{
	if (!leases)
		return;
	free(leases->all);
	free(leases);
}

const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index)
{
	return index < leases->num ? &leases->all[index] : NULL;
}

enum uncoremsr_lease_state uncoremsr_lease_state(const struct uncoremsr_lease *lease)
{
	return lease->state;
}

int uncoremsr_lease_package(const struct uncoremsr_lease *lease)
{
	return lease->id.package;
}

int uncoremsr_lease_die(const struct uncoremsr_lease *lease)
{
	return lease->id.die;
}

const char *uncoremsr_lease_unit(const struct uncoremsr_lease *lease)
{
	return lease->id.unit;
}

int uncoremsr_lease_counter(const struct uncoremsr_lease *lease)
{
	return lease->id.kind == UM_LEASE_COUNTER ? (int)lease->id.number : -1;
}

uint32_t uncoremsr_lease_register(const struct uncoremsr_lease *lease)
{
	return lease->id.kind == UM_LEASE_COUNTER ? 0 : lease->id.number;
}

const char *uncoremsr_lease_file(const struct uncoremsr_lease *lease)
{
	return lease->file;
}

long uncoremsr_lease_pid(const struct uncoremsr_lease *lease)
{
	return lease->record.pid;
}

const char *uncoremsr_lease_command(const struct uncoremsr_lease *lease)
{
	return lease->record.command;
}

const char *uncoremsr_lease_event(const struct uncoremsr_lease *lease)
{
	return lease->record.event;
}

int64_t uncoremsr_lease_since(const struct uncoremsr_lease *lease)
{
	return lease->record.since;
}

const char *uncoremsr_lease_why(const struct uncoremsr_lease *lease)
{
	return lease->why;
}
