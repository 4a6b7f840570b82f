package integration_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const contributing = "../CONTRIBUTING.md"

// TestContributing_CountsTheCases holds the paragraph that counts the cases by the file that holds
// their rows or error, and names the topics with an oracle.
func TestContributing_CountsTheCases(t *testing.T) {
	text, err := os.ReadFile(contributing)
	if err != nil {
		t.Fatal(err)
	}
	const before, after = "A case has exactly one of `rows.txt`, `oracle.sql` and `error.json`.", "\n\n"
	head, tail, found := strings.Cut(string(text), before)
	if !found {
		t.Fatalf("%s does not contain %q", contributing, before)
	}
	got, tail, _ := strings.Cut(tail, after)
	want := countSentence(t)
	if *update {
		if err := os.WriteFile(contributing, []byte(head+before+want+after+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run go test -update\n%s", diff)
	}
}

func countSentence(t *testing.T) string {
	t.Helper()
	rows, failures := 0, 0
	oracles := map[string]int{} // by topic
	all := cases(t)
	for _, c := range all {
		switch {
		case c.Section("rows.txt") != "":
			rows++
		case c.ExpectsError():
			failures++
		default:
			oracles[path.Dir(c.Name)]++
		}
	}
	var topics []string
	oracle := 0
	for _, topic := range slices.Sorted(maps.Keys(oracles)) {
		oracle += oracles[topic]
		topics = append(topics, fmt.Sprintf("`%s` %d", topic, oracles[topic]))
	}
	return fmt.Sprintf(" Of %d cases\n%d have rows, %d an oracle and %d an error. The oracles are in\n%s.",
		len(all), rows, oracle, failures, strings.Join(topics, ", "))
}
