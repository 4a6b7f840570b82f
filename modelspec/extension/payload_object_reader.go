package extension

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// payloadObjectReader is a JSON object with the shape of its members. The shape checks a member when it is
// read, and the reader converts it: a flawed member is read as an absent one.
type payloadObjectReader struct {
	*payloadReader
	n     *document.Node
	shape *ValueShape
}

// openObject opens a value that must be an object with no other keys than those of the shape.
func (r *payloadReader) openObject(n *document.Node, shape *ValueShape) (o payloadObjectReader, ok bool) {
	if n.Kind != document.MappingNode {
		r.addTypeError(n, "an object")
		return o, false
	}
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if m := shape.findMember(name); m == nil || !r.isMemberAllowedForVendor(m) {
			r.dropOrReportUnknownMember(n.Content[i+1], name, r.memberNamesForVendor(shape))
		}
	}
	return payloadObjectReader{r, n, shape}, true
}

// isMemberAllowedForVendor reports whether a payload under the entry's vendor name may hold a member.
func (r *payloadReader) isMemberAllowedForVendor(m *ObjectMemberDefinition) bool {
	if m.key == "" {
		return true
	}
	_, ok := r.findKeyDefinitionForCarrier(m.key)
	return ok
}

func (r *payloadReader) memberNamesForVendor(shape *ValueShape) []string {
	var names []string
	for _, m := range shape.members() {
		if r.isMemberAllowedForVendor(&m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// openMember opens a member that is an object; ok is false where it is absent or flawed.
func (o payloadObjectReader) openMember(key string) (in payloadObjectReader, ok bool) {
	m, n := o.shape.findMember(key), o.findMember(key)
	if n == nil || !o.checkKeyOfMember(m, n) {
		return in, false
	}
	return o.openObject(n, &m.Shape)
}

// pathForMessage names a value in a message: its path without the leading dot.
func (r *payloadReader) pathForMessage(n *document.Node) string {
	return cmp.Or(strings.TrimPrefix(r.root.PathTo(n), "."), "data")
}

// findMember returns a member, nil when it is absent or null. Errors from then on refer to the documentation of the
// last key of the payload that was passed here.
func (o payloadObjectReader) findMember(key string) *document.Node {
	if o.n == o.root {
		o.key = key
	}
	if n := o.n.Member(key); n != nil && !n.IsNull() {
		return n
	}
	return nil
}

func (o payloadObjectReader) findRequiredMember(key, what string) *document.Node {
	n := o.findMember(key)
	if n == nil {
		o.addInvalidError(o.n, "%s needs %s: %s", o.pathForMessage(o.n), key, what)
	}
	return n
}

// readMember returns a member that its shape accepts; nil when it is absent or flawed.
func (o payloadObjectReader) readMember(key string) *document.Node {
	m, n := o.shape.findMember(key), o.findMember(key)
	if n == nil {
		if m.Required {
			return o.findRequiredMember(key, m.missingText())
		}
		return nil
	}
	if !o.checkKeyOfMember(m, n) || !o.checkShape(n, &m.Shape) {
		return nil
	}
	return n
}

// checkKeyOfMember holds a member that is a key of the registry against it. It reports whether the payload may have the key.
func (r *payloadReader) checkKeyOfMember(m *ObjectMemberDefinition, n *document.Node) bool {
	if m.key == "" {
		return true
	}
	k, ok := r.findKeyDefinitionForCarrier(m.key)
	if ok {
		r.warnIfKeyNewerThanDeclaredVersion(n, k.Name, k.Since)
		r.warnIfSilentKeyNotRequired(n, k)
	}
	return ok
}

// checkShape holds a value against its shape, and marks it where it is flawed. The members of an object are
// checked as they are read, and so is a value of several forms.
func (r *payloadReader) checkShape(n *document.Node, s *ValueShape) bool {
	before := len(r.Errors)
	switch s.Type {
	case PayloadValueText:
		r.checkText(n, s)
	case PayloadValueBoolean:
		if !n.IsBool() {
			r.addTypeError(n, "true or false")
		}
	case PayloadValueNumber:
		if !isFiniteNumber(n) {
			r.addTypeError(n, "a finite number")
		}
	case PayloadValueCountOrParamSlot:
		r.checkCount(n, s)
	case PayloadValueInteger:
		if i, isInteger := readIntegerOfNode(n); !isInteger || i < s.Least {
			r.addInvalidError(n, "%s must be an integer of at least %d, is %s", r.pathForMessage(n), s.Least, describeValue(n))
		}
	case PayloadValueList:
		switch {
		case n.Kind != document.SequenceNode:
			r.addTypeError(n, "a list of "+s.nounOfItems())
		case len(n.Content) < s.Least && s.Least > 1:
			r.addInvalidError(n, "%s must be a list of at least %d %s, has %d", r.pathForMessage(n), s.Least, s.nounOfItems(), len(n.Content))
		case len(n.Content) < s.Least:
			r.addInvalidError(n, "%s must be a list of one or more %s, is empty", r.pathForMessage(n), s.nounOfItems())
		case s.Most > 0 && len(n.Content) > s.Most:
			r.addInvalidError(n, "%s must be a list of at most %d %s, has %d", r.pathForMessage(n), s.Most, s.nounOfItems(), len(n.Content))
		default:
			for _, item := range n.Content {
				r.checkShape(item, s.Item)
			}
			return true // without the flawed items
		}
	case PayloadValueScalar, PayloadValueObject, PayloadValueAnyOf, PayloadValueOneOf:
	}
	if len(r.Errors) == before {
		return true
	}
	if r.flawed == nil {
		r.flawed = map[*document.Node]bool{}
	}
	r.flawed[n] = true
	return false
}

func (r *payloadReader) checkText(n *document.Node, s *ValueShape) {
	switch {
	case s.Enum != nil:
		if !n.IsText() || !slices.Contains(s.Enum, n.Value) && !s.Name.acceptsName(n.Value) {
			r.addEnumError(n, s.Enum)
		}
	case !n.IsText() || strings.TrimSpace(n.Value) == "":
		r.addTypeError(n, "a string with content")
	case s.Pattern != nil && !s.Pattern.MatchString(n.Value):
		r.addInvalidError(n, s.patternError, n.Value)
	}
}

func (r *payloadReader) checkCount(n *document.Node, s *ValueShape) {
	i, isInteger := readIntegerOfNode(n)
	switch {
	case n.IsText() && slices.Contains(s.Enum, n.Value):
	case n.IsText() && strings.HasPrefix(n.Value, ":"):
		if !identifierPattern.MatchString(n.Value[1:]) {
			r.addInvalidError(n, "%s: %q is not a parameter slot", r.pathForMessage(n), n.Value)
		}
	case !isInteger || i < s.Least:
		r.addInvalidError(n, "%s must be an integer of at least %d, or a parameter slot such as \":n\"; it is %s", r.pathForMessage(n), s.Least, describeValue(n))
	case s.Most > 0 && i > s.Most:
		r.addInvalidError(n, "%s must be an integer of at most %d, is %d", r.pathForMessage(n), s.Most, i)
	}
}

func (r *payloadReader) addTypeError(n *document.Node, what string) {
	r.addInvalidError(n, "%s must be %s, is %s", r.pathForMessage(n), what, describeValue(n))
}

func (r *payloadReader) addEnumError(n *document.Node, allowed []string) {
	hint := "one of " + strings.Join(allowed, ", ")
	if near, ok := suggest.ClosestIfNear(n.Value, allowed); ok && n.IsText() {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	r.addError(CodeInvalidPayload, n, hint, "%s cannot be %s", r.pathForMessage(n), describeValue(n))
}

// readText reads a string, or the literal of a number; "" when absent or flawed.
func (o payloadObjectReader) readText(key string) string {
	if n := o.readMember(key); n != nil {
		return n.Value
	}
	return ""
}

// readTextList reads a list of strings.
func (o payloadObjectReader) readTextList(key string) []string {
	if n := o.readMember(key); n != nil {
		return o.textsOfItems(n)
	}
	return nil
}

// textsOfItems returns the items of a list that are not flawed.
func (o payloadObjectReader) textsOfItems(n *document.Node) []string {
	var out []string
	for _, item := range n.Content {
		if !o.flawed[item] {
			out = append(out, item.Value)
		}
	}
	return out
}

// readBool reads true or false; nil when absent or flawed.
func (o payloadObjectReader) readBool(key string) *bool {
	if n := o.readMember(key); n != nil {
		isTrue := n.Value == "true"
		return &isTrue
	}
	return nil
}

func (o payloadObjectReader) readBoolOrFalse(key string) bool {
	b := o.readBool(key)
	return b != nil && *b
}

// readObjectRef reads a string that names another object.
func (o payloadObjectReader) readObjectRef(key string) ObjectRef {
	if n := o.readMember(key); n != nil {
		return o.newObjectRef(n)
	}
	return ObjectRef{}
}

func (r *payloadReader) newObjectRef(n *document.Node) ObjectRef {
	return ObjectRef{Name: n.Value, Place: r.placeOfNode(n)}
}

// readObjectRefList reads a list of strings that name other objects.
func (o payloadObjectReader) readObjectRefList(key string) []ObjectRef {
	n := o.readMember(key)
	if n == nil {
		return nil
	}
	out := make([]ObjectRef, len(n.Content))
	for i, item := range n.Content {
		out[i] = o.newObjectRef(item)
	}
	return out
}

// readGrain reads a calendar granularity.
func (o payloadObjectReader) readGrain(key string) sqlexpr.Grain {
	g, _ := sqlexpr.ParseGrain(o.readText(key))
	return g
}

// readGrainOrPeriod reads a grain, or the name of a period of a calendar.
func (o payloadObjectReader) readGrainOrPeriod(key string) (sqlexpr.Grain, ObjectRef) {
	n := o.readMember(key)
	if n == nil {
		return sqlexpr.GrainNone, ObjectRef{}
	}
	if g, ok := sqlexpr.ParseGrain(n.Value); ok {
		return g, ObjectRef{}
	}
	return sqlexpr.GrainNone, o.newObjectRef(n)
}

// readGrainsOrPeriods reads a list of grains and of names of periods of calendars.
func (o payloadObjectReader) readGrainsOrPeriods(key string) []ObjectRef {
	n := o.readMember(key)
	if n == nil {
		return nil
	}
	var out []ObjectRef
	for _, item := range n.Content {
		if !o.flawed[item] {
			out = append(out, o.newObjectRef(item))
		}
	}
	return out
}

// readCountOrParamSlot reads an integer, or a slot for one.
func (o payloadObjectReader) readCountOrParamSlot(key string, slots *[]NumberParamSlot) (c catalog.WindowCountOrParam) {
	n := o.readMember(key)
	switch {
	case n == nil:
	case n.IsText():
		c.Param = strings.TrimPrefix(n.Value, ":")
		*slots = append(*slots, NumberParamSlot{c.Param, o.placeOfNode(n)})
	default:
		c.N, _ = readIntegerOfNode(n)
	}
	return c
}

// readInteger reads an integer; absent where it is absent or flawed.
func (o payloadObjectReader) readInteger(key string, absent int) int {
	if n := o.readMember(key); n != nil {
		absent, _ = readIntegerOfNode(n)
	}
	return absent
}

func isFiniteNumber(n *document.Node) bool {
	if !n.IsNumber() {
		return false
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(n.Value), "e")
	underflow := f == 0 && strings.ContainsAny(mantissa, "123456789")
	return err == nil && !underflow
}

// describeValue returns what a value is, for error messages.
func describeValue(n *document.Node) string {
	switch {
	case n.IsText():
		return strconv.Quote(n.Value)
	case n.IsBool():
		return n.Value
	case n.IsNumber():
		return "the number " + n.Value
	}
	return n.Describe()
}

// readIntegerOfNode reads an integer written without fraction or exponent.
func readIntegerOfNode(n *document.Node) (int, bool) {
	if !n.IsNumber() {
		return 0, false
	}
	i, err := strconv.Atoi(n.Value)
	return i, err == nil
}
