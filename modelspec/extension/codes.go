package extension

// The codes that reading a payload can raise.
const (
	CodeInvalidPayload           = "invalid_vendor_extension"
	CodeUnsupportedVersion       = "unsupported_vendor_ext_version"
	CodeRequiredKeyUnknown       = "vendor_ext_key_required"
	CodeNotImplemented           = "not_implemented"
	CodeVersionAhead             = "vendor_ext_version_ahead"
	CodeKeyNewerThanVersion      = "vendor_ext_key_newer_than_declared"
	CodeKeyNotInRequires         = "vendor_ext_requires_missing"
	CodeIgnoredPayload           = "ignored_vendor_extension"
	CodeParamUnbounded           = "vendor_param_unbounded"
	CodeParamValueColumnsCollide = "vendor_param_opaque_token"
)
