/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/json_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/file.h"
#include "names/pmus.h"
#include "names/json_list_file.h"
#include "names/names.h"

/* An entry that was left out because a value is wrong: counting it would count something else. */
struct refused {
	char *name, *why;
};

struct file {
	struct uncoremsr_event_list shown;
	char *path, *text, *version;
	size_t len;
	struct refused *refused;
	size_t num_refused;
	const char **whys;          /* sentences of @refused, then NULL */
	bool metrics;               /* the file has metrics and no events */
	struct um_metric_file *published;
};

/* An entry, in the order of the files; @made is created on demand. */
struct entry {
	char *name;
	const char *json;           /* start of the entry in the text of the file */
	size_t len;
	struct um_json_event *made;
	uint32_t hash;
	uint8_t core_type;
};

struct um_json_lists {
	const struct um_list_reader *reader; /* NULL: no list was added yet */
	struct file *files;
	size_t num_files;
	struct entry *entries;
	size_t num_entries;
	/* Hash table by name, open addressing: index of the entry plus 1; 0: free. The size is a power of two. */
	uint32_t *slots;
	size_t num_slots;
	bool *no_memory;
	const struct um_metric_reader *metrics;
};

struct um_json_lists *um_json_new(const struct um_metric_reader *metrics, bool *no_memory)
{
	struct um_json_lists *l = calloc(1, sizeof(*l));

	if (l)
		*l = (struct um_json_lists){ .metrics = metrics, .no_memory = no_memory };
	return l;
}

static void free_file(const struct um_json_lists *l, struct file *file)
{
	free(file->path);
	free(file->text);
	free(file->version);
	for (size_t i = 0; i < file->num_refused; i++) {
		free(file->refused[i].name);
		free(file->refused[i].why);
	}
	free(file->refused);
	free(file->whys);
	if (l->metrics)
		l->metrics->free(file->published);
}

/* Drop the entries from @num on. */
static void cut(struct um_json_lists *l, size_t num)
{
	while (l->num_entries > num) {
		struct entry *entry = &l->entries[--l->num_entries];

		free(entry->name);
		free(entry->made);
	}
}

void um_json_free(struct um_json_lists *l)
{
	if (!l)
		return;
	cut(l, 0);
	for (size_t i = 0; i < l->num_files; i++)
		free_file(l, &l->files[i]);
	free(l->slots);
	free(l->entries);
	free(l->files);
	free(l);
}

/* ---- names ---- */

/* FNV-1a over characters with bit 5 set, so that upper and lower case have the same hash. */
static uint32_t hash(const char *name, size_t len)
{
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i < len; i++)
		h = (h ^ ((unsigned char)name[i] | 0x20)) * 0x01000193;
	return h;
}

static bool is_called(const struct entry *entry, uint32_t hashed, const char *name, size_t len)
{
	return entry->hash == hashed && !strncasecmp(entry->name, name, len) && !entry->name[len];
}

enum { ANY_CORE = -1 };

static const struct entry *find_entry(const struct um_json_lists *l, const char *name, size_t len,
				      int core_type)
{
	uint32_t hashed = hash(name, len);

	if (!l->num_slots)
		return NULL;
	/* Entries of the same name were inserted in order, so the first of them is found first. */
	for (size_t at = hashed;; at++) {
		uint32_t slot = l->slots[at & (l->num_slots - 1)];
		const struct entry *entry = slot ? &l->entries[slot - 1] : NULL;

		if (!entry || (is_called(entry, hashed, name, len) &&
			       (core_type == ANY_CORE || entry->core_type == core_type)))
			return entry;
	}
}

/* Add an entry to the hash table, unless an earlier entry with the same name hides it. */
static void index_entry(struct um_json_lists *l, size_t index)
{
	const struct entry *entry = &l->entries[index];
	size_t at = entry->hash;

	if (find_entry(l, entry->name, strlen(entry->name), entry->core_type))
		return;
	while (l->slots[at & (l->num_slots - 1)])
		at++;
	l->slots[at & (l->num_slots - 1)] = (uint32_t)index + 1;
}

/* Add the entries from @from on to the hash table; at least half of the slots stay free. */
static int index_entries(struct um_json_lists *l, size_t from)
{
	size_t num = l->num_slots ? l->num_slots : 64;
	uint32_t *slots;

	while (num < 2 * l->num_entries)
		num *= 2;
	if (num > l->num_slots) {
		slots = calloc(num, sizeof(*slots));
		if (!slots)
			return -ENOMEM;
		free(l->slots);
		l->slots = slots;
		l->num_slots = num;
		from = 0;
	}
	for (size_t i = from; i < l->num_entries; i++)
		index_entry(l, i);
	return 0;
}

/* ---- a file ---- */

struct loading {
	struct um_json_lists *lists;
	struct file file;
	size_t first;               /* number of entries before this file */
	uint8_t core_type;
	bool named;                 /* some entry has a name, valid or not */
};

static int add_version(void *user, const char *version)
{
	struct loading *f = user;

	free(f->file.version);
	f->file.version = strdup(version);
	return f->file.version ? 0 : -ENOMEM;
}

static int refuse_entry(struct loading *f, const struct um_list_entry *found)
{
	struct file *file = &f->file;
	char what[160], why[UM_MESSAGE_SIZE];
	struct refused *r;

	if (found->fault == UM_LIST_ABSENT)
		snprintf(what, sizeof(what), "the entry has no %s", found->field);
	else if (!*found->value)
		snprintf(what, sizeof(what), "%s %s", found->field, found->fault == UM_LIST_TOO_WIDE
			 ? "is too large" : "is not a number that a register can hold");
	else if (found->fault == UM_LIST_TOO_WIDE)
		snprintf(what, sizeof(what), "%s '%.40s' does not fit into %u bit%s", found->field, found->value,
			 found->bits, found->bits == 1 ? "" : "s");
	else
		snprintf(what, sizeof(what), "%s '%.40s' is not a number", found->field, found->value);
	if (ARRAY_ROOM(file->refused, file->num_refused, 1))
		return -ENOMEM;
	r = &file->refused[file->num_refused++];
	r->name = strndup(found->name ? found->name : "", found->name_len);
	um_message(why, sizeof(why), "event list %s: line %u: %s%s%s", UM_QUOTED(file->path), found->line,
		    r->name ? r->name : "", found->name_len ? ": " : "", what);
	r->why = strdup(why);
	return r->name && r->why ? 0 : -ENOMEM;
}

static int add_entry(void *user, const struct um_list_entry *found)
{
	struct loading *f = user;
	struct um_json_lists *l = f->lists;
	struct entry *entry;

	f->named |= found->name_len > 0;
	if (found->fault)
		return refuse_entry(f, found);
	if (ARRAY_ROOM(l->entries, l->num_entries, 1))
		return -ENOMEM;
	entry = &l->entries[l->num_entries];
	*entry = (struct entry){
		.name = strndup(found->name, found->name_len),
		.hash = hash(found->name, found->name_len),
		.json = found->json, .len = found->len,
		.core_type = f->core_type || !found->unit ? f->core_type
							   : um_core_type_of(found->unit, found->unit_len),
	};
	if (!entry->name)
		return -ENOMEM;
	l->num_entries++;
	return 0;
}

/* Files of matrices and bit definitions are in the same folder as lists, but are not lists. */
static int no_list(const char *path, bool quietly, struct um_error *e)
{
	if (quietly)
		return 0;
	um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event list %s: it contains no event", UM_QUOTED(path));
	um_hint(e, "it has to be an array of events, or an object with Events, each with "
		"EventName");
	return -EINVAL;
}

/* A file of metrics has metric names but no event names. */
static bool has_metrics(const struct um_json_lists *l, const struct file *file)
{
	return l->metrics && strstr(file->text, "\"MetricName\"") && !strstr(file->text, "\"EventName\"");
}

static int read_metrics(const struct um_json_lists *l, struct file *file, const char *path, struct um_error *e)
{
	return file->published ? 0 : l->metrics->read(path, file->text, file->len, &file->published, e);
}

/* Read the file's entries. Metrics are parsed when they are first asked for, unless @now. */
static int load(struct loading *f, const char *path, bool now, struct um_error *e)
{
	struct um_list_taker taker = { add_entry, add_version, f };
	const struct um_list_reader *reader = f->lists->reader;
	int err;

	f->file.path = strdup(path);
	err = f->file.path ? reader->read(path, &f->file.text, &f->file.len, e) : um_no_memory(e);
	if (err)
		return err;
	f->file.metrics = has_metrics(f->lists, &f->file);
	if (f->file.metrics)
		return now ? read_metrics(f->lists, &f->file, path, e) : 0;
	err = reader->walk(path, f->file.text, f->file.len, &taker, e);
	return err == -ENOMEM ? um_no_memory(e) : err;
}

static int keep(struct loading *f)
{
	struct um_json_lists *l = f->lists;
	struct file *file = &f->file;

	file->whys = calloc(file->num_refused + 1, sizeof(*file->whys));
	if (!file->whys || ARRAY_ROOM(l->files, l->num_files, 1) || index_entries(l, f->first))
		return -ENOMEM;
	for (size_t i = 0; i < file->num_refused; i++)
		file->whys[i] = file->refused[i].why;
	file->shown = (struct uncoremsr_event_list){
		sizeof(file->shown), file->path, file->version ? file->version : "", file->whys,
	};
	l->files[l->num_files++] = *file;
	return 0;
}

static int add_file(struct um_json_lists *l, const char *path, uint8_t core_type, bool quietly,
		    struct um_error *e)
{
	struct loading f = { .lists = l, .first = l->num_entries, .core_type = core_type };
	int err = load(&f, path, !quietly, e);
	bool is_list = f.named || f.file.metrics;

	if (!err && is_list && !keep(&f))
		return 1;
	if (!err && is_list)
		err = um_no_memory(e);
	cut(l, f.first);
	free_file(l, &f.file);
	return err ? err : no_list(path, quietly, e);
}

/* ---- a directory ---- */

struct adding {
	struct um_json_lists *lists;
	struct um_error *error;
	int num;
};

static int add_found(void *user, const char *path, uint8_t core_type)
{
	struct adding *a = user;
	int num = add_file(a->lists, path, core_type, true, a->error);

	a->num += num > 0 ? num : 0;
	return num < 0 ? num : 0;
}

int um_json_add(struct um_json_lists *l, const char *path, const struct um_identity *id,
		struct um_error *e)
{
	struct adding a = { l, e, 0 };
	uint8_t type;
	int err = l->reader ? 0 : um_list_reader_find(&l->reader, path, e);

	if (err)
		return err;
	if (!um_is_directory(path))
		return l->reader->core_type(path, &type, e) ?: add_file(l, path, type, false, e);
	err = l->reader->files(path, id, add_found, &a, e);
	return err ? err : a.num;
}

/* ---- entries ---- */

/* Parse an entry when it is first asked for. Its fields were checked when the file was read. */
static const struct um_json_event *event_of(const struct um_json_lists *l, const struct entry *entry)
{
	struct um_json_event *made;

	if (!entry || entry->made)
		return entry ? entry->made : NULL;
	made = l->reader->event(entry->json, entry->len, entry->name, entry->core_type);
	if (made) {
		made->index = (size_t)(entry - l->entries);
		made->hidden = find_entry(l, entry->name, strlen(entry->name), ANY_CORE) != entry;
	} else {
		*l->no_memory = true;
	}
	return ((struct entry *)entry)->made = made;
}

/* Do the names differ only in case and in the separators between words? */
static bool is_like(const char *theirs, const char *name, size_t len)
{
	size_t i = 0;

	while (i < len && um_name_letter(theirs[i]) == um_name_letter(name[i]))
		i++;
	return i == len && !theirs[i];
}

static const struct um_json_event *find_any(const struct um_json_lists *l, const char *name,
					    size_t len, int core_type)
{
	const struct entry *exact = find_entry(l, name, len, core_type);

	for (size_t i = 0; !exact && i < l->num_entries; i++)
		if (is_like(l->entries[i].name, name, len) &&
		    (core_type == ANY_CORE || l->entries[i].core_type == core_type))
			exact = &l->entries[i];
	return event_of(l, exact);
}

const struct um_json_event *um_json_find(const struct um_json_lists *l, const char *name,
					 size_t len)
{
	return find_any(l, name, len, ANY_CORE);
}

const struct um_json_event *um_json_find_for(const struct um_json_lists *l, const char *name,
					     size_t len, uint8_t core_type)
{
	return find_any(l, name, len, core_type);
}

/*
 * Length of the box in the name: "UNC_CHA_" of UNC_CHA_TOR_INSERTS. libpfm4 writes UNC_C_TOR_INSERTS, likwid
 * TOR_INSERTS.
 */
static size_t box_of(const char *name, size_t len)
{
	const char *behind = len > 4 && !strncasecmp(name, "UNC_", 4) ? memchr(name + 4, '_', len - 4)
								       : NULL;

	return behind ? (size_t)(behind + 1 - name) : 0;
}

const struct um_json_event *um_json_find_on(const struct um_json_lists *l, const char *pmu,
					    const char *name, size_t len)
{
	const struct um_json_event *ev, *old = NULL;
	size_t theirs = box_of(name, len);

	for (size_t i = 0; i < l->num_entries; i++) {
		const char *ours = l->entries[i].name;

		ours += box_of(ours, strlen(ours));
		if (!is_like(ours, name + theirs, len - theirs))
			continue;
		ev = event_of(l, &l->entries[i]);
		if (ev && !strcmp(ev->pmu, pmu) && !ev->deprecated)
			return ev;
		old = !old && ev && !strcmp(ev->pmu, pmu) ? ev : old;
	}
	return old;
}

/* ---- metrics ---- */

int um_json_metrics_read(struct um_json_lists *l, size_t index, struct um_error *e)
{
	struct file *file = &l->files[index];

	return file->metrics ? read_metrics(l, file, file->path, e) : 0;
}

struct um_metric_file *um_json_metrics(const struct um_json_lists *l, size_t index)
{
	return l->files[index].published;
}

size_t um_json_num(const struct um_json_lists *l)
{
	return l->num_entries;
}

const char *um_json_name(const struct um_json_lists *l, size_t index)
{
	return index < l->num_entries ? l->entries[index].name : NULL;
}

const struct um_json_event *um_json_event(const struct um_json_lists *l, size_t index)
{
	return index < l->num_entries ? event_of(l, &l->entries[index]) : NULL;
}

size_t um_json_num_files(const struct um_json_lists *l)
{
	return l->num_files;
}

const struct uncoremsr_event_list *um_json_file(const struct um_json_lists *l, size_t index)
{
	return &l->files[index].shown;
}

/* ---- entries that were left out ---- */

/* Does @text begin with the whole name? Unit masks, terms or a slash may follow. */
static bool begins_with_name(const char *text, const char *name)
{
	size_t len = strlen(name);

	return len && !strncasecmp(text, name, len) && (!text[len] || strchr(":/,}", text[len]));
}

int um_json_refused_name(const struct um_json_lists *l, const char *text, struct um_error *e)
{
	for (const struct file *file = l->files; file < l->files + l->num_files; file++)
		for (size_t i = 0; i < file->num_refused; i++)
			if (begins_with_name(text, file->refused[i].name)) {
				um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "%s", file->refused[i].why);
				um_hint(e, "the entry is left out; correct the list, or count by codes");
				return -EINVAL;
			}
	return 0;
}
