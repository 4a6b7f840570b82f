package measure

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// cutBucket is what a window reads in the bucket that the end of the range cuts. Each window ends there with the range. From an earlier bucket
// a window that looks at later ones sees the cut bucket whole, and those after it.
type cutBucket struct {
	End timerange.RangeBound
	// Base is the expression under the window, over rows before the end; nil for an offset, which finds no bucket there.
	Base *windowBase
}

// LooksAfter reports whether the window looks at buckets of a group after its own. An offset of windows or levels reads these as they are at the
// other bucket, where the range ends none of them.
func (w *Window) LooksAfter(g scope.Group) bool {
	if w.MovedBy != nil || w.Base.MovesWindows || w.Base.AtLevels || !w.ReadsBeyondRange() {
		return false
	}
	_, forward := w.lookbacksOverGroup(g)
	return !forward.isZero() && (w.Spec.Offset != nil || w.Spec.Frame != nil && w.Spec.OrderedByTime())
}

// EndInCutBucket returns the expansion where some windows end with a range in the bucket that it cuts. ends has the ends of their ranges. A
// frame has separate measures for that bucket.
func (all Expansion) EndInCutBucket(ends map[*Window]timerange.RangeBound) Expansion {
	if len(ends) == 0 {
		return all
	}
	refs, cut := slices.Clone(all.MeasureRefs), map[*Window]*Window{}
	for w, end := range ends {
		copied := *w
		copied.Cut = &cutBucket{End: end}
		cut[w] = &copied
	}
	for i, u := range all.MeasureRefs {
		if cut[u.Window] == nil && cut[u.InputOf] == nil {
			continue
		}
		replaced := *u
		if w := cut[u.Window]; w != nil {
			replaced.Window = w
		}
		if w := cut[u.InputOf]; w != nil {
			replaced.InputOf = w
		}
		refs[i] = &replaced
	}
	for _, u := range slices.Clone(refs) {
		if w := u.Window; w != nil && w.Cut != nil && w.Spec.Offset == nil {
			refs, w.Cut.Base = appendInputsBeforeEnd(refs, w)
		}
	}
	all.MeasureRefs = refs
	return all
}

// appendInputsBeforeEnd adds the measures that a window reads of the rows before the end of the range, and returns its base over them.
func appendInputsBeforeEnd(refs []*Ref, w *Window) ([]*Ref, *windowBase) {
	ended, base, copies := *w, *w.Base, map[int]int{}
	ended.endsWithRange = true
	for i, u := range slices.Clone(refs) {
		if u.InputOf != w {
			continue
		}
		input := *u
		input.InputOf, input.RefKey.Window = &ended, u.RefKey.Window+":cut"
		copies[i] = len(refs)
		refs = append(refs, &input)
	}
	over := func(e sqlexpr.Expr) sqlexpr.Expr {
		return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr { return &sqlexpr.Ref{Position: r.Position, ID: copies[r.ID]} })
	}
	base.Expr, base.Second, base.Inputs = over(base.Expr), over(base.Second), slices.Sorted(maps.Values(copies))
	return refs, &base
}
