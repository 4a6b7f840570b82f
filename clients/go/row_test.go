package client_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
)

const aResult = `{"dialect":"duckdb","sql":"S","columns":["z","a","d","ts","tz","b","n","big","dec","f","whole"],` +
	`"rows":[{"z":"é","a":"x","d":"2024-01-05","ts":"2024-01-05T10:00:00.5","tz":"2024-01-05T10:00:00Z","b":true,"n":null,` +
	`"big":123456789012345678901234567890,"dec":12345678901234567.89,"f":0.1,"whole":450.00}],"row_count":1,"limit":1,"limited":true,` +
	`"warnings":[{"code":"limit_clamped","message":"m","columns":["z"]}]}`

func oneRow(t *testing.T) client.Row {
	t.Helper()
	var r client.Result
	if err := json.Unmarshal([]byte(aResult), &r); err != nil {
		t.Fatal(err)
	}
	return r.Rows[0]
}

func TestResult_MarshalsUnchanged(t *testing.T) {
	var r client.Result
	if err := json.Unmarshal([]byte(aResult), &r); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(aResult, string(text)); d != "" {
		t.Error(d)
	}
	if r.Limit == nil || *r.Limit != 1 || !r.Limited || r.Warnings[0].Columns[0] != "z" {
		t.Errorf("%v %v %v", r.Limit, r.Limited, r.Warnings)
	}
	values := r.Rows[0].Values()
	if values[0] != "é" || values[6] != nil || values[7] != json.Number("123456789012345678901234567890") {
		t.Error(values)
	}
	values[0] = "changed"
	if text, _ := r.Rows[0].Text("z"); text != "é" {
		t.Error("the row shares its values")
	}
}

func TestRow_GettersReturnExactValues(t *testing.T) {
	r := oneRow(t)
	check := func(name string, want, got any, err error) {
		t.Helper()
		if err != nil || want != got {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	text, err := r.Text("z")
	check("text", "é", text, err)
	b, err := r.Bool("b")
	check("bool", true, b, err)
	f, err := r.Float64("f")
	check("float", 0.1, f, err)
	n, err := r.Number("dec")
	check("decimal", json.Number("12345678901234567.89"), n, err)
	n, err = r.Number("big")
	check("big", json.Number("123456789012345678901234567890"), n, err)
	i, err := r.Int64("whole")
	check("whole", int64(450), i, err)
	day, err := r.Time("d")
	check("date", time.Date(2024, 1, 5, 0, 0, 0, 0, time.UTC), day, err)
	at, err := r.Time("ts")
	check("timestamp", time.Date(2024, 1, 5, 10, 0, 0, 5e8, time.UTC), at, err)
	at, err = r.Time("tz")
	check("instant", time.Date(2024, 1, 5, 10, 0, 0, 0, time.UTC), at, err)
	check("null", true, r.IsNull("n"), nil)
	check("not null", false, r.IsNull("z"), nil)
	check("no column", false, r.IsNull("nope"), nil)
}

func TestRow_GettersRejectOverflow(t *testing.T) {
	t.Run("a getter fails on a value that its type cannot hold", func(t *testing.T) {
		r := oneRow(t)
		for name, err := range map[string]error{
			"text as number":      second(r.Number("z")),
			"number as text":      second(r.Text("f")),
			"text as bool":        second(r.Bool("z")),
			"a fraction as int":   second(r.Int64("dec")),
			"a large int":         second(r.Int64("big")),
			"text as time":        second(r.Time("z")),
			"number as time":      second(r.Time("f")),
			"text as float":       second(r.Float64("z")),
			"boolean as a number": second(r.Int64("b")),
		} {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		for _, err := range []error{second(r.Text("n")), second(r.Bool("n")), second(r.Int64("n")), second(r.Float64("n")), second(r.Time("n"))} {
			wantIs(t, "null", err, client.ErrNull)
		}
		for _, err := range []error{second(r.Text("nope")), second(r.Value("Z")), second(r.Time("nope")), second(client.Row{}.Int64("z"))} {
			wantIs(t, "no column", err, client.ErrNoColumn)
		}
	})
}

func TestRow_EmptyNumberIsNull(t *testing.T) {
	text, err := json.Marshal(client.Change{BaselineValue: 1.5, CurrentValue: nan, Delta: -2})
	if want := `{"baseline_value":1.5,"current_value":null,"delta":-2}`; err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
}

func BenchmarkResult_Rows10000(b *testing.B) {
	r := oneRowResult(b, 10000)
	b.SetBytes(int64(len(r)))
	for b.Loop() {
		var out client.Result
		if err := json.Unmarshal(r, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func oneRowResult(b *testing.B, n int) []byte {
	var wire map[string]any
	if err := json.Unmarshal([]byte(aResult), &wire); err != nil {
		b.Fatal(err)
	}
	rows := make([]any, n)
	for i := range rows {
		rows[i] = wire["rows"].([]any)[0]
	}
	wire["rows"], wire["row_count"] = rows, n
	text, err := json.Marshal(wire)
	if err != nil {
		b.Fatal(err)
	}
	return text
}
