package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// queryFlags mirror the keys of a metric query.
type queryFlags struct {
	json       string
	metrics    []string
	groupBy    []string
	timeRanges []string
	order      []string
	params     []string
	connection string
	timeRangeFlags
	advancedMetricQueryFlags
}

func (q *queryFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.json, "json", "", "the body of the query as JSON: a file, - for standard input, or the JSON itself")
	f.StringSliceVar(&q.metrics, "metrics", nil, "metrics, separated by commas")
	f.StringSliceVar(&q.groupBy, "group-by", nil, "fields, each with an optional grain or part of a time: customers.region,orders.order_date:month")
	f.StringArrayVar(&q.timeRanges, "time-ranges", nil, "a named range, tag=START..END; repeat it")
	f.StringSliceVar(&q.order, "order", nil, "output columns, - before one for descending: -revenue,region")
	f.StringArrayVar(&q.params, "param", nil, "a parameter, name=value; repeat a name for a list of values")
	f.StringVar(&q.connection, "connection", "", "connection profile")
	q.timeRangeFlags.addToCommand(cmd)
	q.advancedMetricQueryFlags.addToCommand(cmd)
	addKeyFlags(cmd, query.MetricKeys())
}

// decodeQuery makes the query: the JSON body, or one written from the flags. Both are
// read by the decoder of the HTTP interface, so that both are checked alike.
func (q *queryFlags) decodeQuery(cmd *cobra.Command, in io.Reader, asked *correctableCommandLine) (*query.MetricQuery, error) {
	body, err := queryBodyFromFlags(cmd, q.json, q.connection, metricQueryKeyFlagNames, in, q.writeBody, asked)
	if err != nil {
		return nil, err
	}
	return query.DecodeMetric(body)
}

// metricQueryKeyFlagNames are the flags that write a part of the query.
var metricQueryKeyFlagNames = slices.Concat([]string{
	"metrics", "group-by", "time-ranges", "order", "param", "connection",
}, timeRangeFlagNames, advancedMetricQueryFlagNames, namesOfKeyFlags(query.MetricKeys()))

func readJSONArgument(from string, in io.Reader) ([]byte, error) {
	switch {
	case from == "-":
		return io.ReadAll(in)
	case strings.HasPrefix(strings.TrimSpace(from), "{"):
		return []byte(from), nil
	}
	return os.ReadFile(from)
}

// writeBody writes the query that the flags describe as JSON.
func (q *queryFlags) writeBody(cmd *cobra.Command) ([]byte, error) {
	o := new(jsonObjectWriter)
	metrics, err := q.advancedMetricQueryFlags.metricsArrayItems(q.metrics)
	if err != nil {
		return nil, err
	}
	if len(metrics) > 0 || flagText(cmd, "saved") == "" && !isFlagSet(cmd, "distinct") {
		o.addMember("metrics", metrics)
	}
	groups, err := q.groupByItems(q.groupBy)
	if err != nil {
		return nil, err
	}
	if len(groups) > 0 {
		o.addMember("group_by", groups)
	}
	if err := q.addTimeRange(o); err != nil {
		return nil, err
	}
	if len(q.timeRanges) > 0 {
		ranges, err := timeRangeFlagsToJSON(q.timeRanges)
		if err != nil {
			return nil, err
		}
		o.addMember("time_ranges", ranges)
	}
	if len(q.order) > 0 {
		o.addMember("order_by", parseTrimmedItems(q.order, parseOrderBy))
	}
	if err := o.addParams(q.params); err != nil {
		return nil, err
	}
	if err := q.advancedMetricQueryFlags.writeQueryKeys(o, cmd); err != nil {
		return nil, err
	}
	o.addKeysOfFlags(cmd, query.MetricKeys())
	o.addNonEmptyText("connection", q.connection)
	return o.closeObject()
}

// parseTrimmedItems reads the items of a list without the blanks around them, which people type
// after a comma. A name with surrounding blanks needs --json.
func parseTrimmedItems[T any](list []string, read func(string) T) []T {
	out := []T{}
	for _, s := range list {
		out = append(out, read(strings.TrimSpace(s)))
	}
	return out
}

func keepNameUnchanged(name string) string { return name }

// parseGroupBy reads field:grain and field:part. A field's name may hold dots but no colon.
func parseGroupBy(s string) query.GroupBy {
	field, unit, _ := strings.Cut(s, ":")
	return query.GroupBy{Field: field}.WithUnit(unit)
}

func parseOrderBy(s string) query.OrderBy {
	key, desc := strings.CutPrefix(s, "-")
	return query.OrderBy{Key: key, Desc: desc}
}

// timeRangeFlagsToJSON reads tag=START..END; either bound may be missing.
func timeRangeFlagsToJSON(list []string) (json.RawMessage, error) {
	o := new(jsonObjectWriter)
	for _, s := range list {
		tag, bounds, ok := strings.Cut(s, "=")
		start, end, dots := strings.Cut(bounds, "..")
		if !ok || !dots || tag == "" {
			return nil, newUsageError(fmt.Sprintf("--time-ranges takes tag=START..END, not %q", s))
		}
		o.addMember(tag, query.TimeRange{Start: start, End: end})
	}
	return o.closeObject()
}

// paramFlagsToJSON reads name=value. A value that parses as a JSON number, Boolean or quoted string
// is one; everything else is a string.
func paramFlagsToJSON(list []string) (json.RawMessage, error) {
	var names []string
	values := map[string][]json.RawMessage{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, newUsageError(fmt.Sprintf("--param takes name=value, not %q", s))
		}
		raw, err := paramValueToJSON(value)
		if err != nil {
			return nil, err
		}
		if len(values[name]) == 0 {
			names = append(names, name)
		}
		values[name] = append(values[name], raw)
	}
	o := new(jsonObjectWriter)
	for _, name := range names {
		if v := values[name]; len(v) == 1 {
			o.addMember(name, v[0])
		} else {
			o.addMember(name, v)
		}
	}
	return o.closeObject()
}

// jsonObjectWriter writes a JSON object with its keys in the order of writing.
type jsonObjectWriter struct {
	b   bytes.Buffer
	err error
}

func (o *jsonObjectWriter) addNonEmptyText(key, value string) {
	if value != "" {
		o.addMember(key, value)
	}
}

// addNamesMember writes a list that a query needs. Where a saved query has it, an empty one is left out.
func (o *jsonObjectWriter) addNamesMember(cmd *cobra.Command, key string, list []string) {
	if len(list) > 0 || flagText(cmd, "saved") == "" {
		o.addMember(key, parseTrimmedItems(list, keepNameUnchanged))
	}
}

// paramValueToJSON reads a value as JSON: a number, true or false, or a string with or without its quotes.
func paramValueToJSON(value string) (json.RawMessage, error) {
	raw := json.RawMessage(value)
	if !json.Valid(raw) || value == "null" || strings.ContainsAny(value[:1], "{[ \t\n") {
		return engine.MarshalWireJSON(value)
	}
	return raw, nil
}

// addParams writes the parameters that flags bind, if there are any.
func (o *jsonObjectWriter) addParams(list []string) error {
	if len(list) == 0 {
		return nil
	}
	bound, err := paramFlagsToJSON(list)
	if err != nil {
		return err
	}
	o.addMember("params", bound)
	return nil
}

func (o *jsonObjectWriter) addMember(key string, value any) {
	k, err := engine.MarshalWireJSON(key)
	if err != nil {
		o.err = err
	}
	v, err := engine.MarshalWireJSON(value)
	if err != nil {
		o.err = err
	}
	if o.b.Len() > 0 {
		o.b.WriteByte(',')
	}
	o.b.Write(k)
	o.b.WriteByte(':')
	o.b.Write(v)
}

func (o *jsonObjectWriter) closeObject() ([]byte, error) {
	return []byte("{" + o.b.String() + "}"), o.err
}
