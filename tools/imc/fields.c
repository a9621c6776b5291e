/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc ldbar and scom: decode and encode the registers LDBAR and TRACE_IMC_SCOM. */
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "imc/imc.h"

static const char *const modes[] = { "accumulate", "trace" };

/* A register. Each field has an option of the same name; the options, from @first on, are in the fields' order. */
struct word {
	enum uncoremsr_imc_word which;
	enum imc_option first;
	const char *title;
	void (*put_remarks)(struct out *o, uint64_t value);
};

/* TRACE_HZ: frequency of the clock that firmware lets the counter count. */
enum { TRACE_HZ = 32000000, LARGEST_LOAD = 0xffffffff, SMALLEST_BUFFER = 256 << 10, BUFFER_SIZES = 5 };

static const char *option_of(const struct imc *i, const struct word *w, size_t field)
{
	return i->option[w->first + (enum imc_option)field];
}

static bool is_mode(const struct uncoremsr_imc_field *f)
{
	return strcmp(f->name, "mode") == 0;
}

static bool is_hex(const struct uncoremsr_imc_field *f)
{
	return f->low || strcmp(f->name, "load") == 0;
}

static uint64_t get(enum uncoremsr_imc_word which, const char *field, uint64_t value)
{
	const struct uncoremsr_imc_field *f;
	uint64_t number = 0;

	for (size_t i = 0; (f = uncoremsr_imc_field(which, i)); i++)
		if (strcmp(f->name, field) == 0)
			uncoremsr_imc_get(which, i, value, &number);
	return number;
}

static bool parse_field(const struct uncoremsr_imc_field *f, const char *text, uint64_t *number, char *why)
{
	if (!is_mode(f))
		return number_parse(text, 0, UINT64_MAX, number, why);
	for (*number = 0; *number < ARRAY_SIZE(modes); ++*number)
		if (strcmp(text, modes[*number]) == 0)
			return true;
	snprintf(why, NUMBER_WHY_SIZE, "'%.60s': must be accumulate or trace", text);
	return false;
}

static int set(const struct word *w, size_t field, const char *text, uint64_t *value)
{
	const struct uncoremsr_imc_field *f = uncoremsr_imc_field(w->which, field);
	char why[NUMBER_WHY_SIZE];
	uint64_t number;

	if (!parse_field(f, text, &number, why))
		return tool_usage("--%s: %s", f->name, why);
	if (uncoremsr_imc_set(w->which, field, number, value) == 0)
		return 0;
	if (f->low)
		return tool_usage("--%s: '%s': must be a multiple of 0x%llx, at most 0x%llx", f->name, text,
				  1ULL << f->low, (unsigned long long)f->most);
	return tool_usage("--%s: '%s': must be 0 to %llu", f->name, text, (unsigned long long)f->most);
}

/* The start value of the counter follows from --interval, the time until it overflows. */
static int set_interval(struct imc *i, size_t load, uint64_t *value)
{
	uint64_t ns, cycles;

	if (i->option[IMC_LOAD])
		return tool_usage("--load and --interval set the same field; give one of them");
	if (option_seconds("--interval", i->option[IMC_INTERVAL], &ns))
		return TOOL_USAGE;
	cycles = ns > UINT64_C(200000000000) ? UINT64_MAX : (ns * 32 + 500) / 1000;
	if (!cycles || cycles > LARGEST_LOAD)
		return tool_usage("--interval: '%s': must be 0.000001 to 134.217727 seconds (2^32 - 1 cycles "
				  "of 32 MHz)", i->option[IMC_INTERVAL]);
	return uncoremsr_imc_set(UNCOREMSR_IMC_SCOM, load, LARGEST_LOAD - cycles, value);
}

static int encode(struct imc *i, const struct word *w, uint64_t *value)
{
	const struct uncoremsr_imc_field *f;
	int status = 0;

	*value = 0;
	for (size_t k = 0; !status && (f = uncoremsr_imc_field(w->which, k)); k++) {
		const char *text = option_of(i, w, k);
		bool load = strcmp(f->name, "load") == 0;

		if (load && i->option[IMC_INTERVAL])
			status = set_interval(i, k, value);
		else if (!text)
			status = tool_usage("%s: --%s is missing%s", i->common.command->name, f->name,
					    load ? " (or --interval)" : "");
		else
			status = set(w, k, text, value);
	}
	return status;
}

static void put_record(struct imc *i, const struct word *w, uint64_t value)
{
	const struct uncoremsr_imc_field *f;

	record_begin(&i->w);
	record_word(&i->w, "value", value);
	for (size_t k = 0; (f = uncoremsr_imc_field(w->which, k)); k++) {
		uint64_t n = get(w->which, f->name, value);

		if (is_mode(f))
			record_str(&i->w, f->name, modes[n]);
		else
			record_if_known(&i->w, f->name, is_hex(f) ? RECORD_WORD : RECORD_INT, n);
	}
	record_word(&i->w, "reserved", uncoremsr_imc_reserved(w->which, value));
	record_end(&i->w);
}

static void put_text(struct imc *i, const struct word *w, uint64_t value)
{
	const struct uncoremsr_imc_field *f;
	struct out *o = &i->out;
	uint64_t reserved = uncoremsr_imc_reserved(w->which, value);

	out_fmt(o, "%s 0x%016llx (bit 0 is the most significant)\n", w->title, (unsigned long long)value);
	for (size_t k = 0; (f = uncoremsr_imc_field(w->which, k)); k++) {
		uint64_t number = get(w->which, f->name, value);
		char bits[16];

		snprintf(bits, sizeof(bits), f->first == f->last ? "%u" : "%u:%u", f->first, f->last);
		out_fmt(o, is_hex(f) ? "  %-10s bits %-6s 0x%llx" : "  %-10s bits %-6s %llu", f->name, bits,
			(unsigned long long)number);
		if (is_mode(f))
			out_fmt(o, " %s", modes[number]);
		out_char(o, '\n');
	}
	if (reserved)
		out_fmt(o, "  reserved bits are set: 0x%016llx\n", (unsigned long long)reserved);
	w->put_remarks(o, value);
}

static void put_ldbar_remarks(struct out *o, uint64_t value)
{
	const struct uncoremsr_imc_field *f = uncoremsr_imc_field(UNCOREMSR_IMC_LDBAR, 3);
	uint64_t narrow = (UINT64_MAX >> (63 - (f->other_last - f->other_first))) << (63 - f->other_last);
	uint64_t address = get(UNCOREMSR_IMC_LDBAR, "address", value);

	out_fmt(o, "  note: the address is bits %u:%u according to the kernel's document, bits %u:%u by the mask that "
		"kernel and firmware write with%s\n", f->first, f->last, f->other_first, f->other_last,
		address & ~narrow ? "; they differ for this value" : "");
	if (!get(UNCOREMSR_IMC_LDBAR, "enable", value) && get(UNCOREMSR_IMC_LDBAR, "mode", value))
		out_str(o, "  note: in trace mode the kernel leaves bit 0 clear: this bit alone does not tell "
			"whether tracing is on\n");
}

static void put_config_note(struct out *o, uint64_t value)
{
	const struct uncoremsr_imc_field *f;
	uint64_t number;

	out_str(o, "  note: as perf's config of trace_imc, where the same bits are other fields:");
	for (size_t k = 0; (f = uncoremsr_imc_field(UNCOREMSR_IMC_TRACE_CONFIG, k)); k++) {
		uncoremsr_imc_get(UNCOREMSR_IMC_TRACE_CONFIG, k, value, &number);
		out_fmt(o, " %s 0x%llx", f->name, (unsigned long long)number);
	}
	out_char(o, '\n');
}

static void put_scom_remarks(struct out *o, uint64_t value)
{
	uint64_t size = get(UNCOREMSR_IMC_SCOM, "buffersize", value);
	uint64_t cycles = LARGEST_LOAD - get(UNCOREMSR_IMC_SCOM, "load", value);

	if (size < BUFFER_SIZES)
		out_fmt(o, "  the buffer has %llu bytes: %llu records\n",
			(unsigned long long)SMALLEST_BUFFER << size,
			((unsigned long long)SMALLEST_BUFFER << size) / UNCOREMSR_IMC_RECORD_SIZE);
	else
		out_str(o, "  note: buffersize 5 to 7 is not defined\n");
	out_fmt(o, "  a record every %llu cycles of the event: every %.3f us if that is the 32 MHz clock of the "
		"firmware (perhaps one cycle more: not verified)\n", (unsigned long long)cycles,
		(double)cycles * 1e6 / TRACE_HZ);
	put_config_note(o, value);
}

static bool any_field(const struct imc *i, const struct word *w)
{
	for (size_t k = 0; uncoremsr_imc_field(w->which, k); k++)
		if (option_of(i, w, k))
			return true;
	return i->option[IMC_INTERVAL];
}

static int show(struct imc *i, const struct word *w)
{
	uint64_t value;
	int status;

	if (!i->common.num_words)
		status = encode(i, w, &value);
	else if (any_field(i, w))
		status = tool_usage("%s: '%s': give a value to decode or options to encode, not both",
				    i->common.command->name, i->common.words[0]);
	else
		status = option_code(i->common.command->name, i->common.words[0], UINT64_MAX, &value);
	if (status)
		return status;
	if (records_for_people(&i->w))
		put_text(i, w, value);
	else
		put_record(i, w, value);
	return TOOL_DONE;
}

int imc_ldbar(struct imc *i)
{
	return show(i, &(struct word){ UNCOREMSR_IMC_LDBAR, IMC_ENABLE, "LDBAR", put_ldbar_remarks });
}

int imc_scom(struct imc *i)
{
	return show(i, &(struct word){ UNCOREMSR_IMC_SCOM, IMC_SAMPSEL, "TRACE_IMC_SCOM", put_scom_remarks });
}
