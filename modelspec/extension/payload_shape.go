package extension

// ValueType is the JSON type of a value in a payload.
type ValueType uint8

// The types of values.
const (
	TypeText             ValueType = iota // a string with content
	TypeBoolean                           // true or false
	TypeNumber                            // a finite number
	TypeCountOrParamSlot                  // an integer, or a parameter slot such as ":n"
	TypeLiteral                           // a string, a number or a boolean
	TypeList
	TypeObject
	TypeAnyOf // one of several forms
)

// ValueShape describes a value in a payload. The readers of the package take the keys and the
// closed sets of values from shapes, as the schema of the format does.
type ValueShape struct {
	Type    ValueType
	Enum    []string                 // of a text: the only values; nil where any is accepted
	Pattern string                   // of a text: a regular expression; "" where any is accepted
	Least   int                      // of a count: the smallest; of a list: the fewest items
	Item    *ValueShape              // of a list; of an object of free names: their value
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

// memberNames lists the keys of an object.
func (s ValueShape) memberNames() []string {
	names := make([]string, len(s.Members))
	for i, m := range s.Members {
		names[i] = m.Name
	}
	return names
}

func textShape() ValueShape { return ValueShape{Type: TypeText} }

func enumShape(values ...string) ValueShape { return ValueShape{Type: TypeText, Enum: values} }

func identifierShape() ValueShape {
	return ValueShape{Type: TypeText, Pattern: identifierPattern.String()}
}

func countOrParamSlotShape(least int) ValueShape {
	return ValueShape{Type: TypeCountOrParamSlot, Least: least}
}

func listShape(item ValueShape, least int) ValueShape {
	return ValueShape{Type: TypeList, Item: &item, Least: least}
}

func objectShape(members ...ObjectMemberDefinition) ValueShape {
	return ValueShape{Type: TypeObject, Members: members}
}

func anyOfShape(forms ...ValueShape) ValueShape { return ValueShape{Type: TypeAnyOf, Forms: forms} }

func requiredMember(name string, shape ValueShape, summary string) ObjectMemberDefinition {
	return ObjectMemberDefinition{name, shape, true, summary}
}

func optionalMember(name string, shape ValueShape, summary string) ObjectMemberDefinition {
	return ObjectMemberDefinition{name, shape, false, summary}
}
