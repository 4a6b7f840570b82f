package measure

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkSupportedGrains rejects buckets of an axis at which a metric does not have its meaning.
func checkSupportedGrains(in *scope.Env, sel scope.Selection, groups []scope.Group, cols Expansion) error {
	if !in.Cat.RestrictsGrains {
		return nil
	}
	for _, m := range sel.Metrics {
		supported, restricted := m.SupportedGrains(in.Target.Dialect)
		if !restricted {
			continue
		}
		for _, u := range cols.MeasureRefs {
			if !slices.Contains(u.Metrics, m.Name) {
				continue
			}
			unit, group := in.BucketsOfAxis(groups, u.Axis).Unit()
			if group >= 0 && !slices.Contains(supported, unit) {
				return unsupportedGrainError(in, m, groups[group], unit, supportedGrainsOfAxis(supported, u.Axis))
			}
		}
	}
	return nil
}

// supportedGrainsOfAxis lists the grains that an axis takes.
func supportedGrainsOfAxis(supported []catalog.GrainOrPeriod, axis *catalog.Field) []catalog.GrainOrPeriod {
	if axis == nil {
		return supported
	}
	return slices.DeleteFunc(slices.Clone(supported), func(u catalog.GrainOrPeriod) bool {
		if u.Period != nil {
			return !axis.AllowsCalendarPeriods()
		}
		return u.Grain < axis.StoredGrain()
	})
}

func unsupportedGrainError(in *scope.Env, m *catalog.Metric, g scope.Group, asked catalog.GrainOrPeriod, supported []catalog.GrainOrPeriod) error {
	names := make([]string, len(supported))
	for i, u := range supported {
		names[i] = u.String()
	}
	e := &planerr.Error{
		Code:       planerr.CodeGrainNotSupported,
		Message:    m.Name + " has no meaning by " + asked.String() + ": its grains are " + strings.Join(names, ", "),
		Metrics:    []string{m.Name},
		Candidates: names,
	}
	if len(names) == 0 {
		e.Message = m.Name + " has no meaning by " + asked.String() + ": the metrics that it is made of share no grain"
		e.SuggestedRetry, e.Fragment = "leave out "+m.Name, retry.DropMetric(in, m.Name)
		return e
	}
	nearest := nearestGrain(asked, supported)
	e.SuggestedRetry = "group by " + nearest.String()
	e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(in.Query.GroupBy, g, nearest)}
	return e
}

// nearestGrain returns the grain that is the fewest grains away, the finer of two; a period of a calendar is as far away as a month.
func nearestGrain(asked catalog.GrainOrPeriod, supported []catalog.GrainOrPeriod) catalog.GrainOrPeriod {
	rank := func(u catalog.GrainOrPeriod) int {
		if u.Period != nil {
			return int(sqlexpr.GrainMonth)
		}
		return int(u.Grain)
	}
	distance := func(u catalog.GrainOrPeriod) int { return max(rank(u)-rank(asked), rank(asked)-rank(u)) }
	return slices.MinFunc(supported, func(a, b catalog.GrainOrPeriod) int {
		if d := distance(a) - distance(b); d != 0 {
			return d
		}
		return rank(a) - rank(b)
	})
}
