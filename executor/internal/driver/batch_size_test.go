package driver_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

func TestBatchSize_GrowsToCeiling(t *testing.T) {
	s := driver.NewBatchSizer(1)
	var got []int
	for range 7 {
		rows := 1
		s.StartBatch()
		for !s.IsFull(rows, 0) {
			rows *= 2
		}
		got = append(got, rows)
		s.RaiseRowTarget(rows)
	}
	if diff := cmp.Diff([]int{1, 4096, 8192, 16384, 32768, 65536, 65536}, got); diff != "" {
		t.Fatal(diff)
	}
}

// Room is made for what may come, after a small batch for little.
func TestBatchSize_ReservesTwiceLastBatch(t *testing.T) {
	s := driver.NewBatchSizer(1)
	var got []int
	for _, rows := range []int{3, 10, 2048, 65536, 65536, 100} {
		s.RaiseRowTarget(rows)
		got = append(got, s.ExpectedRows())
	}
	if diff := cmp.Diff([]int{6, 20, 4096, 65536, 65536, 200}, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestBatchSize_FullByRowsBytesOrAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := driver.NewBatchSizer(1000)
		s.StartBatch()
		for _, tt := range []struct {
			rows, bytes int
			want        bool
		}{{0, 1 << 30, false}, {999, 0, false}, {1000, 0, true}, {1, 4 << 20, true}} {
			if got := s.IsFull(tt.rows, tt.bytes); got != tt.want {
				t.Errorf("%d rows of %d bytes: full is %v", tt.rows, tt.bytes, got)
			}
		}
		time.Sleep(100 * time.Millisecond)
		if !s.IsFull(1, 1) {
			t.Error("an old batch is not full")
		}
		if s.IsFull(0, 0) {
			t.Error("an empty batch is full")
		}
	})
}
