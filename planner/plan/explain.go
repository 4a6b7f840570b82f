package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Explain prints the tree, one node a line, children indented by two spaces.
func Explain(root Node) string {
	var b strings.Builder
	var shared []Node
	explain(&b, root, 0, &shared)
	return b.String()
}

// explain prints a node and its children. shared lists the inputs of shared subqueries that are
// printed already.
func explain(b *strings.Builder, n Node, depth int, shared *[]Node) {
	for range depth {
		b.WriteString("  ")
	}
	b.WriteString(n.Describe())
	if d, ok := n.(*Derived); ok && d.Shared {
		if slices.Contains(*shared, d.Input) {
			b.WriteString(", as above\n")
			return
		}
		*shared = append(*shared, d.Input)
	}
	b.WriteByte('\n')
	if list := rejectedRollups(n); list != nil {
		for _, r := range *list {
			b.WriteString(strings.Repeat("  ", depth+1) + "not " + r.Rollup + ": " + r.Rule + " (" + r.Message + ")\n")
		}
	}
	for _, in := range n.Inputs() {
		explain(b, in, depth+1, shared)
	}
}

// Describe names the dataset, its alias where it differs, and the source.
func (n *Scan) Describe() string {
	if n.Rollup != "" {
		return "Scan rollup " + n.Rollup + " (" + SourceText(n.Source) + ") for " + n.Dataset
	}
	s := "Scan " + n.Dataset
	if n.Alias != n.Dataset {
		s += " as " + n.Alias
	}
	return s + " (" + SourceText(n.Source) + ")"
}

// Describe names the alias and what the subquery is for.
func (n *Derived) Describe() string { return "Derived " + n.Alias + explainNote(n.Why) }

// Describe names the kind, the relationship, its cardinality and the keys.
func (n *Join) Describe() string {
	var b strings.Builder
	if n.Kind == InnerJoin {
		b.WriteString("InnerJoin")
	} else {
		b.WriteString("LeftJoin")
	}
	if n.Relationship != "" {
		b.WriteString(" via " + n.Relationship)
	}
	if n.Cardinality != "" {
		b.WriteString(" (" + n.Cardinality + ")")
	}
	for i, p := range n.On {
		if i == 0 {
			b.WriteString(" on ")
		} else {
			b.WriteString(" and ")
		}
		b.WriteString(sqlexpr.Format(p.Left))
		if p.NullSafe {
			b.WriteString(" is not distinct from ")
		} else {
			b.WriteString(" = ")
		}
		b.WriteString(sqlexpr.Format(p.Right))
	}
	if n.Valid != nil {
		b.WriteString(n.Valid.explainText())
	}
	return b.String()
}

// Describe lists the conditions and where they come from.
func (n *Filter) Describe() string {
	in := n.Input.Schema()
	parts := make([]string, len(n.Conds))
	for i, c := range n.Conds {
		parts[i] = ExprText(c, in)
	}
	return "Filter" + explainNote(n.Why) + " " + strings.Join(parts, " AND ")
}

// Describe lists the keys and measures, and the reason for the branch.
func (n *Aggregate) Describe() string {
	s := "Aggregate"
	if n.Home != "" {
		s += " of " + n.Home
	}
	s += explainNote(n.Why)
	if len(n.Keys) > 0 {
		s += " by " + namedExprsText(n.Keys, n.Input.Schema())
	}
	if len(n.Measures) == 0 {
		return s
	}
	return s + " compute " + namedExprsText(n.Measures, n.Input.Schema())
}

// Describe lists the window columns.
func (n *Window) Describe() string { return "Window " + namedExprsText(n.Funcs, n.Input.Schema()) }

// Describe lists the columns the branches meet on.
func (n *Combine) Describe() string {
	s := "Combine " + strconv.Itoa(len(n.Branches)) + " branches"
	if n.Keys == 0 {
		return s + " (one row each)"
	}
	names := make([]string, n.Keys)
	for i, c := range n.Schema()[:n.Keys] {
		names[i] = c.Name
	}
	return s + " on " + strings.Join(names, ", ") + " (null-safe full match)"
}

// Describe lists the output columns.
func (n *Project) Describe() string { return "Project " + namedExprsText(n.Cols, n.Input.Schema()) }

// Describe lists the keys; NULLs are last where it does not name them.
func (n *Sort) Describe() string {
	in := n.Input.Schema()
	parts := make([]string, len(n.Keys))
	for i, k := range n.Keys {
		parts[i] = in[k.Col].Name
		if k.Desc {
			parts[i] += " desc"
		}
		if k.NullsFirst {
			parts[i] += " nulls first"
		}
	}
	return "Sort " + strings.Join(parts, ", ")
}

// Describe prints the number of rows that are kept.
func (n *Limit) Describe() string { return "Limit " + strconv.FormatInt(n.N, 10) }

func explainNote(why string) string {
	if why == "" {
		return ""
	}
	return " [" + why + "]"
}

func namedExprsText(cols []NamedExpr, in Schema) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		text := ExprText(c.Expr, in)
		if text == c.Name {
			parts[i] = text
			continue
		}
		parts[i] = c.Name + " = " + text
	}
	return strings.Join(parts, ", ")
}

// ExprText prints an expression with its references replaced by the names of the
// input's columns.
func ExprText(e sqlexpr.Expr, in Schema) string {
	named := sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		if r.ID < 0 || r.ID >= len(in) {
			return nil
		}
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: in[r.ID].Name}}}
	})
	return sqlexpr.Format(named)
}

// SourceText prints a table's parts joined by dots, or "query" for a query
// source.
func SourceText(s sqlexpr.DatasetTableOrQuery) string {
	if s.Query != "" {
		return "query"
	}
	parts := make([]string, len(s.Table))
	for i, n := range s.Table {
		parts[i] = n.Text
	}
	return strings.Join(parts, ".")
}
