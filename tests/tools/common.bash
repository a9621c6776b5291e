# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Helpers for all tests of tools. BIN: folder of the binaries under test.

TOP=${BASH_SOURCE[0]%/*/*/*}
BIN=${BIN:-$TOP/build/bin}
CORPUS=${UNCOREMSR_CORPUS:-$TOP/../shared/corpus}
export PATH="$BIN:$PATH" LC_ALL=C
unset UNCOREMSR_MACHINE
# Use Debian's python3: that of pyenv is a script that starts a dozen processes.
[ ! -x /usr/bin/python3 ] || hash -p /usr/bin/python3 python3
bats_require_minimum_version 1.5.0

# bats records the whole call stack before each command, to show where a test failed; this takes nine tenths of the time
# of a loop. Instead, record the stack only when a command fails. For a "return" or an "exit" in a test, recording the
# line of the test is enough.
if declare -F bats_check_status_from_trap bats_capture_stack_trace >/dev/null; then
	bats_error_trap() {
		bats_check_status_from_trap
		[ -z "$BATS_DEBUG_LAST_STACK_TRACE_IS_VALID" ] || return 0
		[ "${FUNCNAME[1]}" = bats_perform_test ] || bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
	# When the shell exits, bash runs this DEBUG trap once more before the EXIT trap of bats. bats then reads the
	# trace before the last one, so keep two.
	# shellcheck disable=SC2034 # bats reads it
	bats_debug_trap() {
		[ "${FUNCNAME[1]-}" = "$BATS_TEST_NAME" ] || return 0
		BATS_DEBUG_LASTLAST_STACK_TRACE=("${BATS_DEBUG_LAST_STACK_TRACE[@]}")
		BATS_DEBUG_LAST_STACK_TRACE=("${BASH_LINENO[0]} $BATS_TEST_NAME $BATS_TEST_FILENAME")
	}
fi

# For each test bats starts three processes to get a time that it prints only with --timing. A fourth process removes a
# file from the temporary folder of bats, although bats removes this folder at the end. Together they are a fifth of the
# cost of a small test.
if declare -F get_mills_since_epoch >/dev/null; then
	get_mills_since_epoch() {
		printf '%s\n' "$((${EPOCHREALTIME/[.,]/} / 1000))"
	}
	rm() {
		[ "$*" = "-f ${BATS_OUT-}" ] || command rm "$@"
	}
fi

# For each test bats runs env, which looks for bash, and starts two processes that make the test's temporary folder.
# Here the shell that runs the file starts bash itself, and makes the folders of all its tests at once. No test of ours
# is retried.
# shellcheck disable=SC2034 # variables of bats
if declare -F bats_run_test_with_retries >/dev/null; then
	bats_run_test_with_retries() {
		local status=0
		"$BASH" "$BATS_LIBEXEC/bats-exec-test" "$@" 1 || bats_exec_file_status=$? status=$?
		return "$status"
	}
	mkdir() {
		[[ ${*: -1} == "$BATS_RUN_TMPDIR"/test* && -d ${*: -1} ]] || command mkdir "$@"
	}
	export -f mkdir
	test_folders() {
		local i folders=()
		for i in "${!tests_to_run[@]}"; do
			folders+=("$BATS_RUN_TMPDIR/test/$((BATS_FILE_FIRST_TEST_NUMBER_IN_SUITE + i + 1))")
		done
		[ ${#folders[@]} = 0 ] || command mkdir -p "${folders[@]}"
	}
	test_folders
else
	unset -f mkdir
fi

# run [-STATUS | !] [--separate-stderr] COMMAND [ARG...]: the same as the function of bats, which starts one to three
# processes besides COMMAND. This one starts only COMMAND, and passes its output through files. If COMMAND is a function
# of the test, it sees the local variables, so their names begin with "_".
run() {
	local _wanted='' _start=command _out=$BATS_TEST_TMPDIR.out$BASH_SUBSHELL _err=
	while [[ $1 == [-!]* ]]; do
		case $1 in
		--separate-stderr) _err=$BATS_TEST_TMPDIR.err$BASH_SUBSHELL ;;
		*) _wanted=${1#-} ;;
		esac
		shift
	done
	type -t "$1" >"$_out" || true
	case $(<"$_out") in
	file | '') ;;
	*) _start=in_subshell ;;
	esac
	status=0
	if [ -n "$_err" ]; then
		"$_start" "$@" >"$_out" 2>"$_err" || status=$?
		stderr=$(<"$_err")
		IFS=$'\n' read -rd '' -a stderr_lines <"$_err" || true
	else
		"$_start" "$@" >"$_out" 2>&1 || status=$?
	fi
	output=$(<"$_out")
	# shellcheck disable=SC2034 # the tests use it
	IFS=$'\n' read -rd '' -a lines <"$_out" || true
	case $_wanted in
	"$status" | '') return ;;
	!) [ "$status" = 0 ] || return 0 ;;
	esac
	printf 'status %s, wanted %s: %s\n%s\n' "$status" "$_wanted" "$*" "$output"
	[ -z "$_err" ] || printf 'standard error: %s\n' "$stderr"
	return 1
}

# in_subshell FUNCTION [ARG...]: run it so that a failing command in it does not end the test.
in_subshell() {
	(set +eET; "$@")
}

# need CMD...: skip the test, with the reason, if a program is missing.
need() {
	local cmd
	for cmd; do
		command -v "$cmd" >/dev/null || skip "no $cmd here"
	done
}

need_corpus() {
	[ -e "$CORPUS/$1" ] || skip "no corpus"
}

# once COMMAND...: does COMMAND succeed? It is run only once; the result is kept for all tests, under the command's
# name.
once() {
	local answer=$BATS_RUN_TMPDIR/once-${1##*/}
	if [ ! -e "$answer" ]; then
		"$@" >/dev/null 2>&1 && echo 0 >"$answer" || echo 1 >"$answer"
	fi
	return "$(<"$answer")"
}

# need_terminal: skip if script(1) cannot make a terminal, for example because /dev/pts is missing.
need_terminal() {
	once script -qec true /dev/null || skip "no pseudo terminal here"
}

# need_flat: skip if the tools were built without libfdt. This is found out once for all tests.
need_flat() {
	once built_flat || skip "built without flat device trees"
}

built_flat() {
	printf 'no tree' >"$BATS_RUN_TMPDIR/probe.dtb"
	run uncore-events list --event-list="$BATS_RUN_TMPDIR/probe.dtb"
	[[ $output != *"built without flat device trees"* ]]
}

# need_json: skip if the tools were built without jansson.
need_json() {
	once built_json || skip "built without JSON event lists"
}

built_json() {
	run uncore-events list --uarch=westmere --event-list=/dev/null
	[[ $output != *"built without JSON"* ]]
}

# ---- long walks ----

# A test of many cases of one kind (a walk) runs all of them with WHOLE=1, as "make sweep" does. Otherwise it runs some
# of them, chosen by the date or by SEED=N.
printf -v DAY '%(%Y%m%d)T'
DAY=${SEED:-$DAY}

# drawn N: is this case to be run? Yes at the first call, so that no walk is empty, and at every Nth later call (with
# DRAW=4 at every 4*Nth). With WHOLE=1 always.
drawn() {
	if [ -z "${calls:-}" ] || [ -n "${WHOLE:-}" ]; then
		calls=$DAY
		return
	fi
	calls=$((calls + 1))
	((calls % ($1 * ${DRAW:-1}) == 0))
}

# stride N: set $from to the first case to run (from 1 on), and $step to the distance between cases.
# shellcheck disable=SC2034 # the tests use it
stride() {
	step=$1
	[ -z "${WHOLE:-}" ] || step=1
	from=$((1 + DAY % step))
}

# sysfs_tree NAME: make a tree with the kernel PMUs of corpus/perf-sysfs/NAME.tsv, for --machine=root:DIR, and print
# DIR. The tree has no CPUs and no processor.
sysfs_tree() {
	local dir=$BATS_TEST_TMPDIR/tree-$1
	perl -MFile::Path=make_path -MFile::Basename -ne 'BEGIN { $dir = shift }
		my ($path, $content) = /^([^\t\n]+)(?:\t(.*))?$/ or next;
		make_path(dirname("$dir/sys/$path"));
		open my $file, ">", "$dir/sys/$path" or die "$path: $!";
		print $file "$content\n"' "$dir" "$CORPUS/perf-sysfs/$1.tsv"
	printf '%s\n' "$dir"
}

# unfold: join the lines that uncore-info has folded to 80 columns.
unfold() {
	perl -0pe 's/\n {15}(?=\S)/ /g'
}

# as_nobody COMMAND...: run it as a user without rights.
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# need_nobody FILE...: skip if there is no such user, or if that user has no access to these files.
need_nobody() {
	local file
	[ "$EUID" = 0 ] || skip "root is needed to become nobody"
	need setpriv
	once as_nobody true || skip "cannot become nobody"
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
	for file; do
		as_nobody test -x "$file" || skip "nobody cannot reach $file"
	done
}

# fails_with STATUS TEXT COMMAND [ARG...]: the command must end with that status and print nothing on standard output,
# and one line on standard error that begins with the command's name and contains TEXT.
fails_with() {
	local wanted=$1 text=$2
	shift 2
	run --separate-stderr "$@"
	if [ "$status" -ne "$wanted" ] || [ -n "$output" ] || [ "${#stderr_lines[@]}" -ne 1 ] ||
	   [[ $stderr != "$1: "*"$text"* ]]; then
		printf '%s\nstatus %s, stdout: %s\nstderr: %s\n' "$*" "$status" "$output" "$stderr"
		return 1
	fi
}

# ---- programs that run beside a test ----

started=()

# background COMMAND: start it, with its process id in $pid. It must not inherit descriptor 3 of bats: bats would wait
# for it.
background() {
	"$@" 3>&- &
	pid=$!
	started+=("$pid")
}

# ends_with STATUS: wait for $pid, which must end with that status. Do not call it through "run": a subshell cannot wait
# for $pid, which is not its child.
ends_with() {
	local status=0
	wait "$pid" || status=$?
	[ "$status" = "$1" ] || { echo "process $pid ended with $status"; return 1; }
}

# count_beside UNCORE-READ...: start it in the background, and return when it counts. It counts until the test ends.
count_beside() {
	local said=$BATS_TEST_TMPDIR/counting
	[ -n "${counts:-}" ] || { mkfifo "$BATS_TEST_TMPDIR/counts" && exec {counts}<>"$BATS_TEST_TMPDIR/counts"; }
	rm -f "$said"
	background "$@" -- sh -c 'exec <"$0"; echo counting; read -r _' "$BATS_TEST_TMPDIR/counts" \
		>"$said" 2>"$said.errors" {counts}>&-
	wait_for "$said" counting
}

# killed_beside UNCORE-READ...: like count_beside; then kill the process, so that its registers stay programmed.
killed_beside() {
	count_beside "$@"
	stop "$pid"
}

# stop PID [SIGNAL]: kill the process and wait until it is gone.
stop() {
	kill -s "${2:-KILL}" "$1"
	wait "$1" || true
}

# kill_started: kill all programs in the background. A teardown of a file, which replaces the one below, has to call it.
kill_started() {
	local pid
	for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
}

teardown() {
	kill_started
}

# pause SECONDS: sleep without starting a process.
pause() {
	[ -n "${silence:-}" ] || exec {silence}<> <(:)
	read -rt "$1" -u "$silence" || true
}

# wait_until COMMAND...: repeat it until it succeeds, at growing intervals, because it may start processes. The limit of
# 60 s only ends tests that hang; a busy machine may need long.
wait_until() {
	local end=$((SECONDS + 60)) wait=40 fraction
	until "$@"; do
		((SECONDS < end)) || { echo "not within 60 s: $*"; return 1; }
		printf -v fraction %03d "$wait"
		pause "0.$fraction"
		((wait >= 400)) || wait=$((wait * 5 / 4))
	done
}

# wait_while COMMAND...: repeat it until it fails.
wait_while() {
	wait_until not "$@"
}

not() {
	! "$@"
}

# has_line FILE REGEX: does a line of the file match?
has_line() {
	local text line
	{ mapfile -t text <"$1"; } 2>/dev/null || return 1
	for line in "${text[@]}"; do
		if [[ $line =~ $2 ]]; then return 0; fi
	done
	return 1
}

# wait_for FILE REGEX: wait until the file has a line that matches.
wait_for() {
	wait_until has_line "$@"
}

# is_alive PID
is_alive() {
	kill -0 "$1" 2>/dev/null
}

# ---- what Prometheus reads ----

# exposition FILE: check the text format 0.0.4: HELP and TYPE once before the samples of a name, which are together; no
# series twice; no time stamps; names of counters, and only these, end in _total.
exposition() {
	awk '
		function bad(why) { print FILENAME ":" NR ": " why ": " $0; failed = 1 }
		/^# HELP / { if ($3 in help || NF < 4) bad("HELP"); help[$3] = 1; name = $3; next }
		/^# TYPE / {
			if ($3 != name || $3 in type) bad("TYPE")
			if (($4 == "counter") != ($3 ~ /_total$/)) bad("name")
			type[$3] = $4
			next
		}
		!/^[a-z_]+({[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*})? [0-9]+(\.[0-9]+)?$/ { bad("sample") }
		{ series = $0; sub(/ [^ ]*$/, "", series); if (series in seen) bad("twice"); seen[series] = 1 }
		{ sub(/[{ ].*/, ""); if ($0 != name || !($0 in type)) bad("out of its group") }
		END { exit failed || !NR }' "$1"
}

# sample FILE NAME LABEL...: print the value of the only sample with this name and these labels.
sample() {
	local all line label found=
	mapfile -t all <"$1"
	for line in "${all[@]}"; do
		[[ $line == "$2"[\{\ ]* ]] || continue
		for label in "${@:3}"; do
			[[ $line == *"$label"* ]] || continue 2
		done
		[ -z "$found" ] || return 1
		found=$line
	done
	[ -n "$found" ] && echo "${found##* }"
}

# ---- simulated machines, and the registers that were written ----

# Parameters of a simulated machine: a stepped clock, and no throttling except what further parameters add.
# shellcheck disable=SC2034 # the tests use it
CALM=clock=stepped,throttle=none

# restored FILE: FILE is the output of --trace. The last write to each register must write the value that the register had
# before the first write. Lines are "cpu 0 write NAME (0x391) OLD -> NEW [FIELDS]"; OLD is missing if the register was
# not read before.
restored() {
	awk '
	$3 == "write" && $7 == "->" {
		key = $1 $2 " " $4; n++
		if (!(key in first)) first[key] = $6
		last[key] = $8
	} END {
		for (key in first) if (first[key] != last[key]) { print key, first[key], last[key]; bad = 1 }
		exit bad || !n
	}' "$1"
}

# ---- configurations of uncore-agent ----

# wrong_values BLOCK <"OPTION|TEXT": if BLOCK has all these options, the configuration must be refused, with a message
# for each option; the message names the line and then has TEXT.
wrong_values() {
	local option text texts=() first=3 i
	{
		printf '<Plugin uncoremsr>\nEvent "0x82:0x1"\n'
		[ "$1" = uncoremsr ] || { echo "<$1>"; first=4; }
		while IFS='|' read -r option text; do
			echo "$option"
			texts+=("$text")
		done
		[ "$1" = uncoremsr ] || echo "</$1>"
		echo '</Plugin>'
	} >a.conf
	run -2 --separate-stderr uncore-agent --machine=sim:westmere-2s --config=a.conf --check
	echo "$output$stderr"
	[ -z "$output" ] && [ "${#stderr_lines[@]}" = "${#texts[@]}" ]
	for i in "${!texts[@]}"; do
		[[ ${stderr_lines[i]} == "uncore-agent: a.conf:$((first + i)): ${texts[i]}"* ]] || return 1
	done
}
