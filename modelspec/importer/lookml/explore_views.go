package lookml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addJoin remembers a join that is a relationship, and which view it leaves.
func (x *explore) addJoin(b *block, relationship, from string) {
	isRole := b.valueOfKey("from") != "" && b.valueOfKey("relationship") != "one_to_many" // of which the relationship leads back
	x.joins = append(x.joins, exploreJoin{block: b, name: b.name, relationship: relationship, from: from, isRole: isRole})
}

// leadsToOneRow reports whether each row of the first view has at most one of a view of the explore.
func (x *explore) leadsToOneRow(alias string) bool {
	for range len(x.joins) + 1 {
		if alias == x.base {
			return true
		}
		i := slices.IndexFunc(x.joins, func(j exploreJoin) bool { return j.name == alias })
		if i < 0 || strings.HasSuffix(x.joins[i].block.valueOfKey("relationship"), "_to_many") {
			return false
		}
		alias = x.joins[i].from
	}
	return false
}

// prefixOf returns the name that comes before the fields of a view of the explore: that of the dataset, or of the relationship of a role.
func (x *explore) prefixOf(alias string) (prefix string, isJoined bool) {
	if alias == x.base {
		return x.views[alias].name, true
	}
	for _, j := range x.joins {
		switch {
		case j.name != alias:
		case j.isRole:
			return j.relationship, true
		default:
			return x.views[alias].name, true
		}
	}
	return "", false
}

// addViewsOfExplores makes a view of the model of each explore. One that is named as a dataset, as most are, or as another view, has the
// name <explore>_explore.
func (p *projectImport) addViewsOfExplores() {
	names := importer.NewViewNames(p.model)
	for _, x := range p.readExplores {
		v := &draft.View{
			Name: names.ReserveFirstUnusedName(x.name, x.name+"_explore"), Label: x.block.valueOfKey("label"), Where: x.where, Filters: x.filters,
			Metrics: []string{}, Fields: []string{}, Joins: []string{},
		}
		v.Description, v.Context = readDescriptionAndContext(x.block, v.Label)
		path := importer.ViewPath(v.Name)
		for _, c := range x.kept {
			p.recordConstruct(c.block.node, c.block.key, x.name, c.loss, path)
		}
		if item := x.block.findLastItem("hidden"); item != nil && x.block.isYes("hidden") {
			p.recordPresentation(item.node, "hidden", x.name, "every view of a model is in its lists")
		}
		members := p.membersOfExplore(x, path)
		for _, alias := range x.aliases() {
			x.addMembersOfView(v, alias, members[alias])
		}
		for _, j := range x.joins {
			leadsFurther := slices.ContainsFunc(x.joins, func(other exploreJoin) bool { return other.from == j.name })
			if (!j.isRole || leadsFurther) && !slices.Contains(v.Joins, j.relationship) {
				v.Joins = append(v.Joins, j.relationship)
			}
		}
		p.model.Views = append(p.model.Views, v)
		p.report.AddResultingObjectPath(x.entry, path)
	}
}

// aliases lists the views of the explore that its joins lead to, by their names.
func (x *explore) aliases() []string {
	out := []string{x.base}
	for _, j := range x.joins {
		if !slices.Contains(out, j.name) {
			out = append(out, j.name)
		}
	}
	return out
}

// addMembersOfView adds the fields, metrics and folders of a view of the explore. members are those that the explore shows, nil for all. Measures that
// Looker hides are not among them.
func (x *explore) addMembersOfView(out *draft.View, alias string, members map[string]bool) {
	v := x.views[alias]
	prefix, _ := x.prefixOf(alias)
	if members == nil {
		out.Fields = append(out.Fields, importer.AllFieldsOf(prefix))
	}
	var inFolders []folderMember
	for _, d := range v.list {
		if !d.added || members != nil && !members[d.name] {
			continue
		}
		name := sqlexpr.FormatPath(prefix, d.name)
		if inFolders = append(inFolders, folderMember{name, d.block}); members != nil {
			out.Fields = append(out.Fields, name)
		}
	}
	for _, m := range v.measures {
		isShown := members == nil || members[m.name]
		if isShown && m.became != "" && !m.failed && !m.block.isYes("hidden") && !slices.Contains(out.Metrics, m.became) {
			out.Metrics, inFolders = append(out.Metrics, m.became), append(inFolders, folderMember{m.became, m.block})
		}
	}
	x.addFolders(out, alias, inFolders)
}

// membersOfExplore returns the members that the lists of fields choose, by the names of their views in the explore; a view that no list
// restricts is absent.
func (p *projectImport) membersOfExplore(x *explore, path string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	restrict := func(b *block, context, name string) {
		item := b.findLastItem("fields")
		if item == nil {
			return
		}
		s := fieldSelection{explore: x, chosen: map[string]bool{}, frames: map[string]map[string]bool{}}
		list := b.listValuesOfKey("fields")
		if len(list) > 0 && strings.HasPrefix(list[0], "-") {
			s.selectAll(true)
		}
		for _, text := range list {
			s.selectByName(text, context, 0)
		}
		for alias, v := range x.views {
			if b != x.block && alias != context {
				continue
			}
			chosen := map[string]bool{}
			for _, member := range v.memberNames() {
				if s.chosen[alias+"."+member] && (out[alias] == nil || out[alias][member]) {
					chosen[member] = true
				}
			}
			if len(chosen) < len(v.memberNames()) {
				out[alias] = chosen
			}
		}
		p.recordConstruct(item.node, "fields", name, s.loss(), path)
	}
	for _, j := range x.joins {
		restrict(j.block, j.name, x.name+"."+j.name)
	}
	restrict(x.block, x.base, x.name)
	return out
}

// memberNames lists the dimensions and measures of a view.
func (v *view) memberNames() []string {
	var out []string
	for _, d := range v.list {
		out = append(out, d.name)
	}
	for _, m := range v.measures {
		out = append(out, m.name)
	}
	return out
}

// maxSetNesting bounds sets that are made of sets.
const maxSetNesting = 20

// fieldSelection is what a list of fields chooses, as alias.member.
type fieldSelection struct {
	explore *explore
	chosen  map[string]bool
	frames  map[string]map[string]bool // the timeframes that the list names, by group of times
	unknown []string
}

func (s *fieldSelection) selectAll(isChosen bool) {
	for alias, v := range s.explore.views {
		for _, member := range v.memberNames() {
			s.chosen[alias+"."+member] = isChosen
		}
	}
}

// selectByName chooses what an item of a list names, or takes it out where a minus sign is before it: a field, a set, or all fields. A name without a view
// is of the view context.
func (s *fieldSelection) selectByName(text, context string, depth int) {
	name, excludes := strings.CutPrefix(text, "-")
	alias, member, qualified := strings.Cut(name, ".")
	if !qualified {
		alias, member = context, name
	}
	set, isSet := strings.CutSuffix(member, "*")
	v := s.explore.views[alias]
	switch {
	case name == "ALL_FIELDS*":
		s.selectAll(!excludes)
	case v == nil || depth > maxSetNesting:
		s.unknown = append(s.unknown, name)
	case isSet && set == "ALL_FIELDS":
		for _, member := range v.memberNames() {
			s.chosen[alias+"."+member] = !excludes
		}
	case isSet:
		i := slices.IndexFunc(v.block.items, func(item *block) bool { return item.key == "set" && item.name == set })
		if i < 0 {
			s.unknown = append(s.unknown, name)
			return
		}
		inner := fieldSelection{explore: s.explore, chosen: map[string]bool{}, frames: map[string]map[string]bool{}}
		for _, item := range v.block.items[i].listValuesOfKey("fields") {
			inner.selectByName(item, alias, depth+1)
		}
		s.unknown = append(s.unknown, inner.unknown...)
		s.selectChosen(inner, excludes)
	default:
		s.selectMember(v, alias, member, excludes)
	}
}

// selectChosen chooses what a set chooses, or takes it out.
func (s *fieldSelection) selectChosen(set fieldSelection, excludes bool) {
	for member, isChosen := range set.chosen {
		if isChosen && set.frames[member] == nil {
			s.chosen[member] = !excludes
		}
	}
	for group, named := range set.frames {
		for frame, isChosen := range named {
			if isChosen {
				s.selectFrame(group, frame, excludes)
			}
		}
	}
}

// selectFrame chooses a timeframe of a group, or takes it out, which leaves the group.
func (s *fieldSelection) selectFrame(group, frame string, excludes bool) {
	if s.frames[group] == nil {
		s.frames[group] = map[string]bool{}
	}
	if s.frames[group][frame] = !excludes; !excludes {
		s.chosen[group] = true
	}
}

// selectMember chooses one field, or takes it out.
func (s *fieldSelection) selectMember(v *view, alias, member string, excludes bool) {
	d, frame := v.findDimension(member)
	switch {
	case d != nil && frame != "":
		s.selectFrame(alias+"."+d.name, frame, excludes)
	case slices.Contains(v.memberNames(), member):
		s.chosen[alias+"."+member] = !excludes
	default:
		s.unknown = append(s.unknown, alias+"."+member)
	}
}

// loss returns what of the list is different: the fields that the model does not have, and the grains of times, which a view does not choose.
func (s *fieldSelection) loss() string {
	var reasons []string
	if len(s.unknown) > 0 {
		slices.Sort(s.unknown)
		reasons = append(reasons, fmt.Sprintf("it names %s, which the explore does not have", strings.Join(slices.Compact(s.unknown), ", ")))
	}
	var groups []string
	for group, named := range s.frames {
		if !s.chosen[group] {
			continue
		}
		alias, member, _ := strings.Cut(group, ".")
		declared := s.explore.views[alias].dimensions[member].block.listValuesOfKey("timeframes")
		if len(declared) == 0 || slices.ContainsFunc(declared, func(frame string) bool { _, repeats := repeatingTimeframes[frame]; return !repeats && !named[frame] }) {
			groups = append(groups, group)
		}
	}
	if len(groups) > 0 {
		slices.Sort(groups)
		reasons = append(reasons, "it leaves out timeframes of "+strings.Join(groups, ", ")+", and a query here may have every grain")
	}
	return importer.JoinReasons(reasons...)
}
