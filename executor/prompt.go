package executor

// Prompt marks an executor whose calls return within half a second of the end of their
// context, whatever the warehouse does: a network can be given up. Whoever runs its
// statements need not be ready to go on without them, and saves the goroutine for that.
// Work in the same process cannot be given up, only asked to stop.
type Prompt interface {
	// Prompt does nothing.
	Prompt()
}
