/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lists of field_lists.h, one after the other, each ended by a field without a name. */
#include "uarch/fields.h"

#define FIELD_LIST(list, ...) __VA_ARGS__, { .name = "" },
static const struct um_field all[] = {
	[um_no_fields] = { .name = "" },
#include "uarch/field_lists.h"
};

const struct um_field *um_reg_fields(const struct um_reg *reg)
{
	return &all[reg->fields];
}
