package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/planner/query"
)

// advancedMetricQueryFlags are the flags of a metric query that add to its metrics, groups and rows.
type advancedMetricQueryFlags struct {
	metricExprs []string
	groupExprs  []string
	totals      string
	shares      []string
	compare     []string
	top         string
	topWhere    string
	topLast     string
	fill        fillFlagValue
	sequences   []string
	levels      levelFlags
}

// advancedMetricQueryFlagNames are the names of advancedMetricQueryFlags.
var advancedMetricQueryFlagNames = append([]string{"metric-expr", "group-expr", "totals", "share", "compare", "top", "top-where", "top-last", "fill", sequenceFlag}, levelFlagNames...)

func (q *advancedMetricQueryFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&q.metricExprs, "metric-expr", nil, "a metric of this query, name=EXPRESSION; repeat it")
	q.levels.addToCommand(cmd)
	f.StringArrayVar(&q.groupExprs, "group-expr", nil, "a grouping expression, name=EXPRESSION; repeat it")
	f.StringVar(&q.totals, "totals", "", "sets of grouped columns to add total rows for, separated by ;, the empty set for the grand total: 'region,status;region;'")
	f.StringArrayVar(&q.shares, "share", nil, "a metric as a fraction of a total, METRIC or METRIC:COLUMN,COLUMN; repeat it")
	f.StringArrayVar(&q.compare, "compare", nil, "an earlier range to compare with: '1 year', '1 year align weekday', or START..END; NAME= before it names the columns; repeat it")
	f.StringVar(&q.top, "top", "", "keep the largest values of a grouped column, COLUMN:N or COLUMN:N:METRIC, and merge the others")
	f.StringVar(&q.topWhere, "top-where", "", "with --top: a condition on fields by which the values are ranked, in the place of --where")
	f.StringVar(&q.topLast, "top-last", "", "with --top: the last units of time by which the values are ranked, in the place of the range: '12 month'")
	f.Var(&q.fill, "fill", "add rows for the periods without data, with a number in place of NULL if one is given: --fill=0")
	f.Lookup("fill").NoOptDefVal = fillNullValue
	addSequenceFlag(cmd, &q.sequences)
}

// sequenceFlag adds a sequence to a query.
const sequenceFlag = "sequence"

func addSequenceFlag(cmd *cobra.Command, into *[]string) {
	cmd.Flags().StringArrayVar(into, sequenceFlag, nil, "a sequence of this query, a dataset of its starts, as JSON: a file, - for standard input, or the JSON itself; repeat it")
}

// addSequencesMember writes the sequences of a query.
func addSequencesMember(o *jsonObjectWriter, cmd *cobra.Command, sequences []string) error {
	var items []json.RawMessage
	for _, from := range sequences {
		text, err := readJSONArgument(from, cmd.InOrStdin())
		if err != nil {
			return err
		}
		if !json.Valid(text) {
			return newUsageError("--" + sequenceFlag + " is a sequence as JSON, or the name of a file with one")
		}
		items = append(items, text)
	}
	if len(items) > 0 {
		o.addMember("sequences", items)
	}
	return nil
}

// writeQueryKeys writes the keys of the flags that are given, apart from metrics and group_by.
func (q *advancedMetricQueryFlags) writeQueryKeys(o *jsonObjectWriter, cmd *cobra.Command) error {
	if cmd.Flags().Changed("totals") {
		o.addMember("totals", parseTotalsColumnSets(q.totals))
	}
	if len(q.shares) > 0 {
		o.addMember("shares", parseTrimmedItems(q.shares, parseShareFlag))
	}
	if len(q.compare) > 0 {
		c, err := parseCompareFlags(q.compare)
		if err != nil {
			return err
		}
		o.addMember("compare", c)
	}
	if q.top != "" {
		t, err := parseTopFlag(q.top)
		if err != nil {
			return err
		}
		if t.Rank, err = q.topRank(cmd); err != nil {
			return err
		}
		o.addMember("top", t)
	} else if cmd.Flags().Changed("top-where") || cmd.Flags().Changed("top-last") {
		return newUsageError("--top-where and --top-last rank the values of --top")
	}
	if q.fill.given {
		o.addMember("fill", query.Fill{Value: q.fill.number})
	}
	return addSequencesMember(o, cmd, q.sequences)
}

// metricsArrayItems returns the items of metrics: names, then inline metrics.
func (q *advancedMetricQueryFlags) metricsArrayItems(names []string) ([]any, error) {
	items := []any{}
	for _, name := range parseTrimmedItems(names, keepNameUnchanged) {
		items = append(items, name)
	}
	metrics := make([]query.InlineMetric, len(q.metricExprs))
	for i, s := range q.metricExprs {
		name, expression, err := parseNamedExpression("--metric-expr", s)
		if err != nil {
			return nil, err
		}
		metrics[i] = query.InlineMetric{Name: name, Expression: expression}
	}
	if err := q.levels.addLevels(metrics); err != nil {
		return nil, err
	}
	for _, m := range metrics {
		items = append(items, m)
	}
	return items, nil
}

// groupByItems returns the items of group_by: fields, then expressions.
func (q *advancedMetricQueryFlags) groupByItems(fields []string) ([]query.GroupBy, error) {
	items := parseTrimmedItems(fields, parseGroupBy)
	for _, s := range q.groupExprs {
		name, expression, err := parseNamedExpression("--group-expr", s)
		if err != nil {
			return nil, err
		}
		items = append(items, query.GroupBy{Name: name, Expression: expression})
	}
	return items, nil
}

// parseNamedExpression reads name=EXPRESSION.
func parseNamedExpression(flag, s string) (name, expression string, err error) {
	name, expression, ok := strings.Cut(s, "=")
	name, expression = strings.TrimSpace(name), strings.TrimSpace(expression)
	if !ok || name == "" || expression == "" {
		return "", "", newUsageError(fmt.Sprintf("%s takes name=EXPRESSION, not %q", flag, s))
	}
	return name, expression, nil
}

// parseTotalsColumnSets reads sets of columns that are separated by semicolons.
func parseTotalsColumnSets(s string) [][]string {
	var sets [][]string
	for set := range strings.SplitSeq(s, ";") {
		sets = append(sets, parseColumnNames(set))
	}
	return sets
}

// parseColumnNames reads names that are separated by commas; none from a blank text.
func parseColumnNames(s string) []string {
	if strings.TrimSpace(s) == "" {
		return []string{}
	}
	return parseTrimmedItems(strings.Split(s, ","), keepNameUnchanged)
}

// parseShareFlag reads METRIC or METRIC:COLUMN,COLUMN.
func parseShareFlag(s string) query.ShareRequest {
	metric, of, _ := strings.Cut(s, ":")
	return query.ShareRequest{Metric: strings.TrimSpace(metric), Of: parseColumnNames(of)}
}

// parseCompareFlags reads the comparisons of a query.
func parseCompareFlags(flags []string) (query.Comparisons, error) {
	out := make(query.Comparisons, len(flags))
	for i, s := range flags {
		var err error
		if out[i], err = parseCompareFlag(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// parseCompareFlag reads a number and a unit, or START..END, after NAME= if it has a name, and before the word align if it has an alignment.
func parseCompareFlag(s string) (query.Compare, error) {
	var c query.Compare
	span := s
	if name, rest, ok := strings.Cut(s, "="); ok {
		c.Name, span = strings.TrimSpace(name), rest
	}
	if before, alignment, ok := strings.Cut(span, " align "); ok {
		c.Align, span = strings.TrimSpace(alignment), before
	}
	if start, end, ok := strings.Cut(span, ".."); ok {
		c.Range = &query.TimeRange{Start: strings.TrimSpace(start), End: strings.TrimSpace(end)}
		return c, nil
	}
	n, unit, ok := parseCountAndTimeUnit(span)
	if !ok {
		return query.Compare{}, newUsageError(fmt.Sprintf("--compare takes a number and a unit, as in '1 year', or START..END, not %q", s))
	}
	c.Offset = &query.PeriodOffset{Count: n, Unit: unit}
	return c, nil
}

// parseCountAndTimeUnit reads a number and a unit of time.
func parseCountAndTimeUnit(s string) (n int64, unit string, ok bool) {
	words := strings.Fields(s)
	if len(words) != 2 {
		return 0, "", false
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	return n, words[1], err == nil
}

// parseTopFlag reads COLUMN:N or COLUMN:N:METRIC.
func parseTopFlag(s string) (query.Top, error) {
	parts := parseTrimmedItems(strings.Split(s, ":"), keepNameUnchanged)
	usage := newUsageError(fmt.Sprintf("--top takes COLUMN:N or COLUMN:N:METRIC, not %q", s))
	if len(parts) < 2 || len(parts) > 3 || len(parts) == 3 && parts[2] == "" {
		return query.Top{}, usage
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return query.Top{}, usage
	}
	t := query.Top{Dimension: parts[0], N: n}
	if len(parts) == 3 {
		t.By = parts[2]
	}
	return t, nil
}

// topRank returns the conditions by which --top ranks; nil for those of the query.
func (q *advancedMetricQueryFlags) topRank(cmd *cobra.Command) (*query.TopRank, error) {
	var rank query.TopRank
	if cmd.Flags().Changed("top-where") {
		rank.WhereSQL = &q.topWhere
	}
	if q.topLast != "" {
		n, unit, ok := parseCountAndTimeUnit(q.topLast)
		if !ok {
			return nil, newUsageError(fmt.Sprintf("--top-last takes a number and a unit, as in '12 month', not %q", q.topLast))
		}
		rank.TimeRange = &query.TimeRange{Last: &query.RelativeRange{N: n, Unit: unit}}
	}
	if rank == (query.TopRank{}) {
		return nil, nil
	}
	return &rank, nil
}

// fillNullValue is the value of --fill without a number.
const fillNullValue = "null"

// fillFlagValue is the value of --fill.
type fillFlagValue struct {
	given  bool
	number string
}

func (v *fillFlagValue) String() string { return v.number }
func (v *fillFlagValue) Type() string   { return "number" }

// Set reads a number; the decoder of queries checks its form.
func (v *fillFlagValue) Set(text string) error {
	if text == fillNullValue {
		*v = fillFlagValue{given: true}
		return nil
	}
	if !json.Valid([]byte(text)) || !strings.ContainsAny(text[:1], "-0123456789") {
		return fmt.Errorf("takes a number, not %q", text)
	}
	*v = fillFlagValue{given: true, number: text}
	return nil
}
