package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

func TestAnAnswerThatBreaksOffLeavesNoFile(t *testing.T) {
	rows := new(breaking)
	s, err := engine.NewStream(t.Context(), "duckdb", "SELECT 1", rows)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows.arrows")
	if err := new(app).writeArrow(t.Context(), s, path); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	if !rows.closed {
		t.Error("the rows are still open")
	}
}

func TestATerminalGetsNoStream(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a device of characters, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	var failure bytes.Buffer
	args := []string{"query", "--model", "testdata/shop.yaml", "--metrics", "revenue", "--format", "arrow"}
	code := Run(t.Context(), args, Streams{In: strings.NewReader(""), Out: device, Err: &failure}, "v")
	if code != exitUsage || !strings.Contains(failure.String(), "not for a terminal") {
		t.Errorf("exit code %d: %s", code, failure.String())
	}
}
