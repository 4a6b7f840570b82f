package executor

// Prompt is an executor that knows of statements whose calls return soon after their
// context has ended, whatever the warehouse does. Whoever runs one of them need not be
// ready to go on without it, and saves the goroutine for that.
type Prompt interface {
	// Prompt reports whether that is so for a statement.
	Prompt(sql string) bool
}
