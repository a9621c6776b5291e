/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds say how often a counter has to be read, so they have to be above what hardware does, and not
 * so far above that everybody reads twice as often as needed. What hardware does: the fastest rings
 * run at 5.5 GHz (Intel Core i9), the uncore of the Xeon 7500 at 2.67 GHz; a threshold of n bits
 * compares with at most 2^n - 1 entries of a queue; a package has up to 144 cores; a port of 16 PCIe
 * lanes of the fifth generation moves 64 GB/s, counted in 4 bytes.
 */
#include <check.h>
#include <string.h>

#include "common/error.h"
#include "suites.h"
#include "uarch/uarch.h"

static const struct um_uarch *uarch;
static const struct uncoremsr_pmu *pmu;

static void within(const char *what, double value, double least, double most)
{
	ck_assert_msg(value >= least && value <= most, "%s %s: %s is %g, not %g to %g", uarch->name,
		      pmu->name, what, value, least, most);
}

static bool is_one_of(const char *list)
{
	size_t len = strlen(uarch->name);

	for (const char *p = strstr(list, uarch->name); p; p = strstr(p + 1, uarch->name))
		if ((p == list || p[-1] == ' ') && (p[len] == ' ' || p[len] == '\0'))
			return true;
	return false;
}

static void check_bounds(void)
{
	double product = (double)pmu->max_clock_hz * pmu->max_increment;
	bool server = strstr(uarch->name, "-sp") || strstr(uarch->name, "-ep") ||
		is_one_of("broadwell-de knightslanding knightsmill snowridge icelake-d sapphirerapids "
			  "emeraldrapids graniterapids sierraforest grandridge clearwaterforest");

	if (strcmp(pmu->name, "iio_free_running") == 0) {
		within("counts in a second", product, 16e9, 63e9);
	} else if (server) {
		within("clock", (double)pmu->max_clock_hz, 4e9, 7e9);
		within("occupancy", pmu->max_increment, 144, 287);
	} else if (is_one_of("nehalem-ex westmere-ex")) {
		within("clock", (double)pmu->max_clock_hz, 2.67e9, 5e9);
		within("occupancy", pmu->max_increment, 64, 127);
	} else if (is_one_of("bulldozer jaguar zen zen2 zen3 zen4 zen5 dhyana")) {
		within("clock", (double)pmu->max_clock_hz, 5e9, 8e9);
	} else if (!is_one_of("nehalem westmere")) {
		within("clock", (double)pmu->max_clock_hz, 5.5e9, 8e9);
		/* A clock counts itself; a threshold of 5 or 6 bits reaches 31 or 63 entries. */
		within("occupancy", pmu->max_increment, pmu->num_general ? 31 : 1,
		       pmu->num_general ? 64 : 1);
		if (pmu->num_general)
			within("occupancy", pmu->max_increment,
			       (1u << pmu->selector.cmask.width) - 1,
			       1u << pmu->selector.cmask.width);
	}
}

START_TEST(bounds_are_above_what_hardware_does_and_not_far_above)
{
	for (size_t i = 0; i < um_num_models; i++) {
		uarch = um_models[i].uarch;
		for (size_t k = 0; uarch && k < uarch->num_pmus; k++) {
			pmu = &uarch->pmus[k];
			if (pmu->reach == UM_REACH_MSR)
				check_bounds();
		}
	}
	/* Cores: 6.2 GHz (Core i9-14900KS), eight instructions retired in a clock. */
	uarch = &um_core_registers;
	pmu = &uarch->pmus[0];
	within("clock", (double)pmu->max_clock_hz, 6.2e9, 10e9);
	within("increment", pmu->max_increment, 8, 15);
}
END_TEST

/* ---- models (Linux intel-family.h and amd.c; intel/perfmon mapfile.csv) ---- */

static const struct {
	const char *vendor;
	int family, model;
	const char *name;         /* NULL: unknown */
} models[] = {
	{ "GenuineIntel", 6, 0x01, "p6" }, { "GenuineIntel", 6, 0x02, NULL },
	{ "GenuineIntel", 6, 0x03, "p6" }, { "GenuineIntel", 6, 0x08, "p6" },
	{ "GenuineIntel", 6, 0x09, "pentium-m" }, { "GenuineIntel", 6, 0x0a, "p6" },
	{ "GenuineIntel", 6, 0x0b, "p6" }, { "GenuineIntel", 6, 0x0c, NULL },
	{ "GenuineIntel", 6, 0x0d, "pentium-m" }, { "GenuineIntel", 6, 0x0e, "yonah" },
	{ "GenuineIntel", 6, 0x0f, "core2" }, { "GenuineIntel", 6, 0x15, "pentium-m" },
	{ "GenuineIntel", 6, 0x16, "core2" }, { "GenuineIntel", 6, 0x17, "core2" },
	{ "GenuineIntel", 6, 0x1c, "bonnell" }, { "GenuineIntel", 6, 0x1d, "core2" },
	{ "GenuineIntel", 6, 0x26, "bonnell" }, { "GenuineIntel", 6, 0x27, "saltwell" },
	{ "GenuineIntel", 6, 0x35, "saltwell" }, { "GenuineIntel", 6, 0x36, "saltwell" },
	{ "GenuineIntel", 6, 0x37, "silvermont" }, { "GenuineIntel", 6, 0x4a, "silvermont" },
	{ "GenuineIntel", 6, 0x4c, "airmont" }, { "GenuineIntel", 6, 0x4d, "silvermont" },
	{ "GenuineIntel", 6, 0x5a, "silvermont" }, { "GenuineIntel", 6, 0x5c, "goldmont" },
	{ "GenuineIntel", 6, 0x5d, "silvermont" }, { "GenuineIntel", 6, 0x5f, "goldmont" },
	{ "GenuineIntel", 6, 0x66, "cannonlake" }, { "GenuineIntel", 6, 0x75, "airmont" },
	{ "GenuineIntel", 6, 0x7a, "goldmont-plus" }, { "GenuineIntel", 6, 0x8a, "lakefield" },
	{ "GenuineIntel", 6, 0x96, "tremont" }, { "GenuineIntel", 6, 0x9c, "tremont" },
	{ "GenuineIntel", 6, 0xd7, "bartlettlake" }, { "GenuineIntel", 15, 0, "pentium4" },
	{ "GenuineIntel", 15, 0x06, "pentium4" }, { "GenuineIntel", 15, 0xff, "pentium4" },
	{ "GenuineIntel", 19, 1, "diamondrapids" }, { "GenuineIntel", 18, 1, "novalake" },
	{ "GenuineIntel", 18, 3, "novalake" }, { "GenuineIntel", 18, 2, NULL },
	{ "AuthenticAMD", 0x0f, 0x00, "k8" }, { "AuthenticAMD", 0x0f, 0xff, "k8" },
	{ "AuthenticAMD", 0x10, 0x00, "k10" }, { "AuthenticAMD", 0x10, 0xff, "k10" },
	{ "AuthenticAMD", 0x11, 0x03, "griffin" }, { "AuthenticAMD", 0x12, 0x01, "llano" },
	{ "AuthenticAMD", 0x13, 0x01, NULL }, { "AuthenticAMD", 0x14, 0x02, "bobcat" },
	{ "AuthenticAMD", 0x15, 0x00, "bulldozer" }, { "AuthenticAMD", 0x15, 0x70, "bulldozer" },
	{ "AuthenticAMD", 0x16, 0x00, "jaguar" }, { "AuthenticAMD", 0x16, 0x30, "jaguar" },
	{ "AuthenticAMD", 0x17, 0x00, "zen" }, { "AuthenticAMD", 0x17, 0x01, "zen" },
	{ "AuthenticAMD", 0x17, 0x20, "zen" }, { "AuthenticAMD", 0x17, 0x2f, "zen" },
	{ "AuthenticAMD", 0x17, 0x30, "zen2" }, { "AuthenticAMD", 0x17, 0x4f, "zen2" },
	{ "AuthenticAMD", 0x17, 0x50, "zen" }, { "AuthenticAMD", 0x17, 0x5f, "zen" },
	{ "AuthenticAMD", 0x17, 0x60, "zen2" }, { "AuthenticAMD", 0x17, 0xa0, "zen2" },
	{ "AuthenticAMD", 0x19, 0x00, "zen3" }, { "AuthenticAMD", 0x19, 0x0f, "zen3" },
	{ "AuthenticAMD", 0x19, 0x10, "zen4" }, { "AuthenticAMD", 0x19, 0x1f, "zen4" },
	{ "AuthenticAMD", 0x19, 0x20, "zen3" }, { "AuthenticAMD", 0x19, 0x5f, "zen3" },
	{ "AuthenticAMD", 0x19, 0x60, "zen4" }, { "AuthenticAMD", 0x19, 0xaf, "zen4" },
	{ "AuthenticAMD", 0x19, 0xb0, NULL }, { "AuthenticAMD", 0x1a, 0x00, "zen5" },
	{ "AuthenticAMD", 0x1a, 0x2f, "zen5" }, { "AuthenticAMD", 0x1a, 0x30, NULL },
	{ "AuthenticAMD", 0x1a, 0x40, "zen5" }, { "AuthenticAMD", 0x1a, 0x4f, "zen5" },
	{ "AuthenticAMD", 0x1a, 0x50, NULL }, { "AuthenticAMD", 0x1a, 0x60, "zen5" },
	{ "AuthenticAMD", 0x1a, 0x7f, "zen5" }, { "AuthenticAMD", 0x1a, 0x80, NULL },
	{ "HygonGenuine", 0x18, 0x00, "dhyana" }, { "HygonGenuine", 0x18, 0x10, "dhyana" },
	{ "CentaurHauls", 7, 0x1b, "zhaoxin" }, { "  Shanghai  ", 7, 0x3b, "zhaoxin" },
};

START_TEST(models_without_registers_have_their_names_and_ranges_their_ends)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct um_model *m = um_model_find(models[i].vendor, models[i].family,
							 models[i].model);

		ck_assert_msg(!m == !models[i].name && (!m || !strcmp(m->name, models[i].name)),
			      "%s 0x%x 0x%x is %s", models[i].vendor, (unsigned)models[i].family,
			      (unsigned)models[i].model, m ? m->name : "unknown");
	}
}
END_TEST

Suite *uarch_bounds_suite(void)
{
	Suite *suite = suite_create("uarch_bounds");
	TCase *tc = tcase_create("bounds");

	tcase_add_test(tc, bounds_are_above_what_hardware_does_and_not_far_above);
	tcase_add_test(tc, models_without_registers_have_their_names_and_ranges_their_ends);
	suite_add_tcase(suite, tc);
	return suite;
}
