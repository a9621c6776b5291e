/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Write the rings to a perf.data file with little work while sampling: a pass reads only the headers of the records and
 * the names of mapped files, and writes all rings with one writev(2). Everything expensive is done before the first
 * sample or after the last one.
 */
#include "sampling/sampling.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "perf/attr_layout.h"

/* A pass writes up to two pieces per ring, and a "finished round" record at the end. */
enum { MARKS = 1 };

void um_recording_drop(struct uncoremsr_sampling *s)
{
	FREE_AND_NULL(s->pieces);
	um_bytes_free(&s->command);
	s->tally.files = NULL;
	um_mapped_files_free(&s->files);
	s->records = false;
}

static int usage(struct uncoremsr_sampling *s, int err, const char *what)
{
	return um_fail(&s->um->error, err, UNCOREMSR_ERROR_USAGE, "recording: %s", what);
}

/* End a recording that could not be written. Returns @err, with a message. */
static int drop_failed(struct uncoremsr_sampling *s, int err)
{
	um_recording_drop(s);
	return um_fail(&s->um->error, err, UNCOREMSR_ERROR_PARTIAL, "recording: %s", err == -E2BIG ?
		       "too many descriptors for a stream; write a file" : err == -ESPIPE ?
		       "a pipe requires the stream format" : strerror(-err));
}

/* ---- the beginning ---- */

static void fill_attr(const struct uncoremsr_sampling *s, size_t i)
{
	const struct um_sampled *of = &s->sampled[i];
	struct um_perf_attr attr = s->events.events[of->event].units[of->unit].attr;
	struct um_perf_sampling settings = s->settings;
	union um_perf_attr_words words;

	settings.tells_tasks = i == 0;
	attr.sampling = &settings;
	um_perf_attr_fill(&words, &attr, s->target == UNCOREMSR_TARGET_SYSTEM ||
			  s->target == UNCOREMSR_TARGET_THREAD ? 0u : (unsigned)UM_PERF_INHERIT);
	words.attr.size = UM_PERF_DATA_ATTR;
	memcpy(s->file_events[i].attr, words.bytes, UM_PERF_DATA_ATTR);
}

static int tell_facts(const struct uncoremsr_sampling *s, struct um_perf_data *w,
		      int (*fn)(struct um_perf_data *w, const struct um_perf_data_facts *f))
{
	uint32_t online = (uint32_t)s->um->m.topo.online.num;
	long all = s->um->m.access->live ? sysconf(_SC_NPROCESSORS_CONF) : -1;
	struct utsname name;
	struct um_perf_data_facts facts = {
		.texts = {
			[UM_FACT_VERSION] = UM_VERSION,
			[UM_FACT_CPU] = s->um->m.id.brand[0] ? s->um->m.id.brand : NULL,
		},
		.command = &s->command,
		.cpus_online = online, .cpus_available = all > 0 ? (uint32_t)all : online,
		.builds = s->files.builds, .num_builds = s->files.num,
	};

	/* For a simulated machine write only its name, as the host name, and no facts about the real machine. */
	if (s->um->m.access->simulated)
		facts.texts[UM_FACT_HOST] = s->um->name;
	else if (s->um->m.access->live && !uname(&name)) {
		facts.texts[UM_FACT_HOST] = name.nodename;
		facts.texts[UM_FACT_RELEASE] = name.release;
		facts.texts[UM_FACT_ARCH] = name.machine;
	}
	return fn(w, &facts);
}

static int write_start_records(struct uncoremsr_sampling *s)
{
	struct um_record_tally found = { .files = &s->files };
	struct um_bytes b = { .len = 0 };

	/*
	 * The facts are at the end of a file, so they are missing if the recorder is killed or the file is truncated.
	 * Therefore also write records with the event names and with the name of a simulated machine. For a real
	 * machine write no host record: many versions of perf cannot convert it from the other byte order.
	 */
	if (!s->file.stream)
		um_perf_data_put_names(&b, &s->file);
	if (s->um->m.access->simulated && !s->file.stream)
		um_perf_data_put_host(&b, s->um->name);
	um_sampling_start_records(s, &b);
	um_pieces_tally(&(struct um_ring_pieces){ .at = { b.at }, .len = { b.len } }, &found);
	return um_perf_data_write_bytes(&s->file, &b);
}

int uncoremsr_sampling_record(struct uncoremsr_sampling *s, const struct uncoremsr_recording_options *o)
{
	int err = s ? um_check_process(&s->um->m, &s->um->error) : -EINVAL;

	if (err)
		return err;
	if (!o || o->fd < 0)
		return usage(s, -EINVAL, "a descriptor is required");
	if (s->records)
		return usage(s, -EBUSY, "finish the previous recording first");
	s->pieces = calloc(2 * s->num_rings + MARKS, sizeof(*s->pieces));
	if (o->command)
		um_perf_data_put_command(&s->command, o->command);
	if (!s->pieces || s->command.failed)
		return drop_failed(s, -ENOMEM);
	for (size_t i = 0; i < s->num_sampled; i++)
		fill_attr(s, i);
	s->tally.files = &s->files;
	s->file = (struct um_perf_data){ .fd = o->fd, .stream = o->stream,
					 .events = s->file_events, .num_events = s->num_sampled };
	err = tell_facts(s, &s->file, um_perf_data_begin) ?: write_start_records(s) ?: um_perf_data_mark(&s->file);
	s->records = !err;
	return err ? drop_failed(s, err) : 0;
}

/* ---- while it runs ---- */

size_t um_sampling_look(struct uncoremsr_sampling *s, struct um_sampling_ring *r, struct um_ring_pieces *p)
{
	ssize_t len = r->damaged ? 0 : um_ring_look(&r->ring, p);
	size_t good = len > 0 ? um_pieces_tally(p, &s->tally) : 0;

	r->damaged |= len < 0 || good < (size_t)len;
	return good;
}

static void take_ring(struct uncoremsr_sampling *s, struct um_sampling_ring *r, size_t *num)
{
	struct um_ring_pieces p;
	size_t good = um_sampling_look(s, r, &p);

	r->taken = good;
	for (int i = 0; i < 2 && good; i++) {
		size_t part = p.len[i] < good ? p.len[i] : good;

		if (part)
			s->pieces[(*num)++] = (struct iovec){ (void *)p.at[i], part };
		good -= part;
	}
}

int uncoremsr_sampling_copy(struct uncoremsr_sampling *s)
{
	/* After a second "finished round" no record is older than any record before the first one. */
	static const struct perf_event_header round = { .type = UM_RECORD_ROUND, .size = sizeof(round) };
	bool damaged = false;
	size_t num = 0;
	int err;

	err = s ? um_check_process(&s->um->m, &s->um->error) : -EINVAL;
	if (err)
		return err;
	if (!s->records)
		return usage(s, -EINVAL, "no recording was begun, or it has ended");
	for (size_t i = 0; i < s->num_rings; i++) {
		bool was = s->rings[i].damaged;

		take_ring(s, &s->rings[i], &num);
		damaged |= s->rings[i].damaged && !was;
	}
	if (num) {
		s->pieces[num++] = (struct iovec){ (void *)&round, sizeof(round) };
		err = um_perf_data_write(&s->file, s->pieces, num) ?: um_perf_data_mark(&s->file);
	}
	if (err)
		return drop_failed(s, err);
	for (size_t i = 0; i < s->num_rings; i++)
		if (s->rings[i].taken)
			um_ring_done(&s->rings[i].ring, s->rings[i].taken);
	return damaged ? um_fail(&s->um->error, -EBADMSG, UNCOREMSR_ERROR_PARTIAL, "recording: a ring buffer of the "
				 "kernel holds invalid data") : 0;
}

/* ---- the end ---- */

/* Number of records that all streams lost; 0: the kernel does not count them. *id: id of a stream with losses. */
static uint64_t all_lost(const struct uncoremsr_sampling *s, uint64_t *id)
{
	uint64_t words[3], sum = 0; /* value, id, lost */

	for (size_t i = 0; i < s->num_streams && s->settings.read_format & PERF_FORMAT_LOST; i++) {
		if (s->kernel->ops->read(s->kernel, s->streams[i].fd, words, sizeof(words)) != sizeof(words) ||
		    !words[2])
			continue;
		*id = words[1];
		sum += words[2];
	}
	return sum;
}

/*
 * The kernel writes a LOST record only before the next sample for which the ring has room. So no LOST record includes
 * the losses at the end of the recording. The events' own counts (PERF_FORMAT_LOST) include them: write a record of the
 * difference.
 */
static int tell_last_losses(struct uncoremsr_sampling *s)
{
	uint64_t id = 0, all = all_lost(s, &id), untold = all > s->tally.lost ? all - s->tally.lost : 0;
	struct um_bytes b = { .len = 0 };
	size_t at;

	if (!untold)
		return 0;
	at = um_bytes_begin(&b, PERF_RECORD_LOST, 0);
	um_bytes_u64(&b, id);
	um_bytes_u64(&b, untold);
	um_bytes_end(&b, at, s->settings.sample_type);
	s->tally.lost += untold;
	return um_perf_data_write_bytes(&s->file, &b);
}

int uncoremsr_sampling_finish(struct uncoremsr_sampling *s)
{
	int err = uncoremsr_sampling_copy(s), end;

	if (err && err != -EBADMSG)
		return err;
	end = tell_last_losses(s) ?: um_mapped_files_read(&s->files, s->um->m.access->live) ?:
	      tell_facts(s, &s->file, um_perf_data_end);
	if (end)
		return drop_failed(s, end);
	um_recording_drop(s);
	return err;
}
