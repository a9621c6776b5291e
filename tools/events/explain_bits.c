/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events explain: registers, addresses, fields and bits. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events/events.h"

/* ---- addresses ---- */

static void page_collisions(struct events *e, uint32_t msr)
{
	const struct uncoremsr_collision *c;

	page_list(e, "collisions", "");
	for (size_t i = 0; (c = uncoremsr_collision(msr, i)); i++) {
		char range[32];

		snprintf(range, sizeof(range), c->first == c->last ? "0x%x" : "0x%x-0x%x", c->first, c->last);
		if (records_for_people(&e->w)) {
			out_fmt(&e->out, "  %-12s%s: %s: %s [%s]\n", i ? "" : "elsewhere", c->processors,
				range, c->meaning, c->source);
			continue;
		}
		record_open(&e->w, NULL);
		record_word(&e->w, "first", c->first);
		record_word(&e->w, "last", c->last);
		record_str(&e->w, "processors", c->processors);
		record_str(&e->w, "meaning", c->meaning);
		record_str(&e->w, "source", c->source);
		record_close(&e->w);
	}
	page_list_end(e);
}

/* A platform register is architectural (the same on every processor) if its name has IA32_. */
static const char *register_class(const struct uncoremsr_register *reg)
{
	if (strcmp(reg->part, "core") == 0)
		return "core architectural";
	if (strcmp(reg->part, "uncore") == 0)
		return "uncore model-specific";
	return strncmp(reg->name, "IA32_", 5) == 0 ? "platform architectural" : "platform model-specific";
}

/* The library never sets interrupt bits; it only restores them. */
static void page_written(struct events *e, const struct uncoremsr_register *reg)
{
	uint64_t interrupts = reg->write_mask & reg->interrupts;

	page_word(e, "write_mask", "we write", records_for_people(&e->w) ? reg->write_mask & ~interrupts : reg->write_mask);
	if (!records_for_people(&e->w))
		record_word(&e->w, "only_put_back", interrupts);
	else if (interrupts)
		page_fmt(e, NULL, "", "0x%llx, interrupt bits: never set, only restored",
			 (unsigned long long)interrupts);
}

int explain_register(struct events *e, const struct uncoremsr_register *reg)
{
	char list[EVENTS_PLATFORM];
	const char *elsewhere = events_register_elsewhere(e, reg, list);

	page_begin(e, "register", reg->name);
	page_word(e, "address", "address", reg->address);
	page_str(e, "description", "holds", reg->description);
	page_str(e, "class", "class", register_class(reg));
	if (elsewhere) {
		page_str(e, "not_here_but_on", NULL, elsewhere);
		page_fmt(e, NULL, "where", "not on this processor; see --uarch=%s", elsewhere);
	}
	if (!records_for_people(&e->w)) {
		record_int(&e->w, "width", 64);
		record_word(&e->w, "valid", reg->valid);
	} else if (~reg->valid) {
		page_fmt(e, NULL, "width", "64 bits; valid: 0x%llx, the others are reserved",
			 (unsigned long long)reg->valid);
	}
	page_str(e, "scope", "one per", reg->scope);
	page_str(e, "access", "access", reg->access);
	page_written(e, reg);
	page_fields(e, reg, NULL);
	page_collisions(e, reg->address);
	page_str(e, "source", "manual", reg->source);
	page_end(e);
	return TOOL_DONE;
}

/* The user may have meant an event select. False: no event has it. */
static bool page_event_select(struct events *e, uint64_t event_select)
{
	bool any = false;
	const struct uncoremsr_event *ev;
	const char *uarch;

	page_list(e, "events_with_this_event_select", "");
	for (size_t i = 0; event_select <= 0xff && (uarch = events_uarch(e, i)); i++)
		for (size_t j = 0; (ev = uncoremsr_event(e->um, uarch, j)); j++) {
			if (ev->event_select != event_select)
				continue;
			any = true;
			if (!records_for_people(&e->w))
				record_str(&e->w, NULL, ev->name);
			page_fmt(e, NULL, "as an event", "0x%02x:0x%02x is %s (%s)", (unsigned)event_select,
				 (unsigned)ev->unit_mask, ev->name, uarch);
		}
	page_list_end(e);
	return any;
}

int explain_address(struct events *e, uint64_t msr)
{
	bool known = uncoremsr_collision((uint32_t)msr, 0);
	const char *tables = e->uarch ? e->uarch : "the processors here";
	char name[24];

	snprintf(name, sizeof(name), "0x%llx", (unsigned long long)msr);
	page_begin(e, "address", name);
	page_fmt(e, "description", "register", "no register at this address in the tables of %s%s", tables,
		 known ? "; other processors have one" : ", nor in those of other processors");
	page_collisions(e, (uint32_t)msr);
	known |= page_event_select(e, msr);
	page_end(e);
	return known ? TOOL_DONE : TOOL_UNSUPPORTED;
}

/* ---- bits ---- */

static void page_bit(struct events *e, const struct uncoremsr_register *reg, const struct uncoremsr_field *f)
{
	const struct explanation *more = explanation(reg->name, f->name);
	char bits[16];

	events_bits(bits, sizeof(bits), f->shift, f->width);
	page_str(e, "field", "field", f->name);
	page_str(e, "bits", "bits", bits);
	page_str(e, "register", "register", reg->name);
	page_word(e, "address", "address", reg->address);
	page_str(e, "description", "means", f->description);
	page_str(e, "explanation", "more", more ? more->text : NULL);
	page_str(e, "source", "manual", reg->source);
}

/* NULL: the bit is reserved, or @reg is NULL. */
static const struct uncoremsr_field *field_at(const struct uncoremsr_register *reg, unsigned bit)
{
	const struct uncoremsr_field *f = NULL;
	size_t i = 0;

	while (reg && (f = reg->fields[i++]) && !(f->mask >> bit & 1))
		;
	return f;
}

int explain_bit(struct events *e, unsigned bit, const char *word)
{
	const struct uncoremsr_register *reg = events_selector(e, NULL);
	const struct uncoremsr_field *core = field_at(events_register(e, "IA32_PERFEVTSEL0"), bit);
	const struct uncoremsr_field *f = field_at(reg, bit), reserved = {
		.name = "reserved", .shift = bit, .width = 1,
		.description = "reserved: must be written as 0; this library refuses to write 1, which may fault",
	};

	/* Every table has a selector, so NULL means out of memory. */
	if (!reg)
		return tool_fail(e->um);
	page_begin(e, "bit of a selector", word);
	page_bit(e, reg, f ? f : &reserved);
	/* Show the same bit of a core selector, too: the two are often confused. */
	if (core)
		page_fmt(e, "in_core_selector", "core", "%s: %s", core->name, core->description);
	page_end(e);
	return TOOL_DONE;
}

/* Selectors are searched before other registers. */
static bool explain_field_of(struct events *e, const char *uarch, const char *text)
{
	const struct uncoremsr_register *reg = events_selector(e, uarch);
	const struct uncoremsr_field *f;

	if (!reg)
		reg = uncoremsr_register(e->um, uarch, 0);
	for (size_t i = 0; reg; reg = uncoremsr_register(e->um, uarch, i++)) {
		for (size_t j = 0; (f = reg->fields[j]); j++) {
			if (strcasecmp(f->name, text) != 0)
				continue;
			page_begin(e, "field", f->name);
			page_bit(e, reg, f);
			page_end(e);
			return true;
		}
	}
	return false;
}

bool explain_field(struct events *e, const char *text)
{
	const char *uarch;

	for (size_t i = 0; (uarch = events_uarch(e, i)); i++)
		if (explain_field_of(e, uarch, text))
			return true;
	return explain_field_of(e, "core", text);
}

bool explain_platform_field(struct events *e, const char *text)
{
	char list[EVENTS_PLATFORM];

	for (size_t i = 0; !(i && e->chosen) && events_platform(e, i, list); i++)
		if (explain_field_of(e, list, text))
			return true;
	return false;
}
