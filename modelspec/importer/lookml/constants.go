package lookml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// constantReferencePattern is @{name}, the place of a constant in a text.
var constantReferencePattern = regexp.MustCompile(`@\{\s*([A-Za-z_]\w*)\s*\}`)

// replaceConstants writes the values of the constants that the files declare in the places of their names, in
// all texts. A name that no file declares stays.
func replaceConstants(files [][]*block) {
	values := map[string]string{}
	for _, items := range files {
		for _, b := range items {
			if value := b.findLastItem("value"); b.key == "constant" && b.braces && value != nil {
				values[b.name] = value.node.Text
			}
		}
	}
	if len(values) == 0 {
		return
	}
	for _, items := range files {
		for _, b := range items {
			if b.key != "constant" {
				b.replaceConstants(values)
			}
		}
	}
}

func (b *block) replaceConstants(values map[string]string) {
	if b.node != nil && strings.Contains(b.node.Text, "@{") {
		size := len(b.node.Text)
		text := constantReferencePattern.ReplaceAllStringFunc(b.node.Text, func(match string) string {
			value, known := values[constantReferencePattern.FindStringSubmatch(match)[1]]
			if size += len(value); !known || size > maxExpandedSQLBytes {
				return match
			}
			return value
		})
		copied := *b.node
		copied.Text = text
		b.node = &copied
	}
	for _, item := range b.items {
		item.replaceConstants(values)
	}
	for _, element := range b.list {
		element.replaceConstants(values)
	}
}

// checkNoTemplates rejects a text whose value is known only in Looker: of Liquid, or of a constant that no file
// declares.
func checkNoTemplates(subject, text string) error {
	if strings.Contains(text, "{%") || strings.Contains(text, "{{") {
		return errors.New(subject + " Liquid")
	}
	if m := constantReferencePattern.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s the constant %s, which no file declares", subject, m[1])
	}
	return nil
}
