package sqlemit_test

import (
	"testing"

	"github.com/semlayer/semlayer/sqlemit"
)

func TestTiDB_AndWithUnknownOperands(t *testing.T) {
	t.Run("TiDB's AND of FALSE and NULL is written as a CASE where its NULL matters", func(t *testing.T) {
		d, _ := sqlemit.LookupDialect("tidb")
		const (
			no  = "CASE WHEN NOT `t`.a THEN FALSE WHEN NOT `t`.b THEN FALSE "
			and = no + "WHEN `t`.a IS NULL THEN NULL WHEN `t`.b IS NULL THEN NULL ELSE TRUE END"
			all = no + "WHEN NOT `t`.c THEN FALSE WHEN `t`.a IS NULL THEN NULL WHEN `t`.b IS NULL THEN NULL WHEN `t`.c IS NULL THEN NULL ELSE TRUE END"
		)
		for text, want := range map[string]string{
			"(t.a AND t.b) IS FALSE":         and + " IS FALSE",
			"(t.a AND t.b AND t.c) IS FALSE": all + " IS FALSE",
			"(t.a AND t.b) IS NOT NULL":      and + " IS NOT NULL",
			"(t.a AND t.b) IS TRUE":          "(`t`.a AND `t`.b) IS TRUE",
			"NOT (t.a AND t.b)":              "NOT (`t`.a AND `t`.b)",
			"(t.a AND t.b) = t.c":            and + " = `t`.c",
			"COALESCE(t.a AND t.b, t.c)":     "COALESCE(" + and + ", `t`.c)",
			"t.a IN (1, t.b)":                "`t`.a = 1 OR `t`.a = `t`.b",
			"t.until IN (1, 2)":              "`t`.`until` IN (1, 2)",
		} {
			got, err := expression(parse(t, text), d)
			if err != nil || got != want {
				t.Errorf("%s: %v\ngot  %s\nwant %s", text, err, got, want)
			}
		}
	})
}
