#!/usr/bin/perl
# SPDX-License-Identifier: LGPL-2.1-or-later
# Converts a perf.data file to the other byte order: perf_swap.pl LITTLE BIG. Bytes of numbers, and bits of bit fields
# within their bytes, are reversed. Parts that are neither needed nor known are left out.
use strict;
use warnings;

my ($from, $to) = @ARGV;
open my $in, '<:raw', $from or die "$from: $!\n";
my $file = do { local $/; <$in> };
substr($file, 0, 8) eq 'PERFILE2' or die "$from: not a little-endian perf.data\n";

# turn BYTES TEMPLATE: reverse numbers of these sizes, one after the other ("448"); the remaining bytes are unchanged.
sub turn {
	my ($bytes, $sizes) = @_;
	my ($out, $at) = ('', 0);
	for my $size (split //, $sizes) {
		last if $at + $size > length $bytes;
		$out .= reverse substr $bytes, $at, $size;
		$at += $size;
	}
	return $out . substr $bytes, $at;
}
sub words { return turn($_[0], 8 x int(length($_[0]) / 8)) }
sub u64 { return unpack 'Q<', substr $file, $_[0], 8 }

sub turn_attr {
	my ($attr) = @_;
	my $flags = join '', map { chr oct '0b' . reverse sprintf '%08b', ord } split //, substr $attr, 40, 8;
	return turn(substr($attr, 0, 40), '4488888') . $flags .
		turn(substr($attr, 48), '44888844842244');
}

# Reverse a length, which that number of bytes follows. Returns how many bytes of $$body were used.
sub turn_string {
	my ($body, $at) = @_;
	my $len = unpack 'L<', substr $$body, $at, 4;
	substr($$body, $at, 4) = pack 'L>', $len;
	return 4 + $len;
}

my (%type_of, @types);

# Reverse the fields of a sample, or those of another record's trailer.
sub turn_fields {
	my ($bytes, $type, $sample) = @_;
	my $sizes = '';
	$sizes .= 8 if $sample && $type & 65536;
	$sizes .= 8 if $sample && $type & 1;
	$sizes .= 44 if $type & 2;
	$sizes .= 8 if $type & 4;
	$sizes .= 8 if $sample && $type & 8;
	$sizes .= 8 if $type & 64;
	$sizes .= 8 if $type & 512;
	$sizes .= 44 if $type & 128;
	$sizes .= 8 if $sample && $type & 256;
	$sizes .= 8 if !$sample && $type & 65536;
	die "sample_type $type: has more than this knows\n" if $type & ~(1|2|4|8|32|64|128|256|512|65536);
	return turn($bytes, $sizes . ($sample && $type & 32 ? 8 x 6000 : ''));
}

sub trailer_size {
	my ($type) = @_;
	return 8 * grep { $type & $_ } 2, 4, 64, 128, 512, 65536;
}

my %bodies = (1 => '44888', 2 => '88', 3 => '44', 4 => '44448', 5 => '888', 6 => '888', 7 => '44448',
	      10 => '44888448844', 13 => '8', 17 => '8422', 18 => '224', 68 => '', 82 => '');

sub turn_record {
	my ($record) = @_;
	my ($number, $misc, $size) = unpack 'L<S<S<', $record;
	my $type = $types[0];
	my $head = turn(substr($record, 0, 8), '422');
	my $body = substr $record, 8;
	if ($number == 9) {
		if (@types > 1) {
			my $at = $type & 65536 ? 0 : 8 * grep { $type & $_ } 1, 2, 4, 8;
			$type = $type_of{unpack 'Q<', substr $body, $at, 8} // $type;
		}
		return $head . turn_fields($body, $type, 1);
	}
	return '' unless exists $bodies{$number};
	my $sizes = $number == 10 && $misc & 1 << 14 ? '44888' : $bodies{$number};
	return $head . turn($body, $sizes) if $number >= 64;
	my $tail = trailer_size($type);
	my $main = turn(substr($body, 0, length($body) - $tail), $sizes);
	substr($main, 56, 8) = turn(substr($main, 56, 8), '44') if $number == 10 && $misc & 1 << 14;
	return $head . $main . turn_fields(substr($body, length($body) - $tail), $type, 0);
}

# ---- the parts ----

my ($entry, $attrs, $attrs_size, $data, $data_size) = map { u64($_) } 16, 24, 32, 40, 48;
my @flags = map { u64($_) } 72, 80, 88, 96;
my ($ids, $entries, $place) = ('', '', 104);
for (my $at = $attrs; $at < $attrs + $attrs_size; $at += $entry) {
	my $attr = substr $file, $at, $entry - 16;
	my ($where, $size) = (u64($at + $entry - 16), u64($at + $entry - 8));
	push @types, unpack 'Q<', substr $attr, 24, 8;
	$type_of{$_} = $types[-1] for unpack 'Q<*', substr $file, $where, $size;
	$entries .= turn_attr($attr) . pack 'Q>Q>', $place + length $ids, $size;
	$ids .= words(substr $file, $where, $size);
}
my $records = '';
for (my $at = $data; $at < $data + $data_size; ) {
	my $size = unpack 'S<', substr $file, $at + 6, 2;
	die "$from: a record of $size bytes\n" if $size < 8;
	$records .= turn_record(substr $file, $at, $size);
	$at += $size;
}

my %facts = (
	2 => sub {
		my ($body) = @_;
		for (my $at = 0; $at < length $body; ) {
			my $size = unpack 'S<', substr $body, $at + 6, 2;
			substr($body, $at, 12) = turn(substr($body, $at, 12), '4224');
			$at += $size;
		}
		return $body;
	},
	12 => sub {
		my ($body) = @_;
		my ($num, $size) = unpack 'L<L<', $body;
		my $at = 8;
		substr($body, 0, 8) = turn(substr($body, 0, 8), '44');
		while ($num--) {
			substr($body, $at, $size) = turn_attr(substr $body, $at, $size);
			my $n = unpack 'L<', substr $body, $at + $size, 4;
			substr($body, $at + $size, 4) = pack 'L>', $n;
			$at += $size + 4;
			$at += turn_string(\$body, $at);
			substr($body, $at, 8 * $n) = words(substr $body, $at, 8 * $n);
			$at += 8 * $n;
		}
		return $body;
	},
	11 => sub {
		my ($body) = @_;
		my ($num, $at) = (unpack('L<', $body), 4);
		substr($body, 0, 4) = pack 'L>', $num;
		$at += turn_string(\$body, $at) while $num--;
		return $body;
	},
	map { $_ => sub { my ($body) = @_; turn_string(\$body, 0); return $body } } 3, 4, 5, 6, 8, 9,
);
my ($kept, $table, @bodies_kept) = (0, $data + $data_size);
for my $fact (0 .. 63) {
	next unless $flags[0] >> $fact & 1;
	if ($facts{$fact}) {
		$kept |= 1 << $fact;
		push @bodies_kept, $facts{$fact}->(substr $file, u64($table), u64($table + 8));
	}
	$table += 16;
}
my $start = $place + length($ids) + length $entries;
my $end = $start + length $records;
my $next = $end + 16 * @bodies_kept;
my $sections = '';
for (@bodies_kept) {
	$sections .= pack 'Q>Q>', $next, length;
	$next += length;
}

open my $out, '>:raw', $to or die "$to: $!\n";
print $out '2ELIFREP', pack('Q>*', 104, $entry, $place + length $ids, length $entries, $start, length $records,
	0, 0, $kept, 0, 0, 0), $ids, $entries, $records, $sections, @bodies_kept;
close $out or die "$to: $!\n";
