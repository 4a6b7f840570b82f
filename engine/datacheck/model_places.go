package datacheck

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// modelObjectPlaces finds the objects of a catalog in the text of the model.
type modelObjectPlaces struct {
	datasets      map[string]*modelspec.Dataset
	relationships map[string]*modelspec.Relationship
	metrics       map[string]*modelspec.Metric
}

func newModelObjectPlaces(doc *modelspec.Document) modelObjectPlaces {
	p := modelObjectPlaces{map[string]*modelspec.Dataset{}, map[string]*modelspec.Relationship{}, map[string]*modelspec.Metric{}}
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

func (p modelObjectPlaces) datasetPlace(d *catalog.Dataset) modelspec.Place {
	if doc := p.datasets[strings.ToLower(d.Name)]; doc != nil {
		return doc.Place
	}
	return modelspec.Place{}
}

func (p modelObjectPlaces) sourcePlace(d *catalog.Dataset) modelspec.Place {
	doc := p.datasets[strings.ToLower(d.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	return modelspec.Place{Location: doc.MemberLocation("source"), Position: doc.Source.Position}
}

func (p modelObjectPlaces) fieldDeclaration(f *catalog.Field) *modelspec.Field {
	doc := p.datasets[strings.ToLower(f.Dataset.Name)]
	if doc == nil {
		return nil
	}
	return doc.Field(f.Name)
}

func (p modelObjectPlaces) fieldExpressionPlace(f *catalog.Field) modelspec.Place {
	doc := p.fieldDeclaration(f)
	if doc == nil {
		return p.keyColumnPlace(f.Dataset, f.Name)
	}
	return expressionPlace(doc.Place, doc.Expression)
}

func (p modelObjectPlaces) datatypePlace(f *catalog.Field) modelspec.Place {
	doc := p.fieldDeclaration(f)
	if doc == nil {
		return p.datasetPlace(f.Dataset)
	}
	return modelspec.Place{Location: doc.MemberLocation("datatype"), Position: doc.Datatype.Position}
}

func (p modelObjectPlaces) fieldPlace(f *catalog.Field) modelspec.Place {
	if doc := p.fieldDeclaration(f); doc != nil {
		return doc.Place
	}
	return p.datasetPlace(f.Dataset)
}

func (p modelObjectPlaces) metricExpressionPlace(m *catalog.Metric) modelspec.Place {
	doc := p.metrics[strings.ToLower(m.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	return expressionPlace(doc.Place, doc.Expression)
}

// expressionPlace returns the place of the text of an expression that is written once, else of the whole.
func expressionPlace(owner modelspec.Place, e *modelspec.Expression) modelspec.Place {
	if e == nil {
		return owner
	}
	if len(e.Entries) == 1 {
		return modelspec.Place{Location: e.Location, Position: e.Entries[0].Expression.Position}
	}
	return e.Place
}

// relationshipDeclaration returns the declaration of a relationship, which may be nil.
func (p modelObjectPlaces) relationshipDeclaration(r *catalog.Relationship) *modelspec.Relationship {
	return p.relationships[strings.ToLower(r.Name)]
}

// keyColumnPlace returns the place of a column of a key that is not a field.
func (p modelObjectPlaces) keyColumnPlace(d *catalog.Dataset, name string) modelspec.Place {
	doc := p.datasets[strings.ToLower(d.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	locations, keys := []string{doc.MemberLocation("primary_key")}, append([][]modelspec.LocatedText{doc.PrimaryKey}, doc.UniqueKeys...)
	for i := range doc.UniqueKeys {
		locations = append(locations, fmt.Sprintf("%s[%d]", doc.MemberLocation("unique_keys"), i))
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

// keyPlace returns the place of the first column of a declared key: of the primary key for -1, else of a unique key.
func (p modelObjectPlaces) keyPlace(d *catalog.Dataset, unique int) modelspec.Place {
	doc := p.datasets[strings.ToLower(d.Name)]
	if doc == nil {
		return modelspec.Place{}
	}
	columns, location := doc.PrimaryKey, doc.MemberLocation("primary_key")
	if unique >= 0 {
		columns, location = doc.UniqueKeys[unique], fmt.Sprintf("%s[%d]", doc.MemberLocation("unique_keys"), unique)
	}
	if len(columns) == 0 {
		return doc.Place
	}
	return modelspec.Place{Location: location, Position: columns[0].Position}
}
