package metric

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// MetricTime is the group-by that means "each metric's own time axis".
const MetricTime = "metric_time"

// Group is one resolved group-by item.
type Group struct {
	item   query.GroupBy
	OnAxis bool        // metric_time
	Ref    resolve.Ref // unset for metric_time
	Grain  sqlexpr.Grain
	Name   string // output column
	Type   sqlexpr.Type
}

// isNamed reports whether the query itself names the column.
func (g Group) isNamed() bool { return g.item.Name != "" }

// isRaw reports whether the group carries the field's stored value, so that a
// condition on the field can be answered from the result.
func (g Group) isRaw() bool { return g.Grain == sqlexpr.GrainNone }

// Groups resolves the group-by items and their grains.
func Groups(in *Env, sel Selection) ([]Group, error) {
	if len(in.Query.GroupBy) == 0 {
		return nil, nil
	}
	groups := make([]Group, 0, len(in.Query.GroupBy))
	for _, item := range in.Query.GroupBy {
		g, err := ResolveGroup(in, sel, item)
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// ResolveGroup resolves one group-by item. Its column has the name that the item gives,
// else that of the field and the grain.
func ResolveGroup(in *Env, sel Selection, item query.GroupBy) (Group, error) {
	g, err := resolveField(in, sel, item)
	if item.Name != "" {
		g.Name = item.Name
	}
	return g, err
}

func resolveField(in *Env, sel Selection, item query.GroupBy) (Group, error) {
	grain, err := ParseGrain(item.Grain, func(lower string) map[string]any {
		better := item
		better.Grain = lower
		return map[string]any{"group_by": replaceGroup(in.Query.GroupBy, item, better)}
	})
	if err != nil {
		return Group{}, err
	}
	if item.Field == MetricTime {
		g := Group{item: item, OnAxis: true, Grain: grain, Name: MetricTime, Type: sqlexpr.TypeUnknown}
		if grain != sqlexpr.GrainNone {
			g.Name += "__" + grain.String()
			g.Type = sqlexpr.TypeDate
		}
		return g, nil
	}
	parts, err := resolve.SplitPath(item.Field)
	if err != nil {
		return Group{}, &planerr.Error{Code: planerr.CodeUnknownDimension, Message: item.Field + " is not a field reference", Candidates: dimensionNames(in, item.Field)}
	}
	ref, err := sel.names.Resolve(parts)
	if err != nil {
		return Group{}, suggestGroupSpelling(in.Query, err, item)
	}
	if d := ref.Field.IsDimension; d != nil && !*d {
		return Group{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    ref.Field.Qualified() + " is declared not to be a dimension",
			Candidates: dimensionNames(in, item.Field),
		}
	}
	g := Group{item: item, Ref: ref, Grain: grain, Name: ref.OutputName(), Type: ref.Field.Type}
	if grain == sqlexpr.GrainNone {
		return g, nil
	}
	g.Name += "__" + grain.String()
	g.Type = sqlexpr.TypeDate
	return g, checkGrain(in.Query, item, ref.Field, grain)
}

// suggestGroupSpelling turns the respelling that an error proposes for a path into a
// retry.
func suggestGroupSpelling(q *query.MetricQuery, err error, item query.GroupBy) error {
	var e *planerr.Error
	if errors.As(err, &e) && e.Respelling != "" {
		better := item
		better.Field = e.Respelling
		e.Fragment = map[string]any{"group_by": replaceGroup(q.GroupBy, item, better)}
	}
	return err
}

// ParseGrain reads a grain; a word outside the contract's list is a malformed
// request, not a question about the model. For a grain in other case, replaced
// returns the fragment with the lower-case spelling.
func ParseGrain(text string, replaced func(lower string) map[string]any) (sqlexpr.Grain, error) {
	if text == "" {
		return sqlexpr.GrainNone, nil
	}
	g, ok := sqlexpr.ParseGrain(text)
	if !ok {
		e := &planerr.Error{
			Code:       planerr.CodeBadRequest,
			Message:    "unknown grain " + text + ": it is one of " + strings.Join(sqlexpr.GrainNames(), ", "),
			Candidates: suggest.Nearest(text, sqlexpr.GrainNames(), resolve.MaxCandidates),
		}
		lower := strings.ToLower(text)
		if _, ok := sqlexpr.ParseGrain(lower); ok {
			e.Message = "grain " + text + " is unknown: grains are written in lower case, as " + lower
			e.Fragment = replaced(lower)
		}
		return 0, e
	}
	return g, nil
}

// checkGrain refuses a grain on a field that has no calendar, or one finer
// than what the field stores.
func checkGrain(q *query.MetricQuery, item query.GroupBy, f *catalog.Field, grain sqlexpr.Grain) error {
	if !f.HasCalendar() {
		plain := item
		plain.Grain = ""
		return &planerr.Error{
			Code:     planerr.CodeGrainOnNonTimeDimension,
			Message:  f.Qualified() + " is not a time dimension that takes a grain, so " + grain.String() + " means nothing on it",
			Fragment: map[string]any{"group_by": replaceGroup(q.GroupBy, item, plain)},
		}
	}
	if stored := f.StoredGrain(); grain < stored {
		coarser := item
		coarser.Grain = stored.String()
		return &planerr.Error{
			Code:     planerr.CodeGrainTooFine,
			Message:  f.Qualified() + " is stored by " + stored.String() + ", which cannot be split by " + grain.String(),
			Fragment: map[string]any{"group_by": replaceGroup(q.GroupBy, item, coarser)},
		}
	}
	return nil
}

// replaceGroup is a group_by with one item exchanged.
func replaceGroup(items []query.GroupBy, old, replacement query.GroupBy) []query.GroupBy {
	out := slices.Clone(items)
	for i, it := range out {
		if it == old {
			out[i] = replacement
		}
	}
	return out
}

// dimensionNames lists the groupable fields nearest to a name.
func dimensionNames(in *Env, near string) []string {
	var names []string
	for _, f := range in.Cat.Fields {
		if f.ErrFor(in.Target.Dialect) == nil && (f.IsDimension == nil || *f.IsDimension) {
			names = append(names, f.Qualified())
		}
	}
	return suggest.Nearest(near, names, resolve.MaxCandidates)
}

// checkOutputNames refuses two result columns of one name.
func checkOutputNames(in *Env, sel Selection, groups []Group, columns []column) error {
	seen := make(map[string]bool, len(groups)+len(columns))
	for i, g := range groups {
		if seen[strings.ToLower(g.Name)] {
			return &planerr.Error{
				Code:     planerr.CodeDuplicateOutputName,
				Message:  "two group-by items give the output column " + g.Name,
				Fragment: map[string]any{"group_by": slices.Delete(slices.Clone(in.Query.GroupBy), i, i+1)},
			}
		}
		seen[strings.ToLower(g.Name)] = true
	}
	for _, c := range columns {
		if seen[strings.ToLower(c.name)] {
			return duplicateColumnError(in, sel, groups, c)
		}
		seen[strings.ToLower(c.name)] = true
	}
	return nil
}

// duplicateColumnError is the error of a metric column whose name is taken, by a
// group-by or by another metric's column.
func duplicateColumnError(in *Env, sel Selection, groups []Group, c column) error {
	e := &planerr.Error{
		Code:    planerr.CodeDuplicateOutputName,
		Message: "two result columns would be named " + c.name,
		Metrics: []string{c.metric.Name},
		// If leaving the metric out does not help, tags or values are too similar.
		SuggestedRetry: "give tags, and the values in a list of params, names that differ in more than case",
	}
	if len(sel.Metrics) > 1 {
		var rest []string
		for _, m := range sel.Metrics {
			if m != c.metric {
				rest = append(rest, m.Name)
			}
		}
		e.Fragment = map[string]any{"metrics": rest}
		return e
	}
	for i, g := range groups {
		if strings.EqualFold(g.Name, c.name) {
			e.Fragment = map[string]any{"group_by": slices.Delete(slices.Clone(in.Query.GroupBy), i, i+1)}
		}
	}
	return e
}
