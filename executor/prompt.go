package executor

// Prompt is an executor that knows of statements whose calls return soon after the end of
// their context. Whoever runs one of them need not be ready to go on without it, and saves
// the goroutine for that.
type Prompt interface {
	// Prompt reports whether that is so for one execution of a statement, which is the
	// next that the caller makes.
	Prompt(sql string) bool
}
