package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// resolvedFieldReference is what a name in an expression refers to: a field in its dataset, or at the end of
// the path of relationships that the name gives.
type resolvedFieldReference struct {
	field  *fieldInProgress
	prefix []catalog.JoinStep // nil where the name gives no path
}

// startDataset returns the dataset at which the reference begins.
func (r resolvedFieldReference) startDataset() *catalog.Dataset {
	if len(r.prefix) > 0 {
		return r.prefix[0].SourceDataset()
	}
	return r.field.ds.cat
}

// resolveFieldReference finds the field that a name refers to: `dataset.field`, `rel.field`,
// `rel.rel.field`, or a bare name that exactly one dataset has. A one-to-one relationship is followed
// backwards from a dataset that the expression is about. The error has no place yet.
func (c *compiler) resolveFieldReference(column *sqlexpr.Column, about ...*catalog.Dataset) (resolvedFieldReference, *modelspec.CompileError) {
	rels := c.relationshipsInNamePrefix(column)
	if len(rels) == 0 {
		f, err := c.resolveQualifiedOrBareField(column)
		return resolvedFieldReference{field: f}, err
	}
	first := rels[0]
	starts := []*catalog.Dataset{first.From}
	if first.SafeBackward() && !first.IsSelfJoin() {
		starts = append(starts, first.To)
		if slices.Contains(about, first.To) && !slices.Contains(about, first.From) {
			slices.Reverse(starts)
		}
	}
	var failure *modelspec.CompileError
	for _, start := range starts {
		ref, err := c.resolveRelationshipPrefixedName(column, start, rels)
		if err == nil {
			return ref, nil
		}
		if failure == nil {
			failure = err
		}
	}
	return resolvedFieldReference{}, failure
}

// relationshipsInNamePrefix returns the relationships that a name begins with; nil where it begins with a dataset,
// or is bare. A part that names none is nil, and ends the list.
func (c *compiler) relationshipsInNamePrefix(column *sqlexpr.Column) []*catalog.Relationship {
	parts := column.Path[:len(column.Path)-1]
	if len(parts) == 0 || len(c.cat.Relationships) == 0 || c.isDatasetQualifier(parts) || c.relationshipNamed(parts[0]) == nil {
		return nil
	}
	var out []*catalog.Relationship
	for _, part := range parts {
		r := c.relationshipNamed(part)
		out = append(out, r)
		if r == nil {
			break
		}
	}
	return out
}

// isDatasetQualifier reports whether the parts before the last of a name are those of a dataset.
func (c *compiler) isDatasetQualifier(parts []sqlexpr.Name) bool {
	d := c.findDataset(dottedQualifierText(parts))
	return d != nil && (len(parts) > 1 || !parts[0].Quoted || parts[0].Text == d.cat.Name)
}

func (c *compiler) relationshipNamed(name sqlexpr.Name) *catalog.Relationship {
	r := c.cat.Relationship(name.Text)
	if r == nil || name.Quoted && r.Name != name.Text {
		return nil
	}
	return r
}

func dottedQualifierText(parts []sqlexpr.Name) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, ".")
}

// resolveRelationshipPrefixedName follows the relationships of a name from a dataset.
func (c *compiler) resolveRelationshipPrefixedName(column *sqlexpr.Column, start *catalog.Dataset, rels []*catalog.Relationship) (resolvedFieldReference, *modelspec.CompileError) {
	var path []catalog.JoinStep
	at := start
	for i, r := range rels {
		why := fmt.Sprintf("%q is not a relationship", column.Path[i].Text)
		if r != nil {
			var step catalog.JoinStep
			if step, why = catalog.ContinueNamedPathByRelationship(start, path, r); why == "" {
				path, at = append(path, step), step.TargetDataset()
				continue
			}
		}
		return resolvedFieldReference{}, &modelspec.CompileError{Code: CodeUnknownField,
			Message:    fmt.Sprintf("%s names no field: %s", quoteExpr(column), why),
			Candidates: c.nearestCandidates(column.Path[i].Text, func() []string { return relationshipNamesFromDataset(c.cat, at) }),
			Hint:       "a path names relationships, each of which leaves the dataset at which the one before it ends"}
	}
	d := c.datasetInProgressOfCatalogDataset(at)
	f := c.findFieldAfter(path, d, column.Path[len(column.Path)-1])
	if f == nil {
		name := column.Path[len(column.Path)-1].Text
		return resolvedFieldReference{}, &modelspec.CompileError{Code: CodeUnknownField,
			Message:    fmt.Sprintf("the dataset %s, at which %s ends, has no field %q", at.Name, joinPathText(path), name),
			Candidates: c.nearestCandidates(name, d.fieldNames)}
	}
	return resolvedFieldReference{f, path}, nil
}

func relationshipNamesFromDataset(cat *catalog.Catalog, d *catalog.Dataset) []string {
	var out []string
	for _, s := range cat.NamedPathStepsFrom(d) {
		out = append(out, s.Rel.Name)
	}
	return out
}

func joinPathText(path []catalog.JoinStep) string {
	return sqlexpr.FormatPath(relationshipNamesOfPath(path)...)
}

// safePathLister lists the paths of safe edges between two datasets.
type safePathLister func(from, to *catalog.Dataset) [][]catalog.JoinStep

// safePaths searches the graph of the model once for each pair of datasets: many metrics name fields of the same ones.
func (c *compiler) safePaths(from, to *catalog.Dataset) [][]catalog.JoinStep {
	pair := pathEndpoints{from, to}
	if known, ok := c.pathsOf[pair]; ok {
		return known
	}
	if c.pathsOf == nil {
		c.pathsOf = map[pathEndpoints][][]catalog.JoinStep{}
	}
	paths := c.cat.SafePaths(from, to, suggest.MaxCandidates)
	c.pathsOf[pair] = paths
	return paths
}

// pathEndpoints is the datasets at which a path begins and ends.
type pathEndpoints struct{ from, to *catalog.Dataset }

// fieldIDOfReference returns the ID by which an expression over the rows of home reads a reference. The error
// has no place yet.
func (c *compiler) fieldIDOfReference(home *catalog.Dataset, ref resolvedFieldReference, paths safePathLister) (int, *modelspec.CompileError) {
	if len(ref.prefix) == 0 && ref.field.ds.cat == home {
		return ref.field.cat.ID, nil
	}
	start := ref.startDataset()
	leads := [][]catalog.JoinStep{nil}
	if start != home {
		leads = paths(home, start)
	}
	switch {
	case len(leads) == 0:
		return 0, &modelspec.CompileError{Code: CodeCrossDatasetAggregate, Hint: c.unreachableFieldHint(home, start),
			Message: fmt.Sprintf("a row of %s does not lead to one row of %s along many-to-one relationships", home.Name, start.Name)}
	case len(leads) > 1:
		return 0, ambiguousReferencePathError(home, ref, leads)
	}
	for _, s := range ref.prefix {
		if !s.Safe() {
			return 0, &modelspec.CompileError{Code: CodeCrossDatasetAggregate, Hint: fanOutHint(s),
				Message: fmt.Sprintf("the relationship %s does not lead to one row of %s, so a row of %s would count several times", s.Rel.Name, s.TargetDataset().Name, home.Name)}
		}
	}
	path := append(slices.Clone(leads[0]), ref.prefix...)
	return c.cat.GetOrAddJoinedField(home, path, len(ref.prefix) > 0, ref.field.cat).ID, nil
}

func fanOutHint(s catalog.JoinStep) string {
	if s.LacksTargetKey() {
		return s.Rel.KeyDeclarationHint()
	}
	return "name fields that many-to-one relationships lead to"
}

// ambiguousReferencePathError returns the error of a reference that several paths lead to: the candidates are the
// paths, which a name can begin with.
func ambiguousReferencePathError(home *catalog.Dataset, ref resolvedFieldReference, leads [][]catalog.JoinStep) *modelspec.CompileError {
	err := &modelspec.CompileError{Code: CodeAmbiguousJoinPath,
		Message: fmt.Sprintf("several relationship paths lead from %s to %s", home.Name, ref.startDataset().Name)}
	for _, lead := range leads {
		err.Candidates = append(err.Candidates, joinPathText(append(slices.Clone(lead), ref.prefix...)))
	}
	spelled := append(relationshipNamesOfPath(leads[0]), relationshipNamesOfPath(ref.prefix)...)
	err.Hint = "begin the name with one of the paths: " + sqlexpr.FormatPath(append(spelled, ref.field.cat.Name)...)
	return err
}
