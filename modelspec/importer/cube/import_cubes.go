package cube

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports files with cubes, in YAML and JavaScript. Errors are *importer.Error.
func Read(sources []importer.SourceFile, options importer.Options) (*importer.ImportedModel, error) {
	p := &projectImport{
		report: &importer.Report{}, model: &draft.Model{Name: options.ModelName}, prefix: options.SourcePrefix, dialect: options.Dialect,
		byName: map[string]*cube{}, metricNameOf: map[cubeMeasure]string{}, metricNames: importer.UniqueNames{}, relationshipNames: importer.UniqueNames{},
		entries: map[*importer.Node]*importer.ReportEntry{}, joinNames: map[[2]string]string{},
	}
	for i, s := range sources {
		p.readFile(s, i)
	}
	for _, c := range p.cubes {
		p.extendCube(c)
	}
	for _, c := range p.cubes {
		if c.refused == "" && c.hasNoMembers() {
			c.refused = "it has no members: there is nothing to import"
		}
		p.addDataset(c)
	}
	for _, c := range p.cubes {
		p.addRelationshipsOfJoins(c)
	}
	p.relationshipsKnown = true
	for _, c := range p.cubes {
		p.addSubQueryFields(c)
	}
	p.addJoinedMembers()
	p.reserveMetricNames()
	for _, c := range p.cubes {
		p.addMeasures(c)
	}
	p.expandCalculatedMeasures()
	p.addViews()
	p.report.RecordValuesOverNoRow(p.model, "Cube", p.dialect)
	return &importer.ImportedModel{Model: p.model, Report: p.report, Dialect: importer.MoveNativeExpressions(p.model, p.dialect)}, nil
}

type projectImport struct {
	report            *importer.Report
	model             *draft.Model
	prefix            string
	dialect           string // of the SQL
	cubes             []*cube
	byName            map[string]*cube
	metricNameOf      map[cubeMeasure]string
	metricNames       importer.UniqueNames
	relationshipNames importer.UniqueNames
	views             []*importer.Node
	joinNames         map[[2]string]string // relationships by the cube that declares a join, and the one that it joins
	calculated        []*calculatedMeasure
	entries           map[*importer.Node]*importer.ReportEntry // of members, which extending cubes share
	// relationshipsKnown is set after the joins of all cubes are read.
	relationshipsKnown bool
}

// cube is one cube and the dataset that it becomes.
type cube struct {
	project *projectImport
	node    *importer.Node
	name    string
	dataset *draft.Dataset
	columns importer.ReferencedColumns
	byText  map[string]string // the first field of each expression
	lists   map[string][]*importer.Node
	members map[string]*importer.Node // dimensions by name
	metrics map[string]string         // metrics by the name of their measure
	state   cubeExtensionState
	refused string
	// lost are the members that the cube has and that are not read, by the key of their list and their name.
	lost map[string]bool
	// guessedTable is set where the input does not have the table of the cube.
	guessedTable string
	isServed     bool // the cube is of the document of a running Cube, which lacks some keys

	ownTablePattern *regexp.Regexp

	keyFields   []string // the dimensions of the primary key
	subQueries  []*subQueryDimension
	hierarchies []cubeHierarchy
	// joinedMembers are members over other cubes, until their fields are added.
	joinedMembers []joinedMember
}

type cubeExtensionState uint8

const (
	cubeExtensionNotStarted cubeExtensionState = iota
	cubeExtensionInProgress
	cubeExtensionDone
)

// inheritedListKeys are the lists that a cube takes from the cube that it extends.
var inheritedListKeys = []string{"dimensions", "measures", "segments", "joins"}

func (p *projectImport) readFile(s importer.SourceFile, order int) {
	whole := importer.NewInputTextNode(s.Name, 1, order, "")
	switch strings.ToLower(filepath.Ext(s.Name)) {
	case ".js", ".ts":
		p.readJavaScript(s, order)
		return
	case ".py":
		p.report.AddDropped(whole, "file", filepath.Base(s.Name), "a program is not read")
		return
	}
	documents, err := importer.Read(s, order)
	if err != nil {
		if text := string(s.Text); strings.Contains(text, "{%") || strings.Contains(text, "{{") {
			p.report.AddDropped(whole, "file", filepath.Base(s.Name), "Jinja is not read")
			return
		}
		p.report.AddUnreadableFile(s, order, err)
		return
	}
	for _, n := range documents {
		if n.Kind == importer.KindNull {
			continue
		}
		o := p.report.ReadObject(n, "document", "")
		if o == nil {
			continue
		}
		if isServedMeta(n) {
			p.readServedMeta(n)
			continue
		}
		for _, item := range o.GetList("cubes") {
			p.readCube(withSnakeCaseKeys(item))
		}
		for _, item := range o.GetList("views") {
			p.views = append(p.views, withSnakeCaseKeys(item))
		}
		o.Close()
	}
}

const accessPolicyKey = "access_policy"

// maskKey is the key of a member that some users see another value of.
const (
	maskKey        = "mask"
	maskDropReason = "Cube shows this in place of the value to users without access, and here all users see the value"
)

// droppedListConstructs are the lists that are not imported, with the name of what they hold and the reason.
var droppedListConstructs = map[string]struct{ construct, reason string }{
	"pre_aggregations": {"pre_aggregation", importer.RollupReason},
	accessPolicyKey:    {accessPolicyKey, "it has no counterpart"},
}

// readCube reads a cube, and returns nil for one without a name, or with that of another.
func (p *projectImport) readCube(n *importer.Node) *cube {
	o := p.report.ReadObject(n, "cube", n.Get("name").String())
	if o == nil {
		return nil
	}
	c := &cube{project: p, node: n, name: o.GetText("name"), lists: map[string][]*importer.Node{}, members: map[string]*importer.Node{}, metrics: map[string]string{}, byText: map[string]string{}}
	c.columns.Dialect = p.dialect
	c.ownTablePattern = tableReferencePattern(c.name)
	for _, key := range inheritedListKeys {
		c.lists[key] = o.GetList(key)
	}
	for key, dropped := range droppedListConstructs {
		for _, item := range o.GetList(key) {
			e := p.report.AddDropped(item, dropped.construct, c.name+"."+item.Get("name").String(), dropped.reason)
			e.IsAccessRule = key == accessPolicyKey
		}
	}
	for _, item := range o.GetList("hierarchies") { // the levels that a user drills down
		e := p.report.AddPresentation(item, "hierarchy", c.name+"."+item.Get("name").String(), "no view has all of its levels")
		c.hierarchies = append(c.hierarchies, cubeHierarchy{item, e})
	}
	o.RecordDroppedKey("refresh_key", "Cube keeps results until the key changes; "+importer.CacheReason)
	o.IgnoreKeys("sql_alias") // a name within the SQL of Cube
	o.IgnoreKeys(calendarKey, "extends", "sql_table", "sql", "title", "description", "meta")
	for _, key := range []string{"public", "shown"} {
		if !o.Get(key).IsTrue() { // the default
			o.RecordDroppedKey(key, "a dataset cannot be hidden")
		}
	}
	if o.GetText("data_source") != "default" {
		o.RecordDroppedKey("data_source", "a model has one connection: the tables of another one are in another model")
	}
	o.Close()
	if c.name == "" || p.byName[c.name] != nil {
		p.report.AddDropped(n, "cube", c.name, "it has no name, or that of another cube")
		return nil
	}
	p.byName[c.name] = c
	p.cubes = append(p.cubes, c)
	return c
}

// extendCube adds the members of the extended cube that the cube does not have itself.
func (p *projectImport) extendCube(c *cube) {
	if c.state != cubeExtensionNotStarted {
		return
	}
	c.state = cubeExtensionInProgress
	defer func() { c.state = cubeExtensionDone }()
	name := strings.Trim(c.node.Get("extends").String(), "{} ")
	if name == "" {
		return
	}
	parent := p.byName[name]
	if parent == nil || parent.state == cubeExtensionInProgress {
		c.refused = "it extends " + name + ", which is missing or extends it"
		return
	}
	p.extendCube(parent)
	if parent.refused != "" {
		c.refused = "it extends " + name + ": " + parent.refused
		return
	}
	for _, key := range inheritedListKeys {
		own := map[string]bool{}
		for _, item := range c.lists[key] {
			own[item.Get("name").String()] = true
		}
		list := slices.Clone(c.lists[key])
		for _, item := range parent.lists[key] {
			if name := item.Get("name").String(); !own[name] && !c.lost[key+"."+name] {
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

func (c *cube) hasNoMembers() bool {
	return !slices.ContainsFunc(inheritedListKeys, func(key string) bool { return len(c.lists[key]) > 0 })
}

// recordExactMember records a member. A member that several cubes share has one entry.
func (p *projectImport) recordExactMember(n *importer.Node, construct, name, path string) *importer.ReportEntry {
	if e := p.entries[n]; e != nil {
		p.report.AddResultingObjectPath(e, path)
		return e
	}
	p.entries[n] = p.report.AddExact(n, construct, name, path)
	return p.entries[n]
}

// recordMember records a member that is approximated where it has a loss.
func (p *projectImport) recordMember(n *importer.Node, construct, name, path, loss string) {
	if e := p.recordExactMember(n, construct, name, path); loss != "" && e.Outcome == importer.OutcomeExact {
		e.Outcome, e.Reason = importer.OutcomeApproximated, loss
	}
}

func (p *projectImport) recordDroppedMember(n *importer.Node, construct, name, reason string) {
	if e := p.entries[n]; e != nil {
		if e.Outcome == importer.OutcomeExact {
			e.Outcome, e.Reason = importer.OutcomeApproximated, name+" is missing: "+reason
		}
		return
	}
	p.entries[n] = p.report.AddDropped(n, construct, name, reason)
}

// readDescriptionAndContext reads title, description and meta of an object that is known by a name.
func readDescriptionAndContext(o *importer.ObjectReader, name string) (description string, context draft.AIContext) {
	return strings.TrimSpace(o.GetText("description")), importer.NewAIContext(o.GetText("title"), name, o.Get("meta"))
}
