# SPDX-License-Identifier: LGPL-2.1-or-later
# Reads the log of a mounted machine on which every event happens RATE times per second. Whenever a process reads a
# counter that it has switched on, the counter must hold exactly RATE times the time since then; otherwise another
# process has stopped, written or restarted it. Prints errors, or the number of correct reads and the count of each
# process, sorted: from its first read, which begins the first interval, to its last.
# usage: awk -v rate=RATE -f truth.awk LOG

function hex(text,    i, n) {
	n = 0
	for (i = 3; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

function bit(value, b) {
	return int(value / 2 ^ b) % 2
}

$7 != "ok" { next }

# CPUs with odd numbers are in package 1.
$4 == "wr" && $5 == "0x391" {
	package = $3 % 2
	value = hex($6)
	for (b = 0; b < 8; b++)
		if (bit(value, b) && !bit(enabled[package], b)) {
			since[package, b] = $1
			owner[package, b] = $2
			delete first[package, b]
		}
	enabled[package] = value
}

$4 == "rd" && $5 ~ /^0x3b[0-7]$/ {
	package = $3 % 2
	b = substr($5, 5) + 0
	if (!bit(enabled[package], b) || owner[package, b] != $2)
		next
	value = hex($6) - 90 # counters start at 90
	difference = value - ($1 - since[package, b]) * rate
	if (difference > 1.1 || difference < -1.1) { # an event may be incomplete at either end
		printf "%s: off by %d\n", $0, difference
		wrong = 1
	}
	reads++
	if (!((package, b) in first))
		first[package, b] = value
	last[$2, package, b] = value - first[package, b]
}

END {
	if (!wrong)
		print reads + 0, "reads"
	for (key in last)
		print "last", last[key] | "sort"
	exit wrong
}
