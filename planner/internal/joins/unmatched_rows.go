package joins

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// KeepUnmatched makes the joins that follow keep the rows without a match, also along INNER relationships.
// InnerJoinMatchConditions are the conditions that drop them.
func (t *Tree) KeepUnmatched() { t.keepsUnmatched = true }

// InnerJoinMatchConditions returns the conditions that rows have a match along the INNER relationships that joined the
// tree since the last call.
func (t *Tree) InnerJoinMatchConditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	for ; t.conditioned < len(t.nodes); t.conditioned++ {
		n := t.nodes[t.conditioned]
		if !n.kept || n.required || n.step.Rel.JoinType != catalog.JoinInner {
			continue
		}
		matched, err := t.matchMarker(n)
		if err != nil {
			return nil, err
		}
		out = append(out, &sqlexpr.IsNull{Not: true, X: matched})
	}
	return out, nil
}
