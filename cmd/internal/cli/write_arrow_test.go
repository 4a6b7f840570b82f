package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/engine"
)

var errBroken = errors.New("the line is dead")

// breaking yields one row and then fails.
type breaking struct{ given, closed bool }

func (b *breaking) Schema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
}

func (b *breaking) Close() error { b.closed = true; return nil }

func (b *breaking) Next(context.Context) (arrow.RecordBatch, error) {
	if b.given {
		return nil, errBroken
	}
	b.given = true
	n := array.NewInt64Builder(memory.DefaultAllocator)
	n.Append(1)
	return array.NewRecordBatch(b.Schema(), []arrow.Array{n.NewArray()}, 1), nil
}

func TestArrow_TruncatedResponseKeepsFile(t *testing.T) {
	t.Run("a response that breaks off leaves the output file unchanged", func(t *testing.T) {
		rows := new(breaking)
		s, err := engine.NewStream(t.Context(), "duckdb", "SELECT 1", rows)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "rows.arrows")
		if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		a := &app{std: Streams{Out: io.Discard}}
		if err := a.runWithOutputFile(path, func() error { return a.writeAndCloseArrow(t.Context(), s) }); !errors.Is(err, errBroken) {
			t.Errorf("%v", err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
			t.Errorf("files %v, %v", left, err)
		}
		if text, err := os.ReadFile(path); string(text) != "before" {
			t.Errorf("the file holds %q, %v", text, err)
		}
		if !rows.closed {
			t.Error("the rows are still open")
		}
	})
}
