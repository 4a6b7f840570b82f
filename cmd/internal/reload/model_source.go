package reload

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/restapi"
)

// ModelSource is where models are: one file, or the files of a folder.
type ModelSource struct {
	File   string
	Folder string // when File is empty
	// Generate makes the text of the model, which has no file then; nil elsewhere.
	Generate func(ctx context.Context) ([]byte, error)
}

// generatedModelPath is the path of a model that was generated.
const generatedModelPath = "generated"

// namedModelFile is a model file. Its name is that of the model in paths, "" where one file is served.
type namedModelFile struct {
	name, path string
	twin       string                                    // a second file of the name; "" for none
	generate   func(ctx context.Context) ([]byte, error) // nil for a file on disk
}

// loadErrorKindUnreadable is the kind of the errors of files that cannot be read.
const loadErrorKindUnreadable = "io"

// modelFileSuffixes are those of model files in a folder; tests are not models.
var modelFileSuffixes = []string{".yaml", ".yml", ".json"}

const testFileSuffix = ".test"

// WatchedPaths returns the paths to watch.
func (s ModelSource) WatchedPaths() []string {
	if s.Generate != nil {
		return nil
	}
	if s.Folder == "" {
		return []string{s.File}
	}
	paths := []string{s.Folder}
	files, _ := s.listFilePerModel() // of a folder that cannot be read the folder itself is watched
	for _, f := range files {
		paths = append(paths, f.path)
	}
	return paths
}

// IsModelFileName reports whether a file of this name in a folder can be a model.
func IsModelFileName(name string) bool {
	return slices.Contains(modelFileSuffixes, strings.ToLower(filepath.Ext(name)))
}

// listFilePerModel lists the model files, by name. The error is that of a folder that cannot be read. If two files have
// one name, it lists the first with the second as its twin.
func (s ModelSource) listFilePerModel() ([]namedModelFile, error) {
	if s.Generate != nil {
		return []namedModelFile{{path: generatedModelPath, generate: s.Generate}}, nil
	}
	if s.Folder == "" {
		return []namedModelFile{{path: s.File}}, nil
	}
	entries, err := os.ReadDir(s.Folder)
	if err != nil {
		return nil, err
	}
	var out []namedModelFile
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		path := filepath.Join(s.Folder, e.Name())
		if !IsModelFileName(e.Name()) || strings.HasSuffix(name, testFileSuffix) || !restapi.IsModelName(name) || isFolder(path) {
			continue
		}
		out = append(out, namedModelFile{name: name, path: path})
	}
	slices.SortFunc(out, func(a, b namedModelFile) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.path, b.path))
	})
	for i := len(out) - 1; i > 0; i-- {
		if out[i].name == out[i-1].name {
			out[i-1].twin = out[i].path
			out = slices.Delete(out, i, i+1)
		}
	}
	return out, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readRegularFile reads the text of a model file. A file with a twin is rejected: nothing decides which one is meant. A folder, a pipe or a device is rejected: reading a pipe would wait for ever.
func (f namedModelFile) readRegularFile(ctx context.Context) ([]byte, error) {
	if f.generate != nil {
		return f.generate(ctx)
	}
	if f.twin != "" {
		return nil, &modelspec.LoadError{Kind: loadErrorKindUnreadable, File: f.path, Message: fmt.Sprintf("two files are the model %s: %s and %s", f.name, f.path, f.twin)}
	}
	if info, err := os.Stat(f.path); err == nil && !info.Mode().IsRegular() {
		return nil, &modelspec.LoadError{Kind: loadErrorKindUnreadable, File: f.path, Message: "cannot read the model: it is not a file"}
	}
	return modelspec.ReadModelFileText(f.path)
}
