package remote_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/semlayer/semlayer/executor/internal/remote"
)

// script answers each request with the next status; the last one stays.
type script struct {
	statuses   []int
	retryAfter string
	requests   int
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	status := s.statuses[min(s.requests, len(s.statuses)-1)]
	s.requests++
	h := http.Header{"Location": {"https://elsewhere.example/"}}
	if s.retryAfter != "" {
		h.Set("Retry-After", s.retryAfter)
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader("body")), Request: r}, nil
}

func get(ctx context.Context) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, http.MethodGet, "https://warehouse.example/", http.NoBody)
}

func TestRetry_RepeatsWhileRejected(t *testing.T) {
	for _, tt := range []struct {
		name     string
		script   script
		status   int // 0 for success
		requests int
		took     time.Duration
	}{
		{"accepted at once", script{statuses: []int{200}}, 0, 1, 0},
		{"created", script{statuses: []int{202}}, 0, 1, 0},
		{"accepted at the third", script{statuses: []int{503, 429, 200}}, 0, 3, 150 * time.Millisecond},
		{"told when to come back", script{statuses: []int{429, 200}, retryAfter: "3"}, 0, 2, 3 * time.Second},
		{"told to come back tomorrow", script{statuses: []int{503}, retryAfter: "86400"}, 503, 2, 20 * time.Second},
		{"refused", script{statuses: []int{403}}, 403, 1, 0},
		{"sent elsewhere", script{statuses: []int{302}}, 302, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				response, err := remote.DoWithRetries(t.Context(), remote.NewClientWithoutRedirects(&tt.script), get)
				if err == nil {
					_ = response.Body.Close()
				}
				var status *remote.FailedResponse
				if got := errors.As(err, &status); got != (tt.status != 0) || got && status.Code != tt.status {
					t.Errorf("error %v, want status %d", err, tt.status)
				}
				if status != nil && string(status.Body) != "body" {
					t.Errorf("body %q", status.Body)
				}
				if took := time.Since(began); tt.script.requests != tt.requests || took != tt.took {
					t.Errorf("%d requests in %v, want %d in %v", tt.script.requests, took, tt.requests, tt.took)
				}
			})
		})
	}
}

func TestRetry_GivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, s := time.Now(), script{statuses: []int{503}}
		_, err := remote.DoWithRetries(t.Context(), remote.NewClientWithoutRedirects(&s), get)
		var status *remote.FailedResponse
		if !errors.As(err, &status) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took < 15*time.Second || took > 25*time.Second {
			t.Errorf("gave up after %v", took)
		}
	})
}

func TestRetry_ContextEndsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began, s := time.Now(), script{statuses: []int{503}, retryAfter: "10"}
		_, err := remote.DoWithRetries(ctx, remote.NewClientWithoutRedirects(&s), get)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
