package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

func (a *app) rollupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rollup",
		Short: "List the declared tables of aggregations",
	}
	cmd.AddCommand(a.newListSubcommand("list", "List the rollups of a model", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
		rows := e.Rollups()
		return rows, rollupTable(rows), nil
	}))
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
