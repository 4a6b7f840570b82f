package generate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// TestRun_WordsOfCamelCaseDecideOnRoles reads tables whose names have words that a change of case ends.
func TestRun_WordsOfCamelCaseDecideOnRoles(t *testing.T) {
	out := run(t, generate.Options{}, `
CREATE TABLE "Potters" AS SELECT i + 1 AS "PotterID", 'p' AS "FirstName" FROM range(3) r(i);
CREATE TABLE "KilnFirings" AS SELECT i AS "KilnFiringNo", i % 3 + 1 AS "PotterID", i % 2 AS "OvenNo", TIMESTAMP '2024-01-01 10:00:00' AS "LoadedAt",
  TIMESTAMP '2024-01-02 10:00:00' AS "CreatedAt", i AS "TotalPieces", i AS "UnitPrice", i AS "plates" FROM range(9) r(i)`)
	if got, want := keyTexts(out), "kilnfirings(kilnfiringno) proven; potters(potterid) proven; "; got != want {
		t.Errorf("got the keys %s, want %s", got, want)
	}
	if got, want := edgeTexts(out), "kilnfirings_potters: kilnfirings.potterid -> potters.potterid inferred; "; got != want {
		t.Errorf("got the relationships %s, want %s", got, want)
	}
	text := string(out.Text)
	for _, part := range []string{
		"label: Potter ID\n", "label: First Name\n", "label: Kiln Firing No\n", "label: Total Pieces\n", "label: Created At\n",
		"time_dimension createdat is a guess; other time fields: loadedat",
		"- name: total_totalpieces\n", `"label": "Total of Total Pieces"`, "- name: average_unitprice\n", `"label": "Average of Unit Price"`,
		`"label": "Count of Kiln Firings"`, "- name: total_plates\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	for _, part := range []string{"ovenno)", "label: plates", "Total of plates", "Count of Potters"} {
		if strings.Contains(text, part) {
			t.Errorf("%q is there", part)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestRun_TablesWithoutAKeyAreExplained names what broke each candidate.
func TestRun_TablesWithoutAKeyAreExplained(t *testing.T) {
	const columns = "invoice_no, line_no, amount"
	tests := []struct{ name, script, want string }{
		{
			"duplicates", "CREATE TABLE bills AS SELECT * FROM (VALUES (10, 1, 5), (10, 2, 6), (11, 1, 7), (11, 1, 7), (11, 3, 7)) v(" + columns + ")",
			"bills has no key, because no candidate has a different value in each row: " +
				`invoice_no = "11" is in 3 rows; invoice_no, line_no = "11", "1" is in 2 rows`,
		},
		{
			"missing values", "CREATE TABLE bills AS SELECT * FROM (VALUES (NULL, 1), (NULL, 1), (3, 4)) v(id, amount)",
			"bills has no key, because no candidate has a different value in each row: id has no value in 2 of 3 rows",
		},
		{"no candidate", "CREATE TABLE bills AS SELECT 1 AS amount, 2 AS tax", "bills has no key, because no column has the name of a key"},
		{"no row", "CREATE TABLE bills (id INTEGER)", "bills has no key, because the table has no row"},
		{"a key", "CREATE TABLE bills AS SELECT 1 AS id", ""},
		{"a pair that is a key", "CREATE TABLE bills AS SELECT * FROM (VALUES (10, 1, 5), (10, 2, 6), (11, 1, 7)) v(" + columns + ")", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(run(t, generate.Options{}, tt.script).Report.Notes, "\n"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	if notes := run(t, generate.Options{NoInfer: true}, tests[0].script).Report.Notes; len(notes) != 0 {
		t.Errorf("without proofs the notes are %q", notes)
	}
}

// TestRun_DatesInTextsGetAnExpression checks the notes about texts, and that each expression gives the day of the text.
func TestRun_DatesInTextsGetAnExpression(t *testing.T) {
	const parts = "the datatype Date and the expression CAST(SUBSTRING(d, 7, 4) || '-' || SUBSTRING(d, %, 2) || '-' || SUBSTRING(d, #, 2) AS DATE)"
	dayFirst := strings.NewReplacer("%", "4", "#", "1").Replace(parts)
	monthFirst := strings.NewReplacer("%", "1", "#", "4").Replace(parts)
	tests := []struct{ name, values, want, day string }{
		{"days", "('2024-01-31'), (NULL), ('2023-12-01')", "the datatype Date and the expression CAST(d AS DATE)", "2023-12-01"},
		{"timestamps", "('2024-01-31 10:00:00'), ('2023-12-01 00:00:00')", "the datatype DateTime and the expression CAST(d AS TIMESTAMP)", "2023-12-01"},
		{"day first", "('31/01/2024'), ('01/12/2023')", dayFirst, "2023-12-01"},
		{"month first", "('01/31/2024'), ('12/01/2023')", monthFirst, "2023-12-01"},
		{"either first", "('03/04/2024'), ('01/02/2023')", dayFirst + ", or, if these are MM/dd/yyyy, " + monthFirst, "2023-02-01"},
		{"eight digits", "('20240131'), ('20231201')", "the datatype Date and the expression CAST(SUBSTRING(d, 1, 4) || '-' || SUBSTRING(d, 5, 2) || '-' || SUBSTRING(d, 7, 2) AS DATE)", "2023-12-01"},
		{"points", "('31.01.2024'), ('01.12.2023')", dayFirst, "2023-12-01"},
		{"one text that is not a date", "('2024-01-31'), ('unknown')", "", ""},
		{"one empty text", "('2024-01-31'), ('')", "", ""},
		{"a day that does not exist", "('2024-02-30')", "", ""},
		{"no text", "(NULL::VARCHAR)", "", ""},
		{"a longer text", "('2024-01-31 is a day')", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			script := "CREATE TABLE visits AS SELECT row_number() OVER () AS id, d::VARCHAR AS d FROM (VALUES " + tt.values + ") v(d)"
			var got []string
			for _, note := range run(t, generate.Options{}, script).Report.Notes {
				if strings.HasPrefix(note, "visits.d: ") {
					_, after, _ := strings.Cut(note, "for a time field write ")
					got = append(got, after)
				}
			}
			want := []string{tt.want}
			if tt.want == "" {
				want = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
			if tt.want == "" {
				return
			}
			_, expression, _ := strings.Cut(strings.Split(tt.want, ", or, if these")[0], "the expression ")
			rows, err := openDuckDB(t, script).Query(t.Context(), "SELECT CAST(CAST(MIN("+expression+") AS DATE) AS VARCHAR) AS x FROM visits")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			first, err := jsonrows.CollectResult(t.Context(), rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(`[{"x":"`+tt.day+`"}]`, string(first.Rows)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
