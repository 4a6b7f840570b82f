package coerce

import (
	"errors"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
)

// What a text is not. The text itself is data, and stays out of the message.
var (
	errTextNotBoolean   = errors.New("a string is not a boolean, which is the declared datatype")
	errTextNotDate      = errors.New("a string is not a date of the form YYYY-MM-DD, which is the declared datatype")
	errTextNotTimestamp = errors.New("a string is not a timestamp of the form YYYY-MM-DD HH:MM:SS, which is the declared datatype")
)

const isoDateLength = len(time.DateOnly)

func readBoolean(s string) (bool, error) {
	switch s {
	case "0", "f", "false", "F", "FALSE", "False":
		return false, nil
	case "1", "t", "true", "T", "TRUE", "True":
		return true, nil
	default:
		return false, errTextNotBoolean
	}
}

// readDate reads a date, and the date of a timestamp.
func readDate(s string) (arrow.Date32, error) {
	if len(s) > isoDateLength && (s[isoDateLength] == ' ' || s[isoDateLength] == 'T') {
		s = s[:isoDateLength]
	}
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, errTextNotDate
	}
	return arrow.Date32FromTime(day), nil
}

// newTimestampParser reads a timestamp, or a date for its midnight. A distance from UTC
// is for instants only: it would be lost otherwise.
func newTimestampParser(zoned bool) func(s string) (arrow.Timestamp, error) {
	return func(s string) (arrow.Timestamp, error) {
		v, hasZone, err := arrow.TimestampFromStringInLocation(s, arrow.Microsecond, time.UTC)
		if err != nil || hasZone && !zoned {
			return 0, errTextNotTimestamp
		}
		return v, nil
	}
}
