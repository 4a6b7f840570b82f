package memory

import (
	"fmt"

	"github.com/semlayer/semlayer/executor"
)

// LimitError rejects a request because of its memory. It marshals to the wire shape.
type LimitError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// HeldByOthers reports that other requests hold the share, so that the same request may succeed soon.
	HeldByOthers bool `json:"-"`
}

// Error returns the code and the message.
func (e *LimitError) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns "memory_limit".
func (e *LimitError) ErrorCode() string { return e.Code }

// Retryable reports whether the same request can succeed later.
func (e *LimitError) Retryable() bool { return e.HeldByOthers }

// SQLState returns 53200 (out of memory) where other requests hold the share, and 54000 (program limit exceeded) elsewhere.
func (e *LimitError) SQLState() string {
	if e.HeldByOthers {
		return "53200"
	}
	return "54000"
}

func (p *Part) heldError() error {
	return &LimitError{
		Code:         executor.CodeMemoryLimit,
		Message:      fmt.Sprintf("other requests hold the %s of memory for %s; try again soon", formatBytes(p.capacity), p.what),
		HeldByOthers: true,
	}
}

func (p *Part) tooLargeError() error {
	return &LimitError{
		Code:    executor.CodeMemoryLimit,
		Message: fmt.Sprintf("the request needs more than the %s of memory for %s", formatBytes(p.capacity), p.what),
		Hint:    "make the request smaller; the operator of the server can raise --memory-mib",
	}
}

// formatBytes returns a number of bytes in MiB, or in bytes where that is less than one.
func formatBytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
