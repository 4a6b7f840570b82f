package integration_test

import (
	"slices"

	"github.com/semlayer/semlayer/engine/datacheck"
)

const ordersKey = "    primary_key: [id]\n"

// plantedFaults lists a fault for each finding about data.
func plantedFaults() []plantedFault {
	id := modelField("id", "Integer", "", "")
	orders := func(rest string, fields ...string) []string {
		return []string{modelDataset("orders", "orders", rest, fields...)}
	}
	const table = "CREATE TABLE orders (id INTEGER, amount DECIMAL(8,2), status VARCHAR(20), day DATE);\n" +
		"INSERT INTO orders VALUES (1, 1.5, 'a', '2024-01-01'), (2, 2.5, 'b', '2024-02-01');\n"
	amount := modelField("amount", "Decimal", "", "")
	faults := []plantedFault{
		{
			name:  "a table that is not there",
			model: modelOf([]string{modelDataset("orders", "ordres", ordersKey, id)}, "", metricLine("n", "COUNT(orders.id)")), data: table,
			want:       []string{"error source_not_found at datasets[0].source: the source of orders, `ordres`, cannot be read; nearest: orders"},
			cleanModel: modelOf(orders(ordersKey, id), "", metricLine("n", "COUNT(orders.id)")),
		},
		{
			name: "a query that fails", data: table,
			model:      modelOf([]string{modelDataset("orders", "SELECT idd AS id FROM orders", "", id)}, "", ""),
			want:       []string{"error source_not_found at datasets[0].source: the source of orders, `SELECT idd AS id FROM orders`, cannot be read"},
			cleanModel: modelOf([]string{modelDataset("orders", "SELECT id FROM orders -- all", "", id)}, "", ""),
		},
		{
			name: "a column that is not there", data: table,
			model:      modelOf(orders(ordersKey, id, modelField("total", "Decimal", "amonut * 2", "")), "", metricLine("revenue", "SUM(orders.total)")),
			want:       []string{"error column_not_found at datasets[0].fields[1].expression: orders.total reads the column `amonut`, which the source of orders does not have; nearest: amount"},
			cleanModel: modelOf(orders(ordersKey, id, modelField("total", "Decimal", "amount * 2", "")), "", metricLine("revenue", "SUM(orders.total)")),
		},
		{
			name: "a column of a key that is not there", data: table,
			model:      modelOf(orders("    primary_key: [idd]\n", amount), "", ""),
			want:       []string{"error column_not_found at datasets[0].primary_key[0]: a key of orders reads the column `idd`, which the source of orders does not have; nearest: id"},
			cleanModel: modelOf(orders("    primary_key: [id]\n", amount), "", ""),
		},
		{
			name: "a function that is not there", data: table,
			model:      modelOf(orders(ordersKey, id, modelField("root", "Float", "NO_SUCH_FUNCTION(amount)", "")), "", metricLine("m", "SUM(orders.root)")),
			want:       []string{"error expression_rejected at datasets[0].fields[1].expression: the warehouse rejects the expression of orders.root"},
			cleanModel: modelOf(orders(ordersKey, id, amount), "", metricLine("m", "SUM(orders.amount)")),
		},
		{
			name: "a metric that the warehouse rejects", data: table,
			model:      modelOf(orders(ordersKey, id, amount), "", metricLine("m", "SUM(NO_SUCH_FUNCTION(orders.amount))")),
			want:       []string{"error expression_rejected at metrics[0].expression: the warehouse rejects the SQL of the metric m"},
			cleanModel: modelOf(orders(ordersKey, id, amount), "", metricLine("m", "SUM(orders.amount)")),
		},
		{
			name: "a datatype that the column does not have", data: table,
			model:      modelOf(orders(ordersKey, id, modelField("status", "Integer", "", "")), "", ""),
			want:       []string{"warning datatype_mismatch at datasets[0].fields[1].datatype: orders.status is declared Integer, and its values are String; nearest: String"},
			cleanModel: modelOf(orders(ordersKey, id, modelField("status", "String", "", ""), modelField("day", "Date", "", "")), "", ""),
		},
		{
			name:  "a key with duplicates",
			model: modelOf(orders(ordersKey, id), "", ""),
			data:  table + "INSERT INTO orders (id) VALUES (2), (2), (NULL);\n",
			want: []string{
				"warning key_has_null at datasets[0].primary_key: the key (id) of orders is null in 1 of 5 rows",
				"error key_not_unique at datasets[0].primary_key: the key (id) of orders is not unique: 4 rows have 2 different values; `2` is in 3 rows",
			},
			clean: table,
		},
		{
			name:  "a key that is not a field",
			model: modelOf(orders("    primary_key: [id]\n    unique_keys: [[amount]]\n", modelField("status", "String", "", "")), "", ""),
			data:  table + "INSERT INTO orders (id, amount) VALUES (2, 9), (5, NULL);\n",
			want: []string{
				"error key_not_unique at datasets[0].primary_key: the key (id) of orders is not unique: 4 rows have 3 different values; `2` is in 2 rows",
				"warning key_has_null at datasets[0].unique_keys[0]: the key (amount) of orders is null in 1 of 4 rows",
			},
			clean: table,
		},
		{
			name:  "a composite key",
			model: modelOf(orders("    primary_key: [id, status]\n", id, modelField("status", "String", "", "")), "", ""),
			data:  table + "INSERT INTO orders (id, status) VALUES (2, 'b'), (2, 'c'), (3, NULL), (3, NULL);\n",
			want: []string{
				"warning key_has_null at datasets[0].primary_key: the key (id, status) of orders is null in 2 of 6 rows",
				"error key_not_unique at datasets[0].primary_key: the key (id, status) of orders is not unique: 4 rows have 3 different values; (`2`, `b`) is in 2 rows",
			},
			clean: table + "INSERT INTO orders (id, status) VALUES (2, 'c'), (3, 'b');\n",
		},
		{
			name:    "more rows than a check reads",
			model:   modelOf(orders(ordersKey, id), "", ""),
			data:    table + "INSERT INTO orders (id) VALUES (3);\n",
			options: datacheck.Options{MaxRows: 2},
			want:    []string{"warning check_incomplete at datasets[0]: it is not known whether the values of orders.id are unique: orders has more than the 2 rows that were read"},
			clean:   table,
		},
		{
			name:  "names that need quotes",
			model: modelOf([]string{modelDataset("select", `"group by"`, `    primary_key: [from]`+"\n", modelField("from", "Integer", `"from"`, ""), modelField("when", "String", `"The Name"`, ""))}, "", metricLine("n", `COUNT(DISTINCT "select"."when")`)),
			data:  `CREATE TABLE "group by" ("from" INTEGER, "The Name" VARCHAR(20));` + "\n" + `INSERT INTO "group by" VALUES (1, 'a'), (1, 'b');`,
			want:  []string{"error key_not_unique at datasets[0].primary_key: the key (from) of select is not unique: 2 rows have 1 value; `1` is in 2 rows"},
			clean: `CREATE TABLE "group by" ("from" INTEGER, "The Name" VARCHAR(20));` + "\n" + `INSERT INTO "group by" VALUES (1, 'a'), (2, 'b');`,
		},
		{
			name:  "tables without rows",
			model: modelOf(orders(ordersKey, id, modelField("sate", "String", "sate", "")), "", ""),
			data:  "CREATE TABLE orders (id INTEGER, amount DECIMAL(8,2), state VARCHAR(20));",
			want:  []string{"error column_not_found at datasets[0].fields[1].expression: orders.sate reads the column `sate`, which the source of orders does not have; nearest: state"},
			cleanModel: modelOf([]string{
				modelDataset("orders", "orders", "    primary_key: [id, amount]\n", id, amount, modelField("state", "String", "", `"time": {"format": "yyyyMMdd"}`)),
			}, "  - {name: itself, from: orders, to: orders, from_columns: [id, amount], to_columns: [id, amount], cardinality: one_to_one}\n", metricLine("n", "COUNT(orders.id)")),
		},
	}
	return slices.Concat(faults, relationshipFaults(), validityFaults(), periodFaults(), timeFaults())
}

func metricLine(name, expression string) string {
	return "  - {name: " + name + ", expression: {dialects: [{dialect: ANSI_SQL, expression: '" + expression + "'}]}}\n"
}
