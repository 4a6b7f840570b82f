#!/usr/bin/perl
# DBIx::Class::Schema::Loader: the classes of all relations, with their keys and relationships.
use strict;
use warnings;
BEGIN { $ENV{CAG_ILLEGAL_ACCESSOR_NAME_OK} = 1 }

package Shop;
use base 'DBIx::Class::Schema::Loader';
__PACKAGE__->loader_options(naming => 'v8', db_schema => 'public');

package main;
my $schema = Shop->connect("dbi:Pg:dbname=$ENV{PGDATABASE};host=$ENV{PGHOST};port=$ENV{PGPORT}", $ENV{PGUSER}, $ENV{PGPASSWORD});
$schema->source($_)->columns for $schema->sources;
