package value

// Error is a value that has no place in its type.
type Error struct {
	SQLState string
	Message  string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// The SQLSTATEs of values.
const (
	sqlstateInvalidText     = "22P02"
	sqlstateInvalidBinary   = "22P03"
	sqlstateOutOfRange      = "22003"
	sqlstateTimeOutOfRange  = "22008"
	sqlstateInvalidTime     = "22007"
	sqlstateInvalidEncoding = "22021"
)

// typeMismatchError returns the error of a value that is not of a type.
func typeMismatchError(oid uint32) error {
	return &Error{SQLState: sqlstateInvalidText, Message: "a value does not fit the type " + typeName(oid) + " of its column"}
}

func typeName(oid uint32) string {
	switch oid {
	case BoolOID:
		return "boolean"
	case Int2OID:
		return "smallint"
	case Int4OID:
		return "integer"
	case Int8OID:
		return "bigint"
	case Float4OID:
		return "real"
	case Float8OID:
		return "double precision"
	case NumericOID:
		return "numeric"
	case DateOID:
		return "date"
	case TimeOID:
		return "time"
	case TimestampOID:
		return "timestamp"
	case TimestampTZOID:
		return "timestamptz"
	case UUIDOID:
		return "uuid"
	case OIDOID:
		return "oid"
	case ByteaOID:
		return "bytea"
	case IntervalOID:
		return "interval"
	}
	return "text"
}
