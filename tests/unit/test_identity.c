/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Identification of the processor. Uses internal headers, because the tests change CPUID answers and files. */
#include "fake_tree.h"
#include "machine/machine.h"
#include "suite.h"

/*
 * Leaf 1 EAX of processors without a recorded dump. tests/kept/dumps and the simulated machines have all other
 * processors.
 */
static const struct {
	uint32_t eax;
	int family, model, stepping;
} signatures[] = {
	{ 0x00000f29, 15, 2, 9 },     /* Pentium 4: base family 15, extended fields 0 */
	{ 0x00000480, 4, 8, 0 },      /* 486 */
	{ 0x000507bb, 7, 91, 11 },    /* Zhaoxin Lujiazui */
	{ 0x0fff0543, 5, 4, 3 },      /* before family 6, extended family and model are not used */
};

TEST_EACH(a_signature_is_decoded_with_its_extended_fields, ARRAY_SIZE(signatures))
{
	struct um_identity id;

	um_identity_decode_signature(&id, signatures[_i].eax);
	ck_assert_int_eq(id.family, signatures[_i].family);
	ck_assert_int_eq(id.model, signatures[_i].model);
	ck_assert_int_eq(id.stepping, signatures[_i].stepping);
}

static const struct {
	uint32_t regs[4];
	struct um_leaf_0xa want;
} leaves_0xa[] = {
	/* Westmere: event 2 absent; ECX means nothing before version 5 */
	{ { 0x07300403, 0x04, 0xff, 0x603 }, { true, 3, 4, 48, 7, 0x04, 3, 48, 0x7, false, { 0 } } },
	/* Yonah: version 1 has no fixed counters, whatever EDX holds */
	{ { 0x07280201, 0, 0xf, 0x603 }, { true, 1, 2, 40, 7, 0, 0, 0, 0, false, { 0 } } },
	/* Bonnell: bit 13 of EDX, which is reserved, is set */
	{ { 0x07280203, 0, 0, 0x2501 }, { true, 3, 2, 40, 7, 0, 1, 40, 0x1, false, { 0 } } },
	/* a Rocket Lake whose leaf 0xA has 0 in ECX */
	{ { 0x08300805, 0, 0, 0x604 }, { true, 5, 8, 48, 8, 0, 4, 48, 0xf, false, { 0 } } },
	/* ECX lists fixed counters 0, 1, 2, 4, 5, 6, without 3 */
	{ { 0x0d300806, 0x280, 0x77, 0x8603 }, { true, 6, 8, 48, 13, 0x280, 6, 48, 0x77, true, { 0 } } },
	/* bits of EBX at or above the length in EAX 31:24 have no meaning */
	{ { 0x07300404, 0xffffff80, 0xff, 0x603 }, { true, 4, 4, 48, 7, 0, 3, 48, 0x7, false, { 0 } } },
	/* lengths of 31 and 32 bits for EBX */
	{ { 0x1f300404, 0xffffffff, 0, 0x603 }, { true, 4, 4, 48, 31, 0x7fffffff, 3, 48, 0x7, false, { 0 } } },
	{ { 0x20300404, 0xffffffff, 0, 0x603 }, { true, 4, 4, 48, 32, 0xffffffff, 3, 48, 0x7, false, { 0 } } },
	/* fixed counters exist from version 2 on, their mask in ECX from version 5 on; EDX 4:0 is their number */
	{ { 0x07280202, 0, 0xf, 0x502 }, { true, 2, 2, 40, 7, 0, 2, 40, 0x3, false, { 0 } } },
	{ { 0x08300805, 0, 0x13, 0x603 }, { true, 5, 8, 48, 8, 0, 4, 48, 0x17, false, { 0 } } },
	{ { 0x08300805, 0, 0, 0x610 }, { true, 5, 8, 48, 8, 0, 16, 48, 0xffff, false, { 0 } } },
	/* more counters than any processor has */
	{ { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
	  { true, 255, 255, 255, 255, 0xffffffff, 32, 255, 0xffffffff, true, { 0 } } },
};

TEST_EACH(leaf_0xa_is_decoded_as_the_processor_reports_it, ARRAY_SIZE(leaves_0xa))
{
	const struct um_leaf_0xa *want = &leaves_0xa[_i].want;
	struct um_leaf_0xa l;

	um_leaf_0xa_decode(&l, leaves_0xa[_i].regs);
	ck_assert(l.present);
	ck_assert_uint_eq(l.version, want->version);
	ck_assert_uint_eq(l.general, want->general);
	ck_assert_uint_eq(l.general_width, want->general_width);
	ck_assert_uint_eq(l.event_bits, want->event_bits);
	ck_assert_uint_eq(l.events_absent, want->events_absent);
	ck_assert_uint_eq(l.fixed, want->fixed);
	ck_assert_uint_eq(l.fixed_width, want->fixed_width);
	ck_assert_uint_eq(l.fixed_mask, want->fixed_mask);
	ck_assert_int_eq(l.anythread_deprecated, want->anythread_deprecated);
	ck_assert_mem_eq(l.regs, leaves_0xa[_i].regs, sizeof(l.regs));
}

/* "GenuineIntel" is in EBX, EDX, ECX. */
#define INTEL_LEAF_0(max) { 0, { max, 0x756e6547, 0x6c65746e, 0x49656e69 } }

static void read_leaves(struct um_identity *id, const struct fake_leaf *leaves, size_t num)
{
	struct fake_tree f;

	fake_init(&f);
	f.leaves = leaves;
	f.num_leaves = num;
	um_identity_read(id, &f.base, 0);
	fake_free(&f);
}

/* Leading and trailing blanks are removed. The brand exists only if leaf 0x80000000 covers all three parts. */
TEST(blanks_around_the_brand_are_removed)
{
	static const struct { uint32_t max, first, last; const char *brand; } rows[] = {
		{ 0x80000004, 0x41414141, 0x42424242, "AAAA            " "                    BBBBBBBBBBBB" },
		{ 0x80000008, 0x41202020, 0x20424220, "A            " "                     BB  BB  BB" },
		{ 0x80000004, 0x20202041, 0x20202020, "A" }, { 0x80000004, 0x20202020, 0x20202020, "" },
		{ 0x80000003, 0x41414141, 0x42424242, "" }, { 0x80000000, 0x41414141, 0x42424242, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fake_leaf leaves[] = {
			INTEL_LEAF_0(0xb), { 1, { 0x000206c2, 0, 0, 0 } }, { 0x80000000, { rows[i].max, 0, 0, 0 } },
			{ 0x80000002, { rows[i].first, 0x20202020, 0x20202020, 0x20202020 } },
			{ 0x80000003, { 0x20202020, 0x20202020, 0x20202020, 0x20202020 } },
			{ 0x80000004, { 0x20202020, rows[i].last, rows[i].last, rows[i].last } },
		};
		struct um_identity id;

		read_leaves(&id, leaves, ARRAY_SIZE(leaves));
		ck_assert_uint_eq(strlen(id.brand), strlen(rows[i].brand));
		ck_assert_str_eq(id.brand, rows[i].brand);
	}
}

TEST(a_processor_without_leaf_0xa_has_none)
{
	static const struct fake_leaf old[] = {
		INTEL_LEAF_0(5), { 1, { 0x00000f29, 0, 0, 0 } }, { 0xa, { 0x07300403, 0, 0, 0 } },
	};
	struct fake_leaf last;
	struct um_identity id;

	read_leaves(&id, old, ARRAY_SIZE(old));
	ck_assert_str_eq(id.source, "cpuid");
	ck_assert(!id.leaf_0xa.present);
	ck_assert_int_eq(id.hypervisor, 0);
	ck_assert_str_eq(id.brand, "");
	/*
	 * For a leaf above the highest leaf the processor returns the highest leaf, so leaf 0xa is used only if leaf 0
	 * reports at least 0xa.
	 */
	last = old[0];
	for (last.regs[0] = 8; last.regs[0] <= 0xa; last.regs[0]++) {
		struct fake_leaf leaves[] = { last, old[1], old[2] };

		read_leaves(&id, leaves, ARRAY_SIZE(leaves));
		ck_assert_int_eq(id.leaf_0xa.present, last.regs[0] == 0xa);
	}
}

static void read_cpuinfo(struct um_identity *id, const char *text)
{
	struct fake_tree f;

	fake_init(&f);
	if (text)
		fake_add(&f, text, "proc/cpuinfo");
	um_identity_read(id, &f.base, 0);
	fake_free(&f);
}

static void assert_unknown(const struct um_identity *id)
{
	ck_assert_ptr_null(id->source);
	ck_assert_str_eq(id->vendor, "");
	ck_assert_str_eq(id->brand, "");
	ck_assert_int_eq(id->family, -1);
	ck_assert_int_eq(id->model, -1);
	ck_assert_int_eq(id->stepping, -1);
	ck_assert_int_eq(id->hypervisor, -1);
	ck_assert(!id->leaf_0xa.present);
}

TEST(without_cpuid_the_first_processor_in_cpuinfo_is_used)
{
	struct um_identity id;

	read_cpuinfo(&id, "processor\t: 4\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
		     "model\t\t: 44\nmodel name\t:    Intel(R) Xeon(R) CPU X5670  \n"
		     "stepping\t: 2\nflags\t\t: fpu vme hypervisor lahf_lm\n\n"
		     "processor\t: 5\nvendor_id\t: AuthenticAMD\ncpu family\t: 23\n");
	ck_assert_str_eq(id.source, "cpuinfo");
	ck_assert_str_eq(id.vendor, "GenuineIntel");
	ck_assert_int_eq(id.family, 6);
	ck_assert_int_eq(id.model, 44);
	ck_assert_int_eq(id.stepping, 2);
	ck_assert_int_eq(id.hypervisor, 1);
	ck_assert_str_eq(id.brand, "Intel(R) Xeon(R) CPU X5670");
	ck_assert(!id.leaf_0xa.present);
}

TEST(the_hypervisor_flag_is_a_whole_word_and_unknown_without_flags)
{
	struct um_identity id;

	read_cpuinfo(&id, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 44\n"
		     "flags\t\t: fpu hypervisors nohypervisor");
	ck_assert_int_eq(id.hypervisor, 0);
	read_cpuinfo(&id, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 44\n");
	ck_assert_str_eq(id.source, "cpuinfo");
	ck_assert_int_eq(id.hypervisor, -1);
	ck_assert_int_eq(id.stepping, -1);
}

static const char *const foreign[] = {
	NULL,
	"",
	/* Itanium */
	"processor  : 0\nvendor     : GenuineIntel\narch       : IA-64\nfamily     : 32\n"
	"model      : 1\nmodel name : Dual-Core Intel(R) Itanium(R) Processor 9140N\n",
	/* s390, PlayStation 3, ARM */
	"vendor_id       : IBM/S390\n# processors    : 20\n",
	"processor\t: 0\ncpu\t\t: Cell\nmodel\t\t: SonyPS3\n",
	"processor\t: 0\nCPU architecture: 8\nCPU implementer\t: 0x41\n",
	"vendor_id\t: GenuineIntel\ncpu family\t: six\nmodel\t\t: 44\n",
	"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 44z\n",
	"vendor_id\t: \ncpu family\t: 6\nmodel\t\t: 44\n",
};

TEST_EACH(another_architecture_is_not_taken_for_an_x86_processor, ARRAY_SIZE(foreign))
{
	struct um_identity id;

	read_cpuinfo(&id, foreign[_i]);
	assert_unknown(&id);
}

TEST(a_cpuid_of_zeros_is_no_identity)
{
	static const struct fake_leaf zeros[][2] = {
		{ { 0, { 0, 0, 0, 0 } }, { 1, { 0, 0, 0, 0 } } },
		{ INTEL_LEAF_0(0), { 1, { 0x000206c2, 0, 0, 0 } } },
		{ { 0, { 0xb, 0, 0, 0 } }, { 1, { 0x000206c2, 0, 0, 0 } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(zeros); i++) {
		struct um_identity id;

		read_leaves(&id, zeros[i], ARRAY_SIZE(zeros[i]));
		assert_unknown(&id);
	}
}

/* Leaf 0x80000022 as recorded on a Genoa and a Strix Halo, and without PerfMon version 2. */
TEST(amd_reports_its_number_of_counters_only_with_perfmon_2)
{
	static const struct {
		uint32_t last, regs[4];
		bool told;
		unsigned fabric, memory, controllers;
	} parts[] = {
		{ 0x80000028, { 1, 0x00304106, 0xfff, 0 }, true, 16, 48, 0xfff },
		{ 0x80000022, { 1, 0x00402106, 0xffff, 0 }, true, 8, 64, 0xffff },
		{ 0x80000028, { 6, 0x00304106, 0xfff, 0 }, false, 0, 0, 0 },
		{ 0x80000021, { 1, 0x00304106, 0xfff, 0 }, false, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct fake_leaf leaves[] = { { 0x80000000, { parts[i].last, 0, 0, 0 } },
					      { 0x80000022, { 0 } } };
		struct um_amd_counters n;
		struct fake_tree f;

		memcpy(leaves[1].regs, parts[i].regs, sizeof(parts[i].regs));
		fake_init(&f);
		f.leaves = leaves;
		f.num_leaves = ARRAY_SIZE(leaves);
		ck_assert_int_eq(um_amd_counters_read(&n, &f.base, 0), parts[i].told);
		ck_assert_uint_eq(n.fabric, parts[i].fabric);
		ck_assert_uint_eq(n.memory, parts[i].memory);
		ck_assert_uint_eq(n.controllers, parts[i].controllers);
		fake_free(&f);
	}
}

/* Leaf 0x80000022 EBX: bits 15:10 counters of the data fabric, bits 23:16 counters of the memory controllers. */
TEST(every_bit_of_the_numbers_of_counters_is_decoded)
{
	struct fake_leaf leaves[] = { { 0x80000000, { 0x80000022, 0, 0, 0 } },
				      { 0x80000022, { 1, 0, 3, 0 } } };
	struct um_amd_counters n;
	struct fake_tree f;

	fake_init(&f);
	f.leaves = leaves;
	f.num_leaves = ARRAY_SIZE(leaves);
	for (unsigned bit = 0; bit < 32; bit++) {
		leaves[1].regs[1] = 1u << bit;
		ck_assert(um_amd_counters_read(&n, &f.base, 0));
		ck_assert_uint_eq(n.fabric, bit >= 10 && bit < 16 ? 1u << (bit - 10) : 0);
		ck_assert_uint_eq(n.memory, bit >= 16 && bit < 24 ? 1u << (bit - 16) : 0);
	}
	fake_free(&f);
}

SUITE(identity)
