package imports_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/planner/query"
)

// The integration tests of MetricFlow are questions: metrics, groups and conditions over its own
// models, with SQL that checks the rows. Each is asked of the imported model. `make
// metricflow-check` names a checkout of MetricFlow in the variable; without one, a small checkout of
// the same form is read, so that the reading itself is tested.
func TestImport_AnswersTheQuestionsOfMetricFlow(t *testing.T) {
	root, translations := os.Getenv("SEMLAYER_METRICFLOW"), "testdata/questions.json"
	if root == "" {
		root, translations = "testdata/checkout", "testdata/checkout/questions.json"
	}
	checkout := readCheckout(t, root)
	asker := &questionAsker{checkout: checkout, models: map[string]*questionModel{}, translations: readTranslations(t, translations)}
	var err error
	if asker.db, err = duckdb.Open(t.Context(), duckdb.Options{Setup: checkout.readTables(t)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = asker.db.Close() })
	results := map[string]*featureCount{}
	for _, q := range checkout.readQuestions(t) {
		model := checkout.models[q.model]
		if model == nil {
			t.Fatalf("%s asks the model %s, which %s does not have", q.name, q.model, root)
		}
		asker.feature = model.feature(q)
		count := results[asker.feature]
		if count == nil {
			count = &featureCount{}
			results[asker.feature] = count
		}
		t.Run(q.file+"/"+q.name, func(t *testing.T) { asker.ask(t, q, count) })
	}
	t.Log("\n" + formatCounts(results))
}

// questionModel is an imported model, and the expressions of its metrics.
type questionModel struct {
	engine      *engine.Engine
	err         error
	expressions map[string]string
}

func (m *questionModel) compile(t *testing.T, text string) (string, error) {
	t.Helper()
	if m.err != nil {
		return "", m.err
	}
	q, err := query.DecodeMetric([]byte(text))
	if err != nil {
		return "", err
	}
	q.Dialect = "duckdb"
	compiled, err := prepare.SQL(t.Context(), m.engine, q)
	if err != nil {
		return "", err
	}
	return compiled.SQL, nil
}

// compileStatement returns the SQL of a statement over the model.
func (m *questionModel) compileStatement(t *testing.T, text string) (string, error) {
	t.Helper()
	if m.err != nil {
		return "", m.err
	}
	compiled, err := prepare.SQL(t.Context(), m.engine, &query.SQLStatement{SQL: text, Dialect: "duckdb"})
	if err != nil {
		return "", err
	}
	return compiled.SQL, nil
}

// questionAsker asks the questions of a checkout.
type questionAsker struct {
	checkout     *checkout
	db           *duckdb.Executor
	models       map[string]*questionModel
	translations map[string]translation
	feature      string
}

// translation is what a question has in place of the query that is made of it: a query, a statement in SQL over the
// model, or why it has none or other rows.
type translation struct {
	Query     json.RawMessage `json:"query"`
	Statement []string        `json:"statement"` // its lines
	Why       string          `json:"why"`       // no query asks it, but a statement
	Refused   string          `json:"refused"`
	Differs   string          `json:"differs"`
}

func readTranslations(t *testing.T, path string) map[string]translation {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]translation{}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out
}

// ask asks one question and counts the outcome. A question fails where its outcome is not the one that the
// translations name.
func (a *questionAsker) ask(t *testing.T, q *question, count *featureCount) {
	special := a.translations[q.file+"/"+q.name]
	if special.Query == nil {
		special.Query = a.translations[q.name].Query
	}
	text, err := a.translate(t, q, special)
	if err == nil {
		err = a.compare(t, q, text, len(special.Statement) > 0)
	}
	var differs *differenceError
	switch {
	case err == nil:
		count.equal++
		if len(special.Statement) > 0 {
			count.addReason(&count.statements, "as SQL: "+special.Why, q.name)
		}
		if special.Refused != "" || special.Differs != "" {
			t.Errorf("the rows are equal, and the translations expect %q", special.Refused+special.Differs)
		}
	case errors.As(err, &differs):
		count.addReason(&count.differs, special.Differs, q.name)
		if special.Differs == "" {
			t.Errorf("%v\n%s", err, text)
		}
	default:
		count.addReason(&count.refused, special.Refused, q.name)
		if special.Refused == "" {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// translate returns the query of a question: the one that the translations have, else the one that is made of it. The
// names of fields are those of datasets, where they lead to one field.
func (a *questionAsker) translate(t *testing.T, q *question, special translation) (string, error) {
	t.Helper()
	switch {
	case special.Query != nil:
		return string(special.Query), nil
	case len(special.Statement) > 0:
		return strings.Join(special.Statement, "\n"), nil
	}
	model := a.openModel(t, q.model)
	attempts := []bool{false, true}
	if slices.ContainsFunc(q.groups, func(g questionGroup) bool { return strings.Count(g.name, "__") > 1 }) {
		attempts = []bool{true, false}
	}
	var first error
	for _, byRelationship := range attempts {
		made, err := a.checkout.models[q.model].translate(q, byRelationship, model.expressions)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(made)
		if err != nil {
			return "", err
		}
		if _, err = model.compile(t, string(text)); err == nil {
			return string(text), nil
		}
		if first == nil {
			first = fmt.Errorf("%w\n%s", err, text)
		}
	}
	return "", first
}

// differenceError is a result with other rows.
type differenceError struct{ diff string }

func (e *differenceError) Error() string { return e.diff }

// compare executes a query, or a statement over the model, and the SQL of its question.
func (a *questionAsker) compare(t *testing.T, q *question, text string, isStatement bool) error {
	t.Helper()
	model := a.openModel(t, q.model)
	compile := model.compile
	if isStatement {
		compile = model.compileStatement
	}
	sql, err := compile(t, text)
	if err != nil {
		return err
	}
	got, err := servers.QueryTable(t.Context(), a.db, sql, nil)
	if err != nil {
		return err
	}
	check, err := renderTemplate(q.check, checkFunctions)
	if err != nil {
		t.Fatal(err)
	}
	want, err := servers.QueryTable(t.Context(), a.db, check, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !isStatement {
		if err := a.checkout.models[q.model].showPeriods(t, a.db, got); err != nil {
			return err
		}
	}
	removeMidnights(want)
	removeMidnights(got)
	arrangeColumns(want, got)
	if diff := table.Diff(want, got, q.ordered); diff != "" {
		return &differenceError{diff}
	}
	if len(want.Rows) == 0 && !q.allowsEmpty {
		return &differenceError{"the SQL has no rows, which show nothing"}
	}
	return nil
}

func (a *questionAsker) openModel(t *testing.T, name string) *questionModel {
	t.Helper()
	if m := a.models[name]; m != nil {
		return m
	}
	m := &questionModel{expressions: map[string]string{}}
	a.models[name] = m
	imported, err := engine.Import(t.Context(), "metricflow", a.checkout.models[name].sources, importer.Options{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	m.engine, m.err = engine.Open(t.Context(), engine.Config{ModelText: imported.Model})
	for _, document := range readDocuments(t, importer.SourceFile{Name: "model.yaml", Text: imported.Model}) {
		for _, model := range document.Get("semantic_model").Items {
			for _, metric := range items(model.Get("metrics")) {
				m.expressions[metric.Get("name").String()] = metric.Get("expression").Get("dialects").Items[0].Get("expression").String()
			}
		}
	}
	return m
}

// featureCount counts the outcomes of the questions about one feature.
type featureCount struct {
	equal, differs, refused int
	statements              int // of the equal ones
	reasons                 map[string]int
	unexpected              []string
}

func (c *featureCount) addReason(counter *int, reason, name string) {
	*counter++
	if reason == "" {
		c.unexpected = append(c.unexpected, name)
		return
	}
	if c.reasons == nil {
		c.reasons = map[string]int{}
	}
	c.reasons[reason]++
}

// formatCounts returns the table of docs/coming-from.md.
func formatCounts(results map[string]*featureCount) string {
	var b strings.Builder
	b.WriteString("| questions about | in all | equal rows | of these as SQL | other rows | not asked | why |\n|---|---|---|---|---|---|---|\n")
	var total featureCount
	for _, name := range slices.Sorted(maps.Keys(results)) {
		c := results[name]
		var reasons []string
		for _, reason := range slices.Sorted(maps.Keys(c.reasons)) {
			reasons = append(reasons, fmt.Sprintf("%d: %s", c.reasons[reason], reason))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s |\n", name, c.equal+c.differs+c.refused, c.equal, c.statements, c.differs, c.refused, strings.Join(reasons, "; "))
		total.equal, total.differs, total.refused = total.equal+c.equal, total.differs+c.differs, total.refused+c.refused
		total.statements += c.statements
	}
	fmt.Fprintf(&b, "| **all** | %d | %d | %d | %d | %d | |\n", total.equal+total.differs+total.refused, total.equal, total.statements, total.differs, total.refused)
	return b.String()
}
