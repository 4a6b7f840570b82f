package outersql

import "strings"

// fill puts pieces in the place of the marks ? of a format, in order.
func fill(format string, pieces ...text) text {
	var statement, plain strings.Builder
	for i, literal := range strings.Split(format, "?") {
		if i > 0 {
			statement.WriteString(pieces[i-1].statement)
			plain.WriteString(pieces[i-1].plain)
		}
		statement.WriteString(literal)
		plain.WriteString(literal)
	}
	return text{statement.String(), plain.String()}
}

// join puts a separator between pieces.
func join(pieces []text, separator string) text {
	var statement, plain []string
	for _, p := range pieces {
		statement, plain = append(statement, p.statement), append(plain, p.plain)
	}
	return text{strings.Join(statement, separator), strings.Join(plain, separator)}
}

func (t text) append(more text) text { return text{t.statement + more.statement, t.plain + more.plain} }
