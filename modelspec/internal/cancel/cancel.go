// Package cancel ends loops over the objects of a model when a context ends.
package cancel

import (
	"context"
	"iter"
)

// objectsBetweenChecks is how many objects are done between two looks at the context.
const objectsBetweenChecks = 64

// EachUntilDone yields the elements of a list until the context ends.
func EachUntilDone[T any](ctx context.Context, list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i, x := range list {
			if i%objectsBetweenChecks == 0 && ctx.Err() != nil || !yield(x) {
				return
			}
		}
	}
}
