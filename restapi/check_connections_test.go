package restapi_test

import (
	"context"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// checking is a service that counts how often its warehouses are asked.
type checking struct {
	fake
	asked *int
}

func (c checking) CheckConnections(context.Context) ([]engine.ConnectionStatus, error) {
	*c.asked++
	return []engine.ConnectionStatus{{ConnectionInfo: engine.ConnectionInfo{Name: "w", Dialect: "postgres", Available: true}, Error: "connection"}}, nil
}

func TestConnections_AreAskedOnRequestAlone(t *testing.T) {
	for _, c := range []struct {
		path     string
		disabled bool
		status   int
		body     string
		asked    int
	}{
		{"/v1/connections", false, 200, `[]`, 0},
		{"/v1/connections?check=false", false, 200, `[]`, 0},
		{"/v1/connections?check=true", false, 200, `[{"name":"w","dialect":"postgres","available":true,"reachable":false,"latency_ms":0,"error":"connection"}]`, 1},
		{"/v1/connections?check=yes", false, 400, `{"error":{"code":"bad_request","message":"check must be true or false"}}`, 0},
		{"/v1/connections?check=true", true, 403, `{"error":{"code":"forbidden","message":"this server compiles queries and does not execute them"}}`, 0},
		{"/v1/connections", true, 200, `[]`, 0},
	} {
		asked := 0
		got := do(t, serve(t, checking{asked: &asked}, restapi.Config{DisableExecute: c.disabled}), request("GET", c.path, ""))
		if got.status != c.status || got.body != c.body || asked != c.asked {
			t.Errorf("%s: %d %s, asked %d times", c.path, got.status, got.body, asked)
		}
	}
}
