/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters that have stopped, are full, are switched off or are used by another program, and dies that go offline and
 * come back. A value that cannot be measured must be unknown, with a reason, and never 0.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"
#include "uncoremsr/leases.h"

#define NO_DF_NO_L3 ",leaf=0x80000001 0 0x00a10f11 0x40000000 0x64c237ff 0x2fd3fbff"
#define NO_L3 ",leaf=0x80000001 0 0x00a10f11 0x40000000 0x65c237ff 0x2fd3fbff"
#define DF(event) "df/event=" event ",umask=0x38/"
#define DF_5 DF("0x7") "," DF("0x47") "," DF("0x87") "," DF("0xc7") "," DF("0x107")
/*
 * The selectors always have the layout of Zen 4, whatever CPUID says: bits 13:8 of the event code are bits 37:32 of the
 * selector (on Zen 1 to 3: bits 60:59 and 35:32).
 */
#define FOUR_COUNTERS \
	"fails 0 0xc0010248 EIO; start " DF_5 "; turns 2; read 0 0xc0010240 0x403807; " \
	"next; start df/event=0x1007/; read 0 0xc0010240 0x1000400007"
#define STILL_FROZEN "after 1 EBUSY; unknown 1 0 failed frozen by another program; value 0 0 200000; "
/* Event 0x80 (occupancy) uses only bits 7:6 of the unit mask; the other bits are refused. */
#define PCU_RESERVED(mask) "no-event pcu/event=0x80,umask=" mask "/ EINVAL reserved bits; "
#define PCU_MASKS \
	PCU_RESERVED("0x41") PCU_RESERVED("0x42") PCU_RESERVED("0x44") PCU_RESERVED("0x48") PCU_RESERVED("0x50") \
	PCU_RESERVED("0x60") "start pcu/event=0x80,umask=0x40/,pcu/event=0x80,umask=0xc0/; after 1; " \
	"value 0 0 2400000000; value 0 1 1600000000"

static const struct story stories[] = {
	{ "a freeze in the middle is noticed", "sapphire-rapids-2s",
	  "start cha0/event=0x50,umask=0x4/; after 1; value 0 0 200000; write 0 0x2ff0 1; after 1; disturbed 1; "
	  "unknown 0 0 disturbed bit 0 of 0x2ff0 is set; value 1 0 200000" },
	{ "a package that comes online frozen stays unknown until unfrozen", "sapphire-rapids-2s",
	  "start cha0/event=0x50,umask=0x4/; online 8-15,24-31 0; after 1 ENXIO; online 8-15,24-31 1; "
	  "write 8 0x2ff0 1; "
	  STILL_FROZEN STILL_FROZEN STILL_FROZEN "write 8 0x2ff0 0; "
	  "after 1; after 1; value 1 0 200000" },
	{ "free running counters are read whatever is frozen", "sapphire-rapids-2s",
	  "write 0 0x2ff0 1; start iio_free_running/bw_in_port0/; after 1" },
	{ "a core pmu that stands still after an overflow is unknown", "icelake-sp-2s",
	  "route msr; only cpus 0,1; write 0 0x391 0x800000000000000; " /* core counters freeze (bit 59 of 0x38e) */
	  "start core/instructions/; after 1 EBUSY; unknown 0 0 failed bit 59 of IA32_PERF_GLOBAL_STATUS (0x38e)" },
	/* A full memory counter stays full, so its second reading is unknown, too. */
	{ "a full memory counter gives no number", "genoa-1s",
	  "start umc/event=0xa/; write 0 0xc0010801 0xfffffffffff6; after 1; "
	  "unknown 0 0 wrapped umc0: the counter reached its maximum and has stopped; "
	  "total-unknown 0 0 wrapped maximum; after 1; "
	  "unknown 0 0 wrapped umc0: the counter reached its maximum and has stopped; "
	  "total-unknown 0 0 wrapped maximum; stop; read 0 0xc0010801 0x1234" },
	{ "a fabric without perfmon 2 has four counters", "genoa-1s,leaf=0x80000022 0 0 0 0 0", FOUR_COUNTERS },
	{ "a fabric without the leaf of perfmon 2 has four counters",
	  "genoa-1s,leaf=0x80000000 0 0x80000021 0x68747541 0x444d4163 0x69746e65", FOUR_COUNTERS },
	{ "no memory controller is assumed without perfmon 2", "genoa-1s,leaf=0x80000022 0 0 0 0 0",
	  "no-event umc/event=0xa/ ENODEV reports no counters of umc" },
	{ "counters that cpuid denies are absent with the reason", "genoa-1s" NO_L3,
	  "add l3/event=0x4,umask=0xff/; "
	  "no-start ENODEV l3: switched off by firmware or a hypervisor (CPUID 0x80000001 ECX bit 28); "
	  "next; start " DF("0x7") "; after 1; value 0 0 4000000; "
	  "machine genoa-1s" NO_DF_NO_L3 "; add " DF("0x7") "; no-start ENODEV ECX bit 24" },
	{ "reserved bits of a skylake's pcu are refused", "skylake-sp-2s", PCU_MASKS },
	{ "reserved bits of an ice lake's pcu are refused", "icelake-sp-2s", PCU_MASKS },
	{ "a die without any cpu is lost and the other goes on", "cascadelake-ap-1s",
	  "start cha/event=0x50,umask=0x1/; after 1; online 4-7,12-15 0; after 1 ENXIO; value 0 0 400000*36; "
	  "unknown 1 0 lost; "
	  "after 1 ENXIO; value 0 0 400000*36; unknown 1 0 lost; online 4-7,12-15 1; after 1; "
	  "after 1; value 0 0 400000*36; value 1 0 400000*260" },
	{ "a die that is offline at the start is not counted", "cascadelake-ap-1s,offline=4-7,offline=12-15",
	  "start cha/event=0x50,umask=0x1/; packages 1; after 1; value 0 0 400000*36" },
	{ "a package has the units of all of its dies", "cascadelake-ap-1s",
	  "only packages 0; start cha3/event=0x50,umask=0x1/; after 1; units 0 2; unit-on 0 0 0; unit-on 0 1 4; "
	  "value 1 0 32*400000; next; only packages 1 EINVAL" },
	{ "one node of a package that is lost makes the sum unknown", "naples-1s",
	  "start " DF("0x7") "; online 2-3,10-11 0; after 1 ENXIO; unknown 0 0 lost df1; unit 0 df0 4000000; "
	  "unit 0 df1 lost; unit 0 df2 12000000; unit 0 df3 16000000" },
	/*
	 * The event is not moved to a general counter automatically: general counters are programmed in another way,
	 * and groups of metrics rely on the fixed counter.
	 */
	{ "if the watchdog uses the cycle counter an alternative is named", "skylake-sp-2s",
	  "route msr; only cpus 0; "
	  "write 0 0x38d 0xb0; " /* the watchdog enables fixed counter 1 with interrupts */
	  "add core/cycles/,core/instructions/; "
	  "no-start EBUSY cpu0: the fixed counter of cycles is in use by another program; "
	  "hints core/event=0x3c/ counts the same on a general counter; read 0 0x38d 0xb0; "
	  "next; route msr; only cpus 0; start core/event=0x3c/,core/instructions/; after 1; value 0 0 2000000000; "
	  "value 0 1 1500000000; read 0 0x38d 0xb3; stop; read 0 0x38d 0xb0; read 0 0x186 0" },
	/* Skylake-SP with SMT: each thread has four of the core's eight counters (CPUID leaf 0xA). */
	{ "only the free counters of this cpu are reported", "skylake-sp-2s",
	  "route msr; only cpus 0; write 0 0x186 0x4300c0; write 0 0x187 0x4300c0; write 0 0x188 0x4300c0; "
	  "write 0 0x189 0x4300c0; add core/event=0x3c/; "
	  "no-start EBUSY cpu0: no free counter: 1 needed at the same time, 0 of 4 free" },
};

FIXTURE(.teardown = close_in_root)

TEST_STORIES(what_cannot_be_measured_is_unknown_with_a_reason, play_session, stories)

/* ---- leases of dies ---- */

TEST(each_die_has_leases_of_its_own)
{
	const struct uncoremsr_leases *leases;

	open_stepped("cascadelake-ap-1s", "");
	play_on(__func__, "root; start cha2/event=0x50,umask=0x1/");
	leases = leases_of(um);
	for (int die = 0; die < 2; die++) {
		ck_assert_int_eq(leases->list[die]->die, die);
		ck_assert_int_eq(uncoremsr_session_unit(s, 0, (size_t)die)->package->die, die);
		ck_assert_str_eq(uncoremsr_session_unit(s, 0, (size_t)die)->name, "cha2");
	}
	ck_assert_ptr_null(leases->list[2]);
	play_on(__func__, "stop; write 4 0xe21 0x400150; write 4 0xe22 0x400150; write 4 0xe23 0x400150; "
		"write 4 0xe24 0x400150; next; start cha2/event=0x50,umask=0x1/; after 1 EBUSY; "
		"says package 0 die 1 cha2: no free counter: 1 needed at the same time, 0 of 4 free; "
		"value 0 0 3*400000; unknown 1 0 failed no free counter");
}

/* ---- listing all counters ---- */

static unsigned long looks;

static ssize_t spy_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	looks++;
	return true_ops->read_text(a, path, buf, size);
}

static int spy_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	looks++;
	return true_ops->cpuid(a, cpu, leaf, subleaf, regs);
}

TEST_EACH(listing_all_counters_looks_up_the_units_once_per_cpu, 2)
{
	static const char *const pmus[] = { "l3", "df" };
	const struct uncoremsr_package *p;
	const struct uncoremsr_pmu *pmu;
	const struct uncoremsr_counters *counters;
	struct um_access_ops *spy;
	unsigned seen = 0;

	open_stepped("naples-1s", "");
	spy = spy_on();
	spy->read_text = spy_text;
	spy->cpuid = spy_cpuid;
	p = uncoremsr_package(um, 0);
	for (size_t i = 0; (pmu = uncoremsr_pmu(um, NULL, i)) && strcmp(pmu->name, pmus[_i]); i++)
		;
	looks = 0;
	counters = uncoremsr_counters(um, p, pmu);
	for (size_t i = 0; counters && counters->list[i]; i++)
		seen += counters->list[i]->state == UNCOREMSR_COUNTER_FREE;
	stop_spying();
	ck_assert_int_eq((int)seen, 4 * pmu->general_counters);
	ck_assert_uint_le(looks, 16 + 4); /* at most one lookup per CPU to find the units, and one lookup per unit */
	ck_assert_uint_eq(counters->units, 4);
}

SUITE(box_trouble)
