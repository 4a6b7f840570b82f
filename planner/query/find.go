package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// FindQuery is a question to the index of names.
type FindQuery struct {
	Text    string
	Kinds   []string // "" for all
	Metrics []string // only what a query with all of them accepts
	View    string   // whose names the hits have; "" for the whole model
	Limit   int64
	Offset  int64
}

// The hits of one page.
const (
	DefaultFindLimit = 10
	MaxFindLimit     = limits.FindHitsPerPage
)

const (
	questionKey = "q"
	kindsKey    = "kinds"
)

// searchableKindNames are the kinds of objects that a question may be limited to.
var searchableKindNames = []string{"metric", "dimension", "saved", "value", "dataset", viewKey}

var findQueryKeyReaders = []keyReader[FindQuery]{
	{bodyKey{questionKey, bodyKeyValueText, nil}, func(s *scanner, q *FindQuery) error { return s.readText(&q.Text) }},
	{bodyKey{kindsKey, bodyKeyValueTextArray, nil}, func(s *scanner, q *FindQuery) error { return s.readTexts(&q.Kinds, len(searchableKindNames)) }},
	{bodyKey{"metrics", bodyKeyValueTextArray, nil}, func(s *scanner, q *FindQuery) error { return s.readTexts(&q.Metrics, 1000) }},
	{bodyKey{viewKey, bodyKeyValueText, nil}, func(s *scanner, q *FindQuery) error { return s.readName(&q.View) }},
	{bodyKey{"limit", bodyKeyValueInteger, nil}, func(s *scanner, q *FindQuery) error { return readPositiveInteger(s, &q.Limit, MaxFindLimit) }},
	{bodyKey{"offset", bodyKeyValueInteger, nil}, func(s *scanner, q *FindQuery) error { return s.readRowOffset(&q.Offset) }},
}

// DecodeFind reads the body of a question; errors as of DecodeMetric.
func DecodeFind(body []byte) (*FindQuery, error) {
	return decodeAndCheckBody(body, findQueryKeyReaders, (*FindQuery).checkAndSetDefaults)
}

// ReadFindURLParameters reads a question from the parameters of an address; kinds and metrics are separated by commas.
func ReadFindURLParameters(parameter func(string) string) (*FindQuery, error) {
	q := &FindQuery{Text: parameter(questionKey), Kinds: splitAtCommas(parameter(kindsKey)), Metrics: splitAtCommas(parameter("metrics")), View: parameter(viewKey)}
	var err error
	if q.Limit, err = readIntegerURLParameter("limit", parameter("limit"), 1, MaxFindLimit); err != nil {
		return nil, err
	}
	if q.Offset, err = readIntegerURLParameter("offset", parameter("offset"), 0, 1<<53); err != nil {
		return nil, err
	}
	return q, q.checkAndSetDefaults()
}

// splitAtCommas splits a list at its commas.
func splitAtCommas(text string) []string {
	if text == "" {
		return nil
	}
	out := strings.Split(text, ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// readIntegerURLParameter reads a parameter of an address; "" is 0.
func readIntegerURLParameter(name, text string, least, most int64) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		expected := "an integer from " + strconv.FormatInt(least, 10) + " to " + strconv.FormatInt(most, 10)
		if most == 1<<53 {
			expected = "a non-negative integer"
		}
		return 0, badRequestError(name + " must be " + expected + ", not " + strconv.Quote(planerr.ClipText(text)))
	}
	return n, nil
}

// checkAndSetDefaults rejects a question that no index can answer, and fills in the default of limit.
func (q *FindQuery) checkAndSetDefaults() error {
	if q.Text == "" {
		return badRequestError(questionKey + " must be a text of 1 to " + strconv.Itoa(MaxSearchRunes) + " characters")
	}
	if err := checkSearchLength(questionKey, q.Text); err != nil {
		return err
	}
	if len(q.View) > limits.QueryNameBytes {
		return badRequestError(viewKey + " is longer than " + strconv.Itoa(limits.QueryNameBytes) + " bytes")
	}
	for _, kind := range q.Kinds {
		if !slices.Contains(searchableKindNames, kind) {
			return &planerr.Error{
				Code: planerr.CodeBadRequest, Message: kindsKey + " holds " + strconv.Quote(planerr.ClipText(kind)) + ", which is not a kind of object",
				Candidates: suggest.Nearest(kind, searchableKindNames, len(searchableKindNames)),
			}
		}
	}
	if q.Limit == 0 {
		q.Limit = DefaultFindLimit
	}
	return nil
}
