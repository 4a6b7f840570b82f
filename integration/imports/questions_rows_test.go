package imports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// removeMidnights makes days of timestamps at midnight: MetricFlow has timestamps where a query has days.
func removeMidnights(t *table.Table) {
	for _, row := range t.Rows {
		for i, cell := range row {
			if day, ok := strings.CutSuffix(cell.Text, "T00:00:00"); ok && len(day) == 10 {
				row[i].Text = day
			}
		}
	}
}

// showPeriods replaces the first day of a period by the value of its custom granularity, which MetricFlow
// shows.
func (m *manifest) showPeriods(t *testing.T, db *duckdb.Executor, got *table.Table) error {
	t.Helper()
	for i, column := range got.Columns {
		at := slices.IndexFunc(m.periods, func(period string) bool { return strings.HasSuffix(column, "__"+period) })
		if at < 0 {
			continue
		}
		sql := fmt.Sprintf("SELECT CAST(MIN(ds) AS DATE) AS day, %[1]s AS value FROM %[2]s.%[3]s GROUP BY %[1]s", m.periods[at], sourceSchema, m.spine)
		values, err := servers.QueryTable(t.Context(), db, sql, nil)
		if err != nil {
			return err
		}
		for _, row := range got.Rows {
			for _, value := range values.Rows {
				if value[0] == row[i] {
					row[i] = value[1]
					break
				}
			}
		}
	}
	return nil
}

// arrangeColumns puts the columns of both tables into one order. Columns of the query that the SQL of the question does not
// have are left out: a condition needs them. Otherwise a column with another name takes the place of the one that
// is missing.
func arrangeColumns(want, got *table.Table) {
	if len(got.Columns) > len(want.Columns) {
		var kept []int
		for i, name := range got.Columns {
			if slices.Contains(want.Columns, name) {
				kept = append(kept, i)
			}
		}
		keepColumns(got, kept)
	}
	if len(want.Columns) != len(got.Columns) {
		return
	}
	places, used := make([]int, len(got.Columns)), map[int]bool{}
	for i, name := range got.Columns {
		places[i] = slices.Index(want.Columns, name)
		used[places[i]] = true
	}
	for i := range places {
		for j := 0; places[i] < 0 && j < len(places); j++ {
			if !used[j] {
				places[i], used[j] = j, true
			}
		}
	}
	keepColumns(want, places)
	want.Columns = got.Columns
}

// keepColumns keeps the columns at some places, in their order.
func keepColumns(t *table.Table, places []int) {
	var columns []string
	for _, place := range places {
		columns = append(columns, t.Columns[place])
	}
	t.Columns = columns
	for i, row := range t.Rows {
		var kept table.Row
		for _, place := range places {
			kept = append(kept, row[place])
		}
		t.Rows[i] = kept
	}
}
