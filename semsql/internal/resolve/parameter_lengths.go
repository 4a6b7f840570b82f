package resolve

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

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
