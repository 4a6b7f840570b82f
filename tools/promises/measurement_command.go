package main

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// measurementCommand is what measures a promise: go test in a folder, or a script.
type measurementCommand struct {
	dir string // below the root of the repository
	pkg string // "./properties", or several with spaces between
	// test and bench are regular expressions; one of them is set.
	test, bench string
	flags       []string // beyond -run and -bench
	env         map[string]string
	script      []string // instead of go test

	// The short form has these as well, and in the place of equal ones.
	shortFlags []string
	shortEnv   map[string]string
}

// environmentSettings returns the variables of a run. If asked, it keeps those of the environment.
func (c measurementCommand) environmentSettings(short bool, environment func(string) (string, bool)) []string {
	all := maps.Clone(c.env)
	if short {
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, c.shortEnv)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		if environment != nil && !short {
			if own, is := environment(name); is {
				value = own
			}
		}
		out = append(out, name+"="+value)
	}
	return out
}

// programAndArguments returns the program and its arguments, as a person would type them.
func (c measurementCommand) programAndArguments(short bool) []string {
	out := slices.Clone(c.script)
	if out == nil {
		out = []string{"go", "test"}
		if c.bench != "" {
			out = append(out, "-run", "^$", "-bench", c.bench)
		} else {
			out = append(out, "-count=1", "-run", c.test)
		}
		flags := slices.Clone(c.flags)
		if short {
			for _, f := range c.shortFlags {
				name, _, _ := strings.Cut(f, "=")
				flags = slices.DeleteFunc(flags, func(other string) bool { return strings.HasPrefix(other, name+"=") })
				flags = append(flags, f)
			}
		}
		out = append(out, flags...)
		out = append(out, strings.Fields(c.pkg)...)
	}
	return out
}

// reproduceCommandLine returns the one line that reproduces a figure from the root of the repository.
func (c measurementCommand) reproduceCommandLine(short bool) string {
	return c.commandLine(short, os.LookupEnv)
}

// commandLineWithoutVariables returns the command line without the variables of the environment.
func (c measurementCommand) commandLineWithoutVariables() string { return c.commandLine(false, nil) }

func (c measurementCommand) commandLine(short bool, environment func(string) (string, bool)) string {
	var b strings.Builder
	if c.dir != "" {
		b.WriteString("cd " + c.dir + " && ")
	}
	for _, s := range c.environmentSettings(short, environment) {
		b.WriteString(s + " ")
	}
	for i, w := range c.programAndArguments(short) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoteShellWord(w))
	}
	return b.String()
}

func quoteShellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " ^$|()*'\"\\[]{}&;<>?!~#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
