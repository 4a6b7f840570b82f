package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// metricTime is the group-by that means "each metric's own time axis".
const metricTime = "metric_time"

// resolveGroups resolves the group-by items and their grains.
func (b *build) resolveGroups() error {
	for _, item := range b.q.GroupBy {
		g, err := b.group(item)
		if err != nil {
			return err
		}
		b.groups = append(b.groups, g)
	}
	return nil
}

func (b *build) group(item query.GroupBy) (group, error) {
	grain, err := parseGrain(item.Grain, func(lower string) map[string]any {
		better := item
		better.Grain = lower
		return map[string]any{"group_by": b.replaceGroup(item, better)}
	})
	if err != nil {
		return group{}, err
	}
	if item.Field == metricTime {
		g := group{item: item, metricTime: true, grain: grain, name: metricTime, typ: sqlexpr.TypeUnknown}
		if grain != sqlexpr.GrainNone {
			g.name += "__" + grain.String()
			g.typ = sqlexpr.TypeDate
		}
		return g, nil
	}
	parts, err := scope.SplitPath(item.Field)
	if err != nil {
		return group{}, &planerr.Error{Code: planerr.CodeUnknownDimension, Message: item.Field + " is not a field reference", Candidates: b.dimensionNames(item.Field)}
	}
	ref, err := b.res.Resolve(parts)
	if err != nil {
		return group{}, b.respellGroup(err, item)
	}
	if d := ref.Field.IsDimension; d != nil && !*d {
		return group{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    ref.Field.Qualified() + " is declared not to be a dimension",
			Candidates: b.dimensionNames(item.Field),
		}
	}
	g := group{item: item, ref: ref, grain: grain, name: ref.Output(), typ: ref.Field.Type}
	if grain == sqlexpr.GrainNone {
		return g, nil
	}
	g.name += "__" + grain.String()
	g.typ = sqlexpr.TypeDate
	return g, b.checkGrain(item, ref.Field, grain)
}

// respellGroup turns the respelling that an error proposes for a path into a
// retry.
func (b *build) respellGroup(err error, item query.GroupBy) error {
	var e *planerr.Error
	if errors.As(err, &e) && e.Respelling != "" {
		better := item
		better.Field = e.Respelling
		e.Fragment = map[string]any{"group_by": b.replaceGroup(item, better)}
	}
	return err
}

// parseGrain reads a grain; a word outside the contract's list is a malformed
// request, not a question about the model. For a grain in other case, replaced
// returns the fragment with the lower-case spelling.
func parseGrain(text string, replaced func(lower string) map[string]any) (sqlexpr.Grain, error) {
	if text == "" {
		return sqlexpr.GrainNone, nil
	}
	g, ok := sqlexpr.ParseGrain(text)
	if !ok {
		e := &planerr.Error{
			Code:       planerr.CodeBadRequest,
			Message:    "unknown grain " + text + ": it is one of " + strings.Join(sqlexpr.GrainNames(), ", "),
			Candidates: suggest.Nearest(text, sqlexpr.GrainNames(), scope.MaxCandidates),
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
func (b *build) checkGrain(item query.GroupBy, f *catalog.Field, grain sqlexpr.Grain) error {
	if !f.HasCalendar() {
		plain := item
		plain.Grain = ""
		return &planerr.Error{
			Code:     planerr.CodeGrainOnNonTimeDimension,
			Message:  f.Qualified() + " is no time dimension that takes a grain, so " + grain.String() + " means nothing on it",
			Fragment: map[string]any{"group_by": b.replaceGroup(item, plain)},
		}
	}
	if stored := f.StoredGrain(); grain < stored {
		coarser := item
		coarser.Grain = stored.String()
		return &planerr.Error{
			Code:     planerr.CodeGrainTooFine,
			Message:  f.Qualified() + " is stored by " + stored.String() + ", which cannot be split by " + grain.String(),
			Fragment: map[string]any{"group_by": b.replaceGroup(item, coarser)},
		}
	}
	return nil
}

// replaceGroup is the query's group_by with one item exchanged.
func (b *build) replaceGroup(old, replacement query.GroupBy) []query.GroupBy {
	out := slices.Clone(b.q.GroupBy)
	for i, it := range out {
		if it == old {
			out[i] = replacement
		}
	}
	return out
}

// dimensionNames lists the groupable fields nearest to a name.
func (b *build) dimensionNames(near string) []string {
	var names []string
	for _, f := range b.cat.Fields {
		if f.ErrFor(b.target.Dialect) == nil && (f.IsDimension == nil || *f.IsDimension) {
			names = append(names, f.Qualified())
		}
	}
	return suggest.Nearest(near, names, scope.MaxCandidates)
}

// checkOutputNames refuses two result columns of one name.
func (b *build) checkOutputNames() error {
	seen := make(map[string]bool, len(b.groups)+len(b.columns))
	for i, g := range b.groups {
		if seen[strings.ToLower(g.name)] {
			return &planerr.Error{
				Code:     planerr.CodeDuplicateOutputName,
				Message:  "two group-by items give the output column " + g.name,
				Fragment: map[string]any{"group_by": slices.Delete(slices.Clone(b.q.GroupBy), i, i+1)},
			}
		}
		seen[strings.ToLower(g.name)] = true
	}
	for _, c := range b.columns {
		if seen[strings.ToLower(c.name)] {
			return b.duplicateColumn(c)
		}
		seen[strings.ToLower(c.name)] = true
	}
	return nil
}

// duplicateColumn is the error of a metric column whose name is taken, by a
// group-by or by another metric's column.
func (b *build) duplicateColumn(c column) error {
	e := &planerr.Error{
		Code:    planerr.CodeDuplicateOutputName,
		Message: "two result columns would be named " + c.name,
		Metrics: []string{c.metric.Name},
		// Where leaving the metric out does not help, tags or values stand too close.
		SuggestedRetry: "give tags, and the values in a list of params, names that differ in more than case",
	}
	if len(b.metrics) > 1 {
		var rest []string
		for _, m := range b.metrics {
			if m != c.metric {
				rest = append(rest, m.Name)
			}
		}
		e.Fragment = map[string]any{"metrics": rest}
		return e
	}
	for i, g := range b.groups {
		if strings.EqualFold(g.name, c.name) {
			e.Fragment = map[string]any{"group_by": slices.Delete(slices.Clone(b.q.GroupBy), i, i+1)}
		}
	}
	return e
}
