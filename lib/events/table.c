/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the event tables say about a row. */
#include "events/table.h"

#include <stdio.h>
#include <string.h>

#include "common/error.h"

const struct um_event_row *um_event_next(const struct um_event_table *t,
					 const struct um_event_row *row)
{
	for (row = row ? row + 1 : t->data->rows; row < t->data->rows + t->data->num_rows; row++)
		if (row->on & t->on)
			return row;
	return NULL;
}

static const struct um_event_family *family(const struct um_event_table *t,
					    const struct um_event_row *row)
{
	return &t->data->families[row->family];
}

enum um_event_kind um_event_kind(const struct um_event_table *t, const struct um_event_row *row)
{
	return (enum um_event_kind)family(t, row)->kind;
}

enum um_event_unit um_event_unit(const struct um_event_table *t, const struct um_event_row *row)
{
	return (enum um_event_unit)family(t, row)->unit;
}

const char *um_event_kind_word(enum um_event_kind kind)
{
	static const char words[][12] = {
		[UM_KIND_COUNT] = "count", [UM_KIND_CYCLES] = "cycles",
		[UM_KIND_OCCUPANCY] = "occupancy", [UM_KIND_CLOCK] = "clock",
	};

	return words[kind];
}

const char *um_event_unit_word(enum um_event_unit unit)
{
	static const char words[][12] = {
		[UM_UNIT_CLOCK] = "clock", [UM_UNIT_GQ] = "GQ", [UM_UNIT_L3] = "L3",
		[UM_UNIT_QHL] = "QHL", [UM_UNIT_QMC] = "QMC", [UM_UNIT_QPI] = "QPI",
		[UM_UNIT_DRAM] = "DRAM", [UM_UNIT_THERMAL] = "thermal", [UM_UNIT_POWER] = "power",
		[UM_UNIT_CBO] = "CBo", [UM_UNIT_ARB] = "ARB", [UM_UNIT_HAC_CBO] = "HAC CBo",
		[UM_UNIT_HAC_ARB] = "HAC ARB", [UM_UNIT_BBOX] = "B-box", [UM_UNIT_CBOX] = "C-box",
		[UM_UNIT_MBOX] = "M-box", [UM_UNIT_RBOX] = "R-box", [UM_UNIT_SBOX] = "S-box",
		[UM_UNIT_UBOX] = "U-box", [UM_UNIT_WBOX] = "W-box", [UM_UNIT_CORE] = "core",
	};

	return words[unit];
}

const char *um_source_word(unsigned source)
{
	static const char words[][12] = {
		"sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm", "guide", "perfmon",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (source == 1u << i)
			return words[i];
	return "";
}

/* What the end of a name means in words. A longer end stands before a shorter one of its own. */
static const struct {
	char end[20], words[40];
} ends[] = {
	{ "CH0", "channel 0" }, { "CH1", "channel 1" }, { "CH2", "channel 2" },
	{ "ANY", "all channels" },
	{ "LINK_0", "QPI link 0" }, { "LINK_1", "QPI link 1" },
	{ "CORE_0", "core 0" }, { "CORE_1", "core 1" }, { "CORE_2", "core 2" },
	{ "CORE_3", "core 3" },
	{ "CORES_02", "cores 0 and 2" }, { "CORES_13", "cores 1 and 3" },
	{ "READ_TRACKER", "read" }, { "WRITE_TRACKER", "write" },
	{ "PEER_PROBE_TRACKER", "peer probe" },
	{ "FWD_S_STATE", "forwarded, shared copy kept" },
	{ "FWD_I_STATE", "forwarded, no copy kept" },
	{ "M_STATE", "modified" }, { "E_STATE", "exclusive" }, { "S_STATE", "shared" },
	{ "F_STATE", "forward" }, { "I_STATE", "invalid" },
	{ "HIT_M", "modified" }, { "HIT_E", "exclusive" }, { "HIT_S", "shared" },
	{ "HIT_F", "forward" },
	{ "WB", "written back" }, { "HITM", "modified, forwarded and written back" },
	{ "IOH_READS", "reads by the I/O hub" }, { "IOH_WRITES", "writes by the I/O hub" },
	{ "REMOTE_READS", "reads by other packages" },
	{ "REMOTE_WRITES", "writes by other packages" },
	{ "LOCAL_READS", "reads by this package" }, { "LOCAL_WRITES", "writes by this package" },
	{ "IOH_ORDER", "the I/O hub" }, { "IOH_CONFLICT", "the I/O hub" },
	{ "REMOTE_ORDER", "other packages" }, { "REMOTE_CONFLICT", "other packages" },
	{ "LOCAL_ORDER", "this package" }, { "LOCAL_CONFLICT", "this package" },
	{ "CONFLICT", "conflict" },
	{ "IOH", "the I/O hub" }, { "REMOTE", "other packages" }, { "LOCAL", "this package" },
	{ "2WAY", "two" }, { "3WAY", "three" },
};

static const char *words_for(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = strnlen(ends[i].end, sizeof(ends[i].end));

		if (n < len && strchr("._", name[len - n - 1]) &&
		    memcmp(name + len - n, ends[i].end, n) == 0)
			return ends[i].words;
	}
	return "";
}

/* What stands behind the first dot, as it is: "RDQ_FULL". */
static const char *behind_dot(const char *name)
{
	const char *dot = strchr(name, '.');

	return dot ? dot + 1 : "all";
}

/* "%s": what the end of the name means in words; "%m": the end itself. */
int um_event_describe(const struct um_event_table *t, const struct um_event_row *row, char *buf,
		      size_t size)
{
	const char *text = t->data->texts + family(t, row)->desc, *words;
	const char *mark = strchr(text, '%');

	if (!mark)
		return snprintf(buf, size, "%s", text);
	words = mark[1] == 'm' ? behind_dot(row->name) : words_for(row->name);
	return snprintf(buf, size, "%.*s%s%s", (int)(mark - text), text, words, mark + 2);
}

const char *um_event_note(const struct um_event_table *t, const struct um_event_row *row)
{
	return t->data->texts + family(t, row)->note;
}

const struct um_event_dispute *um_event_dispute(const struct um_event_table *t,
						const struct um_event_row *row,
						const struct um_event_dispute *after)
{
	const struct um_event_dispute *all = t->data->disputes;

	for (size_t i = after ? (size_t)(after - all) + 1 : 0; i < t->data->num_disputes; i++)
		if (all[i].on & t->on && all[i].event == row->event &&
		    (!all[i].umask || all[i].umask == row->umask))
			return &all[i];
	return NULL;
}

unsigned um_event_their_umask(const struct um_event_dispute *d, const struct um_event_row *row)
{
	return d->umask ? d->their_umask : row->umask;
}

unsigned um_event_sources(const struct um_event_table *t, const struct um_event_row *row)
{
	unsigned sources = row->sources;
	const struct um_event_dispute *d = NULL;

	while ((d = um_event_dispute(t, row, d)))
		sources &= ~(unsigned)d->who;
	return sources;
}
