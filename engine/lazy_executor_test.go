package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/executor"
)

type fakeExecutor struct {
	executor.Executor
	closed atomic.Int32
}

func (f *fakeExecutor) Close() error { f.closed.Add(1); return nil }

func TestLazyExecutor_OpensOnce(t *testing.T) {
	var made atomic.Int32
	l := newLazyExecutor(func(context.Context) (executor.Executor, error) {
		made.Add(1)
		return &fakeExecutor{}, nil
	})
	var wg sync.WaitGroup
	got := make([]executor.Executor, 16)
	for i := range got {
		wg.Go(func() { got[i], _ = l.open(t.Context()) })
	}
	wg.Wait()
	for _, e := range got {
		if e == nil || e != got[0] {
			t.Fatal("not all got the same one")
		}
	}
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	for range 2 {
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := got[0].(*fakeExecutor).closed.Load(); n != 1 {
		t.Errorf("closed %d times", n)
	}
	var closed *ExecuteError
	if _, err := l.open(t.Context()); !errors.As(err, &closed) || closed.Code != executor.CodeDriver || made.Load() != 1 {
		t.Errorf("after close: %v, made %d times", err, made.Load())
	}
}

func TestLazyExecutor_RetriesFailedOpen(t *testing.T) {
	attempts := 0
	l := newLazyExecutor(func(context.Context) (executor.Executor, error) {
		if attempts++; attempts == 1 {
			return nil, errors.New("locked for a moment")
		}
		return &fakeExecutor{}, nil
	})
	if _, err := l.open(t.Context()); err == nil {
		t.Error("the first attempt succeeds")
	}
	if e, err := l.open(t.Context()); err != nil || e == nil {
		t.Errorf("the second attempt: %v", err)
	}
}

func TestLazyExecutor_WaitEndsWithOwnContext(t *testing.T) {
	t.Run("waiting for another caller's attempt ends with the own context", func(t *testing.T) {
		begun, end := make(chan struct{}), make(chan struct{})
		l := newLazyExecutor(func(context.Context) (executor.Executor, error) {
			close(begun)
			<-end
			return &fakeExecutor{}, nil
		})
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = l.open(t.Context()) })
		<-begun
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := l.open(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(end)
		wg.Wait()
		if e, err := l.open(t.Context()); err != nil || e == nil {
			t.Errorf("after the attempt: %v", err)
		}
	})
}
