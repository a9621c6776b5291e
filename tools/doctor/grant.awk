# SPDX-License-Identifier: LGPL-2.1-or-later
# The text of grant.text, from its first "@ WORD" on, as a constant in C: awk -f grant.awk grant.text

BEGIN { print "#include \"doctor/doctor.h\"\n\nconst char doctor_grant_text[] =" }

/^@ / { begun = 1 }

# Placeholders are @NAME@ and @uncore-tool@, and nothing else may contain a "@".
begun && !/^@ / && gsub(/@/, "&") != 2 * gsub(/@([A-Z_]+|uncore-[a-z]+)@/, "&") {
	print FILENAME ":" FNR ": a single @" >"/dev/stderr"
	exit 1
}

begun {
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\\n\""
}

END { print "\t;" }
