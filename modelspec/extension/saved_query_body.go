package extension

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// The keys of a body that may hold slots: inside a condition, or as whole JSON values.
var (
	conditionKeysWithParamSlots = []string{"where_sql", "context_filter"}
	valueKeysWithParamSlots     = []string{
		"time_range", "time_ranges", "baseline", "current", "limit", "offset", "params",
		"as_of", "time_zone", "top", "compare", "fill", "sequences",
	}
)

// conditionInside returns the key inside the value of a top-level key that holds a condition; "" where none does.
func conditionInside(key string) string {
	switch key {
	case "sequences": // of a step
		return "where"
	case "top": // of its rank
		return "where_sql"
	}
	return ""
}

// savedQueryBodySplitter writes a body as JSON with its slots apart.
type savedQueryBodySplitter struct {
	payloadObjectReader
	query  *catalog.SavedQuery
	used   map[string]bool // parameters by name
	checks bool            // false: not all parameters or not all slots are known

	condition string // the key inside the value at hand that holds a condition; "" where none does
	text      bytes.Buffer
	done      []catalog.SavedBodyPart
}

// splitIntoBodyParts returns the value of a top-level key.
func (w *savedQueryBodySplitter) splitIntoBodyParts(key string, n *document.Node) []catalog.SavedBodyPart {
	w.done, w.condition = nil, conditionInside(key)
	switch {
	case slices.Contains(conditionKeysWithParamSlots, key) && n.IsText():
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
func (w *savedQueryBodySplitter) writeCondition(n *document.Node) {
	e, err := sqlexpr.ParseLimited(n.Value, sqlexpr.QueryLimits())
	if err != nil {
		w.checks = false
		w.writeString(n.Value)
		return
	}
	slots := sqlexpr.ParamSlots(e)
	if len(slots) == 0 {
		w.writeString(n.Value)
		return
	}
	for _, s := range slots {
		w.noteParamUse(n, s.Name)
	}
	w.flushPendingText()
	w.done = append(w.done, catalog.SavedBodyCondition{Condition: e})
}

// writeJSONValueWithSlots writes any JSON value.
func (w *savedQueryBodySplitter) writeJSONValueWithSlots(n *document.Node, slots bool) {
	switch {
	case n.Kind == document.MappingNode:
		w.text.WriteByte('{')
		for i := 0; i < len(n.Content); i += 2 {
			w.writeCommaAfterFirst(i)
			w.writeString(n.Content[i].Value)
			w.text.WriteByte(':')
			if n.Content[i].Value == w.condition && n.Content[i+1].IsText() {
				w.writeCondition(n.Content[i+1])
				continue
			}
			w.writeJSONValueWithSlots(n.Content[i+1], slots)
		}
		w.text.WriteByte('}')
	case n.Kind == document.SequenceNode:
		w.text.WriteByte('[')
		for i, item := range n.Content {
			w.writeCommaAfterFirst(i)
			w.writeJSONValueWithSlots(item, slots)
		}
		w.text.WriteByte(']')
	case n.IsText():
		if name, ok := paramNameOfSlot(n.Value); ok && slots {
			w.noteParamUse(n, name)
			w.flushPendingText()
			w.done = append(w.done, catalog.SavedBodyParamPlaceholder{Param: name})
			return
		}
		w.writeString(n.Value)
	default:
		w.text.WriteString(n.Value)
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
func (w *savedQueryBodySplitter) noteParamUse(n *document.Node, name string) {
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
