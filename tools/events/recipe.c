/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode: how to count an event by hand, and with pcm-raw. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"

struct recipe {
	const struct uncoremsr_encoding *enc;
	struct records *w;
	int cpu;
	uint64_t mask; /* bits of the selector's register that may change; the others may belong to other counters */
};

__attribute__((format(printf, 3, 4)))
static void add_step(const struct recipe *r, const char *why, const char *fmt, ...)
{
	struct out *o = r->w->out;
	size_t start = o->len;
	char command[EVENTS_LINE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	if (!records_for_people(r->w)) {
		record_str(r->w, NULL, command);
		return;
	}
	out_fmt(o, "    %s", command);
	out_pad(o, start, 36, true);
	out_fmt(o, "  # %s\n", why);
}

int events_recipe_cpu(const struct events *e, const struct uncoremsr_encoding *enc)
{
	const struct uncoremsr_package *p = uncoremsr_package(e->um, 0);
	const struct uncoremsr_cores *cores = enc->core_type ? uncoremsr_cores(e->um, NULL) : NULL;

	for (size_t i = 0; cores && cores->kinds[i]; i++)
		if (cores->kinds[i]->core_type == enc->core_type && cores->kinds[i]->num_cpus > 0)
			return atoi(cores->kinds[i]->cpus);
	return enc->core_type ? -1 : p ? p->cpu : 0;
}

/*
 * Add a command that writes the bits in @mask and keeps all others. It uses printf %x, because $((...)) is negative if
 * bit 63 is set, and wrmsr would take the "-" for an option.
 */
static void add_write(const struct recipe *r, uint32_t msr, uint64_t mask, uint64_t value, const char *why)
{
	const unsigned long long clear = mask & ~value, set = value;
	char expression[80];

	if (!~mask) {
		add_step(r, why, "wrmsr -p %d 0x%x 0x%llx", r->cpu, msr, set);
		return;
	}
	if (!clear && !set)
		return;
	if (!clear)
		snprintf(expression, sizeof(expression), "| 0x%llx", set);
	else if (!set)
		snprintf(expression, sizeof(expression), "& ~0x%llx", clear);
	else
		snprintf(expression, sizeof(expression), "& ~0x%llx | 0x%llx", clear, set);
	add_step(r, why, "wrmsr -p %d 0x%x $(printf 0x%%x $((0x$(rdmsr -p %d 0x%x) %s)))", r->cpu, msr, r->cpu,
		 msr, expression);
}

/* Gates are shared enable bits. */
enum gate_use { GATE_LOOK, GATE_OPEN, GATE_CLOSE };

static void add_gates(const struct recipe *r, enum gate_use use)
{
	const struct uncoremsr_register_bits *b;
	char look[24];

	for (size_t i = 0; (b = r->enc->registers[i]); i++) {
		bool own = b->use == UNCOREMSR_USE_SWITCH;

		if (b->use == UNCOREMSR_USE_EVENT)
			continue;
		if (use == GATE_LOOK && own) {
			snprintf(look, sizeof(look), "bit %u has to be 0, too", events_first_bit(b->mask));
			add_step(r, look, "rdmsr -p %d 0x%x", r->cpu, b->address);
		} else if (use == GATE_OPEN) {
			add_write(r, b->address, b->mask, b->value, own ? "on: set only this bit, so that the others stay"
									: "all counters of the unit need it");
		} else if (use == GATE_CLOSE && own) {
			add_write(r, b->address, b->value, 0, "off again: clear only this bit");
		}
	}
}

/* All counters of a unit share the extra registers of an event. @back: restore the old values. */
static void add_extras(const struct recipe *r, bool back)
{
	bool uncore = events_is_uncore(r->enc);
	const struct uncoremsr_register_bits *b;

	for (size_t i = 0; (b = r->enc->registers[i]); i++) {
		uint64_t mask = b->mask, value = b->value;
		uint32_t msr = b->address;

		/* On Westmere value 0 means that the user must choose the value. */
		if (b->use != UNCOREMSR_USE_EVENT || (uncore && !value))
			continue;
		if (back && ~mask) {
			add_step(r, "restore the old value",
				 "wrmsr -p %d 0x%x $(printf 0x%%x $((0x$(rdmsr -p %d 0x%x) & ~0x%llx | "
				 "old%x & 0x%llx)))", r->cpu, msr, r->cpu, msr, (unsigned long long)mask, msr,
				 (unsigned long long)mask);
			continue;
		}
		if (back) {
			add_step(r, "restore the old value", "wrmsr -p %d 0x%x $old%x", r->cpu, msr, msr);
			continue;
		}
		add_step(r, "all counters of the unit share this register: are they all off?",
			 "old%x=$(rdmsr -c -p %d 0x%x)", msr, r->cpu, msr);
		add_write(r, msr, mask, value, "the event needs this too");
	}
}

static void add_look(const struct recipe *r)
{
	uint64_t mask = r->enc->selector_mask;
	unsigned low = events_first_bit(mask), high = 63 - (unsigned)__builtin_clzll(mask | 1);
	char look[80];

	if (~r->mask)
		snprintf(look, sizeof(look), "is it free? bits %u:%u have to be 0", high, low);
	else if (r->enc->enable)
		snprintf(look, sizeof(look), "is it free? bit %u (EN) has to be 0", events_first_bit(r->enc->enable));
	else
		snprintf(look, sizeof(look), "is it free? the whole register has to be 0");
	add_step(r, look, "rdmsr -p %d 0x%x", r->cpu, (uint32_t)r->enc->selector);
}

bool events_is_uncore(const struct uncoremsr_encoding *enc)
{
	return strcmp(enc->pmu, "uncore") == 0;
}

void events_put_recipe(struct records *w, const struct events *e, const struct uncoremsr_encoding *enc)
{
	struct recipe r = { .enc = enc, .w = w, .cpu = events_recipe_cpu(e, enc), .mask = UINT64_MAX };
	const struct uncoremsr_register *reg;
	uint32_t counter = (uint32_t)enc->counter, selector = (uint32_t)enc->selector;

	if (r.cpu < 0)
		return;
	if (enc->selector == UINT64_MAX) {
		add_step(&r, "the count, at any time, in hexadecimal; it always runs", "rdmsr -p %d 0x%x", r.cpu,
			 counter);
		return;
	}
	reg = events_register_at(e, selector);
	if (reg && reg->valid & ~enc->selector_mask)
		r.mask = enc->selector_mask;
	add_look(&r);
	add_gates(&r, GATE_LOOK);
	add_extras(&r, false);
	add_write(&r, selector, r.mask, 0, "off, while it is set up");
	add_write(&r, counter, UINT64_MAX, 0,
		  events_is_uncore(enc) && !enc->fixed ? "zero the counter (bit 17 does not)" : "zero the counter");
	add_write(&r, selector, r.mask, enc->word, "what to count");
	add_gates(&r, GATE_OPEN);
	add_step(&r, "the count, at any time, in hexadecimal", "rdmsr -p %d 0x%x", r.cpu, counter);
	add_gates(&r, GATE_CLOSE);
	add_write(&r, selector, r.mask, 0, ~r.mask ? "and off" : "and leave the selector empty");
	add_extras(&r, true);
}

/*
 * pcm-raw programs general core counters itself; it can only read other counters, which must be programmed by hand. Its
 * type "atom" selects all E-cores, so low-power E-cores cannot be selected alone.
 */
bool events_spell_pcm(const struct uncoremsr_encoding *enc, char *buf, size_t size)
{
	bool core = events_is_core(enc->pmu);
	char name[160];
	size_t len = (size_t)snprintf(name, sizeof(name), "%s", enc->name);

	if (core && !enc->fixed && enc->core_type == UNCOREMSR_CORE_TYPE_LOW_POWER)
		return false;
	/* Replace the characters that separate the parts of an event of pcm-raw. */
	for (size_t i = 0; i < len && i < sizeof(name); i++)
		if (strchr(":=/,", name[i]))
			name[i] = i + 1 < len ? '.' : '\0';
	if (core && !enc->fixed)
		snprintf(buf, size, "%s/config=0x%llx,name=%s",
			 enc->core_type == UNCOREMSR_CORE_TYPE_E ? "atom" : "core", (unsigned long long)enc->word,
			 name);
	else
		snprintf(buf, size, "%s_msr/config=0x%x,config1=1,name=%s", core ? "thread" : "package",
			 (unsigned)enc->counter, name);
	return true;
}
