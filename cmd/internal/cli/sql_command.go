package cli

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// statementFlags mirror the keys of a statement.
type statementFlags struct {
	params     []string
	connection string
	compile    bool
	command    *cobra.Command // whose flags of keys are read
}

func (a *app) sqlCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sql [STATEMENT] --model FILE",
		Short: "Run a statement in SQL over the model",
		Long: "sql runs one SELECT over the datasets and metrics of the model. Without a statement it reads statements that end in ; " +
			"from standard input; on a terminal it is a shell with the commands " + shellCommandsHelp + ".",
		Args: cobra.MaximumNArgs(1),
	}
	q := statementFlags{command: cmd}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&q.params, "param", nil, "the value of $1, then of $2 and so on; repeat it for each")
	f.StringVar(&q.connection, "connection", "", "connection profile")
	addKeyFlags(cmd, query.SQLKeys())
	f.BoolVar(&q.compile, "compile", false, "print the SQL of the warehouse and run nothing")
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	allowGeneratedModel(cmd)
	addConnectionsFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON, formatCSV, formatArrow)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if a.format == formatArrow && q.compile {
			return newUsageError("--format arrow is for rows, not for --compile")
		}
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		if c := a.defaultConnectionName(s, e); c != "" {
			q.connection = c
		}
		switch {
		case len(args) == 1:
			err = a.runStatement(cmd.Context(), e, q, args[0])
		case isTerminal(a.std.In) && isTerminal(a.std.Out):
			err = a.runSQLShell(cmd.Context(), e, q)
		default:
			err = a.runStandardInputStatements(cmd.Context(), e, q)
		}
		if err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

// runStandardInputStatements runs the statements of standard input until one fails.
func (a *app) runStandardInputStatements(ctx context.Context, e *engine.Engine, q statementFlags) error {
	text, err := io.ReadAll(a.std.In)
	if err != nil {
		return err
	}
	for rest := string(text); ; {
		statement, more, complete := engine.SplitFirstSQLStatement(rest)
		if strings.TrimSpace(statement) == "" && !complete {
			return nil
		}
		if err := a.runStatement(ctx, e, q, statement); err != nil || !complete {
			return err
		}
		rest = more
	}
}

// runStatement runs one statement, or prints the SQL that it becomes.
func (a *app) runStatement(ctx context.Context, e *engine.Engine, q statementFlags, text string) error {
	body, err := q.writeBody(text)
	if err != nil {
		return err
	}
	statement, err := query.DecodeSQL(body)
	if err != nil {
		return err
	}
	if q.compile {
		statement.Pretty = a.effectiveOutputFormat() == formatTable && isTerminal(a.std.Out)
		return a.compileAndPrint(ctx, e, statement)
	}
	return a.runAndPrint(ctx, e, statement)
}

func (q statementFlags) writeBody(text string) ([]byte, error) {
	o := new(jsonObjectWriter)
	o.addMember("sql", text)
	if len(q.params) > 0 {
		var values []json.RawMessage
		for _, p := range q.params {
			value, err := paramValueToJSON(p)
			if err != nil {
				return nil, err
			}
			values = append(values, value)
		}
		o.addMember("params", values)
	}
	o.addNonEmptyText("connection", q.connection)
	o.addKeysOfFlags(q.command, query.SQLKeys())
	return o.closeObject()
}
