# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Completion for the uncore tools, in bash 4.4 or newer; needs nothing else. One file serves all tools: it has no list
# of options or events, but asks the tool on the command line and the other tools. Source it, or install it under the
# names of the tools in share/bash-completion/completions.

# _uncoremsr_words: splits the text left of the cursor as the shell does, except that "=" and ":" do not end a word.
# Sets words (without quotes) and cur, the last of them.
_uncoremsr_words() {
	local line=${COMP_LINE:0:COMP_POINT} quote='' word='' begun='' c i
	words=()
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [[ -n $quote ]]; then
			if [[ $c == "$quote" ]]; then quote=''; else word+=$c; fi
		elif [[ $c == [\'\"] ]]; then
			quote=$c begun=1
		elif [[ $c == \\ ]]; then
			i=$((i + 1)) begun=1
			word+=${line:i:1}
		elif [[ $c == [[:blank:]] ]]; then
			[[ -z $begun ]] || words+=("$word")
			word='' begun=''
		else
			word+=$c begun=1
		fi
	done
	cur=$word
	words+=("$cur")
}

# _uncoremsr_ask TOOL ARG...: print the output of TOOL. If $tool is a path, use the TOOL in the same folder.
_uncoremsr_ask() {
	local dir=''
	[[ $tool != */* ]] || dir=${tool%/*}/
	"$dir$1" "${@:2}" 2>/dev/null </dev/null
}

# _uncoremsr_options: the options of $tool as "-e EVENT[,EVENT...]", "--edge", "--format=FORMAT TEXT".
_uncoremsr_options() {
	"$tool" --help 2>/dev/null </dev/null | sed -nE \
		-e 's/^  (-[a-zA-Z]) ([A-Z][^ ]*).*/\1 \2/p' \
		-e 's/^  (-[a-zA-Z]), (--[a-z][a-z0-9-]*)=([^ ]+) *(.*)/\1 \3 \4\n\2=\3 \4/p' \
		-e 's/^  (-[a-zA-Z]), (--[a-z][a-z0-9-]*)( .*|$)/\1\n\2/p' \
		-e 's/^      (--[a-z][a-z0-9-]*=[^ ]+) *(.*)/\1 \2/p' \
		-e 's/^      (--[a-z][a-z0-9-]*)\[=[A-Z]+\].*/\1/p' \
		-e 's/^      (--[a-z][a-z0-9-]*)( .*|$)/\1/p'
}

# _uncoremsr_commands: the sub-commands of $tool, one per line; nothing if it has none.
_uncoremsr_commands() {
	"$tool" --help 2>/dev/null </dev/null | sed -nE \
		'/^$/q; s/^(usage:|      ) [^ ]+ (\[OPTION\]\.\.\. )?([a-z]+)( .*|$)/\3/p'
}

# _uncoremsr_value NAME...: the argument of an option on the command line; if it is repeated, that of the last one.
_uncoremsr_value() {
	local i name value=''
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		[[ ${words[i]} != -- ]] || break
		for name; do
			if [[ ${words[i]} == "$name="* ]]; then
				value=${words[i]#*=}
			elif [[ ${words[i]} == "$name" && $i -lt $((${#words[@]} - 2)) ]]; then
				value=${words[i + 1]}
			fi
		done
	done
	printf '%s' "$value"
}

# _uncoremsr_list ARG...: first column of "uncore-events list" for the machine or processor on the command line.
_uncoremsr_list() {
	local machine uarch list cpu
	machine=$(_uncoremsr_value --machine)
	uarch=$(_uncoremsr_value --uarch)
	list=$(_uncoremsr_value --event-list)
	cpu=$(_uncoremsr_value --cpu)
	set -- list --format=csv "$@" ${machine:+--machine="$machine"} ${uarch:+--uarch="$uarch"} \
		${list:+--event-list="$list"} ${cpu:+--cpu="$cpu"}
	_uncoremsr_ask uncore-events "$@" | sed '1d; s/,.*//; s/"//g'
}

# _uncoremsr_registers: names of registers, for the machine or processor on the command line.
_uncoremsr_registers() {
	local machine uarch
	machine=$(_uncoremsr_value --machine)
	uarch=$(_uncoremsr_value --uarch)
	set -- --registers --format=csv ${machine:+--machine="$machine"} ${uarch:+--uarch="$uarch"}
	_uncoremsr_ask uncore-info "$@" | cut -d, -f2 | sed 1d
}

_uncoremsr_machines() {
	_uncoremsr_ask uncore-sim list --format=csv | sed '1d; s/,.*//'
}

# _uncoremsr_uarchs: names of processors; the error message about a wrong name lists them.
_uncoremsr_uarchs() {
	local dir=''
	[[ $tool != */* ]] || dir=${tool%/*}/
	"${dir}uncore-info" --registers --uarch=. 2>&1 </dev/null |
		sed -nE 's/.*there are tables for ([a-z0-9_, -]+).*/\1/p' | tr -s ', ' '\n'
}

# _uncoremsr_choices TEXT: print the choices in a TEXT like "how: auto (default), msr or perf. auto: ...", one per line.
_uncoremsr_choices() {
	local text=${1%%. *}
	text=${text#*: }
	text=${text%.}
	text=${text//(default)/}
	text=${text// or / }
	tr -s ', ' '\n' <<<"$text" | grep -xE '[a-z]+'
}

# _uncoremsr_reply PREFIX WORD...: suggest words that begin with the part of cur after PREFIX, in upper or lower case.
_uncoremsr_reply() {
	local prefix=$1 rest word
	rest=${cur:${#prefix}}
	shift
	for word; do
		[[ ${word^^} != "${rest^^}"* ]] || COMPREPLY+=("$prefix$word")
	done
}

# _uncoremsr_reply_files PREFIX -f|-d: suggest files (-f) or folders (-d) that begin with the part of cur after PREFIX.
_uncoremsr_reply_files() {
	local files
	mapfile -t files < <(compgen "$2" -- "${cur:${#1}}")
	compopt -o filenames 2>/dev/null
	COMPREPLY+=("${files[@]/#/$1}")
}

# _uncoremsr_events PREFIX: complete the last event of a list after PREFIX; knows commas, braces and pmu/terms/.
_uncoremsr_events() {
	local list=${cur:${#1}} prefix=$1 event names
	compopt -o nospace 2>/dev/null
	event=$list
	if [[ $list =~ ^(.*[,{])?([a-zA-Z0-9_]+/[^/]*)$ ]]; then
		# Commas in an open pmu/.../ separate terms. A word without a comma can still become "pmu/event/", a
		# kernel event.
		event=${BASH_REMATCH[2]}
		prefix+=${BASH_REMATCH[1]}
		if [[ $event != *[,=]* ]]; then
			mapfile -t names < <(_uncoremsr_list)
			_uncoremsr_reply "$prefix" "${names[@]}"
		fi
		prefix+=${event%"${event##*[/,]}"}
		_uncoremsr_reply "$prefix" event= umask= cmask= edge inv raw=
		return
	fi
	event=${list##*[,\{]}
	prefix+=${list%"$event"}
	if [[ $event == *:* ]]; then
		_uncoremsr_reply "$prefix${event%:*}:" edge inv cmask= raw=
		[[ ${#COMPREPLY[@]} -gt 0 ]] && return
	fi
	mapfile -t names < <(_uncoremsr_list)
	_uncoremsr_reply "$prefix" "${names[@]}"
}

# _uncoremsr_metrics PREFIX: complete the last metric of a list after PREFIX.
_uncoremsr_metrics() {
	local list=${cur:${#1}} names
	compopt -o nospace 2>/dev/null
	mapfile -t names < <(_uncoremsr_list --metrics)
	_uncoremsr_reply "$1${list%"${list##*,}"}" "${names[@]}"
}

# _uncoremsr_machine PREFIX: complete the value of --machine after PREFIX.
_uncoremsr_machine() {
	local names
	compopt -o nospace 2>/dev/null
	case ${cur:${#1}} in
	root:*) _uncoremsr_reply_files "$1root:" -d ;;
	sim:*/*) _uncoremsr_reply_files "$1sim:" -f ;;
	sim:*,*)
		local keys=${cur:${#1}}
		keys=${keys%"${keys##*,}"}
		_uncoremsr_reply "$1$keys" clock=stepped clock=real rate= start= seed= busy= offline=
		;;
	*)
		mapfile -t names < <(_uncoremsr_machines)
		_uncoremsr_reply "$1" live root: "${names[@]/#/sim:}"
		;;
	esac
}

# _uncoremsr_argument OPTION PREFIX ARG TEXT: complete the value of an option after PREFIX; ARG and TEXT are from the
# option's line in the help.
_uncoremsr_argument() {
	local names
	case $1:$3 in
	--machine:*) _uncoremsr_machine "$2" ;;
	--uarch:*)
		mapfile -t names < <(_uncoremsr_uarchs)
		_uncoremsr_reply "$2" "${names[@]}"
		;;
	--register:*)
		mapfile -t names < <(_uncoremsr_registers)
		_uncoremsr_reply "$2" "${names[@]}"
		;;
	-M:* | --metric*) _uncoremsr_metrics "$2" ;;
	*:EVENT*) _uncoremsr_events "$2" ;;
	*:FORMAT | *:ROUTE)
		mapfile -t names < <(_uncoremsr_choices "$4")
		_uncoremsr_reply "$2" "${names[@]}"
		;;
	*:FILE | *:'FILE|DIR') _uncoremsr_reply_files "$2" -f ;;
	*:DIR) _uncoremsr_reply_files "$2" -d ;;
	esac
}

# _uncoremsr_find OPTION: sets arg and text from the option's line in the help; false if it takes no argument.
_uncoremsr_find() {
	local line
	for line in "${options[@]}"; do
		[[ $line == "$1="* || $line == "$1 "* ]] || continue
		line=${line#"$1"}
		line=${line:1}
		arg=${line%% *}
		text=
		[[ $line != *' '* ]] || text=${line#* }
		return 0
	done
	return 1
}

# _uncoremsr_word: complete a word that is not an option: a sub-command, or an argument of a sub-command.
_uncoremsr_word() {
	local commands i command='' names nth=0 skip='' arg text
	mapfile -t commands < <(_uncoremsr_commands)
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		if [[ -n $skip ]]; then
			skip=''
		elif [[ ${words[i]} == -* ]]; then
			[[ ${words[i]} == *=* ]] || ! _uncoremsr_find "${words[i]}" || skip=1
		else
			command=${command:-${words[i]}} nth=$((nth + 1))
		fi
	done
	case ${tool##*/}:$command:$nth in
	*::0) _uncoremsr_reply '' "${commands[@]}" ;;
	uncore-sim:run:1 | uncore-sim:mount:1)
		mapfile -t names < <(_uncoremsr_machines)
		_uncoremsr_reply '' "${names[@]}"
		[[ $cur != */* ]] || _uncoremsr_reply_files '' -f
		;;
	uncore-sim:lesson:1)
		mapfile -t names < <(_uncoremsr_ask uncore-sim lesson --format=csv | sed '1d; s/,.*//')
		_uncoremsr_reply '' "${names[@]}"
		;;
	uncore-imc:trace:1) _uncoremsr_reply_files '' -f ;;
	uncore-sim:mount:2 | uncore-events:import:1) _uncoremsr_reply_files '' -d ;;
	uncore-events:list:1 | uncore-events:encode:*) _uncoremsr_events '' ;;
	uncore-events:explain:1)
		_uncoremsr_events ''
		mapfile -t names < <(_uncoremsr_registers)
		_uncoremsr_reply '' "${names[@]}"
		;;
	esac
}

# _uncoremsr_behind N: complete the command after "--", which is word N.
_uncoremsr_behind() {
	if [[ $1 -eq $((${#words[@]} - 2)) ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	else
		_uncoremsr_reply_files '' -f
	fi
}

# _uncoremsr_candidates: fills COMPREPLY with whole words.
_uncoremsr_candidates() {
	local options i arg text names
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		[[ ${words[i]} != -- ]] || { _uncoremsr_behind "$i"; return; }
	done
	mapfile -t options < <(_uncoremsr_options)
	if [[ $cur == --*=* ]]; then
		! _uncoremsr_find "${cur%%=*}" || _uncoremsr_argument "${cur%%=*}" "${cur%%=*}=" "$arg" "$text"
	elif [[ ${words[i - 1]} == -* && $i -gt 1 ]] && _uncoremsr_find "${words[i - 1]}"; then
		_uncoremsr_argument "${words[i - 1]}" '' "$arg" "$text"
	elif [[ $cur == -[a-zA-Z]?* ]] && _uncoremsr_find "${cur:0:2}"; then
		_uncoremsr_argument "${cur:0:2}" "${cur:0:2}" "$arg" "$text"
	elif [[ $cur == -* ]]; then
		names=("${options[@]%% *}")
		names=("${names[@]/%=*/=}")
		_uncoremsr_reply '' "${names[@]}"
		[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	else
		_uncoremsr_word
	fi
}

# Called by bash. $1: the command. $2: the part of the word that readline will replace. It begins after the last ":" or
# "=", so replies must not contain the part before it.
_uncoremsr() {
	local tool=$1 words cur head=''
	COMPREPLY=()
	_uncoremsr_words
	[[ $cur != *"$2" ]] || head=${cur%"$2"}
	_uncoremsr_candidates
	COMPREPLY=("${COMPREPLY[@]#"$head"}")
}

complete -F _uncoremsr uncore-read uncore-info uncore-sim uncore-events uncore-doctor uncore-throttle uncore-imc uncore-record uncore-report uncore-agent
