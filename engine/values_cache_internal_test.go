package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// changingTable is a table whose only value is the second at which it was written.
type changingTable struct {
	now   time.Time
	reads int
}

func (c *changingTable) read(context.Context) (*FieldValues, error) {
	c.reads++
	return &FieldValues{Values: []FieldValue{{Value: json.RawMessage(strconv.FormatInt(c.now.Unix(), 10)), Count: 1}}}, nil
}

func noEnd() error { return errors.New("the request ended") }

// TestValuesCache_IsNeverOlderThanAMinute asks in random order for fresh values and others while the table changes.
func TestValuesCache_IsNeverOlderThanAMinute(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		table := &changingTable{now: time.Unix(1_700_000_000, 0)}
		c := newFieldValuesCache()
		c.now = func() time.Time { return table.now }
		cached := 0
		for range 400 {
			table.now = table.now.Add(time.Duration(random.IntN(40)) * time.Second)
			fresh := random.IntN(4) == 0
			reads := table.reads
			values, err := c.getOrRead(t.Context(), strconv.Itoa(random.IntN(3)), fresh, table.read, noEnd)
			if err != nil {
				t.Fatal(err)
			}
			written, _ := strconv.ParseInt(string(values.Values[0].Value), 10, 64)
			age := table.now.Sub(time.Unix(written, 0))
			if age >= time.Minute || fresh && age > 0 || values.Cached != (table.reads == reads) {
				t.Fatalf("seed %d: age %s, fresh %t, cached %t", seed, age, fresh, values.Cached)
			}
			if values.Cached {
				cached++
			}
		}
		if cached < 20 {
			t.Errorf("seed %d: %d cached of 400", seed, cached)
		}
	}
}

func TestValuesCache_ReadsEqualRequestsOnce(t *testing.T) {
	c := newFieldValuesCache()
	var reads atomic.Int32
	entered, leave := make(chan struct{}), make(chan struct{})
	read := func(context.Context) (*FieldValues, error) {
		if reads.Add(1) == 1 {
			close(entered)
		}
		<-leave
		return &FieldValues{}, nil
	}
	var group sync.WaitGroup
	var cached atomic.Int32
	ask := func() {
		group.Go(func() {
			values, err := c.getOrRead(t.Context(), "k", false, read, noEnd)
			if err != nil {
				t.Error(err)
			} else if values.Cached {
				cached.Add(1)
			}
		})
	}
	ask()
	<-entered
	for range 20 {
		ask()
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := c.getOrRead(ended, "k", false, read, noEnd); err == nil || err.Error() != "the request ended" {
		t.Errorf("a request whose context has ended: %v", err)
	}
	close(leave)
	group.Wait()
	if reads.Load() != 1 || cached.Load() != 20 {
		t.Errorf("%d reads, %d cached", reads.Load(), cached.Load())
	}
}

// Where one request ran out of time, others may succeed; an error of the statement is that of all.
func TestValuesCache_ErrorsAreNotKept(t *testing.T) {
	for code, wantReads := range map[string]int32{executor.CodeTimeout: 2, executor.CodeSQLRejected: 1} {
		synctest.Test(t, func(t *testing.T) { checkErrorIsNotKept(t, code, wantReads) })
	}
}

func checkErrorIsNotKept(t *testing.T, code string, wantReads int32) {
	t.Helper()
	c := newFieldValuesCache()
	var reads atomic.Int32
	entered, leave := make(chan struct{}), make(chan struct{})
	read := func(context.Context) (*FieldValues, error) {
		if reads.Add(1) == 1 {
			close(entered)
			<-leave
			return nil, &ExecuteError{Code: code, Message: "m"}
		}
		return &FieldValues{}, nil
	}
	first := make(chan error, 1)
	go func() {
		_, err := c.getOrRead(t.Context(), "k", false, read, noEnd)
		first <- err
	}()
	<-entered
	second := make(chan error, 1)
	go func() {
		_, err := c.getOrRead(t.Context(), "k", false, read, noEnd)
		second <- err
	}()
	synctest.Wait() // the second waits for the first
	close(leave)
	if err := <-first; err == nil {
		t.Errorf("%s: no error", code)
	}
	if err := <-second; (err == nil) != (wantReads == 2) || reads.Load() != wantReads {
		t.Errorf("%s: %v after %d reads", code, err, reads.Load())
	}
	if _, err := c.getOrRead(t.Context(), "k", false, read, noEnd); err != nil {
		t.Errorf("%s is kept: %v", code, err)
	}
}

func TestValuesCache_KeepsNewerValuesWithinItsBounds(t *testing.T) {
	c := newFieldValuesCache()
	now := time.Unix(1_700_000_000, 0)
	c.now = func() time.Time { return now }
	large := func(n int) *FieldValues {
		return &FieldValues{Values: []FieldValue{{Value: json.RawMessage(strings.Repeat("1", n))}}}
	}
	for i := range 100 {
		c.storeValues(fmt.Sprint(i), cachedFieldValues{values: large(1 << 20), began: now, bytes: 1 << 20})
		if c.bytes > fieldValuesCacheMaxBytes || c.entries.Len() > 16 {
			t.Fatalf("%d bytes, %d entries", c.bytes, c.entries.Len())
		}
	}
	c.storeValues("huge", cachedFieldValues{values: large(1), began: now, bytes: fieldValuesCacheMaxBytes + 1})
	if _, ok := c.entries.Peek("huge"); ok || c.entries.Len() != 16 {
		t.Errorf("a huge entry is kept, or has cost the others: %d", c.entries.Len())
	}
	for i := range 3000 {
		c.storeValues("small "+fmt.Sprint(i), cachedFieldValues{values: large(1), began: now, bytes: 10})
	}
	if c.entries.Len() != fieldValuesCacheMaxEntries || c.bytes != 10*fieldValuesCacheMaxEntries {
		t.Errorf("%d entries with %d bytes", c.entries.Len(), c.bytes)
	}
	c.storeValues("k", cachedFieldValues{values: large(1), began: now.Add(time.Second), bytes: 10})
	c.storeValues("k", cachedFieldValues{values: large(2), began: now, bytes: 10})
	if e, _ := c.entries.Peek("k"); len(e.values.Values[0].Value) != 1 {
		t.Error("older values have replaced newer ones")
	}
}
