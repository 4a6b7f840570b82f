package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// checkLODPaths resolves `via` and rejects a level-of-detail field that several
// paths lead to, from the rows that it aggregates to the field's own dataset or to
// one that its condition reads. A field that is sound in an entry for a single
// dialect stays usable there.
func (c *compiler) checkLODPaths(f *fieldInProgress) {
	if f.cat.Err != nil {
		return
	}
	lod := f.cat.LOD
	home := firstAggregateHome(lod.Measures.Default)
	via, err := c.resolveLODVia(f, home)
	if err != nil {
		c.failField(f, err)
		return
	}
	lod.Via = via
	ambiguous := c.checkLODPathsUnambiguous(f, home)
	usable := ambiguous == nil
	for _, dialect := range slices.Sorted(maps.Keys(lod.Measures.ByDialect)) {
		home := firstAggregateHome(lod.Measures.ByDialect[dialect])
		err := c.checkLODPathsUnambiguous(f, home)
		if err == nil && len(via) > 0 && via[0].SourceDataset() != home {
			err = c.lodViaError(f, f.ext.LOD.Via[0], home, nil, fmt.Sprintf("the path leaves %s, and the %s expression aggregates %s", via[0].SourceDataset().Name, dialect, home.Name))
		}
		if err == nil {
			usable = true
			continue
		}
		c.addErrorOnce(err)
		recordDialectError(&f.cat.ErrByDialect, dialect, err)
	}
	if ambiguous == nil {
		return
	}
	c.addErrorOnce(ambiguous)
	if !usable {
		f.cat.Err = ambiguous
	}
}

// firstAggregateHome returns the dataset that the first aggregate of a form is over.
func firstAggregateHome(form *catalog.ArithmeticOverOperands) *catalog.Dataset {
	for _, o := range form.Operands {
		return o.(*catalog.Measure).Home
	}
	return nil
}

// resolveLODVia follows the relationships that `via` names.
func (c *compiler) resolveLODVia(f *fieldInProgress, home *catalog.Dataset) ([]catalog.JoinStep, *modelspec.CompileError) {
	var path []catalog.JoinStep
	refs := f.ext.LOD.Via
	for _, ref := range refs {
		rel := c.cat.Relationship(ref.Name)
		if rel == nil {
			return nil, c.lodViaError(f, ref, home, path, fmt.Sprintf("%q names no relationship", ref.Name))
		}
		step, why := catalog.ContinueNamedPathByRelationship(home, path, rel)
		if why != "" {
			return nil, c.lodViaError(f, ref, home, path, why)
		}
		if !step.Safe() {
			err := invalidPayloadError(ref.Place, "lod", "via of %s: the relationship %s does not lead to one row of %s, so a row would count for several", f.cat.QualifiedName(), rel.Name, step.TargetDataset().Name)
			err.Hint = fmt.Sprintf("declare primary_key or unique_keys of %s, or cardinality of %s; %s", step.TargetDataset().Name, rel.Name, err.Hint)
			return nil, err
		}
		path = append(path, step)
	}
	if len(path) > 0 && path[len(path)-1].TargetDataset() != f.ds.cat {
		return nil, c.lodViaError(f, refs[len(refs)-1], home, path, "the path ends at "+path[len(path)-1].TargetDataset().Name+", not at "+f.ds.cat.Name)
	}
	return path, nil
}

// lodPathLister lists the paths from the rows that a level-of-detail field aggregates. Its via decides for
// the datasets that it passes.
func (c *compiler) lodPathLister(f *fieldInProgress, home *datasetInProgress) safePathLister {
	via, err := c.resolveLODVia(f, home.cat)
	if err != nil {
		return c.safePaths // the check of via reports it
	}
	return func(from, to *catalog.Dataset) [][]catalog.JoinStep {
		return c.cat.LODJoinPaths(&catalog.LOD{Via: via}, from, to, suggest.MaxCandidates)
	}
}

// lodViaError returns a flaw of `via`; its candidates are the relationships that lead on to
// the carrier from where the path has reached.
func (c *compiler) lodViaError(f *fieldInProgress, ref extension.ObjectRef, home *catalog.Dataset, path []catalog.JoinStep, why string) *modelspec.CompileError {
	at := home
	if len(path) > 0 {
		at = path[len(path)-1].TargetDataset()
	}
	return invalidReferenceError(ref, "lod", "via of %s: %s", f.cat.QualifiedName(), why).errorWithCandidates(c, ref.Name, func() []string {
		var names []string
		for _, s := range c.cat.NamedPathStepsFrom(at) {
			if s.Safe() && c.cat.ReachesSafely(s.TargetDataset(), f.ds.cat) {
				names = append(names, s.Rel.Name)
			}
		}
		return names
	})
}

// checkLODPathsUnambiguous returns the error of a form over home that several paths lead from, nil
// when none is.
func (c *compiler) checkLODPathsUnambiguous(f *fieldInProgress, home *catalog.Dataset) *modelspec.CompileError {
	lod := f.ext.LOD
	if paths := c.cat.PathsToLODCarrier(f.cat, home, suggest.MaxCandidates); len(paths) > 1 {
		names := relationshipNamesOfPath(paths[0])
		return ambiguousLODPathError(lod.Place, home, f.ds.cat, paths,
			fmt.Sprintf(`choose one of them in the lod block: "via": ["%s"]`, strings.Join(names, `", "`)))
	}
	for _, id := range fieldIDsInExpression(f.cat.LOD.Where) {
		if id < 0 {
			continue // it has a path
		}
		to := c.cat.FieldByID(id).Dataset
		if paths := c.cat.LODJoinPaths(f.cat.LOD, home, to, suggest.MaxCandidates); len(paths) > 1 {
			return ambiguousLODPathError(lod.Where.Place, home, to, paths,
				fmt.Sprintf("name fields of datasets that one path from %s leads to", home.Name))
		}
	}
	return nil
}

func ambiguousLODPathError(at modelspec.Place, from, to *catalog.Dataset, paths [][]catalog.JoinStep, hint string) *modelspec.CompileError {
	err := invalidPayloadError(at, "lod", "several relationship paths lead from %s to %s", from.Name, to.Name)
	err.Code = CodeAmbiguousJoinPath
	for _, p := range paths {
		err.Candidates = append(err.Candidates, sqlexpr.FormatPath(relationshipNamesOfPath(p)...))
	}
	err.Hint = hint + "; " + err.Hint
	return err
}

func relationshipNamesOfPath(path []catalog.JoinStep) []string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = s.Rel.Name
	}
	return names
}
