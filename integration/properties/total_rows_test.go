package properties_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

// compareTotalRows asks a question once more, with the number of all rows, and compares that number with the reference's.
func (s *subject) compareTotalRows(ctx context.Context, q planeQuery, want expectation) string {
	p, err := q.plane().prepare(`{"count":true,` + strings.TrimPrefix(q.json(), "{"))
	if err != nil {
		return err.Error()
	}
	result, err := p.execute(ctx, s.engine)
	if err != nil {
		return fmt.Sprintf("with count the engine fails: %v", err)
	}
	if result.AllRows == nil || *result.AllRows != int64(want.result.Total) {
		return fmt.Sprintf("total_rows is %s, and the reference has %d rows", jsonOf(result.AllRows), want.result.Total)
	}
	for _, r := range s.replicas {
		compiled, err := p.compile(ctx, s.engine, r.server.Dialect)
		if err != nil {
			if code := codeOf(err); code == "dialect_unsupported_window_function" || code == "dialect_unsupported_aggregate" {
				continue
			}
			return fmt.Sprintf("%s: %v", r.server.Dialect, err)
		}
		got, err := servers.QueryTable(ctx, r.db, compiled.CountSQL, nil)
		switch {
		case err != nil:
			return fmt.Sprintf("%s: the count fails: %v", r.server.Dialect, err)
		case len(got.Rows) != 1 || got.Rows[0][0].Text != decimal(float64(want.result.Total)) && got.Rows[0][0].Text != fmt.Sprint(want.result.Total):
			return fmt.Sprintf("%s: the count is %v, and the reference has %d rows\n%s", r.server.Dialect, got.Rows, want.result.Total, compiled.CountSQL)
		}
	}
	return ""
}

// hasTotalRowsChecked chooses the questions whose number of rows is compared: a third of them.
func hasTotalRowsChecked(q planeQuery) bool { return len(q.json())%3 == 0 }

func TestLaws_TotalRowsAreTheSameOnEveryPage(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		q := r.question()
		q.Limit, q.Offset = nil, 0
		all, _, err := s.answer(t.Context(), q.json())
		if err != nil || len(all.Rows) < 2 {
			return false
		}
		size := 1 + r.IntN(len(all.Rows)-1)
		q.Limit = &size
		for ; q.Offset <= len(all.Rows); q.Offset += size { // the last page may be beyond the rows
			var answer struct {
				Total *int `json:"total_rows"`
			}
			body, err := prepareMetric([]byte(`{"count":true,` + strings.TrimPrefix(q.json(), "{")))
			if err != nil {
				t.Fatal(err)
			}
			result, err := body.execute(t.Context(), s.engine)
			if err != nil {
				t.Fatal(err)
			}
			text, err := result.Body()
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &answer); err != nil || answer.Total == nil || *answer.Total != len(all.Rows) {
				t.Errorf("%s has %d rows without limit and offset, and total_rows is not: %s", q.json(), len(all.Rows), text)
			}
		}
		return true
	})
}
