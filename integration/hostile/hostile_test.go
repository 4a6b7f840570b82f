//go:build linux

package hostile

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
)

const (
	openFiles = 512
	// goMemory is what Go may take, and keeps, in MiB.
	goMemory = 256
	// idle is the CPU that a server without work may take of a second.
	idle = 300 * time.Millisecond
)

// attack is one way to harm a server.
type attack struct {
	name string
	// model changes the text of the model; nil leaves it.
	model func(string) string
	flags []string
	run   func(context.Context, *testing.T, *server)
	// most is the resident memory that it may take, in MiB, and within the time until
	// every response is there.
	most   int
	within time.Duration
	// computes is true if a native function continues after the responses: one that the author of
	// a model wrote, and that nothing but the end of the process ends.
	computes bool
}

func TestServer_SurvivesHostileClientsAndModels(t *testing.T) {
	survived, bounded, free := 0, 0, 0
	for _, a := range attacks {
		t.Run(strings.ReplaceAll(a.name, " ", "_"), func(t *testing.T) {
			s := serve(t, a)
			checkOrdinaryQuery(t, s)
			files, before := s.files(), s.resident()
			if files == 0 || before == 0 || s.cpuTime() == 0 {
				t.Fatalf("%d files, %d MiB, %s of the processor: the process is not measured", files, before, s.cpuTime())
			}
			peak := s.watch(t)
			began := time.Now()
			a.run(t.Context(), t, s)
			took := time.Since(began)
			if s.alive() {
				survived++
			} else {
				t.Fatalf("the process ended\n%s", s.output)
			}
			client.CloseIdleConnections()
			if s.waitUntil(t, func() bool { return s.slots(t.Context()) == 0 }) {
				free++
			} else {
				t.Errorf("%d slots are taken", s.slots(t.Context()))
			}
			checkOrdinaryQuery(t, s)
			client.CloseIdleConnections()
			within := took <= a.within && int(peak.Load()) <= a.most
			within = s.waitUntil(t, func() bool { return s.files() <= files+16 }) && within
			if !a.computes {
				within = s.waitUntil(t, s.isIdle) && within
				within = s.waitUntil(t, func() bool { return s.resident() <= before+goMemory }) && within
			}
			if within {
				bounded++
			} else {
				t.Errorf("took %s of %s; %d MiB of %d, %d before, %d after; %d files before, %d after; idle %v",
					took, a.within, peak.Load(), a.most, before, s.resident(), files, s.files(), s.isIdle())
			}
		})
	}
	t.Attr("attacks", strconv.Itoa(len(attacks)))
	t.Attr("ended", strconv.Itoa(len(attacks)-survived))
	t.Attr("beyond-bounds", strconv.Itoa(len(attacks)-bounded))
	t.Attr("slots-kept", strconv.Itoa(len(attacks)-free))
}

// checkOrdinaryQuery sends an ordinary query.
func checkOrdinaryQuery(t *testing.T, s *server) {
	t.Helper()
	if got := s.execute(t.Context(), `{"metrics":["order_count"]}`); got.status != http.StatusOK || !strings.Contains(got.body, `"row_count":1`) {
		t.Errorf("an ordinary query: %d %.300s", got.status, got.body)
	}
}

// watch keeps the highest resident memory, until the test ends.
func (s *server) watch(t *testing.T) *atomic.Int64 {
	peak := &atomic.Int64{}
	go func() {
		look := time.NewTicker(10 * time.Millisecond)
		defer look.Stop()
		for t.Context().Err() == nil {
			peak.Store(max(peak.Load(), int64(s.resident())))
			<-look.C
		}
	}()
	return peak
}

// waitUntil waits until something holds.
func (s *server) waitUntil(t *testing.T, holds func() bool) bool {
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for until := time.Now().Add(testwait.Deadline); time.Now().Before(until) && t.Context().Err() == nil; <-look.C {
		if holds() {
			return true
		}
	}
	return false
}

// isIdle reports whether the process computes next to nothing for a second.
func (s *server) isIdle() bool {
	before, second := s.cpuTime(), time.NewTimer(time.Second)
	defer second.Stop()
	<-second.C
	return s.cpuTime()-before <= idle
}
