package jsonrows_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// textRows makes rows of one text column, size(row) bytes each, and the JSON that
// they are.
func textRows(batches, rowsInEach int, size func(row int) int) (*fakeRows, string) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	rows := &fakeRows{schema: schema, err: io.EOF}
	var want strings.Builder
	want.WriteByte('[')
	row := 0
	for range batches {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range rowsInEach {
			text := strings.Repeat(string(rune('a'+row%26)), size(row))
			b.Field(0).(*array.StringBuilder).Append(text)
			if row > 0 {
				want.WriteByte(',')
			}
			fmt.Fprintf(&want, `{"v":"%s"}`, text)
			row++
		}
		rows.batches = append(rows.batches, b.NewRecordBatch())
	}
	want.WriteByte(']')
	return rows, want.String()
}

func TestCollect_JoinsBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, size := range map[string]func(int) int{
		"short":            func(int) int { return 3 },
		"growing":          func(row int) int { return row / 50 },
		"one long in many": func(row int) int { return row % 1000 / 999 * 300_000 },
		"random":           func(int) int { return random.IntN(2000) },
	} {
		t.Run(name, func(t *testing.T) {
			rows, want := textRows(5, 3001, size)
			got, n, err := jsonrows.AppendAllRows(t.Context(), []byte("before "), rows, nil, jsonrows.TextBounds{Bytes: jsonrows.NoByteLimit})
			if err != nil || n != 5*3001 {
				t.Fatalf("%d rows, error %v", n, err)
			}
			if string(got) != "before "+want {
				t.Fatalf("%d bytes differ from the %d wanted", len(got), len(want)+7)
			}
		})
	}
}

func TestCollect_StopsAtByteLimit(t *testing.T) {
	for _, size := range []int{10, 5000, 200 << 10} {
		rows, want := textRows(4, 16, func(int) int { return size })
		if _, n, err := jsonrows.AppendAllRows(t.Context(), nil, rows, nil, jsonrows.TextBounds{Bytes: len(want)}); err != nil || n != 64 {
			t.Errorf("rows of %d bytes, just within the limit: %d rows, error %v", size, n, err)
		}
		rows, _ = textRows(4, 16, func(int) int { return size })
		_, n, err := jsonrows.AppendAllRows(t.Context(), nil, rows, nil, jsonrows.TextBounds{Bytes: len(want) / 2})
		var e *executor.Error
		if !errors.As(err, &e) || e.Code != executor.CodeDriver || !strings.Contains(e.Hint, "Arrow") {
			t.Fatalf("rows of %d bytes: %v", size, err)
		}
		if n == 64 {
			t.Errorf("rows of %d bytes: all were written before the limit was found", size)
		}
	}
}

// Growing must not copy: the bytes of the result are allocated about twice, in blocks and
// joined.
func TestCollect_AllocatesAtMostTwice(t *testing.T) {
	t.Run("a result is allocated about twice: in blocks and joined", func(t *testing.T) {
		rows, want := textRows(32, 4096, func(int) int { return 100 })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := jsonrows.AppendAllRows(t.Context(), nil, rows, nil, jsonrows.TextBounds{Bytes: jsonrows.NoByteLimit}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got, most := int64(after.TotalAlloc-before.TotalAlloc), int64(len(want))*5/2; got > most {
			t.Errorf("%d bytes allocated for an answer of %d, want at most %d", got, len(want), most)
		}
	})
}
