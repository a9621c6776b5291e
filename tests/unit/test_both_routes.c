/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes every event of the event lists and of the built-in tables twice, for registers and for the kernel: both must
 * program the hardware in the same way. The kernel's words are decoded by kernel_side.h (what Linux does), not by our
 * tables. A table lists the known differences with reasons. The test fails if a difference is not listed, or if a
 * listed one does not occur.
 *
 * Uses internal headers, because it compares hundreds of thousands of words bit by bit.
 */
#include <fnmatch.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "common/text.h"
#include "draw.h"
#include "names/index.h"
#include "names/json_list.h"
#include "fake_tree.h"
#include "kernel_cases.h"
#include "machine/machine.h"
#include "encode/perf_event.h"
#include "metrics/metrics.h"
#include "suite.h"
#include "uarch/uarch.h"

#define PERFMON "../shared/corpus/perfmon/"
/* Selector bits ARCH_PERFMON_EVENTSEL_USR and _OS, which the kernel sets according to the exclude bits */
#define USER 0x10000ull
#define KERNEL 0x20000ull

enum kind { DIFFERS, NOT_BY_REGISTERS, NOT_BY_KERNEL, BY_NOBODY, SECOND_REGISTER, LOST, FEWER, OTHERS };

static const char *const kinds[] = {
	"differs", "not by registers", "not by the kernel", "by nobody, though registers reach its box",
	"not by registers, needs a second one", "Linux would drop the filter",
	"registers take fewer counters", "registers take counters that Linux does not",
};

#define UBOX_EXT "the list has a ninth bit of the event select, for which no manual has a place in the U box"

#define ANOTHER_MSR "needs a filter that all programs share (0x396, 0x301), which has to be set by hand"

#define FIXED_0 "Linux has a code of its own for fixed counter 0, which registers take for it"
#define ARB_85 "0x85 is an occupancy by Intel's list, of which Linux knows nothing"
#define GUIDE "the guide has fewer counters for it than Linux knows of"
#define ICX_IIO "Linux takes Ice Lake-SP's list, where Intel's list of this one has no such event"

static struct difference {
	const char *uarch, *name;     /* shell patterns */
	enum kind kind;
	const char *why;
	unsigned seen;
} differences[] = {
	{ "sandybridge-ep", "UNC_P_*", NOT_BY_KERNEL, "the ninth bit of the event select has no format in Linux", 0 },
	{ "sandybridge-ep", "UNC_U_MSG_CHNL_SIZE_COUNT.*", BY_NOBODY, UBOX_EXT, 0 },
	{ "sandybridge-ep", "UNC_U_PHOLD_CYCLES.*", BY_NOBODY, UBOX_EXT, 0 },
	{ "sandybridge-ep", "UNC_U_RACU_REQUESTS.COUNT", BY_NOBODY, UBOX_EXT, 0 },
	{ "alderlake", "INST_RETIRED.PREC_DIST", DIFFERS, FIXED_0, 0 },
	{ "sapphirerapids", "INST_RETIRED.PREC_DIST", DIFFERS, FIXED_0, 0 },
	{ "*-ep", "uncore_cbox/*", LOST, "Linux writes a filter for some unit masks only", 0 },
	{ "skylake-sp", "uncore_cha/event=0x34,*", LOST, "Linux writes states for six unit masks", 0 },
	{ "skylake-sp", "uncore_cha/*,filter_tid=*", LOST, "Linux knows a thread for 0x38 only", 0 },
	{ "skylake-sp", "uncore_cha/*,filter_link=*", NOT_BY_KERNEL, "the box's formats have no link", 0 },
	{ "skylake-sp", "uncore_cha/*,filter_c6=*", NOT_BY_KERNEL, "the box's formats have no C6", 0 },
	{ "knightslanding", "uncore_cha/*,filter_c6=*", NOT_BY_KERNEL, "the box's formats have no C6", 0 },
	{ "knightslanding", "uncore_cha/*,filter_rem=*", NOT_BY_KERNEL,
	  "Linux sets remote and local with every filter", 0 },
	{ "knightslanding", "uncore_cha/*,filter_local=*", NOT_BY_KERNEL,
	  "Linux sets remote and local with every filter", 0 },
	{ "knightslanding", "uncore_cha/*,filter_link=*", LOST, "Linux never writes the link", 0 },
	{ "broadwell-ep", "uncore_ubox/*,filter_?id=*", NOT_BY_KERNEL,
	  "Linux gives the U box of Broadwell no filter", 0 },
	{ "*", "uncore_arb/event=0x85,*", FEWER, ARB_85, 0 },
	{ "*lake", "UNC_ARB_*_OCCUPANCY.*", FEWER, ARB_85, 0 },
	{ "skylake", "U*_CBO*", FEWER, "Linux has four counters in a CBo, all others two", 0 },
	{ "skylake", "uncore_cbox/*", FEWER, "Linux has four counters in a CBo, all others two", 0 },
	{ "*bridge-ep", "uncore_cbox/event=0x*", FEWER, GUIDE, 0 },
	{ "sandybridge-ep", "UNC_C_*_STARVED.*", FEWER, GUIDE, 0 },
	{ "skylake-sp", "uncore_cha/event=0x3b,*", FEWER, "by Intel's list, of which Linux knows nothing", 0 },
	{ "skylake-sp", "UNC_CHA_UPI_CREDIT_OCCUPANCY.*", FEWER, "by Intel's list, of which Linux knows nothing", 0 },
	{ "snowridge", "uncore_iio/*", FEWER, "as on Ice Lake-SP, whose stacks these are", 0 },
	{ "snowridge", "uncore_m2pcie/*", FEWER, "as on Ice Lake-SP, whose stacks these are", 0 },
	{ "*rapids", "uncore_iio/event=0x*", OTHERS, ICX_IIO, 0 },
	{ "sierraforest", "uncore_iio/event=0x*", OTHERS, ICX_IIO, 0 },
	{ "grandridge", "uncore_iio/event=0x*", OTHERS, ICX_IIO, 0 },
	{ "*-sp", "uncore_pcu/*", NOT_BY_REGISTERS,
	  "Linux drops the lower bits of its unit mask, which registers refuse as reserved", 0 },
	{ "*", "*pcu/*,filter_band[123]=*", LOST, "Linux shifts bands by too little", 0 },
	{ "*well-ep", "uncore_cbox/*,inv=0x1/", NOT_BY_KERNEL, "the box's formats have no inv", 0 },
	{ "*", "UNC_ADDR_OPCODE_MATCH.*", BY_NOBODY, ANOTHER_MSR, 0 },
	{ "westmere", "UNC_GQ_SNOOP.GOTO_*_HIT_?", BY_NOBODY, ANOTHER_MSR, 0 },
	{ "zen*", "df/*", LOST, "Linux drops the upper two bits of the event", 0 },
	{ "*-ex", "[A-Z]*", BY_NOBODY, "every port has it, and one has to be said", 0 },
	{ "*-ex", "uncore_bbox/*", NOT_BY_REGISTERS, "Linux takes counter 0 where none is said", 0 },
	{ "*", "*", SECOND_REGISTER,
	  "registers of cores are counted without their second one (offcore, latency, front end)", 0 },
};

struct run {
	const struct kernel_case *of;
	struct um_identity id;
	struct um_event_pmus pmus;
	struct um_json_lists *lists;
	struct um_names names;
	bool no_memory;
	struct fake_tree tree;
	unsigned compared, typed, only_kernel, wrong;
};

/* ---- a kernel with the files of kernel_side.h ---- */

static void add_files(struct run *r, const char *pmu, const char *folder, const char *text)
{
	char line[80], content[80];

	while (text && *text) {
		size_t len = strcspn(text, ";");
		char *space;

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		space = strchr(line, ' ');
		ck_assert_ptr_nonnull(space);
		*space = '\0';
		snprintf(content, sizeof(content), "%s\n", space + 1);
		fake_add(&r->tree, content, "sys/bus/event_source/devices/%s/%s/%s", pmu, folder, line);
		text += len + 1;
	}
}

static void make_kernel(struct run *r)
{
	char type[16];

	fake_init(&r->tree);
	for (const struct kernel_pmu *k = r->of->kernel; k->name; k++) {
		snprintf(type, sizeof(type), "%d\n", 10 + (int)(k - r->of->kernel));
		fake_add(&r->tree, type, "sys/bus/event_source/devices/%s/type", k->name);
		add_files(r, k->name, "format", k->formats);
		add_files(r, k->name, "events", k->events);
	}
	r->names.access = r->names.kernel.access = &r->tree.base;
}

static const struct kernel_pmu *side_of(const struct run *r, const char *name)
{
	for (const struct kernel_pmu *k = r->of->kernel; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}

/* ---- what Linux does with a config word ---- */

static uint64_t filter_bits(const struct kernel_pmu *k, uint64_t config)
{
	uint64_t bits = 0;

	for (const struct filter_rule *f = k->filters; f && f->bits; f++)
		if ((config & f->mask) == f->event)
			bits |= f->bits;
	return bits ? bits | k->forced : 0;
}

static uint32_t kernel_counters(const struct kernel_pmu *k, uint64_t config)
{
	for (const struct counter_rule *o = k->only; o && o->counters; o++)
		if ((config & o->mask) == o->event)
			return o->counters;
	return (1u << k->num) - 1;
}

/* ---- what is written to the hardware ---- */

struct told {
	const char *box;
	uint64_t selector, filters;   /* first filter register in bits 31:0, second in 63:32 */
	struct kernel_second second[MAX_SECOND]; /* registers other than selector, filters and counter */
	uint32_t counter;             /* MSR of the fixed counter; 0: any general counter */
	uint32_t counters;            /* mask of general counters; 0: unknown */
	double scale;
};

static struct kernel_second *second_at(struct told *t, uint32_t msr)
{
	size_t i = 0;

	while (t->second[i].msr && t->second[i].msr != msr)
		ck_assert_uint_lt(++i, MAX_SECOND);
	t->second[i].msr = msr;
	return &t->second[i];
}

static void tell_filters(struct told *t, const struct um_encoding *ev)
{
	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];
		uint64_t bits = ev->words[x->word] & um_extra_mask(x);

		if (!(ev->extras >> i & 1))
			continue;
		if (x->config1)
			t->filters |= bits << (x->config1 - 1);
		else
			second_at(t, x->reg.msr)->value |= x->after ? x->after : bits;
	}
}

/* The modes in which a fixed counter of the core counts: bit 0 kernel, bit 1 user. */
static uint64_t fixed_modes(const struct um_encoding *ev, const struct um_fixed *f)
{
	uint64_t field = ev->word / (f->control_mask & -f->control_mask);

	return (field & 1 ? KERNEL : 0) | (field & 2 ? USER : 0);
}

static const char *core_of(const struct um_encoding *ev)
{
	return ev->core_type ? um_core_type_pmu(ev->core_type) : "cpu";
}

static struct told by_registers(const struct um_encoding *ev)
{
	struct told t = { .box = ev->pmu->kernel, .scale = 1 };
	const struct um_fixed *f = ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed] : NULL;

	for (size_t i = 0; f && um_pmu_is_core(ev->pmu) && i < ARRAY_SIZE(fixed_cores); i++)
		if (fixed_cores[i].counter == f->counter.msr) {
			t.selector = fixed_cores[i].code | fixed_modes(ev, f);
			t.box = core_of(ev);
			return t;
		}
	if (f) {
		t.counter = f->counter.msr;
		t.scale = *f->unit ? f->scale : 1;
		return t;
	}
	/* On Nehalem, bit 17 of a selector resets the occupancy when counting starts; Linux does not use bit 17. */
	t.selector = ev->word & ~(ev->pmu->selector->enable | ev->pmu->selector->occ_reset);
	if (um_pmu_is_core(ev->pmu))
		t.box = core_of(ev);
	else
		t.counters = ev->counters & ((1u << ev->pmu->num_general) - 1);
	tell_filters(&t, ev);
	return t;
}

/* Does the event need filter or selector bits that the kernel would not write? */
static bool is_lost(const struct run *r, const struct um_encoding *ev)
{
	struct told t = by_registers(ev);

	for (const struct kernel_pmu *k = r->of->kernel; k->name; k++)
		if (!strncmp(k->name, t.box, strlen(t.box)))
			return t.filters & ~filter_bits(k, t.selector) ||
			       (!um_pmu_is_core(ev->pmu) && t.selector & ~k->selector);
	return false;
}

static struct told by_kernel(const struct run *r, const struct um_perf_event *ev,
			     const struct um_perf_unit *unit, const struct told *registers)
{
	const struct um_perf_attr *a = &unit->attr;
	const struct kernel_pmu *k = side_of(r, unit->pmu->name);
	struct told t = { .box = unit->pmu->family_name, .scale = ev->scale };

	if (!strncmp(t.box, "cpu", 3))
		t.selector = (a->exclude_user ? 0 : USER) | (a->exclude_kernel ? 0 : KERNEL);
	if (a->type == PERF_TYPE_HARDWARE && (a->config[0] & 0xffffffff) < ARRAY_SIZE(generic_codes)) {
		t.selector |= generic_codes[a->config[0] & 0xffffffff];
		return t;
	}
	/* In our tables the clock of client processors is a separate box. */
	if (!strcmp(registers->box, unit->pmu->name))
		t.box = registers->box;
	if (k->free) {
		const struct free_rule *f = &k->free[(a->config[0] >> 12 & 7) - 1];

		t.counter = f->msr + f->step * (uint32_t)(a->config[0] >> 8 & 0xf);
		return t;
	}
	/* UNCORE_FIXED_EVENT selects the only fixed counter of the box. */
	if (a->config[0] == 0xff && k->fixed) {
		t.counter = k->fixed;
		return t;
	}
	t.selector |= a->config[0] & k->selector;
	if (k->fill)
		t.selector = k->fill(t.selector);
	if (k->second)
		k->second(a->config, t.second);
	else
		t.filters = (a->config[1] | (filter_bits(k, a->config[0]) ? k->forced : 0)) &
			    filter_bits(k, a->config[0]);
	t.counters = kernel_counters(k, a->config[0]);
	return t;
}

/* Compare the remaining registers in any order; writing 0 counts as not writing. */
static bool same_second(struct told *a, struct told *b)
{
	for (size_t i = 0; i < MAX_SECOND; i++)
		if ((a->second[i].msr && second_at(b, a->second[i].msr)->value != a->second[i].value) ||
		    (b->second[i].msr && second_at(a, b->second[i].msr)->value != b->second[i].value))
			return false;
	return true;
}

/* ---- comparison of an event ---- */

static void note(struct run *r, enum kind kind, const char *name, const char *detail)
{
	for (size_t i = 0; i < ARRAY_SIZE(differences); i++) {
		struct difference *d = &differences[i];

		if (d->kind == kind && !fnmatch(d->uarch, r->of->uarch, 0) && !fnmatch(d->name, name, 0)) {
			d->seen++;
			return;
		}
	}
	if (r->wrong++ < 20)
		fprintf(stderr, "%s: %s: %s: %s\n", r->of->uarch, name, kinds[kind], detail);
}

/* Hybrid processors: is the event for the unit's kind of core, or for all kinds? */
static bool is_on(const struct um_encoding *ev, const struct um_perf_unit *unit)
{
	return !um_pmu_is_core(ev->pmu) || !ev->core_type || !unit->pmu ||
	       !strcmp(um_core_type_pmu(ev->core_type), unit->pmu->name);
}

static void compare_told(struct run *r, const char *name, const struct um_encoding *ev,
			 const struct um_perf_event *perf, const struct um_perf_unit *unit)
{
	struct told a = by_registers(ev), b;
	char detail[300];

	if (um_pmu_is_core(ev->pmu) && !ev->core_type)
		a.box = unit->pmu->name;
	b = by_kernel(r, perf, unit, &a);
	r->compared++;
	snprintf(detail, sizeof(detail), "%s %llx %llx %x %x %g, kernel: %s %llx %llx %x %x %g", a.box,
		 (unsigned long long)a.selector, (unsigned long long)a.filters, a.counter, a.counters,
		 a.scale, b.box, (unsigned long long)b.selector, (unsigned long long)b.filters, b.counter,
		 b.counters, b.scale);
	if (strcmp(a.box, b.box) || a.selector != b.selector || a.filters != b.filters ||
	    a.counter != b.counter || !same_second(&a, &b) || fabs(a.scale - b.scale) > 1e-6 * a.scale)
		note(r, DIFFERS, name, detail);
	if (b.counters && a.counters & ~b.counters)
		note(r, OTHERS, name, detail);
	else if (b.counters && a.counters != b.counters)
		note(r, FEWER, name, detail);
	/* The kernel's names of core events differ from ours, so core events are compared without their names. */
	if (!um_pmu_is_core(ev->pmu) && strcmp(ev->name, perf->name))
		note(r, DIFFERS, name, perf->name);
}

static void compare_all_told(struct run *r, const char *name, const struct um_encodings *regs,
			     const struct um_perf_event *perf)
{
	bool core = um_pmu_is_core(regs->events[0].pmu);

	/* All boxes of a kind are programmed in the same way, so only one box is compared. */
	for (size_t u = 0; u < (core ? perf->num_units : 1); u++) {
		size_t i = 0;

		while (i < regs->num && !is_on(&regs->events[i], &perf->units[u]))
			i++;
		if (i < regs->num)
			compare_told(r, name, &regs->events[i], perf, &perf->units[u]);
		else
			note(r, DIFFERS, name, perf->units[u].pmu->name);
	}
}

/* The terms of the encoding for perf must give the same words when a user types these terms. */
static void compare_terms(struct run *r, const struct um_encoding *ev, const struct um_perf_event *perf)
{
	const struct um_event_pmus none = { .names = &r->names };
	struct um_perf_events typed = { 0 };
	struct um_error e = { 0 };
	char terms[UM_EVENT_TEXT], text[UM_EVENT_TEXT + 64];
	const struct um_perf_attr *a = &perf->units[0].attr, *b;
	uint64_t forced;

	if (ev->fixed >= 0 || um_pmu_is_core(ev->pmu) || !ev->extras || !um_event_spell_for_kernel(ev, terms))
		return;
	ck_assert_msg(um_linux_keeps(ev), "%s", terms);
	snprintf(text, sizeof(text), um_term_find(ev->pmu, "counter", 7) ? "%s/%s,counter=%u/"
		 : "%s/%s/", perf->units[0].pmu->name, terms, (unsigned)__builtin_ctz(ev->counters));
	ck_assert_msg(um_perf_parse(&typed, &none, text, &e) == 1, "%s: %s: %s", r->of->uarch, text, e.msg);
	b = &typed.events[0].units[0].attr;
	forced = side_of(r, perf->units[0].pmu->name)->forced;
	ck_assert_msg(a->config[0] == b->config[0] && (a->config[1] | forced) == (b->config[1] | forced) &&
		      !memcmp(a->config + 2, b->config + 2, sizeof(a->config) - 2 * sizeof(a->config[0])),
		      "%s: %s: %llx %llx, not %llx %llx",
		      r->of->uarch, text, (unsigned long long)b->config[0],
		      (unsigned long long)b->config[1], (unsigned long long)a->config[0],
		      (unsigned long long)a->config[1]);
	r->typed++;
	um_perf_events_free(&typed);
}

static void compare(struct run *r, const char *name)
{
	struct um_encodings regs = { 0 };
	struct um_perf_events perf = { 0 };
	struct um_error e = { 0 }, second = { 0 };
	int ours = um_events_parse(&regs, name, &r->pmus, &e);
	int theirs = um_perf_parse(&perf, &r->pmus, name, &second);

	if (ours > 0 && um_event_lacks_msr(&regs.events[0], &e))
		ours = -ENOTSUP;

	if (ours > 0 && theirs == 1) {
		compare_all_told(r, name, &regs, &perf.events[0]);
		compare_terms(r, &regs.events[0], &perf.events[0]);
	} else if (ours < 1 && theirs < 1 && strchr(name, '=')) {
		if (strcmp(e.msg, second.msg))
			note(r, BY_NOBODY, name, second.msg);
	} else if (ours < 1 && theirs < 1) {
		note(r, BY_NOBODY, name, e.msg);
	} else if (theirs == 1 && perf.events[0].units[0].attr.config[1] && !strncmp(perf.events[0].pmu, "cpu", 3)) {
		note(r, SECOND_REGISTER, name, e.msg);
	} else if (ours > 0 && is_lost(r, &regs.events[0])) {
		note(r, strstr(second.msg, "Linux does not write") ? LOST : NOT_BY_KERNEL, name, second.msg);
	} else {
		note(r, ours < 1 ? NOT_BY_REGISTERS : NOT_BY_KERNEL, name, ours < 1 ? e.msg : second.msg);
	}
	um_events_free(&regs);
	um_perf_events_free(&perf);
}

static void compare_lists(struct run *r)
{
	struct um_error e;

	for (size_t i = 0; i < ARRAY_SIZE(r->of->lists) && r->of->lists[i]; i++) {
		char path[160];

		snprintf(path, sizeof(path), PERFMON "%s", r->of->lists[i]);
		ck_assert_msg(um_json_add(r->lists, path, &r->id, &e) == 1, "%s: %s", path, e.msg);
	}
	for (size_t i = 0; i < r->lists->num_events; i++) {
		const struct um_json_event *ev = um_json_read(r->lists->events[i]);
		const struct um_pmu *pmu;
		int unit;

		if (ev->hidden)
			continue;
		/* Only the kernel can count boxes on PCI or memory. */
		if (um_event_pmu(&r->pmus, ev->pmu, strlen(ev->pmu), &pmu, &unit, ev->name, &e))
			r->only_kernel++;
		else
			compare(r, ev->name);
	}
}

/*
 * Events that are in no list: some leave out terms with a default, some have fields at their limits or a single filter.
 */
static const struct {
	const char *uarch, *text;
} written[] = {
	{ "sandybridge", "cbo/event=0x34,umask=0xff,edge,inv,cmask=31/" },
	{ "alderlake", "cbo/event=0x34,umask=0xff,edge,inv,threshold=63/" },
	{ "sandybridge-ep", "cbo/event=0x35,umask=0x43,filter_opc=0x182,filter_nid=0x3/" },
	{ "sandybridge-ep", "cbo/event=0x0,filter_tid=0x5/" },
	{ "sandybridge-ep", "pcu/event=0xe,filter_band3=0x28/" },
	{ "skylake-sp", "cha/event=0x35,umask=0x21,name=tor/" },
	{ "skylake-sp", "iio/name='in',event=0x83,umask=0x4/" },
	{ "skylake-sp", "cha/event=0x35,umask=0x21/" }, { "skylake-sp", "cha/event=0x36,umask=0x24/" },
	{ "skylake-sp", "cha/event=0x35,umask=0x21,filter_rem,filter_opc0=0x202,filter_opc1=0x3/" },
	{ "skylake-sp", "cha/event=0x35,umask=0x21,config1=0x4043200000000/" },
	{ "skylake-sp", "cha/event=0x34,umask=0x11,filter_state=0x4/" },
	{ "skylake-sp", "iio/event=0x83,umask=0x4/" },
	{ "skylake-sp", "iio/event=0x83,umask=0x4,ch_mask=0xff,fc_mask=0x7,thresh=0xfff/" },
	{ "skylake-sp", "pcu/event=0xb,filter_band0=0xff/" },
	{ "skylake-sp", "iio_free_running/bw_out_port3/" }, { "skylake-sp", "iio_free_running/ioclk/" },
	{ "skylake-sp", "instructions:u" }, { "skylake-sp", "cpu/event=0xc0/k" },
	{ "skylake-sp", "core/cycles/u" }, { "skylake-sp", "INST_RETIRED.ANY:k" },
	{ "skylake-sp", "core/event=0x3c,umask=0x0/k" },
	{ "alderlake", "cpu_core/instructions/u" }, { "alderlake", "cpu_atom/event=0xc4/k" },
	{ "nehalem-ex", "bbox/event=0x4,counter=2,match=0x1,mask=0x2/" },
	{ "nehalem-ex", "mbox/inc_sel=0xd,fvc=0x2800/" },
	{ "nehalem-ex", "mbox/inc_sel=0xa,iss=0x1,pld=0x2,filter_cfg_en=1,filter_match=0x3,filter_mask=0x4/" },
	{ "nehalem-ex", "rbox0/event=0x5,xbr_mm_cfg=0x1,xbr_match=0x2,xbr_mask=0x3/" },
	{ "nehalem-ex", "rbox0/event=0x9,qlx_cfg=0x1200/" },
	{ "westmere-ex", "mbox/inc_sel=0x10,fvc=0x5040/" },
	{ "bulldozer", "nb/event=0xfff,umask=0xff/" },
	{ "jaguar", "nb/event=0x1e9,umask=0x2/" }, { "jaguar", "l2/event=0x7f,umask=0x1/" },
	{ "zen", "df/event=0xfff,umask=0xff/" }, { "zen", "df/event=0x1f0e,umask=0x2/" },
	{ "zen", "l3/event=0x4,umask=0xff/" }, { "zen3", "l3/event=0x4,umask=0xff/" },
	{ "zen3", "l3/event=0x4,umask=0xff,sliceid=0x2/" }, { "zen3", "df/event=0x3007,umask=0x38/" },
	{ "zen4", "df/event=0x1f,umask=0xffe/" }, { "zen4", "df/event=0x3fff,umask=0xfff/" },
	{ "sapphirerapids", "cha/event=0x35,umask=0xffffffffff,filter_tid=0x3ff/" },
	{ "sapphirerapids", "irp/event=0x11,umask=0xffffffff/" },
	{ "sapphirerapids", "iio_free_running/bw_in_port7/" },
};

static void compare_written(struct run *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(written); i++)
		if (!strcmp(written[i].uarch, r->of->uarch))
			compare(r, written[i].text);
}

/*
 * Set a field of the kernel's format files to its highest value, and compare the two routes for every event select. If
 * the field is a filter, also use every unit mask, because the unit mask decides whether the filter is used. A value
 * that Linux would silently ignore must be refused on the kernel's route.
 */
static void compare_field(struct run *r, const struct kernel_pmu *k, const struct um_code *select,
			  const char *field, uint64_t highest)
{
	const char *unit = strstr(k->name, "_0") ? "_0" : "";
	bool filter = !strncmp(field, "filter_", 7), masks = strstr(k->formats, "umask") != NULL;
	char text[120];

	for (unsigned event = draw_first(32); event < 1u << select->width; event += draw_step(32))
		for (unsigned umask = 1; umask < 0x100; umask += filter && event >= 0x28 && event < 0x3a ? 1 : 0x40) {
			int len = snprintf(text, sizeof(text), "%.*s/%s=0x%x",
					   (int)(strlen(k->name) - strlen(unit)), k->name, select->name,
					   event);

			if (masks)
				len += snprintf(text + len, sizeof(text) - (size_t)len, ",umask=0x%x", umask);
			snprintf(text + len, sizeof(text) - (size_t)len, ",%s=0x%llx/", field,
				 (unsigned long long)highest);
			compare(r, text);
			if (!masks)
				break;
		}
}

/* The highest value is from our own table, because the kernel's files have errors (filter_cid, occ_edge). */
static void compare_fields(struct run *r)
{
	for (size_t i = 0; i < r->pmus.num; i++) {
		const struct um_pmu *pmu = r->pmus.pmus[i];

		for (const struct kernel_pmu *k = r->of->kernel; k->name; k++) {
			size_t len = pmu->kernel ? strlen(pmu->kernel) : 0;

			if (!len || strncmp(k->name, pmu->kernel, len) ||
			    (k->name[len] && strcmp(k->name + len, "_0")))
				continue;
			for (size_t n = 0; n < pmu->num_terms; n++)
				if (strcmp(pmu->terms[n].name, pmu->selector->event.name) &&
				    strcmp(pmu->terms[n].name, "umask"))
					compare_field(r, k, &pmu->selector->event, pmu->terms[n].name,
						      um_term_max(&pmu->terms[n]));
		}
	}
}

static void compare_tables(struct run *r)
{
	for (size_t i = 0; i < r->pmus.num; i++) {
		const struct um_event_table *t = um_event_table_of(r->pmus.uarch, r->pmus.pmus[i]);

		if (um_pmu_is_core(r->pmus.pmus[i]) && !side_of(r, "cpu"))
			continue;
		for (const struct um_event_row *row = NULL; t && (row = um_event_next(t, row));)
			compare(r, row->name);
	}
}

static void set_up(struct run *r, const struct kernel_case *of)
{
	*r = (struct run){
		.of = of, .pmus = um_event_pmus_of(um_uarch_find(of->uarch), &um_core_registers.pmus[0]),
		.id = { .family = of->family, .model = of->model, .source = "cpuid" },
	};
	snprintf(r->id.vendor, sizeof(r->id.vendor), "%s", of->vendor);
	r->names = (struct um_names){ .no_memory = &r->no_memory, .metric_names = &um_metric_names };
	r->lists = r->names.lists = calloc(1, sizeof(*r->lists));
	ck_assert_ptr_nonnull(r->lists);
	r->lists->names = r->pmus.names = &r->names;
	make_kernel(r);
}

static void tear_down(struct run *r)
{
	um_index_forget(&r->names);
	um_records_free(&r->names);
	um_kernel_pmus_free(&r->names.kernel);
	um_json_free(r->lists);
	fake_free(&r->tree);
}

/* The bits of an extra word that Linux ignores with this selector, by our tables: the first rule for a bit applies. */
static uint64_t dropped_by_linux(const struct um_pmu *pmu, uint64_t selector, unsigned word)
{
	uint64_t bits = 0, decided = 0;

	for (const struct um_linux_rule *r = pmu->rules; r < pmu->rules + pmu->num_rules; r++) {
		if (r->word != word || (r->does != UM_KERNEL_DROPS && r->does != UM_KERNEL_KEEPS) ||
		    (selector & r->when_mask) != r->when_value)
			continue;
		if (r->does == UM_KERNEL_DROPS && !memchr(r->umasks, (int)(selector >> 8 & 0xff), strlen((const char *)r->umasks)))
			bits |= r->mask & ~decided;
		decided |= r->mask;
	}
	return bits;
}

/* Filter bits that Linux writes for a selector, according to our tables. */
static uint64_t written_by_linux(const struct um_pmu *pmu, uint64_t word)
{
	uint64_t bits = 0;

	for (const struct um_extra *x = pmu->extras; x < pmu->extras + pmu->num_extras; x++)
		if (x->config1 && (word & x->when_mask) == x->when_value)
			bits |= (um_extra_mask(x) & ~dropped_by_linux(pmu, word, x->word)) << (x->config1 - 1);
	return bits;
}

static void compare_filters(const struct kernel_pmu *k, const struct um_pmu *pmu)
{
	static const struct kernel_pmu meant = { .filters = bands };
	/* The kernel has no format for Skylake-SP's C6 bit. */
	uint64_t others = k->forced | (k->filters == skx_cha ? 1ull << 61 : 0);

	/* Every event with every unit mask, first without and then with the bit that enables the thread filter. */
	for (uint64_t i = 0; i < 0x20000; i++) {
		uint64_t word = i < 0x10000 ? i : (i & 0xffff) | 0x90000, bits = filter_bits(k, word);

		bits &= k->filters == lost_bands ? filter_bits(&meant, word) : UINT64_MAX;
		ck_assert_msg(!((written_by_linux(pmu, word) ^ bits) & ~others), "%s: 0x%llx", k->name,
			      (unsigned long long)word);
	}
}

TEST(linux_writes_filters_for_exactly_these_selectors)
{
	unsigned compared = 0;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (const struct kernel_pmu *k = cases[i].kernel; k->name; k++) {
			const struct um_uarch *u = um_uarch_find(cases[i].uarch);

			for (size_t n = 0; k->filters && n < u->num_pmus; n++)
				if (u->pmus[n].num_extras && um_starts_with(k->name, u->pmus[n].kernel)) {
					compare_filters(k, &u->pmus[n]);
					compared++;
				}
		}
	ck_assert_uint_gt(compared, 10);
}

TEST(both_routes_program_the_hardware_equally)
{
	bool corpus = access(PERFMON "mapfile.csv", R_OK) == 0;
	unsigned wrong = 0, typed = 0;

	if (!corpus)
		fprintf(stderr, "both_routes_program_the_hardware_equally, of lists: skipped: no corpus\n");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run r;

		set_up(&r, &cases[i]);
		compare_written(&r);
		compare_tables(&r);
		compare_fields(&r);
		if (corpus)
			compare_lists(&r);
		fprintf(stderr, "%s: %u events compared, %u on boxes that only the kernel counts, %u differ "
			"without a reason\n", r.of->uarch, r.compared, r.only_kernel, r.wrong);
		wrong += r.wrong + !r.compared;
		typed += r.typed;
		tear_down(&r);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_gt(typed, 1000 / draw_step(32));
	for (size_t i = 0; corpus && draw_step(32) == 1 && i < ARRAY_SIZE(differences); i++)
		ck_assert_msg(differences[i].seen,
			      "%s %s: %s: does not occur", differences[i].uarch,
			      differences[i].name, differences[i].why);
}

SUITE(both_routes)
