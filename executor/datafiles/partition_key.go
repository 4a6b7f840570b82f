package datafiles

import (
	"strings"
	"time"
)

// isPartitionFolder reports whether the name of a folder is key=value.
func isPartitionFolder(name string) bool {
	key, _, ok := strings.Cut(name, "=")
	return ok && key != ""
}

// appendPartitionKey appends the key of a folder, if it has one.
func appendPartitionKey(keys []PartitionKey, name string) []PartitionKey {
	if !isPartitionFolder(name) {
		return keys
	}
	key, value, _ := strings.Cut(name, "=")
	return append(keys[:len(keys):len(keys)], PartitionKey{key, value})
}

// PartitionKeyType is the type of the values of key=value folders.
type PartitionKeyType int

// The kinds of keys.
const (
	PartitionKeyText PartitionKeyType = iota
	PartitionKeyInteger
	PartitionKeyDate
)

// hiveNullValue is the name that Hive gives to a folder of the rows without a value.
const hiveNullValue = "__HIVE_DEFAULT_PARTITION__"

// maxIntegerDigits of an Integer: any such number fits 64 bits.
const maxIntegerDigits = 18

// PartitionKeyTypeOfValues returns PartitionKeyInteger or PartitionKeyDate where every value is one, else PartitionKeyText.
func PartitionKeyTypeOfValues(values []string) PartitionKeyType {
	integers, dates := 0, 0
	count := 0
	for _, v := range values {
		if v == hiveNullValue {
			continue
		}
		count++
		if isIntegerText(v) {
			integers++
		}
		if _, err := time.Parse(time.DateOnly, v); err == nil {
			dates++
		}
	}
	switch count {
	case 0:
		return PartitionKeyText
	case integers:
		return PartitionKeyInteger
	case dates:
		return PartitionKeyDate
	}
	return PartitionKeyText
}

func isIntegerText(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && len(digits) <= maxIntegerDigits && strings.Trim(digits, "0123456789") == ""
}
