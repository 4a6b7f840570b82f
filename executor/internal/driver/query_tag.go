package driver

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/executor"
)

// NextStatementTag returns the tag of the next statement, "semlayer <id>/<number>", or the empty string
// without an id.
func NextStatementTag(ctx context.Context) string {
	id, number, ok := executor.NextQueryTag(ctx)
	if !ok {
		return ""
	}
	return "semlayer " + id + "/" + strconv.FormatInt(number, 10)
}

// NewCommentForNextStatement returns the tag of the next statement as a comment that goes in front of it, or the
// empty string without an id.
func NewCommentForNextStatement(ctx context.Context) string {
	text := NextStatementTag(ctx)
	if text == "" {
		return ""
	}
	return "/* " + text + " */ "
}
