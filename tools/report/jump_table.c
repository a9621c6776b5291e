/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/symbols.h"

#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "report/names.h"

/* Size of an entry on x86-64, and of the code before the first entry in .plt (System V ABI, AMD64, 5.2). */
#define ENTRY_SIZE 16

/* The relocations: one for each entry, with the symbol of the called function. */
struct slots {
	GElf_Rela *at;
	size_t num;
	Elf_Data *symbols;
	size_t names;      /* index of the section with the names of @symbols */
};

static Elf_Scn *find_section(Elf *file, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(file, &names))
		return NULL;
	while ((section = elf_nextscn(file, section))) {
		const char *found = gelf_getshdr(section, header) ? elf_strptr(file, names, header->sh_name) : NULL;

		if (found && !strcmp(found, name))
			return section;
	}
	return NULL;
}

static int by_slot(const void *a, const void *b)
{
	const GElf_Rela *x = a, *y = b;

	return (x->r_offset > y->r_offset) - (x->r_offset < y->r_offset);
}

/*
 * The linker lists relocations of indirect functions (R_X86_64_IRELATIVE) after all others, but entries of the table
 * are in the order of their slots, so sort by slot. perf before 6.3 does not, and shows wrong names in the C library.
 */
static void read_slots(Elf *file, struct slots *s)
{
	GElf_Shdr header, symbols;
	Elf_Scn *section = find_section(file, ".rela.plt", &header);
	Elf_Data *data = section && header.sh_type == SHT_RELA ? elf_getdata(section, NULL) : NULL;
	Elf_Scn *linked = data ? elf_getscn(file, header.sh_link) : NULL;

	if (!linked || !gelf_getshdr(linked, &symbols) || symbols.sh_type != SHT_DYNSYM)
		return;
	s->symbols = elf_getdata(linked, NULL);
	s->names = symbols.sh_link;
	s->at = need(calloc(data->d_size / gelf_fsize(file, ELF_T_RELA, 1, EV_CURRENT) + 1, sizeof(*s->at)));
	while (s->num < INT_MAX && gelf_getrela(data, (int)s->num, &s->at[s->num]))
		s->num++;
	qsort(s->at, s->num, sizeof(*s->at), by_slot);
}

static const char *slot_name(Elf *file, const struct slots *s, size_t i)
{
	GElf_Sym sym;
	const char *name = s->symbols && gelf_getsym(s->symbols, (int)GELF_R_SYM(s->at[i].r_info), &sym)
		? elf_strptr(file, s->names, sym.st_name) : NULL;

	return name_of_fmt("%s@plt", name ? plain_name(name) : "");
}

/* @skip: bytes before the first entry. A table with more entries than relocations has an unknown format: ignore it. */
static void add_entries(Elf *file, const char *table, uint64_t skip, const struct slots *s, struct symbol_table *t)
{
	GElf_Shdr header;
	size_t num;

	if (!find_section(file, table, &header) || header.sh_type != SHT_PROGBITS || header.sh_size < skip)
		return;
	num = (header.sh_size - skip) / ENTRY_SIZE;
	for (size_t i = 0; num <= s->num && i < num; i++) {
		uint64_t start = header.sh_addr + skip + i * ENTRY_SIZE;
		struct symbol entry = { .start = start, .end = start + ENTRY_SIZE, .sized = true,
					.name = slot_name(file, s, i) };

		/* R_X86_64_TLSDESC relocations have no entries. The last entry is the code that resolves them. */
		if (GELF_R_TYPE(s->at[i].r_info) == R_X86_64_TLSDESC)
			break;
		symbol_table_add(t, &entry);
	}
}

void jump_table_symbols(Elf *file, struct symbol_table *t)
{
	struct slots slots = { .num = 0 };
	GElf_Ehdr header;

	if (!gelf_getehdr(file, &header) || header.e_machine != EM_X86_64)
		return;
	read_slots(file, &slots);
	add_entries(file, ".plt", ENTRY_SIZE, &slots, t);
	/* Programs linked with -z ibtplt call .plt.sec; their .plt only resolves functions at the first call. */
	add_entries(file, ".plt.sec", 0, &slots, t);
	free(slots.at);
}
