package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

// rollupCheckCommand compares the tables of rollups with the base tables.
func (a *app) rollupCheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [NAME]... --model FILE [--connection NAME | --db FILE | --data PATH]",
		Short: "Compare the tables of rollups with the base tables",
		Long: "check compares the columns of the tables of the named rollups, or of all with --all, and every value of every group with the base\n" +
			"tables, in one statement for each rollup, which only reads. The exit code is 1 if something differs.",
	}
	var q engine.RollupCheck
	var all bool
	addModelFlags(cmd)
	addConnectionsFlag(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "check all rollups of the connection")
	cmd.Flags().StringVar(&q.Connection, "connection", "", "connection profile that has the tables")
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if all == (len(args) > 0) {
			return newUsageError("name the rollups, or give --all")
		}
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		q.Names = args
		if q.Connection == "" {
			q.Connection = a.defaultConnectionName(s, e)
		}
		done, err := e.CheckRollups(cmd.Context(), q)
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			return a.printJSON(done)
		}
		g := textTable{columns: []string{"rollup", "differences"}}
		for _, r := range done {
			g.rows = append(g.rows, []tableCell{newTextCell(r.Name), newTextCell(fmt.Sprint(len(r.Differences)))})
		}
		return a.printTextTable(g)
	}
	return cmd
}
