/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between list.c (files, names) and list_terms.c (one entry's fields become terms). */
#ifndef UM_PERF_LIST_TERMS_H
#define UM_PERF_LIST_TERMS_H

enum { UM_LIST_TEXT = 256 };

/* How the fields of an entry are had: NULL when there is no such field. */
struct um_list_fields {
	const char *(*get)(const void *entry, const char *field);
	const void *entry;
};

struct um_list_terms {
	char pmu[64], terms[UM_LIST_TEXT], occ_terms[UM_LIST_TEXT];
	const char *impossible;
};

void um_list_convert(struct um_list_terms *t, const struct um_list_fields *f);

#endif
