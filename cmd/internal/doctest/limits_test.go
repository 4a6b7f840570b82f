package doctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/limits"
)

const operationsPage = root + "/docs/operations.md"

// The lines around the table of limits in docs/operations.md.
const (
	limitsBegin = "<!-- The table is made from GET /v1/capabilities: go test ./cmd/internal/doctest -update -->\n"
	limitsEnd   = "<!-- end of the table -->\n"
)

// The table of limits matches the capabilities of a server with default settings.
func TestLimits_TableIsThatOfTheServer(t *testing.T) {
	page, err := os.ReadFile(operationsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), limitsBegin)
	got, after, closed := strings.Cut(rest, limitsEnd)
	if !ok || !closed {
		t.Fatal("docs/operations.md has no table of limits")
	}
	want := limitsTable(t)
	if *update {
		if err := os.WriteFile(operationsPage, []byte(before+limitsBegin+want+limitsEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

func limitsTable(t *testing.T) string {
	t.Helper()
	response, err := http.Get("http://" + demo(t) + "/v1/capabilities")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var served struct{ Limits []limits.Limit }
	if err := json.NewDecoder(response.Body).Decode(&served); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| limit | value | applies to | error | flag |\n|---|---|---|---|---|\n")
	for _, l := range served.Limits {
		fmt.Fprintf(&b, "| `%s` | %d %s | %s | %s | %s |\n", l.Name, l.Value, l.Unit, cell(l.AppliesTo), code(l.Code), code(l.Setting))
	}
	return b.String()
}

// code shows a word as code; "" stays empty.
func code(word string) string {
	if word == "" {
		return ""
	}
	return "`" + word + "`"
}
