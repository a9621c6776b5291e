# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# Compares uncore-info's description of the processor with the kernel's, and with data of the cpuid driver. The cpuid
# driver stays loaded, the msr driver does not.

# cpuinfo KEY: print the kernel's value for CPU 0.
cpuinfo() {
	sed -n "s/^$1[[:space:]]*: //p" /proc/cpuinfo | head -n 1
}

# leaf N: print CPUID of CPU 0 from the driver: eax ebx ecx edx as 0x words.
leaf() {
	xxd -s "$1" -l 16 -p /dev/cpu/0/cpuid |
		sed 's/\(..\)\(..\)\(..\)\(..\)/0x\4\3\2\1 /g'
}

# bits VALUE LOW COUNT: a field of a register.
bits() {
	echo $((($1 >> $2) & ((1 << $3) - 1)))
}

# Display family and model as Intel's manual builds them (SDM volume 2A, CPUID, figure 3-6).
signature_family() {
	bits "$1" 8 4
}

signature_model() {
	echo $((($(bits "$1" 16 4) << 4) + $(bits "$1" 4 4)))
}

says_what_the_kernel_says() {
	is "$(json vendor)" "$(cpuinfo vendor_id)" &&
		is "$(json family)" "$(cpuinfo 'cpu family')" &&
		is "$(json model)" "$(cpuinfo model)" &&
		is "$(json stepping)" "$(cpuinfo stepping)"
}

says_what_leaf_1_says() {
	# shellcheck disable=SC2046 # four words
	set -- $(leaf 1)
	is "$(json family)" "$(signature_family "$1")" &&
		is "$(json model)" "$(signature_model "$1")" &&
		is "$(json stepping)" "$(bits "$1" 0 4)" &&
		is "$(json hypervisor)" "$(test "$(bits "$3" 31 1)" = 1 && echo true || echo false)"
}

says_what_leaf_0xa_says() {
	# shellcheck disable=SC2046 # four words
	set -- $(leaf 10)
	is "$(json version)" "$(bits "$1" 0 8)" &&
		is "$(json_in leaf_0xa general_counters)" "$(bits "$1" 8 8)" &&
		is "$(json_in leaf_0xa general_width)" "$(bits "$1" 16 8)"
}

sees_a_hypervisor_as_the_kernel_does() {
	if grep -q '^flags.* hypervisor' /proc/cpuinfo; then
		is "$(json hypervisor)" true
	else
		is "$(json hypervisor)" false
	fi
}

same_answers() {
	status_is 0 && cmp -s /tmp/out /tmp/by-instruction
}

run uncore-info --format=json
check "uncore-info works without any driver" status_is 0
check "family, model and stepping by the instruction are those of the kernel" \
	says_what_the_kernel_says
check "the hypervisor bit is the one the kernel sees" sees_a_hypervisor_as_the_kernel_does
check "there are two packages, with CPUs 0-1 and 2-3" packages_are 0:0-1 1:2-3
cp /tmp/out /tmp/by-instruction

modprobe cpuid
run uncore-info --format=json
check "the cpuid driver gives the same answers as the instruction" same_answers
unprivileged uncore-info --format=json
check "a user who may not read the cpuid device gets the same answers" same_answers
run uncore-info --format=json
check "leaf 1 read through the driver agrees with uncore-info" says_what_leaf_1_says
check "leaf 0xa read through the driver agrees with uncore-info" says_what_leaf_0xa_says
