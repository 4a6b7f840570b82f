package query

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/limits"
)

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

var sqlStatementKeyReaders = []keyReader[SQLStatement]{
	{bodyKey{"sql", bodyKeyValueText, nil}, func(s *scanner, q *SQLStatement) error { return s.readRequiredText(&q.SQL, "a string, one statement") }},
	{bodyKey{paramsKey, bodyKeyValueScalarArray, nil}, func(s *scanner, q *SQLStatement) error { return readScalars(s, &q.Params) }},
	{bodyKey{"context_filter", bodyKeyValueText, nil}, func(s *scanner, q *SQLStatement) error { return s.readText(&q.ContextFilter) }},
	{bodyKey{"time_zone", bodyKeyValueText, nil}, func(s *scanner, q *SQLStatement) error { return readTimeZone(s, &q.TimeZone) }},
	{bodyKey{"dialect", bodyKeyValueText, nil}, func(s *scanner, q *SQLStatement) error { return s.readName(&q.Dialect) }},
	{bodyKey{"connection", bodyKeyValueText, nil}, func(s *scanner, q *SQLStatement) error { return s.readName(&q.Connection) }},
	{bodyKey{"pretty", bodyKeyValueBoolean, nil}, func(s *scanner, q *SQLStatement) error { return s.readBool(&q.Pretty) }},
	{bodyKey{"rollups", bodyKeyValueBooleanOrText, nil}, func(s *scanner, q *SQLStatement) error { return readRollups(s, &q.Rollups) }},
	{bodyKey{"max_age", bodyKeyValueInteger, nil}, func(s *scanner, q *SQLStatement) error { return s.readCount(&q.MaxAge) }},
}

// sqlWithLimitKeyReaders have the key limit too, a bound on the rows.
var sqlWithLimitKeyReaders = append(slices.Clip(sqlStatementKeyReaders), keyReader[SQLStatement]{
	bodyKey{"limit", bodyKeyValueInteger, nil}, func(s *scanner, q *SQLStatement) error { return s.readCount(&q.MaxRows) },
})

// DecodeSQL reads the body of a statement; errors as of DecodeMetric.
func DecodeSQL(body []byte) (*SQLStatement, error) {
	return decodeStatement(body, sqlStatementKeyReaders)
}

// DecodeSQLWithLimit reads the body of a statement and its key limit, a bound on the rows; errors as of DecodeMetric.
func DecodeSQLWithLimit(body []byte) (*SQLStatement, error) {
	return decodeStatement(body, sqlWithLimitKeyReaders)
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
func SQLKeys() []KeyDescription { return newKeyDescriptions(keysOfReaders(sqlStatementKeyReaders)) }

func readScalars(s *scanner, into *[]ParamValue) error {
	return s.readArray(limits.QueryParams, "an array of strings, numbers, booleans and nulls", func(int) error {
		v, err := s.readScalar()
		*into = append(*into, v)
		return err
	})
}
