# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks the log of a mounted machine: every write must be to a register that may be written, and may change only the
# bits of its mask, compared with the last value that was read or written through the same CPU. Prints the number of
# writes, or the first wrong one.
# usage: awk -f audit.awk CLAIMS HELD LOG
#     CLAIMS has lines "REGISTER MASK", HELD the initial contents as lines "CPU REGISTER VALUE". A register that is
#     written through a CPU without a line in HELD must have been read first, and must have that value at the end.
#     -v skip=NUMBER: ignore this number of lines at the beginning of LOG.

# nibbles TEXT: the 16 hexadecimal digits of a number such as 0x1f.
function nibbles(text) {
	return substr("0000000000000000" substr(text, 3), length(text) - 1)
}

function digit(text, i) {
	return index("0123456789abcdef", substr(text, i, 1)) - 1
}

# allowed OLD NEW MASK: do the two differ only in bits of MASK? awk has no 64-bit numbers, so compare digit by digit.
function allowed(old, new, mask,    i, bit, o, n, m) {
	old = nibbles(old); new = nibbles(new); mask = nibbles(mask)
	for (i = 1; i <= 16; i++) {
		o = digit(old, i); n = digit(new, i); m = digit(mask, i)
		for (bit = 1; bit < 16; bit *= 2)
			if (int(o / bit) % 2 != int(n / bit) % 2 && int(m / bit) % 2 == 0)
				return 0
	}
	return 1
}

function wrong(text) {
	print text ": " $0
	bad = 1
	exit 1
}

FILENAME == ARGV[1] { mask[$1] = $2; next }
FILENAME == ARGV[2] { seen[$1, $2] = held[$1, $2] = $3; next }

FNR <= skip { next }

$4 == "wr" {
	if ($7 != "ok")
		wrong("a write failed")
	if (!($5 in mask))
		wrong("written and not claimed")
	if (!(($3, $5) in seen))
		wrong("written and never seen before")
	if (!allowed(seen[$3, $5], $6, mask[$5]))
		wrong("from " seen[$3, $5] " with the mask " mask[$5])
	if (!(($3, $5) in held))
		now[$3, $5] = $6
	writes++
}

($4 == "wr" || $4 == "rd") && $7 == "ok" {
	if (!(($3, $5) in seen))
		first[$3, $5] = $6
	seen[$3, $5] = $6
}

END {
	for (key in now)
		if (now[key] != first[key]) {
			split(key, part, SUBSEP)
			print "left with " now[key] " instead of " first[key] ": register " part[2] " through CPU " part[1]
			bad = 1
		}
	if (!bad)
		print writes + 0 " writes"
	exit bad || !writes
}
