package plan

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// FreshnessQueries returns a query for the state of each table that a plan scans and whose dataset declares how its state is named.
func FreshnessQueries(root Node) []*PlannedQuery {
	var scans []*Scan
	seen := map[Node]bool{}
	var visit func(Node)
	visit = func(n Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if scan, ok := n.(*Scan); ok && scan.Freshness != nil && !slices.ContainsFunc(scans, scan.hasStateOf) {
			scans = append(scans, scan)
		}
		for _, input := range n.Inputs() {
			visit(input)
		}
	}
	visit(root)
	out := make([]*PlannedQuery, len(scans))
	for i, scan := range scans {
		out[i] = scan.freshnessQuery()
	}
	return out
}

// AllDeclareFreshness reports whether every table that a plan scans has a value that names its state.
func AllDeclareFreshness(root Node) bool {
	if scan, ok := root.(*Scan); ok {
		return scan.Freshness != nil
	}
	for _, input := range root.Inputs() {
		if !AllDeclareFreshness(input) {
			return false
		}
	}
	return true
}

// hasStateOf reports whether a value names the states of both tables.
func (n *Scan) hasStateOf(other *Scan) bool {
	return n.Source.Text() == other.Source.Text() && sqlexpr.Format(n.Freshness) == sqlexpr.Format(other.Freshness)
}

// freshnessColumn is the column of a query for the state of a table.
const freshnessColumn = "state"

func (n *Scan) freshnessQuery() *PlannedQuery {
	value := sqlexpr.Rewrite(n.Freshness, func(x sqlexpr.Expr) sqlexpr.Expr {
		if column, ok := x.(*sqlexpr.Column); ok {
			return sqlexpr.NewTwoPartColumn(n.Alias, column.Path[len(column.Path)-1])
		}
		return nil
	})
	return &PlannedQuery{
		Root: &Aggregate{
			Input:    &Scan{Dataset: n.Dataset, Source: n.Source, Alias: n.Alias},
			Measures: []NamedExpr{{Name: freshnessColumn, Expr: value}},
		},
		Columns: []OutputColumn{{Name: freshnessColumn}},
	}
}
