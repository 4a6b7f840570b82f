package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// declarationPlace is where an object is declared.
type declarationPlace struct {
	modelspec.Place
	inOld bool
}

// declarationIndex finds the declarations of objects in a document.
type declarationIndex struct {
	root          modelspec.Place
	datasets      map[string]*modelspec.Dataset
	metrics       map[string]*modelspec.Metric
	relationships map[string]*modelspec.Relationship
}

func newDeclarationIndex(doc *modelspec.Document) declarationIndex {
	p := declarationIndex{
		datasets: map[string]*modelspec.Dataset{}, metrics: map[string]*modelspec.Metric{},
		relationships: map[string]*modelspec.Relationship{},
	}
	var m *modelspec.SemanticModel
	if doc != nil {
		m = doc.Model()
	}
	if m == nil {
		return p
	}
	p.root = m.Place
	for _, d := range m.Datasets {
		putIfAbsent(p.datasets, d.Name.Value, d)
	}
	for _, x := range m.Metrics {
		putIfAbsent(p.metrics, x.Name.Value, x)
	}
	for _, r := range m.Relationships {
		putIfAbsent(p.relationships, r.Name.Value, r)
	}
	return p
}

func putIfAbsent[T any](m map[string]T, name string, x T) {
	if _, ok := m[strings.ToLower(name)]; !ok {
		m[strings.ToLower(name)] = x
	}
}

func (p declarationIndex) datasetPlace(d *catalog.Dataset) modelspec.Place {
	if found := p.datasets[strings.ToLower(d.Name)]; found != nil {
		return found.Place
	}
	return p.root
}

// fieldDeclaration returns a field as written; nil without a document.
func (p declarationIndex) fieldDeclaration(f *catalog.Field) *modelspec.Field {
	if d := p.datasets[strings.ToLower(f.Dataset.Name)]; d != nil {
		return d.Field(f.Name)
	}
	return nil
}

func (p declarationIndex) fieldExpression(f *catalog.Field) *modelspec.Expression {
	if found := p.fieldDeclaration(f); found != nil {
		return found.Expression
	}
	return nil
}

func (p declarationIndex) metricExpression(m *catalog.Metric) *modelspec.Expression {
	if found := p.metrics[strings.ToLower(m.Name)]; found != nil {
		return found.Expression
	}
	return nil
}

func (p declarationIndex) fieldPlace(f *catalog.Field) modelspec.Place {
	if found := p.fieldDeclaration(f); found != nil {
		return found.Place
	}
	return p.datasetPlace(f.Dataset)
}

func (p declarationIndex) metricPlace(m *catalog.Metric) modelspec.Place {
	if found := p.metrics[strings.ToLower(m.Name)]; found != nil {
		return found.Place
	}
	return p.root
}

func (p declarationIndex) relationshipPlace(r *catalog.Relationship) modelspec.Place {
	if found := p.relationships[strings.ToLower(r.Name)]; found != nil {
		return found.Place
	}
	return p.root
}

func asNewModelPlace(p modelspec.Place) declarationPlace { return declarationPlace{p, false} }
func asOldModelPlace(p modelspec.Place) declarationPlace { return declarationPlace{p, true} }
