# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# The advice to load the driver works, and Debian's rdmsr then reads the CPU's real registers.

# Bit 8 of IA32_APIC_BASE (0x1b) says "bootstrap processor": it differs between CPUs.
is_bootstrap() {
	run rdmsr -p "$1" -f 8:8 0x1b
	out_has "$2"
}

check "modprobe msr works" modprobe msr
run rdmsr -0 0x1b
check "control: rdmsr reads the APIC base register" out_has 00000000fee00900
check "control: CPU 0 is the bootstrap processor" is_bootstrap 0 1
check "control: CPU 1 is not the bootstrap processor" is_bootstrap 1 0
run uncore-info --format=json
check "uncore-info shows the driver is ready" is "$(json_in driver state)" ready
run_read --dry-run
check "a dry run says what it would write" out_has "wrmsr"
check "a dry run writes nothing" nothing_written
