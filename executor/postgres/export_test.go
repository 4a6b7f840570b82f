package postgres

import "time"

// KeepFor changes how long plans are used.
func (e *Executor) KeepFor(d time.Duration) { e.described.keptFor = d }
