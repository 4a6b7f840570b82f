package restapi

import (
	"fmt"
	"net/url"
	"strings"
)

// CheckCORSOrigins rejects what is not exactly an origin: a wildcard would let every
// page that a user opens ask with the user's reach.
func CheckCORSOrigins(origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Contains(u.Host, "*") || o != u.Scheme+"://"+u.Host || o != strings.ToLower(o) {
			return fmt.Errorf("%q is not an origin: write scheme and host in small letters, and the port unless it is the usual one, as in https://app.example.com", o)
		}
	}
	return nil
}

// hostOfOrigin returns host and port of an origin.
func hostOfOrigin(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}
