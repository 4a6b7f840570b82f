package executor

// PromptCanceler is an executor that can name statements whose calls return soon after the
// end of their context. A caller may run such a statement in its own goroutine, and saves a
// second one for the wait.
type PromptCanceler interface {
	// CancelsPromptly reports whether the next execution of the statement by the caller
	// returns soon after the end of its context.
	CancelsPromptly(sql string) bool
}
