package errcodes

import (
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
)

// examplesByStageAndCode are those of all stages, by stage and code.
var examplesByStageAndCode = map[string]map[string]Example{
	access.StagePolicies: {
		access.CodeInvalidPolicy:    policiesExample("analyst: {datasets: {orders: {fields: all}}}"),
		access.CodeUnknownAttribute: policiesExample("tenant: {datasets: {orders: {rows: \"customer_id = :user.customer\", fields: all}}}"),
		"unknown_dataset":           policiesExample("analyst: {datasets: {order: {rows: all, fields: all}}}"),
		"unknown_field":             policiesExample("analyst: {datasets: {orders: {rows: all, fields: all, hide: [amounts]}}}"),
		"unknown_metric":            policiesExample("analyst: {datasets: {orders: {rows: all, fields: all}}, metrics: [revenues]}"),
		"unparseable_expression":    policiesExample("analyst: {datasets: {orders: {rows: \"status =\", fields: all}}}"),
		"no_join_path":              policiesExample("analyst: {datasets: {orders: {rows: \"targets.team = 'a'\", fields: all}}}"),
		"ambiguous_join_path":       policiesExample("analyst: {datasets: {orders: {rows: \"calendar.weekday = 'Monday'\", fields: all}}}"),
		access.CodeAttributeUnused:  {Kind: ExampleKindPolicies, Text: "version: 1\nattributes: {regions: {type: string, list: true}}\nroles: {admin: {all: true}}"},
		access.CodeTextNamesHidden:  policiesExample("analyst: {datasets: {orders: {rows: all, fields: all, hide: [amount]}}}"),
		access.CodeRoleSeesNothing:  policiesExample("nothing: {datasets: {targets: {rows: all, fields: []}}}"),
	},
	engine.StageValidate: {
		"unsupported_version": {Kind: ExampleKindModel, Text: "version: 0.1.1\nname: shop\ndatasets: [{name: orders, source: orders}]"},
		"duplicate_name":      {Kind: ExampleKindMetrics, Text: metricYAML("Revenue", "MAX(orders.amount)")},
		"empty_datasets":      {Kind: ExampleKindModel, Text: "version: 0.2.0.dev0\nname: shop\ndatasets: []"},
		"empty_columns":       {Kind: ExampleKindRelationships, Text: "- {name: order_visit, from: orders, to: visits, from_columns: [], to_columns: []}"},
		"column_count_mismatch": {Kind: ExampleKindRelationships,
			Text: "- {name: order_visit, from: orders, to: visits, from_columns: [order_id, customer_id], to_columns: [visit_id]}"},
		"unknown_dataset": {Kind: ExampleKindRelationships,
			Text: "- {name: order_visit, from: orders, to: visit, from_columns: [order_id], to_columns: [visit_id]}"},
		"unknown_column": {Kind: ExampleKindRelationships,
			Text: "- {name: order_visit, from: orders, to: visits, from_columns: [order_no], to_columns: [visit_id]}"},
		"missing_sql_dialect": {Kind: ExampleKindMetrics,
			Text: "- {name: total, expression: {dialects: [{dialect: MAQL, expression: 'SELECT SUM({fact/amount})'}]}}"},
		"self_relationship": {Kind: ExampleKindRelationships,
			Text: "- {name: follow_up, from: orders, to: orders, from_columns: [customer_id], to_columns: [order_id]}"},
		"relationship_target_not_unique": {Kind: ExampleKindRelationships,
			Text: "- {name: order_visit, from: orders, to: visits, from_columns: [customer_id], to_columns: [visitor]}"},
		"parse":                  {Kind: ExampleKindModel, Text: "version: 0.2.0.dev0\nname: shop\ndatasets: {orders: {source: orders}}"},
		"source_not_found":       {Kind: ExampleKindData, Text: "DROP TABLE targets"},
		"column_not_found":       {Kind: ExampleKindData, Text: "ALTER TABLE orders RENAME COLUMN status TO state"},
		"expression_rejected":    {Kind: ExampleKindFields, Text: fieldYAML("is_refund", "STARTS_WITHIN(status, 'ref')", "")},
		"datatype_mismatch":      {Kind: ExampleKindData, Text: "ALTER TABLE orders ALTER COLUMN amount TYPE DECIMAL(9, 2)"},
		"key_not_unique":         {Kind: ExampleKindData, Text: "INSERT INTO visits VALUES (1, NULL, 3), (1, NULL, 4)"},
		"key_has_null":           {Kind: ExampleKindData, Text: "INSERT INTO visits VALUES (NULL, NULL, 3)"},
		"relationship_unmatched": {Kind: ExampleKindData, Text: "INSERT INTO visits VALUES (1, 900, 3)"},
		"cardinality_wrong": {Kind: ExampleKindRelationships,
			Text: "- {name: order_visit, from: orders, to: visits, from_columns: [customer_id], to_columns: [visitor], cardinality: many_to_one}",
			Data: "INSERT INTO customers (customer_id) VALUES (7);\nINSERT INTO visits VALUES (1, 7, 3), (2, 7, 4)"},
		"overlapping_validity": {Kind: ExampleKindRelationships,
			Text: `- {name: order_at_signup, from: customers, to: orders, from_columns: [customer_id], to_columns: [customer_id], ` +
				`custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "signup_month", "from": "order_date", "to": "ship_date"}}'}]}`,
			Data: "INSERT INTO customers (customer_id) VALUES (7);\n" +
				"INSERT INTO calendar (day) VALUES (DATE '2024-01-31');\n" +
				"INSERT INTO orders (order_id, customer_id, order_date) VALUES (1, 7, DATE '2024-01-31'), (2, 7, DATE '2024-01-31')"},
		"period_not_whole": {Kind: ExampleKindModel, Text: `version: 0.2.0.dev0
name: shop
datasets:
  - name: calendar
    source: calendar
    primary_key: [day]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "calendar": {"date": "day", "periods": {"season": {"field": "season", "whole": "month"}}}}'}]
    fields:
      - {name: day, datatype: Date, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: season, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: weekday}]}}`,
			Data: "INSERT INTO calendar VALUES (DATE '2024-03-19', 'winter'), (DATE '2024-03-20', 'spring')"},
		"time_format_mismatch": {Kind: ExampleKindFields, Text: fieldYAML("billed", "status", `{"v": "1.9", "time": {"format": "yyyyMMdd"}}`),
			Data: "INSERT INTO orders (order_id, status) VALUES (1, '2024-01-31')"},
		"ambiguous_days":       describedSituationExample("Each date of a CSV file, such as 01/02/2024, is valid day first and month first."),
		"granularity_mismatch": {Kind: ExampleKindData, Text: "INSERT INTO customers VALUES (1, 'north', DATE '2024-01-15')"},
		"check_incomplete":     describedSituationExample("A dataset has more rows than --max-rows."),
		"unknown_model_key":    {Kind: ExampleKindModel, Text: "version: 0.2.0.dev0\nname: shop\ndatasets: [{name: orders, source: orders, primary_kye: [order_id]}]"},
	},
	engine.StageCompile: modelCompileExampleByCode,
	engine.StagePlan:    planExampleByCode,
	engine.StageExecute: executeExampleByCode,
	engine.StageServer:  serverExampleByCode,
}

var modelCompileExampleByCode = map[string]Example{
	"unparseable_expression": metricExpressionExample("SUM(orders.amount"),
	"no_sql_dialect": {Kind: ExampleKindFields,
		Text: "- {name: size, expression: {dialects: [{dialect: MAQL, expression: '{fact/size}'}]}}\n" + fieldYAML("big", "size > 10", "")},
	"unknown_dataset":          metricExpressionExample("SUM(order.amount)"),
	"unknown_field":            metricExpressionExample("SUM(orders.amnt)"),
	"unknown_column":           metricExpressionExample("SUM(amnt)"),
	"ambiguous_column":         metricExpressionExample("COUNT(DISTINCT customer_id)"),
	"not_an_aggregate":         metricExpressionExample("orders.amount * 2"),
	"nested_aggregate":         metricExpressionExample("SUM(COUNT(orders.order_id))"),
	"bare_column_in_metric":    metricExpressionExample("SUM(orders.amount) - orders.order_id"),
	"cross_dataset_aggregate":  metricExpressionExample("SUM(orders.amount * visits.pages)"),
	"count_star_needs_dataset": metricExpressionExample("COUNT(*)"),
	"unsupported_aggregate":    metricExpressionExample("MODE(orders.amount)"),
	"window_in_metric":         metricExpressionExample("SUM(orders.amount) OVER ()"),
	"subquery_in_metric":       metricExpressionExample("(SELECT MAX(amount) FROM orders)"),
	"measure_name_collision": {Kind: ExampleKindMetrics,
		Text: metricWithPayloadYAML("latest", "MAX(orders.amount)", `{"v": "1.9", "measure": {"name": "orders_amount_sum"}, "requires": ["measure"]}`)},
	"metric_reference_cycle": {Kind: ExampleKindMetrics, Text: metricYAML("a", "b * 2") + "\n" + metricYAML("b", "a / 2")},
	"derive_expression_mismatch": {Kind: ExampleKindMetrics,
		Text: metricWithPayloadYAML("open", "SUM(orders.amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = ''open''"}}`)},
	"ambiguous_join_path": {Kind: ExampleKindModel, Text: `version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields:
      - {name: ordered, expression: {dialects: [{dialect: ANSI_SQL, expression: ordered}]}}
      - {name: shipped, expression: {dialects: [{dialect: ANSI_SQL, expression: shipped}]}}
  - name: calendar
    source: calendar
    primary_key: [day]
    fields:
      - {name: day, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - name: orders_of_the_day
        expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.ordered)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "lod": {"grain": ["day"]}}'}]
relationships:
  - {name: ordered_on, from: orders, to: calendar, from_columns: [ordered], to_columns: [day]}
  - {name: shipped_on, from: orders, to: calendar, from_columns: [shipped], to_columns: [day]}`},
	"no_join_path": {Kind: ExampleKindModel, Text: `version: 0.2.0.dev0
name: shop
custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "views": [{"name": "visitors", "metrics": ["revenue"], "where": "visits.pages > 1"}]}'}]
datasets:
  - {name: orders, source: orders, fields: [{name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]}
  - {name: visits, source: visits, fields: [{name: pages, expression: {dialects: [{dialect: ANSI_SQL, expression: pages}]}}]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}`},
	"saved_query_invalid": {Kind: ExampleKindModel, Text: modelYAMLBeforeQueries + `[{"name": "total", "query": {"metrics": ["revenu"]}}]}'}]`},
	"duplicate_name": {Kind: ExampleKindModel, Text: modelYAMLBeforeQueries + `[{"name": "total", "query": {"metrics": ["revenue"]}}, ` +
		`{"name": "Total", "query": {"metrics": ["revenue"]}}]}'}]`},
	"invalid_vendor_extension":       metricPayloadExample(`{"v": "1.9", "time_dimension": "orders.order_dat"}`),
	"unsupported_vendor_ext_version": metricPayloadExample(`{"v": "2.0"}`),
	"vendor_ext_key_required":        metricPayloadExample(`{"v": "1.9", "requires": ["hologram"]}`),
	"not_implemented":                metricPayloadExample(`{"v": "1.9", "derive": {"type": "reagg"}}`),

	"ignored_vendor_extension":           {Kind: ExampleKindMetrics, Basic: true, Text: metricWithPayloadYAML("total", "SUM(orders.amount)", `{"v": "1.9", "unit": "EUR"}`)},
	"vendor_ext_version_ahead":           metricPayloadExample(`{"v": "1.99", "glow": true}`),
	"vendor_ext_key_newer_than_declared": metricPayloadExample(`{"v": "1.2", "derive": {"type": "compose", "expr": "revenue"}}`),
	"vendor_ext_requires_missing":        metricPayloadExample(`{"v": "1.9", "measure": {"name": "charged"}}`),
	"compose_no_conformed_dimensions": {Kind: ExampleKindModel, Text: `version: 0.2.0.dev0
name: shop
datasets:
  - {name: orders, source: orders, fields: [{name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]}
  - {name: visits, source: visits, fields: [{name: pages, expression: {dialects: [{dialect: ANSI_SQL, expression: pages}]}}]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: pages, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(visits.pages)}]}}
  - {name: revenue_per_page, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / pages}]}}`},
	"vendor_time_format_misplaced": {Kind: ExampleKindFields, Text: fieldYAML("billed", "billed", `{"v": "1.9", "format": "yyyyMMdd", "time_granularity": "day"}`)},
	"vendor_param_unbounded": {Kind: ExampleKindMetrics, Text: metricWithPayloadYAML("over", "SUM(CASE WHEN orders.amount > 9 THEN orders.amount END)",
		`{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}, "params": [{"name": "t", "type": "int", "default": 9}]}`)},
	"vendor_param_unused": metricPayloadExample(`{"v": "1.9", "params": [{"name": "t", "type": "bool"}]}`),
	"window_adds_non_additive": {Kind: ExampleKindMetrics, Text: metricWithPayloadYAML("average_so_far", "AVG(orders.amount)",
		`{"v": "1.9", "window": {"type": "cumulative", "function": "sum"}}`)},
	"underdeclared_field": {Kind: ExampleKindFields, Text: "- {name: list_price, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: list_price}]}}"},
	"no_metrics": {Kind: ExampleKindModel, Text: `version: 0.2.0.dev0
name: shop
datasets:
  - {name: orders, source: orders, fields: [{name: order_id, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}]}`},
	"dimension_role_conflict": {Kind: ExampleKindModel, Text: `version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields:
      - name: amount
        expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "is_dimension": true}'}]
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}`},
	"vendor_param_opaque_token": {Kind: ExampleKindMetrics, Text: metricWithPayloadYAML("having", "SUM(CASE WHEN orders.status = 'a b' THEN orders.amount END)",
		`{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = :s"}, "params": [{"name": "s", "type": "string", "default": "a b", "allowed": ["a b", "a/b"]}]}`)},
	"function_not_portable":   {Kind: ExampleKindFields, Text: fieldYAML("is_refund", "REGEXP_LIKE(status, '^ref')", "")},
	"aggregate_field_dropped": {Kind: ExampleKindFields, Text: fieldYAML("spent", "SUM(amount)", "")},
}

// modelYAMLBeforeQueries is a model up to its list of saved queries.
const modelYAMLBeforeQueries = `version: 0.2.0.dev0
name: shop
datasets:
  - {name: orders, source: orders, fields: [{name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "queries": `

func metricYAML(name, expression string) string {
	return `- {name: ` + name + `, expression: {dialects: [{dialect: ANSI_SQL, expression: "` + expression + `"}]}}`
}

func metricExpressionExample(expression string) Example {
	return Example{Kind: ExampleKindMetrics, Text: metricYAML("total", expression)}
}

// metricPayloadExample returns a sound metric with a payload.
func metricPayloadExample(payload string) Example {
	return Example{Kind: ExampleKindMetrics, Text: metricWithPayloadYAML("total", "SUM(orders.amount)", payload)}
}

func metricWithPayloadYAML(name, expression, payload string) string {
	return "- name: " + name + expressionAndPayloadYAML(expression, payload)
}

func fieldYAML(name, expression, payload string) string {
	return "- name: " + name + expressionAndPayloadYAML(expression, payload)
}

func expressionAndPayloadYAML(expression, payload string) string {
	text := "\n  expression: {dialects: [{dialect: ANSI_SQL, expression: \"" + expression + "\"}]}"
	if payload != "" {
		text += "\n  custom_extensions: [{vendor_name: SEMLAYER, data: '" + payload + "'}]"
	}
	return text
}

// policiesExample returns a policies file with one role.
func policiesExample(role string) Example {
	return Example{Kind: ExampleKindPolicies, Text: "version: 1\nroles:\n  " + role}
}
