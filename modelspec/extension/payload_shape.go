package extension

// PayloadValueType is the JSON type of a value in a payload.
type PayloadValueType uint8

// The types of values.
const (
	PayloadValueText             PayloadValueType = iota // a string with content
	PayloadValueBoolean                                  // true or false
	PayloadValueNumber                                   // a finite number
	PayloadValueCountOrParamSlot                         // an integer, or a parameter slot such as ":n"
	PayloadValueScalar                                   // a string, a number or a boolean
	PayloadValueList
	PayloadValueObject
	PayloadValueAnyOf // one of several forms
	PayloadValueOneOf // one of several forms, which exclude each other
)

// ValueShape describes a value in a payload. The readers of the package take the keys and the
// closed sets of values from shapes, as the schema of the format does.
type ValueShape struct {
	Type    PayloadValueType
	Enum    []string                 // of a text: the only values; nil where any is accepted
	Pattern string                   // of a text: a regular expression; "" where any is accepted
	Except  []string                 // of a text: the values that are not accepted, in any case
	Least   int                      // of a count: the smallest; of a list and of an object of free names: the fewest items
	Most    int                      // of a count: the greatest; of an object of free names: the most items; 0 where any number is accepted
	Item    *ValueShape              // of a list; of an object of free names: their value
	Name    *ValueShape              // of an object of free names: a name
	Members []ObjectMemberDefinition // of an object
	Forms   []ValueShape             // of several: each of them
}

// ObjectMemberDefinition is a key of an object in a payload.
type ObjectMemberDefinition struct {
	Name     string
	Shape    ValueShape
	Required bool
	Summary  string
}

// memberNames lists the keys of an object, those of all its forms.
func (s ValueShape) memberNames() []string {
	var names []string
	for _, m := range s.Members {
		names = append(names, m.Name)
	}
	for _, form := range s.Forms {
		names = append(names, form.memberNames()...)
	}
	return names
}

func newTextShape() ValueShape { return ValueShape{Type: PayloadValueText} }

func newEnumShape(values ...string) ValueShape {
	return ValueShape{Type: PayloadValueText, Enum: values}
}

func newIdentifierShape() ValueShape {
	return ValueShape{Type: PayloadValueText, Pattern: identifierPattern.String()}
}

func newCountOrParamSlotShape(least int) ValueShape {
	return ValueShape{Type: PayloadValueCountOrParamSlot, Least: least}
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
	return ObjectMemberDefinition{name, shape, true, summary}
}

func newOptionalMemberDefinition(name string, shape ValueShape, summary string) ObjectMemberDefinition {
	return ObjectMemberDefinition{name, shape, false, summary}
}
