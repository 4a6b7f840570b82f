package query

import "github.com/semlayer/semlayer/modelspec/limits"

// SQLStatement is the body of a request that is written in SQL.
type SQLStatement struct {
	SQL string
	// Params are the values of $1, $2 and so on.
	Params        []ParamValue
	ContextFilter string
	// TimeZone is that of the session, as PostgreSQL's setting TimeZone names it; "" is the model's.
	TimeZone   string
	Dialect    string
	Connection string
	Pretty     bool
	Rollups    *Rollups // nil: RollupsAllowed
	MaxAge     *int64   // seconds; nil: any age
	// MaxRows bounds the rows of an execution besides the LIMIT of the statement; nil for no
	// bound. Only DecodeSQLWithLimit has a key for it.
	MaxRows *int64
}

var (
	sqlStatementKeyReaders        = readersOfRows(sqlStatementRows)
	limitedSQLStatementKeyReaders = readersOfRows(limitedSQLStatementRows)
)

// DecodeSQL reads the body of a statement; errors as of DecodeMetric.
func DecodeSQL(body []byte) (*SQLStatement, error) {
	return decodeStatement(body, sqlStatementKeyReaders)
}

// DecodeSQLWithLimit reads the body of a statement and its key limit, a bound on the rows; errors as of DecodeMetric.
func DecodeSQLWithLimit(body []byte) (*SQLStatement, error) {
	return decodeStatement(body, limitedSQLStatementKeyReaders)
}

func decodeStatement(body []byte, fields []keyReader[SQLStatement]) (*SQLStatement, error) {
	return decodeAndCheckBody(body, fields, func(q *SQLStatement) error {
		if q.SQL == "" {
			return badRequestError(`the body needs the key "sql", the text of one statement`)
		}
		return nil
	})
}

// SQLKeys lists the keys that DecodeSQL reads.
func SQLKeys() []KeyDescription { return describeRows(sqlStatementRows) }

// LimitedSQLKeys lists the keys that DecodeSQLWithLimit reads.
func LimitedSQLKeys() []KeyDescription { return describeRows(limitedSQLStatementRows) }

func readStatementText(s *scanner, into *string) error {
	return s.readRequiredText(into, "a string, one statement")
}

func readScalars(s *scanner, into *[]ParamValue) error {
	return s.readArray(limits.QueryParams, "an array of strings, numbers, booleans and nulls", func(int) error {
		v, err := s.readScalar()
		*into = append(*into, v)
		return err
	})
}
