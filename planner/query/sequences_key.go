package query

import (
	"regexp"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Sequence is a dataset that a query makes of the rows of others: one row for each start, with what followed it.
type Sequence struct {
	Name string `json:"name"`
	// Entity are fields of the dataset of the first step: whose events belong together.
	Entity []string       `json:"entity"`
	Steps  []SequenceStep `json:"steps"`
	// Same are further fields that are equal at every step.
	Same []string `json:"same,omitempty"`
	// Within is the time from the start within which the steps follow; nil for any time.
	Within *SequenceWithin `json:"within,omitempty"`
	Order  string          `json:"order,omitempty"` // given or any
	Start  string          `json:"start,omitempty"` // each or first
	// Every and Periods are the calendar buckets from the start's own to the last one, each with a row; "" and 0 for one row of a start.
	Every   string `json:"every,omitempty"`
	Periods int64  `json:"periods,omitempty"`
}

// SequenceStep is one step of a sequence.
type SequenceStep struct {
	Name    string `json:"name"`
	Dataset string `json:"dataset"`
	Where   string `json:"where,omitempty"`
	At      string `json:"at,omitempty"` // "" for the primary time field of the dataset
	// Entity and Same are nil where the fields have the names of the first step.
	Entity []string `json:"entity,omitempty"`
	Same   []string `json:"same,omitempty"`
}

// SequenceWithin is a number of calendar units.
type SequenceWithin struct {
	Count       int64  `json:"count"`
	Granularity string `json:"granularity"`
}

// The values of order and start.
const (
	SequenceOrderGiven = "given"
	SequenceOrderAny   = "any"
	SequenceStartEach  = "each"
	SequenceStartFirst = "first"
)

const (
	minSequenceSteps      = 2
	maxSequenceWithin     = 100_000
	retentionSteps        = 2
	maxSequenceNameLength = 63
)

var sequenceNamePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

var sequenceKeyReaders = []keyReader[Sequence]{
	{bodyKey{"name", bodyKeyValueText, nil}, func(s *scanner, q *Sequence) error { return readSequenceName(s, &q.Name) }},
	{bodyKey{"entity", bodyKeyValueTextArray, nil}, func(s *scanner, q *Sequence) error {
		return readDistinctNonEmptyNames(s, &q.Entity, limits.QueryGroupBys)
	}},
	{bodyKey{"steps", bodyKeyValueObjectArray, keysOfReaders(sequenceStepKeyReaders)}, func(s *scanner, q *Sequence) error { return readSequenceSteps(s, &q.Steps) }},
	{bodyKey{"same", bodyKeyValueTextArray, nil}, func(s *scanner, q *Sequence) error {
		return readDistinctNonEmptyNames(s, &q.Same, limits.QueryGroupBys)
	}},
	{bodyKey{"within", bodyKeyValueFixedKeysObject, keysOfReaders(sequenceWithinKeyReaders)}, func(s *scanner, q *Sequence) error { return readSequenceWithin(s, &q.Within) }},
	{bodyKey{"order", bodyKeyValueText, nil}, func(s *scanner, q *Sequence) error {
		return readChoice(s, &q.Order, []string{SequenceOrderGiven, SequenceOrderAny})
	}},
	{bodyKey{"start", bodyKeyValueText, nil}, func(s *scanner, q *Sequence) error {
		return readChoice(s, &q.Start, []string{SequenceStartEach, SequenceStartFirst})
	}},
	{bodyKey{"every", bodyKeyValueText, nil}, func(s *scanner, q *Sequence) error { return readChoice(s, &q.Every, catalog.RetentionGrains()) }},
	{bodyKey{"periods", bodyKeyValueInteger, nil}, func(s *scanner, q *Sequence) error {
		return readPositiveInteger(s, &q.Periods, limits.SequencePeriods)
	}},
}

var sequenceStepKeyReaders = []keyReader[SequenceStep]{
	{bodyKey{"name", bodyKeyValueText, nil}, func(s *scanner, q *SequenceStep) error { return readSequenceName(s, &q.Name) }},
	{bodyKey{"dataset", bodyKeyValueText, nil}, func(s *scanner, q *SequenceStep) error { return readNonEmptyName(s, &q.Dataset) }},
	{bodyKey{"where", bodyKeyValueText, nil}, func(s *scanner, q *SequenceStep) error { return s.readText(&q.Where) }},
	{bodyKey{"at", bodyKeyValueText, nil}, func(s *scanner, q *SequenceStep) error { return s.readName(&q.At) }},
	{bodyKey{"entity", bodyKeyValueTextArray, nil}, func(s *scanner, q *SequenceStep) error {
		return readDistinctNonEmptyNames(s, &q.Entity, limits.QueryGroupBys)
	}},
	{bodyKey{"same", bodyKeyValueTextArray, nil}, func(s *scanner, q *SequenceStep) error {
		return readDistinctNonEmptyNames(s, &q.Same, limits.QueryGroupBys)
	}},
}

var sequenceWithinKeyReaders = []keyReader[SequenceWithin]{
	{bodyKey{"count", bodyKeyValueInteger, nil}, func(s *scanner, w *SequenceWithin) error { return readPositiveInteger(s, &w.Count, maxSequenceWithin) }},
	{bodyKey{"granularity", bodyKeyValueText, nil}, func(s *scanner, w *SequenceWithin) error { return readChoice(s, &w.Granularity, sqlexpr.GrainNames()) }},
}

const (
	sequenceExample = `{"name": "funnel", "entity": ["person"], "steps": [{"name": "look", "dataset": "events"}, {"name": "buy", "dataset": "orders"}]}`
	stepExample     = `{"name": "look", "dataset": "events", "where": "kind = 'look'"}`
	withinExample   = `{"count": 7, "granularity": "day"}`

	retentionExample = `"every": "week", "periods": 8`
)

func readSequenceName(s *scanner, into *string) error {
	if err := readNonEmptyName(s, into); err != nil || *into == "" {
		return err
	}
	if len(*into) > maxSequenceNameLength || !sequenceNamePattern.MatchString(*into) {
		return badRequestError(s.pathText() + " must be a name of letters, digits and _, at most " + strconv.Itoa(maxSequenceNameLength) + " of them, which begins with no digit")
	}
	return nil
}

func readSequences(s *scanner, into *[]Sequence) error {
	isArray := s.peek() == '['
	err := s.readArray(limits.QuerySequences, "an array of objects such as "+sequenceExample, func(int) error {
		var q Sequence
		if err := readObject(s, sequenceKeyReaders, &q); err != nil {
			return err
		}
		*into = append(*into, q)
		if err := s.requireKeyValue(q.Name, "a name", sequenceExample); err != nil {
			return err
		}
		if len(q.Entity) == 0 {
			return badRequestError(s.pathText() + " needs an entity, as in " + sequenceExample)
		}
		if len(q.Steps) < minSequenceSteps {
			return badRequestError(s.pathText() + " needs two steps at least, as in " + sequenceExample)
		}
		return checkRetention(s, q)
	})
	if err == nil && isArray && len(*into) == 0 {
		return badRequestError(s.pathText() + " needs at least one sequence, as in [" + sequenceExample + "]")
	}
	return err
}

// checkRetention rejects periods without their unit, and keys that have no meaning beside them.
func checkRetention(s *scanner, q Sequence) error {
	var flaw string
	switch {
	case q.Every == "" && q.Periods == 0:
		return nil
	case q.Periods == 0:
		flaw = "needs periods beside every"
	case q.Every == "":
		flaw = "needs every beside periods"
	case len(q.Steps) != retentionSteps:
		flaw = "has every and " + strconv.Itoa(len(q.Steps)) + " steps, and takes two"
	case q.Within != nil:
		flaw = "has within beside every, whose periods are the time in which the second step follows"
	case q.Order != "":
		flaw = "has order beside every, whose second step is sought from the start"
	default:
		return nil
	}
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: s.pathText() + " " + flaw, Hint: "write " + retentionExample + " and two steps, without within and order"}
}

func readSequenceSteps(s *scanner, into *[]SequenceStep) error {
	return s.readArray(limits.SequenceSteps, "an array of objects such as "+stepExample, func(int) error {
		var q SequenceStep
		if err := readObject(s, sequenceStepKeyReaders, &q); err != nil {
			return err
		}
		*into = append(*into, q)
		if err := s.requireKeyValue(q.Name, "a name", stepExample); err != nil {
			return err
		}
		return s.requireKeyValue(q.Dataset, "a dataset", stepExample)
	})
}

func readSequenceWithin(s *scanner, into **SequenceWithin) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(SequenceWithin)
	if err := readObject(s, sequenceWithinKeyReaders, *into); err != nil {
		return err
	}
	if (*into).Count == 0 || (*into).Granularity == "" {
		return badRequestError(s.pathText() + " needs a count and a granularity, as in " + withinExample)
	}
	return nil
}

func (k cacheKeyBytes) appendSequences(all []Sequence) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, q := range all {
		k = k.appendLengthPrefixed(q.Name).appendTextList(q.Entity).appendTextList(q.Same).appendLengthPrefixed(q.Order).appendLengthPrefixed(q.Start).appendLengthPrefixed(q.Every).appendInt64(q.Periods).appendBool(q.Within != nil)
		if q.Within != nil {
			k = k.appendInt64(q.Within.Count).appendLengthPrefixed(q.Within.Granularity)
		}
		k = k.appendCount(len(q.Steps))
		for _, s := range q.Steps {
			k = k.appendLengthPrefixed(s.Name).appendLengthPrefixed(s.Dataset).appendLengthPrefixed(s.Where).appendLengthPrefixed(s.At).appendTextList(s.Entity).appendTextList(s.Same)
		}
	}
	return k
}
