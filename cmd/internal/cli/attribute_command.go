package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/planner/query"
)

// attributeFlags mirror the keys of an attribution.
type attributeFlags struct {
	json, saved                         string
	metric                              string
	dimensions                          []string
	baseline, current                   string
	where                               string
	params                              []string
	maxValues, topDimensions, topValues string
	dialect, connection                 string
}

// attributeQueryKeyFlagNames are the flags that write a part of the query.
var attributeQueryKeyFlagNames = slices.Concat([]string{
	"saved", "metric", "dimensions", "baseline", "current", "where", "param",
	"max-values", "top-dimensions", "top-values", "dialect", "connection",
}, namesOfKeyFlags(query.AttributeKeys()))

// attributeCommandName is the command of attributions.
const attributeCommandName = "attribute"

func (a *app) attributeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   attributeCommandName + " --model FILE --metric NAME --dimensions NAMES --baseline START..END --current START..END",
		Short: "Show what changed a metric between two windows",
		Args:  rejectArguments("metric"),
	}
	var q attributeFlags
	addModelFlags(cmd)
	addReaderFlags(cmd)
	q.addToCommand(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	addConnectionsFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON)
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
		done := a.startProgress()
		defer done()
		report, err := e.Attribute(cmd.Context(), query)
		done()
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			err = a.printJSON(report)
		} else {
			err = a.printText(attributionText(report, e.MetricFormat))
		}
		if err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

func (q *attributeFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.json, "json", "", "the body of the query as JSON: a file, - for standard input, or the JSON itself")
	f.StringVar(&q.saved, "saved", "", "a saved query of the model; other flags replace its parts")
	f.StringVar(&q.metric, "metric", "", "the metric")
	f.StringSliceVar(&q.dimensions, "dimensions", nil, "fields whose values explain the change, separated by commas")
	f.StringVar(&q.baseline, "baseline", "", "the earlier window, START..END; the end is exclusive")
	f.StringVar(&q.current, "current", "", "the later window, START..END")
	f.StringVar(&q.where, "where", "", "condition on rows")
	f.StringArrayVar(&q.params, "param", nil, "a parameter, name=value")
	f.StringVar(&q.maxValues, "max-values", "", "maximum number of values of a dimension, at most 1000 (default 500)")
	f.StringVar(&q.topDimensions, "top-dimensions", "", "number of dimensions in the summary (default 3)")
	f.StringVar(&q.topValues, "top-values", "", "number of values in the summary (default 10)")
	addKeyFlags(cmd, query.AttributeKeys())
	f.StringVar(&q.dialect, "dialect", "", "SQL dialect (default duckdb)")
	f.StringVar(&q.connection, "connection", "", "connection profile")
}

func (q *attributeFlags) decodeQuery(cmd *cobra.Command, in io.Reader, asked *correctableCommandLine) (*query.AttributeQuery, error) {
	body, err := queryBodyFromFlags(cmd, q.json, q.connection, attributeQueryKeyFlagNames, in, q.writeBody, asked)
	if err != nil {
		return nil, err
	}
	return query.DecodeAttribute(body)
}

func (q *attributeFlags) writeBody(cmd *cobra.Command) ([]byte, error) {
	o := new(jsonObjectWriter)
	o.addNonEmptyText("saved", q.saved)
	o.addNonEmptyText("metric", q.metric)
	o.addNamesMember("dimensions", q.dimensions, q.saved)
	for _, w := range []struct{ flag, text string }{{"baseline", q.baseline}, {"current", q.current}} {
		if w.text == "" {
			continue
		}
		start, end, ok := strings.Cut(w.text, "..")
		if !ok {
			return nil, newUsageError(fmt.Sprintf("--%s takes START..END, not %q", w.flag, w.text))
		}
		o.addMember(w.flag, query.TimeRange{Start: start, End: end})
	}
	o.addNonEmptyText("where_sql", q.where)
	if err := o.addParams(q.params); err != nil {
		return nil, err
	}
	for _, c := range []struct{ flag, key, text string }{
		{"max-values", "max_values_per_dimension", q.maxValues},
		{"top-dimensions", "top_n_dimensions", q.topDimensions},
		{"top-values", "top_n_values", q.topValues},
	} {
		if err := o.addCountFlag(cmd, c.flag, c.key, c.text); err != nil {
			return nil, err
		}
	}
	o.addKeysOfFlags(cmd, query.AttributeKeys())
	o.addNonEmptyText("dialect", q.dialect)
	o.addNonEmptyText("connection", q.connection)
	return o.closeObject()
}
