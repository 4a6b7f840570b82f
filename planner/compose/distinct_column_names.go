package compose

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/planner/plan"
)

// distinctColumnNames returns names that differ in more than case and that every engine keeps, for the columns of a node.
func distinctColumnNames(names []string) []string {
	taken := make(map[string]bool, len(names))
	out := make([]string, len(names))
	for _, n := range names {
		taken[strings.ToLower(portableColumnName(n))] = true
	}
	used := make(map[string]bool, len(names))
	next := map[string]int{}
	for i, name := range names {
		if name = portableColumnName(name); name == "" {
			name = "column"
		}
		key := strings.ToLower(name)
		if !used[key] {
			used[key], out[i] = true, name
			continue
		}
		n := max(next[key], 2)
		numbered := name + "_" + strconv.Itoa(n)
		for used[strings.ToLower(numbered)] || taken[strings.ToLower(numbered)] {
			n++
			numbered = name + "_" + strconv.Itoa(n)
		}
		next[key] = n + 1
		used[strings.ToLower(numbered)], out[i] = true, numbered
	}
	return out
}

// portableColumnName has an underscore in place of each character of a name that some engine changes or rejects in the
// name of a column: MariaDB drops controls and spaces at the ends, and has no characters beyond the first plane.
func portableColumnName(name string) string {
	out := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r > 0xFFFF {
			return '_'
		}
		return r
	}, name)
	if trimmed := strings.TrimSpace(out); trimmed != out {
		out = "_" + trimmed + "_"
	}
	return out
}

// withDistinctColumnNames returns a node whose columns have names that differ in more than case.
func withDistinctColumnNames(n plan.Node) plan.Node {
	schema := n.Schema()
	names := make([]string, len(schema))
	for i, c := range schema {
		names[i] = c.Name
	}
	cols := schema.ColumnRefs()
	changed := false
	for i, name := range distinctColumnNames(names) {
		changed = changed || cols[i].Name != name
		cols[i].Name = name
	}
	if !changed {
		return n
	}
	return &plan.Project{Input: n, Cols: cols}
}
