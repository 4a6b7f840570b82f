package format

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// LiftedPart is a part of a document that is written as the implemented version of the format has it.
type LiftedPart struct {
	Key    string // version, semantic_model, name, or metrics.NAME
	Reason string
}

// LiftDocument returns a document of an older draft, or of another writer, as one of the implemented version in YAML: with the version, with its
// model in a list, with a name, and with the dataset whose rows COUNT(*) counts where there is only one.
func LiftDocument(text []byte, name string) (out []byte, lifted []LiftedPart, err error) {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	doc, err := readDocument(strings.ReplaceAll(string(text), "\r\n", "\n"))
	if err != nil {
		return nil, nil, err
	}
	root := doc.Root.Value
	if root.Kind != layout.MappingNode {
		return nil, nil, newParseError(0, 0, "the document is not an object with a semantic_model")
	}
	root.Walk(func(n *layout.Node) { n.Flow = n.Flow && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) })
	l := documentLifter{root: root}
	l.liftVersion()
	model := l.liftModel()
	if model == nil || model.Kind != layout.MappingNode {
		return nil, nil, newParseError(0, 0, "the document has no semantic model")
	}
	if n := model.Member("name"); n == nil || n.Value == "" {
		setMember(model, "name", layout.NewTextNode(name))
		l.add("name", "the model had no name")
	}
	layout.AssignRoles(root)
	expandShortForms(root)
	l.liftCountsOfRows(model)
	layout.SortKeys(root)
	printed := layout.Print(doc)
	return []byte(printed), l.lifted, checkRoundTrip(doc, printed)
}

type documentLifter struct {
	root   *layout.Node
	lifted []LiftedPart
}

func (l *documentLifter) add(key, reason string) {
	l.lifted = append(l.lifted, LiftedPart{key, reason})
}

// setMember sets the value of a key.
func setMember(n *layout.Node, key string, value *layout.Node) {
	for _, e := range n.Entries {
		if e.Key.Value == key {
			e.Value = value
			return
		}
	}
	n.Entries = append(n.Entries, &layout.Entry{Key: layout.NewTextNode(key), Value: value})
}

func (l *documentLifter) liftVersion() {
	version := l.root.Member("version")
	switch {
	case version == nil:
		l.add("version", "the document had no version")
	case strings.HasPrefix(version.Value, "0.1"):
		l.add("version", "the document was one of version "+version.Value)
	default:
		return
	}
	setMember(l.root, "version", layout.NewTextNode(modelspec.SpecVersion))
}

// liftModel puts the model into a list, and returns it.
func (l *documentLifter) liftModel() *layout.Node {
	list := l.root.Member("semantic_model")
	switch {
	case list == nil:
		return l.root
	case list.Kind == layout.SequenceNode && len(list.Entries) > 0:
		return list.Entries[0].Value
	case list.Kind == layout.MappingNode:
		l.add("semantic_model", "the model was not in a list")
		setMember(l.root, "semantic_model", &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq", Entries: []*layout.Entry{{Value: list}}})
		return list
	}
	return nil
}

// liftCountsOfRows names the only dataset in the metrics that count its rows without a column.
func (l *documentLifter) liftCountsOfRows(model *layout.Node) {
	datasets, metrics := model.Member("datasets"), model.Member("metrics")
	if datasets == nil || metrics == nil || len(datasets.Entries) != 1 {
		return
	}
	dataset := datasets.Entries[0].Value.Member("name")
	if dataset == nil {
		return
	}
	for _, e := range metrics.Entries {
		if e.Value.Member("custom_extensions") != nil || !countsRowsAlone(e.Value.Member("expression")) {
			continue
		}
		extension := newExtensionNode(`{"v": "1.10", "dataset": ` + strconv.Quote(dataset.Value) + `}`)
		e.Value.Flow = false
		setMember(e.Value, "custom_extensions", extension)
		if name := e.Value.Member("name"); name != nil {
			l.add("metrics."+name.Value, "its COUNT(*) counts the rows of "+dataset.Value)
		}
	}
	layout.AssignRoles(l.root)
}

// countsRowsAlone reports whether an expression has an aggregate, and none of its entries names a column.
func countsRowsAlone(expression *layout.Node) bool {
	if expression == nil || expression.Member("dialects") == nil {
		return false
	}
	for _, e := range expression.Member("dialects").Entries {
		text := e.Value.Member("expression")
		if text == nil {
			return false
		}
		parsed, err := sqlexpr.Parse(text.Value)
		if err != nil || !sqlexpr.HasAggregate(parsed) || len(sqlexpr.ColumnReferences(parsed)) > 0 {
			return false
		}
	}
	return true
}

func newExtensionNode(data string) *layout.Node {
	member := func(key, value string) *layout.Entry {
		return &layout.Entry{Key: layout.NewTextNode(key), Value: layout.NewTextNode(value)}
	}
	extension := &layout.Node{Kind: layout.MappingNode, Tag: "!!map", Flow: true, Entries: []*layout.Entry{member("vendor_name", "SEMLAYER"), member("data", data)}}
	return &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq", Entries: []*layout.Entry{{Value: extension}}}
}

// ModelObject is the place of an object in a model: a list of the model and an index, and for a field its index in the dataset, -1 for any other.
type ModelObject struct {
	List  string // datasets, relationships or metrics
	Index int
	Field int
}

var modelObjectPattern = regexp.MustCompile(`(datasets|relationships|metrics)\[(\d+)\](?:\.fields\[(\d+)\])?`)

// ObjectAtLocation returns the object that holds the location of a finding.
func ObjectAtLocation(location string) (o ModelObject, found bool) {
	m := modelObjectPattern.FindStringSubmatch(location)
	if m == nil {
		return ModelObject{}, false
	}
	o = ModelObject{List: m[1], Field: -1}
	o.Index, _ = strconv.Atoi(m[2])
	if m[3] != "" {
		o.Field, _ = strconv.Atoi(m[3])
	}
	return o, true
}

// RemoveObjects returns a model in the one layout without some objects.
func RemoveObjects(text []byte, objects []ModelObject) ([]byte, error) {
	return editModel(text, func(model *layout.Node) error {
		gone := map[*layout.Entry]bool{}
		for _, o := range objects {
			list := model.Member(o.List)
			if list == nil || o.Index >= len(list.Entries) {
				continue
			}
			entry := list.Entries[o.Index]
			if o.Field >= 0 {
				fields := entry.Value.Member("fields")
				if fields == nil || fields.Kind != layout.SequenceNode || o.Field >= len(fields.Entries) {
					continue
				}
				entry = fields.Entries[o.Field]
			}
			gone[entry] = true
		}
		model.Walk(func(n *layout.Node) {
			if n.Kind == layout.SequenceNode {
				n.Entries = slices.DeleteFunc(n.Entries, func(e *layout.Entry) bool { return gone[e] })
			}
		})
		model.Entries = slices.DeleteFunc(model.Entries, func(e *layout.Entry) bool {
			return e.Value.Kind == layout.SequenceNode && len(e.Value.Entries) == 0 && slices.Contains([]string{"datasets", "relationships", "metrics"}, e.Key.Value)
		})
		return nil
	})
}
