package envelope

// Payload is [Codec.Payload] of the default codec.
func Payload(env []byte, dst any) error { return standard.Payload(env, dst) }

// PayloadAny is [Codec.PayloadAny] of the default codec.
func PayloadAny(env []byte) (any, error) { return standard.PayloadAny(env) }

// Payload opens an envelope and decodes its payload, which must be exactly one
// MessagePack document, into what dst points to, by [decode.Decoder.Unmarshal] under
// Options.Decode. The format that the envelope names is not looked at.
//
// It refuses as [Codec.Open] does, with an [*Error], and then as Unmarshal does, with an
// offset in the payload. After a refusal *dst is what Unmarshal says.
func (c *Codec) Payload(env []byte, dst any) error {
	payload, err := c.OpenData(env)
	if err != nil {
		return err
	}
	return c.decoder.Unmarshal(payload, dst)
}

// PayloadAny opens an envelope and decodes its payload, which must be exactly one
// MessagePack document, to the Go value that its kind has: see [decode.Decoder.Any] and,
// for what is particular to CacheKit, the package documentation. It refuses as
// [Codec.Payload] does, with nil.
func (c *Codec) PayloadAny(env []byte) (any, error) {
	payload, err := c.OpenData(env)
	if err != nil {
		return nil, err
	}
	return c.decoder.Any(payload)
}
