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

func (f *itemFinder) propertiesOfField(s *trialQuery, field *catalog.Field) fieldProperties {
	facts := &f.objects.fields[field.ID]
	if !facts.isPlain || f.mentioned.has(field.Name) || f.isUsedByWindow(s, field) {
		return fieldProperties{own: field}
	}
	k := fieldProperties{kind: facts.kind}
	if field.IsTime {
		for i, axis := range s.reach.Axes {
			switch {
			case axis != field:
			case i >= 64: // there is no bit for it
				return fieldProperties{own: field}
			default:
				k.axis |= 1 << i
			}
		}
	}
	return k
}

// isUsedByWindow reports whether a metric of the subject names a field in its window.
func (f *itemFinder) isUsedByWindow(s *trialQuery, field *catalog.Field) bool {
	return slices.ContainsFunc(s.windowed, func(m *catalog.Metric) bool { return windowUsesField(m, field, f.Target.Dialect) })
}

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

// datasetReachability is where a dataset lies, seen from the homes of a subject.
type datasetReachability struct {
	class  string
	isTied bool // several paths lead to it from a home
}

// reachabilityOfDataset returns the place of a dataset; possible is false where no field of it is accepted.
func (f *itemFinder) reachabilityOfDataset(s *trialQuery, d *catalog.Dataset) (at datasetReachability, possible bool) {
	alone := s.fansOut
	for _, h := range s.reach.Homes {
		if h.Dataset == d {
			at.class += "h"
			continue
		}
		switch paths := f.model.extended.SafePaths(h.Dataset, d, 2); len(paths) {
		case 0:
			if f.cannotFanOut(h, d) {
				return datasetReachability{}, false
			}
			alone = true
		case 1:
			class, plain := f.model.pathEquivalenceClass(paths[0])
			at.class += class
			alone = alone || !plain
		default:
			at.isTied, alone = true, true
		}
	}
	// A path that the query names to a dataset, or through it, leaves the meaning of its bare fields in doubt.
	alone = alone || slices.ContainsFunc(s.reach.Refs, func(r resolve.Ref) bool { return r.Field.Dataset == d || pathIncludesDataset(r.Prefix, d) })
	if alone {
		at.class += "=" + strconv.Itoa(d.ID)
	}
	return at, true
}

// pathIncludesDataset reports whether a path arrives at a dataset.
func pathIncludesDataset(path []catalog.JoinStep, d *catalog.Dataset) bool {
	return slices.ContainsFunc(path, func(s catalog.JoinStep) bool { return s.TargetDataset() == d })
}

// queryAllowsFanOut reports whether a query allows to join the rows of a home with several of another dataset.
func queryAllowsFanOut(q *query.MetricQuery, h metric.HomeDataset) bool {
	return !h.DuplicateSensitive || q.FanOut != ""
}

// cannotFanOut reports whether no dataset connects a home with another dataset in a way that the query
// allows.
func (f *itemFinder) cannotFanOut(h metric.HomeDataset, d *catalog.Dataset) bool {
	if !queryAllowsFanOut(f.Query, h) {
		return true
	}
	fanned, ok := f.fanned[h.Dataset]
	if !ok {
		fanned = f.datasetsReachedFromSameDataset(h.Dataset)
		f.fanned[h.Dataset] = fanned
	}
	return !fanned[d]
}

// datasetsReachedFromSameDataset lists the datasets that share with home a dataset that leads to both in declared directions.
func (f *itemFinder) datasetsReachedFromSameDataset(home *catalog.Dataset) map[*catalog.Dataset]bool {
	if f.up == nil {
		f.up, f.down = map[*catalog.Dataset][]*catalog.Dataset{}, map[*catalog.Dataset][]*catalog.Dataset{}
		for _, r := range f.Catalog.Relationships {
			f.down[r.From] = append(f.down[r.From], r.To)
			f.up[r.To] = append(f.up[r.To], r.From)
		}
	}
	closure := func(from []*catalog.Dataset, edges map[*catalog.Dataset][]*catalog.Dataset) map[*catalog.Dataset]bool {
		seen := map[*catalog.Dataset]bool{}
		for len(from) > 0 {
			d := from[len(from)-1]
			from = from[:len(from)-1]
			if !seen[d] {
				seen[d] = true
				from = append(from, edges[d]...)
			}
		}
		return seen
	}
	var roots []*catalog.Dataset
	for d := range closure([]*catalog.Dataset{home}, f.up) {
		roots = append(roots, d)
	}
	return closure(roots, f.down)
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
			case len(paths) == 0 && f.groupNames.has(ref.Field.Name) && f.cannotFanOut(h, target):
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
