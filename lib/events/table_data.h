/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data files of the event tables, for the index of them (tables.c). */
#ifndef UM_TABLE_DATA_H
#define UM_TABLE_DATA_H

#include "events/table.h"

extern const struct um_event_data um_events_nehalem;
extern const struct um_event_data um_events_client_cbo, um_events_client_arb,
	um_events_client_hac_cbo, um_events_client_hac_arb, um_events_client_clock;
extern const struct um_event_data um_events_ex_bbox, um_events_ex_cbox, um_events_ex_mbox,
	um_events_ex_rbox, um_events_ex_sbox, um_events_ex_ubox, um_events_ex_wbox;
extern const struct um_event_data um_events_core;

/* Which tables a row belongs to, for struct um_event_table.on; the data files say it per row. */
enum { UM_ON_NEHALEM = 1, UM_ON_WESTMERE = 2 };
enum { UM_ON_NEHALEM_EX = 1, UM_ON_WESTMERE_EX = 2 };
enum {
	UM_ON_SNB = 1, UM_ON_IVB = 2, UM_ON_HSW = 4, UM_ON_BDW = 8, UM_ON_SKL = 16, UM_ON_ICL = 32,
	UM_ON_RKL = 64, UM_ON_TGL = 128, UM_ON_ADL = 256, UM_ON_MTL = 512, UM_ON_ARL = 1024,
};

#endif
