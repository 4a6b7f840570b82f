package streaming_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// serveEnv makes this binary a server: of a scan of the DuckDB file that it names,
// with the memory limit of
// memoryEnv, or of the model that it names, with the profiles of connectionsEnv.
const (
	serveEnv       = "SEMLAYER_TEST_STREAMING_SERVES"
	connectionsEnv = "SEMLAYER_TEST_STREAMING_CONNECTIONS"
	memoryEnv      = "SEMLAYER_TEST_STREAMING_MEMORY"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) {
	if source := os.Getenv(serveEnv); source != "" {
		if err := serve(source); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(servers.RunTests(m))
}

// serve prints its address and answers until standard input ends.
func serve(source string) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	service, err := serviceOf(ctx, source)
	if err != nil {
		return err
	}
	server, err := restapi.New(service, restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(ln.Addr())
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		stop()
	}()
	return server.Serve(ctx, ln)
}

func serviceOf(ctx context.Context, source string) (restapi.Service, error) {
	if connections := os.Getenv(connectionsEnv); connections != "" {
		return engine.Open(ctx, engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: source, ConnectionsPath: connections})
	}
	db, err := duckdb.Open(ctx, duckdb.Options{Path: source, MemoryLimit: os.Getenv(memoryEnv)})
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(emptyModel)})
	if err != nil {
		return nil, err
	}
	return scanner{e, db}, nil
}

const emptyModel = `
version: 0.2.0.dev0
name: m
datasets:
  - {name: a, source: SELECT 1 AS n}
`

// scanner answers every query with the rows of a table.
type scanner struct {
	restapi.Service
	db *duckdb.Executor
}

func (s scanner) Prepare(_ context.Context, q query.Body) (engine.Statement, error) {
	return scan{scanner: s, limit: q.(*query.MetricQuery).Limit}, nil
}

type scan struct {
	engine.Statement
	scanner
	limit *int64
}

func (s scan) Stream(ctx context.Context) (*engine.Stream, error) {
	sql := "SELECT i, d, s FROM t"
	if s.limit != nil {
		sql += " LIMIT " + strconv.FormatInt(*s.limit, 10)
	}
	rows, err := s.db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return engine.NewStream(ctx, "duckdb", sql, rows)
}

// process is a server in a separate process.
type process struct {
	base string
	pid  int
}

func launch(t testing.TB, env ...string) process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return process{"http://" + strings.TrimSpace(address), cmd.Process.Pid}
}

// memory reads a figure of the process from the kernel, in bytes.
func (p process) memory(t testing.TB, name string) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/status")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("this system does not tell the memory of a process")
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatalf("no %s", name)
	return 0
}
