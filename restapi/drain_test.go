package restapi_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

func listen(t testing.TB) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

func TestDrain_FinishesBegunRequests(t *testing.T) {
	const inFlight = 20
	var begun sync.WaitGroup
	begun.Add(inFlight)
	release := make(chan struct{})
	s := serve(t, fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
		begun.Done()
		<-release
		return &engine.Result{Columns: []string{}, Rows: []byte("[]")}, nil
	}}, restapi.Config{DrainGrace: 200 * time.Millisecond})
	ln := listen(t)
	base := "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()

	statuses := make(chan int, inFlight)
	for range inFlight {
		go func() {
			got, err := http.Post(base+"/v1/query/execute", "application/json", strings.NewReader(aQuery))
			if err != nil {
				t.Error(err)
				statuses <- 0
				return
			}
			_, _ = io.Copy(io.Discard, got.Body)
			_ = got.Body.Close()
			statuses <- got.StatusCode
		}()
	}
	begun.Wait()
	stop()
	testwait.Until(t, "/ready reports that it drains", func() bool { return do(t, s, request("GET", "/ready", "")).status == 503 })
	testwait.Until(t, "no new connection is taken", func() bool {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	close(release)
	for range inFlight {
		if got := <-statuses; got != 200 {
			t.Errorf("a request in flight ended with %d", got)
		}
	}
	if err := testwait.Receive(t, "the end of Serve", ended); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func get(t *testing.T, url string) int {
	t.Helper()
	got, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return 0
	}
	_ = got.Body.Close()
	return got.StatusCode
}

func TestDrain_IdleConnectionDoesNotDelay(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	ln := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	if got := get(t, "http://"+ln.Addr().String()+"/health"); got != 200 {
		t.Fatalf("status %d", got)
	}
	stop() // the default client keeps its connection open
	if err := testwait.Receive(t, "the end of Serve beside an idle connection", ended); err != nil {
		t.Error(err)
	}
}

func TestServe_ReportsClosedListener(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	ln := listen(t)
	_ = ln.Close()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), ln) }()
	_ = testwait.Receive(t, "the end of Serve on a closed listener", done)
}

// A server that is stopped while it starts ends: the HTTP library may begin to serve a listener only after it was shut down.
func TestDrain_OfAServerThatHasJustBegun(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for range 50 {
		s := serve(t, fake{}, restapi.Config{})
		ended := make(chan error, 1)
		go func() { ended <- s.ServeListeners(stopped, []net.Listener{listen(t), listen(t)}) }()
		if err := testwait.Receive(t, "the end of the server", ended); err != nil {
			t.Fatal(err)
		}
	}
}
