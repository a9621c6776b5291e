# SPDX-License-Identifier: LGPL-2.1-or-later
# Was every interval flagged that had to be, and no other? Reads the statuses that process PID gave to
# its intervals, one a line, then the log of the mounted machine. PID counts with counter 0 on package
# 0 only. What the registers hold is taken from what was written to them, by anybody, not from what
# PID read. An interval is disturbed when they are not PID's at its end or were not at the end before,
# unless PID has switched its counter on again since.
# usage: awk -v pid=PID -v ours=SELECTOR -f flags.awk STATUSES LOG

function hex(text,    i, n) {
	n = 0
	for (i = 3; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# Bit 17 reads as zero.
function selector(text,    n) {
	n = hex(text)
	return int(n / 2 ^ 17) % 2 ? n - 2 ^ 17 : n
}

FNR == NR { status[++given] = $1; next }
$7 != "ok" || $3 % 2 { next }

$4 == "wr" && $5 == "0x391" { enabled = hex($6) % 2 }
$4 == "wr" && $5 == "0x3c0" { holds = selector($6) }

$2 == pid && $4 == "wr" && $5 == "0x391" && hex($6) % 2 { before = 0 }

# The check at the end of an interval is: read the counter, 0x391, the selector, nothing in between.
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
