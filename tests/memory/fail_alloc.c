/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Part of preload.so: makes memory allocations fail; sweep.c chooses which ones. Allocations are counted from the start
 * of main().
 */
#pragma GCC visibility push(default)

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <malloc.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "sweep.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static struct sweep_shared own, *shared = &own;
static bool ready;

/* ---- an allocation ---- */

static void note_stack(uint64_t nth)
{
	void *stack[SWEEP_DEPTH];
	int depth = backtrace(stack, SWEEP_DEPTH);
	uint64_t hash = 14695981039346656037u;
	size_t at;

	for (int i = 0; i < depth; i++)
		hash = (hash ^ (uintptr_t)stack[i]) * 1099511628211u;
	hash += !hash;
	for (at = hash % SWEEP_STACKS; shared->stacks[at].hash; at = (at + 1) % SWEEP_STACKS)
		if (shared->stacks[at].hash == hash)
			return;
	if (shared->num_stacks == SWEEP_STACKS - 1)
		return;
	shared->stacks[at].hash = hash;
	shared->stacks[at].first = nth;
	shared->num_stacks++;
}

static void keep_stack(void)
{
	void *stack[SWEEP_DEPTH];
	int depth = backtrace(stack, SWEEP_DEPTH);

	for (int i = 0; i < depth; i++)
		shared->stack[i] = (uintptr_t)stack[i];
	shared->depth = (uint32_t)depth;
}

/*
 * Allocations of these libraries always succeed, because the libraries handle a failure badly: Jansson would write past
 * its buffer, and libdw would find no name and report no error. Our code checks that there is enough memory before it
 * calls Jansson.
 */
static const char *const spared[] = { "/libjansson.so", "/libdw.so", "/libelf.so" };

static struct range { uintptr_t from, to; } ranges[16];
static size_t num_ranges;

static int note_range(struct dl_phdr_info *info, size_t size, void *user)
{
	(void)size, (void)user;
	for (size_t i = 0; i < sizeof(spared) / sizeof(*spared); i++)
		for (int n = 0; strstr(info->dlpi_name, spared[i]) && n < info->dlpi_phnum; n++) {
			const ElfW(Phdr) *h = &info->dlpi_phdr[n];

			if (h->p_type == PT_LOAD && h->p_flags & PF_X && num_ranges < sizeof(ranges) / sizeof(*ranges))
				ranges[num_ranges++] = (struct range){ info->dlpi_addr + h->p_vaddr,
								       info->dlpi_addr + h->p_vaddr + h->p_memsz };
		}
	return 0;
}

static bool is_spared(uintptr_t caller)
{
	for (size_t i = 0; i < num_ranges; i++)
		if (caller >= ranges[i].from && caller < ranges[i].to)
			return true;
	return false;
}

/* Searches the whole call stack: libjansson, libdw or libelf may allocate through libc, for example in tsearch(). */
static bool is_for_spared(void)
{
	void *stack[SWEEP_DEPTH];
	int depth = num_ranges ? backtrace(stack, SWEEP_DEPTH) : 0;

	for (int i = 0; i < depth; i++)
		if (is_spared((uintptr_t)stack[i]))
			return true;
	return false;
}

static bool fails(void *caller)
{
	uint64_t nth;

	if (!ready || is_spared((uintptr_t)caller))
		return false;
	nth = ++shared->num;
	if (shared->wants_stacks)
		note_stack(nth);
	if (!shared->nth || (nth != shared->nth && !(shared->and_all && nth > shared->nth)))
		return false;
	if (is_for_spared())
		return false;
	if (shared != &own && nth == shared->nth)
		keep_stack();
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(num, size);
}

void *realloc(void *old, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t align, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	void *new = memalign(align, size);

	if (!new)
		return ENOMEM;
	*out = new;
	return 0;
}

/* glibc 2.36 crashes in getpwnam() if an allocation fails, so allocations in getpwnam() always succeed. */
struct passwd *getpwnam(const char *name)
{
	struct passwd *(*real)(const char *name), *found;
	bool was_ready = ready;

	*(void **)&real = dlsym(RTLD_NEXT, "getpwnam");
	ready = false;
	found = real(name);
	ready = was_ready;
	return found;
}

/* libuncoremsr-lists and Jansson are loaded when a list is read. */
void *dlopen(const char *file, int mode)
{
	void *(*real)(const char *file, int mode), *library;

	*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	library = real(file, mode);
	num_ranges = 0;
	dl_iterate_phdr(note_range, NULL);
	return library;
}

/* ---- start of main() ---- */

/* Called once, before the first fork. */
void fail_alloc_prepare(void)
{
	const char *memory = getenv(SWEEP_VARIABLE);
	void *warm[2];

	dl_iterate_phdr(note_range, NULL);
	backtrace(warm, 2); /* the first call of backtrace() allocates memory */
	if (!memory)
		return;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(memory), 0);
	if (shared == MAP_FAILED)
		_exit(126);
	unsetenv(SWEEP_VARIABLE);
}

void fail_alloc_begin(void)
{
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	ready = false;
}
