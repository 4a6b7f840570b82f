package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
)

// CoalesceToNumber replaces NULL by a number literal of the model.
func CoalesceToNumber(e sqlexpr.Expr, number string) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, coerce.NumberLiteral(number)}}
}
