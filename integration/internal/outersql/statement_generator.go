package outersql

import (
	"math/rand/v2"
	"slices"
	"strconv"
)

// statementGenerator makes one statement.
type statementGenerator struct {
	random     *rand.Rand
	tables     []ResultTable
	commons    []commonTable
	names      map[string]int
	values     map[ColumnType][]string // literals of values in the results that are read
	relations  int                     // which the statement may still read
	constructs map[string]bool
}

// maxResultTables bounds the results that a statement reads.
const maxResultTables = 7

// RandomStatement makes a statement over some of the tables.
func RandomStatement(random *rand.Rand, tables []ResultTable) Statement {
	m := &statementGenerator{random: random, tables: tables, names: map[string]int{}, values: map[ColumnType][]string{}, relations: maxResultTables, constructs: map[string]bool{}}
	r := m.randomSelectOrSetOperation(3, nil)
	out := Statement{SQL: r.statement, Plain: r.plain, Ordered: r.ordered}
	for name := range m.constructs {
		out.Constructs = append(out.Constructs, name)
	}
	slices.Sort(out.Constructs)
	return out
}

// randomOneIn is true once in n times.
func (m *statementGenerator) randomOneIn(n int) bool { return m.random.IntN(n) == 0 }

// recordConstruct notes that the statement has a construct.
func (m *statementGenerator) recordConstruct(construct string) { m.constructs[construct] = true }

// newName returns a name that the statement does not have yet.
func (m *statementGenerator) newName(prefix string) string {
	m.names[prefix]++
	return prefix + strconv.Itoa(m.names[prefix])
}

func pickRandom[T any](m *statementGenerator, list []T) T { return list[m.random.IntN(len(list))] }
