package catalog

import (
	"slices"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// View is a named part of the model. It grants and hides nothing: it is what the texts of a request in it may name.
type View struct {
	modelspec.Place // of its object in the payload

	ID          int // index in Catalog.Views
	Name        string
	Label       string
	Description string
	AIContext   any // a text or an object; nil when absent
	Metrics     []*Metric
	Fields      []ViewField
	AllFields   bool // the model lists no fields: Fields are those of every dataset, and every path leads to them
	Except      []ViewField
	Joins       []*Relationship // that references without a prefix follow
	AllJoins    bool
	Where       ViewCondition // the zero value for none
	Filters     []ViewCondition
	TimeRange   string // JSON of a time_range; "" for none
	Labels      []ViewLabel
	Folders     []ViewFolder
	Hierarchies []ViewHierarchy
	Err         *modelspec.CompileError

	inModel *viewInModel
}

// viewInModel holds the scope of a view, which is made when a request first needs it.
type viewInModel struct {
	once  sync.Once
	scope *viewScope
}

// ViewField is a field of a view: by its dataset, or by a relationship that leads to it.
type ViewField struct {
	Field *Field
	Rel   *Relationship // nil: dataset.field
}

// Text returns the field as a query names it.
func (f ViewField) Text() string {
	if f.Rel != nil {
		return sqlexpr.FormatPath(f.Rel.Name, f.Field.Name)
	}
	return f.Field.QualifiedName()
}

// ViewCondition is a condition over fields, with the names of the whole model.
type ViewCondition struct {
	Text      string // as the model writes it
	Named     string // with every field behind its dataset or relationship
	Fields    []*Field
	Conjuncts []ViewConjunct
}

// ViewConjunct is one of the conditions that a condition joins with AND.
type ViewConjunct struct {
	Text   string
	Starts []*Dataset // from which the field or the relationship of each name is reached
}

// ViewLabel is the label that a view gives a member.
type ViewLabel struct{ Of, Text string }

// ViewFolder is a folder of members of a view.
type ViewFolder struct {
	Name    string
	Items   []string
	Folders []ViewFolder
}

// ViewHierarchy is an order of fields from coarse to fine.
type ViewHierarchy struct {
	Name   string
	Levels []string
}

// View finds a view by name, ignoring case; nil when there is none.
func (c *Catalog) View(name string) *View {
	i := slices.IndexFunc(c.Views, func(v *View) bool { return strings.EqualFold(v.Name, name) })
	if i < 0 {
		return nil
	}
	return c.Views[i]
}

// AddView adds a view to a catalog that is being compiled.
func (c *Catalog) AddView(v *View) {
	v.ID, v.inModel = len(c.Views), &viewInModel{}
	c.Views = append(c.Views, v)
}

// Has reports whether a saved query is one of the view.
func (v *View) Has(q *SavedQuery) bool { return strings.EqualFold(q.ViewName(), v.Name) }

// HasMetric reports whether a view has a metric.
func (v *View) HasMetric(m *Metric) bool { return slices.Contains(v.Metrics, m) }

// HasField reports whether a view shows a field by its dataset, or by a relationship alone.
func (v *View) HasField(f *Field) bool {
	return slices.ContainsFunc(v.Fields, func(o ViewField) bool { return o.Field == f })
}

// ShowsFieldOfDataset reports whether dataset.field is a name of the view.
func (v *View) ShowsFieldOfDataset(f *Field) bool {
	return slices.Contains(v.Fields, ViewField{Field: f})
}

// FollowsRelationship reports whether references without a prefix may follow a relationship.
func (v *View) FollowsRelationship(r *Relationship) bool {
	return v.AllJoins || slices.Contains(v.Joins, r)
}

// LabelOf returns the label that the view gives a member; "" for none.
func (v *View) LabelOf(member string) string {
	for _, l := range v.Labels {
		if l.Of == member {
			return l.Text
		}
	}
	return ""
}

// FolderOf returns the path of the folder that holds a member, with a slash between folders; "" for none.
func (v *View) FolderOf(member string) string { return folderPathOf(v.Folders, member) }

func folderPathOf(all []ViewFolder, member string) string {
	for _, f := range all {
		if slices.Contains(f.Items, member) {
			return f.Name
		}
		if path := folderPathOf(f.Folders, member); path != "" {
			return f.Name + "/" + path
		}
	}
	return ""
}
