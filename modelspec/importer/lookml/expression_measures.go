package lookml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// isExpression reports whether a measure is made of other measures: its SQL is its value, an expression over measures and over
// aggregates that it writes itself, or it compares a measure with an earlier period.
func (m *measure) isExpression() bool {
	switch m.kind {
	case "number", "string", "date", "date_time", periodOverPeriodType, percentOfTotalType:
		return true
	}
	return false
}

// expressionMeasure is the SQL of a measure that is an expression, while it becomes that of a metric.
type expressionMeasure struct {
	*measure
	measures map[string]*measure
	members  map[string]string // the names of metrics, by a name that no column has
	failed   error
}

// buildExpressionMetric makes a metric of the measures and the aggregates that a text names.
func (m *measure) buildExpressionMetric(out *draft.Metric, measures map[string]*measure) error {
	if m.kind == periodOverPeriodType {
		return m.buildPeriodOverPeriodMetric(out, measures)
	}
	if m.kind == percentOfTotalType {
		return m.buildPercentOfTotalMetric(out, measures)
	}
	if filters := m.block.findLastItem("filters"); filters != nil {
		return fmt.Errorf("a filter of a %s has no effect in Looker", m.kind)
	}
	text, loss := resolveDoubleQuotedParts(m.block.valueOfKey("sql"), m.view.hasBackticks, m.view.project.options.Dialect)
	if loss != "" {
		m.loss = loss
	}
	if err := checkNoTemplates("it has", text); err != nil {
		return err
	}
	if m.kind == "date" {
		text = "CAST(" + text + " AS DATE)"
	}
	n := &expressionMeasure{measure: m, measures: measures, members: map[string]string{}}
	text = dollarTableDotPattern.ReplaceAllString(importer.BacktickNamesToDoubleQuotes(text), "")
	text = referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		return n.replacementForReference(referencePattern.FindStringSubmatch(match)[1])
	})
	if n.failed != nil {
		return n.failed
	}
	if e, err := importer.ParseSQL(text, m.view.project.options.Dialect); err == nil && len(n.members) == 0 && !sqlexpr.HasAggregate(e) {
		return errors.New("it names no measure")
	}
	a := &importer.AggregateExpressionRewriter{
		Member: n.metricForMemberColumn, Dialect: m.view.project.options.Dialect,
		Field: func(text string) (string, error) { return n.findOrAddFieldOfExpression(text), nil },
	}
	text, err := a.RewriteForMetric(text)
	if a.CountsRows {
		out.Extension.Dataset = m.view.name
	}
	out.Expression = draft.ANSIExpression(text)
	return err
}

// recordFirstFailure keeps the first reason why the measure is dropped.
func (n *expressionMeasure) recordFirstFailure(format string, args ...any) {
	if n.failed == nil {
		n.failed = fmt.Errorf(format, args...)
	}
}

// replacementForReference returns the text in the place of a reference: the name of a member, or the SQL of a dimension.
func (n *expressionMeasure) replacementForReference(name string) string {
	full := name
	if !strings.Contains(name, ".") {
		full = n.view.name + "." + name
	}
	own := strings.TrimPrefix(full, n.view.name+".")
	switch of := n.measures[full]; {
	case of == n.measure:
		n.recordFirstFailure("it names itself")
	case of != nil && of.failed:
		n.recordFirstFailure("it is made of %s, which is dropped", full)
	case of != nil:
		// A name that no column has, until the text is parsed.
		place := fmt.Sprintf("${%d}", len(n.members))
		n.members[place] = of.became
		return `"` + place + `"`
	default:
		text, loss, err := n.view.referencedDimensionSQL(own)
		d, _ := n.view.findDimension(own)
		isJoined := strings.Contains(own, ".")
		switch {
		case d == nil && !isJoined, isJoined && err != nil:
			n.recordFirstFailure("it names %s, which is not a measure", full)
		case err != nil:
			n.recordFirstFailure("%w", err)
		case loss != "" && (d == nil || d.kind != "yesno"):
			n.loss = loss
		}
		return "(" + text + ")"
	}
	return "NULL"
}

// metricForMemberColumn returns the metric of a member, nil for a column.
func (n *expressionMeasure) metricForMemberColumn(column *sqlexpr.Column) sqlexpr.Expr {
	name, isMember := n.members[column.Path[0].Text]
	if !isMember || len(column.Path) > 1 {
		return nil
	}
	return metricColumn(name)
}

// metricColumn returns the name of a metric in an expression.
func metricColumn(name string) *sqlexpr.Column {
	bare, plain := importer.ColumnOfExpression(name)
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: !plain || bare != name}}}
}
