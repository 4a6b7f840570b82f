package sqlexpr

// twoPartColumnAllocation is a column of two parts in one piece of memory.
type twoPartColumnAllocation struct {
	Column
	parts [2]Name
}

// NewTwoPartColumn returns the column of a table that has an alias.
func NewTwoPartColumn(alias string, column Name) *Column {
	c := &twoPartColumnAllocation{parts: [2]Name{{Text: alias, Quoted: true}, column}}
	c.Path = c.parts[:]
	return &c.Column
}

// NewTwoPartColumns returns the columns of these names of a table that has an alias, with two allocations for all.
func NewTwoPartColumns(alias string, n int, nameOf func(i int) Name) []Column {
	columns, parts := make([]Column, n), make([][2]Name, n)
	for i := range columns {
		parts[i] = [2]Name{{Text: alias, Quoted: true}, nameOf(i)}
		columns[i].Path = parts[i][:]
	}
	return columns
}
