package cube

import (
	"errors"
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// calculatedMeasure is a measure whose SQL is its value: over other measures, and over aggregates that it
// writes itself.
type calculatedMeasure struct {
	cube   *cube
	node   *importer.Node
	metric *draft.Metric
}

// expandCalculatedMeasures puts the metrics of measures in the places of their references.
func (p *projectImport) expandCalculatedMeasures() {
	for _, x := range p.calculated {
		if err := x.buildMetricExpression(p); err != nil {
			e := p.entries[x.node]
			e.Became = slices.DeleteFunc(e.Became, func(path string) bool { return path == importer.MetricPath(x.metric.Name) })
			e.Outcome, e.Reason = importer.OutcomeApproximated, err.Error()
			if len(e.Became) == 0 {
				e.Outcome = importer.OutcomeDropped
			}
			p.model.Metrics = removeMetric(p.model.Metrics, x.metric)
		}
	}
}

func (x *calculatedMeasure) buildMetricExpression(p *projectImport) error {
	text := x.node.Get("sql").String()
	if err := checkNoTemplateMarks(text); err != nil {
		return err
	}
	members := map[string]string{}
	text = x.cube.ownTablePattern.ReplaceAllString(importer.BacktickNamesToDoubleQuotes(text), "")
	text = referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		metric, found := x.findMetricOfReferencedMeasure(p, match)
		if !found {
			return match
		}
		place := fmt.Sprintf("$%d", len(members)) // a name that no column has, until the text is parsed
		members[place] = metric
		return `"` + place + `"`
	})
	text, err := x.cube.resolveReferences(x.cube.resolveJoinedDimensions(text), 0)
	if err != nil {
		return err
	}
	a := &importer.AggregateExpressionRewriter{
		Member: func(column *sqlexpr.Column) sqlexpr.Expr {
			metric, isMember := members[column.Path[0].Text]
			if !isMember || len(column.Path) > 1 {
				return nil
			}
			bare, plain := importer.ColumnOfExpression(metric)
			return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: metric, Quoted: !plain || bare != metric}}}
		},
		Field: func(expression string) (string, error) {
			field, err := x.cube.findOrAddFieldOfExpression(x.metric.Name, expression)
			return sqlexpr.FormatPath(x.cube.name, field), err
		},
	}
	if text, err = a.RewriteForMetric(text); err != nil {
		return err
	}
	if e, err := sqlexpr.Parse(text); err != nil || len(members) == 0 && !sqlexpr.HasAggregate(e) {
		return errors.New("it names no measure")
	}
	if a.CountsRows {
		x.metric.Extension.Dataset = x.cube.name
	}
	x.metric.Expression = draft.ANSIExpression(text)
	return nil
}

// findMetricOfReferencedMeasure returns the metric of the measure that a reference names.
func (x *calculatedMeasure) findMetricOfReferencedMeasure(p *projectImport, match string) (metric string, found bool) {
	m := referencePattern.FindStringSubmatch(match)
	of, member := x.cube, m[2]
	if member == "" {
		member = m[1]
	} else if m[1] != "CUBE" {
		of = p.byName[m[1]]
	}
	if of == nil || m[3] != "" || m[2] == "" && m[1] == x.cube.name { // the name of the cube comes before its members
		return "", false
	}
	metric, found = of.metrics[member]
	return metric, found
}
