package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func (a *app) valuesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "values FIELD --model FILE",
		Short: "List the stored values of a field, the most frequent first",
		Args:  cobra.ExactArgs(1),
	}
	parameters := map[string]*string{}
	var fresh bool
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	addConnectionsFlag(cmd)
	addDatabaseFlags(cmd)
	allowGeneratedModel(cmd)
	for flag, usage := range map[string]string{
		"like":       "only values that contain this text, ignoring case; if there are none, the nearest values",
		"where":      "condition on the rows of the field's dataset",
		"limit":      "maximum number of values, 1 to 1000 (default 20)",
		"offset":     "number of values to skip",
		"connection": "connection profile to run on",
		viewFlag:     "the view of the model that names the field",
		"dialect":    "dialect of the SQL, which must be that of the connection",
	} {
		parameters[flag] = cmd.Flags().String(flag, "", usage)
	}
	parameters["where_sql"] = parameters["where"]
	cmd.Flags().BoolVar(&fresh, "fresh", false, "read the values again, even if they were read within the last minute")
	a.addFormatFlag(cmd, formatTable, formatJSON, formatCSV)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		if c := a.defaultConnectionName(s, e); c != "" && *parameters["connection"] == "" {
			*parameters["connection"] = c
		}
		parameters["field"] = &args[0]
		q, err := query.ReadValuesURLParameters(func(name string) string {
			if given := parameters[name]; given != nil {
				return *given
			}
			return ""
		})
		if err != nil {
			return err
		}
		q.Fresh = fresh
		values, err := e.FieldValues(cmd.Context(), q)
		if err != nil {
			return err
		}
		return a.printValues(values)
	}
	return cmd
}

// printValues prints the values, and the least and the greatest on standard error.
func (a *app) printValues(values *engine.FieldValues) error {
	if a.effectiveOutputFormat() == formatJSON {
		return a.printJSON(values)
	}
	if values.Match != "" {
		fmt.Fprintln(a.std.Err, "no value contains the text; the nearest are:")
	}
	g := textTable{columns: []string{"value", "count"}}
	for _, v := range values.Values {
		value, err := newTableCellFromJSON(v.Value)
		if err != nil {
			return err
		}
		g.rows = append(g.rows, []tableCell{value, {text: strconv.FormatInt(v.Count, 10), number: true}})
	}
	if err := a.printTextTable(g); err != nil {
		return err
	}
	if values.Min != nil {
		fmt.Fprintf(a.std.Err, "from %s to %s\n", valueWithDecodedDay(values.Min, values.MinDate), valueWithDecodedDay(values.Max, values.MaxDate))
	}
	if !values.Complete {
		fmt.Fprintf(a.std.Err, "first %d values\n", values.RowCount)
	}
	return nil
}

// valueWithDecodedDay returns the least or the greatest value, with the day that a code of time means.
func valueWithDecodedDay(value []byte, day string) string {
	if day == "" {
		return string(value)
	}
	return string(value) + " (" + day + ")"
}
