package samples

import (
	"slices"
	"time"
)

// Formats returns a map with one value in every format that MessagePack has,
// named by its key. Fixed formats show their smallest and their largest value;
// most of the others stand where a shorter format would do, as encoders write
// them that fix the width by type.
func Formats() []byte {
	entries := slices.Concat(scalarFormats, bytesFormats, containerFormats, timestampFormats())
	b := AppendMap(nil, len(entries))
	for _, e := range entries {
		b = append(AppendStr(b, e.name), e.value...)
	}
	return b
}

// A format is written as bytes, not through the Append functions: what a format
// looks like is what the sample is there to say.
type format struct{ name, value string }

var scalarFormats = []format{
	{"nil", "\xc0"},
	{"false", "\xc2"},
	{"true", "\xc3"},
	{"positive fixint 0", "\x00"},
	{"positive fixint 127", "\x7f"},
	{"negative fixint -1", "\xff"},
	{"negative fixint -32", "\xe0"},
	{"uint 8: 255", "\xcc\xff"},
	{"uint 16: 65535", "\xcd\xff\xff"},
	{"uint 32: 4294967295", "\xce\xff\xff\xff\xff"},
	{"uint 64: 18446744073709551615", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff"},
	{"int 8: -128", "\xd0\x80"},
	{"int 16: -32768", "\xd1\x80\x00"},
	{"int 32: -2147483648", "\xd2\x80\x00\x00\x00"},
	{"int 64: -9223372036854775808", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00"},
	{"uint 8: 7, not the shortest", "\xcc\x07"},
	{"uint 16: 7, not the shortest", "\xcd\x00\x07"},
	{"uint 32: 7, not the shortest", "\xce\x00\x00\x00\x07"},
	{"uint 64: 7, not the shortest", "\xcf\x00\x00\x00\x00\x00\x00\x00\x07"},
	{"int 8: 7, not the shortest", "\xd0\x07"},
	{"int 16: 7, not the shortest", "\xd1\x00\x07"},
	{"int 32: 7, not the shortest", "\xd2\x00\x00\x00\x07"},
	{"int 64: 7, not the shortest", "\xd3\x00\x00\x00\x00\x00\x00\x00\x07"},
	{"int 64: -7, not the shortest", "\xd3\xff\xff\xff\xff\xff\xff\xff\xf9"},
	{"float 32: 0.5", "\xca\x3f\x00\x00\x00"},
	{"float 64: 0.1", "\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"},
	{"float 64: -0.0", "\xcb\x80\x00\x00\x00\x00\x00\x00\x00"},
	{"float 64: +Inf", "\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"},
}

var bytesFormats = []format{
	{"fixstr, empty", "\xa0"},
	{"fixstr, 31 bytes", "\xbfthirty-one bytes of plain ASCII"},
	{"fixstr, not ASCII", "\xaa\xc3\xa9\xe5\xb7\x9d\xf0\x9f\x9a\xb2\x21"},
	{"str 8", "\xd9\x20thirty-two bytes of plain ASCII."},
	{"str 16, not the shortest", "\xda\x00\x03abc"},
	{"str 32, not the shortest", "\xdb\x00\x00\x00\x03abc"},
	{"bin 8", "\xc4\x03\x00\x80\xff"},
	{"bin 8, empty", "\xc4\x00"},
	{"bin 16, not the shortest", "\xc5\x00\x03\x00\x80\xff"},
	{"bin 32, not the shortest", "\xc6\x00\x00\x00\x03\x00\x80\xff"},
	{"fixext 1", "\xd4\x2a\x01"},
	{"fixext 2", "\xd5\x2a\x01\x02"},
	{"fixext 4", "\xd6\x2a\x01\x02\x03\x04"},
	{"fixext 8", "\xd7\x2a\x01\x02\x03\x04\x05\x06\x07\x08"},
	{"fixext 16", "\xd8\x2a0123456789abcdef"},
	{"ext 8", "\xc7\x03\x2a\x01\x02\x03"},
	{"ext 8, empty", "\xc7\x00\x2a"},
	{"ext 8, type -128", "\xc7\x03\x80\x01\x02\x03"},
	{"ext 16, not the shortest", "\xc8\x00\x03\x2a\x01\x02\x03"},
	{"ext 32, not the shortest", "\xc9\x00\x00\x00\x03\x2a\x01\x02\x03"},
}

var containerFormats = []format{
	{"fixarray, empty", "\x90"},
	{"fixarray, 15 elements", "\x9f\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"},
	{"array 16, not the shortest", "\xdc\x00\x02\x01\x02"},
	{"array 32, not the shortest", "\xdd\x00\x00\x00\x02\x01\x02"},
	{"fixmap, empty", "\x80"},
	{"fixmap, 15 pairs", "\x8f\xa1a\x00\xa1b\x01\xa1c\x02\xa1d\x03\xa1e\x04\xa1f\x05\xa1g\x06\xa1h\x07" +
		"\xa1i\x08\xa1j\x09\xa1k\x0a\xa1l\x0b\xa1m\x0c\xa1n\x0d\xa1o\x0e"},
	{"map 16, not the shortest", "\xde\x00\x01\xa1a\x01"},
	{"map 32, not the shortest", "\xdf\x00\x00\x00\x01\xa1a\x01"},
	{"array 16, empty", "\xdc\x00\x00"},
	{"map 32, empty", "\xdf\x00\x00\x00\x00"},
	{"nested empty", "\x93\x90\x80\x91\x91\x81\xa0\x90"},
}

func timestampFormats() []format {
	stamp := func(t time.Time) string { return string(AppendTime(nil, t)) }
	return []format{
		{"timestamp 32", stamp(time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC))},
		{"timestamp 64", stamp(time.Date(2026, time.November, 30, 12, 0, 0, 123_456_789, time.UTC))},
		{"timestamp 96", stamp(time.Date(1815, time.December, 10, 6, 30, 0, 1, time.UTC))},
	}
}
