package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Refusal says that a query is not to be answered.
type Refusal struct {
	Must []string // codes of causes that forbid an answer, sorted, at least one
	May  []string // further codes that a refusal of this query could carry
}

// Error lists the causes.
func (r *Refusal) Error() string { return "refused: " + strings.Join(r.Must, ", ") }

// Unsure says that the reference has no opinion on a query: the meaning of what
// it asks is left open, or is beyond the part of the language that the reference
// knows.
type Unsure struct{ Reason string }

// Error is the reason.
func (u *Unsure) Error() string { return "unsure: " + u.Reason }

// errorCauses collects what speaks against a query.
type errorCauses struct{ must, may map[string]bool }

func newCauses() errorCauses { return errorCauses{map[string]bool{}, map[string]bool{}} }

func (c errorCauses) require(code string) { c.must[code] = true }

func (c errorCauses) allow(code string) { c.may[code] = true }

// toRefusal is nil when nothing forbids an answer.
func (c errorCauses) toRefusal() error {
	if len(c.must) == 0 {
		return nil
	}
	return &Refusal{Must: slices.Sorted(maps.Keys(c.must)), May: slices.Sorted(maps.Keys(c.may))}
}

// undefinedBehavior is the panic behind Unsure.
type undefinedBehavior struct{ reason string }

func abstain(format string, args ...any) { panic(undefinedBehavior{fmt.Sprintf(format, args...)}) }
