/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/imc_lists.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/array.h"
#include "common/file.h"
#include "common/number.h"
#include "common/text.h"

#define OWN_TREE "proc/device-tree"
#define COUNTERS "imc-counters"
/* File names of published catalogs: "81E00612.4E0200.dtb". */
#define CATALOG "*.[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f].dtb"
/* Bits of the processor version register that select a catalog (skiboot hw/imc.c). */
#define PVR_MASK 0xffff0f00u

static void free_list(struct um_imc_list *list)
{
	for (size_t i = 0; list->names && i < list->catalog->num_events; i++)
		free(list->names[i].base.path);
	free(list->names);
	free(list->path);
	um_imc_catalog_free(list->catalog);
	free(list);
}

void um_imc_free(struct um_imc_lists *l)
{
	for (size_t i = 0; i < l->num; i++)
		free_list(l->lists[i]);
	free(l->lists);
	*l = (struct um_imc_lists){ .num = 0 };
}

void um_imc_forget_own(struct um_imc_lists *l)
{
	for (size_t i = 0; i < l->num; i++)
		if (l->lists[i]->own) {
			free_list(l->lists[i]);
			l->num--;
			memmove(&l->lists[i], &l->lists[i + 1], (l->num - i) * sizeof(*l->lists));
			break;
		}
	l->looked = false;
}

static int by_name(const void *a, const void *b)
{
	const struct um_imc_name *const *x = a, *const *y = b;
	int order = strcmp((*x)->event->name, (*y)->event->name);

	return order ? order : *x < *y ? -1 : *x > *y;
}

/* Hide events whose name an earlier event has: on POWER10 core and thread events share names. */
static int hide_repeated(struct um_imc_list *list)
{
	size_t num = list->catalog->num_events;
	struct um_imc_name **sorted = calloc(num + 1, sizeof(struct um_imc_name *));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < num; i++)
		sorted[i] = &list->names[i];
	qsort(sorted, num, sizeof(struct um_imc_name *), by_name);
	for (size_t i = 1; i < num; i++)
		sorted[i]->base.pub.hidden = strcmp(sorted[i]->event->name, sorted[i - 1]->event->name) == 0;
	free(sorted);
	return 0;
}

/* Is there a 64-bit word in the unit's memory at the event's offset? Also true for trace events, which need none. */
static bool is_readable(const struct um_imc_event *event, const struct um_imc_unit *unit)
{
	return unit->level == UM_IMC_TRACE || (event->offset % 8 == 0 && (uint64_t)event->offset + 8 <= unit->size);
}

static void describe(struct um_imc_name *n)
{
	const struct um_imc_event *event = n->event;
	const struct um_imc_unit *unit = n->unit;
	struct uncoremsr_event *pub = &n->base.pub;

	um_name_make(&n->base, UM_FROM_IMC, event->name);
	snprintf(n->terms, sizeof(n->terms), "event=0x%x", (unsigned)event->offset);
	pub->pmu = unit->pmu;
	pub->unit = unit->node;
	pub->description = event->description;
	pub->terms = n->terms;
	pub->measure = event->measure;
	pub->scale = event->scale;
	pub->level = um_imc_level_name(unit->level);
	pub->offset = event->offset;
	pub->hidden = 0;
	pub->uncore = unit->level == UM_IMC_NEST;
	if (!is_readable(event, unit))
		pub->impossible = "its counter is not within the unit's memory, or not at a multiple of 8";
}

static int make_names(struct um_imc_list *list)
{
	const struct um_imc_catalog *c = list->catalog;

	list->names = calloc(c->num_events + 1, sizeof(*list->names));
	if (!list->names)
		return -ENOMEM;
	for (size_t i = 0; i < c->num_events; i++) {
		struct um_imc_name *n = &list->names[i];

		n->list = list;
		n->event = &c->events[i];
		n->unit = &c->units[n->event->unit];
		describe(n);
		if (asprintf(&n->base.path, "%s/%s/", n->unit->pmu, n->event->name) < 0) {
			n->base.path = NULL;
			return -ENOMEM;
		}
	}
	return hide_repeated(list);
}

/* Append a catalog, which the list then owns; on failure it is freed. */
static int keep(struct um_imc_lists *l, struct um_imc_catalog *c, const char *path, bool own, struct um_error *e)
{
	static const char *const none[] = { NULL };
	struct um_imc_list *list = calloc(1, sizeof(*list));

	if (!list) {
		um_imc_catalog_free(c);
		return um_no_memory(e);
	}
	*list = (struct um_imc_list){ .path = strdup(path), .own = own, .catalog = c };
	list->shown = (struct uncoremsr_event_list){ sizeof(list->shown), list->path, list->version, none };
	if (c->has_version)
		snprintf(list->version, sizeof(list->version), "0x%x", (unsigned)c->version);
	if (list->path && !make_names(list) && !ARRAY_APPEND(l->lists, l->num, list))
		return 0;
	free_list(list);
	return um_no_memory(e);
}

static bool has_entry(const char *dir, const char *entry)
{
	char path[4096];
	struct stat st;

	return (size_t)snprintf(path, sizeof(path), "%s/%s", dir, entry) < sizeof(path) && !stat(path, &st);
}

static bool is_tree(const char *path)
{
	return has_entry(path, "compatible") || has_entry(path, COUNTERS "/compatible");
}

static int is_catalog(const struct dirent *d)
{
	return !fnmatch(CATALOG, d->d_name, 0);
}

static void free_names(struct dirent **names, int num)
{
	for (int i = 0; i < num; i++)
		free(names[i]);
	free(names);
}

static bool has_catalogs(const char *path)
{
	struct dirent **names = NULL;
	int num = scandir(path, &names, is_catalog, alphasort);

	free_names(names, num);
	return num > 0;
}

bool um_imc_is_list(const char *path)
{
	return um_is_directory(path) ? is_tree(path) || has_catalogs(path) : um_tree_is_file(path);
}

/* Read a file or a folder. Of a whole device tree, which has thousands of files, read only the counters' part. */
static int read_tree(struct um_tree **tree, const char *path, struct um_error *e)
{
	struct um_access *a;
	int err;

	if (!um_is_directory(path))
		return um_tree_file(tree, path, e);
	err = um_access_device(&a, path, e);
	if (err)
		return err;
	err = um_tree_folder(tree, a, has_entry(path, COUNTERS) ? COUNTERS : "", e);
	um_access_close(a);
	return err;
}

static int add_tree(struct um_imc_lists *l, const char *path, struct um_error *e)
{
	struct um_imc_catalog *c;
	struct um_tree *tree;

	return read_tree(&tree, path, e) ?: um_imc_catalog_make(&c, tree, path, e) ?: keep(l, c, path, false, e) ?: 1;
}

static int none_fits(const char *path, uint32_t pvr, struct um_error *e)
{
	if (!pvr) {
		um_fail(e, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED, "catalogs in %s: cannot tell which one is "
			"for this processor, which has no processor version register (PVR)", UM_QUOTED(path));
		return um_advise(e, -ENODATA, "name the file, or the processor: uncore-events --cpu=0x004e1202");
	}
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "catalogs in %s: none is for this processor "
		"(PVR 0x%08x)", UM_QUOTED(path), (unsigned)pvr);
	return um_advise(e, -ENOENT, "the catalog for this processor would be called NAME.%06X.dtb",
			 (unsigned)(pvr & PVR_MASK));
}

static int add_chosen(struct um_imc_lists *l, const char *path, uint32_t pvr, struct um_error *e)
{
	struct dirent **names;
	char wanted[16], file[4096];
	int num = scandir(path, &names, is_catalog, alphasort), found = -1, err;

	if (num < 0)
		return um_fail(e, -errno, UNCOREMSR_ERROR_ACCESS, "catalogs in %s: %s", UM_QUOTED(path),
			       strerror(errno));
	snprintf(wanted, sizeof(wanted), ".%06X.dtb", (unsigned)(pvr & PVR_MASK));
	for (int i = 0; i < num && pvr; i++)
		if (!strcasecmp(names[i]->d_name + strlen(names[i]->d_name) - strlen(wanted), wanted))
			found = i;
	if (found >= 0)
		snprintf(file, sizeof(file), "%s/%s", path, names[found]->d_name);
	free_names(names, num);
	err = found < 0 ? none_fits(path, pvr, e) : add_tree(l, file, e);
	if (err > 0)
		l->lists[l->num - 1]->chosen = true;
	return err;
}

int um_imc_add(struct um_imc_lists *l, const char *path, uint32_t pvr, struct um_error *e)
{
	return um_is_directory(path) && !is_tree(path) ? add_chosen(l, path, pvr, e) : add_tree(l, path, e);
}

int um_imc_add_own(struct um_imc_lists *l, struct um_access *a)
{
	struct um_imc_catalog *c;
	struct um_error ignored;
	struct um_tree *tree;
	char line[64];
	int err;

	if (l->looked)
		return 0;
	l->looked = true;
	if (um_access_line(a, OWN_TREE "/" COUNTERS "/compatible", line, sizeof(line)) <= 0)
		return 0;
	err = um_tree_folder(&tree, a, OWN_TREE "/" COUNTERS, &ignored) ?:
	      um_imc_catalog_make(&c, tree, "/" OWN_TREE, &ignored) ?: keep(l, c, "/" OWN_TREE, true, &ignored);
	return err == -ENOMEM ? err : 0;
}

static int add_rest(struct um_imc_lists *others, const struct um_imc_list *chosen)
{
	size_t folder = (size_t)(strrchr(chosen->path, '/') + 1 - chosen->path);
	struct um_error ignored;
	struct dirent **names = NULL;
	char file[4096];
	int num, err = 0;

	snprintf(file, sizeof(file), "%.*s", (int)folder, chosen->path);
	num = scandir(file, &names, is_catalog, alphasort);
	for (int i = 0; i < num && err != -ENOMEM; i++) {
		snprintf(file + folder, sizeof(file) - folder, "%s", names[i]->d_name);
		if (strcmp(file, chosen->path) != 0)
			err = add_tree(others, file, &ignored);
	}
	free_names(names, num);
	return err == -ENOMEM ? err : 0;
}

int um_imc_add_others(struct um_imc_lists *others, const struct um_imc_lists *l)
{
	int err = 0;

	for (size_t i = 0; i < l->num && !err; i++)
		if (l->lists[i]->chosen)
			err = add_rest(others, l->lists[i]);
	return err;
}

const char *um_imc_generation(const char *path)
{
	/* Upper half of the processor version register (Linux arch/powerpc/include/asm/reg.h). */
	static const struct { const char *version, *name; } rows[] = {
		{ "4B", "POWER8" }, { "4C", "POWER8" }, { "4D", "POWER8" }, { "4E", "POWER9" },
		{ "80", "POWER10" }, { "82", "POWER11" },
	};
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !fnmatch(CATALOG, path, 0); i++)
		if (!strncasecmp(path + len - strlen("PPPPPP.dtb"), rows[i].version, 2))
			return rows[i].name;
	return NULL;
}

const struct um_imc_name *um_imc_find(const struct um_imc_lists *l, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len), *pmu = slash ? text : NULL;
	size_t pmu_len = slash ? (size_t)(slash - text) : 0;

	if (slash) {
		len -= pmu_len + 1;
		text = slash + 1;
		len -= len && text[len - 1] == '/';
	}
	for (int exact = 1; exact >= 0; exact--) {
		bool (*is_called)(const char *text, size_t len, const char *name) = exact ? um_is_exactly : um_is_word;

		for (size_t i = 0; i < l->num; i++)
			for (size_t k = 0; k < l->lists[i]->catalog->num_events; k++) {
				const struct um_imc_name *n = &l->lists[i]->names[k];

				if (is_called(text, len, n->event->name) && (!pmu || um_imc_unit_is(n->unit, pmu, pmu_len)))
					return n;
			}
	}
	return NULL;
}

void um_imc_amount(const struct um_imc_event *ev, double *scale, const char **measure)
{
	bool raw = ev->scale && !um_perf_scale(ev->scale, scale);

	if (raw || !ev->scale)
		*scale = 1;
	*measure = raw ? NULL : um_or_null(ev->measure);
}

const struct um_imc_unit *um_imc_find_unit(const struct um_imc_lists *l, const char *name, size_t len)
{
	for (size_t i = 0; i < l->num; i++) {
		const struct um_imc_catalog *c = l->lists[i]->catalog;

		for (size_t k = 0; k < c->num_units; k++)
			if (um_imc_unit_is(&c->units[k], name, len))
				return &c->units[k];
	}
	return NULL;
}

/* The machine's own catalog is skipped if the user added catalogs. */
static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_imc_lists *lists = &l->names->imc;
	int err = 0;

	for (size_t i = 0; l->machine && i < lists->num && !err; i++)
		for (size_t k = 0; k < lists->lists[i]->catalog->num_events && !err; k++)
			if (!lists->lists[i]->own || lists->num == 1)
				err = fn(user, &lists->lists[i]->names[k].base.pub);
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_imc_name *n = l->machine ? um_imc_find(&l->names->imc, text, len) : NULL;

	return n ? &n->base.pub : NULL;
}

/* Events of IMC catalogs. The kernel has the same events, but without descriptions. */
const struct um_name_source um_imc_source = { each, find, NULL };
