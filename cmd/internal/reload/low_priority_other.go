//go:build !linux

package reload

// lowerThreadPriority does nothing where threads have no priorities.
func lowerThreadPriority() {}
