package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// MaxIndexedValues is the greatest number of different values of a field that IndexValues reads.
const MaxIndexedValues = limits.ValuesOfOneFieldPerRequest

// The bounds of the values in the index. They are read in the background, where no request gives a time.
const (
	fieldValuesReadTimeout = 30 * time.Second // of the statement of one field
	maxIndexedTextBytes    = 32 << 20         // of the texts of all fields
)

// IndexValues reads the values of every text dimension with at most n different ones, and makes them known to Find. It
// reads field by field in one execution slot, which it waits for, and returns how many fields have their values in the
// index. A field with more values, one that cannot be read within 30 seconds, and one whose texts make those of all fields
// larger than 32 MiB are left out. The values are those of Config.DefaultConnection; else those of the
// embedded database, unless it is empty; else those of the profile marked as the default, or of the only connection.
func (e *Engine) IndexValues(ctx context.Context, n int) (fields int, err error) {
	if e.enforcedRoles() != nil {
		e.log.Warn("no values are indexed: roles decide who sees which")
		return 0, nil
	}
	defer e.recoverToError(&err)
	if n <= 0 {
		return 0, nil
	}
	t, ok := e.targetForValueIndex()
	if !ok {
		return 0, nil
	}
	if err := e.checkExecutable(t); err != nil {
		return 0, err
	}
	release, err := e.waitForSlot(ctx, t)
	if err != nil {
		return 0, err
	}
	defer release()
	ctx = e.withQueryTag(ctx)
	var all []find.FieldValues
	size := 0
	for _, f := range e.cat.Fields {
		if ctx.Err() != nil {
			return 0, e.toExecuteError(ctx, ctx.Err())
		}
		if !isValueIndexedField(f) {
			continue
		}
		texts, ok := e.readDistinctTexts(ctx, t, f, int64(min(n, MaxIndexedValues)))
		if added := totalTextLength(texts); ok && size+added <= maxIndexedTextBytes {
			all, size = append(all, find.FieldValues{Field: f, Texts: texts}), size+added
		}
	}
	e.indexedValues.replace(all)
	e.indexedValues.indexOf(e.cat) // the first question does not wait for it
	return len(all), nil
}

// isValueIndexedField reports whether the values of a field are read for the index: those of text dimensions. Those of a
// sequence are values of other datasets.
func isValueIndexedField(f *catalog.Field) bool {
	return f.ErrorForDialect(embeddedDialect) == nil && !f.IsNoDimension() &&
		f.Type == sqlexpr.TypeString && f.Encoding == nil && f.LOD == nil && f.Dataset.Sequence == nil
}

// targetForValueIndex returns the target on which the values of the index are read; false where nothing is executed without a connection, and
// several could be meant.
func (e *Engine) targetForValueIndex() (compileTarget, bool) {
	c := e.config
	all := e.warehouses.connections.Load()
	name := all.defaultName
	if name == "" {
		if c.hasEmbeddedData() || len(all.list) == 0 {
			return e.warehouses.targets[embeddedDialect], c.checkEmbeddedDriver() == nil
		}
		name = all.likelyConnection()
	}
	t, err := all.targetOfConnection(name)
	return t, err == nil && name != ""
}

// waitForSlot takes an execution slot when one is free.
func (e *Engine) waitForSlot(ctx context.Context, t compileTarget) (release func(), err error) {
	for {
		release, err := e.acquireSlot(ctx, t)
		var busy *BusyError
		if err == nil || !errors.As(err, &busy) {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, e.toExecuteError(ctx, ctx.Err())
		case <-time.After(slotRetryInterval):
		}
	}
}

// slotRetryInterval is how long to wait before another try for a slot.
const slotRetryInterval = 100 * time.Millisecond

// readDistinctTexts reads the different values of a field; false where there are more than n, or they cannot be read.
func (e *Engine) readDistinctTexts(ctx context.Context, t compileTarget, f *catalog.Field, n int64) ([]string, bool) {
	r, err := e.compileFieldValueQueries(ctx, &query.ValuesQuery{Field: f.QualifiedName(), Limit: n + 1}, t) // null may be one more
	if err != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, fieldValuesReadTimeout)
	defer cancel()
	found, err := r.readValueCounts(ctx, e, r.values, maxFrequentValuesBytes)
	if err != nil {
		return nil, false
	}
	var texts []string
	for _, v := range found {
		if !isNullValue(v.Value) {
			texts = append(texts, textOfValue(v.Value))
		}
	}
	return texts, int64(len(texts)) <= n && int64(len(found)) <= n+1
}

func totalTextLength(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	return n
}

// currentFindIndex returns the index of names: with the values of the data, if these were read.
func (e *Engine) currentFindIndex() *find.Index {
	if x := e.indexedValues.indexOf(e.cat); x != nil {
		return x
	}
	return e.index()
}

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
