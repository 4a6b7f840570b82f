package driver_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

type rows struct{ executor.Rows }

func TestQuery_GoesPastStaleConnections(t *testing.T) {
	broke, refused := errors.New("broke"), errors.New("refused")
	started := &rows{}
	for _, tt := range []struct {
		name  string
		stale int // connections that break at once
		then  error
		ends  bool // the context, with the first try
		want  error
		tries int
	}{
		{"none", 0, nil, false, nil, 1},
		{"two", 2, nil, false, nil, 3},
		{"two, then a refusal", 2, refused, false, refused, 3},
		{"a context that ends", 2, nil, true, broke, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tries := 0
			got, err := driver.QueryPastStaleConnections(ctx, new(atomic.Bool), func() (*rows, bool, error) {
				if tries++; tries <= tt.stale {
					if tt.ends {
						cancel()
					}
					return nil, true, broke
				}
				if tt.then != nil {
					return nil, false, tt.then
				}
				return started, false, nil
			})
			if !errors.Is(err, tt.want) || tries != tt.tries || (err == nil) != (got == executor.Rows(started)) || err != nil && got != nil {
				t.Errorf("got %v, %v after %d tries", got, err, tries)
			}
		})
	}
}

func TestQuery_TriesNothingOnAClosedPool(t *testing.T) {
	var closed atomic.Bool
	closed.Store(true)
	_, err := driver.QueryPastStaleConnections(t.Context(), &closed, func() (*rows, bool, error) {
		t.Error("a closed pool was tried")
		return nil, false, nil
	})
	var own *executor.Error
	if !errors.As(err, &own) || own.Code != executor.CodeDriver {
		t.Errorf("%v", err)
	}
}
