# SPDX-License-Identifier: LGPL-2.1-or-later
# Lists small changes to a C file (-v room=ROOM -v name=PATH), one per line: ROOM PATH LINE COLUMN KIND OLD NEW,
# separated by tabs. ROOM is the group of files in tests/mutate/rooms that has
# this file.

function offer(column, kind, old, new) {
	printf "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", room, name, FNR, column, kind, old, new
}

function hex_value(text,    i, v) {
	v = 0
	for (i = 3; i <= length(text); i++)
		v = v * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return v
}

# flip(V, BIT): V with one bit inverted; BIT is a power of two.
function flip(v, bit) {
	return int(v / bit) % 2 ? v - bit : v + bit
}

# Kind of a number, from the text before it.
function kind_of(is_hex, v) {
	if (calls[depth] ~ /^(BIT|BITS|LOW)$/) return "bit"
	if (before ~ /\.(scale|max_clock_hz|max_increment) *= *[^,]*$/) return "unit"
	if (tables && is_hex && v >= 768) return "address"
	if (is_hex) return "bit"
	if (before ~ /(stride|offset|offsets\[\]) *= *[^=]*$/) return "offset"
	if (before ~ /"[^"]*", *$/) return "offset"
	if (before ~ /(width|bits) *= *$/ || before ~ /"[^"]*", *[0-9]+, *$/) return "width"
	return "number"
}

function allocates(    i) {
	for (i = 1; i <= depth; i++)
		if (calls[i] == "realloc") return 1
	return 0
}

function number(column, text,    suffix, v, is_hex, kind, format, twice) {
	if (text ~ /\./) {
		twice = sprintf("%.10g", text * 2)
		if (text + 0 != 0) offer(column, "unit", text, twice (twice ~ /\./ ? "" : ".0"))
		return
	}
	if (match(text, /[uUlL]+$/)) {
		suffix = substr(text, RSTART)
		text = substr(text, 1, RSTART - 1)
	}
	is_hex = text ~ /^0x/
	v = is_hex ? hex_value(tolower(text)) : text + 0
	if (is_hex && v >= 4294967296) return
	kind = kind_of(is_hex, v)
	# Leave out sizes of buffers, because no text is as long as its buffer, and sizes in parameters, which only
	# inform the reader.
	if ((calls[depth] == "[" && declaration && before !~ /=/) || calls[depth] == "calloc") return
	if (before ~ /[(,] *(const )?[a-z0-9_]+_t [a-z_]+\[$/) return
	format = is_hex ? "0x%x%s" : "%.0f%s"
	if (kind == "address") {
		offer(column, kind, text suffix, sprintf(format, v + 1, suffix))
		offer(column, kind, text suffix, sprintf(format, flip(v, 16), suffix))
	} else if (is_hex) {
		offer(column, kind, text suffix, sprintf(format, flip(v, 1), suffix))
		offer(column, kind, text suffix, sprintf(format, flip(v, v < 16 ? 2 : 16), suffix))
	} else if (kind == "unit") {
		# Doubling 0 changes nothing; without a suffix the number must stay within 32 bits.
		if (v > 0)
			offer(column, kind, text suffix,
			      sprintf(format, v < 2147483648 || v >= 4294967296 ? v * 2 : v / 2, suffix))
	} else {
		# Allocating more than needed is not an error.
		if (!allocates()) offer(column, kind, text suffix, sprintf(format, v + 1, suffix))
		if (v > 0) offer(column, kind, text suffix, sprintf(format, v - 1, suffix))
	}
}

function word(column, text) {
	if (text in swap) offer(column, swap_kind[text], text, swap[text])
}

function pair(kind, a, b) {
	swap[a] = b
	swap[b] = a
	swap_kind[a] = swap_kind[b] = kind
}

BEGIN {
	tables = room == "uarch"
	pair("comparison", "==", "!=")
	pair("comparison", "<", "<=")
	pair("comparison", ">", ">=")
	pair("comparison", "&&", "||")
	pair("arithmetic", "+", "-")
	pair("arithmetic", "+=", "-=")
	pair("arithmetic", "<<", ">>")
	pair("arithmetic", "|", "&")
	pair("arithmetic", "|=", "&=")
	pair("arithmetic", "*", "/")
	pair("flag", "true", "false")
	pair("flag", "UM_REG_RW", "UM_REG_RO")
	pair("flag", "UM_SCOPE_PACKAGE", "UM_SCOPE_DIE")
	pair("flag", "UM_SCOPE_CORE", "UM_SCOPE_CPU")
	pair("flag", "UM_SCOPE_L3", "UM_SCOPE_NODE")
	pair("flag", "UM_REG_WO", "UM_REG_W1C")
	pair("flag", "UM_WORD_SELECTOR", "UM_WORD_EXTRA")
	pair("flag", "UM_KERNEL_FILLS", "UM_KERNEL_FORCES")
	pair("flag", "COUNTER_0", "COUNTERS_0_1")
	pair("unit", "\"MiB\"", "\"MB\"")
	pair("unit", "\"J\"", "\"W\"")
	split("<<= >>= -> ++ -- == != <= >= && || << >> += -= |= &=", list, " ")
	for (i in list) long_op[list[i]] = 1
}

skip_directive {
	skip_directive = /\\$/
	next
}
!comment && /^[ \t]*#[ \t]*(include|if|ifdef|ifndef|elif|else|endif|undef|error)/ {
	skip_directive = /\\$/
	next
}

# Leave out _Static_assert: the compiler notices the change, so it says nothing about the tests.
/^_Static_assert/ { next }

{
	n = length($0)
	if (!continued) depth = 0
	continued = depth > 0 || /\\$/
	last = ""
	declaration = /^\t*(static |const |char |u?int[0-9]*_t |unsigned |struct )/
	for (i = 1; i <= n; i += len) {
		rest = substr($0, i)
		len = 1
		if (comment) {
			if (!(len = index(rest, "*/"))) break
			len++
			comment = 0
			continue
		}
		if (rest ~ /^\/\*/) {
			comment = 1
			len = 2
			continue
		}
		before = substr($0, 1, i - 1)
		if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/)) {
			len = RLENGTH
			word(i, substr(rest, 1, len))
			last = "string"
		} else if (match(rest, /^(0x[0-9a-fA-F]+|[0-9]+(\.[0-9]+)?)[uUlL]*/)) {
			len = RLENGTH
			number(i, substr(rest, 1, len))
			last = "value"
		} else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
			len = RLENGTH
			identifier = substr(rest, 1, len)
			word(i, identifier)
			last = identifier ~ /^(return|case|sizeof)$/ ? "" : "value"
		} else if (rest ~ /^[ \t\\]/) {
			continue
		} else {
			op = substr(rest, 1, 2)
			if (!(op in long_op)) op = substr(rest, 1, 1)
			len = length(op)
			if (op == "(" || op == "[")
				calls[++depth] = op == "[" ? "[" : last == "value" ? identifier : ""
			else if ((op == ")" || op == "]") && depth > 0)
				depth--
			else if (op == "!")
				offer(i, "comparison", "!", "!!")
			# Operators with two meanings are changed only between two values, with a space on both sides.
			else if (op !~ /^[-+&*|<>\/]$/ || (last == "value" && before ~ / $/ && rest ~ /^.( |$)/))
				word(i, op)
			if (op != "++" && op != "--")
				last = op ~ /^[])]$/ ? "value" : ""
		}
	}
	continued = depth > 0 || /[\\]$/
}
