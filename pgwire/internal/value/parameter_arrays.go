package value

import (
	"encoding/binary"
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// checkArrayText checks the elements of an array in text form. One of several dimensions is rejected by the statement.
func checkArrayText(element uint32, text string) error {
	elements, ok := parse.ParseArrayText(text)
	if !ok && !strings.HasPrefix(strings.TrimSpace(text), "{{") {
		return &parameterFault{sqlstateInvalidText, "is not an array, as {a,b}"}
	}
	for _, e := range elements {
		if e.Null {
			continue
		}
		if _, err := checkAndNormalizeTextParameter(element, []byte(e.Text)); err != nil {
			return err
		}
	}
	return nil
}

// shortBinaryError rejects an array whose bytes end early, as PostgreSQL does.
func shortBinaryError(oid uint32) error {
	return &parameterFault{"08P01", "ends before the binary form of " + typeName(oid) + " does"}
}

// binaryArrayToText reads an array of at most one dimension in binary form.
func binaryArrayToText(oid, element uint32, b []byte) (string, error) {
	const header, dimension = 12, 8 // bytes: number of dimensions, NULL or not, type of the elements; number of elements and of the first one
	if len(b) < header {
		return "", shortBinaryError(oid)
	}
	dimensions, written := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[8:])
	b = b[header:]
	switch {
	case dimensions == 0 && len(b) == 0:
		return "{}", nil
	case dimensions > 1:
		return "", &Error{SQLState: "0A000", Message: "an array of several dimensions is not supported"}
	case dimensions == 1 && len(b) < dimension:
		return "", shortBinaryError(oid)
	case dimensions == 0, written != element && !(isTextType(written) && isTextType(element)):
		return "", invalidBinaryError(oid)
	}
	n := binary.BigEndian.Uint32(b)
	b = b[dimension:]
	out := []byte{'{'}
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		if len(b) < 4 {
			return "", shortBinaryError(oid)
		}
		size := int32(binary.BigEndian.Uint32(b))
		if b = b[4:]; size == -1 {
			out = append(out, "NULL"...)
			continue
		}
		if size < 0 || int(size) > len(b) {
			return "", shortBinaryError(oid)
		}
		text, err := binaryParameterToText(element, b[:size])
		if err != nil {
			return "", err
		}
		out, b = appendArrayElement(out, text), b[size:]
	}
	if len(b) > 0 {
		return "", invalidBinaryError(oid)
	}
	return string(append(out, '}')), nil
}
