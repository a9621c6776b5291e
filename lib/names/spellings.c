/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/spellings.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/error.h"
#include "common/number.h"
#include "common/text.h"

/* ---- counters ---- */

/* From likwid, src/includes/perfmon_*_counters.h. A word may stand for PMUs of several generations. */
static const struct {
	char word[8];
	char pmus[4][20];
	bool fixed;                  /* the number is that of a fixed counter */
} counters[] = {
	{ "UPMC", { "uncore" }, false },
	{ "PMC", { "core" }, false },
	{ "FIXC", { "core" }, true },
	{ "CBOX", { "cbo", "cha" }, false },
	{ "SBOX", { "sbox", "upi" }, false },
	{ "BBOX", { "bbox" }, false },
	{ "MBOX", { "mbox", "imc" }, false },
	{ "RBOX", { "rbox", "m3upi" }, false },
	{ "WBOX", { "pcu", "wbox" }, false },
	{ "UBOX", { "ubox", "arb", "clock" }, false },
	{ "IBOX", { "irp", "iio" }, false }, /* iio on Skylake-SP */
	{ "TCBOX", { "iio" }, false },
	{ "CPMC", { "l3" }, false },
};

static bool has_pmu(const char pmus[4][20], const char *name)
{
	for (size_t i = 0; i < 4 && *pmus[i]; i++)
		if (!strcmp(pmus[i], name))
			return true;
	return false;
}

/* -1: no number. A number that is too large becomes INT_MAX, which no unit or counter has. */
static int take_number(const char **at)
{
	const char *start = *at;
	unsigned n;

	if (um_read_decimal(at, INT_MAX, &n))
		return (int)n;
	return *at > start ? INT_MAX : -1;
}

bool um_counter_word(const struct um_pmu *pmu, const char *text, size_t len,
		     struct um_counter_word *w)
{
	const char *end = text + len;

	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		size_t n = strlen(counters[i].word);
		const char *at = text + n;

		if (n >= len || strncasecmp(text, counters[i].word, n) ||
		    !has_pmu(counters[i].pmus, pmu->name))
			continue;
		*w = (struct um_counter_word){ -1, -1, counters[i].fixed };
		w->counter = take_number(&at);
		if (at < end && toupper((unsigned char)*at) == 'C' && w->counter >= 0) {
			w->unit = w->counter;
			at++;
			w->counter = take_number(&at);
			if (w->counter < 0)
				continue;
		}
		if (um_is_word(at, (size_t)(end - at), "FIX")) {
			w->unit = w->unit < 0 ? w->counter : w->unit;
			w->counter = -1;
			w->fixed = true;
			return true;
		}
		if (at == end && w->counter >= 0)
			return true;
	}
	return false;
}

/* ---- PMUs ---- */

/* From libpfm4 4.13, lib/pfmlib_*_unc*.c. */
static const struct {
	char word[12], uarch[16];
} pmus[] = {
	{ "nhm_unc", "nehalem" }, { "wsm_unc", "westmere" }, { "snb_unc", "sandybridge" },
	{ "ivb_unc", "ivybridge" }, { "snbep_unc", "sandybridge-ep" },
	{ "ivbep_unc", "ivybridge-ep" }, { "hswep_unc", "haswell-ep" },
	{ "bdx_unc", "broadwell-ep" }, { "knl_unc", "knightslanding" },
	{ "knm_unc", "knightsmill" }, { "skx_unc", "skylake-sp" }, { "icx_unc", "icelake-sp" },
	{ "spr_unc", "sapphirerapids" }, { "emr_unc", "emeraldrapids" },
	{ "gnr_unc", "graniterapids" },
};

/* Boxes with another name in libpfm4. */
static const struct {
	char theirs[5], ours[6];
} boxes[] = {
	{ "ubo", "ubox" }, { "sbo", "sbox" },
	{ "sbo0", "sbox0" }, { "sbo1", "sbox1" }, { "sbo2", "sbox2" }, { "sbo3", "sbox3" },
};

const char *um_libpfm4_event(const struct um_event *ev, const char **pmu, size_t *pmu_len)
{
	const char *text = ev->parts[0].name;
	size_t len = ev->parts[0].name_len;

	if (ev->pmu || ev->num_parts < 3 || ev->parts[1].name_len || ev->parts[1].value)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		size_t n = strlen(pmus[i].word);

		if (n > len || strncasecmp(text, pmus[i].word, n) || (n < len && text[n] != '_'))
			continue;
		*pmu = text + n + (n < len);
		*pmu_len = len - n - (n < len);
		for (size_t k = 0; k < ARRAY_SIZE(boxes); k++)
			if (um_is_word(*pmu, *pmu_len, boxes[k].theirs)) {
				*pmu = boxes[k].ours;
				*pmu_len = strlen(*pmu);
			}
		return pmus[i].uarch;
	}
	return NULL;
}

/* ---- unit masks ---- */

/* From libpfm4 4.13, intel_snb_unc_events.h: it has separate unit masks for filters and for what they filter. */
static const struct {
	char event[24], mask[16];
	uint8_t select, umask;
} masks[] = {
	{ "UNC_CBO_XSNP_RESPONSE", "MISS", 0x22, 0x01 },
	{ "UNC_CBO_XSNP_RESPONSE", "INVAL", 0x22, 0x02 },
	{ "UNC_CBO_XSNP_RESPONSE", "HIT", 0x22, 0x04 },
	{ "UNC_CBO_XSNP_RESPONSE", "HITM", 0x22, 0x08 },
	{ "UNC_CBO_XSNP_RESPONSE", "INVAL_M", 0x22, 0x10 },
	{ "UNC_CBO_XSNP_RESPONSE", "ANY_SNP", 0x22, 0x1f },
	{ "UNC_CBO_XSNP_RESPONSE", "EXTERNAL_FILTER", 0x22, 0x20 },
	{ "UNC_CBO_XSNP_RESPONSE", "XCORE_FILTER", 0x22, 0x40 },
	{ "UNC_CBO_XSNP_RESPONSE", "EVICTION_FILTER", 0x22, 0x80 },
	{ "UNC_CBO_CACHE_LOOKUP", "STATE_M", 0x34, 0x01 },
	{ "UNC_CBO_CACHE_LOOKUP", "STATE_E", 0x34, 0x02 },
	{ "UNC_CBO_CACHE_LOOKUP", "STATE_S", 0x34, 0x04 },
	{ "UNC_CBO_CACHE_LOOKUP", "STATE_I", 0x34, 0x08 },
	{ "UNC_CBO_CACHE_LOOKUP", "STATE_MESI", 0x34, 0x0f },
	{ "UNC_CBO_CACHE_LOOKUP", "READ_FILTER", 0x34, 0x10 },
	{ "UNC_CBO_CACHE_LOOKUP", "WRITE_FILTER", 0x34, 0x20 },
	{ "UNC_CBO_CACHE_LOOKUP", "EXTSNP_FILTER", 0x34, 0x40 },
	{ "UNC_CBO_CACHE_LOOKUP", "ANY_FILTER", 0x34, 0x80 },
};

bool um_libpfm4_mask(const char *event, size_t event_len, const char *mask, size_t len,
		     unsigned *select, unsigned *umask)
{
	for (size_t i = 0; i < ARRAY_SIZE(masks); i++) {
		if (!um_is_word(event, event_len, masks[i].event) ||
		    !um_is_word(mask, len, masks[i].mask))
			continue;
		*select = masks[i].select;
		*umask = masks[i].umask;
		return true;
	}
	return false;
}

/* ---- filters ---- */

/*
 * Unit masks of libpfm4 that are filters, and our terms for them (libpfm4 4.13,
 * intel_{snbep,ivbep,hswep,bdx}_unc_cbo_events.h, intel_skx_unc_{cha,iio}_events.h).
 */
static const struct {
	char mask[18], term[14];
	uint16_t value;
	const char *uarch;           /* NULL: all processors that have the name */
} filters[] = {
	{ "STATE_I", "filter_state", 0x01, NULL },
	{ "STATE_S", "filter_state", 0x02, NULL },
	{ "STATE_E", "filter_state", 0x04, NULL },
	{ "STATE_M", "filter_state", 0x08, NULL },
	{ "STATE_F", "filter_state", 0x10, NULL },
	{ "STATE_D", "filter_state", 0x20, NULL },
	{ "STATE_MP", "filter_state", 0x40, NULL },
	{ "STATE_MESIF", "filter_state", 0x1f, "sandybridge-ep" },
	{ "STATE_MESIF", "filter_state", 0x3f, "ivybridge-ep" },
	{ "STATE_MESIFD", "filter_state", 0x7f, NULL },
	{ "STATE_LLC_I", "filter_state", 0x01, NULL },
	{ "STATE_SF_S", "filter_state", 0x02, NULL },
	{ "STATE_SF_E", "filter_state", 0x04, NULL },
	{ "STATE_SF_H", "filter_state", 0x08, NULL },
	{ "STATE_LLC_S", "filter_state", 0x10, NULL },
	{ "STATE_LLC_E", "filter_state", 0x20, NULL },
	{ "STATE_LLC_M", "filter_state", 0x40, NULL },
	{ "STATE_LLC_F", "filter_state", 0x80, NULL },
	{ "STATE_CACHE_ANY", "filter_state", 0x7f, NULL },
	{ "OPC_RFO", "filter_opc", 0x180, NULL },
	{ "OPC_CRD", "filter_opc", 0x181, NULL },
	{ "OPC_DRD", "filter_opc", 0x182, NULL },
	{ "OPC_PRD", "filter_opc", 0x187, NULL },
	{ "OPC_WCILF", "filter_opc", 0x18c, NULL },
	{ "OPC_WCIL", "filter_opc", 0x18d, NULL },
	{ "OPC_WIL", "filter_opc", 0x18f, NULL },
	{ "OPC_PCIWIL", "filter_opc", 0x193, NULL },
	{ "OPC_PCIWIF", "filter_opc", 0x194, NULL },
	{ "OPC_PCIWILF", "filter_opc", 0x194, NULL },
	{ "OPC_PCIPRD", "filter_opc", 0x195, NULL },
	{ "OPC_PCIITOM", "filter_opc", 0x19c, NULL },
	{ "OPC_PCIRDCUR", "filter_opc", 0x19e, NULL },
	{ "OPC_WBMTOI", "filter_opc", 0x1c4, NULL },
	{ "OPC_WBMTOE", "filter_opc", 0x1c5, NULL },
	{ "OPC_ITOM", "filter_opc", 0x1c8, NULL },
	{ "OPC_PCINSRD", "filter_opc", 0x1e4, NULL },
	{ "OPC_PCINSWR", "filter_opc", 0x1e5, NULL },
	{ "OPC_PCINSWRF", "filter_opc", 0x1e6, NULL },
	{ "FC_POSTED_REQ", "fc_mask", 1, NULL },
	{ "FC_NON_POSTED_REQ", "fc_mask", 2, NULL },
	{ "FC_CMPL", "fc_mask", 4, NULL },
	{ "FC_ANY", "fc_mask", 7, NULL },
};

const char *um_libpfm4_filter(const char *uarch, const char *mask, size_t len, uint64_t *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		if (!um_is_word(mask, len, filters[i].mask) ||
		    (filters[i].uarch && strcmp(filters[i].uarch, uarch)))
			continue;
		*value = filters[i].value;
		return filters[i].term;
	}
	return NULL;
}

/*
 * Modifiers of libpfm4 that are filters (libpfm4 4.13, lib/pfmlib_intel_snbep_unc.c); "": a thread filter, for
 * which we have no term.
 */
static const struct {
	char theirs[5], ours[16];
	bool zero_is_none;
} modifiers[] = {
	{ "nf", "filter_nid", true }, { "isoc", "filter_isoc", true }, { "nc", "filter_nc", true },
	{ "tf", "", true }, { "cf", "", true },
	{ "loc", "filter_loc", false }, { "rem", "filter_rem", false },
	{ "lmem", "filter_nm", false }, { "rmem", "filter_not_nm", false },
};

bool um_libpfm4_modifier(struct um_event_term *t)
{
	bool zero = t->value && (um_is_word(t->value, t->value_len, "0") ||
				 um_is_word(t->value, t->value_len, "0x0"));

	/* Ignore the occupancy reset: each start resets it anyway. */
	if (um_is_word(t->name, t->name_len, "o"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++) {
		if (!um_is_word(t->name, t->name_len, modifiers[i].theirs))
			continue;
		if (zero && modifiers[i].zero_is_none)
			return false;
		if (*modifiers[i].ours) {
			t->name = modifiers[i].ours;
			t->name_len = strlen(modifiers[i].ours);
		}
		return true;
	}
	return true;
}
