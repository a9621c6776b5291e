# SPDX-License-Identifier: LGPL-2.1-or-later
# The rows of glossary.tsv as a constant in C: awk -f glossary.awk glossary.tsv

BEGIN {
	FS = "\t"
	print "#include \"events/events.h\"\n\nconst struct explanation explanations[] = {"
}

/^#/ { next }

NF != 3 {
	print FILENAME ":" FNR ": not three columns" >"/dev/stderr"
	exit 1
}

{
	gsub(/[\\"]/, "\\\\&")
	printf "\t{ %s, \"%s\",\n\t  \"%s\" },\n", $1 == "-" ? "NULL" : "\"" $1 "\"", $2, $3
}

END { print "\t{ NULL, NULL, NULL },\n};" }
