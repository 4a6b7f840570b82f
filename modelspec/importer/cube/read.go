package cube

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports YAML files with cubes. Errors are *importer.Error.
func Read(sources []importer.Source, options importer.Options) (*importer.Imported, error) {
	p := &project{
		report: &importer.Report{}, model: &draft.Model{Name: options.ModelName}, prefix: options.SourcePrefix,
		byName: map[string]*cube{}, measureCount: map[string]int{}, metricNames: importer.Names{}, relationshipNames: importer.Names{},
		entries: map[*importer.Node]*importer.Entry{},
	}
	for i, s := range sources {
		if err := p.file(s, i); err != nil {
			return nil, err
		}
	}
	for _, c := range p.cubes {
		p.extend(c)
	}
	for _, c := range p.cubes {
		p.addDataset(c)
	}
	for _, c := range p.cubes {
		p.addSubQueries(c)
	}
	for _, c := range p.cubes {
		p.addJoins(c)
		p.addMeasures(c)
	}
	p.addNumbers()
	return &importer.Imported{Model: p.model, Report: p.report}, nil
}

type project struct {
	report            *importer.Report
	model             *draft.Model
	prefix            string
	cubes             []*cube
	byName            map[string]*cube
	measureCount      map[string]int // cubes that have a measure of a name
	metricNames       importer.Names
	relationshipNames importer.Names
	numbers           []*number
	entries           map[*importer.Node]*importer.Entry // of members, which extending cubes share
}

// cube is one cube and the dataset that it becomes.
type cube struct {
	node    *importer.Node
	name    string
	dataset *draft.Dataset
	columns importer.Columns
	byText  map[string]string // the first field of each expression
	lists   map[string][]*importer.Node
	members map[string]*importer.Node // dimensions by name
	metrics map[string]string         // metrics by the name of their measure
	state   state
	refused string

	keyFields  []string // the dimensions of the primary key
	subQueries []*subQuery
}

type state uint8

const (
	unseen state = iota
	open
	extended
)

// inherited are the lists that a cube takes from the cube that it extends.
var inherited = []string{"dimensions", "measures", "segments", "joins"}

func (p *project) file(s importer.Source, order int) error {
	whole := importer.NewNode(s.Name, 1, order, "")
	switch strings.ToLower(filepath.Ext(s.Name)) {
	case ".js", ".ts", ".py":
		p.report.Dropped(whole, "file", filepath.Base(s.Name), "a program is not read")
		return nil
	}
	documents, err := importer.Read(s, order)
	if err != nil {
		if text := string(s.Text); strings.Contains(text, "{%") || strings.Contains(text, "{{") {
			p.report.Dropped(whole, "file", filepath.Base(s.Name), "Jinja is not read")
			return nil
		}
		return err
	}
	for _, n := range documents {
		if n.Kind == importer.Null {
			continue
		}
		o := p.report.Object(n, "document", "")
		if o == nil {
			continue
		}
		for _, item := range o.List("cubes") {
			p.addCube(item)
		}
		for _, item := range o.List("views") {
			p.report.Dropped(item, "view", item.Get("name").String(), "a view selects members for users; a model has one set of metrics")
		}
		o.Close()
	}
	return nil
}

func (p *project) addCube(n *importer.Node) {
	o := p.report.Object(n, "cube", n.Get("name").String())
	if o == nil {
		return
	}
	c := &cube{node: n, name: o.Text("name"), lists: map[string][]*importer.Node{}, members: map[string]*importer.Node{}, metrics: map[string]string{}, byText: map[string]string{}}
	for _, key := range inherited {
		c.lists[key] = o.List(key)
	}
	for _, key := range []string{"pre_aggregations", "access_policy", "hierarchies"} {
		for _, item := range o.List(key) {
			p.report.Dropped(item, strings.TrimSuffix(key, "s"), c.name+"."+item.Get("name").String(), "it has no counterpart")
		}
	}
	o.Ignore("extends", "sql_table", "sql", "title", "description", "meta")
	if o.Get("public").True() {
		o.Ignore("public")
	}
	o.Drop("public", "a dataset cannot be hidden")
	o.Close()
	if c.name == "" || p.byName[c.name] != nil {
		p.report.Dropped(n, "cube", c.name, "it has no name, or that of another cube")
		return
	}
	p.byName[c.name] = c
	p.cubes = append(p.cubes, c)
}

// extend adds the members of the extended cube that the cube does not have itself.
func (p *project) extend(c *cube) {
	if c.state != unseen {
		return
	}
	c.state = open
	defer func() { c.state = extended }()
	name := strings.Trim(c.node.Get("extends").String(), "{} ")
	if name == "" {
		return
	}
	parent := p.byName[name]
	if parent == nil || parent.state == open {
		c.refused = "it extends " + name + ", which is missing or extends it"
		return
	}
	p.extend(parent)
	if parent.refused != "" {
		c.refused = "it extends " + name + ": " + parent.refused
		return
	}
	for _, key := range inherited {
		own := map[string]bool{}
		for _, item := range c.lists[key] {
			own[item.Get("name").String()] = true
		}
		list := slices.Clone(c.lists[key])
		for _, item := range parent.lists[key] {
			if !own[item.Get("name").String()] {
				list = append(list, item)
			}
		}
		c.lists[key] = list
	}
	if c.node.Get("sql_table") == nil && c.node.Get("sql") == nil {
		merged := *c.node
		merged.Members = slices.Clone(c.node.Members)
		for _, m := range parent.node.Members {
			if m.Key == "sql_table" || m.Key == "sql" {
				merged.Members = append(merged.Members, m)
			}
		}
		c.node = &merged
	}
}

// exact records a member. A member that several cubes share has one entry.
func (p *project) exact(n *importer.Node, construct, name, path string) *importer.Entry {
	if e := p.entries[n]; e != nil {
		p.report.Became(e, path)
		return e
	}
	p.entries[n] = p.report.Exact(n, construct, name, path)
	return p.entries[n]
}

func (p *project) approximated(n *importer.Node, construct, name, path, reason string) {
	if e := p.exact(n, construct, name, path); e.Outcome == importer.Exact {
		e.Outcome, e.Reason = importer.Approximated, reason
	}
}

func (p *project) dropped(n *importer.Node, construct, name, reason string) {
	if e := p.entries[n]; e != nil {
		if e.Outcome == importer.Exact {
			e.Outcome, e.Reason = importer.Approximated, name+" is missing: "+reason
		}
		return
	}
	p.entries[n] = p.report.Dropped(n, construct, name, reason)
}

// about reads title, description and meta of an object.
func about(o *importer.Object) (title, description string, context draft.Context) {
	title, description = o.Text("title"), strings.TrimSpace(o.Text("description"))
	if meta := o.Get("meta"); meta != nil {
		for _, m := range meta.Members {
			context.Other = append(context.Other, importer.ContextEntry(m))
		}
	}
	return title, description, context
}
