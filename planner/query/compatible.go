package query

import (
	"strconv"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// CompatibleQuery is a query that requests the metrics and the dimensions that it accepts as one more item.
// Its limit and offset are those of a page of each list, and not of rows.
type CompatibleQuery struct {
	MetricQuery
	// Search keeps the items that it matches; "" keeps all.
	Search string
	// PageLimit is the most items of each list; 0 where it is not given.
	PageLimit int64
	// PageOffset is the number of items of each list that are skipped.
	PageOffset int64
}

// The items of one page of compatible items.
const (
	DefaultCompatibleItems = 100
	MaxCompatibleItems     = limits.CompatibleItemsPerPage
)

// MaxSearchRunes is the length of a question to the index of names, in characters.
const MaxSearchRunes = limits.FindQuestionRunes

var (
	compatibleQueryRows       = newCompatibleQueryRows()
	compatibleQueryKeyReaders = readersOfRows(compatibleQueryRows)
)

// newCompatibleQueryRows returns the rows of a metric query, of which limit and offset are those of a page, and search, which a saved
// query does not have.
func newCompatibleQueryRows() []keyRow[CompatibleQuery] {
	out := make([]keyRow[CompatibleQuery], 0, len(metricQueryRows)+1)
	for _, r := range metricQueryRows {
		row := keyRow[CompatibleQuery]{
			keyReader[CompatibleQuery]{r.bodyKey, func(s *scanner, q *CompatibleQuery) error { return r.read(s, &q.MetricQuery) }},
			func(q *CompatibleQuery) any { return r.at(&q.MetricQuery) }, r.KeyNotes, r.bounds,
		}
		switch r.name {
		case "limit":
			row.read = func(s *scanner, q *CompatibleQuery) error {
				return readPositiveInteger(s, &q.PageLimit, MaxCompatibleItems)
			}
			row.Doc = "The maximum number of items of each list; by default 100."
			row.bounds = KeyBounds{Least: 1, Most: MaxCompatibleItems}
		case "offset":
			row.read = func(s *scanner, q *CompatibleQuery) error { return s.readRowOffset(&q.PageOffset) }
			row.Doc = "The number of items of each list to skip; by default 0."
		}
		out = append(out, row)
	}
	return append(out, keyRow[CompatibleQuery]{
		keyReader: keyReader[CompatibleQuery]{bodyKey{"search", bodyKeyValueText, nil}, func(s *scanner, q *CompatibleQuery) error { return readSearch(s, &q.Search) }},
		KeyNotes:  KeyNotes{Doc: "Only items whose names, synonyms, labels or descriptions match."},
		bounds:    KeyBounds{MinLength: 1, MaxLength: MaxSearchRunes},
	})
}

// readSearch reads a text that names are searched by; null leaves it empty.
func readSearch(s *scanner, into *string) error {
	if err := readNonEmptyText(s, into); err != nil {
		return err
	}
	return checkSearchLength(s.pathText(), *into)
}

// DecodeCompatible reads the body of a request for compatible items; errors as of DecodeMetric.
func DecodeCompatible(body []byte) (*CompatibleQuery, error) {
	return decodeQuery(body, compatibleQueryKeyReaders, compatibleQueryRows)
}

// checkSearchLength rejects a text that is longer than a question.
func checkSearchLength(name, text string) error {
	if utf8.RuneCountInString(text) <= MaxSearchRunes {
		return nil
	}
	return badRequestError(name + " may have at most " + strconv.Itoa(MaxSearchRunes) + " characters")
}
