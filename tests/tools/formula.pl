#!/usr/bin/perl
# SPDX-License-Identifier: LGPL-2.1-or-later
# An independent evaluation of the formulas in metric files, for comparison with the library's. Lines of standard input
# have, separated by tabs: formula, the value that was shown (or "null"), names and numbers of the inputs. Prints lines
# whose value differs.
use strict;
use warnings;

my ($text, %number);

sub token { $text =~ s/^\s*//; return $text =~ s/^($_[0])// ? $1 : undef }

sub operand {
	if (defined token('\(')) { my $v = choice(); defined token('\)') or die "no )"; return $v }
	if (defined token('-')) { my $v = operand(); return defined $v ? -$v : undef }
	if (defined(my $f = token('(?:min|max)(?=\s*\()'))) {
		token('\(');
		my @v = (choice());
		token(',');
		push @v, choice();
		defined token('\)') or die "no )";
		return undef if grep { !defined } @v;
		@v = sort { $a <=> $b } @v;
		return $f eq 'min' ? $v[0] : $v[1];
	}
	my $n = token('[0-9]*\.?[0-9]+(?:e[0-9]+)?(?![A-Za-z_])');
	return $n if defined $n;
	my $name = token('#?[A-Za-z_][A-Za-z0-9_.]*(?:\[0\])?') // die "what is '$text'";
	exists $number{$name} or die "no number for $name";
	return $number{$name};
}

sub apply {
	my ($sign, $l, $r) = @_;
	return undef if !defined $l || !defined $r || ($sign eq '/' && !$r);
	return $sign eq '*' ? $l * $r : $sign eq '/' ? $l / $r : $sign eq '+' ? $l + $r : $sign eq '-' ? $l - $r
	     : $sign eq '<' ? $l < $r || 0 : $sign eq '>' ? $l > $r || 0
	     : $sign eq '>=' ? $l >= $r || 0 : $l <= $r || 0;
}

sub chain {
	my ($signs, $next) = @_;
	my $v = $next->();
	while (defined(my $sign = token($signs))) {
		$sign =~ s/\s//g;
		$v = apply($sign, $v, $next->());
	}
	return $v;
}
sub product { chain('[*/]', \&operand) }
sub sum { chain('[-+]', \&product) }
sub comparison { chain('[<>]\s*=|[<>]', \&sum) }
sub choice {
	my $v = comparison();
	defined token('if\b') or return $v;
	my $if = comparison();
	defined token('else\b') or die "no else";
	my $else = choice();
	return defined $if ? ($if ? $v : $else) : undef;
}

my $lines = 0;
while (<STDIN>) {
	chomp;
	my ($formula, $shown, @pairs) = split /\t/;
	%number = ();
	while (@pairs) {
		my ($name, $value) = splice @pairs, 0, 2;
		$number{$name} = $value eq 'null' ? undef : $value;
	}
	$text = $formula;
	my $v = choice();
	$text =~ /^\s*$/ or die "left over: $text";
	$lines++;
	my $same = defined $v ? $shown ne 'null' && abs($v - $shown) <= 1e-6 * abs($v) + 1e-6 : $shown eq 'null';
	print "$formula: $shown, not ", $v // 'null', "\n" if !$same;
}
print "$lines formulas\n";
