package cli

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

// viewFlag names a view of the model.
const viewFlag = "view"

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the metrics, dimensions, datasets, views, saved queries or connections of a model",
		RunE: func(*cobra.Command, []string) error {
			return newUsageError("list needs one of metrics, dimensions, datasets, views, saved, connections")
		},
	}
	var metric, view string
	addViewFlag := func(cmd *cobra.Command) *cobra.Command {
		cmd.Flags().StringVar(&view, viewFlag, "", "list only what this view of the model has")
		return cmd
	}
	dimensions := a.newListSubcommand("dimensions", "Fields that queries can group by", func(ctx context.Context, e *engine.Engine) (any, textTable, error) {
		scoped, err := e.InView(view)
		if err != nil {
			return nil, textTable{}, err
		}
		rows, err := scoped.Dimensions(ctx, metric)
		return rows, dimensionTable(rows), err
	})
	dimensions.Flags().StringVar(&metric, "metric", "", "list only the dimensions by which this metric can be grouped")
	addViewFlag(dimensions)
	connections := a.newListSubcommand("connections", "Connection profiles", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
		a.unread = noConnectionsWarning(e)
		rows := e.Connections()
		return rows, connectionTable(rows), nil
	})
	addConnectionsFlag(connections)
	cmd.AddCommand(
		addViewFlag(a.newListSubcommand("metrics", "Metrics", func(ctx context.Context, e *engine.Engine) (any, textTable, error) {
			scoped, err := e.InView(view)
			if err != nil {
				return nil, textTable{}, err
			}
			rows, err := scoped.Metrics(ctx)
			return rows, metricTable(rows), err
		})),
		dimensions,
		a.newListSubcommand("datasets", "Datasets", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
			rows := e.Datasets()
			return rows, datasetTable(rows), nil
		}),
		a.newListSubcommand("views", "Named parts of the model", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
			rows := e.Views()
			return rows, viewTable(rows), nil
		}),
		a.newListSubcommand("saved", "Saved queries", func(_ context.Context, e *engine.Engine) (any, textTable, error) {
			rows := e.SavedQueries()
			return rows, savedQueryTable(rows), nil
		}),
		connections,
	)
	return cmd
}

// newListSubcommand returns the command of one list, which prints its rows as the HTTP interface does, or as a table.
func (a *app) newListSubcommand(name, short string, rows func(context.Context, *engine.Engine) (any, textTable, error)) *cobra.Command {
	cmd := &cobra.Command{Use: name + " --model FILE", Short: short, Args: rejectArguments("model")}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	cmd.Flags().String("db", "", "DuckDB file from which a model is generated if none is given (variable SVC_DB)")
	allowGeneratedModel(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON, formatCSV)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, _, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		wire, g, err := rows(cmd.Context(), e)
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			err = a.printJSON(wire)
		} else {
			err = a.printTextTable(g)
		}
		if err == nil {
			a.printModelWarnings(e)
		}
		return err
	}
	return cmd
}

func metricTable(rows []describe.Metric) textTable {
	g := textTable{columns: []string{"metric", "kind", "datasets", "time dimension", "description"}}
	for _, m := range rows {
		kind := m.Kind
		if m.WindowFamily != "" {
			kind += " " + m.WindowFamily
		}
		g.rows = append(g.rows, []tableCell{
			newTextCell(m.Name), newTextCell(kind), newTextCell(strings.Join(m.Datasets, " ")), newTextCell(m.TimeDimension), newTextCell(m.Description),
		})
	}
	return g
}

func dimensionTable(rows []describe.Dimension) textTable {
	g := textTable{columns: []string{"dimension", "role", "known by", "grains", "parts", "description"}}
	for _, d := range rows {
		role := "dimension"
		switch {
		case d.IsTime:
			role = "time"
		case !d.IsDimension:
			role = "value"
		}
		g.rows = append(g.rows, []tableCell{
			newTextCell(d.Name), newTextCell(role), newTextCell(d.Source), newTextCell(strings.Join(d.Grains, " ")), newTextCell(strings.Join(d.Parts, " ")), newTextCell(d.Description),
		})
	}
	return g
}

func datasetTable(rows []describe.Dataset) textTable {
	g := textTable{columns: []string{"dataset", "source", "primary key", "fields", "time dimension", "description"}}
	for _, d := range rows {
		g.rows = append(g.rows, []tableCell{
			newTextCell(d.Name), newTextCell(d.Source), newTextCell(strings.Join(d.PrimaryKey, ", ")),
			{text: strconv.Itoa(d.Fields), number: true}, newTextCell(d.PrimaryTimeDimension), newTextCell(d.Description),
		})
	}
	return g
}

func savedQueryTable(rows []describe.SavedQuery) textTable {
	g := textTable{columns: []string{"saved query", "kind", "params", "metrics", "verified by", "description"}}
	for _, s := range rows {
		verified := ""
		if s.Verified != nil {
			verified = s.Verified.By + ", " + s.Verified.On
		}
		g.rows = append(g.rows, []tableCell{
			newTextCell(s.Name), newTextCell(s.Kind), newTextCell(strings.Join(slices.Sorted(maps.Keys(s.Params)), " ")),
			newTextCell(strings.Join(s.Metrics, " ")), newTextCell(verified), newTextCell(s.Description),
		})
	}
	return g
}

func connectionTable(rows []engine.ConnectionInfo) textTable {
	g := textTable{columns: []string{"connection", "dialect", "available"}}
	for _, c := range rows {
		g.rows = append(g.rows, []tableCell{newTextCell(c.Name), newTextCell(c.Dialect), newTextCell(strconv.FormatBool(c.Available))})
	}
	return g
}

func viewTable(rows []describe.View) textTable {
	g := textTable{columns: []string{"view", "metrics", "dimensions", "where", "filters", "description"}}
	for _, v := range rows {
		g.rows = append(g.rows, []tableCell{
			newTextCell(v.Name), newTextCell(strconv.Itoa(v.Metrics)), newTextCell(strconv.Itoa(v.Dimensions)), newTextCell(v.Where),
			newTextCell(strings.Join(v.Filters, " AND ")), newTextCell(v.Description),
		})
	}
	return g
}
