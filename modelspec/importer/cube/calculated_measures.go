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
	cube    *cube
	node    *importer.Node
	metric  *draft.Metric
	text    string            // its SQL
	members map[string]string // the metric of each name that stands for a measure
	sql     resolvedSQL
	err     error
	started bool // sql and err are known, or being computed
}

// expandCalculatedMeasures puts the metrics of measures in the places of their references.
func (p *projectImport) expandCalculatedMeasures() {
	byMetric := map[string]*calculatedMeasure{}
	for _, x := range p.calculated {
		byMetric[x.metric.Name] = x
	}
	for _, x := range p.calculated {
		e := p.entries[x.node]
		if err := x.buildMetricExpression(p, byMetric); err != nil {
			e.Became = slices.DeleteFunc(e.Became, func(path string) bool { return path == importer.MetricPath(x.metric.Name) })
			e.Outcome, e.Reason = importer.OutcomeApproximated, err.Error()
			if len(e.Became) == 0 {
				e.Outcome = importer.OutcomeDropped
			}
			p.model.Metrics = removeMetric(p.model.Metrics, x.metric)
		} else if loss := x.sql.lossOfParentheses(); loss != "" && e.Outcome == importer.OutcomeExact {
			e.Outcome, e.Reason = importer.OutcomeApproximated, loss
		}
	}
}

func (x *calculatedMeasure) buildMetricExpression(p *projectImport, byMetric map[string]*calculatedMeasure) error {
	x.resolveSQL(p, byMetric)
	if x.err != nil {
		return x.err
	}
	a := &importer.AggregateExpressionRewriter{
		Dialect: p.dialect,
		Member: func(column *sqlexpr.Column) sqlexpr.Expr {
			metric, isMember := x.members[column.Path[0].Text]
			if !isMember || len(column.Path) > 1 {
				return nil
			}
			return metricColumn(metric)
		},
		Field: func(expression string) (string, error) {
			field, err := x.cube.findOrAddFieldOfExpression(x.metric.Name, expression)
			return sqlexpr.FormatPath(x.cube.name, field), err
		},
	}
	text, err := a.RewriteForMetric(x.sql.text)
	if err != nil {
		return err
	}
	if e, err := importer.ParseSQL(text, p.dialect); err != nil || len(x.members) == 0 && !sqlexpr.HasAggregate(e) {
		return errors.New("it names no measure")
	}
	if a.CountsRows {
		x.metric.Extension.Dataset = x.cube.name
	}
	x.metric.Expression = draft.ANSIExpression(text)
	return x.atLevel(p, text)
}

func metricColumn(metric string) *sqlexpr.Column {
	bare, plain := importer.ColumnOfExpression(metric)
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: metric, Quoted: !plain || bare != metric}}}
}

// resolveSQL resolves the SQL of the measure, with a name that no column has in the place of each measure.
func (x *calculatedMeasure) resolveSQL(p *projectImport, byMetric map[string]*calculatedMeasure) {
	if x.started {
		return
	}
	x.started, x.members = true, map[string]string{}
	x.sql, x.err = x.cube.resolveReferences(x.text, 0, func(first, member, column string) (resolvedSQL, bool) {
		metric, found := x.findMetricOfReferencedMeasure(p, first, member, column)
		if !found {
			return resolvedSQL{}, false
		}
		r := unreferencedSQL(sqlexpr.Format(metricColumn(metric)))
		if other := byMetric[metric]; other != nil {
			if other.resolveSQL(p, byMetric); other.err == nil && other.sql.text != "" {
				r = other.sql
			}
		}
		place := fmt.Sprintf("$%d", len(x.members))
		x.members[place] = metric
		r.text = `"` + place + `"`
		return r, true
	})
}

// findMetricOfReferencedMeasure returns the metric of the measure that a reference names.
func (x *calculatedMeasure) findMetricOfReferencedMeasure(p *projectImport, first, member, column string) (metric string, found bool) {
	of, isBare := x.cube, member == ""
	if isBare {
		member = first
	} else if first != "CUBE" {
		of = p.byName[first]
	}
	if of == nil || column != "" || isBare && first == x.cube.name { // the name of the cube comes before its members
		return "", false
	}
	metric, found = of.metrics[member]
	return metric, found
}
