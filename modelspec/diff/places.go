package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// place is where an object is declared.
type place struct {
	modelspec.Place
	inOld bool
}

// places finds the declarations of objects in a document.
type places struct {
	root          modelspec.Place
	datasets      map[string]*modelspec.Dataset
	metrics       map[string]*modelspec.Metric
	relationships map[string]*modelspec.Relationship
}

func placesOf(doc *modelspec.Document) places {
	p := places{
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
		putFirst(p.datasets, d.Name.Value, d)
	}
	for _, x := range m.Metrics {
		putFirst(p.metrics, x.Name.Value, x)
	}
	for _, r := range m.Relationships {
		putFirst(p.relationships, r.Name.Value, r)
	}
	return p
}

func putFirst[T any](m map[string]T, name string, x T) {
	if _, ok := m[strings.ToLower(name)]; !ok {
		m[strings.ToLower(name)] = x
	}
}

func (p places) dataset(d *catalog.Dataset) modelspec.Place {
	if found := p.datasets[strings.ToLower(d.Name)]; found != nil {
		return found.Place
	}
	return p.root
}

// fieldDeclaration is a field as written; nil without a document.
func (p places) fieldDeclaration(f *catalog.Field) *modelspec.Field {
	if d := p.datasets[strings.ToLower(f.Dataset.Name)]; d != nil {
		return d.Field(f.Name)
	}
	return nil
}

func (p places) fieldExpression(f *catalog.Field) *modelspec.Expression {
	if found := p.fieldDeclaration(f); found != nil {
		return found.Expression
	}
	return nil
}

func (p places) metricExpression(m *catalog.Metric) *modelspec.Expression {
	if found := p.metrics[strings.ToLower(m.Name)]; found != nil {
		return found.Expression
	}
	return nil
}

func (p places) field(f *catalog.Field) modelspec.Place {
	if found := p.fieldDeclaration(f); found != nil {
		return found.Place
	}
	return p.dataset(f.Dataset)
}

func (p places) metric(m *catalog.Metric) modelspec.Place {
	if found := p.metrics[strings.ToLower(m.Name)]; found != nil {
		return found.Place
	}
	return p.root
}

func (p places) relationship(r *catalog.Relationship) modelspec.Place {
	if found := p.relationships[strings.ToLower(r.Name)]; found != nil {
		return found.Place
	}
	return p.root
}

func inNew(p modelspec.Place) place { return place{p, false} }
func inOld(p modelspec.Place) place { return place{p, true} }
