/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a whole watch, or the time of a COMMAND, amounts to. */
#include <stdio.h>
#include <string.h>

#include "throttle/throttle.h"

static uint64_t elapsed(const struct throttle_run *run)
{
	uint64_t now = uncoremsr_throttle_time_ns(run->t);

	return now > run->start_ns ? now - run->start_ns : 0;
}

double throttle_spell_share(const struct throttle_run *run, const struct throttle_track *t,
			    const struct throttle_spell *sp)
{
	uint64_t ns = elapsed(run), blind = throttle_blind_ns(t, sp->cause);
	double share = ns > blind ? (double)sp->total_ns / (double)(ns - blind) : 0;

	return share < 1 ? share : 1;
}

/* "12.5 % of the time", or in how many looks it was seen. */
static void describe_share(const struct throttle_run *run, const struct throttle_track *t,
			   const struct throttle_spell *sp, char *buf, size_t size)
{
	if (sp->measured)
		snprintf(buf, size, "%s for %.3g %% of the time", sp->cause,
			 100 * throttle_spell_share(run, t, sp));
	else
		snprintf(buf, size, "%s at %zu of %llu looks", sp->cause, sp->looks,
			 (unsigned long long)run->looks - 1);
}

/* ---- text ---- */

/* The names of everything that held, each once. */
static void put_causes(struct throttle_run *run)
{
	char names[512] = " ";

	for (size_t i = 0; i < run->num_tracks; i++) {
		for (size_t k = 0; k < run->tracks[i].num; k++) {
			const struct throttle_spell *sp = &run->tracks[i].spells[k];
			char word[THROTTLE_WORD_SIZE + 2];
			size_t len = strlen(names);

			snprintf(word, sizeof(word), " %s ", sp->cause);
			if (!sp->looks || !sp->counted || strstr(names, word))
				continue;
			out_fmt(run->out, "%s%s", len > 1 ? ", " : "", sp->cause);
			snprintf(names + len - 1, sizeof(names) - len + 1, "%s", word);
		}
	}
}

static void put_first_line(struct throttle_run *run)
{
	bool command = run->cfg->command;

	if (command) {
		throttle_put_simulated(run);
	} else {
		out_timestamp(run->out, run->wall_ns, 3);
		out_char(run->out, ' ');
	}
	if (!run->told)
		out_str(run->out, "unknown");
	else
		out_str(run->out, run->throttled ? "throttled" : "ok");
	out_fmt(run->out, command ? ": while COMMAND ran (%.3f s, %llu looks): "
				  : ": in %.3f s, %llu looks: ", (double)elapsed(run) / 1e9,
		(unsigned long long)run->looks - 1);
	if (run->throttled)
		put_causes(run);
	else
		out_str(run->out, run->told ? "not slowed down" : "nothing here tells it");
	throttle_put_never(run, "; cannot tell: ", ", ");
	out_char(run->out, '\n');
}

static void report_text(struct throttle_run *run)
{
	struct throttle_lines lines = { .num = 0 };

	put_first_line(run);
	for (size_t i = 0; i < run->num_tracks; i++) {
		const struct throttle_track *t = &run->tracks[i];

		for (size_t k = 0; k < t->num; k++) {
			const struct throttle_spell *sp = &t->spells[k];
			char key[640];
			size_t len;

			if (!sp->looks || !sp->counted || sp->inherited)
				continue;
			describe_share(run, t, sp, key, sizeof(key));
			len = strlen(key);
			snprintf(key + len, sizeof(key) - len, "%s", sp->who);
			throttle_line_add(&lines, t->package, t->core, key, NULL, NULL);
		}
	}
	throttle_lines_put(&lines, run->out, "  ");
}

/* ---- records ---- */

static void report_records(struct throttle_run *run)
{
	throttle_records_head(run);
	for (size_t i = 0; i < run->num_tracks; i++)
		throttle_record_track(run, &run->tracks[i], NULL);
}

void throttle_report(struct throttle_run *run)
{
	if (throttle_is_text(run))
		report_text(run);
	else if (run->cfg->command && !run->cfg->periodic)
		report_records(run);
}
