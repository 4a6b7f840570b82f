package lookml

import (
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// errBeforeExplores is the error of a reference to another view while the joins are not known.
var errBeforeExplores = errors.New("the joins of the explores are not known yet")

// addJoinedDimensions adds the fields of dimensions over other views. They can be made of each other, so that those that fail are
// tried again as long as another one succeeds.
func (p *projectImport) addJoinedDimensions() {
	for added := true; added; {
		added = false
		for _, v := range p.viewList {
			var failed []*dimension
			for _, d := range v.joinedDimensions {
				if _, err := v.dimensionSQL(d); err != nil {
					failed = append(failed, d)
					continue
				}
				added = true
				p.addField(v, d)
			}
			v.joinedDimensions = failed
		}
	}
	for _, v := range p.viewList {
		for _, d := range v.joinedDimensions {
			_, err := v.dimensionSQL(d)
			d.refused = err.Error()
			p.addField(v, d)
		}
	}
}

// joinedDimensionSQL returns the path of a dimension of another view, of which each row of the view has at most one. A dimension that has
// a value over no row is an error: in Looker the rows without a partner have it.
func (v *view) joinedDimensionSQL(alias, name string) (sql, loss string, err error) {
	if !v.project.exploresKnown {
		return "", "", errBeforeExplores
	}
	target, path, err := v.pathToJoinedView(alias)
	if err != nil {
		return "", "", fmt.Errorf("it refers to %s.%s of another view, and %w", alias, name, err)
	}
	d, frame := target.findDimension(name)
	switch {
	case d == nil || !d.added:
		return "", "", fmt.Errorf("it refers to %s.%s, which is not a field of the model", alias, name)
	case !importer.IsNullForNullColumns(d.field, v.project.options.Dialect):
		return "", "", fmt.Errorf("it refers to %s.%s, which has a value in Looker where no row of %s matches", alias, name, target.name)
	}
	if sql = timeframeSQL(d, frame, sqlexpr.FormatPath(append(path, d.name)...)); sql == "" {
		err = fmt.Errorf("it refers to %s.%s, and the timeframe %s has no expression here", alias, name, frame)
	}
	return sql, d.approximated, err
}

// pathToJoinedView returns the view that the explores join under a name, and the relationships that lead to it: one join, else the only
// path of several.
func (v *view) pathToJoinedView(alias string) (target *view, path []string, err error) {
	for _, j := range v.joins {
		if j.name != alias {
			continue
		}
		if target != nil {
			return nil, nil, fmt.Errorf("several joins lead from %s to %s", v.name, alias)
		}
		target, path = j.target, []string{j.relationship}
	}
	if target != nil {
		return target, path, nil
	}
	if target = v.project.byName[alias]; target == nil {
		return nil, nil, fmt.Errorf("the view %s is not in the model", alias)
	}
	if path, err = importer.RelationshipPathTo(v.project.model, v.name, target.name); err == nil && path == nil {
		err = fmt.Errorf("no join leads from a row of %s to one of %s", v.name, alias)
	}
	return target, path, err
}

// deferJoinedDimension remembers a dimension over other views until the joins are known.
func (v *view) deferJoinedDimension(d *dimension) {
	v.joinedDimensions = append(v.joinedDimensions, d)
	v.columns.AddElementExpression(d.name, "0") // not a column: it hides one of its name
}
