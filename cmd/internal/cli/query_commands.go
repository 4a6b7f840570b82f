package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func (a *app) compileCommand() *cobra.Command {
	return a.newMetricQueryCommand("compile", "Print the SQL of a metric query", []string{formatTable, formatJSON},
		func(ctx context.Context, e *engine.Engine, q *query.MetricQuery) error {
			q.Pretty = a.printsPrettySQL(q.Pretty)
			return a.compileAndPrint(ctx, e, q)
		})
}

func (a *app) explainCommand() *cobra.Command {
	return a.newMetricQueryCommand("explain", "Print the logical plan of a metric query", []string{formatTable, formatJSON},
		func(ctx context.Context, e *engine.Engine, q *query.MetricQuery) error {
			return a.explainAndPrint(ctx, e, q)
		})
}

func (a *app) queryCommand() *cobra.Command {
	cmd := a.newMetricQueryCommand("query", "Run a metric query and print its rows", []string{formatTable, formatJSON, formatCSV, formatArrow},
		func(ctx context.Context, e *engine.Engine, q *query.MetricQuery) error {
			return a.runAndPrint(ctx, e, q)
		})
	addDatabaseFlags(cmd)
	allowGeneratedModel(cmd)
	return cmd
}

// compileAndPrint prints the SQL of a query.
func (a *app) compileAndPrint(ctx context.Context, e *engine.Engine, q query.Body) error {
	prepared, err := e.Prepare(ctx, q)
	if err != nil {
		return err
	}
	c, err := prepared.SQL(ctx)
	if err != nil {
		return err
	}
	a.printQueryWarnings(c.Warnings)
	if a.effectiveOutputFormat() == formatJSON {
		return a.printJSON(c)
	}
	return a.printText(c.SQL)
}

// explainAndPrint prints the plan of a query.
func (a *app) explainAndPrint(ctx context.Context, e *engine.Engine, q query.Body) error {
	prepared, err := e.Prepare(ctx, q)
	if err != nil {
		return err
	}
	explained, err := prepared.Explain(ctx)
	if err != nil {
		return err
	}
	if a.effectiveOutputFormat() == formatJSON {
		return a.printJSON(explained)
	}
	return a.printText(explained.Plan)
}

// runAndPrint runs a query and prints its rows.
func (a *app) runAndPrint(ctx context.Context, e *engine.Engine, q query.Body) error {
	q.RequestHints()
	prepared, err := e.Prepare(ctx, q)
	if err != nil {
		return err
	}
	if a.format == formatArrow {
		s, err := prepared.Stream(ctx)
		if err != nil {
			return err
		}
		return a.writeAndCloseArrow(ctx, s)
	}
	return a.executeAndPrint(ctx, prepared)
}

// executeAndPrint prints the rows of an execution; a table with a summary below.
func (a *app) executeAndPrint(ctx context.Context, prepared engine.Statement) error {
	done := a.startProgress()
	defer done()
	begun := time.Now()
	result, err := prepared.Execute(ctx)
	took := time.Since(begun)
	done()
	if err != nil {
		return err
	}
	if err := a.printRowsAndWarnings(result); err != nil {
		return err
	}
	if a.effectiveOutputFormat() == formatTable {
		a.printRowCountAndTime(result.RowCount, took)
	}
	return nil
}

// printRowsAndWarnings prints the rows of an execution, and its warnings on standard error.
func (a *app) printRowsAndWarnings(result *engine.Result) error {
	if err := a.printRows(result); err != nil {
		return err
	}
	a.printLimitReachedNote(int64(result.RowCount-result.TotalRows), result.Limit, result.AllRows)
	a.printQueryWarnings(result.Warnings)
	return nil
}

// printLimitReachedNote reports that the result has as many rows, those of totals apart, as its limit, or of how many rows they are,
// where the query asks for that number.
func (a *app) printLimitReachedNote(rows int64, limit, all *int64) {
	switch {
	case all != nil:
		fmt.Fprintf(a.std.Err, "%d of %d rows\n", rows, *all)
	case limit != nil && rows == *limit:
		fmt.Fprintf(a.std.Err, "first %d rows (limit %d)\n", rows, *limit)
	}
}

// printQueryWarnings prints the warnings about a query.
func (a *app) printQueryWarnings(warnings []planerr.QueryWarning) {
	for _, w := range warnings {
		fmt.Fprintf(a.std.Err, "warning: %s: %s\n", w.Code, w.Message)
	}
}

func (a *app) printRows(result *engine.Result) error {
	if a.effectiveOutputFormat() == formatJSON {
		text, err := result.Body()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.std.Out, "%s\n", text)
		return err
	}
	g, err := textTableOfResult(result)
	if err != nil {
		return err
	}
	if a.effectiveOutputFormat() == formatTable {
		g.sortRows(result.GroupColumns)
	}
	return a.printTextTable(g)
}

// newMetricQueryCommand returns a command that puts a metric query to an engine.
func (a *app) newMetricQueryCommand(name, short string, formats []string, ask func(context.Context, *engine.Engine, *query.MetricQuery) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name + " --model FILE --metrics NAMES",
		Short: short,
		Args:  rejectArguments("metrics"),
	}
	var q queryFlags
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	addConnectionsFlag(cmd)
	q.addToCommand(cmd)
	a.addFormatFlag(cmd, formats...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		if c := a.defaultConnectionName(s, e); c != "" {
			q.connection = c
		}
		query, err := q.decodeQuery(cmd, a.std.In, &a.lastQuery)
		if err != nil {
			return err
		}
		if err := ask(cmd.Context(), e, query); err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

// printsPrettySQL reports whether SQL is printed over several lines: if the query sets pretty, or
// on a terminal unless --pretty=false is given.
func (a *app) printsPrettySQL(asked bool) bool {
	f := a.lastQuery.cmd.Flag("pretty")
	return asked || a.effectiveOutputFormat() == formatTable && isTerminal(a.std.Out) && !f.Changed
}

// printText prints a text that ends in one new line.
func (a *app) printText(text string) error {
	if n := len(text); n == 0 || text[n-1] != '\n' {
		text += "\n"
	}
	_, err := io.WriteString(a.std.Out, text)
	return err
}

// formatArrow writes an Arrow IPC stream, which a terminal cannot show.
const formatArrow = "arrow"

// writeAndCloseArrow writes a stream and closes it.
func (a *app) writeAndCloseArrow(ctx context.Context, s *engine.Stream) (err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	rows, err := s.Write(ctx, a.std.Out)
	if err != nil {
		return err
	}
	a.printLimitReachedNote(rows-int64(s.TotalsRowCount()), s.Limit, s.AllRows)
	a.printQueryWarnings(s.Warnings)
	return nil
}
