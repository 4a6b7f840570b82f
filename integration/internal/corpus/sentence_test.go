package corpus

import (
	"strings"
	"testing"
)

func TestCaseSentence_IsOneShortLineBesideTheName(t *testing.T) {
	const settings = "fixture: f\nengines: duckdb\n"
	tests := []struct{ head, complaint string }{
		{settings + "A sum skips NULL.\n", ""},
		{"A sum skips NULL.\n", ""},
		{settings + strings.Repeat("ü", maxSentenceLength-1) + ".\n", ""},
		{settings, "missing"},
		{settings + "A sum skips NULL.\nA count does not.\n", "more than one line"},
		{settings + "engine: duckdb\nA sum skips NULL.\n", "more than one line"},
		{settings + "A sum skips NULL\n", "full stop"},
		{settings + strings.Repeat("ü", maxSentenceLength) + ".\n", "at most"},
		{settings + "Sum skips null.\n", "repeats the name"},
	}
	for _, tt := range tests {
		own := "-- model.yaml --\nm\n-- data.sql --\nd\n"
		c, err := parseCase("basics/sum_skips_null", tt.head+own+"-- query.json --\n{}\n-- rows.txt --\na\n")
		if err != nil {
			t.Fatal(err)
		}
		err = c.CheckSentence()
		if tt.complaint == "" && err != nil || tt.complaint != "" && (err == nil || !strings.Contains(err.Error(), tt.complaint)) {
			t.Errorf("%q: error %v, want %q", tt.head, err, tt.complaint)
		}
	}
}

func TestCaseSentence_ExplainsAFailure(t *testing.T) {
	c := &Case{Name: "basics/sum_skips_null", Sentence: "A sum skips NULL."}
	if got := c.sentenceShownOnFailure(); !strings.Contains(got, c.Sentence) {
		t.Errorf("a failure is explained by %q", got)
	}
	ran := ""
	if !c.RunSubtest(t, func(t *testing.T) { ran = t.Name() }) || !strings.HasSuffix(ran, "/"+c.Name) {
		t.Errorf("the subtest ran as %q", ran)
	}
}
