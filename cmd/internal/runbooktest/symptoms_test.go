package runbooktest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

const token = "0123456789abcdef"

// symptoms produce what the sections of the runbook are about.
var symptoms = map[string]func(*testing.T) evidence{
	"A server does not start": func(t *testing.T) evidence {
		path := write(t, filepath.Join(t.TempDir(), "shop.yaml"), strings.Replace(model("SUM(orders.amount)"), "name: returned", "name: revenue", 1))
		output := new(testwait.Log)
		args := []string{"serve", "--model", path, "--bind", "127.0.0.1:0", "--log-format", "json"}
		if code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: output, Err: output}, "v0.0.0-test"); code != 1 {
			t.Errorf("the server ended with %d", code)
		}
		return evidence{output.String, func() string { return "" }}
	},
	"Requests fail": func(t *testing.T) evidence {
		s := serve(t, "--model", modelFile(t))
		s.ask("/v1/query/execute", `{"metrics":["returned"]}`)
		return s.evidence()
	},
	"A warehouse is down": func(t *testing.T) evidence {
		ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = ln.Close() // now nothing listens there
		s := serve(t, "--model", modelFile(t), "--connections", profile(t, ln.Addr().String(), "secret"))
		s.ask("/v1/query/execute", revenue)
		return s.evidence()
	},
	"A warehouse rejects the credentials": func(t *testing.T) evidence {
		// The PostgreSQL port of another server is the warehouse.
		warehouse := serve(t, "--model", modelFile(t), "--auth-token", token, "--pg-bind", "127.0.0.1:0")
		s := serve(t, "--model", modelFile(t), "--connections", profile(t, warehouse.postgresAddress(), "an-old-password"))
		s.ask("/v1/query/execute", revenue)
		return s.evidence()
	},
	"Queries are slow": func(t *testing.T) evidence {
		s := serve(t, "--model", modelFile(t), "--connections", profile(t, listenSilently(t).address, "secret"), "--execute-timeout-secs", "1")
		s.ask("/v1/query/execute", revenue)
		return s.evidence()
	},
	"Requests get busy": func(t *testing.T) evidence {
		warehouse := listenSilently(t)
		s := serve(t, "--model", modelFile(t), "--connections", profile(t, warehouse.address, "secret"), "--max-concurrent-executions", "1")
		warehouse.occupy(t, s, 1)
		if status := s.ask("/v1/query/execute", revenue); status != http.StatusTooManyRequests {
			t.Errorf("the second request got %d", status)
		}
		return s.evidence()
	},
	"Clients cannot connect": func(t *testing.T) evidence {
		warehouse := listenSilently(t)
		s := serve(t, "--model", modelFile(t), "--connections", profile(t, warehouse.address, "secret"), "--max-connections", "2")
		free := warehouse.occupy(t, s, 2)
		third, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(third); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 429 ") {
			t.Errorf("the third connection got %q %v", got, err)
		}
		_ = third.Close()
		free()
		rejected := regexp.MustCompile(`(?m)^semlayer_http_connections_closed_total\{state="new"\} [1-9]`)
		testwait.Until(t, "the rejected connection is counted", func() bool { return rejected.MatchString(s.metrics()) })
		return s.evidence()
	},
	"Requests get memory_limit": func(t *testing.T) evidence {
		s := serve(t, "--model", modelFile(t), "--memory-mib", "256", "--max-body-bytes", "67108864")
		s.ask("/v1/query/compile", `{"metrics":["`+strings.Repeat("x", 20<<20)+`"]}`)
		return s.evidence()
	},
	"Log lines are missing": func(t *testing.T) evidence {
		output, errs := new(testwait.Log), new(endingReader)
		errs.to = output
		s := serveTo(t, output, errs, "--model", modelFile(t))
		errs.ended.Store(true)
		s.ask("/v1/query/compile", `{"metrics":["revenue"]}`)
		return s.evidence()
	},
	"Callers get unauthorized": func(t *testing.T) evidence {
		s := serve(t, "--model", modelFile(t), "--auth-token", token)
		s.ask("/v1/query/execute", revenue, "Authorization", "Bearer a-token-of-last-year")
		return s.evidence()
	},
	"A part of the model is rejected": func(t *testing.T) evidence {
		s := serve(t, "--model", write(t, filepath.Join(t.TempDir(), "shop.yaml"), model("SUM(orders.amonut)")))
		s.ask("/v1/query/compile", `{"metrics":["revenue"]}`)
		return s.evidence()
	},
	"A changed model is not served": func(t *testing.T) evidence {
		path := modelFile(t)
		s := serve(t, "--model", path, "--watch")
		write(t, path, strings.Replace(model("SUM(orders.amount)"), "name: returned", "name: revenue", 1))
		return s.evidence()
	},
	"Servers have different models": func(t *testing.T) evidence {
		first := serve(t, "--model", modelFile(t))
		second := serve(t, "--model", write(t, filepath.Join(t.TempDir(), "shop.yaml"), model("MAX(orders.amount)")))
		return evidence{first.output.String, func() string { return first.metrics() + second.metrics() }}
	},
	"A changed policies file has no effect": func(t *testing.T) evidence {
		path := write(t, filepath.Join(t.TempDir(), "policies.yaml"), "version: 1\n")
		s := serve(t, "--model", modelFile(t), "--policies", path, "--auth-token", token)
		write(t, path, "version: 1\nrole: {}\n")
		return s.evidence()
	},
	"The audit log has gaps": func(t *testing.T) evidence {
		const full = "/dev/full"
		if _, err := os.Stat(full); err != nil {
			t.Skip("the system has no full disk: ", err)
		}
		s := serve(t, "--model", modelFile(t), "--audit-log", full)
		s.ask("/v1/query/execute", `{"metrics":["revenue"]}`)
		return s.evidence()
	},
	"A certificate expires": func(t *testing.T) evidence {
		return serveTLS(t, "--model", modelFile(t)).evidence()
	},
	"An internal error": func(t *testing.T) evidence {
		config := engine.Config{ModelPath: modelFile(t), Drivers: warehouses.Drivers(), Logger: slog.New(slog.DiscardHandler)}
		e, err := engine.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		output := new(testwait.Log)
		server, err := restapi.New(defective{e}, restapi.Config{Logger: slog.New(slog.NewTextHandler(output, nil))})
		if err != nil {
			t.Fatal(err)
		}
		ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(ctx, ln) }()
		t.Cleanup(func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		s := testServer(t, "http://"+ln.Addr().String(), output)
		s.ask("/v1/query/execute", revenue)
		return s.evidence()
	},
}

// defective is a service with a defect.
type defective struct{ *engine.Engine }

// Prepare panics.
func (defective) Prepare(context.Context, query.Body) (engine.Statement, error) {
	names := strings.Fields("")
	return nil, errors.New(names[0])
}

// endingReader is a standard error whose reader ends.
type endingReader struct {
	to    io.Writer
	ended atomic.Bool
}

func (e *endingReader) Write(p []byte) (int, error) {
	if e.ended.Load() {
		return 0, io.ErrClosedPipe
	}
	return e.to.Write(p)
}
