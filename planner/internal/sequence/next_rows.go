package sequence

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/plan"
)

// Names of columns of the union. The others have the name of their step and _ before them.
const (
	entityColumn = "entity" // and its number
	keyColumn    = "key"
	nextColumn   = "next"
	timeColumn   = "time"
	markColumn   = "mark"
	groupColumn  = "number"
)

// nextRows gives each row of a step the values of its next row.
type nextRows struct {
	step, next rows
	same       bool // both are of one dataset, whose key decides between rows of one time
}

// unionLayout is where the columns of the union are: the entity, the time, the key of the next step's rows, the mark, what else the step's row keeps,
// and the values of the next row.
type unionLayout struct {
	time, keys, mark, own, values int
	width                         int
	kept                          []int // columns of the step's row at own
}

func (n nextRows) layout() unionLayout {
	l := unionLayout{time: len(n.step.entity)}
	l.keys = l.time + 1
	l.mark = l.keys + len(n.next.keys)
	l.own = l.mark + 1
	for _, i := range n.step.values {
		if i != n.step.time && !(n.same && slices.Contains(n.step.keys, i)) {
			l.kept = append(l.kept, i)
		}
	}
	l.values = l.own + len(l.kept)
	l.width = l.values + len(n.next.values)
	return l
}

// plan returns the rows of the step with the values of the next ones.
func (n nextRows) plan() rows {
	l := n.layout()
	first := &plan.Window{Input: n.laterCounts(l)}
	for i, v := range n.next.values {
		first.Funcs = append(first.Funcs, plan.NamedExpr{Name: nextColumn + strconv.Itoa(i), Type: n.next.columns[v].Type, Expr: n.valueOfGroup(l, i)})
	}
	return n.rowsOfStep(l, n.filterStep(l, first))
}

// laterCounts returns the rows of both steps with the number of rows of the next one that are later.
func (n nextRows) laterCounts(l unionLayout) *plan.Window {
	union := &plan.Union{Rows: []plan.Node{n.nextArm(l), n.stepArm(l)}}
	return &plan.Window{Input: union, Funcs: []plan.NamedExpr{{Name: groupColumn, Type: sqlexpr.TypeInt, Expr: n.groupNumber(l)}}}
}

func (n nextRows) filterStep(l unionLayout, from plan.Node) plan.Node {
	isOfStep := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: ref(l.mark), R: build.Integer(0)}
	return &plan.Filter{Input: from, Conds: []sqlexpr.Expr{isOfStep}, Why: "rows of the step"}
}

// countLater returns the rows of the step with the number of rows of the next one that are later, which is their last column.
func (n nextRows) countLater() rows {
	n.next.values = nil
	l := n.layout()
	out := n.rowsOfStep(l, n.filterStep(l, n.laterCounts(l)))
	project := out.node.(*plan.Project)
	project.Cols = append(project.Cols, named(groupColumn, ref(l.width), sqlexpr.TypeInt))
	out.columns = append(out.columns, column{Column: plan.Column{Name: groupColumn, Type: sqlexpr.TypeInt}, step: 1, part: partCount})
	return out
}

// nextArm returns the rows of the next step as they stand in the union.
func (n nextRows) nextArm(l unionLayout) plan.Node {
	arm := n.order(n.next)
	for i, k := range n.next.keys {
		arm.Cols = append(arm.Cols, named(keyColumn+strconv.Itoa(i), ref(k), n.next.columns[k].Type))
	}
	arm.Cols = append(arm.Cols, named(markColumn, build.Integer(1), sqlexpr.TypeInt))
	for _, i := range l.kept {
		c := n.step.columns[i]
		arm.Cols = append(arm.Cols, c.as(null(c.Type)))
	}
	for _, i := range n.next.values {
		arm.Cols = append(arm.Cols, n.next.columns[i].as(ref(i)))
	}
	return arm
}

// stepArm returns the rows of the step.
func (n nextRows) stepArm(l unionLayout) plan.Node {
	arm := n.order(n.step)
	for i, k := range n.next.keys {
		key := null(n.next.columns[k].Type)
		if n.same {
			key = ref(n.step.keys[i])
		}
		arm.Cols = append(arm.Cols, named(keyColumn+strconv.Itoa(i), key, n.next.columns[k].Type))
	}
	arm.Cols = append(arm.Cols, named(markColumn, build.Integer(0), sqlexpr.TypeInt))
	for _, i := range l.kept {
		arm.Cols = append(arm.Cols, n.step.columns[i].as(ref(i)))
	}
	for _, i := range n.next.values {
		c := n.next.columns[i]
		arm.Cols = append(arm.Cols, c.as(null(c.Type)))
	}
	return arm
}

// order returns the rows of a step with their entity and their time.
func (n nextRows) order(r rows) *plan.Project {
	out := &plan.Project{Input: r.node}
	for i, at := range r.entity {
		out.Cols = append(out.Cols, named(entityColumn+strconv.Itoa(i), ref(at), r.columns[at].Type))
	}
	out.Cols = append(out.Cols, named(timeColumn, ref(r.time), r.columns[r.time].Type))
	return out
}

func named(name string, e sqlexpr.Expr, t sqlexpr.Type) plan.NamedExpr {
	return plan.NamedExpr{Name: name, Expr: e, Type: t}
}

func (n nextRows) partition() []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for i := range n.step.entity {
		out = append(out, ref(i))
	}
	return out
}

// groupNumber counts the rows of the next step that are later than a row. At an equal time the key decides within one dataset, in which a row
// that is of both steps is not its own next one; the row of another dataset is always later.
func (n nextRows) groupNumber(l unionLayout) sqlexpr.Expr {
	order := []sqlexpr.OrderItem{{X: n.timeOfUnion(l), Desc: true}}
	if !n.same {
		order = append(order, sqlexpr.OrderItem{X: ref(l.mark), Desc: true})
	}
	for i := range n.next.keys {
		order = append(order, sqlexpr.OrderItem{X: ref(l.keys + i), Desc: true})
	}
	if n.same {
		order = append(order, sqlexpr.OrderItem{X: ref(l.mark)})
	}
	return &sqlexpr.WindowCall{
		Call: build.Call(sqlexpr.FnSum, "SUM", ref(l.mark)), Partition: n.partition(), Order: order,
		Frame: &sqlexpr.Frame{Unit: sqlexpr.FrameRows, Start: sqlexpr.FrameBound{Unbounded: true}},
	}
}

func (n nextRows) timeOfUnion(l unionLayout) sqlexpr.Expr {
	return &sqlexpr.DeclaredTypeExpr{X: ref(l.time), Type: n.next.columns[n.next.time].Type}
}

// valueOfGroup returns a value of the row that begins the group. The rows before the first one of the next step have no such row, and NULL.
func (n nextRows) valueOfGroup(l unionLayout, i int) sqlexpr.Expr {
	return &sqlexpr.WindowCall{
		Call:      build.Call(sqlexpr.FnFirstValue, "FIRST_VALUE", ref(l.values+i)),
		Partition: append(n.partition(), ref(l.width)), Order: []sqlexpr.OrderItem{{X: ref(l.mark), Desc: true}},
	}
}

// rowsOfStep returns the rows of the step, with the values of both.
func (n nextRows) rowsOfStep(l unionLayout, from plan.Node) rows {
	out, project := rows{}, &plan.Project{Input: from}
	add := func(c column, at int) int {
		project.Cols, out.columns = append(project.Cols, c.as(ref(at))), append(out.columns, c)
		return len(out.columns) - 1
	}
	for i, at := range n.step.entity {
		out.entity = append(out.entity, add(n.step.columns[at], i))
	}
	out.time = add(n.step.columns[n.step.time], l.time)
	out.values = []int{out.time}
	if n.same {
		for i, at := range n.step.keys {
			out.keys = append(out.keys, add(n.step.columns[at], l.keys+i))
		}
		out.values = append(out.values, out.keys...)
	}
	for i, at := range l.kept {
		place := add(n.step.columns[at], l.own+i)
		out.values = append(out.values, place)
		if slices.Contains(n.step.keys, at) {
			out.keys = append(out.keys, place)
		}
	}
	for i, at := range n.next.values {
		out.values = append(out.values, add(n.next.columns[at], l.width+1+i))
	}
	out.node = project
	return out
}

func ref(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }

// null returns a NULL of a type, where the type is known: an engine takes a bare one for text.
func null(t sqlexpr.Type) sqlexpr.Expr {
	if t == sqlexpr.TypeUnknown {
		return &sqlexpr.Null{}
	}
	return &sqlexpr.Cast{X: &sqlexpr.Null{}, To: sqlexpr.TypeName{Type: t}}
}
