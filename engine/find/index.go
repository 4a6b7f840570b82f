package find

import (
	"strings"
	"sync"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Index finds the objects of one catalog.
type Index struct {
	objects []Object
	places  []indexedPlace
	names   [][]string // by object, the words of its name after those of its dataset
	own     []int32    // by object, how many of these its own name has
	rank    []int32    // by object, its position among equal hits

	words    []string // the vocabulary, sorted
	postings [][]int32
	stems    map[string][]int32 // words by stem
	// compounds are the words of camel case by their letters: flag and state by flagstate.
	compounds map[string][]string
	trigrams  map[string][]int32 // long words by trigram
	counts    []uint8            // by word, its trigrams

	// Objects by the stems of a name, synonym, label or question: the last in phraseObjects, each of which has the one
	// before.
	phrases       map[string]int32
	phraseObjects []phraseObjectEntry

	nameGrams func() *nameTrigramIndex // made for the first question that nothing matches

	scratch sync.Pool // of *scratch
}

// indexedPlace is a place of an object.
type indexedPlace struct {
	object int32
	kind   placeKind
	words  uint8 // different ones, at most 255
}

// phraseObjectEntry is an object of a phrase.
type phraseObjectEntry struct {
	object int32
	before int32 // of the same phrase, its index and 1; 0 for none
}

// minMisspeltWordLength is the length from which on misspelt words are found.
const minMisspeltWordLength = 5

// FieldValues are texts that a field has in the data.
type FieldValues struct {
	Field *catalog.Field
	Texts []string
}

// NewIndex builds the index of a catalog.
func NewIndex(c *catalog.Catalog, dialect string) *Index { return NewIndexWithValues(c, dialect, nil) }

// NewIndexWithValues builds the index of a catalog and of the values of some fields.
func NewIndexWithValues(c *catalog.Catalog, dialect string, values []FieldValues) *Index {
	b := newIndexBuilder(len(c.Metrics) + len(c.Fields) + len(c.Saved) + len(c.Datasets) + len(c.Views))
	listSearchableObjects(c, dialect, b.indexObject)
	for _, of := range values {
		listed, ok := listedField(c, of.Field)
		for _, text := range of.Texts {
			if ok {
				b.indexFieldValue(listed, text)
			}
		}
	}
	return b.finishIndex()
}

// listedField returns a field under a name that the scope of a catalog has for it; ok is false for none.
func listedField(c *catalog.Catalog, f *catalog.Field) (listed catalog.ViewField, ok bool) {
	if c.Shows(f) {
		return catalog.ViewField{Field: f}, true
	}
	for listed := range c.FieldsByRelationship() {
		if listed.Field == f {
			return listed, true
		}
	}
	return listed, false
}

// nameTrigramIndex are the objects by the trigrams of their names.
type nameTrigramIndex struct {
	objects map[string][]int32
	counts  []uint8 // by object, its trigrams
}

func newNameTrigramIndex(names [][]string) *nameTrigramIndex {
	out := &nameTrigramIndex{objects: map[string][]int32{}, counts: make([]uint8, len(names))}
	for object, name := range names {
		if name == nil {
			continue // of a value
		}
		grams := trigramsOfWord(strings.Join(name, " "))
		for _, g := range grams {
			out.objects[g] = append(out.objects[g], int32(object))
		}
		out.counts[object] = uint8(min(len(grams), 255))
	}
	return out
}

// Objects lists the objects of the index.
func (x *Index) Objects() []Object { return x.objects }
