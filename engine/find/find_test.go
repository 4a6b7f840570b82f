package find_test

import (
	cmp2 "cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// object is an object of a random model: a metric, or a field of one of the datasets.
type object struct {
	name, synonym, label, description string
	dataset                           int // -1 for a metric
}

// vocabulary makes objects whose words are all different, so that each name is the name of one object.
func vocabulary(r *rand.Rand) []object {
	taken := map[string]bool{}
	word := func() string {
		for {
			var b strings.Builder
			for range 2 + r.IntN(3) {
				b.WriteByte("bdfgklmnprtvz"[r.IntN(13)])
				b.WriteByte("aeiou"[r.IntN(5)])
			}
			b.WriteByte("kmnrt"[r.IntN(5)])
			if w := b.String(); !taken[w[:3]] || !taken[w] && r.IntN(4) == 0 {
				taken[w[:3]], taken[w] = true, true
				return w
			}
		}
	}
	var out []object
	for i := range 24 {
		o := object{name: word(), synonym: word(), label: word(), description: word() + " " + word(), dataset: i%4 - 1}
		if i%3 == 0 {
			o.name += "_" + word()
		}
		out = append(out, o)
	}
	// Descriptions mention other objects.
	for i := range out {
		o := out[(i+5)%len(out)]
		out[i].description += " " + strings.ReplaceAll(o.name, "_", " ") + " " + o.synonym + " " + o.label
	}
	return out
}

func newIndex(t *testing.T, objects []object) *find.Index {
	t.Helper()
	var b, metrics strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: m\n    datasets:\n")
	for d := range 3 {
		fmt.Fprintf(&b, "      - name: d%[1]d\n        source: t\n        fields:\n          - {name: v%[1]d, expression: {dialects: [{dialect: ANSI_SQL, expression: v}]}}\n", d)
		for _, o := range objects {
			if o.dataset == d {
				fmt.Fprintf(&b, "          - {name: %s, label: %q, description: %q, ai_context: {synonyms: [%q]}, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}\n", o.name, o.label, o.description, o.synonym)
			}
		}
	}
	for _, o := range objects {
		if o.dataset < 0 {
			fmt.Fprintf(&metrics, "      - {name: %s, description: %q, ai_context: {synonyms: [%q, %q]}, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d0.v0)}]}}\n", o.name, o.description, o.synonym, o.label)
		}
	}
	doc, err := modelspec.Parse([]byte(b.String() + "    metrics:\n" + metrics.String()))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return find.NewIndex(c, "duckdb")
}

func (o object) queryName() string {
	if o.dataset < 0 {
		return o.name
	}
	return fmt.Sprintf("d%d.%s", o.dataset, o.name)
}

func first(t *testing.T, x *find.Index, question string) string {
	t.Helper()
	a := x.Find(find.SearchRequest{Text: question, Limit: 5})
	if len(a.Hits) == 0 || a.Near {
		t.Errorf("%q finds nothing", question)
		return ""
	}
	return a.Hits[0].Name
}

// overVocabularies checks a law over random models.
func overVocabularies(t *testing.T, check func(t *testing.T, r *rand.Rand, x *find.Index, all []object)) {
	t.Helper()
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 28))
		all := vocabulary(r)
		check(t, r, newIndex(t, all), all)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestFind_ExactNamesSynonymsAndLabelsComeFirst(t *testing.T) {
	overVocabularies(t, func(t *testing.T, _ *rand.Rand, x *find.Index, all []object) {
		for _, o := range all {
			for _, text := range []string{o.name, strings.ReplaceAll(o.name, "_", " "), o.queryName(), o.synonym, o.label} {
				if got := first(t, x, text); got != o.queryName() {
					t.Errorf("%q finds %s before %s", text, got, o.queryName())
				}
			}
		}
	})
}

func TestFind_SpellingOfOneLetterKeepsTheHit(t *testing.T) {
	overVocabularies(t, func(t *testing.T, r *rand.Rand, x *find.Index, all []object) {
		for i, o := range all {
			word, rest, _ := strings.Cut(o.name, "_")
			if len(word) < 5 || first(t, x, o.name) != o.queryName() {
				continue
			}
			for kind, wrong := range misspell(r, word) {
				rest := rest + " " + all[(i+3)%len(all)].label // which keeps the nearest names out
				a := x.Find(find.SearchRequest{Text: wrong + " " + rest, Limit: 5})
				if a.Near || !slices.ContainsFunc(a.Hits, func(h find.Hit) bool { return h.Name == o.queryName() }) {
					t.Errorf("%s: %q does not find %s", kind, wrong+" "+rest, o.queryName())
				}
			}
		}
	})
}

// misspell changes, drops, doubles and swaps a letter of a word.
func misspell(r *rand.Rand, word string) map[string]string {
	i := r.IntN(len(word) - 1)
	return map[string]string{
		"changed": word[:i] + "q" + word[i+1:],
		"dropped": word[:i] + word[i+1:],
		"doubled": word[:i+1] + word[i:],
		"swapped": word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:],
	}
}

func TestFind_WritingDoesNotChangeTheFirstHit(t *testing.T) {
	overVocabularies(t, func(t *testing.T, _ *rand.Rand, x *find.Index, all []object) {
		for i, o := range all {
			words := []string{strings.ReplaceAll(o.name, "_", " "), all[(i+7)%len(all)].synonym}
			plain := first(t, x, strings.Join(words, " "))
			for _, text := range []string{
				words[1] + " " + words[0], strings.ToUpper(strings.Join(words, " ")), words[0] + ", " + words[1] + "?!",
				"show me the " + words[0] + " of each " + words[1], words[0] + "s by " + words[1] + "s",
			} {
				if got := first(t, x, text); got != plain {
					t.Errorf("%q finds %s first, %q finds %s", text, got, words, plain)
				}
			}
		}
	})
}

func TestFind_AllWordsBeatSomeWords(t *testing.T) {
	x := newIndex(t, []object{
		{name: "loss_ratio", synonym: "s1", label: "l1", description: "one", dataset: 0},
		{name: "loss_reserve", synonym: "s2", label: "l2", description: "two", dataset: 0},
		{name: "lonely_ratio", synonym: "s3", label: "l3", description: "three", dataset: 0},
		{name: "loss", synonym: "s4", label: "l4", description: "ratio", dataset: 1},
	})
	if got := first(t, x, "what was the ratio of loss"); got != "d0.loss_ratio" {
		t.Errorf("found %s", got)
	}
}

// TestFind_EachNameOfAQuestionIsNearTheTop needs the cover: many objects match the first words.
func TestFind_EachNameOfAQuestionIsNearTheTop(t *testing.T) {
	var all []object
	for i := range 12 {
		all = append(all, object{name: fmt.Sprintf("amount_paid_%c", 'a'+i), synonym: "s", label: "l", description: "d", dataset: i % 3})
	}
	all = append(all, object{name: "office_desk_lamp", synonym: "s", label: "x", description: "y", dataset: 1})
	a := newIndex(t, all).Find(find.SearchRequest{Text: "the amount paid by office", Limit: 2})
	if got := names(a.Hits); !slices.Equal(got, []string{"d0.amount_paid_a", "d1.office_desk_lamp"}) {
		t.Errorf("%q", got)
	}
}

// TestFind_ShareOfAPlaceCounts: a name of which the question has every word comes before one that it has half of.
func TestFind_ShareOfAPlaceCounts(t *testing.T) {
	x := newIndex(t, []object{
		{name: "amount_of_clerk_office", synonym: "s1", label: "l1", description: "one", dataset: 0},
		{name: "office", synonym: "s2", label: "l2", description: "two", dataset: 2},
	})
	if got := first(t, x, "office visits in spring"); got != "d2.office" {
		t.Errorf("found %s", got)
	}
}

// TestFind_RareWordsCountMore needs the inverse document frequency.
func TestFind_RareWordsCountMore(t *testing.T) {
	var all []object
	for i := range 10 {
		all = append(all, object{name: fmt.Sprintf("zone_%c", 'a'+i), synonym: "s", label: "l", description: "d", dataset: i % 3})
	}
	all = append(all, object{name: "tariff_z", synonym: "s", label: "l", description: "d", dataset: 2})
	if got := first(t, newIndex(t, all), "zone tariff"); got != "d2.tariff_z" {
		t.Errorf("found %s", got)
	}
}

func names(hits []find.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Name)
	}
	return out
}

func TestFind_PagesPartitionTheListAndScoresFall(t *testing.T) {
	overVocabularies(t, func(t *testing.T, _ *rand.Rand, x *find.Index, all []object) {
		question := all[0].name + " " + all[1].synonym + " " + all[2].label + " d0"
		whole := x.Find(find.SearchRequest{Text: question, Limit: 1000})
		var paged []find.Hit
		for offset := 0; offset < whole.Total; offset += 7 {
			page := x.Find(find.SearchRequest{Text: question, Limit: 7, Offset: offset})
			if page.Total != whole.Total {
				t.Errorf("total %d, %d at %d", whole.Total, page.Total, offset)
			}
			paged = append(paged, page.Hits...)
		}
		if d := cmp.Diff(names(whole.Hits), names(paged)); d != "" || len(whole.Hits) != whole.Total {
			t.Error(d, len(whole.Hits), whole.Total)
		}
		last := 1.0
		for _, h := range whole.Hits {
			if h.Score <= 0 || h.Score > last || h.Why == "" {
				t.Errorf("%s scores %g after %g: %s", h.Name, h.Score, last, h.Why)
			}
			last = h.Score
		}
	})
}

func TestFind_TiesAreInTheOrderOfKindsAndNames(t *testing.T) {
	var all []object
	for i := range 40 {
		all = append(all, object{name: fmt.Sprintf("thing_%c%c", 'z'-i%26, 'a'+i/26), synonym: "tied", label: "l", description: "d", dataset: i%4 - 1})
	}
	x := newIndex(t, all)
	want := slices.Clone(all)
	slices.SortFunc(want, func(a, b object) int {
		return cmp2.Or(cmp2.Compare(min(a.dataset+1, 1), min(b.dataset+1, 1)), strings.Compare(a.queryName(), b.queryName()))
	})
	for _, text := range []string{"tied", "tied knots", "ties thing"} {
		var got []string
		for _, o := range want {
			got = append(got, o.queryName())
		}
		for range 20 {
			if d := cmp.Diff(got, names(x.Find(find.SearchRequest{Text: text, Limit: 50}).Hits)); d != "" {
				t.Fatalf("%q: %s", text, d)
			}
		}
	}
}

func TestFind_NothingMatchesGivesTheNearest(t *testing.T) {
	overVocabularies(t, func(t *testing.T, _ *rand.Rand, x *find.Index, _ []object) {
		for _, text := range []string{"xyzzy", "¿?", "數據倉庫", strings.Repeat("w ", 250), "\x00\xff", "-"} {
			a := x.Find(find.SearchRequest{Text: text, Limit: 10})
			if !a.Near || len(a.Hits) != 3 || a.Total != 3 {
				t.Errorf("%q: %+v", text, a)
				continue
			}
			for _, h := range a.Hits {
				if h.Score < 0.01 || h.Score > 1 {
					t.Errorf("%q: %s scores %g", text, h.Name, h.Score)
				}
			}
		}
	})
}

func TestFind_KindsAndAcceptNarrowTheList(t *testing.T) {
	overVocabularies(t, func(t *testing.T, _ *rand.Rand, x *find.Index, all []object) {
		question := find.SearchRequest{Text: all[0].name + " " + all[1].name + " d0", Limit: 100, Kinds: []find.Kind{find.KindMetric}}
		for _, h := range x.Find(question).Hits {
			if h.Kind != find.KindMetric {
				t.Errorf("%s is a %s", h.Name, h.Kind)
			}
		}
		question.Kinds, question.Accept = nil, func(o find.Object) bool { return o.Name == all[1].queryName() }
		if a := x.Find(question); a.Total != 1 || a.Hits[0].Name != all[1].queryName() {
			t.Errorf("%+v", a)
		}
	})
}

func TestFind_PhrasesForCountsAndMarks(t *testing.T) {
	x := newIndex(t, []object{
		{name: "visit_count", synonym: "café", label: "Größe", description: "one", dataset: 0},
		{name: "visitor", synonym: "s2", label: "l2", description: "two", dataset: 1},
	})
	for text, want := range map[string]string{"how many visits": "d0.visit_count", "number of visits": "d0.visit_count", "CAFE": "d0.visit_count", "grosse": "d0.visit_count", "visitCount": "d0.visit_count"} {
		if got := first(t, x, text); got != want {
			t.Errorf("%q finds %s", text, got)
		}
	}
}
