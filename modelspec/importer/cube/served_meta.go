package cube

import (
	"errors"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// isServedMeta reports whether a document is what a running Cube prints of its cubes at /v1/meta, and not a file of cubes.
func isServedMeta(n *importer.Node) bool {
	list := n.Get("cubes")
	return list != nil && slices.ContainsFunc(list.Items, func(item *importer.Node) bool {
		return item.Get("connectedComponent") != nil || item.Get("isVisible") != nil
	})
}

// servedCube is a cube as a running Cube prints it.
type servedCube struct {
	project *projectImport
	node    *importer.Node
	name    string
	parent  string // of the cube that it extends
	refused string
	byName  map[string]*importer.Node // the cubes of the document
}

// readServedMeta reads the cubes of such a document: its texts of SQL are JavaScript, and what a cube is without them is not in it.
func (p *projectImport) readServedMeta(n *importer.Node) {
	byName := map[string]*importer.Node{}
	for _, item := range n.Get("cubes").Items {
		byName[item.Get("name").String()] = item
	}
	for _, item := range n.Get("cubes").Items {
		if item.Get("type").String() == "view" {
			p.report.AddDropped(item, "view", item.Get("name").String(), "the document lacks the join paths of views")
			continue
		}
		if item.Kind != importer.KindMap {
			p.report.AddDropped(item, "cube", "", "a map is expected")
			continue
		}
		p.readServedCube(&servedCube{
			project: p, node: item, name: item.Get("name").String(), parent: strings.TrimSpace(item.Get("extends").String()),
			byName: byName,
		})
	}
}

// keptServedKeys are the keys of a served cube and its members that mean what they mean in a file.
var (
	keptServedCubeKeys   = []string{"name", "description", "meta", "public"}
	keptServedMemberKeys = []string{"description", "meta", "public", "relationship", "granularities"}
)

func (p *projectImport) readServedCube(s *servedCube) {
	n := *s.node
	n.Members = keepMembers(s.node, keptServedCubeKeys)
	text, table := s.tableSource()
	if text != nil {
		if sql, err := servedSQL(text); err == nil {
			n.Members = append(n.Members, importer.MapEntry{Key: "sql", Line: text.Line, Value: sql})
		} else {
			s.refused = err.Error()
		}
	}
	for _, key := range inheritedListKeys {
		list := s.node.Get(key)
		if list == nil {
			continue
		}
		read := *list
		read.Items = nil
		for _, item := range list.Items {
			member, err := s.readMember(strings.TrimSuffix(key, "s"), item)
			if err != nil {
				p.report.AddDropped(item, strings.TrimSuffix(key, "s"), s.name+"."+s.memberName(item), err.Error())
				continue
			}
			read.Items = append(read.Items, member)
		}
		n.Members = append(n.Members, importer.MapEntry{Key: key, Line: list.Line, Value: &read})
	}
	if list := s.node.Get("preAggregations"); list != nil {
		n.Members = append(n.Members, importer.MapEntry{Key: "preAggregations", Line: list.Line, Value: list})
	}
	c := p.readCube(withSnakeCaseKeys(&n))
	if c == nil {
		return
	}
	c.refused, c.isServed = s.refused, true
	if text == nil {
		c.guessedTable = table
	}
}

// tableSource returns the SQL of the cube, or of one that it extends; without SQL the name of the last of these.
func (s *servedCube) tableSource() (sql *importer.Node, name string) {
	name = s.name
	n := s.node
	for range maxMemberNesting {
		if n == nil || sql != nil {
			break
		}
		sql, name = n.Get("sql"), n.Get("name").String()
		n = s.byName[strings.TrimSpace(n.Get("extends").String())]
	}
	return sql, name
}

// memberName returns the name of a member, without that of its cube.
func (s *servedCube) memberName(n *importer.Node) string {
	return strings.TrimPrefix(n.Get("name").String(), s.name+".")
}

// readMember makes a member of a file of a member of the document.
func (s *servedCube) readMember(construct string, n *importer.Node) (*importer.Node, error) {
	if n.Kind != importer.KindMap {
		return nil, errors.New("a map is expected")
	}
	out := *n
	out.Members = keepMembers(n, keptServedMemberKeys)
	add := func(key string, value *importer.Node) {
		out.Members = append(out.Members, importer.MapEntry{Key: key, Line: value.Line, Value: value})
	}
	kind := n.Get("type")
	if construct == "measure" {
		if n.Get("cumulative").IsTrue() {
			return nil, errors.New("it has a rolling window, which the document does not have")
		}
		kind = n.Get("aggType")
	}
	for _, m := range []importer.MapEntry{{Key: "type", Value: kind}, {Key: "title", Value: n.Get("shortTitle")}, {Key: "primary_key", Value: n.Get("primaryKey")}} {
		if m.Value != nil {
			add(m.Key, m.Value)
		}
	}
	source := n
	if inherited := s.inherited(construct, n); inherited != nil {
		if construct == "measure" && n.Get("aggType").String() == "count" {
			return nil, errors.New("it may be the measure of " + s.parent + ", which it extends, or one that counts all rows")
		}
		source = inherited
	}
	for _, key := range []string{"sql", "case", "filters"} {
		if value := source.Get(key); value != nil {
			read, err := readServedTexts(value, key)
			if err != nil {
				return nil, err
			}
			add(key, read)
		}
	}
	return withName(&out, s.memberName(n), n.Line), nil
}

// inherited returns the member of an extended cube whose SQL a member without its own has; nil where there is none.
func (s *servedCube) inherited(construct string, n *importer.Node) *importer.Node {
	if n.Get("sql") != nil || n.Get("case") != nil || n.Get("filters") != nil {
		return nil
	}
	parent, name := s.parent, s.memberName(n)
	for range maxMemberNesting {
		of := s.byName[parent]
		if of == nil {
			return nil
		}
		for _, m := range of.Get(construct + "s").List() {
			if m.Get("name").String() == parent+"."+name && (m.Get("sql") != nil || m.Get("case") != nil || m.Get("filters") != nil) {
				return m
			}
		}
		parent = strings.TrimSpace(of.Get("extends").String())
	}
	return nil
}

// keepMembers returns the members of a map with some keys.
func keepMembers(n *importer.Node, keys []string) []importer.MapEntry {
	var out []importer.MapEntry
	for _, m := range n.Members {
		if slices.Contains(keys, m.Key) {
			out = append(out, m)
		}
	}
	return out
}

// readServedTexts copies a value with the SQL of its texts.
func readServedTexts(n *importer.Node, key string) (*importer.Node, error) {
	if n.Kind == importer.KindScalar && sqlKeys[key] {
		return servedSQL(n)
	}
	out := *n
	out.Items, out.Members = nil, nil
	for _, item := range n.Items {
		child, err := readServedTexts(item, key)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, child)
	}
	for _, m := range n.Members {
		var err error
		if m.Value, err = readServedTexts(m.Value, m.Key); err != nil {
			return nil, err
		}
		out.Members = append(out.Members, m)
	}
	return &out, nil
}

// servedSQL reads an SQL text: the value of a function of JavaScript.
func servedSQL(n *importer.Node) (*importer.Node, error) {
	r, statements, err := parseJavaScript(n.File, 0, []byte("("+n.Text+"\n)"))
	if err != nil {
		return nil, errors.New("its SQL " + n.Text + " is not a text of JavaScript")
	}
	r.fixedLine = n.Line
	if len(statements) == 1 {
		if e, ok := statements[0].(*js.ExprStmt); ok {
			read, err := r.readValue(e.Value, "sql", n.Line)
			if err != nil {
				return nil, err
			}
			out := *n
			out.Text = read.Text
			return &out, nil
		}
	}
	return nil, errors.New("its SQL is a program, which is not read")
}
