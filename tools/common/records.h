/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records: a tool describes its columns once, as an array of struct record_column, from which every output format is
 * made. A format is a file (records_json.c, records_csv.c, records_text.c) that defines a struct record_format.
 *
 * A program's output is rows of columns (record_row()), or one tree of named values
 * (record_begin() to record_end()): in JSON an object on one line, in CSV lines "field,value" with
 * the names joined by dots (packages.0.cpu).
 */
#ifndef TOOL_RECORDS_H
#define TOOL_RECORDS_H

#include "common/output.h"

struct records;

enum record_type {
	RECORD_STR,    /* text */
	RECORD_INT,    /* number; without quotes in JSON */
	RECORD_COUNT,  /* count; in JSON a string of decimal digits, because many readers convert numbers to doubles */
	RECORD_WORD,   /* count, printed as "0x..." */
	RECORD_FIXED,  /* count in units of 10^-digits, such as nanoseconds, which are seconds with 9 digits */
	RECORD_REAL,   /* real, with v->digits decimals or with RECORD_MEASURED */
	RECORD_BOOL,   /* truth value */
	RECORD_TIME,   /* count: Unix time in ns, written as RFC 3339 in UTC with v->digits decimals */
	RECORD_NESTED, /* a list or an object, which put() writes */
	RECORD_BITS,   /* unsigned number, written as a list with a word for each bit that is set; not in a template */
	RECORD_LIST,   /* pointers to structs with the columns RECORD_OF(), ending with NULL; not in a template */
};

/* In place of a number of decimals: about twelve significant digits, enough for a measured value. */
#define RECORD_MEASURED UINT32_MAX

/* Values that are not known are null in JSON and empty in CSV. */
enum record_state {
	RECORD_UNKNOWN, /* printed as "unknown" in text */
	RECORD_KNOWN,
	RECORD_NONE,    /* does not apply; printed as "-" in text */
	RECORD_IS_REAL, /* known, but in this row the value is v->real, whatever the column's type */
};

struct record_value {
	union {
		const char *text;
		int64_t number;
		uint64_t count;
		double real;
		bool truth;
	};
	uint32_t digits;
	struct out *scratch; /* an empty buffer to compose a text in, see record_composed() */
	const struct record_column *column; /* the column whose value get() is to return */
};

struct record_column {
	const char *name; /* name of the column; in the text format its heading */
	enum record_type type;
	/* Get the column's value for @row. NULL: the value is the member of the row that RECORD_AT() names. */
	enum record_state (*get)(const void *row, struct record_value *v);
	/* A number, such as an index, that get() reads from v->column. */
	int what;
	/* The value never or rarely changes, so only record_prepare() reads it. */
	bool constant;
	/* A number that is the same in all rows of an interval, so record_write() formats it only in the first one. */
	bool common;
	/* Text only: write large numbers with groups of three digits, "1,234,567". */
	bool grouped;
	/* Is the column written at all? @user is w->user. NULL: always. */
	bool (*shown)(const void *user);
	/*
	 * Write a RECORD_NESTED: call record_open_list(w, name) or record_open(w, name), add values, call
	 * record_close().
	 */
	void (*put)(struct records *w, const char *name, const void *row);
	const char *join; /* separator of the values of a list, for formats without lists; NULL: "; " */
	/* Text format: the minimum width (negative for flush left), or a function that returns it. */
	int width;
	int (*measure)(const void *user);
	/* See RECORD_AT(). */
	size_t at, size;
	unsigned decimals;        /* number of decimals, if FIXED, TIME or REAL; for REAL, 0 means RECORD_MEASURED */
	bool all_ones;            /* UINT64_MAX is a known value of this column */
	const char *const *words; /* a RECORD_STR whose member is an enum: the text of each value */
	const char *(*word)(unsigned bit); /* RECORD_BITS: returns the word for a bit */
	const struct record_column *of; /* RECORD_LIST: columns of each struct, see RECORD_OF() */
	size_t num_of;
};

/*
 * The value of a column is this member of a struct @row: a text, an int, a number of 32 or 64 bits, a bool, a double.
 * The value is unknown if the member is NULL, a negative int, UINT64_MAX, NAN or infinity, as in the library's structs.
 */
#define RECORD_AT(row, member) \
	.at = offsetof(struct row, member), .size = sizeof(((struct row *)NULL)->member)
/* A table of columns and its length, as two arguments or initialisers. */
#define RECORD_COLUMNS(columns) columns, ARRAY_SIZE(columns)
/* The columns of the structs in a RECORD_LIST. */
#define RECORD_OF(columns) .of = columns, .num_of = ARRAY_SIZE(columns)

/* A record format. Each function appends to w->out. */
struct record_format {
	const char *name;   /* argument of --format */
	bool for_people;    /* for people: the tool may write sentences and tables beside records */
	bool nests;         /* a row can contain lists and objects */
	/* Write what precedes the first row of a kind. */
	void (*head)(struct records *w, const struct record_column *columns, size_t num);
	/* Begin and end a row, or a tree. */
	void (*begin)(struct records *w);
	void (*end)(struct records *w);
	/* Write what precedes a value: separator and name. @name is NULL in a list. */
	void (*label)(struct records *w, const char *name);
	/* Write a known RECORD_STR. Values of other types differ between formats only in their quotes. */
	void (*text)(struct records *w, const char *text);
	unsigned quoted;     /* bit mask (1 << type) of the types that stand in quotes */
	const char *unknown, *none; /* texts for a value that is unknown, and for one that does not apply */
	/* Write what follows a value that began at @start; @c is NULL within a tree. This function may be NULL. */
	void (*done)(struct records *w, const struct record_column *c, size_t start);
	void (*open)(struct records *w, const char *name, bool list);
	void (*close)(struct records *w);
};

extern const struct record_format record_text, record_csv, record_json;

#define RECORD_DEPTH 8
#define RECORD_PIECES 32
/* Size of the buffer for a quoted number: whole blocks, because record_write() copies blocks. */
#define RECORD_NUMBER 64

struct records {
	struct out *out;
	const struct record_format *format;
	const void *user;
	char separator;       /* CSV: character between columns */
	const char *line_end; /* text: the end of each line */
	size_t lines;         /* text: number of lines that were written */
	bool tree;
	const char *join;     /* formats without lists: separator of nested values, which @cell collects as one text */
	struct out scratch, cell, *row_out;
	struct {
		char text[RECORD_NUMBER];
		size_t len;
	} common[RECORD_PIECES]; /* the first @num_common common cells, formatted, in the order of their columns */
	size_t num_common;
	int depth;
	struct {
		const char *name; /* NULL: an element of a list */
		bool list;
		size_t num;       /* number of values in the list or object so far */
	} level[RECORD_DEPTH];
};

void records_init(struct records *w, const struct tool_common *common, struct out *out,
		  const void *user);
void records_free(struct records *w);
static inline bool records_for_people(const struct records *w)
{
	return w->format->for_people;
}

/* ---- rows ---- */

static inline bool record_shown(const struct records *w, const struct record_column *c)
{
	return !c->shown || c->shown(w->user);
}
void record_head(struct records *w, const struct record_column *columns, size_t num);
void record_row(struct records *w, const struct record_column *columns, size_t num,
		const void *row);
/* Write one value in the format, without name and separators. */
void record_cell(struct records *w, const struct record_column *column, const void *row);
/* The return value of a getter that has composed its text in v->scratch. */
enum record_state record_composed(struct record_value *v);

/* Values for get() to return. A text of NULL, or a negative number, does not apply (RECORD_NONE). */
static inline enum record_state value_text(struct record_value *v, const char *text)
{
	v->text = text;
	return text ? RECORD_KNOWN : RECORD_NONE;
}
static inline enum record_state value_number(struct record_value *v, int64_t number)
{
	v->number = number;
	return number < 0 ? RECORD_NONE : RECORD_KNOWN;
}
/* For columns of type RECORD_FIXED and RECORD_TIME. */
static inline enum record_state value_fixed(struct record_value *v, uint64_t count, uint32_t digits)
{
	v->count = count;
	v->digits = digits;
	return RECORD_KNOWN;
}
/* Return a text that is valid only during get(); it is copied. */
static inline enum record_state value_copy(struct record_value *v, const char *text)
{
	out_str(v->scratch, text);
	return record_composed(v);
}
/* Text: end a line and remove blanks at its end. */
void record_end_line(struct records *w);

/*
 * A template for a row that is written again and again. Its constant parts are formatted once, and the values are
 * inserted each time.
 */
struct record_template {
	struct out text; /* all constant parts, one after the other, processed by out_tame() */
	struct out *out; /* the original w->out, while the template is made and w->out is @text */
	size_t num;
	struct record_piece {
		uint32_t len;        /* length of the constant part */
		bool number;         /* the value after the constant part is a number, and not common */
		const struct record_column *column; /* column whose value follows the constant part; NULL: none */
	} pieces[RECORD_PIECES];
};

/*
 * Make a template: call record_template_begin(); write constant text to w->out, with a call of record_template_value()
 * at each value of a column. @t is zeroed memory, or a template that is made again because a constant value has
 * changed. record_template_end() returns 0 or -ENOMEM.
 */
void record_template_begin(struct records *w, struct record_template *t);
void record_template_value(struct record_template *t, const struct record_column *column);
int record_template_end(struct records *w, struct record_template *t);
/* Make the template of a row as record_row() writes it, in a format for programs. 0 or -ENOMEM. */
int record_prepare(struct records *w, struct record_template *t,
		   const struct record_column *columns, size_t num, const void *row);
/* Call this before the rows of another interval: the values of common columns have changed. */
static inline void record_interval(struct records *w)
{
	w->num_common = 0;
}
void record_write(struct records *w, const struct record_template *t, const void *row);

/* ---- trees, and what is nested in a row ---- */

void record_begin(struct records *w);
void record_end(struct records *w);
void record_open_level(struct records *w, const char *name, bool list);
static inline void record_open(struct records *w, const char *name)
{
	record_open_level(w, name, false);
}
static inline void record_open_list(struct records *w, const char *name)
{
	record_open_level(w, name, true);
}
void record_close(struct records *w);

/* Write the values of @row, each with its name. */
void record_fields(struct records *w, const struct record_column *columns, size_t num, const void *row);
/* Write the values of @row as an object; @row NULL: unknown. */
void record_object(struct records *w, const char *name, const struct record_column *columns, size_t num,
		   const void *row);
/* Write an object for each of the @rows, an array of pointers that ends with NULL; @rows NULL: an empty list. */
void record_objects(struct records *w, const char *name, const struct record_column *columns, size_t num,
		    const void *rows);

/* Add a value; @name is NULL inside a list. NULL, or a negative number or truth value, means unknown. */
void record_str(struct records *w, const char *name, const char *text);
void record_int(struct records *w, const char *name, int64_t v);
void record_bool(struct records *w, const char *name, int v);
void record_word(struct records *w, const char *name, uint64_t v);
/* Add a list of texts, which ends with NULL; @texts NULL: an empty list. */
static inline void record_strs(struct records *w, const char *name, const char *const *texts)
{
	record_open_list(w, name);
	for (; texts && *texts; texts++)
		record_str(w, NULL, *texts);
	record_close(w);
}
/* record_compose() returns an empty buffer to compose a text in; record_composed_str() adds that text. */
struct out *record_compose(struct records *w);
void record_composed_str(struct records *w, const char *name);
/* Add a RECORD_INT, RECORD_COUNT or RECORD_WORD; UINT64_MAX means unknown. */
void record_if_known(struct records *w, const char *name, enum record_type type, uint64_t v);
/* Add a value of any other type; @v NULL: unknown. */
void record_value(struct records *w, const char *name, enum record_type type,
		  const struct record_value *v);

#endif
