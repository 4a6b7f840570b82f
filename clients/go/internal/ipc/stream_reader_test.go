package ipc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// stream returns a stream of two batches as arrow-go writes it. Its schema carries
// dialect and sql, and its last batch ends with the integers -1 and 0.
func stream(tb testing.TB) []byte {
	tb.Helper()
	text, err := os.ReadFile("testdata/two_batches.arrows")
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func readAll(src io.Reader) ([]byte, error) {
	r, _, err := NewReader(src)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func TestReader_AnyChunking(t *testing.T) {
	t.Run("a whole stream is read in pieces of any size", func(t *testing.T) {
		whole := stream(t)
		for name, src := range map[string]io.Reader{
			"at once":            bytes.NewReader(whole),
			"byte by byte":       iotest.OneByteReader(bytes.NewReader(whole)),
			"the end with bytes": iotest.DataErrReader(bytes.NewReader(whole)),
			"more after the end": io.MultiReader(bytes.NewReader(whole), bytes.NewReader([]byte("more"))),
		} {
			got, err := readAll(src)
			if err != nil || !bytes.Equal(got, whole) {
				t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(whole), err)
			}
		}
		r, pairs, err := NewReader(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(map[string]string{"dialect": "duckdb", "sql": "SELECT é"}, pairs); d != "" {
			t.Error(d)
		}
		for n := 0; ; {
			var one [1]byte
			if got, err := r.Read(nil); got != 0 || err != nil {
				t.Fatal(got, err)
			}
			_, err := r.Read(one[:])
			if errors.Is(err, io.EOF) && n == len(whole) {
				break
			}
			if err != nil || one[0] != whole[n] {
				t.Fatalf("byte %d: %v", n, err)
			}
			n++
		}
	})
}

func TestReader_CutIsUnexpectedEOF(t *testing.T) {
	t.Run("a stream that is cut at any byte fails with io.ErrUnexpectedEOF", func(t *testing.T) {
		whole := stream(t)
		for n := range whole {
			got, err := readAll(bytes.NewReader(whole[:n]))
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d bytes: %v", n, err)
			}
			if !bytes.HasPrefix(whole, got) {
				t.Errorf("%d bytes became others", n)
			}
		}
	})
}

func TestReader_ReturnsSourceError(t *testing.T) {
	whole, broken := stream(t), errors.New("broken")
	for n := range whole {
		if _, err := readAll(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestReader_MalformedBytesRejected(t *testing.T) {
	whole := stream(t)
	schema := 8 + int(binary.LittleEndian.Uint32(whole[4:]))
	for name, text := range map[string][]byte{
		"no continuation":       []byte("ARROW1\x00\x00"),
		"only an end":           whole[len(whole)-8:],
		"a batch first":         whole[schema:],
		"a length beyond limit": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"metadata of one byte":  {0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0},
		"garbage after schema":  append(bytes.Clone(whole[:schema]), "garbage!"...),
	} {
		if _, err := readAll(bytes.NewReader(text)); !errors.Is(err, ErrMalformedStream) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	whole := stream(f)
	f.Add(whole)
	f.Add(whole[:len(whole)-8])
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readAll(bytes.NewReader(text))
		if !bytes.HasPrefix(text, got) {
			t.Error("the bytes changed")
		}
		if err == nil && !bytes.HasSuffix(got, []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}) {
			t.Error("an end without its marker")
		}
	})
}
