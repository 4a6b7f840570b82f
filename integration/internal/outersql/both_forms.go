package outersql

import "strings"

// fillPlaceholders puts pieces in the place of the marks ? of a format, in order.
func fillPlaceholders(format string, pieces ...sqlInBothForms) sqlInBothForms {
	var statement, plain strings.Builder
	for i, literal := range strings.Split(format, "?") {
		if i > 0 {
			statement.WriteString(pieces[i-1].statement)
			plain.WriteString(pieces[i-1].plain)
		}
		statement.WriteString(literal)
		plain.WriteString(literal)
	}
	return sqlInBothForms{statement.String(), plain.String()}
}

// joinWithSeparator puts a separator between pieces.
func joinWithSeparator(pieces []sqlInBothForms, separator string) sqlInBothForms {
	var statement, plain []string
	for _, p := range pieces {
		statement, plain = append(statement, p.statement), append(plain, p.plain)
	}
	return sqlInBothForms{strings.Join(statement, separator), strings.Join(plain, separator)}
}

func (t sqlInBothForms) appendSQL(more sqlInBothForms) sqlInBothForms {
	return sqlInBothForms{t.statement + more.statement, t.plain + more.plain}
}
