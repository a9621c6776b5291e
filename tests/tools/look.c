/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the library's results for many things of a kind, as lines with tabs, because starting a tool for each would
 * be slow. Uses only the public headers.
 *
 * look dumps FILE...: a line for each kind of core of a CPUID dump: the columns of the corpus' expected.tsv,
 *	then the name of the microarchitecture
 * look machines FILE...: the same for the machine simulated from the dump, with 1 if it is supported and 1 if it is a
 *virtual machine
 * look trees DIR...: number of packages, online CPUs, first CPU of each package
 * look pmus DIR...: a line with name and type for each PMU of the kernel
 * look lists FILE...: each as a list of events: 0, or the error and its sentence
 * look encodes UARCH EVENT...: those of the events that its tables accept
 *
 * What is unknown is "-". Ends with 1 where a dump or a tree is refused, and says which.
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
	uint64_t family, model, stepping;
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

static uint64_t number(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number what)
{
	uint64_t v = 0;

	uncoremsr_core_number(kind, what, &v);
	return v;
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

	for (unsigned bit = 0; bit < 8 && uncoremsr_arch_event(bit, NULL, NULL); bit++)
		if (bit >= number(kind, UNCOREMSR_CORE_0XA_EVENT_BITS) ||
		    number(kind, UNCOREMSR_CORE_0XA_EVENTS_ABSENT) >> bit & 1)
			mask |= UINT64_C(1) << bit;
	return mask;
}

static void put_leaf_0xa(const struct uncoremsr_core_kind *kind)
{
	static const enum uncoremsr_core_number decoded[] = {
		UNCOREMSR_CORE_0XA_VERSION, UNCOREMSR_CORE_0XA_GENERAL_COUNTERS,
		UNCOREMSR_CORE_0XA_GENERAL_WIDTH, UNCOREMSR_CORE_0XA_FIXED_COUNTERS,
		UNCOREMSR_CORE_0XA_FIXED_WIDTH, UNCOREMSR_CORE_0XA_EVENT_BITS,
	}, raw[] = {
		UNCOREMSR_CORE_0XA_EAX, UNCOREMSR_CORE_0XA_EBX, UNCOREMSR_CORE_0XA_ECX,
		UNCOREMSR_CORE_0XA_EDX,
	};
	uint64_t version;

	if (!kind || uncoremsr_core_number(kind, UNCOREMSR_CORE_0XA_VERSION, &version) < 0) {
		for (int column = 0; column < 13; column++)
			printf("\t-");
		return;
	}
	for (size_t i = 0; i < sizeof(decoded) / sizeof(decoded[0]); i++)
		printf("\t%" PRIu64, number(kind, decoded[i]));
	put_bits(absent_events(kind));
	/* ECX has a meaning from version 5 on. */
	put_bits(version >= 5 ? number(kind, UNCOREMSR_CORE_0XA_ECX) : 0);
	printf("\t%" PRIu64, number(kind, UNCOREMSR_CORE_0XA_ANYTHREAD_DEPRECATED));
	for (size_t i = 0; i < sizeof(raw) / sizeof(raw[0]); i++)
		printf("\t%08" PRIx64, number(kind, raw[i]));
}

static void put_row(const char *path, const char *cpus, const struct identity *id,
		    const struct uncoremsr_core_kind *kind, uint64_t logical)
{
	printf("%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, base(path), cpus, known(id->vendor), id->family,
	       id->model, id->stepping);
	put_leaf_0xa(kind);
	printf("\t%" PRIu64 "\t%s", logical, known(id->uarch));
}

static int look_at_dump(const char *path)
{
	const struct uncoremsr_core_kind *kind;
	struct uncoremsr_cores *cores;
	uint64_t logical = 0;
	char error[1024];

	if (uncoremsr_cores_load(&cores, path, error, sizeof(error)) < 0) {
		fprintf(stderr, "look: %s\n", error);
		return 1;
	}
	for (size_t k = 0; (kind = uncoremsr_core_kind(cores, k)); k++)
		logical += number(kind, UNCOREMSR_CORE_NUM_CPUS);
	for (size_t k = 0; (kind = uncoremsr_core_kind(cores, k)); k++) {
		struct identity id = {
			uncoremsr_core_text(kind, UNCOREMSR_CORE_VENDOR),
			uncoremsr_core_text(kind, UNCOREMSR_CORE_UARCH),
			number(kind, UNCOREMSR_CORE_FAMILY), number(kind, UNCOREMSR_CORE_MODEL),
			number(kind, UNCOREMSR_CORE_STEPPING),
		};

		put_row(path, known(uncoremsr_core_text(kind, UNCOREMSR_CORE_CPUS)), &id, kind, logical);
		printf("\n");
	}
	uncoremsr_cores_free(cores);
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

static uint64_t of_machine(struct uncoremsr *um, enum uncoremsr_machine_number what)
{
	uint64_t v = 0;

	uncoremsr_machine_number(um, what, &v);
	return v;
}

static int look_at_machine(const char *path)
{
	struct uncoremsr *um = machine_at("sim:generic,cpuid=", path);
	struct uncoremsr_cores *cores = NULL;
	struct identity id;

	if (!um || uncoremsr_cores_read(um, &cores) < 0) {
		uncoremsr_free(um);
		return 1;
	}
	id = (struct identity){
		uncoremsr_machine_text(um, UNCOREMSR_MACHINE_VENDOR),
		uncoremsr_machine_text(um, UNCOREMSR_MACHINE_UARCH),
		of_machine(um, UNCOREMSR_MACHINE_FAMILY), of_machine(um, UNCOREMSR_MACHINE_MODEL),
		of_machine(um, UNCOREMSR_MACHINE_STEPPING),
	};
	put_row(path, "-", &id, uncoremsr_core_kind(cores, 0), 0);
	printf("\t%" PRIu64 "\t%" PRIu64 "\n", of_machine(um, UNCOREMSR_MACHINE_SUPPORTED),
	       of_machine(um, UNCOREMSR_MACHINE_HYPERVISOR));
	uncoremsr_cores_free(cores);
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
	       known(uncoremsr_machine_text(um, UNCOREMSR_MACHINE_ONLINE_CPUS)));
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

static int look_at_list(const char *path)
{
	struct uncoremsr *um;
	int added;

	if (uncoremsr_new(&um) < 0)
		return 1;
	added = uncoremsr_event_list_add(um, path);
	printf("%s\t%d\t%s\n", base(path), added < 0 ? added : 0, added < 0 ? uncoremsr_error(um)->message : "-");
	uncoremsr_free(um);
	return 0;
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
		{ "trees", look_at_tree }, { "pmus", look_at_pmus }, { "lists", look_at_list },
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
