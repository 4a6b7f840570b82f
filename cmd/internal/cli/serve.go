package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const defaultBind = "127.0.0.1:8081"

// drainGrace is how long a load balancer gets to see that /ready has turned.
const drainGrace = 500 * time.Millisecond

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve --model FILE",
		Short: "Serve a model over HTTP",
		Args:  cobra.NoArgs,
	}
	modelFlags(cmd)
	databaseFlags(cmd)
	connectionFlags(cmd)
	f := cmd.Flags()
	f.String("bind", defaultBind, "address to listen on (variable SVC_BIND)")
	f.String("max-concurrent-executions", "16", "executions at once (variable SVC_MAX_EXECUTIONS)")
	f.String("pool-size", "8", "connections per profile (variable SVC_POOL_SIZE)")
	f.String("execute-timeout-secs", "60", "budget of an execution")
	f.String("request-timeout-secs", "30", "budget of every other request")
	f.String("max-body-bytes", "1048576", "longest request body")
	f.StringArray("auth-token", nil, "bearer token that /v1 requires; repeat it to accept several (variable SVC_SERVER_TOKEN)")
	f.Bool("disable-execute", false, "compile only: refuse to execute")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), cmd) }
	return cmd
}

func (a *app) serve(ctx context.Context, cmd *cobra.Command) error {
	a.format = formatTable // what goes wrong is told to people
	s, err := settingsOf(cmd)
	if err != nil {
		return err
	}
	ec, rc, err := serverConfig(s)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(a.std.Err, nil))
	ec.Version, ec.Logger, rc.Logger = a.version, log, log
	e, err := engine.Open(ctx, ec)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	logFindings(log, e)
	return listenAndServe(ctx, log, e, s.text("bind"), rc, nil)
}

// serverConfig reads and checks all settings before anything is opened.
func serverConfig(s settings) (engine.Config, restapi.Config, error) {
	var ec engine.Config
	rc := restapi.Config{DisableExecute: s.flag("disable-execute"), DrainGrace: drainGrace}
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	var err error
	ec.ModelPath, err = s.required("model")
	check(err)
	ec.DBPath = s.text("db")
	ec.Basic, err = s.basic()
	check(err)
	ec.MaxExecutions, err = s.count("max-concurrent-executions")
	check(err)
	ec.ConnectionsPath, ec.DiscoverConnections = s.text("connections"), true
	ec.PoolSize, err = s.count("pool-size")
	check(err)
	rc.ExecuteTimeout, err = s.seconds("execute-timeout-secs")
	check(err)
	rc.RequestTimeout, err = s.seconds("request-timeout-secs")
	check(err)
	rc.MaxBodyBytes, err = s.count("max-body-bytes")
	check(err)
	rc.Tokens, err = s.tokens()
	check(err)
	return ec, rc, errors.Join(failures...)
}

// logFindings tells what is wrong with a model and with connections that serve
// all the same.
func logFindings(log *slog.Logger, e *engine.Engine) {
	for _, w := range e.Warnings() {
		log.Warn("model: "+w.Message, "code", w.Code, "location", w.Location, "line", w.Position.Line)
	}
	for _, c := range e.CompileErrors() {
		log.Warn("model: queries that use this are refused: "+c.Message, "code", c.Code, "location", c.Location, "line", c.Position.Line)
	}
	report := e.ConnectionReport()
	for _, w := range report.Warnings {
		log.Warn("connections: "+w, "file", report.Path)
	}
}

// listenAndServe serves until ctx ends. announce is told the address, before
// the first request is answered.
func listenAndServe(ctx context.Context, log *slog.Logger, e *engine.Engine, bind string, rc restapi.Config, announce func(address string) error) error {
	server, err := restapi.New(e, rc)
	if err != nil {
		return usage(err.Error())
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", bind)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", bind, err)
	}
	if announce != nil {
		if err := announce(ln.Addr().String()); err != nil {
			_ = ln.Close()
			return err
		}
	} else {
		m := e.Model()
		log.Info("serving", "address", "http://"+ln.Addr().String(), "model", m.Name, "path", m.Path, "mode", m.Mode,
			"datasets", m.Datasets, "metrics", m.Metrics, "connections", e.ConnectionReport().Path, "execute", !rc.DisableExecute, "authentication", len(rc.Tokens) > 0)
	}
	if len(rc.Tokens) == 0 && !loopback(ln.Addr()) {
		log.Warn("anyone who reaches this address can query: no --auth-token (SVC_SERVER_TOKEN) is set")
	}
	return server.Serve(ctx, ln)
}

func loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
