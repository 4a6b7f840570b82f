package lookml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// isExpression reports whether the SQL of a measure is its value: an expression over other measures, and over
// aggregates that it writes itself.
func (m *measure) isExpression() bool {
	switch m.kind {
	case "number", "string", "date", "date_time":
		return true
	}
	return false
}

// expressionMeasure is the SQL of a measure that is an expression, while it becomes that of a metric.
type expressionMeasure struct {
	*measure
	measures map[string]*measure
	members  map[string]string // the names of metrics, by a name that no column has
	metric   *draft.Metric
	failed   error
}

// buildExpressionMetric makes a metric of the measures and the aggregates that a text names.
func (m *measure) buildExpressionMetric(out *draft.Metric, measures map[string]*measure) error {
	if filters := m.block.findLastItem("filters"); filters != nil {
		return fmt.Errorf("a filter of a %s has no effect in Looker", m.kind)
	}
	text, loss := readDoubleQuotes(m.block.valueOfKey("sql"), m.view.hasBackticks)
	if loss != "" {
		m.loss = loss
	}
	if err := checkNoTemplates("it has", text); err != nil {
		return err
	}
	if m.kind == "date" {
		text = "CAST(" + text + " AS DATE)"
	}
	n := &expressionMeasure{measure: m, measures: measures, members: map[string]string{}, metric: out}
	text = tableReferencePattern.ReplaceAllString(text, "")
	text = referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		return n.replaceReference(referencePattern.FindStringSubmatch(match)[1])
	})
	if n.failed != nil {
		return n.failed
	}
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return fmt.Errorf("its SQL cannot be read: %w", err)
	}
	if len(n.members) == 0 && !sqlexpr.HasAggregate(e) {
		return errors.New("it names no measure")
	}
	e = sqlexpr.Rewrite(e, n.rewrite)
	if n.failed != nil {
		return n.failed
	}
	out.Expression = draft.ANSIExpression(sqlexpr.Format(e))
	return nil
}

// fail keeps the first reason why the measure is dropped.
func (n *expressionMeasure) fail(format string, args ...any) sqlexpr.Expr {
	if n.failed == nil {
		n.failed = fmt.Errorf(format, args...)
	}
	return &sqlexpr.Null{}
}

// replaceReference is the text in the place of a reference: the name of a member, or the SQL of a dimension.
func (n *expressionMeasure) replaceReference(name string) string {
	full := name
	if !strings.Contains(name, ".") {
		full = n.view.name + "." + name
	}
	own := strings.TrimPrefix(full, n.view.name+".")
	switch of := n.measures[full]; {
	case of == n.measure:
		n.fail("it names itself")
	case of != nil && of.failed:
		n.fail("it is made of %s, which is dropped", full)
	case of != nil:
		// A name that no column has, until the text is parsed.
		place := fmt.Sprintf("${%d}", len(n.members))
		n.members[place] = of.became
		return `"` + place + `"`
	case strings.Contains(own, "."):
		n.fail("it names %s, which is not a measure", full)
	default:
		text, err := n.view.referencedDimensionSQL(own)
		switch d, _ := n.view.findDimension(own); {
		case d == nil:
			n.fail("it names %s, which is not a measure", full)
		case err != nil:
			n.fail("%w", err)
		case d.kind != "yesno" && d.approximated != "":
			n.loss = d.approximated
		}
		return "(" + text + ")"
	}
	return "NULL"
}

// rewrite puts metrics in the places of members, and fields in the places of what aggregates read.
func (n *expressionMeasure) rewrite(x sqlexpr.Expr) sqlexpr.Expr {
	switch x := x.(type) {
	case *sqlexpr.Call:
		if sqlexpr.InfoOfFunction(x.Fn).Class == sqlexpr.ClassAggregate {
			return n.rewriteAggregate(x)
		}
	case *sqlexpr.WindowCall:
		return n.fail("a window function has no counterpart")
	case *sqlexpr.Column:
		name, isMember := n.members[x.Path[0].Text]
		if !isMember || len(x.Path) > 1 {
			return n.fail("it names %s outside of an aggregate, which is not a measure", sqlexpr.Format(x))
		}
		bare, plain := importer.ColumnOfExpression(name)
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: !plain || bare != name}}}
	}
	return nil
}

// rewriteAggregate puts fields of the dataset in the places of the arguments of an aggregate.
func (n *expressionMeasure) rewriteAggregate(call *sqlexpr.Call) sqlexpr.Expr {
	copied := *call
	copied.Args = make([]sqlexpr.Expr, len(call.Args))
	names := 0
	for i, arg := range call.Args {
		copied.Args[i] = arg
		columns := sqlexpr.Columns(arg)
		if names += len(columns); len(columns) == 0 {
			continue
		}
		for _, column := range columns {
			if _, isMember := n.members[column.Path[0].Text]; isMember {
				return n.fail("an aggregate of a measure has no counterpart")
			}
		}
		if sqlexpr.HasAggregate(arg) {
			return n.fail("an aggregate of an aggregate has no counterpart")
		}
		field, err := n.fieldOfExpression(sqlexpr.Format(arg))
		if err != nil {
			return n.fail("%w", err)
		}
		path, err := sqlexpr.Parse(field)
		if err != nil {
			return n.fail("%w", err)
		}
		copied.Args[i] = path
	}
	if names == 0 { // COUNT(*): its rows are those of the view
		n.metric.Extension.Dataset = n.view.name
	}
	return &copied
}
