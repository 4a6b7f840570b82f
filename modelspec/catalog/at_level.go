package catalog

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// AtLevel puts a metric at another level: it is computed for other groups than those of a query, each of whose rows shows the value of
// the groups that it lies in. The texts name fields as group-bys do, and are resolved in each query.
//
// With Include the form of the metric holds aggregate calls: over the operands of the form, which are grouped by the
// included fields too, and over columns that are named like the included ones.
type AtLevel struct {
	Include    []IncludedGroup
	Exclude    []string
	Only       []string
	HasOnly    bool // Only is given; empty, it keeps no group
	Unfiltered []string
	// DropsRowConditions: all row conditions of the query are dropped.
	DropsRowConditions bool
	// Location is that of a metric of a query, as metrics/0/at; "" for one of the model.
	Location string
}

// IncludedGroup is a group that a metric at another level adds.
type IncludedGroup struct {
	Reference string // as a group-by spells a field
	Unit      string // a grain, a period or a part; "" for none
	Column    string // the name of its column
	names     []string
}

// text returns the group as a level writes it.
func (g IncludedGroup) text() string {
	if g.Unit == "" {
		return g.Reference
	}
	return g.Reference + ":" + g.Unit
}

// String describes the level: include sale.buyer; exclude sale.shop.
func (l *AtLevel) String() string {
	if l == nil {
		return ""
	}
	include := make([]string, len(l.Include))
	for i, g := range l.Include {
		include[i] = g.text()
	}
	var parts []string
	add := func(key string, names []string, given bool, none string) {
		switch {
		case len(names) > 0:
			parts = append(parts, key+" "+strings.Join(names, ", "))
		case given:
			parts = append(parts, key+" "+none)
		}
	}
	add("include", include, false, "")
	add("exclude", l.Exclude, false, "")
	add("only", l.Only, l.HasOnly, "none")
	add("unfiltered", l.Unfiltered, l.DropsRowConditions, "true")
	return strings.Join(parts, "; ")
}

// MaxIncludedGroups is how many groups a level may add.
const MaxIncludedGroups = 8

// MaxLevelDepth is how many levels may stand in each other.
const MaxLevelDepth = 4

// NewIncludedGroup returns the group of a text, `reference` or `reference:unit`. The parts of its reference are in path. The first of
// several is a relationship where prefixed.
func NewIncludedGroup(reference, unit string, path []string, prefixed bool) IncludedGroup {
	g := IncludedGroup{Reference: reference, Unit: unit, Column: path[len(path)-1]}
	if prefixed {
		g.Column = strings.Join(path, "__")
	}
	if unit != "" {
		g.Column += "__" + unit
	}
	g.names = []string{strings.Join(path, "\x00"), path[len(path)-1], g.Column}
	return g
}

// IncludedNamed returns the index of the included group that a name in an aggregate means: by its field or by its column; -1 for
// none.
func (l *AtLevel) IncludedNamed(path []string) int {
	name := strings.Join(path, "\x00")
	return slices.IndexFunc(l.Include, func(g IncludedGroup) bool {
		return slices.ContainsFunc(g.names, func(n string) bool { return strings.EqualFold(n, name) })
	})
}

// References lists the texts of a level, as the model or the query has them.
func (l *AtLevel) References() []string {
	var out []string
	for _, g := range l.Include {
		out = append(out, g.text())
	}
	return slices.Concat(out, l.Exclude, l.Only, l.Unfiltered)
}

// PathOfReference splits a reference at its dots; nil for any other text.
func PathOfReference(text string) []string {
	if e, err := sqlexpr.Parse(text); err == nil {
		column, ok := e.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		path := make([]string, len(column.Path))
		for i, n := range column.Path {
			path[i] = n.Text
		}
		return path
	}
	if path := strings.Split(text, "."); !slices.Contains(path, "") {
		return path // a name that SQL would quote
	}
	return nil
}

// SplitReferenceAndUnit cuts `reference:grain` and `reference:part` at the last colon outside of quotes.
func SplitReferenceAndUnit(text string) (reference, unit string) {
	quoted, at := false, -1
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				at = i
			}
		}
	}
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at+1:]
}
