package documents_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// replacements take the place of each value of a payload.
var replacements = []string{
	`null`, `true`, `0`, `-1`, `2`, `1.5`, `1e999`, `""`, `"x"`, `":n"`, `":"`, `"day"`, `"Day"`, `"sum"`, `"unbounded"`, `"2024-01-31"`, `"1 month"`, `"week_end"`,
	`[]`, `["x"]`, `[1]`, `[null]`, `{}`, `{"x": 1}`, `{"type": "pop"}`,
}

// readPayloadVariants reads a payload, and it with each value replaced, without each key, and with each key misspelled.
func readPayloadVariants(text string) string {
	carriers := carriersOfPayload(text)
	if carriers == nil {
		return ""
	}
	var out strings.Builder
	vendors := modelspec.ExtensionVendors()
	read := func(text string) { fmt.Fprintf(&out, "%s\n%s", text, readPayload(text, carriers, vendors[0])) }
	read(text)
	out.WriteString(readPayload(text, carriers, vendors[1]))
	for _, v := range valuesOf(text) {
		for _, r := range replacements {
			read(text[:v.begin] + r + text[v.end:])
		}
		if v.keyEnd > 0 {
			read(text[:v.keyEnd-1] + "s" + text[v.keyEnd-1:])
			read(text[:v.keyBegin] + `"other": 1, ` + text[v.keyBegin:])
			read(text[:v.keyBegin] + text[v.keyBegin:v.keyEnd] + ": 1, " + text[v.keyBegin:])
			read(strings.Replace(text[:v.keyBegin]+text[v.end:], ",,", ",", 1))
		}
	}
	for _, v := range valuesOf(text) {
		read(text[:v.begin])
		read(text[:v.end])
		read(text[:v.begin] + "x" + text[v.begin:])
		if v.keyEnd > 0 { // a key that is given twice, before a mistake and behind one
			read(text[:v.keyBegin] + text[v.keyBegin:v.keyEnd] + ": 1, " + text[v.keyBegin:v.end] + " x")
			read(text[:v.keyBegin] + "x, " + text[v.keyBegin:v.keyEnd] + ": 1, " + text[v.keyBegin:])
		}
	}
	for _, end := range []string{"x", " x", "{}", "\n]", ", 1"} {
		read(text + end)
	}
	for _, depth := range []int{limits.PayloadDepth - 1, limits.PayloadDepth, limits.PayloadDepth + 1, 12_000} {
		nested := strings.Repeat(`[{"a": `, depth/2) + strings.Repeat("[", depth%2)
		for _, end := range []string{"1", "", "1, x"} {
			out.WriteString(readPayload(nested+end, carriers, vendors[0]))
		}
		out.WriteString(readPayload(`{"lod":`+nested+"1"+strings.Repeat("]", depth%2)+strings.Repeat("}]", depth/2)+"}", carriers, vendors[0]))
	}
	for _, version := range []string{"1.0", "1.9", "1.10", "1.99", "2.0"} {
		read(strings.Replace(text, "{", `{"v": "`+version+`", `, 1))
	}
	return out.String()
}

// span is a value of a JSON text, and its key where it is a member.
type span struct{ begin, end, keyBegin, keyEnd int }

// valuesOf returns the values of a JSON text, the whole text left out.
func valuesOf(text string) []span {
	dec := json.NewDecoder(strings.NewReader(text))
	var out []span
	var read func()
	begin := func() int {
		at := int(dec.InputOffset())
		return at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n,:"))
	}
	read = func() {
		token, err := dec.Token()
		if err != nil || token != json.Delim('{') && token != json.Delim('[') {
			return
		}
		for dec.More() {
			var s span
			if token == json.Delim('{') {
				s.keyBegin = begin()
				_, _ = dec.Token()
				s.keyEnd = int(dec.InputOffset())
			}
			s.begin = begin()
			out = append(out, s)
			i := len(out) - 1
			read()
			out[i].end = int(dec.InputOffset())
		}
		_, _ = dec.Token()
	}
	read()
	return out
}

// maxVariedModelBytes bounds the models of which every line is changed.
const maxVariedModelBytes = 2500

// readModelVariants reads a model with each line changed: left out, repeated, indented, its value replaced.
func readModelVariants(text string) string {
	if len(text) > maxVariedModelBytes || !strings.Contains(text, "datasets") {
		return ""
	}
	if _, err := modelspec.Parse([]byte(text)); err != nil {
		return ""
	}
	var out bytes.Buffer
	for _, variant := range lineVariants(text) {
		doc, err := modelspec.Parse([]byte(variant))
		if err != nil {
			out.WriteString(loadErrorText(err))
			continue
		}
		out.WriteString(findingsOfValidation(doc))
	}
	return out.String()
}

// lineVariants returns a text with each line changed; none of a longer text.
func lineVariants(text string) []string {
	if len(text) > maxVariedModelBytes {
		return nil
	}
	var out []string
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		before, after := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
		variants := []string{"", line + line, " " + line, "# " + line}
		if key, _, ok := strings.Cut(line, ": "); ok {
			for _, value := range []string{"1", "null", "[a, 1]", "{a: b}", "'it''s'", "|\n   x", "@x", "a: b", "*x", "&x 1", "2024-01-01", "!!int 1"} {
				variants = append(variants, key+": "+value+"\n")
			}
			variants = append(variants, key+"x: 1\n"+line)
		}
		for _, variant := range variants {
			out = append(out, before+variant+after)
		}
	}
	return out
}
