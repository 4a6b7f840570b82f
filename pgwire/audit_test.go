package pgwire_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/pgwire"
)

// auditLines reads the lines of a log.
func auditLines(t *testing.T, path string) (out []map[string]any) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var line map[string]any
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		out = append(out, line)
	}
	return out
}

func TestAudit_HasTheStatementsOverTheModelAndRefusedSignIns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := audit.Open(audit.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	f := newFakeIdentities(t, portPolicies, portTokens)
	f.tokens = append(f.tokens, access.PlainToken("another"))
	p := startPort(t, func(c *pgwire.Config) { c.Identities, c.Audit = f, log })
	conn := connect(t, p.urlOf("dash", "dash-token")).PgConn()
	for _, sql := range []string{
		"SELECT status, MEASURE(revenue) AS r FROM orders WHERE status <> 'canaryword' GROUP BY 1",
		"SELECT nope FROM orders WHERE status = 'canaryword'",
		"SHOW TimeZone", // reads nothing of the model
	} {
		_, _ = conn.Exec(t.Context(), sql).ReadAll()
	}
	extended := conn.ExecParams(t.Context(), "SELECT COUNT(*) FROM orders WHERE status = $1", [][]byte{[]byte("canaryword")}, nil, nil, nil).Read()
	if extended.Err != nil {
		t.Error(extended.Err)
	}
	_ = conn.ExecParams(t.Context(), "SELECT missing FROM orders", nil, nil, nil, nil).Read()
	for user, password := range map[string]string{"dash": "wrong", "half": "half-token", "another": "dash-token"} {
		if _, err := pgconn.Connect(t.Context(), p.urlOf(user, password)); err == nil {
			t.Errorf("%s signs in", user)
		}
	}
	testwait.Until(t, "a line for each", func() bool { return len(auditLines(t, path)) >= 7 })
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "canaryword") {
		t.Errorf("a line holds a value: %s", text)
	}
	var got []string
	for _, line := range auditLines(t, path) {
		if line["surface"] != "sql" || line["remote"] != "127.0.0.1" {
			t.Errorf("%v", line)
		}
		named := "-"
		if line["identity"] != nil {
			named = line["identity"].(string)
		}
		executed := ""
		if _, ok := line["rows"]; ok {
			executed = " executed"
			if len(line["query_id"].(string)) != 32 || len(line["sql_hash"].(string)) != 12 || line["policy"] == nil {
				t.Errorf("%v", line)
			}
		}
		got = append(got, named+" "+line["outcome"].(string)+executed)
	}
	want := []string{
		"dash ok executed", "dash unknown_column", "dash ok executed", "dash unknown_column",
		"- unauthorized", "half forbidden", "dash forbidden",
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, text)
	}
	first := auditLines(t, path)[0]
	for key, want := range map[string]string{"metrics": "[revenue]", "dimensions": "[orders.status]", "datasets": "[orders]", "filtered": "[orders.status]", "roles": "[regional]", "plane": "sql"} {
		if got := strings.ReplaceAll(strings.ReplaceAll(toJSON(t, first[key]), `"`, ""), ",", " "); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
