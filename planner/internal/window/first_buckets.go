package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// aggregateInFirstBucketOfEachValue aggregates each value in the first bucket that has it, of the reset period where the window
// has one; a running sum of these is the aggregate over the distinct values of all buckets so far.
//
//	rows ─► first bucket of each value and its other group-bys ─► aggregate by that bucket
func (r recomputedWindowPlanner) aggregateInFirstBucketOfEachValue(from plan.Node) (plan.Node, error) {
	w := r.branch.Br.Members[0].Ref.InputOf
	value := r.args[0].Value
	bucket := r.keys[w.AxisGroup]
	names := naming.NewNamer()
	var keys []plan.NamedExpr
	position := map[int]int{} // of a group-by among the keys
	attributes := r.attributes()
	for i, k := range r.keys {
		if i != w.AxisGroup && !attributes.Has(i) {
			k.Name, position[i] = names.UniqueName(k.Name), len(keys)
			keys = append(keys, k)
		}
	}
	if reset := w.Spec.ResetUnit(); !reset.IsZero() {
		var period sqlexpr.Expr
		var err error
		if from, period, err = r.joinResetPeriodOfBucket(from, bucket, reset); err != nil {
			return nil, err
		}
		keys = append(keys, plan.NamedExpr{Name: names.UniqueName("period"), Expr: period, Type: bucket.Type})
	}
	value.Name = names.UniqueName(value.Name)
	keys = append(keys, value)
	first := newFirstBucketAggregate(bucket, names)
	in := &plan.Filter{Input: from, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: value.Expr}}, Why: "values"}
	rows := r.planFirstBucketOfEachValue(in, keys, first.least, position, names)
	return r.aggregateByFirstBucket(rows, first.bucketOfLeastValue(&sqlexpr.Ref{ID: rows.first}), len(keys)-1, position)
}

// firstBucketAggregate is the first of the buckets of some rows. The bucket of the first time is the first of the buckets, so that
// one time is put into its bucket in place of each row's; buckets of a zone, whose clock may go back to the day before, and
// those of encoded times are compared themselves.
type firstBucketAggregate struct {
	least  plan.NamedExpr
	bucket *sqlexpr.Bucket // of the first time; nil where least is the bucket
}

func newFirstBucketAggregate(bucket plan.NamedExpr, names *naming.Namer) firstBucketAggregate {
	b, ok := bucket.Expr.(*sqlexpr.Bucket)
	if ok && b.Zone == nil && (b.From == sqlexpr.TypeDate || b.From == sqlexpr.TypeTimestamp) {
		least := plan.NamedExpr{Name: names.UniqueName("first_time"), Expr: build.Call(sqlexpr.FnMin, "MIN", b.X), Type: b.From}
		return firstBucketAggregate{least, b}
	}
	return firstBucketAggregate{plan.NamedExpr{Name: names.UniqueName("first_bucket"), Expr: build.Call(sqlexpr.FnMin, "MIN", bucket.Expr), Type: bucket.Type}, nil}
}

// bucketOfLeastValue returns the bucket that a column has the least value of.
func (f firstBucketAggregate) bucketOfLeastValue(least *sqlexpr.Ref) sqlexpr.Expr {
	if f.bucket == nil {
		return least
	}
	return &sqlexpr.Bucket{Grain: f.bucket.Grain, From: f.bucket.From, X: least}
}

// planFirstBucketOfEachValue returns the values with their first buckets, at each level that has buckets.
func (r recomputedWindowPlanner) planFirstBucketOfEachValue(in plan.Node, keys []plan.NamedExpr, first plan.NamedExpr, position map[int]int, names *naming.Namer) firstBucketOfEachValue {
	measures := []plan.NamedExpr{first}
	sets, levels := r.keySetsOfBucketLevels(position, len(keys))
	out := firstBucketOfEachValue{first: len(keys), level: build.Integer(0)}
	if len(sets) <= 1 {
		out.node = &plan.Aggregate{Input: in, Keys: keys, Measures: measures, Home: r.branch.Br.Home.Name, Why: "first buckets"}
	} else {
		out.node = &plan.GroupingSets{Input: in, Keys: keys, Sets: sets, Level: names.UniqueName("level"), Measures: measures, Home: r.branch.Br.Home.Name, Why: "first buckets"}
		out.first++
	}
	if r.branch.Q.Levels.HasSeveralLevels() && len(sets) > 0 {
		return out.addLevelNumbers(levels, len(keys), names)
	}
	return out
}

// keySetsOfBucketLevels returns the sets of keys of the levels that have buckets, and the levels of each set. Levels that differ
// only in attributes of the bucket have one set: a value is in the same first bucket at each of them.
func (r recomputedWindowPlanner) keySetsOfBucketLevels(position map[int]int, keys int) (sets, levels [][]int) {
	for level, groups := range r.branch.Q.Levels.GroupSets {
		if !slices.Contains(groups, r.branch.Br.Members[0].Ref.InputOf.AxisGroup) {
			continue
		}
		set := []int{}
		for _, g := range groups {
			if at, ok := position[g]; ok {
				set = append(set, at)
			}
		}
		for k := len(position); k < keys; k++ {
			set = append(set, k)
		}
		at := slices.IndexFunc(sets, func(s []int) bool { return slices.Equal(s, set) })
		if at < 0 {
			at = len(sets)
			sets, levels = append(sets, set), append(levels, nil)
		}
		levels[at] = append(levels[at], level)
	}
	return sets, levels
}

// firstBucketOfEachValue are values with their first buckets.
type firstBucketOfEachValue struct {
	node  plan.Node
	first int          // the column of the first bucket, or of the time that it begins with
	level sqlexpr.Expr // the level of a row
}

// addLevelNumbers gives each row its level, of the levels of each set. A row of a set of several levels is repeated
// for each of them. set is the column of the set, where there are several.
func (v firstBucketOfEachValue) addLevelNumbers(levels [][]int, set int, names *naming.Namer) firstBucketOfEachValue {
	node := v.node
	most := 0
	for _, of := range levels {
		most = max(most, len(of))
	}
	isCopy := func(int) []sqlexpr.Expr { return nil }
	if most > 1 {
		number := &sqlexpr.Ref{ID: len(node.Schema())}
		node = &plan.Repeat{Input: node, Name: names.UniqueName("level_of_set"), Count: int64(most)}
		isCopy = func(i int) []sqlexpr.Expr {
			return []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpEq, L: number, R: build.Integer(i)}}
		}
	}
	number, isPartial := &sqlexpr.Case{}, false
	for i, of := range levels {
		isPartial = isPartial || len(of) < most
		for copied, level := range of {
			conds := isCopy(copied)
			if len(levels) > 1 {
				conds = append(conds, &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Ref{ID: set}, R: build.Integer(i)})
			}
			if len(conds) == 0 {
				return firstBucketOfEachValue{node, v.first, build.Integer(level)}
			}
			number.Whens = append(number.Whens, sqlexpr.When{Cond: sqlexpr.And(conds...), Then: build.Integer(level)})
		}
	}
	if isPartial {
		node = &plan.Filter{Input: node, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: number}}, Why: "levels"}
	}
	return firstBucketOfEachValue{node, v.first, number}
}

// aggregateByFirstBucket aggregates the values by their first buckets. value is the column of the values.
func (r recomputedWindowPlanner) aggregateByFirstBucket(buckets firstBucketOfEachValue, first sqlexpr.Expr, value int, position map[int]int) (plan.Node, error) {
	rows, schema := buckets.node, buckets.node.Schema()
	keys := slices.Clone(r.keys)
	for group, at := range position {
		keys[group].Expr = &sqlexpr.Ref{ID: at}
	}
	attributes := r.attributes()
	if err := attributes.MoveKeys(keys, first, buckets.level); err != nil {
		return nil, err
	}
	if r.branch.Q.Levels.HasSeveralLevels() {
		keys = append(keys, plan.NamedExpr{Name: r.branch.Level, Expr: buckets.level, Type: sqlexpr.TypeInt})
	}
	if attributes.NeedsJoin() {
		cols := append(slices.Clone(keys), plan.NamedExpr{Name: r.names.UniqueName("value"), Expr: &sqlexpr.Ref{ID: value}, Type: schema[value].Type})
		moved, err := attributes.Join(&plan.Project{Input: rows, Cols: cols}, "moved", "windows", r.names)
		if err != nil {
			return nil, err
		}
		rows, keys, value = moved, moved.Schema().ColumnRefs()[:len(keys):len(keys)], len(keys)
	}
	measures := make([]plan.NamedExpr, len(r.args))
	for i, a := range r.args {
		measures[i] = plan.NamedExpr{Name: r.names.UniqueName(a.Measure.Stem), Expr: aggregates.OverDistinct(a.Measure, &sqlexpr.Ref{ID: value}), Type: a.Measure.Type}
	}
	return &plan.Aggregate{Input: rows, Keys: keys, Measures: measures, Home: r.branch.Br.Home.Name, Why: "by first bucket"}, nil
}
