/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find the lists for a processor by mapfile.csv of intel/perfmon, or by the file names that pmu-tools gives to lists.
 */
#include "names/json_list.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/file.h"
#include "names/synonyms.h"

struct search {
	const char *dir;
	char without[48], with[64]; /* "GenuineIntel-6-55", without and with the stepping */
	struct um_json_lists *lists;
	struct um_error *e;
	bool found;
	int num;                    /* number of lists that were added */
};

static int add_found(struct search *s, const char *path, uint8_t core_type)
{
	int num = um_json_add_file(s->lists, path, core_type, true, s->e);

	s->found = true;
	s->num += num > 0 ? num : 0;
	return num < 0 ? num : 0;
}

/* Does the processor match a pattern of mapfile.csv ("GenuineIntel-6-55-[01234]", "GenuineIntel-6-9E")? */
static bool is_for(const char *pattern, const struct search *s)
{
	return !fnmatch(pattern, s->with, FNM_CASEFOLD) || !fnmatch(pattern, s->without, FNM_CASEFOLD);
}

/* Other types of files, such as topology and latencies, are not used. */
static bool is_wanted(const char *type)
{
	static const char types[][20] = {
		"core", "hybridcore", "uncore", "uncore experimental", "uncoreexperimental",
		"offcore", "metrics",
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcasecmp(type, types[i]))
			return true;
	return false;
}

/*
 * Columns of mapfile.csv: Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name. A missing
 * column is "".
 */
enum column { PROCESSOR, VERSION, FILENAME, EVENT_TYPE, CORE_TYPE, NATIVE_MODEL, ROLE, COLUMNS };

/* The vendor's mapfile.csv has 40 KB. */
enum { MAX_MAP_SIZE = 1 << 24 };

/*
 * Call @fn for each line of a map, until @fn returns other than 0. Accepts only a plain file, because the user did not
 * name it. Returns the last value of @fn; -ENOENT: there is no map; or another error of um_file_read().
 */
static int each_line(const char *map, int (*fn)(void *user, const char *const columns[COLUMNS]), void *user,
		     struct um_error *e)
{
	char *text, *next;
	size_t len;
	int err = um_file_read("", map, MAX_MAP_SIZE, UNCOREMSR_FILE_PLAIN, &text, &len, e);

	for (next = text; !err && next && *next;) {
		char *line = strsep(&next, "\n");
		const char *columns[COLUMNS];

		line[strcspn(line, "\r")] = '\0';
		for (size_t i = 0; i < COLUMNS; i++)
			columns[i] = strsep(&line, ",") ?: "";
		err = fn(user, columns);
	}
	free(text);
	return err;
}

static uint8_t core_type_in(const char *const columns[COLUMNS])
{
	return strcasecmp(columns[ROLE], "LowPower_Atom") ? (uint8_t)strtoul(columns[CORE_TYPE], NULL, 0)
							  : UNCOREMSR_CORE_TYPE_LOW_POWER;
}

static int map_line(void *user, const char *const columns[COLUMNS])
{
	struct search *s = user;
	const char *name = columns[FILENAME];
	char path[4096];

	if (!is_for(columns[PROCESSOR], s) || !is_wanted(columns[EVENT_TYPE]) || strstr(name, ".."))
		return 0;
	snprintf(path, sizeof(path), "%s%s%s", s->dir, *name == '/' ? "" : "/", name);
	if (access(path, F_OK)) {
		if (!*s->lists->missing)
			snprintf(s->lists->missing, sizeof(s->lists->missing), "%s", name + strspn(name, "/"));
		return 0;
	}
	return add_found(s, path, core_type_in(columns));
}

static uint8_t core_type_by_name(const char *name)
{
	UM_EACH_SYNONYM(w, UM_LIST_CORE)
		if (strcasestr(name, w->theirs))
			return (uint8_t)w->value;
	return 0;
}

struct typed {
	const char *path;
	uint8_t *type;
};

/* Set the core type if the list's path ends with the file name in this line of the map. */
static int type_line(void *user, const char *const columns[COLUMNS])
{
	const struct typed *list = user;
	size_t len = strlen(columns[FILENAME]), all = strlen(list->path);

	if (!*list->type && len && len <= all && !strcasecmp(list->path + all - len, columns[FILENAME]))
		*list->type = core_type_in(columns);
	return 0;
}

/*
 * Find the core type of a list: by a mapfile.csv in its folder or in one of the two folders above, or else by its file
 * name. *type 0: any core type. Returns 0 or -ENOMEM.
 */
static int find_core_type(const char *path, uint8_t *type, struct um_error *e)
{
	char here[4096], map[4096 + 16];
	const char *name;
	int err = 0;

	*type = 0;
	if (!realpath(path, here))
		return errno == ENOMEM ? um_no_memory(e) : 0;
	name = strrchr(here, '/') + 1;
	for (size_t len = (size_t)(name - here), up = 0; up < 3 && len && !*type && !err; up++) {
		snprintf(map, sizeof(map), "%.*smapfile.csv", (int)len, here);
		err = each_line(map, type_line, &(struct typed){ here, type }, e);
		err = err == -ENOMEM ? err : 0;
		for (len--; len && here[len - 1] != '/'; len--)
			;
	}
	if (!*type)
		*type = core_type_by_name(name);
	return err;
}

/* Add the file if its name ("GenuineIntel-6-55-4-core.json", "...-hybridcore-Core.json.gz") is for this processor. */
static int by_name(struct search *s, const char *name)
{
	char path[4096], type[32];
	size_t len = strlen(s->with);

	if (strncasecmp(name, s->with, len) || name[len] != '-') {
		len = strlen(s->without);
		if (strncasecmp(name, s->without, len) || name[len] != '-')
			return 0;
	}
	snprintf(type, sizeof(type), "%.*s", (int)strcspn(name + len + 1, "-."), name + len + 1);
	if (!is_wanted(type))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	return add_found(s, path, core_type_by_name(name));
}

static int from_names(struct search *s)
{
	struct dirent **names;
	int num = scandir(s->dir, &names, NULL, alphasort), err = 0;

	if (num < 0)
		return um_fail(s->e, -errno, UNCOREMSR_ERROR_ACCESS, "event lists in %s: %s", UM_QUOTED(s->dir),
			       strerror(errno));
	for (int i = 0; i < num; i++) {
		if (!err)
			err = by_name(s, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return err;
}

static int add_folder(struct um_json_lists *l, const char *dir, const struct um_identity *id, struct um_error *e)
{
	struct search s = { .dir = dir, .lists = l, .e = e };
	char map[4096];
	int err;

	/* Processor names look like "GenuineIntel-6-55-4": family decimal, model and stepping hexadecimal. */
	snprintf(s.without, sizeof(s.without), "%s-%d-%X", id->vendor, id->family, (unsigned)id->model);
	snprintf(s.with, sizeof(s.with), "%s-%X", s.without, (unsigned)id->stepping);
	snprintf(map, sizeof(map), "%s/mapfile.csv", dir);
	err = each_line(map, map_line, &s, e);
	/* pmu-tools names lists by processor, but copies a mapfile.csv with other names. */
	if (err == -ENOENT || (!err && !s.found))
		err = from_names(&s);
	if (err || s.found)
		return err ? err : s.num;
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event lists in %s: %s for this processor (%s)",
		UM_QUOTED(dir), *l->missing ? "mapfile.csv names only missing files" : "none is", s.with);
	if (*l->missing)
		um_hint(e, "copy the missing files, such as %s, to this folder", UM_QUOTED(l->missing));
	else
		um_hint(e, "the folder must contain mapfile.csv of intel/perfmon, or files such as %s-core.json; "
			"uncore-events --cpu=GenuineIntel-6-55-4 chooses another processor", s.without);
	return -ENOENT;
}

int um_json_add(struct um_json_lists *l, const char *path, const struct um_identity *id, struct um_error *e)
{
	uint8_t type;
	int err = l->reader ? 0 : l->names->metric_names->find_reader(&l->reader, path, e);

	if (err)
		return err;
	*l->missing = '\0';
	if (um_is_directory(path))
		return add_folder(l, path, id, e);
	return find_core_type(path, &type, e) ?: um_json_add_file(l, path, type, false, e);
}
