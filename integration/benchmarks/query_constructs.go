package benchmarks

import "fmt"

// queryConstructModelText is a model with one metric for each construct of the extension 1.10.
const queryConstructModelText = `
version: 0.2.0.dev0
name: constructs
datasets:
  - name: sales
    source: sales
    primary_key: [sale_id]
    fields:
      - {name: sale_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: sale_id}]}}
      - {name: shop_id, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: shop_id}]}}
      - {name: sku, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: buyer_id, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: buyer_id}]}}
      - {name: kind, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: qty, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: qty}]}}
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
  - name: shops
    source: shops
    primary_key: [shop_id]
    fields:
      - {name: shop_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: shop_id}]}}
      - {name: town, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: size, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: size}]}}
      - name: sold
        datatype: Integer
        dimension: {}
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "lod": {"grain": ["shop_id"], "via": ["sale_shop"]}}'}]
  - name: prices
    source: prices
    fields:
      - {name: sku, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: until, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: until}]}}
      - {name: price, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: price}]}}
  - name: days
    source: days
    primary_key: [day]
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: leg, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: leg}]}}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "calendar": {"date": "day", "periods": {"leg": "leg"}}}'}]
  - name: rates
    source: rates
    fields:
      - {name: sku, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: rate, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: rate}]}}
relationships:
  - {name: sale_rate, from: sales, to: rates, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "day", "from": "since"}}'}]}
  - {name: sale_shop, from: sales, to: shops, from_columns: [shop_id], to_columns: [shop_id]}
  - {name: sale_price, from: sales, to: prices, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "day", "from": "since", "to": "until"}}'}]}
metrics:
  - {name: pieces, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}}
  - {name: buyers_of_quarter, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT sales.buyer_id)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"recompute": {"periods": 3}}}'}]}
  - {name: mean_so_far, expression: {dialects: [{dialect: ANSI_SQL, expression: AVG(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"recompute": {"periods": "unbounded"}}}'}]}
  - {name: buyers_so_far, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT sales.buyer_id)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"recompute": {"periods": "unbounded"}}}'}]}
  - {name: towns, expression: {dialects: [{dialect: ANSI_SQL, expression: "LISTAGG(DISTINCT shops.town, ', ')"}]}}
  - {name: last_pieces, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "day", "take": "last"}}'}]}
  - {name: mean_pieces, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "day", "take": "avg"}}'}]}
  - {name: last_of_shops, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "day", "take": "last", "per": ["shop_id"]}}'}]}
  - {name: running, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative"}}'}]}
  - {name: year_to_date, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative", "reset": "year"}}'}]}
  - {name: mean_of_three, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "rolling", "function": "avg", "periods": 3}}'}]}
  - {name: sum_of_28_days, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "rolling", "function": "sum", "span": {"count": 28, "granularity": "day"}}}'}]}
  - {name: pieces_of_28_days, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"recompute": {"span": {"count": 28, "granularity": "day"}}}}'}]}
  - {name: month_before, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "pop", "offset": "1 month", "calculation": "value"}}'}]}
  - {name: growth, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "pop", "offset": "1 year", "calculation": "percent_change"}}'}]}
  - {name: place, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"rank": {"function": "rank"}}}'}]}
  - {name: running_of_year_before, expression: {dialects: [{dialect: ANSI_SQL, expression: year_to_date}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "pop", "offset": "1 year", "calculation": "value"}}'}]}
`

// createQueryConstructTablesSQL makes the tables of queryConstructModelText in the SQL of an engine: numbers is a table of the integers i
// from 1 on, with a place for their count, and day adds a number of days to a date.
func createQueryConstructTablesSQL(rows int, numbers, day string) []string {
	from := func(n int) string { return fmt.Sprintf(numbers, n) }
	date := func(text string) string { return fmt.Sprintf(day, text) }
	return []string{
		`CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, shop_id INTEGER, sku INTEGER, buyer_id INTEGER, kind INTEGER, qty INTEGER, day DATE)`,
		`CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, town VARCHAR(20), size INTEGER)`,
		`CREATE TABLE prices (sku INTEGER, since DATE, until DATE, price INTEGER, PRIMARY KEY (sku, since))`,
		`CREATE TABLE rates (sku INTEGER, since DATE, rate INTEGER, PRIMARY KEY (sku, since))`,
		`CREATE TABLE days (day DATE PRIMARY KEY, leg INTEGER)`,
		fmt.Sprintf(`INSERT INTO sales SELECT i, (i * 31) %% 211, (i * 17) %% 1009, (i * 7919) %% %d, i %% 5, (i * 37) %% 101, %s FROM %s`, rows/20+1, date("(i * 13) % 730"), from(rows)),
		fmt.Sprintf(`INSERT INTO shops SELECT i, CONCAT('town ', i %% 20), i %% 7 FROM %s`, from(200)),
		fmt.Sprintf(`INSERT INTO prices SELECT i %% 1000, %s, %s, i %% 97 FROM %s`, date("(i - i % 1000) / 1000 * 200"), date("(i - i % 1000) / 1000 * 200 + 180"), from(3999)),
		fmt.Sprintf(`INSERT INTO rates SELECT i %% 1000, %s, i %% 97 FROM %s`, date("(i - i % 1000) / 1000 * 150"), from(4999)),
		fmt.Sprintf(`INSERT INTO days SELECT %s, (i - i %% 40) / 40 FROM %s`, date("i - 1"), from(740)),
	}
}

// queryConstructVersusSQLBenchmark is a question that needs a construct, and hand-written SQL for it, which differs for the engines that have no
// percentile of a group, or no date_trunc.
type queryConstructVersusSQLBenchmark struct {
	name, query, hand, mariadb, postgres string
}

const groupByMonthJSON = `"group_by":[{"field":"metric_time","grain":"month"}]`

var queryConstructBenchmarks = []queryConstructVersusSQLBenchmark{
	{
		"filter", `{"metrics":[{"name":"v","expression":"SUM(sales.qty) FILTER (WHERE sales.kind = 1)"}],"group_by":[{"field":"shops.town"}]}`,
		`SELECT town, SUM(CASE WHEN kind = 1 THEN qty END) FROM sales LEFT JOIN shops ON shops.shop_id = sales.shop_id GROUP BY town`, "", "",
	},
	{
		"joined condition", `{"metrics":[{"name":"v","expression":"SUM(sales.qty) FILTER (WHERE shops.town = 'town 3')"}],"group_by":[{"field":"sales.kind"}]}`,
		`SELECT kind, SUM(CASE WHEN town = 'town 3' THEN qty END) FROM sales LEFT JOIN shops ON shops.shop_id = sales.shop_id GROUP BY kind`, "", "",
	},
	{
		"median", `{"metrics":[{"name":"v","expression":"MEDIAN(sales.qty)"}],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY qty) FROM sales GROUP BY shop_id`,
		`SELECT shop_id, AVG(qty * 1e0) FROM (SELECT shop_id, qty, ROW_NUMBER() OVER (PARTITION BY shop_id ORDER BY qty) AS n, COUNT(*) OVER (PARTITION BY shop_id) AS c FROM sales) r WHERE n IN (FLOOR((c + 1) / 2), FLOOR((c + 2) / 2)) GROUP BY shop_id`, "",
	},
	{
		"discrete percentile", `{"metrics":[{"name":"v","expression":"PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY sales.qty)"}],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY qty) FROM sales GROUP BY shop_id`,
		`SELECT shop_id, MIN(qty) FROM (SELECT shop_id, qty, ROW_NUMBER() OVER (PARTITION BY shop_id ORDER BY qty) AS n, COUNT(*) OVER (PARTITION BY shop_id) AS c FROM sales) r WHERE n >= 0.9 * c GROUP BY shop_id`, "",
	},
	{
		"standard deviation", `{"metrics":[{"name":"v","expression":"STDDEV(sales.qty)"}],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, CAST(STDDEV_SAMP(qty) AS DOUBLE PRECISION) FROM sales GROUP BY shop_id`, `SELECT shop_id, STDDEV_SAMP(CAST(qty AS DOUBLE)) + 0e0 FROM sales GROUP BY shop_id`, "",
	},
	{
		"sum of distinct values", `{"metrics":[{"name":"v","expression":"SUM(DISTINCT sales.qty)"}],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, SUM(DISTINCT qty) FROM sales GROUP BY shop_id`, "", "",
	},
	{
		"distinct values of three months", `{"metrics":["buyers_of_quarter"],` + groupByMonthJSON + `}`,
		`SELECT m, COUNT(DISTINCT buyer_id) FROM (SELECT CAST(m + k * INTERVAL '1' MONTH AS DATE) AS m, buyer_id FROM (SELECT DISTINCT DATE_TRUNC('month', day) AS m, buyer_id FROM sales) b CROSS JOIN (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2) t) e WHERE m < DATE '2024-01-01' GROUP BY m`,
		`SELECT m, COUNT(DISTINCT buyer_id) FROM (SELECT m + INTERVAL k MONTH AS m, buyer_id FROM (SELECT DISTINCT CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE) AS m, buyer_id FROM sales) b CROSS JOIN (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2) t) e WHERE m < DATE '2024-01-01' GROUP BY m`,
		`SELECT m, COUNT(DISTINCT buyer_id) FROM (SELECT CAST(m + k * INTERVAL '1' MONTH AS DATE) AS m, buyer_id FROM (SELECT DATE_TRUNC('month', CAST(day AS TIMESTAMP)) AS m, buyer_id FROM sales) b CROSS JOIN (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2) t) e WHERE m < DATE '2024-01-01' GROUP BY m`,
	},
	{
		"mean of all months so far", `{"metrics":["mean_so_far"],` + groupByMonthJSON + `}`,
		`SELECT m, CAST(SUM(s) OVER (ORDER BY m) AS DOUBLE PRECISION) / SUM(c) OVER (ORDER BY m) FROM (SELECT CAST(DATE_TRUNC('month', day) AS DATE) AS m, SUM(qty) AS s, COUNT(qty) AS c FROM sales GROUP BY 1) b`,
		`SELECT m, SUM(s) OVER (ORDER BY m) * 1e0 / SUM(c) OVER (ORDER BY m) FROM (SELECT CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE) AS m, SUM(qty) AS s, COUNT(qty) AS c FROM sales GROUP BY 1) b`, "",
	},
	{
		"distinct values so far", `{"metrics":["buyers_so_far"],` + groupByMonthJSON + `}`,
		`SELECT b.m, SUM(COALESCE(n, 0)) OVER (ORDER BY b.m) FROM (SELECT DISTINCT CAST(DATE_TRUNC('month', day) AS DATE) AS m FROM sales) b LEFT JOIN (SELECT m, COUNT(*) AS n FROM (SELECT buyer_id, CAST(DATE_TRUNC('month', MIN(day)) AS DATE) AS m FROM sales GROUP BY buyer_id) f GROUP BY m) f ON f.m = b.m`,
		`SELECT b.m, SUM(COALESCE(n, 0)) OVER (ORDER BY b.m) FROM (SELECT DISTINCT CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE) AS m FROM sales) b LEFT JOIN (SELECT m, COUNT(*) AS n FROM (SELECT buyer_id, CAST(DATE_FORMAT(MIN(day), '%Y-%m-01') AS DATE) AS m FROM sales GROUP BY buyer_id) f GROUP BY m) f ON f.m = b.m`, "",
	},
	{
		"last snapshot", `{"metrics":["last_pieces"],"group_by":[{"field":"metric_time","grain":"month"}]}`,
		`SELECT CAST(DATE_TRUNC('month', day) AS DATE), SUM(qty) FROM sales WHERE day IN (SELECT MAX(day) FROM sales GROUP BY DATE_TRUNC('month', day)) GROUP BY 1`,
		`SELECT CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE), SUM(qty) FROM sales WHERE day IN (SELECT MAX(day) FROM sales GROUP BY DATE_FORMAT(day, '%Y-%m-01')) GROUP BY 1`, "",
	},
	{
		"last snapshot of each shop", `{"metrics":["last_of_shops"],"group_by":[{"field":"sales.kind"}]}`,
		`SELECT k.kind, v FROM (SELECT DISTINCT kind FROM sales) k LEFT JOIN (SELECT kind, SUM(qty) AS v FROM sales s JOIN (SELECT shop_id, MAX(day) AS day FROM sales GROUP BY shop_id) l ON l.shop_id = s.shop_id AND l.day = s.day GROUP BY kind) x ON x.kind = k.kind`, "", "",
	},
	{
		"last snapshot by shop and month", `{"metrics":["last_pieces"],"group_by":[{"field":"sales.shop_id"},{"field":"metric_time","grain":"month"}]}`,
		`SELECT shop_id, CAST(DATE_TRUNC('month', day) AS DATE), SUM(CASE WHEN day IN (SELECT MAX(day) FROM sales GROUP BY DATE_TRUNC('month', day)) THEN qty END) FROM sales GROUP BY 1, 2`,
		`SELECT shop_id, CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE), SUM(CASE WHEN day IN (SELECT MAX(day) FROM sales GROUP BY DATE_FORMAT(day, '%Y-%m-01')) THEN qty END) FROM sales GROUP BY 1, 2`, "",
	},
	{
		"mean snapshot", `{"metrics":["mean_pieces"],"group_by":[{"field":"sales.kind"}]}`,
		`SELECT kind, CAST(AVG(v) AS DOUBLE PRECISION) FROM (SELECT kind, day, SUM(qty) AS v FROM sales GROUP BY kind, day) d GROUP BY kind`, `SELECT kind, AVG(v * 1e0) FROM (SELECT kind, day, SUM(qty) AS v FROM sales GROUP BY kind, day) d GROUP BY kind`, "",
	},
	{
		"rows valid for a time", `{"metrics":[{"name":"v","expression":"SUM(sales.qty * sale_price.price)"}],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, SUM(qty * price) FROM sales LEFT JOIN prices ON prices.sku = sales.sku AND day >= since AND day < until GROUP BY shop_id`, "", "",
	},
	{
		"once per group", `{"metrics":[{"name":"v","expression":"COUNT(shops.shop_id)"}],"group_by":[{"field":"sales.kind"}],"fan_out":"once_per_group"}`,
		`SELECT kind, COUNT(DISTINCT shops.shop_id) FROM sales LEFT JOIN shops ON shops.shop_id = sales.shop_id GROUP BY kind`, "", "",
	},
	{
		"period of a calendar", `{"metrics":["pieces"],"group_by":[{"field":"metric_time","grain":"leg"}]}`,
		`SELECT f.first, SUM(qty) FROM sales LEFT JOIN (SELECT day, MIN(day) OVER (PARTITION BY leg) AS first FROM days) f ON f.day = sales.day GROUP BY f.first`, "", "",
	},
	{
		"list of distinct texts", `{"metrics":["towns"],"group_by":[{"field":"sales.kind"}],"fan_out":"once_per_group"}`,
		`SELECT kind, STRING_AGG(DISTINCT town, ', ' ORDER BY town) FROM sales LEFT JOIN shops ON shops.shop_id = sales.shop_id GROUP BY kind`,
		`SELECT kind, GROUP_CONCAT(DISTINCT town ORDER BY town SEPARATOR ', ') FROM sales LEFT JOIN shops ON shops.shop_id = sales.shop_id GROUP BY kind`,
		"",
	},
	{
		"rows valid until the next", `{"metrics":[{"name":"v","expression":"SUM(sales.qty * sale_rate.rate)"}],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, SUM(qty * rate) FROM sales LEFT JOIN (SELECT sku, since, rate, COALESCE(LEAD(since) OVER (PARTITION BY sku ORDER BY since), DATE '9999-12-31') AS next FROM rates) r ON r.sku = sales.sku AND day >= since AND day < next GROUP BY shop_id`, "", "",
	},
	{
		"sum once per group", `{"metrics":[{"name":"v","expression":"SUM(shops.size)"}],"group_by":[{"field":"sales.kind"}],"fan_out":"once_per_group"}`,
		`SELECT kind, SUM(size) FROM (SELECT DISTINCT kind, shop_id FROM sales) s LEFT JOIN shops ON shops.shop_id = s.shop_id GROUP BY kind`, "", "",
	},
	{
		"mean over groups", `{"metrics":[{"name":"v","expression":"AVG(pieces)","at":{"include":["sales.buyer_id"]}}],"group_by":[{"field":"sales.kind"}]}`,
		`SELECT kind, AVG(v) FROM (SELECT kind, buyer_id, SUM(qty) AS v FROM sales GROUP BY kind, buyer_id) b GROUP BY kind`,
		`SELECT kind, AVG(v * 1e0) FROM (SELECT kind, buyer_id, SUM(qty) AS v FROM sales GROUP BY kind, buyer_id) b GROUP BY kind`,
		`SELECT kind, CAST(AVG(v) AS DOUBLE PRECISION) FROM (SELECT kind, buyer_id, SUM(qty) AS v FROM sales GROUP BY kind, buyer_id) b GROUP BY kind`,
	},
	{
		"rollup", `{"metrics":["pieces"],"group_by":[{"field":"sales.shop_id"},{"field":"sales.kind"}],"totals":[["shop_id"],[]]}`,
		`SELECT shop_id, kind, SUM(qty), CASE GROUPING(shop_id, kind) WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 2 END FROM sales GROUP BY ROLLUP (shop_id, kind)`,
		`SELECT shop_id, kind, SUM(qty), 0 FROM sales GROUP BY shop_id, kind UNION ALL SELECT shop_id, NULL, SUM(qty), 1 FROM sales GROUP BY shop_id UNION ALL SELECT NULL, NULL, SUM(qty), 2 FROM sales`, "",
	},
	{
		"four steps", `{"metrics":[{"name":"v","expression":"COUNT(*)","dataset":"funnel"}],"group_by":[{"field":"funnel.reached"}],"sequences":[{"name":"funnel","entity":["buyer_id"],"steps":[{"name":"a","dataset":"sales","where":"kind = 0"},{"name":"b","dataset":"sales","where":"kind = 1"},{"name":"c","dataset":"sales","where":"kind = 2"},{"name":"d","dataset":"sales","where":"kind = 3"}]}]}`,
		`SELECT 1 + CASE WHEN one IS NULL THEN 0 ELSE 1 END + CASE WHEN two IS NULL THEN 0 ELSE 1 END + CASE WHEN three IS NULL THEN 0 ELSE 1 END, COUNT(*) FROM (SELECT kind, MIN(CASE WHEN kind = 1 THEN day END) OVER (PARTITION BY buyer_id ORDER BY day DESC, sale_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS one, MIN(CASE WHEN kind = 1 THEN two END) OVER (PARTITION BY buyer_id ORDER BY day DESC, sale_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS two, MIN(CASE WHEN kind = 1 THEN three END) OVER (PARTITION BY buyer_id ORDER BY day DESC, sale_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS three FROM (SELECT buyer_id, sale_id, kind, day, MIN(CASE WHEN kind = 2 THEN day END) OVER (PARTITION BY buyer_id ORDER BY day DESC, sale_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS two, MIN(CASE WHEN kind = 2 THEN three END) OVER (PARTITION BY buyer_id ORDER BY day DESC, sale_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS three FROM (SELECT buyer_id, sale_id, kind, day, MIN(CASE WHEN kind = 3 THEN day END) OVER (PARTITION BY buyer_id ORDER BY day DESC, sale_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS three FROM sales WHERE kind IN (0, 1, 2, 3)) c) b) a WHERE kind = 0 GROUP BY 1`, "", "",
	},
	{
		"aggregate as a field", `{"metrics":[{"name":"v","expression":"MAX(shops.sold)"}],"group_by":[{"field":"shops.town"}]}`,
		`SELECT town, MAX(sold) FROM shops LEFT JOIN (SELECT shop_id, SUM(qty) AS sold FROM sales GROUP BY shop_id) s ON s.shop_id = shops.shop_id GROUP BY town`, "", "",
	},
}
