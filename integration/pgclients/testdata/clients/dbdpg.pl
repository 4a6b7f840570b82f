#!/usr/bin/perl
# DBD::Pg: the methods of DBI about relations, placeholders, and a statement that is cancelled while it runs.
use strict;
use warnings;
use DBI;
use DBD::Pg qw(:async);

my $dbh = DBI->connect("dbi:Pg:", "", "", { RaiseError => 1, PrintError => 0 });

sub join_rows {
    my ($rows) = @_;
    return join ";", map { join "|", map { defined $_ ? $_ : "NULL" } @$_ } @$rows;
}

print "connect: ", $dbh->selectrow_array("SHOW server_version"), "\n";
print "list: ", join(",", sort map { $_->{TABLE_NAME} } @{ $dbh->table_info(undef, "public", "%", "TABLE")->fetchall_arrayref({}) }), "\n";
my $columns = $dbh->column_info(undef, "public", "orders", undef)->fetchall_arrayref({});
print "describe: ", join(",", map { $_->{COLUMN_NAME} } @$columns), "\n";
print "types: ", join(",", map { $_->{TYPE_NAME} } @$columns), "\n";
die "the key of orders" unless join(",", $dbh->primary_key(undef, "public", "orders")) eq "order_id";
print "query: ", join_rows($dbh->selectall_arrayref("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")), "\n";
my $by_status = $dbh->prepare("SELECT order_id, amount FROM orders WHERE status = ? AND amount > ? ORDER BY order_id");
$by_status->execute("completed", 60);
print "parameter: ", join_rows($by_status->fetchall_arrayref), "\n";
print "null: ", join_rows($dbh->selectall_arrayref("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")), "\n";
my ($count, $sum) = (0, 0);
$dbh->do("COPY (SELECT n FROM numbers ORDER BY n LIMIT 10000) TO STDOUT");
my $line = "";
while ($dbh->pg_getcopydata(\$line) >= 0) { $count++; $sum += $line; }
print "copy: $count/$sum\n";
eval { $dbh->selectall_arrayref("SELECT nothing FROM orders") };
print "error: ", $dbh->state, "\n";
my $slow = $dbh->prepare($ENV{SLOW}, { pg_async => PG_ASYNC });
$slow->execute;
sleep 1;
eval { $dbh->pg_cancel; };
print "cancel: ", $dbh->state, "\n";
print "again: ", $dbh->selectrow_array("SELECT COUNT(*) FROM orders"), "\n";
$dbh->disconnect;
