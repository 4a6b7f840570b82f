package integration_test

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/table"
)

func TestMain(m *testing.M) {
	code := shared.RunTests(m)
	closeSubjects()
	os.Exit(code)
}

func TestCorpus_Rows(t *testing.T) {
	for _, b := range backends() {
		t.Run(b.name, func(t *testing.T) {
			b.start(t)
			defer b.stop(t)
			equal, different := 0, 0
			for _, c := range cases(t) {
				if c.ExpectsError() || !c.RunsOnEngine(b.family) {
					continue
				}
				if c.RunSubtest(t, func(t *testing.T) { compareWithOracle(t, b, c) }) {
					equal++
				} else {
					different++
				}
			}
			t.Attr("different", strconv.Itoa(different))
			floor.CheckCount(t, "equal", equal, 600)
		})
	}
}

func compareWithOracle(t *testing.T, b *backend, c *corpus.Case) {
	ctx := t.Context()
	s := subjectOf(t, c)
	got, sql, err := b.run(ctx, s, c)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, c.QueryJSON(), sql)
	}
	want, err := oracleRows(ctx, b, c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := table.Diff(want, got, ordered(t, c)); diff != "" {
		t.Fatalf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.QueryJSON(), sql)
	}
	checkOutputs(t, s, b, c)
	checkRollups(t, s, b, c)
	checkTotalRows(t, s, b, c)
}

// checkTotalRows compares the number of all rows with total_rows.txt where a case has one.
func checkTotalRows(t *testing.T, s *subject, b *backend, c *corpus.Case) {
	want := strings.TrimSpace(c.Section("total_rows.txt"))
	if want == "" {
		return
	}
	_, compiled, err := s.compileFor(t.Context(), c, []byte(c.QueryJSON()), b.dialect, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.ask(t.Context(), c, compiled.CountSQL)
	if err != nil || len(got.Columns) != 1 || got.Columns[0] != "total_rows" || len(got.Rows) != 1 || got.Rows[0][0].Text != want {
		t.Fatalf("%v rows, want %s: %v\n%s", got, want, err, compiled.CountSQL)
	}
	if b.family != "duckdb" {
		return
	}
	q, err := decode(c, []byte(c.QueryJSON()), b.dialect, false)
	if err != nil {
		t.Fatal(err)
	}
	result, err := q.execute(t.Context(), s)
	if err != nil || result.AllRows == nil || strconv.FormatInt(*result.AllRows, 10) != want {
		t.Fatalf("%+v, want %s rows: %v", result, want, err)
	}
}

// oracleRows returns the expected result of a case: its rows, or those of its oracle.
func oracleRows(ctx context.Context, b *backend, c *corpus.Case) (*table.Table, error) {
	if rows := c.Section("rows.txt"); rows != "" {
		return table.FromText(rows)
	}
	return b.ask(ctx, c, c.SectionForEngine("oracle", b.family))
}

// ordered reports whether the query puts its rows in order.
func ordered(t *testing.T, c *corpus.Case) bool {
	var q map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.QueryJSON()), &q); err != nil {
		t.Fatal(err)
	}
	return q["order_by"] != nil || q["limit"] != nil
}

// checkOutputs compares outputs[] with outputs.txt where a case has one.
func checkOutputs(t *testing.T, s *subject, b *backend, c *corpus.Case) {
	text := c.Section("outputs.txt")
	if text == "" {
		return
	}
	_, compiled, err := s.compileFor(t.Context(), c, []byte(c.QueryJSON()), b.dialect, false)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(compiled.Outputs)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("outputs (-want +got):\n%s", diff)
	}
}

// checkRollups compares what the branches read with rollups.json where a case has one: the homes, the rollups, and the rules by which others
// do not serve.
func checkRollups(t *testing.T, s *subject, b *backend, c *corpus.Case) {
	text := c.Section("rollups.json")
	if text == "" {
		return
	}
	_, compiled, err := s.compileFor(t.Context(), c, []byte(c.QueryJSON()), b.dialect, false)
	if err != nil {
		t.Fatal(err)
	}
	type rejection struct{ Rollup, Rule string }
	type use struct {
		Home, Tag string
		Rollup    *string
		WhyNot    []rejection `json:"why_not"`
	}
	var want []use
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	got := []use{}
	for _, u := range compiled.Rollups {
		own := use{Home: u.Home, Tag: u.Tag, Rollup: u.Rollup}
		if u.WhyNot != nil {
			own.WhyNot = []rejection{}
		}
		for _, r := range u.WhyNot {
			own.WhyNot = append(own.WhyNot, rejection{r.Rollup, r.Rule})
		}
		got = append(got, own)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("rollups (-want +got):\n%s", diff)
	}
}

func TestCorpus_Errors(t *testing.T) {
	for _, c := range cases(t) {
		if !c.ExpectsError() {
			continue
		}
		c.RunSubtest(t, func(t *testing.T) {
			want, err := c.ParseExpectedError()
			if err != nil {
				t.Fatal(err)
			}
			dialects := c.Dialects
			if len(dialects) == 0 {
				dialects = []string{"duckdb", "postgres", "mysql"}
			}
			for _, dialect := range dialects {
				expectCaseError(t, c, dialect, want)
			}
		})
	}
}

func expectCaseError(t *testing.T, c *corpus.Case, dialect string, want *corpus.ExpectedError) {
	_, compiled, err := subjectOf(t, c).compileFor(t.Context(), c, []byte(c.QueryJSON()), dialect, false)
	if err == nil {
		t.Fatalf("%s: compiled, want %s\n%s\n%s", dialect, want.Code, c.QueryJSON(), compiled.SQL)
	}
	got, err := wireError(err)
	if err != nil {
		t.Fatal(err)
	}
	if complaints := want.ListDifferences(got); len(complaints) > 0 {
		for _, complaint := range complaints {
			t.Errorf("%s: %s", dialect, complaint)
		}
		t.Fatalf("%s\n%+v", c.QueryJSON(), got)
	}
}
