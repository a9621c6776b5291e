/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The source of the names of metrics: first those of our tables, then those of files among the event lists. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/error.h"
#include "names/json_list.h"
#include "names/json_list_file.h"
#include "metrics/metrics.h"

bool um_metric_is_on(const struct um_metric *m, const char *uarch)
{
	if (m->ours->on == UM_EVERY_PROCESSOR)
		return true;
	for (size_t i = 0; uarch && *um_metric_processors[i]; i++)
		if (strcmp(um_metric_processors[i], uarch) == 0)
			return m->ours->on >> i & 1;
	return false;
}

static void fill(void *records, const void *of)
{
	struct um_metric *m = records;

	for (const struct um_metric_row *row = of; row < um_metrics + um_num_metrics; row++, m++) {
		struct uncoremsr_event *pub = &m->base.pub;

		um_name_make(&m->base, UM_FROM_METRIC, row->name);
		pub->description = row->title;
		pub->measure = row->unit;
		pub->note = row->note;
		pub->formula = row->formula;
		pub->formula_from = row->sources;
		/* A share may be slightly below 0, because its counters are read one after the other. */
		pub->low = strcmp(row->unit, "%") ? 0 : -2;
		pub->high = row->high;
		m->factor = 1;
		m->trait = row->trait;
		m->ours = row;
	}
}

const struct um_metric *um_metric_of_tables(struct um_names *n, size_t index)
{
	const struct um_metric *all = um_records(n, um_metrics, um_num_metrics, sizeof(*all), fill, NULL);

	return all && index < um_num_metrics ? &all[index] : NULL;
}

/* ---- metrics of files ---- */

void um_metric_file_free(struct um_metric_file *file)
{
	struct um_metric *metrics = file ? file->metrics : NULL;

	for (size_t i = 0; file && i < file->num; i++) {
		free((char *)metrics[i].base.pub.name);
		free((char *)metrics[i].base.pub.description);
		free((char *)metrics[i].base.pub.measure);
		free((char *)metrics[i].base.pub.formula);
		free((char *)metrics[i].base.pub.formula_from);
	}
	free(file);
}

/* Hide metrics whose name an earlier file has: the vendor publishes the same metrics in two forms. */
static void hide_again(const struct um_json_lists *lists, struct um_metric_file *theirs)
{
	for (size_t k = 0; lists->files[k].published != theirs; k++) {
		const struct um_metric_file *earlier = lists->files[k].published;

		for (size_t i = 0; earlier && i < theirs->num; i++)
			for (size_t n = 0; n < earlier->num && !theirs->metrics[i].hidden; n++)
				theirs->metrics[i].hidden = !strcasecmp(theirs->metrics[i].base.pub.name,
									earlier->metrics[n].base.pub.name);
	}
}

int um_metrics_read(struct um_json_lists *lists, struct um_error *e)
{
	int err = 0;

	for (size_t i = 0; lists && i < lists->num_files && !err; i++) {
		struct um_json_file *file = &lists->files[i];

		err = file->metrics && !file->published ? lists->reader->metrics(file, e) : 0;
		if (err || !file->published || file->published->compared)
			continue;
		hide_again(lists, file->published);
		file->published->compared = true;
	}
	return err;
}

/* ---- the source ---- */

static int each_published(const struct um_metric_file *file,
			  int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	int err = 0;

	for (size_t i = 0; file && i < file->num && !err; i++)
		if (!file->metrics[i].hidden)
			err = fn(user, &file->metrics[i].base.pub);
	return err;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_metric *ours;
	struct um_json_lists *lists = l->names->lists;
	struct um_error ignored;
	int err = 0;

	for (size_t i = 0; !err && (ours = um_metric_of_tables(l->names, i)); i++)
		if (um_metric_is_on(ours, um_lookup_uarch(l)))
			err = fn(user, &ours->base.pub);
	/* Errors are ignored here: callers that list metrics read the files first, and report the error. */
	if (um_metrics_read(lists, &ignored) == -ENOMEM)
		return -ENOMEM;
	for (size_t i = 0; !err && lists && i < lists->num_files; i++)
		err = each_published(lists->files[i].published, fn, user);
	return err;
}

static const struct um_name_source metric_source = { each, NULL, NULL };

const struct um_metric_names um_metric_names = { &metric_source, um_list_reader_find, um_metric_file_free };
