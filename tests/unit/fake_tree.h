/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An access back end that uses a list of files in memory, for tests of code that reads sysfs and procfs. CPUID leaves
 * are from a table; without a table, CPUID is not available.
 */
#ifndef FAKE_TREE_H
#define FAKE_TREE_H

#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/access.h"

struct fake_file {
	char path[96];
	char *text;
	size_t len;
};

struct fake_leaf {
	uint32_t leaf, regs[4];
};

struct fake_tree {
	struct um_access base;
	struct um_access_ops ops;
	struct fake_file *files;
	size_t num_files;
	const struct fake_leaf *leaves;
	size_t num_leaves;
	unsigned reads; /* number of reads of files that exist */
};

static inline struct fake_file *fake_find(struct fake_tree *f, const char *path)
{
	for (size_t i = 0; i < f->num_files; i++)
		if (strcmp(f->files[i].path, path) == 0)
			return &f->files[i];
	return NULL;
}

static inline ssize_t fake_read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	struct fake_tree *f = (struct fake_tree *)a;
	const struct fake_file *file = fake_find(f, path);
	size_t len;

	if (!file)
		return -ENOENT;
	f->reads++;
	len = file->len < size - 1 ? file->len : size - 1;
	memcpy(buf, file->text, len);
	buf[len] = '\0';
	return (ssize_t)len;
}

static inline int fake_list(struct um_access *a, const char *path,
			    int (*fn)(void *user, const char *name), void *user)
{
	struct fake_tree *f = (struct fake_tree *)a;
	size_t len = strlen(path);
	char last[96] = "", name[96];
	int ret, found = 0;

	for (size_t i = 0; i < f->num_files; i++) {
		const char *rest = f->files[i].path + len + 1;

		if (strncmp(f->files[i].path, path, len) != 0 || f->files[i].path[len] != '/')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, "/"), rest);
		found = 1;
		if (!*name) /* an entry "folder/" makes an empty folder */
			continue;
		if (strcmp(name, last) == 0)
			continue;
		strcpy(last, name);
		ret = fn(user, name);
		if (ret)
			return ret;
	}
	return found ? 0 : -ENOENT;
}

static inline int fake_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			     uint32_t regs[4])
{
	struct fake_tree *f = (struct fake_tree *)a;

	(void)cpu;
	if (subleaf)
		return -ENOENT;
	for (size_t i = 0; i < f->num_leaves; i++) {
		if (f->leaves[i].leaf != leaf)
			continue;
		memcpy(regs, f->leaves[i].regs, sizeof(f->leaves[i].regs));
		return 0;
	}
	return -ENOENT;
}

static inline void fake_init(struct fake_tree *f)
{
	memset(f, 0, sizeof(*f));
	f->ops.read_text = fake_read_text;
	f->ops.list = fake_list;
	f->ops.cpuid = fake_cpuid;
	f->base.ops = &f->ops;
	f->base.root = "";
}

static inline void fake_add_bytes(struct fake_tree *f, const char *path, const char *text,
				  size_t len)
{
	struct fake_file *file = fake_find(f, path);

	if (!file) {
		f->files = realloc(f->files, (f->num_files + 1) * sizeof(*f->files));
		ck_assert_ptr_nonnull(f->files);
		file = &f->files[f->num_files++];
		snprintf(file->path, sizeof(file->path), "%s", path);
	} else {
		free(file->text);
	}
	file->text = malloc(len + 1);
	ck_assert_ptr_nonnull(file->text);
	memcpy(file->text, text, len);
	file->len = len;
}

/* Add or replace a file with @text; @format and its arguments are the path. */
static inline void __attribute__((format(printf, 3, 4))) fake_add(struct fake_tree *f, const char *text,
								  const char *format, ...)
{
	char path[sizeof(f->files->path)];
	va_list ap;

	va_start(ap, format);
	vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	fake_add_bytes(f, path, text, strlen(text));
}

static inline void fake_free(struct fake_tree *f)
{
	for (size_t i = 0; i < f->num_files; i++)
		free(f->files[i].text);
	free(f->files);
	free(f->base.users);
}

#endif
