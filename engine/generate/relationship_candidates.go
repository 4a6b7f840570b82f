package generate

import (
	"slices"
	"strings"
)

// relationshipCandidate is a relationship that may be written.
type relationshipCandidate struct {
	name     string
	from, to *tableDataset
	own, key []*columnField // paired by position
	how      string
	found    KeyContainment
	written  bool
	comment  string
}

// addDeclaredRelationships takes the declared relationships. One to columns that are not a key would
// multiply rows: it is only a comment.
func (g *generator) addDeclaredRelationships() {
	for _, d := range g.datasets {
		for _, key := range d.table.ForeignKeys {
			own := d.findFieldsOfColumns(key.Columns)
			i := slices.IndexFunc(g.datasets, func(o *tableDataset) bool {
				return o.table.Schema == key.Schema && o.table.Name == key.Table
			})
			if own == nil || i < 0 {
				g.addNote(d.name + ": the foreign key to " + shortenTextForMessage(key.Table) + " is left out, because the model has no such dataset")
				continue
			}
			to := g.datasets[i]
			target := to.findFieldsOfColumns(key.References)
			if target == nil || len(target) != len(own) {
				g.addNote(d.name + ": the foreign key to " + to.name + " is left out, because its columns are not known")
				continue
			}
			e := &relationshipCandidate{from: d, to: to, own: own, key: target, how: declaredByConstraint, written: true, comment: "declared in the database"}
			e.found.Complete = true
			if !to.isKey(target) {
				e.written, e.comment = false, "declared in the database, but not to a key of "+to.name
			}
			if !slices.ContainsFunc(g.edges, e.joinsSameColumns) {
				g.edges = append(g.edges, e)
			}
		}
	}
}

func (e *relationshipCandidate) joinsSameColumns(o *relationshipCandidate) bool {
	return e.from == o.from && e.to == o.to && slices.Equal(e.own, o.own) && slices.Equal(e.key, o.key)
}

// inferRelationships looks for columns that are named after the key of a table and hold its values.
func (g *generator) inferRelationships() {
	if g.options.NoInfer {
		return
	}
	declared := map[*columnField]bool{}
	for _, e := range g.edges {
		for _, f := range e.own {
			declared[f] = true
		}
	}
	var inferred []*relationshipCandidate
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if declared[f] || !f.isComparable() {
				continue
			}
			to := g.findTargetDataset(f)
			if to == nil {
				continue
			}
			e := &relationshipCandidate{from: d, to: to, own: []*columnField{f}, key: []*columnField{to.singleColumnKeyField()}, how: relationshipInferred}
			if g.countUnmatchedForeignKeyValues(e); g.err != nil {
				return
			}
			inferred = append(inferred, e)
		}
	}
	g.edges = append(g.edges, removeMirroredCandidates(inferred)...)
}

// findTargetDataset returns the dataset whose key a column is named after, nil if there is none or
// several are equally likely.
func (g *generator) findTargetDataset(f *columnField) *tableDataset {
	var all, exact []*tableDataset
	for _, to := range g.datasets {
		key := to.singleColumnKeyField()
		if key == nil || key == f || key.datatype != f.datatype {
			continue
		}
		switch {
		case to == f.dataset:
			// Its order_id beside its id is another key; parent_order_id is a reference.
			if isRoleNameOf(f.words, to, key) {
				all = append(all, to)
			}
		case isNamedAfterKey(f.words, to, key):
			all, exact = append(all, to), append(exact, to)
		case (f.name == key.name || f.words == key.words) && key.words != "id", isRoleNameOf(f.words, to, key):
			all = append(all, to)
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0]
	case len(all) == 1:
		return all[0]
	case len(all) > 1:
		names := make([]string, len(all))
		for i, d := range all {
			names[i] = d.name
		}
		g.addNote(f.qualifiedName() + " may point to several datasets, so no relationship is written: " + strings.Join(names, ", "))
	}
	return nil
}

// isNamedAfterKey reports whether a name is that of a dataset alone, with id, or with its key.
func isNamedAfterKey(name string, to *tableDataset, key *columnField) bool {
	return slices.ContainsFunc(to.bases, func(b string) bool {
		return name == b || name == b+"_id" || name == b+"_"+key.words
	})
}

// isRoleNameOf reports whether a name is one of isNamedAfterKey after the name of a role.
func isRoleNameOf(name string, to *tableDataset, key *columnField) bool {
	return slices.ContainsFunc(to.bases, func(b string) bool {
		return strings.HasSuffix(name, "_"+b+"_id") || strings.HasSuffix(name, "_"+b+"_"+key.words)
	})
}

// countUnmatchedForeignKeyValues counts the values of an edge that the key does not have.
func (g *generator) countUnmatchedForeignKeyValues(e *relationshipCandidate) {
	if e.from.table.Empty {
		e.found.Complete = true
		e.comment = inferenceReasonText(e.found)
		return
	}
	found, err := g.proofs.CountUnmatchedValues(g.ctx, e.from.table, e.own[0].column.Name, e.to.table, e.key[0].column.Name)
	if err != nil {
		e.comment = "not proven, because the statement failed"
		g.noteFailureOrStopRun(e.own[0].qualifiedName()+": the relationship to "+e.to.name, err)
		return
	}
	e.found, e.written = found, found.hasFewUnmatchedValues()
	e.comment = inferenceReasonText(found)
}

func inferenceReasonText(c KeyContainment) string {
	values := formatInteger(c.Values) + " values"
	if !c.Complete {
		values = "the first " + formatInteger(c.Values-1) + " values"
	}
	switch {
	case c.Values == 0:
		return "not inferred: the column has no value"
	case !c.hasFewUnmatchedValues():
		return "not inferred: " + formatInteger(c.Unmatched) + " of " + values + " not found"
	case c.Unmatched > 0:
		return "inferred: " + formatInteger(c.Unmatched) + " of " + values + " not found"
	}
	return "inferred: all " + values + " found"
}

// removeMirroredCandidates leaves one of two edges between the keys of two datasets: the one from the
// contained to the containing dataset, or from the later to the earlier name.
func removeMirroredCandidates(list []*relationshipCandidate) []*relationshipCandidate {
	return slices.DeleteFunc(slices.Clone(list), func(e *relationshipCandidate) bool {
		i := slices.IndexFunc(list, func(o *relationshipCandidate) bool { return o.own[0] == e.key[0] && o.key[0] == e.own[0] })
		return i >= 0 && list[i].isBetterThan(e)
	})
}

// isBetterThan compares two edges between the same keys.
func (e *relationshipCandidate) isBetterThan(o *relationshipCandidate) bool {
	if e.written != o.written {
		return e.written
	}
	// The share of unmatched values, multiplied out.
	own, others := e.found.Unmatched*o.found.Values, o.found.Unmatched*e.found.Values
	if own != others {
		return own < others
	}
	return e.from.name > o.from.name
}

// nameRelationships names the edges after their datasets, and after their columns where several
// edges join the same datasets.
func (g *generator) nameRelationships() {
	names := make([]string, len(g.edges))
	for i, e := range g.edges {
		others := 0
		for _, o := range g.edges {
			joinsSame := o.from == e.from && o.to == e.to || o.from == e.to && o.to == e.from
			if o != e && joinsSame && (o.written || !e.written) {
				others++
			}
		}
		if names[i] = e.from.name + "_" + e.to.name; others > 0 {
			names[i] = e.from.name + "_" + dropKeyEnding(e.own[0].name)
		}
	}
	taken := make([]string, 0, len(g.datasets)+len(names))
	for _, d := range g.datasets {
		taken = append(taken, d.name)
	}
	for i, name := range uniqueNames(append(taken, names...))[len(taken):] {
		g.edges[i].name = name
	}
}

// dropKeyEnding drops the ending of a key from the name of a column.
func dropKeyEnding(name string) string {
	for _, ending := range []string{"_id", "_key", "_code", "_no", "_number", "_uuid", "_sku"} {
		if stem, ok := strings.CutSuffix(name, ending); ok && stem != "" {
			return stem
		}
	}
	return name
}
