package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// resolveQualifiedOrBareField finds the field that a name inside an aggregate stands for:
// `dataset.field`, or a bare name that exactly one dataset has. The error has
// no place yet.
func (c *compiler) resolveQualifiedOrBareField(column *sqlexpr.Column) (*fieldInProgress, *modelspec.CompileError) {
	last := column.Path[len(column.Path)-1]
	if len(column.Path) == 1 {
		return c.findOnlyFieldOfBareName(last)
	}
	parts := make([]string, len(column.Path)-1)
	for i := range parts {
		parts[i] = column.Path[i].Text
	}
	qualifier := strings.Join(parts, ".")
	d := c.findDataset(qualifier)
	if d == nil || len(parts) == 1 && column.Path[0].Quoted && column.Path[0].Text != d.cat.Name {
		return nil, &modelspec.CompileError{Code: CodeUnknownDataset,
			Message:    fmt.Sprintf("%s names the dataset %q, which is not declared", quoteExpr(column), qualifier),
			Candidates: c.nearestCandidates(qualifier, c.datasetNames)}
	}
	f := d.findFieldByName(last.Text)
	if f == nil || last.Quoted && f.cat.Name != last.Text {
		return nil, &modelspec.CompileError{Code: CodeUnknownField,
			Message:    fmt.Sprintf("the dataset %s has no field %q", d.cat.Name, last.Text),
			Candidates: c.nearestCandidates(last.Text, d.fieldNames)}
	}
	if f.dropped {
		return nil, &modelspec.CompileError{Code: CodeUnknownField,
			Message:    fmt.Sprintf("the field %s.%s aggregates without a grain and is dropped", d.cat.Name, f.cat.Name),
			Candidates: c.nearestCandidates(last.Text, d.fieldNames)}
	}
	return f, nil
}

func (c *compiler) findOnlyFieldOfBareName(name sqlexpr.Name) (*fieldInProgress, *modelspec.CompileError) {
	found := c.fieldsOfBareName(name.Text)
	if name.Quoted {
		found = slices.DeleteFunc(slices.Clone(found), func(f *fieldInProgress) bool { return f.cat.Name != name.Text })
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		hint := "declare it as a field of a dataset, and qualify it as `dataset.field`"
		if c.findMetricByName(name.Text) != nil {
			hint = "it is a metric: the key at aggregates the values that a metric has for other groups"
		}
		return nil, &modelspec.CompileError{Code: CodeUnknownColumn,
			Message:    fmt.Sprintf("no dataset has a field %q", name.Text),
			Candidates: c.nearestCandidates(name.Text, c.qualifiedFieldNames),
			Hint:       hint}
	}
	spellings := func() []string {
		out := make([]string, len(found))
		for i, f := range found {
			out[i] = f.cat.QualifiedName()
		}
		return out
	}
	return nil, &modelspec.CompileError{Code: CodeAmbiguousColumn,
		Message:    fmt.Sprintf("several datasets have a field %q", name.Text),
		Candidates: c.nearestCandidates(name.Text, spellings)}
}

// findFieldAfter returns the field of a dataset that a path leads to, nil when there is none.
func (c *compiler) findFieldAfter(path []catalog.JoinStep, d *datasetInProgress, name sqlexpr.Name) *fieldInProgress {
	f := d.findFieldOfIdentifier(name)
	if c.cat.ScopeView() == nil {
		return f
	}
	found := c.cat.FindFieldAfter(path[len(path)-1].Rel, d.cat, name.Text)
	switch {
	case found == nil || name.Quoted && found.Name != name.Text:
		return nil
	case f == nil:
		return newFieldInProgressFromCatalog(d, found)
	}
	return f
}

// findFieldOfIdentifier returns the dataset's own field of a bare name, nil when there is none.
func (d *datasetInProgress) findFieldOfIdentifier(name sqlexpr.Name) *fieldInProgress {
	f := d.findFieldByName(name.Text)
	if f == nil || f.dropped || name.Quoted && f.cat.Name != name.Text {
		return nil
	}
	return f
}
