package cube

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addRelationshipsOfJoins makes relationships of the joins whose SQL is an AND of equalities.
func (p *projectImport) addRelationshipsOfJoins(c *cube) {
	if c.dataset == nil {
		return
	}
	for _, n := range c.lists["joins"] {
		name := c.name + "." + n.Get("name").String()
		report := p.report
		if p.entries[n] != nil {
			report = &importer.Report{} // the cube that declares it has reported its keys
		}
		o := report.ReadObject(n, "join", name)
		if o == nil {
			continue
		}
		o.IgnoreKeys("name", "sql", "relationship")
		o.Close()
		r, err := p.buildJoinRelationship(c, n)
		if err != nil {
			p.recordDroppedMember(n, "join", name, err.Error())
			continue
		}
		if same := p.findRelationshipWithSameColumns(r); same != nil {
			p.joinNames[[2]string{c.name, n.Get("name").String()}] = same.Name
			p.recordJoin(c, n, importer.RelationshipPath(same.Name))
			continue
		}
		r.Name = p.relationshipNames.ReserveFirstUnusedName(r.From+"_"+r.To, r.From+"_"+r.To)
		p.model.Relationships = append(p.model.Relationships, r)
		p.joinNames[[2]string{c.name, n.Get("name").String()}] = r.Name
		p.recordJoin(c, n, importer.RelationshipPath(r.Name))
	}
}

// recordJoin records the join of a cube. Cube reads the rows of the cube that declares a join, and the rows of the other
// that these lead to: also where both cubes have measures in one query.
func (p *projectImport) recordJoin(c *cube, n *importer.Node, path string) {
	target := p.byName[n.Get("name").String()]
	var losses []string
	if kind := snakeCase(n.Get("relationship").String()); kind != "many_to_one" && kind != "belongs_to" {
		losses = append(losses, "rows of "+target.name+" without one of "+c.name+" count, and not in Cube; rows of "+c.name+" without one of "+target.name+
			" are in no group of the measures of "+target.name+", and in Cube they are")
	}
	if len(c.lists["measures"]) > 0 && len(target.lists["measures"]) > 0 {
		losses = append(losses, "measures of "+target.name+" beside those of "+c.name+" aggregate all its rows, and in Cube those that the rows of "+c.name+" lead to")
	}
	p.recordMember(n, "join", c.name+"."+target.name, path, strings.Join(losses, "; "))
}

func (p *projectImport) buildJoinRelationship(c *cube, n *importer.Node) (*draft.Relationship, error) {
	target := p.byName[n.Get("name").String()]
	if target == nil || target.dataset == nil || target == c {
		return nil, errors.New("the cube that it joins is not imported")
	}
	sql := n.Get("sql").String()
	if err := checkNoTemplateMarks(sql); err != nil {
		return nil, err
	}
	text := c.ownTablePattern.ReplaceAllString(importer.BacktickNamesToDoubleQuotes(p.withBracedReferences(sql)), "l_column.")
	text = target.ownTablePattern.ReplaceAllString(text, "r_column.")
	text = referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		m := referencePattern.FindStringSubmatch(match)
		side, member := "l", m[2]
		if m[1] == target.name {
			side = "r"
		} else if m[1] != "CUBE" && m[1] != c.name {
			side, member = "l", m[1]
		}
		return side + "_member." + member
	})
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return nil, err
	}
	r := &draft.Relationship{From: c.name, To: target.name, Cardinality: modelspec.ManyToOne}
	for _, part := range sqlexpr.SplitConjuncts(e) {
		equal, ok := part.(*sqlexpr.Binary)
		if !ok || equal.Op != sqlexpr.OpEq {
			return nil, errors.New("its SQL is not an AND of equalities of columns")
		}
		left, right := equal.L, equal.R
		if strings.HasPrefix(sqlexpr.Format(left), "r_") {
			left, right = right, left
		}
		from, err := c.fieldOfJoinSide(left, "l_")
		if err != nil {
			return nil, err
		}
		to, err := target.fieldOfJoinSide(right, "r_")
		if err != nil {
			return nil, err
		}
		r.FromColumns, r.ToColumns = append(r.FromColumns, from), append(r.ToColumns, to)
	}
	switch snakeCase(n.Get("relationship").String()) {
	case "many_to_one", "belongs_to":
	case "one_to_one", "has_one":
		r.Cardinality = modelspec.OneToOne
	case "one_to_many", "has_many":
		r.From, r.To, r.FromColumns, r.ToColumns = r.To, r.From, r.ToColumns, r.FromColumns
	default:
		return nil, errors.New(importer.MissingOrUnknown("relationship", n.Get("relationship").String(), "is not known"))
	}
	return r, nil
}

// findRelationshipWithSameColumns returns the relationship that joins the same columns, nil where there is none: both cubes
// of a join can declare it.
func (p *projectImport) findRelationshipWithSameColumns(r *draft.Relationship) *draft.Relationship {
	for _, other := range p.model.Relationships {
		if other.From == r.From && other.To == r.To && other.Cardinality == r.Cardinality &&
			slices.Equal(other.FromColumns, r.FromColumns) && slices.Equal(other.ToColumns, r.ToColumns) {
			return other
		}
	}
	return nil
}

// fieldOfJoinSide returns the field of one side of an equality.
func (c *cube) fieldOfJoinSide(e sqlexpr.Expr, side string) (string, error) {
	column, ok := e.(*sqlexpr.Column)
	if !ok || len(column.Path) != 2 || !strings.HasPrefix(column.Path[0].Text, side) {
		return "", errors.New("its SQL is not an AND of equalities of columns")
	}
	name := column.Path[1].Text
	if column.Path[0].Text == side+"member" {
		if c.members[name] == nil {
			return "", errors.New("it names " + name + ", which is not a dimension")
		}
		return name, nil
	}
	return c.findOrAddFieldOfExpression(name, sqlexpr.Format(&sqlexpr.Column{Path: column.Path[1:]}))
}
