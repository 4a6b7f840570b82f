package documented

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

var update = flag.Bool("update", false, "write docs/errors.md anew")

const errorsPage = root + "/docs/errors.md"

func TestTheErrorsPageIsMadeFromTheRegistries(t *testing.T) {
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
		t.Errorf("write it anew with: go test ./cmd/internal/documented -update\n%s", d)
	}
}

func errorsText() string {
	var b strings.Builder
	b.WriteString("# Error codes\n\nMade from the registries in the code; a test keeps it so.\n\n" +
		"Codes are stable, messages are not. Beside `code` and `message` an error may carry what the\n" +
		"last column lists. Findings of the model have a `location` as well.\n")
	stage := ""
	for _, c := range engine.Codes() {
		if c.Stage == engine.StageServer {
			continue // with the server's own, below
		}
		if c.Stage != stage {
			stage = c.Stage
			b.WriteString("\n## " + title(stage) + "\n\n| code | status | when | carries |\n|---|---|---|---|\n")
		}
		status := fmt.Sprint(restapi.Status(c.Code))
		if stage == engine.StageValidate || c.Severity == "warning" {
			status = c.Severity
		}
		when := c.When
		if c.Retired != "" {
			when += " (no longer raised: " + c.Retired + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Code, status, cell(when), cell(strings.Join(c.Extras, ", ")))
	}
	b.WriteString("\n## The server\n\n| code | status | when | carries |\n|---|---|---|---|\n")
	for _, c := range restapi.Codes() {
		fmt.Fprintf(&b, "| `%s` | %d | %s | |\n", c.Code, c.Status, cell(c.When))
	}
	return b.String()
}

func title(stage string) string {
	return map[string]string{
		engine.StageValidate: "Validating a model",
		engine.StageCompile:  "Compiling a model",
		engine.StagePlan:     "Planning a query",
		engine.StageExecute:  "Executing",
	}[stage]
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
