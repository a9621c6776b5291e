/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-record --estimate: what sampling costs. Each sample costs an interrupt, some bytes, and some CPU time. */
#include <inttypes.h>
#include <math.h>

#include "common/output.h"
#include "common/properties.h"
#include "common/records.h"
#include "record/record.h"

/* Assumed number of entries in a call chain: functions, and the markers PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER. */
enum { CHAIN_DEPTH = 16 };

struct estimate {
	uint64_t cpus;           /* number of busy CPUs */
	uint64_t sample_bytes, cost_ns;
	/* Interrupts and bytes per second on all busy CPUs together; UINT64_MAX if unknown (@overhead: NAN). */
	uint64_t interrupts, bytes;
	double overhead;         /* share of the busy CPUs' time that sampling takes, at most 1 */
};

static const struct record_column columns[] = {
	{ "interrupts_per_s", RECORD_INT, RECORD_AT(estimate, interrupts) },
	{ "bytes_per_s", RECORD_INT, RECORD_AT(estimate, bytes) },
	{ "overhead", RECORD_REAL, RECORD_AT(estimate, overhead), .decimals = 6 },
};

static void show(struct out *o, const struct recorder *r, const char *const *events, const struct estimate *e)
{
	for (size_t i = 0; events[i]; i++) {
		out_str(o, i ? ", " : "");
		out_text_str(o, events[i]);
	}
	out_fmt(o, " on %" PRIu64 " busy CPU%s\n", e->cpus, e->cpus > 1 ? "s" : "");
	if (e->interrupts == UINT64_MAX) {
		out_str(o, "interrupts per second  unknown: they depend on how often the event happens; "
				"uncore-read counts it\n");
		out_fmt(o, "bytes per sample       %" PRIu64 "\n", e->sample_bytes);
		return;
	}
	out_fmt(o, "interrupts per second  %" PRIu64 "\n", e->interrupts);
	out_fmt(o, "bytes per second       %" PRIu64 ", %" PRIu64 " a sample%s\n", e->bytes,
		e->sample_bytes, r->options.flags & UNCOREMSR_SAMPLING_CALLCHAIN ? " with 16 callers" : "");
	out_fmt(o, "overhead               about %.*f %% of a busy CPU, at %g us a sample%s\n", e->overhead < 0.1,
		100 * e->overhead, (double)e->cost_ns / 1e3, e->overhead < 1 ? "" : ": the CPU would do nothing else");
	out_str(o, "uncore-read only counts the same events, which costs next to nothing\n");
}

int record_estimate(const struct recorder *r)
{
	const struct uncoremsr_sampling_state *state = uncoremsr_sampling_state(r->sampling);
	struct estimate e = {
		.cpus = r->options.target == UNCOREMSR_TARGET_SYSTEM ? state->rings :
			r->options.num_ids ? r->options.num_ids : 1,
		.sample_bytes = state->sample_bytes, .cost_ns = state->cost_ns,
		.interrupts = UINT64_MAX, .bytes = UINT64_MAX, .overhead = NAN,
	};
	struct records w;
	struct out o;

	if (r->options.flags & UNCOREMSR_SAMPLING_CALLCHAIN)
		e.sample_bytes += CHAIN_DEPTH * sizeof(uint64_t);
	if (state->rate != UINT64_MAX) {
		e.interrupts = state->rate * e.cpus;
		e.bytes = e.interrupts * e.sample_bytes;
		e.overhead = (double)state->rate * (double)e.cost_ns / 1e9;
		e.overhead = e.overhead < 1 ? e.overhead : 1;
	}
	tool_output(&r->common, &o, &w, NULL);
	if (records_for_people(&w)) {
		put_simulated(&o, machine_simulated_name(r->um));
		show(&o, r, state->events, &e);
	} else {
		record_head(&w, RECORD_COLUMNS(columns));
		record_row(&w, RECORD_COLUMNS(columns), &e);
	}
	records_free(&w);
	return out_finish(&o, TOOL_DONE);
}
