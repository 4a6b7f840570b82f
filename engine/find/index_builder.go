package find

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// indexBuilder collects the words of objects. Models repeat the names of their datasets and fields, so each short text is
// analysed once.
type indexBuilder struct {
	*Index
	ids   map[string]int32 // of words, in the order of their first use
	roots []string         // by id, their stems; "" where it is not known yet
	texts map[string]*analysedText

	phraseStems []string // of the phrase that is added
	phraseKey   []byte
	placeWords  []int32 // of the place that is added
}

// analysedText are the words of a text.
type analysedText struct {
	all        []string
	meaningful []int32 // each once
	phrase     []byte  // its key
}

// maxBytesPerCachedText is the length of the texts, in bytes, that are kept because others may repeat them.
const maxBytesPerCachedText = 64

func newIndexBuilder(objects int) *indexBuilder {
	return &indexBuilder{
		Index: &Index{
			objects: make([]Object, 0, objects), names: make([][]string, 0, objects), own: make([]int32, 0, objects),
			stems: map[string][]int32{}, trigrams: map[string][]int32{}, compounds: map[string][]string{}, phrases: make(map[string]int32, objects),
		},
		ids: map[string]int32{}, texts: map[string]*analysedText{},
	}
}

// indexObject adds an object with its places. The first place is the object's own name.
func (b *indexBuilder) indexObject(o Object, places []placeText) {
	object := int32(len(b.objects))
	b.objects = append(b.objects, o)
	own := b.analyseText(places[0].text)
	name := own.all
	if qualifier, ok := strings.CutSuffix(o.Name, "."+places[0].text); ok {
		name = slices.Concat(b.analyseText(qualifier).all, own.all)
	} else if o.Name != places[0].text {
		name = splitWords(o.Name)
	}
	b.names, b.own = append(b.names, name), append(b.own, int32(len(own.all)))
	if len(name) > len(own.all) {
		b.addPhrase(b.phraseKeyInBuffer(name), object)
	}
	for _, p := range places {
		if p.text == "" {
			continue
		}
		if len(p.text) > maxBytesPerCachedText {
			words := splitWords(p.text)
			b.addCompounds(p.text)
			if p.kind.isWeightedByMatchedWordShare() {
				b.addPhrase(b.phraseKeyInBuffer(words), object)
			}
			b.placeWords = b.appendMeaningfulWordIDs(b.placeWords[:0], words)
			b.addPlace(object, p.kind, b.placeWords)
			continue
		}
		t := b.analyseText(p.text)
		if p.kind.isWeightedByMatchedWordShare() {
			b.addPhrase(t.phrase, object)
		}
		b.addPlace(object, p.kind, t.meaningful)
	}
}

// indexFieldValue adds a value, which is found by its words and those of its field, and by no name.
func (b *indexBuilder) indexFieldValue(listed catalog.ViewField, value string) {
	f := listed.Field
	object := int32(len(b.objects))
	b.objects = append(b.objects, Object{Kind: KindValue, Name: listed.Text(), Value: value, Field: f, Relationship: listed.Rel})
	b.names, b.own = append(b.names, nil), append(b.own, 0)
	if !hasAtMostRunes(value, maxComparedRunes) {
		return
	}
	b.placeWords = b.appendMeaningfulWordIDs(b.placeWords[:0], splitWords(value))
	b.addPlace(object, placeKindValue, b.placeWords)
	b.addPlace(object, placeKindDataset, b.analyseText(f.Dataset.Name+" "+f.Name).meaningful)
}

// analyseText returns the words of a text, which are kept.
func (b *indexBuilder) analyseText(text string) *analysedText {
	t, known := b.texts[text]
	if !known {
		all := splitWords(text)
		b.addCompounds(text)
		t = &analysedText{all: all, meaningful: b.appendMeaningfulWordIDs(nil, all), phrase: slices.Clone(b.phraseKeyInBuffer(all))}
		b.texts[text] = t
	}
	return t
}

// appendMeaningfulWordIDs appends the words that mean something, each once.
func (b *indexBuilder) appendMeaningfulWordIDs(to []int32, all []string) []int32 {
	for _, w := range withoutStopWords(all) {
		if id := b.wordID(w); !slices.Contains(to, id) {
			to = append(to, id)
		}
	}
	return to
}

func (b *indexBuilder) wordID(word string) int32 {
	id, known := b.ids[word]
	if !known {
		id = int32(len(b.words))
		b.ids[word] = id
		b.words, b.postings, b.roots = append(b.words, word), append(b.postings, nil), append(b.roots, "")
	}
	return id
}

func (b *indexBuilder) stemOfWordID(id int32) string {
	if b.roots[id] == "" {
		b.roots[id] = stemOfWord(b.words[id])
	}
	return b.roots[id]
}

func (b *indexBuilder) addPlace(object int32, kind placeKind, words []int32) {
	if len(words) == 0 {
		return
	}
	id := int32(len(b.places))
	b.places = append(b.places, indexedPlace{object, kind, uint8(min(len(words), 255))})
	for _, w := range words {
		b.postings[w] = append(b.postings[w], id)
	}
}

// phraseKeyInBuffer is phraseKey of words, until it is called again.
func (b *indexBuilder) phraseKeyInBuffer(words []string) []byte {
	b.phraseStems = b.phraseStems[:0]
	for _, w := range withoutStopWords(words) {
		b.phraseStems = append(b.phraseStems, b.stemOfWordID(b.wordID(w)))
	}
	b.phraseKey = appendPhraseKey(b.phraseKey[:0], b.phraseStems)
	return b.phraseKey
}

// addPhrase adds an object under the key of a phrase.
func (b *indexBuilder) addPhrase(key []byte, object int32) {
	if len(key) == 0 {
		return
	}
	last := b.phrases[string(key)]
	if last > 0 && b.phraseObjects[last-1].object == object {
		return
	}
	b.phraseObjects = append(b.phraseObjects, phraseObjectEntry{object, last})
	b.phrases[string(key)] = int32(len(b.phraseObjects))
}

// phraseKey returns the stems of the words of a phrase that mean something, in any order.
func phraseKey(words []string) string {
	var stems []string
	for _, w := range withoutStopWords(words) {
		stems = append(stems, stemOfWord(w))
	}
	return string(appendPhraseKey(nil, stems))
}

// appendPhraseKey appends different stems in their order. It sorts them.
func appendPhraseKey(to []byte, stems []string) []byte {
	slices.Sort(stems)
	for i, s := range slices.Compact(stems) {
		if i > 0 {
			to = append(to, ' ')
		}
		to = append(to, s...)
	}
	return to
}

// finishIndex sorts the vocabulary and indexes its words.
func (b *indexBuilder) finishIndex() *Index {
	order := make([]int32, 0, len(b.words))
	for word, places := range b.postings {
		if len(places) > 0 {
			order = append(order, int32(word))
		}
	}
	slices.SortFunc(order, func(x, y int32) int { return strings.Compare(b.words[x], b.words[y]) })
	words, postings := make([]string, len(order)), make([][]int32, len(order))
	b.counts = make([]uint8, len(order))
	for i, old := range order {
		w := b.words[old]
		words[i], postings[i] = w, slices.Clip(b.postings[old])
		s := b.stemOfWordID(old)
		b.stems[s] = append(b.stems[s], int32(i))
		if utf8.RuneCountInString(w) < minMisspeltWordLength {
			continue
		}
		grams := trigramsOfWord(w)
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
	b.scratch.New = func() any { return newSearchScratch(len(words), places, objects) }
	return b.Index
}

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
