# SPDX-License-Identifier: LGPL-2.1-or-later
# Puts the candidates into the order in which they are tried: rooms by their share (first file: ROOM
# SHARE ...), in a room one file after the other, in a file one kind of change after the other.
# -v seed=N; the generator is written out, so that every awk draws the same.

function random(n) {
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * n)
}

# shuffle(KEY): the list that KEY counts.
function shuffle(key,    i, k, t) {
	for (i = count[key]; i > 1; i--) {
		k = random(i) + 1
		t = item[key, i]
		item[key, i] = item[key, k]
		item[key, k] = t
	}
}

function append(key, what) {
	item[key, ++count[key]] = what
}

# pop(KEY): take the next one out and let the list go round.
function next_of(key,    what) {
	at[key] = at[key] % count[key] + 1
	return item[key, at[key]]
}

BEGIN {
	FS = "\t"
	state = (seed * 2654435761 + 12345) % 2147483646 + 1
}

FNR == NR {
	if ($0 !~ /^#/ && NF) {
		share[$1] = $2
		append("rooms", $1)
	}
	next
}

{
	if (!(($1, $2) in known_file)) {
		known_file[$1, $2] = 1
		append("room " $1, $2)
	}
	if (!(($2, $5) in known_kind)) {
		known_kind[$2, $5] = 1
		append("file " $2, $5)
	}
	append("kind " $2 " " $5, $0)
	left[$1]++
	file_left[$2]++
	total++
}

END {
	for (key in count)
		keys[++num_keys] = key
	# The order of "for in" is not the same everywhere.
	for (i = 2; i <= num_keys; i++)
		for (k = i; k > 1 && keys[k - 1] > keys[k]; k--) {
			t = keys[k]
			keys[k] = keys[k - 1]
			keys[k - 1] = t
		}
	for (i = 1; i <= num_keys; i++)
		if (keys[i] != "rooms") shuffle(keys[i])
	for (; total > 0; total--) {
		best = ""
		for (i = 1; i <= count["rooms"]; i++) {
			r = item["rooms", i]
			if (left[r] && (best == "" || taken[r] / share[r] < taken[best] / share[best]))
				best = r
		}
		if (best == "") break
		do file = next_of("room " best); while (!file_left[file])
		do kind = "kind " file " " next_of("file " file); while (used[kind] >= count[kind])
		print item[kind, ++used[kind]]
		taken[best]++
		left[best]--
		file_left[file]--
	}
}
