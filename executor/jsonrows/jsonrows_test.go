package jsonrows_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// nullableEncoder builds an array from JSON, the way arrow-go reads it.
func nullableEncoder(t testing.TB, dt arrow.DataType, text string) arrow.Array {
	t.Helper()
	a, _, err := array.FromJSON(memory.DefaultAllocator, dt, strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s %s: %v", dt, text, err)
	}
	return a
}

func one(t testing.TB, f arrow.Field, a arrow.Array, hints jsonrows.TypeHints) string {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{f}, nil)
	w, err := jsonrows.NewRowWriter(schema, hints)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.AppendBatch(nil, array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len()))))
}

func TestWriter_EachType(t *testing.T) {
	str := arrow.BinaryTypes.String
	ts := func(u arrow.TimeUnit, zone string) arrow.DataType {
		return &arrow.TimestampType{Unit: u, TimeZone: zone}
	}
	tests := []struct {
		name string
		dt   arrow.DataType
		text string
		want string
	}{
		{"bool", arrow.FixedWidthTypes.Boolean, `[true,false,null]`, `{"v":true},{"v":false},{"v":null}`},
		{"int8", arrow.PrimitiveTypes.Int8, `[-128]`, `{"v":-128}`},
		{"uint16", arrow.PrimitiveTypes.Uint16, `[65535]`, `{"v":65535}`},
		{"int64", arrow.PrimitiveTypes.Int64, `[9223372036854775807]`, `{"v":9223372036854775807}`},
		{"uint64", arrow.PrimitiveTypes.Uint64, `[18446744073709551615]`, `{"v":18446744073709551615}`},
		{"float32", arrow.PrimitiveTypes.Float32, `[0.1, 75]`, `{"v":0.1},{"v":75}`},
		{"decimal32", &arrow.Decimal32Type{Precision: 5, Scale: 2}, `["-0.05"]`, `{"v":-0.05}`},
		{"decimal64", &arrow.Decimal64Type{Precision: 12, Scale: 3}, `["123.450"]`, `{"v":123.450}`},
		{"decimal128", &arrow.Decimal128Type{Precision: 38, Scale: 2}, `["12.50", "150.00", null]`, `{"v":12.50},{"v":150.00},{"v":null}`},
		{"decimal256", &arrow.Decimal256Type{Precision: 50, Scale: 1}, `["-1234567890123456789012345678901234567890.5"]`, `{"v":-1234567890123456789012345678901234567890.5}`},
		{"text", str, `["a\"b", "", null]`, `{"v":"a\"b"},{"v":""},{"v":null}`},
		{"large text", arrow.BinaryTypes.LargeString, `["x"]`, `{"v":"x"}`},
		{"text view", arrow.BinaryTypes.StringView, `["beyond the twelve bytes"]`, `{"v":"beyond the twelve bytes"}`},
		{"binary", arrow.BinaryTypes.Binary, `["AP9h"]`, `{"v":"AP9h"}`},
		{"fixed binary", &arrow.FixedSizeBinaryType{ByteWidth: 2}, `["AP8="]`, `{"v":"AP8="}`},
		{"date32", arrow.FixedWidthTypes.Date32, `["2024-01-05"]`, `{"v":"2024-01-05"}`},
		{"date64", arrow.FixedWidthTypes.Date64, `["1969-12-31"]`, `{"v":"1969-12-31"}`},
		{"timestamp s", ts(arrow.Second, ""), `["2024-01-05 10:00:00"]`, `{"v":"2024-01-05T10:00:00"}`},
		{"timestamp ms", ts(arrow.Millisecond, ""), `["2024-01-05 10:00:00.250"]`, `{"v":"2024-01-05T10:00:00.25"}`},
		{"timestamp ns", ts(arrow.Nanosecond, ""), `["2024-01-05 10:00:00.000000001"]`, `{"v":"2024-01-05T10:00:00.000000001"}`},
		{"timestamp with zone", ts(arrow.Microsecond, "UTC"), `["2024-01-05T10:00:00Z"]`, `{"v":"2024-01-05T10:00:00Z"}`},
		{"time32", arrow.FixedWidthTypes.Time32s, `["10:00:00"]`, `{"v":"10:00:00"}`},
		{"time64", arrow.FixedWidthTypes.Time64us, `["10:00:00.500000"]`, `{"v":"10:00:00.5"}`},
		{"duration", arrow.FixedWidthTypes.Duration_ms, `["90061500ms"]`, `{"v":"PT25H1M1.5S"}`},
		{"months", arrow.FixedWidthTypes.MonthInterval, `[{"months": 14}]`, `{"v":"P1Y2M"}`},
		{"days", arrow.FixedWidthTypes.DayTimeInterval, `[{"days": -1, "milliseconds": 500}]`, `{"v":"P-1DT0.5S"}`},
		{"month day nano", arrow.FixedWidthTypes.MonthDayNanoInterval, `[{"months": 1, "days": 2, "nanoseconds": 3000000000}]`, `{"v":"P1M2DT3S"}`},
		{"null", arrow.Null, `[null]`, `{"v":null}`},
		{"list", arrow.ListOf(arrow.PrimitiveTypes.Int64), `[[1,null],[],null]`, `{"v":[1,null]},{"v":[]},{"v":null}`},
		{"large list", arrow.LargeListOf(str), `[["x"]]`, `{"v":["x"]}`},
		{"fixed list", arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int8), `[[1,2],null,[3,4]]`, `{"v":[1,2]},{"v":null},{"v":[3,4]}`},
		{"struct", arrow.StructOf(arrow.Field{Name: "a", Type: str, Nullable: true}, arrow.Field{Name: "b c", Type: arrow.PrimitiveTypes.Int64, Nullable: true}),
			`[{"a":"x","b c":1},{"a":null,"b c":null},null]`, `{"v":{"a":"x","b c":1}},{"v":{"a":null,"b c":null}},{"v":null}`},
		{"struct without fields", arrow.StructOf(), `[{}]`, `{"v":{}}`},
		{"map", arrow.MapOf(str, arrow.PrimitiveTypes.Int64), `[[{"key":"k","value":1},{"key":"l","value":null}]]`, `{"v":{"k":1,"l":null}}`},
		{"map of dates", arrow.MapOf(arrow.FixedWidthTypes.Date32, str), `[[{"key":"2024-01-05","value":"x"}]]`, `{"v":{"2024-01-05":"x"}}`},
		{"map of numbers", arrow.MapOf(arrow.PrimitiveTypes.Int64, str), `[[{"key":1,"value":"x"}]]`, `{"v":{"1":"x"}}`},
		{"dictionary", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: str}, `["a","b",null,"a"]`, `{"v":"a"},{"v":"b"},{"v":null},{"v":"a"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := one(t, arrow.Field{Name: "v", Type: tt.dt, Nullable: true}, nullableEncoder(t, tt.dt, tt.text), nil)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriter_NonFiniteNumbersAreNull(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{math.NaN(), math.Inf(1), math.Inf(-1), -0.5}, nil)
	got := one(t, arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Float64}, b.NewArray(), nil)
	if want := `{"v":null},{"v":null},{"v":null},{"v":-0.5}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	h := array.NewFloat16Builder(memory.DefaultAllocator)
	h.AppendValues([]float16.Num{float16.New(1.5), float16.NaN()}, nil)
	got = one(t, arrow.Field{Name: "v", Type: arrow.FixedWidthTypes.Float16}, h.NewArray(), nil)
	if want := `{"v":1.5},{"v":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWriter_Decimal128BeyondPrecision(t *testing.T) {
	t.Run("a 128-bit decimal beyond its precision keeps its value", func(t *testing.T) {
		b := array.NewDecimal128Builder(memory.DefaultAllocator, &arrow.Decimal128Type{Precision: 38})
		b.Append(decimal128.New(math.MaxInt64, math.MaxUint64))
		got := one(t, arrow.Field{Name: "v", Type: &arrow.Decimal128Type{Precision: 38}}, b.NewArray(), nil)
		if want := `{"v":170141183460469231731687303715884105727}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestWriter_TextByKind(t *testing.T) {
	tests := []struct {
		kind executor.TextKind
		text string
		want string
	}{
		{executor.TextKindDecimal, `["12345678901234567890.50","NaN",null]`, `{"v":12345678901234567890.50},{"v":null},{"v":null}`},
		{executor.TextKindJSON, `["{\"a\": [1]}","no json"]`, `{"v":{"a": [1]}},{"v":"no json"}`},
		{executor.TextKindPlain, `["12.5"]`, `{"v":"12.5"}`},
		{"some kind of a later version", `["x"]`, `{"v":"x"}`},
	}
	for _, tt := range tests {
		got := one(t, executor.NewField("v", arrow.BinaryTypes.String, tt.kind), nullableEncoder(t, arrow.BinaryTypes.String, tt.text), nil)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.kind, diff)
		}
	}
}

func TestWriter_HintOverridesType(t *testing.T) {
	str := arrow.BinaryTypes.String
	tests := []struct {
		name string
		hint jsonrows.TypeHint
		dt   arrow.DataType
		text string
		want string
	}{
		{"int as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Int64, `[0,1,-1,null]`, `{"v":false},{"v":true},{"v":true},{"v":null}`},
		{"tinyint as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Int8, `[0,1]`, `{"v":false},{"v":true}`},
		{"unsigned as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Uint64, `[2]`, `{"v":true}`},
		{"decimal as boolean", jsonrows.HintBoolean, &arrow.Decimal128Type{Precision: 10, Scale: 1}, `["0.0","1.0"]`, `{"v":false},{"v":true}`},
		{"float as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Float64, `[0,1]`, `{"v":false},{"v":true}`},
		{"bits as boolean", jsonrows.HintBoolean, arrow.BinaryTypes.Binary, `["AA==","AQ=="]`, `{"v":false},{"v":true}`},
		{"text as boolean", jsonrows.HintBoolean, str, `["0","t","maybe"]`, `{"v":false},{"v":true},{"v":"maybe"}`},
		{"boolean stays", jsonrows.HintBoolean, arrow.FixedWidthTypes.Boolean, `[true]`, `{"v":true}`},
		{"a date is not a boolean", jsonrows.HintBoolean, arrow.FixedWidthTypes.Date32, `["2024-01-05"]`, `{"v":"2024-01-05"}`},
		{"timestamp as date", jsonrows.HintDate, &arrow.TimestampType{Unit: arrow.Microsecond}, `["2024-01-05 23:59:59","1969-12-31 12:00:00"]`, `{"v":"2024-01-05"},{"v":"1969-12-31"}`},
		{"text as date", jsonrows.HintDate, str, `["2024-01-05 00:00:00","2024-01-05","2024-01-05x","5 Jan"]`, `{"v":"2024-01-05"},{"v":"2024-01-05"},{"v":"2024-01-05x"},{"v":"5 Jan"}`},
		{"date stays", jsonrows.HintDate, arrow.FixedWidthTypes.Date32, `["2024-01-05"]`, `{"v":"2024-01-05"}`},
		{"zoneless timestamp as instant", jsonrows.HintUTCTimestamp, &arrow.TimestampType{Unit: arrow.Microsecond}, `["2024-01-05 23:59:59"]`, `{"v":"2024-01-05T23:59:59Z"}`},
		{"date as instant", jsonrows.HintUTCTimestamp, arrow.FixedWidthTypes.Date32, `["2024-01-05"]`, `{"v":"2024-01-05T00:00:00Z"}`},
		{"text as instant", jsonrows.HintUTCTimestamp, str,
			`["2024-01-05 10:00:00.500","2024-01-05","2024-01-05T10:00:00Z","2024-01-05 10:00:00+02:00","x","2024-13-05 10:00:00"]`,
			`{"v":"2024-01-05T10:00:00.5Z"},{"v":"2024-01-05T00:00:00Z"},{"v":"2024-01-05T10:00:00Z"},{"v":"2024-01-05T08:00:00Z"},{"v":"x"},{"v":"2024-13-05 10:00:00"}`},
		{"date as timestamp", jsonrows.HintTimestamp, arrow.FixedWidthTypes.Date32, `["2024-01-05"]`, `{"v":"2024-01-05T00:00:00"}`},
		{"instant as timestamp", jsonrows.HintTimestamp, &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, `["2024-01-05 10:00:00.5Z"]`, `{"v":"2024-01-05T10:00:00.5"}`},
		{"text as timestamp", jsonrows.HintTimestamp, str,
			`["2024-01-05 10:00:00.500","2024-01-05","2024-01-05T10:00:00.000","2024-01-05 10:00:00+02:00","2024-01-05 10","x","2024-01-05 10:00:00\"\n"]`,
			`{"v":"2024-01-05T10:00:00.5"},{"v":"2024-01-05T00:00:00"},{"v":"2024-01-05T10:00:00"},{"v":"2024-01-05T10:00:00+02:00"},{"v":"2024-01-05 10"},{"v":"x"},{"v":"2024-01-05 10:00:00\"\n"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := arrow.Field{Name: "v", Type: tt.dt, Nullable: true}
			if diff := cmp.Diff(tt.want, one(t, f, nullableEncoder(t, tt.dt, tt.text), jsonrows.TypeHints{"v": tt.hint})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriter_SlicedBatch(t *testing.T) {
	t.Run("a slice of a batch is written from its own offset", func(t *testing.T) {
		types := []struct {
			dt   arrow.DataType
			text string
			want string
		}{
			{arrow.PrimitiveTypes.Int64, `[1,2,null,4]`, `{"v":null},{"v":4}`},
			{arrow.BinaryTypes.String, `["a","b",null,"d"]`, `{"v":null},{"v":"d"}`},
			{arrow.FixedWidthTypes.Boolean, `[true,true,null,false]`, `{"v":null},{"v":false}`},
			{arrow.ListOf(arrow.PrimitiveTypes.Int64), `[[1],[2],null,[4,5]]`, `{"v":null},{"v":[4,5]}`},
			{arrow.FixedSizeListOf(1, arrow.PrimitiveTypes.Int64), `[[1],[2],null,[4]]`, `{"v":null},{"v":[4]}`},
			{arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true}), `[{"a":1},{"a":2},null,{"a":4}]`, `{"v":null},{"v":{"a":4}}`},
			{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), `[[],[{"key":"b","value":2}],null,[{"key":"d","value":4}]]`, `{"v":null},{"v":{"d":4}}`},
			{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, `["a","b",null,"d"]`, `{"v":null},{"v":"d"}`},
		}
		for _, tt := range types {
			got := one(t, arrow.Field{Name: "v", Type: tt.dt, Nullable: true}, array.NewSlice(nullableEncoder(t, tt.dt, tt.text), 2, 4), nil)
			if got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.dt, got, tt.want)
			}
		}
	})
}

// tagged is an extension type over text.
type tagged struct{ arrow.ExtensionBase }

func (*tagged) ArrayType() reflect.Type                                           { return reflect.TypeFor[taggedArray]() }
func (*tagged) ExtensionName() string                                             { return "test.tagged" }
func (*tagged) ExtensionEquals(o arrow.ExtensionType) bool                        { return o.ExtensionName() == "test.tagged" }
func (*tagged) Serialize() string                                                 { return "" }
func (t *tagged) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) { return t, nil }

type taggedArray struct{ array.ExtensionArrayBase }

func TestWriter_ExtensionTypeAsStorage(t *testing.T) {
	dt := &tagged{arrow.ExtensionBase{Storage: arrow.BinaryTypes.String}}
	a := array.NewExtensionArrayWithStorage(dt, nullableEncoder(t, arrow.BinaryTypes.String, `["x",null]`))
	if got, want := one(t, arrow.Field{Name: "v", Type: dt}, a, nil), `{"v":"x"},{"v":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWriter_UnsupportedTypeRejected(t *testing.T) {
	union := arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int64}}, []arrow.UnionTypeCode{0})
	for _, dt := range []arrow.DataType{union, arrow.ListOf(union), arrow.StructOf(arrow.Field{Name: "u", Type: union}), arrow.MapOf(arrow.BinaryTypes.String, union)} {
		_, err := jsonrows.NewRowWriter(arrow.NewSchema([]arrow.Field{{Name: "v", Type: dt}}, nil), nil)
		var e *executor.Error
		if !errors.As(err, &e) || e.Code != executor.CodeDriver {
			t.Errorf("%s: got %v, want code driver", dt, err)
		}
	}
}

// fakeRows plays batches and then an error.
type fakeRows struct {
	schema  *arrow.Schema
	batches []arrow.RecordBatch
	err     error
}

func (r *fakeRows) Schema() *arrow.Schema { return r.schema }

func (r *fakeRows) Close() error { return nil }

func (r *fakeRows) Next(context.Context) (arrow.RecordBatch, error) {
	if len(r.batches) == 0 {
		return nil, r.err
	}
	b := r.batches[0]
	r.batches = r.batches[1:]
	return b, nil
}

func table(t testing.TB) *fakeRows {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "status", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: `a "quoted" name`, Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	}, nil)
	batch := func(texts, numbers string, n int64) arrow.RecordBatch {
		return array.NewRecordBatch(schema, []arrow.Array{nullableEncoder(t, schema.Field(0).Type, texts), nullableEncoder(t, schema.Field(1).Type, numbers)}, n)
	}
	return &fakeRows{schema, []arrow.RecordBatch{batch(`["paid",null]`, `[1,2]`, 2), batch(`["open"]`, `[null]`, 1)}, io.EOF}
}

func TestCollect_JoinsBatches(t *testing.T) {
	got, err := jsonrows.CollectResult(t.Context(), table(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"status", `a "quoted" name`}, got.Columns); diff != "" {
		t.Error(diff)
	}
	want := `[{"status":"paid","a \"quoted\" name":1},{"status":null,"a \"quoted\" name":2},{"status":"open","a \"quoted\" name":null}]`
	if diff := cmp.Diff(want, string(got.Rows)); diff != "" {
		t.Error(diff)
	}
	if got.Count != 3 || !json.Valid(got.Rows) {
		t.Errorf("count %d, valid %v", got.Count, json.Valid(got.Rows))
	}
}

func TestAppend_KeepsPrefix(t *testing.T) {
	rows := &fakeRows{schema: arrow.NewSchema(nil, nil), err: io.EOF}
	got, n, err := jsonrows.AppendAllRows(t.Context(), []byte(`"rows":`), rows, nil, jsonrows.TextBounds{Bytes: jsonrows.NoByteLimit})
	if string(got) != `"rows":[]` || n != 0 || err != nil {
		t.Errorf("got %s, %d, %v", got, n, err)
	}
	if columns := jsonrows.ColumnNamesOfSchema(rows.schema); columns == nil || len(columns) != 0 {
		t.Errorf("columns %v, want none but not nil", columns)
	}
}

func TestCollect_ReturnsErrorOfRows(t *testing.T) {
	rows := table(t)
	rows.err = &executor.Error{Code: executor.CodeTimeout, Message: "late"}
	if _, err := jsonrows.CollectResult(t.Context(), rows, nil); !errors.Is(err, rows.err) {
		t.Errorf("got %v", err)
	}
}

func TestWriter_NoColumnsGiveEmptyObjects(t *testing.T) {
	schema := arrow.NewSchema(nil, nil)
	w, err := jsonrows.NewRowWriter(schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(w.AppendBatch(nil, array.NewRecordBatch(schema, nil, 2))); got != `{},{}` || w.RowCount() != 2 {
		t.Errorf("got %s, count %d", got, w.RowCount())
	}
}
