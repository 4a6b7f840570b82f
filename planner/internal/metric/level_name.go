package metric

import (
	"strings"

	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkLevelColumnName rejects an output column that has the name of the level column. The retry renames it.
func checkLevelColumnName(in *scope.Env, groups []scope.Group, of levels.Levels, columns []measure.Column) error {
	if !of.HasTotals() {
		return nil
	}
	var group *scope.Group
	var metric *measure.Column
	for i := range groups {
		if strings.EqualFold(groups[i].Name, levels.Column) {
			group = &groups[i]
		}
	}
	for i := range columns {
		if strings.EqualFold(columns[i].Name, levels.Column) {
			metric = &columns[i]
		}
	}
	if group == nil && metric == nil {
		return nil
	}
	e := &planerr.Error{
		Code:    planerr.CodeDuplicateOutputName,
		Message: "the query has an output column " + levels.Column + ", which is the column that totals add",
	}
	free := unusedColumnName(groups, columns, levels.Column)
	if group != nil {
		e.Fragment = retry.RenameGroup(in.Query, *group, free)
	} else {
		e.Metrics = []string{metric.Metric.Name}
		e.Fragment = retry.AliasMetric(in.Query, metric.Name, free)
	}
	return e
}

// unusedColumnName returns a name that no output column has, numbered where it is taken.
func unusedColumnName(groups []scope.Group, columns []measure.Column, name string) string {
	names := naming.NewNamer()
	for _, g := range groups {
		names.UniqueName(g.Name)
	}
	for _, c := range columns {
		names.UniqueName(c.Name)
	}
	return names.UniqueName(name)
}
