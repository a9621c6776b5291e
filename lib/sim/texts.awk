# SPDX-License-Identifier: LGPL-2.1-or-later
# The built-in machines and their parts as constants in C, without comments: awk -f texts.awk FILE.sim...
# A file with a title is a machine; the others are parts for the key include.

function finish() {
	if (!name)
		return
	if (last != "end") {
		print name ": the last line is not \"end\"" > "/dev/stderr"
		exit 1
	}
	print "\t{ \"" name "\", " (title ? "\"" title "\"" : "NULL") ",\n" text "\t},"
}

BEGIN { print "#include \"sim/machines.h\"\n\nconst struct um_sim_builtin um_sim_builtins[] = {" }

FNR == 1 {
	finish()
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.sim$/, "", name)
	title = text = last = ""
}

{
	sub(/[ \t]*#.*/, "")
	gsub(/[\\"]/, "\\\\&")
}

!NF { next }

/^title = / { title = substr($0, 9) }

{
	last = $0
	text = text "\t  \"" $0 "\\n\"\n"
}

END {
	finish()
	print "};\n\nconst size_t um_sim_num_builtins = sizeof(um_sim_builtins) / sizeof(um_sim_builtins[0]);"
}
