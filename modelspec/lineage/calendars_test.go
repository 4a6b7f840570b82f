package lineage_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const fiscal = `version: 0.2.0.dev0
name: fiscal
datasets:
  - name: days
    source: days
    primary_key: [d]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "calendar": {"date": "d", "periods": {"fiscal_month": "fm", "fiscal_year": "fy"}}}'}]
    fields:
      - {name: d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
      - {name: fm, expression: {dialects: [{dialect: ANSI_SQL, expression: fm}]}}
      - {name: fy, expression: {dialects: [{dialect: ANSI_SQL, expression: fy}]}}
  - name: sales
    source: sales
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
  - name: of_year
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative", "reset": "fiscal_year"}}'}]
  - name: month_before
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "pop", "offset": "1 fiscal_month"}}'}]
  - name: all_days
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(days.d)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative", "reset": "fiscal_year"}}'}]
`

// A window that counts periods reads their field, and its days find them by a join.
func TestLineage_PeriodsOfWindows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fiscal.yaml")
	if err := os.WriteFile(path, []byte(fiscal), 0o600); err != nil {
		t.Fatal(err)
	}
	got := drawn(whole(t, compiled(t, path)))
	joins := 0
	for _, edge := range got {
		if edge == "dataset:sales joins dataset:days" {
			joins++
		}
	}
	if joins != 1 {
		t.Errorf("%d joins of sales and days in %q", joins, got)
	}
	for edge, want := range map[string]bool{
		"field:days.fy time_axis metric:of_year":      true,
		"field:sales.day time_axis metric:of_year":    true,
		"field:days.fm time_axis metric:month_before": true,
		"field:days.fy time_axis metric:all_days":     true,
		"field:days.fm time_axis metric:of_year":      false,
		"field:days.fy time_axis metric:revenue":      false,
		"dataset:days joins dataset:days":             false,
	} {
		if slices.Contains(got, edge) != want {
			t.Errorf("%s: want %v in %q", edge, want, got)
		}
	}
}
