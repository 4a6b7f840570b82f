package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/executortest"
)

func TestConnectionError_HasItsClassInTheResponseAndItsCauseInTheLog(t *testing.T) {
	s := executortest.NewUntrustedTLSServer(t, func(c net.Conn) error {
		if _, err := io.ReadFull(c, make([]byte, 8)); err != nil { // an SSLRequest
			return err
		}
		_, err := c.Write([]byte("S"))
		return err
	})
	var log bytes.Buffer
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(numbers), Logger: slog.New(slog.NewTextHandler(&log, nil)),
		ConnectionsPath: file(t, fmt.Sprintf("datasources:\n  pg: {type: postgres, host: 127.0.0.1, port: %d, username: u, password: hunter2, sslmode: verify-full}\n", s.Port)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	for range 3 {
		_, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["total"],"connection":"pg"}`))
		if err == nil || !strings.Contains(err.Error(), "its authority is unknown") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Fatalf("got %v", err)
		}
	}
	text := log.String()
	if !strings.Contains(text, "connection=pg") || !strings.Contains(text, "certificate signed by unknown authority") {
		t.Errorf("the log has no cause: %s", text)
	}
	if strings.Contains(text, "hunter2") || strings.Count(text, "a connection failed") > 2 {
		t.Errorf("the log has a secret or a line for each failure: %s", text)
	}
}
