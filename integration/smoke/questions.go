package main

// question is a query with the rows that it must return, worked out by hand from the rows
// that model.yaml writes as literals.
type question struct {
	name    string
	body    string
	rows    string // as in a rows.txt of the corpus: columns, then rows; ∅ is NULL
	ordered bool   // the order of the rows counts
	detail  bool   // the body is a detail query
	// unable are the dialects that cannot express the query.
	unable []string
}

func questions() []question {
	return []question{
		{name: "a total", body: `{"metrics":["revenue","order_count","buyers"]}`, rows: `
			revenue | order_count | buyers
			54.5    | 5           | 3`},
		{name: "a group of NULL", body: `{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}]}`, rows: `
			status | revenue | order_count
			done   | 20      | 3
			open   | 30      | 1
			∅      | 4.5     | 1`},
		{name: "a join with a missing and a NULL key", body: `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, rows: `
			region | revenue
			east   | 19.75
			west   | 30
			∅      | 4.75`},
		{name: "months", body: `{"metrics":["revenue"],"group_by":[{"field":"orders.order_day","grain":"month"}],"order_by":[{"key":"order_day__month"}]}`, ordered: true, rows: `
			order_day__month | revenue
			2024-01-01       | 12.5
			2024-02-01       | 37.25
			2024-03-01       | 4.75`},
		{name: "a range without its end", body: `{"metrics":["revenue"],"time_range":{"start":"2024-02-01","end":"2024-03-01"}}`, rows: `
			revenue
			37.25`},
		{name: "conditions", body: `{"metrics":["revenue"],"where_sql":"orders.status LIKE 'd%' AND orders.amount > 1 AND orders.customer IS NOT NULL"}`, rows: `
			revenue
			19.75`},
		{name: "a text with quotes and a backslash", body: `{"metrics":["revenue","order_count"],"where_sql":"orders.status = 'it''s \\ \"ü\"'"}`, rows: `
			revenue | order_count
			∅       | 0`},
		{name: "two facts", body: `{"metrics":["revenue","hours"],"group_by":[{"field":"customers.region"}]}`, rows: `
			region | revenue | hours
			east   | 19.75   | 5
			west   | 30      | 0
			∅      | 4.75    | ∅`},
		{name: "a ratio with a zero below", body: `{"metrics":["per_hour"],"group_by":[{"field":"customers.region"}]}`, rows: `
			region | per_hour
			east   | 3.95
			west   | ∅
			∅      | ∅`},
		{name: "a running total", body: `{"metrics":["running"],"group_by":[{"field":"orders.order_day","grain":"month"}]}`, rows: `
			order_day__month | running
			2024-01-01       | 12.5
			2024-02-01       | 49.75
			2024-03-01       | 54.5`},
		{name: "the month before", body: `{"metrics":["revenue","month_before"],"group_by":[{"field":"orders.order_day","grain":"month"}]}`, unable: []string{"redshift", "starrocks", "doris"}, rows: `
			order_day__month | revenue | month_before
			2024-01-01       | 12.5    | ∅
			2024-02-01       | 37.25   | 12.5
			2024-03-01       | 4.75    | 37.25`},
		{name: "the two largest", body: `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"revenue","desc":true}],"limit":2}`, ordered: true, rows: `
			status | revenue
			open   | 30
			done   | 20`},
		{name: "records", body: `{"from":"orders","fields":["id","order_day","customers.region"],"where_sql":"orders.amount >= 7","order_by":[{"key":"id"}]}`, ordered: true, detail: true, rows: `
			id | order_day  | region
			1  | 2024-01-31 | east
			2  | 2024-02-01 | east
			3  | 2024-02-29 | west`},
	}
}
