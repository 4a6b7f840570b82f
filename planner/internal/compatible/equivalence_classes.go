package compatible

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// fieldProperties holds the properties of a field that planning reads.
type fieldProperties struct {
	own  *catalog.Field // the field itself, if it is a separate class
	kind int            // of the field's facts; 0 where it is a separate class
	axis uint64         // the measures that have it as their time axis, a bit each
}

// isNeitherSeparateNorTimeAxis reports whether the fields of a kind are neither a separate class nor a time axis.
func (k fieldProperties) isNeitherSeparateNorTimeAxis() bool { return k.own == nil && k.axis == 0 }

// mayWindowReferenceFields reports whether a metric can name a field in its window.
func mayWindowReferenceFields(m *catalog.Metric, dialect string) bool {
	return m.Window != nil || m.At != nil || m.Derive != nil || len(m.MemberMetricsOnDialect(dialect)) > 0
}

func windowUsesField(m *catalog.Metric, field *catalog.Field, dialect string) bool {
	if !mayWindowReferenceFields(m, dialect) {
		return false
	}
	if w := m.Window; w != nil {
		for _, p := range []catalog.WindowPartition{w.EffectivePartition()} {
			if slices.Contains(p.Exclude, field) {
				return true
			}
		}
	}
	if slices.Contains(m.RequiredGroupByFields(dialect), field) {
		return true
	}
	return slices.ContainsFunc(m.MemberMetricsOnDialect(dialect), func(o *catalog.Metric) bool { return windowUsesField(o, field, dialect) })
}

func isAmbiguousPathError(err error) bool { return len(pathsOfAmbiguityError(err)) > 0 }

// pathsOfAmbiguityError returns the paths that the error of an ambiguous one names.
func pathsOfAmbiguityError(err error) []string {
	var e *planerr.Error
	if errors.As(err, &e) && e.Code == planerr.CodeAmbiguousJoinPath {
		return e.Candidates
	}
	return nil
}

// metricEquivalenceClass returns the class of a metric as one more metric of a query that reads refs; known is false where it
// reads others besides. reachable is false where the home of a measure is not joined with one of them.
func (f *itemFinder) metricEquivalenceClass(m *catalog.Metric, base metric.QueryHomesRefsAndAxes, refs resolve.Refs, known bool) (class string, reachable bool) {
	facts := f.traitsOfMetric(m)
	if !facts.isPlain {
		return singleMetricClass(m), true
	}
	alone := !known || facts.isAlone || f.mentioned.has(m.Name)
	key := f.classKey[:0]
	key = append(key, facts.form...)
	for _, h := range facts.homes {
		key = strconv.AppendInt(append(key, ' '), int64(homeIndex(base.Homes, h.Dataset)), 10)
		// Axes that the query names decide how metric_time and the field go together.
		alone = alone || h.Dataset.PrimaryTime != nil && f.mentioned.has(h.Dataset.PrimaryTime.Name)
		for _, ref := range refs {
			target := ref.SourceDataset()
			switch paths := f.model.extended.SafePaths(h.Dataset, target, 2); {
			case h.Dataset == target:
				key = append(key, 'h')
			case len(paths) == 1:
				class, plain := f.model.pathEquivalenceClass(paths[0])
				key = append(key, class...)
				alone = alone || !plain
			case len(paths) == 0 && f.groupNames.has(ref.Field.Name) && f.fanOuts.areForbidden(h, target):
				return "", false
			default:
				alone = true
			}
		}
	}
	f.classKey = key
	if alone {
		return singleMetricClass(m), true
	}
	class, interned := f.classes[string(key)]
	if !interned {
		class = string(key)
		f.classes[class] = class
	}
	return class, true
}

// singleMetricClass returns the class of a metric that is like no other.
func singleMetricClass(m *catalog.Metric) string { return "metric " + m.Name }

// nameSet holds names in small letters.
type nameSet map[string]bool

func (n nameSet) has(name string) bool { return len(n) > 0 && n[strings.ToLower(name)] }

// groupNames returns the last names of the group-bys of a query. Conditions may not apply to each metric.
func groupNames(q *query.MetricQuery) nameSet {
	out := nameSet{}
	for _, g := range q.GroupBy {
		if parts, err := resolve.SplitPath(g.Field); err == nil && len(parts) > 0 {
			out[strings.ToLower(parts[len(parts)-1])] = true
		}
	}
	return out
}
