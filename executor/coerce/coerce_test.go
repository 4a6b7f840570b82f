package coerce_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/coerce"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// source yields one batch over and over.
type source struct {
	batch  arrow.RecordBatch
	left   int
	closed bool
}

func (s *source) Schema() *arrow.Schema { return s.batch.Schema() }
func (s *source) Close() error          { s.closed = true; return nil }

func (s *source) Next(context.Context) (arrow.RecordBatch, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	s.left--
	s.batch.Retain()
	return s.batch, nil
}

func of(t *testing.T, dt arrow.DataType, text string, times int) *source {
	t.Helper()
	a, _, err := array.FromJSON(memory.DefaultAllocator, dt, strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s %s: %v", dt, text, err)
	}
	schema := arrow.NewSchema([]arrow.Field{executor.NewField("v", dt, executor.TextKindPlain)}, nil)
	return &source{batch: array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len())), left: times}
}

func TestHint_SetsColumnType(t *testing.T) {
	str, boolean, date := arrow.BinaryTypes.String, arrow.FixedWidthTypes.Boolean, arrow.FixedWidthTypes.Date32
	us := &arrow.TimestampType{Unit: arrow.Microsecond}
	utc := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	seconds := &arrow.TimestampType{Unit: arrow.Second}
	tests := []struct {
		name string
		hint jsonrows.TypeHint
		dt   arrow.DataType
		text string
		want arrow.DataType
		json string
	}{
		{"tinyint as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Int8, `[0,1,null,-1]`, boolean, `[{"v":false},{"v":true},{"v":null},{"v":true}]`},
		{"unsigned as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Uint64, `[2,0]`, boolean, `[{"v":true},{"v":false}]`},
		{"decimal as boolean", jsonrows.HintBoolean, &arrow.Decimal128Type{Precision: 10, Scale: 1}, `["0.0","0.1"]`, boolean, `[{"v":false},{"v":true}]`},
		{"wide decimal as boolean", jsonrows.HintBoolean, &arrow.Decimal256Type{Precision: 60}, `["0","1"]`, boolean, `[{"v":false},{"v":true}]`},
		{"float as boolean", jsonrows.HintBoolean, arrow.PrimitiveTypes.Float64, `[0,0.5]`, boolean, `[{"v":false},{"v":true}]`},
		{"bits as boolean", jsonrows.HintBoolean, arrow.BinaryTypes.Binary, `["AA==","AAE="]`, boolean, `[{"v":false},{"v":true}]`},
		{"text as boolean", jsonrows.HintBoolean, str, `["0","t",null]`, boolean, `[{"v":false},{"v":true},{"v":null}]`},
		{"boolean stays", jsonrows.HintBoolean, boolean, `[true]`, boolean, `[{"v":true}]`},
		{"a date is not a boolean", jsonrows.HintBoolean, date, `["2024-01-05"]`, date, `[{"v":"2024-01-05"}]`},
		{"timestamp as date", jsonrows.HintDate, us, `["2024-01-05 23:59:59","1969-12-31 12:00:00",null]`, date, `[{"v":"2024-01-05"},{"v":"1969-12-31"},{"v":null}]`},
		{"seconds as date", jsonrows.HintDate, seconds, `["2024-01-05 23:59:59"]`, date, `[{"v":"2024-01-05"}]`},
		{"text as date", jsonrows.HintDate, str, `["2024-01-05 00:00:00","2024-02-29","0001-01-01"]`, date, `[{"v":"2024-01-05"},{"v":"2024-02-29"},{"v":"0001-01-01"}]`},
		{"date stays", jsonrows.HintDate, date, `["2024-01-05"]`, date, `[{"v":"2024-01-05"}]`},
		{"date as timestamp", jsonrows.HintTimestamp, date, `["2024-01-05"]`, us, `[{"v":"2024-01-05T00:00:00"}]`},
		{"text as timestamp", jsonrows.HintTimestamp, str, `["2024-01-05 10:00:00.500","2024-01-05"]`, us, `[{"v":"2024-01-05T10:00:00.5"},{"v":"2024-01-05T00:00:00"}]`},
		{"timestamp stays", jsonrows.HintTimestamp, seconds, `["2024-01-05 10:00:00"]`, seconds, `[{"v":"2024-01-05T10:00:00"}]`},
		{"instant as timestamp", jsonrows.HintTimestamp, utc, `["2024-01-05 10:00:00Z",null]`, us, `[{"v":"2024-01-05T10:00:00"},{"v":null}]`},
		{"zoneless timestamp as instant", jsonrows.HintUTCTimestamp, us, `["2024-01-05 10:00:00",null]`, utc, `[{"v":"2024-01-05T10:00:00Z"},{"v":null}]`},
		{"date as instant", jsonrows.HintUTCTimestamp, date, `["2024-01-05"]`, utc, `[{"v":"2024-01-05T00:00:00Z"}]`},
		{"text as instant", jsonrows.HintUTCTimestamp, str, `["2024-01-05 10:00:00","2024-01-05T10:00:00+02:00"]`, utc, `[{"v":"2024-01-05T10:00:00Z"},{"v":"2024-01-05T08:00:00Z"}]`},
		{"instant stays", jsonrows.HintUTCTimestamp, utc, `["2024-01-05 10:00:00Z"]`, utc, `[{"v":"2024-01-05T10:00:00Z"}]`},
		{"no hint", jsonrows.HintNone, arrow.PrimitiveTypes.Int8, `[1]`, arrow.PrimitiveTypes.Int8, `[{"v":1}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hints := jsonrows.TypeHints{"v": tt.hint}
			rows := coerce.CoerceRows(of(t, tt.dt, tt.text, 1), hints)
			if got := rows.Schema().Field(0).Type; !arrow.TypeEqual(tt.want, got) {
				t.Errorf("type %s, want %s", got, tt.want)
			}
			got, err := jsonrows.CollectResult(t.Context(), rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.json, string(got.Rows)); diff != "" {
				t.Error(diff)
			}
			direct, err := jsonrows.CollectResult(t.Context(), of(t, tt.dt, tt.text, 1), hints)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.json, string(direct.Rows)); diff != "" {
				t.Errorf("the writer of JSON differs: %s", diff)
			}
		})
	}
}

func TestHint_MismatchedTextFails(t *testing.T) {
	for _, tt := range []struct {
		hint jsonrows.TypeHint
		text string
	}{
		{jsonrows.HintBoolean, `["maybe"]`},
		{jsonrows.HintDate, `["5 Jan"]`},
		{jsonrows.HintDate, `["2024-02-30"]`},
		{jsonrows.HintDate, `["2024-01-05x"]`},
		{jsonrows.HintTimestamp, `["2024-01-05x10:00:00"]`},
		{jsonrows.HintTimestamp, `["2024-01-05 10:00:00+02:00"]`}, // whose offset a timestamp would lose
		{jsonrows.HintUTCTimestamp, `["now"]`},
	} {
		inner := of(t, arrow.BinaryTypes.String, tt.text, 2)
		rows := coerce.CoerceRows(inner, jsonrows.TypeHints{"v": tt.hint})
		for range 2 {
			_, err := rows.Next(t.Context())
			var e *executor.Error
			if !errors.As(err, &e) || e.Code != executor.CodeDriver || !strings.Contains(e.Message, "column v") || e.Hint == "" {
				t.Errorf("%s: %v", tt.text, err)
			}
			if strings.Contains(err.Error(), "2024") {
				t.Errorf("the message holds data: %v", err)
			}
		}
		if !inner.closed {
			t.Errorf("%s: the statement goes on", tt.text)
		}
	}
}

func TestHint_UnaffectedRowsUnwrapped(t *testing.T) {
	inner := of(t, arrow.PrimitiveTypes.Int64, `[1]`, 1)
	for _, hints := range []jsonrows.TypeHints{nil, {"w": jsonrows.HintBoolean}, {"v": jsonrows.HintDate}} {
		if got := coerce.CoerceRows(inner, hints); got != executor.Rows(inner) {
			t.Errorf("%v: wrapped", hints)
		}
	}
}

func TestHint_KeepsOtherColumnsAndMetadata(t *testing.T) {
	money := executor.NewField("money", arrow.BinaryTypes.String, executor.TextKindDecimal)
	flag := executor.NewField("flag", arrow.PrimitiveTypes.Int8, executor.TextKindPlain)
	metadata := arrow.NewMetadata([]string{"origin"}, []string{"here"})
	schema := arrow.NewSchema([]arrow.Field{money, flag}, &metadata)
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(`[{"money":"1.50","flag":1}]`))
	if err != nil {
		t.Fatal(err)
	}
	rows := coerce.CoerceRows(&source{batch: batch, left: 1}, jsonrows.TypeHints{"flag": jsonrows.HintBoolean})
	if got := rows.Schema(); !got.Metadata().Equal(metadata) || executor.TextKindOfField(got.Field(0)) != executor.TextKindDecimal {
		t.Errorf("schema %s", got)
	}
	got, err := jsonrows.CollectResult(t.Context(), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`[{"money":1.50,"flag":true}]`, string(got.Rows)); diff != "" {
		t.Error(diff)
	}
}

func TestTypeNulls_SetsTypeOfColumnsWithoutAny(t *testing.T) {
	text := executor.NewField("v", arrow.BinaryTypes.String, executor.TextKindDecimal)
	rows := coerce.TypeNulls(of(t, arrow.Null, `[null,null]`, 1), map[string]arrow.Field{"v": text})
	if f := rows.Schema().Field(0); !f.Equal(text) {
		t.Errorf("the column %v", f)
	}
	batch, err := rows.Next(t.Context())
	if err != nil || batch.NumRows() != 2 || batch.Column(0).NullN() != 2 || !batch.Column(0).IsNull(1) || batch.Column(0).DataType().ID() != arrow.STRING {
		t.Errorf("%v, %v", batch, err)
	}
	for _, kept := range []struct {
		dt     arrow.DataType
		text   string
		fields map[string]arrow.Field
	}{{arrow.Null, `[null]`, nil}, {arrow.PrimitiveTypes.Int8, `[1]`, map[string]arrow.Field{"v": text}}} {
		if f := coerce.TypeNulls(of(t, kept.dt, kept.text, 1), kept.fields).Schema().Field(0); !arrow.TypeEqual(f.Type, kept.dt) {
			t.Errorf("%s became %s", kept.dt, f.Type)
		}
	}
}
