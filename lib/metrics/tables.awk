# SPDX-License-Identifier: LGPL-2.1-or-later
# Our metrics as constants in C: awk -f tables.awk metrics.tsv, which says what its columns are.

function fail(why) {
	print FILENAME ":" FNR ": " why > "/dev/stderr"
	failed = 1
	exit 1
}

# Replace each $NAME by the text that its definition gives.
function filled(s,    at, word) {
	while (match(s, /\$[A-Z0-9_]+/)) {
		word = substr(s, RSTART, RLENGTH)
		if (!(word in defined))
			fail("no line " word)
		s = substr(s, 1, RSTART - 1) defined[word] substr(s, RSTART + RLENGTH)
	}
	return s
}

# A column as a string of at most @size bytes with its NUL.
function text(s, size) {
	s = s == "-" ? "" : filled(s)
	if (length(s) >= size)
		fail("longer than " size - 1 " bytes: " s)
	gsub(/[\\"]/, "\\\\&", s)
	return "\"" s "\""
}

function processors(list,    i, n, names, bits) {
	if (list == "*")
		return "UM_EVERY_PROCESSOR"
	n = split(filled(list), names, ",")
	for (i = 1; i <= n; i++) {
		if (!(names[i] in bit))
			fail("not in the line of processors: " names[i])
		bits = bits (i > 1 ? " | " : "") "UINT64_C(1) << " bit[names[i]]
	}
	return bits
}

function trait(s) {
	if (s == "-")
		return "UM_METRIC_PLAIN"
	gsub(/-/, "_", s)
	return "UM_METRIC_" toupper(s)
}

BEGIN { FS = "\t" }

/^#/ || /^$/ { next }

/^\$/ && NF == 2 {
	defined[$1] = filled($2)
	next
}

$1 == "processors" {
	n = split($2, names, ",")
	for (i = 1; i <= n; i++) {
		bit[names[i]] = i - 1
		list = list "\t\"" names[i] "\",\n"
	}
	next
}

NF != 9 { fail("not 9 columns but " NF) }
$6 !~ /^[0-9.]+$/ { fail("not a number: " $6) }

{
	rows = rows "\t{ " processors($1) ", " text($2, 32) ", " text($3, 80) ",\n\t  " text($4, 448) ",\n\t  " text($5, 20) ", " \
	       $6 ", " text($9, 152) ", " text($8, 64) ", " trait($7) " },\n"
}

END {
	if (failed)
		exit 1
	print "/* Made by tables.awk. */"
	print "#include \"metrics/metrics.h\"\n"
	print "const char um_metric_processors[][20] = {\n" list "\t\"\"\n};\n"
	print "const struct um_metric_row um_metrics[] = {\n" rows "};"
	print "const size_t um_num_metrics = sizeof(um_metrics) / sizeof(um_metrics[0]);"
}
