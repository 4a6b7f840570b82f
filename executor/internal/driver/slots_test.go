package driver_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

func TestSlots_StatementsThatRunOnAreBounded(t *testing.T) {
	s := driver.NewSlots(driver.MaxAbandonedStatements + 1)
	holders := make([]driver.SlotHolder, driver.MaxAbandonedStatements+1)
	for i := range holders {
		if err := s.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := s.ReleaseSlotWhileStatementRuns(&holders[i]), i < driver.MaxAbandonedStatements; got != want {
			t.Errorf("the one with number %d: given up %v, want %v", i+1, got, want)
		}
	}
	if s.TakenCount() != 1 || s.AbandonedStatementCount() != driver.MaxAbandonedStatements || s.Capacity() != len(holders) {
		t.Errorf("%d of %d slots are taken, want that of the last; %d are given up", s.TakenCount(), s.Capacity(), s.AbandonedStatementCount())
	}
	for i := range holders {
		s.ReleaseSlotOfEndedStatement(&holders[i])
	}
	if s.TakenCount() != 0 || s.AbandonedStatementCount() != 0 {
		t.Errorf("%d slots are taken, %d are given up", s.TakenCount(), s.AbandonedStatementCount())
	}
}

func TestTake_WaitsForASlotUntilItsContextEnds(t *testing.T) {
	s := driver.NewSlots(1)
	open := func(context.Context) (int, error) { return 7, nil }
	if c, err := driver.OpenConnectionWithSlot(t.Context(), s, open); c != 7 || err != nil {
		t.Fatalf("%d, %v", c, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := driver.OpenConnectionWithSlot(ctx, s, open)
	var late *executor.Error
	if !errors.As(err, &late) || late.Code != executor.CodeTimeout || s.TakenCount() != 1 {
		t.Errorf("%v; %d slots are taken", err, s.TakenCount())
	}
	s.Release()
	broke := errors.New("broke")
	if _, err := driver.OpenConnectionWithSlot(t.Context(), s, func(context.Context) (int, error) { return 0, broke }); !errors.Is(err, broke) || s.TakenCount() != 0 {
		t.Errorf("%v; %d slots are taken", err, s.TakenCount())
	}
	if _, err := driver.OpenConnectionWithSlot(ctx, s, open); !errors.As(err, &late) || s.TakenCount() != 0 {
		t.Errorf("a context that has ended: %v; %d slots are taken", err, s.TakenCount())
	}
}
