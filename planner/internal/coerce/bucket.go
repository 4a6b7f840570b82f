package coerce

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Bucket is the calendar bucket of a time field's value, decoded where it is
// stored as a code.
func Bucket(e sqlexpr.Expr, f *catalog.Field, grain sqlexpr.Grain) sqlexpr.Expr {
	if f.Encoding != nil {
		return &sqlexpr.Bucket{Grain: grain, From: sqlexpr.TypeDate, X: &sqlexpr.Decode{Code: timeCode(f.Encoding), X: e}}
	}
	return &sqlexpr.Bucket{Grain: grain, From: f.Type, X: e}
}

// timeCode returns a field's encoding as a node of the expression tree.
func timeCode(f *catalog.TimeFormat) *sqlexpr.TimeCode {
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
