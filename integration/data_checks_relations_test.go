package integration_test

import (
	"fmt"
	"strings"
)

// relationshipFaults lists faults between two datasets.
func relationshipFaults() []plantedFault {
	integer := func(names ...string) []string {
		var out []string
		for _, n := range names {
			out = append(out, modelField(n, "Integer", "", ""))
		}
		return out
	}
	two := func(rest, relationships string) string {
		return modelOf([]string{
			modelDataset("orders", "orders", ordersKey, integer("id", "buyer", "payer", "branch")...),
			modelDataset("customers", "customers", rest, integer("no", "branch")...),
		}, relationships, metricLine("n", "COUNT(orders.id)"))
	}
	const key = "    primary_key: [no]\n"
	const tables = "CREATE TABLE orders (id INTEGER, buyer INTEGER, payer INTEGER, branch INTEGER);\n" +
		"CREATE TABLE customers (no INTEGER, branch INTEGER);\n" +
		"INSERT INTO customers VALUES (1, 1), (2, 1), (3, 2);\n"
	const matched = "INSERT INTO orders VALUES (1, 1, 2, 1), (2, 1, NULL, 1), (3, NULL, 3, 2);\n"
	edge := func(name, columns, to, rest string) string {
		return fmt.Sprintf("  - {name: %s, from: orders, to: customers, from_columns: [%s], to_columns: [%s]%s}\n", name, columns, to, rest)
	}
	const inner = `, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "join_type": "inner"}'}]`
	return []plantedFault{
		{
			name: "values without a row", model: two(key, edge("bought", "buyer", "no", "")),
			data:  tables + matched + "INSERT INTO orders VALUES (4, 8, 1, 1), (5, 9, 1, 1), (6, 8, 1, 1);\n",
			want:  []string{"warning relationship_unmatched at relationships[0].from_columns: 2 of 3 values (66.7 %) of orders.buyer have no row in customers, in 3 of 5 rows, for example `8`"},
			clean: tables + matched,
		},
		{
			name: "values without a row of an inner join", model: two(key, edge("bought", "buyer", "no", inner)),
			data:  tables + matched + "INSERT INTO orders VALUES (4, 9, 1, 1);\n",
			want:  []string{"error relationship_unmatched at relationships[0].from_columns: 1 of 2 values (50 %) of orders.buyer have no row in customers, in 1 of 3 rows, for example `9`; the inner join of bought drops these rows"},
			clean: tables + matched,
		},
		{
			name: "one of two roles", model: two(key, edge("bought", "buyer", "no", "")+edge("paid", "payer", "no", "")),
			data:  tables + matched + "INSERT INTO orders VALUES (4, 1, 7, 1);\n",
			want:  []string{"warning relationship_unmatched at relationships[1].from_columns: 1 of 3 values (33.3 %) of orders.payer have no row in customers, in 1 of 3 rows, for example `7`"},
			clean: tables + matched,
		},
		{
			name: "values of two columns", model: two("    primary_key: [no, branch]\n", edge("bought", "buyer, branch", "no, branch", "")),
			data:  tables + "INSERT INTO orders VALUES (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, NULL);\n",
			want:  []string{"warning relationship_unmatched at relationships[0].from_columns: 1 of 2 values (50 %) of (buyer, branch) of orders have no row in customers, in 1 of 2 rows, for example (`1`, `2`)"},
			clean: tables + "INSERT INTO orders VALUES (1, 1, 1, 1), (2, 3, 1, 2), (3, 1, 1, NULL);\n",
		},
		{
			name: "a dataset that refers to itself",
			model: modelOf([]string{modelDataset("staff", "staff", "    primary_key: [no]\n", integer("no", "boss")...)},
				"  - {name: reports_to, from: staff, to: staff, from_columns: [boss], to_columns: [no]}\n", ""),
			data:  "CREATE TABLE staff (no INTEGER, boss INTEGER);\nINSERT INTO staff VALUES (1, NULL), (2, 1), (3, 4);",
			want:  []string{"warning relationship_unmatched at relationships[0].from_columns: 1 of 2 values (50 %) of staff.boss have no row in staff, in 1 of 2 rows, for example `4`"},
			clean: "CREATE TABLE staff (no INTEGER, boss INTEGER);\nINSERT INTO staff VALUES (1, NULL), (2, 1), (3, 2);",
		},
		{
			name: "many_to_one to a column with duplicates", model: two("", edge("sold", "branch", "branch", ", cardinality: many_to_one")),
			data:  tables + matched,
			want:  []string{"error cardinality_wrong at relationships[0].cardinality: the relationship sold declares many_to_one, and customers.branch is not unique: 3 rows have 2 different values; `1` is in 2 rows"},
			clean: strings.Replace(tables, "(2, 1)", "(2, 7)", 1) + matched,
		},
		{
			name: "one_to_one from a column with duplicates", model: two(key, edge("bought", "buyer", "no", ", cardinality: one_to_one")),
			data:  tables + matched,
			want:  []string{"error cardinality_wrong at relationships[0].cardinality: the relationship bought declares one_to_one, and orders.buyer is not unique: 2 rows have 1 value; `1` is in 2 rows"},
			clean: tables + "INSERT INTO orders VALUES (1, 1, 2, 1), (2, 2, NULL, 1), (3, NULL, 3, 2);\n",
		},
		{
			name: "a cardinality in the payload", model: two("", edge("sold", "branch", "branch", `, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "cardinality": "many_to_one"}'}]`)),
			data:  tables + matched,
			want:  []string{"error cardinality_wrong at relationships[0]: the relationship sold declares many_to_one, and customers.branch is not unique: 3 rows have 2 different values; `1` is in 2 rows"},
			clean: strings.Replace(tables, "(2, 1)", "(2, 7)", 1) + matched,
		},
	}
}

// validityFaults lists faults of rows that are valid for a time.
func validityFaults() []plantedFault {
	const tables = "CREATE TABLE sales (id INTEGER, sku VARCHAR(9), day DATE);\nINSERT INTO sales VALUES (1, 'a', '2024-01-31');\n" +
		"CREATE TABLE price (sku VARCHAR(9), part INTEGER, since DATE, until TIMESTAMP);\n"
	model := func(columns, rest, to string) string {
		var paired []string
		for _, c := range strings.Split(columns, ", ") {
			paired = append(paired, map[string]string{"sku": "sku", "part": "id"}[c])
		}
		return modelOf([]string{
			modelDataset("sales", "sales", "    primary_key: [id]\n", modelField("id", "Integer", "", ""), modelField("sku", "String", "", ""), modelField("day", "Date", "", "")),
			modelDataset("price", "price", "", modelField("sku", "String", "", ""), modelField("part", "Integer", "", ""), modelField("since", "Date", "", ""), modelField("until", "DateTime", "", "")),
		}, "  - {name: priced_on, from: sales, to: price, from_columns: ["+strings.Join(paired, ", ")+"], to_columns: ["+columns+"]"+rest+
			", custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"valid\": {\"at\": \"day\", \"from\": \"since\""+to+"}}'}]}\n", metricLine("n", "COUNT(sales.id)"))
	}
	const until = `, "to": "until"`
	rows := func(list ...string) string {
		return tables + "INSERT INTO price VALUES " + strings.Join(list, ", ") + ";\n"
	}
	// Intervals that touch, are empty or reversed, or have no key do not overlap.
	clean := rows("('a', 1, NULL, '2024-01-01 00:00:00')", "('a', 1, '2024-01-01', '2024-02-01 00:00:00')", "('a', 1, '2024-02-01', NULL)",
		"('a', 1, '2024-01-15', '2024-01-15 00:00:00')", "('a', 1, '2024-03-01', '2024-01-01 00:00:00')", "(NULL, 1, NULL, NULL)", "(NULL, 1, NULL, NULL)")
	finding := func(keys, columns string) []string {
		return []string{"warning overlapping_validity at relationships[0]: the relationship priced_on finds several rows at one time for " + keys + " of " + columns}
	}
	return []plantedFault{
		{
			name: "rows that overlap by a second", model: model("sku", "", until), clean: clean,
			data: rows("('a', 1, '2024-01-01', '2024-02-01 00:00:01')", "('a', 1, '2024-02-01', NULL)"), want: finding("`a`", "price.sku"),
		},
		{
			name: "an interval within another one, and one that follows it", model: model("sku", ", cardinality: many_to_one", until), clean: clean,
			data: rows("('a', 1, '2024-01-01', '2024-02-01 00:00:00')", "('a', 1, '2024-01-03', '2024-01-04 00:00:00')", "('a', 1, '2024-01-10', '2024-01-11 00:00:00')"),
			want: finding("`a`", "price.sku"),
		},
		{
			name: "more than three keys with open bounds", model: model("sku", "", until), clean: clean,
			data: rows("('a', 1, NULL, NULL)", "('a', 1, NULL, '2024-02-01 00:00:00')", "('b', 1, NULL, NULL)", "('b', 1, '2024-01-01', NULL)",
				"('c', 1, '2024-01-01', NULL)", "('c', 1, '2024-05-01', NULL)", "('d', 1, NULL, NULL)", "('d', 1, NULL, NULL)"),
			want: finding("`a`, `b`, `c` and other values", "price.sku"),
		},
		{
			name: "a key of two columns", model: model("sku, part", "", until),
			data:  rows("('a', 1, NULL, NULL)", "('a', 1, '2024-01-01', NULL)", "('a', 2, NULL, NULL)"),
			want:  finding("(`a`, `1`)", "(sku, part) of price"),
			clean: rows("('a', 1, NULL, NULL)", "('a', 2, NULL, NULL)"),
		},
		{
			name: "a row ends where the next one begins", model: model("sku", "", ""), clean: clean,
			data: strings.Replace(clean, "'a', '2024-01-31'", "'z', '2024-01-31'", 1),
			want: []string{"warning relationship_unmatched at relationships[0].from_columns: 1 of 1 value (100 %) of sales.sku have no row in price, in 1 of 1 row, for example `z`"},
		},
	}
}
