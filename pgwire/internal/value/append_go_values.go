package value

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// AppendAnyWithLength appends the length and the value of a bool, an int64, a float64, a string in the text form of the type, a
// []any of such values for an array, or nil for NULL.
func AppendAnyWithLength(dst []byte, oid uint32, format int16, v any) ([]byte, error) {
	if v == nil {
		return append(dst, 0xFF, 0xFF, 0xFF, 0xFF), nil
	}
	start := len(dst)
	dst, err := AppendAnyNonNull(append(dst, 0, 0, 0, 0), oid, format, v)
	if err != nil {
		return dst, err
	}
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst, nil
}

// AppendAnyNonNull appends a value that is not NULL, without its length.
func AppendAnyNonNull(dst []byte, oid uint32, format int16, v any) ([]byte, error) {
	switch v := v.(type) {
	case []any:
		element, ok := elementTypeByArrayOID[oid]
		if !ok {
			element = TextOID
		}
		if format == BinaryFormat {
			return appendArrayBinary(dst, element, v)
		}
		return appendArrayText(dst, oid, element, v)
	case bool:
		if oid == BoolOID {
			return appendBool(dst, format, v), nil
		}
		return appendTextAsType(dst, oid, format, strconv.FormatBool(v))
	case int64:
		return appendTextAsType(dst, oid, format, strconv.FormatInt(v, 10))
	case float64:
		if oid == Float8OID || oid == Float4OID {
			return appendFloat4Or8(dst, oid, format, v), nil
		}
		return appendTextAsType(dst, oid, format, string(appendFloatText(nil, v, 64, maxPlainFloat64Digits)))
	case string:
		if isTransactionOrCommandID(oid) && format == BinaryFormat {
			return appendIntegerFromText(dst, Int4OID, format, v)
		}
		return appendTextAsType(dst, oid, format, v)
	}
	return dst, &Error{SQLState: "XX000", Message: fmt.Sprintf("a value has no form: %T", v)}
}

// isTransactionOrCommandID reports whether a type is one of the names of OIDs whose binary form is the number: xid and cid.
func isTransactionOrCommandID(oid uint32) bool { return oid == 28 || oid == 29 }

// appendArrayText appends {1,2,NULL,"a b"}; the vectors of the catalogue are 1 2.
func appendArrayText(dst []byte, oid, element uint32, list []any) ([]byte, error) {
	vector := oid == int2VectorOID || oid == oidVectorOID
	if !vector {
		dst = append(dst, '{')
	}
	for i, v := range list {
		switch {
		case i > 0 && vector:
			dst = append(dst, ' ')
		case i > 0:
			dst = append(dst, ',')
		}
		if v == nil {
			dst = append(dst, "NULL"...)
			continue
		}
		text, err := AppendAnyNonNull(nil, element, TextFormat, v)
		if err != nil {
			return dst, err
		}
		dst = appendArrayElement(dst, string(text))
	}
	if !vector {
		dst = append(dst, '}')
	}
	return dst, nil
}

// appendArrayElement appends an element with quotes where an array needs them.
func appendArrayElement(dst []byte, text string) []byte {
	if text != "" && !strings.EqualFold(text, "null") && !strings.ContainsAny(text, "{}\",\\ \t\r\n\v\f") {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}

func appendArrayBinary(dst []byte, element uint32, list []any) ([]byte, error) {
	dimensions, hasNull := uint32(1), uint32(0)
	if len(list) == 0 {
		dimensions = 0
	}
	for _, v := range list {
		if v == nil {
			hasNull = 1
		}
	}
	dst = binary.BigEndian.AppendUint32(dst, dimensions)
	dst = binary.BigEndian.AppendUint32(dst, hasNull)
	dst = binary.BigEndian.AppendUint32(dst, element)
	if dimensions == 0 {
		return dst, nil
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(list)))
	dst = binary.BigEndian.AppendUint32(dst, 1) // the number of the first element
	var err error
	for _, v := range list {
		if dst, err = AppendAnyWithLength(dst, element, BinaryFormat, v); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
