package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A SQL statement filters rows by the rows of a subquery: the field of a condition is read in each branch, and the
// condition is a semi-join there, beside the conditions of where_sql.

// resolveSubqueryConditions resolves the fields of such conditions.
func (f *filterReader) resolveSubqueryConditions() ([]conjunctOverFields, error) {
	var out []conjunctOverFields
	for i := range f.in.Members {
		m := &f.in.Members[i]
		ref, err := ResolveSubqueryConditionField(f.sel.Names, *m)
		if err != nil {
			return nil, err
		}
		id := f.refs.IndexOrAdd(ref)
		out = append(out, conjunctOverFields{expr: &sqlexpr.Ref{ID: id}, refs: []int{id}, member: m})
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

// boundSubqueryCondition is a condition on the rows of a subquery with its field as an expression over the rows of a node.
type boundSubqueryCondition struct {
	member *members.InCondition
	value  sqlexpr.Expr
	typ    sqlexpr.Type
}

// bindSubqueryConditions returns the conditions on the rows of subqueries over the columns of the branch.
func bindSubqueryConditions(p *branchPlanner, conds []conjunctOverFields) ([]boundSubqueryCondition, error) {
	var out []boundSubqueryCondition
	for _, c := range conds {
		if c.member == nil {
			continue
		}
		ref := p.q.conds.refs[c.refs[0]]
		e, err := p.exprOfRef(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, boundSubqueryCondition{c.member, joins.TruncateDateFieldToDay(e, ref.Field), ref.Field.Type})
	}
	return out, nil
}

// addFilterAndSemiJoins adds the conditions to a node.
func (f filterNodeConditions) addFilterAndSemiJoins(from plan.Node) plan.Node {
	if len(f.conds) > 0 {
		from = &plan.Filter{Input: from, Conds: f.conds, Why: f.why}
	}
	for _, m := range f.members {
		from = members.NewSemiJoin(from, m.value, m.typ, m.member.Not, m.member.Rows, f.why)
	}
	return from
}

// addSubqueryConditionColumns makes the values columns of the snapshots.
func (c *snapshotInputColumns) addSubqueryConditionColumns(all []boundSubqueryCondition) []boundSubqueryCondition {
	out := slices.Clone(all)
	for i := range out {
		out[i].value = c.rebindToColumns(out[i].value)
	}
	return out
}
