/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Texts and families of a table file. Included by it after it has defined
 *   NOTES(NOTE)  a list of NOTE(name, text), NOTE(NONE, "") first
 *   TEXTS(TEXT)  a list of TEXT(family, unit, kind, note, description)
 * which become FAMILY_<family>, one block of text and an array of families: what refers to a text
 * is an offset, which needs no relocation.
 */
#ifndef UM_EVENT_TABLE_TEXTS_H
#define UM_EVENT_TABLE_TEXTS_H

#define NOTE_MEMBER(name, text) char note_##name[sizeof(text)];
#define TEXT_MEMBER(name, unit, kind, note, text) char name[sizeof(text)];
struct texts {
	NOTES(NOTE_MEMBER)
	TEXTS(TEXT_MEMBER)
};

#define NOTE_BYTES(name, text) text,
#define TEXT_BYTES(name, unit, kind, note, text) text,
static const struct texts texts = { NOTES(NOTE_BYTES) TEXTS(TEXT_BYTES) };
_Static_assert(sizeof(texts) <= UINT16_MAX, "offsets of texts have 16 bits");

#define FAMILY(name, unit, kind, note, text) FAMILY_##name,
enum { TEXTS(FAMILY) };

#define FAMILY_ROW(name, unit, kind, note, text) \
	{ UM_UNIT_##unit, UM_KIND_##kind, offsetof(struct texts, name), \
	  offsetof(struct texts, note_##note) },
static const struct um_event_family families[] = { TEXTS(FAMILY_ROW) };

/* The data of a table without disputes. */
#define TABLE_DATA(array) { \
	.rows = array, .num_rows = ARRAY_SIZE(array), .families = families, \
	.texts = (const char *)&texts }

#endif
