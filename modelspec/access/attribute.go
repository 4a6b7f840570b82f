package access

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// AttributeType is the type of an attribute's values.
type AttributeType string

// The types.
const (
	AttributeString AttributeType = "string"
	AttributeInt    AttributeType = "int"
	AttributeFloat  AttributeType = "float"
	AttributeBool   AttributeType = "bool"
	AttributeDate   AttributeType = "date"
)

// Attribute is a declared attribute of identities.
type Attribute struct {
	Name Text
	Type AttributeType
	List bool
}

// MaxListItems is the number of items of the longest list.
const MaxListItems = 1000

// The attributes that each identity has without a declaration.
const (
	AttributeName  = "name"  // a string
	AttributeRoles = "roles" // a list of strings
)

// Sample returns a value of the attribute as encoding/json decodes it, for a check that needs any.
func (a Attribute) Sample() any {
	var item any
	switch a.Type {
	case AttributeInt, AttributeFloat:
		item = json.Number("1")
	case AttributeBool:
		item = true
	case AttributeDate:
		item = "2000-01-01"
	default:
		item = "x"
	}
	if a.List {
		return []any{item}
	}
	return item
}

// AttributeNamed returns a declared attribute, or name or roles, which are always declared.
func (f *File) AttributeNamed(name string) (Attribute, bool) {
	switch name {
	case AttributeName:
		return Attribute{Name: Text{Value: name}, Type: AttributeString}, true
	case AttributeRoles:
		return Attribute{Name: Text{Value: name}, Type: AttributeString, List: true}, true
	}
	for _, a := range f.Attributes {
		if a.Name.Value == name {
			return a, true
		}
	}
	return Attribute{}, false
}

// AttributeNames returns the names that a rule may use, for candidates.
func (f *File) AttributeNames() []string {
	out := []string{AttributeName, AttributeRoles}
	for _, a := range f.Attributes {
		out = append(out, a.Name.Value)
	}
	return out
}

// attributeNamePattern is a name that :user.NAME can have.
var attributeNamePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (r *fileReader) readAttributes(o mappingReader) []Attribute {
	n := o.find("attributes")
	if n == nil {
		return nil
	}
	declared, ok := r.openMapping(n, "attributes", "attributes")
	if !ok {
		return nil
	}
	types := []string{string(AttributeInt), string(AttributeFloat), string(AttributeString), string(AttributeBool), string(AttributeDate)}
	var out []Attribute
	declared.visitMembers(func(name Text, value *document.Node, location string) {
		switch {
		case name.Value == AttributeName || name.Value == AttributeRoles:
			r.addInvalid(nodeOf(name), location, "the attribute %s is predefined and cannot be declared", name.Value)
		case !attributeNamePattern.MatchString(name.Value):
			r.addFinding(nodeOf(name), CodeInvalidPolicy, location, "use letters, digits and _", "the attribute name %q cannot be written in a rule", name.Value)
		}
		a := Attribute{Name: name}
		keys, ok := r.openMapping(value, location, "an attribute", "type", "list")
		if !ok {
			return
		}
		if n := keys.findRequired("type", "one of "+strings.Join(types, ", ")); n != nil {
			if t, ok := r.readString(n, keys.MemberLocation("type"), "type"); ok && !slices.Contains(types, t.Value) {
				r.addFinding(n, CodeInvalidPolicy, keys.MemberLocation("type"), "the types are "+strings.Join(types, ", "), "an attribute has no type %q", t.Value)
			} else {
				a.Type = AttributeType(t.Value)
			}
		}
		a.List = keys.readBoolean("list", false)
		out = append(out, a)
	})
	return out
}

// Value is the value of an attribute: one item, or the items of a list.
type Value struct {
	Type AttributeType
	List bool
	// Items are canonical: decimal integers, shortest floats, true and false, YYYY-MM-DD.
	Items []string
}

// Literals returns the items as typed literals, without positions.
func (v Value) Literals() []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(v.Items))
	for i, item := range v.Items {
		out[i] = v.Type.literal(item)
	}
	return out
}

func (t AttributeType) literal(item string) sqlexpr.Expr {
	switch t {
	case AttributeBool:
		return &sqlexpr.Bool{Value: item == "true"}
	case AttributeDate:
		return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: item}
	case AttributeInt, AttributeFloat:
		if digits, negative := strings.CutPrefix(item, "-"); negative {
			return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}
		}
		return &sqlexpr.Number{Text: item}
	}
	return &sqlexpr.String{Value: item}
}

// JSON returns the value for encoding/json: an item, or a list of items.
func (v Value) JSON() any {
	items := make([]any, len(v.Items))
	for i, item := range v.Items {
		switch v.Type {
		case AttributeInt, AttributeFloat:
			items[i] = json.Number(item)
		case AttributeBool:
			items[i] = item == "true"
		default:
			items[i] = item
		}
	}
	if v.List {
		return items
	}
	return items[0]
}

// typeValue returns a value of JSON as a value of the attribute, or why it is not one. A number is a json.Number.
func (a Attribute) typeValue(from any) (v Value, problem string) {
	v = Value{Type: a.Type, List: a.List}
	list, isList := from.([]any)
	switch {
	case from == nil:
		return v, "is null"
	case isList && !a.List:
		return v, "is a list; it must be one " + string(a.Type)
	case len(list) > MaxListItems:
		return v, "has more than " + strconv.Itoa(MaxListItems) + " items"
	case !isList:
		list = []any{from}
	}
	v.Items = make([]string, len(list))
	for i, item := range list {
		text, ok := a.Type.canonicalItem(item)
		if !ok {
			return Value{}, "must be of the type " + string(a.Type)
		}
		v.Items[i] = text
	}
	return v, ""
}

// canonicalItem returns the text of an item; ok is false for another type. Text is never read as a number.
func (t AttributeType) canonicalItem(item any) (text string, ok bool) {
	switch t {
	case AttributeBool:
		b, ok := item.(bool)
		return strconv.FormatBool(b), ok
	case AttributeInt, AttributeFloat:
		n, ok := item.(json.Number)
		if !ok {
			return "", false
		}
		if t == AttributeInt {
			return wholeNumber(n.String())
		}
		f, err := strconv.ParseFloat(n.String(), 64)
		if err != nil {
			return "", false
		}
		return strconv.FormatFloat(f+0, 'g', -1, 64), true
	}
	s, ok := item.(string)
	if !ok || !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 {
		return "", false
	}
	if t == AttributeDate {
		day, err := time.Parse(time.DateOnly, s)
		return s, err == nil && day.Year() > 0
	}
	return s, true
}

// wholeNumber returns a number without a fraction in decimal digits, such as 5 for 5.0. Beyond 2^53 it must be written in digits.
func wholeNumber(text string) (string, bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(i, 10), true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return "", false
	}
	return strconv.FormatInt(int64(f), 10), true
}
