package errcodes

var planExamples = map[string]Example{
	"empty_query":                       query(`{"group_by":[{"field":"orders.status"}]}`),
	"dimensions_required":               attribute(`{"metric":"revenue",` + attributionWindows + `}`),
	"unknown_metric":                    query(`{"metrics":["revenu"]}`),
	"unknown_dimension":                 query(`{"metrics":["revenue"],"group_by":[{"field":"customers.regoin"}]}`),
	"ambiguous_dimension":               query(`{"metrics":["revenue"],"group_by":[{"field":"customer_id"}]}`),
	"grain_on_non_time_dimension":       query(`{"metrics":["revenue"],"group_by":[{"field":"orders.status","grain":"month"}]}`),
	"grain_too_fine":                    query(`{"metrics":["revenue"],"group_by":[{"field":"customers.signup_month","grain":"day"}]}`),
	"duplicate_output_name":             query(`{"metrics":["revenue","revenue"]}`),
	"unknown_order_key":                 query(`{"metrics":["revenue"],"order_by":[{"key":"order_count"}]}`),
	"unsupported_filter":                query(`{"metrics":["revenue"],"where_sql":"orders.customer_id IN (SELECT customer_id FROM customers)"}`),
	"aggregate_in_where":                query(`{"metrics":["revenue"],"where_sql":"SUM(orders.amount) > 100"}`),
	"result_filter_metric_not_selected": query(`{"metrics":["revenue"],"where_sql":"order_count > 1"}`),
	"result_filter_unprojected":         query(`{"metrics":["revenue"],"where_sql":"revenue > 100 OR customers.region = 'east'"}`),
	"no_join_path":                      query(`{"metrics":["revenue"],"group_by":[{"field":"targets.team"}]}`),
	"ambiguous_join_path":               query(`{"metrics":["revenue"],"group_by":[{"field":"calendar.weekday"}]}`),
	"fan_out_risk":                      query(`{"metrics":["customer_count"],"group_by":[{"field":"orders.status"}]}`),
	"time_range_needs_dimension":        query(`{"metrics":["revenue"],"group_by":[{"field":"orders.ship_date","grain":"month"}],"time_range":{"start":"2024-01-01"}}`),
	"no_primary_time_dimension":         query(`{"metrics":["pages"],"group_by":[{"field":"metric_time","grain":"month"}]}`),
	"unconformed_dimension":             query(`{"metrics":["revenue_per_page"],"group_by":[{"field":"orders.status"}]}`),
	"unknown_metric_param":              query(`{"metrics":["revenue"],"params":{"t":1}}`),
	"param_out_of_domain":               query(`{"metrics":["above"],"params":{"t":-1}}`),
	"param_expansion_too_large": query(`{"metrics":["above"],"params":{"t":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,` +
		`41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65]}}`),
	"unknown_query_key":                   query(`{"metrics":["revenue"],"groupby":[{"field":"orders.status"}]}`),
	"unknown_saved_query":                 query(`{"saved":"revenue_by_statuses"}`),
	"window_reset_too_fine":               query(`{"metrics":["month_to_date"],"group_by":[{"field":"metric_time","grain":"quarter"}]}`),
	"window_exclude_not_grouped":          query(`{"metrics":["all_regions"],"group_by":[{"field":"orders.status"}]}`),
	"dialect_unsupported_window_function": query(`{"metrics":["covariance"],"group_by":[{"field":"metric_time","grain":"month"}],"dialect":"mysql"}`),
	"unknown_dataset":                     detail(`{"from":"order","fields":["status"]}`),
	"detail_fanout":                       detail(`{"from":"customers","fields":["region","orders.status"]}`),
	"metric_in_detail_query":              detail(`{"from":"orders","fields":["status","revenue"]}`),
	"unknown_relationship":                detail(`{"from":"orders","fields":["orderd_on.calendar.weekday"]}`),
	"invalid_relationship_path":           detail(`{"from":"orders","fields":["order_customer.ordered_on.weekday"]}`),
	"denominator_nonpositive":             attribute(`{"metric":"average","dimensions":["orders.status"],` + attributionWindows + `}`),
	"not_implemented":                     detail(`{"from":"customers","fields":["net_value"]}`),
	"internal":                            situationExample("A panic within the engine, which its log shows."),
	"bad_request":                         query(`{"metrics":"revenue"}`),

	"window_adds_non_additive": query(`{"metrics":["customers_so_far"],"group_by":[{"field":"metric_time","grain":"month"}]}`),
	"limit_clamped":            detail(`{"from":"orders","fields":["status"],"limit":20000}`),
}

const attributionWindows = `"baseline":{"start":"1901-01-01","end":"1901-02-01"},"current":{"start":"1901-02-01","end":"1901-03-01"}`

var executeExamples = map[string]Example{
	"config":       situationExample("--db names a file that is not a DuckDB database; a query names a connection that has no profile."),
	"connection":   situationExample("Nothing listens at the host and port of the profile."),
	"auth":         situationExample("The password of the profile is wrong."),
	"sql_rejected": situationExample("The source of a dataset is a table that the warehouse does not have."),
	"driver":       situationExample("The connection breaks while rows are being read."),
	"timeout":      situationExample("A statement runs for longer than --execute-timeout-secs."),
	"internal":     situationExample("The source of a dataset is a query that calls enable_logging, which changes the embedded database."),
}

var serverExamples = map[string]Example{
	"bad_request":   situationExample(`POST /v1/query/compile with the body {"metrics":`),
	"client_gone":   situationExample("A client that closes its connection, or whose own time limit ends, while the warehouse still works."),
	"unknown_model": situationExample("GET /m/sale/v1/model on a server of the models sales and stock, or GET /v1/model there without --default-model."),
	"unauthorized":  situationExample("A request without the header Authorization: Bearer TOKEN to a server that was given a token."),
	"forbidden":     situationExample("POST /v1/query/execute to a server that was started with --disable-execute."),
	"busy":          situationExample("One more execution than --max-concurrent-executions at one time."),
	"timeout":       situationExample("An execution runs for longer than --execute-timeout-secs."),
	"internal":      situationExample("A panic within the server, which its log shows."),
}

func query(body string) Example            { return Example{Kind: Query, Text: body} }
func detail(body string) Example           { return Example{Kind: Select, Text: body} }
func attribute(body string) Example        { return Example{Kind: Attribute, Text: body} }
func situationExample(text string) Example { return Example{Kind: Situation, Text: text} }
