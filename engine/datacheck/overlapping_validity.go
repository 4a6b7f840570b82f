package datacheck

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// maxOverlappingKeys is how many keys a finding names.
const maxOverlappingKeys = 3

// shouldCheckValidityOverlaps reports whether the intervals of a relationship are a promise of the model that is checked. Those that
// end where the next row begins cannot overlap.
func (c *dataChecker) shouldCheckValidityOverlaps(r *catalog.Relationship) bool {
	return r.Err == nil && r.Valid != nil && r.Valid.To != nil && c.options.reportsAnyCode(CodeOverlappingValidity)
}

// checkOverlappingValidity looks for rows of one key that are valid at one time. to is the scan of their dataset, nil if it was not
// scanned.
func (c *dataChecker) checkOverlappingValidity(ctx context.Context, r *catalog.Relationship, u unreadableObjects, to *datasetScanResult) error {
	if !c.shouldCheckValidityOverlaps(r) || !u.canReadFields(r.Valid.Fields()) {
		return nil
	}
	doc := c.places.relationshipDeclaration(r)
	if doc == nil {
		return nil
	}
	unknown := []string{"no two rows of one value of " + columnsDescription(r.ToFields) + " are valid at one time"}
	root, err := c.overlappingKeysPlan(ctx, r)
	if err != nil {
		return err
	}
	found, err := c.warehouse.runPlan(ctx, root)
	if why := asStatementError(err); why != nil {
		c.reportIncompleteCheck(doc.Place, unknown, why)
		return nil
	}
	if err != nil {
		return err
	}
	if len(found.rows) > 0 {
		c.addFinding(CodeOverlappingValidity, doc.Place,
			"the relationship "+r.Name+" finds several rows at one time for "+overlappingKeysText(found.rows)+" of "+columnsDescription(r.ToFields))
	} else if why := c.reasonRowsUnread(r.To, to); why != nil {
		c.reportIncompleteCheck(doc.Place, unknown, why)
	}
	return nil
}

func overlappingKeysText(rows [][]any) string {
	var keys []string
	for _, row := range rows[:min(len(rows), maxOverlappingKeys)] {
		keys = append(keys, formatValues(row))
	}
	text := strings.Join(keys, ", ")
	if len(rows) > maxOverlappingKeys {
		text += " and other values"
	}
	return text
}

// overlappingKeysPlan returns the first keys of which two rows overlap. Where two intervals of a key overlap, two that follow each other
// in the order of their beginning do.
func (c *dataChecker) overlappingKeysPlan(ctx context.Context, r *catalog.Relationship) (plan.Node, error) {
	v, n := r.Valid, len(r.ToFields)
	rows, err := c.boundedRowsPlan(ctx, r.To, slices.Concat(r.ToFields, []*catalog.Field{v.From, v.To}))
	if err != nil {
		return nil, err
	}
	cols := make([]plan.NamedExpr, n, n+2)
	for i, f := range r.ToFields {
		cols[i] = plan.NamedExpr{Name: rows.Schema()[i].Name, Expr: columnRef(i), Type: f.Type}
	}
	for i, f := range []*catalog.Field{v.From, v.To} {
		cols = append(cols, plan.NamedExpr{Name: rows.Schema()[n+i].Name, Expr: plan.ComparableTimeExpr(columnRef(n+i), f.Type, v.ComparedType()), Type: v.ComparedType()})
	}
	from, to, nextFrom, nextKey := columnRef(n), columnRef(n+1), columnRef(n+2), columnRef(n+3)
	lasting := append(buildConditionForEachColumn(r.ToFields, 0, isNotNullExpr), orConditions(newIsNullExpr(from), newIsNullExpr(to), lessExpr(from, to)))
	next := func(x sqlexpr.Expr) sqlexpr.Expr {
		over := &sqlexpr.WindowCall{
			Call: &sqlexpr.Call{Fn: sqlexpr.FnLead, Args: []sqlexpr.Expr{x}},
			Order: []sqlexpr.OrderItem{
				{X: &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: newIsNullExpr(from), Then: newNumberLiteral(0)}}, Else: newNumberLiteral(1)}}, {X: from},
			},
		}
		for i := range n {
			over.Partition = append(over.Partition, columnRef(i))
		}
		return over
	}
	followed := &plan.Window{
		Input: &plan.Filter{Input: &plan.Project{Input: rows, Cols: cols}, Conds: lasting, Why: "where_sql"},
		Funcs: []plan.NamedExpr{
			{Name: "next_from", Expr: next(from), Type: v.ComparedType()}, {Name: "next_key", Expr: next(columnRef(0)), Type: cols[0].Type},
		},
	}
	overlaps := []sqlexpr.Expr{isNotNullExpr(nextKey), orConditions(newIsNullExpr(to), newIsNullExpr(nextFrom), lessExpr(nextFrom, to))}
	keys := &plan.Aggregate{Input: &plan.Filter{Input: followed, Conds: overlaps, Why: "where_sql"}, Home: r.To.Name}
	first := &plan.Sort{Input: keys}
	for i := range n {
		keys.Keys = append(keys.Keys, plan.NamedExpr{Name: cols[i].Name, Expr: columnRef(i), Type: cols[i].Type})
		first.Keys = append(first.Keys, plan.SortKey{Col: i, NotNull: true})
	}
	return &plan.Limit{Input: first, N: maxOverlappingKeys + 1}, nil
}

func lessExpr(l, r sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Binary{Op: sqlexpr.OpLt, L: l, R: r} }
