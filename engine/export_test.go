package engine

import "time"

// AwaitHints makes hints about an empty result arrive on a busy machine too.
func (e *Engine) AwaitHints() *Engine {
	e.hintTime = time.Minute
	return e
}
