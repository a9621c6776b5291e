/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc trace: the records of an image of a trace buffer. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/number.h"
#include "imc/imc.h"

/* The first processor with trace mode; its record format is used if the user names no processor. */
enum { PVR_POWER9 = 0x004e0000 };

struct trace {
	struct imc *i;
	char *image;
	size_t size;
	struct uncoremsr_imc_trace *of;
	uint32_t pvr;
};

static const struct uncoremsr_imc_record *record_of(const struct trace *t, size_t slot)
{
	return uncoremsr_imc_record(t->of, slot, t->pvr);
}

static const struct record_column columns[] = {
	{ "tb1", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, tb1), .all_ones = true },
	{ "ip", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, ip), .all_ones = true },
	{ "val", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, val), .all_ones = true },
	{ "cpmc1", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, cpmc[0]), .all_ones = true },
	{ "cpmc2", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, cpmc[1]), .all_ones = true },
	{ "cpmc3", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, cpmc[2]), .all_ones = true },
	{ "cpmc4", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, cpmc[3]), .all_ones = true },
	{ "tb2", RECORD_WORD, RECORD_AT(uncoremsr_imc_record, tb2), .all_ones = true },
	{ "tb_ok", RECORD_BOOL, RECORD_AT(uncoremsr_imc_record, tb_ok) },
	{ "by_kernel", RECORD_BOOL, RECORD_AT(uncoremsr_imc_record, by_kernel) },
	{ "mode", RECORD_STR, RECORD_AT(uncoremsr_imc_record, mode) },
};

static void put_record(const struct trace *t, size_t slot)
{
	struct records *w = &t->i->w;

	record_begin(w);
	record_int(w, "slot", (int64_t)slot);
	record_fields(w, RECORD_COLUMNS(columns), record_of(t, slot));
	record_end(w);
}

static void put_line(const struct trace *t, size_t slot)
{
	const struct uncoremsr_imc_record *r = record_of(t, slot);

	out_fmt(&t->i->out, "%6zu %#18" PRIx64 " %#18" PRIx64 " %-12s %10" PRIu64 " %10" PRIu64 " %10" PRIu64
		" %10" PRIu64 "  %s\n", slot, r->tb1, r->ip, r->mode ? r->mode : "unknown", r->cpmc[0], r->cpmc[1],
		r->cpmc[2], r->cpmc[3], !r->tb_ok ? "damaged" : r->by_kernel ? "" : "Linux would drop it");
}

static void put_summary(const struct trace *t)
{
	struct records *w = &t->i->w;

	record_begin(w);
	record_bool(w, "summary", true);
	record_int(w, "records", (int64_t)t->of->records);
	record_int(w, "dropped", (int64_t)t->of->dropped);
	record_int(w, "lost_estimate", (int64_t)t->of->lost);
	record_end(w);
}

static void show_summary(const struct trace *t)
{
	const struct uncoremsr_imc_trace *of = t->of;
	struct out *o = &t->i->out;

	out_fmt(o, "%" PRIu64 " record%s in %" PRIu64 " slot%s, %s; %" PRIu64 " damaged; Linux would accept %" PRIu64 "\n",
		of->records, of->records == 1 ? "" : "s", of->slots, of->slots == 1 ? "" : "s",
		of->little < 0 ? "byte order unknown" : of->little ? "little-endian" : "big-endian", of->dropped,
		of->kernel);
	if (of->lost != UINT64_MAX)
		out_fmt(o, "about %" PRIu64 " records are missing between them, estimated from gaps in time; what was "
				"overwritten is unknown\n", of->lost);
	else
		out_str(o, "records missing between them: unknown, too few records to estimate\n");
	if (!t->i->option[IMC_CPU])
		out_str(o, "kernel and user mode are distinguished by POWER9's rule; --cpu=PVR chooses another "
				"processor's\n");
}

/* Write records as text, in the order of time. Damaged records have no time and come last. */
static void show_lines(const struct trace *t)
{
	out_fmt(&t->i->out, "%6s %18s %18s %-12s %10s %10s %10s %10s\n", "slot", "time base",
		"program counter", "mode", "cpmc1", "cpmc2", "cpmc3", "cpmc4");
	for (size_t k = 0; k < t->of->records; k++)
		put_line(t, (size_t)t->of->order[k]);
	for (size_t slot = 0; slot < t->of->slots; slot++) {
		const struct uncoremsr_imc_record *r = record_of(t, slot);

		if (!r->empty && !r->tb_ok)
			put_line(t, slot);
	}
	show_summary(t);
}

static void show(const struct trace *t)
{
	if (records_for_people(&t->i->w)) {
		show_lines(t);
		return;
	}
	for (size_t slot = 0; slot < t->of->slots; slot++)
		if (!record_of(t, slot)->empty)
			put_record(t, slot);
	put_summary(t);
}

static int parse_options(const struct imc *i, size_t *size, uint32_t *pvr)
{
	const char *output = i->option[IMC_PERF_DATA];
	uint64_t n;

	*pvr = PVR_POWER9;
	*size = UNCOREMSR_IMC_TRACE_MOST;
	if (output && (!*output || strcmp(output, "-") == 0))
		return tool_usage("--perf-data: '%s': a file name is required", output);
	if (i->option[IMC_SIZE]) {
		if (option_number("--size", i->option[IMC_SIZE], 0, UNCOREMSR_IMC_TRACE_MOST, &n))
			return TOOL_USAGE;
		if (!n || n % UNCOREMSR_IMC_RECORD_SIZE)
			return tool_usage("--size: '%s': must be a multiple of %d", i->option[IMC_SIZE],
					  UNCOREMSR_IMC_RECORD_SIZE);
		*size = (size_t)n;
	}
	if (i->option[IMC_CPU]) {
		if (option_number("--cpu", i->option[IMC_CPU], 0, UINT32_MAX, &n))
			return TOOL_USAGE;
		*pvr = (uint32_t)n;
	}
	return 0;
}

/* With --size only the beginning of a larger file is read. */
static int read_image(struct trace *t, size_t most)
{
	const char *path = t->i->common.words[0];
	bool larger = false;
	int status = tool_file_read(strcmp(path, "-") ? path : NULL, most, &t->image, &t->size, &larger), err;

	if (status)
		return status;
	if (larger && !t->i->option[IMC_SIZE])
		return tool_usage("trace: %s: larger than %zu MiB; --size=BYTES reads only its beginning",
				  path, UNCOREMSR_IMC_TRACE_MOST >> 20);
	err = uncoremsr_imc_trace_new(t->image, t->size, &t->of);
	if (err == -ENOMEM)
		return tool_no_memory();
	return err ? tool_usage("trace: %s: %zu bytes: not a whole number of records of %d bytes", path,
				t->size, UNCOREMSR_IMC_RECORD_SIZE) : 0;
}

static int refuse_output(const char *path, int status, int err)
{
	return tool_say(status, "--perf-data: %s: %s", OUT_QUOTED(path),
			err == ESPIPE ? "a pipe or terminal; name a file" : strerror(err));
}

/* A file is replaced only when the new one is complete; a device is written directly. */
static int convert(const struct trace *t, const char *path)
{
	struct file_next n;
	int fd, err;

	if (file_is_same(path, t->i->common.words[0]))
		return tool_usage("--perf-data: %s: this is the image; name another file", OUT_QUOTED(path));
	file_next_init(&n, path);
	fd = file_next_open(&n);
	if (fd < 0)
		return refuse_output(path, tool_file_status(fd), -fd);
	err = -uncoremsr_imc_trace_perf_data(t->of, t->pvr, 0, fd);
	err = file_next_end(&n, fd, err);
	if (err)
		return refuse_output(path, err == ESPIPE ? TOOL_USAGE : TOOL_PARTIAL, err);
	return tool_say(0, "%s: %" PRIu64 " sample%s; trace records name no thread, so all have thread id -1", path,
			t->of->records, t->of->records == 1 ? "" : "s");
}

int imc_trace(struct imc *i)
{
	struct trace t = { .i = i };
	size_t most;
	int status = parse_options(i, &most, &t.pvr);

	if (!status && i->option[IMC_PERF_DATA] && !records_for_people(&i->w))
		status = tool_usage("--perf-data writes a file for perf; leave out --format");
	if (!status)
		status = read_image(&t, most);
	if (!status && !record_of(&t, 0)->mode)
		status = tool_usage("--cpu: '%s': no processor with trace mode has this version",
				    i->option[IMC_CPU]);
	if (!status && i->option[IMC_PERF_DATA])
		status = convert(&t, i->option[IMC_PERF_DATA]);
	else if (!status)
		show(&t);
	if (!status && !t.of->records && t.of->dropped)
		status = tool_say(TOOL_PARTIAL, "trace: %s: all %" PRIu64 " records are damaged",
				  OUT_QUOTED(i->common.words[0]), t.of->dropped);
	uncoremsr_imc_trace_free(t.of);
	free(t.image);
	return status;
}
