package executor

// DynamicTypingReporter is implemented by executors of warehouses whose columns may hold values of several
// types, so that the type of a result without rows is a guess.
type DynamicTypingReporter interface {
	// TypesFollowValues reports whether a value has a type and its column has none.
	TypesFollowValues() bool
}
