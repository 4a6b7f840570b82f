package restapi_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// long returns more rows than the buffers between a server and a client that does not read
// can hold; endless returns none.
const long = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT i, repeat('x', 200) AS text FROM range(300000) AS t(i)
    fields:
      - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
      - {name: text, expression: {dialects: [{dialect: ANSI_SQL, expression: text}]}}
  - name: b
    source: SELECT hash(i) AS h FROM range(1000000000000) AS t(i)
    fields:
      - {name: h, expression: {dialects: [{dialect: ANSI_SQL, expression: h}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.i)}]}}
  - {name: endless, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT b.h % 10)}]}}
`

const longQuery = `{"metrics":["total"],"group_by":[{"field":"a.i"},{"field":"a.text"}]}`

func single(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), ModelText: []byte(long), MaxExecutions: 1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if err := e.OpenEmbedded(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestArrow_UnreadStreamHoldsSlot(t *testing.T) {
	eachForm(t, testArrowUnreadStreamHoldsSlot)
}

func testArrowUnreadStreamHoldsSlot(t *testing.T, live form) {
	e := single(t)
	base := live(t, serve(t, e, restapi.Config{}))
	got := posted(t, base, longQuery)
	if got.StatusCode != 200 {
		t.Fatalf("status %d", got.StatusCode)
	}
	for _, accept := range []string{arrowType, "application/json"} {
		r := request("POST", base+"/v1/query/execute", longQuery, "Accept", accept)
		r.RequestURI = ""
		refused := send(t, r)
		if refused.status != 429 || envelope(t, refused.body).Code != "busy" || refused.header.Get("Retry-After") != "1" {
			t.Errorf("%s beside the stream: %d %s", accept, refused.status, refused.body)
		}
	}
	if stream := decode(t, got.Body); len(stream.Rows) != 300000 {
		t.Errorf("%d rows", len(stream.Rows))
	}
	if _, err := io.Copy(io.Discard, got.Body); err != nil {
		t.Errorf("the body ends with %v", err)
	}
	if n := e.RunningExecutions(); n != 0 {
		t.Errorf("%d slots are held after the end of the body", n)
	}
}

func TestArrow_DisconnectFreesSlot(t *testing.T) {
	eachForm(t, testArrowDisconnectFreesSlot)
}

func testArrowDisconnectFreesSlot(t *testing.T, live form) {
	e := single(t)
	var log testwait.Log
	base := live(t, logged(t, e, &log))
	got := posted(t, base, longQuery)
	if e.RunningExecutions() != 1 {
		t.Fatal("the stream is over already")
	}
	_ = got.Body.Close() // unread: the connection is closed
	testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
	testwait.Until(t, "the log tells", func() bool { return strings.Contains(log.String(), `code=client_gone end="the client went away"`) })
	if strings.Contains(log.String(), "level=WARN") {
		t.Errorf("a warning: %s", log.String())
	}
}

func TestArrow_BudgetEndsBeforeFirstByte(t *testing.T) {
	eachForm(t, testArrowBudgetEndsBeforeFirstByte)
}

func testArrowBudgetEndsBeforeFirstByte(t *testing.T, live form) {
	e := single(t)
	base := live(t, serve(t, e, restapi.Config{ExecuteTimeout: 300 * time.Millisecond}))
	got := posted(t, base, `{"metrics":["endless"]}`)
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got.StatusCode != 504 || envelope(t, string(body)).Code != "timeout" || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %s", got.StatusCode, body)
	}
	testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
}

func TestArrow_StreamOutlivesBudget(t *testing.T) { eachForm(t, testArrowStreamOutlivesBudget) }

func testArrowStreamOutlivesBudget(t *testing.T, live form) {
	const budget = 3 * time.Second // a busy machine sends the first batch within it
	source := &batches{left: 3, after: func() error {
		over := time.NewTimer(budget)
		defer over.Stop()
		<-over.C
		return io.EOF
	}}
	base := live(t, serve(t, streaming(source), restapi.Config{ExecuteTimeout: budget}))
	body, err := io.ReadAll(posted(t, base, aQuery).Body)
	if err != nil || !strings.HasSuffix(string(body), endMarker) {
		t.Errorf("%d bytes, error %v", len(body), err)
	}
}

// silenced are rows whose warehouse gives nothing more, until the call is abandoned.
type silenced struct{ batches }

func (s *silenced) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if s.left > 0 {
		return s.batches.Next(ctx)
	}
	<-ctx.Done()
	return nil, &engine.ExecuteError{Code: "timeout", Message: "given up"}
}

func TestArrow_SilentWarehouseEndsStream(t *testing.T) {
	eachForm(t, testArrowSilentWarehouseEndsStream)
}

func testArrowSilentWarehouseEndsStream(t *testing.T, live form) {
	const stall = time.Second
	source := &silenced{batches{left: 3, after: ends}}
	var log testwait.Log
	server, err := restapi.New(streaming(source), restapi.Config{StallTimeout: stall, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	got := posted(t, live(t, server), aQuery)
	body, err := io.ReadAll(got.Body)
	if got.StatusCode != 200 || err == nil || strings.HasSuffix(string(body), endMarker) {
		t.Errorf("%d, %d bytes, error %v: want a body that is cut off", got.StatusCode, len(body), err)
	}
	if took := time.Since(begun); took < stall {
		t.Errorf("cut off after %s", took)
	}
	testwait.Until(t, "the rows are closed", source.closed.Load)
	testwait.Until(t, "the log tells", func() bool {
		return strings.Contains(log.String(), "cut off") && strings.Contains(log.String(), "timeout")
	})
}

func TestArrow_StreamEndsAtItsAge(t *testing.T) { eachForm(t, testArrowStreamEndsAtItsAge) }

func testArrowStreamEndsAtItsAge(t *testing.T, live form) {
	source := &silenced{batches{left: 3, after: ends}}
	var log testwait.Log
	server, err := restapi.New(streaming(source), restapi.Config{StreamTimeout: 200 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	got := posted(t, live(t, server), aQuery)
	body, err := io.ReadAll(got.Body)
	if got.StatusCode != 200 || err == nil || strings.HasSuffix(string(body), endMarker) {
		t.Errorf("%d, %d bytes, error %v: want a body that is cut off", got.StatusCode, len(body), err)
	}
	testwait.Until(t, "the rows are closed", source.closed.Load)
	testwait.Until(t, "the log tells", func() bool {
		return strings.Contains(log.String(), "code=timeout") && strings.Contains(log.String(), "cut off")
	})
}

func TestArrow_LateStreamIsClosed(t *testing.T) {
	source := &batches{left: 3, after: ends}
	late := make(chan struct{})
	s := streamer{open: func(context.Context) (*engine.Stream, error) {
		<-late
		return engine.NewStream(context.Background(), "duckdb", "SELECT 1", source)
	}}
	got := do(t, serve(t, s, restapi.Config{ExecuteTimeout: 20 * time.Millisecond}), request("POST", "/v1/query/execute", aQuery, "Accept", arrowType))
	if got.status != 504 {
		t.Errorf("%d %s", got.status, got.body)
	}
	close(late)
	testwait.Until(t, "the rows are closed", source.closed.Load)
}

func TestDrain_WaitsForStreams(t *testing.T) {
	release := make(chan struct{})
	source := &batches{left: 3, after: func() error { <-release; return io.EOF }}
	s := serve(t, streaming(source), restapi.Config{})
	ln := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	got := posted(t, "http://"+ln.Addr().String(), aQuery)
	stop()
	testwait.Until(t, "no new connection is taken", func() bool {
		other := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		again, err := other.Get("http://" + ln.Addr().String() + "/health")
		if err == nil {
			_ = again.Body.Close()
		}
		return err != nil
	})
	testwait.ExpectNothing(t, "Serve returns before the stream ends", ended)
	close(release)
	body, err := io.ReadAll(got.Body)
	if err != nil || !strings.HasSuffix(string(body), endMarker) {
		t.Errorf("%d bytes, error %v", len(body), err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
