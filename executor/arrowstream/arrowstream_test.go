package arrowstream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/arrowstream"
)

// countdown yields batches of the numbers 0, 1, … and then an error. Its memory
// is counted.
type countdown struct {
	mem     memory.Allocator
	schema  *arrow.Schema
	batches int
	made    int
	err     error
	closed  bool
}

func rows(t *testing.T, batches int, err error) *countdown {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	meta := arrow.NewMetadata([]string{"source"}, []string{"test"})
	return &countdown{
		mem:     mem,
		schema:  arrow.NewSchema([]arrow.Field{executor.NewField("n", arrow.PrimitiveTypes.Int64, ""), executor.NewField("j", arrow.BinaryTypes.String, executor.TextKindJSON)}, &meta),
		batches: batches,
		err:     err,
	}
}

func (c *countdown) Schema() *arrow.Schema { return c.schema }

func (c *countdown) Close() error {
	c.closed = true
	return nil
}

func (c *countdown) Next(context.Context) (arrow.RecordBatch, error) {
	if c.made == c.batches {
		return nil, c.err
	}
	b := array.NewRecordBuilder(c.mem, c.schema)
	defer b.Release()
	b.Field(0).(*array.Int64Builder).Append(int64(c.made))
	b.Field(1).(*array.StringBuilder).AppendNull()
	c.made++
	return b.NewRecordBatch(), nil
}

func write(t *testing.T, source executor.Rows, w io.Writer) (int64, error) {
	t.Helper()
	s, err := arrowstream.NewResultStreamFromRows(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	return s.Write(t.Context(), w, map[string]string{"dialect": "duckdb", "sql": "SELECT 1"})
}

func read(stream []byte) (schema *arrow.Schema, numbers []int64, err error) {
	schema, err = arrowstream.Read(bytes.NewReader(stream), func(b arrow.RecordBatch) error {
		numbers = append(numbers, b.Column(0).(*array.Int64).Int64Values()...)
		return nil
	})
	return schema, numbers, err
}

func TestStream_CarriesBatchesAndMetadata(t *testing.T) {
	var out bytes.Buffer
	n, err := write(t, rows(t, 3, io.EOF), &out)
	if n != 3 || err != nil {
		t.Fatalf("%d rows, error %v", n, err)
	}
	schema, numbers, err := read(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{0, 1, 2}, numbers); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{"source": "test", "dialect": "duckdb", "sql": "SELECT 1"}
	if diff := cmp.Diff(want, schema.Metadata().ToMap()); diff != "" {
		t.Error(diff)
	}
	if kind := executor.TextKindOfField(schema.Field(1)); kind != executor.TextKindJSON {
		t.Errorf("kind %q, want json", kind)
	}
}

func TestStream_EmptyIsSchemaAndMarker(t *testing.T) {
	var out bytes.Buffer
	if n, err := write(t, rows(t, 0, io.EOF), &out); n != 0 || err != nil {
		t.Fatalf("%d rows, error %v", n, err)
	}
	schema, numbers, err := read(out.Bytes())
	if err != nil || len(numbers) != 0 || schema.NumFields() != 2 {
		t.Fatalf("schema %v, numbers %v, error %v", schema, numbers, err)
	}
}

func TestStream_EarlyFailureIsErrorOfOpen(t *testing.T) {
	source := rows(t, 0, &executor.Error{Code: executor.CodeTimeout, Message: "late"})
	_, err := arrowstream.NewResultStreamFromRows(t.Context(), source)
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != executor.CodeTimeout {
		t.Fatalf("got %v, want code timeout", err)
	}
	if !source.closed {
		t.Error("the rows are still open")
	}
}

func TestStream_MidwayFailureLeavesNoMarker(t *testing.T) {
	t.Run("a failure in the middle writes no end-of-stream marker", func(t *testing.T) {
		var out bytes.Buffer
		failure := &executor.Error{Code: executor.CodeDriver, Message: "gone"}
		n, err := write(t, rows(t, 2, failure), &out)
		if n != 2 || !errors.Is(err, failure) {
			t.Fatalf("%d rows, error %v", n, err)
		}
		_, numbers, err := read(out.Bytes())
		if !errors.Is(err, arrowstream.ErrTruncated) {
			t.Fatalf("got %v, want ErrTruncated", err)
		}
		if diff := cmp.Diff([]int64{0, 1}, numbers); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRead_NoticesEveryCut(t *testing.T) {
	var out bytes.Buffer
	if _, err := write(t, rows(t, 2, io.EOF), &out); err != nil {
		t.Fatal(err)
	}
	for length := range out.Len() {
		if _, _, err := read(out.Bytes()[:length]); err == nil {
			t.Fatalf("a stream of %d bytes out of %d reads as whole", length, out.Len())
		}
	}
}

func TestStream_EndsWhenReaderLeaves(t *testing.T) {
	r, w := io.Pipe()
	if err := r.CloseWithError(io.ErrClosedPipe); err != nil {
		t.Fatal(err)
	}
	if n, err := write(t, rows(t, 1000, io.EOF), w); err == nil || n != 0 {
		t.Fatalf("%d rows, error %v", n, err)
	}
}

func TestStream_CloseFreesUnwritten(t *testing.T) {
	source := rows(t, 3, io.EOF)
	s, err := arrowstream.NewResultStreamFromRows(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if !source.closed {
		t.Error("the rows are still open")
	}
}

func TestRead_RejectsOtherBytes(t *testing.T) {
	_, _, err := read([]byte(`{"error":{"code":"busy","message":"all slots are taken"}}`))
	if err == nil {
		t.Fatal("read")
	}
}

func TestRead_StopsOnCallbackError(t *testing.T) {
	var out bytes.Buffer
	if _, err := write(t, rows(t, 3, io.EOF), &out); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	seen := 0
	_, err := arrowstream.Read(&out, func(arrow.RecordBatch) error {
		seen++
		return enough
	})
	if !errors.Is(err, enough) || seen != 1 {
		t.Fatalf("%d batches, error %v", seen, err)
	}
}
