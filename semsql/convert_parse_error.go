package semsql

import (
	"errors"

	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// convertParseError returns the error of a text that is not a statement to map.
func convertParseError(err error) error {
	var e *parse.Error
	if !errors.As(err, &e) {
		return err
	}
	return sqlerror.New(string(e.Code), e.Position, e.Message).WithSQLState(e.SQLState).WithOssieCode(e.Ossie).WithHint(e.Hint).WithSuggestedStatement(e.Statement)
}
