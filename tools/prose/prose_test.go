package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ids(findings []Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Pattern.ID)
	}
	return out
}

func TestPatterns_MatchTheirBadSentenceOnly(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range disallowedWordingPatterns {
		t.Run(p.ID, func(t *testing.T) {
			if seen[p.ID] {
				t.Error("the id is taken")
			}
			seen[p.ID] = true
			if p.Why == "" || p.Write == "" {
				t.Error("the reason or the plain form is missing")
			}
			found := false
			for _, f := range findPatternMatches(ProseText{Prose: p.Bad}) {
				found = found || f.Pattern.ID == p.ID
			}
			if !found {
				t.Errorf("%q does not match", p.Bad)
			}
			for _, f := range findPatternMatches(ProseText{Prose: p.Good}) {
				t.Errorf("%q matches %s: %q", p.Good, f.Pattern.ID, f.Matched)
			}
		})
	}
	if len(seen) < 15 {
		t.Errorf("only %d patterns", len(seen))
	}
}

func TestFind_CountsLinesAndReadsAcrossThem(t *testing.T) {
	got := findPatternMatches(ProseText{File: "x.md", Line: 10, Prose: "A line.\nThe body is\nno stream."})
	if len(got) != 1 || got[0].Line != 11 || got[0].Matched != "is no" {
		t.Errorf("%+v", got)
	}
}

func TestMarkdown_CodeIsNotProse(t *testing.T) {
	page := strings.Join([]string{
		"# Nobody reads", "", "Plain `nobody` and [a link](nobody.md).", "<!-- nobody -->", "",
		"```console", "$ nobody", "```", "", "| a cell | nobody |", "", "* an item of", "  nobody",
	}, "\n")
	var lines []int
	for _, text := range proseOfMarkdownFile("x.md", page) {
		for _, f := range findPatternMatches(text) {
			lines = append(lines, f.Line)
		}
	}
	if d := cmp.Diff([]int{1, 10, 13}, lines); d != "" {
		t.Error(d)
	}
}

func TestYAML_CommentsAreProse(t *testing.T) {
	texts := proseOfYAMLFile("values.yaml", "# A value\n# that nobody\nkey: \"nobody # 1\"\nother: 1 # whoever reads\n")
	var got []string
	for _, text := range texts {
		got = append(got, ids(findPatternMatches(text))...)
	}
	if d := cmp.Diff([]string{"nobody", "whoever"}, got); d != "" {
		t.Error(d)
	}
}

const source = `package p

// Nobody reads this.
//
//	nobody in code
var err = errors.New("the host " +
	"is none")

var c = &cobra.Command{Short: "Tell whoever asks", Long: x + " says so"}

func f() { flags.BoolVar(&v, "strict", false, "nobody starts") }

var word, sum = "nobody", a + b
`

func TestGo_SortsTextsIntoGroups(t *testing.T) {
	texts, err := proseOfGoFile("m/p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	got := map[ProseTextKind][]string{}
	for _, text := range texts {
		got[text.Group] = append(got[text.Group], ids(findPatternMatches(text))...)
	}
	want := map[ProseTextKind][]string{
		GroupComments: {"nobody"}, GroupMessages: {"is-no"}, GroupCLI: {"whoever", "tells", "says", "nobody"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestGo_StringsOfTestsAreNotMessages(t *testing.T) {
	texts, err := proseOfGoFile("m/p_test.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if text.Group != GroupComments {
			t.Errorf("%+v", text)
		}
	}
}

func TestBudget_FallsAndNeverRises(t *testing.T) {
	b := findingsBudget{GroupComments: {"planner": 5, "engine": 2}, GroupPages: {"README.md": 1}}
	got := b.lowerToCounts(findingsBudget{GroupComments: {"planner": 9, "engine": 1, "cmd": 4}})
	if d := cmp.Diff(findingsBudget{GroupComments: {"planner": 5, "engine": 1}}, got); d != "" {
		t.Error(d)
	}
}

func TestFinding_PlaceIsThePageOrTheModule(t *testing.T) {
	for file, want := range map[string]string{
		"planner/plan/node_types.go": "planner", "clients/go/client.go": "clients/go", "integration/grammars/a.go": "integration/grammars",
	} {
		if got := (Finding{Group: GroupComments, File: file}).budgetPlace(); got != want {
			t.Errorf("%s: %s", file, got)
		}
	}
	if got := (Finding{Group: GroupPages, File: "docs/http.md"}).budgetPlace(); got != "docs/http.md" {
		t.Error(got)
	}
}

func TestRepository_HasNoUnusedException(t *testing.T) {
	used := map[int]bool{}
	texts, err := proseOfRepository("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		flat := strings.ReplaceAll(text.Prose, "\n", " ")
		for i, e := range exceptedSentences {
			used[i] = used[i] || e.file == text.File && e.text.MatchString(flat)
		}
	}
	for i, e := range exceptedSentences {
		if !used[i] || e.why == "" {
			t.Errorf("%s in %s: no sentence needs it, or it has no reason", e.pattern, e.file)
		}
	}
}

func TestBudget_OnlyCommentsHaveOne(t *testing.T) {
	b, err := readBudget("budget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range allGroups() {
		if len(b[g]) > 0 && g != GroupComments {
			t.Errorf("%s: %v: every sentence must be plain", g, b[g])
		}
	}
}
