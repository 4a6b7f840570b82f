package describe

import (
	"cmp"
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
)

// View describes a named part of the model.
type View struct {
	Name        string `json:"name"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
	AIContext   any    `json:"ai_context,omitempty"`
	Metrics     int    `json:"metrics"`    // how many the view has
	Dimensions  int    `json:"dimensions"` // how many fields it has
	// Joins are the relationships that references without a prefix follow; nil for all.
	Joins []string `json:"joins,omitzero"`
	Where string   `json:"where,omitempty"`
	// Filters and TimeRange act by default.
	Filters     []string          `json:"filters,omitempty"`
	TimeRange   *ViewTimeRange    `json:"time_range,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"` // of members
	Folders     []ViewFolder      `json:"folders,omitempty"`
	Hierarchies []ViewHierarchy   `json:"hierarchies,omitempty"`
}

// ViewTimeRange is the time range that acts by default.
type ViewTimeRange = plan.ViewTimeRange

// ViewFolder is a folder of members of a view.
type ViewFolder struct {
	Name    string       `json:"name"`
	Items   []string     `json:"items"`
	Folders []ViewFolder `json:"folders,omitempty"`
}

// ViewHierarchy is an order of fields from coarse to fine.
type ViewHierarchy struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// Views lists the views without an error in the order of the model.
func (d *Describer) Views() []View {
	out := []View{}
	for _, v := range d.catalog.Views {
		if v.Err != nil {
			continue
		}
		info := View{
			Name: v.Name, Label: v.Label, Description: v.Description, AIContext: v.AIContext, Metrics: len(v.Metrics), Dimensions: len(v.Fields),
			Where: v.Where.Text, Folders: viewFolders(v.Folders),
		}
		var r ViewTimeRange
		if err := json.Unmarshal([]byte(v.TimeRange), &r); err == nil {
			info.TimeRange = &r
		}
		if !v.AllJoins {
			info.Joins = []string{}
			for _, r := range v.Joins {
				info.Joins = append(info.Joins, r.Name)
			}
		}
		for _, f := range v.Filters {
			info.Filters = append(info.Filters, f.Text)
		}
		for _, l := range v.Labels {
			if info.Labels == nil {
				info.Labels = map[string]string{}
			}
			info.Labels[l.Of] = l.Text
		}
		for _, h := range v.Hierarchies {
			info.Hierarchies = append(info.Hierarchies, ViewHierarchy{h.Name, h.Levels})
		}
		out = append(out, info)
	}
	return out
}

// labelAndFolder returns the label and the folder of a metric or a field: in a view those that it gives.
func (d *Describer) labelAndFolder(member, label string) (ofMember, folder string) {
	v := d.catalog.ScopeView()
	if v == nil {
		return label, ""
	}
	return cmp.Or(v.LabelOf(member), label), v.FolderOf(member)
}

func viewFolders(all []catalog.ViewFolder) []ViewFolder {
	var out []ViewFolder
	for _, f := range all {
		folder := ViewFolder{Name: f.Name, Items: f.Items, Folders: viewFolders(f.Folders)}
		if folder.Items == nil {
			folder.Items = []string{}
		}
		out = append(out, folder)
	}
	return out
}
