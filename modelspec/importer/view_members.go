package importer

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// NewViewNames returns the names that the views of a model cannot have: those of the model and of its datasets.
func NewViewNames(m *draft.Model) UniqueNames {
	n := UniqueNames{}
	n.ReserveFirstUnusedName(m.Name, m.Name)
	for _, d := range m.Datasets {
		n.ReserveFirstUnusedName(d.Name, d.Name)
	}
	return n
}

// AllFieldsOf returns the name of all fields of a dataset, or of one that a relationship leads to, in a list of a view.
func AllFieldsOf(name string) string { return name + ".*" }

// pruneViews takes the members that the model does not have out of its views, and the views without a member, and those beyond the largest
// number.
func (s *failingObjectRemover) pruneViews() {
	members, joins := membersOfModel(s.Model)
	for i, v := range s.Model.Views {
		missing := ""
		prune := func(list *[]string, known map[string]bool) {
			*list = slices.DeleteFunc(*list, func(name string) bool {
				if !known[name] {
					missing = name
				}
				return !known[name]
			})
		}
		prune(&v.Metrics, members)
		prune(&v.Fields, members)
		prune(&v.Joins, joins)
		v.Folders = pruneFolders(v.Folders, members)
		v.Hierarchies = slices.DeleteFunc(v.Hierarchies, func(h draft.ViewHierarchy) bool {
			return slices.ContainsFunc(h.Levels, func(level string) bool { return !members[level] })
		})
		for name := range v.Labels {
			if !members[name] {
				delete(v.Labels, name)
			}
		}
		if missing != "" {
			s.Report.recordApproximatedObject(ViewPath(v.Name), missing+" is missing: it is dropped")
		}
		switch {
		case len(v.Metrics)+len(v.Fields) == 0:
			s.removeView(i, "none of its members is in the model")
		case i >= extension.MaxViews:
			s.removeView(i, fmt.Sprintf("a model has at most %d views", extension.MaxViews))
		}
	}
	s.Model.Views = removeNilItems(s.Model.Views)
}

func pruneFolders(list []draft.ViewFolder, known map[string]bool) []draft.ViewFolder {
	var out []draft.ViewFolder
	for _, f := range list {
		f.Items = slices.DeleteFunc(f.Items, func(name string) bool { return !known[name] })
		if f.Folders = pruneFolders(f.Folders, known); len(f.Items)+len(f.Folders) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// membersOfModel returns the names that a view can list: of metrics and fields, and of relationships.
func membersOfModel(m *draft.Model) (members, joins map[string]bool) {
	members, joins = map[string]bool{}, map[string]bool{}
	datasets := map[string]*draft.Dataset{}
	add := func(prefix string, d *draft.Dataset) {
		members[AllFieldsOf(prefix)] = true
		for _, f := range d.Fields {
			members[sqlexpr.FormatPath(prefix, f.Name)] = true
		}
	}
	for _, d := range m.Datasets {
		datasets[d.Name] = d
	}
	for _, r := range m.Relationships {
		if joins[r.Name] = true; datasets[r.To] != nil {
			add(r.Name, datasets[r.To])
		}
	}
	for _, d := range m.Datasets {
		add(d.Name, d)
	}
	for _, metric := range m.Metrics {
		members[metric.Name] = true
	}
	return members, joins
}

func (s *failingObjectRemover) removeView(i int, reason string) {
	if v := s.Model.Views[i]; v != nil {
		s.Model.Views[i] = nil
		s.recordRemoval(ViewPath(v.Name), reason)
	}
}
