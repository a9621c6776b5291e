/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Set the bits of terms in words. The position of a term is from our tables or the kernel's format files. */
#include <errno.h>
#include <string.h>

#include "common/number.h"
#include "encode/encoder.h"

int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len)
{
	UM_REFUSE(s, -EINVAL, "%s '%.*s'", what, (int)len, at);
	return um_advise(s->e, -EINVAL, "write %s, or see uncoremsr-events(7)", s->instead);
}

int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value)
{
	bool long_one = len > 18 && strspn(text, "0123456789abcdefABCDEFxX") >= len;

	if (!len)
		return um_encode_bad(s, "a number is missing in", s->text, strlen(s->text));
	if (um_perf_number(text, len, value))
		return 0;
	return um_encode_bad(s, long_one ? "number too large:" : "not a number:", text, len);
}

static int put(struct um_filling *f, const struct um_term *t, const struct um_event_term *written)
{
	size_t len = written->value_len, quotes;
	uint64_t value = 1;
	int err = 0;

	if (!f->once && len == 1 && *written->value == '?')
		return UM_REFUSE(f->enc, -EINVAL, "the kernel's event needs a value for '%.*s'",
				 (int)written->name_len, written->name);
	if (!written->value && f->once && um_term_max(t) > 1)
		return um_encode_bad(f->enc, "a value is missing:", written->name,
				     (size_t)(written->end - written->name));
	quotes = len > 1 && *written->value == '\'' && written->value[len - 1] == '\'';
	if (written->value)
		err = um_encode_number(f->enc, written->value + quotes, len - 2 * quotes, &value);
	if (!err)
		err = um_term_put(t, value, f->words, f->enc->text, f->enc->e);
	if (err)
		return err;
	f->words->given[t->word] |= f->once ? t->mask : 0;
	f->words->at[0] |= t->implies;
	return 0;
}

int um_put_terms(struct um_filling *f, struct um_term_list l)
{
	int err = 0;

	for (size_t i = 0; i < l.num && !err; i++) {
		const struct um_term *t = um_term_find(f->pmu, l.at[i].name, l.at[i].name_len);

		err = t ? put(f, t, &l.at[i]) : f->other(f, &l.at[i]);
	}
	return err;
}

int um_put_text(struct um_filling *f, const char *text)
{
	const char *at = *text ? text : NULL, *end = text + strlen(text);
	struct um_event_term t;
	int err = 0;

	while (!err && um_next_term(&at, end, ',', &t))
		err = um_put_terms(f, (struct um_term_list){ &t, 1 });
	return err;
}
