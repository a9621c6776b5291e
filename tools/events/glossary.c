/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explanations that are too long for the tables: bits that are often misunderstood, units, kinds. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "events/events.h"

static const struct {
	const char *reg, *field, *text; /* @reg: start of the registers' names */
} bits[] = {
	{ "UNCORE_PERFEVTSEL", "OCC_CTR_RST",
	  "Bit 17, 0x20000. Writing 1 clears the number of entries that the event's queue is taken "
	  "to hold; writing 0 does nothing, and it always reads 0, so a word is compared without "
	  "it. It does not clear the counter, although some recipes say so: a counter is zeroed by "
	  "writing 0 to UNCORE_PMCn. The constant 0x420000 of those recipes is this bit and EN; "
	  "edge detection is not in it." },
	{ "UNCORE_PERFEVTSEL", "EDGE",
	  "Bit 18, 0x40000. Without it an event of kind cycles counts the clocks that a condition "
	  "lasts, with it how many times the condition begins: how long against how often. Off in "
	  "0x420000, although some texts describe that constant as edge detection (that would be "
	  "0x460000). In the event language: EVENT:edge." },
	{ "UNCORE_PERFEVTSEL", "PMI",
	  "Bit 20, 0x100000. Raises an interrupt each time the counter wraps, on the cores chosen "
	  "in UNCORE_PERF_GLOBAL_CTRL bits 51:48. Nothing handles it here: it would arrive as an "
	  "unknown NMI, so words with it are refused. libpfm4 sets it in every word it makes." },
	{ "UNCORE_PERFEVTSEL", "EN",
	  "Bit 22, 0x400000. One of two switches: the counter runs when this bit and its bit in "
	  "UNCORE_PERF_GLOBAL_CTRL (0x391) are both set." },
	{ "UNCORE_PERFEVTSEL", "INV",
	  "Bit 23, 0x800000. Turns the comparison with CMASK round: clocks with fewer occurrences "
	  "than the threshold. Without a threshold it means nothing. In the event language: "
	  "EVENT:inv:cmask=N." },
	{ "UNCORE_PERFEVTSEL", "CMASK",
	  "Bits 31:24. With a threshold N above 0 the counter adds 1 in each clock in which the "
	  "event happens at least N times (with INV: fewer), instead of adding how many times. For "
	  "a queue: clocks with at least N entries. In the event language: EVENT:cmask=N." },
	{ "UNCORE_PERFEVTSEL", "EVENT",
	  "Bits 7:0. Which event; the unit mask chooses the part of it." },
	{ "UNCORE_PERFEVTSEL", "UMASK",
	  "Bits 15:8. Which part of the event: channel, core, link, direction. Bits may be or-ed "
	  "into a sum where each stands for a part of its own. An event that has unit masks counts "
	  "nothing useful with 0." },
	{ "UNCORE_PERF_GLOBAL_CTRL", "EN_FC0",
	  "Bit 32. One of two switches of the fixed counter, the other is bit 0 of "
	  "UNCORE_FIXED_CTR_CTRL (0x395)." },
	{ "UNCORE_PERF_GLOBAL_CTRL", "PMI_FRZ",
	  "Bit 63. An overflow interrupt clears all enable bits of this register, those of other programs too." },
	{ "IA32_PERFEVTSEL", "USR",
	  "Bit 16, 0x10000. With both USR and OS clear a core counter counts nothing at all. perf "
	  "ignores both in raw codes: :u and :k decide." },
	{ "IA32_PERFEVTSEL", "OS",
	  "Bit 17, 0x20000. Here it means kernel mode; in an uncore selector bit 17 is something "
	  "else (OCC_CTR_RST)." },
};

const char *events_bit_text(const char *reg, const char *field)
{
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (strncmp(reg, bits[i].reg, strlen(bits[i].reg)) == 0 &&
		    strcmp(field, bits[i].field) == 0)
			return bits[i].text;
	return NULL;
}

static const struct {
	const char *word, *text;
} glossary[] = {
	{ "GQ", "global queue: where requests of the cores, of other packages and of I/O wait "
		"inside the uncore; it has trackers for reads, writes and peer probes" },
	{ "L3", "the last-level cache, shared by the cores of a package" },
	{ "QHL", "QPI home logic: keeps the memory of this package coherent for all that access it" },
	{ "QMC", "memory controller: its queues of reads and writes, per channel" },
	{ "QPI", "the links to other packages and to I/O" },
	{ "DRAM", "commands to the memory modules" },
	{ "thermal", "throttling because of temperature or PROCHOT" },
	{ "power", "turbo, and parts of the L3 that are switched off" },
	{ "clock", "the uncore clock; the fixed counter counts it" },
	{ "CBo", "C-box: one slice of the last-level cache, one per core; counts add up" },
	{ "ARB", "arbiter: between the ring of the cores and memory, graphics and devices" },
	{ "HAC CBo", "C-box of the home agent on the SoC tile" },
	{ "HAC ARB", "arbiter of the home agent on the SoC tile" },
	{ "B-box", "home agent: keeps the memory behind it coherent; two per package" },
	{ "C-box", "one slice of the last-level cache, one per core; counts add up over slices" },
	{ "M-box", "memory controller; two per package" },
	{ "R-box", "router: QPI links, and the paths between the boxes; each port counts separately" },
	{ "S-box", "between the C-boxes and the router; two per package" },
	{ "U-box", "system configuration, interrupts, errors; one per package" },
	{ "W-box", "power control and the uncore clock; one per package" },
	{ "count", "kind: how often something happened" },
	{ "cycles", "kind: uncore clocks in which something was so; divide by UNC_CLK_UNHALTED for "
		    "a share of time" },
	{ "occupancy", "kind: entries of a queue, added up every clock; divide by clocks for the mean "
		       "number of entries, by arrivals for the mean time" },
	{ "uncore", "what the cores of a package share: L3, memory controller, QPI. Its counters are "
		    "model-specific: no CPUID leaf reports them, addresses and codes differ from "
		    "model to model" },
	{ "core", "the counters of one logical CPU; those that CPUID leaf 0xA describes are "
		  "architectural: the same on every Intel processor" },
	{ "architectural", "the same on every processor that CPUID says has it (core counters, leaf "
			   "0xA); no uncore event is" },
	{ "model-specific", "holds for certain processor models only: all uncore events and "
			    "registers" },
};

static size_t find_word(const char *text)
{
	size_t i = 0, num = ARRAY_SIZE(glossary);

	while (i < num && strcasecmp(glossary[i].word, text) != 0)
		i++;
	return i < num ? i : SIZE_MAX;
}

const char *events_glossary(const char *word)
{
	size_t i = find_word(word);

	return i == SIZE_MAX ? NULL : glossary[i].text;
}

const char *events_glossary_word(const char *text)
{
	size_t i = find_word(text);

	return i == SIZE_MAX ? NULL : glossary[i].word;
}
