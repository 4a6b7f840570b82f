package agents_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// synonymsOf matches the synonyms of an object in the text of a model.
var synonymsOf = regexp.MustCompile(`synonyms: \[[^\]]*\]`)

// phrase is what a person calls one object.
type phrase struct{ text, name string }

// ways are the conditions of retrieval.
var ways = []struct {
	name                       string
	plain, misspelt            bool // without synonyms; with one typo in each text
	leastQuestion, leastPhrase float64
}{
	{"with synonyms", false, false, 0.85, 0.97},
	{"without synonyms", true, false, 0.70, 0.80},
	{"with a typo", false, true, 0.80, 0.92},
}

// TestRetrieval_FindsNamesOfQuestions measures the share of the names that a question needs among the first hits of
// find: five, or as many as the question needs.
func TestRetrieval_FindsNamesOfQuestions(t *testing.T) {
	for _, way := range ways {
		t.Run(strings.ReplaceAll(way.name, " ", "_"), func(t *testing.T) {
			r := rand.New(rand.NewPCG(28, 9))
			var questions, phrases recall
			for _, s := range subjects(t) {
				model := s.model
				if way.plain {
					model = synonymsOf.ReplaceAll(model, []byte("synonyms: []"))
				}
				e := openModel(t, model)
				var own recall
				for _, q := range s.questions {
					own.add(t, e, written(r, q.text, way.misspelt), max(5, len(q.needs)), q.needs)
				}
				t.Logf("%s: %s of the names of questions", s.name, own)
				for _, p := range readPhrases(t, s.name) {
					phrases.add(t, e, written(r, p.text, way.misspelt), 5, []string{p.name})
				}
				questions.found, questions.needed = questions.found+own.found, questions.needed+own.needed
			}
			t.Attr("questions", questions.String())
			t.Attr("phrases", phrases.String())
			if questions.share() < way.leastQuestion || phrases.share() < way.leastPhrase {
				t.Errorf("%s: questions %s, phrases %s", way.name, questions, phrases)
			}
		})
	}
}

// TestRetrieval_FindsNamesAmongThousandDatasets puts the clinic among other datasets.
func TestRetrieval_FindsNamesAmongThousandDatasets(t *testing.T) {
	var clinic subject
	for _, s := range subjects(t) {
		if s.name == "clinic" {
			clinic = s
		}
	}
	e := openModel(t, amongOthers(clinic.model, 974))
	if n := len(e.Datasets()); n != 1000 {
		t.Fatalf("%d datasets", n)
	}
	t.Run("among_1000_datasets", func(t *testing.T) {
		var questions, phrases recall
		for _, q := range clinic.questions {
			questions.add(t, e, q.text, max(5, len(q.needs)), q.needs)
		}
		for _, p := range readPhrases(t, clinic.name) {
			phrases.add(t, e, p.text, 5, []string{p.name})
		}
		t.Attr("questions", questions.String())
		t.Attr("phrases", phrases.String())
		if questions.share() < 0.75 {
			t.Errorf("questions %s", questions)
		}
	})
}

// recall counts the names that are found.
type recall struct{ found, needed int }

func (c recall) share() float64 { return float64(c.found) / float64(max(c.needed, 1)) }
func (c recall) String() string { return percent(c.found, c.needed) }

func (c *recall) add(t *testing.T, e *engine.Engine, text string, k int, needs []string) {
	t.Helper()
	found, err := e.Find(t.Context(), &query.FindQuery{Text: text, Limit: int64(k)})
	if err != nil {
		t.Fatal(text, err)
	}
	var missing []string
	for _, name := range needs {
		c.needed++
		if slices.ContainsFunc(found.Hits, func(h engine.FoundHit) bool { return h.Name == name }) {
			c.found++
			continue
		}
		missing = append(missing, name)
	}
	if len(missing) > 0 && os.Getenv("SEMLAYER_AGENTS_SHOW") != "" {
		var hits []string
		for _, h := range found.Hits {
			hits = append(hits, h.Name+" ("+h.Why+")")
		}
		t.Logf("%s: without %s: %s", text, strings.Join(missing, ", "), strings.Join(hits, ", "))
	}
}

func openModel(t *testing.T, model []byte) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{ModelText: model, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func readPhrases(t *testing.T, model string) []phrase {
	t.Helper()
	text, err := os.ReadFile("testdata/" + model + "/phrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []phrase
	for line := range strings.Lines(string(text)) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("%s: %q", model, line)
		}
		out = append(out, phrase{words, name})
	}
	return out
}

// written returns a text, with one letter of one of its long words changed, dropped, doubled or swapped with the next.
func written(r *rand.Rand, text string, misspelt bool) string {
	words := strings.Fields(text)
	var long []int
	for i, w := range words {
		if len(w) >= 5 {
			long = append(long, i)
		}
	}
	if !misspelt || len(long) == 0 {
		return text
	}
	i := long[r.IntN(len(long))]
	w := []byte(words[i])
	at := 1 + r.IntN(len(w)-2)
	switch r.IntN(4) {
	case 0:
		w[at] = byte('a' + r.IntN(26))
	case 1:
		w = slices.Delete(w, at, at+1)
	case 2:
		w = slices.Insert(w, at, w[at])
	default:
		w[at], w[at+1] = w[at+1], w[at]
	}
	words[i] = string(w)
	return strings.Join(words, " ")
}

// amongOthers adds datasets of other trades to a model.
func amongOthers(model []byte, n int) []byte {
	r := rand.New(rand.NewPCG(28, 1000))
	nouns := strings.Fields(`vehicle lease turbine parcel route driver crop harvest silo contract tenant building meter reading grid outage
		flight gate crew cargo port vessel container student course lecture grade exam library loan book author broadcast viewer channel campaign
		click lead deal quote warehouse pallet shelf forecast budget ledger journal asset depreciation payroll candidate interview policy claim premium`)
	attributes := strings.Fields("status kind region created_on name amount code label volume weight score city country method reason quantity price owner")
	var datasets, metrics strings.Builder
	for i := range n {
		name := fmt.Sprintf("%s_%s_%d", nouns[r.IntN(len(nouns))], nouns[r.IntN(len(nouns))], i)
		fmt.Fprintf(&datasets, "      - name: %s\n        source: %s\n        primary_key: [id]\n        fields:\n          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}\n", name, name)
		for _, a := range r.Perm(len(attributes))[:8] {
			fmt.Fprintf(&datasets, "          - {name: %[1]s, expression: {dialects: [{dialect: ANSI_SQL, expression: %[1]s}]}, dimension: {}, datatype: String}\n", attributes[a])
		}
		fmt.Fprintf(&metrics, "      - {name: %[1]s_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(%[1]s.id)}]}}\n", name)
	}
	text := strings.Replace(string(model), "    relationships:\n", datasets.String()+"    relationships:\n", 1)
	return []byte(text + metrics.String())
}
