package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// DeclareMissingFields returns a model in the one layout with the fields that its relationships and metrics name and that it does not
// declare, and lists them. Queries cannot group by these fields, and each has a comment with the object that names it. datatype returns the
// datatype of a field, "" where it is not known; it may be nil.
func DeclareMissingFields(text []byte, datatype func(MissingField) modelspec.Datatype) (out []byte, declared []MissingField, err error) {
	if out, err = Format(text); err != nil {
		return nil, nil, err
	}
	doc, err := modelspec.Parse(out)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range doc.Models {
		declared = append(declared, MissingFields(m)...)
	}
	if len(declared) == 0 {
		return out, nil, nil
	}
	if trimmed := bytes.TrimSpace(out); trimmed[0] == '{' {
		return nil, nil, newParseError(0, 0, "the model is JSON, which has no comments: write it as YAML to declare fields")
	}
	for i, f := range declared {
		if datatype != nil {
			declared[i].Datatype = datatype(f)
		}
	}
	out, err = editModel(out, func(model *layout.Node) error { return addFields(model, declared) })
	return out, declared, err
}

// editModel changes the model of a text, and returns the text in the one layout.
func editModel(text []byte, edit func(model *layout.Node) error) ([]byte, error) {
	windows := bytes.Contains(firstLine(text), []byte("\r\n"))
	doc, err := readDocument(strings.ReplaceAll(string(text), "\r\n", "\n"))
	if err != nil {
		return nil, err
	}
	model := doc.Root.Value
	if list := model.Member("semantic_model"); list != nil {
		if list.Kind != layout.SequenceNode || len(list.Entries) != 1 {
			return nil, newParseError(0, 0, "semantic_model is not a list of one model")
		}
		model = list.Entries[0].Value
	}
	if err := edit(model); err != nil {
		return nil, err
	}
	layout.AssignRoles(doc.Root.Value)
	expandShortForms(doc.Root.Value)
	layout.SortKeys(doc.Root.Value)
	out := layout.Print(doc)
	if err := checkRoundTrip(doc, out); err != nil {
		return nil, err
	}
	if windows {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return []byte(out), nil
}

// addFields adds fields to the datasets of a model.
func addFields(model *layout.Node, fields []MissingField) error {
	for _, f := range fields {
		list := model.Member("datasets")
		i := -1
		if list != nil {
			i = slices.IndexFunc(list.Entries, func(e *layout.Entry) bool {
				name := e.Value.Member("name")
				return name != nil && name.Value == f.Dataset
			})
		}
		if i < 0 || list.Entries[i].Value.Kind != layout.MappingNode {
			return newParseError(0, 0, "the dataset %s is repeated by an alias, so that fmt cannot add the field %s", f.Dataset, f.Name)
		}
		dataset := list.Entries[i].Value
		declared := dataset.Member("fields")
		switch {
		case declared == nil:
			declared = &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq"}
			dataset.Entries = append(dataset.Entries, &layout.Entry{Key: layout.NewTextNode("fields"), Value: declared})
		case declared.Kind == layout.ScalarNode && declared.Tag == "!!null":
			*declared = layout.Node{Kind: layout.SequenceNode, Tag: "!!seq"}
		case declared.Kind != layout.SequenceNode || declared.Anchor != "":
			return newParseError(0, 0, "the fields of %s are shared by an alias, so that fmt cannot add the field %s", f.Dataset, f.Name)
		}
		declared.Flow = false
		declared.Entries = append(declared.Entries, newFieldEntry(f))
	}
	return nil
}

func newFieldEntry(f MissingField) *layout.Entry {
	member := func(key string, value *layout.Node) *layout.Entry {
		return &layout.Entry{Key: layout.NewTextNode(key), Value: value}
	}
	mapping := func(entries ...*layout.Entry) *layout.Node {
		return &layout.Node{Kind: layout.MappingNode, Tag: "!!map", Entries: entries}
	}
	n := mapping(member("name", layout.NewTextNode(f.Name)), member("expression", layout.NewTextNode(f.Expression)))
	if f.Datatype != "" {
		n.Entries = append(n.Entries, member("datatype", layout.NewTextNode(string(f.Datatype))))
	}
	n.Entries = append(n.Entries, member("custom_extensions", newExtensionNode(`{"v": "1.10", "is_dimension": false}`)))
	return &layout.Entry{Head: []layout.Comment{{Text: fmt.Sprintf("# declared by semlayer fmt: the %s names the column", f.NamedBy)}}, Value: n}
}
