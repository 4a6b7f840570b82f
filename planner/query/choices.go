package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// readChoice reads one of a few words.
func readChoice(s *scanner, into *string, words []string) error {
	if s.consumeNull() {
		return nil
	}
	if err := s.readName(into); err != nil || slices.Contains(words, *into) {
		return err
	}
	e := unknownChoiceError(s.pathText(), *into, words)
	if meant, ok := nearestChoice(*into, words); ok {
		return misspeltWordError{e, slices.Clone(s.path), strconv.Quote(meant)}
	}
	return e
}

// misspeltWordError is the error of a text that is nearly one of a few words. correctBodyError puts the word that is meant, which is JSON,
// into its place.
type misspeltWordError struct {
	refused *planerr.Error
	path    []jsonPathStep
	meant   string
}

func (e misspeltWordError) Error() string { return e.refused.Error() }
func (e misspeltWordError) Unwrap() error { return e.refused }

// unknownChoiceError returns the error of a text that is not one of a few words.
func unknownChoiceError(place, given string, words []string) *planerr.Error {
	return &planerr.Error{
		Code:       planerr.CodeBadRequest,
		Message:    place + " must be one of " + strings.Join(words, ", ") + ", not " + strconv.Quote(planerr.ClipText(given)),
		Candidates: suggest.Nearest(given, words, suggest.MaxCandidates),
	}
}

// nearestChoice returns the word that a text is in another case, with one wrong letter, or in the plural.
func nearestChoice(given string, words []string) (string, bool) {
	if better, ok := suggest.Respelling(given, words); ok {
		return better, true
	}
	lower := strings.ToLower(given)
	for _, w := range words {
		if lower == w || lower == w+"s" {
			return w, true
		}
	}
	return "", false
}

// fanOutRefuse is the default of fan_out: metrics that a join would repeat are rejected. A query that has it
// equals one without the key, and removes the value of a saved query.
const fanOutRefuse = "refuse"

// FanOutOncePerGroup is the value of FanOut that counts each row of a metric's dataset once in
// each group, where a join would repeat it.
const FanOutOncePerGroup = "once_per_group"

var fanOutChoices = []string{fanOutRefuse, FanOutOncePerGroup}

func readFanOut(s *scanner, into *string) error {
	err := readChoice(s, into, fanOutChoices)
	if *into == fanOutRefuse {
		*into = ""
	}
	return err
}
