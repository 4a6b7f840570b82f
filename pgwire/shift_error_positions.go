package pgwire

import "errors"

// shiftedPositionError is an error of a part of a text: its position counts from the begin of the part.
type shiftedPositionError struct {
	err      error
	by       int  // characters before the part
	withheld bool // the client has not sent the text that the position counts in
}

// Error returns the message.
func (e *shiftedPositionError) Error() string { return e.err.Error() }

// Unwrap returns the error of the part.
func (e *shiftedPositionError) Unwrap() error { return e.err }

// shiftErrorPosition adds the characters before a part to the position of its error. A negative number is of a part that the client has not
// sent.
func shiftErrorPosition(err error, by int) error {
	switch {
	case err == nil || by == 0:
		return err
	case by < 0:
		return removeErrorPosition(err)
	}
	return &shiftedPositionError{err: err, by: by}
}

// removeErrorPosition takes the position from an error of a text that was sent earlier.
func removeErrorPosition(err error) error {
	if err == nil {
		return nil
	}
	return &shiftedPositionError{err: err, withheld: true}
}

// positionInClientText returns a position in the text that the client has sent; 0 where there is none.
func positionInClientText(err error, position int32) int32 {
	for moved := (*shiftedPositionError)(nil); position > 0 && errors.As(err, &moved); err = moved.err {
		if moved.withheld {
			return 0
		}
		position += int32(moved.by)
	}
	return position
}
