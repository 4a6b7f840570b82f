package executortest

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/coerce"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

func testValueTypes(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	for _, v := range b.Values {
		t.Run(v.SQL, func(t *testing.T) {
			rows := startQuery(t, e, "SELECT "+v.SQL+" AS v")
			field := rows.Schema().Field(0)
			if !arrow.TypeEqual(v.Type, field.Type) {
				t.Errorf("Arrow type %s, want %s", field.Type, v.Type)
			}
			if kind := executor.TextKindOfField(field); kind != v.Kind {
				t.Errorf("kind %q, want %q", kind, v.Kind)
			}
			want := `[{"v":` + v.JSON + `}]`
			if got := string(collectRowsAsJSON(t, rows, jsonrows.TypeHints{"v": v.Hint}).Rows); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			asArrow := coerce.CoerceRows(startQuery(t, e, "SELECT "+v.SQL+" AS v"), jsonrows.TypeHints{"v": v.Hint})
			if dt := asArrow.Schema().Field(0).Type; v.Typed != nil && !arrow.TypeEqual(v.Typed, dt) {
				t.Errorf("with its hint the Arrow type is %s, want %s", dt, v.Typed)
			}
			if got := string(collectRowsAsJSON(t, asArrow, nil).Rows); got != want {
				t.Errorf("the Arrow column holds %s\nwant %s", got, want)
			}
		})
	}
}

func testNullValues(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	for _, v := range b.Values {
		t.Run(v.SQL, func(t *testing.T) {
			// A null beside a value of the same column: the null has the type
			// of the column, and the value survives its neighbour.
			sql := "SELECT CASE WHEN n = 1 THEN " + v.SQL + " END AS v FROM (SELECT 1 AS n UNION ALL SELECT 2) AS t ORDER BY n"
			result := collectRowsAsJSON(t, startQuery(t, e, sql), jsonrows.TypeHints{"v": v.Hint})
			want := `[{"v":` + v.JSON + `},{"v":null}]`
			if got := string(result.Rows); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
