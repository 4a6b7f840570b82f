package profile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/semlayer/semlayer/executor"
)

// MaxProfilesFileBytes is the longest file that is read.
const MaxProfilesFileBytes = 1 << 20

// ProfileSearchPaths lists the paths of a profiles file, in the order of the search. Relative paths are
// below the working directory; home "" leaves out those below it.
func ProfileSearchPaths(home string) []string {
	agent := filepath.Join("conf", "agent.yml")
	inHome := func(elements ...string) []string {
		if home == "" {
			return nil
		}
		return []string{filepath.Join(append([]string{home}, elements...)...)}
	}
	list := []string{"service-connections.yaml"}
	list = append(list, inHome(".config", "service", "connections.yaml")...)
	list = append(list, agent)
	list = append(list, inHome(".semlayer", agent)...)
	// Where older installations have it.
	return append(list, inHome(".datus", agent)...)
}

// FindProfilesFile returns the first of the places where a file exists, and "" if there is none. A file
// that cannot be read counts as well: skipping it would connect by the settings of another
// file.
func FindProfilesFile() string {
	for _, path := range ProfileSearchPaths(homeDir()) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
			continue
		}
		return path
	}
	return ""
}

// LoadProfilesFile reads a profiles file. The error is an *executor.Error of code config and is about the
// file as a whole; the error of one profile is in its Err.
func LoadProfilesFile(path string, env EnvLookup) (*ProfilesFile, error) {
	text, err := readBoundedFile(path)
	if err != nil {
		return nil, addFileNameToError(path, err)
	}
	return ParseWithPath(path, text, env)
}

// ParseWithPath is Parse for a text that was read from the path, which errors and the
// File name. An empty path is a text that was not read from a file.
func ParseWithPath(path string, text []byte, env EnvLookup) (*ProfilesFile, error) {
	f, err := Parse(text, env)
	if err != nil {
		return nil, addFileNameToError(path, err)
	}
	f.Path = path
	return f, nil
}

// addFileNameToError names the file in its error, without its directory.
func addFileNameToError(path string, err error) error {
	name := "the connection profiles: "
	if path != "" {
		name = "the profiles file " + quoteUnlessPlainName(filepath.Base(path)) + ": "
	}
	var own *executor.Error
	if errors.As(err, &own) {
		return &executor.Error{Code: own.Code, Message: name + own.Message, Hint: own.Hint, Err: own.Err}
	}
	why := "it cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		why = "reading it is not permitted"
	}
	return &executor.Error{Code: executor.CodeConfig, Message: name + why, Err: err}
}

func readBoundedFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxProfilesFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxProfilesFileBytes {
		return nil, fileTooLargeError()
	}
	return text, nil
}

func fileTooLargeError() error {
	return configError("it is longer than "+strconv.Itoa(MaxProfilesFileBytes>>20)+" MiB", "")
}
