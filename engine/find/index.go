package find

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Index finds the objects of one catalog.
type Index struct {
	objects []Object
	places  []wordPlace
	names   [][]string // by object, the words of its name behind those of its dataset
	rank    []int32    // by object, its position among equal hits

	words    []string // the vocabulary, sorted
	postings [][]int32
	stems    map[string][]int32 // words by stem
	trigrams map[string][]int32 // long words by trigram
	counts   []uint8            // by word, its trigrams

	exact   map[string][]int32 // objects by the words of a name, in order
	phrases map[string][]int32 // objects by the stems of a name, synonym, label or question

	nameGrams func() *nameTrigramIndex // made for the first question that nothing matches

	scratch sync.Pool // of *scratch
}

// wordPlace is a place of an object.
type wordPlace struct {
	object int32
	kind   placeKind
	words  uint8 // different ones, at most 255
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
	b := indexBuilder{
		Index: &Index{
			stems: map[string][]int32{}, trigrams: map[string][]int32{}, exact: map[string][]int32{}, phrases: map[string][]int32{},
		},
		ids: map[string]int32{}, known: map[string]string{}, datasets: map[string][]string{},
	}
	listObjects(c, dialect, b.indexObject)
	for _, of := range values {
		for _, text := range of.Texts {
			b.addValue(of.Field, text)
		}
	}
	return b.finishIndex()
}

// indexBuilder collects the words of objects.
type indexBuilder struct {
	*Index
	ids   map[string]int32  // of words, in the order of their first use
	known map[string]string // stems of words
	// datasets are the words of the names of datasets, which all their fields have.
	datasets map[string][]string
}

func (b *indexBuilder) indexObject(o Object, places []placeText) {
	object := int32(len(b.objects))
	b.objects = append(b.objects, o)
	name := splitWords(o.Name)
	b.names = append(b.names, name)
	appendPosting(b.exact, strings.Join(name, " "), object)
	b.addPhrase(name, object)
	for _, p := range places {
		if p.text == "" {
			continue
		}
		words := b.wordsOfPlace(p)
		if p.kind == placeName {
			appendPosting(b.exact, strings.Join(words, " "), object)
		}
		if p.kind.isMatchedAsWhole() {
			b.addPhrase(words, object)
		}
		b.addPlace(object, p.kind, words)
	}
}

// wordsOfPlace are the words of a place.
func (b *indexBuilder) wordsOfPlace(p placeText) []string {
	if p.kind != placeDataset {
		return splitWords(p.text)
	}
	words, known := b.datasets[p.text]
	if !known {
		words = splitWords(p.text)
		b.datasets[p.text] = words
	}
	return words
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
		grams := trigrams(strings.Join(name, " "))
		for _, g := range grams {
			out.objects[g] = append(out.objects[g], int32(object))
		}
		out.counts[object] = uint8(min(len(grams), 255))
	}
	return out
}

// addValue adds a value, which is found by its words and those of its field, and by no name.
func (b *indexBuilder) addValue(f *catalog.Field, value string) {
	object := int32(len(b.objects))
	b.objects = append(b.objects, Object{Kind: KindValue, Name: f.QualifiedName(), Value: value, Field: f})
	b.names = append(b.names, nil)
	if !hasAtMostRunes(value, maxComparedRunes) {
		return
	}
	b.addPlace(object, placeValue, splitWords(value))
	b.addPlace(object, placeDataset, splitWords(f.Dataset.Name+" "+f.Name))
}

func (b *indexBuilder) addPlace(object int32, kind placeKind, all []string) {
	words := slices.Clone(withoutStopWords(all))
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 {
		return
	}
	id := int32(len(b.places))
	b.places = append(b.places, wordPlace{object, kind, uint8(min(len(words), 255))})
	for _, w := range words {
		word, known := b.ids[w]
		if !known {
			word = int32(len(b.words))
			b.ids[w] = word
			b.words = append(b.words, w)
			b.postings = append(b.postings, nil)
		}
		b.postings[word] = append(b.postings[word], id)
	}
}

// addPhrase adds an object under the stems of a phrase.
func (b *indexBuilder) addPhrase(words []string, object int32) {
	if key := phraseKey(words, b.stem); key != "" {
		appendPosting(b.phrases, key, object)
	}
}

func (b *indexBuilder) stem(word string) string {
	s, known := b.known[word]
	if !known {
		s = stem(word)
		b.known[word] = s
	}
	return s
}

func appendPosting(to map[string][]int32, key string, object int32) {
	if list := to[key]; len(list) == 0 || list[len(list)-1] != object {
		to[key] = append(list, object)
	}
}

// phraseKey is the stems of the words of a phrase that mean something, in any order.
func phraseKey(words []string, stem func(string) string) string {
	var stems []string
	for _, w := range withoutStopWords(words) {
		stems = append(stems, stem(w))
	}
	slices.Sort(stems)
	return strings.Join(slices.Compact(stems), " ")
}

// finishIndex sorts the vocabulary and indexes its words.
func (b *indexBuilder) finishIndex() *Index {
	order := make([]int32, len(b.words))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return strings.Compare(b.words[x], b.words[y]) })
	words, postings := make([]string, len(order)), make([][]int32, len(order))
	b.counts = make([]uint8, len(order))
	for i, old := range order {
		w := b.words[old]
		words[i], postings[i] = w, slices.Clip(b.postings[old])
		s := b.stem(w)
		b.stems[s] = append(b.stems[s], int32(i))
		if utf8.RuneCountInString(w) < minMisspeltWordLength {
			continue
		}
		grams := trigrams(w)
		b.counts[i] = uint8(min(len(grams), 255))
		for _, g := range grams {
			b.trigrams[g] = append(b.trigrams[g], int32(i))
		}
	}
	b.words, b.postings = words, postings
	b.orderByKindAndName()
	objects, places := len(b.objects), len(b.places)
	names := b.names
	b.nameGrams = sync.OnceValue(func() *nameTrigramIndex { return newNameTrigramIndex(names) })
	b.scratch.New = func() any {
		return &searchScratch{matched: make([]uint8, places), candidate: make([]int32, objects), overlap: map[int32]uint8{}}
	}
	return b.Index
}

// Objects lists the objects of the index.
func (x *Index) Objects() []Object { return x.objects }

// orderByKindAndName orders the objects by kind and name.
func (b *indexBuilder) orderByKindAndName() {
	order := make([]int32, len(b.objects))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(b.objects[x].Kind, b.objects[y].Kind), strings.Compare(b.objects[x].Name, b.objects[y].Name),
			strings.Compare(b.objects[x].Value, b.objects[y].Value), cmp.Compare(x, y))
	})
	b.rank = make([]int32, len(order))
	for at, o := range order {
		b.rank[o] = int32(at)
	}
}
