package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const arrowType = "application/vnd.apache.arrow.stream"

func twoBatches(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("internal/ipc/testdata/two_batches.arrows")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestArrow_PassesStreamAndMetadata(t *testing.T) {
	body := twoBatches(t)
	server, asked := serve(t, 200, arrowType, body)
	s, err := server.ExecuteArrow(ctx, revenue)
	if err != nil {
		t.Fatal(err)
	}
	if asked.header.Get("Accept") != arrowType || asked.uri != "/v1/query/execute" || asked.body != `{"metrics":["revenue"]}` {
		t.Errorf("%+v", asked)
	}
	if d := cmp.Diff([]string{"duckdb", "SELECT é"}, []string{s.Dialect, s.SQL}); d != "" {
		t.Error(d)
	}
	got, err := io.ReadAll(s)
	if err != nil || string(got) != body {
		t.Errorf("%d bytes of %d, %v", len(got), len(body), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s, err = server.SelectExecuteArrow(ctx, detail())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if asked.uri != "/v1/select/execute" || asked.body != detailBody {
		t.Errorf("%+v", asked)
	}
}

// The last batch ends with the bytes of the end-of-stream marker: without its
// last eight bytes the stream still looks complete to someone who reads only
// those.
func TestArrow_MissingEndIsUnexpectedEOF(t *testing.T) {
	t.Run("a stream that lost its end-of-stream marker fails with io.ErrUnexpectedEOF", func(t *testing.T) {
		body := twoBatches(t)
		cut := body[:len(body)-8]
		if !strings.HasSuffix(cut, "\xff\xff\xff\xff\x00\x00\x00\x00") {
			t.Fatal("the testdata lost its point")
		}
		server, _ := serve(t, 200, arrowType, cut)
		s, err := server.ExecuteArrow(ctx, revenue)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		got, err := io.ReadAll(s)
		wantIs(t, "the end", err, io.ErrUnexpectedEOF)
		if string(got) != cut {
			t.Errorf("%d bytes of %d", len(got), len(cut))
		}
	})
}

func TestArrow_OtherContentRejected(t *testing.T) {
	t.Run("a response that is not an Arrow stream is an error", func(t *testing.T) {
		server, _ := serve(t, 200, "application/json", `{"columns":[],"rows":[],"row_count":0}`)
		if e := refusal(t, second(server.ExecuteArrow(ctx, revenue))); e.HTTPStatus != 200 || e.Code != "" {
			t.Errorf("%+v", e)
		}
		server, _ = serve(t, 200, arrowType, "")
		wantIs(t, "an empty body", second(server.ExecuteArrow(ctx, revenue)), io.ErrUnexpectedEOF)
		server, _ = serve(t, 200, arrowType, "ARROW1\x00\x00 a file and not a stream")
		if _, err := server.ExecuteArrow(ctx, revenue); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	})
}

func TestArrow_ContextEndsStream(t *testing.T) {
	body := twoBatches(t)
	body = body[:len(body)-20] // inside a batch
	server := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", arrowType)
		_, _ = io.WriteString(w, body)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	short, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := server.ExecuteArrow(short, revenue)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := io.ReadFull(s, make([]byte, len(body))); err != nil {
		t.Fatal(err)
	}
	cancel()
	_, err = s.Read(make([]byte, 100))
	wantIs(t, "Read", err, context.Canceled)
}
