package corpus

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxSentenceLength is the length of a sentence in characters: one line of a terminal.
const maxSentenceLength = 110

// CheckSentence returns an error unless the case has one sentence, on one line, that
// is more than the case's name.
func (c *Case) CheckSentence() error {
	words := strings.TrimSuffix(c.Sentence, ".")
	switch {
	case c.Sentence == "":
		return fmt.Errorf("%s: the sentence is missing: write the rule that the case shows above its first section", c.Name)
	case strings.Contains(c.Sentence, "\n"):
		return fmt.Errorf("%s: more than one line above the first section: write one sentence, after the settings", c.Name)
	case !strings.HasSuffix(c.Sentence, "."):
		return fmt.Errorf("%s: the sentence does not end with a full stop: %s", c.Name, c.Sentence)
	case utf8.RuneCountInString(c.Sentence) > maxSentenceLength:
		return fmt.Errorf("%s: the sentence has %d characters, at most %d are allowed: %s",
			c.Name, utf8.RuneCountInString(c.Sentence), maxSentenceLength, c.Sentence)
	case strings.EqualFold(words, strings.ReplaceAll(path.Base(c.Name), "_", " ")):
		return fmt.Errorf("%s: the sentence repeats the name of the case: write the rule that it shows", c.Name)
	}
	return nil
}

// RunSubtest runs f as a subtest with the name of the case, and logs the case's sentence
// when it fails. It returns whether f passed.
func (c *Case) RunSubtest(t *testing.T, f func(*testing.T)) bool {
	t.Helper()
	return t.Run(c.Name, func(t *testing.T) {
		defer func() {
			if t.Failed() {
				t.Log(c.sentenceShownOnFailure())
			}
		}()
		f(t)
	})
}

// sentenceShownOnFailure explains a failed case to someone who does not know it.
func (c *Case) sentenceShownOnFailure() string { return "the case shows: " + c.Sentence }
