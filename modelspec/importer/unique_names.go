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
