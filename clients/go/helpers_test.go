package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	client "github.com/semlayer/semlayer/clients/go"
)

var ctx = context.Background()

// seen is what the server was asked.
type seen struct {
	method, uri, body string
	header            http.Header
}

// serve returns a client of a server that sends the same response to every request.
func serve(t *testing.T, status int, contentType, body string, opts ...client.Option) (*client.Client, *seen) {
	t.Helper()
	asked := &seen{}
	return serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		*asked = seen{r.Method, r.RequestURI, string(text), r.Header}
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("X-Request-Id", "id-1")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}, opts...), asked
}

func serveFunc(t *testing.T, h http.HandlerFunc, opts ...client.Option) *client.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return dial(t, server.URL, opts...)
}

func dial(t *testing.T, url string, opts ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(url, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var revenue = client.MetricQuery{Metrics: []string{"revenue"}}
