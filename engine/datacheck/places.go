package datacheck

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// places finds the objects of a catalog in the text of the model.
type places struct {
	datasets      map[string]*modelspec.Dataset
	relationships map[string]*modelspec.Relationship
	metrics       map[string]*modelspec.Metric
}

func placesOf(doc *modelspec.Document) places {
	p := places{map[string]*modelspec.Dataset{}, map[string]*modelspec.Relationship{}, map[string]*modelspec.Metric{}}
	m := doc.Model()
	if m == nil {
		return p
	}
	for _, d := range m.Datasets {
		p.datasets[strings.ToLower(d.Name.Value)] = d
	}
	for _, r := range m.Relationships {
		p.relationships[strings.ToLower(r.Name.Value)] = r
	}
	for _, x := range m.Metrics {
		p.metrics[strings.ToLower(x.Name.Value)] = x
	}
	return p
}

func (p places) dataset(d *catalog.Dataset) modelspec.Place {
	if doc := p.datasets[strings.ToLower(d.Name)]; doc != nil {
		return doc.Place
	}
	return modelspec.Place{}
}

func (p places) source(d *catalog.Dataset) modelspec.Place {
	doc := p.datasets[strings.ToLower(d.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	return modelspec.Place{Location: doc.At("source"), Position: doc.Source.Position}
}

func (p places) field(f *catalog.Field) *modelspec.Field {
	doc := p.datasets[strings.ToLower(f.Dataset.Name)]
	if doc == nil {
		return nil
	}
	return doc.Field(f.Name)
}

func (p places) expression(f *catalog.Field) modelspec.Place {
	doc := p.field(f)
	if doc == nil {
		return p.keyColumn(f.Dataset, f.Name)
	}
	return expressionPlace(doc.Place, doc.Expression)
}

func (p places) datatype(f *catalog.Field) modelspec.Place {
	doc := p.field(f)
	if doc == nil {
		return p.dataset(f.Dataset)
	}
	return modelspec.Place{Location: doc.At("datatype"), Position: doc.Datatype.Position}
}

func (p places) fieldItself(f *catalog.Field) modelspec.Place {
	if doc := p.field(f); doc != nil {
		return doc.Place
	}
	return p.dataset(f.Dataset)
}

func (p places) metric(m *catalog.Metric) modelspec.Place {
	doc := p.metrics[strings.ToLower(m.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	return expressionPlace(doc.Place, doc.Expression)
}

// expressionPlace is the place of the text of an expression that is written once, else of the whole.
func expressionPlace(owner modelspec.Place, e *modelspec.Expression) modelspec.Place {
	if e == nil {
		return owner
	}
	if len(e.Entries) == 1 {
		return modelspec.Place{Location: e.Location, Position: e.Entries[0].Expression.Position}
	}
	return e.Place
}

// relationship returns the declaration of a relationship, which may be nil.
func (p places) relationship(r *catalog.Relationship) *modelspec.Relationship {
	return p.relationships[strings.ToLower(r.Name)]
}

// keyColumn is the place of a column of a key that is not a field.
func (p places) keyColumn(d *catalog.Dataset, name string) modelspec.Place {
	doc := p.datasets[strings.ToLower(d.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	locations, keys := []string{doc.At("primary_key")}, append([][]modelspec.Text{doc.PrimaryKey}, doc.UniqueKeys...)
	for i := range doc.UniqueKeys {
		locations = append(locations, fmt.Sprintf("%s[%d]", doc.At("unique_keys"), i))
	}
	for i, columns := range keys {
		for j, column := range columns {
			if strings.Trim(column.Value, `"`) == name {
				return modelspec.Place{Location: fmt.Sprintf("%s[%d]", locations[i], j), Position: column.Position}
			}
		}
	}
	return doc.Place
}

// key is the place of the first column of a declared key: of the primary key for -1, else of a unique key.
func (p places) key(d *catalog.Dataset, unique int) modelspec.Place {
	doc := p.datasets[strings.ToLower(d.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	columns, location := doc.PrimaryKey, doc.At("primary_key")
	if unique >= 0 {
		columns, location = doc.UniqueKeys[unique], fmt.Sprintf("%s[%d]", doc.At("unique_keys"), unique)
	}
	if len(columns) == 0 {
		return doc.Place
	}
	return modelspec.Place{Location: location, Position: columns[0].Position}
}
