package memory_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/memory"
)

const mib = 1 << 20

func TestBudget_Shares(t *testing.T) {
	type shares struct{ Total, Heap, Database, Catalogue int64 }
	for _, test := range []struct {
		name     string
		settings memory.Settings
		want     shares
	}{
		{"a container of 1 GiB", memory.Settings{TotalBytes: 1024 * mib}, shares{1024, 512, 320, 128}},
		{"the chart gives three quarters to Go", memory.Settings{TotalBytes: 1024 * mib, HeapBytes: 768 * mib}, shares{1024, 768, 96, 96}},
		{"one half of 512 MiB", memory.Settings{TotalBytes: 512 * mib}, shares{512, 256, 96, 96}},
		{"a machine of 20 GiB", memory.Settings{TotalBytes: 16384 * mib}, shares{16384, 8192, 7744, 384}},
		{"a setting for the database", memory.Settings{TotalBytes: 1024 * mib, DatabaseBytes: 200 * mib}, shares{1024, 512, 200, 128}},
		{"less than the least", memory.Settings{TotalBytes: 64 * mib}, shares{256, 128, 32, 32}},
		{"kept results come off the whole", memory.Settings{TotalBytes: 1024 * mib, CacheBytes: 256 * mib}, shares{1024, 640, 224, 96}},
		{"kept results come off a heap that is set", memory.Settings{TotalBytes: 1024 * mib, HeapBytes: 768 * mib, CacheBytes: 256 * mib}, shares{1024, 768, 96, 96}},
		{"a Go heap of the whole memory", memory.Settings{TotalBytes: 1024 * mib, HeapBytes: 1024 * mib}, shares{1024, 1024, 32, 32}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := memory.NewBudget(test.settings)
			got := shares{b.Total / mib, b.Heap / mib, b.Database / mib, b.Catalogue / mib}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestBudget_PartsAreHalfOfTheHeap(t *testing.T) {
	want := []memory.PartUse{
		{Name: "plans", Capacity: 96 * mib}, {Name: "results", Capacity: 144 * mib}, {Name: "sessions", Capacity: 48 * mib},
		{Name: "catalogue", Capacity: 48 * mib}, {Name: "messages", Capacity: 24 * mib}, {Name: "log", Capacity: 24 * mib},
	}
	if diff := cmp.Diff(want, memory.NewBudget(memory.Settings{TotalBytes: 1024 * mib, HeapBytes: 768 * mib}).Use()); diff != "" {
		t.Fatal(diff)
	}
}

// Kept results never take what requests hold.
func TestBudget_PartsDivideTheHeapBesideKeptResults(t *testing.T) {
	for _, test := range []struct {
		settings memory.Settings
		results  int64
	}{
		{memory.Settings{TotalBytes: 1024 * mib, HeapBytes: 768 * mib, CacheBytes: 256 * mib}, 96},
		{memory.Settings{TotalBytes: 1024 * mib, CacheBytes: 256 * mib}, 72},
		{memory.Settings{TotalBytes: 1024 * mib, HeapBytes: 256 * mib, CacheBytes: 512 * mib}, 6}, // the least
	} {
		b := memory.NewBudget(test.settings)
		for _, part := range b.Use() {
			if part.Name == memory.Results && part.Capacity != test.results*mib {
				t.Errorf("%+v: %d MiB for results, want %d", test.settings, part.Capacity/mib, test.results)
			}
		}
		if b.Cache != test.settings.CacheBytes {
			t.Errorf("%d bytes for kept results", b.Cache)
		}
	}
}

func TestReservation_RefusesBeyondTheShare(t *testing.T) {
	part := memory.NewBudget(memory.Settings{TotalBytes: 256 * mib}).Part(memory.Results) // 24 MiB
	first, err := part.Reserve(16 * mib)
	if err != nil {
		t.Fatal(err)
	}
	_, err = part.Reserve(16 * mib)
	checkLimit(t, err, true, "53200", "memory_limit: other requests hold the 24 MiB of memory for results; try again soon")
	_, err = part.Reserve(25 * mib)
	checkLimit(t, err, false, "54000", "memory_limit: the request needs more than the 24 MiB of memory for results")
	checkLimit(t, first.Grow(9*mib), false, "54000", "memory_limit: the request needs more than the 24 MiB of memory for results")
	if err := first.Grow(8 * mib); err != nil {
		t.Fatalf("the rest of the share: %v", err)
	}
	if err := first.Resize(4 * mib); err != nil {
		t.Fatal(err)
	}
	second, err := part.Reserve(20 * mib)
	if err != nil {
		t.Fatalf("what was given back: %v", err)
	}
	second.Release()
	second.Release()
	first.Release()
	if got := part.Held(); got != 0 {
		t.Fatalf("%d bytes are held after every release", got)
	}
}

func TestReservation_WithoutBudgetCountsNothing(t *testing.T) {
	var none *memory.Budget
	held, err := none.Part(memory.Plans).Reserve(1 << 60)
	if err != nil || held.Grow(1<<60) != nil {
		t.Fatalf("no budget refuses: %v", err)
	}
	held.Release()
	(*memory.Reservation)(nil).Release()
}

func checkLimit(t *testing.T, err error, retryable bool, state, text string) {
	t.Helper()
	var limit *memory.LimitError
	if !errors.As(err, &limit) {
		t.Fatalf("%v is not a limit error", err)
	}
	if limit.Retryable() != retryable || limit.SQLState() != state || limit.Error() != text {
		t.Fatalf("retryable %v, %s, %q", limit.Retryable(), limit.SQLState(), limit.Error())
	}
}

func TestAccount_KeepsUntilReleased(t *testing.T) {
	part := memory.NewBudget(memory.Settings{TotalBytes: 256 * mib}).Part(memory.Results)
	account := new(memory.Account)
	for _, ctx := range []context.Context{memory.WithAccount(t.Context(), account), t.Context()} {
		held, err := part.Reserve(mib)
		if err != nil {
			t.Fatal(err)
		}
		memory.KeepForResponse(ctx, held)
	}
	if got := part.Held(); got != mib {
		t.Fatalf("%d bytes, want those of the context with an account", got)
	}
	account.Release()
	if got := part.Held(); got != 0 {
		t.Fatalf("%d bytes are held after the release", got)
	}
}
