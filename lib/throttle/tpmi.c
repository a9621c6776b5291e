/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limit reasons of Granite Rapids, Sierra Forest and later, which are in memory and not in registers. The kernel shows
 * them in debugfs, with one file per die and one line per CPU: "cpu12 POWER POWER_PKG_PL1_MSR_TPMI" or "cpu12 none"
 * (Linux drivers/platform/x86/intel/plr_tpmi.c). The bits are sticky until 0 is written to the file.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "throttle/throttle.h"

/*
 * Prefixes of the kernel's words; the first match counts. Frequency, QoS and fabric limits are normal operation. On
 * each line the word of a group (PLATFORM) precedes the more specific words of its members.
 */
static const struct {
	const char *word;
	enum uncoremsr_cause_kind cause;
	bool decides;
} words[] = {
	{ "PLATFORM_PROCHOT", UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true },
	{ "PLATFORM_HOT_VR", UNCOREMSR_CAUSE_VR_THERMAL, true },
	{ "THERMAL", UNCOREMSR_CAUSE_CORE_THERMAL, true },
	{ "POWER", UNCOREMSR_CAUSE_POWER_LIMIT, false },
	{ "CURRENT", UNCOREMSR_CAUSE_CURRENT_LIMIT, false },
	{ "MISC_PCS", UNCOREMSR_CAUSE_FIRMWARE, false },
	{ "PLATFORM", UNCOREMSR_CAUSE_OTHER, false },
	{ "MCP", UNCOREMSR_CAUSE_OTHER, false },
	{ "RAS", UNCOREMSR_CAUSE_OTHER, false },
	{ "MISC", UNCOREMSR_CAUSE_OTHER, false },
};

/* Is the word at @at that of a group, and does the word of a member follow ("PLATFORM ... PLATFORM_PROCHOT")? */
static bool is_group(const char *at, const char *end)
{
	size_t len = strcspn(at, " \n");

	for (const char *next = at + len; next < end && *next == ' '; next += strcspn(next, " \n")) {
		next++;
		if (!strncmp(next, at, len) && next[len] == '_')
			return true;
	}
	return false;
}

/* Store the words of a line; @line points behind "cpu12 ". */
static void note_line(struct um_subject *s, const char *path, const char *line, size_t len)
{
	size_t at = 0;

	s->plr.known = true;
	snprintf(s->plr.path, sizeof(s->plr.path), "%s", path);
	snprintf(s->plr_words, sizeof(s->plr_words), "%.*s", (int)len, line);
	for (; at < len; at += strcspn(line + at, " \n") + 1) {
		size_t i = is_group(line + at, line + len) ? ARRAY_SIZE(words) : 0;

		while (i < ARRAY_SIZE(words) && strncmp(line + at, words[i].word, strlen(words[i].word)) != 0)
			i++;
		s->plr.value |= i < ARRAY_SIZE(words) ? 1u << words[i].cause : 0;
	}
}

static void note_text(struct uncoremsr_throttle *t, const char *path, const char *text)
{
	for (const char *end; *text; text = end + (*end == '\n')) {
		const char *rest = text + 3;
		unsigned cpu;

		end = text + strcspn(text, "\n");
		if (strncmp(text, "cpu", 3) != 0 || !um_read_decimal(&rest, UINT_MAX, &cpu))
			continue; /* e.g. the line "cpus", a list of the die's CPUs */
		for (size_t i = 0; i < t->num_subjects && *rest == ' '; i++)
			if (t->subjects[i].core >= 0 && t->subjects[i].cpu == cpu)
				note_line(&t->subjects[i], path, rest + 1, (size_t)(end - rest - 1));
	}
}

void um_tpmi_read(struct uncoremsr_throttle *t)
{
	for (size_t i = 0; i < t->num_subjects; i++) {
		struct um_gauge *plr = &t->subjects[i].plr;

		*plr = (struct um_gauge){ .before = plr->value, .had = plr->known };
	}
	/* Use t->list as the buffer: the list of online CPUs is no longer needed. */
	for (size_t i = 0; i < t->num_dies; i++)
		if (um_access_line(t->um->m.access, t->dies[i] + 1, t->list, UM_LIST_SIZE) > 0)
			note_text(t, t->dies[i], t->list);
}

unsigned um_tpmi_means(const struct uncoremsr_throttle *t, const struct um_subject *s)
{
	unsigned causes = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words) && t->num_dies && s->core >= 0; i++)
		causes |= 1u << words[i].cause;
	return causes;
}

void um_tpmi_judge(struct um_subject *s)
{
	unsigned done = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words) && s->plr.known; i++) {
		uint8_t cause = (uint8_t)words[i].cause;
		unsigned bit = 1u << cause;

		s->pub.could_show |= bit;
		if (!(s->plr.value & bit & ~done))
			continue;
		done |= bit;
		um_blame_bit(s, &(struct um_limit_bit){ UM_NO_BIT, cause, cause, words[i].decides, 0, NULL }, &s->plr);
		snprintf(um_add_gauge(s, words[i].cause, &s->plr, UNCOREMSR_FINDING_BITS, UM_ABSENT, UM_ABSENT)->bits,
			 UM_BITS, "%s", s->plr_words);
	}
}

struct search {
	struct uncoremsr_throttle *t;
	const char *device;
};

static int add_domain(void *user, const char *name)
{
	const struct search *s = user;
	struct uncoremsr_throttle *t = s->t;

	if (strncmp(name, "domain", 6) == 0 && t->num_dies < ARRAY_SIZE(t->dies))
		snprintf(t->dies[t->num_dies++], sizeof(t->dies[0]),
			 "/sys/kernel/debug/%.40s/plr/%.20s/status", s->device, name);
	return 0;
}

static int add_device(void *user, const char *name)
{
	struct uncoremsr_throttle *t = user;
	struct search s = { t, name };
	char dir[96];

	if (strncmp(name, "tpmi-", 5) != 0)
		return 0;
	snprintf(dir, sizeof(dir), "sys/kernel/debug/%.40s/plr", name);
	t->um->m.access->ops->list(t->um->m.access, dir, add_domain, &s);
	return 0;
}

void um_tpmi_find(struct uncoremsr_throttle *t)
{
	if (t->model && t->model->has & UM_HAS_TPMI && !t->num_dies)
		t->um->m.access->ops->list(t->um->m.access, "sys/kernel/debug", add_device, t);
}
