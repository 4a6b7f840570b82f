package value

// Error is a value that has no place in its type.
type Error struct {
	SQLState string
	Message  string
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// The SQLSTATEs of values.
const (
	stateInvalidText     = "22P02"
	stateInvalidBinary   = "22P03"
	stateOutOfRange      = "22003"
	stateTimeOutOfRange  = "22008"
	stateInvalidTime     = "22007"
	stateInvalidEncoding = "22021"
)

// misfit is the error of a value that is not of a type.
func misfit(oid uint32) error {
	return &Error{SQLState: stateInvalidText, Message: "a value does not fit the type " + nameOf(oid) + " of its column"}
}

func nameOf(oid uint32) string {
	switch oid {
	case Bool:
		return "boolean"
	case Int2:
		return "smallint"
	case Int4:
		return "integer"
	case Int8:
		return "bigint"
	case Float4:
		return "real"
	case Float8:
		return "double precision"
	case Numeric:
		return "numeric"
	case Date:
		return "date"
	case Time:
		return "time"
	case Timestamp:
		return "timestamp"
	case TimestampTZ:
		return "timestamptz"
	case UUID:
		return "uuid"
	case OID:
		return "oid"
	case Bytea:
		return "bytea"
	case Interval:
		return "interval"
	}
	return "text"
}
