package saved

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// printFilledBody prints the saved body without the keys that the request replaces, its slots filled.
func (b *savedQueryBinding) printFilledBody() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, key := range b.saved.Body {
		if slices.Contains(b.use.Replaced, key.Name) {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		if err := writeJSON(&out, key.Name); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		for _, part := range key.Parts {
			if err := b.writeBodyPart(&out, part); err != nil {
				return nil, err
			}
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (b *savedQueryBinding) writeBodyPart(out *bytes.Buffer, part catalog.SavedBodyPart) error {
	switch part := part.(type) {
	case catalog.SavedBodyJSONText:
		out.WriteString(string(part))
		return nil
	case catalog.SavedBodyParamPlaceholder:
		v, err := b.slotValue(part.Param)
		if err != nil {
			return err
		}
		return writeJSON(out, v.JSON)
	case catalog.SavedBodyCondition:
		condition, err := b.fillSlots(part.Condition)
		if err != nil {
			return err
		}
		return writeJSON(out, sqlexpr.Format(condition))
	}
	return nil
}

// fillSlots replaces the slots of a condition by literals.
func (b *savedQueryBinding) fillSlots(condition sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(condition, func(e sqlexpr.Expr) sqlexpr.Expr {
		slot, ok := e.(*sqlexpr.Param)
		if !ok || failed != nil {
			return nil
		}
		v, err := b.slotValue(slot.Name)
		if err != nil {
			failed = err
			return nil
		}
		return v.Expr
	})
	return out, failed
}

func writeJSON(out *bytes.Buffer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the new line of the encoder
	return nil
}
