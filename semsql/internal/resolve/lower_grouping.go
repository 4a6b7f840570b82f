package resolve

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// maxGroupingArguments is the number of bits of GROUPING, an integer.
const maxGroupingArguments = 31

// lowerGroupingCall reads GROUPING (a, b).
func (s *Scope) lowerGroupingCall(c *parse.Call) (sqlexpr.Expr, error) {
	if len(c.Arguments) > maxGroupingArguments {
		return nil, sqlerror.New(planerr.CodeBadRequest, c.Pos(), "GROUPING has at most "+strconv.Itoa(maxGroupingArguments)+" arguments").WithSQLState(sqlerror.SQLStateLimitExceeded)
	}
	list, err := s.lowerExprs(c.Arguments)
	if err != nil {
		return nil, err
	}
	return s.Refs.Add(c.Pos(), Reference{Kind: GroupingReferenceKind, Column: "grouping", Arguments: list}), nil
}
