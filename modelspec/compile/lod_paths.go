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

// checkLODPaths resolves `via` and refuses a level-of-detail field that several
// paths lead to, from the rows that it aggregates to the field's own dataset or to
// one that its condition reads. A field that is sound in an entry for a single
// dialect stays usable there.
func (c *compiler) checkLODPaths(f *field) {
	if f.cat.Err != nil {
		return
	}
	lod := f.cat.LOD
	home := firstAggregateHome(lod.Measures.Default)
	via, err := c.resolveVia(f, home)
	if err != nil {
		c.failField(f, err)
		return
	}
	lod.Via = via
	ambiguous := c.ambiguousLODError(f, home)
	usable := ambiguous == nil
	for _, dialect := range slices.Sorted(maps.Keys(lod.Measures.ByDialect)) {
		home := firstAggregateHome(lod.Measures.ByDialect[dialect])
		err := c.ambiguousLODError(f, home)
		if err == nil && len(via) > 0 && via[0].Source() != home {
			err = c.viaError(f, f.ext.LOD.Via[0], home, nil, fmt.Sprintf("the path leaves %s, and the %s expression aggregates %s", via[0].Source().Name, dialect, home.Name))
		}
		if err == nil {
			usable = true
			continue
		}
		c.recordError(err)
		setDialectError(&f.cat.ErrByDialect, dialect, err)
	}
	if ambiguous == nil {
		return
	}
	c.recordError(ambiguous)
	if !usable {
		f.cat.Err = ambiguous
	}
}

// firstAggregateHome is the dataset that the first aggregate of a form is over.
func firstAggregateHome(form *catalog.Form) *catalog.Dataset {
	for _, o := range form.Operands {
		return o.(*catalog.Measure).Home
	}
	return nil
}

// resolveVia follows the relationships that `via` names.
func (c *compiler) resolveVia(f *field, home *catalog.Dataset) ([]catalog.Step, *modelspec.CompileError) {
	var path []catalog.Step
	refs := f.ext.LOD.Via
	for _, ref := range refs {
		rel := c.cat.Relationship(ref.Name)
		if rel == nil {
			return nil, c.viaError(f, ref, home, path, fmt.Sprintf("%q names no relationship", ref.Name))
		}
		step, why := catalog.NextStep(home, path, rel)
		if why != "" {
			return nil, c.viaError(f, ref, home, path, why)
		}
		if !step.Safe() {
			err := invalidAt(ref.Place, "lod", "via of %s: the relationship %s does not lead to one row of %s, so a row would count for several", f.cat.Qualified(), rel.Name, step.Target().Name)
			err.Hint = fmt.Sprintf("declare primary_key or unique_keys of %s, or cardinality of %s; %s", step.Target().Name, rel.Name, err.Hint)
			return nil, err
		}
		path = append(path, step)
	}
	if len(path) > 0 && path[len(path)-1].Target() != f.ds.cat {
		return nil, c.viaError(f, refs[len(refs)-1], home, path, "the path ends at "+path[len(path)-1].Target().Name+", not at "+f.ds.cat.Name)
	}
	return path, nil
}

// viaError is a flaw of `via`; its candidates are the relationships that lead on to
// the carrier from where the path has reached.
func (c *compiler) viaError(f *field, ref extension.Ref, home *catalog.Dataset, path []catalog.Step, why string) *modelspec.CompileError {
	at := home
	if len(path) > 0 {
		at = path[len(path)-1].Target()
	}
	return invalidReference(ref, "lod", "via of %s: %s", f.cat.Qualified(), why).errorWithCandidates(c, ref.Name, func() []string {
		var names []string
		for _, s := range c.cat.StepsFrom(at) {
			if s.Safe() && c.cat.Reaches(s.Target(), f.ds.cat) {
				names = append(names, s.Rel.Name)
			}
		}
		return names
	})
}

// ambiguousLODError is the error of a form over home that several paths lead from, nil
// when none is.
func (c *compiler) ambiguousLODError(f *field, home *catalog.Dataset) *modelspec.CompileError {
	lod := f.ext.LOD
	if paths := c.cat.LODCarrierPaths(f.cat, home, suggest.Limit); len(paths) > 1 {
		names := pathNames(paths[0])
		return ambiguousPathsError(lod.Place, home, f.ds.cat, paths,
			fmt.Sprintf(`choose one of them in the lod block: "via": ["%s"]`, strings.Join(names, `", "`)))
	}
	for _, id := range fieldIDs(f.cat.LOD.Where) {
		to := c.cat.Fields[id].Dataset
		if paths := c.cat.LODPaths(f.cat.LOD, home, to, suggest.Limit); len(paths) > 1 {
			return ambiguousPathsError(lod.Where.Place, home, to, paths,
				fmt.Sprintf("name fields of datasets that one path from %s leads to", home.Name))
		}
	}
	return nil
}

func ambiguousPathsError(at modelspec.Place, from, to *catalog.Dataset, paths [][]catalog.Step, hint string) *modelspec.CompileError {
	err := invalidAt(at, "lod", "several relationship paths lead from %s to %s", from.Name, to.Name)
	err.Code = CodeAmbiguousJoinPath
	for _, p := range paths {
		err.Candidates = append(err.Candidates, sqlexpr.FormatPath(pathNames(p)...))
	}
	err.Hint = hint + "; " + err.Hint
	return err
}

func pathNames(path []catalog.Step) []string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = s.Rel.Name
	}
	return names
}
