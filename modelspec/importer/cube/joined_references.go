package cube

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// errBeforeRelationships is the error of a reference to another cube while the relationships are not known.
var errBeforeRelationships = errors.New("the relationships are not known yet")

// joinedMember is a dimension or a segment over members of other cubes. Its field is added after the relationships.
type joinedMember struct {
	node            *importer.Node
	construct, name string
	sql             func() (resolvedSQL, error)
	field           *draft.Field
}

// addJoinedMembers adds the fields of the members over other cubes. They can be made of each other, so that those that fail are
// tried again as long as another one succeeds.
func (p *projectImport) addJoinedMembers() {
	for {
		added := false
		for _, c := range p.cubes {
			c.joinedMembers = slices.DeleteFunc(c.joinedMembers, func(m joinedMember) bool {
				sql, err := m.sql()
				if err == nil {
					err = c.addField(m.field, sql.text)
				}
				if err != nil {
					return false
				}
				added = true
				p.recordMember(m.node, m.construct, m.name, importer.FieldPath(c.name, m.field.Name), sql.lossOfParentheses())
				return true
			})
		}
		if !added {
			break
		}
	}
	for _, c := range p.cubes {
		for _, m := range c.joinedMembers {
			_, err := m.sql()
			if err == nil {
				err = errors.New("another member has the name " + m.field.Name)
			}
			p.recordDroppedMember(m.node, m.construct, m.name, err.Error())
		}
	}
}

// resolveJoinedReference returns the field that a reference to another cube names, behind the relationships from each row to
// at most one row of that cube: a dimension, {cube.member}, or a column, {cube}.column. A dimension that has a value over no row is an error: in
// Cube the rows without a partner have it.
func (c *cube) resolveJoinedReference(reference, first, member, column string) (resolvedSQL, error) {
	p := c.project
	target := p.byName[first]
	switch {
	case target == nil || (member == "") == (column == ""):
		return resolvedSQL{}, fmt.Errorf("it refers to %s, which is not a member of the cube", reference)
	case !p.relationshipsKnown:
		return resolvedSQL{}, errBeforeRelationships
	case target.dataset == nil:
		return resolvedSQL{}, fmt.Errorf("it refers to %s, and the cube %s is not imported", reference, target.name)
	}
	path, err := p.pathToOneRow(c, target)
	if err != nil {
		return resolvedSQL{}, fmt.Errorf("it refers to %s, and %w", reference, err)
	}
	name := member
	if column != "" {
		if name, err = target.findOrAddFieldOfExpression(column, column); err != nil {
			return resolvedSQL{}, err
		}
	}
	i := slices.IndexFunc(target.dataset.Fields, func(f *draft.Field) bool { return f.Name == name })
	switch {
	case i < 0:
		return resolvedSQL{}, fmt.Errorf("it refers to %s, which is not a field of the model", reference)
	case !importer.IsNullForNullColumns(target.dataset.Fields[i], p.dialect):
		return resolvedSQL{}, fmt.Errorf("it refers to %s, which has a value in Cube where no row of %s matches", reference, target.name)
	}
	r := unreferencedSQL(sqlexpr.FormatPath(append(path, name)...))
	if n := target.members[member]; n != nil {
		if written, err := target.dimensionSQL(n, 0); err == nil {
			r.bracketed, r.bare, r.unknown = written.bracketed, written.bare, written.unknown
		}
	}
	return r, nil
}

// pathToOneRow returns the relationships from each row of a cube to at most one row of another: the one that joins them, else
// the only path of several.
func (p *projectImport) pathToOneRow(from, to *cube) ([]string, error) {
	var direct []string
	for _, r := range p.model.Relationships {
		if r.From == from.name && r.To == to.name && r.Cardinality != modelspec.ManyToMany {
			direct = append(direct, r.Name)
		}
	}
	switch len(direct) {
	case 0:
		path, err := importer.RelationshipPathTo(p.model, from.name, to.name)
		if err == nil && path == nil {
			err = fmt.Errorf("no join leads from a row of %s to one of %s", from.name, to.name)
		}
		return path, err
	case 1:
		return direct, nil
	}
	return nil, fmt.Errorf("several joins lead from %s to %s", from.name, to.name)
}

// qualifiedNamePattern finds what a reference may be part of, and names with qualifiers, before a parenthesis as well.
var qualifiedNamePattern = regexp.MustCompile(`'(?:[^']|'')*'|"[^"]*"|\{[^{}]*\}(?:\.\w+)?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\(?`)

// withBracedReferences writes the spellings of a reference as {cube}.column: those with a dollar sign, which JavaScript has, and a
// column with the name of its cube alone.
func (p *projectImport) withBracedReferences(text string) string {
	text = strings.ReplaceAll(text, "${", "{")
	return qualifiedNamePattern.ReplaceAllStringFunc(text, func(part string) string {
		name, column, _ := strings.Cut(part, ".")
		if c := p.byName[name]; c == nil || strings.ContainsAny(column, ".(") {
			return part
		}
		return "{" + name + "}." + column
	})
}
