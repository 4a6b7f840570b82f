package rollup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
)

// MaxRejections bounds the rollups that a report lists with their rules.
const MaxRejections = 20

// Decision is which rollups serve a branch.
type Decision struct {
	// Serving are those that do, the best first.
	Serving []*Read
	// Rejected are the others: those that meet more rules first, then in the order of the model.
	Rejected []plan.RollupRejection
	// Need is what a table must hold to serve the branch; nil where the target does not ask.
	Need *plan.RollupNeed
}

// rule is one of the rules that a rollup meets to serve a branch; nil where it holds.
type rule struct {
	name  string
	check func(*candidate) *plan.RollupRejection
}

// rules are tried in this order.
var rules = []rule{
	{plan.RollupRuleConnection, checkConnection},
	{plan.RollupRuleLODField, checkLODFields},
	{plan.RollupRuleFanned, checkHome},
	{plan.RollupRuleMeasure, checkMeasures},
	{plan.RollupRuleGroupBy, checkGroups},
	{plan.RollupRuleGrain, checkGrains},
	{plan.RollupRuleFilter, checkFilters},
	{plan.RollupRuleRangeField, checkRangeFields},
	{plan.RollupRuleRangeEdge, checkRangeEdges},
	{plan.RollupRuleWhere, checkWhere},
	{plan.RollupRuleInnerJoin, checkInnerJoins},
	{plan.RollupRuleSameGroups, checkSameGroups},
	{plan.RollupRulePolicy, checkPolicy},
	{plan.RollupRuleLocal, checkStore},
	{plan.RollupRuleUnavailable, checkState},
	{plan.RollupRuleMaxAge, checkMaxAge},
}

// Route decides which rollups of the home of a branch serve it.
func Route(b *Branch) Decision {
	var out Decision
	if b.In.Target.Rollups.Needs {
		out.Need = Needs(b)
	}
	all := b.In.Cat.RollupsOf(b.Home)
	if len(all) == 0 {
		return out
	}
	t, err := newTrial(b)
	if err != nil {
		return out
	}
	rejected, met := make([]plan.RollupRejection, 0, len(all)), make([]uint8, 0, len(all))
	c := &candidate{trial: t}
	for _, r := range all {
		c.begin(r)
		if failure, n := c.try(); failure != nil {
			rejected, met = append(rejected, *failure), append(met, uint8(n))
		} else {
			out.Serving = append(out.Serving, c.take())
		}
	}
	slices.SortFunc(out.Serving, compareReads(out.Serving))
	sortByRulesMet(rejected, met)
	out.Rejected = rejected
	return out
}

// sortByRulesMet sorts rejections, those that meet more rules first, else in their order.
func sortByRulesMet(rejected []plan.RollupRejection, met []uint8) {
	next := make([]int32, len(rules)) // by the rules met, the index of the next one in the result
	for _, n := range met {
		for i := range n {
			next[i]++
		}
	}
	to := make([]int32, len(met)) // the index of each in the result
	for i, n := range met {
		to[i] = next[n]
		next[n]++
	}
	for i := range to {
		for at := to[i]; int(at) != i; at = to[i] {
			rejected[i], rejected[at] = rejected[at], rejected[i]
			to[i], to[at] = to[at], at
		}
	}
}

// try returns the first rule that the rollup does not meet, and the number of those before it.
func (c *candidate) try() (*plan.RollupRejection, int) {
	for i, r := range rules {
		if rejected := r.check(c); rejected != nil {
			return rejected, i
		}
	}
	return nil, len(rules)
}

// compareReads returns the order of rollups: by their rows where all declare them, then by their groups, their joins and their names.
func compareReads(all []*Read) func(a, b *Read) int {
	sized := !slices.ContainsFunc(all, func(r *Read) bool { return r.Rollup.Rows == 0 })
	return func(a, b *Read) int {
		byRows := 0
		if sized {
			byRows = cmp.Compare(a.Rollup.Rows, b.Rollup.Rows)
		}
		return cmp.Or(byRows, cmp.Compare(len(a.Rollup.Groups), len(b.Rollup.Groups)), cmp.Compare(a.joins, b.joins), strings.Compare(a.Rollup.Name, b.Rollup.Name))
	}
}

// checkConnection tries the rule connection: the table exists where the statement runs.
func checkConnection(c *candidate) *plan.RollupRejection {
	at := c.In.Target.Rollups.Connection
	if c.rollup.IsOn(at) {
		return nil
	}
	where := "the connection " + at
	if at == "" {
		where = "the embedded database"
	}
	return c.reject(plan.RollupRuleConnection, at, where+" is not one of those that have the rollup")
}

// checkLODFields tries the rule lod_field: the branch reads no level of detail.
func checkLODFields(c *candidate) *plan.RollupRejection {
	if c.lod == nil {
		return nil
	}
	return c.reject(plan.RollupRuleLODField, c.nameOf(c.lod), c.nameOf(c.lod)+" is a level of detail, which is computed from base tables")
}

// findLODField returns the first level of detail that a branch reads; nil for none.
func findLODField(b *Branch) *catalog.Field {
	cat, dialect := b.In.Cat, b.In.Target.Dialect
	var found []*catalog.Field
	for _, f := range b.Reached {
		found = cat.AppendLODFieldsOfField(found, f.Field, dialect)
	}
	for _, m := range b.Measures {
		found = cat.AppendLODFieldsOfMeasure(found, m.Measure, dialect)
		found = cat.AppendLODFieldsOfExpr(found, m.Where, dialect)
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// checkHome tries the rule fanned: the rows of the branch are those of its home.
func checkHome(c *candidate) *plan.RollupRejection {
	if c.ReadsHome {
		return nil
	}
	return c.reject(plan.RollupRuleFanned, c.Home.Name, "the query joins rows that repeat those of "+c.Home.Name)
}

// checkStore tries the rule local: the table is where the statement runs, and so is all that is joined to it.
func checkStore(c *candidate) *plan.RollupRejection {
	local, excluded := c.In.Target.Rollups.Local, c.In.Target.Rollups.Unusable[c.rollup.Name]
	switch {
	case local == nil && !c.rollup.Local, local == nil && excluded.Rule != "":
		return nil
	case local == nil:
		why := c.In.Target.Rollups.NotLocal
		if why != "" {
			why = ": " + why
		}
		return c.reject(plan.RollupRuleLocal, c.rollup.Name, "the rollup is in a local file, which this statement does not read"+why)
	case !c.rollup.Local:
		return c.reject(plan.RollupRuleLocal, c.rollup.Name, "the rollup is on the connection, which this statement does not read")
	case len(c.edges) > 0:
		return c.reject(plan.RollupRuleLocal, c.rollup.Name, "a table of the connection is joined to the rollup")
	}
	if i := slices.IndexFunc(c.Metrics, func(m *catalog.Metric) bool { return m.DiffersBetween(local.Dialect, c.In.Target.Dialect) }); i >= 0 {
		name := c.Metrics[i].Name
		return c.reject(plan.RollupRuleLocal, name, "for "+local.Dialect+" the model writes "+name+" otherwise, or a metric in it")
	}
	return nil
}

// checkState tries the rules on the state of the table.
func checkState(c *candidate) *plan.RollupRejection {
	if rejected, ok := c.In.Target.Rollups.Unusable[c.rollup.Name]; ok {
		rejected.Rollup = c.rollup.Name
		return &rejected
	}
	return nil
}

// checkMaxAge tries the rule max_age as far as it needs no clock: an age is asked, and what the table holds may be older.
func checkMaxAge(c *candidate) *plan.RollupRejection {
	most := c.In.Query.MaxAge
	switch {
	case most == nil:
		return nil
	case *most == 0:
		return c.reject(plan.RollupRuleMaxAge, c.rollup.Name, "max_age is 0, which only base tables meet")
	case c.rollup.AsOf == nil && !c.In.Target.Rollups.Recorded:
		return c.reject(plan.RollupRuleMaxAge, c.rollup.Name, "max_age is given, and the age of the rollup is not known")
	}
	return nil
}
