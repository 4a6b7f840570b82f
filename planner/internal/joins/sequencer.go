package joins

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// joinSequencer joins tables in the order in which they are added. A table whose condition reads another
// one waits for that: the grain of a level of detail may come from a dataset that is joined later.
type joinSequencer struct {
	out     plan.Node
	waits   bool // some table may have to wait
	joined  map[string]bool
	waiting []waitingJoin
}

type waitingJoin struct {
	alias string
	join  *plan.Join
}

func (o *joinSequencer) startAtRoot(alias string, root plan.Node) {
	o.out = root
	if o.waits {
		o.joined = map[string]bool{alias: true}
	}
}

// addJoin joins a table, and then those that have waited for it.
func (o *joinSequencer) addJoin(alias string, join *plan.Join) {
	if !o.waits {
		join.Left = o.out
		o.out = join
		return
	}
	o.waiting = append(o.waiting, waitingJoin{alias, join})
	for {
		next := slices.IndexFunc(o.waiting, o.isReady)
		if next < 0 {
			return
		}
		w := o.waiting[next]
		o.waiting = slices.Delete(o.waiting, next, next+1)
		w.join.Left = o.out
		o.out, o.joined[w.alias] = w.join, true
	}
}

// isReady reports whether all tables that a condition reads, beside its own, are joined.
func (o *joinSequencer) isReady(w waitingJoin) bool {
	for _, pair := range w.join.On {
		if !o.hasJoinedTables(pair.Left) {
			return false
		}
	}
	return w.join.Valid == nil || o.hasJoinedTables(w.join.Valid.At)
}

// hasJoinedTables reports whether the tables that an expression reads are joined.
func (o *joinSequencer) hasJoinedTables(e sqlexpr.Expr) bool {
	return !slices.ContainsFunc(sqlexpr.ColumnReferences(e), func(c *sqlexpr.Column) bool { return !o.joined[c.Path[0].Text] })
}
