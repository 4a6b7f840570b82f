package engine

import (
	"sync"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// indexedValues are the values of fields that the index of names has, for the engine of a model and those of its views.
type indexedValues struct {
	mu      sync.Mutex
	known   []find.FieldValues
	indexes map[*catalog.View]*find.Index // of the whole model by nil; nil before IndexValues
}

// replace makes these the values of the index.
func (x *indexedValues) replace(values []find.FieldValues) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.known, x.indexes = values, map[*catalog.View]*find.Index{}
}

// indexOf returns the index of the names and the values in the scope of a catalog; nil before IndexValues.
func (x *indexedValues) indexOf(cat *catalog.Catalog) *find.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.indexes == nil {
		return nil
	}
	v := cat.ScopeView()
	if x.indexes[v] == nil {
		x.indexes[v] = find.NewIndexWithValues(cat, embeddedDialect, x.known)
	}
	return x.indexes[v]
}
