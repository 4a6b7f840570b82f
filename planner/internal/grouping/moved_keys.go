package grouping

import (
	"slices"

	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// MoveKeysToCurrentRange returns the keys of a branch as the current range has them.
func MoveKeysToCurrentRange(p *Planner, keys []plan.NamedExpr) ([]plan.NamedExpr, error) {
	c := p.Comparison()
	if p.Kept == nil || c == nil || c.Periods != nil {
		return keys, nil
	}
	out := slices.Clone(keys)
	bucket := out[c.BucketGroup].Expr
	moved := c.Move.ShiftBucket(bucket, c.Move.Count)
	if c.Move.DropsPreviousDays {
		moved = build.CaseWhen(c.Move.ShiftedMonthHasDayCondition(bucket, c.Move.Count), moved)
	}
	out[c.BucketGroup].Expr = moved
	if !c.HasAttributes(p.Q.Groups) {
		return out, nil
	}
	attributes := p.Q.AttributesOf(c.Axis(), clock.TimeBounds{})
	if attributes.NeedsJoin() {
		return nil, scope.NotImplementedError("top beside fields of the date dimension does not take compare", "leave out top, or these fields", p.Br.MetricNames()...)
	}
	return out, attributes.MoveKeys(out, moved, nil)
}

// Comparison returns the one whose earlier range the branch is of, and whose buckets meet others; nil for another branch.
func (p *Planner) Comparison() *compare.Comparison { return p.Q.Compare.OfTag(p.Br.ScanRange.Tag) }

// MovesBuckets reports whether the buckets of the branch move before it is matched with others.
func (p *Planner) MovesBuckets() bool {
	c := p.Comparison()
	return c != nil && !c.OverWindows
}
