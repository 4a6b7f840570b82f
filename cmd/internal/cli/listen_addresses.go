package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/semlayer/semlayer/cmd/internal/certfile"
)

// unixPrefix begins the address of a Unix socket.
const unixPrefix = "unix:"

// maxUnixPathBytes is the length of a path that every system has room for.
const maxUnixPathBytes = 103

// staleSocketTimeout bounds the test whether a process listens on a socket file.
const staleSocketTimeout = time.Second

// readListenAddresses reads where to listen. An empty address would be every address of the
// machine, at a port of the system's choice.
func (s settingsReader) readListenAddresses(flag string) ([]string, error) {
	addresses := s.readRepeated(flag)
	seen := map[string]bool{}
	for i, one := range addresses {
		one = strings.TrimSpace(one)
		if one == "" {
			return nil, newUsageError(flagAndEnvVariableText(flag) + " must not be empty")
		}
		if seen[one] {
			return nil, newUsageError(s.settingText(flag) + " has " + one + " twice")
		}
		seen[one] = !isFreePort(one)
		if path, isSocket := strings.CutPrefix(one, unixPrefix); isSocket {
			if err := checkSocketPath(path); err != nil {
				return nil, newUsageError(s.settingText(flag) + ": " + err.Error())
			}
		}
		addresses[i] = one
	}
	if len(addresses) == 0 {
		return nil, newUsageError(flagAndEnvVariableText(flag) + " must not be empty")
	}
	return addresses, nil
}

// isFreePort reports whether the system chooses the port of an address, so that two servers can have it.
func isFreePort(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err == nil && port == "0"
}

// checkOwnAddress rejects an address of a server that --bind has too.
func (c serverSettings) checkOwnAddress(flag, address string) error {
	if !isFreePort(address) && slices.Contains(c.bind, address) {
		return newUsageError(flagAndEnvVariableText(flag) + ": " + address + " is an address of " + flagAndEnvVariableText("bind") + " too")
	}
	return nil
}

func checkSocketPath(path string) error {
	switch {
	case path == "":
		return errors.New(unixPrefix + " needs the path of a socket, as in unix:/run/semlayer/http.sock")
	case strings.HasPrefix(path, "@"), strings.ContainsRune(path, 0):
		return fmt.Errorf("%q is an abstract socket, which no file permission protects: name a path", path)
	case len(path) > maxUnixPathBytes:
		return fmt.Errorf("the path %s has %d bytes; that of a socket has at most %d", path, len(path), maxUnixPathBytes)
	}
	return nil
}

// isLocalAddress reports whether only this machine reaches an address. A Unix socket counts as such.
func isLocalAddress(address string) (bool, error) {
	if path, isSocket := strings.CutPrefix(address, unixPrefix); isSocket {
		return true, checkSocketPath(path)
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false, err
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback(), nil
}

// isLoopback reports whether only this machine reaches a listener.
func isLoopback(a net.Addr) bool {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}

func areAllLoopback(listeners []net.Listener) bool {
	for _, ln := range listeners {
		if !isLoopback(ln.Addr()) {
			return false
		}
	}
	return true
}

func closeListeners(listeners []net.Listener) {
	for _, ln := range listeners {
		_ = ln.Close()
	}
}

// listenOn listens on an address of a flag.
func listenOn(ctx context.Context, flag, address string) (ln net.Listener, err error) {
	if path, isSocket := strings.CutPrefix(address, unixPrefix); isSocket {
		if err = checkSocketPath(path); err == nil {
			err = removeStaleSocket(ctx, path)
		}
		if err == nil {
			ln, err = new(net.ListenConfig).Listen(ctx, "unix", path)
		}
	} else {
		ln, err = new(net.ListenConfig).Listen(ctx, "tcp", address)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot listen on %s: %w", flagAndEnvVariableText(flag), address, err)
	}
	return ln, nil
}

// removeStaleSocket removes the socket file that a killed process has left. It touches no other file, and no socket that a process listens on.
func removeStaleSocket(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&os.ModeSocket == 0:
		return errors.New("there is a file that is not a socket; it is not overwritten")
	}
	conn, err := (&net.Dialer{Timeout: staleSocketTimeout}).DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		_ = conn.Close()
		return fmt.Errorf("another process serves it: %w", syscall.EADDRINUSE)
	case !errors.Is(err, syscall.ECONNREFUSED):
		return err
	}
	return os.Remove(path)
}

// readOptionalListenAddress reads an address that may be missing.
func (s settingsReader) readOptionalListenAddress(flag string) (string, error) {
	address := strings.TrimSpace(s.readText(flag))
	if address == "" {
		return "", nil
	}
	if _, err := isLocalAddress(address); err != nil {
		return "", newUsageError(s.settingText(flag) + ": " + err.Error())
	}
	return address, nil
}

// listenOnAll listens on every address of --bind. Those of the network have TLS where there is a certificate. The texts are URLs, or unix:PATH.
func (c serverSettings) listenOnAll(ctx context.Context) (listeners []net.Listener, addresses []string, err error) {
	for _, bind := range c.bind {
		ln, address, err := listenSecured(ctx, "bind", bind, c.tls)
		if err != nil {
			closeListeners(listeners)
			return nil, nil, err
		}
		listeners, addresses = append(listeners, ln), append(addresses, address)
	}
	return listeners, addresses, nil
}

// listenSecured listens on an address, with TLS where there are files and the address is one of the network. The text is a URL, or unix:PATH.
func listenSecured(ctx context.Context, flag, bind string, files *certfile.Files) (net.Listener, string, error) {
	ln, err := listenOn(ctx, flag, bind)
	if err != nil {
		return nil, "", err
	}
	if _, isSocket := ln.Addr().(*net.UnixAddr); isSocket {
		return ln, bind, nil
	}
	address := ln.Addr().String()
	if files == nil {
		return ln, "http://" + address, nil
	}
	return tls.NewListener(ln, files.ServerConfig()), "https://" + address, nil
}
