package coerce

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Bucket is the calendar bucket of a time field's value, decoded where it is
// stored as a code.
func Bucket(e sqlexpr.Expr, f *catalog.Field, grain sqlexpr.Grain) sqlexpr.Expr {
	if f.Encoding != nil {
		return &sqlexpr.Bucket{Grain: grain, From: sqlexpr.TypeDate, X: &sqlexpr.Decode{Code: f.Encoding.Code(), X: e}}
	}
	return &sqlexpr.Bucket{Grain: grain, From: f.Type, X: e}
}
