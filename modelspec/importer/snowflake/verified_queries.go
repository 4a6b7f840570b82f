package snowflake

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
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
	tests, text := document.NewList(), document.NewText
	for _, q := range v.verified {
		tests.Content = append(tests.Content, document.NewMapping(
			text("name"), text(q.name),
			text("query"), document.NewMapping(text("metrics"), document.NewList()), // for an author to write
			text("skip"), text("no semantic form"),
			text("expect"), document.NewMapping(text("sql"), text(q.sql)),
		))
	}
	out, err := document.Print(document.NewMapping(text("tests"), tests), 4)
	if err != nil {
		return nil // texts always print
	}
	return out
}
