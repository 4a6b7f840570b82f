package resolve

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
)

// Scope is what the names of one select mean: its sources, and the conditions that came with them.
type Scope struct {
	*Statement
	Tables  *CommonTables
	Sources []*Source
	// Conditions are those of merged tables and of joins that keep matched rows only.
	Conditions []sqlexpr.Expr
	// Root is the dataset whose rows a select of datasets is over; nil for the wide relation.
	Root *catalog.Dataset
	// Joined: several datasets are joined.
	Joined bool
	// Subquery maps a scalar subquery: the number and the type of its value. Nil where a subquery has no meaning.
	Subquery func(q *parse.Query) (index int, t sqltype.Type, err error)
	results  bool          // the sources are results of other selects
	syntax   *parse.Select // of a select over the model
	where    []parse.Expr  // the conjuncts of WHERE that are not taken as conditions of joins
	roles    bool          // names may be rel.field and dataset.metric, as in a view
	using    []mergedUsingColumn
	from     []parse.Relation // of joins

	withoutRows bool // the select is known to have no rows
}

// Source is one relation of FROM: a relation of the model, seen through the tables that are merged.
type Source struct {
	Alias    parse.Name // "" where only the table's own name, if any, is known
	path     []parse.Name
	table    *parse.Table        // nil for a derived table
	syntax   parse.Relation      // of joins
	Relation *relations.Relation // the relation of the model that it comes to
	// Role is the path from the root of joins; nil for the root, and where only one path leads there.
	Role    []catalog.JoinStep
	columns []ResultColumn // of a result
	// merged is the projection of a derived table; nil for a relation itself.
	merged *inlinedDerivedTable
}

// inlinedDerivedTable is a derived or common table that only projects and filters.
type inlinedDerivedTable struct {
	items  []*parse.SelectItem
	names  []parse.Name // of the columns, where the alias gives them
	scope  *Scope       // what the items are over
	source *Source      // the one source of scope
}

// WideSource returns the source of the wide relation, or of a view; nil where the scope has none.
func (s *Scope) WideSource() *Source {
	for _, source := range s.Sources {
		if source.Relation.IsWide() {
			return source
		}
	}
	return nil
}

// wideRelation returns the relation of the model or of a view that the select is over, else that of the model.
func (s *Scope) wideRelation() *relations.Relation {
	if wide := s.WideSource(); wide != nil {
		return wide.Relation
	}
	return s.Schema.Wide
}

// WideColumns lists the columns of the relation of the model or of a view that the select is over, else those of the model.
func (s *Scope) WideColumns() []*relations.Column { return s.wideRelation().Columns }

// IsInlinedDerivedTable reports whether a derived table is between the select and its relation.
func (s *Source) IsInlinedDerivedTable() bool { return s.merged != nil }

// isMeantByQualifier reports whether the qualifier of a column means the source.
func (s *Source) isMeantByQualifier(qualifier []parse.Name) bool {
	if s.Alias.Text != "" {
		return len(qualifier) == 1 && MatchesName(s.Alias, qualifier[0])
	}
	if len(s.path) == 0 || len(qualifier) > len(s.path) {
		return false
	}
	// orders.amount and public.orders.amount name public.orders; public.orders.amount names orders too.
	for i := range qualifier {
		declared := s.path[len(s.path)-len(qualifier)+i]
		if i == len(qualifier)-1 {
			declared = parse.Name{Text: s.Relation.Name, Quoted: true}
		}
		if !MatchesName(declared, qualifier[i]) {
			return false
		}
	}
	return true
}
