package importer_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

func TestAliasShadowedColumns_NamesTheColumnsOfTheSourceAgain(t *testing.T) {
	for _, c := range []struct{ source, raw, expression, text, newSource string }{
		{"catches", "", "weight + length", "weight_column + length", "SELECT *, weight AS weight_column FROM catches"},
		{"catches", "", "weight + WEIGHT", "weight_column + weight_column", "SELECT *, weight AS weight_column FROM catches"},
		{"catches", "", "length", "length", "catches"},
		{"catches", "", "weight ->> 'x'", "weight ->> 'x'", "catches"}, // which does not compile
		{`"a"."b"`, "`a.b`", `"weight" * 2`, `"weight_column" * 2`, "SELECT *, `weight` AS `weight_column` FROM `a.b`"},
		{
			"-- all\nSELECT * FROM catches -- of today", "", "weight", "weight_column",
			"SELECT *, weight AS weight_column FROM (SELECT * FROM catches -- of today\n) AS source_rows",
		},
	} {
		columns := importer.ReferencedColumns{Source: c.raw}
		columns.AddElementExpression("weight", "CASE WHEN weight > 1 THEN 'x' END")
		d := &draft.Dataset{Source: c.source}
		text, added := columns.AliasShadowedColumns(d, "total", c.expression)
		if isNew := d.Source != c.source; text != c.text || d.Source != c.newSource || isNew != (len(added) == 1) {
			t.Errorf("%s over %s: %s over %s with %d fields", c.expression, c.source, text, d.Source, len(added))
		}
		if again, added := columns.AliasShadowedColumns(d, "other", c.expression); again != c.text || len(added) > 0 || d.Source != c.newSource {
			t.Errorf("%s the second time: %s over %s", c.expression, again, d.Source)
		}
		if own, _ := columns.AliasShadowedColumns(d, "weight", "weight + 1"); own != "weight + 1" {
			t.Errorf("the element of the name has %s", own)
		}
	}
}
