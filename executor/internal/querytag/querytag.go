package querytag

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/executor"
)

// StatementTag returns the tag of the next statement, "semlayer <id>/<number>", or the empty string
// without an id.
func StatementTag(ctx context.Context) string {
	id, number, ok := executor.QueryTag(ctx)
	if !ok {
		return ""
	}
	return "semlayer " + id + "/" + strconv.FormatInt(number, 10)
}

// TagComment returns the tag of the next statement as a comment that goes in front of it, or the
// empty string without an id.
func TagComment(ctx context.Context) string {
	text := StatementTag(ctx)
	if text == "" {
		return ""
	}
	return "/* " + text + " */ "
}
