package semsql_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
)

func TestCompile_ParametersThatAreArrays(t *testing.T) {
	m := shop(t)
	many := "{" + strings.Repeat("1,", 999) + "1}"
	for _, c := range []struct {
		name, sql string
		value     query.ParamValue
		state     string // "" for a statement that compiles
	}{
		{"elements", "SELECT order_id FROM orders WHERE status = ANY ($1)", query.ParamValue{Kind: query.StringValue, Text: `{a,"b c",NULL}`}, ""},
		{"no element", "SELECT order_id FROM orders WHERE status <> ALL ($1)", query.ParamValue{Kind: query.StringValue, Text: "{}"}, ""},
		{"NULL", "SELECT order_id FROM orders WHERE status = ANY ($1)", query.ParamValue{Kind: query.NullValue}, ""},
		{"as many as an IN list has", "SELECT order_id FROM orders WHERE amount = ANY ($1)", query.ParamValue{Kind: query.StringValue, Text: many}, ""},
		{"one more", "SELECT order_id FROM orders WHERE amount = ANY ($1)", query.ParamValue{Kind: query.StringValue, Text: "{1," + many[1:]}, "54000"},
		{"not an array", "SELECT order_id FROM orders WHERE status = ANY ($1)", query.ParamValue{Kind: query.StringValue, Text: "completed"}, "22P02"},
		{"a number", "SELECT order_id FROM orders WHERE amount = ANY ($1)", query.ParamValue{Kind: query.NumberValue, Text: "1"}, "22P02"},
		{"several dimensions", "SELECT order_id FROM orders WHERE status = ANY ($1)", query.ParamValue{Kind: query.StringValue, Text: "{{a},{b}}"}, "0A000"},
		{"an element of another type", "SELECT order_id FROM orders WHERE amount = ANY ($1)", query.ParamValue{Kind: query.StringValue, Text: "{1,x}"}, "22P02"},
	} {
		_, err := m.Compile(t.Context(), semsql.Statement{SQL: c.sql, Params: []query.ParamValue{c.value}}, planner.Target{Dialect: "duckdb"})
		state := ""
		if e := (*semsql.Error)(nil); errors.As(err, &e) {
			state = e.SQLState
		}
		if state != c.state || err != nil && state == "" {
			t.Errorf("%s: %v, want %q", c.name, err, c.state)
		}
	}
}
