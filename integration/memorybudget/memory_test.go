//go:build linux

package memorybudget

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"
)

const (
	mostMiB      = 900 // of the process, at any time
	afterMiB     = 300 // of the process, a minute after an attack
	requestLimit = 10 * time.Second
	readyLimit   = time.Second
	settleTime   = time.Minute
)

func TestMemoryBudget_HostileClients(t *testing.T) {
	for _, a := range attacks() {
		t.Run(a.name, func(t *testing.T) {
			if a.long && os.Getenv("SEMLAYER_TEST_LONG") == "" {
				t.Skip("a part of the long form: SEMLAYER_TEST_LONG=1")
			}
			s := serve(t)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			w := watch(ctx, s)
			runAttack(ctx, t, s, a, w)
			settled := time.Now()
			settling, settle := context.WithCancel(ctx)
			sample(settling, 100*time.Millisecond, func() {
				if s.residentMiB() < afterMiB || time.Since(settled) >= w.machine.allow(settleTime) || !s.alive() {
					settle()
				}
			})
			after := s.residentMiB()
			w.stop()
			t.Logf("at most %d MiB, of the group %d MiB with its cache of files; %d MiB after %.0f s; /ready at most %v; the machine took %.1f times the processor time",
				w.most, s.group.peakMiB(), after, time.Since(settled).Seconds(), w.slowest, w.machine.factor())
			switch {
			case !s.alive():
				t.Fatalf("the process has ended\n%s", s.output)
			case w.most > mostMiB:
				t.Errorf("the process had %d MiB, more than %d", w.most, mostMiB)
			case after >= afterMiB:
				t.Errorf("the process has %d MiB a minute later, not less than %d", after, afterMiB)
			}
			rejections := s.rejections(ctx)
			t.Logf("parts of the memory that rejected requests: %v", rejections)
			if a.part != "" && rejections[a.part] == "" {
				t.Errorf("the part %s, which %s fills, rejected nothing", a.part, a.door)
			}
			for _, late := range w.late {
				t.Error(late)
			}
			if got := s.post(ctx, "/v1/query/execute", `{"metrics":["loaves_total"]}`); got.status != http.StatusOK {
				t.Errorf("an ordinary query afterwards: %+v", got)
			}
		})
	}
}

// runAttack runs four clients at once and checks how their requests end.
func runAttack(ctx context.Context, t *testing.T, s *server, a attack, w *watcher) {
	t.Helper()
	var (
		mu    sync.Mutex
		ended int
		all   sync.WaitGroup
		what  = map[string]int{}
	)
	for i := range 4 {
		all.Go(func() {
			a.send(ctx, s, i, func(e ending) {
				mu.Lock()
				defer mu.Unlock()
				ended++
				what[fmt.Sprintf("%.120s", e.what)]++
				if e.err != nil {
					t.Errorf("%s after %v: %v", e.what, e.took, e.err)
				}
				if limit := w.machine.allow(requestLimit); e.took > limit {
					t.Errorf("%.200s after %v, later than %v", e.what, e.took, limit)
				}
			})
		})
	}
	all.Wait()
	for text, n := range what {
		t.Logf("%d times: %s", n, text)
	}
	if ended == 0 {
		t.Error("no request was sent")
	}
}

// watcher looks at a server while it is attacked, and asks what neighbours ask.
type watcher struct {
	machine slowdown
	cancel  context.CancelFunc
	running sync.WaitGroup

	most    int
	slowest time.Duration
	late    []string
}

func watch(ctx context.Context, s *server) *watcher {
	w := &watcher{}
	ctx, w.cancel = context.WithCancel(ctx)
	w.running.Go(func() { w.machine.measure(ctx) })
	w.running.Go(func() {
		sample(ctx, 10*time.Millisecond, func() { w.most = max(w.most, s.residentMiB()) })
	})
	w.running.Go(func() {
		sample(ctx, 50*time.Millisecond, func() {
			begun := time.Now()
			got := s.get(ctx, "/ready")
			took := time.Since(begun)
			if ctx.Err() != nil {
				return
			}
			w.slowest = max(w.slowest, took)
			if limit := w.machine.allow(readyLimit); got.status != http.StatusOK || took > limit {
				w.late = append(w.late, fmt.Sprintf("/ready: %+v after %v, within %v", got, took, limit))
			}
		})
	})
	return w
}

func (w *watcher) stop() {
	w.cancel()
	w.running.Wait()
}

// sample looks at once and then at intervals, until ctx ends.
func sample(ctx context.Context, interval time.Duration, look func()) {
	next := time.NewTicker(interval)
	defer next.Stop()
	for ctx.Err() == nil {
		look()
		select {
		case <-ctx.Done():
		case <-next.C:
		}
	}
}
