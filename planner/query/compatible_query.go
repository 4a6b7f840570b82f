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

var compatibleQueryKeyReaders = listCompatibleQueryKeyReaders()

func listCompatibleQueryKeyReaders() []keyReader[CompatibleQuery] {
	out := make([]keyReader[CompatibleQuery], 0, len(metricQueryKeyReaders)+1)
	for _, f := range metricQueryKeyReaders {
		read := f.read
		out = append(out, keyReader[CompatibleQuery]{f.bodyKey, func(s *scanner, q *CompatibleQuery) error {
			switch f.name {
			case "limit":
				return readPositiveInteger(s, &q.PageLimit, MaxCompatibleItems)
			case "offset":
				return s.readRowOffset(&q.PageOffset)
			}
			return read(s, &q.MetricQuery)
		}})
	}
	return append(out, keyReader[CompatibleQuery]{bodyKey{"search", bodyKeyValueText, nil}, func(s *scanner, q *CompatibleQuery) error { return readSearch(s, &q.Search) }})
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
	return decodeQuery(body, compatibleQueryKeyReaders)
}

// checkSearchLength rejects a text that is longer than a question.
func checkSearchLength(name, text string) error {
	if utf8.RuneCountInString(text) <= MaxSearchRunes {
		return nil
	}
	return badRequestError(name + " may have at most " + strconv.Itoa(MaxSearchRunes) + " characters")
}
