package resolve

import (
	"fmt"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// CheckParameterCount rejects a number of values that is not the number of parameters.
func (s *Statement) CheckParameterCount() error {
	highest, at := highestParameter(s.Root)
	if s.Types != nil || highest == len(s.Params) {
		return nil
	}
	return sqlerror.New(sqlerror.CodeParameter, at, "the statement has "+strconv.Itoa(highest)+" parameters, and "+strconv.Itoa(len(s.Params))+" values were given")
}

// highestParameter returns the highest number of a parameter and where it is; 0 where there is none.
func highestParameter(root *parse.Query) (highest, at int) {
	parse.Walk(root, func(n parse.Node) bool {
		if p, ok := n.(*parse.Parameter); ok && p.Number > highest {
			highest, at = p.Number, p.Pos()
		}
		return true
	})
	return highest, at
}

// CheckParameterValueLengths rejects a value that is longer than a constant may be.
func (s *Statement) CheckParameterValueLengths() error {
	for i, v := range s.Params {
		if len(v.Text) > limits.SQLConstantBytes {
			return sqlerror.New(planerr.CodeBadRequest, 0, fmt.Sprintf("the value of $%d is longer than %d bytes", i+1, limits.SQLConstantBytes)).
				WithSQLState(sqlerror.SQLStateLimitExceeded)
		}
	}
	return nil
}
