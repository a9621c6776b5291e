/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/build_id.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "uncoremsr/file.h"

/* Sanity limits: valid files have fewer program headers and shorter notes. */
enum { MOST_HEADERS = 256, NOTES_ROOM = 4096 };

static uint64_t aligned(uint64_t n, size_t align)
{
	return (n + align - 1) / align * align;
}

bool um_build_id_of_notes(struct uncoremsr_perf_data_build *b, const unsigned char *notes, size_t len, size_t align)
{
	Elf64_Nhdr n;

	align = align == 8 ? 8 : 4;
	for (uint64_t at = 0; at + sizeof(n) <= len;) {
		uint64_t name = at + sizeof(n), desc;

		memcpy(&n, notes + at, sizeof(n));
		desc = name + aligned(n.n_namesz, align);
		if (desc + n.n_descsz > len)
			return false;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof(ELF_NOTE_GNU) && n.n_descsz &&
		    n.n_descsz <= sizeof(b->id) && !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			b->id_size = n.n_descsz;
			memcpy(b->id, notes + desc, b->id_size);
			return true;
		}
		at = desc + aligned(n.n_descsz, align);
	}
	return false;
}

static bool read_at(int fd, void *to, size_t len, uint64_t at)
{
	return at <= INT64_MAX && pread(fd, to, len, (off_t)at) == (ssize_t)len;
}

static bool look_at_notes(struct uncoremsr_perf_data_build *b, int fd, uint64_t at, uint64_t len, uint64_t align)
{
	unsigned char notes[NOTES_ROOM];
	ssize_t n = at <= INT64_MAX ? pread(fd, notes, len < sizeof(notes) ? len : sizeof(notes), (off_t)at) : 0;

	return n > 0 && um_build_id_of_notes(b, notes, (size_t)n, (size_t)align);
}

static bool look_at_64(struct uncoremsr_perf_data_build *b, int fd)
{
	Elf64_Ehdr h;
	Elf64_Phdr p;
	bool found = false;

	if (!read_at(fd, &h, sizeof(h), 0) || h.e_phentsize != sizeof(p))
		return false;
	for (unsigned i = 0; i < h.e_phnum && i < MOST_HEADERS && !found; i++)
		if (read_at(fd, &p, sizeof(p), h.e_phoff + i * sizeof(p)) && p.p_type == PT_NOTE)
			found = look_at_notes(b, fd, p.p_offset, p.p_filesz, p.p_align);
	return found;
}

static bool look_at_32(struct uncoremsr_perf_data_build *b, int fd)
{
	Elf32_Ehdr h;
	Elf32_Phdr p;
	bool found = false;

	if (!read_at(fd, &h, sizeof(h), 0) || h.e_phentsize != sizeof(p))
		return false;
	for (unsigned i = 0; i < h.e_phnum && i < MOST_HEADERS && !found; i++)
		if (read_at(fd, &p, sizeof(p), h.e_phoff + i * sizeof(p)) && p.p_type == PT_NOTE)
			found = look_at_notes(b, fd, p.p_offset, p.p_filesz, p.p_align);
	return found;
}

bool um_build_id_of_file(struct uncoremsr_perf_data_build *b, const char *path)
{
	/* Open only regular files: opening a device could block or have side effects. */
	int fd = uncoremsr_file_open(path, UNCOREMSR_FILE_ANY, UNCOREMSR_FILE_PLAIN);
	unsigned char ident[EI_NIDENT];
	bool found = false;

	if (fd < 0)
		return false;
	if (read_at(fd, ident, sizeof(ident), 0) && !memcmp(ident, ELFMAG, SELFMAG) &&
	    ident[EI_DATA] == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB))
		found = ident[EI_CLASS] == ELFCLASS64 ? look_at_64(b, fd) : look_at_32(b, fd);
	close(fd);
	return found;
}
