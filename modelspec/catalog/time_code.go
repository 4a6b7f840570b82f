package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// ToTimeCode returns the encoding as a node of the expression tree has it.
func (t *TimeFormat) ToTimeCode() *sqlexpr.TimeCode {
	code := &sqlexpr.TimeCode{Text: t.Text, Epoch: t.Epoch, Numeric: t.Numeric}
	at := 1
	for _, p := range t.Layout {
		if p.Token == "" {
			at += len(p.Literal)
			continue
		}
		code.Fields = append(code.Fields, sqlexpr.TimeLayoutField{Token: p.Token, Start: at, Len: len(p.Token)})
		at += len(p.Token)
	}
	return code
}
