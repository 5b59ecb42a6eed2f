package envelope

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// The bounds of a frame in bytes.
const (
	// MaxHeader is the greatest length of a frame's JSON header, read or written.
	MaxHeader = 64 << 10

	// MaxFrame is the greatest length of a frame that is written, header included.
	MaxFrame = 100 << 20
)

// The magic, the version and the length of the header: what a frame begins with.
const (
	magic   = "CK"
	version = 3
	prefix  = len(magic) + 1 + 4
)

// Meta is the header of a frame. It is not authenticated: anyone who can write to the
// cache can write it.
type Meta struct {
	// Serializer is who wrote the payload, and never empty in a frame that was read;
	// "" is written as "default".
	Serializer string

	// Format of the payload; "" is written as "msgpack".
	Format string

	// Encoding and OriginalType are left to the serializer; "" is written as null.
	Encoding, OriginalType string

	// Compressed says that the payload is an envelope.
	Compressed bool

	// Encrypted says that the payload is sealed, and the others how. They are written
	// if they are not zero.
	Encrypted                                     bool
	TenantID, EncryptionAlgorithm, KeyFingerprint string
}

var (
	errNoFrame  = errors.New("no CK frame")
	errCut      = errors.New("fewer than 7 bytes")
	errVersion  = errors.New("unsupported version, want 3")
	errLength   = errors.New("the header is longer than the frame")
	errHeader   = errors.New("the header is longer than 65536 bytes")
	errJSON     = errors.New("the header is no JSON object of the kind")
	errUTF8     = errors.New("the header is not valid UTF-8")
	errMember   = errors.New("a member of the header is missing or of another type")
	errRounding = errors.New("a string of the header has no UTF-8 form")
)

func refuseFrame(cause error) error { return &Error{Reason: ErrFrame, Err: cause} }

// ParseFrame splits a CK v3 frame into its header and what stands behind it: an envelope,
// sealed or not. The payload is a part of frame, to its end, and is not looked at.
//
// It refuses with [ErrFrame] what is no such frame, has a header that is cut short, above
// [MaxHeader], no JSON object in UTF-8, without the members s, a string that is not
// empty, and m, an object, or with members of m of another type than they have. Other
// members are skipped, the last of several of one name counts, and v is not looked at.
// CacheKit's older JSON entries are no frames. It takes memory for the header alone.
func ParseFrame(frame []byte) (Meta, []byte, error) {
	switch {
	case len(frame) >= len(magic) && string(frame[:len(magic)]) != magic:
		return Meta{}, nil, refuseFrame(errNoFrame)
	case len(frame) < prefix:
		return Meta{}, nil, refuseFrame(errCut)
	case frame[len(magic)] != version:
		return Meta{}, nil, refuseFrame(errVersion)
	}
	size := uint64(binary.BigEndian.Uint32(frame[prefix-4:]))
	switch {
	case size > uint64(len(frame)-prefix):
		return Meta{}, nil, refuseFrame(errLength)
	case size > MaxHeader:
		return Meta{}, nil, refuseFrame(errHeader)
	}
	end := prefix + int(size)
	m, err := parseMeta(frame[prefix:end])
	if err != nil {
		return Meta{}, nil, refuseFrame(err)
	}
	return m, frame[end:len(frame):len(frame)], nil
}

// parseMeta reads the header. It goes through it token by token, because a struct would
// take members by names that differ in case, and a map costs many times its text.
func parseMeta(header []byte) (Meta, error) {
	if !utf8.Valid(header) {
		return Meta{}, errUTF8
	}
	if !json.Valid(header) {
		return Meta{}, errJSON
	}
	var m Meta
	described := false
	err := members(json.NewDecoder(bytes.NewReader(header)), func(name string, d *json.Decoder) error {
		switch name {
		case "s":
			return d.Decode(&m.Serializer)
		case "m":
			described = true
			m = Meta{Serializer: m.Serializer}
			return m.members(d)
		}
		return skip(d)
	})
	switch {
	case err != nil:
		return Meta{}, err
	case m.Serializer == "" || !described:
		return Meta{}, errMember
	case m.rounded() && bytes.Contains(bytes.ToLower(header), []byte(`\ud`)):
		return Meta{}, errRounding
	}
	return m, nil
}

// members reads the member m of the header.
func (m *Meta) members(d *json.Decoder) error {
	return members(d, func(name string, d *json.Decoder) error {
		switch name {
		case "format":
			return d.Decode(&m.Format)
		case "encoding":
			return d.Decode(&m.Encoding)
		case "compressed":
			return d.Decode(&m.Compressed)
		case "original_type":
			return d.Decode(&m.OriginalType)
		case "encrypted":
			return d.Decode(&m.Encrypted)
		case "tenant_id":
			return d.Decode(&m.TenantID)
		case "encryption_algorithm":
			return d.Decode(&m.EncryptionAlgorithm)
		case "key_fingerprint":
			return d.Decode(&m.KeyFingerprint)
		}
		return skip(d)
	})
}

// members reads an object, whose members each consumes.
func members(d *json.Decoder, each func(name string, d *json.Decoder) error) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errMember
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return errJSON
		}
		name, ok := t.(string)
		if !ok {
			return errJSON
		}
		if each(name, d) != nil {
			return errMember // the decoder's own error may hold the value
		}
	}
	if _, err := d.Token(); err != nil && !errors.Is(err, io.EOF) {
		return errJSON
	}
	return nil
}

// skip reads a value of any kind.
func skip(d *json.Decoder) error {
	var raw json.RawMessage
	return d.Decode(&raw)
}

// rounded reports whether a string of m holds what stands for all that has no UTF-8 form.
func (m *Meta) rounded() bool {
	for _, s := range []string{m.Serializer, m.Format, m.Encoding, m.OriginalType, m.TenantID, m.EncryptionAlgorithm, m.KeyFingerprint} {
		if strings.ContainsRune(s, utf8.RuneError) {
			return true
		}
	}
	return false
}

// AppendFrame appends a CK v3 frame with the header m around payload to dst. It refuses
// with dst as it was and [ErrFrame], if a string of m is not valid UTF-8 or the header
// is longer than [MaxHeader], or [ErrTooLarge], if the frame is longer than [MaxFrame].
func AppendFrame(dst []byte, m Meta, payload []byte) ([]byte, error) {
	header, err := m.header()
	if err != nil {
		return dst, refuseFrame(err)
	}
	size := uint64(prefix) + uint64(len(header)) + uint64(len(payload))
	if size > MaxFrame {
		return dst, tooLarge("frame", MaxFrame, size)
	}
	dst = append(append(dst, magic...), version)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(header)))
	return append(append(dst, header...), payload...), nil
}

// header returns m as it is written.
func (m *Meta) header() ([]byte, error) {
	for _, s := range []string{m.Serializer, m.Format, m.Encoding, m.OriginalType, m.TenantID, m.EncryptionAlgorithm, m.KeyFingerprint} {
		// Checked for length too, so that what is escaped is never much longer.
		if len(s) > MaxHeader {
			return nil, errHeader
		}
		if !utf8.ValidString(s) {
			return nil, errUTF8
		}
	}
	type described struct {
		Format              string  `json:"format"`
		Encoding            *string `json:"encoding"`
		Compressed          bool    `json:"compressed"`
		OriginalType        *string `json:"original_type"`
		Encrypted           bool    `json:"encrypted,omitempty"`
		TenantID            string  `json:"tenant_id,omitempty"`
		EncryptionAlgorithm string  `json:"encryption_algorithm,omitempty"`
		KeyFingerprint      string  `json:"key_fingerprint,omitempty"`
	}
	header, err := json.Marshal(struct {
		S string    `json:"s"`
		M described `json:"m"`
		V string    `json:"v"`
	}{
		or(m.Serializer, "default"),
		described{
			or(m.Format, DefaultFormat), optional(m.Encoding), m.Compressed, optional(m.OriginalType),
			m.Encrypted, m.TenantID, m.EncryptionAlgorithm, m.KeyFingerprint,
		},
		"2.0",
	})
	if err == nil && len(header) > MaxHeader {
		err = errHeader
	}
	return header, err
}

// or returns s, or instead if it is empty.
func or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}

// optional returns nil for "".
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
