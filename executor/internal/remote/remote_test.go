package remote_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

// statement takes its time to be cancelled and remembers what was done to it.
type statement struct {
	next                error
	cancelTakes         time.Duration
	cancelled, released atomic.Int32
}

func (*statement) Schema() *arrow.Schema { return arrow.NewSchema(nil, nil) }

func (s *statement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if s.next != nil {
		return nil, s.next
	}
	<-ctx.Done()
	return nil, errors.New("interrupted")
}

func (s *statement) Cancel(ctx context.Context) {
	s.cancelled.Add(1)
	select {
	case <-time.After(s.cancelTakes):
	case <-ctx.Done():
	}
}

func (s *statement) ReleaseBufferedRows() { s.released.Add(1) }

func open(s *statement, failure error) *remote.Executor {
	return remote.NewExecutor(remote.Options{Dialect: "x", Slots: 1, Start: func(context.Context, string) (remote.Statement, error) {
		return s, failure
	}})
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want code %s", err, code)
	}
}

// The caller is not kept by a slow request to end the statement, and the slot is
// not free before that has ended.
func TestCancel_SlowKeepsSlotNotCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &statement{cancelTakes: 3 * time.Second}
		e := open(s, nil)
		rows, err := e.Query(t.Context(), "q")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err = rows.Next(ctx)
		wantCode(t, err, executor.CodeTimeout)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("returned after %v", took)
		}
		if use := e.PoolUse(); use.InUse != 1 || s.released.Load() != 0 {
			t.Errorf("the slot is free while the statement is being ended: %+v, released %d times", use, s.released.Load())
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 4*time.Second || e.PoolUse().InUse != 0 || s.cancelled.Load() != 1 || s.released.Load() != 1 {
			t.Errorf("closed after %v, %+v, cancelled %d times, released %d times", took, e.PoolUse(), s.cancelled.Load(), s.released.Load())
		}
	})
}

// A service that never answers is abandoned.
func TestCancel_GivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := open(&statement{cancelTakes: time.Hour}, nil)
		rows, err := e.Query(t.Context(), "q")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := errors.Join(rows.Close(), e.Close()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("closed after %v", took)
		}
	})
}

func TestCancel_OnlyUnfinishedStatements(t *testing.T) {
	for _, tt := range []struct {
		name      string
		start     error
		next      error
		cancelled int32
	}{
		{"the end", nil, io.EOF, 0},
		{"a failure of the rows", nil, driver.ConnectionLostError(io.ErrUnexpectedEOF), 1},
		{"a failure of the start", driver.SQLRejectedError("no", nil), nil, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &statement{next: tt.next}
			e := open(s, tt.start)
			rows, err := e.Query(t.Context(), "q")
			if !errors.Is(err, tt.start) {
				t.Fatal(err)
			}
			if err == nil {
				for range 2 {
					if _, err := rows.Next(t.Context()); !errors.Is(err, tt.next) {
						t.Errorf("%v, want %v", err, tt.next)
					}
				}
				if err := errors.Join(rows.Close(), rows.Close()); err != nil {
					t.Error(err)
				}
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			if s.cancelled.Load() != tt.cancelled || s.released.Load() != 1 || e.PoolUse().InUse != 0 {
				t.Errorf("cancelled %d times, released %d times, %+v", s.cancelled.Load(), s.released.Load(), e.PoolUse())
			}
		})
	}
}
