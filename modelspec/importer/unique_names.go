package importer

import (
	"fmt"
	"strings"
)

// UniqueNames gives the objects of one kind names that are unique without regard to case.
type UniqueNames map[string]bool

// ReserveFirstUnusedName returns a name that no other object has: the name itself, else the alternative, else
// that with a number.
func (n UniqueNames) ReserveFirstUnusedName(name, alternative string) string {
	chosen := name
	if n[strings.ToLower(chosen)] {
		chosen = alternative
	}
	for i := 2; n[strings.ToLower(chosen)]; i++ {
		chosen = fmt.Sprintf("%s_%d", alternative, i)
	}
	n[strings.ToLower(chosen)] = true
	return chosen
}

// IsTaken reports whether a name is taken.
func (n UniqueNames) IsTaken(name string) bool { return n[strings.ToLower(name)] }

// ReserveNames returns the names of objects that have alternatives. Objects of one name all have their alternatives, so that none has the
// name by its place in the input; one whose alternative is its name keeps it.
func (n UniqueNames) ReserveNames(names, alternatives []string) []string {
	counts := map[string]int{}
	for _, name := range names {
		counts[strings.ToLower(name)]++
	}
	out := make([]string, len(names))
	for _, isAlternative := range []bool{false, true} {
		for i, name := range names {
			isShared := counts[strings.ToLower(name)] > 1 && name != alternatives[i]
			switch {
			case isShared != isAlternative:
			case isShared:
				out[i] = n.ReserveFirstUnusedName(alternatives[i], alternatives[i])
			default:
				out[i] = n.ReserveFirstUnusedName(name, alternatives[i])
			}
		}
	}
	return out
}

// MissingOrUnknown returns the reason why a construct is dropped: a value is missing, or it has a fault.
func MissingOrUnknown(what, value, fault string) string {
	if value == "" {
		return "it has no " + what
	}
	return "the " + what + " " + value + " " + fault
}
