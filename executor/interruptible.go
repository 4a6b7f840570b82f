package executor

// Interruptible is an executor that can name statements whose calls return soon after the
// end of their context. A caller may run such a statement in its own goroutine, and saves a
// second one for the wait.
type Interruptible interface {
	// Interruptible reports whether the next execution of the statement by the caller
	// returns soon after the end of its context.
	Interruptible(sql string) bool
}
