package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

func (a *app) rollupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rollup",
		Short: "List the declared tables of aggregations, and build them",
	}
	cmd.AddCommand(a.newListSubcommand("list", "List the rollups of a model", func(ctx context.Context, e *engine.Engine) (any, textTable, error) {
		rows := e.Rollups(ctx)
		return rows, rollupTable(rows), nil
	}))
	cmd.AddCommand(a.rollupSQLCommand())
	cmd.AddCommand(a.rollupRefreshCommand())
	cmd.AddCommand(a.rollupCheckCommand())
	cmd.AddCommand(a.rollupSuggestCommand())
	return cmd
}

// rollupSQLCommand prints the statement that makes the table of a rollup.
func (a *app) rollupSQLCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sql NAME --model FILE",
		Short: "Print the SQL that makes the table of a rollup",
		Args:  cobra.ExactArgs(1),
	}
	var d engine.RollupDefinition
	addModelFlags(cmd)
	addReaderFlags(cmd)
	cmd.Flags().StringVar(&d.Dialect, "dialect", "", "SQL dialect (default duckdb)")
	cmd.Flags().StringVar(&d.Connection, "connection", "", "connection profile, whose dialect is taken")
	cmd.Flags().BoolVar(&d.SelectOnly, "select", false, "print the SELECT alone, without CREATE TABLE")
	addConnectionsFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		e, _, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		d.Name, d.Pretty = args[0], true
		sql, err := e.RollupSQL(cmd.Context(), d)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(a.std.Out, sql); err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

func rollupTable(rows []describe.Rollup) textTable {
	g := textTable{columns: []string{"rollup", "of", "source", "groups", "measures", "where", "description"}}
	for _, r := range rows {
		var groups, measures []string
		for _, x := range r.GroupBy {
			field := x.Field
			if x.Grain != "" {
				field += ":" + x.Grain
			}
			groups = append(groups, field)
		}
		for _, m := range r.Measures {
			measures = append(measures, m.Measure)
		}
		g.rows = append(g.rows, []tableCell{
			newTextCell(r.Name), newTextCell(r.Of), newTextCell(r.Source), newTextCell(strings.Join(groups, " ")), newTextCell(strings.Join(measures, " ")),
			newTextCell(r.Where), newTextCell(r.Description),
		})
	}
	return g
}
