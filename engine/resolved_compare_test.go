package engine_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// The earlier range of a comparison by weekdays is in JSON after resolved_time_range, in the metadata of Arrow and in compile.
func TestResult_NamesTheRangeThatWeekdaysMeet(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT DATE '2024-03-04' AS day, 1 AS x
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.x)}]}}
`
	e := open(t, engine.Config{ModelText: []byte(model)})
	const span = `{"metrics":["total"],"time_range":{"start":"2024-03-04","end":"2024-03-11","dimension":"a.day"},"limit":5,`
	const want = `[{"name":"ly","start":"2023-03-06","end":"2023-03-13"}]`
	aligned := span + `"compare":{"name":"ly","offset":{"count":1,"unit":"year"},"align":"weekday"}}`
	if text := string(answered(t, e, aligned)); !strings.HasSuffix(text, `"limit":5,"resolved_compare":`+want+`}`) {
		t.Error(text)
	}
	if got := metadata(t, e, aligned)["resolved_compare"]; got != want {
		t.Errorf("the Arrow schema has %s", got)
	}
	several := span + `"compare":[{"offset":{"count":1,"unit":"month"}},{"name":"ly","offset":{"count":1,"unit":"year"},"align":"weekday"}]}`
	if text := string(answered(t, e, several)); !strings.HasSuffix(text, `"resolved_compare":[{"start":"2024-02-04","end":"2024-02-11"},{"name":"ly","start":"2023-03-06","end":"2023-03-13"}]}`) {
		t.Error(text)
	}
	listed := span + `"compare":[{"name":"m","offset":{"count":1,"unit":"month"}}]}`
	if text := string(answered(t, e, listed)); !strings.HasSuffix(text, `"resolved_compare":[{"name":"m","start":"2024-02-04","end":"2024-02-11"}]}`) {
		t.Error(text)
	}
	if one, object := string(answered(t, e, span+`"compare":[{"offset":{"count":1,"unit":"year"}}]}`)), string(answered(t, e, span+`"compare":{"offset":{"count":1,"unit":"year"}}}`)); one != object {
		t.Errorf("a list of one item has %s, and the item %s", one, object)
	}
	plain := span + `"compare":{"offset":{"count":1,"unit":"year"}}}`
	if text := string(answered(t, e, plain)); strings.Contains(text, "resolved_compare") {
		t.Error(text)
	}
	last := `{"metrics":["total"],"time_range":{"last":{"n":1,"unit":"week"},"dimension":"a.day"},"as_of":"2024-03-12","compare":{"offset":{"count":1,"unit":"year"},"align":"weekday"}}`
	c, err := askSQL(t.Context(), e, metricQuery(t, last))
	if err != nil || len(c.ResolvedCompare) != 1 || c.ResolvedCompare[0] != (engine.ResolvedCompare{Start: "2023-03-06", End: "2023-03-13"}) {
		t.Errorf("%+v %v", c, err)
	}
}
