package benchmarks

const (
	monthOfSale        = "CAST(DATE_TRUNC('month', day) AS DATE)"
	monthOfSaleMariaDB = "CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE)"
	monthNumber        = "EXTRACT(YEAR FROM m) * 12 + EXTRACT(MONTH FROM m)"
)

// windowBenchmarks are questions for windows over time and over places among rows.
var windowBenchmarks = []queryConstructVersusSQLBenchmark{
	{
		"window: running total", `{"metrics":["running"],` + groupByMonthJSON + `}`,
		`SELECT m, SUM(s) OVER (ORDER BY m) FROM (SELECT ` + monthOfSale + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1) b`,
		`SELECT m, SUM(s) OVER (ORDER BY m) FROM (SELECT ` + monthOfSaleMariaDB + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1) b`, "",
	},
	{
		"window: running total in a range", `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"day"}],"time_range":{"start":"2023-03-01","end":"2023-04-01"}}`,
		`SELECT day, v FROM (SELECT day, SUM(SUM(qty)) OVER (ORDER BY day) AS v FROM sales WHERE day < DATE '2023-04-01' GROUP BY day) b WHERE day >= DATE '2023-03-01'`, "", "",
	},
	{
		"window: running totals of filled days", `{"metrics":["running"],"group_by":[{"field":"sales.kind"},{"field":"metric_time","grain":"day"}],"time_range":{"start":"2023-03-01","end":"2023-04-01"},"fill":{}}`,
		`SELECT kind, day, v FROM (SELECT kind, day, SUM(s) OVER (PARTITION BY kind ORDER BY day) AS v FROM (SELECT kind, day, SUM(s) AS s FROM (SELECT kind, day, SUM(qty) AS s FROM sales WHERE day < DATE '2023-04-01' GROUP BY kind, day UNION ALL SELECT kind, d.day, NULL FROM (SELECT DISTINCT kind FROM sales WHERE day < DATE '2023-04-01') k CROSS JOIN (SELECT day FROM days WHERE day >= DATE '2023-03-01' AND day < DATE '2023-04-01') d) u GROUP BY kind, day) b) w WHERE day >= DATE '2023-03-01'`, "", "",
	},
	{
		"window: year to date of each shop", `{"metrics":["year_to_date"],"group_by":[{"field":"sales.shop_id"},{"field":"metric_time","grain":"month"}]}`,
		`SELECT shop_id, m, SUM(s) OVER (PARTITION BY shop_id, EXTRACT(YEAR FROM m) ORDER BY m) FROM (SELECT shop_id, ` + monthOfSale + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1, 2) b`,
		`SELECT shop_id, m, SUM(s) OVER (PARTITION BY shop_id, EXTRACT(YEAR FROM m) ORDER BY m) FROM (SELECT shop_id, ` + monthOfSaleMariaDB + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1, 2) b`, "",
	},
	{
		"window: mean of three months", `{"metrics":["mean_of_three"],"group_by":[{"field":"sales.kind"},{"field":"metric_time","grain":"month"}]}`,
		`SELECT kind, m, CAST(AVG(s) OVER (PARTITION BY kind ORDER BY ` + monthNumber + ` RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) AS DOUBLE PRECISION) FROM (SELECT kind, ` + monthOfSale + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1, 2) b`,
		`SELECT kind, m, AVG(s * 1e0) OVER (PARTITION BY kind ORDER BY ` + monthNumber + ` RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM (SELECT kind, ` + monthOfSaleMariaDB + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1, 2) b`, "",
	},
	{
		"window: sum of 28 days by day", `{"metrics":["sum_of_28_days"],"group_by":[{"field":"metric_time","grain":"day"}]}`,
		`SELECT day, SUM(s) OVER (ORDER BY day - DATE '2000-01-01' RANGE BETWEEN 27 PRECEDING AND CURRENT ROW) FROM (SELECT day, SUM(qty) AS s FROM sales GROUP BY day) b`,
		`SELECT day, SUM(s) OVER (ORDER BY TO_DAYS(day) RANGE BETWEEN 27 PRECEDING AND CURRENT ROW) FROM (SELECT day, SUM(qty) AS s FROM sales GROUP BY day) b`, "",
	},
	{
		"window: 28 days by month", `{"metrics":["pieces_of_28_days"],` + groupByMonthJSON + `}`,
		`SELECT ` + monthOfSale + `, SUM(CASE WHEN day >= CAST(DATE_TRUNC('month', day) + INTERVAL '1' MONTH - INTERVAL '28' DAY AS DATE) THEN qty END) FROM sales GROUP BY 1`,
		`SELECT ` + monthOfSaleMariaDB + `, SUM(CASE WHEN day >= CAST(DATE_FORMAT(day, '%Y-%m-01') AS DATE) + INTERVAL 1 MONTH - INTERVAL 28 DAY THEN qty END) FROM sales GROUP BY 1`, "",
	},
	{
		"window: month before", `{"metrics":["month_before"],"group_by":[{"field":"sales.kind"},{"field":"metric_time","grain":"month"}]}`,
		`SELECT kind, m, LAG(s) OVER (PARTITION BY kind ORDER BY m) FROM (SELECT kind, ` + monthOfSale + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1, 2) b`,
		`SELECT kind, m, LAG(s) OVER (PARTITION BY kind ORDER BY m) FROM (SELECT kind, ` + monthOfSaleMariaDB + ` AS m, SUM(qty) AS s FROM sales GROUP BY 1, 2) b`, "",
	},
	{
		"window: growth over a year in a range", `{"metrics":["growth"],"group_by":[{"field":"sales.shop_id"},{"field":"metric_time","grain":"month"}],"time_range":{"start":"2023-03-01","end":"2023-07-01"}}`,
		`SELECT shop_id, m, CAST(s - p AS DOUBLE PRECISION) / NULLIF(p, 0) FROM (SELECT shop_id, m, s, LAG(s, 12) OVER (PARTITION BY shop_id ORDER BY m) AS p FROM (SELECT shop_id, ` + monthOfSale + ` AS m, SUM(qty) AS s FROM sales WHERE day >= DATE '2022-03-01' AND day < DATE '2023-07-01' GROUP BY 1, 2) b) w WHERE m >= DATE '2023-03-01'`,
		`SELECT shop_id, m, (s - p) * 1e0 / NULLIF(p, 0) FROM (SELECT shop_id, m, s, LAG(s, 12) OVER (PARTITION BY shop_id ORDER BY m) AS p FROM (SELECT shop_id, ` + monthOfSaleMariaDB + ` AS m, SUM(qty) AS s FROM sales WHERE day >= DATE '2022-03-01' AND day < DATE '2023-07-01' GROUP BY 1, 2) b) w WHERE m >= DATE '2023-03-01'`, "",
	},
	{
		"window: year to date and that of the year before", `{"metrics":["year_to_date","running_of_year_before"],"group_by":[{"field":"metric_time","grain":"month"}],"time_range":{"start":"2023-01-01","end":"2024-01-01"}}`,
		`SELECT m, v, LAG(v, 12) OVER (ORDER BY m) FROM (SELECT m, SUM(s) OVER (PARTITION BY EXTRACT(YEAR FROM m) ORDER BY m) AS v FROM (SELECT ` + monthOfSale + ` AS m, SUM(qty) AS s FROM sales WHERE day >= DATE '2022-01-01' AND day < DATE '2024-01-01' GROUP BY 1) b) w ORDER BY m LIMIT 12 OFFSET 12`,
		`SELECT m, v, LAG(v, 12) OVER (ORDER BY m) FROM (SELECT m, SUM(s) OVER (PARTITION BY EXTRACT(YEAR FROM m) ORDER BY m) AS v FROM (SELECT ` + monthOfSaleMariaDB + ` AS m, SUM(qty) AS s FROM sales WHERE day >= DATE '2022-01-01' AND day < DATE '2024-01-01' GROUP BY 1) b) w ORDER BY m LIMIT 12 OFFSET 12`, "",
	},
	{
		"window: rank of shops", `{"metrics":["place"],"group_by":[{"field":"sales.shop_id"}]}`,
		`SELECT shop_id, RANK() OVER (ORDER BY SUM(qty) DESC) FROM sales GROUP BY shop_id`, "", "",
	},
}
