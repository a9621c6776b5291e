/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints results of the library as tab-separated lines for many inputs at once, because starting a tool for each would
 * be slow. Uses only the public headers.
 *
 * look dumps FILE...: a line for each kind of core in a CPUID dump: the columns of the corpus' expected.tsv,
 *	then the name of the microarchitecture
 * look machines FILE...: the same for the machine simulated from the dump, with 1 if it is supported and 1 if it is a
 *	virtual machine
 * look trees DIR...: number of packages, online CPUs, first CPU of each package
 * look pmus DIR...: a line with name and type for each PMU of the kernel
 * look encodes UARCH EVENT...: prints those of the events that the tables of UARCH accept
 *
 * An unknown value is "-". The exit status is 1 if a dump or a tree is refused; the message names it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

struct identity {
	const char *vendor, *uarch;
	int family, model, stepping;
};

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *known(const char *text)
{
	return text ? text : "-";
}

/* Print the set bits of @mask below 32, as "0,3". */
static void put_bits(uint64_t mask)
{
	const char *comma = "";

	printf("\t");
	for (int bit = 0; bit < 32; bit++) {
		if (!(mask >> bit & 1))
			continue;
		printf("%s%d", comma, bit);
		comma = ",";
	}
	printf("%s", *comma ? "" : "-");
}

/* Mask of unavailable events among the first eight architectural ones, including those without a bit in the leaf. */
static uint64_t absent_events(const struct uncoremsr_core_kind *kind)
{
	uint64_t mask = 0;

	for (unsigned bit = 0; bit < 8; bit++)
		if (bit >= kind->leaf_0xa_event_bits || kind->leaf_0xa_events_absent >> bit & 1)
			mask |= UINT64_C(1) << bit;
	return mask;
}

static void put_leaf_0xa(const struct uncoremsr_core_kind *kind)
{
	if (!kind || kind->leaf_0xa_version == UINT64_MAX) {
		for (int column = 0; column < 13; column++)
			printf("\t-");
		return;
	}
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, kind->leaf_0xa_version,
	       kind->leaf_0xa_general_counters, kind->leaf_0xa_general_width, kind->leaf_0xa_fixed_counters,
	       kind->leaf_0xa_fixed_width, kind->leaf_0xa_event_bits);
	put_bits(absent_events(kind));
	/* Leaf 0xA has a mask of fixed counters in ECX from version 5 on. */
	put_bits(kind->leaf_0xa_version >= 5 ? kind->leaf_0xa_ecx : 0);
	printf("\t%d\t%08" PRIx64 "\t%08" PRIx64 "\t%08" PRIx64 "\t%08" PRIx64,
	       kind->leaf_0xa_anythread_deprecated, kind->leaf_0xa_eax, kind->leaf_0xa_ebx, kind->leaf_0xa_ecx,
	       kind->leaf_0xa_edx);
}

static void put_row(const char *path, const char *cpus, const struct identity *id,
		    const struct uncoremsr_core_kind *kind, uint64_t logical)
{
	printf("%s\t%s\t%s\t%d\t%d\t%d", base(path), cpus, known(id->vendor), id->family,
	       id->model, id->stepping);
	put_leaf_0xa(kind);
	printf("\t%" PRIu64 "\t%s", logical, known(id->uarch));
}

static int look_at_dump(const char *path)
{
	const struct uncoremsr_core_kind *kind;
	const struct uncoremsr_cores *cores;
	struct uncoremsr *um = NULL;
	uint64_t logical = 0;

	cores = uncoremsr_new(&um) ? NULL : uncoremsr_cores(um, path);
	if (!cores) {
		fprintf(stderr, "look: %s\n", uncoremsr_error(um)->message);
		uncoremsr_free(um);
		return 1;
	}
	for (size_t k = 0; (kind = cores->kinds[k]); k++)
		logical += (uint64_t)kind->num_cpus;
	for (size_t k = 0; (kind = cores->kinds[k]); k++) {
		struct identity id = {
			kind->vendor, kind->uarch, kind->family, kind->model, kind->stepping,
		};

		put_row(path, known(kind->cpus), &id, kind, logical);
		printf("\n");
	}
	uncoremsr_free(um);
	return 0;
}

static struct uncoremsr *machine_at(const char *prefix, const char *path)
{
	struct uncoremsr *um;
	char name[4096];

	snprintf(name, sizeof(name), "%s%s", prefix, path);
	if (uncoremsr_new(&um) < 0)
		return NULL;
	if (uncoremsr_set_machine(um, name) == 0 && uncoremsr_open(um) == 0)
		return um;
	fprintf(stderr, "look: %s: %s\n", path, uncoremsr_error(um)->message);
	uncoremsr_free(um);
	return NULL;
}

static int look_at_machine(const char *path)
{
	struct uncoremsr *um = machine_at("sim:generic,cpuid=", path);
	const struct uncoremsr_cores *cores = uncoremsr_cores(um, NULL);
	const struct uncoremsr_machine *is;
	struct identity id;

	if (!cores) {
		uncoremsr_free(um);
		return 1;
	}
	is = uncoremsr_machine(um);
	id = (struct identity){ is->vendor, is->uarch, is->family, is->model, is->stepping };
	put_row(path, "-", &id, cores->kinds[0], 0);
	printf("\t%d\t%d\n", is->supported, is->hypervisor);
	uncoremsr_free(um);
	return 0;
}

static int look_at_tree(const char *path)
{
	struct uncoremsr *um = machine_at("root:", path);
	const struct uncoremsr_package *p;
	size_t num = 0;

	if (!um)
		return 1;
	while (uncoremsr_package(um, num))
		num++;
	printf("%s\t%zu\t%s\t", base(path), num,
	       known(uncoremsr_machine(um)->online_cpus));
	for (size_t i = 0; (p = uncoremsr_package(um, i)); i++)
		printf("%s%d", i ? "," : "", p->cpu);
	printf("\n");
	uncoremsr_free(um);
	return 0;
}

static int put_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	(void)cpus;
	printf("%s\t%s\t%u\n", (const char *)user, name, type);
	return 0;
}

static int look_at_pmus(const char *path)
{
	struct uncoremsr *um = machine_at("root:", path);
	char name[256];
	int status;

	if (!um)
		return 1;
	snprintf(name, sizeof(name), "%s", base(path));
	status = uncoremsr_kernel_pmus(um, put_pmu, name) < 0;
	uncoremsr_free(um);
	return status;
}

static int look_at_events(const char *uarch, char **events)
{
	struct uncoremsr *um;

	if (uncoremsr_new(&um) < 0)
		return 1;
	for (; *events; events++)
		if (uncoremsr_encode(um, UNCOREMSR_ROUTE_MSR, uarch, *events, NULL, NULL) > 0)
			printf("%s\n", *events);
	uncoremsr_free(um);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		int (*look_at)(const char *path);
	} subjects[] = {
		{ "dumps", look_at_dump }, { "machines", look_at_machine },
		{ "trees", look_at_tree }, { "pmus", look_at_pmus },
	};
	int status = 0;

	if (argc > 3 && !strcmp(argv[1], "encodes"))
		return look_at_events(argv[2], argv + 3);
	for (size_t s = 0; argc > 2 && s < sizeof(subjects) / sizeof(subjects[0]); s++) {
		if (strcmp(argv[1], subjects[s].word) != 0)
			continue;
		for (int i = 2; i < argc; i++)
			status |= subjects[s].look_at(argv[i]);
		return status;
	}
	fputs("usage: see the head of look.c\n", stderr);
	return 2;
}
