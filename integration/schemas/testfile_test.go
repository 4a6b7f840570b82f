package schemas_test

import (
	"testing"

	"github.com/semlayer/semlayer/engine/fileschema"
)

func TestTestSchema_AcceptsEveryKey(t *testing.T) {
	s := compiled(t, fileschema.ModelTestFileSchema())
	const text = `
tests:
  - {name: a, query: {metrics: [m], group_by: [{field: d.f, grain: month}], where_sql: x > 1, time_range: {start: "2024-01-01"}, order_by: [{key: m, desc: true}], limit: 5, params: {p: [1, 2]}}, expect: {rows: [{m: 1}], ordered: true, tolerance: 0.001, columns_subset: true}}
  - {name: b, select: {from: d, fields: [f]}, expect: {rows: [[1], [2]], columns: [f]}}
  - {name: c, attribute: {metric: m, dimensions: [d.f], baseline: {start: a, end: b}, current: {start: b, end: c}}, expect: {error: denominator_nonpositive}}
  - {name: d, saved: top, params: {since: "2024-01-01"}, limit: 3, expect: {sql: SELECT 1 AS m, by_position: true}}
  - {name: e, query: {metrics: [m]}, expect: {row_count: 3}}
  - {name: f, query: {metrics: [m]}, expect: {row_count: {min: 1, max: 3}}, skip: later}
  - {name: g, query: {metrics: [m]}, expect: {compiles: true}}
  - {name: h, query: {metrics: [m]}}
`
	if err := s.Validate(valueOf(t, []byte(text))); err != nil {
		t.Error(err)
	}
}

func TestTestSchema_RejectsMistakesOfType(t *testing.T) {
	s := compiled(t, fileschema.ModelTestFileSchema())
	for _, text := range []string{
		`[]`, `{}`, `{tests: {}}`, `{tests: [x]}`, `{tests: [{name: a}]}`, `{tests: [{query: {}}]}`, `{tests: [{name: 1, query: {}}]}`,
		`{tests: [{name: a, query: m}]}`, `{tests: [{name: a, query: {metrics: m}}]}`, `{tests: [{name: a, query: {metrics: [1]}}]}`,
		`{tests: [{name: a, query: {limit: x}}]}`, `{tests: [{name: a, query: {group_by: [f]}}]}`, `{tests: [{name: a, query: {order_by: {key: m}}}]}`,
		`{tests: [{name: a, query: {time_range: [a, b]}}]}`, `{tests: [{name: a, query: {params: [1]}}]}`, `{tests: [{name: a, query: {}, saved: x}]}`,
		`{tests: [{name: a, select: {from: 1}}]}`, `{tests: [{name: a, attribute: {dimensions: f}}]}`, `{tests: [{name: a, saved: {}}]}`,
		`{tests: [{name: a, query: {}, expect: []}]}`, `{tests: [{name: a, query: {}, expect: {rows: {}}}]}`, `{tests: [{name: a, query: {}, expect: {rows: [1]}}]}`,
		`{tests: [{name: a, query: {}, expect: {columns: m}}]}`, `{tests: [{name: a, query: {}, expect: {sql: 1}}]}`, `{tests: [{name: a, query: {}, expect: {row_count: -1}}]}`,
		`{tests: [{name: a, query: {}, expect: {row_count: {}}}]}`, `{tests: [{name: a, query: {}, expect: {error: 1}}]}`, `{tests: [{name: a, query: {}, expect: {compiles: "yes it does"}}]}`,
		`{tests: [{name: a, query: {}, expect: {tolerance: x}}]}`, `{tests: [{name: a, query: {}, skip: true}]}`,
	} {
		if s.Validate(valueOf(t, []byte(text))) == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}
