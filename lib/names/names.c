/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/names.h"
#include "names/synonyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct folded {
	char *text;
	size_t len;
	bool full;
};

static void put(struct folded *f, char c)
{
	if (f->len + 1 >= UM_EVENT_FOLDED)
		f->full = true;
	else
		f->text[f->len++] = c;
}

/* Replace the word LLC, which libpfm4 uses, by L3. */
static void end_word(struct folded *f)
{
	bool starts = f->len == 3 || (f->len > 3 && f->text[f->len - 4] == '_');

	if (starts && memcmp(f->text + f->len - 3, "LLC", 3) == 0) {
		f->text[f->len - 2] = '3';
		f->len--;
	}
}

static void fold_words(struct folded *f, const char *text, size_t len)
{
	for (size_t i = 0; i < len && !f->full; i++) {
		char c = um_name_letter(text[i]);

		f->full |= (unsigned char)c < ' ';
		if (c == '_' || c == '*' || c == '[')
			end_word(f);
		put(f, c);
	}
	end_word(f);
}

size_t um_name_fold_letters(const char *text, size_t len, char out[UM_EVENT_FOLDED])
{
	const size_t prefix = strlen("wsm_unc::");
	struct folded f = { .text = out };

	if (len >= prefix && (!strncasecmp(text, "wsm_unc::", prefix) || !strncasecmp(text, "nhm_unc::", prefix))) {
		text += prefix;
		len -= prefix;
	}
	if (len < 3 || strncasecmp(text, "UNC", 3) != 0)
		fold_words(&f, "UNC_", 4);
	fold_words(&f, text, len);
	if (!len || f.full)
		return 0;
	out[f.len] = '\0';
	return f.len;
}

size_t um_name_fold(const char *text, size_t len, char out[UM_EVENT_FOLDED])
{
	size_t folded = um_name_fold_letters(text, len, out);

	UM_EACH_SYNONYM(w, UM_BEGINNING) {
		size_t n = strlen(w->theirs), m = strlen(w->ours);

		if (!folded || strncmp(out, w->theirs, n) != 0 || (out[n] && out[n] != '_'))
			continue;
		if (folded - n + m >= UM_EVENT_FOLDED)
			return 0;
		memmove(out + m, out + n, folded - n + 1);
		memcpy(out, w->ours, m);
		return folded - n + m;
	}
	return folded;
}

/* A search folds the names of many rows. Most need only upper case, and perhaps the prefix UNC_. */
void um_name_fold_row(const char *name, char out[UM_EVENT_FOLDED])
{
	if (strstr(name, "LLC") || memcmp(name, "UNCO", 4) == 0) {
		um_name_fold(name, strlen(name), out);
		return;
	}
	if (memcmp(name, "UNC", 3) != 0)
		out = mempcpy(out, "UNC_", 4);
	for (const char *at = name; *at; at++)
		*out++ = um_name_letter(*at);
	*out = '\0';
}

static int compare_folded(const void *folded, const void *row)
{
	char name[UM_EVENT_FOLDED];

	um_name_fold_row(((const struct um_event_row *)row)->name, name);
	return strcmp(folded, name);
}

const struct um_event_row *um_event_find(const struct um_event_table *t, const char *text, size_t len)
{
	const struct um_event_row *row, *end = t->rows + t->num_rows;
	char name[UM_EVENT_FOLDED];

	if (!um_name_fold(text, len, name))
		return NULL;
	row = bsearch(name, t->rows, t->num_rows, sizeof(*row), compare_folded);
	/* Rows of different processors may have the same name with different codes. */
	while (row && row > t->rows && compare_folded(name, row - 1) == 0)
		row--;
	for (; row && row < end && compare_folded(name, row) == 0; row++)
		if (row->on & t->on)
			return row;
	return NULL;
}

/* libpfm4's spelling: ':' before the unit mask, '_' inside it; LLC for L3, except in names without unit mask. */
static void put_libpfm4(struct folded *f, const char *name, bool in_umask)
{
	bool has_umask = in_umask || strchr(name, '.');

	for (; *name; name++) {
		if (has_umask && strncmp(name, "L3", 2) == 0) {
			put(f, 'L');
			put(f, 'L');
			put(f, 'C');
			name++;
		} else if (*name == '.') {
			put(f, in_umask ? '_' : ':');
			in_umask = true;
		} else {
			put(f, *name);
		}
	}
}

int um_event_spell(const struct um_event_row *row, enum um_source who, char out[UM_EVENT_FOLDED])
{
	struct folded f = { .text = out };
	const char *name = row->name, *theirs = "";

	/* If an event exists once per port, other tools have a name for each port, so no single name is right. */
	if (!(row->sources & (unsigned)who) || row->ports)
		return -ENOENT;
	UM_EACH_SYNONYM(w, UM_SPELLING) {
		size_t n = strlen(w->ours);

		if (strcmp(w->on, um_source_word(who)) != 0 || strncmp(name, w->ours, n) != 0)
			continue;
		theirs = w->theirs;
		name += n;
		break;
	}
	if (*theirs == '?')
		return -ENOENT;
	for (const char *at = theirs; *at; at++)
		put(&f, *at);
	if (who == UM_LIBPFM4)
		put_libpfm4(&f, name, *theirs != '\0');
	else
		for (; *name; name++)
			put(&f, *name == '.' && who == UM_LIKWID ? '_' : *name);
	out[f.len] = '\0';
	return (int)f.len;
}
