package logqueue_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/logqueue"
)

func TestQueue_WritesLinesInOrder(t *testing.T) {
	var out bytes.Buffer
	q := logqueue.New(&out)
	var want strings.Builder
	line := make([]byte, 0, 8)
	for i := range 1000 {
		line = append(line[:0], byte('a'+i%26), '\n') // the queue keeps a copy
		want.Write(line)
		if n, err := q.Write(line); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	q.Close()
	if diff := cmp.Diff(want.String(), out.String()); diff != "" || q.Dropped() != 0 {
		t.Errorf("%d dropped\n%s", q.Dropped(), diff)
	}
}

// A pipe has no buffer: its writer waits for the reader.
func TestQueue_DoesNotWaitForItsReader(t *testing.T) {
	reader, writer := io.Pipe()
	q := logqueue.New(writer)
	const size, lines = 1024, 2 * logqueue.MaxBytes / 1024
	line := []byte(strings.Repeat("x", size-1) + "\n")
	for range lines {
		_, _ = q.Write(line)
	}
	if got, want := q.Dropped(), uint64(lines-logqueue.MaxBytes/size); got != want {
		t.Errorf("%d lines dropped, want %d", got, want)
	}
	begun := time.Now()
	q.Close()
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("Close took %v", took)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestQueue_CountsLinesThatCannotBeWritten(t *testing.T) {
	q := logqueue.New(brokenPipe{})
	for range 3 {
		if _, err := q.Write([]byte("a line\n")); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	if q.Dropped() != 3 {
		t.Errorf("%d lines dropped, want 3", q.Dropped())
	}
}
