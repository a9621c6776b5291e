/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/file_writer.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

enum { BUILD_ID_ROOM = 24, NAME_ALIGN = 64 };

static const uint64_t magic = 0x32454c4946524550; /* "PERFILE2" */

enum { DATA_SIZE_AT = offsetof(struct um_file_head, data.size) };

struct file_attr {
	unsigned char attr[UM_PERF_DATA_ATTR];
	struct um_file_section ids;
};

/* Write at the end of the file. Nothing else changes the file position. */
static int append(int fd, struct iovec *iov, size_t num)
{
	while (num) {
		ssize_t n = writev(fd, iov, (int)(num < IOV_MAX ? num : IOV_MAX));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		for (; num && (size_t)n >= iov->iov_len; iov++, num--)
			n -= (ssize_t)iov->iov_len;
		if (num) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= (size_t)n;
		}
	}
	return 0;
}

/* ---- facts ---- */

static void put_event_desc(struct um_bytes *b, const struct um_perf_data *w)
{
	um_bytes_u32(b, (uint32_t)w->num_events);
	um_bytes_u32(b, UM_PERF_DATA_ATTR);
	for (size_t i = 0; i < w->num_events; i++) {
		const struct um_perf_data_event *ev = &w->events[i];
		/* In a stream, the attr record of the event contains the ids. */
		size_t num = w->stream ? 0 : ev->num_ids;

		um_bytes_put(b, ev->attr, sizeof(ev->attr));
		um_bytes_u32(b, (uint32_t)num);
		um_bytes_string(b, ev->name);
		um_bytes_put(b, ev->ids, num * sizeof(*ev->ids));
	}
}

void um_perf_data_put_command(struct um_bytes *b, const char *const *words)
{
	uint32_t num = 0;

	while (words[num])
		num++;
	um_bytes_u32(b, num);
	for (uint32_t i = 0; i < num; i++)
		um_bytes_string(b, words[i]);
}

static void put_builds(struct um_bytes *b, const struct um_perf_data_facts *f, uint32_t type)
{
	for (size_t i = 0; i < f->num_builds; i++) {
		const struct uncoremsr_perf_data_build *build = &f->builds[i];
		unsigned char id[BUILD_ID_ROOM] = { 0 };
		size_t at = um_bytes_begin(b, type, (uint16_t)(UM_BUILD_ID_SIZED | (build->kernel ?
				PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER)));

		memcpy(id, build->id, build->id_size);
		id[UNCOREMSR_BUILD_ID_SIZE] = (unsigned char)build->id_size;
		um_bytes_u32(b, UINT32_MAX); /* HOST_KERNEL_ID of perf: the file belongs to the host, not to a guest */
		um_bytes_put(b, id, sizeof(id));
		um_bytes_padded(b, build->name, NAME_ALIGN);
		um_bytes_end(b, at, 0);
	}
}

/* Append the content of a feature section, or nothing if the fact is not known. */
static void put_feature(struct um_bytes *b, const struct um_perf_data *w, unsigned feature,
			const struct um_perf_data_facts *f)
{
	switch (feature) {
	case UM_FACT_BUILD_IDS:
		put_builds(b, f, 0);
		break;
	case UM_FACT_HOST:
		/*
		 * Write the host name even if it is empty. If a file in the other byte order lacks the host name, perf
		 * takes the file for one of an old version and reads only the build ids (tools/perf/util/header.c,
		 * perf_file_header__read()).
		 */
		um_bytes_string(b, f->texts[feature] ? f->texts[feature] : "");
		break;
	case UM_FACT_RELEASE:
	case UM_FACT_VERSION:
	case UM_FACT_ARCH:
	case UM_FACT_CPU:
		if (f->texts[feature])
			um_bytes_string(b, f->texts[feature]);
		break;
	case UM_FACT_NUM_CPUS:
		if (f->cpus_available) {
			um_bytes_u32(b, f->cpus_available);
			um_bytes_u32(b, f->cpus_online);
		}
		break;
	case UM_FACT_COMMAND:
		if (f->command)
			um_bytes_put(b, f->command->at, f->command->len);
		break;
	case UM_FACT_EVENTS:
		put_event_desc(b, w);
		break;
	default:
		break;
	}
}

/* ---- a stream ---- */

static int put_attr_records(struct um_bytes *b, const struct um_perf_data *w)
{
	for (size_t i = 0; i < w->num_events; i++) {
		const struct um_perf_data_event *ev = &w->events[i];
		size_t at = um_bytes_begin(b, UM_RECORD_ATTR, 0);

		um_bytes_put(b, ev->attr, sizeof(ev->attr));
		um_bytes_put(b, ev->ids, ev->num_ids * sizeof(*ev->ids));
		um_bytes_end(b, at, 0);
		if (b->len == at && !b->failed)
			return -E2BIG;
	}
	return 0;
}

static void put_feature_record(struct um_bytes *b, const struct um_perf_data *w, unsigned feature,
			       const struct um_perf_data_facts *f)
{
	size_t at = um_bytes_begin(b, UM_RECORD_FACT, 0), body;

	um_bytes_u64(b, feature);
	body = b->len;
	put_feature(b, w, feature, f);
	um_bytes_put(b, NULL, (8 - b->len % 8) % 8);
	um_bytes_end(b, at, 0);
	/* Drop an empty record, except UM_FACT_LAST: it has no content and marks the end of the feature records. */
	if (b->len == body && feature != UM_FACT_LAST)
		b->len = at;
}

void um_perf_data_put_host(struct um_bytes *b, const char *host)
{
	const struct um_perf_data_facts facts = { .texts = { [UM_FACT_HOST] = host } };

	put_feature_record(b, NULL, UM_FACT_HOST, &facts);
}

void um_perf_data_put_names(struct um_bytes *b, const struct um_perf_data *w)
{
	for (size_t i = 0; i < w->num_events; i++) {
		size_t at = um_bytes_begin(b, UM_RECORD_UPDATE, 0);

		um_bytes_u64(b, UM_UPDATE_NAME);
		um_bytes_u64(b, w->events[i].num_ids ? w->events[i].ids[0] : 0);
		um_bytes_padded(b, w->events[i].name, 8);
		um_bytes_end(b, at, 0);
	}
}

static int begin_stream(struct um_perf_data *w, const struct um_perf_data_facts *facts)
{
	struct um_bytes b = { .len = 0 };
	int err;

	um_bytes_u64(&b, magic);
	um_bytes_u64(&b, 16);
	err = put_attr_records(&b, w);
	/* The build ids are known only at the end. */
	for (unsigned i = UM_FACT_BUILD_IDS + 1; i <= UM_FACT_LAST; i++)
		put_feature_record(&b, w, i, facts);
	if (err)
		um_bytes_free(&b);
	return err ? err : um_perf_data_write_bytes(w, &b);
}

/* ---- a file ---- */

static void put_head(struct um_bytes *b, const struct um_perf_data *w, uint64_t features)
{
	uint64_t ids = 0;
	struct um_file_head h = {
		.magic = magic, .size = sizeof(h), .attr_size = sizeof(struct file_attr),
		.data = { w->data_offset, w->data_size }, .features = { features },
	};

	for (size_t i = 0; i < w->num_events; i++)
		ids += w->events[i].num_ids * sizeof(*w->events[i].ids);
	h.attrs = (struct um_file_section){ sizeof(h) + ids, w->num_events * sizeof(struct file_attr) };
	um_bytes_put(b, &h, sizeof(h));
}

static int begin_file(struct um_perf_data *w)
{
	uint64_t at = sizeof(struct um_file_head);
	struct um_bytes b = { .len = 0 };
	int err;

	/* The header is rewritten at the end, which a pipe does not allow. */
	if (lseek(w->fd, 0, SEEK_CUR) < 0)
		return -errno;
	put_head(&b, w, 0);
	for (size_t i = 0; i < w->num_events; i++)
		um_bytes_put(&b, w->events[i].ids, w->events[i].num_ids * sizeof(*w->events[i].ids));
	for (size_t i = 0; i < w->num_events; i++) {
		const struct um_perf_data_event *ev = &w->events[i];
		struct file_attr a = { .ids = { at, ev->num_ids * sizeof(*ev->ids) } };

		memcpy(a.attr, ev->attr, sizeof(a.attr));
		um_bytes_put(&b, &a, sizeof(a));
		at += a.ids.size;
	}
	if (!b.failed)
		memcpy(b.at + offsetof(struct um_file_head, data.at), &(uint64_t){ b.len }, sizeof(uint64_t));
	err = um_perf_data_write_bytes(w, &b);
	/* The bytes written so far are the header, which precedes the data. */
	w->data_offset = w->data_size;
	w->data_size = 0;
	return err;
}

int um_perf_data_begin(struct um_perf_data *w, const struct um_perf_data_facts *facts)
{
	w->data_offset = w->data_size = 0;
	return w->stream ? begin_stream(w, facts) : begin_file(w);
}

int um_perf_data_write(struct um_perf_data *w, struct iovec *iov, size_t num)
{
	uint64_t len = 0;
	int err;

	for (size_t i = 0; i < num; i++)
		len += iov[i].iov_len;
	err = append(w->fd, iov, num);
	if (!err)
		w->data_size += len;
	return err;
}

int um_perf_data_write_bytes(struct um_perf_data *w, struct um_bytes *b)
{
	int err = b->failed ? -ENOMEM : b->len ? um_perf_data_write(w, &(struct iovec){ b->at, b->len }, 1) : 0;

	um_bytes_free(b);
	return err;
}

int um_perf_data_mark(struct um_perf_data *w)
{
	return w->stream ? 0 : um_write_at(w->fd, &w->data_size, sizeof(w->data_size), DATA_SIZE_AT);
}

int um_perf_data_end(struct um_perf_data *w, const struct um_perf_data_facts *facts)
{
	struct um_file_section sections[UM_FACT_LAST];
	struct um_bytes bodies = { .len = 0 }, head = { .len = 0 };
	uint64_t bits = 0, at = w->data_offset + w->data_size;
	size_t num = 0;
	int err;

	if (w->stream) {
		put_builds(&bodies, facts, UM_RECORD_BUILD);
		return um_perf_data_write_bytes(w, &bodies);
	}
	for (unsigned i = 0; i < UM_FACT_LAST; i++) {
		size_t before = bodies.len;

		put_feature(&bodies, w, i, facts);
		if (bodies.len == before)
			continue;
		bits |= UINT64_C(1) << i;
		sections[num++] = (struct um_file_section){ before, bodies.len - before };
	}
	for (size_t i = 0; i < num; i++)
		sections[i].at += at + num * sizeof(*sections);
	put_head(&head, w, bits);
	/* Write the feature bits last: they make the sections behind the data valid. */
	err = bodies.failed || head.failed
		      ? -ENOMEM
		      : um_write_at(w->fd, sections, num * sizeof(*sections), (off_t)at) ?:
			um_write_at(w->fd, bodies.at, bodies.len, (off_t)(at + num * sizeof(*sections))) ?:
			um_write_at(w->fd, head.at, head.len, 0);
	w->facts_size = err ? 0 : num * sizeof(*sections) + bodies.len;
	um_bytes_free(&bodies);
	um_bytes_free(&head);
	return err;
}
