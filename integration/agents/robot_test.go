package agents_test

import (
	"encoding/json"
	"maps"
	"strings"
)

// call is an attempt of the robot with what came back; code is "" for rows.
type call struct {
	code, message, retry string
	metrics, candidates  []string
	warnings             []string // their retries
	bytes                int
}

// robot repairs a body. It may merge a suggested retry, else replace the rejected name by the first candidate, else by the
// first hit of find, else merge the retry of a warning. It returns the last body and its call, and the bytes that it read.
func robot(body string, most int, ask func(string) call, find func(string) (name string, bytes int)) (string, call, int) {
	read := 0
	for n := 1; ; n++ {
		c := ask(body)
		read += c.bytes
		switch {
		case n == most:
			return body, c, read
		case c.code == "" && len(c.warnings) > 0 && strings.HasPrefix(c.warnings[0], "{"):
			body = mergeInto(body, c.warnings[0])
		case c.code == "":
			return body, c, read
		case strings.HasPrefix(c.retry, "{"):
			body = mergeInto(body, c.retry)
		default:
			refused := refusedName(body, c)
			better := ""
			if len(c.candidates) > 0 {
				better = c.candidates[0]
			} else if refused != "" {
				hit, bytes := find(refused)
				better, read = hit, read+bytes
			}
			if refused == "" || better == "" || refused == better {
				return body, c, read
			}
			body = strings.ReplaceAll(body, `"`+refused+`"`, `"`+better+`"`)
		}
	}
}

// refusedName returns the text of a body that an error is about: the longest that its message has.
func refusedName(body string, c call) string {
	if len(c.metrics) > 0 {
		return c.metrics[0]
	}
	found := ""
	for _, text := range strings.Split(body, `"`) {
		last := text[strings.LastIndexByte(text, '.')+1:]
		if len(text) > len(found) && text != "field" && strings.Trim(text, ",:{}[] ") == text && strings.Contains(c.message, last) {
			found = text
		}
	}
	return found
}

func mergeInto(body, retry string) string {
	var into, patch map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &into) != nil || json.Unmarshal([]byte(retry), &patch) != nil {
		return body
	}
	maps.Copy(into, patch)
	maps.DeleteFunc(into, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	out, err := json.Marshal(into)
	if err != nil {
		return body
	}
	return string(out)
}
