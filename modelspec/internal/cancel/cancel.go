// Package cancel ends loops over the objects of a model when a context ends.
package cancel

import (
	"context"
	"iter"
)

// step is how many objects are done between two looks at the context.
const step = 64

// Each yields the elements of a list until the context ends.
func Each[T any](ctx context.Context, list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i, x := range list {
			if i%step == 0 && ctx.Err() != nil || !yield(x) {
				return
			}
		}
	}
}
