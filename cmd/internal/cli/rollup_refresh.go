package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
)

const maxRefreshInterval = 7 * 24 * 60 * 60

// rollupRefreshCommand builds the tables of rollups.
func (a *app) rollupRefreshCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "refresh [NAME]... --model FILE [--connection NAME | --db FILE]",
		Short: "Build the tables of rollups while queries read them",
		Long: "refresh builds the tables of the named rollups, or of all with --all, and puts each in the place of the old one in one step: a\n" +
			"query reads the old table or the new one. It records each build in the table semlayer_rollups. A connection needs\n" +
			"rollups: {writable: true} in its profile. A database file must not be open in a server.\n" +
			"Local rollups are read over the connection and written to a file in --rollup-dir, one for each connection; without it,\n" +
			"--all leaves them out.",
	}
	var q engine.RollupRefresh
	var all bool
	var every int
	addModelFlags(cmd)
	addConnectionsFlag(cmd)
	settings.AddFlags(cmd.Flags(), "db", databaseMemory, rollupDirFlag)
	f := cmd.Flags()
	f.BoolVar(&all, "all", false, "build all rollups of the connection")
	f.StringVar(&q.Connection, "connection", "", "connection profile to write to (default the database file of --db)")
	f.BoolVar(&q.Full, "full", false, "build the whole table, also if only the last partitions, or nothing, would be built")
	f.BoolVar(&q.DryRun, "dry-run", false, "print the statements and write nothing")
	f.IntVar(&every, "every", 0, "repeat the refresh after so many seconds, until the process is asked to end")
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case all == (len(args) > 0):
			return newUsageError("name the rollups, or give --all")
		case cmd.Flags().Changed("every") && (every < 1 || every > maxRefreshInterval):
			return newUsageError(fmt.Sprintf("--every must be from 1 to %d, not %d", maxRefreshInterval, every))
		}
		q.Names = args
		if every == 0 {
			return a.refreshRollups(cmd, q)
		}
		return a.refreshRollupsEvery(cmd, q, time.Duration(every)*time.Second)
	}
	return cmd
}

// refreshRollups reads the model and builds the tables of its rollups.
func (a *app) refreshRollups(cmd *cobra.Command, q engine.RollupRefresh) error {
	e, s, err := a.openEngine(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if q.Connection == "" {
		q.Connection = a.defaultConnectionName(s, e)
	}
	done, failure := e.RefreshRollups(cmd.Context(), q)
	if err := a.printRefreshed(done, q); err != nil || failure != nil {
		return errors.Join(failure, err)
	}
	a.printModelWarnings(e)
	return nil
}

// refreshRollupsEvery repeats a refresh until the context ends. A failure is printed, and the next refresh comes at its time.
func (a *app) refreshRollupsEvery(cmd *cobra.Command, q engine.RollupRefresh, every time.Duration) error {
	ctx := cmd.Context()
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		if err := a.refreshRollups(cmd, q); err != nil && ctx.Err() == nil {
			a.newCommandLogger().Error("a refresh of rollups failed", "error", err)
		}
		select {
		case <-ctx.Done():
			if isInterrupted(ctx) {
				return context.Cause(ctx)
			}
			return nil
		case <-ticks.C:
		}
	}
}

// printRefreshed prints what was done, or the statements of a dry run.
func (a *app) printRefreshed(done []engine.RefreshedRollup, q engine.RollupRefresh) error {
	if a.effectiveOutputFormat() == formatJSON {
		if done == nil {
			done = []engine.RefreshedRollup{}
		}
		return a.printJSON(done)
	}
	if q.DryRun {
		var out strings.Builder
		for _, r := range done {
			for _, sql := range r.Statements {
				out.WriteString(sql + ";\n")
			}
		}
		return a.printText(strings.TrimSuffix(out.String(), "\n"))
	}
	g := textTable{columns: []string{"rollup", "action", "as of"}}
	for _, r := range done {
		g.rows = append(g.rows, []tableCell{newTextCell(r.Name), newTextCell(r.Action), newTextCell(r.AsOf)})
	}
	return a.printTextTable(g)
}
