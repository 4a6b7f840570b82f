# DBIx::Class::Schema::Loader: the classes of all relations, and the queries of their result sets.
use strict;
use warnings;
BEGIN { $ENV{CAG_ILLEGAL_ACCESSOR_NAME_OK} = 1 }

package Shop;
use base 'DBIx::Class::Schema::Loader';
__PACKAGE__->loader_options(naming => 'v8', db_schema => 'public', quiet => 1);

package main;
my $schema = Shop->connect("dbi:Pg:dbname=$ENV{PGDATABASE};host=$ENV{PGHOST};port=$ENV{PGPORT}", $ENV{PGUSER}, $ENV{PGPASSWORD}, { PrintError => 0 });
my $db = $schema->storage->dbh;

sub rows { join ';', map { join '|', map { defined $_ ? $_ : 'NULL' } @$_ } @_ }

sub code {
    my ($run) = @_;
    return 'none' if eval { $run->(); 1 };
    return $db->state;
}

my ($orders, $shop, $numbers) = map { $schema->resultset($_) } qw(Order Shop Number);
print 'connect: ', $db->selectrow_array('SHOW server_version'), "\n";
print 'list: ', join(',', sort map { my $name = $schema->source($_)->name; ref $name ? $$name : $name } $schema->sources), "\n";
print 'fields: ', join(',', $orders->result_source->columns), "\n";
print 'key: ', join(',', $orders->result_source->primary_columns), "\n";
print 'foreign key: ', join(',', map { my $other = $orders->result_source->related_source($_)->name; "${_}_id>" . (ref $other ? $$other : $other) } $orders->result_source->relationships), "\n";
my $regions = $shop->search({}, { select => ['region', { measure => 'revenue' }, \'COUNT(orders.*)'], as => [qw(region revenue n)], group_by => ['region'], order_by => ['region'] });
print 'query: ', rows($regions->cursor->all), "\n";
my $paid = $orders->search({ status => 'completed', amount => { '>' => 60 } }, { columns => [qw(order_id amount)], order_by => ['order_id'] });
print 'parameter: ', rows($paid->cursor->all), "\n";
my $february = $orders->search({ order_date => { '>=' => '2024-02-01', '<' => '2024-03-01' } }, { select => ['status', { sum => 'revenue' }], as => [qw(status revenue)], group_by => ['status'], order_by => ['status'] });
print 'date: ', rows($february->cursor->all), "\n";
my ($cursor, $count, $sum) = ($numbers->search({}, { columns => ['n'], order_by => ['n'], rows => 10000 })->cursor, 0, 0);
while (my ($n) = $cursor->next) { $count++; $sum += $n }
print "cursor: $count/$sum\n";
my $east = $orders->search({ 'customer.region' => 'east' }, { prefetch => 'customer', order_by => ['me.order_id'] });
die 'prefetch' if join(',', map { $_->order_id . $_->customer->region } $east->all) ne '1east,2east,5east,6east';
print 'error: ', code(sub { $orders->search({ nothing => 1 })->all }), "\n";
$db->do('SET statement_timeout = 1000');
print 'cancel: ', code(sub { $db->selectall_arrayref($ENV{SLOW}) }), "\n";
$db->do('SET statement_timeout = 0');
print 'again: ', $orders->count, "\n";
