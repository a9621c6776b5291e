/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode: how to count an event by hand, and with pcm-raw. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/encode.h"

static void add_step(struct events_recipe *r, const char *why, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void add_step(struct events_recipe *r, const char *why, const char *fmt, ...)
{
	va_list ap;

	if (r->num == EVENTS_STEPS)
		return;
	snprintf(r->steps[r->num].why, EVENTS_WHY, "%s", why);
	va_start(ap, fmt);
	vsnprintf(r->steps[r->num++].command, EVENTS_LINE, fmt, ap);
	va_end(ap);
}

static int cpu_for(const struct events_row *row)
{
	const struct uncoremsr_package *p = uncoremsr_package(row->e->um, 0);
	const struct uncoremsr_cores *cores = row->encoding->core_type ? uncoremsr_cores(row->e->um, NULL) : NULL;

	for (size_t i = 0; cores && cores->kinds[i]; i++)
		if (cores->kinds[i]->core_type == row->encoding->core_type && cores->kinds[i]->num_cpus > 0)
			return atoi(cores->kinds[i]->cpus);
	return row->encoding->core_type ? -1 : p ? p->cpu : 0;
}

/*
 * Add a command that clears and sets bits of a register. The command formats the value by printf %x: $((...)) alone
 * gives a negative number if bit 63 is set, and wrmsr would take the "-" for an option.
 */
static void add_change(struct events_recipe *r, int cpu, uint32_t msr, uint64_t clear, uint64_t set,
		       const char *why)
{
	char expression[80];

	if (!clear && !set)
		return;
	if (!clear)
		snprintf(expression, sizeof(expression), "| 0x%llx", (unsigned long long)set);
	else if (!set)
		snprintf(expression, sizeof(expression), "& ~0x%llx", (unsigned long long)clear);
	else
		snprintf(expression, sizeof(expression), "& ~0x%llx | 0x%llx",
			 (unsigned long long)clear, (unsigned long long)set);
	add_step(r, why, "wrmsr -p %d 0x%x $(printf 0x%%x $((0x$(rdmsr -p %d 0x%x) %s)))", cpu, msr, cpu,
		 msr, expression);
}

/* What to do with gates: read, open or restore them. */
enum gate_use { GATE_LOOK, GATE_OPEN, GATE_CLOSE };

static void add_gates(struct events_recipe *r, const struct uncoremsr_encoding *enc, int cpu,
		      enum gate_use use)
{
	const struct uncoremsr_register_bits *b;
	char look[24];

	for (size_t i = 0; (b = enc->registers[i]); i++) {
		bool own = b->use == UNCOREMSR_USE_SWITCH;

		if (b->use == UNCOREMSR_USE_EVENT)
			continue;
		if (use == GATE_LOOK && own) {
			snprintf(look, sizeof(look), "and bit %u here", events_first_bit(b->mask));
			add_step(r, look, "rdmsr -p %d 0x%x", cpu, b->address);
		} else if (use == GATE_OPEN) {
			add_change(r, cpu, b->address, b->mask & ~b->value, b->value, own
				   ? "on: read, set the one bit, write, so that others' bits stay"
				   : "all counters of the unit need it");
		} else if (use == GATE_CLOSE && own) {
			add_change(r, cpu, b->address, b->value, 0,
				   "off again: clear the one bit, keep the others");
		}
	}
}

/* Add writes of the registers that the event needs and that all counters of the unit share; @back: restore them. */
static void add_extras(struct events_recipe *r, const struct uncoremsr_encoding *enc, bool uncore,
		       int cpu, bool back)
{
	const struct uncoremsr_register_bits *b;

	for (size_t i = 0; (b = enc->registers[i]); i++) {
		uint64_t mask = b->mask, value = b->value;
		uint32_t msr = b->address;

		/* On Westmere value 0 means that the user must choose the value. */
		if (b->use != UNCOREMSR_USE_EVENT || (uncore && !value))
			continue;
		if (back && ~mask) {
			add_step(r, "restore the old value",
				 "wrmsr -p %d 0x%x $(printf 0x%%x $((0x$(rdmsr -p %d 0x%x) & ~0x%llx | "
				 "old%x & 0x%llx)))", cpu, msr, cpu, msr, (unsigned long long)mask, msr,
				 (unsigned long long)mask);
			continue;
		}
		if (back) {
			add_step(r, "restore the old value", "wrmsr -p %d 0x%x $old%x", cpu, msr, msr);
			continue;
		}
		add_step(r, "all counters of the unit share it: are they all off?",
			 "old%x=$(rdmsr -c -p %d 0x%x)", msr, cpu, msr);
		if (~mask)
			add_change(r, cpu, msr, mask & ~value, value, "the event needs this too");
		else
			add_step(r, "the event needs this too", "wrmsr -p %d 0x%x 0x%llx", cpu, msr,
				 (unsigned long long)value);
	}
}

/* A selector. If it shares its register with other counters (@shared), only its own bits are changed. */
struct selector {
	uint32_t msr;
	uint64_t word, mask, enable;
	bool shared;
};

static struct selector selector_of(const struct events_row *row)
{
	struct selector s = {
		.msr = (uint32_t)row->encoding->selector,
		.mask = row->encoding->selector_mask,
		.word = row->encoding->word, .enable = row->encoding->enable,
	};
	const struct uncoremsr_register *reg = events_register_at(row->e, s.msr);

	s.shared = reg && reg->valid & ~s.mask;
	return s;
}

static void add_look(struct events_recipe *r, const struct selector *s, int cpu)
{
	unsigned low = events_first_bit(s->mask), high = 63 - (unsigned)__builtin_clzll(s->mask | 1);
	char look[EVENTS_WHY];

	if (s->shared)
		snprintf(look, sizeof(look), "is it free? bits %u:%u have to be 0", high, low);
	else if (s->enable)
		snprintf(look, sizeof(look), "is it free? bit %u (EN) has to be 0",
			 events_first_bit(s->enable));
	else
		snprintf(look, sizeof(look), "is it free? the whole register has to be 0");
	add_step(r, look, "rdmsr -p %d 0x%x", cpu, s->msr);
}

/* Add a write of the selector; @word 0 switches the counter off. */
static void add_select(struct events_recipe *r, const struct selector *s, int cpu, uint64_t word,
		       const char *why)
{
	if (s->shared)
		add_change(r, cpu, s->msr, s->mask & ~word, word, why);
	else
		add_step(r, why, "wrmsr -p %d 0x%x 0x%llx", cpu, s->msr, (unsigned long long)word);
}

bool events_is_fixed(const struct events_row *row)
{
	return row->encoding->fixed > 0;
}

bool events_is_uncore(const struct events_row *row)
{
	return strcmp(row->pmu, "uncore") == 0;
}

/* The commands for a counter with a selector. */
static void add_commands(struct events_recipe *r, const struct events_row *row)
{
	const struct uncoremsr_encoding *enc = row->encoding;
	uint32_t counter = (uint32_t)enc->counter;
	struct selector s = selector_of(row);
	bool uncore = events_is_uncore(row);
	int cpu = r->cpu;

	add_look(r, &s, cpu);
	add_gates(r, enc, cpu, GATE_LOOK);
	add_extras(r, enc, uncore, cpu, false);
	add_select(r, &s, cpu, 0, "off, while it is set up");
	add_step(r, uncore && !events_is_fixed(row) ? "zero the counter (bit 17 does not)"
						    : "zero the counter",
		 "wrmsr -p %d 0x%x 0x0", cpu, counter);
	add_select(r, &s, cpu, s.word, "what to count");
	add_gates(r, enc, cpu, GATE_OPEN);
	add_step(r, "the count, at any time, in hexadecimal", "rdmsr -p %d 0x%x", cpu, counter);
	add_gates(r, enc, cpu, GATE_CLOSE);
	add_select(r, &s, cpu, 0, s.shared ? "and off" : "and leave the selector empty");
	add_extras(r, enc, uncore, cpu, true);
}

struct events_recipe events_make_recipe(const struct events_row *row)
{
	struct events_recipe r = { .cpu = cpu_for(row) };

	if (r.cpu >= 0 && row->encoding->selector != UINT64_MAX)
		add_commands(&r, row);
	else if (r.cpu >= 0)
		add_step(&r, "the count, at any time, in hexadecimal; it runs by itself",
			 "rdmsr -p %d 0x%x", r.cpu, (uint32_t)row->encoding->counter);
	return r;
}

/*
 * pcm-raw programs general core counters itself. It has no type for other counters: its event can only read them, and
 * they must be programmed by hand. Its type "atom" is all E-cores, so events of the low-power ones have no spelling.
 */
bool events_spell_pcm(const struct events_row *row, char *buf, size_t size)
{
	bool core = events_row_is_core(row);
	char name[160];
	size_t len = (size_t)snprintf(name, sizeof(name), "%s", row->name);

	if (core && !events_is_fixed(row) && row->encoding->core_type == UNCOREMSR_CORE_TYPE_LOW_POWER)
		return false;
	/* Replace characters of modifiers, which have another meaning in pcm-raw. */
	for (size_t i = 0; i < len && i < sizeof(name); i++)
		if (strchr(":=/,", name[i]))
			name[i] = i + 1 < len ? '.' : '\0';
	if (core && !events_is_fixed(row))
		snprintf(buf, size, "%s/config=0x%llx,name=%s",
			 row->encoding->core_type == UNCOREMSR_CORE_TYPE_E ? "atom" : "core",
			 (unsigned long long)row->word, name);
	else
		snprintf(buf, size, "%s_msr/config=0x%x,config1=1,name=%s",
			 core ? "thread" : "package",
			 (unsigned)row->encoding->counter,
			 name);
	return true;
}
