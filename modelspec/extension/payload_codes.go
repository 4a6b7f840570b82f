package extension

// The codes that reading a payload can raise.
const (
	CodeInvalid          = "invalid_vendor_extension"
	CodeVersion          = "unsupported_vendor_ext_version"
	CodeKeyRequired      = "vendor_ext_key_required"
	CodeNotImplemented   = "not_implemented"
	CodeVersionAhead     = "vendor_ext_version_ahead"
	CodeKeyNewer         = "vendor_ext_key_newer_than_declared"
	CodeRequiresMissing  = "vendor_ext_requires_missing"
	CodeIgnored          = "ignored_vendor_extension"
	CodeParamUnbounded   = "vendor_param_unbounded"
	CodeParamOpaqueToken = "vendor_param_opaque_token"
)
