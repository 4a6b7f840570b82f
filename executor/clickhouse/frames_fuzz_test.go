package clickhouse

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
)

// FuzzFrames checks any bytes of a server: the stream succeeds only if an end marker comes
// last, and its bytes are passed on unchanged.
func FuzzFrames(f *testing.F) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 2, 3}, nil)
	batch := b.NewRecordBatch()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	if err := errors.Join(w.Write(batch), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add(out.Bytes()[:out.Len()-8])
	f.Add(append(out.Bytes(), "Code: 1. DB::Exception: x"...))
	f.Add([]byte("Code: 1. DB::Exception: x"))
	e := &Executor{}
	f.Fuzz(func(t *testing.T, sent []byte) {
		fr := &arrowMessageStream{body: bytes.NewReader(sent), fail: e.classifyStreamEnd}
		got, err := io.ReadAll(fr)
		if !bytes.HasPrefix(sent, got) {
			t.Fatal("bytes were changed")
		}
		var own *executor.Error
		switch {
		case err == nil && !bytes.HasSuffix(got, []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}):
			t.Fatal("a quiet end without the end marker")
		case err == nil && len(bytes.TrimSpace(sent[len(got):])) > 0:
			t.Fatal("something behind the end was passed over")
		case err != nil && !errors.As(err, &own):
			t.Fatalf("an error without a code: %v", err)
		}
	})
}

func FuzzEnum(f *testing.F) {
	f.Add(`'a' = 1, 'it\'s' = -2`)
	f.Add(`'`)
	f.Fuzz(func(t *testing.T, args string) {
		if names, ok := parseEnumLabels(args); ok && len(names) == 0 {
			t.Fatal("an enumeration without names")
		}
		unwrapAndSplitTypeName("Enum8(" + args + ")")
	})
}
