package warehousefake

import (
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Fault answers a request in the fake's stead, or is false and leaves it to the fake.
type Fault func(*Service, http.ResponseWriter, *http.Request) bool

// OnEveryRequest answers every request.
func OnEveryRequest(answer http.HandlerFunc) Fault {
	return func(_ *Service, w http.ResponseWriter, r *http.Request) bool {
		answer(w, r)
		return true
	}
}

// OnRequests responds to the requests that match.
func OnRequests(such func(*http.Request) bool, answer http.HandlerFunc) Fault {
	return func(_ *Service, w http.ResponseWriter, r *http.Request) bool {
		if !such(r) {
			return false
		}
		answer(w, r)
		return true
	}
}

// OnPath answers the requests with that in their path.
func OnPath(part string, answer http.HandlerFunc) Fault {
	return OnRequests(func(r *http.Request) bool { return strings.Contains(r.URL.Path, part) }, answer)
}

// OnOneRowStatement answers the requests whose path ends with the name of the statement One. What
// the executor asks about its session is answered by the fake.
func OnOneRowStatement(answer http.HandlerFunc) Fault {
	return func(s *Service, w http.ResponseWriter, r *http.Request) bool {
		if sql, _ := s.Statement(path.Base(r.URL.Path)); sql != OneRowStatement {
			return false
		}
		answer(w, r)
		return true
	}
}

// RespondText responds with this text.
func RespondText(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

// RespondRedirect responds with a redirect to another host, like that of a login page.
func RespondRedirect(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.example/login", status)
	}
}

// Busy lets the fault turn away every other request for the same thing.
func Busy(turnAway Fault) Fault {
	var mu sync.Mutex
	asked := map[string]int{}
	return func(s *Service, w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		asked[r.URL.Path]++
		odd := asked[r.URL.Path]%2 == 1
		mu.Unlock()
		return odd && turnAway(s, w, r)
	}
}

// AfterStart lets statements begin before the fault responds: the request arrives, and the
// warehouse's response is lost.
func AfterStart(f Fault) Fault {
	return func(s *Service, w http.ResponseWriter, r *http.Request) bool {
		if s.begins(r) {
			s.protocol.ServeHTTP(&discardWriter{http.Header{}}, r)
		}
		return f(s, w, r)
	}
}

type discardWriter struct{ header http.Header }

func (l *discardWriter) Header() http.Header       { return l.header }
func (*discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (*discardWriter) WriteHeader(int)             {}

// delayStart accepts statements after a delay.
func delayStart(s *Service, _ http.ResponseWriter, r *http.Request) bool {
	if s.begins(r) {
		time.Sleep(150 * time.Millisecond)
	}
	return false
}

// neverRespond sends no response until it is released.
func neverRespond(release <-chan struct{}) Fault {
	return OnEveryRequest(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
}
