/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc ldbar and scom: decode and encode the registers LDBAR and TRACE_IMC_SCOM. */
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "imc/imc.h"

/* A field as the user writes it. */
struct choice {
	enum imc_option option;
	const char *name, *field; /* name of the option; name of the field */
	bool hex;                 /* shown in hexadecimal */
};

static const struct choice ldbar_choices[] = {
	{ IMC_ENABLE, "--enable", "enable", false },
	{ IMC_MODE, "--mode", "mode", false },
	{ IMC_SCOPE, "--scope", "scope", false },
	{ IMC_ADDRESS, "--address", "address", true },
};

static const struct choice scom_choices[] = {
	{ IMC_SAMPSEL, "--sampsel", "sampsel", false },
	{ IMC_LOAD, "--load", "load", true },
	{ IMC_CPMC1SEL, "--cpmc1sel", "cpmc1sel", false },
	{ IMC_CPMC2SEL, "--cpmc2sel", "cpmc2sel", false },
	{ IMC_BUFFERSIZE, "--buffersize", "buffersize", false },
};

static const char *const modes[] = { "accumulate", "trace" };

/* The arguments of a sub-command, and the register that it decodes or encodes. */
struct word {
	enum uncoremsr_imc_word which;
	const struct choice *choices;
	size_t num;
};

static const struct word ldbar = { UNCOREMSR_IMC_LDBAR, ldbar_choices, 4 };
static const struct word scom = { UNCOREMSR_IMC_SCOM, scom_choices, 5 };

/* TRACE_HZ: the clock that both selectors of the firmware count; a record is written after 250 cycles. */
enum { TRACE_HZ = 32000000, LARGEST_LOAD = 0xffffffff, SMALLEST_BUFFER = 256 << 10, BUFFER_SIZES = 5 };

static uint64_t get(const struct word *w, const char *field, uint64_t value)
{
	const struct uncoremsr_imc_field *f;
	uint64_t number = 0;

	for (size_t i = 0; (f = uncoremsr_imc_field(w->which, i)); i++)
		if (strcmp(f->name, field) == 0)
			uncoremsr_imc_get(w->which, i, value, &number);
	return number;
}

/* ---- putting together ---- */

static bool parse_choice(const struct choice *c, const char *text, uint64_t *number, char *why)
{
	for (size_t i = 0; c->option == IMC_MODE && i < 2; i++)
		if (strcmp(text, modes[i]) == 0) {
			*number = i;
			return true;
		}
	if (c->option == IMC_MODE) {
		snprintf(why, NUMBER_WHY_SIZE, "'%.60s': must be accumulate or trace", text);
		return false;
	}
	return number_parse(text, UINT64_MAX, number, why);
}

static int bad_field(const struct choice *c, const struct uncoremsr_imc_field *f, const char *text)
{
	if (f->low)
		return tool_usage(&imc_tool, "%s: '%s': must be a multiple of 0x%llx, at most 0x%llx", c->name, text,
				  1ULL << f->low, (unsigned long long)f->most);
	return tool_usage(&imc_tool, "%s: '%s': must be 0 to %llu", c->name, text,
			  (unsigned long long)f->most);
}

static int set(const struct word *w, const struct choice *c, const char *text, uint64_t *value)
{
	const struct uncoremsr_imc_field *f;
	char why[NUMBER_WHY_SIZE];
	uint64_t number;

	if (!parse_choice(c, text, &number, why))
		return tool_usage(&imc_tool, "%s: %s", c->name, why);
	for (size_t i = 0; (f = uncoremsr_imc_field(w->which, i)); i++)
		if (strcmp(f->name, c->field) == 0 &&
		    uncoremsr_imc_set(w->which, i, number, value) < 0)
			return bad_field(c, f, text);
	return 0;
}

/* --interval: compute the start value of the counter from the time until it is full. */
static int set_interval(struct imc *i, uint64_t *value)
{
	char why[NUMBER_WHY_SIZE];
	uint64_t ns, cycles;

	if (imc_option(i, IMC_LOAD))
		return tool_usage(&imc_tool, "--load and --interval set the same field; give one of them");
	if (!number_parse_seconds(imc_option(i, IMC_INTERVAL), &ns, why))
		return tool_usage(&imc_tool, "--interval: %s", why);
	cycles = ns > UINT64_C(200000000000) ? UINT64_MAX : (ns * 32 + 500) / 1000;
	if (!cycles || cycles > LARGEST_LOAD)
		return tool_usage(&imc_tool, "--interval: '%s': not 0.000001 to 134.217727 seconds (2^32 - 1 cycles "
				  "of 32 MHz)", imc_option(i, IMC_INTERVAL));
	return uncoremsr_imc_set(UNCOREMSR_IMC_SCOM, 1, LARGEST_LOAD - cycles, value);
}

static int encode(struct imc *i, const struct word *w, uint64_t *value)
{
	int status = 0;

	*value = 0;
	for (size_t k = 0; k < w->num && !status; k++) {
		const struct choice *c = &w->choices[k];
		const char *text = imc_option(i, c->option);

		if (c->option == IMC_LOAD && imc_option(i, IMC_INTERVAL))
			status = set_interval(i, value);
		else if (!text)
			status = tool_usage(&imc_tool, "%s: %s is missing%s", i->command, c->name,
					    c->option == IMC_LOAD ? " (or --interval)" : "");
		else
			status = set(w, c, text, value);
	}
	return status;
}

/* ---- showing ---- */

static void put_record(struct imc *i, const struct word *w, uint64_t value)
{
	record_begin(&i->w);
	record_word(&i->w, "value", value);
	for (size_t k = 0; k < w->num; k++) {
		const struct choice *c = &w->choices[k];
		uint64_t n = get(w, c->field, value);

		if (c->option == IMC_MODE)
			record_str(&i->w, c->field, modes[n]);
		else if (c->hex)
			record_word(&i->w, c->field, n);
		else
			record_int(&i->w, c->field, (int64_t)n);
	}
	record_word(&i->w, "reserved", uncoremsr_imc_reserved(w->which, value));
	record_end(&i->w);
}

static void put_field(struct out *o, const struct uncoremsr_imc_field *f, uint64_t number, bool hex)
{
	char bits[16];

	snprintf(bits, sizeof(bits), f->first == f->last ? "%u" : "%u:%u", f->first, f->last);
	out_fmt(o, hex ? "  %-10s bits %-6s 0x%llx" : "  %-10s bits %-6s %llu", f->name, bits,
		(unsigned long long)number);
}

static void put_text(struct imc *i, const struct word *w, const char *title, uint64_t value)
{
	const struct uncoremsr_imc_field *f;
	struct out *o = &i->out;
	uint64_t reserved = uncoremsr_imc_reserved(w->which, value);

	out_fmt(o, "%s 0x%016llx (bit 0 is the most significant)\n", title, (unsigned long long)value);
	for (size_t k = 0; (f = uncoremsr_imc_field(w->which, k)); k++) {
		put_field(o, f, get(w, f->name, value), f->low || strcmp(f->name, "load") == 0);
		if (strcmp(f->name, "mode") == 0)
			out_fmt(o, " %s", modes[get(w, "mode", value)]);
		out_char(o, '\n');
	}
	if (reserved)
		out_fmt(o, "  reserved bits are set: 0x%016llx\n", (unsigned long long)reserved);
}

static void put_ldbar_remarks(struct out *o, uint64_t value)
{
	const struct uncoremsr_imc_field *f = uncoremsr_imc_field(UNCOREMSR_IMC_LDBAR, 3);
	uint64_t narrow = (UINT64_MAX >> (63 - (f->other_last - f->other_first))) << (63 - f->other_last);
	uint64_t address = get(&ldbar, "address", value);

	out_fmt(o, "  note: the address is bits %u:%u by the kernel's document, bits %u:%u by the mask that "
		"kernel and firmware write with%s\n", f->first, f->last, f->other_first, f->other_last,
		address & ~narrow ? "; they differ for this value" : "");
	if (!get(&ldbar, "enable", value) && get(&ldbar, "mode", value))
		out_str(o, "  note: in trace mode the kernel leaves bit 0 clear: this bit alone does not tell "
			"whether tracing is on\n");
}

/* Note that perf's config of trace_imc divides the same 64 bits into other fields. */
static void put_config_note(struct out *o, uint64_t value)
{
	const struct uncoremsr_imc_field *f;
	uint64_t number;

	out_str(o, "  note: read as perf's config of trace_imc, which has another layout:");
	for (size_t k = 0; (f = uncoremsr_imc_field(UNCOREMSR_IMC_TRACE_CONFIG, k)); k++) {
		uncoremsr_imc_get(UNCOREMSR_IMC_TRACE_CONFIG, k, value, &number);
		out_fmt(o, " %s 0x%llx", f->name, (unsigned long long)number);
	}
	out_char(o, '\n');
}

static void put_scom_remarks(struct out *o, uint64_t value)
{
	uint64_t size = get(&scom, "buffersize", value);
	uint64_t cycles = LARGEST_LOAD - get(&scom, "load", value);

	if (size < BUFFER_SIZES)
		out_fmt(o, "  the buffer has %llu bytes: %llu records\n",
			(unsigned long long)SMALLEST_BUFFER << size,
			((unsigned long long)SMALLEST_BUFFER << size) / UNCOREMSR_IMC_RECORD_SIZE);
	else
		out_str(o, "  note: buffersize 5 to 7 is not defined\n");
	out_fmt(o, "  a record every %llu cycles of the event: %.3f us of a 32 MHz clock, which firmware counts "
		"(whether it is one cycle more is not verified)\n", (unsigned long long)cycles,
		(double)cycles * 1e6 / TRACE_HZ);
	put_config_note(o, value);
}

static bool any_choice(const struct imc *i, const struct word *w)
{
	for (size_t k = 0; k < w->num; k++)
		if (imc_option(i, w->choices[k].option))
			return true;
	return imc_option(i, IMC_INTERVAL);
}

static int find_word(struct imc *i, const struct word *w, uint64_t *value)
{
	char why[NUMBER_WHY_SIZE];

	if (!i->num_words)
		return encode(i, w, value);
	if (any_choice(i, w))
		return tool_usage(&imc_tool, "%s: '%s': give a value to decode or options to encode, not "
				"both", i->command, i->words[0]);
	if (!number_parse(i->words[0], UINT64_MAX, value, why))
		return tool_usage(&imc_tool, "%s: %s", i->command, why);
	return 0;
}

int imc_ldbar(struct imc *i)
{
	uint64_t value;
	int status = find_word(i, &ldbar, &value);

	if (status)
		return status;
	if (!records_for_people(&i->w)) {
		put_record(i, &ldbar, value);
		return TOOL_DONE;
	}
	put_text(i, &ldbar, "LDBAR", value);
	put_ldbar_remarks(&i->out, value);
	return TOOL_DONE;
}

int imc_scom(struct imc *i)
{
	uint64_t value;
	int status = find_word(i, &scom, &value);

	if (status)
		return status;
	if (!records_for_people(&i->w)) {
		put_record(i, &scom, value);
		return TOOL_DONE;
	}
	put_text(i, &scom, "TRACE_IMC_SCOM", value);
	put_scom_remarks(&i->out, value);
	return TOOL_DONE;
}
