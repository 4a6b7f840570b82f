package driver

import (
	"errors"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

var errInvalidUTF8 = errors.New("its text is not valid UTF-8")

// CheckUTF8 returns an error that names the column when a text of the batch, also one inside of a
// nested value, is not valid UTF-8. Arrow and JSON have no other encoding, so such a text could
// only be passed on as another one.
func CheckUTF8(batch arrow.RecordBatch) error {
	for i, column := range batch.Columns() {
		if !isValidUTF8(column) {
			return DriverFailureError("column "+batch.ColumnName(i)+" cannot be carried: "+errInvalidUTF8.Error(), errInvalidUTF8)
		}
	}
	return nil
}

func isValidUTF8(a arrow.Array) bool {
	switch a := a.(type) {
	case *array.String:
		return areTextsValidUTF8(a)
	case *array.Struct:
		for i := range a.NumField() {
			if !isValidUTF8(a.Field(i)) {
				return false
			}
		}
	case array.ListLike: // maps too
		return isValidUTF8(a.ListValues())
	}
	return true
}

// areTextsValidUTF8 looks at the texts together, which is fast, and then at where they begin: texts that
// are valid together, and none of which begins inside of a character, are valid each.
func areTextsValidUTF8(texts *array.String) bool {
	all := texts.ValueBytes()
	if !utf8.Valid(all) {
		return false
	}
	offsets := texts.ValueOffsets()
	for _, at := range offsets[:max(len(offsets)-1, 0)] {
		if at := int(at - offsets[0]); at < len(all) && !utf8.RuneStart(all[at]) {
			return false
		}
	}
	return true
}
