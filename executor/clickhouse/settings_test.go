package clickhouse_test

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/executortest"
)

// turnable returns the settings of requests, each with a value that a user may have for it. For
// settings whose effect needs a cluster, files or a large table, the probe reads the setting
// itself.
func turnable() []executortest.ServerSettingCase {
	const (
		joined = "SELECT count() AS v FROM (SELECT 1 AS id) AS l JOIN (SELECT arrayJoin([1, 1, 1]) AS id) AS r ON l.id = r.id"
	)
	list := []executortest.ServerSettingCase{
		{Name: "join_default_strictness", Wrong: "ANY", Probe: joined},
		{Name: "prefer_column_name_to_alias", Wrong: "1", Probe: "SELECT sum(n) AS v FROM (SELECT -n AS n FROM (SELECT 3 AS n) WHERE n < 0)"},
		{Name: "enable_positional_arguments", Wrong: "0", Probe: "SELECT n % 2 AS v, count() AS c FROM (SELECT number AS n FROM numbers(4)) GROUP BY 1 ORDER BY 1"},
		{Name: "except_default_mode", Wrong: "DISTINCT", Probe: "SELECT count() AS v FROM (SELECT arrayJoin([1, 1]) EXCEPT SELECT 2)"},
		{Name: "intersect_default_mode", Wrong: "DISTINCT", Probe: "SELECT count() AS v FROM (SELECT arrayJoin([1, 1]) INTERSECT SELECT arrayJoin([1, 1]))"},
		{Name: "union_default_mode", Wrong: "DISTINCT", Probe: "SELECT count() AS v FROM (SELECT 1 UNION SELECT 1)"},
		{Name: "transform_null_in", Wrong: "1", Probe: "SELECT count() AS v FROM (SELECT CAST(NULL AS Nullable(Int8)) AS n) WHERE n IN (NULL, 1)"},
		{Name: "cast_keep_nullable", Wrong: "1", Probe: "SELECT toTypeName(CAST(CAST(1 AS Nullable(Int8)) AS Int16)) AS v"},
		{Name: "least_greatest_legacy_null_behavior", Wrong: "1", Probe: "SELECT greatest(1, CAST(NULL AS Nullable(Int8))) AS v"},
		{Name: "aggregate_functions_null_for_empty", Wrong: "1", Probe: "SELECT sum(number) AS v FROM numbers(3) WHERE number > 5"},
		{Name: "empty_result_for_aggregation_by_empty_set", Wrong: "1", Probe: "SELECT count() AS v FROM numbers(3) WHERE number > 5"},
		{Name: "group_by_use_nulls", Wrong: "1", Probe: "SELECT sum(number) AS v, number % 2 AS k FROM numbers(3) GROUP BY ROLLUP(k) ORDER BY v, k"},
		{Name: "count_distinct_implementation", Wrong: "uniqHLL12", Probe: "SELECT count(DISTINCT number) AS v FROM numbers(100000)"},
		{Name: "limit", Wrong: "2", Probe: "SELECT number AS v FROM numbers(5)"},
		{Name: "offset", Wrong: "2", Probe: "SELECT number AS v FROM numbers(5)"},
		{Name: "additional_result_filter", Wrong: "v != 1", Probe: "SELECT number AS v FROM numbers(3)"},
		{Name: "additional_table_filters", Wrong: "{'system.one': 'dummy = 5'}", Probe: "SELECT count() AS v FROM system.one"},
		{Name: "session_timezone", Wrong: "Asia/Tokyo", Probe: "SELECT toString(toDateTime(0)) AS v"},
		{Name: "date_time_overflow_behavior", Wrong: "saturate", Probe: "SELECT toDate(toDateTime64('2299-12-31 00:00:00', 0, 'UTC')) AS v"},
		{Name: "decimal_check_overflow", Wrong: "0", Probe: "SELECT toDecimal32('999999999', 0) * toDecimal32('999999999', 0) * 9 AS v"},
		{Name: "bool_true_representation", Wrong: "yes", Probe: "SELECT CAST(true AS String) AS v"},
		{Name: "bool_false_representation", Wrong: "no", Probe: "SELECT CAST(false AS String) AS v"},
		{Name: "formatdatetime_f_prints_single_zero", Wrong: "1", Probe: "SELECT formatDateTime(toDateTime(0, 'UTC'), '%f') AS v"},
		{Name: "formatdatetime_parsedatetime_m_is_month_name", Wrong: "0", Probe: "SELECT formatDateTime(toDateTime(0, 'UTC'), '%M') AS v"},
		{Name: "splitby_max_substrings_includes_remaining_string", Wrong: "1", Probe: "SELECT arrayStringConcat(splitByChar(',', 'a,b,c', 2), '+') AS v"},
	}
	for name, wrong := range map[string]string{
		"any_join_distinct_right_table_keys": "1", "join_any_take_last_row": "1", "asterisk_include_alias_columns": "1",
		"asterisk_include_materialized_columns": "1", "enable_global_with_statement": "0", "final": "1", "apply_deleted_mask": "0",
		"empty_result_for_aggregation_by_constant_keys_on_empty_set": "0", "distributed_group_by_no_merge": "1",
		"optimize_trivial_approximate_count_query": "1", "optimize_rewrite_aggregate_function_with_if": "1", "extremes": "1", "skip_unavailable_shards": "1", "ignore_cold_parts_seconds": "5",
		"use_query_cache": "1", "input_format_allow_errors_num": "5", "input_format_allow_errors_ratio": "0.5", "enable_analyzer": "0",
		"result_overflow_mode": "break", "read_overflow_mode": "break", "read_overflow_mode_leaf": "break", "group_by_overflow_mode": "any",
		"sort_overflow_mode": "break", "set_overflow_mode": "break", "join_overflow_mode": "break", "distinct_overflow_mode": "break",
		"transfer_overflow_mode": "break", "timeout_overflow_mode": "break", "timeout_overflow_mode_leaf": "break",
		"formatdatetime_format_without_leading_zeros": "1", "compatibility": "23.8",
		"output_format_arrow_string_as_string": "0", "output_format_arrow_low_cardinality_as_dictionary": "1",
		"output_format_arrow_fixed_string_as_fixed_byte_array": "0",
	} {
		list = append(list, executortest.ServerSettingCase{Name: name, Wrong: wrong, Probe: "SELECT toString(getSetting('" + name + "')) AS v"})
	}
	return list
}

func TestSession_TakesNoSettingFromTheUserThatChangesRows(t *testing.T) {
	o := server(t)
	executortest.TestIgnoresServerSettings(t, executortest.ServerSettingChangeBackend{
		Open: func(t testing.TB) executor.Executor { return open(t, o) },
		Turn: func(t testing.TB, c executortest.ServerSettingCase) {
			ask(t, o, "ALTER USER default SETTINGS "+c.Name+" = '"+strings.ReplaceAll(c.Wrong, "'", `\'`)+"'")
		},
		Back:     func(t testing.TB, _ executortest.ServerSettingCase) { ask(t, o, "ALTER USER default SETTINGS NONE") },
		Bare:     func(t testing.TB, sql string) string { return ask(t, o, sql) },
		Settings: turnable(),
	})
}

// ask sends a statement without any setting.
func ask(t testing.TB, o clickhouse.Options, text string) string {
	t.Helper()
	u := url.URL{Scheme: "http", Host: o.Host + ":" + strconv.Itoa(o.Port), Path: "/"}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, u.String(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-ClickHouse-User", o.User)
	r.Header.Set("X-ClickHouse-Key", o.Password.Reveal())
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func TestSession_EachSettingIsTurnedByTheTest(t *testing.T) {
	executortest.CheckEverySessionSettingTested(t, clickhouse.SettingNames(), turnable(), "dialect") // under another one no test could turn it back
}

func TestSettings_OfALaterServerAreLeftOut(t *testing.T) {
	unknown := map[string]string{
		"enable_analyzer":                     "Code: 115. DB::Exception: Setting enable_analyzer is neither a builtin setting nor started with the prefix 'SQL_' registered for user-defined settings. (UNKNOWN_SETTING) (version 23.8.1.1)",
		"least_greatest_legacy_null_behavior": "Code: 115. DB::Exception: Unknown setting 'least_greatest_legacy_null_behavior'. (UNKNOWN_SETTING) (version 23.8.1.1)",
	}
	good := answerWith(stream(t, numbers(t, 1)))
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, text string) {
		for name, words := range unknown {
			if r.URL.Query().Has(name) {
				w.Header().Set("X-ClickHouse-Exception-Code", "115")
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, words)
				return
			}
		}
		good(w, r, text)
	})
	e := f.open(t)
	for range 2 {
		if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1"); err != nil || got != `[{"n":1}]` {
			t.Fatalf("got %s, %v", got, err)
		}
	}
	requests := f.requests()
	if len(requests) != 4 { // two that name an unknown setting, the first answer, the second
		t.Errorf("%d requests, want 4", len(requests))
	}
	if last := requests[len(requests)-1].settings; last.Get("join_default_strictness") != "ALL" {
		t.Error("the settings that the server knows are left out too")
	}
}

func TestSettings_AnUnknownOneOfTheStatementIsAnError(t *testing.T) {
	f := newFake(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("X-ClickHouse-Exception-Code", "115")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, "Code: 115. DB::Exception: Unknown setting 'nonsense'. (UNKNOWN_SETTING)")
	})
	_, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT 1 SETTINGS nonsense = 1")
	executortest.ExpectError(t, err, executor.CodeSQLRejected)
	if n := len(f.requests()); n != 1 {
		t.Errorf("%d requests, want one", n)
	}
}
