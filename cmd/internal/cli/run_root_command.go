package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/logqueue"
)

// The exit codes.
const (
	exitOK          = 0
	exitFailure     = 1 // the engine rejected the request, or something failed
	exitUsage       = 2 // the command line is wrong
	exitLossyImport = 3 // an import approximated or dropped a part of its input

	exitInterrupted = 130 // Ctrl-C, as shells count it: 128 and the number of the signal
)

// Streams are what a command reads from and writes to.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Run executes one command line and returns its exit code. Commands that serve
// end when ctx does.
func Run(ctx context.Context, args []string, std Streams, version string) int {
	app := &app{std: std, version: version}
	defer app.closeLog()
	root := app.rootCommand() //nolint:contextcheck // a command has its context from ExecuteContext
	root.SetArgs(args)
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	rejectUnknownCommands(root) // after the streams, which completion keeps
	addCommandExamples(root)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitOK
	case isInterrupted(ctx):
		_, _ = io.WriteString(app.std.Err, "semlayer: interrupted\n")
		return exitInterrupted
	case errors.Is(err, errFailureAlreadyPrinted):
		return exitFailure
	case errors.Is(err, errLossyImport):
		return exitLossyImport
	case usesJSONLog(cmd):
		return app.logFinalError(err)
	case !app.ran || errors.As(err, new(*usageError)):
		_, _ = io.WriteString(app.std.Err, "semlayer: "+usageErrorText(err)+"\n"+helpHint(cmd)+"\n")
		return exitUsage
	}
	app.printError(err)
	return exitCodeOfFailure(err)
}

// exitCodeOfFailure returns the exit code of a command that began and failed.
func exitCodeOfFailure(err error) int {
	if errors.As(err, new(*usageError)) || errors.As(err, new(*rejectedFlagError)) {
		return exitUsage
	}
	return exitFailure
}

// errFailureAlreadyPrinted ends a command that has printed its failure already.
var errFailureAlreadyPrinted = errors.New("failed")

// usageError describes an invalid command line or environment variable.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func newUsageError(message string) error { return &usageError{message} }

// rejectedFlagError is the error of a flag whose value the model rejects. The command line is wrong for this model.
type rejectedFlagError struct{ cause error }

func (e *rejectedFlagError) Error() string { return e.cause.Error() }

func (e *rejectedFlagError) Unwrap() error { return e.cause }

// usageErrorText drops cobra's suggestions of commands into one line.
func usageErrorText(err error) string {
	return strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n\n", "; ")
}

// app is the state of one run.
type app struct {
	std       Streams
	version   string
	format    string // as --format gave it; "" means by the kind of output
	path      string // of the file that -o names
	ran       bool   // the command line was understood and a command began
	lastQuery correctableCommandLine
	log       *logqueue.Queue // in front of std.Err; nil for a command that does not serve
	unread    string          // why connections that may have been meant are not there
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "semlayer",
		Short:         "Serve and query a semantic model",
		Long:          "semlayer compiles queries of a semantic model to SQL, runs them, and serves SQL and rows over HTTP.",
		Version:       a.version,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(*cobra.Command, []string) {
			a.ran = true
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(addFlagSuggestionToError)
	root.SetVersionTemplate("semlayer {{.Version}}\n")
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"ask", "Ask a model:", []*cobra.Command{
			a.queryCommand(), a.detailQueryCommand(), a.sqlCommand(), a.attributeCommand(), a.findCommand(), a.valuesCommand(),
			a.compatibleCommand(), a.compileCommand(), a.explainCommand(),
		}},
		{"model", "Write a model:", []*cobra.Command{
			a.initCommand(), a.importCommand(), a.validateCommand(), a.fmtCommand(), a.testCommand(), a.accessCommand(), a.diffCommand(), a.modelInfoCommand(),
			a.listCommand(), a.rollupCommand(), a.lineageCommand(), a.schemaCommand(),
		}},
		{"serve", "Serve a model:", []*cobra.Command{a.serveCommand(), a.configCommand(), a.demoCommand(), a.mcpCommand(), a.checkServerOrConnectionsCommand()}},
		{otherCommandsGroup, "Other commands:", []*cobra.Command{a.explainCodeCommand(), a.versionCommand(), a.licensesCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, cmd := range g.commands {
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID(otherCommandsGroup)
	root.SetCompletionCommandGroupID(otherCommandsGroup)
	a.applyOutputFileFlagToCommands(root)
	a.registerCompletions(root)
	return root
}

// otherCommandsGroup is the group of help, completion and what concerns the program itself.
const otherCommandsGroup = "other"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.std.Out, "semlayer "+a.version+"\n")
			return err
		},
	}
}
