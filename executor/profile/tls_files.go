package profile

// readTLSFiles reads the files of encrypted connections. It is called when the other keys are read: encrypted and verified report what
// they ask for.
func (r *profileReader) readTLSFiles(encrypted, verified bool, how string) TLSFiles {
	f := TLSFiles{TLSCA: r.readFilePath("tls_ca"), TLSCert: r.readFilePath("tls_cert"), TLSKey: r.readFilePath("tls_key")}
	r.checkCertificatePair("tls_cert", f.TLSCert, "tls_key", f.TLSKey)
	switch {
	case f == TLSFiles{}:
	case !encrypted:
		r.addProblem(r.firstGiven("tls_ca", "tls_cert", "tls_key"), "is for encrypted connections, and this one is not encrypted", how)
	case f.TLSCA != "" && !verified:
		r.addProblem("tls_ca", "has no effect where the certificate of the warehouse is not verified", how)
	}
	return f
}

// checkCertificatePair checks that a certificate has its key.
func (r *profileReader) checkCertificatePair(certKey, cert, keyKey, key string) {
	switch {
	case cert != "" && key == "" && !r.bad[keyKey]:
		r.addProblem(certKey, "is given without "+keyKey, "")
	case cert == "" && key != "" && !r.bad[certKey]:
		r.addProblem(keyKey, "is given without "+certKey, "")
	}
}

func (r *profileReader) firstGiven(keys ...string) string {
	for _, key := range keys {
		if r.hasNonNullValue(key) {
			return key
		}
	}
	return keys[0]
}
