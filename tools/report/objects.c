/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/objects.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/memory.h"
#include "report/names.h"
#include "report/symbols.h"

#define KERNEL "[kernel.kallsyms]"

struct object {
	const char *name;      /* interned; path, "[module]" or, for generated code, path of the map file */
	bool kernel;
	unsigned char id_size, id[UNCOREMSR_BUILD_ID_SIZE];
	/* The key in @set consists of the members above. */
	const char *shown;
	bool program;          /* code that a program generated while it ran (JIT) */
	bool looked_for_symbols;
	uint64_t start;        /* recorded address of the kernel or module */
	struct symbol_table table;
	uint64_t shift;        /* kernel: address in @table minus recorded address, which differ after a reboot */
	struct elf *elf;
};

struct objects {
	const struct uncoremsr_perf_data *data;
	const char *symfs;           /* argument of --symfs; may be NULL */
	struct set set;
	struct set builds;           /* the build ids of @data, by name */
	bool same_host, same_kernel; /* the file was recorded on this host, with this kernel */
};

struct build {
	const char *name; /* interned */
	bool kernel;
	const struct uncoremsr_perf_data_build *known;
};

/* If a name has several build ids, the first one is used. */
static void note_builds(struct objects *o)
{
	const struct uncoremsr_perf_data_build *b;

	for (size_t i = 0; (b = o->data->builds[i]); i++) {
		const struct build build = { .name = name_of(b->name), .kernel = b->kernel, .known = b };

		need(set_get(&o->builds, &build, sizeof(build), SET_KEY(struct build, kernel)));
	}
}

static bool may_be(const char *theirs, const char *ours)
{
	return !theirs || !strcmp(theirs, ours);
}

struct objects *objects_new(const struct uncoremsr_perf_data *data, const char *symfs)
{
	struct objects *o = need(calloc(1, sizeof(*o)));
	struct utsname here;

	o->data = data;
	o->symfs = symfs;
	if (!uname(&here)) {
		o->same_host = may_be(data->host, here.nodename) && may_be(data->arch, here.machine);
		o->same_kernel = o->same_host && data->release && !strcmp(data->release, here.release);
	}
	note_builds(o);
	return o;
}

void objects_free(struct objects *o)
{
	for (size_t i = 0; i < o->set.num; i++) {
		struct object *object = o->set.items[i];

		elf_close(object->elf);
		symbol_table_free(&object->table);
	}
	set_free(&o->set);
	set_free(&o->builds);
	free(o);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static const struct uncoremsr_perf_data_build *find_build(const struct objects *o, const char *name, bool kernel)
{
	const struct build like = { .name = name, .kernel = kernel };
	const struct build *build = set_find(&o->builds, &like, SET_KEY(struct build, kernel));

	return build ? build->known : NULL;
}

/* Is this the name of a mapping without a file? Such memory may contain generated code. */
static bool is_anonymous(const char *name)
{
	return begins(name, "//anon") || begins(name, "/dev/zero") || begins(name, "/anon_hugepage");
}

/* The kernel's name of a module: "[nfs_common]" for "/lib/modules/6.1.0/kernel/fs/nfs-common.ko.xz". */
static const char *module_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *end = slash ? strstr(slash, ".ko") : NULL;
	char name[128];
	int len;

	if (path[0] != '/' || !end)
		return name_of(path);
	len = snprintf(name, sizeof(name), "[%.*s]", (int)(end - slash - 1), slash + 1);
	for (int i = 0; i < len && i < (int)sizeof(name) - 1; i++)
		if (name[i] == '-')
			name[i] = '_';
	return name_of(name);
}

static const char *object_path(const struct object *object, const char *name)
{
	if (object->kernel && begins(name, KERNEL))
		return name_of(KERNEL);
	return object->kernel ? module_name(name) : name_of(name);
}

static void describe(struct object *object, const struct uncoremsr_record *rec)
{
	const char *slash;

	object->kernel = (rec->misc & UNCOREMSR_RECORD_MODE) == UNCOREMSR_RECORD_KERNEL;
	object->start = rec->start;
	object->program = !object->kernel && is_anonymous(rec->name);
	if (object->program) {
		object->name = name_of_fmt("/tmp/perf-%u.map", rec->pid);
		object->shown = name_of_fmt("[JIT] tid %u", rec->pid);
		return;
	}
	object->name = object_path(object, rec->name);
	slash = object->name[0] != '[' ? strrchr(object->name, '/') : NULL;
	object->shown = slash && slash[1] ? name_of(slash + 1) : object->name;
}

struct object *objects_of(struct objects *o, const struct uncoremsr_record *rec)
{
	struct object key = { .id_size = (unsigned char)rec->build_id_size };
	const struct uncoremsr_perf_data_build *build;

	describe(&key, rec);
	build = rec->build_id || key.program ? NULL : find_build(o, key.name, key.kernel);
	if (rec->build_id) {
		memcpy(key.id, rec->build_id, rec->build_id_size);
	} else if (build) {
		memcpy(key.id, build->id, build->id_size);
		key.id_size = (unsigned char)build->id_size;
	}
	return need(set_get(&o->set, &key, sizeof(key), SET_KEY(struct object, id)));
}

const char *object_name(const struct object *object)
{
	return object->shown;
}

bool build_id_path(char path[PATH_MAX], const char *root, const char *folder, const unsigned char *id, size_t size,
		   const char *end)
{
	int used = snprintf(path, PATH_MAX, "%s%s/.build-id/", root ? root : "", folder);

	if (!root || size < 2 || size > UNCOREMSR_BUILD_ID_SIZE || used < 0 || used > PATH_MAX - 64)
		return false;
	for (size_t i = 0; i < size; i++)
		used += sprintf(path + used, i ? "%02x" : "%02x/", id[i]);
	strcpy(path + used, end);
	return true;
}

static bool open_elf(const struct objects *o, struct object *object, const char *path)
{
	object->elf = elf_open(path, o->symfs ? o->symfs : "", object->id, object->id_size);
	return object->elf != NULL;
}

static bool open_by_build_id(const struct objects *o, struct object *object, const char *root, const char *folder,
			     const char *end)
{
	char path[PATH_MAX];

	return build_id_path(path, root, folder, object->id, object->id_size, end) && open_elf(o, object, path);
}

static void find_file(const struct objects *o, struct object *object)
{
	const char *home = secure_getenv("HOME"), *symfs = o->symfs ? o->symfs : "";
	char path[PATH_MAX];

	if (open_by_build_id(o, object, home, "/.debug", "/elf") ||
	    open_by_build_id(o, object, home, "/.debug", "/vdso"))
		return;
	if (object->name[0] == '/' && (object->id_size || o->symfs || o->same_host) &&
	    snprintf(path, sizeof(path), "%s%s", symfs, object->name) < PATH_MAX && open_elf(o, object, path))
		return;
	open_by_build_id(o, object, symfs, "/usr/lib/debug", ".debug");
}

static bool is_this_kernel(const struct objects *o)
{
	unsigned char id[UNCOREMSR_BUILD_ID_SIZE];
	size_t size = kallsyms_build_id(id, sizeof(id));
	const struct uncoremsr_perf_data_build *b = find_build(o, name_of(KERNEL), true);

	return b ? size && size <= b->id_size && !memcmp(b->id, id, size) : o->same_kernel;
}

/* Find the symbols of the kernel or a module. The kernel's address changes at each boot, so addresses are shifted. */
static void find_kernel(const struct objects *o, struct object *object)
{
	const char *home = secure_getenv("HOME");
	bool module = strcmp(object->name, KERNEL) != 0;
	char path[PATH_MAX];
	uint64_t text = 0, start;

	if (!module && build_id_path(path, home, "/.debug", object->id, object->id_size, "/kallsyms"))
		text = kallsyms_read(path, NULL, &object->table);
	if (!text && !o->symfs && is_this_kernel(o) &&
	    (!module || (kallsyms_module(object->name, &start) && start == object->start)))
		text = kallsyms_read("/proc/kallsyms", module ? object->name : NULL, &object->table);
	if (!module && text)
		object->shift = text - object->start;
	if (!module && !text)
		symbol_table_free(&object->table);
}

static void need_symbols(const struct objects *o, struct object *object)
{
	if (object->looked_for_symbols)
		return;
	object->looked_for_symbols = true;
	if (object->kernel)
		find_kernel(o, object);
	else if (object->program && o->same_host)
		kallsyms_program(object->name, geteuid(), &object->table);
	else if (!object->program)
		find_file(o, object);
	if (object->elf)
		elf_symbols(object->elf, &object->table);
	symbol_table_finish(&object->table);
}

static uint64_t offset_of(const struct map *m, uint64_t address)
{
	return address - m->start + m->pgoff;
}

static bool address_in_table(const struct map *m, uint64_t address, uint64_t *at)
{
	const struct object *object = m->object;

	if (object->elf)
		return elf_address(object->elf, offset_of(m, address), at);
	*at = address + object->shift;
	return true;
}

const char *objects_symbol(struct objects *o, const struct map *m, uint64_t address)
{
	const char *name;
	uint64_t at;

	need_symbols(o, m->object);
	name = address_in_table(m, address, &at) ? symbol_table_name(&m->object->table, at) : NULL;
	if (name)
		return name;
	if (m->object->kernel || m->object->program)
		return name_of_fmt("0x%llx", (unsigned long long)address);
	return name_of_fmt("%s+0x%llx", m->object->shown, (unsigned long long)offset_of(m, address));
}

const char *objects_line(struct objects *o, const struct map *m, uint64_t address)
{
	uint64_t at;

	need_symbols(o, m->object);
	return m->object->elf && address_in_table(m, address, &at) ? elf_line(m->object->elf, at) : NULL;
}
