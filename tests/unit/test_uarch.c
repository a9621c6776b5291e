/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks every table, so that a new processor is checked by the tests that are already here. */
#include <string.h>

#include "error.h"
#include "suites.h"
#include "uarch/uarch.h"

/* Calls @fn for every microarchitecture that has a table, each once. */
static unsigned for_each_uarch(void (*fn)(const struct um_uarch *u))
{
	unsigned num = 0;

	for (size_t i = 0; i < um_num_models; i++) {
		size_t before = 0;

		while (um_models[before].uarch != um_models[i].uarch)
			before++;
		if (!um_models[i].uarch || before != i)
			continue;
		fn(um_models[i].uarch);
		num++;
	}
	return num;
}

static void for_each_reg(const struct um_uarch *u,
			 void (*fn)(const struct um_uarch *u, const struct um_reg *reg))
{
	for (size_t i = 0; i < u->num_regs; i++)
		fn(u, &u->regs[i]);
}

static uint64_t field_mask(const struct um_field *f)
{
	return (f->width == 64 ? UINT64_MAX : (1ull << f->width) - 1) << f->shift;
}

static void check_text(const char *text)
{
	ck_assert_ptr_nonnull(text);
	ck_assert_str_ne(text, "");
}

static void check_reg_text(const struct um_uarch *u, const struct um_reg *reg)
{
	const char *mark = strchr(reg->name, '%');

	check_text(reg->name);
	check_text(reg->desc);
	check_text(reg->source);
	ck_assert_uint_ge(reg->count, 1);
	ck_assert_msg((mark != NULL) == (reg->count > 1), "%s: %s", u->name, reg->name);
	if (mark)
		ck_assert(strncmp(mark, "%u", 2) == 0 && !strchr(mark + 1, '%'));
}

static void check_texts(const struct um_uarch *u)
{
	check_text(u->name);
	check_text(u->title);
	ck_assert_uint_gt(u->num_regs, 0);
	ck_assert_uint_gt(u->num_pmus, 0);
	for_each_reg(u, check_reg_text);
}

START_TEST(every_register_has_a_name_a_description_and_a_source)
{
	ck_assert_uint_gt(for_each_uarch(check_texts), 0);
}
END_TEST

static void check_order(const struct um_uarch *u)
{
	for (size_t i = 0; i < u->num_regs; i++) {
		const struct um_reg *reg = &u->regs[i];

		if (i)
			ck_assert_msg(reg[-1].msr + reg[-1].count <= reg->msr, "%s: %s and %s",
				      u->name, reg[-1].name, reg->name);
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(u->regs[k].name, reg->name);
	}
}

START_TEST(registers_are_in_address_order_and_none_is_claimed_twice)
{
	for_each_uarch(check_order);
}
END_TEST

static void check_reg_fields(const struct um_uarch *u, const struct um_reg *reg)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < reg->num_fields; i++) {
		const struct um_field *f = &reg->fields[i];

		check_text(f->name);
		check_text(f->desc);
		ck_assert_uint_ge(f->width, 1);
		ck_assert_msg(f->shift + f->width <= 64, "%s: %s.%s", u->name, reg->name, f->name);
		ck_assert_msg(!(seen & field_mask(f)), "%s: %s.%s overlaps", u->name, reg->name,
			      f->name);
		seen |= field_mask(f);
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(reg->fields[k].name, f->name);
	}
	ck_assert_msg(seen == reg->valid, "%s: %s: fields 0x%llx, valid bits 0x%llx", u->name,
		      reg->name, (unsigned long long)seen, (unsigned long long)reg->valid);
}

static void check_fields(const struct um_uarch *u)
{
	for_each_reg(u, check_reg_fields);
}

START_TEST(fields_do_not_overlap_and_name_exactly_the_bits_that_exist)
{
	for_each_uarch(check_fields);
}
END_TEST

static void check_reg_masks(const struct um_uarch *u, const struct um_reg *reg)
{
	ck_assert_msg(!(reg->write_mask & ~reg->valid), "%s: %s", u->name, reg->name);
	ck_assert_msg(!(reg->reads_zero & ~reg->valid), "%s: %s", u->name, reg->name);
	if (reg->access == UM_REG_RO)
		ck_assert_uint_eq(reg->write_mask, 0);
}

static void check_masks(const struct um_uarch *u)
{
	for_each_reg(u, check_reg_masks);
}

START_TEST(we_write_only_bits_that_exist_and_no_read_only_register)
{
	for_each_uarch(check_masks);
}
END_TEST

/* Register @msr exists, can be written, and takes @bits of what we may write. */
static void check_writable(const struct um_uarch *u, uint32_t msr, uint64_t bits)
{
	const struct um_reg *reg = um_reg_find(u, msr, NULL);

	ck_assert_msg(reg != NULL, "%s: 0x%x is in no row", u->name, msr);
	ck_assert_int_eq(reg->access, UM_REG_RW);
	ck_assert_msg(!(bits & ~reg->write_mask), "%s: %s", u->name, reg->name);
}

static void check_selector(const struct um_uarch *u, const struct uncoremsr_pmu *p)
{
	const struct um_selector *s = &p->selector;
	uint64_t bits[] = {
		field_mask(&s->event), field_mask(&s->umask), field_mask(&s->cmask),
		s->enable, s->edge, s->invert, s->occ_reset, s->pmi,
	};
	uint64_t seen = 0;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		ck_assert_msg(!(seen & bits[i]), "%s: parts of a selector overlap", u->name);
		seen |= bits[i];
	}
	ck_assert_uint_eq(s->settable, seen & ~s->pmi);
	ck_assert_int_eq(__builtin_popcountll(s->enable), 1);
	ck_assert_uint_eq(s->ignore_on_compare & s->enable, 0);
	for (unsigned i = 0; i < p->num_general; i++) {
		check_writable(u, p->selector0 + i, s->settable);
		check_writable(u, p->counter0 + i, (1ull << p->general_width) - 1);
		ck_assert_uint_eq(um_reg_find(u, p->selector0 + i, NULL)->reads_zero &
				  ~s->ignore_on_compare, 0);
	}
}

static void check_pmus(const struct um_uarch *u)
{
	for (size_t i = 0; i < u->num_pmus; i++) {
		const struct uncoremsr_pmu *p = &u->pmus[i];

		check_text(p->name);
		check_text(p->desc);
		check_selector(u, p);
		check_writable(u, p->global_control,
			       ((1ull << p->num_general) - 1) << p->global_general_bit0);
		ck_assert_ptr_nonnull(um_reg_find(u, p->global_status, NULL));
		ck_assert_ptr_nonnull(um_reg_find(u, p->global_overflow_control, NULL));
		ck_assert_uint_gt(p->max_clock_hz, 0);
		ck_assert_uint_gt(p->max_increment, 0);
		if (!p->num_fixed)
			continue;
		check_text(p->fixed_event);
		ck_assert_ptr_nonnull(p->fixed_aliases);
		check_writable(u, p->fixed_counter, (1ull << p->fixed_width) - 1);
		check_writable(u, p->fixed_control, p->fixed_enable);
		check_writable(u, p->global_control, 1ull << p->global_fixed_bit);
	}
}

START_TEST(every_pmu_uses_registers_of_its_table_within_their_write_masks)
{
	for_each_uarch(check_pmus);
}
END_TEST

START_TEST(no_model_is_in_the_index_twice)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_model *a = &um_models[i];

		check_text(a->vendor);
		check_text(a->name);
		check_text(a->title);
		ck_assert_int_le(a->model_first, a->model_last);
		for (size_t k = 0; k < i; k++) {
			const struct um_model *b = &um_models[k];

			ck_assert_msg(strcmp(a->vendor, b->vendor) || a->family != b->family ||
				      a->model_first > b->model_last ||
				      b->model_first > a->model_last,
				      "%s and %s", a->title, b->title);
		}
	}
}
END_TEST

START_TEST(rows_of_one_name_agree_on_the_table_and_carry_its_name)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_model *m = &um_models[i];

		ck_assert_ptr_eq(um_uarch_find(m->name), m->uarch);
		if (m->uarch)
			ck_assert_str_eq(m->uarch->name, m->name);
	}
	ck_assert_ptr_null(um_uarch_find("pentium5"));
}
END_TEST

static const struct um_uarch *table_of(const char *vendor, int family, int model)
{
	const struct um_model *m = um_model_find(vendor, family, model);

	return m ? m->uarch : NULL;
}

START_TEST(five_models_have_a_table_and_no_other_processor_has)
{
	static const struct {
		int model;
		const struct um_uarch *uarch;
	} want[] = {
		{ 0x1a, &um_uarch_nehalem }, { 0x1e, &um_uarch_nehalem },
		{ 0x1f, &um_uarch_nehalem }, { 0x25, &um_uarch_westmere },
		{ 0x2c, &um_uarch_westmere },
	};
	static const char *const vendors[] = {
		"GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls", "  Shanghai  ", "",
		"genuineintel", "GenuineIntel ",
	};

	for (size_t v = 0; v < ARRAY_SIZE(vendors); v++)
		for (int family = -1; family <= 0x20; family++)
			for (int model = -1; model <= 0xff; model++) {
				const struct um_uarch *uarch = NULL;

				for (size_t i = 0; i < ARRAY_SIZE(want); i++)
					if (v == 0 && family == 6 && model == want[i].model)
						uarch = want[i].uarch;
				ck_assert_ptr_eq(table_of(vendors[v], family, model), uarch);
			}
}
END_TEST

START_TEST(processors_that_are_refused_are_still_called_by_their_names)
{
	static const struct {
		const char *vendor;
		int family, model;
		const char *name;
	} want[] = {
		{ "GenuineIntel", 6, 0x2a, "sandybridge" }, { "GenuineIntel", 6, 0x2d, "sandybridge-ep" },
		{ "GenuineIntel", 6, 0x2e, "nehalem-ex" }, { "GenuineIntel", 6, 0x2f, "westmere-ex" },
		{ "GenuineIntel", 6, 0x55, "skylake-sp" }, { "GenuineIntel", 6, 0x17, "core2" },
		{ "GenuineIntel", 15, 4, "pentium4" }, { "GenuineIntel", 18, 1, "novalake" },
		{ "AuthenticAMD", 0x17, 0x31, "zen2" }, { "AuthenticAMD", 0x19, 0x11, "zen4" },
		{ "HygonGenuine", 0x18, 1, "dhyana" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct um_model *m =
			um_model_find(want[i].vendor, want[i].family, want[i].model);

		ck_assert_ptr_nonnull(m);
		ck_assert_str_eq(m->name, want[i].name);
	}
	ck_assert_ptr_null(um_model_find("GenuineIntel", 6, 0xfe));
	ck_assert_ptr_null(um_model_find("GenuineIntel", 5, 2));
}
END_TEST

/* Numbers from the manual, written out once more: a slip in the table shows here. */
START_TEST(nehalem_and_westmere_registers_are_those_of_the_manual)
{
	static const struct {
		uint32_t msr;
		uint64_t valid, write;
		enum um_reg_access access;
	} want[] = {
		{ 0x391, 0x800f0001000000ff, 0x1000000ff, UM_REG_RW },
		{ 0x392, 0xa0000001000000ff, 0, UM_REG_RO },
		{ 0x393, 0xa0000001000000ff, 0, UM_REG_WO },
		{ 0x394, 0xffffffffffff, 0xffffffffffff, UM_REG_RW },
		{ 0x395, 0x5, 0x5, UM_REG_RW },
		{ 0x396, 0xe000fffffffffff8, 0, UM_REG_RW },
		{ 0x3b0, 0xffffffffffff, 0xffffffffffff, UM_REG_RW },
		{ 0x3b7, 0xffffffffffff, 0xffffffffffff, UM_REG_RW },
		{ 0x3c0, 0xffd6ffff, 0xffd6ffff, UM_REG_RW },
		{ 0x3c7, 0xffd6ffff, 0xffd6ffff, UM_REG_RW },
	};
	static const struct um_uarch *const both[] = { &um_uarch_nehalem, &um_uarch_westmere };

	for (size_t i = 0; i < ARRAY_SIZE(want) * ARRAY_SIZE(both); i++) {
		const struct um_reg *reg = um_reg_find(both[i % 2], want[i / 2].msr, NULL);

		ck_assert_ptr_nonnull(reg);
		ck_assert_uint_eq(reg->valid, want[i / 2].valid);
		ck_assert_uint_eq(reg->write_mask, want[i / 2].write);
		ck_assert_int_eq(reg->access, want[i / 2].access);
		ck_assert_int_eq(reg->scope, UM_SCOPE_PACKAGE);
	}
	ck_assert_uint_eq(um_reg_find(&um_uarch_westmere, 0x301, NULL)->write_mask, 0);
	ck_assert_ptr_null(um_reg_find(&um_uarch_nehalem, 0x301, NULL));
}
END_TEST

START_TEST(addresses_beside_the_tables_are_not_claimed)
{
	static const uint32_t others[] = { 0x0, 0x300, 0x302, 0x390, 0x397, 0x3af, 0x3b8, 0x3bf,
					   0x3c8, 0x1b1, 0x186, 0xffffffff };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ck_assert_ptr_null(um_reg_find(&um_uarch_westmere, others[i], NULL));
}
END_TEST

START_TEST(the_fixed_counter_is_394_and_its_control_395)
{
	const struct uncoremsr_pmu *p = um_uarch_westmere.pmus;

	ck_assert_uint_eq(p->fixed_counter, 0x394);
	ck_assert_uint_eq(p->fixed_control, 0x395);
	ck_assert_uint_eq(p->fixed_enable, 1);
	ck_assert_uint_eq(p->global_fixed_bit, 32);
	ck_assert_uint_eq(p->num_general, 8);
	ck_assert_uint_eq(p->general_width, 48);
	ck_assert_uint_eq(p->selector0, 0x3c0);
	ck_assert_uint_eq(p->counter0, 0x3b0);
	ck_assert_uint_eq(p->selector.ignore_on_compare, 1u << 17);
	ck_assert_uint_eq(p->selector.settable, 0xffc6ffff); /* no event sets bit 20, the PMI */
	ck_assert_str_eq(p->fixed_event, "UNC_CLK_UNHALTED");
}
END_TEST

START_TEST(registers_are_written_with_name_and_number)
{
	char buf[64], tiny[8];
	unsigned index = 99;

	ck_assert_ptr_nonnull(um_reg_find(&um_uarch_westmere, 0x3c3, &index));
	ck_assert_uint_eq(index, 3);
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c3, buf, sizeof(buf)),
			 "UNCORE_PERFEVTSEL3 (0x3c3)");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x391, buf, sizeof(buf)),
			 "UNCORE_PERF_GLOBAL_CTRL (0x391)");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c8, buf, sizeof(buf)), "MSR 0x3c8");
	ck_assert_str_eq(um_reg_format(NULL, 0x3c3, buf, sizeof(buf)), "MSR 0x3c3");
	ck_assert_str_eq(um_reg_format(&um_uarch_westmere, 0x3c3, tiny, sizeof(tiny)), "UNCORE_");
}
END_TEST

Suite *uarch_suite(void)
{
	Suite *s = suite_create("uarch");
	TCase *tc = tcase_create("every table");

	tcase_add_test(tc, every_register_has_a_name_a_description_and_a_source);
	tcase_add_test(tc, registers_are_in_address_order_and_none_is_claimed_twice);
	tcase_add_test(tc, fields_do_not_overlap_and_name_exactly_the_bits_that_exist);
	tcase_add_test(tc, we_write_only_bits_that_exist_and_no_read_only_register);
	tcase_add_test(tc, every_pmu_uses_registers_of_its_table_within_their_write_masks);
	suite_add_tcase(s, tc);

	tc = tcase_create("index");
	tcase_add_test(tc, no_model_is_in_the_index_twice);
	tcase_add_test(tc, rows_of_one_name_agree_on_the_table_and_carry_its_name);
	tcase_add_test(tc, five_models_have_a_table_and_no_other_processor_has);
	tcase_add_test(tc, processors_that_are_refused_are_still_called_by_their_names);
	suite_add_tcase(s, tc);

	tc = tcase_create("nehalem and westmere");
	tcase_add_test(tc, nehalem_and_westmere_registers_are_those_of_the_manual);
	tcase_add_test(tc, addresses_beside_the_tables_are_not_claimed);
	tcase_add_test(tc, the_fixed_counter_is_394_and_its_control_395);
	tcase_add_test(tc, registers_are_written_with_name_and_number);
	suite_add_tcase(s, tc);
	return s;
}
