package extension

import (
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// PayloadValueType is the JSON type of a value in a payload.
type PayloadValueType uint8

// The types of values.
const (
	PayloadValueText             PayloadValueType = iota // a string with content
	PayloadValueBoolean                                  // true or false
	PayloadValueNumber                                   // a finite number
	PayloadValueCountOrParamSlot                         // an integer, or a parameter slot such as ":n"
	PayloadValueInteger                                  // an integer
	PayloadValueScalar                                   // a string, a number or a boolean
	PayloadValueList
	PayloadValueObject
	PayloadValueAnyOf // one of several forms
	PayloadValueOneOf // one of several forms, which exclude each other
)

// ValueShape describes a value in a payload. It checks the values that are read, and the schema of the format
// is made of it.
type ValueShape struct {
	Type         PayloadValueType
	Enum         []string                 // of a text: the only values; nil where any is accepted; of a count: texts that are accepted, too
	Pattern      *regexp.Regexp           // of a text; nil where any is accepted
	patternError string                   // the message about a text that does not match, with %q for the text
	Except       []string                 // of a text: the values that are not accepted, in any case
	Least        int                      // of a count and of an integer: the smallest; of a list and of an object of free names: the fewest items
	Most         int                      // of a count: the greatest; of an object of free names: the most items; 0 where any number is accepted
	Item         *ValueShape              // of a list; of an object of free names: their value
	itemNoun     string                   // of a list: what the items are, in the plural; "" for the name of their type
	Name         *ValueShape              // of an object of free names: a name; of a text of an enum: a name that is accepted, too
	Members      []ObjectMemberDefinition // of an object
	Forms        []ValueShape             // of several: each of them
}

// ObjectMemberDefinition is a key of an object in a payload.
type ObjectMemberDefinition struct {
	Name     string
	Shape    ValueShape
	Required bool
	Summary  string
	key      string // of a key that is newer than its block: its name in the registry, such as lod.via
	absence  string // of a required key: what is missing without it; "" for the values of an enum, or the summary
}

// missingText returns what an object lacks without the key.
func (m *ObjectMemberDefinition) missingText() string {
	switch {
	case m.absence != "":
		return m.absence
	case m.Shape.Enum != nil:
		return "one of " + strings.Join(m.Shape.Enum, ", ")
	}
	return m.Summary
}

// findMember returns the key of an object with a name, of any of its forms.
func (s *ValueShape) findMember(name string) *ObjectMemberDefinition {
	for i := range s.Members {
		if s.Members[i].Name == name {
			return &s.Members[i]
		}
	}
	for i := range s.Forms {
		if m := s.Forms[i].findMember(name); m != nil {
			return m
		}
	}
	return nil
}

// acceptsName reports whether a text is a name of the shape.
func (s *ValueShape) acceptsName(text string) bool {
	return s != nil && s.Pattern.MatchString(text) && !slices.Contains(s.Except, text)
}

// nounOfItems returns what the items of a list are.
func (s *ValueShape) nounOfItems() string {
	switch {
	case s.itemNoun != "":
		return s.itemNoun
	case s.Item.Enum != nil:
		return strings.Join(s.Item.Enum, ", ")
	case s.Item.Type == PayloadValueObject:
		return "objects"
	}
	return "strings"
}

// members lists the keys of an object, those of all its forms.
func (s *ValueShape) members() []ObjectMemberDefinition {
	list := slices.Clip(s.Members)
	for i := range s.Forms {
		list = append(list, s.Forms[i].members()...)
	}
	return list
}

func shapeOf(s ValueShape) *ValueShape { return &s }

func newTextShape() ValueShape { return ValueShape{Type: PayloadValueText} }

func newEnumShape(values ...string) ValueShape {
	return ValueShape{Type: PayloadValueText, Enum: values}
}

// newIdentifierShape returns the shape of the name of an object.
func newIdentifierShape(object string) ValueShape {
	return ValueShape{Type: PayloadValueText, Pattern: identifierPattern, patternError: "%q is not a name for a " + object + ": letters, digits and _ only"}
}

func newCountOrParamSlotShape() ValueShape {
	return ValueShape{Type: PayloadValueCountOrParamSlot, Least: 1}
}

// newRefListShape returns the shape of a list of one or more names of objects.
func newRefListShape(noun string) ValueShape {
	item := newTextShape()
	return ValueShape{Type: PayloadValueList, Item: &item, Least: 1, itemNoun: noun}
}

// newIncludeListShape returns the shape of the groups that a level adds.
func newIncludeListShape() ValueShape {
	s := newRefListShape("fields")
	s.Most = catalog.MaxIncludedGroups
	return s
}

func newListShape(item ValueShape, least int) ValueShape {
	return ValueShape{Type: PayloadValueList, Item: &item, Least: least}
}

func newOneOfShape(forms ...ValueShape) ValueShape {
	return ValueShape{Type: PayloadValueOneOf, Forms: forms}
}

func newObjectShape(members ...ObjectMemberDefinition) ValueShape {
	return ValueShape{Type: PayloadValueObject, Members: members}
}

func newAnyOfShape(forms ...ValueShape) ValueShape {
	return ValueShape{Type: PayloadValueAnyOf, Forms: forms}
}

func newRequiredMemberDefinition(name string, shape ValueShape, summary string) ObjectMemberDefinition {
	return ObjectMemberDefinition{Name: name, Shape: shape, Required: true, Summary: summary}
}

// withKey sets the name of the key in the registry.
func (m ObjectMemberDefinition) withKey(name string) ObjectMemberDefinition {
	m.key = name
	return m
}

// withAbsence sets what an object lacks without the key.
func (m ObjectMemberDefinition) withAbsence(text string) ObjectMemberDefinition {
	m.absence = text
	return m
}

func newOptionalMemberDefinition(name string, shape ValueShape, summary string) ObjectMemberDefinition {
	return ObjectMemberDefinition{Name: name, Shape: shape, Summary: summary}
}
