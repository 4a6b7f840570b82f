package extension

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// The keys of a body that may hold slots: inside a condition, or as whole JSON values.
var (
	conditionSlotKeys = []string{"where_sql", "context_filter"}
	valueSlotKeys     = []string{"time_range", "time_ranges", "baseline", "current", "limit", "offset", "params"}
)

// bodyWriter writes a body as JSON with its slots apart.
type bodyWriter struct {
	object
	query  *catalog.SavedQuery
	used   map[string]bool // parameters by name
	checks bool            // false: not all parameters or not all slots are known

	text bytes.Buffer
	done []catalog.BodyPart
}

// parts returns the value of a top-level key.
func (w *bodyWriter) parts(key string, n *node) []catalog.BodyPart {
	w.done = nil
	switch {
	case slices.Contains(conditionSlotKeys, key) && n.kind == kindString:
		w.condition(n)
	case slices.Contains(valueSlotKeys, key):
		w.value(n, true)
	default:
		w.value(n, false)
	}
	w.flush()
	return w.done
}

func (w *bodyWriter) flush() {
	if w.text.Len() > 0 {
		w.done = append(w.done, catalog.JSONText(w.text.String()))
		w.text.Reset()
	}
}

// condition writes a condition. One without slots stays as it is written, and so does one
// that does not parse: planning refuses it.
func (w *bodyWriter) condition(n *node) {
	e, err := sqlexpr.ParseLimited(n.text, sqlexpr.QueryLimits())
	if err != nil {
		w.checks = false
		w.string(n.text)
		return
	}
	slots := sqlexpr.Params(e)
	if len(slots) == 0 {
		w.string(n.text)
		return
	}
	for _, s := range slots {
		w.use(n, s.Name)
	}
	w.done = append(w.done, catalog.ConditionSlots{Condition: e})
}

// value writes any JSON value.
func (w *bodyWriter) value(n *node, slots bool) {
	switch n.kind {
	case kindObject:
		w.text.WriteByte('{')
		for i, key := range n.keys {
			w.separate(i)
			w.string(key)
			w.text.WriteByte(':')
			w.value(n.list[i], slots)
		}
		w.text.WriteByte('}')
	case kindList:
		w.text.WriteByte('[')
		for i, item := range n.list {
			w.separate(i)
			w.value(item, slots)
		}
		w.text.WriteByte(']')
	case kindString:
		if name, ok := slotName(n.text); ok && slots {
			w.use(n, name)
			w.flush()
			w.done = append(w.done, catalog.ValueSlot{Param: name})
			return
		}
		w.string(n.text)
	case kindNumber:
		w.text.WriteString(n.text)
	default:
		w.text.WriteString(n.describe())
	}
}

func (w *bodyWriter) separate(i int) {
	if i > 0 {
		w.text.WriteByte(',')
	}
}

func (w *bodyWriter) string(s string) {
	enc := json.NewEncoder(&w.text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)                 // a string always encodes
	w.text.Truncate(w.text.Len() - 1) // the new line of the encoder
}

// slotName returns the parameter of a text that is exactly a slot.
func slotName(text string) (string, bool) {
	name, ok := strings.CutPrefix(text, ":")
	return name, ok && identifier.MatchString(name)
}

// use notes the use of a parameter, which must be declared.
func (w *bodyWriter) use(n *node, name string) {
	if w.query.Param(name) != nil {
		w.used[name] = true
		return
	}
	if !w.checks {
		return
	}
	declared := make([]string, len(w.query.Params))
	for i, p := range w.query.Params {
		declared[i] = p.Name
	}
	hint := "declare it in params of the saved query"
	if near, ok := suggest.Closest(name, declared); ok {
		hint = "did you mean :" + near + "?"
	}
	w.fail(CodeInvalid, n, hint, "the slot :%s names no declared parameter", name)
}
