package querysql

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// groupingSet is a set of groups: bit i is group i.
type groupingSet uint

// hasTotals reports whether the query has rows of several levels. SQL has one result with the rows of all of them: HAVING and LIMIT act
// on each, and a condition beside a window has no meaning there.
func (t *metricSelectBuilder) hasTotals() bool { return len(t.q.Totals) > 0 }

// repeatsAGroup reports whether a query groups twice by one expression, of whose sets SQL takes only those that have both groups.
func (t *metricSelectBuilder) repeatsAGroup() bool {
	for i, g := range t.q.GroupBy {
		isSame := func(o query.GroupBy) bool {
			return o.Field == g.Field && o.Grain == g.Grain && o.Expression == g.Expression
		}
		if slices.ContainsFunc(t.q.GroupBy[:i], isSame) || slices.Contains(t.groups[:i], t.groups[i]) {
			return true
		}
	}
	return false
}

// readGroupingSets reads the levels of the query: all groups, and those of totals.
func (t *metricSelectBuilder) readGroupingSets() []groupingSet {
	all := groupingSet(1)<<len(t.groups) - 1
	sets := []groupingSet{all}
	for _, level := range t.q.Totals {
		var set groupingSet
		for _, name := range level {
			at := slices.IndexFunc(t.columns[:len(t.groups)], func(c planner.OutputColumn) bool { return strings.EqualFold(c.Name, name) })
			if at < 0 {
				t.failed = true
				return sets
			}
			set |= 1 << at
		}
		sets = append(sets, set)
	}
	return sets
}

// levelSQL returns the number of a row's level, by the groups that its set lacks: the last argument of GROUPING is the lowest bit.
func (t *metricSelectBuilder) levelSQL() string {
	var b strings.Builder
	b.WriteString("CASE GROUPING(" + strings.Join(t.groups, ", ") + ")")
	for level, set := range t.readGroupingSets() {
		mask := 0
		for i := range t.groups {
			mask = mask<<1 | int(^set>>i&1)
		}
		b.WriteString(" WHEN " + itoa(mask) + " THEN " + itoa(level))
	}
	return b.String() + " END"
}

// groupByWithTotals returns the items of GROUP BY: groups of every set beside the shortest word for the others.
func (t *metricSelectBuilder) groupByWithTotals() string {
	sets := t.readGroupingSets()
	common := sets[0]
	for _, set := range sets {
		common &= set
	}
	if text := groupByOfSets(sets, common); !t.readsWindows() || namesGroupsInOrder(text) {
		return text
	}
	return groupingSetsSQL(sets) // rows that tie in a window follow the order of the groups
}

// namesGroupsInOrder reports whether the first group that a text names is the first of the query, and so on.
func namesGroupsInOrder(text string) bool {
	highest := 0
	for _, position := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		at, _ := strconv.Atoi(position)
		if at > highest+1 {
			return false
		}
		highest = max(highest, at)
	}
	return true
}

func groupByOfSets(sets []groupingSet, common groupingSet) string {
	items := positionsOfSet(common)
	rest := make([]groupingSet, len(sets))
	for i, set := range sets {
		rest[i] = set &^ common
	}
	slices.SortStableFunc(rest, func(a, b groupingSet) int { return bits.OnesCount(uint(b)) - bits.OnesCount(uint(a)) })
	switch grouped := positionsOfSet(rest[0]); {
	case len(rest) == 1<<len(grouped) && len(grouped) > 1:
		items = append(items, "CUBE ("+strings.Join(grouped, ", ")+")")
	case isChainOfSets(rest):
		items = append(items, "ROLLUP ("+strings.Join(itemsOfChain(rest), ", ")+")")
	default:
		items = append(items, groupingSetsSQL(rest))
	}
	return strings.Join(items, ", ")
}

func groupingSetsSQL(sets []groupingSet) string {
	var texts []string
	for _, set := range sets {
		texts = append(texts, "("+strings.Join(positionsOfSet(set), ", ")+")")
	}
	return "GROUPING SETS (" + strings.Join(texts, ", ") + ")"
}

// positionsOfSet returns the positions of the groups of a set in the select list.
func positionsOfSet(set groupingSet) []string {
	var out []string
	for i := 0; set>>i != 0; i++ {
		if set>>i&1 == 1 {
			out = append(out, itoa(i+1))
		}
	}
	return out
}

// isChainOfSets reports whether each set lacks groups of the one before it, and the last is empty.
func isChainOfSets(sets []groupingSet) bool {
	for i, set := range sets[1:] {
		if set&^sets[i] != 0 || set == sets[i] {
			return false
		}
	}
	return sets[len(sets)-1] == 0
}

// itemsOfChain returns the items of ROLLUP for a chain of sets: the groups of the last set but one first. Groups that go together
// are in parentheses.
func itemsOfChain(sets []groupingSet) []string {
	var out []string
	for i := len(sets) - 2; i >= 0; i-- {
		item := positionsOfSet(sets[i] &^ sets[i+1])
		text := strings.Join(item, ", ")
		if len(item) > 1 {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return out
}
