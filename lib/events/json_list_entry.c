/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/json_list_entry.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "events/json_list_terms.h"

static const char *field(const void *entry, const char *name)
{
	return json_string_value(json_object_get(entry, name));
}

/* The event and the texts that were made for it, in one piece. */
struct made {
	struct um_json_event event;
	struct um_list_terms terms;
	char texts[];
};

/* What is taken over as it is. */
static const char *const taken[] = { "Unit", "Counter", "BriefDescription" };

static struct made *make(const json_t *json)
{
	struct um_list_fields f = { field, json };
	const char *texts[ARRAY_SIZE(taken)], *deprecated = field(json, "Deprecated");
	struct made *m;
	size_t len[ARRAY_SIZE(taken)], all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		texts[i] = field(json, taken[i]) ? field(json, taken[i]) : "";
		len[i] = strlen(texts[i]) + 1;
		all += len[i];
	}
	m = calloc(1, sizeof(*m) + all);
	if (!m)
		return NULL;
	for (size_t i = 0, at = 0; i < ARRAY_SIZE(taken); at += len[i++])
		texts[i] = memcpy(m->texts + at, texts[i], len[i]);
	um_list_convert(&m->terms, &f);
	m->event = (struct um_json_event){
		.pmu = m->terms.pmu, .terms = m->terms.terms,
		.occ_terms = m->terms.occ_terms, .impossible = m->terms.impossible,
		.unit = texts[0], .counters = texts[1], .description = texts[2],
		.deprecated = deprecated && !strcmp(deprecated, "1"),
	};
	return m;
}

struct um_json_event *um_list_event(const char *text, size_t len, const char *name,
				    uint8_t core_type)
{
	json_t *json = json_loadb(text, len, 0, NULL);
	struct made *m = json ? make(json) : NULL;

	json_decref(json);
	if (!m)
		return NULL;
	m->event.name = name;
	m->event.core_type = core_type;
	return &m->event;
}
