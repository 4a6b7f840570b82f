package driver_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// statement gives its batches and then fails or ends.
type statement struct {
	driver.Rows
	batches []arrow.RecordBatch
	failure error
	spoilt  arrow.RecordBatch // comes with the failure
	ends    []error
}

func (s *statement) Fetch(context.Context) (arrow.RecordBatch, error) {
	if len(s.batches) > 0 {
		b := s.batches[0]
		s.batches = s.batches[1:]
		return b, nil
	}
	return s.spoilt, s.failure
}

func (s *statement) EndAndRelease(_ context.Context, err error) { s.ends = append(s.ends, err) }

type batch struct {
	arrow.RecordBatch
	released int
}

func (b *batch) Release() { b.released++ }

func empty() *batch {
	return &batch{RecordBatch: array.NewRecordBatch(arrow.NewSchema(nil, nil), nil, 0)}
}

func TestRows_EndOnce(t *testing.T) {
	broke := errors.New("broke")
	for _, tt := range []struct {
		name    string
		failure error
		want    error // of Next, from the second on
		ended   error
	}{
		{"by the last row", nil, io.EOF, nil},
		{"by a failure", broke, broke, broke},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first, spoilt := empty(), empty()
			s := &statement{batches: []arrow.RecordBatch{first}, failure: tt.failure}
			if tt.failure != nil {
				s.spoilt = spoilt
			}
			s.SetStatement(s)
			if got, err := s.Next(t.Context()); got != arrow.RecordBatch(first) || err != nil {
				t.Fatalf("the first batch: %v, %v", got, err)
			}
			for range 3 {
				if got, err := s.Next(t.Context()); got != nil || !errors.Is(err, tt.want) {
					t.Errorf("got %v, %v, want %v", got, err, tt.want)
				}
			}
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			if len(s.ends) != 1 || !errors.Is(s.ends[0], tt.ended) {
				t.Errorf("ended with %v, want %v once", s.ends, tt.ended)
			}
			if first.released != 0 || tt.failure != nil && spoilt.released != 1 {
				t.Errorf("the first batch was released %d times, the spoilt one %d times", first.released, spoilt.released)
			}
		})
	}
}

func TestRows_CloseEndsAStatementThatRuns(t *testing.T) {
	s := &statement{batches: []arrow.RecordBatch{empty()}}
	s.SetStatement(s)
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	var closed *executor.Error
	if len(s.ends) != 1 || !errors.As(s.ends[0], &closed) || closed.Code != executor.CodeDriver {
		t.Errorf("ended with %v", s.ends)
	}
	if _, err := s.Next(t.Context()); !errors.As(err, &closed) {
		t.Errorf("after Close: %v", err)
	}
}
