package cli

import (
	"context"
	"errors"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
)

const mcpExecuteQueryFlag = "mcp-execute-query"

const defaultMCPURL = "http://" + defaultBind + "/mcp"

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp --model FILE",
		Short: "Serve tools for language models on standard input and output",
		Long: "mcp speaks the Model Context Protocol on standard input and output, for a host that starts it. " +
			"A server (semlayer serve) has the same tools at POST /mcp.",
		Args: rejectArguments("model"),
	}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	allowGeneratedModel(cmd)
	addConnectionsFlag(cmd)
	addDefaultConnectionFlag(cmd)
	addConcurrencyFlags(cmd)
	addMemoryFlag(cmd)
	f := cmd.Flags()
	settings.AddFlags(f, configFlag, "max-rows", "max-bytes", "max-list-bytes", indexValuesFlag, mcpExecuteQueryFlag)
	f.String(viewFlag, "", "the view of the model that all tools are in: its names alone")
	f.Bool("print-config", false, "print the settings for common hosts, and exit")
	f.String("url", defaultMCPURL, "with --print-config: the address of a server, for hosts that use HTTP")
	addLogFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.runMCP(cmd.Context(), cmd) }
	return cmd
}

func (a *app) runMCP(ctx context.Context, cmd *cobra.Command) error {
	a.format = formatTable // errors are for people
	a.queueLog()
	s, err := newSettingsReader(cmd)
	if err != nil {
		return err
	}
	ec, mc, err := a.readMCPConfig(s)
	if err != nil {
		return err
	}
	indexer, err := s.readValueIndexer(mc.Logger, mc.DisableExecute)
	if err != nil {
		return err
	}
	onlyPrint, err := s.readBoolean("print-config")
	if err != nil {
		return err
	}
	if err := s.readReader(&ec); err != nil {
		return err
	}
	restoreHeapLimit := limitHeap(ec.Memory)
	defer restoreHeapLimit()
	e, err := engine.Open(ctx, ec)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if onlyPrint {
		text, err := mcpHostSettingsText(cmd, e.Model().Name, s.readText("url"))
		if err != nil {
			return err
		}
		return a.printText(text)
	}
	logGeneratedModel(mc.Logger, e.GeneratedModel(), ec)
	logModelAndConnectionFindings(mc.Logger, e)
	warnMissingDatabaseFile(mc.Logger, ec)
	if err := readDataFileColumns(ctx, mc.Logger, e); err != nil {
		return err
	}
	scoped, err := e.InView(s.readText(viewFlag))
	if err != nil {
		return &rejectedFlagError{err}
	}
	mc.NamedConnections = e.RequiresConnection()
	ctx, stop := context.WithCancel(ctx)
	defer indexer.running.Wait() // before the engine is closed
	defer stop()
	indexer.startIndexing(ctx, e)
	return mcp.New(scoped, mc).ServeMessageLines(ctx, a.std.In, a.std.Out)
}

func (a *app) readMCPConfig(s settingsReader) (ec engine.Config, mc mcp.Config, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	mc.Version = a.version
	mc.Logger, err = s.newLogger(a.std.Err)
	check(err)
	ec, err = a.readEngineConfig(s, mc.Logger)
	check(err)
	b, err := s.readRequestTimeLimits()
	check(err)
	mc.ExecuteTimeout, mc.RequestTimeout, mc.DisableExecute = b.execute, b.request, b.compileOnly
	mc.MaxRows, err = s.readCount("max-rows")
	check(err)
	mc.MaxBytes, err = s.readCount("max-bytes")
	check(err)
	mc.MaxListBytes, err = s.readCount("max-list-bytes")
	check(err)
	mc.ExecuteQuery, err = s.readBoolean(mcpExecuteQueryFlag)
	check(err)
	return ec, mc, errors.Join(failures...)
}

// newMCPHandler returns the same for a server, with the settings that it has.
func newMCPHandler(e *engine.Engine, c serverSettings, calls *mcp.CancelFuncsOfCalls) http.Handler {
	return mcp.New(e, mcp.Config{
		Version:          e.Capabilities().EngineVersion,
		DisableExecute:   c.http.DisableExecute,
		RequestTimeout:   c.http.RequestTimeout,
		ExecuteTimeout:   c.http.ExecuteTimeout,
		NamedConnections: e.RequiresConnection(),
		ExecuteQuery:     c.executeQuery,
		Logger:           c.log,
	}).Handler(c.access.isSecured(), calls)
}
