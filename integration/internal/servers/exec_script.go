package servers

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

var tableNamePattern = regexp.MustCompile(`\b(CREATE TABLE|INSERT INTO) (\w+)`)

// execScript runs a script on an engine that takes one statement at a time. Names of
// tables get quotes, which a word that one engine reserves needs.
func execScript(ctx context.Context, script string, exec func(ctx context.Context, text string) error) error {
	for text := range strings.SplitSeq(script, ";\n") {
		if text = strings.TrimSuffix(strings.TrimSpace(text), ";"); text == "" {
			continue
		}
		text = tableNamePattern.ReplaceAllString(text, `$1 "$2"`)
		if err := exec(ctx, text); err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
	}
	return nil
}
