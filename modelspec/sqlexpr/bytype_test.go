package sqlexpr

import (
	"strings"
	"testing"
	"time"
)

func TestTypesSayWhatOperatorsMean(t *testing.T) {
	tests := []struct{ text, want string }{
		{"d - d", "DATEDIFF('day', d, d)"},
		{"u - d", "DATEDIFF('day', d, u)"},
		{"d + 1", "CAST(DATEADD('day', 1, d) AS DATE)"},
		{"i + d", "CAST(DATEADD('day', i, d) AS DATE)"},
		{"d - i", "CAST(DATEADD('day', -i, d) AS DATE)"},
		{"d - i - d", "DATEDIFF('day', d, CAST(DATEADD('day', -i, d) AS DATE))"},
		{"SUM(d - d) > 1", "SUM(DATEDIFF('day', d, d)) > 1"},
		{"MAX(d) - MIN(d) + 1", "DATEDIFF('day', MIN(d), MAX(d)) + 1"},
		{"COALESCE(d + 1, d)", "COALESCE(CAST(DATEADD('day', 1, d) AS DATE), d)"},
		{"d - u", "CAST(d AS DATE) - u"},
		{"u + d", "u + CAST(d AS DATE)"},
		{"d + n", "CAST(d AS DATE) + n"},
		{"t - t", "CAST(t AS TIMESTAMP) - CAST(t AS TIMESTAMP)"},
		{"t - z", "CAST(t AS TIMESTAMP) - CAST(z AS TIMESTAMPTZ)"},
		{"u - t", "u - CAST(t AS TIMESTAMP)"},
		{"CAST(b AS INTEGER)", "CAST(CASE WHEN b THEN 1 WHEN NOT b THEN 0 END AS INTEGER)"},
		{"CAST(b AS VARCHAR)", "CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END"},
		{"CAST(b AS VARCHAR(1))", "CAST(CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END AS VARCHAR(1))"},
		{"b || s", "CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END || s"},
		{"s || (i > 1)", "s || CASE WHEN i > 1 THEN 'true' WHEN NOT i > 1 THEN 'false' END"},
		{"CONCAT(s, b)", "CONCAT(s, CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END)"},
		{"LOWER(CAST(b AS VARCHAR)) = 'true' AND d - d > 1", "LOWER(CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END) = 'true' AND DATEDIFF('day', d, d) > 1"},
	}
	for _, test := range tests {
		if got := Format(ByType(mustParse(t, test.text), columnTypes)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestWhatIsPlainStaysTheSameTree(t *testing.T) {
	for _, text := range []string{
		"i + 1", "u - u", "i - n * f", "d + INTERVAL '1' DAY", "INTERVAL '1' DAY + t", "DATE '2024-01-31' + 1", "DATE '2024-01-31' - DATE '2024-01-01'",
		"CURRENT_TIMESTAMP - CURRENT_TIMESTAMP", "CAST(i > 1 AS INTEGER)", "CAST(i AS VARCHAR)", "CAST(b AS BOOLEAN)", "s || i", "CONCAT(s, i)", "d > DATE '2024-01-31'",
	} {
		if e := mustParse(t, text); ByType(e, columnTypes) != e {
			t.Errorf("%s became %s", text, Format(ByType(e, columnTypes)))
		}
	}
	if ByType(nil, columnTypes) != nil {
		t.Error("nothing became something")
	}
}

// A generated chain must not cost the square of its length.
func TestLongSumsAreTypedInOnePass(t *testing.T) {
	e := mustParse(t, "d"+strings.Repeat(" + i", 400))
	start := time.Now()
	if got := ByType(e, columnTypes); TypeOf(got, columnTypes) != TypeDate {
		t.Error("a date and days are no date")
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %s", took)
	}
}
