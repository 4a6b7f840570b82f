package executor

import (
	"context"
	"strings"
	"sync/atomic"
)

// maxQueryTagLength is the longest id that a tag carries. Every place that a tag goes to has
// room for it: the shortest is a label of BigQuery, of 63 characters.
const maxQueryTagLength = 48

// queryTagIDAndStatementCount is the id of one request and the number of its statements so far.
type queryTagIDAndStatementCount struct {
	id         string
	statements atomic.Int64
}

type queryTagKey struct{}

// WithQueryTag returns a context under which drivers tag the statements that they send with
// the id of a request, in the place that the warehouse has for that: a comment in front, a
// label of the job, a setting. The tag is not part of the statement. An id that is not made
// of up to 48 ASCII letters, digits and hyphens is not carried, because a comment or a
// header would let it mean something else.
func WithQueryTag(ctx context.Context, id string) context.Context {
	if !isValidQueryTag(id) {
		return ctx
	}
	return context.WithValue(ctx, queryTagKey{}, &queryTagIDAndStatementCount{id: id})
}

// NextQueryTag returns the id that WithQueryTag put into the context and the number of the
// statement, which counts from 1 for each request and grows with each call. ok is false
// without an id. A driver calls it once for each statement.
func NextQueryTag(ctx context.Context) (id string, number int64, ok bool) {
	t, ok := ctx.Value(queryTagKey{}).(*queryTagIDAndStatementCount)
	if !ok {
		return "", 0, false
	}
	return t.id, t.statements.Add(1), true
}

func isValidQueryTag(id string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	return id != "" && len(id) <= maxQueryTagLength && strings.Trim(id, allowed) == ""
}
