package lookml

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// folderMember is a member of the view of an explore that its labels put into a folder.
type folderMember struct {
	item  string // its name in the view
	block *block
}

// addFolders puts the members of a view of the explore into folders as Looker lists them: in one named by the label of the view, and in it
// in one named by the label of the group. A member without such a label is in none.
func (x *explore) addFolders(out *draft.View, alias string, members []folderMember) {
	ofJoin := ""
	if i := slices.IndexFunc(x.joins, func(j exploreJoin) bool { return j.name == alias }); i >= 0 {
		ofJoin = x.joins[i].block.valueOfKey("view_label")
	} else if alias == x.base {
		ofJoin = x.block.valueOfKey("view_label")
	}
	for _, m := range members {
		viewLabel, group := cmp.Or(m.block.valueOfKey("view_label"), ofJoin), m.block.valueOfKey("group_label")
		if m.block.isYes("hidden") || viewLabel == "" && group == "" {
			continue
		}
		folder := folderNamed(&out.Folders, cmp.Or(viewLabel, x.views[alias].block.valueOfKey("view_label"), x.views[alias].block.valueOfKey("label"), alias))
		if group != "" {
			folder = folderNamed(&folder.Folders, group)
		}
		folder.Items = append(folder.Items, m.item)
	}
}

// folderNamed returns the folder of a name in a list, which gets one where it has none.
func folderNamed(list *[]draft.ViewFolder, name string) *draft.ViewFolder {
	i := slices.IndexFunc(*list, func(f draft.ViewFolder) bool { return f.Name == name })
	if i < 0 {
		i = len(*list)
		*list = append(*list, draft.ViewFolder{Name: name, Items: []string{}})
	}
	return &(*list)[i]
}
