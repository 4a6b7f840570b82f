package statement

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/semsql/parse"
)

func TestReadSources_ModelAndCatalogueAreKnownByTheirNames(t *testing.T) {
	isRelation := func(n parse.Name) bool { return n.Text == "pg_orders" }
	for text, want := range map[string][2]bool{ // model, catalogue
		"SELECT version()": {false, false},
		"SELECT EXTRACT(year FROM now()), 1 IS DISTINCT FROM 2": {false, false},
		"SELECT * FROM orders": {true, false},
		"SELECT * FROM public.orders o JOIN customers c ON o.a = c.a":      {true, false},
		"SELECT * FROM SEMANTIC_VIEW(shop METRICS revenue)":                {true, false},
		"SELECT * FROM pg_class c, pg_namespace n":                         {false, true},
		"SELECT * FROM pg_catalog.pg_class":                                {false, true},
		`SELECT "pg_catalog".version()`:                                    {false, true},
		"SELECT * FROM pg_orders":                                          {true, false},
		"SELECT * FROM generate_series(1, 3) g":                            {false, false},
		"WITH x AS (SELECT 1 AS a) SELECT * FROM x":                        {false, false},
		"WITH x (a) AS (SELECT status FROM orders) SELECT * FROM x":        {true, false},
		"SELECT * FROM (SELECT * FROM orders) t":                           {true, false},
		"SELECT * FROM orders WHERE 'pg_catalog.pg_class' = status":        {true, false},
		"SELECT * FROM information_schema.tables, orders":                  {true, true},
		"SELECT SUBSTRING(a FROM 1 FOR 2) FROM orders -- pg_catalog.x":     {true, false},
		"SELECT (SELECT COUNT(*) FROM pg_class), TRIM(BOTH FROM 'orders')": {false, true},
	} {
		got, err := ReadQuerySources(text, isRelation)
		if err != nil || [2]bool{got.Model, got.Catalogue} != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
}

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
		"PREPARE p (int, double precision) AS SELECT 1": &Prepare{Name: "p", Types: []string{"int", "double precision"}, Text: "SELECT 1", Before: 37},
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
		_, _ = ReadQuerySources(text, func(parse.Name) bool { return false })
	})
}
