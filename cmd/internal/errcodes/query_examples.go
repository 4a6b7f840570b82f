package errcodes

var planExampleByCode = map[string]Example{
	"empty_query":                       queryExample(`{"group_by":[{"field":"orders.status"}]}`),
	"dimensions_required":               attributeExample(`{"metric":"revenue",` + attributionWindowsJSON + `}`),
	"unknown_metric":                    queryExample(`{"metrics":["revenu"]}`),
	"unknown_dimension":                 queryExample(`{"metrics":["revenue"],"group_by":[{"field":"customers.regoin"}]}`),
	"ambiguous_dimension":               queryExample(`{"metrics":["revenue"],"group_by":[{"field":"customer_id"}]}`),
	"grain_on_non_time_dimension":       queryExample(`{"metrics":["revenue"],"group_by":[{"field":"orders.status","grain":"month"}]}`),
	"grain_too_fine":                    queryExample(`{"metrics":["revenue"],"group_by":[{"field":"customers.signup_month","grain":"day"}]}`),
	"grain_not_supported":               queryExample(`{"metrics":["daily_customers"],"group_by":[{"field":"metric_time","grain":"month"}]}`),
	"duplicate_output_name":             queryExample(`{"metrics":["revenue","revenue"]}`),
	"unknown_order_key":                 queryExample(`{"metrics":["revenue"],"order_by":[{"key":"order_count"}]}`),
	"unsupported_filter":                queryExample(`{"metrics":["revenue"],"where_sql":"orders.customer_id IN (SELECT customer_id FROM customers)"}`),
	"aggregate_in_where":                queryExample(`{"metrics":["revenue"],"where_sql":"SUM(orders.amount) > 100"}`),
	"result_filter_metric_not_selected": queryExample(`{"metrics":["revenue"],"where_sql":"order_count > 1"}`),
	"result_filter_unprojected":         queryExample(`{"metrics":["revenue"],"where_sql":"revenue > 100 OR customers.region = 'east'"}`),
	"no_join_path":                      queryExample(`{"metrics":["revenue"],"group_by":[{"field":"targets.team"}]}`),
	"ambiguous_join_path":               queryExample(`{"metrics":["revenue"],"group_by":[{"field":"calendar.weekday"}]}`),
	"no_rollup":                         queryExample(`{"metrics":["revenue"],"rollups":"only"}`),
	"rollup_not_writable":               describedSituationExample("semlayer rollup refresh on a connection whose profile has no rollups: {writable: true}."),
	"rollup_write_unsupported":          describedSituationExample("semlayer rollup refresh on a connection of trino."),
	"rollup_mismatch":                   describedSituationExample("semlayer rollup check after a number of the table was changed by hand."),
	"unknown_view":                      queryExample(`{"view":"sale","metrics":["revenue"]}`),
	"unknown_rollup":                    describedSituationExample("semlayer rollup sql names a rollup that the model does not have."),
	"fan_out_risk":                      queryExample(`{"metrics":["customer_count"],"group_by":[{"field":"orders.status"}]}`),
	"time_range_needs_dimension":        queryExample(`{"metrics":["revenue"],"group_by":[{"field":"orders.ship_date","grain":"month"}],"time_range":{"start":"2024-01-01"}}`),
	"no_primary_time_dimension":         queryExample(`{"metrics":["pages"],"group_by":[{"field":"metric_time","grain":"month"}]}`),
	"time_range_required":               queryExample(`{"metrics":["revenue"],"compare":{"offset":{"count":1,"unit":"year"}}}`),
	"time_grain_required":               queryExample(`{"metrics":["revenue"],"group_by":[{"field":"orders.order_date"}],"time_range":{"start":"2024-01-01","end":"2025-01-01"},"compare":{"offset":{"count":1,"unit":"month"}}}`),
	"fill_too_large":                    queryExample(`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"day"}],"time_range":{"start":"1990-01-01","end":"2025-01-01"},"fill":{}}`),
	"unconformed_dimension":             queryExample(`{"metrics":["revenue_per_page"],"group_by":[{"field":"orders.status"}]}`),
	"unknown_metric_param":              queryExample(`{"metrics":["revenue"],"params":{"t":1}}`),
	"param_out_of_domain":               queryExample(`{"metrics":["above"],"params":{"t":-1}}`),
	"param_expansion_too_large": queryExample(`{"metrics":["above"],"params":{"t":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,` +
		`41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65]}}`),
	"unknown_query_key":                   queryExample(`{"metrics":["revenue"],"groupby":[{"field":"orders.status"}]}`),
	"conflicting_keys":                    queryExample(`{"metrics":["revenue"],"distinct":true}`),
	"unknown_time_zone":                   queryExample(`{"metrics":["revenue"],"time_zone":"Europe/Berln"}`),
	"unknown_saved_query":                 queryExample(`{"saved":"revenue_by_statuses"}`),
	"window_reset_too_fine":               queryExample(`{"metrics":["month_to_date"],"group_by":[{"field":"metric_time","grain":"quarter"}]}`),
	"window_exclude_not_grouped":          queryExample(`{"metrics":["all_regions"],"group_by":[{"field":"orders.status"}]}`),
	"dialect_unsupported_window_function": queryExample(`{"metrics":["covariance"],"group_by":[{"field":"metric_time","grain":"month"}],"dialect":"mysql"}`),
	"dialect_unsupported_aggregate":       queryExample(`{"metrics":["amount_deviation"],"dialect":"sqlite"}`),
	"dialect_unsupported_function":        queryExample(`{"metrics":["revenue"],"where_sql":"REGEXP_LIKE(orders.status, '^re')","dialect":"sqlite"}`),
	"unknown_dataset":                     detailQueryExample(`{"from":"order","fields":["status"]}`),
	"detail_fanout":                       detailQueryExample(`{"from":"customers","fields":["region","orders.status"]}`),
	"metric_in_detail_query":              detailQueryExample(`{"from":"orders","fields":["status","revenue"]}`),
	"unknown_relationship":                detailQueryExample(`{"from":"orders","fields":["orderd_on.calendar.weekday"]}`),
	"invalid_relationship_path":           detailQueryExample(`{"from":"orders","fields":["order_customer.ordered_on.weekday"]}`),
	"unsupported_expression":              queryExample(`{"metrics":[{"name":"sizes","expression":"SUM(bit_length(orders.status))"}]}`),
	"denominator_nonpositive":             attributeExample(`{"metric":"average","dimensions":["orders.status"],` + attributionWindowsJSON + `}`),
	"not_implemented":                     detailQueryExample(`{"from":"customers","fields":["net_value"]}`),
	"internal":                            describedSituationExample("A panic within the engine, which its log shows."),
	"bad_request":                         queryExample(`{"metrics":"revenue"}`),

	"sql_syntax":             sqlExample(`{"sql":"SELECT status FROM orders GROUP"}`),
	"sql_unsupported":        sqlExample(`{"sql":"SELECT status FROM orders o WHERE EXISTS (SELECT 1 FROM customers)"}`),
	"sql_read_only":          sqlExample(`{"sql":"DELETE FROM orders"}`),
	"sql_group_by_required":  sqlExample(`{"sql":"SELECT status, MEASURE(revenue) FROM orders"}`),
	"sql_measure_in_rows":    sqlExample(`{"sql":"SELECT COUNT(*), revenue FROM orders"}`),
	"sql_aggregate_mismatch": sqlExample(`{"sql":"SELECT AVG(revenue) FROM orders"}`),
	"sql_join_not_declared":  sqlExample(`{"sql":"SELECT o.status FROM orders o JOIN targets t ON o.status = t.team"}`),
	"sql_parameter":          sqlExample(`{"sql":"SELECT status FROM orders WHERE amount > $1"}`),

	"window_adds_non_additive":  queryExample(`{"metrics":["customers_so_far"],"group_by":[{"field":"metric_time","grain":"month"}]}`),
	"time_attribute_partitions": queryExample(`{"metrics":["revenue"],"group_by":[{"field":"orders.order_date","grain":"month"},{"field":"ordered_on.weekday"}],"time_range":{"start":"1901-01-01","end":"1901-03-01"},"compare":{"offset":{"count":1,"unit":"month"}}}`),
	"approximate":               queryExample(`{"metrics":["about_customers"]}`),
	"fan_out_once":              queryExample(`{"metrics":["customer_count"],"group_by":[{"field":"orders.status"}],"fan_out":"once_per_group"}`),
	"condition_limits_windows":  queryExample(`{"metrics":["month_to_date"],"group_by":[{"field":"metric_time","grain":"month"}],"where_sql":"orders.order_date <> DATE '2024-02-29'"}`),
	"limit_clamped":             detailQueryExample(`{"from":"orders","fields":["status"],"limit":20000}`),

	"filter_matched_nothing":     queryExample(`{"metrics":["revenue"],"where_sql":"customers.region = 'North'","hints":true}`),
	"time_range_matched_nothing": queryExample(`{"metrics":["revenue"],"time_range":{"start":"1890-01-01","end":"1900-01-01"},"hints":true}`),
}

const attributionWindowsJSON = `"baseline":{"start":"1901-01-01","end":"1901-02-01"},"current":{"start":"1901-02-01","end":"1901-03-01"}`

var executeExampleByCode = map[string]Example{
	"config":              describedSituationExample("--db names a file that is not a DuckDB database; a query names a connection that has no profile."),
	"connection":          describedSituationExample("Nothing listens at the host and port of the profile."),
	"auth":                describedSituationExample("The password of the profile is wrong."),
	"sql_rejected":        describedSituationExample("The source of a dataset is a table that the warehouse does not have."),
	"driver":              describedSituationExample("The connection breaks while rows are being read."),
	"memory_limit":        describedSituationExample("A statement sorts more rows than fit into the memory of the embedded DuckDB and into --spill-mib."),
	"result_too_large":    describedSituationExample("The policies file has required.limits.rows: 1000, and a query without a limit has 1001 rows."),
	"cost_limit_exceeded": describedSituationExample("The profile of a BigQuery connection has max_bytes_billed: 1000000000, and a statement reads 2 GB."),
	"timeout":             describedSituationExample("A statement runs for longer than --execute-timeout-secs."),
	"internal":            describedSituationExample("The source of a dataset is a query that calls enable_logging, which changes the embedded database."),
}

var serverExampleByCode = map[string]Example{
	"bad_request":   describedSituationExample(`POST /v1/query/compile with the body {"metrics":`),
	"client_gone":   describedSituationExample("A client that closes its connection, or whose own time limit ends, while the warehouse still works."),
	"unknown_model": describedSituationExample("GET /m/sale/v1/model on a server of the models sales and stock, or GET /v1/model there without --default-model."),
	"unauthorized":  describedSituationExample("A request without the header Authorization: Bearer TOKEN to a server that was given a token."),
	"forbidden":     describedSituationExample("POST /v1/query/execute to a server that was started with --disable-execute."),
	"rate_limited":  describedSituationExample("The policies file has required.limits.requests_per_second: 5, and a client sends 50 requests at once."),
	"busy":          describedSituationExample("One more execution than --max-concurrent-executions at one time."),
	"memory_limit":  describedSituationExample("Clients that read slowly hold all the memory for results."),
	"timeout":       describedSituationExample("An execution runs for longer than --execute-timeout-secs."),
	"internal":      describedSituationExample("A panic within the server, which its log shows."),
}

func queryExample(body string) Example { return Example{Kind: ExampleKindQuery, Text: body} }
func detailQueryExample(body string) Example {
	return Example{Kind: ExampleKindDetailQuery, Text: body}
}
func attributeExample(body string) Example { return Example{Kind: ExampleKindAttribute, Text: body} }
func sqlExample(body string) Example       { return Example{Kind: ExampleKindSQL, Text: body} }
func describedSituationExample(text string) Example {
	return Example{Kind: ExampleKindSituation, Text: text}
}
