/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stubs for builds without elfutils, in place of elf_dwfl.c: ELF files have no symbols. */
#include "report/symbols.h"

struct elf *elf_open(const char *path, const char *root, const unsigned char *id, size_t size)
{
	(void)path, (void)root, (void)id, (void)size;
	return NULL;
}

void elf_close(struct elf *e)
{
	(void)e;
}

void elf_symbols(struct elf *e, struct symbol_table *t)
{
	(void)e, (void)t;
}

bool elf_address(const struct elf *e, uint64_t offset, uint64_t *address)
{
	(void)e, (void)offset, (void)address;
	return false;
}

const char *elf_line(struct elf *e, uint64_t address)
{
	(void)e, (void)address;
	return NULL;
}
