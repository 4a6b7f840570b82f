package access

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// MaxFileBytes is the length of the longest policies file.
const MaxFileBytes = 1 << 20

// Text is a value of the file and its place, which counts from 1.
type Text struct {
	Value        string
	Line, Column int
}

// Position returns the place.
func (t Text) Position() modelspec.Position {
	return modelspec.Position{Line: t.Line, Column: t.Column}
}

// File is a policies file.
type File struct {
	Name       string // as given to Parse
	Attributes []Attribute
	Issuers    []Issuer
	// Resource is the public base URL of the service, without a slash at its end; the zero Text without one.
	Resource Text
	// Policies are those of the one model, where the file does not name models.
	Policies Policies
	// Models are the policies of several models, in the order of the file; nil where the file does not name models.
	Models []ModelPolicies
	// RequiredLimits are the limits that apply to every identity; nil without them.
	RequiredLimits *Limits
	// Hash is the first 12 hexadecimal digits of the SHA-256 of the file.
	Hash string
}

// ModelPolicies are the policies of one model of several.
type ModelPolicies struct {
	Model Text
	Policies
}

// Policies are the roles of one model and what is required of all of them.
type Policies struct {
	// HasRoles reports whether the key roles is present; without it nothing is denied.
	HasRoles bool
	Roles    []Role // in the order of the file
	Required *Required
}

// Role is what a reader with this role sees.
type Role struct {
	Name           Text
	All            bool // all datasets with all rows and fields, all metrics, connections and SQL
	Datasets       []Grant
	MetricsAll     bool
	Metrics        []Text
	Reveal         []Text // metrics, and lod fields as dataset.field
	SQL            bool
	ConnectionsAll bool
	Connections    []Text // "" is the embedded database
	Limits         *Limits
}

// GrantOf returns the grant on a dataset: its own, else the one on every dataset; nil without either.
func (r *Role) GrantOf(dataset string) *Grant {
	var every *Grant
	for i := range r.Datasets {
		switch g := &r.Datasets[i]; {
		case strings.EqualFold(g.Dataset.Value, dataset):
			return g
		case g.Dataset.Value == EveryDataset:
			every = g
		}
	}
	return every
}

// EveryDataset is the name of the grant on each dataset without its own grant.
const EveryDataset = "*"

// Grant is what a role sees of one dataset, or what is required of it.
type Grant struct {
	Dataset   Text // EveryDataset too
	RowsAll   bool
	Rows      Text // a row rule; the zero Text without one
	FieldsAll bool
	Fields    []Text
	Hide      []Text
	Mask      []Mask

	attributes []string // that Rows and Mask name
}

// TextBehind returns the mask of a field, else the row rule, else the dataset: what decides how a reader sees the field. It is the zero
// Text for a nil Grant.
func (g *Grant) TextBehind(field string) Text {
	if g == nil {
		return Text{}
	}
	for _, m := range g.Mask {
		if strings.EqualFold(m.Field.Value, field) {
			return m.Expr
		}
	}
	if g.Rows.Value != "" {
		return g.Rows
	}
	return g.Dataset
}

// Mask is the expression that replaces the value of a field.
type Mask struct{ Field, Expr Text }

// Required applies to every identity. Its grants neither show fields nor admit rows: they only remove.
type Required struct{ Datasets []Grant }

// RoleNamed returns a role, nil when there is none of that name.
func (p *Policies) RoleNamed(name string) *Role {
	for i := range p.Roles {
		if p.Roles[i].Name.Value == name {
			return &p.Roles[i]
		}
	}
	return nil
}

// HasRoles reports whether the file has roles for any model.
func (f *File) HasRoles() bool {
	has := f.Policies.HasRoles
	for _, m := range f.Models {
		has = has || m.HasRoles
	}
	return has
}

// PoliciesOf returns the policies of the model that is served under a name; "" is the name of an only model without one. It
// returns nil for a model that a file with several models does not name: such a model does not exist for any identity.
func (f *File) PoliciesOf(model string) *Policies {
	if f.Models == nil {
		return &f.Policies
	}
	for i := range f.Models {
		if f.Models[i].Model.Value == model {
			return &f.Models[i].Policies
		}
	}
	return nil
}

// ForModel returns the file as a service of one model applies it: with the policies of that model, and with roles that grant nothing where
// a file of several models does not name it.
func (f *File) ForModel(name string) *File {
	if f.Models == nil {
		return f
	}
	one := *f
	one.Models, one.Policies = nil, Policies{HasRoles: true}
	if p := f.PoliciesOf(name); p != nil {
		one.Policies = *p
	}
	return &one
}

// CheckSeveralModels returns the findings of a file that a service of several models cannot use: its roles and its required
// datasets must be grouped by model.
func (f *File) CheckSeveralModels() []modelspec.Issue {
	if f.Models != nil || !f.Policies.HasRoles {
		return nil
	}
	at := modelspec.Position{Line: 1, Column: 1}
	if len(f.Policies.Roles) > 0 {
		at = f.Policies.Roles[0].Name.Position()
	}
	return []modelspec.Issue{{
		Severity: modelspec.SeverityError, Code: CodeInvalidPolicy, Location: "roles", Position: at,
		Message: "the service has several models, and the roles are not grouped by model",
		Hint:    "move roles and required.datasets to models: {NAME: {roles, required}}",
	}}
}
