package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// smoked runs the program in an environment.
func smoked(t *testing.T, env map[string]string, asked []question, wanted ...string) (string, error) {
	t.Helper()
	for name, value := range env { // the profile reads the process's environment
		t.Setenv(name, value)
	}
	var out bytes.Buffer
	err := checkWarehouseAnswers(t.Context(), &out, func(name string) (string, bool) { v, ok := env[name]; return v, ok }, wanted, asked)
	return out.String(), err
}

func at(name string, s *localdb.Server) map[string]string {
	prefix := envVariablePrefix + strings.ToUpper(name) + "_"
	return map[string]string{
		prefix + "HOST": s.Host, prefix + "PORT": strconv.Itoa(s.Port), prefix + "USERNAME": s.User,
		prefix + "PASSWORD": s.Password, prefix + "DATABASE": s.Database,
	}
}

func inMemory() map[string]string {
	return map[string]string{envVariablePrefix + "DUCKDB_URI": ":memory:"}
}

func TestRun_MeetsTheServicesThatAreConfigured(t *testing.T) {
	for name, env := range map[string]func(*testing.T) map[string]string{
		"duckdb":   func(*testing.T) map[string]string { return inMemory() },
		"postgres": func(t *testing.T) map[string]string { return at("postgres", servers.Postgres(t)) },
		// A type of the family: its settings and its dialect differ, the server is the same.
		"cockroachdb": func(t *testing.T) map[string]string { return at("cockroachdb", servers.Postgres(t)) },
		"mariadb":     func(t *testing.T) map[string]string { return at("mariadb", servers.MariaDB(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			out, err := smoked(t, env(t), questions())
			met := regexp.MustCompile(`(?m)^met +` + name + ` +` + strconv.Itoa(len(questions())) + ` questions, `)
			if err != nil || !met.MatchString(out) || !strings.HasSuffix(out, "\n1 met\n") {
				t.Errorf("%v\n%s", err, out)
			}
			// A service that is not configured has not passed.
			if !strings.Contains(out, "\nnot met  snowflake    no variable SEMLAYER_SMOKE_SNOWFLAKE_… is set\n") {
				t.Errorf("snowflake is not reported:\n%s", out)
			}
		})
	}
}

func TestRun_FailsOnAWrongRow(t *testing.T) {
	asked := questions()[:2]
	asked[1].rows = strings.Replace(asked[1].rows, "30 ", "31 ", 1)
	out, err := smoked(t, inMemory(), asked)
	if err == nil || !strings.Contains(out, "failed   duckdb       1 of 2 questions") || !strings.Contains(out, "- 1 ") && !strings.Contains(out, "open | 31") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestRun_FailsWithoutAService(t *testing.T) {
	out, err := smoked(t, nil, questions())
	if err == nil || !strings.HasSuffix(out, "\n0 met\n") || strings.Count(out, "not met") != len(betaConnectionTypes) {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := smoked(t, inMemory(), questions()[:1], "duckdb", "bigquery"); err == nil || !strings.Contains(out, "not met  bigquery") || !strings.Contains(out, "met      duckdb") {
		t.Errorf("a service that is named and not configured: %v\n%s", err, out)
	}
	if _, err := smoked(t, inMemory(), questions(), "oracle"); err == nil {
		t.Error("a service that does not exist passes")
	}
}

// A service that cannot be reached fails once, and its secret is not shown.
func TestRun_FailsOnceWhereNothingAnswers(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"trino":     {"HOST": "127.0.0.1", "PORT": "1", "USERNAME": "u"},
		"redshift":  {"HOST": "127.0.0.1", "PORT": "1", "USERNAME": "u", "PASSWORD": "c4n4ry", "SSLMODE": "disable"},
		"snowflake": {"ACCOUNT": "a"},
	} {
		set := inMemory()
		for key, value := range env {
			set[envVariablePrefix+strings.ToUpper(name)+"_"+key] = value
		}
		out, err := smoked(t, set, questions())
		if err == nil || !strings.Contains(out, "failed   "+name) || strings.Count(out, "         a ") != 1 || !strings.Contains(out, "met      duckdb") || strings.Contains(out, "c4n4ry") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Every question compiles for every type, so that a run of a service that is configured for the first
// time is not wasted.
func TestQuestions_CompileForEveryType(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{ModelText: modelYAML})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	compiled := 0
	for _, info := range e.Capabilities().Dialects {
		dialect := info.Name
		if dialect == "sqlite" {
			continue // it has no type DATE to cast to
		}
		for _, q := range questions() {
			var err error
			if q.detail {
				d, _ := query.DecodeDetail([]byte(q.body))
				d.Dialect = dialect
				_, err = prepare.SQL(t.Context(), e, d)
			} else {
				m, _ := query.DecodeMetric([]byte(q.body))
				m.Dialect = dialect
				_, err = prepare.SQL(t.Context(), e, m)
			}
			if unable := slices.Contains(q.unable, dialect); (err != nil) != unable {
				t.Errorf("%s: %s: %v, want an error: %v", dialect, q.name, err, unable)
			}
			compiled++
		}
	}
	if compiled < 13*len(questions()) {
		t.Errorf("%d statements", compiled)
	}
}

// docs/connections.md labels the same types as beta.
func TestBeta_IsWhatThePageLabels(t *testing.T) {
	text, err := os.ReadFile("../../docs/connections.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| \*\*beta\*\* \|([^|]*)\|`).FindSubmatch(text)
	if row == nil {
		t.Fatal("the page has no row of beta")
	}
	var listed []string
	for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllSubmatch(row[1], -1) {
		listed = append(listed, string(m[1]))
	}
	if d := cmp.Diff(slices.Sorted(slices.Values(betaConnectionTypes)), slices.Sorted(slices.Values(listed))); d != "" {
		t.Errorf("- is the program, + is the page\n%s", d)
	}
	for _, s := range connectionTypes(func(string) (string, bool) { return "", false }) {
		if !strings.Contains(string(text), "`"+s.name+"`") {
			t.Errorf("%s is not on the page", s.name)
		}
	}
}
