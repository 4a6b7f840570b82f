package sqlemit

// Error is why a plan has no SQL in a dialect.
type Error struct {
	// Code is CodeNotImplemented or CodeInternal.
	Code string
	// Dialect is the canonical name of the target.
	Dialect string
	// Message is for people.
	Message string
}

// The codes of an Error.
const (
	// CodeNotImplemented: the dialect has no SQL for what the plan requests.
	CodeNotImplemented = "not_implemented"
	// CodeInternal: the plan breaks an invariant of package plan.
	CodeInternal = "internal"
)

func (e *Error) Error() string { return e.Dialect + ": " + e.Message }

// ErrorCode returns the code.
func (e *Error) ErrorCode() string { return e.Code }
