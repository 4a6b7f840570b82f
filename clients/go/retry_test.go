package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	client "github.com/semlayer/semlayer/clients/go"
)

// busy rejects a number of requests and then answers.
type busy struct {
	refusals   int
	retryAfter string
	page       bool // the error response is a proxy's
	bodies     []string
}

func (b *busy) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	b.bodies = append(b.bodies, string(text))
	res := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(`{"plan":"P"}`))}
	if len(b.bodies) <= b.refusals {
		res.StatusCode = 429
		if b.retryAfter != "" {
			res.Header.Set("Retry-After", b.retryAfter)
		}
		res.Body = io.NopCloser(strings.NewReader(`{"error":{"code":"busy","message":"m"}}`))
		if b.page {
			res.Header.Set("Content-Type", "text/html")
			res.Body = io.NopCloser(strings.NewReader("slow down"))
		}
	}
	return res, nil
}

func (b *busy) client(t *testing.T, opts ...client.Option) *client.Client {
	return dial(t, "http://server", append(opts, client.WithHTTPClient(&http.Client{Transport: b}))...)
}

func TestRetry_WaitsForRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name     string
		server   busy
		least    time.Duration // waited in all; at most a quarter more
		requests int
	}{
		{"at once", busy{}, 0, 1},
		{"after its seconds", busy{refusals: 1, retryAfter: "4"}, 4 * time.Second, 2},
		{"three times", busy{refusals: 3, retryAfter: "2"}, 6 * time.Second, 4},
		{"without a wait", busy{refusals: 1, retryAfter: "0"}, 0, 2},
		{"after a second where it does not say", busy{refusals: 1}, time.Second, 2},
		{"after a second where it is not understood", busy{refusals: 1, retryAfter: "soon"}, time.Second, 2},
		{"at a date", busy{refusals: 1, retryAfter: "Sat, 01 Jan 2000 00:00:08 GMT"}, 8 * time.Second, 2},
		{"at a date that has passed", busy{refusals: 1, retryAfter: "Fri, 31 Dec 1999 00:00:00 GMT"}, 0, 2},
		{"behind a proxy", busy{refusals: 1, retryAfter: "1", page: true}, time.Second, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // time starts at 2000-01-01
				start := time.Now()
				if _, err := c.server.client(t).Explain(ctx, revenue); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took < c.least || took > c.least+c.least/4 {
					t.Errorf("waited %s, not %s", took, c.least)
				}
				if len(c.server.bodies) != c.requests {
					t.Errorf("%d requests", len(c.server.bodies))
				}
				for _, body := range c.server.bodies {
					if body != `{"metrics":["revenue"]}` {
						t.Errorf("asked %s", body)
					}
				}
			})
		})
	}
}

func TestRetry_GivesUpOnBusyServer(t *testing.T) {
	for _, c := range []struct {
		name     string
		server   busy
		opts     []client.Option
		deadline time.Duration
		requests int
	}{
		{"after the default of retries", busy{retryAfter: "1"}, nil, time.Hour, 4},
		{"after as many retries as are allowed", busy{retryAfter: "1"}, []client.Option{client.WithMaxRetries(1)}, time.Hour, 2},
		{"at once without retries", busy{retryAfter: "1"}, []client.Option{client.WithMaxRetries(0)}, time.Hour, 1},
		{"at once where the wait is too long", busy{retryAfter: "31"}, nil, time.Hour, 1},
		{"at once where the time would not do", busy{retryAfter: "2"}, nil, time.Second, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.server.refusals = 1000
				short, cancel := context.WithTimeout(ctx, c.deadline)
				defer cancel()
				_, err := c.server.client(t, c.opts...).Explain(short, revenue)
				e := refusal(t, err)
				if e.Code != "busy" || e.HTTPStatus != 429 || fmt.Sprint(e.RetryAfter.Seconds()) != c.server.retryAfter {
					t.Errorf("%+v", e)
				}
				if len(c.server.bodies) != c.requests {
					t.Errorf("%d requests", len(c.server.bodies))
				}
			})
		})
	}
}

func TestRetry_WaitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := busy{refusals: 1000, retryAfter: "20"}
		short, cancel := context.WithCancel(ctx)
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := server.client(t).Explain(short, revenue)
		wantIs(t, "Explain", err, context.Canceled)
		if e := refusal(t, err); e.Code != "busy" {
			t.Error(e)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("waited %s", took)
		}
	})
}

func TestRetry_OnlyBusyRepeated(t *testing.T) {
	t.Run("only a busy response repeats a request", func(t *testing.T) {
		for _, status := range []int{400, 500, 502, 503, 504} {
			requests := 0
			server := serveFunc(t, func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(status)
			})
			if _, err := server.Explain(ctx, revenue); err == nil || requests != 1 {
				t.Errorf("%d: %d requests, %v", status, requests, err)
			}
		}
	})
}
