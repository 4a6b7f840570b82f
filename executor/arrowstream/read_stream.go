package arrowstream

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// ErrTruncated reports that a stream ended without its end-of-stream marker: the rows read so
// far are only a part of the result.
var ErrTruncated = errors.New("the Arrow stream ends without its end-of-stream marker")

// Read reads a whole stream, hands every batch to see and returns the schema. A
// batch is valid until see returns. A stream that ends early is ErrTruncated,
// after the batches that did arrive.
func Read(r io.Reader, see func(arrow.RecordBatch) error) (*arrow.Schema, error) {
	source := &eofDetectingReader{r: r}
	in, err := ipc.NewReader(source)
	if err != nil {
		return nil, joinErrTruncatedUnlessEnded(source, fmt.Errorf("no Arrow stream: %w", err))
	}
	defer in.Release()
	for in.Next() {
		if err := see(in.RecordBatch()); err != nil {
			return in.Schema(), err
		}
	}
	if err := in.Err(); err != nil {
		return in.Schema(), joinErrTruncatedUnlessEnded(source, err)
	}
	// The marker ends the reading before the source ends; without it the
	// reader runs into the end of the source and calls that the end as well.
	if source.ended {
		return in.Schema(), ErrTruncated
	}
	return in.Schema(), nil
}

func joinErrTruncatedUnlessEnded(source *eofDetectingReader, err error) error {
	if source.ended {
		return errors.Join(ErrTruncated, err)
	}
	return err
}

// eofDetectingReader remembers whether its source has run dry.
type eofDetectingReader struct {
	r     io.Reader
	ended bool
}

func (w *eofDetectingReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n == 0 && errors.Is(err, io.EOF) {
		w.ended = true
	}
	return n, err
}
