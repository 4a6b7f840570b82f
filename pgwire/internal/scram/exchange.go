package scram

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "crypto/sha512" // SHA-384 and SHA-512
	"crypto/x509"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// The names of the mechanisms.
const (
	Mechanism     = "SCRAM-SHA-256"
	MechanismPlus = "SCRAM-SHA-256-PLUS"
)

// ErrWrongPassword is the error of a proof that no password has.
var ErrWrongPassword = errors.New("the password is wrong")

// ErrMalformed is the error of a message that is not one of the exchange.
var ErrMalformed = errors.New("the message is not one of SCRAM")

// Exchange is the authentication of one client.
type Exchange struct {
	salt      Salt
	binding   []byte // of the certificate; nil without TLS
	header    string // of the client, with which its binding begins
	plus      bool
	nonce     string
	firstBare string
	first     string // of the server
}

// BeginExchange reads the first message of a client and returns that of the server. Binding is the data of
// tls-server-end-point, nil without TLS.
func BeginExchange(mechanism string, message []byte, salt Salt, binding []byte) (*Exchange, []byte, error) {
	e := &Exchange{salt: salt, binding: binding, plus: mechanism == MechanismPlus}
	if mechanism != Mechanism && !(e.plus && binding != nil) {
		return nil, nil, ErrMalformed
	}
	if err := e.readHeader(string(message)); err != nil {
		return nil, nil, err
	}
	nonce, err := parseClientNonce(e.firstBare)
	if err != nil {
		return nil, nil, err
	}
	var own [18]byte
	_, _ = rand.Read(own[:]) // which never fails
	e.nonce = nonce + base64.StdEncoding.EncodeToString(own[:])
	e.first = "r=" + e.nonce + ",s=" + base64.StdEncoding.EncodeToString(salt[:]) + ",i=" + strconv.Itoa(pbkdf2Iterations)
	return e, []byte(e.first), nil
}

// readHeader cuts the header off the first message: whether the client binds the channel, and as whom it acts.
func (e *Exchange) readHeader(message string) error {
	flag, rest, ok := strings.Cut(message, ",")
	if !ok {
		return ErrMalformed
	}
	identity, bare, ok := strings.Cut(rest, ",")
	if !ok || identity != "" {
		return ErrMalformed
	}
	switch {
	case e.plus && flag == "p=tls-server-end-point":
	case !e.plus && flag == "n":
	case !e.plus && flag == "y" && e.binding == nil: // else someone has taken the mechanism out of the list
	default:
		return ErrMalformed
	}
	e.header, e.firstBare = flag+","+identity+",", bare
	return nil
}

// parseClientNonce reads n=user,r=nonce.
func parseClientNonce(bare string) (string, error) {
	user, nonce, ok := strings.Cut(bare, ",")
	nonce, _, _ = strings.Cut(nonce, ",") // extensions may follow
	nonce, isNonce := strings.CutPrefix(nonce, "r=")
	if !ok || !isNonce || nonce == "" || !strings.HasPrefix(user, "n=") || strings.Trim(nonce, allowedClientNonceCharacters) != "" {
		return "", ErrMalformed
	}
	return nonce, nil
}

// allowedClientNonceCharacters are the characters that the nonce of a client may have.
const allowedClientNonceCharacters = "!\"#$%&'()*+-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

// Finish checks the last message of a client against the keys of all passwords. It returns the number of those
// that match, and the last message of the server. Each proof takes the same time.
func (e *Exchange) Finish(message []byte, keys []PasswordKeys) (match int, reply []byte, err error) {
	text := string(message)
	at := strings.LastIndex(text, ",p=")
	if at < 0 {
		return 0, nil, ErrMalformed
	}
	without := text[:at]
	proof, err := base64.StdEncoding.DecodeString(text[at+len(",p="):])
	if err != nil || len(proof) != sha256.Size {
		return 0, nil, ErrMalformed
	}
	bound, rest, _ := strings.Cut(without, ",")
	nonce, _, _ := strings.Cut(rest, ",")
	want := "c=" + base64.StdEncoding.EncodeToString(append([]byte(e.header), e.channelBindingData()...))
	if bound != want || nonce != "r="+e.nonce {
		return 0, nil, ErrMalformed
	}
	all := e.firstBare + "," + e.first + "," + without
	match = -1
	for i := range keys {
		if keys[i].verifiesProof(proof, all) {
			match = i
		}
	}
	if match < 0 {
		return 0, nil, ErrWrongPassword
	}
	return match, []byte("v=" + base64.StdEncoding.EncodeToString(hmacSHA256(keys[match].server[:], all))), nil
}

func (e *Exchange) channelBindingData() []byte {
	if e.plus {
		return e.binding
	}
	return nil
}

// verifiesProof reports whether a proof was made with the password of the keys.
func (k *PasswordKeys) verifiesProof(proof []byte, all string) bool {
	signature := hmacSHA256(k.stored[:], all)
	for i := range signature {
		signature[i] ^= proof[i]
	}
	hashed := sha256.Sum256(signature)
	return hmac.Equal(hashed[:], k.stored[:])
}

// ServerEndPointBinding returns the data of tls-server-end-point (RFC 5929) for a certificate: its hash by the hash of its signature,
// or by SHA-256 where that is MD5 or SHA-1.
func ServerEndPointBinding(certificate *x509.Certificate) []byte {
	hash := crypto.SHA256
	switch certificate.SignatureAlgorithm {
	case x509.SHA384WithRSA, x509.SHA384WithRSAPSS, x509.ECDSAWithSHA384:
		hash = crypto.SHA384
	case x509.SHA512WithRSA, x509.SHA512WithRSAPSS, x509.ECDSAWithSHA512:
		hash = crypto.SHA512
	}
	h := hash.New()
	h.Write(certificate.Raw)
	return h.Sum(nil)
}
