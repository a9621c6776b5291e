/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sources: RFC 2741 (AgentX), RFC 2578 and 2579, docs/monitoring/UNCOREMSR-MIB.txt, and net-snmp 5.9 (headers and
 * behaviour). An index string of more than 113 bytes crashes net-snmp, so our indexes are numbers. net-snmp may wait
 * for the daemon for seconds, so it runs in a process of its own.
 */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>
#include <net-snmp/agent/agent_callbacks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/pmu_table.h"
#include "agent/program.h"
#include "agent/row_numbers.h"
#include "common/array.h"
#include "common/digits.h"
#include "common/wait.h"

enum { PING_S = 3, MOST_TRAPS = 64, MOST_TEXT = 255, DATE_SIZE = 11 };

/* PMU is pmuTable. Its cells are the counts of the SERIES rows with the same core group. */
enum table { SERIES, THROTTLE, METRIC, PMU, TABLES };

struct row {
	const struct snmp *of;
	enum table table;
	struct series_labels labels; /* texts of @labels, @unit and @status are in snmp.texts, or constant */
	const char *unit, *status;
	char group[MOST_TEXT + 1];
	bool known, timed, said; /* values known; time of throttling known; row found in this interval */
	bool in_pmu;             /* the core group has a row in pmuTable */
	struct series_total total;
	struct series_total now; /* sum in this interval so far: the cores of a group can be on several packages */
	unsigned char since[DATE_SIZE]; /* DateAndTime */
	struct series_throttling throttling;
	char value[DIGITS_ROOM];
	netsnmp_tdata_row *served;
};

struct trap {
	bool began;
	uint32_t row;
	int package;
	char cause[64];
};

struct snmp {
	const struct shared *shared;
	const struct agent_snmp *set;
	struct shared_interval interval; /* the interval that was read last; zeros: none yet */
	char *texts;          /* rows of @interval, as bytes */
	uint64_t num_changes; /* number of the last change that became a trap */
	struct rows numbers;
	struct row **rows;    /* row number N is element N - 1; NULL if the row is not counted now */
	size_t num_rows;
	netsnmp_tdata *tables[TABLES]; /* NULL: not served */
	struct trap traps[MOST_TRAPS]; /* traps to send when a daemon is connected */
	size_t num_traps;
	bool connected, away_told;
};

/* ---- columns ---- */

static void put_text(netsnmp_variable_list *v, const char *text)
{
	text = text ? text : "";
	snmp_set_var_typed_value(v, ASN_OCTET_STR, text, strnlen(text, MOST_TEXT));
}

static void put_integer(netsnmp_variable_list *v, long number)
{
	snmp_set_var_typed_value(v, ASN_INTEGER, &number, sizeof(number));
}

static void put_count(netsnmp_variable_list *v, uint64_t count)
{
	struct counter64 c = { .high = count >> 32, .low = count & UINT32_MAX };

	snmp_set_var_typed_value(v, ASN_COUNTER64, &c, sizeof(c));
}

enum { MOST_COLUMNS = 10, FIRST_COLUMN = 2 };

#define FIELD(name) offsetof(struct row, name)
static const struct {
	const char *name;
	unsigned last; /* number of the table's last column */
	struct column {
		enum { TEXTS, CHARS, DATE, INTEGER, TRUTH, COUNT } type; /* TEXTS: const char *; CHARS: array of char */
		size_t at;       /* offset of the cell's value in the row */
		size_t only_if;  /* offset of a bool that tells whether the cell exists; 0: it always does */
	} columns[MOST_COLUMNS - FIRST_COLUMN + 1];
} tables[TABLES] = {
	[SERIES] = { "series", 10, {
		{ CHARS, FIELD(group), 0 },
		{ TEXTS, FIELD(labels.event), 0 },
		{ TEXTS, FIELD(unit), 0 },
		{ TEXTS, FIELD(status), 0 },
		{ COUNT, FIELD(total.value), FIELD(known) },
		{ COUNT, FIELD(total.counted), FIELD(known) },
		{ COUNT, FIELD(total.enabled_ns), FIELD(known) },
		{ COUNT, FIELD(total.running_ns), FIELD(known) },
		{ DATE, FIELD(since), 0 },
	} },
	[THROTTLE] = { "throttle", 8, {
		{ INTEGER, FIELD(labels.package), 0 },
		{ INTEGER, FIELD(labels.core), 0 },
		{ TEXTS, FIELD(labels.cause), 0 },
		{ TEXTS, FIELD(status), 0 },
		{ TRUTH, FIELD(throttling.now), FIELD(known) },
		{ COUNT, FIELD(throttling.episodes), FIELD(known) },
		{ COUNT, FIELD(throttling.ns), FIELD(timed) },
	} },
	[METRIC] = { "metric", 6, {
		{ CHARS, FIELD(group), 0 },
		{ TEXTS, FIELD(labels.metric), 0 },
		{ TEXTS, FIELD(labels.measure), 0 },
		{ TEXTS, FIELD(status), 0 },
		{ CHARS, FIELD(value), FIELD(known) },
	} },
	[PMU] = { "pmu", PMU_EVENTS + PMU_FIRST_COLUMN - 1, { { 0 } } }, /* see put_pmu() */
};

/* Write a cell. False: the row has no such cell. */
static bool put(const struct row *row, unsigned number, netsnmp_variable_list *v)
{
	const struct column *c = &tables[row->table].columns[number - FIRST_COLUMN];
	const char *at = (const char *)row + c->at;

	switch (c->type) {
	case TEXTS:
		put_text(v, *(const char *const *)(const void *)at);
		break;
	case CHARS:
		put_text(v, at);
		break;
	case DATE:
		snmp_set_var_typed_value(v, ASN_OCTET_STR, at, sizeof(row->since));
		break;
	case INTEGER:
		put_integer(v, *(const int *)(const void *)at);
		break;
	case TRUTH:
		put_integer(v, *(const uint64_t *)(const void *)at ? 1 : 2);
		break;
	case COUNT:
		put_count(v, *(const uint64_t *)(const void *)at);
		break;
	}
	return !c->only_if || *((const bool *)row + c->only_if);
}

static bool put_pmu(const struct row *p, unsigned column, netsnmp_variable_list *v)
{
	bool known = column < PMU_FIRST_COLUMN;

	if (column == 1)
		put_integer(v, (long)p->served->oid_index.oids[0]);
	else if (column == 2)
		put_text(v, p->group);
	for (size_t i = 0; i < p->of->num_rows && column >= PMU_FIRST_COLUMN; i++) {
		const struct row *r = p->of->rows[i];

		if (!r || r->table != SERIES || !r->known || !r->labels.group || strcmp(r->group, p->group) != 0 ||
		    strcmp(r->labels.event, agent_pmu_events[column - PMU_FIRST_COLUMN].event) != 0)
			continue;
		put_count(v, r->total.value);
		known = true;
	}
	return known;
}

static int answer(netsnmp_mib_handler *handler, netsnmp_handler_registration *what,
		  netsnmp_agent_request_info *info, netsnmp_request_info *r)
{
	(void)handler, (void)what;
	for (; r; r = r->next) {
		const struct row *row = netsnmp_tdata_extract_entry(r);
		const netsnmp_table_request_info *cell = netsnmp_extract_table_info(r);

		if (!r->processed && !(row && cell && (row->table == PMU ? put_pmu : put)(row, cell->colnum, r->requestvb)))
			netsnmp_set_request_error(info, r, SNMP_NOSUCHINSTANCE);
	}
	return SNMP_ERR_NOERROR;
}

/* ---- rows ---- */

/* Write a Unix time as DateAndTime in UTC (offset +0:00). */
static void put_date(unsigned char date[DATE_SIZE], uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	size_t size = DATE_SIZE;
	struct tm t;

	gmtime_r(&seconds, &t);
	netsnmp_dateandtime_set_buf_from_vars(date, &size, (u_short)(t.tm_year + 1900), (u_char)(t.tm_mon + 1),
					      (u_char)t.tm_mday, (u_char)t.tm_hour, (u_char)t.tm_min,
					      (u_char)t.tm_sec, (u_char)(wall_ns / (NS_PER_S / 10) % 10), 1, 0, 0);
}

static struct row *new_row(struct snmp *s, enum table table, uint32_t number)
{
	struct row *r = calloc(1, sizeof(*r));
	netsnmp_tdata_row *served = r ? netsnmp_tdata_create_row() : NULL;
	u_long index = number;

	if (!served) {
		free(r);
		return NULL;
	}
	r->of = s;
	r->table = table;
	r->served = served;
	served->data = r;
	netsnmp_tdata_row_add_index(served, ASN_UNSIGNED, &index, sizeof(index));
	netsnmp_tdata_add_row(s->tables[table], served);
	put_date(r->since, s->interval.number ? s->interval.wall_ns : s->set->started_ns);
	return r;
}

static struct row *find(struct snmp *s, enum table table, const char *name)
{
	const uint32_t number = rows_number(&s->numbers, name);

	if (!number)
		return NULL;
	while (s->num_rows < number)
		if (ARRAY_APPEND(s->rows, s->num_rows, NULL))
			return NULL;
	if (!s->rows[number - 1])
		s->rows[number - 1] = new_row(s, table, number);
	return s->rows[number - 1];
}

enum { NAME = SERIES_NAME + 16 };

/* Write the name that identifies the row in the file of row numbers. Returns the row's table. */
static enum table put_row_name(char name[NAME], const struct series_labels *l)
{
	const enum table table = l->cause ? THROTTLE : l->event ? SERIES : METRIC;
	const int len = snprintf(name, NAME, "%s ", tables[table].name);

	if (l->cause)
		snprintf(name + len, SERIES_NAME, "package%d core%d %s", l->package, l->core, l->cause);
	else
		series_collectd_name(name + len, l, false);
	return table;
}

/* The row's group: its core group ("0-3"), else the part of collectd's name after the dash ("package0"), or "host". */
static void put_group(struct row *r, const char *name)
{
	const char *dash = strchr(name, '-'), *slash = strchr(name, '/');

	if (!r->labels.group && dash && dash < slash)
		snprintf(r->group, sizeof(r->group), "%.*s", (int)(slash - dash - 1), dash + 1);
	else
		snprintf(r->group, sizeof(r->group), "%s", r->labels.group ? r->labels.group : "host");
}

/* Find the row of a series or cause. NULL: this interval already had a row with the same name, or out of memory. */
static struct row *find_row(struct snmp *s, const struct series_labels *l)
{
	char name[NAME];
	const enum table table = put_row_name(name, l);
	struct row *r = find(s, table, name);

	if (!r)
		return NULL;
	/* If this is the same event and core group on another package, the caller adds its count to the row. */
	if (r->said)
		return r->labels.group && l->group && l->event && strcmp(r->labels.event, l->event) == 0 ? r : NULL;
	r->said = r->known = true;
	r->now = (struct series_total){ .value = 0 };
	r->labels = *l;
	r->unit = l->unit_name ? l->unit_name : l->pmu;
	r->status = "ok";
	put_group(r, name);
	return r;
}

static void add_pmu(struct snmp *s, struct row *of)
{
	char name[MOST_TEXT + 16];
	struct row *r;

	snprintf(name, sizeof(name), "pmu %s", of->group);
	r = find(s, PMU, name);
	if (!r)
		return;
	memcpy(r->group, of->group, sizeof(r->group));
	of->in_pmu = true;
}

/* ---- rows and changes of an interval ---- */

/* Do not update the row of the change: the change can be older than this interval, and the row may be gone. */
static void take_changed(struct snmp *s, const struct series_row *from)
{
	struct trap *t = &s->traps[s->num_traps];
	char name[NAME];
	uint32_t row;

	if (from->change.number <= s->num_changes || s->num_traps == MOST_TRAPS)
		return;
	put_row_name(name, &from->labels);
	row = rows_number(&s->numbers, name);
	if (!row)
		return;
	s->num_changes = from->change.number;
	*t = (struct trap){ .began = from->change.now, .row = row, .package = from->labels.package };
	snprintf(t->cause, sizeof(t->cause), "%s", from->labels.cause);
	s->num_traps++;
}

static void take_row(struct snmp *s, const struct series_row *from)
{
	const struct series_labels *l = &from->labels;
	struct row *r = l->cause || l->event || l->metric ? find_row(s, l) : NULL;

	if (!r)
		return;
	if (from->kind == SERIES_EVENT) {
		series_add(&r->now, &from->total);
	} else if (from->kind == SERIES_METRIC) {
		*digits_real(r->value, from->value, 6) = '\0';
	} else if (from->kind == SERIES_THROTTLED) {
		r->throttling = from->throttling;
		r->timed = from->throttling.timed;
	} else {
		r->known = r->timed = false;
		r->status = l->reason;
	}
}

static void take_totals(struct snmp *s)
{
	for (size_t i = 0; i < s->num_rows; i++) {
		struct row *r = s->rows[i];

		if (!r || r->table != SERIES || !r->said || !r->known)
			continue;
		if (r->now.value < r->total.value || r->now.counted < r->total.counted)
			put_date(r->since, s->interval.wall_ns);
		r->total = r->now;
		if (s->tables[PMU] && r->labels.group && !r->in_pmu)
			add_pmu(s, r);
	}
}

/* Remove rows that are not counted any more, except those of pmuTable. Their numbers are not used for other rows. */
static void remove_unsaid(struct snmp *s)
{
	for (size_t i = 0; i < s->num_rows; i++) {
		struct row *r = s->rows[i];

		if (!r || r->said || r->table == PMU)
			continue;
		netsnmp_tdata_remove_and_delete_row(s->tables[r->table], r->served);
		free(r);
		s->rows[i] = NULL;
	}
}

static void take_values(struct snmp *s)
{
	struct shared_interval i;
	struct series_row row;
	char *rows;

	if (shared_read(s->shared, &i, NULL) <= 0 || i.number == s->interval.number ||
	    shared_read(s->shared, &i, &rows) <= 0)
		return;
	for (size_t k = 0; k < s->num_rows; k++)
		if (s->rows[k])
			s->rows[k]->said = false;
	for (size_t at = 0; shared_next(rows, i.size, &at, &row);) {
		if (row.kind == SERIES_CHANGED)
			take_changed(s, &row);
		else
			take_row(s, &row);
	}
	s->interval = i;
	take_totals(s);
	remove_unsaid(s);
	free(s->texts);
	s->texts = rows;
}

static void forget_late(struct snmp *s)
{
	if (!s->interval.number || !shared_is_late(&s->interval))
		return;
	for (size_t i = 0; i < s->num_rows; i++) {
		struct row *r = s->rows[i];

		if (!r)
			continue;
		r->known = r->timed = false;
		r->status = "late";
	}
}

/* ---- traps ---- */

static size_t put_name(const struct snmp *s, oid *name, const oid *rest, size_t num)
{
	memcpy(name, s->set->base, s->set->num_base * sizeof(*name));
	memcpy(name + s->set->num_base, rest, num * sizeof(*name));
	return s->set->num_base + num;
}

static void send_trap(const struct snmp *s, const struct trap *t)
{
	static const oid trap_oid[] = { 1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0 };
	const oid what[] = { 0, t->began ? 1 : 2 };
	const oid package[] = { 1, 2, 1, 2, t->row }, cause[] = { 1, 2, 1, 4, t->row };
	netsnmp_variable_list *list = NULL;
	oid name[MAX_OID_LEN];
	long number = t->package;
	size_t len = put_name(s, name, what, OID_LENGTH(what));

	snmp_varlist_add_variable(&list, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, name,
				  len * sizeof(*name));
	len = put_name(s, name, package, OID_LENGTH(package));
	snmp_varlist_add_variable(&list, name, len, ASN_INTEGER, &number, sizeof(number));
	len = put_name(s, name, cause, OID_LENGTH(cause));
	snmp_varlist_add_variable(&list, name, len, ASN_OCTET_STR, t->cause, strlen(t->cause));
	send_v2trap(list);
	snmp_free_varbind(list);
}

static void send_traps(struct snmp *s)
{
	for (size_t i = 0; s->connected && i < s->num_traps; i++)
		send_trap(s, &s->traps[i]);
	if (s->connected)
		s->num_traps = 0;
}

/* ---- the daemon ---- */

static void serve_table(struct snmp *s, enum table table, const oid *at, size_t len)
{
	const char *name = tables[table].name;
	netsnmp_table_registration_info *info = SNMP_MALLOC_TYPEDEF(netsnmp_table_registration_info);

	s->tables[table] = netsnmp_tdata_create_table(name, 0);
	netsnmp_table_helper_add_indexes(info, table == PMU ? ASN_INTEGER : ASN_UNSIGNED, 0);
	info->min_column = table == PMU ? 1 : FIRST_COLUMN;
	info->max_column = tables[table].last;
	netsnmp_tdata_register(netsnmp_create_handler_registration(name, answer, at, len, HANDLER_CAN_RONLY),
			       s->tables[table], info);
}

static void serve_tables(struct snmp *s)
{
	static const oid intel[] = { 1, 3, 6, 1, 4, 1, 343, 2, 10, 3, 5, 1, 5, 1 };
	oid name[MAX_OID_LEN];

	for (enum table table = SERIES; table < PMU; table++) {
		const oid at[] = { 1, table + 1 };

		serve_table(s, table, name, put_name(s, name, at, OID_LENGTH(at)));
	}
	if (s->set->intel_pmu_mib)
		serve_table(s, PMU, intel, OID_LENGTH(intel));
}

static int come(int major, int minor, void *session, void *user)
{
	struct snmp *s = user;

	(void)major, (void)minor, (void)session;
	if (s->away_told)
		agent_tell("%s: connected", s->set->address);
	s->away_told = false;
	s->connected = true;
	return 0;
}

static int go(int major, int minor, void *session, void *user)
{
	struct snmp *s = user;

	(void)major, (void)minor, (void)session;
	s->connected = false;
	return 0;
}

static void tell_away(struct snmp *s)
{
	if (s->connected || s->away_told)
		return;
	agent_tell("%s: no SNMP daemon answers; retrying; check that snmpd runs, with \"master agentx\" and this "
		   "agentXSocket", s->set->address);
	s->away_told = true;
}

static void begin(struct snmp *s)
{
	static const int no[] = {
		NETSNMP_DS_LIB_DONT_READ_CONFIGS, NETSNMP_DS_LIB_DONT_PERSIST_STATE,
		NETSNMP_DS_LIB_DISABLE_PERSISTENT_LOAD, NETSNMP_DS_LIB_DISABLE_PERSISTENT_SAVE,
		NETSNMP_DS_LIB_DONT_LOAD_HOST_FILES,
	};

	/* Switch net-snmp's own messages off, because they are many and do not help the user. */
	netsnmp_register_loghandler(NETSNMP_LOGHANDLER_NONE, LOG_DEBUG);
	netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_ROLE, 1);
	netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, s->set->address);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, no[i], 1);
	netsnmp_ds_set_int(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_RETRIES, 1);
	netsnmp_set_mib_directory("");
	setenv("MIBS", "", 1);
	snmp_register_callback(SNMP_CALLBACK_APPLICATION, SNMPD_CALLBACK_INDEX_START, come, s);
	snmp_register_callback(SNMP_CALLBACK_APPLICATION, SNMPD_CALLBACK_INDEX_STOP, go, s);
	init_agent("uncore-agent");
	/* Set this interval after init_agent(), which sets it to 15. */
	netsnmp_ds_set_int(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_AGENTX_PING_INTERVAL, PING_S);
	serve_tables(s);
	init_snmp("uncore-agent");
}

static void __attribute__((noreturn)) serve(struct snmp *s, int news)
{
	for (;;) {
		struct timeval wait = { .tv_sec = 1 };
		int num = news + 1, block = 0, ready;
		fd_set fds;

		(void)agent_has_news(news);
		take_values(s);
		forget_late(s);
		tell_away(s);
		send_traps(s);
		FD_ZERO(&fds);
		FD_SET(news, &fds);
		snmp_select_info(&num, &fds, &wait, &block);
		ready = select(num, &fds, NULL, NULL, &wait);
		if (ready > 0) {
			FD_CLR(news, &fds);
			snmp_read(&fds);
		} else if (ready == 0) {
			snmp_timeout();
		}
		run_alarms();
		netsnmp_check_outstanding_agent_requests();
	}
}

int agent_work(const struct shared *shared, int news)
{
	struct snmp s = { .shared = shared, .set = &shared->snmp,
			  .num_changes = shared->outputs[AGENT_SNMP].num_changes };

	if (rows_load(&s.numbers, shared->outputs[AGENT_SNMP].num_fds ? news + 1 : -1))
		agent_tell("row numbers cannot be saved, so they change at each start; check the folder of --state");
	begin(&s);
	serve(&s, news);
}
