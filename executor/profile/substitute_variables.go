package profile

import (
	"regexp"
	"strings"
)

// EnvLookup looks a variable up, as os.LookupEnv does.
type EnvLookup func(name string) (value string, set bool)

// valueProblem is what is wrong with a value and what would help. Neither repeats
// the value.
type valueProblem struct{ message, hint string }

// substituteVariables replaces the variables of a text. As in a shell, the default of
// ${VAR:-default} also stands in for a variable that is set and empty.
func substituteVariables(text string, env EnvLookup) (string, *valueProblem) {
	if !strings.Contains(text, "${") {
		return text, nil
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		name, fallback, hasFallback := strings.Cut(inside, ":-")
		if !closed || !isVariableName(name) || strings.Contains(fallback, "${") {
			return "", &valueProblem{
				"has a ${ that is not of the form ${NAME} or ${NAME:-default}",
				"a literal ${ must come from a variable, and a default cannot contain variables",
			}
		}
		value, set := env(name)
		switch {
		case hasFallback && value == "":
			value = fallback
		case !set:
			return "", &valueProblem{
				"needs the variable " + name + ", which is not set",
				"set " + name + " in the environment of the service, or write a default: ${" + name + ":-value}",
			}
		}
		b.WriteString(value)
		text = after
	}
}

// isVariableName reports whether a text is a name as shells have them.
func isVariableName(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

var variableReferencePattern = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)`)

// VariablesOfFile lists the variables that a profiles file names in ${…}, used or not; none
// where the file cannot be read.
func VariablesOfFile(path string) []string {
	text, err := readBoundedFile(path)
	if err != nil {
		return nil
	}
	var names []string
	for _, m := range variableReferencePattern.FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}
