package cube

import (
	"github.com/tdewolff/parse/v2/js"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// namedListKeys are the keys whose objects have names as keys in JavaScript, and are lists in YAML, with what an object is called.
var namedListKeys = map[string]string{
	"dimensions": "dimension", "measures": "measure", "segments": "segment", "joins": "join",
	"pre_aggregations": "pre_aggregation", "hierarchies": "hierarchy", "granularities": "granularity",
}

// definingKeys are the keys of a cube without which its rows are not known.
var definingKeys = map[string]bool{"sql": true, "sql_table": true, "extends": true, calendarKey: true}

// readCubeObject reads the object of a cube or a view. A program in a member is a dropped entry of the member, and the cube has
// the others.
func (r *javaScriptReader) readCubeObject(p *projectImport, call string, name *importer.Node, body *js.ObjectExpr) {
	n := withName(r.newMap(name.Line), name.Text, name.Line)
	if call == "view" {
		read, err := r.readObject(body, "", name.Line)
		if err != nil {
			p.report.AddDropped(n, call, name.Text, err.Error())
			return
		}
		p.views = append(p.views, withSnakeCaseKeys(withName(read, name.Text, name.Line)))
		return
	}
	lost := &lostMembers{names: map[string]bool{}}
	properties, err := r.properties(body, name.Line)
	if err != nil {
		lost.refused = err.Error() // a spread or a function may have any key
	}
	for _, property := range properties {
		key := snakeCase(property.key)
		value, err := r.readCubeKey(p, name.Text, key, property, lost)
		if err != nil {
			value = r.newMap(property.line)
			value.Kind = importer.KindList // of which nothing is known but that it is there
			e := p.report.AddDropped(r.newNode(property.line), "cube key", name.Text+"."+key, err.Error())
			e.IsAccessRule = key == accessPolicyKey
			switch {
			case definingKeys[key]:
				lost.refused = err.Error()
				continue
			case namedListKeys[key] != "":
				lost.isList = err.Error()
			case key != accessPolicyKey:
				continue
			}
		}
		n.Members = append(n.Members, importer.MapEntry{Key: property.key, Line: property.line, Value: value})
	}
	if lost.isList != "" && n.Get("extends") != nil && lost.refused == "" {
		lost.refused = "it may replace members of the cube that it extends: " + lost.isList
	}
	if c := p.readCube(withSnakeCaseKeys(n)); c != nil {
		c.lost = lost.names
		c.refused = lost.refused
	}
}

// lostMembers are the parts of a cube that only a program has.
type lostMembers struct {
	refused string          // why the rows of the cube are not known
	isList  string          // why a list of members is not whole
	names   map[string]bool // members, by the key of their list and their name
}

// readCubeKey makes a node of the value of a key of a cube.
func (r *javaScriptReader) readCubeKey(p *projectImport, cube, key string, property javaScriptProperty, lost *lostMembers) (*importer.Node, error) {
	object, isObject := property.value.(*js.ObjectExpr)
	construct := namedListKeys[key]
	if construct == "" || !isObject {
		return r.readValue(property.value, key, property.line)
	}
	list := r.newMap(property.line)
	list.Kind = importer.KindList
	members, err := r.properties(object, property.line)
	if err != nil {
		p.report.AddDropped(r.newNode(property.line), construct, cube, err.Error())
		lost.isList = err.Error()
	}
	for _, member := range members {
		value, err := r.readValue(member.value, "", member.line)
		if err != nil {
			p.report.AddDropped(r.newNode(member.line), construct, cube+"."+member.key, err.Error())
			lost.names[key+"."+member.key] = true
			continue
		}
		list.Items = append(list.Items, withName(value, member.key, member.line))
	}
	return list, nil
}

func (r *javaScriptReader) newMap(line int) *importer.Node {
	n := r.newNode(line)
	n.Kind = importer.KindMap
	return n
}
