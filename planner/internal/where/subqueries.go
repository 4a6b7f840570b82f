package where

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A SQL statement filters rows by the rows of a subquery: the field of a condition is read in each branch, and the
// condition is a semi-join there, beside the conditions of where_sql.

// resolveSubqueryConditions resolves the fields of such conditions.
func (f *filterReader) resolveSubqueryConditions() ([]Conjunct, error) {
	var out []Conjunct
	for i := range f.in.Members {
		m := &f.in.Members[i]
		ref, err := ResolveSubqueryConditionField(f.sel.Names, *m)
		if err != nil {
			return nil, err
		}
		id := f.refs.IndexOrAdd(ref)
		out = append(out, Conjunct{Expr: &sqlexpr.Ref{ID: id}, Refs: []int{id}, Member: m})
	}
	return out, nil
}

// ResolveSubqueryConditionField returns the field of a condition on the rows of a subquery.
func ResolveSubqueryConditionField(names *resolve.Resolver, m members.InCondition) (resolve.Ref, error) {
	parts, err := resolve.SplitPath(m.Field)
	if err != nil {
		var all []string
		for field := range names.Cat.AllFields() {
			all = append(all, resolve.Ref{Field: field}.Text())
		}
		return resolve.Ref{}, &planerr.Error{
			Code: planerr.CodeUnknownDimension, Message: m.Field + " is not a field reference",
			Candidates: suggest.Nearest(m.Field, all, resolve.MaxCandidates),
		}
	}
	ref, err := names.Resolve(parts)
	if err != nil {
		return ref, err
	}
	if ref.Field.Encoding != nil {
		return ref, EncodedFieldInFilterError(ref)
	}
	return ref, members.CheckComparable(ref.String()+" IN", ref.Field.Type, m.Rows)
}
