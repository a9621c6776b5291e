/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares our encodings with those of libpfm4, for every event, unit mask and modifier that libpfm4 has for an uncore
 * that we support. The register words must be the same. Prints TAP.
 *
 * libpfm4's words are decoded into terms with the kernel's names, by the layouts below, which follow libpfm4's unions
 * (pfmlib_intel_snbep_unc_priv.h). Our library encodes the terms again. For Nehalem and Westmere our library encodes
 * libpfm4's event names, so that event codes are compared, too. If the folder of the vendor's lists is given, it
 * encodes the names of newer processors as well: if SEED is set, one event in sixteen; otherwise all events.
 */
#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncoremsr/names.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A term in word number @code of libpfm4's encoding. Word 0 is the selector, words 1 and 2 are filters. */
struct layout {
	uint8_t code, shift, width;
	const char *term;
};

#define SELECTOR(thresh) \
	{ 0, 0, 8, "event" }, { 0, 8, 8, "umask" }, { 0, 18, 1, "edge" }, { 0, 23, 1, "inv" }, \
	{ 0, 24, thresh, "thresh" }
#define FILTER1 \
	{ 2, 0, 16, "filter_nid" }, { 2, 20, 9, "filter_opc" }, { 2, 29, 1, "filter_c6" }, \
	{ 2, 30, 1, "filter_nc" }, { 2, 31, 1, "filter_isoc" }
#define BANDS \
	{ 1, 0, 8, "filter_band0" }, { 1, 8, 8, "filter_band1" }, { 1, 16, 8, "filter_band2" }, \
	{ 1, 24, 8, "filter_band3" }
#define PCU(edge) \
	{ 0, 14, 2, "occ_sel" }, { 0, 18, 1, "edge" }, { 0, 23, 1, "inv" }, \
	{ 0, 24, 5, "thresh" }, { 0, 30, 1, "occ_invert" }, { 0, 31, 1, edge }, BANDS

static const struct layout box8[] = { SELECTOR(8), { 0 } };
static const struct layout box8_tid[] = { SELECTOR(8), { 0, 19, 1, "tid_en" }, { 0 } };
static const struct layout box5[] = { SELECTOR(5), { 0 } };
static const struct layout client[] = {
	{ 0, 0, 8, "event" }, { 0, 8, 8, "umask" }, { 0, 18, 1, "edge" }, { 0, 23, 1, "inv" },
	{ 0, 24, 5, "cmask" }, { 0 },
};
static const struct layout snbep_cbo[] = {
	SELECTOR(8), { 0, 19, 1, "tid_en" }, { 1, 0, 5, "filter_tid" }, { 1, 10, 8, "filter_nid" },
	{ 1, 18, 5, "filter_state" }, { 1, 23, 9, "filter_opc" }, { 0 },
};
static const struct layout ivbep_cbo[] = {
	SELECTOR(8), { 0, 19, 1, "tid_en" }, { 1, 0, 5, "filter_tid" }, { 1, 5, 4, "filter_link" },
	{ 1, 17, 6, "filter_state" }, FILTER1, { 0 },
};
static const struct layout hswep_cbo[] = {
	SELECTOR(8), { 0, 19, 1, "tid_en" }, { 1, 0, 6, "filter_tid" }, { 1, 6, 4, "filter_link" },
	{ 1, 17, 7, "filter_state" }, FILTER1, { 0 },
};
static const struct layout skx_cha[] = {
	SELECTOR(8), { 0, 19, 1, "tid_en" }, { 1, 0, 9, "filter_tid" }, { 1, 9, 4, "filter_link" },
	{ 1, 17, 10, "filter_state" }, { 2, 0, 1, "filter_rem" }, { 2, 1, 1, "filter_loc" },
	{ 2, 3, 1, "filter_all_op" }, { 2, 4, 1, "filter_nm" }, { 2, 5, 1, "filter_not_nm" },
	{ 2, 9, 10, "filter_opc0" }, { 2, 19, 10, "filter_opc1" }, { 2, 29, 1, "filter_c6" },
	{ 2, 30, 1, "filter_nc" }, { 2, 31, 1, "filter_isoc" }, { 0 },
};
static const struct layout skx_iio[] = {
	SELECTOR(12), { 0, 36, 8, "ch_mask" }, { 0, 44, 3, "fc_mask" }, { 0 },
};
static const struct layout pcu[] = { { 0, 0, 8, "event" }, PCU("occ_edge"), { 0 } };
/* Bit 21 is the ninth bit of the event select. */
static const struct layout pcu_ext[] = {
	{ 0, 0, 8, "event" }, { 0, 21, 1, "event" }, PCU("occ_edge"), { 0 },
};
static const struct layout skx_pcu[] = {
	SELECTOR(5), { 0, 30, 1, "occ_invert" }, { 0, 31, 1, "occ_edge_det" }, BANDS, { 0 },
};
static const struct layout amd_l3[] = { { 0, 0, 8, "event" }, { 0, 8, 8, "umask" }, { 0 } };

/* Bits of the selector that are not part of the event: enable, interrupt. */
#define EN_PMI (1ull << 22 | 1ull << 20)

static const struct pmu {
	const char *theirs, *uarch, *ours;
	const struct layout *layout;  /* NULL if fields are found by their names */
	uint32_t filters[2];          /* MSRs of codes 1 and 2 on unit 0 */
	uint64_t ignore;
} pmus[] = {
	{ "nhm_unc", "nehalem", "uncore", NULL, { 0 }, EN_PMI | 1 << 17 },
	{ "wsm_unc", "westmere", "uncore", NULL, { 0 }, EN_PMI | 1 << 17 },
	{ "snb_unc_cbo0", "sandybridge", "cbo", client, { 0 }, EN_PMI },
	{ "ivb_unc_cbo0", "ivybridge", "cbo", client, { 0 }, EN_PMI },
	{ "snbep_unc_cbo0", "sandybridge-ep", "cbo", snbep_cbo, { 0xd14 }, EN_PMI },
	{ "snbep_unc_pcu", "sandybridge-ep", "pcu", pcu_ext, { 0xc34 }, EN_PMI },
	{ "snbep_unc_ubo", "sandybridge-ep", "ubox", box5, { 0 }, EN_PMI },
	{ "ivbep_unc_cbo0", "ivybridge-ep", "cbo", ivbep_cbo, { 0xd14, 0xd1a }, EN_PMI },
	{ "ivbep_unc_pcu", "ivybridge-ep", "pcu", pcu_ext, { 0xc34 }, EN_PMI },
	{ "ivbep_unc_ubo", "ivybridge-ep", "ubox", box5, { 0 }, EN_PMI },
	{ "hswep_unc_cbo0", "haswell-ep", "cbo", hswep_cbo, { 0xe05, 0xe06 }, EN_PMI },
	{ "hswep_unc_sbo0", "haswell-ep", "sbox", box8_tid, { 0 }, EN_PMI },
	{ "hswep_unc_pcu", "haswell-ep", "pcu", pcu, { 0x715 }, EN_PMI },
	{ "hswep_unc_ubo", "haswell-ep", "ubox", box5, { 0 }, EN_PMI },
	{ "bdx_unc_cbo0", "broadwell-ep", "cbo", hswep_cbo, { 0xe05, 0xe06 }, EN_PMI },
	{ "bdx_unc_sbo0", "broadwell-ep", "sbox", box8_tid, { 0 }, EN_PMI },
	{ "bdx_unc_pcu", "broadwell-ep", "pcu", pcu, { 0x715 }, EN_PMI },
	{ "bdx_unc_ubo", "broadwell-ep", "ubox", box5, { 0 }, EN_PMI },
	{ "knl_unc_cha0", "knightslanding", "cha", box8, { 0 }, EN_PMI },
	{ "knm_unc_cha0", "knightsmill", "cha", box8, { 0 }, EN_PMI },
	{ "skx_unc_cha0", "skylake-sp", "cha", skx_cha, { 0xe05, 0xe06 }, EN_PMI },
	{ "skx_unc_iio0", "skylake-sp", "iio", skx_iio, { 0 }, EN_PMI },
	{ "skx_unc_irp", "skylake-sp", "irp", box8, { 0 }, EN_PMI },
	{ "skx_unc_pcu", "skylake-sp", "pcu", skx_pcu, { 0x715 }, EN_PMI },
	{ "skx_unc_ubo", "skylake-sp", "ubox", box5, { 0 }, EN_PMI },
	/* libpfm4 does not set the masks of slices and threads. */
	{ "amd64_fam19h_zen3_l3", "zen3", "l3", amd_l3, { 0 },
	  EN_PMI | 3 << 16 | 0xffffffffull << 32 },
};

/* Files of the vendor's event lists, used to look up names. */
static const struct {
	const char *uarch, *lists[2];
} listed[] = {
	{ "skylake-sp",
	  { "SKX/events/skylakex_uncore.json", "SKX/events/skylakex_uncore_experimental.json" } },
	{ "sandybridge-ep", { "JKT/events/Jaketown_uncore.json" } },
};

/* Known errors and gaps of libpfm4 4.13: a part of the event string, and the reason. */
static const struct {
	const char *pmu, *event, *why;
} known[] = {
	{ "nhm_unc", "UNC_QHL_TO_QMC_BYPASS", "unit mask left out (manual: 0x01)" },
	{ "wsm_unc", "UNC_QHL_TO_QMC_BYPASS", "unit mask left out (manual: 0x01)" },
	{ "wsm_unc", "UNC_DRAM_THERMAL_THROTTLED", "unit mask left out (manual: 0x01)" },
	{ "wsm_unc", "UNC_PROCHOT_ASSERTION", "unit mask left out (manual: 0x01)" },
	{ "wsm_unc", "UNC_CYCLES_UNHALTED_L3_FLL_ENABLE", "unit mask left out (manual: 0x02)" },
	{ "wsm_unc", "UNC_CYCLES_UNHALTED_L3_FLL_DISABLE", "unit mask left out (manual: 0x01)" },
	{ "snbep_unc_pcu", "_CYCLES:C0", "state of the cores in bits 9:8 instead of 15:14" },
	{ "snbep_unc_pcu", "_CYCLES:C3", "state of the cores in bits 9:8 instead of 15:14" },
	{ "snbep_unc_pcu", "_CYCLES:C6", "state of the cores in bits 9:8 instead of 15:14" },
	{ "hswep_unc_cbo0", "Q_RETRY2:TARGET", "unit mask 0x01 instead of 0x40, and takes a node" },
	{ "bdx_unc_cbo0", "Q_RETRY2:TARGET", "unit mask 0x01 instead of 0x40, and takes a node" },
	{ "skx_unc_cha0", ":loc=1:rem=0", "with it the other filters become 0: nothing passes" },
	{ "skx_unc_cha0", ":isoc=1", "with it the other filters become 0: nothing passes" },
	{ "skx_unc_cha0", ":nc=1", "with it the other filters become 0: nothing passes" },
};

/* Known errors and gaps in names of libpfm4, to which libpfm4 adds defaults. */
static const struct {
	const char *pmu, *event, *why;
} known_names[] = {
	{ "snbep_unc_cbo0", "UNC_C_LLC_LOOKUP:NID", "unit mask 0x43 instead of 0x41" },
	{ "skx_unc_cha0", ":lmem=0", "leaves the filter as it is" },
	{ "skx_unc_cha0", "UNC_C_LLC_LOOKUP:", "by default 7 of the 10 states pass, here all" },
	{ "skx_unc_cha0", "UNC_C_LLC_VICTIMS:", "local and remote ones chosen besides" },
	{ "skx_unc_pcu", "OCCUPANCY:CORES_C0:e=1:i=1:t=2", "a threshold drops e and i" },
	{ "skx_unc_pcu", "OCCUPANCY:CORES_C3:e=1:i=1:t=2", "a threshold drops e and i" },
	{ "skx_unc_pcu", "OCCUPANCY:CORES_C6:e=1:i=1:t=2", "a threshold drops e and i" },
	{ "skx_unc_pcu", ":t=128", "what it prints in full has e in the threshold" },
	{ "skx_unc_pcu", ":t=64", "what it prints in full has i in the threshold" },
};

/* Filters that libpfm4 accepts although they have no effect according to the kernel's tables and ours. */
static const char *const unused_filters[] = { "filter_opc has no effect", "filter_nc has no effect",
					      "filter_isoc has no effect" };

struct tally {
	const struct pmu *pmu;
	struct uncoremsr *um;
	bool lists;                   /* look up names in the event lists of @um; if false, compare terms */
	unsigned same, wrong, known, unknown, left_out;
};

/* Is this event tested? With SEED one of DRAWN events is tested, without SEED every event. */
enum { DRAWN = 16 }; /* lookups are slow: most names are not in the lists, so similar names are searched for */

static bool is_drawn(void)
{
	static unsigned long at;
	const char *seed = getenv("SEED");

	if (!at)
		at = seed ? 1 + strtoul(seed, NULL, 10) % DRAWN : 0;
	return !seed || at++ % DRAWN == 0;
}

static bool is_known(const struct tally *t, const char *event, const char *why)
{
	for (size_t i = 0; i < ARRAY_SIZE(unused_filters); i++)
		if (strstr(why, unused_filters[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strcmp(known[i].pmu, t->pmu->theirs) == 0 && strstr(event, known[i].event))
			return true;
	for (size_t i = 0; t->lists && i < ARRAY_SIZE(known_names); i++)
		if (strcmp(known_names[i].pmu, t->pmu->theirs) == 0 &&
		    strstr(event, known_names[i].event))
			return true;
	return false;
}

static uint64_t take_bits(const struct layout *l, uint64_t left[3])
{
	uint64_t mask = (UINT64_C(1) << l->width) - 1, v = left[l->code] >> l->shift & mask;

	left[l->code] &= ~(mask << l->shift);
	return v;
}

/*
 * Write the codes as terms: "cbo/event=0x35,umask=0x1,filter_opc=0x180/". Returns false if the layout lacks some of
 * their bits.
 */
static bool as_terms(const struct pmu *p, const uint64_t codes[3], char *text, size_t size)
{
	uint64_t left[3] = { codes[0] & ~p->ignore, codes[1], codes[2] };
	size_t at = (size_t)snprintf(text, size, "%s/", p->ours);

	for (const struct layout *l = p->layout; l->term; l++) {
		uint64_t v = take_bits(l, left);

		if (l == p->layout && l[1].term && strcmp(l[1].term, l->term) == 0)
			v |= take_bits(++l, left) << 8;
		/* Write a mask even if it is 0, because otherwise we would add a default. */
		if (v || strcmp(l->term, "event") == 0 || strstr(l->term, "_mask"))
			at += (size_t)snprintf(text + at, size - at, "%s%s=0x%llx",
					       text[at - 1] == '/' ? "" : ",", l->term,
					       (unsigned long long)v);
	}
	snprintf(text + at, size - at, "/");
	return !left[0] && !left[1] && !left[2];
}

/* Our encoding of the text. */
struct ours {
	uint32_t filters[2];          /* MSRs */
	uint64_t word, values[2];
	int num, fixed;
};

static int note_encoding(void *user, const struct uncoremsr_encoding *e)
{
	struct ours *o = user;
	const struct uncoremsr_register_bits *b;

	if (o->num++)
		return 0;
	o->word = e->word;
	o->fixed = e->fixed;
	for (size_t i = 0; (b = e->registers[i]); i++)
		for (size_t k = 0; k < 2 && b->use == UNCOREMSR_USE_EVENT; k++)
			if (b->address == o->filters[k])
				o->values[k] = b->value;
	return 0;
}

/* Compare the words. NULL: they are the same. */
static const char *compare(const struct tally *t, const struct ours *o, const uint64_t codes[3])
{
	uint64_t ignore = t->pmu->ignore;

	/* libpfm4 sets no port mask if an event has none; our encoding has all ports. */
	if (t->lists && strcmp(t->pmu->ours, "iio") == 0 && !(codes[0] >> 36))
		ignore |= 0x7ffull << 36;
	if ((o->word ^ codes[0]) & ~ignore)
		return "another selector word";
	if (o->values[0] != codes[1] || o->values[1] != codes[2])
		return "another filter";
	return NULL;
}

static void check(struct tally *t, const char *event, const uint64_t codes[3])
{
	struct ours ours = { .filters = { t->pmu->filters[0], t->pmu->filters[1] } };
	const char *why = NULL;
	char text[512];

	if (!t->pmu->layout || t->lists)
		snprintf(text, sizeof(text), "%s", event);
	else if (!as_terms(t->pmu, codes, text, sizeof(text)))
		why = "bits that the layout does not have";
	if (!why && uncoremsr_encode(t->um, UNCOREMSR_ROUTE_MSR, t->pmu->uarch, text, note_encoding, &ours) != 1)
		why = uncoremsr_error(t->um)->message;
	/* Skip names that the vendor's list lacks, and filters for threads and frequencies, which our encoder spells
	 * differently. */
	if (t->lists && why && (strstr(why, "no event of that name") || strstr(why, "unknown modifier") ||
				strstr(why, "has no term 'tf=") || strstr(why, "has no term 'cf=") ||
				strstr(why, "has no term 'ff="))) {
		t->unknown++;
		return;
	}
	/* The clock is counted only by its fixed counter and has no event select, so there are no words to compare. */
	if (!why && !ours.fixed)
		why = compare(t, &ours, codes);
	if (!why) {
		t->same++;
	} else if (is_known(t, event, why)) {
		t->known++;
	} else if (t->wrong++ < 20) {
		printf("# %s: 0x%llx 0x%llx 0x%llx as %s: %s", event, (unsigned long long)codes[0],
		       (unsigned long long)codes[1], (unsigned long long)codes[2], text, why);
		if (ours.num)
			printf(" (0x%llx)", (unsigned long long)ours.word);
		printf("\n");
	}
}

/*
 * Try an event string of libpfm4, and its full form. Skip a string that libpfm4 refuses, for example because the unit
 * mask must be combined with another one.
 */
static void try(struct tally *t, const char *event)
{
	char *full = NULL;
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg), .fstr = &full };
	uint64_t codes[3] = { 0 };

	if (pfm_get_os_event_encoding(event, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg) != PFM_SUCCESS)
		return;
	for (int i = 0; i < arg.count && i < 3; i++)
		codes[i] = arg.codes[i];
	free(arg.codes);
	check(t, event, codes);
	if (t->lists || !t->pmu->layout)
		check(t, full, codes);
	free(full);
}

static bool has_small_threshold(const struct pmu *p)
{
	for (const struct layout *l = p->layout; l && l->term; l++)
		if (strcmp(l->term, "thresh") == 0)
			return l->width < 8;
	return false;
}

/* Try the event with each modifier that this PMU may have. libpfm4 refuses invalid modifiers, which are skipped. */
static void try_modifiers(struct tally *t, const char *event)
{
	static const char *const modifiers[] = {
		"", ":e=1", ":i=1", ":t=1", ":t=31", ":t=255", ":c=3", ":e=1:i=1:t=2", ":nf=3",
		":tf=1:cf=2", ":tf=0:cf=7", ":ff=20", ":isoc=1", ":nc=1", ":nf=5:isoc=1:nc=1",
		":loc=1:rem=0", ":lmem=0", ":e:i:c=2",
	};
	char text[256];

	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++) {
		/* libpfm4 accepts thresholds of 8 bits even if the PMU's field has fewer. */
		if (strstr(modifiers[i], "t=255") && has_small_threshold(t->pmu))
			continue;
		snprintf(text, sizeof(text), "%s%s", event, modifiers[i]);
		try(t, text);
	}
}

/* Try a unit mask alone, and with each filter that libpfm4 spells as a unit mask. */
static void try_umask(struct tally *t, int event, const pfm_event_info_t *info, const char *umask)
{
	char text[256];

	snprintf(text, sizeof(text), "%s::%s%s%s", t->pmu->theirs, info->name, *umask ? ":" : "",
		 umask);
	try_modifiers(t, text);
	for (int a = 0; t->pmu->layout && *umask && a < info->nattrs; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };
		char both[256];

		if (pfm_get_event_attr_info(event, a, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK ||
		    (strncmp(attr.name, "OPC_", 4) && strncmp(attr.name, "STATE_", 6) &&
		     strncmp(attr.name, "FC_", 3) && strncmp(attr.name, "PART", 4)))
			continue;
		snprintf(both, sizeof(both), "%.120s:%.60s", text, attr.name);
		try(t, both);
		snprintf(both, sizeof(both), "%.120s:%.60s:nf=3", text, attr.name);
		try(t, both);
	}
}

/* Try pairs of unit masks; libpfm4 combines their bits. */
static void try_pairs(struct tally *t, int event, const pfm_event_info_t *info)
{
	for (int a = 0; a < info->nattrs; a++)
		for (int b = 0; b < info->nattrs; b++) {
			pfm_event_attr_info_t one = { .size = sizeof(one) }, two = one;
			char text[256];

			if (a == b || pfm_get_event_attr_info(event, a, PFM_OS_NONE, &one) ||
			    pfm_get_event_attr_info(event, b, PFM_OS_NONE, &two) ||
			    one.type != PFM_ATTR_UMASK || two.type != PFM_ATTR_UMASK)
				continue;
			snprintf(text, sizeof(text), "%s::%.80s:%.60s:%.60s", t->pmu->theirs,
				 info->name, one.name, two.name);
			try(t, text);
		}
}

static bool has_umasks(int event, const pfm_event_info_t *info)
{
	for (int a = 0; a < info->nattrs; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(event, a, PFM_OS_NONE, &attr) == PFM_SUCCESS &&
		    attr.type == PFM_ATTR_UMASK)
			return true;
	}
	return false;
}

static void walk(struct tally *t, const pfm_pmu_info_t *pmu)
{
	for (int event = pmu->first_event; event != -1; event = pfm_get_event_next(event)) {
		pfm_event_info_t info = { .size = sizeof(info) };

		if (pfm_get_event_info(event, PFM_OS_NONE, &info) != PFM_SUCCESS)
			continue;
		if (t->lists && !is_drawn()) {
			t->left_out++;
			continue;
		}
		/* Without a layout, skip the plain name of an event with unit masks: libpfm4 adds defaults to it. */
		if (t->pmu->layout || !has_umasks(event, &info))
			try_umask(t, event, &info, "");
		for (int a = 0; a < info.nattrs; a++) {
			pfm_event_attr_info_t attr = { .size = sizeof(attr) };

			if (pfm_get_event_attr_info(event, a, PFM_OS_NONE, &attr) == PFM_SUCCESS &&
			    attr.type == PFM_ATTR_UMASK)
				try_umask(t, event, &info, attr.name);
		}
		if (t->lists || !t->pmu->layout)
			try_pairs(t, event, &info);
	}
}

static bool check_pmu(const struct pmu *p, struct uncoremsr *um, bool lists, unsigned number)
{
	struct tally t = { .pmu = p, .um = um, .lists = lists };
	bool ok;

	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS ||
		    strcmp(info.name, p->theirs) != 0)
			continue;
		walk(&t, &info);
	}
	ok = !t.wrong && (t.same || t.left_out);
	printf("%sok %u - the words of libpfm4's %s are those of %s/%s (%u the same, %u known "
	       "errors of its own, %u not in the lists, %u not drawn)\n", ok ? "" : "not ", number,
	       p->theirs, p->uarch, p->ours, t.same, t.known, t.unknown, t.left_out);
	return ok;
}

/* Check libpfm4's names with the lists below @folder. */
static bool check_names(const struct pmu *p, const char *folder, const char *const files[2],
			unsigned number)
{
	struct uncoremsr *um;
	bool ok = !uncoremsr_new(&um);

	for (size_t i = 0; i < 2 && files[i] && ok; i++) {
		char path[512];

		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		ok = uncoremsr_event_list_add(um, path) == 1;
	}
	if (!ok)
		printf("not ok %u - %s\n", number, uncoremsr_error(um)->message);
	ok = ok && check_pmu(p, um, true, number);
	uncoremsr_free(um);
	return ok;
}

int main(int argc, char **argv)
{
	unsigned number = 0, failed = 0;
	struct uncoremsr *um;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS) {
		printf("1..0 # SKIP libpfm4 does not start\n");
		return EXIT_SUCCESS;
	}
	if (uncoremsr_new(&um))
		return EXIT_FAILURE;
	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		if (argc < 2)
			failed += !check_pmu(&pmus[i], um, false, ++number);
		for (size_t k = 0; argc > 1 && k < ARRAY_SIZE(listed); k++)
			if (!strcmp(pmus[i].uarch, listed[k].uarch))
				failed += !check_names(&pmus[i], argv[1], listed[k].lists, ++number);
	}
	printf("1..%u\n", number);
	pfm_terminate();
	uncoremsr_free(um);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
