/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The keys of a description (uncoremsr-sim(5)). Each file keys_*.c has a table of keys, which keys.c searches. */
#ifndef UM_SIM_KEYS_H
#define UM_SIM_KEYS_H

#include "common/array.h"
#include "sim/machine.h"
#include "sim/parse.h"

/* Parse @value, which is overwritten, and store the result. 0; -EINVAL, with the message in s->error; -ENOMEM. */
typedef int um_sim_setter(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value);

/* A key. @set stores its value, or @items say how: in a new row of a list, or in the machine (or its kernel). */
struct um_sim_key {
	const char *name, *form;
	um_sim_setter *set;
	const struct um_sim_item *items;
	size_t num_items;
	bool of_kernel;                /* the list or the member belongs to the machine's kernel */
	/* Only if the key has a list: */
	size_t size;                   /* size of a row; 0: the key has no list */
	size_t list, num;              /* offsets of the pointer to the rows and of their number */
	const void *usual;             /* what a row contains before it is filled in; NULL: zeros */
	int words;                     /* the value must have at least this many words */
	int (*check)(struct uncoremsr_sim *sim, const struct um_sim_source *s, void *row); /* NULL: no check */
};

/* UM_SIM_AT: offset of @member in struct um_sim_@type. UM_SIM_COPY: an item that is copied into a char array. */
#define UM_SIM_AT(type, member) offsetof(struct um_sim_##type, member)
#define UM_SIM_COPY(name, kind, type, member) \
	{ name, kind, UM_SIM_AT(type, member), 0, sizeof(((struct um_sim_##type *)0)->member), NULL }
/* A key with a list: rows of struct um_sim_@type in member @rows of struct @owner. More initializers may follow. */
#define UM_SIM_ROWS(key, the_form, owner, rows, type, the_items, min, ...) { .name = key, .form = the_form, \
	.items = the_items, .num_items = ARRAY_SIZE(the_items), .size = sizeof(struct um_sim_##type), \
	.list = offsetof(struct owner, rows), .num = offsetof(struct owner, num_##rows), .words = min, __VA_ARGS__ }

/* The tables, each ended by a row without a name. */
extern const struct um_sim_key um_sim_kernel_keys[], um_sim_trouble_keys[], um_sim_workload_keys[], um_sim_imc_keys[];

/* keys_imc.c: set the key rate= of a POWER machine. */
int um_sim_set_imc_rate(struct uncoremsr_sim *sim, const struct um_sim_source *s, const char *name, uint64_t rate);
/* Set the key s->key to @value; the text @value is modified. 0; -EINVAL; -ENOMEM. */
int um_sim_set_key(struct uncoremsr_sim *sim, struct um_sim_source *s, char *value) UM_MUST_CHECK;

#endif
