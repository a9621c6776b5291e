/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares collisions.c, which lists the addresses with several meanings, with the register tables of the processors in
 * the list: each range must begin and end where a box begins and ends.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"

#define EX "nehalem-ex westmere-ex"
#define SPR "sapphirerapids emeraldrapids"
#define GNR "graniterapids sierraforest clearwaterforest"

/* Each text that occurs as @processors in the list, and the microarchitectures it means (Linux intel-family.h). */
#define SNB "sandybridge ivybridge haswell broadwell"
#define SKL "skylake kabylake cometlake"
#define ICL "icelake tigerlake rocketlake"
#define ADL "alderlake raptorlake"
#define EARLY SNB " " SKL " " ICL
static const struct { const char *words, *uarchs; } meant[] = {
	{ "Nehalem, Westmere (models 1A 1E 1F 25 2C)", "nehalem westmere" },
	{ "Nehalem-EX, Westmere-EX", EX }, { "Westmere-EX", "westmere-ex" },
	{ "Sandy Bridge to Broadwell client", SNB },
	{ "Sandy Bridge to Broadwell client and Skylake to Comet Lake client", SNB " " SKL },
	{ "Sandy Bridge to Comet Lake client", SNB " " SKL },
	{ "Skylake to Comet Lake client", SKL },
	{ "Sandy Bridge to Comet Lake, Tiger Lake, Rocket Lake client", EARLY },
	{ "Sandy Bridge to Rocket Lake client", EARLY },
	{ "Skylake to Rocket Lake client", SKL " " ICL },
	{ "Sandy Bridge client and later", EARLY " " ADL " meteorlake arrowlake" },
	{ "Ice Lake to Rocket Lake client", ICL }, { "Coffee Lake with eight cores", SKL },
	{ "Alder Lake, Raptor Lake", ADL },
	{ "Alder Lake, Raptor Lake, Sapphire Rapids", ADL " " SPR },
	{ "Meteor Lake", "meteorlake arrowlake" },
	{ "Meteor Lake to Panther Lake", "meteorlake arrowlake lunarlake pantherlake wildcatlake" },
	{ "Panther Lake, Nova Lake", "pantherlake wildcatlake novalake" }, { "Nova Lake", "novalake" },
	{ "Sandy Bridge-EP, Ivy Bridge-EP", "sandybridge-ep ivybridge-ep" },
	{ "Ivy Bridge-EP", "ivybridge-ep" },
	{ "Haswell-EP, Broadwell-EP", "haswell-ep broadwell-ep broadwell-de" },
	{ "Haswell-EP, Broadwell-EP, Skylake-SP", "haswell-ep broadwell-ep broadwell-de skylake-sp" },
	{ "Haswell-EP to Ice Lake-SP", "haswell-ep broadwell-ep broadwell-de skylake-sp icelake-sp "
	  "icelake-d knightslanding knightsmill" },
	{ "Skylake-SP", "skylake-sp" }, { "Ice Lake-SP", "icelake-sp icelake-d" },
	{ "Knights Landing", "knightslanding knightsmill" }, { "Snow Ridge", "snowridge" },
	{ "Sapphire Rapids", SPR }, { "Sapphire Rapids, Emerald Rapids", SPR },
	{ "Granite Rapids and later servers", GNR " grandridge" }, { "Grand Ridge", "grandridge" },
	{ "Granite Rapids, Sierra Forest, Clearwater Forest", GNR },
	{ "Nehalem and later", "sandybridge-ep ivybridge-ep haswell-ep broadwell-ep broadwell-de "
	  "knightslanding knightsmill skylake-sp" },
};

static bool means(const struct uncoremsr_collision *c, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(meant); i++)
		if (!strcmp(meant[i].words, c->processors) && is_one_of(meant[i].uarchs, name))
			return true;
	return false;
}

static bool is_register(const struct uncoremsr_collision *c, uint32_t msr)
{
	for (size_t i = 0; i < um_num_models; i++)
		if (um_models[i].uarch && means(c, um_models[i].name) && um_reg_find(um_models[i].uarch, msr))
			return true;
	return false;
}

/* A box has a block of eight or sixteen addresses; the last of these may have no register. */
static void check_ends(const struct uncoremsr_collision *c)
{
	uint32_t low = c->first, high = c->last;

	while (low <= c->last && !is_register(c, low))
		low++;
	while (high > low && !is_register(c, high))
		high--;
	ck_assert_msg(low - c->first < 16, "0x%x, %s: begins with nothing", c->first, c->processors);
	ck_assert_msg(c->last - high < 16, "0x%x, %s: ends with nothing", c->last, c->processors);
	ck_assert_msg(low == c->first || c->first % 16 == 0, "0x%x, %s: begins nowhere", c->first, c->processors);
	ck_assert_msg(high == c->last || c->last % 8 == 7, "0x%x, %s: ends nowhere", c->last, c->processors);
}

static bool in_a_row(const char *uarch, uint32_t msr)
{
	for (size_t i = 0; i < um_num_collisions; i++)
		if (msr >= um_collisions[i].first && msr <= um_collisions[i].last && means(&um_collisions[i], uarch))
			return true;
	return false;
}

/* A register up to 16 addresses before or after a range must be in some row of the list. */
static void check_beside(const struct uncoremsr_collision *c, const struct um_uarch *u)
{
	for (uint32_t d = 1; d <= 16; d++) {
		ck_assert_msg(in_a_row(u->name, c->first - d) || !um_reg_find(u, c->first - d),
			      "%s: 0x%x is left out", u->name, c->first - d);
		ck_assert_msg(in_a_row(u->name, c->last + d) || !um_reg_find(u, c->last + d),
			      "%s: 0x%x is left out", u->name, c->last + d);
	}
}

/* Ranges in the list that our tables lack (sources: SDM volume 4, tables 2-2 and 2-39; intel-cmt-cat; LIKWID). */
static const struct {
	uint32_t first, last;
	const char *processors; /* beginning of @processors of a row */
} elsewhere[] = {
	{ 0x301, 0x301, "Pentium 4" }, { 0x390, 0x390, "every" }, { 0x391, 0x391, "everything" },
	{ 0x391, 0x393, "Nehalem-EX" }, { 0x392, 0x392, "everything" }, { 0x393, 0x393, "Sandy" },
	{ 0x394, 0x395, "Alder" }, { 0x396, 0x396, "Nehalem-EX" }, { 0x3b0, 0x3b7, "Nehalem-EX" },
	{ 0x3c0, 0x3c7, "Nehalem-EX" }, { 0x3c0, 0x3c7, "Sandy" }, { 0x620, 0x621, "Haswell-EP" },
	{ 0x710, 0x711, "Diamond" }, { 0x770, 0x777, "Skylake" }, { 0xc81, 0xc97, "servers" },
	{ 0xd10, 0xd4f, "servers" }, { 0xd50, 0xd8f, "servers" }, { 0xd90, 0xd90, "Skylake" },
	{ 0xda0, 0xda0, "Skylake" }, { 0xdb0, 0xdb2, "Skylake" }, { 0xdc0, 0xddf, "Skylake" },
};

static bool is_elsewhere(const struct uncoremsr_collision *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(elsewhere); i++)
		if (c->first == elsewhere[i].first && c->last == elsewhere[i].last &&
		    !strncmp(c->processors, elsewhere[i].processors, strlen(elsewhere[i].processors)))
			return true;
	return false;
}

TEST(ranges_of_boxes_end_where_the_boxes_do)
{
	unsigned num = 0;

	for (size_t i = 0; i < um_num_collisions; i++) {
		const struct uncoremsr_collision *c = &um_collisions[i];
		bool known = false;

		if (is_elsewhere(c)) {
			num++;
			continue;
		}
		for (size_t k = 0; k < um_num_models; k++) {
			if (!um_models[k].uarch || !means(c, um_models[k].name))
				continue;
			known = true;
			check_beside(c, um_models[k].uarch);
		}
		ck_assert_msg(known, "0x%x to 0x%x, %s", c->first, c->last, c->processors);
		check_ends(c);
	}
	ck_assert_uint_eq(num, ARRAY_SIZE(elsewhere));
}

static int check_meaning(void *user, const struct um_reg_place *at)
{
	const struct um_uarch *u = user;

	ck_assert_msg(in_a_row(u->name, um_place_msr(at)), "%s: 0x%x", u->name, um_place_msr(at));
	return 0;
}

/* Conversely, every uncore register of an Intel processor must be in some row of the list. */
TEST(every_uncore_register_of_intel_has_a_meaning)
{
	const struct um_uarch *before = NULL;

	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_uarch *u = um_models[i].uarch;

		if (u && u != before && !strcmp(um_models[i].vendor, "GenuineIntel"))
			um_regs_each(u, check_meaning, (void *)(uintptr_t)u);
		before = u;
	}
}

SUITE(collisions)
