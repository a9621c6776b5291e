#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every example in the documents is run and its output is compared, and every option and field is described in its
# manual page.
#
# Examples are, in Markdown, the blocks that begin with ```sh, and in a manual page the literal blocks whose first line
# begins with "$ " or "# ". In a block,
#   "$ COMMAND"  is run and has to succeed; a backslash or a bar at the end continues it on the next line.
#                The lines below it are its output, including standard error.
#   "# COMMAND"  needs root or the hardware, or changes the machine. It is counted and listed, but not run;
#                an uncore-read command must at least be accepted (--dry-run on a simulated machine).
#   "..."        stands for any text within a line, and on a line of its own for any number of lines
#   "$ cat FILE" of a file that does not exist creates it, with the output that is shown

# bats file_tags=plain

load common
load mounted
load answers

TELL=3 # descriptor for the counts of examples, which bats shows even if no test fails

setup() {
	WORK=$BATS_TEST_TMPDIR/work
	LIST=$BATS_TEST_TMPDIR/examples
	mkdir "$WORK" "$LIST"
	cd "$TOP" || return
}

teardown() {
	local dir
	# Unmount what a failed example may have left mounted.
	for dir in "$WORK"/*/; do
		if mountpoint -q "$dir"; then
			umount -l "$dir" 2>/dev/null || fusermount3 -u -z "$dir"
		fi
	done
}

# ---- examples ----

# roff_text: replace roff's escapes by the characters that a reader sees.
roff_text() {
	sed -e 's/\\-/-/g' -e 's/\\&//g' -e "s/\\\\(aq/'/g" -e 's/\\e/\\/g'
}

# example_lines DOCUMENT: print the lines of its example blocks.
example_lines() {
	case $1 in
	*.md) awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$1" ;;
	*)
		awk '/^\.Bd -literal/ { on = first = 1; next }
		     /^\.Ed/ { on = 0 }
		     on && first { first = 0; on = /^[$#] / }
		     on' "$1" | roff_text
		;;
	esac
}

# split_examples DOCUMENT: write example number N to $LIST/N.run or N.root (the command), N.shown (the output in the
# document) and N.regex (the output as a regular expression).
split_examples() {
	example_lines "$1" | awk -v list="$LIST/" -v document="$1" '
		goes_on { print >file }
		!goes_on && /^[$#] / {
			close(file); close(shown); close(regex)
			file = list sprintf("%03d", ++n)
			shown = file ".shown"
			regex = file ".regex"
			file = file (/^[$]/ ? ".run" : ".root")
			printf "" >shown
			printf "" >regex
			print substr($0, 3) >file
			goes_on = 1
		}
		!n {
			print document ": a block begins with \"" $0 "\", not with a command"
			wrong = 1
			exit 1
		}
		goes_on { goes_on = /[\\|]$/; next }
		{ print >shown }
		$0 == "..." { printf "(.*\n)?" >regex; next }
		{
			gsub(/[][\\.^$*+?(){}|]/, "\\\\&")
			gsub(/\\[.]\\[.]\\[.]/, "[^\n]*")
			print >regex
		}
		END {
			if (!n && !wrong) print document ": no example in it"
			exit !n
		}'
}

run_example() { # N
	local command output='' shown='' status=0
	command=$(<"$LIST/$1.run")
	if [[ $command =~ ^cat\ ([A-Za-z0-9_.-]+)$ && ! -e $WORK/${BASH_REMATCH[1]} ]]; then
		cp "$LIST/$1.shown" "$WORK/${BASH_REMATCH[1]}"
	fi
	env -C "$WORK" timeout 60 bash -c "$command" </dev/null >"$LIST/$1.got" 2>&1 || status=$?
	IFS= read -rd '' output <"$LIST/$1.got" || true
	IFS= read -rd '' shown <"$LIST/$1.regex" || true
	[ "$status" -eq 0 ] && [[ $output =~ ^$shown$ ]] && return
	printf '$ %s\nexit status %s\n--- shown\n+++ printed\n' "$command" "$status"
	diff "$LIST/$1.shown" "$LIST/$1.got" || true
	return 1
}

accept_example() { # N
	local command machine
	command=$(<"$LIST/$1.root")
	[[ $command == uncore-read* ]] || return 0
	# The document says which hardware an example is for; try machines until one accepts the command.
	for machine in westmere-2s haswell-ep-2s icelake-sp-2s zen-1s power9-2s power10-2s; do
		if UNCOREMSR_MACHINE=sim:$machine,clock=stepped timeout 60 bash -c \
			"uncore-read --dry-run ${command#uncore-read}" </dev/null >/dev/null 2>"$LIST/why" ||
			[[ $(<"$LIST/why") == *'is counted by the kernel, without'* ]]; then
			return 0
		fi
	done
	echo "# $command"
	cat "$LIST/why"
	return 1
}

# check_document DOCUMENT: check all of its examples, and print how many were not run.
check_document() {
	local file number bad=0 ran=0 left=0
	split_examples "$1" || return
	if grep -q 'uncore-sim mount' "$LIST"/*.run 2>/dev/null; then
		need_fuse
		need fusermount3
	fi
	for file in "$LIST"/*.run "$LIST"/*.root; do
		[ -e "$file" ] || continue
		number=${file##*/} number=${number%.*}
		if [[ $file == *.run ]]; then
			ran=$((ran + 1))
			run_example "$number" || bad=$((bad + 1))
		else
			left=$((left + 1))
			echo "# $1: not run: $(<"$file")" >&"$TELL"
			accept_example "$number" || bad=$((bad + 1))
		fi
	done
	echo "# $1: $ran examples run, $left not run" >&"$TELL"
	[ "$bad" -eq 0 ] && [ "$ran" -gt 0 ]
}

# check_documents DOCUMENT...: check several documents, each in an empty folder.
check_documents() {
	local document bad=0
	for document; do
		rm -rf "$LIST" "$WORK"
		mkdir "$LIST" "$WORK"
		check_document "$document" || bad=1
	done
	return "$bad"
}

@test "the examples of README and of uncore-sim(1), which mount machines, print what they show" {
	need jq
	check_documents README.md docs/man/uncore-sim.1
}

@test "the examples of the guide and the pages on sampling and monitoring print what they show" {
	check_documents docs/guide.md docs/sampling.md docs/monitoring/README.md
}

@test "the examples of the cookbook print what it shows" {
	check_document docs/cookbook.md
}

@test "the examples of the page on POWER print what it shows, in both languages the same" {
	need dtc perl
	need_flat
	diff <(example_lines docs/imc.md) <(example_lines docs/imc.zh.md)
	check_document docs/imc.md
}

@test "the examples of uncore-read(1) print what it shows" {
	check_document docs/man/uncore-read.1
}

@test "the examples of the pages on uncore-agent, doctor, events, imc and info print what they show" {
	check_documents docs/man/uncore-{agent.8,doctor.1,events.1,imc.1,info.1}
}

@test "the examples of the pages on uncore-record, report and throttle print what they show" {
	need jq
	PATH=$TOP/scripts:$PATH check_documents docs/man/uncore-{record,report,throttle,throttle-check}.1
}

@test "the examples of the other pages print what they show, and every page is tested" {
	local page pages=()
	for page in docs/man/*.[1-9]; do
		[[ $page == docs/man/uncore-* || $page == docs/man/uncoremsr.3 ]] || pages+=("$page")
	done
	check_documents "${pages[@]}"
	[[ $(printf '%s\n' docs/man/uncore-* | wc -l) = 11 ]]
}

@test "uncoremsr-metrics(7) and -M know the same metrics" {
	{
		uncore-read --machine=sim:westmere-2s,clock=stepped --packages 0 -M '*' --format=csv
		uncore-read --machine=sim:nehalem-1s,clock=stepped -M '*' --format=csv
		uncore-read --machine=sim:skylake-sp-2s,clock=stepped -M '*' --packages 0 --format=csv
	} | cut -d, -f11 | grep -v '^event$' | sort -u >"$LIST/names"
	[ -s "$LIST/names" ]
	# "core0 to core3" also stands for the cores in between.
	sed -nE 's/^\.It Cm //p' docs/man/uncoremsr-metrics.7 | sed 's/ No to Cm .*//; s/ , /\n/g' |
		awk '/-core0$/ { for (n = 0; n < 4; n++) { sub(/.$/, n); print } next } 1' | sort |
		diff "$LIST/names" -
}

@test "a wrong output, a failing command and a block without a command are found" {
	local doc=$BATS_TEST_TMPDIR/a.md TELL=1 text
	printf '```sh\n$ echo a; echo bcd\na\nb...d\n```\n' >"$doc"
	check_document "$doc"
	for text in '```sh\n$ echo a\nA\n```\n' '```sh\n$ echo a\n```\n' '```sh\n$ false\n```\n' '```sh\necho a\n```\n' \
		'no example\n'; do
		rm -f "$LIST"/*
		# shellcheck disable=SC2059 # a format
		printf "$text" >"$doc"
		run -1 check_document "$doc"
	done
}

# ---- options and fields ----

# section TOOL NAME: set ${lines[@]} to the lines of this section of the tool's page.
section() {
	local page=(docs/man/"$1".[18]) line on=
	lines=()
	while IFS= read -r line; do
		if [[ $line == '.Sh '* ]]; then
			on=
			[[ $line != ".Sh $2"* ]] || on=1
		fi
		[ -z "$on" ] || lines+=("$line")
	done <"${page[0]}"
}

@test "each tool's page has the options and exit statuses of --help and no others, and the set-user-id refusal" {
	local tool statuses numbers
	for tool in uncore-{read,info,doctor,throttle,events,sim,agent,imc,record,report}; do
		echo "$tool"
		run -0 "$BIN/$tool" --help
		grep -E '^  (-[a-zA-Z]|    --)' <<<"$output" | cut -c1-30 | grep -oE ' --?[a-zA-Z][a-z0-9-]*' | tr -d ' ' | sort >"$LIST/help"
		section "$tool" OPTIONS
		printf '%s\n' "${lines[@]}" | grep '^\.It Fl ' | sed 's/Fl Fl /Fl -/g' | grep -oE 'Fl -?[a-zA-Z][a-z0-9-]*' |
			sed 's/Fl /-/' | sort | diff "$LIST/help" -
		[ -s "$LIST/help" ]
		case $tool in uncore-agent | uncore-imc | uncore-record | uncore-report) continue ;; esac
		numbers=$(sed -n '/^Exit status:/,/^Examples:/s/^  \([0-9][0-9, ]*\).*/\1/p' <<<"$output" | grep -oE '[0-9]+')
		section "$tool" EXIT
		statuses=$(printf '%s\n' "${lines[@]}" | sed -n 's/^\.It \([0-9].*\)/\1/p' | sed 's/ , /\n/g')
		[ "$numbers" = "$statuses" ] || { echo "$numbers, not $statuses"; return 1; }
		[ "$(wc -l <<<"$numbers")" -ge 5 ]
		printf '%s\n' "${lines[@]}" | grep -q '^A copy .*set-user-id.*status 4[.]$'
	done
}

@test "uncore-read(1) explains every status of a reading, and uncore-info(1) every state of a counter" {
	local word page n=0
	for word in $(sed -n '/\[UNCOREMSR_OK\] = "ok"/,/};/p' lib/session/readings.c | grep -oE '"[a-z-]+"' | tr -d '"'); do
		n=$((n + 1))
		[ "$word" = ok ] || grep -qx ".It Ql $word" docs/man/uncore-read.1 || { echo "no $word"; return 1; }
	done
	[ "$n" -ge 12 ]
	n=0
	page=$'\n'$(<docs/man/uncore-info.1)$'\n'
	for word in $(sed -n '/state_words\[\] = {/,/};/p' tools/info/counters.c | grep -oE '"[a-z-]+"' | tr -d '"'); do
		n=$((n + 1))
		[[ $page =~ $'\n.'(Ql|Cm)" $word"(' '[,:;])?$'\n' ]] || { echo "no $word"; return 1; }
	done
	[ "$n" -eq 4 ]
}

# page_fields TOOL: print the field names of its section OUTPUT.
page_fields() {
	awk '/^\.Sh / { on = $2 == "OUTPUT" } on' "docs/man/$1".[18] |
		grep -E '^\.(It )?Cm' | grep -oE '\b[a-z_0-9]+\b' | sort -u
}

# promised TOOL FIELDS: the manual page of the tool must have each field in the file FIELDS.
promised() {
	page_fields "$1" >"$LIST/page"
	[ -s "$2" ]
	comm -23 <(sort -u "$2") "$LIST/page" >"$LIST/missing"
	[ ! -s "$LIST/missing" ] || { echo "not in the page of $1:"; cat "$LIST/missing"; return 1; }
}

@test "uncore-read(1) promises the fields of JSON and CSV and no others" {
	local machine=sim:nehalem-1s,clock=stepped
	uncore-read --machine="$machine" -e 1:1 --format=json | grep -oE '"[a-z_]+":' | tr -d '":' |
		sort >"$LIST/json"
	uncore-read --machine="$machine" -e 1:1 --format=csv | head -n 1 | tr , '\n' | sort >"$LIST/csv"
	[ -s "$LIST/json" ]
	diff "$LIST/json" "$LIST/csv"
	diff <(page_fields uncore-read | grep -vxE 'json|csv') "$LIST/json"
}

@test "uncore-info(1), uncore-events(1) and uncore-doctor(1) promise every field of their JSON, and the last names every check" {
	uncore-info --machine=sim:nehalem-1s --format=json | grep -oE '"[a-z_0-9]+":' | tr -d '":' >"$LIST/json"
	promised uncore-info "$LIST/json"
	{
		later uncore-events encode --uarch=westmere UNC_PROCHOT_ASSERTION --format=json
		later uncore-events decode --uarch=westmere 0x5301b1 --format=json
		for word in UNC_PROCHOT_ASSERTION 0x391 0x82 bit17; do
			later uncore-events explain --uarch=westmere "$word" --format=json
		done
		later uncore-events list --uarch=westmere --differences --format=json
		each_answer as_array
	} | grep -oE '"[a-z_0-9]+":' | tr -d '":' >"$LIST/json"
	promised uncore-events "$LIST/json"
	{
		uncore-doctor --machine=sim:nehalem-1s --format=csv | head -n 1
		uncore-doctor --machine=sim:nehalem-1s --leases --format=csv
		uncore-doctor --machine=sim:nehalem-1s --repair --format=csv
	} | tr , '\n' >"$LIST/fields"
	[ "$(wc -l <"$LIST/fields")" -eq 18 ]
	promised uncore-doctor "$LIST/fields"
	grep -ohE 'doctor_add(_failure)?\(d, "[a-z-]+"|UNCOREMSR_DRIVER_[A-Z_]+\] = "[a-z-]+"' tools/doctor/*.c |
		grep -oE '"[a-z-]+"' | tr -d '"' | sort -u >"$LIST/checks"
	[ "$(wc -l <"$LIST/checks")" -gt 15 ]
	awk '/^\.Sh / { on = $2 == "CHECKS" } on && /^\.It Cm/' docs/man/uncore-doctor.1 |
		sed 's/^.It Cm //; s/ , /\n/g' | sort -u | diff "$LIST/checks" -
}

@test "uncore-throttle(1) promises the fields of its JSON and CSV and no others, and names every cause" {
	local machine=sim:haswell-ep-2s,clock=stepped,throttle=none,throttle=prochot-external
	{
		uncore-throttle --machine="$machine" --format=json || [ $? -eq 1 ]
		uncore-throttle --machine="$machine" --format=json --summary || [ $? -eq 1 ]
		uncore-throttle --machine="$machine" --format=json --dimm
		uncore-throttle --machine="$machine" --format=json --clear
		# Fields about limits set by software; throttle-policy.bats shows them on a machine with such limits.
		echo '"what": "file": "of":'
	} | grep -oE '"[a-z_]+":' | tr -d '":' | sort -u >"$LIST/json"
	{
		uncore-throttle --machine="$machine" --format=csv || [ $? -eq 1 ]
		uncore-throttle --machine="$machine" --format=csv --summary || [ $? -eq 1 ]
		uncore-throttle --machine="$machine" --format=csv --dimm
	} | grep '^time,' | tr , '\n' | sort -u >"$LIST/csv"
	[ "$(wc -l <"$LIST/json")" -gt 30 ]
	# JSON nests causes and evidence, CSV joins them.
	diff <(sort -u "$LIST/json" "$LIST/csv") <(page_fields uncore-throttle | grep -vxE 'json|csv')
	grep -ohE '^\.It Cm [a-z-]+( , [a-z-]+)*$' docs/man/uncore-throttle.1 | sed 's/^.It Cm //; s/ , /\n/g' |
		grep -E -- '-|^smi$|^firmware$|^other$' | grep -vxE 'was-throttled|cannot-tell' | sort >"$LIST/page"
	[ "$(wc -l <"$LIST/page")" -eq 13 ]
	awk '/^\/\*\* "core-thermal"/, /\*\//' include/uncoremsr/throttle.h | grep -oE '"[a-z-]+"' | tr -d '"' |
		sort | diff "$LIST/page" -
}

# ---- the library ----

@test "uncoremsr(3) lists exactly the headers' functions, with prototypes, and section 7 names only existing ones" {
	sed -E '/^[[:space:]]*\*|^[[:space:]]*\/\*|^struct [a-z_0-9]+;|^#/d' include/uncoremsr.h include/uncoremsr/*.h |
		grep -oE '\buncoremsr_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$LIST/header"
	[ -s "$LIST/header" ]
	sed -n 's/^\.It Fn //p' docs/man/uncoremsr.3 | sort | diff "$LIST/header" -
	awk '/^\.Sh SYNOPSIS/ { on = 1; next } /^\.Sh / { on = 0 } on && /^\.Fn / { print $2 }' \
		docs/man/uncoremsr.3 | sort | diff "$LIST/header" -
	scripts/man-api --check
	run ! grep -B 1 -nxF '?' docs/man/uncoremsr.3
	run ! grep -n '^\.Ft .*[A-Z\\]' docs/man/uncoremsr.3
	sed -n '/^enum uncoremsr_status/,/^}/s/^\t\(UNCOREMSR_[A-Z_]*\),.*/.It Dv \1/p' include/uncoremsr.h \
		>"$LIST/statuses"
	[ -s "$LIST/statuses" ]
	run ! grep -vxF -f docs/man/uncoremsr.3 "$LIST/statuses"
	sed -nE 's/^\.Fn (uncoremsr_[a-z0-9_]+).*/\1/p' docs/man/*.7 | sort -u >"$LIST/pages"
	[ -s "$LIST/pages" ]
	# Inline functions of headers have no prototype in the synopsis, so search the text of the headers.
	grep -ohE '\buncoremsr_[a-z0-9_]+\(' include/uncoremsr.h include/uncoremsr/*.h | tr -d '(' | sort -u |
		comm -23 "$LIST/pages" - >"$LIST/missing"
	diff /dev/null "$LIST/missing"
}

@test "the programs in uncoremsr(3) and the lines of C in README.md are those of docs/example.c and docs/region.c" {
	awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on && !/^[$#] /' docs/man/uncoremsr.3 |
		roff_text | diff <(cat docs/example.c docs/region.c) -
	local part
	part=$(awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' README.md)
	[ -n "$part" ]
	[[ $(<docs/example.c) == *"$part"* ]]
}

# ---- for contributors ----

@test "docs/hacking.md names files, functions and types that exist, and each step of its walk in the file it is in" {
	local name bad=0
	for name in $(grep -oE '`(lib|tools|include|scripts|tests|docs)/[^` ]*`' docs/hacking.md | tr -d '`' | sort -u); do
		compgen -G "${name//<*>/*}" >/dev/null || { echo "no $name"; bad=1; }
	done
	[ "$bad" -eq 0 ]
	grep -oE '`[a-z_][a-z0-9_]*\(\)`' docs/hacking.md | tr -d '`)' | sort -u >"$LIST/functions"
	grep -rhoE '\b[a-z_][a-z0-9_]*\(' lib tools include tests/unit scripts | sort -u |
		comm -23 "$LIST/functions" - | diff /dev/null -
	grep -oE '`(struct|enum) [a-z0-9_]+`' docs/hacking.md | tr -d '`' | sed 's/$/ {/' | sort -u >"$LIST/types"
	grep -rhoE '(struct|enum) [a-z0-9_]+ \{' lib tools include tests/unit | sort -u |
		comm -23 "$LIST/types" - | diff /dev/null -
	[ -s "$LIST/functions" ]
	[ -s "$LIST/types" ]
	# Section "The walk": each function in a row of its table must be defined in the file that the row names.
	need perl
	sed -n '/^## The walk/,/^## /p' docs/hacking.md | perl -F'\|' -ane '
		next unless @F > 3 && $F[1] =~ /[0-9]/;
		my $file = $F[2] =~ s/[` ]//gr;
		my $text = do { local $/; open my $in, "<", $file or die "$file: $!"; <$in> };
		for my $name ($F[3] =~ /([a-z_0-9]+)\(\)/g) {
			$n++;
			next if $text =~ /^[a-z].*\b$name\(|\.[a-z]+ = $name\b/m;
			print "$file has no $name()\n";
			$bad = 1;
		}
		END { exit($bad || $n <= 10) }'
}

# ---- promises ----

@test "each promise of docs/security.md names a test that exists" {
	local promise where file name n=0 bad=0
	while IFS='|' read -r _ promise where _; do
		[[ $where =~ \`([a-z_-]+\.(bats|c))\`\ +(.*[^ ]) ]] || { echo "no test: $promise"; bad=1; continue; }
		file=${BASH_REMATCH[1]} name=${BASH_REMATCH[3]} n=$((n + 1))
		if [[ $file == *.bats ]]; then
			[[ $(<"tests/tools/$file") == *"@test \"$name\""* ]]
		else
			# In C a test is TEST(), TEST_EACH(), TEST_STORIES(), or a story (tests/unit/steps.h).
			[[ $(<"tests/unit/$file") =~ TEST(_EACH|_STORIES)?\("$name"[,\)] || $(<"tests/unit/$file") == *"{ \"$name\","* ]]
		fi || { echo "$file has no test: $name"; bad=1; }
	done < <(awk '/Checked by/ { on = 1; getline; next } !/^\|/ { on = 0 } on' docs/security.md)
	# If the counts differ, a row that names a test is outside of the tables that were read.
	[ "$bad" -eq 0 ]
	[ "$n" -gt 20 ]
	[ "$n" = "$(grep -cE '^\|.*`[a-z_-]+\.(bats|c)`' docs/security.md)" ]
}

# ---- links ----

@test "README is README.md, and links in the documents lead somewhere" {
	local doc link
	[ "$(readlink README)" = README.md ]
	for doc in README.md docs/guide.md docs/imc.md docs/imc.zh.md docs/sampling.md docs/cookbook.md docs/hacking.md docs/security.md; do
		for link in $(grep -oE '\]\([^)]+\)' "$doc" | tr -d '])('); do
			[[ $link == http* || -e ./${doc%"${doc##*/}"}$link ]] || { echo "$doc: $link"; return 1; }
		done
	done
	[ "$(grep -cE '\]\(docs/man/' README.md)" -gt 0 ]
}

# written_registers TEXT: print the addresses in the text, one per line; a range as "0x3b0 to 0x3b7" is expanded.
written_registers() {
	local at to
	grep -oE '0x[0-9a-f]+( to 0x[0-9a-f]+)?' <<<"$1" | while read -r at _ to; do
		for ((n = at; n <= ${to:-at}; n++)); do printf '0x%x\n' "$n"; done
	done | sort -u
}

@test "the registers that the documents say are written are those of the tables" {
	local uarch table
	need jq
	for uarch in nehalem westmere; do
		table=$(uncore-info --registers --uarch=$uarch --format=json |
			jq -r 'select(.write_mask != "0x0").register' | sort -u)
		[ "$(written_registers "$(sed -n '/^.Ss Registers written/,/^.Ss Threads/p' \
			docs/man/uncoremsr.3)")" = "$table" ]
		[ "$(written_registers "$(sed -n '/^- ..Registers\./,/^- ..Which/p' README.md)")" = "$table" ]
	done
}

@test "no manual page has a quotation inside another one" {
	need mandoc
	run -0 mandoc -T utf8 docs/man/*.[0-9]
	[ -n "$output" ]
	# There must be no two closing quotes in a row, and no opening quote before the last one is closed.
	run ! grep -E "’’|‘[^’ ]*, ‘" <<<"$output"
}
