package resolve

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/semsql/parse"
)

// suggestedDerivedTableJoin returns the statement that joins the rows of the datasets as results: it keeps and repeats rows as is
// written, where a join along the relationship e would not. "" where a metric or a star has no meaning then, and where an
// aggregate would count repeated rows of one dataset. The rows of one source may have a condition.
func (s *Scope) suggestedDerivedTableJoin(e joinEdge, filtered derivedTableCondition) string {
	r := fieldsReadBySource{scope: s, many: e.from, filtered: filtered, fields: make([][]*catalog.Field, len(s.Sources))}
	for i, source := range s.Sources {
		if source.table == nil || source.merged != nil {
			return ""
		}
		r.alone = append(r.alone, *s)
		r.alone[i].Sources = s.Sources[i : i+1]
	}
	r.recordFieldsOfSelect()
	if r.failed {
		return ""
	}
	return s.FormatWithReplacedPart(s.syntax, func() parse.Node {
		joined := parse.Node(s.syntax)
		if filtered.join != nil {
			unfiltered := *filtered.join
			unfiltered.On = s.conditionOfDeclaredRelationship(e)
			joined = ReplaceNode(joined, filtered.join, &unfiltered)
		}
		for i, source := range s.Sources {
			joined = ReplaceNode(joined, source.table, r.newDerivedTableOfSource(i))
		}
		return joined
	})
}

// derivedTableCondition are the conditions of a join on the rows of one source, which its derived table has in WHERE.
type derivedTableCondition struct {
	source int
	join   *parse.Join // nil where there are none
	conds  []parse.Expr
}

// fieldsReadBySource are the fields that a select reads of each of its sources.
type fieldsReadBySource struct {
	scope  *Scope
	alone  []Scope // of each source
	many   int     // the source with a row for each row of the join
	fields [][]*catalog.Field
	failed bool

	filtered derivedTableCondition
}

// recordFieldsOfSelect reads the clauses of the select and its order.
func (r *fieldsReadBySource) recordFieldsOfSelect() {
	syntax := r.scope.syntax
	outside := *syntax
	outside.From = nil
	r.recordFieldsReadBy(&outside)
	for _, from := range syntax.From {
		r.recordFieldsOfJoins(from)
	}
	parse.Walk(r.scope.Statement.Root, func(n parse.Node) bool {
		if q, ok := n.(*parse.Query); ok && q.Body == parse.QueryBody(syntax) {
			for _, o := range q.OrderBy {
				r.recordFieldsReadBy(o)
			}
		}
		return true
	})
	for _, item := range syntax.Items {
		if _, star := item.X.(*parse.Star); star {
			for i, source := range r.scope.Sources {
				r.fields[i] = source.Relation.Dataset.Fields
			}
		}
	}
	for _, fields := range r.fields {
		r.failed = r.failed || len(fields) == 0
	}
}

func (r *fieldsReadBySource) recordFieldsOfJoins(from parse.Relation) {
	j, ok := from.(*parse.Join)
	if !ok {
		return
	}
	r.recordFieldsOfJoins(j.Left)
	r.recordFieldsOfJoins(j.Right)
	if j.On != nil {
		r.recordFieldsReadBy(j.On)
	}
	for _, name := range j.Using {
		for i := range r.alone {
			if _, f, ok, err := r.alone[i].sourceAndFieldOf(&parse.Column{Path: []parse.Name{name}}); ok && err == nil {
				r.addFieldRead(i, f)
			}
		}
	}
}

// recordFieldsReadBy notes the fields that a part of the select reads.
func (r *fieldsReadBySource) recordFieldsReadBy(part parse.Node) {
	parse.Walk(part, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Query:
			return false
		case *parse.MeasureCall:
			r.failed = true
		case *parse.Call:
			r.failed = r.failed || r.isAggregateChangedByRepeatedRows(n)
		case *parse.Column:
			r.recordFieldOfColumn(n)
		}
		return !r.failed
	})
}

func (r *fieldsReadBySource) recordFieldOfColumn(c *parse.Column) {
	i, f, ok, err := r.scope.sourceAndFieldOf(c)
	switch {
	case IsUnknownColumn(err) && len(c.Path) == 1: // an alias of an item
	case err != nil, !ok, len(c.Path) > 2:
		r.failed = true
	default:
		r.addFieldRead(i, f)
	}
}

func (r *fieldsReadBySource) addFieldRead(source int, f *catalog.Field) {
	if !slices.Contains(r.fields[source], f) {
		r.fields[source] = append(r.fields[source], f)
	}
}

// isAggregateChangedByRepeatedRows reports whether a call is an aggregate that repeated rows change, and that reads no column of the source
// whose rows the join does not repeat.
func (r *fieldsReadBySource) isAggregateChangedByRepeatedRows(c *parse.Call) bool {
	switch strings.ToLower(c.Function.Text) {
	case "min", "max":
		return false
	}
	if c.Distinct || !IsAggregate(c) {
		return false
	}
	columns, ofMany := 0, 0
	for _, arg := range c.Arguments {
		parse.Walk(arg, func(n parse.Node) bool {
			column, ok := n.(*parse.Column)
			if !ok {
				return true
			}
			columns++
			if i, _, ok, err := r.scope.sourceAndFieldOf(column); ok && err == nil && i == r.many {
				ofMany++
			}
			return true
		})
	}
	return columns > 0 && ofMany == 0 || columns > 0 && len(r.scope.Sources) > 2
}

// newDerivedTableOfSource returns a source as a result: OFFSET keeps its rows apart from the select around them.
func (r *fieldsReadBySource) newDerivedTableOfSource(source int) *parse.DerivedTable {
	of := r.scope.Sources[source]
	table := *of.table
	rows := &parse.Select{From: []parse.Relation{&table}}
	if r.filtered.join == nil || r.filtered.source != source {
		table.Alias = nil
	} else {
		for _, cond := range r.filtered.conds {
			rows.Where = AndConditions(rows.Where, cond)
		}
	}
	for _, f := range of.Relation.Dataset.Fields {
		if slices.Contains(r.fields[source], f) {
			name := parse.Name{Text: f.Name, Quoted: strings.ToLower(f.Name) != f.Name}
			rows.Items = append(rows.Items, &parse.SelectItem{X: &parse.Column{Path: []parse.Name{name}}})
		}
	}
	alias := of.Alias
	if alias.Text == "" {
		alias = of.table.Path[len(of.table.Path)-1]
	}
	return &parse.DerivedTable{Query: &parse.Query{Body: rows, Offset: &parse.Number{Text: "0"}}, Alias: &parse.TableAlias{Name: alias}}
}
