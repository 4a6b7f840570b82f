package lookml

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// explore is one explore: its views by the names that its joins give them.
type explore struct {
	name    string
	base    string
	views   map[string]*view
	dialect string // of the SQL

	block *block
	entry *importer.ReportEntry
	joins []exploreJoin
	// where and filters are its conditions, over fields of the model.
	where   string
	filters []string
	kept    []keptCondition
}

// keptCondition is a key of an explore whose condition the view has, and what of it is different.
type keptCondition struct {
	block *block
	loss  string
}

// exploreJoin is a join of an explore that is a relationship.
type exploreJoin struct {
	block        *block
	name         string
	relationship string
	from         string // the view that it leaves, by its name in the explore
	// isRole is set where the relationship leads to the view under a name that is not that of the dataset.
	isRole bool
}

// toOneViewJoin is a relationship to a view of which a row has one, and the name that the join gives the view.
type toOneViewJoin struct {
	name, relationship string
	target             *view
}

// addExplores makes relationships of the joins of the explores.
func (p *projectImport) addExplores() {
	for _, name := range p.explores.order {
		b, err := p.explores.resolveExtendedBlock(name)
		if err != nil {
			p.report.AddDropped(p.explores.byName[name].node, "explore", name, err.Error())
			continue
		}
		if b.valueOfKey("extension") == "required" {
			p.report.AddExact(b.node, "explore", name).Reason = "only the explores that extend it are imported"
			continue
		}
		p.addExplore(b)
	}
}

func (p *projectImport) addExplore(b *block) {
	x := &explore{name: b.name, base: b.name, views: map[string]*view{}, dialect: p.options.Dialect, block: b}
	of := b.name
	if name := b.valueOfKey("view_name"); name != "" {
		of, x.base = name, name
	}
	if name := b.valueOfKey("from"); name != "" {
		of = name
	}
	base := p.byName[of]
	p.reportUnreadKeys(b, b.name, appendDescriptiveKeyNames("from", "view_name", "join", "extends", "extends__all", "extension", "hidden", "fields",
		"sql_always_where", "always_filter", "conditionally_filter")...)
	if base == nil {
		p.report.AddDropped(b.node, "explore", b.name, "the view "+of+" is not in the model")
		return
	}
	x.views[x.base] = base
	x.entry = p.report.AddExact(b.node, "explore", b.name, importer.DatasetPath(base.name))
	p.readExplores = append(p.readExplores, x)
	for _, item := range b.items {
		if item.key == "join" && item.braces {
			p.addRelationshipOfJoin(x, item)
		}
	}
}

func (p *projectImport) addRelationshipOfJoin(x *explore, b *block) {
	name := x.name + "." + b.name
	r, from, loss, err := p.buildJoinRelationship(x, b)
	p.reportUnreadKeys(b, name, appendDescriptiveKeyNames("from", "sql_on", "foreign_key", "relationship", "type", "view_label", "outer_only", "fields")...)
	if err != nil {
		p.recordDroppedConstruct(b.node, "join", name, err.Error())
		return
	}
	loss = importer.JoinReasons(lossOfRestrictions(b), loss)
	if kind := b.valueOfKey("relationship"); (kind == "one_to_many" || kind == "one_to_one") && r.JoinType == "" {
		loss = importer.JoinReasons(loss, "rows of "+b.name+" without one of "+x.base+" count, and not in Looker; rows of "+x.base+" without one of "+b.name+
			" are in no group of the measures of "+b.name+", and in Looker they are")
	}
	same := fmt.Sprintf("%s %s %s %s %s", r.From, strings.Join(r.FromColumns, ","), r.To, strings.Join(r.ToColumns, ","), r.JoinType+r.Cardinality.String())
	if known := p.edges[same]; known != "" && (known == r.Name || b.valueOfKey("from") == "") {
		p.recordConstruct(b.node, "join", name, loss, importer.RelationshipPath(known))
		x.addJoin(b, known, from)
		return
	}
	asked := r.Name
	if p.byName[asked] != nil { // a dataset comes before a relationship of its name
		p.relationshipNames[strings.ToLower(asked)] = true
	}
	r.Name = p.relationshipNames.ReserveFirstUnusedName(asked, x.name+"_"+asked)
	p.edges[same] = r.Name
	x.addJoin(b, r.Name, from)
	p.model.Relationships = append(p.model.Relationships, r)
	if from, to := p.byName[r.From], p.byName[r.To]; to == x.views[b.name] && r.Cardinality.MatchesOneRow() {
		from.joins = append(from.joins, toOneViewJoin{b.name, r.Name, to})
	}
	if r.Name != asked {
		loss = importer.JoinReasons("a view or another join has the name", loss)
	}
	p.recordConstruct(b.node, "join", name, loss, importer.RelationshipPath(r.Name))
}

// buildJoinRelationship makes the relationship of a join. A view under another name is a role: the
// relationship has that name. left is the view that the join leaves, loss how its rows differ from those of Looker.
func (p *projectImport) buildJoinRelationship(x *explore, b *block) (r *draft.Relationship, left, loss string, err error) {
	of := b.name
	if from := b.valueOfKey("from"); from != "" {
		of = from
	}
	joined := p.byName[of]
	if joined == nil {
		return nil, "", "", errors.New("the view " + of + " is not in the model")
	}
	x.views[b.name] = joined
	r = &draft.Relationship{}
	switch kind := b.valueOfKey("type"); kind {
	case "", "left_outer":
	case "inner":
		r.JoinType = "inner"
	default:
		return nil, "", "", errors.New("the join type " + kind + " has no counterpart")
	}
	columns, err := p.readJoinColumns(x, b, joined)
	if err != nil {
		return nil, "", "", err
	}
	for _, pair := range columns.pairs {
		r.FromColumns, r.ToColumns = append(r.FromColumns, pair[0]), append(r.ToColumns, pair[1])
	}
	r.From, r.To = x.views[columns.from].name, joined.name
	switch kind := b.valueOfKey("relationship"); kind {
	case "":
		r.Cardinality = modelspec.ManyToOne
	case "many_to_one", "one_to_one", "many_to_many":
		r.Cardinality = modelspec.ParseCardinality(kind)
	case "one_to_many":
		if r.JoinType == "inner" {
			return nil, "", "", errors.New("an inner join from one to many has no counterpart")
		}
		r.Cardinality = modelspec.ManyToOne
		r.From, r.To, r.FromColumns, r.ToColumns = r.To, r.From, r.ToColumns, r.FromColumns
	default:
		return nil, "", "", errors.New("the relationship " + kind + " is not known")
	}
	if r.Name = b.name; b.valueOfKey("from") == "" {
		r.Name = r.From + "_" + r.To
	}
	return r, columns.from, columns.loss, nil
}

// joinColumns are the fields that a join compares.
type joinColumns struct {
	from  string // the view that it leaves, by its name in the explore
	pairs [][2]string
	loss  string // how its rows differ from those of Looker
}

// readJoinColumns reads the columns of a join.
func (p *projectImport) readJoinColumns(x *explore, b *block, joined *view) (joinColumns, error) {
	on, key := b.valueOfKey("sql_on"), b.valueOfKey("foreign_key")
	switch {
	case on != "":
		return x.readJoinConditions(b.name, on)
	case key == "":
		return joinColumns{}, errors.New("it has neither sql_on nor foreign_key")
	case joined.primaryKey == nil || !joined.primaryKey.added:
		return joinColumns{}, errors.New("the view " + joined.name + " has no primary key")
	}
	from := x.base
	if alias, rest, qualified := strings.Cut(key, "."); qualified {
		from, key = alias, rest
	}
	if x.views[from] == nil || !x.views[from].canJoinOnField(key) {
		return joinColumns{}, fmt.Errorf("%s is not a field of %s", key, from)
	}
	return joinColumns{from: from, pairs: [][2]string{{key, joined.primaryKey.name}}}, nil
}

// canJoinOnField reports whether a join can name a field: it is a dimension of the dataset.
func (v *view) canJoinOnField(name string) bool {
	d := v.dimensions[name]
	return d != nil && d.added && !d.isGroup
}

// readJoinConditions reads a join condition: equalities of two views, and conditions on the rows of one of them.
func (x *explore) readJoinConditions(joined, text string) (out joinColumns, err error) {
	e, names, err := x.parseReferences(text)
	if err != nil {
		return out, err
	}
	var equalities []*sqlexpr.Binary
	conditions := map[string]sqlexpr.Expr{} // on the rows of a view
	for _, c := range sqlexpr.SplitConjuncts(e) {
		if alias, isOfOne := viewOfJoinSide(c, names); isOfOne {
			conditions[alias] = sqlexpr.And(conditions[alias], c)
			continue
		}
		equal, ok := c.(*sqlexpr.Binary)
		if !ok || equal.Op != sqlexpr.OpEq {
			return out, errors.New("a part of its condition is neither an equality of fields nor a condition on one view")
		}
		left, isLeft := viewOfJoinSide(equal.L, names)
		right, isRight := viewOfJoinSide(equal.R, names)
		if !isLeft || !isRight {
			return out, errors.New("a part of its condition is neither an equality of fields nor a condition on one view")
		}
		if left == joined {
			left, right, equal.L, equal.R = right, left, equal.R, equal.L
		}
		switch {
		case right != joined || left == joined:
			return out, errors.New("a part of its condition does not join " + joined + " to another view")
		case out.from != "" && out.from != left:
			return out, errors.New("it joins two views at once")
		}
		out.from = left
		equalities = append(equalities, equal)
	}
	if len(equalities) == 0 {
		return out, errors.New("its condition has no equality of fields of two views")
	}
	for alias := range conditions {
		if alias != out.from && alias != joined {
			return out, fmt.Errorf("its condition names %s, which it does not join", alias)
		}
	}
	if conditions[joined] != nil {
		out.loss = "rows of " + joined + " for which its condition does not hold count in measures of " + joined + ", and not in Looker"
	}
	for i, equal := range equalities {
		var pair [2]string
		for k, side := range []sqlexpr.Expr{equal.L, equal.R} {
			alias := []string{out.from, joined}[k]
			if condition := conditions[alias]; condition != nil && i == 0 {
				// A row for which the condition does not hold has no key, and joins no row.
				side = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: condition, Then: side}}}
			}
			if pair[k], err = x.fieldOfJoinSide(alias, side, names); err != nil {
				return out, err
			}
		}
		out.pairs = append(out.pairs, pair)
	}
	return out, nil
}

// parseReferences reads a condition in which each reference becomes a column. names are the views and fields that these columns stand for.
func (x *explore) parseReferences(text string) (e sqlexpr.Expr, names map[string][2]string, err error) {
	if err := checkNoTemplates("its condition has", text); err != nil {
		return nil, nil, err
	}
	names = map[string][2]string{}
	text = referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		alias, field, _ := strings.Cut(referencePattern.FindStringSubmatch(match)[1], ".")
		place := fmt.Sprintf("${%d}", len(names))
		names[place] = [2]string{alias, field}
		return `"` + place + `"`
	})
	if e, err = importer.ParseSQL(text, x.dialect); err != nil {
		return nil, nil, fmt.Errorf("its condition cannot be read: %w", err)
	}
	return e, names, nil
}

// viewOfJoinSide returns the name of the only view that one side of an equality names.
func viewOfJoinSide(side sqlexpr.Expr, names map[string][2]string) (alias string, ok bool) {
	ok = true
	for _, column := range sqlexpr.ColumnReferences(side) {
		reference, isReference := names[bareColumnName(column)]
		ok = ok && isReference && (alias == "" || alias == reference[0])
		alias = reference[0]
	}
	return alias, ok && alias != ""
}

// fieldOfJoinSide returns the field of one side of an equality: the dimension that it is, else a field of its expression that queries
// cannot group by.
func (x *explore) fieldOfJoinSide(alias string, side sqlexpr.Expr, names map[string][2]string) (string, error) {
	v := x.views[alias]
	if name := names[bareColumnName(side)][1]; v != nil && name != "" && v.canJoinOnField(name) {
		return name, nil
	}
	first, failed := "", error(nil)
	out := sqlexpr.Rewrite(side, func(e sqlexpr.Expr) sqlexpr.Expr {
		reference, isReference := names[bareColumnName(e)]
		if !isReference || failed != nil {
			return nil
		}
		name := reference[1]
		if name == "" {
			failed = fmt.Errorf("%s is not a field of a view", alias)
			return nil
		}
		first = cmp.Or(first, name)
		if d := v.dimensionOfReference(name); d == nil || !d.added {
			failed = fmt.Errorf("%s.%s is not a field of the model", alias, name)
			return nil
		}
		text, _, err := v.referencedDimensionSQL(name)
		if err != nil {
			failed = err
			return nil
		}
		inner, err := importer.ParseSQL(text, x.dialect)
		if err != nil {
			failed = err
			return nil
		}
		return inner
	})
	if failed != nil {
		return "", failed
	}
	if bareColumnName(side) == "" { // else a timeframe, whose name is free
		first += "_key"
	}
	return v.findOrAddField(first, sqlexpr.Format(out)), nil
}

// bareColumnName returns the name of a column without a qualifier, "" of any other expression.
func bareColumnName(e sqlexpr.Expr) string {
	if c, ok := e.(*sqlexpr.Column); ok && len(c.Path) == 1 {
		return c.Path[0].Text
	}
	return ""
}
