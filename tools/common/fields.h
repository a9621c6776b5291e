/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees of named values by the names they had before they became part of common/records.h. */
#ifndef TOOL_FIELDS_H
#define TOOL_FIELDS_H

#include "common/records.h"

#define fields records
#define fields_begin(f, o, json) \
	(*(f) = (struct records){ .out = (o), .format = (json) ? &record_json : &record_csv }, \
	 record_begin(f))
#define fields_end record_end
#define fields_open record_open
#define fields_open_list record_open_list
#define fields_close record_close
#define fields_str record_str
#define fields_int record_int
#define fields_bool record_bool
#define fields_word record_word

#endif
