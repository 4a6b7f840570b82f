package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/arrowstream"
)

const (
	asJSON  = "application/json"
	asArrow = arrowstream.ContentType
)

// outcome is what a client saw.
type outcome struct {
	status int
	code   string // of an error response
	rows   int64  // that arrived, in order
	// cut is true when the body is visibly incomplete.
	cut  bool
	took time.Duration
}

// ask sends a query and reads its response to the end. It calls first when the head of
// the response is there.
func ask(t *testing.T, base, query, accept string, first func()) outcome {
	t.Helper()
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/query/execute", strings.NewReader(query))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if first != nil {
		first()
	}
	o := outcome{status: got.StatusCode}
	switch {
	case got.StatusCode != http.StatusOK:
		var refusal struct {
			Error struct{ Code, Message string }
		}
		if err := json.NewDecoder(got.Body).Decode(&refusal); err != nil || refusal.Error.Message == "" {
			t.Fatalf("status %d without an error: %v", got.StatusCode, err)
		}
		o.code = refusal.Error.Code
	case accept == asArrow:
		o.rows, o.cut, err = readArrow(got.Body)
	default:
		o.rows, err = readJSON(got.Body)
	}
	if err != nil {
		t.Fatal(err)
	}
	o.took = time.Since(begun)
	return o
}

func readJSON(body io.Reader) (int64, error) {
	var answer struct {
		Rows  []struct{ I *int64 }
		Count int64 `json:"row_count"`
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		return 0, fmt.Errorf("an answer with status 200: %w", err)
	}
	if int64(len(answer.Rows)) != answer.Count {
		return 0, fmt.Errorf("%d rows and a count of %d", len(answer.Rows), answer.Count)
	}
	for row, r := range answer.Rows {
		if r.I != nil && *r.I != int64(row) {
			return 0, fmt.Errorf("row %d holds %d", row, *r.I)
		}
	}
	return answer.Count, nil
}

// readArrow reads a stream. A whole one has its end marker, and a body with the end that
// HTTP requires; one without the other is an error.
func readArrow(body io.Reader) (rows int64, cut bool, err error) {
	var wrong error
	_, err = arrowstream.Read(body, func(b arrow.RecordBatch) error {
		if at := b.Schema().FieldIndices("i"); len(at) == 1 {
			for row := range int(b.NumRows()) {
				if v := number(b.Column(at[0]), row); v != rows+int64(row) {
					wrong = fmt.Errorf("row %d holds %d", rows+int64(row), v)
					return wrong
				}
			}
		}
		rows += b.NumRows()
		return nil
	})
	if wrong != nil {
		return rows, false, wrong
	}
	_, ending := io.Copy(io.Discard, body)
	if err == nil && ending != nil {
		return rows, true, fmt.Errorf("a whole stream in a body that breaks off: %w", ending)
	}
	if errors.Is(err, arrowstream.ErrTruncated) && ending == nil {
		// The body must not end well either: most readers do not request the marker.
		if _, again := body.Read(make([]byte, 1)); errors.Is(again, io.EOF) {
			return rows, true, errors.New("a stream without its marker in a body that ends well")
		}
	}
	return rows, err != nil, nil
}

func number(column arrow.Array, row int) int64 {
	switch c := column.(type) {
	case *array.Int32:
		return int64(c.Value(row))
	case *array.Int64:
		return c.Value(row)
	case *array.Uint64:
		return int64(c.Value(row))
	default:
		return -1
	}
}
