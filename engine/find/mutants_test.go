package find_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are faults of the ranking, each a change of one place of the source.
var mutants = []struct{ name, file, old, fault string }{
	{"no stems", "match_word_against_vocabulary.go", "add(word, stemWordMatchQuality)", "_ = word"},
	{"no synonyms", "searchable_objects.go", "places = append(places, placeText{placeKindSynonym, s})", "_ = s"},
	{"no inverse document frequency", "match_word_against_vocabulary.go", "return float32(math.Log(1 + float64(len(x.objects)+1)/float64(frequency)))", "return float32(math.Log(2))"},
	{"words that count again as much", "search.go", "alreadyMatchedWordWeight = 0.35", "alreadyMatchedWordWeight = 1.0"},
	{"no cover", "search.go", "maxCoverCandidates = 500", "maxCoverCandidates = 0"},
	{"ties in another order", "search.go", "return q.rank[q.list[i].object] < q.rank[q.list[j].object]", "return q.rank[q.list[i].object] > q.rank[q.list[j].object]"},
	{"no share of the place", "candidates.go", "weight *= float32(s.matched[place]) / float32(at.words)", "weight *= 1"},
}

// mutantVariable marks the run of a mutant, which runs no mutants itself.
const mutantVariable = "SEMLAYER_FIND_MUTANT"

// TestMutants_AreFound runs the tests of this package against each fault: some test has to fail.
func TestMutants_AreFound(t *testing.T) {
	if testing.Short() || os.Getenv(mutantVariable) != "" {
		t.Skip("the tests run once for each fault")
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			source, err := filepath.Abs(m.file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), m.old) != 1 {
				t.Fatalf("%s has the place %d times: %s", m.file, strings.Count(string(text), m.old), m.old)
			}
			folder := t.TempDir()
			changed, overlay := filepath.Join(folder, m.file), filepath.Join(folder, "overlay.json")
			list, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
			if err != nil {
				t.Fatal(err)
			}
			for path, content := range map[string][]byte{changed: []byte(strings.Replace(string(text), m.old, m.fault, 1)), overlay: list} {
				if err := os.WriteFile(path, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run := exec.CommandContext(t.Context(), "go", "test", "-short", "-overlay", overlay, ".")
			run.Env = append(os.Environ(), mutantVariable+"=1")
			out, err := run.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL") {
				t.Errorf("no test finds the fault: %v\n%.2000s", err, out)
			}
		})
	}
}
