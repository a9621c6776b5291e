/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ELF files, read with elfutils. Debug files are searched for here, because elfutils would also ask servers. */
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/array.h"
#include "common/memory.h"
#include "report/symbols.h"
#include "report/names.h"
#include "report/objects.h"
#include "uncoremsr/file.h"

struct elf {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *file; /* NULL if an object file cannot be relocated; then libelf's functions find nothing */
	GElf_Addr bias;
};

/* Maximum size of a file (a browser with debug information has some GB), and of a file whose checksum is computed. */
#define MOST_BYTES ((uint64_t)8 << 30)
#define MOST_SUMMED ((uint64_t)1 << 30)

/* How the right file is recognised: by its build id if @id_size is not 0, else by its checksum. */
struct wanted {
	const unsigned char *id;
	size_t id_size;
	const uint32_t *crc; /* NULL: do not check the checksum */
};

static bool has_build_id(Elf *file, const unsigned char *id, size_t size)
{
	const void *found;
	ssize_t len = dwelf_elf_gnu_build_id(file, &found);

	/* The kernel pads recorded ids with zeros, so compare only the length of the file's id. */
	return len > 0 && (size_t)len <= size && !memcmp(found, id, (size_t)len);
}

/* Does the file have this checksum? .gnu_debuglink has the CRC-32 (as in zlib) of the whole file. */
static bool has_crc(Elf *file, uint32_t wanted)
{
	size_t size;
	const char *bytes = elf_rawfile(file, &size);

	return bytes && crc32(0, (const Bytef *)bytes, (uInt)size) == wanted;
}

static bool is_right(int fd, const struct wanted *w)
{
	Elf *file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool is = file && elf_kind(file) == ELF_K_ELF &&
		  (w->id_size ? has_build_id(file, w->id, w->id_size) : !w->crc || has_crc(file, *w->crc));

	elf_end(file);
	return is;
}

static int open_wanted(const char *path, const struct wanted *w)
{
	int fd = uncoremsr_file_open(path, w->id_size || !w->crc ? MOST_BYTES : MOST_SUMMED, UNCOREMSR_FILE_PLAIN);

	if (fd < 0 || is_right(fd, w))
		return fd;
	close(fd);
	return -1;
}

static int find_by_link(const char *root, const char *file, const char *link, const struct wanted *w,
			char path[PATH_MAX])
{
	const char *slash = strrchr(file, '/');
	size_t skip = strncmp(file, root, strlen(root)) ? 0 : strlen(root);
	int len = slash ? (int)(slash - file) : 0, fd = -1;
	const char *const forms[] = { "", "/.debug" };

	/* Accept only a plain name, so that the link cannot lead to another folder. */
	if (!slash || strchr(link, '/'))
		return -1;
	for (size_t i = 0; fd < 0 && i < ARRAY_SIZE(forms); i++)
		if (snprintf(path, PATH_MAX, "%.*s%s/%s", len, file, forms[i], link) < PATH_MAX)
			fd = open_wanted(path, w);
	if (fd < 0 && (size_t)len >= skip &&
	    snprintf(path, PATH_MAX, "%s/usr/lib/debug%.*s/%s", root, len - (int)skip, file + skip, link) < PATH_MAX)
		fd = open_wanted(path, w);
	return fd;
}

/* Find a separate debug file by the build id of the module or, if there is none, by its .gnu_debuglink. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
			  const char *link, GElf_Word crc, char **found)
{
	const char *root = *user ? *user : "";
	struct wanted w = { .crc = &crc };
	GElf_Addr at;
	int len = dwfl_module_build_id(module, &w.id, &at), fd = -1;
	char path[PATH_MAX];

	(void)name, (void)base;
	w.id_size = len > 0 ? (size_t)len : 0;
	if (build_id_path(path, root, "/usr/lib/debug", w.id, w.id_size, ".debug"))
		fd = open_wanted(path, &w);
	if (fd < 0 && file && link)
		fd = find_by_link(root, file, link, &w, path);
	if (fd >= 0)
		*found = strdup(path);
	return fd;
}

/* dwfl_report_offline() opens the file itself, so find_elf() is never called. */
static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct elf *elf_open(const char *path, const char *root, const unsigned char *id, size_t size)
{
	const struct wanted w = { .id = id, .id_size = size };
	struct elf *e;
	void **user;
	int fd;

	elf_version(EV_CURRENT);
	fd = open_wanted(path, &w);
	if (fd < 0)
		return NULL;
	e = need(calloc(1, sizeof(*e)));
	e->dwfl = need(dwfl_begin(&callbacks));
	e->module = dwfl_report_offline(e->dwfl, path, path, fd);
	if (!e->module) {
		close(fd);
		elf_close(e);
		return NULL;
	}
	/* From here on libdwfl owns the descriptor. */
	dwfl_report_end(e->dwfl, NULL, NULL);
	dwfl_module_info(e->module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
	*user = (void *)root;
	e->file = dwfl_module_getelf(e->module, &e->bias);
	return e;
}

void elf_close(struct elf *e)
{
	if (e)
		dwfl_end(e->dwfl);
	free(e);
}

/* As in perf: functions, data, and visible labels. */
static bool is_wanted(const GElf_Sym *sym, const char *name)
{
	unsigned type = GELF_ST_TYPE(sym->st_info), see = GELF_ST_VISIBILITY(sym->st_other);

	if (!name || !*name || sym->st_shndx == SHN_UNDEF)
		return false;
	if (type == STT_NOTYPE)
		return sym->st_shndx != SHN_ABS && see != STV_HIDDEN && see != STV_INTERNAL;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT;
}

static uint64_t section_end(struct elf *e, const GElf_Sym *sym)
{
	Elf_Scn *section = elf_getscn(e->file, sym->st_shndx);
	GElf_Shdr header;

	return section && gelf_getshdr(section, &header) ? header.sh_addr + header.sh_size : 0;
}

void elf_symbols(struct elf *e, struct symbol_table *t)
{
	int num = dwfl_module_getsymtab(e->module);

	for (int i = 1; i < num; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(e->module, i, &sym, &address, NULL, NULL, NULL);
		unsigned bind = GELF_ST_BIND(sym.st_info);
		struct symbol s = { .start = address - e->bias, .end = address - e->bias + sym.st_size, .name = name,
				    .weak = bind == STB_WEAK, .global = bind == STB_GLOBAL };

		if (!is_wanted(&sym, name))
			continue;
		s.sized = s.end > s.start;
		if (!s.sized)
			s.end = section_end(e, &sym);
		symbol_table_add(t, &s);
	}
	jump_table_symbols(e->file, t);
}

bool elf_address(const struct elf *e, uint64_t offset, uint64_t *address)
{
	size_t num;

	if (elf_getphdrnum(e->file, &num))
		return false;
	for (size_t i = 0; i < num; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(e->file, (int)i, &p) || p.p_type != PT_LOAD || offset < p.p_offset ||
		    offset - p.p_offset >= p.p_filesz)
			continue;
		*address = offset - p.p_offset + p.p_vaddr;
		return true;
	}
	return false;
}

const char *elf_line(struct elf *e, uint64_t address)
{
	Dwfl_Line *line = dwfl_module_getsrc(e->module, address + e->bias);
	const char *file, *slash;
	int number;

	file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	if (!file)
		return NULL;
	slash = strrchr(file, '/');
	return name_of_fmt("%s:%d", slash ? slash + 1 : file, number);
}
