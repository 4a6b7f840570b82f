package remote

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const (
	connectTimeout = 10 * time.Second
	firstRetryWait = 50 * time.Millisecond
	maxRetryWait   = 2 * time.Second
	// maxTotalRetryWait bounds all waits for one response together.
	maxTotalRetryWait = 20 * time.Second
	maxErrorBodyBytes = 64 << 10
)

// FailedResponse is a response without success.
type FailedResponse struct {
	Code int
	Body []byte // the beginning of it
}

// Error returns the number alone: the format of the body depends on the service.
func (s *FailedResponse) Error() string { return "HTTP status " + strconv.Itoa(s.Code) }

// NewTransport returns a transport for a warehouse: its own connections, the environment's
// proxies, a bound on connecting. The settings of TLS are nil for those of the system. It does not follow redirects, which would carry
// credentials elsewhere; see NewClientWithoutRedirects.
func NewTransport(connections int, secure *tls.Config) *http.Transport {
	dialer := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}
	if secure == nil {
		secure = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: connectTimeout,
		TLSClientConfig:     secure,
	}
}

// NewClientWithoutRedirects makes requests by the transport and hands redirects to its caller.
func NewClientWithoutRedirects(t http.RoundTripper) *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// retryStatuses lists the status codes of gateways and quotas that ask the client to wait.
var retryStatuses = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// DoWithRetries makes a request until it is not turned away, each time a new one by build.
// The body of the response, whose status is 2xx, is closed by the caller.
func DoWithRetries(ctx context.Context, c *http.Client, build func(context.Context) (*http.Request, error)) (*http.Response, error) {
	wait, waited := firstRetryWait, time.Duration(0)
	for {
		request, err := build(ctx)
		if err != nil {
			return nil, err
		}
		response, err := c.Do(request)
		if err != nil {
			return nil, err
		}
		if response.StatusCode/100 == 2 {
			return response, nil
		}
		failure := newFailedResponse(response)
		if !slices.Contains(retryStatuses, failure.Code) || waited >= maxTotalRetryWait {
			return nil, failure
		}
		wait = max(wait, parseRetryAfter(response))
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("%w while waiting after %w", ctx.Err(), failure)
		}
		waited += wait
		wait = min(2*wait, maxRetryWait)
	}
}

func newFailedResponse(r *http.Response) *FailedResponse {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxErrorBodyBytes))
	_ = r.Body.Close()
	return &FailedResponse{r.StatusCode, body}
}

// parseRetryAfter reads seconds. Longer ones than a caller would wait are cut.
func parseRetryAfter(r *http.Response) time.Duration {
	n, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil || n < 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, maxTotalRetryWait)
}
