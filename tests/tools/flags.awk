# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks that exactly the disturbed intervals are marked. Reads the statuses that process PID gave to its intervals, one
# per line, then the log of the mounted machine. PID uses only counter 0 of package 0. Contents of registers are taken
# from all writes in the log, not from what PID read. An interval is disturbed if at its end the counter is disabled or
# has another selector than SELECTOR; or if that was so at the end of the interval before, unless PID has enabled the
# counter since then.
# usage: awk -v pid=PID -v ours=SELECTOR -f flags.awk STATUSES LOG

function hex(text,    i, n) {
	n = 0
	for (i = 3; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# Contents of a selector; bit 17 reads as zero.
function selector(text,    n) {
	n = hex(text)
	return int(n / 2 ^ 17) % 2 ? n - 2 ^ 17 : n
}

FNR == NR { status[++given] = $1; next }
$7 != "ok" || $3 % 2 { next }

$4 == "wr" && $5 == "0x391" { enabled = hex($6) % 2 }
$4 == "wr" && $5 == "0x3c0" { holds = selector($6) }

$2 == pid && $4 == "wr" && $5 == "0x391" && hex($6) % 2 { before = 0 }

# The check at the end of an interval reads the counter, 0x391 and the selector, with nothing in between.
$2 == pid {
	if ($4 == "rd" && $5 == "0x3c0" && step == 2) {
		now = !was_enabled || holds != selector(ours)
		expected = now || before ? "disturbed" : "ok"
		before = now
		seen[expected]++
		if (status[++intervals] != expected) {
			printf "interval %d: %s, not %s: %s\n", intervals, expected,
			       status[intervals], $0
			wrong = 1
		}
	}
	if ($4 == "rd" && $5 == "0x391" && step == 1) {
		step = 2
		was_enabled = enabled
	} else {
		step = $4 == "rd" && $5 == "0x3b0" ? 1 : 0
	}
}

END {
	if (intervals != given) {
		printf "%d intervals in the log, %d statuses\n", intervals, given
		wrong = 1
	}
	printf "%d ok, %d disturbed\n", seen["ok"], seen["disturbed"]
	exit wrong
}
