package cube

import (
	"errors"
	"regexp"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The keys of a cube of days, and of the periods of one of its time dimensions.
const (
	calendarKey      = "calendar"
	granularitiesKey = "granularities"
)

// periodNamePattern are the names that a period of a calendar can have.
var periodNamePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// addCalendar makes the calendar of a cube of days. A granularity becomes a period if it is an SQL expression over the columns
// of the cube.
func (p *projectImport) addCalendar(c *cube) {
	if !c.node.Get(calendarKey).IsTrue() {
		return
	}
	calendar := &draft.Calendar{Periods: map[string]string{}}
	day, dayErr := c.calendarDay()
	for _, dimension := range c.lists["dimensions"] {
		list := dimension.Get(granularitiesKey)
		if list == nil {
			continue
		}
		for _, n := range list.Items {
			name := c.name + "." + dimension.Get("name").String() + "." + n.Get("name").String()
			err := dayErr
			var period, field, loss string
			if err == nil {
				period, loss = p.calendarPeriodName(c, n.Get("name").String(), calendar)
				field, err = c.calendarPeriodField(n, period)
			}
			if err != nil {
				p.report.AddDropped(n, "granularity", name, err.Error())
				continue
			}
			calendar.Periods[period] = field
			p.report.AddApproximated(n, "granularity", name,
				importer.JoinReasons("a query shows the first day of the period, which every time field has", loss), importer.FieldPath(c.name, field))
		}
	}
	if len(calendar.Periods) == 0 {
		reason := "no granularity of it is a column"
		if dayErr != nil {
			reason = dayErr.Error()
		}
		p.report.AddDropped(c.node, "cube", c.name+"."+calendarKey, reason+": declare a calendar in the model")
		return
	}
	day.Datatype, calendar.Date = modelspec.DatatypeDate, day.Name
	c.dataset.Calendar = calendar
	if !slices.Contains(c.dataset.PrimaryKey.Columns, day.Name) { // which has the name of the column
		c.dataset.UniqueKeys = append(c.dataset.UniqueKeys, draft.KeyDeclaration{Columns: []string{day.Name}})
	}
}

// calendarDay returns the field of the days of a calendar: the one time dimension that is the primary key.
func (c *cube) calendarDay() (*draft.Field, error) {
	if len(c.keyFields) == 1 {
		for _, f := range c.dataset.Fields {
			if f.Name == c.keyFields[0] && f.Role == draft.FieldRoleTime {
				return f, nil
			}
		}
	}
	return nil, errors.New("the primary key of the calendar is not one time dimension")
}

// calendarPeriodName returns the name of a period. A period cannot have the name of a grain, or of a period of another calendar.
func (p *projectImport) calendarPeriodName(c *cube, name string, own *draft.Calendar) (period, loss string) {
	_, isTaken := sqlexpr.ParseGrain(name)
	for _, d := range p.model.Datasets {
		if d.Calendar != nil {
			_, other := d.Calendar.Periods[name]
			isTaken = isTaken || other
		}
	}
	if _, twice := own.Periods[name]; !isTaken && !twice {
		return name, ""
	}
	period = c.name + "_" + name
	return period, "its name is " + period + ", because " + name + " is the name of a grain or of another period"
}

// calendarPeriodField returns the field that identifies the period of a day.
func (c *cube) calendarPeriodField(n *importer.Node, period string) (field string, err error) {
	if !periodNamePattern.MatchString(period) {
		return "", errors.New("its name cannot be the name of a period")
	}
	if n.Get("sql") == nil {
		return "", errors.New("it is an interval, and a period is a column of the calendar")
	}
	sql, err := c.resolveReferences(n.Get("sql").String(), 0)
	if err != nil {
		return "", err
	}
	return c.findOrAddFieldOfExpression(period, sql.text)
}

// calendarWithPeriod returns the calendar cube that defines a period, "" where none does.
func (p *projectImport) calendarWithPeriod(period string) string {
	for _, c := range p.cubes {
		if !c.node.Get(calendarKey).IsTrue() {
			continue
		}
		for _, dimension := range c.lists["dimensions"] {
			if list := dimension.Get(granularitiesKey); list != nil && slices.ContainsFunc(list.Items, func(g *importer.Node) bool { return g.Get("name").String() == period }) {
				return c.name
			}
		}
	}
	return ""
}
