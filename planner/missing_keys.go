package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// missingKeys lists the relationships that keep a home from reaching references along
// safe edges for one reason: the model declares no key that they join on. Ok is false
// where declaring keys does not help, or would leave several paths.
func (b *build) missingKeys(home *catalog.Dataset, missing []scope.Ref) (unproven []*catalog.Relationship, ok bool) {
	for _, ref := range missing {
		path := ref.Prefix
		if len(path) == 0 {
			var open [][]catalog.Step
			for _, p := range b.cat.ForwardPaths(home, ref.Field.Dataset, maxPaths) {
				if !slices.ContainsFunc(p, func(s catalog.Step) bool { return !s.Safe() && !keyless(s) }) {
					open = append(open, p)
				}
			}
			if len(open) != 1 {
				return nil, false
			}
			path = open[0]
		}
		for _, s := range path {
			switch {
			case s.Safe() || slices.Contains(unproven, s.Rel):
			case keyless(s):
				unproven = append(unproven, s.Rel)
			default:
				return nil, false
			}
		}
	}
	return unproven, len(unproven) > 0
}

// keyless reports whether a step would be safe if its target declared the key that the
// relationship joins on.
func keyless(s catalog.Step) bool {
	return !s.Reverse && s.Rel.Cardinality == catalog.Unproven && len(s.Rel.ToFields) > 0
}

// keyTexts names the relationships and the keys that they lack.
func keyTexts(rels []*catalog.Relationship) string {
	parts := make([]string, len(rels))
	for i, r := range rels {
		parts[i] = "the relationship " + r.Name + " joins on " + r.To.Name + " (" + strings.Join(keyColumns(r), ", ") + "), "
		if len(r.To.PrimaryKey) == 0 {
			parts[i] += "and " + r.To.Name + " declares no primary_key"
		} else {
			parts[i] += "which is not a declared key of " + r.To.Name
		}
	}
	return strings.Join(parts, "; ")
}

// keyHints says which keys to declare.
func keyHints(rels []*catalog.Relationship) string {
	parts := make([]string, len(rels))
	for i, r := range rels {
		columns := strings.Join(keyColumns(r), ", ")
		key := "primary_key: [" + columns + "]"
		if len(r.To.PrimaryKey) > 0 {
			key = "unique_keys: [[" + columns + "]]"
		}
		parts[i] = "declare " + key + " on the dataset " + r.To.Name + ", if no two of its rows share that key"
	}
	return strings.Join(parts, "; ")
}

// keyColumns are the columns that a relationship joins to, else its fields.
func keyColumns(r *catalog.Relationship) []string {
	out := make([]string, len(r.ToFields))
	for i, f := range r.ToFields {
		out[i] = f.Name
		if c, ok := f.Expr.Default.(*sqlexpr.Column); ok {
			out[i] = c.Path[len(c.Path)-1].Text
		}
	}
	return out
}
