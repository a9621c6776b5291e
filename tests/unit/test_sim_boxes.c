/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Simulated uncores made of boxes behave as the manuals say. Registers are named by their numbers,
 * from the manuals, so that the tables are checked too.
 *
 * Uses internal headers, because the tables say which registers there are.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim_machine.h"
#include "suite.h"
#include "uarch/uarch.h"
#include "uncoremsr.h"

#define S SECOND
#define EN 0x400000ull
#define BIT(n) (1ull << (n))

/* Use a machine of one four-core package whose uncore is @uncore, with more lines @text. */
static void use_one(const char *uncore, const char *text)
{
	char path[] = "/tmp/sim_boxes_XXXXXX", what[64];
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	ck_assert_ptr_nonnull(f);
	fprintf(f, "uncore = %s\nuncore_hz = 1000000000\n"
		"leaf = 0x0 0 0x0000000d 0x756e6547 0x6c65746e 0x49656e69\n"
		"package = 0 cores=0-3 cpus=0-3\n%s\nend\n", uncore, text);
	fclose(f);
	snprintf(what, sizeof(what), "%s,clock=stepped,start=0", path);
	use(what);
	unlink(path);
}

static void read_faults(struct uncoremsr_sim *on, unsigned cpu, uint32_t msr)
{
	uint64_t v;

	ck_assert_msg(uncoremsr_sim_rdmsr(on, cpu, msr, &v) == -EIO, "0x%x reads", msr);
}

static void write_faults(struct uncoremsr_sim *on, unsigned cpu, uint32_t msr, uint64_t value)
{
	ck_assert_msg(uncoremsr_sim_wrmsr(on, cpu, msr, value) == -EIO, "0x%x takes 0x%llx", msr,
		      (unsigned long long)value);
}

/* What a counter of CPU @cpu's uncore counts in one second with this selector. */
static uint64_t in_one_second(struct uncoremsr_sim *on, unsigned cpu, uint32_t selector,
			      uint32_t counter, uint64_t word)
{
	uint64_t n;

	wr(on, cpu, selector, 0);
	wr(on, cpu, counter, 0);
	wr(on, cpu, selector, word);
	wr(on, cpu, selector, word);
	advance(on, S);
	n = rd(on, cpu, counter);
	wr(on, cpu, selector, 0);
	return n;
}

/* Advance the clock by one second; the register must then hold @value. */
static void a_second_later(unsigned cpu, uint32_t msr, uint64_t value)
{
	advance(sim, S);
	ck_assert_msg(rd(sim, cpu, msr) == value, "0x%x of CPU %u: %" PRIu64 ", not %" PRIu64, msr, cpu,
		      rd(sim, cpu, msr), value);
}

/* Check that the bits @valid of a register can be set, and that all others fault. */
static void only_bits(struct uncoremsr_sim *on, uint32_t msr, uint64_t valid)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		int err = uncoremsr_sim_wrmsr(on, 0, msr, BIT(bit));

		ck_assert_msg(err == (valid >> bit & 1 ? 0 : -EIO), "0x%x bit %u: %d", msr, bit,
			      err);
	}
	wr(on, 0, msr, 0);
}

FIXTURE(.teardown = free_sim)

/* ---- client ---- */

#define SNB "sandybridge-1s,clock=stepped,start=0"

TEST(a_client_counter_needs_its_selector_and_bit_29)
{
	use(SNB);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x700, 0x706, EN | 0x8834), 0);
	wr(sim, 0, 0x391, BIT(29));
	ck_assert_uint_eq(in_one_second(sim, 0, 0x700, 0x706, 0x8834), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x700, 0x706, EN | 0x8834), 700000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x701, 0x707, EN | 0x8834), 700000);
	ck_assert_uint_eq(in_one_second(sim, 7, 0x730, 0x736, EN | 0x8834), 4 * 700000);
	wr(sim, 0, 0x391, 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x700, 0x706, EN | 0x8834), 0);
}

TEST(the_clients_clock_is_counted_at_395_and_controlled_at_394)
{
	use(SNB);
	wr(sim, 0, 0x391, BIT(29));
	write_faults(sim, 0, 0x394, 1); /* 1 enables the clock on Nehalem */
	a_second_later(0, 0x395, 0);
	wr(sim, 0, 0x394, EN);
	a_second_later(0, 0x395, 3300000000);
}

TEST(reserved_bits_and_absent_boxes_of_a_client_fault)
{
	use(SNB);
	only_bits(sim, 0x700, 0x1fd4ffff);
	only_bits(sim, 0x3b2, 0x1fd4ffff);
	only_bits(sim, 0x391, 0xe000001f);
	only_bits(sim, 0x706, BIT(44) - 1);
	read_faults(sim, 0, 0x740);           /* there is no fifth C-box */
	read_faults(sim, 0, 0x702);
	read_faults(sim, 0, 0x3b4);
	read_faults(sim, 0, 0x3c0);
	write_faults(sim, 0, 0x396, 0);
	ck_assert_uint_eq(rd(sim, 0, 0x396), 5);
}

TEST(a_client_counter_wraps_at_44_bits)
{
	use(SNB);
	wr(sim, 0, 0x391, BIT(29));
	wr(sim, 0, 0x706, BIT(44) - 1);
	wr(sim, 0, 0x700, EN | 0x8834);
	a_second_later(0, 0x706, 700000 - 1);
	ck_assert_uint_eq(rd(sim, 0, 0x391), BIT(29));
}

TEST(bit_31_of_the_client_control_freezes_on_overflow_and_not_before)
{
	use(SNB);
	wr(sim, 0, 0x391, BIT(31) | BIT(29));
	wr(sim, 0, 0x706, BIT(44) - 1000000);
	wr(sim, 0, 0x700, EN | 0x8834);
	wr(sim, 0, 0x716, 0);
	wr(sim, 0, 0x710, EN | 0x8834);
	a_second_later(0, 0x706, BIT(44) - 300000);
	a_second_later(0, 0x716, 2 * 2 * 700000);
	ck_assert_uint_eq(rd(sim, 0, 0x391), BIT(31));
	a_second_later(0, 0x716, 2 * 2 * 700000);
}

TEST(arb_occupancy_counts_on_counter_0_alone)
{
	use(SNB);
	wr(sim, 0, 0x391, BIT(29));
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b2, 0x3b0, EN | 0x180), 90000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b3, 0x3b1, EN | 0x180), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b3, 0x3b1, EN | 0x181), 4000000);
}

TEST(unit_masks_thresholds_and_edges_work_as_on_nehalem)
{
	use(SNB);
	wr(sim, 0, 0x391, BIT(29));
	ck_assert_uint_eq(in_one_second(sim, 0, 0x700, 0x706, EN | 0x4522), 3000 + 5000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x700, 0x706, EN | 0x8f34), 2500000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b2, 0x3b0, EN | 8 << 24 | 0x180), 90000000 / 8);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b2, 0x3b0, EN | 9 << 24 | 0x180), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b2, 0x3b0, EN | BIT(23) | 1 << 24 | 0x181),
			  3300000000 - 4000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x3b2, 0x3b0, EN | BIT(18) | 0x181), 4000000);
}

TEST(alder_lake_has_boxes_at_other_addresses_and_reports_their_number)
{
	use("alderlake-hybrid,clock=stepped,start=0");
	ck_assert_uint_eq(rd(sim, 0, 0x396) & 0xf, 10);
	wr(sim, 23, 0x2ff0, BIT(29));
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2000, 0x2002, EN | 0x8834), 700000);
	ck_assert_uint_eq(in_one_second(sim, 23, 0x2048, 0x204a, EN | 0x8834), 10 * 700000);
	read_faults(sim, 0, 0x2050);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2fd8, 0x2fda, EN | 0x181), 2 * 4000000);
	wr(sim, 0, 0x2fdf, 0);
	wr(sim, 0, 0x2fde, EN);
	a_second_later(0, 0x2fdf, 3800000000);
	wr(sim, 0, 0x2ff0, 0);                /* on Alder Lake this stops the clock, too */
	a_second_later(0, 0x2fdf, 3800000000);
	only_bits(sim, 0x2000, 0x3fd4ffff);
	only_bits(sim, 0x2fd0, 0x1fd4ffff);
}

TEST(meteor_lake_has_an_enable_for_each_tile)
{
	use("meteorlake,clock=stepped,start=0");
	wr(sim, 0, 0x240e, BIT(29));
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2442, 0x2448, EN | 0x8834), 700000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2422, 0x2428, EN | 0x181), 2 * 4000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2042, 0x2048, EN | 0x135), 0);
	wr(sim, 0, 0x2002, EN);
	wr(sim, 0, 0x2008, 0);
	a_second_later(0, 0x2008, 0);
	wr(sim, 0, 0x200e, BIT(29));
	a_second_later(0, 0x2008, 2400000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2042, 0x2048, EN | 0x135), 550000);
}

/* ---- servers up to Ice Lake-SP ---- */

#define HSX "haswell-ep-2s,clock=stepped,start=0"

TEST(a_server_box_freezes_with_bit_8_and_resets_with_bits_0_and_1)
{
	use(HSX);
	wr(sim, 0, 0xe01, EN | 0x835);
	a_second_later(0, 0xe08, 900000);
	wr(sim, 0, 0xe00, 0x10100);
	ck_assert_uint_eq(rd(sim, 0, 0xe00), 0x10100);
	a_second_later(0, 0xe08, 900000);
	wr(sim, 0, 0xe00, 0x10102);
	ck_assert_uint_eq(rd(sim, 0, 0xe08), 0);
	ck_assert_uint_eq(rd(sim, 0, 0xe01), EN | 0x835);
	ck_assert_uint_eq(rd(sim, 0, 0xe00), 0x10100); /* bit 1 is a strobe: it reads 0 */
	wr(sim, 0, 0xe00, 0x10000);
	a_second_later(0, 0xe08, 900000);
	wr(sim, 0, 0xe00, 0x10001);
	ck_assert_uint_eq(rd(sim, 0, 0xe01), 0);
	ck_assert_uint_eq(rd(sim, 0, 0xe08), 900000);
	only_bits(sim, 0xe00, 0x30103);
}

TEST(bit_17_of_a_server_selector_clears_its_counter)
{
	use(HSX);
	wr(sim, 0, 0xe09, 1234);
	wr(sim, 0, 0xe02, BIT(17) | 0x835);
	ck_assert_uint_eq(rd(sim, 0, 0xe09), 0);
	ck_assert_uint_eq(rd(sim, 0, 0xe02), 0x835);
	only_bits(sim, 0xe02, 0xffdeffff);
	only_bits(sim, 0x705, 0x1fd6ffff);
}

TEST(units_and_packages_of_a_server_count_separately)
{
	use(HSX);
	for (unsigned unit = 0; unit < 6; unit++)
		ck_assert_uint_eq(in_one_second(sim, 0, 0xe01 + 0x10 * unit, 0xe08 + 0x10 * unit,
						EN | 0x835), (unit + 1) * 900000);
	read_faults(sim, 0, 0xe60);           /* no C-box 6: there are six cores */
	wr(sim, 0, 0xe01, EN | 0x835);
	ck_assert_uint_eq(rd(sim, 17, 0xe01), EN | 0x835);
	ck_assert_uint_eq(rd(sim, 6, 0xe01), 0);
}

TEST(a_fused_off_box_faults)
{
	use(HSX);
	rd(sim, 0, 0x73e);                    /* package 1 lacks SBOX 3 and C-box 4 */
	rd(sim, 0, 0xe40);
	for (uint32_t msr = 0x73e; msr < 0x748; msr++)
		read_faults(sim, 6, msr);
	for (uint32_t msr = 0xe40; msr < 0xe4c; msr++)
		write_faults(sim, 23, msr, 0);
	rd(sim, 6, 0xe50);
}

TEST(sandy_bridge_ep_freezes_only_with_frz_en_and_reads_neither)
{
	use_one("sandybridge-ep", "event = cbo:0x11:0x01 rate=1000");
	wr(sim, 0, 0xd10, EN | 0x111);
	wr(sim, 0, 0xd04, 0x100);
	a_second_later(0, 0xd16, 1000);
	wr(sim, 0, 0xd04, 0x10100);
	ck_assert_uint_eq(rd(sim, 0, 0xd04), 0);
	a_second_later(0, 0xd16, 1000);
	only_bits(sim, 0xd16, BIT(44) - 1);
}

TEST(an_sbox_control_takes_one_new_bit_at_a_time)
{
	use(HSX);
	write_faults(sim, 0, 0x720, 0x10003);
	wr(sim, 0, 0x720, 0x1);
	wr(sim, 0, 0x720, 0x3);
	wr(sim, 0, 0x720, 0x10003);
	wr(sim, 0, 0x720, 0x10000);
	write_faults(sim, 0, 0x720, 0x10103);
	wr(sim, 0, 0x720, 0x10100);
	ck_assert_uint_eq(rd(sim, 0, 0x720), 0x10100);
	wr(sim, 0, 0xe00, 0x10003);           /* boxes other than S-boxes take several bits at once */
}

TEST(broadwells_sbox_forgets_an_event_that_is_written_once)
{
	use_one("broadwell-ep", "event = sbox:0x02:0x01 rate=1000");
	wr(sim, 0, 0x721, EN | 0x102);
	ck_assert_uint_eq(rd(sim, 0, 0x721), EN);
	a_second_later(0, 0x726, 0);
	wr(sim, 0, 0x721, EN | 0x102);
	a_second_later(0, 0x726, 1000);
	wr(sim, 0, 0x721, 0);                 /* after a write of 0, two writes are needed again */
	wr(sim, 0, 0x721, EN);
	wr(sim, 0, 0x721, EN | 0x102);
	ck_assert_uint_eq(rd(sim, 0, 0x721), EN | 0x102);
}

static void stops_everything(const char *machine, uint64_t freeze, uint64_t unfreeze)
{
	uint64_t before;

	use(machine);
	wr(sim, 0, 0x703, EN);
	wr(sim, 0, 0x700, freeze);
	ck_assert_uint_eq(rd(sim, 0, 0x700), 0);
	before = rd(sim, 0, 0x704);
	a_second_later(0, 0x704, before);
	wr(sim, 0, 0x700, 0);                 /* writes neither freeze nor unfreeze: nothing changes */
	a_second_later(0, 0x704, before);
	wr(sim, 0, 0x700, unfreeze);
	advance(sim, S);
	ck_assert_uint_gt(rd(sim, 0, 0x704), before);
}

TEST(the_global_stop_bits_of_servers_differ)
{
	stops_everything(HSX, BIT(31), BIT(29));
	write_faults(sim, 0, 0x700, BIT(63));
	stops_everything("skylake-sp-2s,clock=stepped,start=0", BIT(63), BIT(61));
	stops_everything("icelake-sp-2s,clock=stepped,start=0", BIT(63), BIT(61));
}

TEST(lookups_need_a_state_filter_and_opcode_events_an_opcode_filter)
{
	use(HSX);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x1134), 0);
	wr(sim, 0, 0xe05, 0x3full << 18);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x1134), 5000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x4134), 0);
	wr(sim, 0, 0xe06, 1);                 /* the node filter */
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x4134), 1500000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x135), 0);
	wr(sim, 0, 0xe06, 0x182ull << 20);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x135), 600000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x335), 300000);
	wr(sim, 0, 0xe06, 0x180ull << 20);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x135), 70000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe02, 0xe09, EN | 0x836), 0); /* only counter 0 can count this event */
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x836), 20000000);
}

TEST(a_thread_filter_that_is_on_counts_its_thread_alone)
{
	use(HSX);
	wr(sim, 0, 0xe05, 3);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x835), 900000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | BIT(19) | 0x835), 0);
	wr(sim, 0, 0xe05, 0);                 /* all of the workload is on thread 0 */
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | BIT(19) | 0x835), 900000);
}

TEST(each_band_of_the_pcu_has_a_byte_of_the_filter)
{
	use(HSX);
	wr(sim, 0, 0x715, 0x00ffffff);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x711, 0x717, EN | 0x0e), 760000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x711, 0x717, EN | 0x0b), 0);
	wr(sim, 0, 0x715, 0xffffff18);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x711, 0x717, EN | 0x0b), 790000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x711, 0x717, EN | 0x0e), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x712, 0x718, EN | 3 << 14 | 0x80), 1600000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x712, 0x718, EN | 1 << 14 | 4 << 24 | 0x80),
			  2400000000 / 4);
}

TEST(skylake_sp_counts_no_tor_event_with_filter_1_zero)
{
	use("skylake-sp-2s,clock=stepped,start=0");
	ck_assert_uint_eq(rd(sim, 0, 0x702), 10);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 0);
	wr(sim, 0, 0xe06, 0x3b);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 670000);
	wr(sim, 0, 0xe06, 0x33 | 0x201 << 9);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 600000);
	wr(sim, 0, 0xe06, 0x33 | 0x202ull << 19);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 70000);
	wr(sim, 0, 0xe96, 0x3b);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe91, 0xe98, EN | 0x2135), 6700000);
	read_faults(sim, 0, 0xea1);
}

TEST(iio_counts_nothing_without_channel_and_fc_masks)
{
	uint64_t both = 0xffull << 36 | 7ull << 44;

	use("skylake-sp-2s,clock=stepped,start=0");
	ck_assert_uint_eq(in_one_second(sim, 0, 0xa48, 0xa41, EN | 0x183), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xa48, 0xa41, EN | 7ull << 44 | 0x183), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xa48, 0xa41, EN | both | 0x183), 1000000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xa4a, 0xa43, EN | both | 0x183), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xaea, 0xae3, EN | both | 0x1c0), 6 * 300000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xae8, 0xae1, EN | both | 0x1c0), 0);
	only_bits(sim, 0xa48, 0x7fffffd6ffff);
}

TEST(free_running_counters_run_and_cannot_be_written)
{
	use("skylake-sp-2s,clock=stepped,start=0");
	write_faults(sim, 0, 0xb00, 0);
	write_faults(sim, 0, 0xa45, 0);
	a_second_later(0, 0xb00, 1000000);
	ck_assert_uint_eq(rd(sim, 0, 0xb53), 6 * 4000000);
	ck_assert_uint_eq(rd(sim, 0, 0xb04), 5000000);
	ck_assert_uint_eq(rd(sim, 0, 0xa45), 500000000);
	advance(sim, 140 * S);                /* 36 bits wrap after 137 seconds */
	ck_assert_uint_eq(rd(sim, 0, 0xa45), 141 * 500000000ull - BIT(36));
}

TEST(ice_lake_sp_has_its_chas_at_irregular_places)
{
	static const uint32_t at[] = { 0xe00, 0xe0e, 0xeee, 0xf0a, 0xfdc, 0xb60, 0xba6 };
	static const unsigned unit[] = { 0, 1, 17, 18, 33, 34, 39 };
	uint64_t sel = EN | 0xc001feull << 32 | 0x135;

	use("icelake-sp-2s,clock=stepped,start=0");
	ck_assert_uint_eq(rd(sim, 8, 0x702), 40);
	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		ck_assert_uint_eq(in_one_second(sim, 8, at[i] + 1, at[i] + 8, sel),
				  (unit[i] + 1) * 600000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x135), 0);
	read_faults(sim, 0, 0xefc);           /* the gap after the 18th CHA */
	read_faults(sim, 0, 0xbb4);
	only_bits(sim, 0xe01, 0x03ffffffffdeffff);
}

/* ---- Sapphire Rapids ---- */

#define SPR "sapphire-rapids-2s,clock=stepped,start=0"

TEST(sapphire_rapids_moved_the_bits_of_the_box_control)
{
	use(SPR);
	wr(sim, 0, 0x2002, 0x150);            /* there is no enable bit to set */
	a_second_later(0, 0x2008, 400000);
	wr(sim, 0, 0x2000, 1);
	a_second_later(0, 0x2008, 400000);
	ck_assert_uint_eq(rd(sim, 0, 0x2000), 1);
	wr(sim, 0, 0x2000, 0x201);
	ck_assert_uint_eq(rd(sim, 0, 0x2008), 0);
	ck_assert_uint_eq(rd(sim, 0, 0x2002), 0x150);
	wr(sim, 0, 0x2000, 0x100);
	ck_assert_uint_eq(rd(sim, 0, 0x2002), 0);
	ck_assert_uint_eq(rd(sim, 0, 0x2000), 0);
	write_faults(sim, 0, 0x2000, 3);      /* bits 1:0 reset on older servers */
	only_bits(sim, 0x2002, 0xffffffffff97ffff);
	only_bits(sim, 0x3002, 0x7ffffff96ffff);
}

TEST(sapphire_rapids_has_sixty_chas_a_package)
{
	use(SPR);
	ck_assert_uint_eq(rd(sim, 0, 0x2ffe), 60);
	ck_assert_uint_eq(in_one_second(sim, 8, 0x23b2, 0x23b8, 0xc001feull << 32 | 0x135),
			  60 * 600000);
	read_faults(sim, 0, 0x23c2);
	wr(sim, 0, 0x200e, 5);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2002, 0x2008, BIT(16) | 0x150), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2002, 0x2008, 0x150), 400000);
}

TEST(sapphire_rapids_stops_everything_with_bit_0_of_2ff0)
{
	use(SPR);
	wr(sim, 0, 0x2fde, EN);
	wr(sim, 0, 0x2fd2, 0x842);
	advance(sim, S);
	wr(sim, 0, 0x2ff0, 1);
	a_second_later(0, 0x2fdf, 2500000000);
	ck_assert_uint_eq(rd(sim, 0, 0x2fd8), 12000);
	ck_assert_uint_eq(rd(sim, 8, 0x2ff0), 0); /* package 1 is not stopped */
	write_faults(sim, 0, 0x2ff0, BIT(29));
	read_faults(sim, 8, 0x30b0);          /* package 1 lacks the twelfth stack */
	rd(sim, 0, 0x30b0);
	write_faults(sim, 0, 0x340e, 0);
	ck_assert_uint_eq(rd(sim, 0, 0x340e), 1000000000); /* free running: nothing stops it */
}

TEST(granite_rapids_has_counter_and_control_of_the_u_clock_swapped)
{
	use("granite-rapids-2s,clock=stepped,start=0");
	ck_assert_uint_eq(rd(sim, 0, 0x3fed) & 0x1ff, 86);
	ck_assert_uint_eq(in_one_second(sim, 0, 0x2552, 0x2558, 0x150), 86 * 400000);
	wr(sim, 0, 0x3ffe, EN);
	a_second_later(0, 0x3ffd, 2300000000);
	/* Port 2 of stack 1 after two seconds; ports are 0x10 apart, stacks 0x80. */
	ck_assert_uint_eq(rd(sim, 0, 0x36ae), 2 * 2 * 3000000);
}

TEST(dies_of_a_package_have_boxes_of_their_own)
{
	use("cascadelake-ap-1s,clock=stepped,start=0");
	wr(sim, 0, 0xe01, EN | 0x150);
	ck_assert_uint_eq(rd(sim, 11, 0xe01), EN | 0x150);
	ck_assert_uint_eq(rd(sim, 4, 0xe01), 0);
	wr(sim, 15, 0xe01, EN | 0x150);
	wr(sim, 15, 0xe08, 0);
	a_second_later(0, 0xe08, 400000);
	ck_assert_uint_eq(rd(sim, 4, 0xe08), 29 * 400000); /* unit 28: die 0 has room for 28 */
}

TEST(knights_landings_chas_are_12_apart)
{
	use("knights-landing-1s,clock=stepped,start=0");
	ck_assert_uint_eq(in_one_second(sim, 0, 0xfbd, 0xfc4, EN | 0x113), 38 * 200000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 0);
	wr(sim, 0, 0xe06, 0x23);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 670000);
	wr(sim, 0, 0xe06, 0x23 | 0x182 << 9);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x2135), 600000);
	ck_assert_uint_eq(rd(sim, 31, 0x38f), 3); /* two counters of 40 bits */
	read_faults(sim, 31, 0xc3);
}

/* ---- Nehalem-EX ---- */

#define EX "nehalem-ex-4s,clock=stepped,start=0"

TEST(an_ex_counter_needs_master_box_and_selector_enables)
{
	use(EX);
	wr(sim, 0, 0xd10, EN | 0xf15);
	wr(sim, 0, 0xd00, 1);
	a_second_later(0, 0xd11, 0);
	wr(sim, 0, 0xc00, BIT(28));
	a_second_later(0, 0xd11, 3000000);
	wr(sim, 0, 0xd00, 2);                 /* enables counter 1 only */
	a_second_later(0, 0xd11, 3000000);
	only_bits(sim, 0xd00, 0x3f);
	only_bits(sim, 0xc00, 0xb000001f);
}

TEST(ex_boxes_have_their_enable_bits_at_three_places)
{
	use(EX);
	wr(sim, 0, 0xc00, BIT(28) | 1);
	wr(sim, 0, 0xc20, 0xf);
	wr(sim, 0, 0xca0, 0x3f);
	wr(sim, 0, 0xc80, 0x8000000f);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xc30, 0xc31, 8 << 1 | 1), 400000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xc36, 0xc37, 11 << 1 | 1), 700000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xc30, 0xc31, 8 << 1), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xcb0, 0xcb1, 0xd << 9 | 1), 1300000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xcb2, 0xcb3, 1 << 19 | BIT(7) | 1), 15000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xc10, 0xc11, EN | 0x02), 1700);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xc90, 0xc91, EN | 0x103), 300000);
	wr(sim, 0, 0x394, 0);                 /* 0x394 is the W-box clock counter */
	wr(sim, 0, 0x395, 1);
	a_second_later(0, 0x394, 2266666667);
	write_faults(sim, 0, 0xc30, EN);
}

TEST(ex_c_boxes_are_numbered_in_bit_reversed_order)
{
	static const uint32_t base[] = { 0xd00, 0xd80, 0xd40, 0xdc0, 0xd20, 0xda0, 0xd60, 0xde0 };

	use(EX);
	wr(sim, 8, 0xc00, BIT(28));
	for (unsigned i = 0; i < ARRAY_SIZE(base); i++) {
		wr(sim, 8, base[i], 0x3f);
		ck_assert_uint_eq(in_one_second(sim, 8, base[i] + 0x1a, base[i] + 0x1b,
						EN | 0xf15), (i + 1) * 3000000);
	}
	read_faults(sim, 8, 0xf40);           /* only Westmere-EX has C-box 8 */
}

TEST(ex_reset_all_clears_every_box_of_the_package)
{
	use(EX);
	wr(sim, 0, 0xd00, 0x3f);
	wr(sim, 0, 0xd10, EN | 0xf15);
	wr(sim, 0, 0xd11, 77);
	wr(sim, 0, 0xe04, 5);
	wr(sim, 8, 0xd11, 78);
	wr(sim, 0, 0xc00, BIT(29));
	ck_assert_uint_eq(rd(sim, 0, 0xc00), 0);
	ck_assert_uint_eq(rd(sim, 0, 0xd00) | rd(sim, 0, 0xd10) | rd(sim, 0, 0xd11), 0);
	ck_assert_uint_eq(rd(sim, 0, 0xe04), 0);
	ck_assert_uint_eq(rd(sim, 8, 0xd11), 78);
}

TEST(ex_match_registers_decide_what_counts)
{
	use(EX);
	wr(sim, 0, 0xc00, BIT(28));
	wr(sim, 0, 0xcc0, 0xf);
	wr(sim, 0, 0xe00, 0xff);
	wr(sim, 0, 0xe20, 0xff);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xcd0, 0xcd1, EN), 0);
	wr(sim, 0, 0xe58, BIT(63));
	ck_assert_uint_eq(in_one_second(sim, 0, 0xcd0, 0xcd1, EN), 2 * 30000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe10, 0xe11, 1), 0);
	wr(sim, 0, 0xe04, 1);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe10, 0xe11, 1), 100000);
	wr(sim, 0, 0xe2c, 0xf900);            /* port 4 is the first of box 1 */
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe30, 0xe31, 3 << 1 | 1), 2 * 130000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe30, 0xe31, 2 << 1 | 1), 0);
}

/* ---- AMD ---- */

#define L3_SEL 0xc0010230u
#define L3_CTR 0xc0010231u
#define DF_SEL 0xc0010240u
#define DF_CTR 0xc0010241u
#define ZEN3_ALL (3ull << 56 | 3ull << 46)
#define ZEN_ALL (0xffull << 56 | 0xfull << 48)

TEST(an_l3_event_without_thread_mask_counts_nothing)
{
	use("zen-1s,clock=stepped,start=0");
	ck_assert_uint_eq(in_one_second(sim, 0, L3_SEL, L3_CTR, EN | 0x104), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, L3_SEL, L3_CTR, EN | ZEN3_ALL | 0x104), 1200000);
	ck_assert_uint_eq(in_one_second(sim, 0, L3_SEL, L3_CTR, ZEN3_ALL | 0x104), 0);
	use("naples-1s,clock=stepped,start=0");
	ck_assert_uint_eq(in_one_second(sim, 0, L3_SEL, L3_CTR, EN | 0xffull << 56 | 0x104), 0);
	ck_assert_uint_eq(in_one_second(sim, 0, L3_SEL, L3_CTR, EN | ZEN_ALL | 0x104), 1200000);
}

TEST(each_l3_has_counters_of_its_own_and_the_fabric_one_set)
{
	uint64_t sel = EN | ZEN3_ALL | 0xff04;

	use("zen-1s,clock=stepped,start=0");
	wr(sim, 0, L3_SEL + 10, sel);
	ck_assert_uint_eq(rd(sim, 11, L3_SEL + 10), sel);
	ck_assert_uint_eq(rd(sim, 4, L3_SEL + 10), 0);
	ck_assert_uint_eq(in_one_second(sim, 15, L3_SEL, L3_CTR, sel), 2 * 9000000);
	read_faults(sim, 0, L3_SEL + 12);
	wr(sim, 0, DF_SEL, EN | 0x3807);
	ck_assert_uint_eq(rd(sim, 7, DF_SEL), EN | 0x3807);
	ck_assert_uint_eq(in_one_second(sim, 7, DF_SEL, DF_CTR, EN | 1ull << 32 | 0x3887), 300000);
	ck_assert_uint_eq(in_one_second(sim, 7, DF_SEL, DF_CTR, EN | 0x3887), 0);
	read_faults(sim, 0, DF_SEL + 8);
}

TEST(each_node_of_naples_has_a_fabric)
{
	uint32_t r[4];

	use("naples-1s,clock=stepped,start=0");
	for (unsigned node = 0; node < 4; node++)
		ck_assert_uint_eq(in_one_second(sim, 2 * node, DF_SEL + 6, DF_CTR + 6, EN | 0x3807),
				  (node + 1) * 4000000);
	uncoremsr_sim_cpuid(sim, 13, 0x8000001e, 0, r);
	ck_assert_uint_eq(r[0], 5 << 1 | 1);
	ck_assert_uint_eq(r[1], 0x105);
	ck_assert_uint_eq(r[2], 0x302);
}

TEST(perfmon_2_reports_the_number_of_counters)
{
	use("genoa-1s,clock=stepped,start=0");
	wr(sim, 0, DF_SEL + 30, EN | 0x7ull << 24 | 0xfe1f);
	a_second_later(0, DF_CTR + 30, 8000000);
	read_faults(sim, 0, DF_SEL + 32);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xc0010808, 0xc0010809, BIT(31) | 1 << 8 | 0x0a),
			  2 * 3000000);
	read_faults(sim, 0, 0xc0010810);      /* there is no third channel */
	wr(sim, 0, 0xc0010801, BIT(48) - 10);
	wr(sim, 0, 0xc0010800, BIT(31) | 0x0a);
	a_second_later(0, 0xc0010801, BIT(49) - 1); /* full, stopped, with bit 48 set */
}

TEST(caches_of_a_package_are_in_sysfs)
{
	use("zen-1s");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu5/cache/index3/shared_cpu_list"), "4-7,12-15\n");
	use("westmere-2s");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sys/devices/system/cpu/cpu0/cache", NULL, 0), -ENOENT);
}

/* ---- the core PMU ---- */

#define USR BIT(16)
#define OS BIT(17)
#define CORE_EN (EN | USR | OS)

TEST(a_core_counts_architectural_events_in_the_requested_modes)
{
	use("westmere-2s,clock=stepped");
	wr(sim, 3, 0x186, CORE_EN | 0x003c);
	wr(sim, 3, 0x187, EN | 0x003c);
	wr(sim, 3, 0x188, EN | OS | 0x003c);
	wr(sim, 3, 0x189, EN | USR | 0x003c);
	a_second_later(3, 0xc1, 2000000000);
	ck_assert_uint_eq(rd(sim, 3, 0xc2), 0);
	ck_assert_uint_eq(rd(sim, 3, 0xc3), 500000000);
	ck_assert_uint_eq(rd(sim, 3, 0xc4), 1500000000);
	ck_assert_uint_eq(rd(sim, 15, 0xc1), 0); /* the other thread has its own counter */
	read_faults(sim, 3, 0xc5);
}

TEST(a_core_counter_needs_its_global_bit)
{
	use("westmere-2s,clock=stepped");
	wr(sim, 0, 0x38f, 0);
	wr(sim, 0, 0x186, CORE_EN | 0x00c0);
	wr(sim, 0, 0x38d, 0x333);
	advance(sim, S);
	ck_assert_uint_eq(rd(sim, 0, 0xc1) | rd(sim, 0, 0x309), 0);
	wr(sim, 0, 0x38f, BIT(34) | BIT(33) | BIT(32) | 1);
	a_second_later(0, 0xc1, 1500000000);
	ck_assert_uint_eq(rd(sim, 0, 0x309), 1500000000);
	ck_assert_uint_eq(rd(sim, 0, 0x30a), 2000000000);
	ck_assert_uint_eq(rd(sim, 0, 0x30b), 2933333333);
	ck_assert_uint_eq(rd(sim, 5, 0x38f), 0xf);
}

TEST(writes_of_core_counters_take_32_bits_and_extend_the_sign)
{
	use("haswell-ep-2s,clock=stepped");
	wr(sim, 0, 0xc1, 0x123456787fffffff);
	ck_assert_uint_eq(rd(sim, 0, 0xc1), 0x7fffffff);
	wr(sim, 0, 0xc1, 0x80000000);
	ck_assert_uint_eq(rd(sim, 0, 0xc1), 0xffff80000000);
	wr(sim, 0, 0x4c1, 0x123480000000);    /* the full-width alias */
	ck_assert_uint_eq(rd(sim, 0, 0xc1), 0x123480000000);
	write_faults(sim, 0, 0x4c1, BIT(48));
	write_faults(sim, 0, 0x309, BIT(48));
	ck_assert_uint_eq(rd(sim, 0, 0x345) >> 13 & 1, 1);
	use("westmere-2s,clock=stepped");
	ck_assert_uint_eq(rd(sim, 0, 0x345) >> 13 & 1, 0);
	read_faults(sim, 0, 0x4c1);
}

TEST(a_core_counter_that_wraps_sets_its_status_bit)
{
	use("skylake-sp-2s,clock=stepped");
	wr(sim, 0, 0x4c2, BIT(48) - 1);
	wr(sim, 0, 0x187, CORE_EN | 0x003c);
	a_second_later(0, 0xc2, 2000000000 - 1);
	ck_assert_uint_eq(rd(sim, 0, 0x38e), 2);
	write_faults(sim, 0, 0x38e, 0);
	wr(sim, 0, 0x390, 2);
	ck_assert_uint_eq(rd(sim, 0, 0x38e), 0);
}

TEST(register_391_of_skylake_sp_belongs_to_the_core)
{
	use("skylake-sp-2s,clock=stepped");
	wr(sim, 0, 0x391, 0x10000000f);       /* "enable" of a Nehalem uncore with four counters */
	ck_assert_uint_eq(rd(sim, 0, 0x391), 0);
	ck_assert_uint_eq(rd(sim, 0, 0x38e), 0x10000000f);
	ck_assert_uint_eq(rd(sim, 1, 0x38e), 0);
	write_faults(sim, 0, 0x391, BIT(48));
	write_faults(sim, 0, 0x391, BIT(63));
	write_faults(sim, 0, 0x392, 0);
	read_faults(sim, 0, 0x394);
	wr(sim, 0, 0x390, 0x10000000f);
	wr(sim, 0, 0x186, CORE_EN | 0x003c);
	wr(sim, 0, 0x391, BIT(59));           /* sets bit 59 of 0x38e: core counters freeze */
	a_second_later(0, 0xc1, 0);
	wr(sim, 0, 0x390, BIT(59));
	a_second_later(0, 0xc1, 2000000000);
}

TEST(the_in_use_register_depends_on_the_event_field_not_the_enable_bit)
{
	use("icelake-sp-2s,clock=stepped");
	ck_assert_uint_eq(rd(sim, 0, 0x392), 0);
	wr(sim, 0, 0x186, EN);
	wr(sim, 0, 0x18d, 0x3c);
	wr(sim, 0, 0x38d, 0x3000);
	ck_assert_uint_eq(rd(sim, 0, 0x392), BIT(35) | BIT(7));
	wr(sim, 0, 0x187, BIT(20));
	ck_assert_uint_eq(rd(sim, 0, 0x392), BIT(63) | BIT(35) | BIT(7));
	write_faults(sim, 0, 0x186, BIT(21)); /* Ice Lake has no AnyThread */
}

TEST(p_cores_have_more_counters_than_leaf_0xa_says)
{
	uint32_t p[4], e[4];

	use("alderlake-hybrid,clock=stepped");
	uncoremsr_sim_cpuid(sim, 0, 0xa, 0, p);
	uncoremsr_sim_cpuid(sim, 16, 0xa, 0, e);
	ck_assert_mem_eq(p, e, sizeof(p));
	ck_assert_uint_eq(p[0] >> 8 & 0xff, 6);
	uncoremsr_sim_cpuid(sim, 15, 0x1a, 0, p);
	uncoremsr_sim_cpuid(sim, 23, 0x1a, 0, e);
	ck_assert_uint_eq(p[0] >> 24, 0x40);
	ck_assert_uint_eq(e[0] >> 24, 0x20);
	rd(sim, 0, 0xc8);
	rd(sim, 0, 0x30c);
	rd(sim, 16, 0xc6);
	read_faults(sim, 16, 0xc7);
	read_faults(sim, 16, 0x30c);
	wr(sim, 0, 0x38f, BIT(35));
	wr(sim, 0, 0x38d, 0x3000);
	a_second_later(0, 0x30c, 8000000000);
}

TEST(leaf_0x23_describes_each_kind_of_core)
{
	uint32_t r[4];

	use("meteorlake,clock=stepped");
	uncoremsr_sim_cpuid(sim, 0, 0x23, 1, r);
	ck_assert_uint_eq(r[1], 0xf);
	uncoremsr_sim_cpuid(sim, 11, 0x23, 1, r);
	ck_assert_uint_eq(r[1], 0x7);
	rd(sim, 0, 0x30c);
	read_faults(sim, 11, 0x30c);
	uncoremsr_sim_cpuid(sim, 0, 0x1f, 0, r);
	ck_assert_uint_eq(r[2], 0x100);
}

/* ---- descriptions ---- */

TEST(rates_replace_the_workload_of_a_box)
{
	use(HSX ",rate=cbo:0x35:0x08=1000,"
	    "rate=cbo:0x2a:0x01=7,rate=core:0xc0:0=42");
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe11, 0xe18, EN | 0x835), 2000);
	ck_assert_uint_eq(in_one_second(sim, 0, 0xe01, 0xe08, EN | 0x12a), 7);
	ck_assert_uint_eq(in_one_second(sim, 5, 0x186, 0xc1, CORE_EN | 0xc0), 42);
}

TEST(a_box_register_can_be_in_use_from_the_start)
{
	use(HSX ",set=0xe01 0x400835 cpu=0,set=0x710 0x10100");
	a_second_later(0, 0xe08, 900000);
	ck_assert_uint_eq(rd(sim, 6, 0xe08), 0);
	ck_assert_uint_eq(rd(sim, 6, 0x710), 0x10100);
}

TEST(another_program_can_write_a_box_register)
{
	use(HSX ",foreign=0xe01 0x400835 at=1 package=1");
	advance(sim, 3 * S);
	ck_assert_uint_eq(rd(sim, 6, 0xe08), 1800000);
	ck_assert_uint_eq(rd(sim, 0, 0xe01), 0);
}

TEST(the_number_of_units_can_be_described)
{
	use("skylake-sp-2s,units=cha 28 package=1,"
	    "absent=iio 2 package=0");
	ck_assert_uint_eq(rd(sim, 0, 0x702), 10);
	ck_assert_uint_eq(rd(sim, 4, 0x702), 28);
	rd(sim, 4, 0xfb0);
	read_faults(sim, 0, 0xfb0);
	read_faults(sim, 0, 0xa80);
	rd(sim, 4, 0xa80);
}

TEST(counters_of_boxes_begin_with_garbage_of_their_width)
{
	struct uncoremsr_sim *a = sim_or_fail("sandybridge-1s");
	struct uncoremsr_sim *b = sim_or_fail("sandybridge-1s,seed=2");
	uint64_t v = rd(a, 0, 0x706);

	ck_assert_uint_ne(v, 0);
	ck_assert_uint_ne(v, rd(a, 0, 0x707));
	ck_assert_uint_ne(v, rd(b, 0, 0x706));
	ck_assert_uint_lt(v | rd(a, 0, 0x707) | rd(b, 0, 0x706), BIT(44));
	uncoremsr_sim_free(a);
	uncoremsr_sim_free(b);
}

TEST(boxes_and_registers_that_do_not_exist_are_refused_by_name)
{
	expect_no_sim("haswell-ep-2s,rate=cha:0x35:0x08=1", -EINVAL, "no PMU 'cha'");
	expect_no_sim("haswell-ep-2s,rate=cbo:0x35=1", -EINVAL, "a unit mask");
	expect_no_sim("haswell-ep-2s,rate=ubox:twoticks=1", -EINVAL, "twoticks");
	expect_no_sim("haswell-ep-2s,units=cha 3", -EINVAL, "no PMU 'cha'");
	expect_no_sim("haswell-ep-2s,units=cbo 3 package=7", -EINVAL, "package 7");
	expect_no_sim("haswell-ep-2s,event=cbo:0x35:0x08 rate=1 package=4", -EINVAL, "package 4");
	expect_no_sim("haswell-ep-2s,absent=cbo three", -EINVAL, "three");
	expect_no_sim("haswell-ep-2s,uncore=pentium", -EINVAL, "pentium");
	expect_no_sim("haswell-ep-2s,leaf=0x1a 0 1 2 3 4 cpus=x", -EINVAL, "not a list");
}

static int reads_back(void *user, const struct um_reg_place *at)
{
	uint64_t v;
	int err = uncoremsr_sim_rdmsr(sim, 0, um_place_msr(at), &v);
	bool there = at->unit == 0 && at->reg->access != UM_REG_WO;

	(void)user;
	/* The number of memory channels and fabric counters is in CPUID, and these machines lack those leaves. */
	if (at->pmu && (at->pmu->counters_from == UM_COUNTERS_AMD_DF ||
			at->pmu->units.from == UM_UNITS_AMD_UMC))
		return 0;
	ck_assert_msg(err == 0 || (!there && err == -EIO), "%s (0x%x): %d", at->reg->name,
		      um_place_msr(at), err);
	return 0;
}

TEST(every_table_of_boxes_can_be_simulated_and_all_its_registers_read)
{
	unsigned n = 0;

	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_uarch *u = um_models[i].uarch;

		if (!u || !strcmp(u->pmus[0].name, "uncore"))
			continue;
		use_one(u->name, "");
		um_regs_each(u, reads_back, NULL);
		n++;
	}
	ck_assert_uint_gt(n, 50);
}

SUITE(sim_boxes)
