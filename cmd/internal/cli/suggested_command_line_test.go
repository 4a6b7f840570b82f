package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
)

// corpus holds the questions of all tests of queries.
const corpus = "../../../integration/testdata"

// commandResult is what a command line came to.
type commandResult struct {
	Code     int
	Out, Err string
}

func runLine(t *testing.T, args ...string) commandResult {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, "v")
	return commandResult{code, out.String(), errs.String()}
}

// suggestedCommand returns the suggested command line of an error, split as a shell splits it,
// without the program name; nil if the error suggests none.
func suggestedCommand(t *testing.T, refusal string) []string {
	t.Helper()
	_, line, found := strings.Cut(refusal, "  so: semlayer ")
	if !found {
		return nil
	}
	line, _, _ = strings.Cut(line, "\n  ") // no label follows it
	return shellWords(t, "semlayer "+line)
}

// commandsOf are commands of each kind of query that need no data.
var commandsOf = map[string][2][]string{
	"query.json":  {{"compile"}, {"explain", "--sem-basic=false"}},
	"select.json": {{"select", "--sql"}, {"select", "--explain=true", "--sql=false", "--sem-vendor"}},
}

func TestSuggestedCommand_EveryOneRuns(t *testing.T) {
	clearVariables(t)
	t.Setenv("HOME", t.TempDir()) // the user's connection profiles are in HOME
	// Each command reads the model of its case: the short form runs one case in four.
	long := os.Getenv("SEMLAYER_TEST_LONG") != ""
	commands, rejected := 0, 0
	err := filepath.WalkDir(filepath.Join(corpus, "cases"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		sections := map[string][]byte{}
		for _, f := range archive.Files {
			sections[f.Name] = f.Data
		}
		if sections["error.json"] == nil {
			return nil
		}
		if rejected++; !long && rejected%4 > 0 {
			return nil
		}
		for section, forms := range commandsOf {
			body := sections[section]
			if body == nil {
				continue
			}
			t.Run(filepath.ToSlash(strings.TrimPrefix(path, corpus)), func(t *testing.T) {
				model := []string{"--format", "table", "--model", modelOf(t, archive, sections)}
				for _, form := range forms {
					commands += followSuggestions(t, slices.Concat(form, model, []string{"--json", string(body)}))
				}
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	least := 160
	if !long {
		least = 30
	}
	if commands < least {
		t.Errorf("%d ways out: the corpus is not read", commands)
	}
}

// maxSuggestions is the maximum number of corrected commands until one succeeds.
const maxSuggestions = 3

// followSuggestions runs a command and, if its error suggests another command, runs that, until one
// succeeds. It returns the number of commands.
func followSuggestions(t *testing.T, args []string) (commands int) {
	t.Helper()
	got := runLine(t, args...)
	words := suggestedCommand(t, got.Err)
	for ; words != nil && commands < maxSuggestions; words = suggestedCommand(t, got.Err) {
		commands++
		if got = runLine(t, words...); got.Code == exitUsage {
			break
		}
	}
	if commands > 0 && got.Code != exitOK {
		t.Errorf("%q\nleads to exit code %d:\n%s", args, got.Code, got.Err)
	}
	return commands
}

// modelOf returns the file of the model of a case.
func modelOf(t *testing.T, archive *txtar.Archive, sections map[string][]byte) string {
	t.Helper()
	if text := sections["model.yaml"]; text != nil {
		path := filepath.Join(t.TempDir(), "model.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if name, found := strings.CutPrefix(line, "fixture:"); found {
			return filepath.Join(corpus, "fixtures", strings.TrimSpace(name), "model.yaml")
		}
	}
	t.Fatal("a case without a model")
	return ""
}

func TestSuggestedCommand_CorrectsRejectedCommand(t *testing.T) {
	const asRecords = `{"from":"orders","fields":["status","revenue"]}`
	records := []string{"--from", "orders", "--fields", "status,revenue"}
	const metrics = `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`
	for _, c := range []struct {
		name     string
		command  string
		args     []string
		fragment string
		want     string
	}{
		{"a metric among records is a metric query", "select", records, metrics, `semlayer query --json '{"group_by":[{"field":"orders.status"}],"metrics":["revenue"]}'`},
		{
			"the fragment may take the records away itself", "select", records,
			`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"from":null,"fields":null}`, `semlayer query --json '{"group_by":[{"field":"orders.status"}],"metrics":["revenue"]}'`,
		},
		{"a query that came as JSON is one as well", "select", []string{"--json", asRecords}, metrics, `semlayer query --json '{"group_by":[{"field":"orders.status"}],"metrics":["revenue"]}'`},
		{
			"SQL alone is compiled", "select", append([]string{"--sql", "--db", "a.duckdb", "--format", "csv"}, records...), metrics,
			`semlayer compile --format table --json '{"group_by":[{"field":"orders.status"}],"metrics":["revenue"]}'`,
		},
		{"a plan is explained", "select", append([]string{"--explain", "--sql=false"}, records...), metrics, `semlayer explain --json '{"group_by":[{"field":"orders.status"}],"metrics":["revenue"]}'`},
		{
			"rows keep their format and their database", "select", append([]string{"--db", "a.duckdb", "--format", "csv"}, records...), metrics,
			`semlayer query --db a.duckdb --format csv --json '{"group_by":[{"field":"orders.status"}],"metrics":["revenue"]}'`,
		},
		{"another root stays a detail query", "select", append([]string{"--sql"}, records...), `{"from":"customers"}`, `semlayer select --sql --json '{"fields":["status","revenue"],"from":"customers"}'`},
		{
			"switches are no arguments", "compile", []string{"--sem-basic=true", "--sem-vendor=false", "--pretty", "--metrics", "revenu"}, `{"metrics":["revenue"]}`,
			`semlayer compile --sem-basic --sem-vendor=false --json '{"metrics":["revenue"],"pretty":true}'`,
		},
		{
			"a long number stays a number of digits", "query", []string{"--metrics", "a", "--limit", "100000000", "--param", "t=9007199254740993"}, `{"metrics":["b"]}`,
			`semlayer query --json '{"limit":100000000,"metrics":["b"],"params":{"t":9007199254740993}}'`,
		},
		{
			"a name with a comma stays one name", "query", []string{"--metrics", "revenu"}, `{"metrics":["revenue, gross"]}`,
			`semlayer query --json '{"metrics":["revenue, gross"]}'`,
		},
		{
			"a name with a quotation mark", "query", []string{"--metrics", "x"}, `{"metrics":["it's"]}`,
			`semlayer query --json '{"metrics":["it'\''s"]}'`,
		},
		{"a number as text stays one", "query", []string{"--metrics", "a"}, `{"params":{"t":"50"}}`, `semlayer query --json '{"metrics":["a"],"params":{"t":"50"}}'`},
		{"a list of one value stays one", "query", []string{"--metrics", "a"}, `{"params":{"t":[50]}}`, `semlayer query --json '{"metrics":["a"],"params":{"t":[50]}}'`},
		{"the last grouping goes", "query", []string{"--metrics", "a", "--group-by", "b"}, `{"group_by":[]}`, `semlayer query --json '{"group_by":[],"metrics":["a"]}'`},
		{
			"an attribution", "attribute", []string{"--metric", "revenu", "--dimensions", "status", "--baseline", "2024-01-01..2024-02-01"}, `{"metric":"revenue"}`,
			`semlayer attribute --json '{"baseline":{"start":"2024-01-01","end":"2024-02-01"},"dimensions":["status"],"metric":"revenue"}'`,
		},
		{"words are no command", "query", []string{"--metrics", "a"}, "leave out a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := correctedLine(t, c.command, c.args, c.fragment)
			if got != c.want {
				t.Error(cmp.Diff(c.want, got))
			}
			if got == "" {
				return
			}
			cmd, args, err := new(app).rootCommand().Find(shellWords(t, got))
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.ParseFlags(args); err != nil {
				t.Errorf("the command does not take its flags: %v", err)
			}
		})
	}
}

// correctedLine returns the command that a fragment makes of another.
func correctedLine(t *testing.T, command string, args []string, fragment string) string {
	t.Helper()
	cmd, _, err := new(app).rootCommand().Find([]string{command})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	form := map[string]queryForm{"select": new(detailQueryFlags), "attribute": new(attributeFlags)}[command]
	if form == nil {
		form = new(queryFlags)
	}
	body := []byte(cmd.Flag("json").Value.String())
	if len(body) == 0 {
		alone := &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
		form.addToCommand(alone)
		if err := alone.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		if body, err = form.writeBody(alone); err != nil {
			t.Fatal(err)
		}
	}
	return correctableCommandLine{cmd, body}.correctedCommandLine(fragment)
}
