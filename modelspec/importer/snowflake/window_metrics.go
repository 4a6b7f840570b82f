package snowflake

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// windowMetric is a metric function(metric) OVER (…): Snowflake computes it over the rows of the result.
type windowMetric struct {
	function, argument string
	isExcluding        bool     // the partition is by all dimensions of the query but those named
	partition          []string // names of dimensions
	order              []string
	isDescending       bool
	frame              string // in upper case, with one blank between its words
}

var errWindow = errors.New("a window function beside other SQL has no counterpart")

// parseWindowMetric reads the expression of a metric with a window. found is false where it has none.
func parseWindowMetric(text string) (w windowMetric, found bool, err error) {
	tokens, err := statementTokens("", text)
	if err != nil {
		return w, false, err
	}
	over := slices.IndexFunc(tokens, func(t token) bool { return t.kind == tokenWord && t.text == "OVER" })
	if over < 0 || tokens[over+1].text != "(" {
		return w, false, nil
	}
	p := &statementParser{text: text, tokens: tokens}
	if tokens[0].kind != tokenWord || tokens[1].text != "(" || over < 3 || tokens[over-1].text != ")" {
		return w, true, errWindow
	}
	w.function = tokens[0].text
	if over > 3 {
		w.argument = text[tokens[2].begin:tokens[over-2].end]
	}
	p.next = over + 2
	if p.acceptWords("PARTITION", "BY") {
		w.isExcluding = p.acceptWords("EXCLUDING")
		if w.partition, err = p.parseWindowNames(); err != nil {
			return w, true, err
		}
	}
	if p.acceptWords("ORDER", "BY") {
		if w.order, err = p.parseWindowNames(); err != nil {
			return w, true, err
		}
		w.isDescending = !p.acceptWords("ASC") && p.acceptWords("DESC")
		if p.acceptWords("NULLS") {
			p.advance()
		}
	}
	var words []string
	for !p.isSign(")") && p.peek().kind != tokenEnd {
		words = append(words, strings.ToUpper(p.text[p.peek().begin:p.peek().end]))
		p.advance()
	}
	w.frame = strings.Join(words, " ")
	if !p.acceptSign(")") || p.peek().kind != tokenEnd {
		return w, true, errWindow
	}
	return w, true, nil
}

func (p *statementParser) parseWindowNames() ([]string, error) {
	var out []string
	for {
		name, err := p.parseNameParts("a dimension")
		if err != nil {
			return nil, errors.New("its window names an expression, which has no counterpart")
		}
		out = append(out, p.text[name[0].begin:name[len(name)-1].end])
		if !p.acceptSign(",") {
			return out, nil
		}
	}
}

// buildWindowMetric makes the window of a metric over another metric of one aggregate.
func (v *semanticViewImport) buildWindowMetric(m *metric, w windowMetric) error {
	function := strings.ToLower(w.function)
	if !slices.Contains([]string{"sum", "avg", "min", "max", "count"}, function) {
		return fmt.Errorf("the window function %s has no counterpart", w.function)
	}
	inner, err := v.aggregateOfWindow(m, w.argument)
	if err != nil {
		return err
	}
	var excluded []string
	ordered := ""
	for _, name := range w.partition {
		t, field := v.dimensionOfName(m, name)
		if field == nil {
			return fmt.Errorf("its window names %s, which is not a dimension", name)
		}
		if len(w.order) == 1 && t == inner.table && strings.EqualFold(name, w.order[0]) {
			inner.table.takeForTime(field)
			if !isTimeField(field) {
				return fmt.Errorf("its window is in the order of %s, which is not a time dimension", name)
			}
			ordered = field.Name
			continue
		}
		excluded = append(excluded, sqlexpr.FormatPath(t.dataset.Name, field.Name))
	}
	switch {
	case len(w.partition) > 0 && !w.isExcluding:
		return errors.New("a window whose partition is not by EXCLUDING has no counterpart")
	case len(w.order) == 0:
		return m.addWholePartition(function, excluded, w.frame)
	case ordered == "" || w.isDescending:
		return errors.New("a window in an order other than by one ascending time of the metric's table, which its partition excludes, has no counterpart")
	}
	m.draft.Extension.TimeDimension = sqlexpr.FormatPath(inner.table.dataset.Name, ordered)
	return m.addFrame(function, excluded, w.frame, ordered)
}

// aggregateOfWindow makes the expression of a metric that of the metric that its window reads, and returns that one.
func (v *semanticViewImport) aggregateOfWindow(m *metric, argument string) (*metric, error) {
	e, err := parse(argument)
	if err != nil {
		return nil, errWindow
	}
	column, ok := e.(*sqlexpr.Column)
	if !ok {
		return nil, errors.New("its window function reads an expression, which has no counterpart")
	}
	var inner *metric
	if t, name := v.tableOfColumn(m, column); t != nil {
		inner = v.metrics[strings.ToLower(t.name+"."+name.Text)]
	}
	if inner == nil && len(column.Path) == 1 {
		inner = v.metrics[strings.ToLower(column.Path[0].Text)]
	}
	switch {
	case inner == nil || inner == m:
		return nil, fmt.Errorf("its window function reads %s, which is not a metric", argument)
	case inner.refused != "" || len(inner.snapshots) > 0 || inner.table == nil:
		return nil, fmt.Errorf("its window function reads %s, which is not a metric of one aggregate", argument)
	}
	text, err := parse(inner.expr)
	if err != nil {
		return nil, fmt.Errorf("its window function reads %s, whose expression cannot be read", argument)
	}
	out, err := v.replaceNamesByFieldsAndMetrics(inner, text)
	if err != nil {
		return nil, fmt.Errorf("its window function reads %s, and %w", argument, err)
	}
	if call, isCall := out.(*sqlexpr.Call); !isCall || sqlexpr.InfoOfFunction(call.Fn).Class != sqlexpr.ClassAggregate {
		return nil, fmt.Errorf("its window function reads %s, which is not a metric of one aggregate", argument)
	}
	m.draft.Expression = draft.ANSIExpression(sqlexpr.Format(out))
	if hasAggregateWithoutColumn(out) {
		m.draft.Extension.Dataset = inner.table.dataset.Name
	}
	return inner, nil
}

// dimensionOfName returns the field of a dimension that a window names, nil for any other name.
func (v *semanticViewImport) dimensionOfName(m *metric, name string) (*logicalTable, *draft.Field) {
	e, err := parse(name)
	column, ok := e.(*sqlexpr.Column)
	if err != nil || !ok {
		return nil, nil
	}
	t, last := v.tableOfColumn(m, column)
	if t == nil {
		return nil, nil
	}
	f := t.fields[strings.ToLower(last.Text)]
	if f == nil || f.Role == draft.FieldRoleUndeclared {
		return nil, nil
	}
	return t, f
}

// partitionWithout returns the partition by all groups but a time and the excluded ones.
func partitionWithout(excluded []string) *draft.WindowPartition {
	if len(excluded) == 0 {
		return nil
	}
	return &draft.WindowPartition{Mode: "query_dimensions_except", Exclude: excluded}
}

// addWholePartition makes a window of all rows of its partition.
func (m *metric) addWholePartition(function string, excluded []string, frame string) error {
	if frame != "" {
		return errors.New("a frame without an order has no counterpart")
	}
	partition := partitionWithout(excluded)
	if partition == nil {
		partition = &draft.WindowPartition{Mode: "none"}
	} else {
		m.losses = append(m.losses, "grouped by time, the window reads the rows of all periods together, and in Snowflake those of one")
	}
	m.draft.Extension.Window = &draft.Window{Frame: &draft.FrameWindow{Function: function, Scope: "partition", Partition: partition}}
	return nil
}

// addFrame makes a window of rows before each row, in the order of a time.
func (m *metric) addFrame(function string, excluded []string, frame, time string) error {
	m.losses = append(m.losses, "a row without "+time+" has no value")
	before, isFrame := strings.CutSuffix(frame, " AND CURRENT ROW")
	units, preceding, _ := strings.Cut(strings.Replace(before, " BETWEEN ", " ", 1), " ")
	amount, isPreceding := strings.CutSuffix(preceding, " PRECEDING")
	if frame == "" || (isFrame || frame == units+" UNBOUNDED PRECEDING") && amount == "UNBOUNDED" {
		m.draft.Extension.Window = &draft.Window{
			Frame: &draft.FrameWindow{Function: function, Preceding: "unbounded", Partition: partitionWithout(excluded)}, Population: "range",
		}
		return nil
	}
	const earlier = "with a time range it reads rows before the range, and in Snowflake those in it"
	if !isFrame || !isPreceding {
		return fmt.Errorf("the frame %s has no counterpart", frame)
	}
	if n, err := strconv.Atoi(amount); err == nil && units == "ROWS" && n > 0 && n <= 400 {
		m.draft.Extension.Window = &draft.Window{Frame: &draft.FrameWindow{Function: function, Preceding: n, Partition: partitionWithout(excluded)}}
		m.losses = append(m.losses, earlier)
		return nil
	}
	days, known := daysOfInterval(amount)
	if units != "RANGE" || !known || len(excluded) > 0 {
		return fmt.Errorf("the frame %s has no counterpart", frame)
	}
	m.draft.Extension.Window = &draft.Window{Type: "rolling", Function: function, Span: &draft.WindowOffset{Count: days + 1, Granularity: "day"}}
	m.losses = append(m.losses, earlier, "it reads the values of days, and in Snowflake those of "+time)
	return nil
}

// daysOfInterval returns the days of an interval such as INTERVAL '6 DAYS' or INTERVAL '1 WEEK'.
func daysOfInterval(text string) (days int, known bool) {
	words := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(text, "INTERVAL "), "'", " "))
	if !strings.HasPrefix(text, "INTERVAL ") || len(words) != 2 {
		return 0, false
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 || n > 399 {
		return 0, false
	}
	switch strings.TrimSuffix(words[1], "S") {
	case "DAY", "D":
		return n, true
	case "WEEK", "W":
		return 7 * n, 7*n < 400
	}
	return 0, false
}
