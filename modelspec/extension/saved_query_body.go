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
	conditionKeysWithParamSlots = []string{"where_sql", "context_filter"}
	valueKeysWithParamSlots     = []string{
		"time_range", "time_ranges", "baseline", "current", "limit", "offset", "params",
		"as_of", "time_zone", "top", "compare", "fill",
	}
)

// savedQueryBodySplitter writes a body as JSON with its slots apart.
type savedQueryBodySplitter struct {
	payloadObjectReader
	query  *catalog.SavedQuery
	used   map[string]bool // parameters by name
	checks bool            // false: not all parameters or not all slots are known

	text bytes.Buffer
	done []catalog.SavedBodyPart
}

// splitIntoBodyParts returns the value of a top-level key.
func (w *savedQueryBodySplitter) splitIntoBodyParts(key string, n *jsonNode) []catalog.SavedBodyPart {
	w.done = nil
	switch {
	case slices.Contains(conditionKeysWithParamSlots, key) && n.kind == jsonString:
		w.writeCondition(n)
	case slices.Contains(valueKeysWithParamSlots, key):
		w.writeJSONValueWithSlots(n, true)
	default:
		w.writeJSONValueWithSlots(n, false)
	}
	w.flushPendingText()
	return w.done
}

func (w *savedQueryBodySplitter) flushPendingText() {
	if w.text.Len() > 0 {
		w.done = append(w.done, catalog.SavedBodyJSONText(w.text.String()))
		w.text.Reset()
	}
}

// writeCondition writes a condition. One without slots stays as it is written, and so does one
// that does not parse: planning rejects it.
func (w *savedQueryBodySplitter) writeCondition(n *jsonNode) {
	e, err := sqlexpr.ParseLimited(n.text, sqlexpr.QueryLimits())
	if err != nil {
		w.checks = false
		w.writeString(n.text)
		return
	}
	slots := sqlexpr.ParamSlots(e)
	if len(slots) == 0 {
		w.writeString(n.text)
		return
	}
	for _, s := range slots {
		w.noteParamUse(n, s.Name)
	}
	w.done = append(w.done, catalog.SavedBodyCondition{Condition: e})
}

// writeJSONValueWithSlots writes any JSON value.
func (w *savedQueryBodySplitter) writeJSONValueWithSlots(n *jsonNode, slots bool) {
	switch n.kind {
	case jsonObject:
		w.text.WriteByte('{')
		for i, key := range n.keys {
			w.writeCommaAfterFirst(i)
			w.writeString(key)
			w.text.WriteByte(':')
			w.writeJSONValueWithSlots(n.list[i], slots)
		}
		w.text.WriteByte('}')
	case jsonList:
		w.text.WriteByte('[')
		for i, item := range n.list {
			w.writeCommaAfterFirst(i)
			w.writeJSONValueWithSlots(item, slots)
		}
		w.text.WriteByte(']')
	case jsonString:
		if name, ok := paramNameOfSlot(n.text); ok && slots {
			w.noteParamUse(n, name)
			w.flushPendingText()
			w.done = append(w.done, catalog.SavedBodyParamPlaceholder{Param: name})
			return
		}
		w.writeString(n.text)
	case jsonNumber:
		w.text.WriteString(n.text)
	default:
		w.text.WriteString(n.describeKind())
	}
}

func (w *savedQueryBodySplitter) writeCommaAfterFirst(i int) {
	if i > 0 {
		w.text.WriteByte(',')
	}
}

func (w *savedQueryBodySplitter) writeString(s string) {
	enc := json.NewEncoder(&w.text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)                 // a string always encodes
	w.text.Truncate(w.text.Len() - 1) // the new line of the encoder
}

// paramNameOfSlot returns the parameter of a text that is exactly a slot.
func paramNameOfSlot(text string) (string, bool) {
	name, ok := strings.CutPrefix(text, ":")
	return name, ok && identifierPattern.MatchString(name)
}

// noteParamUse notes the use of a parameter, which must be declared.
func (w *savedQueryBodySplitter) noteParamUse(n *jsonNode, name string) {
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
	if near, ok := suggest.ClosestIfNear(name, declared); ok {
		hint = "did you mean :" + near + "?"
	}
	w.addError(CodeInvalidPayload, n, hint, "the slot :%s names no declared parameter", name)
}
