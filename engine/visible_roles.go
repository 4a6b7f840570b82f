package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/diff"
)

// addVisibleRoles names the roles that see each dataset, field and metric that a model gains: a grant of all fields, metrics or datasets
// takes in what is new. A model with errors of validation stays without, because no server takes it. The error is a *PoliciesError where
// the policies do not fit the model.
func addVisibleRoles(ctx context.Context, m comparedModel, file *access.File, modelName string, basic bool, entries []diff.Entry) error {
	if file == nil || m.engine == nil {
		return nil
	}
	policies := policiesOfModel(file, modelName)
	if !policies.HasRoles {
		return nil
	}
	applied, issues, err := file.Apply(ctx, policies, m.model.Document, m.model.Catalog, basic)
	if err != nil {
		return err
	}
	if modelspec.HasErrors(issues) {
		return &PoliciesError{Path: file.Name, Issues: issues}
	}
	isGained := func(e diff.Entry) bool {
		return e.Property == diff.PropertyAdded && slices.Contains([]diff.ObjectKind{diff.ObjectDataset, diff.ObjectField, diff.ObjectMetric}, e.Object)
	}
	for i := range entries {
		if isGained(entries[i]) {
			entries[i].VisibleTo = []string{}
		}
	}
	for _, role := range policies.Roles {
		name := role.Name.Value
		view, err := applied.View(ctx, []string{name}, func(*catalog.Catalog, *catalog.SavedQuery) error { return nil })
		if err != nil {
			return err
		}
		for i, e := range entries {
			if isGained(e) && hasObject(view.Catalog, e) {
				entries[i].VisibleTo = append(entries[i].VisibleTo, name)
			}
		}
	}
	return nil
}

// hasObject reports whether a catalog has the object of a difference.
func hasObject(cat *catalog.Catalog, e diff.Entry) bool {
	switch e.Object {
	case diff.ObjectDataset:
		return cat.Dataset(e.Name) != nil
	case diff.ObjectMetric:
		return cat.Metric(e.Name) != nil
	}
	dataset, field, _ := strings.Cut(e.Name, ".")
	d := cat.Dataset(dataset)
	return d != nil && cat.FindDatasetField(d, field) != nil
}

// policiesOfModel returns the policies of a model. A file that names other models alone shows it to no reader.
func policiesOfModel(file *access.File, name string) *access.Policies {
	if p := file.PoliciesOf(name); p != nil {
		return p
	}
	return &access.Policies{HasRoles: true}
}
