package catalogue

import (
	"sync"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
)

// columnNumbers are the numbers of the relations of one revision of a model and of their columns.
type columnNumbers struct {
	revision string
	tables   map[string]uint32
	columns  map[[2]string]uint16 // by relation and column
}

// columnNumbersByDatabase keeps the numbers of the models that statements read, the last revision of each.
type columnNumbersByDatabase struct {
	mu     sync.Mutex
	models map[string]*columnNumbers
}

// ColumnNumbers returns the OID of a relation of the session's model and the number of its column, as pg_class and pg_attribute have them.
func (c *Catalogue) ColumnNumbers(s pgwire.CatalogueSession, relation, column string) (table uint32, attribute uint16) {
	numbers := c.numbers.ofModel(s.Database, s.Model)
	attribute = numbers.columns[[2]string{relation, column}]
	if attribute == 0 {
		return 0, 0
	}
	return numbers.tables[relation], attribute
}

func (n *columnNumbersByDatabase) ofModel(database string, model pgwire.CatalogueModel) *columnNumbers {
	n.mu.Lock()
	defer n.mu.Unlock()
	revision := model.Revision()
	if known := n.models[database]; known != nil && known.revision == revision {
		return known
	}
	if n.models == nil {
		n.models = map[string]*columnNumbers{}
	}
	n.models[database] = newColumnNumbers(revision, model.Relations())
	return n.models[database]
}

// drop forgets the numbers, which the next statements find again.
func (n *columnNumbersByDatabase) drop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.models = nil
}

func newColumnNumbers(revision string, relations []engine.RelationInfo) *columnNumbers {
	out := &columnNumbers{revision: revision, tables: map[string]uint32{}, columns: map[[2]string]uint16{}}
	oids := assignOIDs(objectKeysOfRelations(relations))
	for _, rel := range relations {
		out.tables[rel.Name] = oids[catalogueObjectKey{kindClass, rel.Name}]
		for i, c := range rel.Columns {
			out.columns[[2]string{rel.Name, c.Name}] = uint16(i + 1)
		}
	}
	return out
}
