package outersql

import (
	"math/rand/v2"
	"slices"
	"strconv"
)

// maker makes one statement.
type maker struct {
	random     *rand.Rand
	tables     []Table
	commons    []common
	names      map[string]int
	values     map[Type][]string // literals of values in the results that are read
	relations  int               // which the statement may still read
	constructs map[string]bool
}

// maxRelations bounds the results that a statement reads.
const maxRelations = 7

// Make makes a statement over some of the tables.
func Make(random *rand.Rand, tables []Table) Statement {
	m := &maker{random: random, tables: tables, names: map[string]int{}, values: map[Type][]string{}, relations: maxRelations, constructs: map[string]bool{}}
	r := m.query(3, nil)
	out := Statement{SQL: r.statement, Plain: r.plain, Ordered: r.ordered}
	for name := range m.constructs {
		out.Constructs = append(out.Constructs, name)
	}
	slices.Sort(out.Constructs)
	return out
}

// chance is true once in n times.
func (m *maker) chance(n int) bool { return m.random.IntN(n) == 0 }

// has notes that the statement has a construct.
func (m *maker) has(construct string) { m.constructs[construct] = true }

// newName is a name that the statement does not have yet.
func (m *maker) newName(prefix string) string {
	m.names[prefix]++
	return prefix + strconv.Itoa(m.names[prefix])
}

func pick[T any](m *maker, list []T) T { return list[m.random.IntN(len(list))] }
