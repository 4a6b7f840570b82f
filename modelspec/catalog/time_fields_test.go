package catalog_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestGrains_NotFinerThanStored(t *testing.T) {
	yyyymm := &catalog.TimeFormat{Grain: sqlexpr.GrainMonth}
	millis := &catalog.TimeFormat{Epoch: "millis"}
	for _, c := range []struct {
		what  string
		field catalog.Field
		want  string
	}{
		{"a date", catalog.Field{IsTime: true, Type: sqlexpr.TypeDate}, "day week month quarter year"},
		{"a time field of no declared type", catalog.Field{IsTime: true}, "second minute hour day week month quarter year"},
		{"a date stored by quarter", catalog.Field{IsTime: true, Type: sqlexpr.TypeDate, Granularity: sqlexpr.GrainQuarter}, "quarter year"},
		{"a number that is a time field", catalog.Field{IsTime: true, Type: sqlexpr.TypeInt}, ""},
		{"a date that is not a time field", catalog.Field{Type: sqlexpr.TypeDate}, ""},
		{"a number that encodes months", catalog.Field{IsTime: true, Type: sqlexpr.TypeInt, Encoding: yyyymm}, "month quarter year"},
		{"an encoding coarser than declared", catalog.Field{Encoding: yyyymm, Granularity: sqlexpr.GrainDay}, "month quarter year"},
		{"an encoding finer than declared", catalog.Field{Encoding: yyyymm, Granularity: sqlexpr.GrainYear}, "year"},
		{"an epoch", catalog.Field{Encoding: millis}, "second minute hour day week month quarter year"},
	} {
		names := []string{}
		for _, g := range c.field.Grains() {
			names = append(names, g.String())
		}
		if got := strings.Join(names, " "); got != c.want || c.field.AllowsTimeGrains() != (got != "") {
			t.Errorf("%s: %s, calendar %v; want %s", c.what, got, c.field.AllowsTimeGrains(), c.want)
		}
	}
}
