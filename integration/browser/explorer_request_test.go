package browser_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The texts of the request run as they are copied, with a value that each of the languages has to quote: of
// the kinds that are not this value, '=1+1' has the largest amount.
func TestRequest_TheCopiedTextsRun(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, hostile)
	const value = `it's "x" \ $HOME ` + "`y`"
	p := b.OpenPage(t, origin+"/#/explore?metric=amount_sum&by=%22odd%20name%22.kind&order=-amount_sum&limit=1&tab=request&filter="+url.QueryEscape(`"odd name".kind~<>~`+value))
	texts := map[string]string{}
	for _, language := range []string{"curl", "Go", "Python"} {
		var text string
		p.RunActions(
			click(`//button[@role="tab"][.="`+language+`"]`),
			visible(`//button[@role="tab"][.="`+language+`"][@aria-selected="true"]`),
			visible("pre.code"),
			chromedp.Evaluate(`document.querySelector("pre.code").textContent`, &text),
		)
		texts[language] = text
	}
	clean(t, p, origin)
	clients, err := filepath.Abs(filepath.Join("..", "..", "clients", "python", "src"))
	if err != nil {
		t.Fatal(err)
	}
	for language, run := range map[string]struct{ file, program string }{
		"curl":   {"request.sh", "bash"},
		"Go":     {"main.go", "go"},
		"Python": {"request.py", "python3"},
	} {
		t.Run(language, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), run.file)
			if err := os.WriteFile(file, []byte(texts[language]), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := exec.LookPath(run.program); err != nil {
				t.Skipf("%s is not installed", run.program)
			}
			args := []string{file}
			if run.program == "go" {
				args = []string{"run", file}
			}
			command := exec.CommandContext(t.Context(), run.program, args...)
			command.Env = append(os.Environ(), "PYTHONPATH="+clients)
			out, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, texts[language], out)
			}
			got := string(out)
			if at := strings.Index(got, `"rows":`); at >= 0 {
				got = got[at:] // after the SQL, which has the values of the model
			}
			if !strings.Contains(got, "=1+1") || strings.Contains(got, "onerror") {
				t.Errorf("%s\nprints %s", texts[language], got)
			}
		})
	}
}
