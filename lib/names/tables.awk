# SPDX-License-Identifier: LGPL-2.1-or-later
# The event tables, and the words of other programs, as constants in C: awk -f tables.awk tables.tsv FILE.tsv...
#
# synonyms.tsv says what its columns are. Columns of another FILE.tsv, separated by tabs; "-" is none:
#   processors   "*": all processors that tables.tsv has for this file; else a list
#   name         as the manual writes it; rows are sorted by um_name_fold() (names.h)
#   event umask  codes of the selector
#   also         selector=BITS  bits of the selector beyond event and umask
#                MSR=VALUE      another register (of unit 0) that must be set; 0x396=0: the caller chooses the value
#                ports=N        the event exists on N ports, twice on each; their selects differ by UM_PORT_EVENTS
#                port=VALUE     value for the extra register that belongs to the event select
#   kind         count      how often something happened
#                cycles     clocks in which a condition was true
#                occupancy  entries of a queue, added up in every clock
#                clock      the uncore clock: a fixed counter only, without an event select
#   unit         what counts it
#   sources      who lists the name, with any codes (enum um_source)
#   differs      [PROCESSOR:]SOURCE=EVENT:UMASK  the source that gives the name other codes
#   description  one sentence, no full stop
#   note         a trap that users should know about; "@N": the line "@N text" of this file

function fail(why) {
	print FILENAME ":" FNR ": " why > "/dev/stderr"
	failed = 1
	exit 1
}

function text(s,    offset) {
	if (s == "-")
		s = ""
	if (!(s in offsets)) {
		offsets[s] = texts_size
		texts_size += length(s) + 1
		literal = s
		gsub(/[\\"]/, "\\\\&", literal)
		texts = texts "\t\"" literal "\\0\"\n"
	}
	return offsets[s]
}

function word(s) {
	if (s !~ /^(0x[0-9a-f]+|[0-9]+)$/)
		fail("not a number: " s)
	return s
}

function sources(list,    i, n, names, bits) {
	n = split(list, names, ",")
	for (i = 1; i <= n; i++)
		bits = bits (i > 1 ? " | " : "") "UM_" toupper(names[i])
	return bits
}

function processors(list,    i, n, names, bits) {
	if (list == "*")
		return all[file]
	n = split(list, names, ",")
	for (i = 1; i <= n; i++) {
		if (!((file, names[i]) in bit))
			fail("tables.tsv has no " names[i] " with " file)
		bits += bit[file, names[i]]
	}
	return bits
}

function extras(list,    i, n, items, term, value, msrs, s) {
	n = list == "-" ? 0 : split(list, items, ",")
	for (i = 1; i <= n; i++) {
		split(items[i], term, "=")
		value = word(term[2])
		if (term[1] == "selector")
			s = s ", .more = " value
		else if (term[1] == "ports")
			s = s ", .ports = " value
		else if (term[1] == "port")
			s = s ", .extra_value = " value
		else if (++msrs == 1)
			s = s ", .extra_msr = " word(term[1]) ", .extra_value = " value
		else
			s = s ", .extra_msr2 = " word(term[1]) ", .extra_value2 = " value
	}
	return s
}

function dispute(s, on,    n, part) {
	if (s == "-")
		return ""
	n = split(s, part, /[:=]/)
	if (n != 3 && n != 4)
		fail("not [PROCESSOR:]SOURCE=EVENT:UMASK: " s)
	return ", .dispute = { " (n == 4 ? processors(part[1]) : on) ", " sources(part[n - 2]) ", " word(part[n - 1]) ", " \
	       word(part[n]) " }"
}

BEGIN {
	FS = "\t"
	texts_size = 0
	text("-")
}

FNR == 1 {
	file = FILENAME
	gsub(/.*\/|\.tsv$/, "", file)
	first[file] = num_rows + 0
}

/^#/ || /^$/ { next }

file == "tables" {
	if (NF != 5 || length($1) > 23 || length($2) > 7)
		fail("not 5 columns, or more than 23 bytes of a processor or 7 of a PMU")
	as = $4 == "-" ? $1 : $4
	if (!(($3, as) in bit)) {
		bit[$3, as] = all[$3] + 1
		all[$3] += bit[$3, as]
	}
	table[++num_tables] = $0
	next
}

file == "synonyms" {
	if (NF != 5 || length($2) > 31 || length($3) > 27)
		fail("not 5 columns, or more than 31 or 27 bytes in a column of text")
	if ($1 != list_name) {
		synonym_lists = synonym_lists (num_synonyms ? num_synonyms - first_synonym " },\n" : "")
		list_name = $1
		first_synonym = num_synonyms + 0
		gsub(/-/, "_", $1)
		synonym_lists = synonym_lists "\t[UM_" toupper($1) "] = { synonym_rows + " first_synonym ", "
	}
	gsub(/^-$/, "", $2)
	gsub(/^-$/, "", $3)
	gsub(/^-$/, "", $5)
	places = split($5, on, ",")
	for (i = 1; i <= (places ? places : 1); i++) {
		if (places > 1 && on[i] == "")
			fail("a place without a name")
		if (length(on[i]) > 15)
			fail("more than 15 bytes: " on[i])
		synonyms = synonyms "\t{ \"" $2 "\", \"" $3 "\", " word($4) ", \"" on[i] "\" },\n"
		num_synonyms++
	}
	next
}

/^@/ {
	note[file, $1] = $2
	next
}

NF != 11 { fail("not 11 columns but " NF) }
$6 !~ /^(count|cycles|occupancy|clock)$/ { fail("no kind of event: " $6) }
length($2) > 47 { fail("a name is at most 47 bytes long") }
$11 ~ /^@/ && !((file, $11) in note) { fail("no line " $11) }

{
	rows = rows "\t{ .name = \"" $2 "\", .event = " word($3) ", .umask = " word($4) ", .sources = " \
	       sources($8) ", .on = " processors($1) ", .kind = " text($6) ", .unit = " text($7) \
	       ", .desc = " text($10) ", .note = " text($11 ~ /^@/ ? note[file, $11] : $11) extras($5) \
	       dispute($9, processors($1)) " },\n"
	num_rows++
	num[file]++
}

END {
	if (failed)
		exit 1
	print "/* Made by tables.awk. */"
	print "#include \"names/table.h\"\n#include \"names/synonyms.h\"\n"
	for (i = 1; i <= num_tables; i++) {
		split(table[i], t, "\t")
		if (!(t[3] in num)) {
			print "tables.tsv: " t[1] ": no file " t[3] ".tsv" > "/dev/stderr"
			exit 1
		}
		as = t[4] == "-" ? t[1] : t[4]
		list = list "\t{ \"" t[1] "\", \"" t[2] "\", " text(t[5]) ", " bit[t[3], as] ", um_event_rows + " \
		       first[t[3]] ", " num[t[3]] " },\n"
	}
	print "static const struct um_synonym synonym_rows[] = {\n" synonyms "};\n"
	print "const struct um_synonym_list um_synonyms[] = {\n" synonym_lists num_synonyms - first_synonym " },\n};\n"
	print "const char um_event_texts[] =\n" texts ";\n"
	print "static const struct um_event_row um_event_rows[] = {\n" rows "};\n"
	print "const struct um_event_table um_event_tables[] = {\n" list "};"
	print "const size_t um_num_event_tables = sizeof(um_event_tables) / sizeof(um_event_tables[0]);"
}
