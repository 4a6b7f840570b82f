package selection

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// checkJoinedAggregate rejects an aggregate over fields of joined datasets alone that repeated rows falsify: plain SQL
// counts each of them once for every row of the root, a metric once.
func (g *aggregateSelect) checkJoinedAggregate(m measure) error {
	call := m.expr.(*sqlexpr.Call)
	if agg, ok := catalog.AggOfCall(call); ok && agg.DuplicateInsensitive() {
		return nil
	}
	name := ""
	for r := range g.Refs.ReferencesOf(m.expr) {
		if startDatasetOfReferencePath(r) == g.Root && len(r.Path) == 0 {
			return nil
		}
		name = r.Field.Dataset.Name
	}
	e := sqlerror.New(planerr.CodeFanOutRisk, m.at, "the join repeats the rows of "+name+" for each row of "+g.Root.Name+", and "+sqlexpr.InfoOfFunction(call.Fn).Name+" would count them each time")
	e = e.WithHint("write MEASURE of a metric, or select from " + g.Schema.Wide.Name)
	return e.WithSuggestedStatement(g.suggestedWideRelationStatement())
}

// suggestedWideRelationStatement returns the select over the wide relation, which counts each row once; "" where the statement is larger.
func (g *aggregateSelect) suggestedWideRelationStatement() string {
	if g.query != g.Statement.Root {
		return ""
	}
	out := g.syntax
	for {
		column := g.findColumnNotOfWideRelation(out)
		if column == nil {
			break
		}
		m, err := g.LowerExpr(column)
		if err != nil {
			return ""
		}
		name := g.wideColumnName(m)
		if name == "" {
			return ""
		}
		replaced := resolve.ReplaceNode(out, column, &parse.Column{Path: []parse.Name{{Text: name}}})
		out = replaced.(*parse.Select)
	}
	wide := *out
	wide.From = []parse.Relation{&parse.Table{Path: []parse.Name{{Text: g.Schema.Wide.Name}}}}
	return g.FormatWithReplacedPart(g.syntax, func() parse.Node { return &wide })
}

// findColumnNotOfWideRelation returns a column outside of FROM that names its relation or is not yet that of the wide relation.
func (g *aggregateSelect) findColumnNotOfWideRelation(s *parse.Select) *parse.Column {
	var out *parse.Column
	visit := func(n parse.Node) bool {
		if c, ok := n.(*parse.Column); ok && c.Pos() > 0 {
			out = c
		}
		return out == nil
	}
	outside := *s
	outside.From = nil
	parse.Walk(&outside, visit)
	return out
}

// wideColumnName returns the column of the wide relation that a reference is; "" for one that a path tells apart.
func (g *aggregateSelect) wideColumnName(e sqlexpr.Expr) string {
	ref, ok := e.(*sqlexpr.Ref)
	if !ok {
		return ""
	}
	r := g.Refs.ReferenceOf(ref)
	for _, c := range g.Schema.Wide.Columns {
		if r.Kind == resolve.FieldReferenceKind && c.Field == r.Field && len(c.Path) == 0 && len(r.Path) == 0 || r.Kind == resolve.MetricReferenceKind && c.Metric == r.Metric {
			return c.Name
		}
	}
	return ""
}
