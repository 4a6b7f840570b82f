package generated_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/integration/internal/servers"
)

// generateOf makes a model of a script on one engine. Each metric of it answers.
func generateOf(t *testing.T, open load, script string) *generate.ModelTextWithReport {
	t.Helper()
	db, err := open(t.Context(), "engines", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	out, err := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{ModelText: out.Text, Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	for _, m := range e.MetricNames() {
		execute(t, e, m, "")
	}
	return out
}

func wantTexts(t *testing.T, out *generate.ModelTextWithReport, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !bytes.Contains(out.Text, []byte(text)) {
			t.Errorf("no %q in\n%s", text, out.Text)
		}
	}
}

// datatypeOf returns the datatype that the text of a model gives to the first field of a name.
func datatypeOf(out *generate.ModelTextWithReport, field string) string {
	_, rest, _ := strings.Cut(string(out.Text), "- name: "+field+"\n")
	_, rest, _ = strings.Cut(rest, "datatype: ")
	word, _, _ := strings.Cut(rest, "\n")
	return word
}

func TestEngines_SQLiteColumnsWithoutTypes(t *testing.T) {
	out := generateOf(t, servers.SQLite(t).Load, `CREATE TABLE x (whole, part, word, mixed, void, id TEXT PRIMARY KEY);
INSERT INTO x VALUES (1, 1.5, 'a', 1, NULL, NULL), (2, 2.5, 'b', 'b', NULL, NULL);
`)
	for field, want := range map[string]string{"whole": "Integer", "part": "Float", "word": "String", "mixed": "Opaque", "void": "Opaque", "id": "String"} {
		if got := datatypeOf(out, field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	// SQLite takes nulls in this primary key, so counting it would lose rows.
	wantTexts(t, out, "unique_keys:", "COUNT(*)")
}

func TestEngines_MoneyOfPostgreSQL(t *testing.T) {
	out := generateOf(t, servers.PostgreSQL(t, &shared).Load, `CREATE TABLE x (price MONEY, fare MONEY);
INSERT INTO x VALUES (1.50, 2.50), (2.50, 3);
`)
	wantTexts(t, out, "CAST(price AS DECIMAL(19, 2))", "name: average_price", "name: total_fare")
}

func TestEngines_ForeignKeyOfMariaDBToColumnsThatAreNoKey(t *testing.T) {
	out := generateOf(t, servers.MariaDB(t, &shared).Load, `CREATE TABLE p (id INTEGER PRIMARY KEY, code INTEGER, INDEX (code));
CREATE TABLE c (id INTEGER PRIMARY KEY, ref INTEGER, FOREIGN KEY (ref) REFERENCES p (code));
`)
	if len(out.Report.Relationships) != 1 || out.Report.Relationships[0].Written {
		t.Errorf("%+v", out.Report.Relationships)
	}
	wantTexts(t, out, "declared in the database, but not to a key of p")
}
