package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const small = `fixture: retail
engines: duckdb postgres
A sum skips NULL.
-- query.json --
{"metrics":["revenue"]}
-- oracle.sql --
SELECT 1
-- oracle.mysql.sql --
SELECT 2
-- plan.txt --
Aggregate
`

func TestCase_ParsesSections(t *testing.T) {
	c, err := parseCase("topic/behaviour", small)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{c.Sentence, c.Fixture, strings.Join(c.Engines, ","), c.Section("query.json"), c.SectionForEngine("oracle", "duckdb"), c.SectionForEngine("oracle", "mysql"), c.Section("rows.txt")}
	want := []string{"A sum skips NULL.", "retail", "duckdb,postgres", `{"metrics":["revenue"]}` + "\n", "SELECT 1\n", "SELECT 2\n", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if c.ExpectsError() || !c.RunsOnEngine("duckdb") || c.RunsOnEngine("mysql") {
		t.Fatal("refusal or engines are misread")
	}
}

func TestCase_DetailQuery(t *testing.T) {
	c, err := parseCase("t/b", "fixture: f\n-- select.json --\n{}\n-- rows.txt --\na\n")
	if err != nil {
		t.Fatal(err)
	}
	if !c.IsDetail() || c.QueryJSON() != "{}\n" {
		t.Fatalf("detail %v, query %q", c.IsDetail(), c.QueryJSON())
	}
}

func TestCase_UpdateKeepsHandwrittenParts(t *testing.T) {
	c, err := parseCase("topic/behaviour", small)
	if err != nil {
		t.Fatal(err)
	}
	c.path = filepath.Join(t.TempDir(), "case.txtar")
	if err := c.UpdateGeneratedSections(map[string]string{"duckdb.sql": "SELECT 4\n", "plan.txt": "Limit\n"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(small, "Aggregate\n", "Limit\n-- duckdb.sql --\nSELECT 4\n", 1)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Fatal(diff)
	}
}

func TestCase_MissingOrExtraSections(t *testing.T) {
	t.Run("a case with missing, repeated or contradicting sections is an error", func(t *testing.T) {
		const query = "-- query.json --\n{}\n"
		tests := map[string]string{
			"no query":        "fixture: f\n-- rows.txt --\na\n",
			"two queries":     "fixture: f\n" + query + "-- select.json --\n{}\n-- rows.txt --\na\n",
			"no data":         query + "-- rows.txt --\na\n",
			"no answer":       "fixture: f\n" + query,
			"two answers":     "fixture: f\n" + query + "-- rows.txt --\na\n-- oracle.sql --\nSELECT 1\n",
			"unknown section": "fixture: f\n" + query + "-- row.txt --\na\n",
			"section twice":   "fixture: f\n" + query + "-- rows.txt --\na\n-- rows.txt --\na\n",
		}
		for name, text := range tests {
			if _, err := parseCase(name, text); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}

func TestCase_ErrorComparedWithExpected(t *testing.T) {
	got := WireError{Code: "c", Message: "m", Metrics: []string{"x"}, Candidates: []string{"b", "a"}, SuggestedRetry: `{"limit": 1, "metrics": ["x"]}`}
	tests := []struct {
		expected string
		complain int
	}{
		{`{"code":"c"}`, 0},
		{`{"code":"d"}`, 1},
		{`{"code":"c","metrics":["x"],"candidates":["b","a"]}`, 0},
		{`{"code":"c","metrics":["y"],"candidates":["a","b"]}`, 2},
		{`{"code":"c","candidates_set":["a","b"],"candidates_include":["a"],"first_candidate":"b"}`, 0},
		{`{"code":"c","candidates_set":["a"],"candidates_include":["z"],"first_candidate":"a"}`, 3},
		{`{"code":"c","retry":{"metrics":["x"],"limit":1},"has":["candidates","suggested_retry","metrics"]}`, 0},
		{`{"code":"c","retry":{"metrics":["x"]},"has":["hint","location"]}`, 3},
		{`{"code":"c","suggested_retry":"words"}`, 1},
	}
	for _, tt := range tests {
		c, err := parseCase("t/b", "fixture: f\n-- query.json --\n{}\n-- error.json --\n"+tt.expected+"\n")
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.ParseExpectedError()
		if err != nil {
			t.Fatal(err)
		}
		if complaints := r.ListDifferences(got); len(complaints) != tt.complain {
			t.Errorf("%s: %d complaints, want %d: %v", tt.expected, len(complaints), tt.complain, complaints)
		}
	}
}

func TestCase_UnknownKeyInErrorFile(t *testing.T) {
	c, err := parseCase("t/b", "fixture: f\n-- query.json --\n{}\n-- error.json --\n{\"code\":\"c\",\"candidate\":[]}\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.ParseExpectedError(); err == nil {
		t.Fatal("a misspelt expectation is accepted")
	}
}
