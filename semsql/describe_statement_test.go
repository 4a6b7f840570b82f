package semsql_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
)

func TestDescribe_ParametersTakeTheTypeOfWhatIsBesideThem(t *testing.T) {
	m := shop(t)
	for _, c := range []struct {
		sql      string
		declared []string
		params   []string
		columns  []string
	}{
		{"SELECT status FROM orders WHERE amount > $1 LIMIT $2 OFFSET $3", nil, []string{"bigint", "bigint", "bigint"}, []string{"text"}},
		{"SELECT status FROM orders WHERE $1 = order_date", nil, []string{"date"}, []string{"text"}},
		{"SELECT status FROM orders WHERE status IN ($2, $1)", nil, []string{"text", "text"}, []string{"text"}},
		{"SELECT status FROM orders WHERE order_date BETWEEN $1 AND $2", nil, []string{"date", "date"}, []string{"text"}},
		{"SELECT $1::int AS n, $1 AS m FROM orders", nil, []string{"integer"}, []string{"integer", "integer"}},
		{"SELECT $1 AS m, status FROM orders WHERE amount = $1", nil, []string{"bigint"}, []string{"bigint", "text"}},
		{"SELECT $1 AS m FROM orders", nil, []string{"text"}, []string{"text"}},
		{"SELECT $1 AS m FROM orders", []string{"bigint"}, []string{"bigint"}, []string{"bigint"}},
		{"SELECT status FROM orders WHERE order_id = $1 AND status LIKE $2", []string{"", "text"}, []string{"bigint", "text"}, []string{"text"}},
		{"SELECT status FROM orders WHERE CAST($1 AS varchar(10)) = status", nil, []string{"text"}, []string{"text"}},
		{"SELECT order_id FROM orders WHERE order_date >= DATE '2024-01-31' - $1::interval LIMIT $2::int", nil, []string{"interval", "integer"}, []string{"bigint"}},
		{"SELECT order_id FROM orders WHERE order_date >= DATE '2024-01-31' - CAST($1 AS interval)", []string{"interval"}, []string{"interval"}, []string{"bigint"}},
		{"SELECT order_id FROM orders WHERE order_date >= DATE '2024-01-31' - $1::interval", []string{"text"}, []string{"text"}, []string{"bigint"}},
		{"SELECT order_id FROM orders WHERE order_date >= (SELECT $1::date)", nil, []string{"date"}, []string{"bigint"}},
		{"SELECT order_id FROM orders WHERE status = ANY ($1) AND amount <> ALL ($2)", nil, []string{"text[]", "bigint[]"}, []string{"bigint"}},
		{"SELECT order_id FROM orders WHERE amount = ANY ($1::int[]) AND order_date = ANY ($2)", []string{"text", "text[]"}, []string{"text", "text[]"}, []string{"bigint"}},
		{"SELECT status FROM orders", []string{"bigint"}, []string{"bigint"}, []string{"text"}},
	} {
		got, err := m.Describe(t.Context(), semsql.Statement{SQL: c.sql}, c.declared, planner.Target{Dialect: "duckdb"})
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var columns []string
		for _, column := range got.Columns {
			columns = append(columns, column.Type)
		}
		if diff := cmp.Diff([2][]string{c.params, c.columns}, [2][]string{got.Params, columns}); diff != "" {
			t.Errorf("%s: %s", c.sql, diff)
		}
	}
}

func TestDescribe_ParameterThatThePlanDependsOnIsRefused(t *testing.T) {
	t.Run("a parameter is not the number of a column", func(t *testing.T) {
		_, err := shop(t).Describe(t.Context(), semsql.Statement{SQL: "SELECT status, COUNT(*) FROM orders GROUP BY $1"}, nil, planner.Target{Dialect: "duckdb"})
		var e *semsql.Error
		if !errors.As(err, &e) || e.SQLState != "0A000" {
			t.Errorf("%v", err)
		}
	})
}

// A function that the language lacks is rejected with what replaces it.
func TestCompile_MissingFunctionsNameTheirReplacement(t *testing.T) {
	m := shop(t)
	for function, want := range map[string]string{
		"json_build_object('status', status)": "select the values as columns", "to_json(status)": "select the values as columns",
		"date_bin('6 hours', amount, amount)": "DATE_TRUNC",
	} {
		_, err := m.Compile(t.Context(), semsql.Statement{SQL: "SELECT " + function + " AS x FROM orders"}, planner.Target{Dialect: "duckdb"})
		if e := (*semsql.Error)(nil); !errors.As(err, &e) || e.SQLState != "42883" || !strings.Contains(e.Hint, want) {
			t.Errorf("%s: %+v", function, err)
		}
	}
}
