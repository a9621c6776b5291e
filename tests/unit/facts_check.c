/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares the event tables with independent lists that were made from the same sources: for each line of a list, the
 * tables must have an event under the names that the manual, likwid and libpfm4 use, with the same codes. Prints TAP.
 *
 * The lists are not part of the project; UNCOREMSR_FACTS names their folder.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include "facts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/names.h"

enum column {
	NAME, EVENT, UMASK, EXTRA, COUNTERS, KIND, SOURCES, NOTE, UNIT, PFM4, LIKWID, COLUMNS
};

struct check {
	const char *sentence;
	const char *(*fn)(const struct um_event_table *t, char *const col[COLUMNS]);
};

static const struct um_event_row *find(const struct um_event_table *t, const char *name)
{
	return um_event_find(t, name, strlen(name));
}

static const char *same_codes(const struct um_event_table *t, char *const col[COLUMNS], const char *name)
{
	const struct um_event_row *row = find(t, name);

	if (!row)
		return "is not found";
	if (row->event != strtoul(col[EVENT], NULL, 0) || row->umask != strtoul(col[UMASK], NULL, 0))
		return "has other codes";
	return strcmp(row->name, col[NAME]) == 0 ? NULL : "leads to another name";
}

static const char *check_name(const struct um_event_table *t, char *const col[COLUMNS])
{
	return same_codes(t, col, col[NAME]);
}

static const char *check_pfm4(const struct um_event_table *t, char *const col[COLUMNS])
{
	return strcmp(col[PFM4], "-") == 0 ? NULL : same_codes(t, col, col[PFM4]);
}

/* Check likwid's name, or each of the names that "..._{AND,OR}_IOH" stands for. */
static const char *check_likwid(const struct um_event_table *t, char *const col[COLUMNS])
{
	const char *open = strchr(col[LIKWID], '{'), *close = strchr(col[LIKWID], '}');
	char name[256];

	if (strcmp(col[LIKWID], "-") == 0)
		return NULL;
	if (!open || !close)
		return same_codes(t, col, col[LIKWID]);
	for (const char *word = open + 1; word < close;) {
		int len = (int)strcspn(word, ",}");
		const char *wrong;

		snprintf(name, sizeof(name), "%.*s%.*s%s", (int)(open - col[LIKWID]), col[LIKWID],
			 len, word, close + 1);
		wrong = same_codes(t, col, name);
		if (wrong)
			return wrong;
		word += len + 1;
	}
	return NULL;
}

static const char *same_spelling(const struct um_event_table *t, const char *name,
				 enum um_source who, const char *theirs)
{
	const struct um_event_row *row = find(t, name);
	char buf[UM_EVENT_FOLDED];
	int len = row ? um_event_spell(row, who, buf) : -EINVAL;

	/*
	 * If the list has no name ("-") or a combined name like "A_{B,C}_D" for an event, the tables must have no name.
	 */
	if (strcmp(theirs, "-") == 0 || strchr(theirs, '{'))
		return len == -ENOENT ? NULL : "has a name here, but not in the list";
	return len > 0 && strcmp(buf, theirs) == 0 ? NULL : "has another name in the list";
}

static const char *check_spelling(const struct um_event_table *t, char *const col[COLUMNS])
{
	const char *wrong = same_spelling(t, col[NAME], UM_LIBPFM4, col[PFM4]);

	return wrong ? wrong : same_spelling(t, col[NAME], UM_LIKWID, col[LIKWID]);
}

static const char *check_meaning(const struct um_event_table *t, char *const col[COLUMNS])
{
	const struct um_event_row *row = find(t, col[NAME]);

	if (!row)
		return "is not found";
	if (strcmp(um_event_texts + row->kind, col[KIND]) != 0)
		return "is of another kind";
	return strcmp(um_event_texts + row->unit, col[UNIT]) == 0
		       ? NULL : "is in another unit";
}

static const char *check_extra(const struct um_event_table *t, char *const col[COLUMNS])
{
	const struct um_event_row *row = find(t, col[NAME]);
	unsigned msr = 0, value = 0;

	sscanf(col[EXTRA], "msr %x=%x", &msr, &value); /* the format %x also matches the f of "filter" */
	if (strstr(col[EXTRA], "=filter"))
		value = 0;
	return row && row->extra_msr == msr && row->extra_value == value
		       ? NULL : "needs another second register";
}

static unsigned source_bits(const char *text)
{
	static const struct {
		const char *word;
		unsigned bit;
	} words[] = {
		{ "sdm", UM_SDM }, { "fbsd", UM_FREEBSD }, { "pfm4", UM_LIBPFM4 },
		{ "likwid", UM_LIKWID }, { "kernel", UM_KERNEL }, { "pcm", UM_PCM },
	};
	unsigned bits = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(text, words[i].word))
			bits |= words[i].bit;
	return bits;
}

static const char *check_sources(const struct um_event_table *t, char *const col[COLUMNS])
{
	const struct um_event_row *row = find(t, col[NAME]);

	return row && um_event_sources(t, row) == source_bits(col[SOURCES])
		       ? NULL : "has other sources";
}

/*
 * If sources differ, the list has a note like "DISAGREE: kernel has 0x2c/0x0f". The tables must have the same codes for
 * that source.
 */
static const char *check_disputes(const struct um_event_table *t, char *const col[COLUMNS])
{
	const struct um_event_row *row = find(t, col[NAME]);
	const struct um_event_dispute *d = row ? um_event_dispute(t, row) : NULL;
	const char *text = strstr(col[NOTE], "DISAGREE: ");
	unsigned event, umask;
	char who[16];

	if (!text)
		return d ? "is disputed here, but not in the list" : NULL;
	if (sscanf(text, "DISAGREE: %15s has %x/%x", who, &event, &umask) != 3 || !d)
		return "is disputed in the list, but not here";
	return d->who == source_bits(who) && d->their_event == event &&
	       d->their_umask == umask ? NULL : "has another dispute in the list";
}

static const struct check checks[] = {
	{ "is found under the manual's name", check_name },
	{ "is found under libpfm4's name", check_pfm4 },
	{ "is found under likwid's name", check_likwid },
	{ "is spelled as libpfm4 and likwid spell it", check_spelling },
	{ "is of the same kind and unit", check_meaning },
	{ "needs the same second register", check_extra },
	{ "has the same sources", check_sources },
	{ "is disputed by the same sources", check_disputes },
};

bool facts_line(FILE *file, char *col[MOST_COLUMNS])
{
	static char line[2048];

	do
		if (!fgets(line, sizeof(line), file))
			return false;
	while (*line == '#');
	line[strcspn(line, "\n")] = '\0';
	for (char **c = col, *rest = line; c < col + MOST_COLUMNS; c++)
		*c = rest ? strsep(&rest, "\t") : NULL;
	return true;
}

FILE *facts_open(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/events-%s-uncore.tsv", folder, name);
	return fopen(path, "r");
}

unsigned facts_result(bool wrong, unsigned *test, const FILE *file, const char *name, const char *sentence)
{
	printf("%sok %u - every line of the %s list %s%s\n", wrong ? "not " : "", ++*test, name, sentence,
	       file ? "" : " # SKIP no list");
	return wrong;
}

static unsigned walk(FILE *file, const struct um_event_table *t, const struct check *c, size_t *num)
{
	char *col[MOST_COLUMNS];
	unsigned wrong = 0;

	rewind(file);
	for (*num = 0; facts_line(file, col); ++*num) {
		const char *why = col[COLUMNS - 1] ? c->fn(t, col) : "has too few columns";

		if (why)
			printf("# %s %s\n", col[NAME], why);
		wrong += why != NULL;
	}
	return wrong;
}

static size_t rows_of(const struct um_event_table *t)
{
	const struct um_event_row *row = NULL;
	size_t num = 0;

	while ((row = um_event_next(t, row)))
		num++;
	return num;
}

static unsigned check_table(const char *folder, const struct um_event_table *t, unsigned *test)
{
	FILE *file = facts_open(folder, t->uarch);
	unsigned failed = 0;
	size_t lines = 0;

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		failed += facts_result(file && walk(file, t, &checks[i], &lines), test, file, t->uarch,
				       checks[i].sentence);
	failed += facts_result(file && lines != rows_of(t), test, file, t->uarch, "is for one event, no event is left");
	if (file)
		fclose(file);
	return failed;
}

int main(void)
{
	const char *folder = getenv("UNCOREMSR_FACTS");
	unsigned test = 0, failed = 0;

	if (!folder)
		folder = "../shared/facts";
	/* check_boxes() reads the lists of all other PMUs, whose columns are different. */
	for (size_t i = 0; i < um_num_event_tables; i++)
		if (strcmp(um_event_tables[i].pmu, "uncore") == 0)
			failed += check_table(folder, &um_event_tables[i], &test);
	failed += check_boxes(folder, &test);
	printf("1..%u\n", test);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
