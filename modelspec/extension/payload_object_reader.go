package extension

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// payloadObjectReader is a JSON object being read against a set of keys.
type payloadObjectReader struct {
	*payloadReader
	n *jsonNode
}

// openObject opens a value that must be an object with no other keys than known.
func (r *payloadReader) openObject(n *jsonNode, known ...string) (payloadObjectReader, bool) {
	if n.kind != jsonObject {
		r.addInvalidError(n, "%s must be an object, is %s", pathForMessage(n), n.describeKind())
		return payloadObjectReader{}, false
	}
	for i, name := range n.keys {
		if !slices.Contains(known, name) {
			r.dropOrReportUnknownMember(n.list[i], name, known)
		}
	}
	return payloadObjectReader{r, n}, true
}

// pathForMessage names a value in a message: its path without the leading dot.
func pathForMessage(n *jsonNode) string {
	if n.parent == nil {
		return "data"
	}
	return strings.TrimPrefix(n.pathInPayload(), ".")
}

// findMember returns a member, nil when it is absent or null.
func (o payloadObjectReader) findMember(key string) *jsonNode {
	if n := o.n.findMember(key); n != nil && n.kind != jsonNull {
		return n
	}
	return nil
}

func (o payloadObjectReader) findRequiredMember(key, what string) *jsonNode {
	n := o.findMember(key)
	if n == nil {
		o.addInvalidError(o.n, "%s needs %s: %s", pathForMessage(o.n), key, what)
	}
	return n
}

// readText reads a string that is not blank; "" when absent or flawed.
func (o payloadObjectReader) readText(key string) string {
	n := o.findMember(key)
	if n == nil {
		return ""
	}
	return o.readRequiredText(n)
}

func (r *payloadReader) readRequiredText(n *jsonNode) string {
	if n.kind != jsonString || strings.TrimSpace(n.text) == "" {
		r.addInvalidError(n, "%s must be a string with content, is %s", pathForMessage(n), n.describeKind())
		return ""
	}
	return n.text
}

// readTextOfClosedSet reads a string out of a closed set; otherwise when absent or flawed.
func (o payloadObjectReader) readTextOfClosedSet(key, otherwise string, allowed ...string) string {
	n := o.findMember(key)
	if n == nil {
		return otherwise
	}
	if n.kind == jsonString && slices.Contains(allowed, n.text) {
		return n.text
	}
	o.addEnumError(n, allowed)
	return otherwise
}

// readTextsOfClosedSet reads a list of strings out of a closed set.
func (o payloadObjectReader) readTextsOfClosedSet(key string, allowed []string) []string {
	var out []string
	n := o.findMember(key)
	if n != nil && n.kind != jsonList {
		o.addInvalidError(n, "%s must be a list of %s, is %s", pathForMessage(n), strings.Join(allowed, ", "), n.describeKind())
		return nil
	}
	if n == nil {
		return nil
	}
	for _, item := range n.list {
		if item.kind == jsonString && slices.Contains(allowed, item.text) {
			out = append(out, item.text)
		} else {
			o.addEnumError(item, allowed)
		}
	}
	return out
}

func (o payloadObjectReader) addEnumError(n *jsonNode, allowed []string) {
	hint := "one of " + strings.Join(allowed, ", ")
	if near, ok := suggest.ClosestIfNear(n.text, allowed); ok && n.kind == jsonString {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	o.addError(CodeInvalidPayload, n, hint, "%s cannot be %s", pathForMessage(n), n.describeKind())
}

// readBool reads true or false; nil when absent or flawed.
func (o payloadObjectReader) readBool(key string) *bool {
	n := o.findMember(key)
	if n == nil {
		return nil
	}
	if n.kind != jsonBool {
		o.addInvalidError(n, "%s must be true or false, is %s", pathForMessage(n), n.describeKind())
		return nil
	}
	return &n.truth
}

func (o payloadObjectReader) readBoolOrFalse(key string) bool {
	b := o.readBool(key)
	return b != nil && *b
}

// readNumberText reads a finite number as its literal; "" when absent or flawed.
func (o payloadObjectReader) readNumberText(key string) string {
	n := o.findMember(key)
	if n == nil {
		return ""
	}
	if !isFiniteNumber(n) {
		o.addInvalidError(n, "%s must be a finite number, is %s", pathForMessage(n), n.describeKind())
		return ""
	}
	return n.text
}

func isFiniteNumber(n *jsonNode) bool {
	if n.kind != jsonNumber {
		return false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(n.text), "e")
	underflow := f == 0 && strings.ContainsAny(mantissa, "123456789")
	return err == nil && !underflow
}

// readIntegerOfNode reads an integer written without fraction or exponent.
func readIntegerOfNode(n *jsonNode) (int, bool) {
	if n.kind != jsonNumber {
		return 0, false
	}
	i, err := strconv.Atoi(n.text)
	return i, err == nil
}

// readTextList reads a list of strings.
func (o payloadObjectReader) readTextList(key string) []string {
	n := o.findMember(key)
	if n == nil {
		return nil
	}
	if n.kind != jsonList {
		o.addInvalidError(n, "%s must be a list of strings, is %s", pathForMessage(n), n.describeKind())
		return nil
	}
	var out []string
	for _, item := range n.list {
		if s := o.readRequiredText(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}
