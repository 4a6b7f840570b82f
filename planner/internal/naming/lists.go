package naming

import (
	"slices"
)

// HaveSame reports whether two lists have the same names, in any order.
func HaveSame(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}

// RemoveDuplicates returns a list of names, each once.
func RemoveDuplicates(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Remove returns a list of names less one of them.
func Remove(names []string, drop string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == drop })
}

// Quote returns a text in double quotes.
func Quote(s string) string { return `"` + s + `"` }

// Replace returns a list of names with one of them replaced; the replacement is left out where
// the list has it, or where it is taken.
func Replace(names []string, old, replacement, taken string) []string {
	out := Remove(names, old)
	if replacement != taken && !slices.Contains(out, replacement) {
		out = append(out, replacement)
	}
	return out
}
