package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

const byteOrderMark = "\xEF\xBB\xBF"

// Format returns a text in the one layout. Its errors are *modelspec.LoadError: the text is
// neither YAML nor JSON, is beyond the limits of a model, or has a construct that cannot be
// kept as it is.
func Format(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if len(text) > modelspec.MaxModelBytes || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 || len(bytes.TrimSpace(text)) == 0 {
		_, err := modelspec.Parse(text) // whose words these errors have
		return nil, err
	}
	windows := bytes.Contains(firstLine(text), []byte("\r\n"))
	source := strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\r", "\n")
	out, err := formatText(source)
	if err != nil {
		if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
			load.SetLineOf([]byte(source))
		}
		return nil, err
	}
	if windows {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	if len(out) > modelspec.MaxModelBytes {
		return nil, newParseError(0, 0, "the formatted text would have %d bytes, more than the limit of %d; it is left as it is", len(out), modelspec.MaxModelBytes)
	}
	return []byte(out), nil
}

// firstLine returns the first line with its end.
func firstLine(text []byte) []byte {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	return text
}

func formatText(source string) (string, error) {
	if strings.IndexByte("{[", strings.TrimLeft(source, " \t\n")[0]) >= 0 && json.Valid([]byte(source)) {
		return formatJSON(source)
	}
	if i := strings.IndexAny(source, "\u0085\u2028\u2029"); i >= 0 {
		r, _ := utf8.DecodeRuneInString(source[i:])
		at := newTextCursor(source)
		at.pos = i
		return "", newParseError(strings.Count(source[:i], "\n")+1, at.columnOfOffset(i)+1, "YAML reads the character %U as the end of a line; write it as an escape in double quotes", r)
	}
	doc, err := readDocument(source)
	if err != nil {
		return "", err
	}
	if root := doc.Root.Value; root.Kind == layout.MappingNode {
		layout.AssignRoles(root)
		expandShortForms(root)
		layout.SortKeys(root)
	}
	out := layout.Print(doc)
	if err := checkRoundTrip(doc, out); err != nil {
		return "", err
	}
	return out, nil
}
