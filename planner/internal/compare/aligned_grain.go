package compare

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkAlignedGrain rejects buckets that whole weeks do not move onto others: those of weekdays are days and weeks.
func (r comparisonResolver) checkAlignedGrain(group int) error {
	g := r.groups[group]
	if g.Period == nil && (g.Grain == sqlexpr.GrainDay || g.Grain == sqlexpr.GrainWeek) {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "compare.align matches weekdays, and " + g.Name + " has buckets by " + g.BucketUnit().String(),
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(r.in.Query.GroupBy, g, catalog.GrainOrPeriod{Grain: sqlexpr.GrainDay})},
	}
}
