package attribute

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// dimensionsRequired names the dimensions worth decomposing over.
func (r *request) dimensionsRequired() error {
	e := &planerr.Error{
		Code:       planerr.CodeDimensionsRequired,
		Message:    "an attribution needs the dimensions to decompose the change of " + r.metric.Name + " over",
		Metrics:    []string{r.metric.Name},
		Candidates: r.bestDimensions(scope.MaxCandidates),
	}
	if n := min(len(e.Candidates), defaultTopDimensions); n > 0 {
		e.Fragment = map[string]any{"dimensions": e.Candidates[:n]}
	}
	return e
}

// worth orders dimensions by how much a decomposition over them is likely to
// tell: few members, each with a meaning, before many.
type worth uint8

const (
	declaredDimension worth = iota
	fewMembers
	someMembers
	manyMembers
	overTime
	keyMember
)

// bestDimensions lists the dimensions that the metric takes, best first.
func (r *request) bestDimensions(most int) []string {
	type candidate struct {
		spelling string
		worth    worth
		joins    int
	}
	var found []candidate
	for _, f := range r.cat.Fields {
		if f.ErrFor(r.target.Dialect) != nil || f.IsDimension != nil && !*f.IsDimension || f.MeasuredBy != nil && !f.Declared {
			continue
		}
		for _, ref := range r.spellings(f) {
			found = append(found, candidate{ref.Spell(), r.worthOf(f), r.distance(ref)})
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
		if r.takes(c.spelling) {
			out = append(out, c.spelling)
		}
	}
	return out
}

// spellings are the ways to a field from the metric's homes: its name where
// each home has one way, the names of the ways where the one home has several.
func (r *request) spellings(f *catalog.Field) []scope.Ref {
	for _, home := range r.metric.Datasets {
		paths := r.cat.SafePaths(home, f.Dataset, scope.MaxCandidates)
		switch {
		case len(paths) == 0:
			return nil
		case len(paths) > 1 && len(r.metric.Datasets) == 1:
			refs := make([]scope.Ref, len(paths))
			for i, p := range paths {
				refs[i] = scope.Ref{Prefix: p, Field: f}
			}
			return refs
		case len(paths) > 1:
			return nil
		}
	}
	return []scope.Ref{{Field: f}}
}

func (r *request) distance(ref scope.Ref) int {
	if len(ref.Prefix) > 0 {
		return len(ref.Prefix)
	}
	joins := 0
	for _, home := range r.metric.Datasets {
		joins += scope.Shortest(r.cat, home, ref.Field.Dataset)
	}
	return joins
}

// takes reports whether the metric can be grouped by a dimension. A window over
// time is asked without its axis, which the windows of an attribution are.
func (r *request) takes(dimension string) bool {
	q := &query.MetricQuery{Metrics: []string{r.metric.Name}, GroupBy: []query.GroupBy{{Field: dimension}}}
	_, err := r.plans(q)
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

// worthOf judges a field by its role and type, and where those say little, by
// its name.
func (r *request) worthOf(f *catalog.Field) worth {
	switch {
	case r.isKey(f):
		return keyMember
	case f.IsTime || f.Type.IsInstant() || f.Encoding != nil:
		return overTime
	case f.Declared:
		return declaredDimension
	case f.LOD != nil || f.Type == sqlexpr.TypeDecimal || f.Type == sqlexpr.TypeFloat || manyByName(f.Name):
		return manyMembers
	case f.Type == sqlexpr.TypeString || f.Type == sqlexpr.TypeBool:
		return fewMembers
	}
	return someMembers
}

// isKey reports whether a field is, or joins by, a key.
func (r *request) isKey(f *catalog.Field) bool {
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

var manyNames = []string{
	"name", "email", "mail", "phone", "address", "url", "description", "comment", "comments", "note", "notes",
	"uuid", "guid", "hash", "token", "number", "title", "text", "zip", "postcode",
}

// manyByName reports whether a field's name is one of texts that differ from
// row to row.
func manyByName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == ' ' || r == '-' })
	return len(words) > 0 && slices.Contains(manyNames, words[len(words)-1])
}
