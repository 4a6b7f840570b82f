package extension

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// object is a JSON object being read against a set of keys.
type object struct {
	*reader
	n *node
}

// object opens a value that must be an object with no other keys than known.
func (r *reader) object(n *node, known ...string) (object, bool) {
	if n.kind != kindObject {
		r.invalid(n, "%s must be an object, is %s", valueLabel(n), n.describe())
		return object{}, false
	}
	for i, name := range n.keys {
		if !slices.Contains(known, name) {
			r.unknown(n.list[i], name, known)
		}
	}
	return object{r, n}, true
}

// valueLabel names a value in a message: its path without the leading dot.
func valueLabel(n *node) string {
	if n.parent == nil {
		return "data"
	}
	return strings.TrimPrefix(n.path(), ".")
}

// get returns a member, nil when it is absent or null.
func (o object) get(key string) *node {
	if n := o.n.member(key); n != nil && n.kind != kindNull {
		return n
	}
	return nil
}

func (o object) requireKey(key, what string) *node {
	n := o.get(key)
	if n == nil {
		o.invalid(o.n, "%s needs %s: %s", valueLabel(o.n), key, what)
	}
	return n
}

// str reads a string that is not blank; "" when absent or flawed.
func (o object) str(key string) string {
	n := o.get(key)
	if n == nil {
		return ""
	}
	return o.text(n)
}

func (r *reader) text(n *node) string {
	if n.kind != kindString || strings.TrimSpace(n.text) == "" {
		r.invalid(n, "%s must be a string with content, is %s", valueLabel(n), n.describe())
		return ""
	}
	return n.text
}

// enum reads a string out of a closed set; otherwise when absent or flawed.
func (o object) enum(key, otherwise string, allowed ...string) string {
	n := o.get(key)
	if n == nil {
		return otherwise
	}
	if n.kind == kindString && slices.Contains(allowed, n.text) {
		return n.text
	}
	hint := "one of " + strings.Join(allowed, ", ")
	if near, ok := suggest.Closest(n.text, allowed); ok && n.kind == kindString {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	o.fail(CodeInvalid, n, hint, "%s cannot be %s", valueLabel(n), n.describe())
	return otherwise
}

// boolean reads true or false; nil when absent or flawed.
func (o object) boolean(key string) *bool {
	n := o.get(key)
	if n == nil {
		return nil
	}
	if n.kind != kindBool {
		o.invalid(n, "%s must be true or false, is %s", valueLabel(n), n.describe())
		return nil
	}
	return &n.truth
}

func (o object) flag(key string) bool {
	b := o.boolean(key)
	return b != nil && *b
}

// number reads a finite number as its literal; "" when absent or flawed.
func (o object) number(key string) string {
	n := o.get(key)
	if n == nil {
		return ""
	}
	if !isFinite(n) {
		o.invalid(n, "%s must be a finite number, is %s", valueLabel(n), n.describe())
		return ""
	}
	return n.text
}

func isFinite(n *node) bool {
	if n.kind != kindNumber {
		return false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(n.text), "e")
	underflow := f == 0 && strings.ContainsAny(mantissa, "123456789")
	return err == nil && !underflow
}

// integer reads an integer written without fraction or exponent.
func integer(n *node) (int, bool) {
	if n.kind != kindNumber {
		return 0, false
	}
	i, err := strconv.Atoi(n.text)
	return i, err == nil
}

// texts reads a list of strings.
func (o object) texts(key string) []string {
	n := o.get(key)
	if n == nil {
		return nil
	}
	if n.kind != kindList {
		o.invalid(n, "%s must be a list of strings, is %s", valueLabel(n), n.describe())
		return nil
	}
	var out []string
	for _, item := range n.list {
		if s := o.text(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}
