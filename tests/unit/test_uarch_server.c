/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Servers and AMD: addresses, numbers and names from the manuals and the kernel, written a second time to find
 * errors in the tables (or in the code that reads them).
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"

static const struct um_uarch *table(const char *name)
{
	const struct um_uarch *u = um_uarch_find(name);

	ck_assert_msg(u != NULL, "%s has no table", name);
	return u;
}

static const struct um_pmu *pmu_of(const char *uarch, const char *name)
{
	const struct um_uarch *u = table(uarch);

	for (size_t i = 0; i < u->num_pmus; i++)
		if (strcmp(u->pmus[i].name, name) == 0)
			return &u->pmus[i];
	ck_abort_msg("%s: %s", uarch, name);
	return NULL;
}

/* ---- addresses ---- */

enum row { SELECTOR, COUNTER, BOX, FILTER, STATUS, FIXED, CONTROL };

struct spot {
	const char *uarch, *pmu;
	unsigned unit;
	enum row row;
	unsigned index; /* index of the selector, counter, filter or fixed counter */
	uint32_t msr;
};

/* A filter register: 0 is that of the first row, 1 the next different one. */
static const struct um_reg *filter(const struct um_pmu *p, unsigned index)
{
	for (size_t i = 0; i < p->num_extras; i++)
		if ((p->extras[i].reg.msr != p->extras[0].reg.msr) == (index == 1))
			return &p->extras[i].reg;
	ck_abort_msg("%s has no filter %u", p->name, index);
	return NULL;
}

static uint32_t address(const struct spot *s)
{
	const struct um_pmu *p = pmu_of(s->uarch, s->pmu);

	switch (s->row) {
	case SELECTOR: return um_pmu_msr(p, &p->selector->reg, s->unit, s->index);
	case COUNTER: return um_pmu_msr(p, p->counter, s->unit, s->index);
	case BOX: return um_pmu_msr(p, &p->gates[0].reg, s->unit, 0);
	case FILTER: return um_pmu_msr(p, filter(p, s->index), s->unit, 0);
	case STATUS: return um_pmu_msr(p, &p->others[s->index], s->unit, 0);
	case FIXED: return um_pmu_msr(p, &p->fixed[s->index].counter, s->unit, 0);
	case CONTROL: return um_pmu_msr(p, &p->fixed[s->index].control, s->unit, 0);
	}
	return 0;
}

static const struct spot spots[] = {
	/* Sandy Bridge-EP: C-boxes at a distance of 0x20; the clock's control register comes before its
	 * counter. */
	{ "sandybridge-ep", "cbo", 0, BOX, 0, 0xd04 },
	{ "sandybridge-ep", "cbo", 0, SELECTOR, 0, 0xd10 },
	{ "sandybridge-ep", "cbo", 0, FILTER, 0, 0xd14 },
	{ "sandybridge-ep", "cbo", 1, STATUS, 0, 0xd35 },
	{ "sandybridge-ep", "cbo", 7, SELECTOR, 3, 0xdf3 },
	{ "sandybridge-ep", "cbo", 7, COUNTER, 3, 0xdf9 },
	{ "sandybridge-ep", "ubox", 0, SELECTOR, 1, 0xc11 },
	{ "sandybridge-ep", "ubox", 0, COUNTER, 1, 0xc17 },
	{ "sandybridge-ep", "ubox", 0, CONTROL, 0, 0xc08 },
	{ "sandybridge-ep", "ubox", 0, FIXED, 0, 0xc09 },
	{ "sandybridge-ep", "pcu", 0, BOX, 0, 0xc24 },
	{ "sandybridge-ep", "pcu", 0, FILTER, 0, 0xc34 },
	{ "sandybridge-ep", "pcu", 0, COUNTER, 3, 0xc39 },
	/* Ivy Bridge-EP: 15 C-boxes and a second filter. */
	{ "ivybridge-ep", "cbo", 0, FILTER, 1, 0xd1a },
	{ "ivybridge-ep", "cbo", 8, BOX, 0, 0xe04 },
	{ "ivybridge-ep", "cbo", 14, BOX, 0, 0xec4 },
	{ "ivybridge-ep", "cbo", 14, SELECTOR, 0, 0xed0 },
	{ "ivybridge-ep", "cbo", 14, FILTER, 0, 0xed4 },
	{ "ivybridge-ep", "cbo", 14, FILTER, 1, 0xeda },
	{ "ivybridge-ep", "cbo", 14, COUNTER, 3, 0xed9 },
	{ "ivybridge-ep", "cbo", 14, STATUS, 0, 0xed5 },
	{ "ivybridge-ep", "ubox", 0, CONTROL, 0, 0xc08 },
	{ "ivybridge-ep", "pcu", 0, SELECTOR, 0, 0xc30 },
	{ "ivybridge-ep", "pcu", 0, COUNTER, 0, 0xc36 },
	{ "ivybridge-ep", "pcu", 0, STATUS, 0, 0xc35 },
	/* Haswell-EP: boxes at a distance of 0x10, S-boxes 0xA. */
	{ "haswell-ep", "cbo", 0, BOX, 0, 0xe00 },
	{ "haswell-ep", "cbo", 17, BOX, 0, 0xf10 },
	{ "haswell-ep", "cbo", 17, SELECTOR, 3, 0xf14 },
	{ "haswell-ep", "cbo", 17, FILTER, 0, 0xf15 },
	{ "haswell-ep", "cbo", 17, FILTER, 1, 0xf16 },
	{ "haswell-ep", "cbo", 17, COUNTER, 0, 0xf18 },
	{ "haswell-ep", "sbox", 0, BOX, 0, 0x720 },
	{ "haswell-ep", "sbox", 3, BOX, 0, 0x73e },
	{ "haswell-ep", "sbox", 3, SELECTOR, 3, 0x742 },
	{ "haswell-ep", "sbox", 3, COUNTER, 3, 0x747 },
	{ "haswell-ep", "ubox", 0, SELECTOR, 0, 0x705 },
	{ "haswell-ep", "ubox", 0, COUNTER, 1, 0x70a },
	{ "haswell-ep", "ubox", 0, FILTER, 0, 0x707 },
	{ "haswell-ep", "ubox", 0, CONTROL, 0, 0x703 },
	{ "haswell-ep", "ubox", 0, FIXED, 0, 0x704 },
	{ "haswell-ep", "pcu", 0, FILTER, 0, 0x715 },
	{ "broadwell-ep", "cbo", 23, BOX, 0, 0xf70 },
	{ "broadwell-ep", "cbo", 23, COUNTER, 3, 0xf7b },
	{ "broadwell-ep", "sbox", 1, BOX, 0, 0x72a },
	{ "broadwell-ep", "sbox", 2, STATUS, 0, 0x739 },
	{ "broadwell-ep", "pcu", 0, BOX, 0, 0x710 },
	{ "broadwell-de", "cbo", 15, SELECTOR, 0, 0xef1 },
	{ "broadwell-de", "pcu", 0, COUNTER, 3, 0x71a },
	/* Knights Landing: boxes at a distance of 0xC. */
	{ "knightslanding", "cha", 1, BOX, 0, 0xe0c },
	{ "knightslanding", "cha", 18, BOX, 0, 0xed8 },
	{ "knightslanding", "cha", 18, COUNTER, 0, 0xee0 },
	{ "knightslanding", "cha", 18, SELECTOR, 3, 0xedc },
	{ "knightslanding", "cha", 18, FILTER, 0, 0xedd },
	{ "knightslanding", "cha", 18, FILTER, 1, 0xede },
	{ "knightslanding", "cha", 18, STATUS, 0, 0xedf },
	{ "knightslanding", "cha", 37, BOX, 0, 0xfbc },
	{ "knightslanding", "cha", 37, COUNTER, 3, 0xfc7 },
	{ "knightslanding", "ubox", 0, COUNTER, 0, 0x709 },
	{ "knightslanding", "pcu", 0, COUNTER, 0, 0x717 },
	{ "knightsmill", "cha", 2, BOX, 0, 0xe18 },
	/* Skylake-SP: free-running counters at two distances. */
	{ "skylake-sp", "cha", 1, BOX, 0, 0xe10 },
	{ "skylake-sp", "cha", 27, BOX, 0, 0xfb0 },
	{ "skylake-sp", "cha", 27, FILTER, 1, 0xfb6 },
	{ "skylake-sp", "cha", 27, COUNTER, 3, 0xfbb },
	{ "skylake-sp", "iio", 0, BOX, 0, 0xa40 },
	{ "skylake-sp", "iio", 5, SELECTOR, 0, 0xae8 },
	{ "skylake-sp", "iio", 5, COUNTER, 3, 0xae4 },
	{ "skylake-sp", "irp", 5, BOX, 0, 0xaf8 },
	{ "skylake-sp", "irp", 5, SELECTOR, 1, 0xafc },
	{ "skylake-sp", "irp", 5, COUNTER, 1, 0xafa },
	{ "skylake-sp", "iio_free_running", 0, FIXED, 0, 0xa45 },
	{ "skylake-sp", "iio_free_running", 5, FIXED, 0, 0xae5 },
	{ "skylake-sp", "iio_free_running", 5, FIXED, 1, 0xb50 },
	{ "skylake-sp", "iio_free_running", 5, FIXED, 16, 0xb5f },
	/* Snow Ridge. */
	{ "snowridge", "cha", 0, FILTER, 0, 0x1c05 },
	{ "snowridge", "cha", 5, BOX, 0, 0x1c50 },
	{ "snowridge", "cha", 5, COUNTER, 3, 0x1c5b },
	{ "snowridge", "iio", 4, BOX, 0, 0x1e40 },
	{ "snowridge", "iio", 4, SELECTOR, 3, 0x1e4b },
	{ "snowridge", "iio", 4, COUNTER, 0, 0x1e41 },
	{ "snowridge", "irp", 4, SELECTOR, 1, 0x1ee9 },
	{ "snowridge", "irp", 4, COUNTER, 1, 0x1ee2 },
	{ "snowridge", "m2pcie", 4, SELECTOR, 0, 0x1e98 },
	{ "snowridge", "m2pcie", 4, COUNTER, 3, 0x1e94 },
	{ "snowridge", "iio_free_running", 4, FIXED, 0, 0x1eec },
	{ "snowridge", "iio_free_running", 4, FIXED, 8, 0x1f47 },
	{ "snowridge", "pcu", 0, FILTER, 0, 0x1efc },
	{ "snowridge", "ubox", 0, CONTROL, 0, 0x1f93 },
	{ "snowridge", "ubox", 0, COUNTER, 1, 0x1f99 },
	/* Ice Lake-SP: CHAs with a gap and a jump back to lower addresses, I/O stacks with gaps. */
	{ "icelake-sp", "cha", 17, BOX, 0, 0xeee },
	{ "icelake-sp", "cha", 18, BOX, 0, 0xf0a },
	{ "icelake-sp", "cha", 18, FILTER, 0, 0xf0f },
	{ "icelake-sp", "cha", 33, BOX, 0, 0xfdc },
	{ "icelake-sp", "cha", 33, COUNTER, 3, 0xfe7 },
	{ "icelake-sp", "cha", 34, BOX, 0, 0xb60 },
	{ "icelake-sp", "cha", 34, SELECTOR, 0, 0xb61 },
	{ "icelake-sp", "cha", 34, COUNTER, 0, 0xb68 },
	{ "icelake-sp", "cha", 39, BOX, 0, 0xba6 },
	{ "icelake-sp", "cha", 41, STATUS, 0, 0xbc9 },
	{ "icelake-sp", "iio", 1, BOX, 0, 0xa70 },
	{ "icelake-sp", "iio", 3, BOX, 0, 0xae0 },
	{ "icelake-sp", "iio", 4, BOX, 0, 0xb00 },
	{ "icelake-sp", "iio", 5, SELECTOR, 3, 0xb2b },
	{ "icelake-sp", "irp", 3, BOX, 0, 0xada },
	{ "icelake-sp", "irp", 5, SELECTOR, 1, 0xb1e },
	{ "icelake-sp", "m2pcie", 3, BOX, 0, 0xad0 },
	{ "icelake-sp", "m2pcie", 5, SELECTOR, 3, 0xb19 },
	{ "icelake-sp", "iio_free_running", 3, FIXED, 0, 0xae5 },
	{ "icelake-sp", "iio_free_running", 3, FIXED, 1, 0xb30 },
	{ "icelake-sp", "iio_free_running", 5, FIXED, 8, 0xb57 },
	{ "icelake-d", "cha", 18, SELECTOR, 0, 0xf0b },
	/* Sapphire Rapids. */
	{ "sapphirerapids", "cha", 0, BOX, 0, 0x2000 },
	{ "sapphirerapids", "cha", 0, FILTER, 0, 0x200e },
	{ "sapphirerapids", "cha", 59, BOX, 0, 0x23b0 },
	{ "sapphirerapids", "cha", 59, SELECTOR, 3, 0x23b5 },
	{ "sapphirerapids", "cha", 59, COUNTER, 3, 0x23bb },
	{ "sapphirerapids", "iio", 11, SELECTOR, 0, 0x30b2 },
	{ "sapphirerapids", "irp", 11, COUNTER, 1, 0x34b9 },
	{ "sapphirerapids", "iio_free_running", 11, FIXED, 0, 0x34be },
	{ "sapphirerapids", "iio_free_running", 11, FIXED, 1, 0x38b0 },
	{ "sapphirerapids", "iio_free_running", 11, FIXED, 16, 0x38bf },
	{ "sapphirerapids", "ubox", 0, BOX, 0, 0x2fd0 },
	{ "sapphirerapids", "ubox", 0, CONTROL, 0, 0x2fde },
	{ "emeraldrapids", "ubox", 0, FIXED, 0, 0x2fdf },
	{ "emeraldrapids", "ubox", 0, COUNTER, 1, 0x2fd9 },
	/* Granite Rapids: the clock's counter comes before its control register; ports at a distance of 0x10,
	 * stacks of 0x80. */
	{ "graniterapids", "cha", 143, BOX, 0, 0x28f0 },
	{ "graniterapids", "iio", 15, BOX, 0, 0x29f0 },
	{ "graniterapids", "irp", 15, COUNTER, 1, 0x2af9 },
	{ "graniterapids", "ubox", 0, SELECTOR, 1, 0x3ff3 },
	{ "graniterapids", "ubox", 0, FIXED, 0, 0x3ffd },
	{ "graniterapids", "ubox", 0, CONTROL, 0, 0x3ffe },
	{ "graniterapids", "iio_free_running", 15, FIXED, 0, 0x29fe },
	{ "graniterapids", "iio_free_running", 1, FIXED, 1, 0x368e },
	{ "graniterapids", "iio_free_running", 15, FIXED, 8, 0x3dfe },
	{ "graniterapids", "iio_free_running", 0, FIXED, 9, 0x2e0e },
	{ "graniterapids", "iio_free_running", 15, FIXED, 16, 0x35fe },
	{ "sierraforest", "cha", 63, BOX, 0, 0x23f0 },
	{ "clearwaterforest", "iio", 1, SELECTOR, 0, 0x2912 },
	{ "grandridge", "cha", 3, FILTER, 0, 0x203e },
	{ "grandridge", "iio", 2, COUNTER, 3, 0x292b },
	{ "grandridge", "ubox", 0, BOX, 0, 0x3f50 },
	{ "grandridge", "ubox", 0, CONTROL, 0, 0x3f5e },
	{ "grandridge", "ubox", 0, FIXED, 0, 0x3f5f },
	/* AMD: selectors and counters alternate; memory channels at a distance of 8. */
	{ "bulldozer", "nb", 0, SELECTOR, 3, 0xc0010246 },
	{ "jaguar", "nb", 0, COUNTER, 3, 0xc0010247 },
	{ "jaguar", "l2", 0, SELECTOR, 1, 0xc0010232 },
	{ "zen", "l3", 0, SELECTOR, 0, 0xc0010230 },
	{ "zen", "l3", 0, COUNTER, 5, 0xc001023b },
	{ "zen2", "df", 0, SELECTOR, 3, 0xc0010246 },
	{ "zen3", "df", 0, COUNTER, 0, 0xc0010241 },
	{ "zen4", "df", 0, SELECTOR, 15, 0xc001025e },
	{ "zen4", "df", 0, COUNTER, 15, 0xc001025f },
	{ "zen4", "umc", 0, SELECTOR, 0, 0xc0010800 },
	{ "zen4", "umc", 11, SELECTOR, 0, 0xc0010858 },
	{ "zen5", "umc", 15, COUNTER, 3, 0xc001087f },
	{ "dhyana", "l3", 0, SELECTOR, 5, 0xc001023a },
};

TEST(registers_of_servers_are_where_the_manuals_say)
{
	for (size_t i = 0; i < ARRAY_SIZE(spots); i++) {
		const struct spot *s = &spots[i];

		ck_assert_msg(address(s) == s->msr, "%s: %s%u, row %d, index %u: 0x%x, not 0x%x",
			      s->uarch, s->pmu, s->unit, (int)s->row, s->index, address(s), s->msr);
	}
}

/* ---- how many ---- */

TEST(numbers_of_units_and_counters_are_those_of_the_manuals)
{
	static const struct {
		const char *uarch, *pmu;
		enum um_units_from from;
		unsigned units, counters, width;
	} want[] = {
		{ "sandybridge-ep", "cbo", UM_UNITS_CORES, 8, 4, 44 },
		{ "sandybridge-ep", "ubox", UM_UNITS_ALL, 1, 2, 44 },
		{ "ivybridge-ep", "cbo", UM_UNITS_CORES, 15, 4, 44 },
		{ "haswell-ep", "cbo", UM_UNITS_CORES, 18, 4, 48 },
		{ "haswell-ep", "sbox", UM_UNITS_PROBE, 4, 4, 44 },
		{ "haswell-ep", "ubox", UM_UNITS_ALL, 1, 2, 44 },
		{ "broadwell-ep", "cbo", UM_UNITS_CORES, 24, 4, 48 },
		{ "broadwell-ep", "sbox", UM_UNITS_PROBE, 4, 4, 48 },
		{ "knightslanding", "cha", UM_UNITS_MSR, 38, 4, 48 },
		{ "skylake-sp", "cha", UM_UNITS_MSR, 28, 4, 48 },
		{ "skylake-sp", "irp", UM_UNITS_ALL, 6, 2, 48 },
		{ "snowridge", "cha", UM_UNITS_PROBE, 6, 4, 48 },
		{ "icelake-sp", "cha", UM_UNITS_MSR, 42, 4, 48 },
		{ "sapphirerapids", "cha", UM_UNITS_MSR, 60, 4, 48 },
		{ "graniterapids", "cha", UM_UNITS_MSR, 144, 4, 48 },
		{ "grandridge", "iio", UM_UNITS_PROBE, 3, 4, 48 },
		{ "zen", "l3", UM_UNITS_ALL, 1, 6, 48 },
		{ "zen3", "df", UM_UNITS_ALL, 1, 4, 48 },
		{ "zen4", "df", UM_UNITS_ALL, 1, 16, 48 },
		{ "zen4", "umc", UM_UNITS_AMD_UMC, 16, 4, 48 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_pmu *p = pmu_of(want[i].uarch, want[i].pmu);

		ck_assert_int_eq(p->units.from, want[i].from);
		ck_assert_uint_eq(p->units.max, want[i].units);
		ck_assert_uint_eq(p->num_general, want[i].counters);
		ck_assert_uint_eq(p->general_width, want[i].width);
	}
}

TEST(the_register_with_the_number_of_chas_is_the_right_one)
{
	static const struct {
		const char *uarch;
		uint32_t msr;
		unsigned width;
		bool zero_means_probe;
	} want[] = {
		{ "knightslanding", 0x702, 6, false }, { "skylake-sp", 0x702, 6, false },
		{ "icelake-sp", 0x702, 6, false }, { "emeraldrapids", 0x2ffe, 16, true },
		{ "sierraforest", 0x3fed, 9, false }, { "grandridge", 0x3fed, 9, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_units *units = &pmu_of(want[i].uarch, "cha")->units;

		ck_assert_uint_eq(units->msr, want[i].msr);
		ck_assert_uint_eq(units->shift, 0);
		ck_assert_uint_eq(units->width, want[i].width);
		ck_assert_int_eq(units->zero_means_probe, want[i].zero_means_probe);
	}
}

/* ---- what lets them run ---- */

TEST(boxes_are_enabled_by_whole_values_in_their_own_layout)
{
	static const struct {
		const char *uarch, *pmu;
		uint64_t mask, value;
		bool one_by_one;
	} want[] = {
		{ "sandybridge-ep", "cbo", 0x10100, 0x10000, false },
		{ "ivybridge-ep", "pcu", 0x10100, 0x10000, false },
		{ "haswell-ep", "sbox", 0x10100, 0x10000, true },
		{ "broadwell-ep", "sbox", 0x10100, 0x10000, true },
		{ "skylake-sp", "cha", 0x10100, 0x10000, false },
		{ "skylake-sp", "iio", 0x30100, 0x30000, false },
		{ "icelake-sp", "m2pcie", 0x30100, 0x30000, false },
		{ "sapphirerapids", "cha", 1, 0, false },
		{ "grandridge", "ubox", 1, 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_pmu *p = pmu_of(want[i].uarch, want[i].pmu);

		ck_assert_uint_ge(p->num_gates, 1);
		ck_assert(p->gates[0].of_unit && p->gates[0].plain);
		ck_assert_uint_eq(p->gates[0].mask, want[i].mask);
		ck_assert_uint_eq(p->gates[0].value, want[i].value);
		ck_assert_int_eq(p->gates[0].bit_by_bit, want[i].one_by_one);
	}
	ck_assert_uint_eq(pmu_of("skylake-sp", "cha")->num_gates, 1);
	ck_assert_uint_eq(pmu_of("skylake-sp", "ubox")->num_gates, 0);
	ck_assert_uint_eq(pmu_of("graniterapids", "cha")->num_gates, 1);
	ck_assert_uint_eq(pmu_of("emeraldrapids", "irp")->num_gates, 2);
	ck_assert_uint_eq(pmu_of("emeraldrapids", "irp")->gates[1].reg.msr, 0x2ff0);
	ck_assert_uint_eq(pmu_of("emeraldrapids", "irp")->gates[1].reg.write_mask, 0);
	ck_assert_uint_eq(pmu_of("zen", "l3")->num_gates, 0);
}

TEST(global_controls_are_described_and_never_written)
{
	static const struct {
		const char *uarch;
		uint32_t msr;
		uint64_t valid;
	} want[] = {
		{ "ivybridge-ep", 0xc00, 0xa0000000 },
		{ "haswell-ep", 0x700, 0xa0000000 },
		{ "knightslanding", 0x700, 0xa000000000000000 },
		{ "icelake-sp", 0x700, 0xa000000000000000 },
		{ "sapphirerapids", 0x2ff0, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_reg *reg = um_reg_find(table(want[i].uarch), want[i].msr, NULL);

		ck_assert_ptr_nonnull(reg);
		ck_assert_uint_eq(reg->valid, want[i].valid);
		ck_assert_uint_eq(reg->write_mask, 0);
	}
	/* One published program writes 0x391 on Sandy Bridge-EP, but no other source has that register. */
	ck_assert_ptr_null(um_reg_find(table("sandybridge-ep"), 0x391, NULL));
	ck_assert_ptr_null(um_reg_find(table("sandybridge-ep"), 0xc00, NULL));
}

/* ---- the rest ---- */

/* Bytes per count of the free-running counters of I/O stacks, for incoming and outgoing data; 0: unknown. Sources:
 * vendor lists, and Linux since April 2025. */
TEST(bandwidth_of_io_stacks_counts_4_bytes_on_skylake_and_32_later)
{
	static const struct {
		const char *uarch;
		double in, out;
	} want[] = {
		{ "skylake-sp", 4, 4 }, { "snowridge", 32, 0 }, { "icelake-sp", 32, 0 },
		{ "icelake-d", 32, 0 }, { "sapphirerapids", 32, 0 }, { "emeraldrapids", 32, 0 },
		{ "graniterapids", 32, 0 }, { "sierraforest", 32, 0 },
		{ "clearwaterforest", 32, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_pmu *pmu = pmu_of(want[i].uarch, "iio_free_running");
		unsigned seen = 0;

		for (unsigned k = 0; k < pmu->num_fixed; k++) {
			const struct um_fixed *f = &pmu->fixed[k];
			bool in = !strncmp(f->event, "bw_in_", 6);
			bool out = !strncmp(f->event, "bw_out_", 7);
			double bytes = in ? want[i].in : out ? want[i].out : 0;

			seen += in || out;
			ck_assert_double_eq_tol(f->scale * 1048576, bytes, 1e-9);
			ck_assert_msg(!strcmp(f->unit, bytes > 0 ? "MiB" : ""), "%s: %s", want[i].uarch, f->event);
		}
		ck_assert_uint_ge(seen, 8);
	}
}

TEST(free_running_counters_have_the_kernels_names)
{
	const struct um_pmu *skx = pmu_of("skylake-sp", "iio_free_running");
	const struct um_pmu *spr = pmu_of("sapphirerapids", "iio_free_running");

	ck_assert_uint_eq(skx->num_fixed, 17);
	ck_assert_str_eq(skx->fixed[0].event, "ioclk");
	ck_assert_str_eq(skx->fixed[5].event, "bw_out_port0");
	ck_assert_str_eq(skx->fixed[10].event, "util_out_port0");
	ck_assert_uint_eq(skx->fixed[16].width, 36);
	ck_assert_uint_eq(spr->num_fixed, 17);
	ck_assert_str_eq(spr->fixed[8].event, "bw_in_port7");
	ck_assert_uint_eq(spr->fixed[8].width, 48);
	ck_assert_uint_eq(pmu_of("icelake-sp", "iio_free_running")->num_fixed, 9);
}

TEST(boxes_on_pci_or_in_memory_are_listed_with_how_to_reach_them)
{
	static const struct {
		const char *uarch, *pmu;
		enum um_reach reach;
		const char *kernel;
	} want[] = {
		{ "sandybridge-ep", "imc", UM_REACH_PCI, "uncore_imc" },
		{ "ivybridge-ep", "qpi", UM_REACH_PCI, "uncore_qpi" },
		{ "knightslanding", "edc_eclk", UM_REACH_PCI, "uncore_edc_eclk" },
		{ "skylake-sp", "upi", UM_REACH_PCI, "uncore_upi" },
		{ "icelake-sp", "imc", UM_REACH_MMIO, "uncore_imc" },
		{ "sapphirerapids", "pcu", UM_REACH_DISCOVERY, "uncore_pcu" },
		{ "sapphirerapids", "m2pcie", UM_REACH_DISCOVERY, "uncore_m2pcie" },
		{ "graniterapids", "mdf", UM_REACH_DISCOVERY, "uncore_mdf_sbo" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_pmu *p = pmu_of(want[i].uarch, want[i].pmu);

		ck_assert_int_eq(p->reach, want[i].reach);
		ck_assert_str_eq(p->kernel, want[i].kernel);
	}
}

#define INTEL "GenuineIntel"
#define AMD "AuthenticAMD"
#define HYGON "HygonGenuine"

TEST(models_lead_to_their_own_table)
{
	static const struct {
		const char *vendor;
		int family, model;
		const char *uarch;
	} want[] = {
		{ INTEL, 6, 0x2d, "sandybridge-ep" },
		{ INTEL, 6, 0x3e, "ivybridge-ep" },
		{ INTEL, 6, 0x3f, "haswell-ep" },
		{ INTEL, 6, 0x4f, "broadwell-ep" },
		{ INTEL, 6, 0x56, "broadwell-de" },
		{ INTEL, 6, 0x57, "knightslanding" },
		{ INTEL, 6, 0x85, "knightsmill" },
		{ INTEL, 6, 0x55, "skylake-sp" },
		{ INTEL, 6, 0x86, "snowridge" },
		{ INTEL, 6, 0x6a, "icelake-sp" },
		{ INTEL, 6, 0x6c, "icelake-d" },
		{ INTEL, 6, 0x8f, "sapphirerapids" },
		{ INTEL, 6, 0xcf, "emeraldrapids" },
		{ INTEL, 6, 0xad, "graniterapids" },
		{ INTEL, 6, 0xae, "graniterapids" },
		{ INTEL, 6, 0xaf, "sierraforest" },
		{ INTEL, 6, 0xb6, "grandridge" },
		{ INTEL, 6, 0xdd, "clearwaterforest" },
		{ AMD, 0x15, 0x02, "bulldozer" },
		{ AMD, 0x16, 0x00, "jaguar" },
		{ AMD, 0x17, 0x01, "zen" },
		{ AMD, 0x17, 0x31, "zen2" },
		{ AMD, 0x19, 0x01, "zen3" },
		{ AMD, 0x19, 0x11, "zen4" },
		{ AMD, 0x19, 0x44, "zen3" },
		{ AMD, 0x1a, 0x02, "zen5" },
		{ HYGON, 0x18, 0x01, "dhyana" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_model *m =
			um_model_find(want[i].vendor, want[i].family, want[i].model);

		ck_assert_ptr_nonnull(m);
		ck_assert_ptr_nonnull(m->uarch);
		ck_assert_str_eq(m->uarch->name, want[i].uarch);
	}
	/* These processors have no uncore counters in MSRs; before family 0x15 AMD has different ones. */
	ck_assert_ptr_null(um_model_find(INTEL, 19, 1)->uarch);
	ck_assert_ptr_null(um_model_find(AMD, 0x10, 2)->uarch);
	ck_assert_ptr_null(um_model_find(HYGON, 0x17, 1));
}

SUITE(uarch_server)
