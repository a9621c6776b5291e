/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The PMUs that Linux has for each processor (kernel_side.h), and the event lists in ../shared/corpus/perfmon. */
#ifndef KERNEL_CASES_H
#define KERNEL_CASES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernel_amd.h"
#include "kernel_ex.h"
#include "kernel_side.h"

static const struct kernel_case {
	const char *uarch, *vendor;
	int family, model;
	const struct kernel_pmu *kernel;
	const char *lists[4];
} cases[] = {
	{ "sandybridge", "GenuineIntel", 6, 0x2a, k_snb,
	  { "SNB/events/sandybridge_uncore.json", "old-array/sandybridge_uncore.json",
	    "SNB/events/sandybridge_core.json" } },
	{ "ivybridge", "GenuineIntel", 6, 0x3a, k_snb,
	  { "IVB/events/ivybridge_uncore.json" } },
	{ "alderlake", "GenuineIntel", 6, 0x97, k_adl,
	  { "ADL/events/alderlake_uncore.json", "ADL/events/alderlake_uncore_experimental.json",
	    "ADL/events/alderlake_goldencove_core.json",
	    "ADL/events/alderlake_gracemont_core.json" } },
	{ "sandybridge-ep", "GenuineIntel", 6, 0x2d, k_jkt,
	  { "JKT/events/Jaketown_uncore.json" } },
	{ "ivybridge-ep", "GenuineIntel", 6, 0x3e, k_ivt, { NULL } },
	{ "haswell-ep", "GenuineIntel", 6, 0x3f, k_hsx, { NULL } },
	{ "broadwell-ep", "GenuineIntel", 6, 0x4f, k_bdx, { NULL } },
	{ "skylake-sp", "GenuineIntel", 6, 0x55, k_skx,
	  { "SKX/events/skylakex_uncore.json", "SKX/events/skylakex_uncore_experimental.json",
	    "old-array/skylakex_uncore.json", "SKX/events/skylakex_core.json" } },
	{ "sapphirerapids", "GenuineIntel", 6, 0x8f, k_spr,
	  { "SPR/events/sapphirerapids_uncore.json",
	    "SPR/events/sapphirerapids_uncore_experimental.json",
	    "SPR/events/sapphirerapids_core.json" } },
	{ "haswell", "GenuineIntel", 6, 0x3c, k_snb, { NULL } },
	{ "skylake", "GenuineIntel", 6, 0x5e, k_skl, { NULL } },
	{ "icelake", "GenuineIntel", 6, 0x7e, k_icl, { NULL } },
	{ "tigerlake", "GenuineIntel", 6, 0x8c, k_tgl, { NULL } },
	{ "rocketlake", "GenuineIntel", 6, 0xa7, k_tgl, { NULL } },
	{ "raptorlake", "GenuineIntel", 6, 0xb7, k_adl, { NULL } },
	{ "knightslanding", "GenuineIntel", 6, 0x57, k_knl, { NULL } },
	{ "snowridge", "GenuineIntel", 6, 0x86, k_snr, { NULL } },
	{ "icelake-sp", "GenuineIntel", 6, 0x6a, k_icx, { NULL } },
	{ "emeraldrapids", "GenuineIntel", 6, 0xcf, k_emr, { NULL } },
	{ "graniterapids", "GenuineIntel", 6, 0xad, k_gnr, { NULL } },
	{ "sierraforest", "GenuineIntel", 6, 0xaf, k_gnr, { NULL } },
	{ "grandridge", "GenuineIntel", 6, 0xb6, k_grr, { NULL } },
	{ "nehalem-ex", "GenuineIntel", 6, 0x2e, k_nhmex, { NULL } },
	{ "westmere-ex", "GenuineIntel", 6, 0x2f, k_wsmex, { NULL } },
	{ "bulldozer", "AuthenticAMD", 0x15, 0x02, k_bulldozer, { NULL } },
	{ "jaguar", "AuthenticAMD", 0x16, 0, k_jaguar, { NULL } },
	{ "zen", "AuthenticAMD", 0x17, 0x01, k_zen, { NULL } },
	{ "zen2", "AuthenticAMD", 0x17, 0x31, k_zen, { NULL } },
	{ "zen3", "AuthenticAMD", 0x19, 0x01, k_zen3, { NULL } },
	{ "zen4", "AuthenticAMD", 0x19, 0x11, k_zen4, { NULL } },
	{ "zen5", "AuthenticAMD", 0x1a, 0x02, k_zen4, { NULL } },
	{ "dhyana", "HygonGenuine", 0x18, 0, k_zen, { NULL } },
	{ "nehalem", "GenuineIntel", 6, 0x1a, k_wsm, { NULL } },
	{ "westmere", "GenuineIntel", 6, 0x2c, k_wsm,
	  { "WSM-EP-DP/events/WestmereEP-DP_core.json" } },
};

static inline uint32_t word_of(const char *c)
{
	return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

/* Write the description of a machine with two cores and with the processor and kernel PMUs of @of. */
static inline void describe_case(FILE *f, const struct kernel_case *of)
{
	uint32_t base = (uint32_t)(of->family < 0xf ? of->family : 0xf), model = (uint32_t)of->model;

	fprintf(f, "leaf = 0x0 0 0xd 0x%x 0x%x 0x%x\n", word_of(of->vendor), word_of(of->vendor + 8),
		word_of(of->vendor + 4));
	fprintf(f, "leaf = 0x1 0 0x%x 0x800 0x1 0x33\n", (model & 0xf) << 4 | (model >> 4) << 16 | base << 8 |
		((uint32_t)of->family - base) << 20);
	if (!strcmp(of->vendor, "GenuineIntel"))
		fprintf(f, "leaf = 0xa 0 0x07300404 0 0 0x603\n");
	fprintf(f, "package = 0 cores=0-1 cpus=0-1\n");
	for (const struct kernel_pmu *k = of->kernel; k->name; k++) {
		const char *at = k->formats;

		if (!strncmp(k->name, "cpu", 3))
			continue;
		fprintf(f, "kernel_pmu = %s type=%d cpumask=package\n", k->name, 100 + (int)(k - of->kernel));
		for (size_t n; *at && (n = strcspn(at, ";")); at += n + (at[n] == ';'))
			fprintf(f, "kernel_format = %s %.*s\n", k->name, (int)n, at);
		at = k->events ? k->events : "";
		for (size_t n; *at && (n = strcspn(at, ";")); at += n + (at[n] == ';')) {
			char name[64], terms[128], scale[64];

			if (sscanf(at, "%63[^. ] %127[^;]", name, terms) != 2 || at[strlen(name)] != ' ')
				continue; /* scales and units are written together with their event */
			fprintf(f, "kernel_event = %s %s %s", k->name, name, terms);
			if (sscanf(at + n, ";%*[^. ].scale %63[^;]", scale) == 1)
				fprintf(f, " scale=%s unit=MiB", scale);
			putc('\n', f);
		}
	}
	fprintf(f, "end\n");
}

#endif
