package scope

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
	Item        query.GroupBy
	Index       int         // of the item in the query's group_by
	IsRemainder bool        // whether top merged the value of the group before this one
	OnAxis      bool        // metric_time
	Ref         resolve.Ref // unset for metric_time and for an expression
	Grain       sqlexpr.Grain
	Period      *catalog.Period // of a calendar, whose days the grain makes; nil for a plain grain
	Part        sqlexpr.TimePart
	Name        string // output column
	Type        sqlexpr.Type

	Expression *groupExpression // nil for a field and for metric_time
}

// HasGivenName reports whether the query itself names the column.
func (g Group) HasGivenName() bool { return g.Item.Name != "" }

// HasStoredValue reports whether the group carries the field's stored value, so that a
// condition on the field can be answered from the result.
func (g Group) HasStoredValue() bool {
	return g.Grain == sqlexpr.GrainNone && g.Part == sqlexpr.PartNone
}

// HasBuckets reports whether the group has a grain.
func (g Group) HasBuckets() bool { return g.Grain != sqlexpr.GrainNone }

// ResolveGroups resolves the group-by items and their grains.
func ResolveGroups(in *Env, sel Selection) ([]Group, error) {
	if len(in.Query.GroupBy) == 0 {
		return addIsRemainderGroupBy(in, nil)
	}
	groups := make([]Group, 0, len(in.Query.GroupBy))
	for i, item := range in.Query.GroupBy {
		g, err := resolveGroupItem(in, sel, item, i)
		if err != nil {
			for _, unresolved := range in.Query.GroupBy[i:] {
				in.Target.Uses.AddDimension(Group{Item: unresolved}.textOfItem())
			}
			return nil, err
		}
		g.Index = i
		if uses := in.Target.Uses; uses != nil {
			uses.AddDimension(g.useText())
		}
		groups = append(groups, g)
	}
	return addIsRemainderGroupBy(in, groups)
}

// useText returns the name of a group among the uses of a query.
func (g Group) useText() string {
	switch {
	case g.Expression != nil:
		return g.Name
	case g.OnAxis:
		return AppendUnit(MetricTime, g.UnitText())
	}
	return AppendUnit(g.Ref.String(), g.UnitText())
}

// textOfItem returns the item of a group that was not resolved, as a name among the uses of a query.
func (g Group) textOfItem() string {
	if g.Item.Field == "" {
		return g.Item.Name
	}
	return AppendUnit(g.Item.Field, g.Item.Unit())
}

// AppendUnit appends a grain, a period or a part to a reference.
func AppendUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + ":" + unit
}

func resolveGroupItem(in *Env, sel Selection, item query.GroupBy, index int) (Group, error) {
	if item.Expression != "" {
		return resolveExpressionGroup(in, sel, item, index)
	}
	return ResolveGroup(in, sel, item)
}

// ResolveGroup resolves one group-by item that has a field. Its column has the name that the
// item gives, else that of the field and the grain.
func ResolveGroup(in *Env, sel Selection, item query.GroupBy) (Group, error) {
	g, err := resolveFieldGroup(in, sel, item)
	if item.Name != "" {
		g.Name = item.Name
	}
	return g, err
}

func resolveFieldGroup(in *Env, sel Selection, item query.GroupBy) (Group, error) {
	unit, err := ParseBucketUnit(in.Cat, item.Grain, func(spelling string) map[string]any {
		return map[string]any{"group_by": ReplaceGroupByItem(in.Query.GroupBy, item, item.WithUnit(spelling))}
	})
	if err != nil {
		return Group{}, err
	}
	part, err := parseTimePart(in.Query, item)
	if err != nil {
		return Group{}, err
	}
	grain := grainOfUnit(unit)
	if item.Field == MetricTime {
		g := Group{Item: item, OnAxis: true, Grain: grain, Period: unit.Period, Name: MetricTime, Type: sqlexpr.TypeUnknown}
		switch {
		case part != sqlexpr.PartNone:
			g = g.ofPart(part)
		case grain != sqlexpr.GrainNone:
			g.Name += "__" + unit.String()
			g.Type = sqlexpr.BucketType(sqlexpr.TypeUnknown, grain)
		}
		return g, nil
	}
	parts, err := resolve.SplitPath(item.Field)
	if err != nil {
		return Group{}, &planerr.Error{Code: planerr.CodeUnknownDimension, Message: item.Field + " is not a field reference", Candidates: nearestDimensionNames(in, item.Field)}
	}
	ref, err := sel.Names.Resolve(parts)
	if err != nil {
		return Group{}, addMisplacedMetricRetry(in, addGroupSpellingRetry(in.Query, err, item), item)
	}
	if ref.Field.IsNoDimension() {
		return Group{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    ref.Field.QualifiedName() + " is declared not to be a dimension",
			Candidates: nearestDimensionNames(in, item.Field),
		}
	}
	g := Group{Item: item, Ref: ref, Grain: grain, Period: unit.Period, Name: ref.OutputName(), Type: ref.Field.Type}
	switch {
	case part != sqlexpr.PartNone:
		g = g.ofPart(part)
		return g, in.checkGroupUnit(g, ref.Field)
	case grain == sqlexpr.GrainNone:
		return g, nil
	}
	g.Name += "__" + unit.String()
	g.Type = ref.Field.BucketType(grain)
	return g, in.checkGroupUnit(g, ref.Field)
}

// addGroupSpellingRetry turns the respelling that an error proposes for a path into a
// retry.
func addGroupSpellingRetry(q *query.MetricQuery, err error, item query.GroupBy) error {
	var e *planerr.Error
	if errors.As(err, &e) && e.Respelling != "" {
		better := item
		better.Field = e.Respelling
		e.Fragment = map[string]any{"group_by": ReplaceGroupByItem(q.GroupBy, item, better)}
	}
	return err
}

// ReplaceGroupByItem returns a group_by with one item exchanged.
func ReplaceGroupByItem(items []query.GroupBy, old, replacement query.GroupBy) []query.GroupBy {
	out := slices.Clone(items)
	for i, it := range out {
		if it == old {
			out[i] = replacement
		}
	}
	return out
}

// nearestDimensionNames lists the groupable fields nearest to a name.
func nearestDimensionNames(in *Env, near string) []string {
	var names []string
	for f := range in.Cat.AllFields() {
		if f.ErrorForDialect(in.Target.Dialect) == nil && !f.IsNoDimension() {
			names = append(names, f.QualifiedName())
		}
	}
	return suggest.Nearest(near, names, resolve.MaxCandidates)
}

// IndexOfGroupSpelledAs finds the group-by item that was spelled this way.
func IndexOfGroupSpelledAs(groups []Group, text string) int {
	return slices.IndexFunc(groups, func(g Group) bool {
		return g.Item.Field != "" && strings.EqualFold(g.Item.Field, text) || g.IsFieldNotExpression() && strings.EqualFold(g.Ref.String(), text)
	})
}

// GroupsByMetricTime reports whether the result is grouped by metric_time.
func GroupsByMetricTime(groups []Group) bool {
	return slices.ContainsFunc(groups, func(g Group) bool { return g.OnAxis })
}

// ReadsAxis reports whether a group is a time axis or its buckets, by either of its names. A part of it is another group.
func (g Group) ReadsAxis(axis *catalog.Field) bool {
	return g.Part == sqlexpr.PartNone && (g.OnAxis || axis != nil && g.IsUnprefixedField(axis))
}

// IsUnprefixedField reports whether the group is a dimension named by dataset.field: the
// same field on a path that the query names is another dimension.
func (g Group) IsUnprefixedField(f *catalog.Field) bool {
	return g.IsFieldNotExpression() && g.Ref.Field == f && len(g.Ref.Prefix) == 0
}
