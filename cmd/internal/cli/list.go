package cli

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the metrics, dimensions, datasets, saved queries or connections of a model",
		RunE: func(*cobra.Command, []string) error {
			return newUsageError("list what? One of metrics, dimensions, datasets, saved, connections")
		},
	}
	var metric string
	dimensions := a.newListCommand("dimensions", "Fields that queries can group by", func(ctx context.Context, e *engine.Engine) (any, textTable, error) {
		rows, err := e.Dimensions(ctx, metric)
		return rows, dimensionGrid(rows), err
	})
	dimensions.Flags().StringVar(&metric, "metric", "", "only what this metric can be grouped by")
	connections := a.newListCommand("connections", "Connection profiles", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
		a.unread = connectionsWarning(e)
		rows := e.Connections()
		return rows, connectionGrid(rows), nil
	})
	connectionFlags(connections)
	cmd.AddCommand(
		a.newListCommand("metrics", "Metrics", func(ctx context.Context, e *engine.Engine) (any, textTable, error) {
			rows, err := e.Metrics(ctx)
			return rows, metricGrid(rows), err
		}),
		dimensions,
		a.newListCommand("datasets", "Datasets", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
			rows := e.Datasets()
			return rows, datasetGrid(rows), nil
		}),
		a.newListCommand("saved", "Saved queries", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
			rows := e.Saved()
			return rows, savedGrid(rows), nil
		}),
		connections,
	)
	return cmd
}

// newListCommand is one list: its rows as the HTTP interface has them, and as a table.
func (a *app) newListCommand(name, short string, rows func(context.Context, *engine.Engine) (any, textTable, error)) *cobra.Command {
	cmd := &cobra.Command{Use: name + " --model FILE", Short: short, Args: cobra.NoArgs}
	modelFlags(cmd)
	dataFilesFlag(cmd)
	cmd.Flags().String("db", "", "DuckDB file whose tables are the model when no model is given (variable SVC_DB)")
	allowGeneratedModel(cmd)
	a.formatFlag(cmd, formatTable, formatJSON, formatCSV)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, _, err := a.open(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		wire, g, err := rows(cmd.Context(), e)
		if err != nil {
			return err
		}
		if a.outputFormat() == formatJSON {
			err = a.printJSON(wire)
		} else {
			err = a.printGrid(g)
		}
		if err == nil {
			a.warn(e)
		}
		return err
	}
	return cmd
}

func metricGrid(rows []engine.MetricInfo) textTable {
	g := textTable{columns: []string{"metric", "kind", "datasets", "time dimension", "description"}}
	for _, m := range rows {
		kind := m.Kind
		if m.WindowFamily != "" {
			kind += " " + m.WindowFamily
		}
		g.rows = append(g.rows, []tableCell{
			textCell(m.Name), textCell(kind), textCell(strings.Join(m.Datasets, " ")), textCell(m.TimeDimension), textCell(m.Description),
		})
	}
	return g
}

func dimensionGrid(rows []engine.DimensionInfo) textTable {
	g := textTable{columns: []string{"dimension", "role", "known by", "grains", "description"}}
	for _, d := range rows {
		role := "dimension"
		switch {
		case d.IsTime:
			role = "time"
		case !d.IsDimension:
			role = "value"
		}
		g.rows = append(g.rows, []tableCell{
			textCell(d.Name), textCell(role), textCell(d.Source), textCell(strings.Join(d.Grains, " ")), textCell(d.Description),
		})
	}
	return g
}

func datasetGrid(rows []engine.DatasetInfo) textTable {
	g := textTable{columns: []string{"dataset", "source", "primary key", "fields", "time dimension", "description"}}
	for _, d := range rows {
		g.rows = append(g.rows, []tableCell{
			textCell(d.Name), textCell(d.Source), textCell(strings.Join(d.PrimaryKey, ", ")),
			{text: strconv.Itoa(d.Fields), number: true}, textCell(d.PrimaryTimeDimension), textCell(d.Description),
		})
	}
	return g
}

func savedGrid(rows []engine.SavedInfo) textTable {
	g := textTable{columns: []string{"saved query", "kind", "params", "metrics", "verified by", "description"}}
	for _, s := range rows {
		verified := ""
		if s.Verified != nil {
			verified = s.Verified.By + ", " + s.Verified.On
		}
		g.rows = append(g.rows, []tableCell{
			textCell(s.Name), textCell(s.Kind), textCell(strings.Join(slices.Sorted(maps.Keys(s.Params)), " ")),
			textCell(strings.Join(s.Metrics, " ")), textCell(verified), textCell(s.Description),
		})
	}
	return g
}

func connectionGrid(rows []engine.ConnectionInfo) textTable {
	g := textTable{columns: []string{"connection", "dialect", "available"}}
	for _, c := range rows {
		g.rows = append(g.rows, []tableCell{textCell(c.Name), textCell(c.Dialect), textCell(strconv.FormatBool(c.Available))})
	}
	return g
}
