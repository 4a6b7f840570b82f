package compatible

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// fieldProperties holds the properties of a field that planning reads.
type fieldProperties struct {
	own     *catalog.Field // the field itself, if it is a separate class
	typ     sqlexpr.Type
	isTime  bool
	grain   sqlexpr.Grain
	encoded string
	axis    string // which measures have it as their time axis
	primary bool   // the primary time of its dataset
}

func (f *itemFinder) propertiesOfField(s *trialQuery, field *catalog.Field) fieldProperties {
	if !f.isPlainColumn(field) || f.mentioned[strings.ToLower(field.Name)] || f.isUsedByWindow(s, field) {
		return fieldProperties{own: field}
	}
	k := fieldProperties{typ: field.Type, isTime: field.HasCalendar(), grain: field.StoredGrain(), primary: field == field.Dataset.PrimaryTime}
	if field.Encoding != nil {
		k.encoded = field.Encoding.Text
	}
	if field.IsTime {
		for i, axis := range s.reach.Axes {
			if axis == field {
				k.axis += "," + strconv.Itoa(i)
			}
		}
	}
	return k
}

// isUsedByWindow reports whether a metric of the subject names a field in its window.
func (f *itemFinder) isUsedByWindow(s *trialQuery, field *catalog.Field) bool {
	return slices.ContainsFunc(s.query.Metrics, func(name string) bool {
		m := f.extended.Metric(name)
		return m != nil && windowUsesField(m, field, f.Target.Dialect)
	})
}

func windowUsesField(m *catalog.Metric, field *catalog.Field, dialect string) bool {
	if m.Window == nil && m.Derive == nil && len(m.MembersOnDialect(dialect)) == 0 {
		return false
	}
	if w := m.Window; w != nil {
		for _, p := range []catalog.WindowPartition{w.EffectivePartition()} {
			if slices.Contains(p.Exclude, field) {
				return true
			}
		}
	}
	if slices.Contains(m.RequiredGroupBys(dialect), field) {
		return true
	}
	return slices.ContainsFunc(m.MembersOnDialect(dialect), func(o *catalog.Metric) bool { return windowUsesField(o, field, dialect) })
}

// datasetPlace is where a dataset lies, seen from the homes of a subject.
type datasetPlace struct {
	class  string
	isTied bool // several paths lead to it from a home
}

// placeOfDataset returns the place of a dataset; possible is false where no field of it is accepted.
func (f *itemFinder) placeOfDataset(s *trialQuery, d *catalog.Dataset) (at datasetPlace, possible bool) {
	alone := s.fansOut
	for _, h := range s.reach.Homes {
		if h.Dataset == d {
			at.class += "h"
			continue
		}
		switch paths := f.extended.SafePaths(h.Dataset, d, 2); len(paths) {
		case 0:
			if f.cannotFanOut(s, h, d) {
				return datasetPlace{}, false
			}
			alone = true
		case 1:
			class, plain := f.pathClass(paths[0])
			at.class += class
			alone = alone || !plain
		default:
			at.isTied, alone = true, true
		}
	}
	// A path that the query names to a dataset leaves the meaning of its bare fields in doubt.
	alone = alone || slices.ContainsFunc(s.reach.Refs, func(r resolve.Ref) bool { return r.Field.Dataset == d })
	if alone {
		at.class += "=" + strconv.Itoa(d.ID)
	}
	return at, true
}

// cannotFanOut reports whether no dataset connects a home with another dataset in a way that the query
// allows.
func (f *itemFinder) cannotFanOut(s *trialQuery, h metric.Home, d *catalog.Dataset) bool {
	if h.DuplicateSensitive && s.query.FanOut == "" {
		return true
	}
	fanned, ok := s.fanned[h.Dataset]
	if !ok {
		fanned = f.datasetsFannedOutFrom(h.Dataset)
		s.fanned[h.Dataset] = fanned
	}
	return !fanned[d]
}

// datasetsFannedOutFrom lists the datasets that share with home a dataset that leads to both in declared directions.
func (f *itemFinder) datasetsFannedOutFrom(home *catalog.Dataset) map[*catalog.Dataset]bool {
	up, down := map[*catalog.Dataset][]*catalog.Dataset{}, map[*catalog.Dataset][]*catalog.Dataset{}
	for _, r := range f.Catalog.Relationships {
		down[r.From] = append(down[r.From], r.To)
		up[r.To] = append(up[r.To], r.From)
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
	for d := range closure([]*catalog.Dataset{home}, up) {
		roots = append(roots, d)
	}
	return closure(roots, down)
}

func isAmbiguousPathError(err error) bool { return len(pathsOfAmbiguityError(err)) > 0 }

// pathsOfAmbiguityError are the paths that the error of an ambiguous one names.
func pathsOfAmbiguityError(err error) []string {
	var e *planerr.Error
	if errors.As(err, &e) && e.Code == planerr.CodeAmbiguousJoinPath {
		return e.Candidates
	}
	return nil
}

// metricClass is the class of a metric as one more metric of a query that reads refs; known is false where it
// reads others besides. reachable is false where the home of a measure is not joined with one of them.
func (f *itemFinder) metricClass(m *catalog.Metric, base metric.QueryInputs, refs resolve.Refs, known bool) (class string, reachable bool) {
	own := "metric " + m.Name
	reach, plain := f.inputsOfPlainMetric(m, refs)
	if !plain {
		return own, true
	}
	var b strings.Builder
	s := &trialQuery{query: f.Query, reach: reach, fanned: map[*catalog.Dataset]map[*catalog.Dataset]bool{}}
	alone := !known || f.mentioned[strings.ToLower(m.Name)]
	for _, h := range reach.Homes {
		home := slices.IndexFunc(base.Homes, func(o metric.Home) bool { return o.Dataset == h.Dataset })
		b.WriteString("home " + strconv.Itoa(home) + strconv.FormatBool(h.DuplicateSensitive))
		if axis := h.Dataset.PrimaryTime; axis != nil {
			b.WriteString(" " + axis.Type.String() + axis.StoredGrain().String())
			alone = alone || !f.isPlainColumn(axis)
			if axis.Encoding != nil {
				b.WriteString(axis.Encoding.Text)
			}
			// Axes that the query names decide how metric_time and the field go together.
			alone = alone || f.mentioned[strings.ToLower(axis.Name)]
		}
		alone = alone || h.Dataset.Calendar != nil
		for _, ref := range refs {
			target := ref.SourceDataset()
			switch paths := f.extended.SafePaths(h.Dataset, target, 2); {
			case h.Dataset == target:
				b.WriteString("h")
			case len(paths) == 1:
				class, plain := f.pathClass(paths[0])
				b.WriteString(class)
				alone = alone || !plain
			case len(paths) == 0 && f.queryGroupsBy(ref) && f.cannotFanOut(s, h, target):
				return "", false
			default:
				alone = true
			}
		}
	}
	if alone {
		return own, true
	}
	form := m.Forms.ForDialect(f.Target.Dialect)
	b.WriteString(sqlexpr.Format(form.Expr))
	for _, o := range form.Operands {
		measure := o.(*catalog.Measure)
		at := slices.IndexFunc(reach.Homes, func(h metric.Home) bool { return h.Dataset == measure.Home })
		b.WriteString("; " + strconv.Itoa(at) + " " + strconv.Itoa(int(measure.Agg)) + " " + measure.Type.String() + strconv.FormatBool(measure.Arg == nil))
		if measure.Options != (catalog.AggOptions{}) {
			fmt.Fprintf(&b, " %v", measure.Options)
		}
		if r, ok := measure.Arg.(*sqlexpr.Ref); ok {
			b.WriteString(" " + f.extended.FieldByID(r.ID).Type.String())
		}
	}
	return b.String() + m.Fill, true
}

// queryGroupsBy reports whether the query groups by a reference. Conditions may not apply to each metric.
func (f *itemFinder) queryGroupsBy(ref resolve.Ref) bool {
	for _, g := range f.Query.GroupBy {
		if parts, err := resolve.SplitPath(g.Field); err == nil && len(parts) > 0 && strings.EqualFold(parts[len(parts)-1], ref.Field.Name) {
			return true
		}
	}
	return false
}
