package cube

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// cubeHierarchy is a hierarchy of a cube. It is presentation until a view has it.
type cubeHierarchy struct {
	node  *importer.Node
	entry *importer.ReportEntry
}

// viewImport is one view of Cube and the view of the model that it becomes.
type viewImport struct {
	project *projectImport
	out     *draft.View
	cubes   []*viewCube
	names   map[string]string // the members of the model by their names in Cube
	losses  []string
}

// viewCube is a cube of a view: the path of joins that leads to it, and the members that the view includes.
type viewCube struct {
	node     *importer.Node
	isOwn    bool // and not of a view that the view extends
	cube     *cube
	root     string   // the first cube of the path
	path     []string // relationships
	leadsOut bool     // the last of them leads to the cube, and not back
	prefix   string   // before the fields of the cube
}

// addViews makes views of the views.
func (p *projectImport) addViews() {
	names, seen := importer.NewViewNames(p.model), map[string]bool{}
	for _, n := range p.views {
		name := n.Get("name").String()
		if n.Kind != importer.KindMap || name == "" || seen[name] {
			p.report.AddDropped(n, "view", name, "it has no name, or that of another view")
			continue
		}
		seen[name] = true
		p.addView(n, names.ReserveFirstUnusedName(name, name+"_view"))
	}
}

func (p *projectImport) addView(n *importer.Node, name string) {
	o := p.report.ReadObject(n, "view", n.Get("name").String())
	v := &viewImport{project: p, names: map[string]string{}, out: &draft.View{Name: name, Metrics: []string{}, Fields: []string{}, Joins: []string{}, Labels: map[string]string{}}}
	v.out.Label = o.GetText("title")
	v.out.Description, v.out.Context = readDescriptionAndContext(o, v.out.Label)
	o.IgnoreKeys("name", "extends", "cubes", "folders")
	for _, key := range []string{"public", "shown"} {
		if !o.Get(key).IsTrue() { // the default
			o.RecordDroppedKey(key, "every view of a model is in its lists")
		}
	}
	for _, item := range o.GetList(accessPolicyKey) {
		e := p.report.AddDropped(item, accessPolicyKey, name+"."+item.Get("name").String(), "it has no counterpart")
		e.IsAccessRule = true
		v.losses = []string{"the view " + name + " is restricted in Cube by " + accessPolicyKey + ", and here it is not"}
	}
	o.Close()
	chain, err := p.extendedViews(n)
	if err != nil {
		p.report.AddDropped(n, "view", name, err.Error())
		return
	}
	for _, view := range chain {
		for _, item := range view.Get("cubes").List() {
			v.readCube(item, view == n)
		}
	}
	v.addJoins()
	for _, c := range v.cubes {
		v.addMembers(c)
	}
	for _, view := range chain {
		v.out.Folders = append(v.out.Folders, v.readFolders(view.Get("folders").List(), 1)...)
	}
	v.addHierarchies()
	p.model.Views = append(p.model.Views, v.out)
	p.recordMember(n, "view", n.Get("name").String(), importer.ViewPath(name), importer.JoinReasons(v.losses...))
}

// extendedViews lists the views that a view extends, the first of them first, and the view.
func (p *projectImport) extendedViews(n *importer.Node) ([]*importer.Node, error) {
	out := []*importer.Node{n}
	for name := strings.Trim(n.Get("extends").String(), "{} "); name != ""; name = strings.Trim(out[0].Get("extends").String(), "{} ") {
		i := slices.IndexFunc(p.views, func(other *importer.Node) bool { return other.Get("name").String() == name })
		if i < 0 || slices.Contains(out, p.views[i]) {
			return nil, fmt.Errorf("it extends %s, which is missing or extends it", name)
		}
		out = append([]*importer.Node{p.views[i]}, out...)
	}
	return out, nil
}

// readCube finds the cube at the end of a join path, and the relationships that lead to it.
func (v *viewImport) readCube(n *importer.Node, isOwn bool) {
	p := v.project
	joinPath := strings.Trim(n.Get("join_path").String(), "{} ")
	c := &viewCube{node: n, isOwn: isOwn, leadsOut: true}
	missing := ""
	for i, name := range strings.Split(joinPath, ".") {
		next := p.byName[name]
		if next == nil || next.dataset == nil {
			missing = "the cube " + name + " is not in the model"
			break
		}
		if i == 0 {
			c.root, c.cube = name, next
			continue
		}
		relationship := p.joinNames[[2]string{c.cube.name, name}]
		if relationship == "" {
			missing = "no join of " + c.cube.name + " that is in the model leads to " + name
			break
		}
		j := slices.IndexFunc(p.model.Relationships, func(r *draft.Relationship) bool { return r.Name == relationship })
		c.leadsOut = p.model.Relationships[j].From == c.cube.name && p.model.Relationships[j].To == name
		c.path, c.cube = append(c.path, relationship), next
	}
	if missing != "" {
		v.losses = append(v.losses, "the members of "+joinPath+" are missing: "+missing)
		return
	}
	v.cubes = append(v.cubes, c)
}

// addJoins lists the relationships of the view, and finds the names before the fields of its cubes: a cube to which two paths lead has the name of the last
// relationship of each, which is not among those that names without one follow unless it leads to a further cube.
func (v *viewImport) addJoins() {
	for _, c := range v.cubes {
		c.prefix = c.cube.name
		if c.leadsOut && len(c.path) > 0 && slices.ContainsFunc(v.cubes, func(other *viewCube) bool { return other.cube == c.cube && !slices.Equal(other.path, c.path) }) {
			c.prefix = c.path[len(c.path)-1]
		}
	}
	for _, c := range v.cubes {
		for i, relationship := range c.path {
			isLast := i == len(c.path)-1
			if (!isLast || c.prefix == c.cube.name) && !slices.Contains(v.out.Joins, relationship) {
				v.out.Joins = append(v.out.Joins, relationship)
			}
		}
	}
}

const allMembers = "*"

// addMembers adds the members that the view includes of a cube.
func (v *viewImport) addMembers(c *viewCube) {
	report := v.project.report
	if !c.isOwn {
		report = &importer.Report{} // the view that declares it has reported its keys
	}
	o := report.ReadObject(c.node, "view cube", v.out.Name+"."+c.cube.name)
	if o == nil {
		return
	}
	before := ""
	if o.Get("prefix").IsTrue() {
		if before = o.GetText("alias"); before == "" {
			before = c.cube.name
		}
		before += "_"
		o.RecordPresentationKeys("prefix")
	}
	o.IgnoreKeys("join_path", "alias", "prefix", "split")
	excluded := map[string]bool{}
	for _, item := range o.GetList("excludes") {
		excluded[item.String()] = true
	}
	hasMetric := false
	add := func(name, alias, title string) bool {
		if alias == "" {
			alias = name
		}
		member := c.cube.metrics[name]
		switch i := c.cube.indexOfField(name); {
		case member != "":
			if hasMetric = true; !slices.Contains(v.out.Metrics, member) {
				v.out.Metrics = append(v.out.Metrics, member)
			}
		case i < 0:
			return false
		default:
			member = sqlexpr.FormatPath(c.prefix, name)
			if !slices.Contains(v.out.Fields, importer.AllFieldsOf(c.prefix)) && !slices.Contains(v.out.Fields, member) {
				v.out.Fields = append(v.out.Fields, member)
			}
		}
		v.names[before+alias] = member
		if title == "" && alias != name {
			title = alias
		}
		if title != "" {
			v.out.Labels[member] = title
		}
		return true
	}
	includes := o.Get("includes")
	if includes.String() == allMembers {
		if len(excluded) == 0 {
			v.out.Fields = append(v.out.Fields, importer.AllFieldsOf(c.prefix))
		}
		for _, key := range []string{"dimensions", "segments", "measures"} {
			for _, n := range c.cube.lists[key] {
				if name := n.Get("name").String(); !excluded[name] {
					add(name, "", "")
				}
			}
		}
	} else {
		for _, item := range o.GetList("includes") {
			v.addListedMember(report, c, item, excluded, add)
		}
	}
	o.Close()
	if hasMetric && len(c.path) > 0 {
		v.losses = append(v.losses, "measures of "+c.cube.name+" aggregate all its rows, and in Cube those that the rows of "+c.root+" lead to")
	}
}

// addListedMember adds a member that a list names: its name, or an object with the name, an alias and a title. A hierarchy includes its levels.
func (v *viewImport) addListedMember(report *importer.Report, c *viewCube, n *importer.Node, excluded map[string]bool, add func(name, alias, title string) bool) {
	name, alias, title := n.String(), "", ""
	if n.Kind == importer.KindMap {
		o := report.ReadObject(n, "view member", v.out.Name+"."+n.Get("name").String())
		name, alias, title = o.GetText("name"), o.GetText("alias"), o.GetText("title")
		o.RecordPresentationKeys("format", "currency")
		for _, key := range []string{"description", "meta"} {
			o.RecordDroppedKey(key, "a view has labels of its members, whose descriptions are those of the model")
		}
		o.Close()
	}
	if excluded[name] || add(name, alias, title) {
		return
	}
	for _, h := range c.cube.hierarchies {
		if h.node.Get("name").String() == name {
			for _, level := range h.node.Get("levels").List() {
				add(strings.TrimPrefix(level.String(), c.cube.name+"."), "", "")
			}
			return
		}
	}
	v.losses = append(v.losses, name+" of "+c.cube.name+" is missing: it is not in the model")
}

// indexOfField returns the place of the field of a dimension or a segment, -1 where it has none.
func (c *cube) indexOfField(name string) int {
	isMember := func(n *importer.Node) bool { return n.Get("name").String() == name }
	if !slices.ContainsFunc(c.lists["dimensions"], isMember) && !slices.ContainsFunc(c.lists["segments"], isMember) {
		return -1
	}
	return slices.IndexFunc(c.dataset.Fields, func(f *draft.Field) bool { return f.Name == name })
}

// maxFolderDepth is the number of folders of a model's view that are inside of each other.
const maxFolderDepth = 3

// readFolders reads folders of members, which have their names in the view of Cube. Those that are too deep are part of the folder around them.
func (v *viewImport) readFolders(list []*importer.Node, depth int) []draft.ViewFolder {
	var out []draft.ViewFolder
	for _, n := range list {
		f := draft.ViewFolder{Name: n.Get("name").String(), Items: []string{}}
		var inner []*importer.Node
		if n.Get("includes").String() == allMembers {
			f.Items = v.membersInOrder()
		}
		for _, item := range n.Get("includes").List() {
			if item.Kind == importer.KindMap {
				inner = append(inner, item)
			} else if member := v.names[item.String()]; member != "" {
				f.Items = append(f.Items, member)
			}
		}
		if folders := v.readFolders(inner, depth+1); depth < maxFolderDepth {
			f.Folders = folders
		} else {
			for _, deeper := range folders {
				f.Items = append(f.Items, deeper.Items...)
			}
		}
		if f.Name != "" && len(f.Items)+len(f.Folders) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// membersInOrder lists the members that the view names in Cube.
func (v *viewImport) membersInOrder() []string {
	out := []string{}
	for _, member := range v.names {
		out = append(out, member)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// addHierarchies adds the hierarchies of the cubes whose levels are all fields of the view.
func (v *viewImport) addHierarchies() {
	for _, c := range v.cubes {
		for _, h := range c.cube.hierarchies {
			out := draft.ViewHierarchy{Name: h.node.Get("title").String()}
			if out.Name == "" {
				out.Name = h.node.Get("name").String()
			}
			isWhole := true
			for _, level := range h.node.Get("levels").List() {
				name := strings.TrimPrefix(level.String(), c.cube.name+".")
				field := sqlexpr.FormatPath(c.prefix, name)
				isWhole = isWhole && c.cube.indexOfField(name) >= 0 && (slices.Contains(v.out.Fields, field) || slices.Contains(v.out.Fields, importer.AllFieldsOf(c.prefix)))
				out.Levels = append(out.Levels, field)
			}
			if !isWhole || len(out.Levels) < 2 || len(out.Levels) > maxHierarchyLevels {
				continue
			}
			v.out.Hierarchies = append(v.out.Hierarchies, out)
			h.entry.Outcome, h.entry.Reason = importer.OutcomeExact, ""
			v.project.report.AddResultingObjectPath(h.entry, importer.ViewPath(v.out.Name))
		}
	}
}

// maxHierarchyLevels is the largest number of levels of a hierarchy of a model.
const maxHierarchyLevels = 10
