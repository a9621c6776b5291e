# SPDX-License-Identifier: LGPL-2.1-or-later
# Sorts the candidates (second file) in the order in which they are tried. Rooms alternate according to their share
# (first file: tests/mutate/rooms), the files of a room alternate, and so do the kinds of changes in a file. -v seed=N;
# the random generator is part of the script, so that every awk draws the same. Each list is shuffled separately, so
# that the choice from a file changes only with that file, and two versions can be compared.

function random(n) {
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * n)
}

# shuffle(KEY): shuffle the list with this key.
function shuffle(key,    i, k, t) {
	state = (seed * 2654435761 + 12345) % 2147483646 + 1
	for (i = 1; i <= length(key); i++)
		state = (state * 16807 + index(LETTERS, substr(key, i, 1))) % 2147483646 + 1
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

# next_of(KEY): return the next entry of the list; after the last entry, the first one.
function next_of(key,    what) {
	at[key] = at[key] % count[key] + 1
	return item[key, at[key]]
}

BEGIN {
	FS = "\t"
	LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_/. "
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
		if (key != "rooms") shuffle(key)
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
