/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds determine how often counters have to be read. They must be above the maximum of hardware, but less than twice
 * as high; otherwise counters would be read too often. Maximum of hardware: the fastest rings run at 5.5 GHz (Intel
 * Core i9), the uncore of the Xeon 7500 at 2.67 GHz; a threshold of n bits compares with at most 2^n - 1 entries of a
 * queue; a package has up to 144 cores; a PCIe 5.0 port with 16 lanes transfers 64 GB/s, counted in units of 4 bytes.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "names/format.h"
#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"

static const struct um_uarch *uarch;
static const struct um_pmu *pmu;

static void within(const char *what, double value, double least, double most)
{
	ck_assert_msg(value >= least && value <= most, "%s %s: %s is %g, not %g to %g", uarch->name,
		      pmu->name, what, value, least, most);
}

static void check_bounds(void)
{
	double product = (double)pmu->max_clock_hz * pmu->max_increment;
	bool server = strstr(uarch->name, "-sp") || strstr(uarch->name, "-ep") ||
		is_one_of("broadwell-de knightslanding knightsmill snowridge icelake-d sapphirerapids "
			  "emeraldrapids graniterapids sierraforest grandridge clearwaterforest", uarch->name);

	if (strcmp(pmu->name, "iio_free_running") == 0) {
		within("counts in a second", product, 16e9, 63e9);
	} else if (server) {
		within("clock", (double)pmu->max_clock_hz, 4e9, 7e9);
		within("occupancy", pmu->max_increment, 144, 287);
	} else if (is_one_of("nehalem-ex westmere-ex", uarch->name)) {
		within("clock", (double)pmu->max_clock_hz, 2.67e9, 5e9);
		within("occupancy", pmu->max_increment, 64, 127);
	} else if (is_one_of("bulldozer jaguar zen zen2 zen3 zen4 zen5 dhyana", uarch->name)) {
		within("clock", (double)pmu->max_clock_hz, 5e9, 8e9);
		/* Events of the fabric count at most 64 bytes per clock (amd/uncore.c has no occupancy
		 * events). */
		within("occupancy", pmu->max_increment, 32, 127);
	} else if (is_one_of("nehalem westmere", uarch->name)) {
		/* 3.33 GHz (Core i7 975); the longest queue has 32 entries. */
		within("clock", (double)pmu->max_clock_hz, 3.33e9, 5e9);
		within("occupancy", pmu->max_increment, 32, 127);
	} else {
		within("clock", (double)pmu->max_clock_hz, 5.5e9, 8e9);
		/* A clock counts 1 per clock; a threshold of 5 or 6 bits can compare with 31 or 63 entries. */
		within("occupancy", pmu->max_increment, pmu->num_general ? 31 : 1, pmu->num_general ? 64 : 1);
		if (pmu->num_general)
			within("occupancy", pmu->max_increment,
			       (double)um_term_max(um_term_find(pmu, "cmask", 5)),
			       (double)um_term_max(um_term_find(pmu, "cmask", 5)) + 1);
	}
}

TEST(bounds_are_above_the_hardwares_maximum_but_not_far_above)
{
	for (uarch = NULL; (uarch = next_uarch(uarch)); )
		for (size_t k = 0; k < uarch->num_pmus; k++) {
			pmu = &uarch->pmus[k];
			if (pmu->reach == UM_REACH_MSR)
				check_bounds();
		}
	/* Cores: 6.2 GHz (Core i9-14900KS), eight instructions retired per clock. */
	uarch = &um_core_registers;
	pmu = &uarch->pmus[0];
	within("clock", (double)pmu->max_clock_hz, 6.2e9, 10e9);
	within("increment", pmu->max_increment, 8, 15);
}

/* ---- models (Linux intel-family.h and amd.c; intel/perfmon mapfile.csv) ---- */

/* Models of family 6 (two hexadecimal digits), and their names. */
static const char family_6[] =
	"01=p6 03=p6 04=p6 05=p6 06=p6 07=p6 08=p6 0a=p6 0b=p6 09=pentium-m 0d=pentium-m 15=pentium-m "
	"0e=yonah 0f=core2 16=core2 17=core2 1d=core2 1a=nehalem 1e=nehalem 1f=nehalem 2e=nehalem-ex "
	"25=westmere 2c=westmere 2f=westmere-ex 2a=sandybridge 2d=sandybridge-ep 3a=ivybridge "
	"3e=ivybridge-ep 3c=haswell 45=haswell 46=haswell 3f=haswell-ep 3d=broadwell 47=broadwell "
	"4f=broadwell-ep 56=broadwell-de 4e=skylake 5e=skylake 55=skylake-sp 8e=kabylake 9e=kabylake "
	"a5=cometlake a6=cometlake 66=cannonlake 7d=icelake 7e=icelake 9d=icelake 6a=icelake-sp "
	"6c=icelake-d 8a=lakefield 8c=tigerlake 8d=tigerlake a7=rocketlake 97=alderlake 9a=alderlake "
	"be=alderlake b7=raptorlake ba=raptorlake bf=raptorlake d7=bartlettlake aa=meteorlake "
	"ac=meteorlake c6=arrowlake c5=arrowlake b5=arrowlake bd=lunarlake cc=pantherlake "
	"d5=wildcatlake 8f=sapphirerapids cf=emeraldrapids ad=graniterapids ae=graniterapids "
	"af=sierraforest b6=grandridge dd=clearwaterforest 57=knightslanding 85=knightsmill "
	"1c=bonnell 26=bonnell 27=saltwell 35=saltwell 36=saltwell 37=silvermont 4a=silvermont "
	"4d=silvermont 5a=silvermont 5d=silvermont 4c=airmont 75=airmont 5c=goldmont 5f=goldmont "
	"7a=goldmont-plus 86=snowridge 96=tremont 9c=tremont ";

static const struct {
	const char *vendor;
	int family, first, last;
	const char *name;
} ranges[] = {
	{ "GenuineIntel", 15, 0, 0xff, "pentium4" }, { "GenuineIntel", 18, 1, 1, "novalake" },
	{ "GenuineIntel", 18, 3, 3, "novalake" }, { "GenuineIntel", 19, 1, 1, "diamondrapids" },
	{ "AuthenticAMD", 0x0f, 0, 0xff, "k8" }, { "AuthenticAMD", 0x10, 0, 0xff, "k10" },
	{ "AuthenticAMD", 0x11, 0, 0xff, "griffin" }, { "AuthenticAMD", 0x12, 0, 0xff, "llano" },
	{ "AuthenticAMD", 0x14, 0, 0xff, "bobcat" }, { "AuthenticAMD", 0x15, 0, 0xff, "bulldozer" },
	{ "AuthenticAMD", 0x16, 0, 0xff, "jaguar" }, { "AuthenticAMD", 0x17, 0, 0x2f, "zen" },
	{ "AuthenticAMD", 0x17, 0x30, 0x4f, "zen2" }, { "AuthenticAMD", 0x17, 0x50, 0x5f, "zen" },
	{ "AuthenticAMD", 0x17, 0x60, 0xff, "zen2" }, { "AuthenticAMD", 0x19, 0, 0x0f, "zen3" },
	{ "AuthenticAMD", 0x19, 0x10, 0x1f, "zen4" }, { "AuthenticAMD", 0x19, 0x20, 0x5f, "zen3" },
	{ "AuthenticAMD", 0x19, 0x60, 0xaf, "zen4" }, { "AuthenticAMD", 0x1a, 0, 0x2f, "zen5" },
	{ "AuthenticAMD", 0x1a, 0x40, 0x4f, "zen5" }, { "AuthenticAMD", 0x1a, 0x60, 0x7f, "zen5" },
	{ "HygonGenuine", 0x18, 0, 0xff, "dhyana" }, { "CentaurHauls", 7, 0, 0xff, "zhaoxin" },
	{ "  Shanghai  ", 7, 0, 0xff, "zhaoxin" },
};

static const char *known_as(const char *vendor, int family, int model, char name[32])
{
	char digits[16];
	const char *at;

	name[0] = '\0';
	snprintf(digits, sizeof(digits), "%02x=", (unsigned)model);
	at = family == 6 && !strcmp(vendor, "GenuineIntel") ? strstr(family_6, digits) : NULL;
	if (at)
		snprintf(name, 32, "%.*s", (int)strcspn(at + 3, " "), at + 3);
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (!strcmp(ranges[i].vendor, vendor) && ranges[i].family == family &&
		    model >= ranges[i].first && model <= ranges[i].last)
			snprintf(name, 32, "%s", ranges[i].name);
	return name;
}

TEST(only_known_models_have_a_name)
{
	static const char *const vendors[] = {
		"GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls", "  Shanghai  ",
	};
	char name[32];

	for (size_t v = 0; v < ARRAY_SIZE(vendors); v++)
		for (int family = 0; family < 32; family++)
			for (int model = -1; model <= 256; model++) {
				const struct um_model *m = um_model_find(vendors[v], family, model);

				known_as(vendors[v], family, model, name);
				ck_assert_msg(!strcmp(m ? m->name : "", name), "%s 0x%x 0x%x is %s",
					      vendors[v], (unsigned)family, (unsigned)model,
					      m ? m->name : "unknown");
			}
}

SUITE(uarch_bounds)
