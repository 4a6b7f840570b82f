package duckdb_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
)

func TestData_PlainDecimalsAreExact(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{
		"sales.csv":         "sale_id,fee,rate,tip\n1,1234567890123456.78,0.5,1e-3\n2,0.01,-.25,2\n3,0.10,1.0,3.5\n4,0.20,,\n",
		"wide.csv":          "fee\n12345678901234567.89\n0.1\n",
		"lines_sales.jsonl": `{"fee": 1234567890123.45, "rate": "x"}` + "\n" + `{"fee": 0.1}` + "\n" + `{"fee": 2}` + "\n" + `{"fee": 0.2}` + "\n",
		"lines_wide.jsonl":  `{"fee": 12345678901234.56}` + "\n",
		"parts/a.csv":       "fee\n0.5\n",
		"parts/b.csv":       "fee\n0.125\n",
		"parts/c.csv":       "fee\n7\n",
	})
	e := openData(t, folder)
	for sql, want := range map[string]string{
		"SELECT typeof(fee) AS fee, typeof(rate) AS rate, typeof(tip) AS tip FROM sales LIMIT 1": `[{"fee":"DECIMAL(18,2)","rate":"DECIMAL(18,2)","tip":"DOUBLE"}]`,
		"SELECT sum(fee) AS fee, sum(rate) AS rate FROM sales":                                   `[{"fee":1234567890123457.09,"rate":1.25}]`,
		"SELECT DISTINCT typeof(fee) AS fee FROM wide":                                           `[{"fee":"DOUBLE"}]`,
		"SELECT typeof(fee) AS fee FROM lines_sales LIMIT 1":                                     `[{"fee":"DECIMAL(15,2)"}]`,
		"SELECT sum(fee) AS fee FROM lines_sales":                                                `[{"fee":1234567890125.75}]`,
		"SELECT typeof(fee) AS fee FROM lines_wide":                                              `[{"fee":"DOUBLE"}]`,
		"SELECT sum(fee) AS fee FROM parts":                                                      `[{"fee":7.625}]`,
	} {
		if d := cmp.Diff(want, query(t, e, sql)); d != "" {
			t.Errorf("%s: %s", sql, d)
		}
	}
}

func TestData_LaterRowsAreNotRoundedToTheDecimalsOfAColumn(t *testing.T) {
	for row, fits := range map[string]bool{
		"0.12": true, "-7": true, "+0.1200": true, ".5": true, "": true, "1.": true,
		"0.125": false, "1e-3": false, "12345678901234567": false, "free": false,
	} {
		folder := t.TempDir()
		writeFiles(t, folder, map[string]string{"a.csv": "id,fee\n1,0.50\n2,0.25\n"})
		e := openData(t, folder)
		appendText(t, filepath.Join(folder, "a.csv"), "3,"+row+"\n")
		_, err := collect(t, e, "SELECT sum(fee) FROM a")
		var failed *executor.Error
		switch {
		case fits && err != nil:
			t.Errorf("%q: %v", row, err)
		case !fits && (!errors.As(err, &failed) || failed.Code != executor.CodeSQLRejected || failed.Hint != `table a, file "a.csv", line 4`):
			t.Errorf("%q: %v, want the line of the row as the hint", row, err)
		}
	}
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{"a.jsonl": `{"fee": 0.5}` + "\n"})
	e := openData(t, folder)
	for _, row := range []string{`{"fee": 0.125}`, `{"fee": 123456789012345.5}`, `{"fee": 1e30}`} {
		appendText(t, filepath.Join(folder, "a.jsonl"), row+"\n")
		_, err := collect(t, e, "SELECT sum(fee) FROM a")
		var failed *executor.Error
		if !errors.As(err, &failed) || failed.Hint != `table a, file "a.jsonl", line 2` {
			t.Errorf("%s: %v", row, err)
		}
	}
}
