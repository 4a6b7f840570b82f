package selection

import (
	"context"

	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// MapQuery maps a query with its order and limit. Selected has the equal query of a single select, and Rows of any.
func MapQuery(ctx context.Context, s *resolve.Statement, q *parse.Query, in PlanningContext) (out *MappedSelect, composed bool, err error) {
	s.CountExpressions()
	in.shared, in.repeated = map[*parse.CommonTable]*compose.Rows{}, resolve.RepeatedCommonTables(q)
	var tables *resolve.CommonTables
	tables = tables.WithCommonTables(q.With)
	if body, ok := selectOverModelWithSemiJoins(s, tables, q.Body); ok {
		out, err = mapSelect(ctx, s, tables, q, body, in)
		return out, false, err
	}
	rows, err := mapSelectOrSetOperation(ctx, s, tables, q, in)
	if err != nil {
		return nil, true, err
	}
	return &MappedSelect{Rows: rows}, true, nil
}

// mapSubquery maps a query inside of a statement. The rows of a select over relations are a common table.
func mapSubquery(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, in PlanningContext) (*compose.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return mapSelectOrSetOperation(ctx, s.StatementForOtherSelect(), tables.WithCommonTables(q.With), q, in)
}

func mapSelectOrSetOperation(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, in PlanningContext) (*compose.Rows, error) {
	switch body := q.Body.(type) {
	case *parse.Select:
		semantic, ok := selectOverModelWithSemiJoins(s, tables, body)
		if !ok {
			return mapOuterSelect(ctx, s, tables, q, body, in)
		}
		selected, err := mapSelect(ctx, s, tables, q, semantic, in)
		if err != nil {
			return nil, err
		}
		return in.Composer.MakeCommonTable(selected.Rows), nil
	case *parse.SetOperation:
		rows, err := mapSetOperation(ctx, s, tables, body, in)
		if err != nil {
			return nil, err
		}
		return orderAndLimitRows(ctx, s, tables, q, rows, in)
	case *parse.Query:
		rows, err := mapSubquery(ctx, s, tables, body, in)
		if err != nil {
			return nil, err
		}
		return orderAndLimitRows(ctx, s, tables, q, rows, in)
	}
	return nil, sqlerror.New(planerr.CodeInternal, q.Pos(), "no mapping of this query exists")
}

// selectOverModelWithSemiJoins returns a body that is a select over relations of the model, its joins with unique results as conditions.
func selectOverModelWithSemiJoins(s *resolve.Statement, tables *resolve.CommonTables, body parse.QueryBody) (*parse.Select, bool) {
	out, ok := body.(*parse.Select)
	if !ok {
		return nil, false
	}
	for joined := true; joined; {
		out, joined = rewriteJoinsAsSemiJoins(s, tables, out)
	}
	return out, isSelectOverModel(tables, out)
}

// isSelectOverModel reports whether a select is over relations of the model: what is between them only projects and filters.
func isSelectOverModel(tables *resolve.CommonTables, s *parse.Select) bool {
	if _, ok := semanticViewOf(s); ok {
		return !isGroupedOrAggregatedSelect(s)
	}
	for _, r := range s.From {
		if !isModelRelation(tables, r) {
			return false
		}
	}
	return len(s.From) > 0
}

// isGroupedOrAggregatedSelect reports whether a select groups, aggregates or makes distinct the rows of a SEMANTIC_VIEW.
func isGroupedOrAggregatedSelect(s *parse.Select) bool {
	if len(s.GroupBy) > 0 || s.Distinct {
		return true
	}
	for _, item := range s.Items {
		if resolve.HasAggregate(item.X) || resolve.HasWindow(item.X) {
			return true
		}
	}
	return s.Having != nil && resolve.HasAggregate(s.Having)
}

// isModelRelation reports whether a relation comes to relations of the model.
func isModelRelation(tables *resolve.CommonTables, r parse.Relation) bool {
	switch r := r.(type) {
	case *parse.Table:
		if len(r.Path) == 1 {
			if common, before := tables.FindCommonTable(r.Path[0]); common != nil {
				return isMergeableOverModel(before, common.Query)
			}
		}
		return true
	case *parse.DerivedTable:
		return isMergeableOverModel(tables, r.Query)
	case *parse.Join:
		return isModelRelation(tables, r.Left) && isModelRelation(tables, r.Right)
	default: // a result
		return false
	}
}

func isMergeableOverModel(tables *resolve.CommonTables, q *parse.Query) bool {
	return resolve.CanInlineDerivedTable(q) && isModelRelation(tables.WithCommonTables(q.With), q.Body.(*parse.Select).From[0])
}
