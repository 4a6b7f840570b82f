package statement

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead_StatementsOfASession(t *testing.T) {
	text := func(s string) *string { return &s }
	for sql, want := range map[string]Statement{
		"":                                    &Empty{},
		" ; -- nothing":                       &Empty{},
		"set time zone 'UTC'":                 &Set{Name: "timezone", Value: text("UTC")},
		"SET LOCAL search_path TO a, \"B\"":   &Set{Name: "search_path", Value: text(`a, "B"`), Local: true},
		"SET semlayer.connection = pg;":       &Set{Name: "semlayer.connection", Value: text("pg")},
		"SET x TO DEFAULT":                    &Set{Name: "x"},
		"SHOW TRANSACTION ISOLATION LEVEL":    &Show{Name: "transaction_isolation"},
		"RESET ALL":                           &Reset{},
		"ROLLBACK TRANSACTION TO SAVEPOINT a": &RollbackTo{Name: "a"},
		"COMMIT AND CHAIN":                    &Commit{Chain: true},
		"FETCH FORWARD ALL IN c":              &Fetch{Name: "c", All: true, Count: 1},
		"FETCH -2 FROM c":                     &Fetch{Name: "c", Count: -2},
		"MOVE BACKWARD 3 IN c":                &Fetch{Name: "c", Count: -3, Move: true},
		"DEALLOCATE PREPARE ALL":              &Deallocate{},
		"EXECUTE p (1, -2.5, 'a', NULL, DATE '2024-01-01', '1'::int)": &Execute{Name: "p", Values: []ExecuteConstant{
			{Text: "1", Type: "numeric"}, {Text: "-2.5", Type: "numeric"}, {Text: "a"}, {Null: true}, {Text: "2024-01-01", Type: "date"}, {Text: "1", Type: "int"},
		}},
		"PREPARE p (int, double precision) AS SELECT 1":      &Prepare{Name: "p", Types: []string{"int", "double precision"}, Text: "SELECT 1", Before: 37},
		"PREPARE p (pg_catalog.oid) AS SELECT 1":             &Prepare{Name: "p", Types: []string{"oid"}, Text: "SELECT 1", Before: 30},
		"LOCK TABLE ONLY a.b, c IN ACCESS SHARE MODE NOWAIT": &LockForReading{},
		"COPY (SELECT (1)) TO STDOUT (FORMAT csv, DELIMITER ';')": &Copy{
			Text: "SELECT (1)", Before: 6, CSV: true, Delimiter: ';', Quote: '"', Escape: '"',
		},
	} {
		got, err := Read(sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", sql, diff)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"SET a = 'b'", "FETCH 1 FROM c", "COPY (SELECT 1) TO STDOUT WITH (FORMAT csv)", "EXPLAIN (VERBOSE) SELECT 1", "DECLARE c CURSOR FOR SELECT 1", "BEGIN", "EXECUTE p(1::int)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(text)
		if (s == nil) == (err == nil) {
			t.Errorf("%q: %v %v", text, s, err)
		}
	})
}
