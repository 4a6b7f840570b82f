package pgvalues

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/restapi"
)

// value is a value of a field: its SQL in DuckDB, and its forms in JSON and in PostgreSQL's text.
type value struct{ sql, json, text string }

// column is a field of a type with values.
type column struct {
	name, datatype string // none for a field without datatype
	oid            uint32 // of PostgreSQL's type
	values         []value
}

var null = value{"NULL", "null", "NULL"}

const longText = "line\nquote' \"double\" \\ tab\t Łódź 語 😀"

func columns() []column {
	return []column{
		{"whole", "Integer", 20, []value{
			null, {"0", "0", "0"}, {"-1", "-1", "-1"}, {"9223372036854775807", "9223372036854775807", "9223372036854775807"},
			{"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
		}},
		{"tiny", "Integer", 20, []value{null, {"(-128)::TINYINT", "-128", "-128"}, {"127::TINYINT", "127", "127"}}},
		{"unsigned", "Integer", 20, []value{null, {"255::UTINYINT", "255", "255"}, {"0::UTINYINT", "0", "0"}}},
		{"huge", "Decimal", 1700, []value{
			null, {"170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727", "170141183460469231731687303715884105727"},
			{"(-170141183460469231731687303715884105727)::HUGEINT", "-170141183460469231731687303715884105727", "-170141183460469231731687303715884105727"},
		}},
		{"money", "Decimal", 1700, []value{
			null, {"12.5::DECIMAL(12,2)", "12.50", "12.50"}, {"(-0.01)::DECIMAL(12,2)", "-0.01", "-0.01"}, {"0::DECIMAL(12,2)", "0.00", "0.00"},
			{"9999999999.99::DECIMAL(12,2)", "9999999999.99", "9999999999.99"}, {"10000::DECIMAL(12,2)", "10000.00", "10000.00"},
		}},
		{"fine", "Decimal", 1700, []value{
			{"'0.00000000000000000000000000000000000001'::DECIMAL(38,38)", "0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"},
			{"'-0.99999999999999999999999999999999999999'::DECIMAL(38,38)", "-0.99999999999999999999999999999999999999", "-0.99999999999999999999999999999999999999"},
		}},
		{"real", "Float", 701, []value{
			null, {"0.1::DOUBLE", "0.1", "0.1"}, {"1e20::DOUBLE", "100000000000000000000", "1e+20"}, {"1.7976931348623157e308::DOUBLE", "1.7976931348623157e+308", "1.7976931348623157e+308"},
			{"5e-324::DOUBLE", "5e-324", "5e-324"}, {"0::DOUBLE", "0", "0"},
			{"'nan'::DOUBLE", "null", "NaN"}, {"'inf'::DOUBLE", "null", "Infinity"}, {"'-inf'::DOUBLE", "null", "-Infinity"},
		}},
		{"single", "Float", 701, []value{null, {"0.5::FLOAT", "0.5", "0.5"}, {"1e10::FLOAT", "10000000000", "10000000000"}}},
		{"flag", "Boolean", 16, []value{null, {"true", "true", "t"}, {"false", "false", "f"}}},
		{"note", "String", 25, []value{
			null, {"''", `""`, ""}, {"'NULL'", `"NULL"`, "NULL"}, {"' a '", `" a "`, " a "}, {"'" + strings.ReplaceAll(longText, "'", "''") + "'", quoted(longText), longText},
			{"repeat('x', 100000)", quoted(strings.Repeat("x", 100000)), strings.Repeat("x", 100000)},
		}},
		{"day", "Date", 1082, []value{
			null, {"DATE '2024-02-29'", `"2024-02-29"`, "2024-02-29"}, {"DATE '0001-01-01'", `"0001-01-01"`, "0001-01-01"}, {"DATE '9999-12-31'", `"9999-12-31"`, "9999-12-31"},
			{"DATE '1969-12-31'", `"1969-12-31"`, "1969-12-31"}, {"DATE '0044-03-15 (BC)'", `"-000043-03-15"`, "0044-03-15 BC"}, {"DATE '10000-01-01'", `"+010000-01-01"`, "10000-01-01"},
		}},
		{"clock", "Time", 1083, []value{null, {"TIME '00:00:00'", `"00:00:00"`, "00:00:00"}, {"TIME '23:59:59.999999'", `"23:59:59.999999"`, "23:59:59.999999"}}},
		{"moment", "DateTime", 1114, []value{
			null, {"TIMESTAMP '2024-01-05 10:00:00.5'", `"2024-01-05T10:00:00.5"`, "2024-01-05 10:00:00.5"}, {"TIMESTAMP '1969-12-31 23:59:59.999999'", `"1969-12-31T23:59:59.999999"`, "1969-12-31 23:59:59.999999"},
			{"TIMESTAMP '0001-01-01 00:00:00'", `"0001-01-01T00:00:00"`, "0001-01-01 00:00:00"}, {"TIMESTAMP_S '2024-01-05 10:00:00'", `"2024-01-05T10:00:00"`, "2024-01-05 10:00:00"},
		}},
		{"instant", "DateTimeTz", 1184, []value{
			null, {"TIMESTAMPTZ '2024-01-05 10:00:00+02'", `"2024-01-05T08:00:00Z"`, "2024-01-05 08:00:00+00"}, {"TIMESTAMPTZ '2024-06-30 23:59:59.25-05:30'", `"2024-07-01T05:29:59.25Z"`, "2024-07-01 05:29:59.25+00"},
			{"TIMESTAMPTZ '1900-01-01 00:00:00+00'", `"1900-01-01T00:00:00Z"`, "1900-01-01 00:00:00+00"},
		}},
		{"guid", "Opaque", 25, []value{null, {"'00112233-4455-6677-8899-aabbccddeeff'::UUID", `"00112233-4455-6677-8899-aabbccddeeff"`, "00112233-4455-6677-8899-aabbccddeeff"}}},
		{"bytes", "Opaque", 25, []value{null, {`'\x00\xFFab'::BLOB`, `"AP9hYg=="`, "AP9hYg=="}}},
		{"span", "Opaque", 25, []value{null, {"INTERVAL '1 month 2 days'", `"P1M2D"`, "1 mon 2 days"}}},
		{"list", "Opaque", 25, []value{null, {"[1, NULL, 3]", "[1,null,3]", "[1,null,3]"}}},
	}
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// modelOf returns a model with one dataset for each column, and setup its tables.
func modelOf(list []column) (model string, setup []string) {
	var m strings.Builder
	m.WriteString("version: \"0.2.0.dev0\"\nsemantic_model:\n  - name: values\n    datasets:\n")
	for _, c := range list {
		datatype := ""
		if c.datatype != "" {
			datatype = ", datatype: " + c.datatype
		}
		fmt.Fprintf(&m, "      - name: t_%[1]s\n        source: t_%[1]s\n        primary_key: [id]\n        fields:\n", c.name)
		fmt.Fprintf(&m, "          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}\n")
		fmt.Fprintf(&m, "          - {name: v, expression: {dialects: [{dialect: ANSI_SQL, expression: v}]}%s}\n", datatype)
		var rows []string
		for i, v := range c.values {
			rows = append(rows, fmt.Sprintf("SELECT %d AS id, %s AS v", i, v.sql))
		}
		setup = append(setup, "CREATE TABLE t_"+c.name+" AS "+strings.Join(rows, " UNION ALL "))
	}
	return m.String(), setup
}

// openServers serves the columns over HTTP and over the port.
func openServers(t *testing.T, list []column) (origin string, c *pgx.Conn) {
	t.Helper()
	model, setup := modelOf(list)
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model), Setup: setup, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if c, err = pgx.Connect(t.Context(), serving.ServePostgres(t, pgwire.Model{Name: "values", Service: e}, pgwire.Config{})); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return serving.Serve(t, e, restapi.Config{}), c
}

// readJSON reads the values of a statement over HTTP, as they are spelled.
func readJSON(t *testing.T, origin, sql string) []string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"sql": sql})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(origin+"/v1/sql/execute", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Rows []struct {
			V json.RawMessage `json:"v"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v %s", err, text)
	}
	var out []string
	for _, row := range answer.Rows {
		out = append(out, string(row.V))
	}
	return out
}

// readPort reads the values of a statement over the port in a format: their bytes, nil for NULL, and what pgx makes of them.
func readPort(t *testing.T, c *pgx.Conn, sql string, format int16) (raw [][]byte, values []any, oid uint32) {
	t.Helper()
	rows, err := c.Query(t.Context(), sql, pgx.QueryResultFormats{format})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	oid = rows.FieldDescriptions()[0].DataTypeOID
	for rows.Next() {
		v, err := rows.Values()
		if err != nil {
			t.Fatal(err)
		}
		raw, values = append(raw, bytes.Clone(rows.RawValues()[0])), append(values, v[0])
		if rows.RawValues()[0] == nil {
			raw[len(raw)-1] = nil
		}
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return raw, values, oid
}

func TestValues_AreThoseOfHTTPInTextAndBinary(t *testing.T) {
	list := columns()
	origin, c := openServers(t, list)
	checked := 0
	for _, col := range list {
		t.Run(col.name, func(t *testing.T) {
			sql := "SELECT v FROM t_" + col.name + " ORDER BY id"
			spelled := readJSON(t, origin, sql)
			text, fromText, oid := readPort(t, c, sql, pgx.TextFormatCode)
			_, fromBinary, _ := readPort(t, c, sql, pgx.BinaryFormatCode)
			if oid != col.oid {
				t.Errorf("the type is %d, want %d", oid, col.oid)
			}
			if len(spelled) != len(col.values) || len(text) != len(col.values) || len(fromBinary) != len(col.values) {
				t.Fatalf("%d, %d and %d rows, want %d", len(spelled), len(text), len(fromBinary), len(col.values))
			}
			for i, v := range col.values {
				got := "NULL"
				if text[i] != nil {
					got = string(text[i])
				}
				if spelled[i] != v.json {
					t.Errorf("%s over HTTP: %.200s, want %.200s", v.sql, spelled[i], v.json)
				}
				if got != v.text || (text[i] == nil) != (v.sql == "NULL") {
					t.Errorf("%s in text: %.200s, want %.200s", v.sql, got, v.text)
				}
				if !sameValue(fromText[i], fromBinary[i]) {
					t.Errorf("%s in binary: %v, want %v", v.sql, fromBinary[i], fromText[i])
				}
				checked++
			}
		})
	}
	floor.CheckCount(t, "values", checked, 60)
}

// sameValue compares what pgx makes of two forms of a value. NaN is the same as NaN.
func sameValue(a, b any) bool {
	return reflect.DeepEqual(a, b) || fmt.Sprint(a) == "NaN" && fmt.Sprint(b) == "NaN" || isSameNumeric(a, b)
}

// isSameNumeric compares two numbers by value, 0.00 and 0.
func isSameNumeric(a, b any) bool {
	x, ok := a.(pgtype.Numeric)
	y, ok2 := b.(pgtype.Numeric)
	if !ok || !ok2 || x.Int == nil || y.Int == nil {
		return false
	}
	return ratOf(x).Cmp(ratOf(y)) == 0
}

func ratOf(n pgtype.Numeric) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.Exp, -n.Exp))), nil)
	if n.Exp < 0 {
		return new(big.Rat).SetFrac(n.Int, scale)
	}
	return new(big.Rat).SetInt(scale.Mul(scale, n.Int))
}

// A value that PostgreSQL has no form for ends its statement, and not the session.
func TestValues_WithoutAFormAreErrors(t *testing.T) {
	_, c := openServers(t, []column{
		{"nul", "String", 25, []value{{"'a' || chr(0)", "", ""}}},
		{"wide", "Integer", 20, []value{{"18446744073709551615::UBIGINT", "", ""}}},
		{"early", "DateTime", 1114, []value{{"TIMESTAMP '290000-01-01 (BC) 00:00:00'", "", ""}}},
		{"late", "Date", 1082, []value{{"DATE '5881580-07-10'", "", ""}}},
		{"word", "Integer", 20, []value{{"'a'", "", ""}}},
		{"good", "Integer", 20, []value{{"1", "", ""}}},
	})
	for name, state := range map[string]string{"nul": "22021", "wide": "22P02", "early": "22008", "word": "22P02", "good": ""} {
		for _, format := range []int16{pgx.TextFormatCode, pgx.BinaryFormatCode} {
			rows, err := c.Query(t.Context(), "SELECT v FROM t_"+name, pgx.QueryResultFormats{format})
			if err == nil {
				for rows.Next() {
				}
				err = rows.Err()
			}
			if got := stateOf(err); got != state {
				t.Errorf("%s in format %d: %q (%v), want %q", name, format, got, err, state)
			}
		}
	}
}

func stateOf(err error) string {
	var e *pgconn.PgError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return err.Error()
}
