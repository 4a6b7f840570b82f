package compile

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// snapshotEntityResolver finds the fields of `per` for an aggregate at a home, whose snapshots have the times by.
type snapshotEntityResolver struct {
	*compiler
	home *catalog.Dataset
	by   *catalog.Field
}

// resolveEntityField finds the field that an item of `per` names: a field of the home, or of a dataset
// that the home reaches many-to-one.
func (c snapshotEntityResolver) resolveEntityField(ref extension.ObjectRef) (catalog.FieldWithJoinPath, *modelspec.CompileError) {
	home := c.home
	parts, ok := splitReferenceIntoNames(ref)
	if !ok {
		return catalog.FieldWithJoinPath{}, c.unknownEntityError(ref)
	}
	qualifier, name := parts[:len(parts)-1], parts[len(parts)-1]
	out := catalog.FieldWithJoinPath{}
	at := home
	switch d := c.datasetOfQualifier(qualifier); {
	case len(qualifier) == 0:
	case d != nil:
		at = d.cat
		paths := c.cat.SafePaths(home, at, suggest.MaxCandidates)
		switch {
		case len(paths) == 0:
			return out, c.snapshotEntityError(ref, "per %q: %s does not lead to %s many-to-one", ref.Name, home.Name, at.Name)
		case len(paths) > 1:
			return out, ambiguousEntityPathError(ref, home, at, paths, name)
		}
		out.Path = paths[0]
	default:
		path, err := c.followEntityPath(ref, qualifier)
		if err != nil {
			return out, err
		}
		out.Path, out.Named, at = path, true, path[len(path)-1].TargetDataset()
	}
	f := c.datasetInProgressOfCatalogDataset(at).findFieldOfIdentifier(name)
	if f == nil {
		return out, c.unknownEntityError(ref)
	}
	out.Field = f.cat
	return out, c.refuseParameterizedSnapshotField(ref, f.cat)
}

// datasetOfQualifier returns the dataset that a qualifier of one part names; nil for none.
func (c *compiler) datasetOfQualifier(qualifier []sqlexpr.Name) *datasetInProgress {
	if len(qualifier) != 1 {
		return nil
	}
	return c.findDataset(qualifier[0].Text)
}

// followEntityPath follows the relationships that a reference names.
func (c snapshotEntityResolver) followEntityPath(ref extension.ObjectRef, names []sqlexpr.Name) ([]catalog.JoinStep, *modelspec.CompileError) {
	var path []catalog.JoinStep
	for _, n := range names {
		rel := c.cat.Relationship(n.Text)
		if rel == nil {
			return nil, c.unknownEntityError(ref)
		}
		step, why := catalog.ContinueNamedPathByRelationship(c.home, path, rel)
		if why == "" && !step.Safe() {
			why = "the relationship " + rel.Name + " does not lead to one row of " + step.TargetDataset().Name
		}
		if why != "" {
			return nil, c.snapshotEntityError(ref, "per %q: %s", ref.Name, why)
		}
		path = append(path, step)
	}
	return path, nil
}

func (c snapshotEntityResolver) unknownEntityError(ref extension.ObjectRef) *modelspec.CompileError {
	return c.snapshotEntityError(ref, "per %q is not a field of %s, nor of a dataset that it leads to", ref.Name, c.home.Name)
}

// snapshotEntityError returns an error of an item of `per`, with the fields that it may name.
func (c snapshotEntityResolver) snapshotEntityError(ref extension.ObjectRef, format string, args ...any) *modelspec.CompileError {
	return invalidReferenceError(ref, "non_additive", format, args...).
		errorWithCandidates(c.compiler, ref.Name, func() []string {
			var out []string
			for _, d := range c.cat.Datasets {
				for _, f := range d.Fields {
					switch {
					case !isIndependentOfParams(f) || f == c.by:
					case d == c.home:
						out = append(out, f.Name)
					case c.cat.ReachesSafely(c.home, d):
						out = append(out, sqlexpr.FormatPath(d.Name, f.Name))
					}
				}
			}
			return out
		})
}

func ambiguousEntityPathError(ref extension.ObjectRef, home, to *catalog.Dataset, paths [][]catalog.JoinStep, name sqlexpr.Name) *modelspec.CompileError {
	err := invalidReferenceError(ref, "non_additive", "several relationship paths lead from %s to %s", home.Name, to.Name).CompileError
	err.Code = CodeAmbiguousJoinPath
	for _, p := range paths {
		err.Candidates = append(err.Candidates, sqlexpr.FormatPath(append(relationshipNamesOfPath(p), name.Text)...))
	}
	err.Hint = "write the path, as in " + err.Candidates[0] + "; " + err.Hint
	return err
}

// checkSnapshotEntity rejects a field that an earlier item of `per` names, and the times of the snapshots, each of which would
// be the last of its entity.
func checkSnapshotEntity(ref extension.ObjectRef, n *catalog.SemiAdditiveRule, per catalog.FieldWithJoinPath) *modelspec.CompileError {
	isRepeated := slices.ContainsFunc(n.Per, func(o catalog.FieldWithJoinPath) bool {
		return o.Field == per.Field && slices.Equal(o.Path, per.Path)
	})
	switch {
	case isRepeated:
		return invalidReferenceError(ref, "non_additive", "per names %s twice", per.Field.QualifiedName()).CompileError
	case per.Field == n.By && len(per.Path) == 0:
		return invalidReferenceError(ref, "non_additive", "per names %s, which is the time of the snapshots", per.Field.QualifiedName()).CompileError
	}
	return nil
}
