package integration_test

import "testing"

// TestCaseSentences_AreWrittenOncePerCase requires that each case opens with a sentence
// of its rule, and that no two cases have the same one.
func TestCaseSentences_AreWrittenOncePerCase(t *testing.T) {
	first := map[string]string{}
	for _, c := range cases(t) {
		if err := c.CheckSentence(); err != nil {
			t.Error(err)
			continue
		}
		if other, taken := first[c.Sentence]; taken {
			t.Errorf("%s has the sentence of %s: write what differs: %s", c.Name, other, c.Sentence)
		}
		first[c.Sentence] = c.Name
	}
}
