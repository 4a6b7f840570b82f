#!/usr/bin/ruby
# ruby-pg: parameters, rows one by one, COPY, and cancel from another thread.
require "pg"

db = PG.connect
join = ->(rows) { rows.map { |row| row.map { |v| v.nil? ? "NULL" : v.to_s }.join("|") }.join(";") }
state = lambda do |sql|
  db.exec(sql)
rescue PG::Error => e
  e.result.error_field(PG::PG_DIAG_SQLSTATE)
end

puts "connect: #{db.parameter_status("server_version")}"
puts "list: #{db.exec("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1").column_values(0).join(",")}"
empty = db.exec("SELECT * FROM orders LIMIT 0")
puts "fields: #{empty.fields.join(",")}"
names = (0...empty.nfields).map { |i| db.exec_params("SELECT format_type($1, $2)", [empty.ftype(i), empty.fmod(i)]).getvalue(0, 0) }
puts "field types: #{names.join(",")}"
puts "query: #{join.call(db.exec("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1").values)}"
db.prepare("by_status", "SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id")
puts "parameter: #{join.call(db.exec_prepared("by_status", ["completed", 60]).values)}"
puts "null: #{join.call(db.exec("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id").values)}"
count = sum = 0
db.send_query("SELECT n FROM numbers ORDER BY n LIMIT 10000")
db.set_single_row_mode
db.get_result.stream_each_row { |row| count += 1; sum += row[0].to_i }
puts "cursor: #{count}/#{sum}"
count = sum = 0
db.copy_data("COPY (SELECT n FROM numbers ORDER BY n LIMIT 10000) TO STDOUT") do
  while (line = db.get_copy_data)
    count += 1
    sum += line.to_i
  end
end
puts "copy: #{count}/#{sum}"
puts "error: #{state.call("SELECT nothing FROM orders")}"
Thread.new { sleep 1; db.cancel }
puts "cancel: #{state.call(ENV["SLOW"])}"
puts "again: #{db.exec("SELECT COUNT(*) FROM orders").getvalue(0, 0)}"
