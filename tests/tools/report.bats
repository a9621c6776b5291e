#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-report compared with perf report on the same file, which perf records here.

load common

# Record once for all tests.
setup_file() {
	command -v perf >/dev/null && command -v gcc >/dev/null || return 0
	cd "$BATS_FILE_TMPDIR" || return
	cat >work.c <<-'END'
		volatile unsigned long sink;
		__attribute__((noinline)) void hot(long n) { for (long i = 0; i < n; i++) sink += i * i; }
		__attribute__((noinline)) void warm(long n) { for (long i = 0; i < n; i++) sink ^= i; }
		__attribute__((noinline)) void middle(long n) { hot(9 * n); warm(n); sink++; }
		int main(void) { for (long i = 0; i < 120; i++) middle(100000); return 0; }
	END
	gcc -O1 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls \
		-Wl,--build-id -o work work.c 2>/dev/null ||
		gcc -O1 -g -fno-omit-frame-pointer -Wl,--build-id -o work work.c || return
	# -N: do not copy files to the home directory. Record user mode only (:u), because reading the kernel's symbols
	# takes long; one test does that.
	perf record -N -e cpu-clock:u -F 997 -g -o g.data -- ./work &&
		perf record -N -e cpu-clock:u,page-faults:u -F 499 -o two.data -- ./work &&
		perf record -N -e cpu-clock:u -F 997 -g -o - -- ./work >pipe.data
} >/dev/null 2>&1 </dev/null

setup() {
	need perf gcc jq perl
	cd "$BATS_FILE_TMPDIR" || return
	[ -s pipe.data ] || skip "perf cannot record here"
	export HOME=$BATS_TEST_TMPDIR
}

# with_records PERL: make a copy of pipe.data with the records that the expression adds; it can use record(TYPE, MISC,
# BODY) and similar functions.
with_records() {
	perl -0777 -pe 'my $type = unpack "Q<", substr $_, 16 + 8 + 24, 8;
		my $trailer = "\0" x (8 * grep { $type & $_ } 2, 4, 64, 128, 512, 65536);
		sub record { my ($type, $misc, $body) = @_; return pack("L<S<S<", $type, $misc, 8 + length $body) . $body }
		sub text { return $_[0] . "\0" x (8 - length($_[0]) % 8) . $trailer }
		sub mapping { my ($misc, $pid, $at, $size, $name) = @_;
			return record(1, $misc, pack("l<L<Q<3", $pid, $pid, $at, $size, 0) . text($name)) }
		sub sample { my ($misc, $pid, $at) = @_; my %v = (1 => $at, 2 => $pid | $pid << 32, 4 => 1 << 62, 256 => 1);
			return record(9, $misc, join "", map { $type & $_ ? pack "Q<", $v{$_} // 0 : "" } 65536, 1, 2, 4, 8, 64, 512, 128, 256, 32) }
		'"$1" pipe.data
}

# by_perf FILE: print "EVENT|SAMPLES|PERIOD|COMM|DSO|SYMBOL" for each row of perf; addresses have no leading zeros.
by_perf() {
	perf report -f -i "$1" --stdio -n --no-children -g none --show-total-period \
		-F overhead,sample,period,comm,dso,symbol -t ';' 2>/dev/null </dev/null | awk -F ';' -v OFS='|' '
		/^# Samples:/ { split($0, a, "\047"); event = a[2] }
		/^#/ || NF < 6 { next }
		{ for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i); sub(/^\[.\] /, "", $6); sub(/^0x0+/, "0x", $6)
		  print event, $2, $3, $4, $5, $6 }' | sort
}

# by_us FILE [OPTION...]: print the same columns as by_perf, from uncore-report.
by_us() {
	uncore-report -i "$1" --format=json "${@:2}" | jq -r 'select(.summary | not) | (.dso // "[unknown]") as $d |
		[.event, .samples, .period, .comm, $d, (.symbol | ltrimstr($d + "+"))] | join("|")' | sort
}

# all_plt: add up the rows of an object's jump table. perf has a row for each entry, and before 6.3 it confuses those of
# the C library.
all_plt() {
	awk -F '|' -v OFS='|' '{ sub(/.*@plt$/, "@plt", $6); k = $1 OFS $4 OFS $5 OFS $6; n[k] += $2; p[k] += $3 }
		END { for (k in n) printf "%s|%d|%.0f\n", k, n[k], p[k] }' | sort
}

@test "the table is the same as perf's, to the last sample, in both byte orders and through a pipe" {
	local file format little
	# g.data has one event with call chains, two.data has two events.
	for file in g two; do
		by_us "$file.data" >ours
		by_perf "$file.data" >theirs
		diff <(all_plt <theirs) <(all_plt <ours)
		grep -q '|work|work|hot$' ours
		uncore-report -i "$file.data" --format=json >"$file.json"
	done
	uncore-report -i g.data --format=folded >g.folded
	# Two files that are stored in both byte orders.
	for file in "$TOP"/tests/fuzz/corpus/perf-data/{samples,two-events}; do
		for format in json folded; do
			run -0 --separate-stderr uncore-report -i "$file" --format=$format
			little=$output
			run -0 --separate-stderr uncore-report -i "$file-big" --format=$format
			[ "$output" = "$little" ]
		done
	done
	# No sample is counted twice: the shares of an event add up to 1.
	jq -es 'map(select(.summary | not)) | group_by(.event) | map(.[0].event) == ["cpu-clock:u", "page-faults:u"] and
		all(.[]; (map(.share) | add) > 0.9999999 and (map(.share) | add) < 1.0000001)' two.json >/dev/null
	# Standard input may be a stream, as perf writes it to a pipe, or an ordinary file.
	uncore-report -i - --format=json <pipe.data | jq -es '(.[0] | .symbol == "hot" and .share > 0.6) and
		(last | .summary and .lost == 0 and .throttled == 0)' >/dev/null
	uncore-report -i - --format=json <g.data | cmp - g.json
	# shellcheck disable=SC2002 # a pipe is what is tested
	cat g.data | uncore-report -i - --format=json | cmp - g.json
	# Stacks are shown folded and as a flame graph.
	grep -qE '(^|;)main;(middle;)?hot [0-9]+$' g.folded
	[[ $(<g.json) == *'{"summary":true,"samples":'"$(awk '{ n += $NF } END { print n }' g.folded)"',"lost":0,'* ]]
	run -2 --separate-stderr uncore-report -i g.data --svg=./g.data
	[[ $stderr == "uncore-report: --svg: ./g.data: this is the recording; name another file"* ]]
	run -2 --separate-stderr uncore-report -i g.data --svg=-
	[[ $stderr == "uncore-report: --svg: '-': a file name is required"* && ! -e ./- ]]
	run -0 uncore-report -i g.data --svg=g.svg
	perl -0777 -ne 'exit !(/^<\?xml/ && /<rect [^>]*><title>hot \([0-9.]+%\)<\/title><\/rect>/ && /<\/svg>\n$/)' g.svg
	if command -v xmllint >/dev/null; then xmllint --noout g.svg; fi
}

@test "rows have the keys of --sort and nothing else" {
	local row
	run -0 uncore-report -i g.data --sort=pid,tid,address --format=csv
	((${#lines[@]} > 2))
	for row in "${lines[@]:1}"; do
		[[ $row =~ ^cpu-clock:u,[0-9]+,[0-9]+,[0-9.]+,,([0-9]+),([0-9]+),,,0x[0-9a-f]+,,,$ ]]
		[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	done
	run -0 uncore-report -i g.data --sort=comm --format=csv
	[[ ${lines[1]} =~ ,1.0*,work,,,,,,,,$ ]]
	run -0 uncore-report -i g.data --sort=srcline --format=csv
	[[ ${lines[1]} =~ ,,,,,,,,work.c:[0-9]+,$ ]]
	# If the compiler gives the leaf function hot() no frame pointer, the call chain lacks its caller middle().
	run -0 uncore-report -i g.data --sort=symbol,caller --format=csv
	[[ ${lines[1]} =~ ,,,,,hot,,,,(middle|main)$ ]]
	# two.data was recorded without call chains.
	run -0 uncore-report -i two.data --sort=caller --format=csv
	[ "${#lines[@]}" -gt 1 ]
	for row in "${lines[@]:1}"; do [[ $row == *,,,,,,,,, ]]; done
	run -0 uncore-report -i g.data
	[[ ${lines[0]} == *" samples, 0 lost, 0 times throttled" ]]
	[[ ${lines[3]} == *%*"###"*"work  work"*"hot" ]]
}

@test "on a terminal a pager shows the text, and nothing else" {
	need_terminal
	need script
	PAGER="sed s/^/paged:/" run -0 script -qec "$BIN/uncore-report -i g.data" /dev/null </dev/null
	[[ ${lines[0]} == "paged:"*" samples, 0 lost, "* ]]
	PAGER=true run -0 script -qec "$BIN/uncore-report -i g.data" /dev/null </dev/null
	[ -z "$output" ]
	PAGER=true run -0 script -qec "$BIN/uncore-report -i g.data --format=folded" /dev/null </dev/null
	[[ $output == *hot* ]]
}

@test "special characters in a name break neither markup nor lines" {
	# XML cannot contain U+FFFE and U+FFFF.
	local odd=$'<hot>&"\xef\xbf\xbe\xef\xbf\xbf'
	cp work "$odd"
	perf record -N -e cpu-clock:u -F 997 -g -o odd.data -- "./$odd" >/dev/null 2>&1 </dev/null
	strip "$odd"
	uncore-report -i odd.data --svg=odd.svg >text
	run ! grep -q $'\033' text
	grep -q '&lt;hot&gt;&amp;&quot;??+0x' odd.svg
	run ! grep -q '<hot>' odd.svg
	if command -v xmllint >/dev/null; then xmllint --noout odd.svg; fi
}

@test "files of another build or machine give no symbols; a copy under --symfs does" {
	local other=$BATS_TEST_TMPDIR/other
	mkdir -p "$other$PWD" && cp work "$other$PWD/work"
	cp work kept
	echo 'int main(void) { return 0; }' >none.c
	gcc -Wl,--build-id -o work none.c
	run uncore-report -i g.data --format=csv
	cp kept work
	[ "$status" = 0 ]
	[[ $output != *,hot,* && $output == *,work,work+0x* ]]
	run -0 uncore-report -i g.data --symfs="$other" --format=csv
	[[ ${lines[1]} == *,hot,* ]]
}

# first OPTION...: set $first to the symbol of the largest row of g.data.
first() {
	run -0 uncore-report -i g.data --sort=symbol --format=csv "$@"
	IFS=, read -r _ _ _ _ _ _ _ _ first _ <<<"${lines[1]}"
}

@test "a stripped object is named by its debug file, a missing one by a copy with its build id" {
	need strip objcopy readelf
	local id debug=$BATS_TEST_TMPDIR/root/usr/lib/debug/.build-id copy=$HOME/.debug/.build-id first
	id=$(readelf -n work | sed -nE 's/.*Build ID: //p')
	mkdir -p "$debug/${id:0:2}" "$copy/${id:0:2}/${id:2}" "$BATS_TEST_TMPDIR/root$PWD"
	cp work whole
	strip -o "$BATS_TEST_TMPDIR/root$PWD/work" work
	first --symfs="$BATS_TEST_TMPDIR/root"
	[[ $first == work+0x* ]]
	objcopy --only-keep-debug work "$debug/${id:0:2}/${id:2}.debug"
	local named line gone cached
	first --symfs="$BATS_TEST_TMPDIR/root"
	named=$first
	run -0 uncore-report -i g.data --symfs="$BATS_TEST_TMPDIR/root" --sort=srcline --format=csv
	line=${lines[1]}
	rm work
	first
	gone=$first
	cp whole "$copy/${id:0:2}/${id:2}/elf"
	first
	cached=$first
	# A file of another build, stored under this build id, is not used.
	gcc -O0 -Wl,--build-id -o "$copy/${id:0:2}/${id:2}/elf" work.c
	first
	mv whole work
	[ "$named" = hot ]
	[[ $line == *work.c:* ]]
	[[ $gone == work+0x* && $first == "$gone" ]]
	[ "$cached" = hot ]
}

@test "without a build id the debug file is found by its link and checksum" {
	need strip objcopy
	local folder=$PWD/linked root=$BATS_TEST_TMPDIR/root place
	mkdir -p "$folder/.debug" "$root$folder" "$root/usr/lib/debug$folder"
	gcc -O1 -g -fno-omit-frame-pointer -Wl,--build-id=none -o linked/w work.c
	perf record -N -e cpu-clock:u -F 997 -o linked.data -- "$folder/w" >/dev/null 2>&1 </dev/null
	objcopy --only-keep-debug linked/w w.debug
	strip linked/w
	objcopy --add-gnu-debuglink=w.debug linked/w
	cp linked/w "$root$folder/w"
	# row PATTERN OPTION...: the largest row of the program must have a symbol like this.
	row() {
		run -0 uncore-report -i linked.data --sort=dso,symbol "${@:2}" --format=csv
		[[ $output =~ ,w,([^,]*), ]]
		# shellcheck disable=SC2053 # a pattern
		[[ ${BASH_REMATCH[1]} == $1 ]]
	}
	row 'w+0x*'
	for place in linked linked/.debug; do
		cp w.debug "$place"
		row hot
		# A file with this name but another checksum is not used.
		printf x >>"$place/w.debug"
		row 'w+0x*'
		rm "$place/w.debug"
	done
	cp w.debug "$root/usr/lib/debug$folder"
	row hot --symfs="$root"
}

# sample_symbols OBJECT: print pipe.data with a sample in each function of an object.
sample_symbols() {
	ADDRESSES=$(nm "$1" | awk '$2 ~ /^[TtW]$/ { print $1 }') OBJECT=$PWD/$1 with_records 'my $base = 0x7000 << 32;
		$_ .= record(3, 0, pack("L<L<", 4, 4) . text("made up")) . mapping(2, 4, $base, 1 << 20, $ENV{OBJECT});
		$_ .= join "", map { sample(2, 4, $base + hex) } split /\n/, $ENV{ADDRESSES}'
}

# demangles: was uncore-report built with libiberty?
demangles() {
	# This text is in programs that are linked with libiberty.
	grep -qaF 'non-virtual thunk to ' "$BIN/uncore-report"
}

@test "C++ names are perf's: no parameters, nothing about what is returned" {
	need g++
	cat >cxx.cc <<-'END'
		volatile long sink;
		namespace { struct Work {
			template <typename T> __attribute__((noinline)) T hot(T n) const { sink += n; return n; }
			__attribute__((noinline)) bool operator()(long n) const & { sink ^= n; return n > 1; }
		}; }
		template <class T> struct Box { operator T *() const { return nullptr; } __attribute__((noinline)) T *call(T &t) { t(3); return &t; } };
		long use(long n) { Work w; Box<Work> b; return b.call(w) ? w.hot<long>(n) : n; }
	END
	g++ -O1 -shared -fPIC -nostdlib -o cxx.so cxx.cc
	demangles || skip "built without libiberty"
	sample_symbols cxx.so >cxx.data
	by_us cxx.data >ours
	diff <(by_perf cxx.data | grep '|cxx.so|') <(grep '|cxx.so|' ours)
	grep -qF '|cxx.so|(anonymous namespace)::Work::hot<long>' ours
	grep -qF '|cxx.so|(anonymous namespace)::Work::operator()' ours
	grep -qF '|cxx.so|Box<(anonymous namespace)::Work>::call' ours
}

@test "names of Rust are shown without their hash" {
	demangles || skip "built without libiberty"
	cat >rust.c <<-'END'
		int old(void) __asm__("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE");
		int old(void) { return 1; }
		int new(void) __asm__("_RNvCs1234_7mycrate3foo");
		int new(void) { return 2; }
		int broken(void) __asm__("_RNvCs1234_7mycrat");
		int broken(void) { return 3; }
		int huge(void) __asm__("HUGE");
		int huge(void) { return 4; }
	END
	# A Rust name with forty nested pairs. Both parts of a pair are references to the pair before, by its position
	# in base 62, so each pair doubles the length of the name.
	local huge
	huge=$(perl -e 'my ($name, $at) = ("INvC1a1fTllE", 8);
		for (1 .. 40) {
			my ($n, $back) = ($at - 1, "_");
			do { $back = (0 .. 9, "a" .. "z", "A" .. "Z")[$n % 62] . $back; $n = int $n / 62 } while $n;
			$at = length $name;
			$name .= "TB${back}B${back}E";
		}
		print "_R${name}E"')
	sed -i "s/HUGE/$huge/" rust.c
	gcc -O1 -shared -fPIC -nostdlib -o rust.so rust.c
	sample_symbols rust.so >rust.data
	by_us rust.data | awk -F '|' '$5 == "rust.so" { print $6 }' | sort >ours
	diff ours - <<-END
		$huge
		_RNvCs1234_7mycrat
		core::fmt::Formatter::pad
		mycrate::foo
	END
}

@test "entries of jump tables are named after what they call" {
	need objdump
	[ "$(uname -m)" = x86_64 ] || skip "the jump tables of this test are those of x86-64"
	local symbol=far shown=far object section flags
	if demangles; then symbol=_ZN5other3farEi shown=other::far; fi
	cat >plt.c <<-END
		int far(int) __asm__("$symbol");
		int near(int), last(int);
		static int one(int a) { return a; }
		#ifdef IFUNC
		int (*pick(void))(int) { return one; }
		__attribute__((visibility("hidden"), ifunc("pick"))) int chosen(int);
		#else
		#define chosen one
		#endif
		int use(int a) { return far(a) + chosen(a) + near(a) + last(a); }
	END
	# The linker lists the entries of indirect functions after all others, whatever their position in the jump
	# table.
	while read -r object section flags; do
		# shellcheck disable=SC2086
		gcc -O1 -shared -fPIC -nostdlib $flags -o "$object.so" plt.c
		objdump -d -j "$section" "$object.so" | sed -nE 's/^0+([0-9a-f]+) <(\*ABS.*)?([^@]*)@plt>:$/\1 \3@plt/p' |
			sed "s/ $symbol@/ $shown@/" >entries
		[ "$(wc -l <entries)" -ge 3 ]
		# Add a sample at the first and one at the last byte of each entry.
		OBJECT=$PWD/$object.so with_records 'my $base = 0x7000 << 32;
			$_ .= record(3, 0, pack("L<L<", 4, 4) . text("made up")) . mapping(2, 4, $base, 1 << 20, $ENV{OBJECT});
			open my $entries, "<", "entries";
			$_ .= join "", map { /(\S+)/; map { sample(2, 4, $base + $_) } hex $1, 15 + hex $1 } split /\n/, <$entries>' >plt.data
		by_us plt.data >ours
		diff <(awk -F '|' -v o="$object.so" '$5 == o { print $6, $2 }' ours | sort) \
			<(awk '{ n[$2] += 2 } END { for (name in n) print name, n[name] }' entries | sort)
		[ "$object" != plain ] || diff <(by_perf plt.data | grep '|plain.so|') <(grep '|plain.so|' ours)
	done <<-'END'
	plain .plt
	ifunc .plt -DIFUNC
	cet .plt.sec -fcf-protection -Wl,-z,ibtplt
	END
}

@test "code generated at run time is named by its perf map, if that belongs to the user" {
	need cc
	[ "$(uname -m)" = x86_64 ] || skip "the code of this test is for x86-64"
	cat >jit.c <<-'END'
		#include <stdio.h>
		#include <string.h>
		#include <sys/mman.h>
		#include <unistd.h>
		int main(void)
		{
			/* mov $0x20000000, %ecx; dec %ecx; jnz; ret */
			static const unsigned char code[] = { 0xb9, 0, 0, 0, 0x20, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
			char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			memcpy(at, code, sizeof(code));
			((void (*)(void))at)();
			printf("%d %lx\n", getpid(), (unsigned long)at);
			return 0;
		}
	END
	cc -o jit jit.c
	local said pid at
	said=$(perf record -N -e cpu-clock:u -F 997 -o jit.data -- ./jit 2>/dev/null </dev/null)
	pid=${said% *} at=${said#* }
	# names: set $name to the symbol that the report's CSV output shows for the compiled code.
	names() {
		run -0 uncore-report -i jit.data --sort=dso,symbol --format=csv
		[[ $output =~ ",[JIT] tid $pid,"([^$'\n']*),,,,($|$'\n') ]]
		name=${BASH_REMATCH[1]}
	}
	names
	[[ $name == 0x* ]]
	# Lines without an address, a size or a name are skipped.
	printf '%s\n' zz "$at" "$at zz" "$at 40 " >"/tmp/perf-$pid.map"
	local name damaged named table
	names
	damaged=$name
	printf '%s 0x40 main.<loop> "x"\n' "$at" >>"/tmp/perf-$pid.map"
	names
	named=$name
	table=$(diff <(by_perf jit.data | grep JIT) <(by_us jit.data | grep JIT)) || true
	chown 65534 "/tmp/perf-$pid.map" 2>/dev/null || rm "/tmp/perf-$pid.map"
	names
	rm -f "/tmp/perf-$pid.map"
	[ "$named" = '"main.<loop> ""x"""' ]
	[[ $damaged == 0x* ]]
	[ -z "$table" ]
	[[ $name == 0x* ]]
}

@test "kernel addresses get names of the kernel that was recorded, and of no other" {
	perf record -N -e cpu-clock -F 997 -g -o kernel.data -- dd if=/dev/zero of=/dev/null bs=4M count=100 \
		>/dev/null 2>&1 </dev/null
	by_perf kernel.data | grep -F '[kernel.kallsyms]' >theirs || true
	grep -q '|\[kernel.kallsyms\]|[a-z_]' theirs || skip "perf has no names of the kernel here"
	diff theirs <(by_us kernel.data | grep -F '[kernel.kallsyms]')
	perl -0777 -pe 's/(\xff{4}).{20}(\x14\0{3}\[kernel\.kallsyms\])/$1 . "\x11" x 20 . $2/se or die' \
		kernel.data >far.data
	uncore-report -i far.data --format=json | jq -es 'map(select(.dso == "[kernel.kallsyms]")) |
		length > 0 and all(.[]; .symbol | test("^0x[0-9a-f]+$"))' >/dev/null
}

# The tool sees another /proc, except for the entries about itself.
# bats test_tags=plain
@test "kernel modules get symbols while at the same address, whatever perf calls them" {
	need unshare
	mkdir -p proc real
	unshare -rm sh -c 'mount --rbind /proc real && mount -t tmpfs none /proc' 2>/dev/null || skip "no private mounts here"
	# One module is named by its file, as perf does, and one by its name, as we do; each has a sample.
	with_records '$_ .= mapping(1, -1, 0xffffffffc0300000, 4096, "/lib/modules/6/kernel/made-up.ko.xz") .
		mapping(1, -1, 0xffffffffc0400000, 4096, "[other]") .
		sample(1, 0, 0xffffffffc0300024) . sample(1, 0, 0xffffffffc0400008)' >module.data
	cat >proc/kallsyms <<-'END'
		ffffffff81000000 T _text
		ffffffff81000000 T made_up_init
		ffffffffc0300000 t made_up_init	[made_up]
		ffffffffc0300020 t made_up_work	[made_up]
		ffffffffc0400000 t other_work	[other]
	END
	cat >proc/modules <<-'END'
		made_up 4096 0 - Live 0xffffffffc0300000
		other 4096 1 made_up, Live 0xffffffffc0400000
	END
	# rows: print "DSO SYMBOL" for both modules.
	rows() {
		unshare -rm sh -c 'mount --rbind /proc real && mount -t tmpfs none /proc && ln -s "$PWD/real/self" /proc &&
			cp proc/* /proc && exec "$0" -i module.data --format=json' "$BIN/uncore-report" | jq -r 'select(.dso // "" | test("made_up|other")) | "\(.dso) \(.symbol)"' | sort
	}
	[ "$(rows)" = "[made_up] made_up_work"$'\n'"[other] other_work" ]
	# The module was unloaded and loaded at another address, so its names now belong to other code.
	sed -i 's/c0400000$/c0500000/' proc/modules
	[ "$(rows)" = "[made_up] made_up_work"$'\n'"[other] 0xffffffffc0400008" ]
}

@test "a file that is cut or hostile is read up to its end or refused, with one message" {
	# A truncated file is read up to its end, with a message.
	local size
	# Cut within the last record. Names may come late: if the program changed its CPU after exec(), they are in another
	# ring than its samples.
	size=$(perl -e 'read STDIN, $b, 56; my ($at, $n) = unpack "x40 Q<2", $b; print $at + $n - 1' <g.data)
	head -c "$size" g.data >cut.data
	local some='"dso":"work",*"samples":@([6-9]|[1-9]+([0-9])),"lost"'
	run -1 --separate-stderr uncore-report -i cut.data --format=json
	[[ $stderr == "uncore-report: cut.data: file is truncated: read up to byte "* ]]
	# shellcheck disable=SC2053 # a pattern
	[[ ${lines[0]}${lines[-1]} == *$some* ]]
	# The file as a killed recorder leaves it: without size and features.
	perl -0777 -pe 'substr($_, 48, 8) = "\0" x 8; substr($_, 72, 32) = "\0" x 32' cut.data >killed.data
	run -0 --separate-stderr uncore-report -i killed.data --format=json
	[[ $stderr == "uncore-report: killed.data: the recorder was killed: read up to its last record, at byte "* ]]
	# shellcheck disable=SC2053 # a pattern
	[[ ${lines[0]}${lines[-1]} == *$some* ]]
	for size in 0 7 16 50 103 104 200; do
		head -c "$size" g.data >head.data
		fails_with 2 "head.data: " uncore-report -i head.data
	done
	# With impossible sizes, offsets and counts in the header, the report succeeds or fails with exactly one line.
	local at huge
	for at in 16 24 32 40 48 72; do
		for huge in 0000000000000080 ffffffffffffffff; do
			perl -0777 -pe "substr(\$_, $at, 8) = pack 'H*', '$huge'" g.data >hostile.data
			run --separate-stderr uncore-report -i hostile.data --format=json
			[[ $status = 0 || $status -le 2 && ${#stderr_lines[@]} = 1 ]] || { echo "$huge at $at: $stderr"; return 1; }
		done
	done
}

@test "a file that cannot be read is named in one line" {
	fails_with 2 "no such file" uncore-report -i nothing.data
	fails_with 2 "not a perf.data file" uncore-report -i work.c
	fails_with 2 "a device" uncore-report -i /dev/zero
	fails_with 2 "a directory of files" uncore-report -i .
	perf record -N -z -e cpu-clock:u -o z.data -- ./work >/dev/null 2>&1 || true
	[ ! -s z.data ] || fails_with 2 "compressed" uncore-report -i z.data
	fails_with 2 "--sort: 'nothing'" uncore-report -i g.data --sort=comm,nothing
	fails_with 2 "-e: 'cycles': not an event" uncore-report -i g.data -e cycles
	run -0 uncore-report -i two.data -e page-faults:u --format=json
	[[ $output == *'"event":"page-faults:u"'* && $output != *'"event":"cpu-clock:u"'* ]]
	fails_with 2 "'word'" uncore-report word
	fails_with 2 "must be text, csv, json or folded" uncore-report --format=xml
}

# objects_by_perf FILE, objects_by_us FILE: print "EVENT|SAMPLES|PERIOD|TID|DSO". perf's sort key "pid" gives threads.
# All threads outside of this PID namespace have number 0, so their maps cannot be distinguished; they are left out.
objects_by_perf() {
	perf report -f -i "$1" --stdio -n --no-children -g none --show-total-period \
		-F overhead,sample,period,pid,dso -t ';' 2>/dev/null </dev/null | awk -F ';' -v OFS='|' '
		/^# Samples:/ { split($0, a, "\047"); event = a[2] }
		/^#/ || NF < 5 { next }
		{ for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i); $4 += 0 }
		$4 > 0 { print event, $2, $3, $4, $5 }' | sort
}
objects_by_us() {
	uncore-report -i "$1" --format=json --sort=tid,dso | jq -r 'select((.summary | not) and .tid > 0) |
		[.event, .samples, .period, .tid, .dso // "[unknown]"] | join("|")' | sort
}

@test "a file of uncore-record gives the same report with perf and with uncore-report" {
	command -v uncore-record >/dev/null || [ -x "$BIN/uncore-record" ] || skip "no uncore-record here"
	run -0 --separate-stderr uncore-record -e cpu-clock:u -g -o ours.data -- ./work
	by_us ours.data >ours
	diff <(by_perf ours.data | all_plt) <(all_plt <ours)
	grep -q '|work|work|hot$' ours
	# Record all CPUs and three events. Commands are not compared: perf cuts them, and names threads that have no
	# name.
	# Of the three events, context switches may be too few for a sample in this PID namespace.
	# If another program samples the same software events, Linux (6.18) gives some samples the other program's id.
	# perf refuses such a file, its own ones too. So record again.
	for _ in 1 2 3 4 5; do
		uncore-record -a -g -e cpu-clock -e page-faults -e context-switches -F 999 -o all.data \
			-- sh -c './work; sleep 0.2; ./work; sleep 0.2; true' 2>/dev/null ||
			skip "not all CPUs can be sampled here"
		objects_by_us all.data >ours
		grep -q '^|' ours || break
	done
	diff <(objects_by_perf all.data) ours
	[ "$(cut -d '|' -f 1 ours | sort -u | wc -l)" -ge 2 ]
}

@test "losses and throttling are reported, each loss once" {
	# perf cannot be made to use a ring buffer that is too small, so the records are added at the end of a stream.
	with_records 'sub words { return pack("Q<*", @_) . $trailer }
		$_ .= record(5, 0, words(1, 1, 1)) x 3 . record(2, 0, words(1, 888)) . record(13, 0, words(800))' >lost.data
	run -0 uncore-report -i lost.data --format=json
	[[ ${lines[-1]} == *'"lost":888,"throttled":3'* ]]
	run -0 uncore-report -i lost.data
	[[ ${lines[0]} == *" samples, 888 lost, 3 times throttled" ]]
	run -0 uncore-report -i "$TOP"/tests/fuzz/corpus/perf-data/two-events
	[[ $output == "2 samples, 888 lost, 1 time throttled"*"cpu-clock: 1 sample, period 7 in all"* ]]
}

@test "a mapping in the middle of another one leaves the two ends of the outer one" {
	# A mapping whose end is before its beginning is skipped.
	with_records '$_ .= mapping(2, 7, 0x1000, 0x3000, "/a") . mapping(2, 7, 0x2000, 0x1000, "/b") .
		mapping(2, 7, 0x5000, 0x1000, "/dev/zero") . mapping(2, 7, 0x6000, 0x1000, "/anon_hugepage (deleted)") .
		mapping(2, 7, 0x3400, -0x3400, "/c") .
		join "", map { sample(2, 7, 0x800 + 0x1000 * $_) } 1, 2, 3, 5, 6' >split.data
	run -0 uncore-report -i split.data --sort=symbol --format=csv
	[[ $output == *,a+0x2800,*,a+0x800,*,b+0x800,* ]]
	run -0 uncore-report -i split.data --sort=dso --format=csv
	grep -q '^cpu-clock:u,2,2,.*,\[JIT\] tid 7,' <<<"$output"
}
