package blockingcall

import (
	"context"

	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// Run makes one blocking call. When ctx ends, stop runs in another goroutine: it ends the
// statement of the call; returned is closed when the call has returned. Run returns after both,
// never before.
//
// stopped reports that ctx ended during the call. A call that returns together with its context
// counts as stopped, because what stop sent may come too late for it and strike the next call.
// err is then the error of the context.
func Run(ctx context.Context, call func() error, stop func(returned <-chan struct{})) (stopped bool, err error) {
	if err := execerr.ContextError(ctx); err != nil {
		return false, err
	}
	if ctx.Done() == nil {
		return false, call()
	}
	returned, stopEnded := make(chan struct{}), make(chan struct{})
	cancelStop := context.AfterFunc(ctx, func() {
		defer close(stopEnded)
		stop(returned)
	})
	err = call()
	close(returned)
	if cancelStop() {
		return false, err
	}
	<-stopEnded
	return true, execerr.ContextError(ctx)
}
