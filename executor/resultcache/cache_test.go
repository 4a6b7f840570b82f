package resultcache_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/resultcache"
	"github.com/semlayer/semlayer/executor/testwait"
)

var numbers = arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)

// fakeRows are batches of one number each. A number waits until the gate lets it through.
type fakeRows struct {
	values []int64
	gate   <-chan struct{} // nil: everything passes
	fail   error           // after the values
	closed func()
	once   sync.Once
}

func (*fakeRows) Schema() *arrow.Schema { return numbers }

func (r *fakeRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if r.gate != nil {
		select {
		case <-r.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if len(r.values) == 0 {
		if r.fail != nil {
			return nil, r.fail
		}
		return nil, io.EOF
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, numbers)
	defer b.Release()
	b.Field(0).(*array.Int64Builder).Append(r.values[0]) //nolint:forcetypeassert // by the schema
	r.values = r.values[1:]
	return b.NewRecordBatch(), nil
}

func (r *fakeRows) Close() error {
	r.once.Do(func() {
		if r.closed != nil {
			r.closed()
		}
	})
	return nil
}

// statement returns a request whose statement gives values, and counts the statements.
func statement(key string, count *atomic.Int64, rows func() *fakeRows) resultcache.Request {
	return resultcache.Request{
		Key: key, TTL: time.Hour,
		Open: func(_ context.Context, begin func(resultcache.Beginning)) (executor.Rows, error) {
			count.Add(1)
			begin(resultcache.Beginning{})
			return rows(), nil
		},
	}
}

func read(t *testing.T, rows executor.Rows) []int64 {
	t.Helper()
	out, err := drain(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func drain(ctx context.Context, rows executor.Rows) (out []int64, err error) {
	for {
		b, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			return out, rows.Close()
		}
		if err != nil {
			return out, errors.Join(err, rows.Close())
		}
		out = append(out, b.Column(0).(*array.Int64).Int64Values()...) //nolint:forcetypeassert // by the schema
		b.Release()
	}
}

func get(t *testing.T, c *resultcache.Cache, r resultcache.Request) *resultcache.Answer {
	t.Helper()
	a, err := c.Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func awaitEntries(t *testing.T, c *resultcache.Cache, n int) {
	t.Helper()
	testwait.Until(t, "the entries are kept", func() bool { s := c.Stats(); return s.Entries == n && s.Waiting == 0 })
}

func TestGet_AnswersFromTheEntryUntilItsTimeIsOver(t *testing.T) {
	now := time.Unix(1000, 0)
	var mu sync.Mutex
	c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19, Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	pass := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	var ran atomic.Int64
	r := statement("q", &ran, func() *fakeRows { return &fakeRows{values: []int64{1, 2}} })
	r.TTL = time.Minute
	ask := func(want resultcache.Outcome, age time.Duration, maxAge *time.Duration) {
		t.Helper()
		r := r
		r.MaxAge = maxAge
		a := get(t, c, r)
		if a.Outcome != want || a.Age != age {
			t.Fatalf("%s of age %s, want %s of %s", a.Outcome, a.Age, want, age)
		}
		if got := read(t, a.Rows); len(got) != 2 || got[0] != 1 || got[1] != 2 {
			t.Fatalf("rows %v", got)
		}
		awaitEntries(t, c, 1)
	}
	seconds := func(n int) *time.Duration { return new(time.Duration(n) * time.Second) }
	ask(resultcache.Miss, 0, nil)
	pass(59 * time.Second)
	ask(resultcache.Hit, 59*time.Second, nil)
	ask(resultcache.Hit, 59*time.Second, seconds(59))
	ask(resultcache.Miss, 0, seconds(58)) // and its result replaces the old one
	ask(resultcache.Hit, 0, seconds(58))
	ask(resultcache.Bypass, 0, seconds(0))
	pass(time.Minute)
	ask(resultcache.Miss, 0, nil)
	if ran.Load() != 4 {
		t.Fatalf("%d statements, want 4", ran.Load())
	}
}

func TestGet_StateDecidesWhetherAnEntryCounts(t *testing.T) {
	c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19})
	var ran, table atomic.Int64
	unread := errors.New("the state cannot be read")
	var failing atomic.Bool
	r := resultcache.Request{
		Key: "q", TTL: time.Hour,
		State: func(context.Context) (string, error) {
			if failing.Load() {
				return "", unread
			}
			return strconv.FormatInt(table.Load(), 10), nil
		},
		Open: func(_ context.Context, begin func(resultcache.Beginning)) (executor.Rows, error) {
			ran.Add(1)
			before := table.Load()
			begin(resultcache.Beginning{State: strconv.FormatInt(before, 10)})
			return &fakeRows{values: []int64{before}}, nil
		},
	}
	ask := func(want resultcache.Outcome, value int64) {
		t.Helper()
		a := get(t, c, r)
		if got := read(t, a.Rows); a.Outcome != want || got[0] != value {
			t.Fatalf("%s %v, want %s %d", a.Outcome, got, want, value)
		}
		awaitEntries(t, c, 1)
	}
	ask(resultcache.Miss, 0)
	ask(resultcache.Hit, 0)
	table.Store(1)
	ask(resultcache.Miss, 1)
	failing.Store(true)
	ask(resultcache.Miss, 1)
	failing.Store(false)
	ask(resultcache.Hit, 1)
}

func TestGet_OneStatementForMany(t *testing.T) {
	c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19})
	gate := make(chan struct{})
	var ran atomic.Int64
	r := statement("q", &ran, func() *fakeRows { return &fakeRows{values: []int64{7}, gate: gate} })
	first := get(t, c, r)
	type answer struct {
		a   *resultcache.Answer
		err error
	}
	got := make(chan answer)
	for range 64 {
		go func() {
			a, err := c.Get(t.Context(), r)
			got <- answer{a, err}
		}()
	}
	// The first request leaves, and ends nothing for the others.
	if err := first.Rows.Close(); err != nil {
		t.Fatal(err)
	}
	close(gate)
	for range 64 {
		o := <-got
		if o.err != nil {
			t.Fatal(o.err)
		}
		if rows := read(t, o.a.Rows); len(rows) != 1 || rows[0] != 7 {
			t.Fatalf("rows %v", rows)
		}
	}
	if n := ran.Load(); n > 2 { // a second one where all that waited had not arrived when the first left
		t.Fatalf("%d statements", n)
	}
}

func TestGet_TheLastToLeaveCancelsTheStatement(t *testing.T) {
	c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19})
	ended := make(chan struct{})
	var ran atomic.Int64
	r := statement("q", &ran, func() *fakeRows { return &fakeRows{gate: make(chan struct{}), closed: func() { close(ended) }} })
	first := get(t, c, r)
	ctx, leave := context.WithCancel(t.Context())
	second := make(chan error)
	go func() {
		_, err := c.Get(ctx, r)
		second <- err
	}()
	_ = first.Rows.Close()
	leave()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-ended
	testwait.Until(t, "nothing is held", func() bool { s := c.Stats(); return s.Bytes == 0 && s.Waiting == 0 })
}

func TestGet_ErrorsAreSharedAndNotKept(t *testing.T) {
	broken, own := errors.New("broken"), errors.New("of one request")
	for _, test := range []struct {
		fail       error
		statements int64
	}{{broken, 1}, {own, 2}} {
		c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19, IsOwnError: func(err error) bool { return errors.Is(err, own) }})
		gate := make(chan struct{})
		var ran atomic.Int64
		r := statement("q", &ran, func() *fakeRows { return &fakeRows{values: []int64{1}, gate: gate, fail: test.fail} })
		first := get(t, c, r)
		second := make(chan error)
		go func() {
			a, err := c.Get(t.Context(), r)
			if err == nil {
				_, err = drain(t.Context(), a.Rows)
			}
			second <- err
		}()
		runtime.Gosched()
		testwait.Until(t, "the second request waits or has not asked", func() bool { return ran.Load() == 1 })
		close(gate)
		if _, err := drain(t.Context(), first.Rows); !errors.Is(err, test.fail) {
			t.Fatal(err)
		}
		if err := <-second; !errors.Is(err, test.fail) {
			t.Fatal(err)
		}
		if s := c.Stats(); s.Entries != 0 || s.Bytes != 0 {
			t.Fatalf("an error is kept: %+v", s)
		}
	}
}

func TestGet_TooLargeResultsGoOnFromTheWarehouse(t *testing.T) {
	c := resultcache.New(resultcache.Options{MaxBytes: 8 << 10, EntryBytes: 2 << 10})
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(i)
	}
	gate := make(chan struct{})
	var ran, closed atomic.Int64
	r := statement("q", &ran, func() *fakeRows {
		return &fakeRows{values: append([]int64(nil), values...), gate: gate, closed: func() { closed.Add(1) }}
	})
	first := get(t, c, r)
	second := make(chan []int64)
	go func() {
		a, err := c.Get(t.Context(), r)
		if err != nil {
			t.Error(err)
			second <- nil
			return
		}
		rows, _ := drain(t.Context(), a.Rows)
		second <- rows
	}()
	close(gate)
	for _, got := range [][]int64{read(t, first.Rows), <-second} {
		if len(got) != len(values) {
			t.Fatalf("%d rows of %d", len(got), len(values))
		}
		for i := range got {
			if got[i] != values[i] {
				t.Fatalf("row %d is %d", i, got[i])
			}
		}
	}
	if s := c.Stats(); s.Entries != 0 || s.Bytes != 0 || closed.Load() != ran.Load() {
		t.Fatalf("%+v, %d of %d statements closed", s, closed.Load(), ran.Load())
	}
}

// A costly small result stays, and cheap ones make room for each other.
func TestEviction_KeepsWhatIsExpensiveForItsBytes(t *testing.T) {
	now := time.Unix(0, 0)
	var mu sync.Mutex
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	c := resultcache.New(resultcache.Options{MaxBytes: 4 << 10, EntryBytes: 4 << 10, Now: clock})
	var ran atomic.Int64
	ask := func(key string, took time.Duration) resultcache.Outcome {
		r := statement(key, &ran, func() *fakeRows {
			return &fakeRows{values: []int64{1}, closed: func() { mu.Lock(); defer mu.Unlock(); now = now.Add(took) }}
		})
		r.TTL = 1 << 60
		a := get(t, c, r)
		read(t, a.Rows)
		testwait.Until(t, "the statement has ended", func() bool { return c.Stats().Waiting == 0 })
		return a.Outcome
	}
	ask("expensive", time.Hour)
	for i := range 100 {
		ask("cheap"+strconv.Itoa(i), time.Millisecond)
	}
	if got := ask("expensive", time.Hour); got != resultcache.Hit {
		t.Fatalf("the expensive result is a %s", got)
	}
	if s := c.Stats(); s.Evictions == 0 {
		t.Fatal("nothing was evicted")
	}
}

func TestDrop_ForgetsAScopeAndKeepsItReadable(t *testing.T) {
	c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19})
	var ran atomic.Int64
	r := statement("q", &ran, func() *fakeRows { return &fakeRows{values: []int64{1}} })
	r.Scope = "old"
	read(t, get(t, c, r).Rows)
	awaitEntries(t, c, 1)
	held := get(t, c, r)
	c.Drop(func(scope string) bool { return scope == "old" })
	if s := c.Stats(); s.Entries != 0 || s.Bytes == 0 {
		t.Fatalf("%+v: the entry is gone for others, and its bytes count while it is read", s)
	}
	if got := read(t, held.Rows); len(got) != 1 {
		t.Fatalf("rows %v", got)
	}
	if s := c.Stats(); s.Bytes != 0 {
		t.Fatalf("%d bytes are held", s.Bytes)
	}
}

// panickingRows panic in one of their methods.
type panickingRows struct {
	fakeRows
	in   string
	gate <-chan struct{}
}

func (r *panickingRows) panicIn(method string) {
	if r.in == method {
		<-r.gate
		panic("a defect in " + method)
	}
}

func (r *panickingRows) Schema() *arrow.Schema { r.panicIn("Schema"); return r.fakeRows.Schema() }

func (r *panickingRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if len(r.values) == 0 {
		r.panicIn("Next") // after a batch that has been reserved
	}
	return r.fakeRows.Next(ctx)
}

func (r *panickingRows) Close() error {
	defer r.panicIn("Close")
	return r.fakeRows.Close()
}

func TestGet_PanicIsTheErrorOfAllThatWait(t *testing.T) {
	defect := errors.New("a defect")
	for _, in := range []string{"Open", "Schema", "Next", "Close", "Keep"} {
		passed := t.Run(in, func(t *testing.T) {
			c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19, PanicError: func(any) error { return defect }})
			gate := make(chan struct{})
			var opened, closed atomic.Int64
			r := resultcache.Request{
				Key: "q", TTL: time.Hour,
				Open: func(context.Context, func(resultcache.Beginning)) (executor.Rows, error) {
					opened.Add(1)
					rows := &panickingRows{fakeRows: fakeRows{values: []int64{1}, closed: func() { closed.Add(1) }}, in: in, gate: gate}
					rows.panicIn("Open")
					return rows, nil
				},
				Keep: func() bool {
					if in == "Keep" {
						panic("a defect in Keep")
					}
					return true
				},
			}
			ended := make(chan error, 2)
			for range 2 {
				go func() {
					a, err := c.Get(t.Context(), r)
					if err == nil {
						_, err = drain(t.Context(), a.Rows)
					}
					ended <- err
				}()
			}
			close(gate)
			for range 2 {
				if err := testwait.Receive(t, "the end of a request", ended); !errors.Is(err, defect) {
					t.Errorf("the error is %v", err)
				}
			}
			if s := c.Stats(); s.Entries != 0 || s.Bytes != 0 || s.Waiting != 0 {
				t.Errorf("the cache holds %+v", s)
			}
			if in != "Open" && closed.Load() != opened.Load() {
				t.Errorf("%d of %d statements are closed", closed.Load(), opened.Load())
			}
		})
		if !passed {
			return // requests may hang: the others would too
		}
	}
}

func TestDrop_ReachesStatementsThatRun(t *testing.T) {
	c := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 19})
	gate := make(chan struct{})
	var ran atomic.Int64
	r := statement("q", &ran, func() *fakeRows { return &fakeRows{values: []int64{1}, gate: gate} })
	r.Scope = "old"
	first := get(t, c, r)
	c.Drop(func(scope string) bool { return scope == "old" })
	if s := c.Stats(); s.Waiting != 0 {
		t.Fatalf("requests can join %d statements of the scope", s.Waiting)
	}
	close(gate)
	if rows := read(t, first.Rows); len(rows) != 1 {
		t.Fatalf("the request that waited has the rows %v", rows)
	}
	if s := c.Stats(); s.Entries != 0 || s.Bytes != 0 {
		t.Fatalf("the result of a scope that is gone is kept: %+v", s)
	}
}

// Requests come, wait, read and leave at random. At the end nothing runs and nothing but the entries is held, and at no time are the bytes
// above the bound.
func TestGet_RandomCancellations(t *testing.T) {
	const bound = 16 << 10
	c := resultcache.New(resultcache.Options{MaxBytes: bound, EntryBytes: 4 << 10})
	before := runtime.NumGoroutine()
	var open atomic.Int64
	var wg sync.WaitGroup
	for worker := range 16 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 700 {
				ctx, cancel := context.WithCancel(t.Context())
				n := rnd.IntN(40)
				r := resultcache.Request{
					Key: "q" + strconv.Itoa(n), TTL: time.Hour,
					Open: func(ctx context.Context, begin func(resultcache.Beginning)) (executor.Rows, error) {
						if err := ctx.Err(); err != nil {
							return nil, err
						}
						begin(resultcache.Beginning{})
						open.Add(1)
						return &fakeRows{values: make([]int64, n), closed: func() { open.Add(-1) }}, nil
					},
				}
				if rnd.IntN(3) == 0 {
					r.MaxAge = new(time.Duration(rnd.IntN(2)) * time.Millisecond)
				}
				switch rnd.IntN(3) {
				case 0:
					cancel()
				case 1:
					go func() { runtime.Gosched(); cancel() }()
				}
				if a, err := c.Get(ctx, r); err == nil {
					if rnd.IntN(2) == 0 {
						if rows, err := drain(ctx, a.Rows); err == nil && len(rows) != n {
							t.Errorf("%d rows of %d", len(rows), n)
						}
					}
					_ = a.Rows.Close()
				}
				if held := c.Stats().Bytes; held > bound {
					t.Errorf("%d bytes of %d", held, bound)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	testwait.Until(t, "all statements have ended", func() bool { return c.Stats().Waiting == 0 && runtime.NumGoroutine() <= before })
	testwait.Until(t, "nothing is held", func() bool { // a statement without waiting requests may end late
		c.Drop(func(string) bool { return true })
		s := c.Stats()
		return s.Bytes == 0 && s.Entries == 0 && open.Load() == 0
	})
}
