/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/json_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/text.h"
#include "names/json_list_file.h"
#include "names/names.h"

static void free_file(const struct um_json_lists *l, struct um_json_file *file)
{
	free(file->path);
	free(file->text);
	free(file->version);
	for (size_t i = 0; i < file->num_refused; i++) {
		free(file->refused[i]);
		free((char *)file->whys[i]);
	}
	free(file->refused);
	free(file->whys);
	l->names->metric_names->free(file->published);
}

static void drop_events(struct um_json_lists *l, size_t first)
{
	while (l->num_events > first) {
		struct um_json_event *ev = l->events[--l->num_events], **newest = &l->newest[ev->hash % UM_JSON_BUCKETS];

		/* Later events were dropped before, so if this event is in a hash chain, it is the first. */
		if (*newest == ev)
			*newest = ev->older;
		free(ev->storage);
		free(ev);
	}
}

void um_json_free(struct um_json_lists *l)
{
	if (!l)
		return;
	drop_events(l, 0);
	for (size_t i = 0; i < l->num_files; i++)
		free_file(l, &l->files[i]);
	free(l->events);
	free(l->files);
	free(l);
}

/* FNV-1a hash over folded letters, so that names that are equal by is_like() have the same hash. */
static uint32_t hash(const char *name, size_t len)
{
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)um_name_letter(name[i])) * 0x01000193;
	return h;
}

static bool is_like(const char *name, size_t len, const char *theirs)
{
	size_t i = 0;

	while (i < len && um_name_letter(theirs[i]) == um_name_letter(name[i]))
		i++;
	return i == len && !theirs[i];
}

/* The first event, in the order of the files, that @is accepts. @type: its core type; 0: any. */
static struct um_json_event *find_hashed(const struct um_json_lists *l, uint32_t hashed, const char *name, size_t len,
					 uint8_t type, bool (*is)(const char *text, size_t len, const char *name))
{
	struct um_json_event *found = NULL;

	for (struct um_json_event *ev = l->newest[hashed % UM_JSON_BUCKETS]; ev; ev = ev->older)
		if (ev->hash == hashed && is(name, len, ev->name) && (!type || ev->core_type == type))
			found = ev;
	return found;
}

struct loading {
	struct um_json_lists *lists;
	struct um_json_file file;
	uint8_t core_type;
	bool named;                 /* the file has an entry with a name */
};

static int refuse_entry(struct um_json_file *file, const struct um_list_entry *found)
{
	size_t i = file->num_refused;

	if (ARRAY_ROOM(file->refused, i, 1) || ARRAY_ROOM(file->whys, i, 2))
		return -ENOMEM;
	file->refused[i] = strndup(found->name.at ? found->name.at : "", found->name.len);
	file->whys[i] = strdup(found->why);
	file->whys[++file->num_refused] = NULL;
	return file->refused[i] && file->whys[i] ? 0 : -ENOMEM;
}

static int add_entry(void *user, const struct um_list_entry *found)
{
	struct loading *f = user;
	struct um_json_lists *l = f->lists;
	struct um_json_event *ev, **newest;
	bool is_found;

	f->named |= found->name.len > 0;
	if (found->why)
		return refuse_entry(&f->file, found);
	ev = calloc(1, sizeof(*ev) + found->name.len + 1);
	if (!ev)
		return -ENOMEM;
	ev->names = l->names;
	ev->json = found->json.at;
	ev->json_len = found->json.len;
	ev->core_type = f->core_type;
	if (!ev->core_type && found->unit.at)
		ev->core_type = um_core_type_of(found->unit.at, found->unit.len);
	ev->hash = hash(found->name.at, found->name.len);
	ev->hidden = find_hashed(l, ev->hash, found->name.at, found->name.len, 0, um_is_word) != NULL;
	/* If each search would find an earlier event of this name, leave this one out of the hash chain. */
	is_found = !ev->hidden ||
		   !find_hashed(l, ev->hash, found->name.at, found->name.len, ev->core_type, um_is_word);
	ev->base.pub.name = memcpy(ev->name, found->name.at, found->name.len);
	ev->base.from = UM_FROM_LIST;
	if (ARRAY_APPEND(l->events, l->num_events, ev)) {
		free(ev);
		return -ENOMEM;
	}
	if (is_found) {
		newest = &l->newest[ev->hash % UM_JSON_BUCKETS];
		ev->older = *newest;
		*newest = ev;
	}
	return 0;
}

static int load(struct loading *f, const char *path, bool quietly, struct um_error *e)
{
	static const char *const none[] = { NULL };
	const struct um_list_reader *reader = f->lists->reader;
	struct um_json_file *file = &f->file;
	int err;

	file->path = strdup(path);
	err = file->path ? reader->read(file, e) : -ENOMEM;
	if (!err)
		file->metrics = strstr(file->text, "\"MetricName\"") && !strstr(file->text, "\"EventName\"");
	if (!err && !file->metrics)
		err = reader->walk(file, add_entry, f, e);
	else if (!err && !quietly)
		err = reader->metrics(file, e);
	if (err)
		return err == -ENOMEM ? um_no_memory(e) : err;
	/* A folder of lists also contains other files, such as matrices and bit definitions: skip them. */
	if (!f->named && !file->metrics && quietly)
		return 0;
	if (!f->named && !file->metrics) {
		UM_USAGE(e, "event list %s: it contains no event", UM_QUOTED(path));
		return um_advise(e, -EINVAL, "an event list is an array of events, or an object with Events; each event "
			"has EventName");
	}
	file->shown = (struct uncoremsr_event_list){
		sizeof(file->shown), file->path, file->version ? file->version : "", file->whys ? file->whys : none,
	};
	return ARRAY_APPEND(f->lists->files, f->lists->num_files, *file) ? um_no_memory(e) : 1;
}

int um_json_add_file(struct um_json_lists *l, const char *path, uint8_t core_type, bool quietly, struct um_error *e)
{
	struct loading f = { .lists = l, .core_type = core_type };
	size_t before = l->num_events;
	int num = load(&f, path, quietly, e);

	if (num <= 0) {
		drop_events(l, before);
		free_file(l, &f.file);
	}
	return num;
}

/* The fields were checked when the file was read, so only lack of memory can make this fail. */
const struct um_json_event *um_json_read(struct um_json_event *ev)
{
	if (!ev || ev->storage || ev->names->lists->reader->event(ev))
		return ev;
	*ev->names->no_memory = true;
	return NULL;
}

const struct um_json_event *um_json_find(const struct um_json_lists *l, const char *name, size_t len, uint8_t core_type)
{
	uint32_t hashed = hash(name, len);

	return um_json_read(find_hashed(l, hashed, name, len, core_type, um_is_word) ?:
			    find_hashed(l, hashed, name, len, core_type, is_like));
}

/*
 * Length of the part of a name that stands for the box: "UNC_CHA_" in UNC_CHA_TOR_INSERTS. In libpfm4 the event is
 * UNC_C_TOR_INSERTS, in likwid TOR_INSERTS.
 */
static size_t box_of(const char *name, size_t len)
{
	const char *behind = len > 4 && !strncasecmp(name, "UNC_", 4) ? memchr(name + 4, '_', len - 4) : NULL;

	return behind ? (size_t)(behind + 1 - name) : 0;
}

const struct um_json_event *um_json_find_on(const struct um_json_lists *l, const char *pmu,
					    const char *name, size_t len)
{
	const struct um_json_event *ev, *old = NULL;
	size_t theirs = box_of(name, len);

	for (size_t i = 0; i < l->num_events; i++) {
		const char *ours = l->events[i]->name;

		ours += box_of(ours, strlen(ours));
		if (!is_like(name + theirs, len - theirs, ours))
			continue;
		ev = um_json_read(l->events[i]);
		if (ev && !strcmp(ev->pmu, pmu) && !ev->base.pub.deprecated)
			return ev;
		old = !old && ev && !strcmp(ev->pmu, pmu) ? ev : old;
	}
	return old;
}

/* Does @text begin with the whole name? Unit masks, terms or a slash may follow. */
static bool begins_with_name(const char *text, const char *name)
{
	size_t len = strlen(name);

	return len && !strncasecmp(text, name, len) && (!text[len] || strchr(":/,}", text[len]));
}

int um_json_refused_name(const struct um_json_lists *l, const char *text, struct um_error *e)
{
	for (const struct um_json_file *file = l->files; file < l->files + l->num_files; file++)
		for (size_t i = 0; i < file->num_refused; i++)
			if (begins_with_name(text, file->refused[i])) {
				UM_USAGE(e, "%s", file->whys[i]);
				return um_advise(e, -EINVAL, "the entry is left out; correct the list, or count by codes");
			}
	return 0;
}
