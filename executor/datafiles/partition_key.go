package datafiles

import (
	"strings"
	"time"
)

// isKey reports whether the name of a folder is key=value.
func isKey(name string) bool {
	key, _, ok := strings.Cut(name, "=")
	return ok && key != ""
}

// withKey appends the key of a folder, if it has one.
func withKey(keys []PartitionKey, name string) []PartitionKey {
	if !isKey(name) {
		return keys
	}
	key, value, _ := strings.Cut(name, "=")
	return append(keys[:len(keys):len(keys)], PartitionKey{key, value})
}

// PartitionKeyKind is the type of the values of key=value folders.
type PartitionKeyKind int

// The kinds of keys.
const (
	TextKey PartitionKeyKind = iota
	IntegerKey
	DateKey
)

// nullValue is the name that Hive gives to a folder of the rows without a value.
const nullValue = "__HIVE_DEFAULT_PARTITION__"

// maxDigits of an Integer: any such number fits 64 bits.
const maxDigits = 18

// KeyType returns IntegerKey or DateKey where every value is one, else TextKey.
func KeyType(values []string) PartitionKeyKind {
	integers, dates := 0, 0
	count := 0
	for _, v := range values {
		if v == nullValue {
			continue
		}
		count++
		if isInteger(v) {
			integers++
		}
		if _, err := time.Parse(time.DateOnly, v); err == nil {
			dates++
		}
	}
	switch count {
	case 0:
		return TextKey
	case integers:
		return IntegerKey
	case dates:
		return DateKey
	}
	return TextKey
}

func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && len(digits) <= maxDigits && strings.Trim(digits, "0123456789") == ""
}
