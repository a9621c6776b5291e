/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --runs: events are counted in several runs of COMMAND, in their order. Groups and metrics are not split. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "read/read.h"

/* @items owns the allocated @text from now on; NULL: the allocation failed. */
static void add_item(struct read_items *items, char *text)
{
	NEED_APPEND(items->list, items->num, need(text));
}

static void add_names(struct read_items *items, const struct uncoremsr_session *s, bool metrics)
{
	const char *name;

	for (size_t i = 0; (name = counted_name(s, metrics, i)); i++)
		add_item(items, strdup(name));
}

/* Returns false for a name or a group, or if nothing matches the pattern; the caller then adds the text as it is. */
static bool add_pattern(struct read_items *items, struct uncoremsr *um, const char *pattern)
{
	size_t before = items->num;
	struct uncoremsr_session *s;

	if (*pattern == '{' || !strpbrk(pattern, "*?[") || uncoremsr_session_new(um, &s) < 0)
		return false;
	if (uncoremsr_session_add(s, pattern) >= 0)
		add_names(items, s, false);
	uncoremsr_session_free(s);
	return items->num > before;
}

static void add_texts(struct read_items *items, struct uncoremsr *um, const char *text)
{
	for (;;) {
		size_t len = counted_text_len(text);
		char *one = need(strndup(text, len));

		if (add_pattern(items, um, one))
			free(one);
		else
			add_item(items, one);
		if (!text[len])
			return;
		text += len + 1;
	}
}

void read_items_make(struct read_items *items, const struct read_run *run)
{
	const struct read_config *cfg = run->cfg;

	for (size_t i = 0; i < cfg->events.num; i++)
		add_texts(items, run->um, cfg->events.words[i]);
	items->num_events = items->num;
	add_names(items, run->session, true);
	/* If no metric can be counted, the session has none: show the metrics of the command line as unknown. */
	for (size_t i = 0; items->num == items->num_events && i < cfg->metrics.num; i++)
		add_item(items, strdup(cfg->metrics.words[i]));
}

void read_items_free(struct read_items *items)
{
	for (size_t i = 0; i < items->num; i++)
		free((void *)items->list[i]);
	free(items->list);
	free(items->ends);
}

struct read_part read_items_part(const struct read_items *items, size_t first, size_t end)
{
	size_t events = items->num_events;
	size_t middle = first > events ? first : end < events ? end : events;

	return (struct read_part){
		.events = { items->list + first, middle - first }, .metrics = { items->list + middle, end - middle },
	};
}
