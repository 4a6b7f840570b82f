package extension

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
)

// MaxViews is the largest number of views of a model.
const MaxViews = 200

// View is one object of the key views, as it is written.
type View struct {
	modelspec.Place
	Name               ObjectRef
	Label, Description string
	AIContext          any         // a text or an object; nil when absent
	Metrics            []ObjectRef // nil: all
	Fields, Except     []ObjectRef // Fields nil: all
	Joins              []ObjectRef
	HasJoins           bool // false: all relationships
	Where              ObjectRef
	Filters            []ObjectRef
	TimeRange          string // as JSON; "" for none
	Labels             []ViewLabel
	Folders            []ViewFolder
	Hierarchies        []ViewHierarchy
}

// ViewLabel is the label that a view gives a member.
type ViewLabel struct {
	Of   ObjectRef
	Text string
}

// ViewFolder is a folder of members of a view.
type ViewFolder struct {
	Name    string
	Items   []ObjectRef
	Folders []ViewFolder
}

// ViewHierarchy is an order of fields from coarse to fine.
type ViewHierarchy struct {
	Name   string
	Levels []ObjectRef
}

const (
	viewsKey       = "views"
	maxViewName    = 63
	maxFolderDepth = 3
	minHierarchy   = 2
	maxHierarchy   = 10
)

// The shapes of views.
var (
	viewHierarchyShape = newObjectShape(
		newRequiredMemberDefinition("name", newTextShape(), "the name of the hierarchy").withAbsence("a name"),
		newRequiredMemberDefinition("levels", newRefListShape("fields"), "2 to 10 fields, coarse to fine").withAbsence("the fields, coarse to fine"),
	)
	viewTimeRangeShape = newObjectShape(
		newOptionalMemberDefinition("dimension", newTextShape(), "the time field; the axis of each metric without it"),
		newOptionalMemberDefinition("start", newTextShape(), "the first instant"),
		newOptionalMemberDefinition("end", newTextShape(), "the instant after the last"),
		newOptionalMemberDefinition("last", newObjectShape(), "a range that ends now, as in a query"),
	)
	innerFolderShape  = newViewFolderShape()
	middleFolderShape = newViewFolderShape(newOptionalMemberDefinition("folders", newListShape(innerFolderShape, 0), "folders inside of the folder"))
	viewFolderShape   = newViewFolderShape(newOptionalMemberDefinition("folders", newListShape(middleFolderShape, 0), "folders inside of the folder, at most 3 deep"))
	viewTextShape     = newTextShape()
	viewShape         = newObjectShape(
		newRequiredMemberDefinition("name", newIdentifierShape("view"), "the name of the view").withAbsence("a name"),
		newOptionalMemberDefinition("label", newTextShape(), "the name that people read"),
		newOptionalMemberDefinition("description", newTextShape(), "what the view is for"),
		newOptionalMemberDefinition("ai_context", newAnyOfShape(newTextShape(), newObjectShape()), "context for language models"),
		newOptionalMemberDefinition("metrics", newListShape(newTextShape(), 0), "the metrics, dataset.* for those of one dataset; all without it"),
		newOptionalMemberDefinition("fields", newListShape(newTextShape(), 0), "dataset.field, rel.field, dataset.* and rel.*; all without it"),
		newOptionalMemberDefinition("except", newListShape(newTextShape(), 0), "fields that the view does not have"),
		newOptionalMemberDefinition("joins", newListShape(newTextShape(), 0), "the relationships that references without a prefix follow; all without it"),
		newOptionalMemberDefinition("where", newTextShape(), "a condition that always holds in the view"),
		newOptionalMemberDefinition("filters", newListShape(newTextShape(), 0), "conditions by default"),
		newOptionalMemberDefinition("time_range", viewTimeRangeShape, "the time range by default, as in a query"),
		newOptionalMemberDefinition("labels", ValueShape{Type: PayloadValueObject, Item: &viewTextShape}, "labels of members by their names"),
		newOptionalMemberDefinition("folders", newListShape(viewFolderShape, 0), "folders of members"),
		newOptionalMemberDefinition("hierarchies", newListShape(viewHierarchyShape, 0), "orders in which people drill down"),
	)
)

func newViewFolderShape(more ...ObjectMemberDefinition) ValueShape {
	members := []ObjectMemberDefinition{
		newRequiredMemberDefinition("name", newTextShape(), "the name of the folder").withAbsence("a name"),
		newRequiredMemberDefinition("items", newListShape(newTextShape(), 0), "metrics and fields").withAbsence("the metrics and fields of the folder"),
	}
	return newObjectShape(append(members, more...)...)
}

// readViews reads the views of a model. One with an error is left out, and so is every one of a name that two have.
func (o payloadObjectReader) readViews() []*View {
	n := o.findMember(viewsKey)
	if _, known := o.findKeyDefinitionForCarrier(viewsKey); n == nil || !known {
		return nil
	}
	switch {
	case n.Kind != document.SequenceNode:
		o.addTypeError(n, "a list of objects")
		return nil
	case len(n.Content) > MaxViews:
		o.addError(CodeInvalidPayload, n, "leave some of them out", "a model has at most %d views, and this one has %d", MaxViews, len(n.Content))
		return nil
	}
	var out []*View
	nodes, doubled := map[string]*document.Node{}, map[string]bool{}
	for _, item := range n.Content {
		before := len(o.Errors)
		v := o.readView(item)
		if v == nil || !v.Name.IsSet() {
			continue
		}
		folded := strings.ToLower(v.Name.Name)
		if first, taken := nodes[folded]; taken {
			doubled[folded] = true
			o.addError(CodeInvalidPayload, item.Member("name"), "give each view a separate name", "a second view is named %q; the first is %s (names compare without regard to case)", v.Name.Name, o.pathForMessage(first))
			continue
		}
		if nodes[folded] = item; len(o.Errors) == before {
			out = append(out, v)
		}
	}
	return slices.DeleteFunc(out, func(v *View) bool { return doubled[strings.ToLower(v.Name.Name)] })
}

func (o payloadObjectReader) readView(n *document.Node) *View {
	in, ok := o.payloadReader.openObject(n, &viewShape)
	if !ok {
		return nil
	}
	v := &View{
		Place: o.placeOfNode(n), Name: in.readObjectRef("name"), Label: in.readText("label"), Description: in.readText("description"),
		Metrics: in.readOptionalRefs("metrics"), Fields: in.readOptionalRefs("fields"), Except: in.readOptionalRefs("except"),
		Joins: in.readOptionalRefs("joins"), HasJoins: in.findMember("joins") != nil, Where: in.readObjectRef("where"), Filters: in.readOptionalRefs("filters"),
	}
	if len(v.Name.Name) > maxViewName {
		o.addInvalidError(in.findMember("name"), "the name of a view has at most %d letters", maxViewName)
	}
	if c := in.findMember("ai_context"); c != nil {
		switch {
		case c.IsText():
			v.AIContext = c.Value
		case c.Kind == document.MappingNode:
			if err := json.Unmarshal([]byte(o.jsonTextOfNode(c)), &v.AIContext); err != nil {
				o.addTypeError(c, "an object")
			}
		default:
			o.addTypeError(c, "a string or an object")
		}
	}
	v.TimeRange = in.readViewTimeRange()
	v.Labels = in.readViewLabels()
	v.Folders = in.readViewFolders(&viewFolderShape)
	for _, item := range in.readItems("hierarchies") {
		h, ok := o.payloadReader.openObject(item, &viewHierarchyShape)
		if !ok {
			continue
		}
		levels := h.readObjectRefList("levels")
		if len(levels) > 0 && (len(levels) < minHierarchy || len(levels) > maxHierarchy) {
			o.addInvalidError(item, "%s has %d levels, and takes %d to %d", o.pathForMessage(item), len(levels), minHierarchy, maxHierarchy)
		}
		v.Hierarchies = append(v.Hierarchies, ViewHierarchy{h.readText("name"), levels})
	}
	return v
}

// readViewTimeRange returns the range as JSON; "" for none.
func (o payloadObjectReader) readViewTimeRange() string {
	n := o.findMember("time_range")
	switch {
	case n == nil:
		return ""
	case n.Kind != document.MappingNode:
		o.addTypeError(n, "an object, as in a query")
		return ""
	}
	in, ok := o.payloadReader.openObject(n, &viewTimeRangeShape)
	if !ok {
		return ""
	}
	for _, key := range []string{"dimension", "start", "end"} {
		in.readText(key)
	}
	if last := in.findMember("last"); last != nil && last.Kind != document.MappingNode {
		o.addTypeError(last, "an object, as in a query")
	}
	return o.jsonTextOfNode(n)
}

// readOptionalRefs reads a list of names; nil when absent, and not nil for an empty list.
func (o payloadObjectReader) readOptionalRefs(key string) []ObjectRef {
	n := o.readMember(key)
	if n == nil {
		return nil
	}
	out := []ObjectRef{}
	for _, item := range n.Content {
		if !o.flawed[item] {
			out = append(out, o.newObjectRef(item))
		}
	}
	return out
}

// readViewLabels reads the labels of members.
func (o payloadObjectReader) readViewLabels() []ViewLabel {
	n := o.findMember("labels")
	if n == nil {
		return nil
	}
	if n.Kind != document.MappingNode {
		o.addTypeError(n, "an object of texts")
		return nil
	}
	var out []ViewLabel
	for i := 0; i < len(n.Content); i += 2 {
		if item := n.Content[i+1]; o.checkShape(item, &viewTextShape) {
			out = append(out, ViewLabel{ObjectRef{Name: n.Content[i].Value, Place: o.placeOfNode(item)}, item.Value})
		}
	}
	return out
}

// readViewFolders reads the folders of a view or of a folder.
func (o payloadObjectReader) readViewFolders(shape *ValueShape) []ViewFolder {
	var out []ViewFolder
	for _, item := range o.readItems("folders") {
		in, ok := o.payloadReader.openObject(item, shape)
		if !ok {
			continue
		}
		f := ViewFolder{Name: in.readText("name"), Items: in.readOptionalRefs("items")}
		if deeper := shape.findMember("folders"); deeper != nil {
			f.Folders = in.readViewFolders(deeper.Shape.Item)
		}
		out = append(out, f)
	}
	return out
}

// jsonTextOfNode returns a value as JSON.
func (o payloadObjectReader) jsonTextOfNode(n *document.Node) string {
	w := savedQueryBodySplitter{payloadObjectReader: o, query: &catalog.SavedQuery{}}
	w.writeJSONValueWithSlots(n, false)
	return w.text.String()
}
