package snowflake

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// verifiedQuery is a question with the SQL that someone checked. Its SQL is a statement of
// Snowflake over the logical tables: it has no semantic form.
type verifiedQuery struct{ name, question, sql string }

func (v *semanticViewImport) readVerifiedQuery(n *importer.Node) {
	name := n.Get("name").String()
	o := v.report.ReadObject(n, "verified_query", name)
	if o == nil {
		return
	}
	defer o.Close()
	q := verifiedQuery{name: o.GetText("name"), question: strings.TrimSpace(o.GetText("question")), sql: strings.TrimSpace(o.GetText("sql"))}
	if q.name == "" {
		q.name = q.question
	}
	o.IgnoreKeys("verified_at", "verified_by", "use_as_onboarding_question")
	if q.name == "" || q.sql == "" {
		v.report.AddDropped(n, "verified_query", name, "it has no name or no SQL")
		return
	}
	for _, other := range v.verified {
		if other.name == q.name {
			v.report.AddDropped(n, "verified_query", name, "another query has the name")
			return
		}
	}
	v.verified = append(v.verified, q)
	if q.question != "" {
		v.model.Context.Examples = append(v.model.Context.Examples, q.question)
	}
	v.report.AddApproximated(n, "verified_query", name, "a statement has no semantic form: it is a test that is skipped, and its question an example")
}

// testFileText returns the text of the tests; nil without a verified query.
func (v *semanticViewImport) testFileText() []byte {
	if len(v.verified) == 0 {
		return nil
	}
	type test struct {
		Name   string              `yaml:"name"`
		Query  map[string][]string `yaml:"query"` // for an author to write
		Skip   string              `yaml:"skip"`
		Expect map[string]string   `yaml:"expect"`
	}
	var file struct {
		Tests []test `yaml:"tests"`
	}
	for _, q := range v.verified {
		file.Tests = append(file.Tests, test{q.name, map[string][]string{"metrics": {}}, "no semantic form", map[string]string{"sql": q.sql}})
	}
	text, err := yaml.Marshal(file)
	if err != nil {
		return nil // texts always marshal
	}
	return text
}
