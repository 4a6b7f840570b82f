package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Rejection is the error of a query that has to be rejected.
type Rejection struct {
	Must []string // codes of causes that forbid a result, sorted, at least one
	May  []string // further codes that an error of this query could carry
}

// Error lists the causes.
func (r *Rejection) Error() string { return "refused: " + strings.Join(r.Must, ", ") }

// Abstention is the error of a query that the reference does not judge: the meaning of what
// it asks is left open, or is beyond the part of the language that the reference
// implements.
type Abstention struct{ Reason string }

// Error returns the reason.
func (u *Abstention) Error() string { return "unsure: " + u.Reason }

// rejectionCauses collects what speaks against a query.
type rejectionCauses struct{ must, may map[string]bool }

func newRejectionCauses() rejectionCauses {
	return rejectionCauses{map[string]bool{}, map[string]bool{}}
}

func (c rejectionCauses) addMustRejectCode(code string) { c.must[code] = true }

func (c rejectionCauses) addMayRejectCode(code string) { c.may[code] = true }

// toRejection returns nil when nothing forbids a result.
func (c rejectionCauses) toRejection() error {
	if len(c.must) == 0 {
		return nil
	}
	return &Rejection{Must: slices.Sorted(maps.Keys(c.must)), May: slices.Sorted(maps.Keys(c.may))}
}

// abstentionPanic is the panic behind Abstention.
type abstentionPanic struct{ reason string }

func abstain(format string, args ...any) { panic(abstentionPanic{fmt.Sprintf(format, args...)}) }
