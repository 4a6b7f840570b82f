package cube

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addDataset makes the dataset of a cube, its dimensions and segments.
func (p *projectImport) addDataset(c *cube) {
	source := c.node.Get("sql_table").String()
	if source == "" {
		source = c.guessedTable
	}
	if sql := c.node.Get("sql").String(); source == "" {
		source = strings.TrimSpace(sql)
	} else {
		if p.prefix == "" {
			c.columns.Source = source
		}
		source = importer.SourceWithPrefix(source, p.prefix)
	}
	if err := checkNoTemplateMarks(source); err != nil {
		c.refused = err.Error()
	} else if strings.Contains(removeStringLiterals(source), "{") {
		c.refused = "its SQL refers to another cube"
	}
	if c.refused != "" {
		p.report.AddDropped(c.node, "cube", c.name, c.refused)
		for _, key := range inheritedListKeys {
			for _, item := range c.lists[key] {
				p.recordDroppedMember(item, strings.TrimSuffix(key, "s"), c.name+"."+item.Get("name").String(), "its cube is dropped: "+c.refused)
			}
		}
		return
	}
	c.dataset = &draft.Dataset{Name: c.name, Source: source}
	o := (&importer.Report{}).ReadObject(c.node, "cube", c.name)
	c.dataset.Label = o.GetText("title")
	c.dataset.Description, c.dataset.Context = readDescriptionAndContext(o, c.dataset.Label)
	p.model.Datasets = append(p.model.Datasets, c.dataset)
	loss := c.lossOfAccessPolicy()
	if c.guessedTable != "" {
		loss = importer.JoinReasons("its table is not in the input, and is taken to be "+source, loss)
	}
	p.recordMember(c.node, "cube", c.name, importer.DatasetPath(c.name), loss)
	for _, n := range c.lists["dimensions"] {
		if name := n.Get("name").String(); c.members[name] == nil {
			c.members[name] = n
		}
	}
	// All expressions are read before one is judged: a dimension hides columns of others.
	for name, n := range c.members {
		text, err := c.dimensionSQL(n, 0)
		if n.Get("sub_query").IsTrue() || errors.Is(err, errBeforeRelationships) {
			c.columns.AddElementExpression(name, "0") // not a column: it hides one of its name
		} else if err == nil {
			c.columns.AddElementExpression(name, text.text)
		}
	}
	for _, n := range c.lists["dimensions"] {
		p.addDimension(c, n)
	}
	for _, n := range c.lists["segments"] {
		p.addSegment(c, n)
	}
	p.addCalendar(c)
}

// lossOfAccessPolicy returns how the rows of a cube differ from those of Cube; "" where it has no access policy.
func (c *cube) lossOfAccessPolicy() string {
	if c.node.Get(accessPolicyKey) == nil {
		return ""
	}
	return "the cube " + c.name + " is restricted in Cube by " + accessPolicyKey + ", and here it is not"
}

// dimensionSQL returns the SQL of a dimension.
func (c *cube) dimensionSQL(n *importer.Node, depth int) (resolvedSQL, error) {
	if n.Get("sub_query").IsTrue() {
		return resolvedSQL{}, errors.New("its SQL has a subquery dimension beside other SQL")
	}
	if cases := n.Get("case"); cases != nil {
		return c.dimensionCaseSQL(cases, depth)
	}
	sql := n.Get("sql").String()
	if sql == "" {
		return resolvedSQL{}, errors.New("it has no sql")
	}
	return c.resolveReferences(sql, depth)
}

func (c *cube) dimensionCaseSQL(n *importer.Node, depth int) (resolvedSQL, error) {
	if n.Get("switch") != nil || n.Get("when") == nil || len(n.Get("when").Items) == 0 {
		return resolvedSQL{}, errors.New("its case has no conditions")
	}
	label := func(n *importer.Node) (resolvedSQL, error) {
		label := n.Get("label")
		if sql := label.Get("sql"); sql != nil {
			return c.resolveReferences(sql.String(), depth+1)
		}
		return unreferencedSQL(sqlexpr.Format(&sqlexpr.String{Value: label.String()})), nil
	}
	out := unreferencedSQL("CASE")
	for _, when := range n.Get("when").Items {
		condition, err := c.resolveReferences(when.Get("sql").String(), depth+1)
		if err != nil {
			return resolvedSQL{}, err
		}
		value, err := label(when)
		if err != nil {
			return resolvedSQL{}, err
		}
		out.append(unreferencedSQL(" WHEN "), condition, unreferencedSQL(" THEN "), value)
	}
	if otherwise := n.Get("else"); otherwise != nil {
		value, err := label(otherwise)
		if err != nil {
			return resolvedSQL{}, err
		}
		out.append(unreferencedSQL(" ELSE "), value)
	}
	out.append(unreferencedSQL(" END"))
	return out, nil
}

func (p *projectImport) addDimension(c *cube, n *importer.Node) {
	name := c.name + "." + n.Get("name").String()
	report := p.report
	if p.entries[n] != nil {
		report = &importer.Report{} // the cube that declares it has reported its keys
	}
	o := report.ReadObject(n, "dimension", name)
	if o == nil {
		return
	}
	defer o.Close()
	f := &draft.Field{Name: o.GetText("name"), Role: draft.FieldRoleDimension}
	f.Label = o.GetText("title")
	f.Description, f.Context = readDescriptionAndContext(o, f.Label)
	o.IgnoreKeys("sql", "case", "sub_query", "primary_key", "latitude", "longitude", "values") // some of which only types without a counterpart have
	o.RecordDroppedKey(maskKey, maskDropReason)
	o.RecordDroppedKey(timeShiftKey, "Cube moves times by the columns of a calendar, and an offset here by the calendar of the year")
	o.RecordPresentationKeys("format", "currency", "links", "order", "suggest_filter_values")
	if c.node.Get(calendarKey).IsTrue() {
		o.IgnoreKeys(granularitiesKey) // addCalendar reads them
	} else {
		o.RecordDroppedKey(granularitiesKey, "a period of days is a column of a calendar, which is a table of days, and an interval or an expression is not a table: declare a calendar in the model")
	}
	o.IgnoreKeys("type")
	switch kind := snakeCaseMemberType(n); kind {
	case "string":
		f.Datatype = modelspec.DatatypeString
	case "boolean":
		f.Datatype = modelspec.DatatypeBoolean
	case "number":
	case "time":
		f.Role = draft.FieldRoleTime
	default:
		p.recordDroppedMember(n, "dimension", name, importer.MissingOrUnknown("type", kind, "has no counterpart"))
		return
	}
	for _, key := range []string{"public", "shown"} {
		if shown := o.Get(key); shown != nil && !shown.IsTrue() {
			f.IsDimension = new(false)
		}
	}
	if n.Get("sub_query").IsTrue() {
		c.subQueries = append(c.subQueries, &subQueryDimension{n, name, f})
		o.IgnoreKeys("propagate_filters_to_sub_query")
		return
	}
	sql, err := c.dimensionSQL(n, 0)
	switch {
	case c.members[f.Name] != n:
		err = errors.New("another dimension has the same name")
	case errors.Is(err, errBeforeRelationships):
		c.joinedMembers = append(c.joinedMembers, joinedMember{n, "dimension", name, func() (resolvedSQL, error) { return c.dimensionSQL(n, 0) }, f})
		return
	}
	if err == nil {
		err = c.addField(f, sql.text)
	}
	if err != nil {
		p.recordDroppedMember(n, "dimension", name, err.Error())
		return
	}
	if o.Get("primary_key").IsTrue() {
		column, bare := importer.ColumnOfExpression(sql.text)
		if !bare {
			column = f.Name
		}
		c.dataset.PrimaryKey.Columns = append(c.dataset.PrimaryKey.Columns, column)
		c.keyFields = append(c.keyFields, f.Name)
	}
	p.recordMember(n, "dimension", name, importer.FieldPath(c.name, f.Name), sql.lossOfParentheses())
}

// withoutShadowedColumns returns the expression of an element with other names for the columns that dimensions hide.
func (c *cube) withoutShadowedColumns(element, text string) string {
	text, added := c.columns.AliasShadowedColumns(c.dataset, element, text)
	c.dataset.Fields = append(c.dataset.Fields, added...)
	return text
}

// addField adds a field under a name that no other one may have.
func (c *cube) addField(f *draft.Field, text string) error {
	text = c.withoutShadowedColumns(f.Name, text)
	for _, other := range c.dataset.Fields {
		if strings.EqualFold(other.Name, f.Name) {
			return errors.New("another member has the name " + f.Name)
		}
	}
	f.Expression = draft.ANSIExpression(text)
	c.columns.AddElementExpression(f.Name, text)
	c.dataset.Fields = append(c.dataset.Fields, f)
	if c.byText[text] == "" {
		c.byText[text] = f.Name
	}
	return nil
}

func (p *projectImport) addSegment(c *cube, n *importer.Node) {
	name := n.Get("name").String()
	report := p.report
	if p.entries[n] != nil {
		report = &importer.Report{} // the cube that declares it has reported its keys
	}
	o := report.ReadObject(n, "segment", c.name+"."+name)
	if o == nil {
		return
	}
	defer o.Close()
	f := &draft.Field{Name: o.GetText("name"), Role: draft.FieldRoleDimension, Datatype: modelspec.DatatypeBoolean}
	f.Label = o.GetText("title")
	f.Description, f.Context = readDescriptionAndContext(o, f.Label)
	for _, key := range []string{"public", "shown"} {
		if shown := o.Get(key); shown != nil && !shown.IsTrue() {
			f.IsDimension = new(false)
		}
	}
	text := o.GetText("sql")
	sql, err := c.resolveReferences(text, 0)
	if errors.Is(err, errBeforeRelationships) {
		c.joinedMembers = append(c.joinedMembers, joinedMember{n, "segment", c.name + "." + name, func() (resolvedSQL, error) { return c.resolveReferences(text, 0) }, f})
		return
	}
	if err == nil {
		err = c.addField(f, sql.text)
	}
	if err != nil {
		p.recordDroppedMember(n, "segment", c.name+"."+name, err.Error())
		return
	}
	p.recordMember(n, "segment", c.name+"."+name, importer.FieldPath(c.name, name), sql.lossOfParentheses())
}
