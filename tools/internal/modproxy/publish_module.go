// Package modproxy publishes modules of the working tree as a file-system
// module proxy: a folder that GOPROXY=file://... can name, in the layout that
// the go command itself keeps under GOMODCACHE/cache/download.
package modproxy

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// PublishModule adds one version of the module in dir to the proxy in root. The zip
// holds what a release would hold: everything under dir except nested modules.
func PublishModule(root, dir, modulePath, version string) error {
	escapedPath, err := module.EscapePath(modulePath)
	if err != nil {
		return err
	}
	escapedVersion, err := module.EscapeVersion(version)
	if err != nil {
		return err
	}
	base := filepath.Join(root, filepath.FromSlash(escapedPath), "@v")
	if err := os.MkdirAll(base, 0o755); err != nil {
		return err
	}

	list, err := os.OpenFile(filepath.Join(base, "list"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(list, version); err != nil {
		list.Close()
		return err
	}
	if err := list.Close(); err != nil {
		return err
	}

	info, err := json.Marshal(struct{ Version string }{version})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(base, escapedVersion+".info"), info, 0o644); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(base, escapedVersion+".mod"), mod, 0o644); err != nil {
		return err
	}

	archive, err := os.Create(filepath.Join(base, escapedVersion+".zip"))
	if err != nil {
		return err
	}
	if err := modzip.CreateFromDir(archive, module.Version{Path: modulePath, Version: version}, dir); err != nil {
		archive.Close()
		return err
	}
	return archive.Close()
}
