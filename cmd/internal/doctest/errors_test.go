package doctest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/cmd/internal/errcodes"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
)

var update = flag.Bool("update", false, "write docs/errors.md anew")

const errorsPage = root + "/docs/errors.md"

func TestErrorsPage_GeneratedFromRegistries(t *testing.T) {
	want := errorsText()
	if *update {
		if err := os.WriteFile(errorsPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(errorsPage)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

func errorsText() string {
	var b strings.Builder
	b.WriteString("# Error codes\n\nLook up an error code: its cause, the HTTP status, the fields that the error may have, and an example. The page is\n" +
		"generated from the registries in the code, and a test runs the examples. On the command line:\n\n" +
		"```\nsemlayer explain-code CODE\n```\n\n" +
		"```console\n$ semlayer explain-code unknown_metric --format table\n" + explained() + "```\n\n" +
		"Codes are stable, messages are not. In addition to `code` and `message` an error may have the fields in the\n" +
		"last column. Findings of a model have a `location` too, and findings of a policies file a line and a column.\n")
	for _, stage := range []string{engine.StageValidate, engine.StageCompile, engine.StagePlan, engine.StageExecute, access.StagePolicies, engine.StageServer} {
		writeStage(&b, stage)
	}
	b.WriteString("\n## The model of the examples\n\nA piece of a model goes in place of its comment, \"more …\".\n\n```yaml\n" + errcodes.BaseModelYAML + "```\n")
	return b.String()
}

// explained returns the output of the command at the top of the page.
func explained() string {
	var out testwait.Log
	cli.Run(context.Background(), []string{"explain-code", "unknown_metric", "--format", "table"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "dev")
	return out.String()
}

func writeStage(b *strings.Builder, stage string) {
	b.WriteString("\n## " + title(stage) + "\n\n| code | status | cause | fields |\n|---|---|---|---|\n")
	var examples strings.Builder
	for _, c := range errcodes.All() {
		if c.Stage != stage {
			continue
		}
		status := c.Severity
		if c.Status > 0 {
			status = fmt.Sprint(c.Status)
		}
		when := c.When
		if c.Retired != "" {
			when += " (no longer raised: " + c.Retired + ")"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", c.Code, status, cell(when), cell(strings.Join(c.Extras, ", ")))
		writeExample(&examples, c)
	}
	b.WriteString("\n### Examples\n" + examples.String())
}

func writeExample(b *strings.Builder, c errcodes.CodeEntry) {
	if c.Example == nil {
		return
	}
	if c.Example.Kind == errcodes.ExampleKindSituation {
		b.WriteString("\n`" + c.Code + "`: " + c.Example.Text + "\n")
		return
	}
	mark := "yaml"
	if c.Example.IsRequestBody() {
		mark = "json"
	}
	if c.Example.Kind == errcodes.ExampleKindData {
		mark = "sql"
	}
	b.WriteString("\n`" + c.Code + "`, " + c.Example.Intro() + ":\n\n```" + mark + "\n" + c.Example.Text + "\n```\n")
	if c.Example.Data != "" {
		b.WriteString("\n```sql\n" + c.Example.Data + "\n```\n")
	}
}

func title(stage string) string {
	return map[string]string{
		engine.StageValidate: "Validating a model",
		engine.StageCompile:  "Compiling a model",
		engine.StagePlan:     "Planning a query",
		engine.StageExecute:  "Executing",
		access.StagePolicies: "Reading policies",
		engine.StageServer:   "The server",
	}[stage]
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
