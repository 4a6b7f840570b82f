package jsonrows_test

import (
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/jsonrows"
)

const benchRows = 65536

// wideBatch returns what a metric query returns: a date, a text, a count, a sum, a
// ratio.
func wideBatch() (*arrow.Schema, arrow.RecordBatch) {
	money := &arrow.Decimal128Type{Precision: 38, Scale: 2}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "order_date__day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "status", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "orders", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "revenue", Type: money, Nullable: true},
		{Name: "share", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range benchRows {
		b.Field(0).(*array.Date32Builder).Append(arrow.Date32(19000 + i%1000))
		b.Field(1).(*array.StringBuilder).Append("status " + strconv.Itoa(i%7))
		b.Field(2).(*array.Int64Builder).Append(int64(i) * 37)
		b.Field(3).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i) * 1999))
		if i%10 == 0 {
			b.Field(4).AppendNull()
		} else {
			b.Field(4).(*array.Float64Builder).Append(float64(i) / 3)
		}
	}
	return schema, b.NewRecordBatch()
}

func TestWriter_CellsDoNotAllocate(t *testing.T) {
	schema, batch := wideBatch()
	w, err := jsonrows.NewRowWriter(schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	dst := w.AppendBatch(nil, batch)
	if n := testing.AllocsPerRun(5, func() { dst = w.AppendBatch(dst[:0], batch) }); n > 0 {
		t.Fatalf("%v allocations for %d cells, want none", n, benchRows*5)
	}
}

func BenchmarkWriter(b *testing.B) {
	schema, batch := wideBatch()
	w, err := jsonrows.NewRowWriter(schema, nil)
	if err != nil {
		b.Fatal(err)
	}
	dst := w.AppendBatch(nil, batch)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		dst = w.AppendBatch(dst[:0], batch)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
}

// BenchmarkBareLoop reads every cell and writes nothing: what the writer costs
// above it is the spelling.
func BenchmarkBareLoop(b *testing.B) {
	_, batch := wideBatch()
	var sum int64
	for b.Loop() {
		dates, texts := batch.Column(0).(*array.Date32), batch.Column(1).(*array.String)
		counts, sums := batch.Column(2).(*array.Int64), batch.Column(3).(*array.Decimal128)
		shares := batch.Column(4).(*array.Float64)
		for i := range benchRows {
			sum += int64(dates.Value(i)) + int64(len(texts.Value(i))) + counts.Value(i) + int64(sums.Value(i).LowBits())
			if shares.IsValid(i) {
				sum += int64(shares.Value(i))
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
	if sum == 0 {
		b.Fatal("nothing read")
	}
}
