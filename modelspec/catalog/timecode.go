package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Code returns the encoding as a node of the expression tree has it.
func (f *TimeFormat) Code() *sqlexpr.TimeCode {
	code := &sqlexpr.TimeCode{Text: f.Text, Epoch: f.Epoch, Numeric: f.Numeric}
	at := 1
	for _, p := range f.Layout {
		if p.Token == "" {
			at += len(p.Literal)
			continue
		}
		code.Fields = append(code.Fields, sqlexpr.CodeField{Token: p.Token, Start: at, Len: len(p.Token)})
		at += len(p.Token)
	}
	return code
}
