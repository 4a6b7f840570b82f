package cube

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// subQueryDimension is a dimension that has the value of a measure for each row of its cube.
type subQueryDimension struct {
	node  *importer.Node
	name  string
	field *draft.Field
}

// addSubQueryFields makes level-of-detail fields, by the primary key of the cube.
func (p *projectImport) addSubQueryFields(c *cube) {
	for _, s := range c.subQueries {
		loss, err := p.addSubQueryField(c, s)
		path := importer.FieldPath(c.name, s.field.Name)
		switch {
		case err != nil:
			p.recordDroppedMember(s.node, "dimension", s.name, err.Error())
		default:
			p.recordMember(s.node, "dimension", s.name, path, loss)
		}
	}
}

func (p *projectImport) addSubQueryField(c *cube, s *subQueryDimension) (loss string, err error) {
	sql := strings.TrimSpace(s.node.Get("sql").String())
	m := referencePattern.FindStringSubmatch(sql)
	switch {
	case s.node.Get("propagate_filters_to_sub_query").IsTrue():
		return "", errors.New("the filters of a query do not apply in a subquery")
	case len(c.keyFields) == 0:
		return "", errors.New("its cube has no primary key")
	case c.members[s.field.Name] != s.node:
		return "", errors.New("another dimension has the same name")
	case m == nil || m[0] != sql || m[3] != "":
		return "", errors.New("a subquery that is not one measure has no counterpart")
	}
	of, measure := p.byName[m[1]], m[2]
	if measure == "" {
		of, measure = c, m[1]
	} else if m[1] == "CUBE" {
		of = c
	}
	if of == nil || of.dataset == nil {
		return "", errors.New("the cube of its measure is not imported")
	}
	i := slices.IndexFunc(of.lists["measures"], func(n *importer.Node) bool { return n.Get("name").String() == measure })
	if i < 0 {
		return "", errors.New("it refers to " + m[0] + ", which is not a measure")
	}
	n := of.lists["measures"][i]
	if n.Get("rolling_window") != nil || n.Get("multi_stage") != nil || n.Get("time_shift") != nil {
		return "", errors.New("its measure has a window, or several stages")
	}
	text, loss, err := of.measureAggregateSQL(n, measure)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(snakeCaseMemberType(n), "count") {
		loss = "a row of the cube without a match has 0, and in Cube null"
	}
	s.field.LOD = &draft.LODBlock{Grain: c.keyFields}
	return loss, c.addField(s.field, text)
}

// findSubQueryFieldNamedBySQL finds the subquery dimension that is the whole of an SQL text.
func (c *cube) findSubQueryFieldNamedBySQL(sql string) (name string, found bool) {
	sql = strings.TrimSpace(sql)
	m := referencePattern.FindStringSubmatch(sql)
	if m == nil || m[0] != sql || m[3] != "" {
		return "", false
	}
	name = m[2]
	if name == "" {
		name = m[1]
	} else if m[1] != "CUBE" && m[1] != c.name {
		return "", false
	}
	n := c.members[name]
	return name, n != nil && n.Get("sub_query").IsTrue()
}
