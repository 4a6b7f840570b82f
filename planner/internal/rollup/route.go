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
	// Need is what a table must hold to serve the branch; nil where the target does not ask.
	Need *plan.RollupNeed
	// tried are the rollups of the home.
	tried []*catalog.Rollup
	trial *trial
}

// rule is one of the rules that a rollup meets to serve a branch; nil where it holds.
type rule struct {
	name  string
	check func(*candidate) *plan.RollupRejection
	sieve sieve // nil leaves all
}

// rules are tried in this order.
var rules = []rule{
	{plan.RollupRuleConnection, checkConnection, nil},
	{plan.RollupRuleLODField, checkLODFields, sieveByLODFields},
	{plan.RollupRuleFanned, checkHome, nil},
	{plan.RollupRuleMeasure, checkMeasures, sieveByMeasures},
	{plan.RollupRuleGroupBy, checkGroups, sieveByGroups},
	{plan.RollupRuleGrain, checkGrains, sieveByGrains},
	{plan.RollupRuleFilter, checkFilters, sieveByFilters},
	{plan.RollupRuleRangeField, checkRangeFields, sieveByRangeFields},
	{plan.RollupRuleRangeEdge, checkRangeEdges, nil},
	{plan.RollupRuleWhere, checkWhere, nil},
	{plan.RollupRuleInnerJoin, checkInnerJoins, nil},
	{plan.RollupRuleSameGroups, checkSameGroups, nil},
	{plan.RollupRulePolicy, checkPolicy, nil},
	{plan.RollupRuleLocal, checkStore, nil},
	{plan.RollupRuleUnavailable, checkState, nil},
	{plan.RollupRuleMaxAge, checkMaxAge, nil},
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
	out.tried, out.trial = all, t
	c, left := &candidate{trial: t}, sieveRollups(t, len(all))
	for i, r := range all {
		if !left.Has(i) {
			continue
		}
		c.begin(r)
		if rejected, _ := c.try(); rejected == nil {
			out.Serving = append(out.Serving, c.take())
		}
	}
	slices.SortFunc(out.Serving, compareReads(out.Serving))
	return out
}

// Rejections lists the rollups that do not serve the branch, at most some: those that meet more rules first, then in the order of the model.
func (made Decision) Rejections(most int) []plan.RollupRejection {
	out := make([]plan.RollupRejection, 0, min(most, len(made.tried)-len(made.Serving)))
	if cap(out) == 0 {
		return out
	}
	c := &candidate{trial: made.trial, explains: true}
	met, early := mostRulesMet(made.trial, len(made.tried)), map[int]plan.RollupRejection{}
	for asked := len(rules) - 1; asked >= 0; asked-- {
		for i, n := range met {
			if int(n) != asked {
				continue
			}
			rejected, known := early[i]
			if !known {
				c.begin(made.tried[i])
				found, exact := c.try()
				if found == nil {
					continue // it serves the branch
				}
				if exact < asked {
					met[i], early[i] = uint8(exact), *found
					continue
				}
				rejected = *found
			}
			if out = append(out, rejected); len(out) == most {
				return out
			}
		}
	}
	return out
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
	rejected, ok := c.In.Target.Rollups.Unusable[c.rollup.Name]
	if !ok {
		return nil
	}
	return c.reject(rejected.Rule, rejected.Subject, rejected.Message)
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
