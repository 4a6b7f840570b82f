package statements

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
)

const parcels = `version: 0.2.0.dev0
semantic_model:
  - name: parcels
    datasets:
      - name: lines
        source: parcel_lines
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: parcel_id, expression: {dialects: [{dialect: ANSI_SQL, expression: parcel_id}]}, datatype: String}
          - {name: item, expression: {dialects: [{dialect: ANSI_SQL, expression: item}]}, datatype: String}
          - {name: postage, expression: {dialects: [{dialect: ANSI_SQL, expression: postage}]}, datatype: Integer}
    metrics:
      - {name: highest, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(lines.postage)}]}}
      - {name: parcel_postage, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(lines.postage)}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "at", "expr": "SUM(highest)", "include": ["lines.parcel_id"]}}'}]}
`

const parcelLines = `CREATE TABLE parcel_lines (id INTEGER, parcel_id VARCHAR, item VARCHAR, postage INTEGER);
INSERT INTO parcel_lines VALUES (1, 'a', 'book', 5), (2, 'a', 'pen', 5), (3, 'b', 'book', 3), (4, 'b', 'book', 3), (5, NULL, 'cup', 4)`

// A metric of the model at another level is a measure of SQL, with the rows of the equivalent SELECT over a SELECT.
func TestStatements_MetricAtAnotherLevelIsTheComposedSelect(t *testing.T) {
	s := newShopOfModel(t, parcels, parcelLines)
	got := s.answerSQL(t, "SELECT item, MEASURE(parcel_postage) AS p FROM lines GROUP BY 1 ORDER BY 1")
	composed := s.answerSQL(t, "SELECT item, SUM(h) AS p FROM (SELECT item, parcel_id, MEASURE(highest) AS h FROM lines GROUP BY 1, 2) t GROUP BY 1 ORDER BY 1")
	want, err := table.FromText("item | p\nbook | 8\ncup | 4\npen | 5\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []*table.Table{got, composed} {
		if diff := table.Diff(want, rows, true); diff != "" {
			t.Error(diff)
		}
	}
	total, err := table.FromText("p\n12\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := table.Diff(total, s.answerSQL(t, "SELECT MEASURE(parcel_postage) AS p FROM lines"), true); diff != "" {
		t.Error(diff)
	}
}
