package reference

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// decodeTimeCode returns the timestamp that a stored time code encodes: NULL if it encodes
// none. A field that is not encoded is its value.
func decodeTimeCode(f *catalog.Field, v Value) Value {
	if f.Encoding == nil || v == nil {
		return v
	}
	if f.Encoding.Epoch != "" {
		n, err := strconv.ParseFloat(FormatValue(v), 64)
		if err != nil {
			return nil
		}
		switch f.Encoding.Epoch {
		case "days":
			return Date(int64(n))
		case "seconds":
			return Timestamp(int64(n) * 1e6)
		}
		return Timestamp(int64(n) * 1e3)
	}
	text := FormatValue(v)
	if n, ok := v.(float64); ok {
		text = strconv.FormatFloat(n, 'f', -1, 64)
	}
	return decodeTextByTimeLayout(f.Encoding.Layout, text)
}

func decodeTextByTimeLayout(layout []catalog.TimeLayoutPart, text string) Value {
	numbers := map[string]int{"MM": 1, "dd": 1, "Q": 0, "ww": 0}
	for _, p := range layout {
		if p.Token == "" {
			rest, ok := strings.CutPrefix(text, p.Literal)
			if !ok {
				return nil
			}
			text = rest
			continue
		}
		if len(text) < len(p.Token) {
			return nil
		}
		digits := text[:len(p.Token)]
		n, err := strconv.ParseUint(digits, 10, 32)
		if err != nil {
			return nil
		}
		numbers[p.Token], text = int(n), text[len(p.Token):]
	}
	if text != "" || numbers["yyyy"] == 0 {
		return nil
	}
	return timestampOfCodeParts(numbers)
}

// timestampOfCodeParts builds a timestamp from the numbers of a code.
func timestampOfCodeParts(n map[string]int) Value {
	if week := n["ww"]; week > 0 {
		// The fourth of January is always in the first week.
		monday := bucketStart(sqlexpr.GrainWeek, dateOfTime(time.Date(n["yyyy"], 1, 4, 0, 0, 0, 0, time.UTC))) + Date(7*(week-1))
		if y, w := monday.toTime().ISOWeek(); y != n["yyyy"] || w != week {
			return nil
		}
		return monday
	}
	if quarter := n["Q"]; quarter > 0 {
		if quarter > 4 {
			return nil
		}
		n["MM"] = quarter*3 - 2
	}
	t := time.Date(n["yyyy"], time.Month(n["MM"]), n["dd"], n["HH"], n["mm"], n["ss"], 0, time.UTC)
	if int(t.Month()) != n["MM"] || t.Day() != n["dd"] || t.Hour() != n["HH"] || t.Minute() != n["mm"] || t.Second() != n["ss"] {
		return nil
	}
	if n["HH"]+n["mm"]+n["ss"] == 0 {
		return dateOfTime(t)
	}
	return Timestamp(t.UnixMicro())
}

// encodeTimeCode returns the code of a timestamp.
func encodeTimeCode(f *catalog.TimeFormat, v Value) Value {
	m, _ := toTimestamp(v)
	switch f.Epoch {
	case "days":
		return float64(m.toDate())
	case "seconds":
		return float64(m) / 1e6
	case "millis":
		return float64(m) / 1e3
	}
	t := m.toDate().toTime().Add(time.Duration(m-m.toDate().toTimestamp()) * time.Microsecond)
	year, week := t.ISOWeek()
	text := ""
	for _, p := range f.Layout {
		n := map[string]int{
			"yyyy": t.Year(), "MM": int(t.Month()), "dd": t.Day(), "HH": t.Hour(), "mm": t.Minute(), "ss": t.Second(),
			"Q": (int(t.Month()) + 2) / 3, "ww": week,
		}[p.Token]
		if p.Token == "yyyy" && f.Grain == sqlexpr.GrainWeek {
			n = year
		}
		if text += p.Literal; p.Token != "" {
			text += fmt.Sprintf("%0*d", len(p.Token), n)
		}
	}
	if !f.Numeric {
		return text
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		failUnsupported("the time code %s", text)
	}
	return n
}
