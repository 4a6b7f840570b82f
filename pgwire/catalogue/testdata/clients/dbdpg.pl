#!/usr/bin/perl
# What DBD::Pg asks for the methods of DBI about a catalogue.
use strict;
use warnings;
use DBI;

my $dbh = DBI->connect("dbi:Pg:", "", "", { RaiseError => 0, PrintError => 0 });
$dbh->table_info(undef, undef, undef, undef)->fetchall_arrayref;
$dbh->table_info(undef, "public", "%", "TABLE")->fetchall_arrayref;
$dbh->table_info(undef, "%", undef, undef)->fetchall_arrayref;
$dbh->table_info("%", undef, undef, undef)->fetchall_arrayref;
$dbh->table_info("", "", "", "%")->fetchall_arrayref;
$dbh->tables(undef, "public", "orders", "TABLE");
for my $table ("orders", "customers", "Order Items", "events") {
    $dbh->column_info(undef, "public", $table, undef)->fetchall_arrayref;
    my $keys = $dbh->primary_key_info(undef, "public", $table);
    $keys->fetchall_arrayref if $keys;
    $dbh->primary_key(undef, "public", $table);
    my $foreign = $dbh->foreign_key_info(undef, undef, undef, undef, "public", $table);
    $foreign->fetchall_arrayref if $foreign;
    my $statistics = $dbh->statistics_info(undef, "public", $table, 0, 0);
    $statistics->fetchall_arrayref if $statistics;
}
my $foreign = $dbh->foreign_key_info(undef, "public", "customers", undef, undef, undef);
$foreign->fetchall_arrayref if $foreign;
$dbh->type_info_all;
$dbh->pg_type_info(25);
$dbh->get_info(17);
$dbh->ping;
$dbh->last_insert_id(undef, "public", "orders", undef);
$dbh->disconnect;
