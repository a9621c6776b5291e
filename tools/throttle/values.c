/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One value of a record after the other, in JSON or CSV. */
#include <inttypes.h>
#include <string.h>

#include "throttle/throttle.h"

static void put_name(struct throttle_run *run, const char *name)
{
	out_char(run->out, ',');
	if (!throttle_json(run))
		return;
	out_json_str(run->out, name);
	out_char(run->out, ':');
}

void throttle_put_when(struct throttle_run *run)
{
	uint64_t now = uncoremsr_throttle_time_ns(run->t);
	bool json = throttle_json(run);

	out_str(run->out, json ? "{\"time\":" : "");
	out_seconds(run->out, now > run->start_ns ? now - run->start_ns : 0);
	put_name(run, "timestamp");
	out_str(run->out, json ? "\"" : "");
	out_timestamp(run->out, run->wall_ns, 9);
	out_str(run->out, json ? "\"" : "");
	throttle_put_str(run, "machine", uncoremsr_machine(run->um));
}

void throttle_put_str(struct throttle_run *run, const char *name, const char *text)
{
	put_name(run, name);
	if (throttle_json(run))
		out_json_str(run->out, text);
	else
		out_csv_str(run->out, text);
}

void throttle_put_int(struct throttle_run *run, const char *name, int64_t v)
{
	put_name(run, name);
	if (v != INT64_MIN)
		out_fmt(run->out, "%" PRId64, v);
	else if (throttle_json(run))
		out_str(run->out, "null");
}

void throttle_put_bool(struct throttle_run *run, const char *name, bool v)
{
	put_name(run, name);
	out_str(run->out, v ? "true" : "false");
}

void throttle_put_share(struct throttle_run *run, const char *name, bool known, double share)
{
	put_name(run, name);
	if (known)
		out_fmt(run->out, "%.6f", share);
	else if (throttle_json(run))
		out_str(run->out, "null");
}

/* What @put writes, as one text into @text, which is to be freed. */
static bool capture(struct throttle_run *run, struct out *text,
		    void (*put)(struct throttle_run *run, const void *user), const void *user)
{
	struct out *real = run->out;

	out_init(text, -1);
	run->out = text;
	put(run, user);
	run->out = real;
	out_char(text, '\0');
	if (text->error && !real->error)
		real->error = text->error;
	return !text->error;
}

void throttle_put_text(struct throttle_run *run, const char *name,
		       void (*put)(struct throttle_run *run, const void *user), const void *user)
{
	struct out text;

	if (capture(run, &text, put, user))
		throttle_put_str(run, name, text.buf);
	out_free(&text);
}

void throttle_put_words(struct throttle_run *run, const char *name,
			void (*put)(struct throttle_run *run, const void *user), const void *user)
{
	struct out text;
	char *rest = NULL;

	if (!throttle_json(run)) {
		throttle_put_text(run, name, put, user);
		return;
	}
	put_name(run, name);
	out_char(run->out, '[');
	if (capture(run, &text, put, user)) {
		for (char *w = strtok_r(text.buf, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
			out_str(run->out, w == text.buf ? "" : ",");
			out_json_str(run->out, w);
		}
	}
	out_char(run->out, ']');
	out_free(&text);
}

void throttle_put_end(struct throttle_run *run)
{
	out_str(run->out, throttle_json(run) ? "}\n" : "\n");
}
