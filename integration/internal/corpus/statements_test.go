package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStatements_RoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "statements")
	for _, s := range []Statements{
		{"trino": {"joins/one": "SELECT 1\n", "time/three": "SELECT '--'\n-- no marker\n"}, PlanKey: {"joins/one": "Scan\n"}},
		{"doris": {"joins/two": "rejected: type_mismatch\n"}}, // trino is gone
		{},
	} {
		if err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		got, err := ReadStatements(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("-written +read\n%s", diff)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestStatements_CoverEveryConstruct(t *testing.T) {
	s := Statements{}
	s.Add("duckdb", "a/sum", `SELECT SUM(x) AS "MAX(y)" FROM t WHERE a = 'NOT IN'`)
	s.Add("duckdb", "a/plain", `SELECT x FROM t`)
	s.Add("duckdb", "b/lower", `SELECT lower(x) FROM t`)
	s.Add("doris", "a/plain", `SELECT x FROM t WHERE a <=> 1`)
	s.Add("doris", "b/lower", `rejected: not_implemented`)
	s.Add(PlanKey, "c/node", "Limit 1\n  Scan t\n")
	s.Add("duckdb", "c/node", `SELECT x FROM t`)
	for _, tt := range []struct{ list, want []string }{
		{nil, []string{"a/plain", "a/sum", "b/lower", "c/node"}}, // a/plain has <=> of doris alone
		{[]string{"gone/case", "c/node"}, []string{"a/plain", "a/sum", "b/lower", "c/node"}},
	} {
		if diff := cmp.Diff(tt.want, s.Cover(tt.list)); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.list, diff)
		}
	}
	s.Add("duckdb", "d/long", `SELECT SUM(x) AS s, lower(x) FROM t WHERE a = 1 AND b NOT IN (1)`)
	if diff := cmp.Diff([]string{"a/plain", "c/node", "d/long"}, s.Cover([]string{"d/long"})); diff != "" {
		t.Errorf("a listed case stays (-want +got)\n%s", diff)
	}
}

func TestStatements_GoldensNameTheSameText(t *testing.T) {
	s := Statements{}
	s.Add("duckdb", "a/one", "SELECT 1")
	s.Add("postgres", "a/one", "SELECT 1")
	s.Add("mysql", "a/one", "SELECT `1`")
	s.Add("mariadb", "a/one", "SELECT `1`")
	s.Add("doris", "a/one", "rejected: not_implemented")
	want := Statements{"postgres": {"a/one": "as duckdb\n"}, "mysql": {"a/one": "SELECT `1`\n"}, "mariadb": {"a/one": "as mysql\n"}}
	if diff := cmp.Diff(want, s.goldens([]string{"a/one"}, []string{"duckdb"})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got, want := s.rejections(), "a/one doris: rejected: not_implemented\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
