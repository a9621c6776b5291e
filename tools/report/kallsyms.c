/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/symbols.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "uncoremsr/file.h"

enum { NOTE_BUILD_ID = 3, MOST_BYTES = 1 << 28 };

/* Parse a hexadecimal number at @p, with or without "0x". Returns its end, or NULL if there is no number. */
static char *hex(char *p, uint64_t *v)
{
	char *end;

	if (!isxdigit((unsigned char)*p))
		return NULL;
	*v = strtoull(p, &end, 16);
	return end;
}

static FILE *open_lines(const char *path, unsigned flags)
{
	int fd = uncoremsr_file_open(path, MOST_BYTES, UNCOREMSR_FILE_PLAIN | flags);

	return fd < 0 ? NULL : need(fdopen(fd, "r"));
}

uint64_t kallsyms_read(const char *path, const char *module, struct symbol_table *t)
{
	FILE *f = open_lines(path, 0);
	uint64_t text = 0;
	char line[1024];

	while (f && fgets(line, sizeof(line), f)) {
		uint64_t at;
		char *p = hex(line, &at), *name, *of;

		if (!p || p[0] != ' ' || !p[1] || p[2] != ' ')
			continue;
		name = p + 3;
		name[strcspn(name, "\n")] = '\0';
		of = strchr(name, '\t');
		if (of)
			*of++ = '\0';
		if (!strcmp(name, "_text"))
			text = at;
		if (!at || !strchr("tTwW", p[1]) || (of ? !module || strcmp(of, module) : !!module))
			continue;
		symbol_table_add(t, &(struct symbol){ .start = at, .name = need(arena_text(&t->names, name)),
						      .weak = p[1] == 'W', .global = isupper((unsigned char)p[1]) });
	}
	if (f)
		fclose(f);
	return text;
}

bool kallsyms_module(const char *module, uint64_t *start)
{
	FILE *f = fopen("/proc/modules", "re");
	char line[1024], wanted[128];
	bool found = false;

	snprintf(wanted, sizeof(wanted), "%.*s ", (int)strcspn(module + 1, "]"), module + 1);
	while (f && !found && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, " 0x");

		found = at && !strncmp(line, wanted, strlen(wanted)) && hex(at + 3, start) && *start;
	}
	if (f)
		fclose(f);
	return found;
}

/* A note has the size of its name, the size of its body, a type, the name and the body (both padded to 4 bytes). */
size_t kallsyms_build_id(unsigned char *id, size_t size)
{
	unsigned char notes[4096];
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, notes, sizeof(notes));

	if (fd >= 0)
		close(fd);
	for (size_t at = 0, have = len < 0 ? 0 : (size_t)len; have - at >= 12; ) {
		uint32_t head[3];
		size_t name, body;

		memcpy(head, notes + at, sizeof(head));
		at += sizeof(head);
		name = ((size_t)head[0] + 3) / 4 * 4;
		body = ((size_t)head[1] + 3) / 4 * 4;
		if (name > have - at || body > have - at - name)
			break;
		if (head[2] == NOTE_BUILD_ID && head[0] == 4 && !memcmp(notes + at, "GNU", 4) && head[1] <= size) {
			memcpy(id, notes + at + name, head[1]);
			return head[1];
		}
		at += name + body;
	}
	return 0;
}

void kallsyms_program(const char *path, uint32_t owner, struct symbol_table *t)
{
	FILE *f = open_lines(path, UNCOREMSR_FILE_NO_LINK);
	struct stat st;
	char line[4096];
	bool trusted = f && !fstat(fileno(f), &st) && (st.st_uid == owner || !st.st_uid);

	while (trusted && fgets(line, sizeof(line), f)) {
		uint64_t start, size;
		char *p = hex(line, &start);

		if (!p || *p != ' ')
			continue;
		p = hex(p + 1, &size);
		if (!p || *p != ' ')
			continue;
		p[1 + strcspn(p + 1, "\n")] = '\0';
		if (p[1])
			symbol_table_add(t, &(struct symbol){ .start = start, .end = start + size, .sized = true,
							      .name = need(arena_text(&t->names, p + 1)) });
	}
	if (f)
		fclose(f);
}
