package restapi_test

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
)

func TestShutdown_IsLogged(t *testing.T) {
	var log testwait.Log
	begun, release := make(chan struct{}), make(chan struct{})
	s := logged(t, fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
		close(begun)
		<-release
		return &engine.Result{Columns: []string{}, Rows: []byte("[]")}, nil
	}}, &log)
	ln := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	answered := make(chan int, 1)
	go func() {
		got, err := http.Post("http://"+ln.Addr().String()+"/v1/query/execute", "application/json", strings.NewReader(aQuery))
		if err != nil {
			t.Error(err)
			answered <- 0
			return
		}
		_ = got.Body.Close()
		answered <- got.StatusCode
	}()
	<-begun
	stop()
	testwait.Until(t, "the log says that the server stops", func() bool {
		return strings.Contains(log.String(), `msg="stopping: requests in flight may finish" in_flight=1`)
	})
	if strings.Contains(log.String(), "msg=stopped") {
		t.Error("stopped before the request was answered")
	}
	close(release)
	if status := <-answered; status != 200 {
		t.Errorf("status %d", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "level=INFO msg=stopped took_ms=") {
		t.Error(log.String())
	}
}

// A client that asks in a loop must not fill the log.
func TestBusyLines_AreSampled(t *testing.T) {
	var log testwait.Log
	s := logged(t, failing(&engine.BusyError{Code: engine.CodeBusy, Message: "m"}), &log)
	const asked = 500
	for range asked {
		if got := do(t, s, request("POST", "/v1/query/execute", aQuery)); got.status != 429 {
			t.Fatal(got.status, got.body)
		}
	}
	lines := strings.Count(log.String(), "code=busy")
	if lines < 1 || lines > asked/5 {
		t.Fatalf("%d lines for %d requests", lines, asked)
	}
	counted := lines
	for _, m := range regexp.MustCompile(`omitted=(\d+)`).FindAllStringSubmatch(log.String(), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		counted += n
	}
	if counted > asked {
		t.Errorf("%d lines and omitted ones of %d", counted, asked)
	}
	if got := scrape(t, s); value(got, "semlayer_http_requests_total", "code", "busy") != asked {
		t.Error("requests without a line are not counted")
	}
	do(t, s, request("POST", "/v1/query/compile", `{`))
	testwait.Until(t, "other errors have their lines", func() bool { return strings.Contains(log.String(), "code=bad_request") })
}
