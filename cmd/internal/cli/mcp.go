package cli

import (
	"context"
	"errors"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
)

const defaultMCPURL = "http://" + defaultBind + "/mcp"

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp --model FILE",
		Short: "Serve tools for language models on standard input and output",
		Long: "mcp speaks the Model Context Protocol on standard input and output, for a host that starts it. " +
			"A server (semlayer serve) has the same tools at POST /mcp.",
		Args: cobra.NoArgs,
	}
	modelFlags(cmd)
	databaseFlags(cmd)
	dataFilesFlag(cmd)
	allowGeneratedModel(cmd)
	connectionFlags(cmd)
	concurrencyFlags(cmd)
	f := cmd.Flags()
	f.String("max-rows", "200", "maximum rows of a result")
	f.String("max-bytes", "65536", "longest list and maximum bytes of rows in a result")
	f.Bool("print-config", false, "print what to put into the settings of a host, and end")
	f.String("url", defaultMCPURL, "with --print-config: where a server is, for hosts that reach one over HTTP")
	logFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context(), cmd) }
	return cmd
}

func (a *app) mcp(ctx context.Context, cmd *cobra.Command) error {
	a.format = formatTable // errors are for people
	s, err := settingsOf(cmd)
	if err != nil {
		return err
	}
	ec, mc, err := a.mcpConfig(s)
	if err != nil {
		return err
	}
	onlyPrint, err := s.boolean("print-config")
	if err != nil {
		return err
	}
	e, err := engine.Open(ctx, ec)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if onlyPrint {
		text, err := hostSettings(cmd, e.Model().Name, s.text("url"))
		if err != nil {
			return err
		}
		return a.printText(text)
	}
	logGenerated(mc.Logger, e.GeneratedModel(), ec)
	logFindings(mc.Logger, e)
	logMissingDatabase(mc.Logger, ec)
	if err := readData(ctx, mc.Logger, e); err != nil {
		return err
	}
	mc.NamedConnections = hasNoDatabase(e, ec)
	return mcp.New(e, mc).ServeLines(ctx, a.std.In, a.std.Out)
}

func (a *app) mcpConfig(s settings) (ec engine.Config, mc mcp.Config, err error) {
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	mc.Version = a.version
	mc.Logger, err = s.logger(a.std.Err)
	check(err)
	ec, err = a.engineConfig(s, mc.Logger)
	check(err)
	b, err := s.budgets()
	check(err)
	mc.ExecuteTimeout, mc.RequestTimeout, mc.DisableExecute = b.execute, b.request, b.compileOnly
	mc.MaxRows, err = s.count("max-rows")
	check(err)
	mc.MaxBytes, err = s.count("max-bytes")
	check(err)
	return ec, mc, errors.Join(failures...)
}

// mcpHandler is the same for a server, with the settings that it has.
func mcpHandler(e *engine.Engine, c serverSettings, calls *mcp.Calls) http.Handler {
	return mcp.New(e, mcp.Config{
		Version:          e.Capabilities().EngineVersion,
		DisableExecute:   c.http.DisableExecute,
		RequestTimeout:   c.http.RequestTimeout,
		ExecuteTimeout:   c.http.ExecuteTimeout,
		NamedConnections: hasNoDatabase(e, c.engine),
		Logger:           c.log,
	}).Handler(len(c.http.Tokens) > 0, calls)
}

// hasNoDatabase reports whether data are behind connections alone.
func hasNoDatabase(e *engine.Engine, c engine.Config) bool {
	return c.DBPath == "" && len(c.Setup) == 0 && len(e.DataReport().Paths) == 0 && len(e.Connections()) > 0
}
