package attribute

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// dimensionsRequiredError names the dimensions worth decomposing over.
func (r *attributionRequest) dimensionsRequiredError() error {
	e := &planerr.Error{
		Code:       planerr.CodeDimensionsRequired,
		Message:    "an attribution needs the dimensions to decompose the change of " + r.metric.Name + " over",
		Metrics:    []string{r.metric.Name},
		Candidates: r.rankedCandidateDimensions(resolve.MaxCandidates),
	}
	if n := min(len(e.Candidates), defaultTopDimensions); n > 0 {
		e.Fragment = map[string]any{"dimensions": e.Candidates[:n]}
	}
	return e
}

// dimensionRank orders dimensions by how informative a decomposition over them is likely
// to be: few members, each with a meaning, before many.
type dimensionRank uint8

const (
	rankDeclaredDimension dimensionRank = iota
	rankLowCardinality
	rankMediumCardinality
	rankHighCardinality
	rankTimeDimension
	rankKeyField
)

// rankedCandidateDimensions lists the dimensions that the metric takes, best first.
func (r *attributionRequest) rankedCandidateDimensions(most int) []string {
	type candidate struct {
		spelling string
		worth    dimensionRank
		joins    int
	}
	var found []candidate
	leaves := r.metric.LeafMeasures()
	isSnapshotTime := func(f *catalog.Field) bool {
		return slices.ContainsFunc(leaves, func(m *catalog.Measure) bool { return m.IsSemiAdditive() && m.NonAdditive.By == f })
	}
	for f := range r.cat.AllFields() {
		if isSnapshotTime(f) || f.ErrorForDialect(r.target.Dialect) != nil || f.IsNoDimension() || f.MeasuredBy != nil && !f.Declared {
			continue
		}
		for _, ref := range r.pathsToFieldFromMetricHomes(f) {
			found = append(found, candidate{ref.Text(), r.rankDimensionByRoleAndType(f), r.joinDistance(ref)})
		}
	}
	slices.SortStableFunc(found, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.worth, y.worth), cmp.Compare(x.joins, y.joins))
	})
	var out []string
	for _, c := range found {
		if len(out) == most {
			break
		}
		if r.canGroupBy(c.spelling) {
			out = append(out, c.spelling)
		}
	}
	return out
}

// pathsToFieldFromMetricHomes returns the ways to a field from the metric's homes: its name where
// each home has one way, the names of the ways where the one home has several.
func (r *attributionRequest) pathsToFieldFromMetricHomes(f *catalog.Field) []resolve.Ref {
	for _, home := range r.metric.Datasets {
		paths := r.cat.SafePaths(home, f.Dataset, resolve.MaxCandidates)
		switch {
		case len(paths) == 0:
			return nil
		case len(paths) > 1 && len(r.metric.Datasets) == 1:
			refs := make([]resolve.Ref, len(paths))
			for i, p := range paths {
				refs[i] = resolve.Ref{Prefix: p, Field: f}
			}
			return refs
		case len(paths) > 1:
			return nil
		}
	}
	return []resolve.Ref{{Field: f}}
}

func (r *attributionRequest) joinDistance(ref resolve.Ref) int {
	if len(ref.Prefix) > 0 {
		return len(ref.Prefix)
	}
	joins := 0
	for _, home := range r.metric.Datasets {
		joins += resolve.ShortestPathLength(r.cat, home, ref.Field.Dataset)
	}
	return joins
}

// canGroupBy reports whether the metric can be grouped by a dimension. A window over
// time is asked without its axis, which the windows of an attribution are.
func (r *attributionRequest) canGroupBy(dimension string) bool {
	q := &query.MetricQuery{Metrics: []string{r.metric.Name}, GroupBy: []query.GroupBy{{Field: dimension}}}
	_, err := r.planMetricQuery(q)
	var perr *planerr.Error
	if !errors.As(err, &perr) {
		return err == nil
	}
	switch perr.Code {
	case planerr.CodeNoJoinPath, planerr.CodeFanOutRisk, planerr.CodeAmbiguousJoinPath, planerr.CodeUnconformedDimension, planerr.CodeNotImplemented:
		return false
	}
	return true
}

// rankDimensionByRoleAndType judges a field by its role and type, and where those say little, by
// its name.
func (r *attributionRequest) rankDimensionByRoleAndType(f *catalog.Field) dimensionRank {
	switch {
	case r.isKeyField(f):
		return rankKeyField
	case f.IsTime || f.Type.IsDateOrTimestamp() || f.Encoding != nil:
		return rankTimeDimension
	case f.Declared:
		return rankDeclaredDimension
	case f.LOD != nil || f.Type == sqlexpr.TypeDecimal || f.Type == sqlexpr.TypeFloat || hasHighCardinalityName(f.Name):
		return rankHighCardinality
	case f.Type == sqlexpr.TypeString || f.Type == sqlexpr.TypeBool:
		return rankLowCardinality
	}
	return rankMediumCardinality
}

// isKeyField reports whether a field is, or joins by, a key.
func (r *attributionRequest) isKeyField(f *catalog.Field) bool {
	for _, key := range append([][]string{f.Dataset.PrimaryKey}, f.Dataset.UniqueKeys...) {
		if len(key) == 1 && strings.EqualFold(key[0], f.Name) {
			return true
		}
	}
	for _, rel := range r.cat.Relationships {
		if slices.Contains(rel.FromFields, f) || slices.Contains(rel.ToFields, f) {
			return true
		}
	}
	name := strings.ToLower(f.Name)
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "_pk")
}

var highCardinalityNames = []string{
	"name", "email", "mail", "phone", "address", "url", "description", "comment", "comments", "note", "notes",
	"uuid", "guid", "hash", "token", "number", "title", "text", "zip", "postcode",
}

// hasHighCardinalityName reports whether a field's name is one of texts that differ from
// row to row.
func hasHighCardinalityName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == ' ' || r == '-' })
	return len(words) > 0 && slices.Contains(highCardinalityNames, words[len(words)-1])
}
