package main

import (
	"time"

	"github.com/boundpack/boundpack/decode"
)

// timestamp returns the timestamp that an ext holds; ok is false if it is of
// another type or is not valid.
func timestamp(typ int8, content []byte) (ts decode.Timestamp, ok bool) {
	if typ != -1 {
		return decode.Timestamp{}, false
	}
	ts, err := decode.ParseTimestamp(content)
	return ts, err == nil
}

// appendTime appends ts as RFC 3339 says it, in UTC; ok is false outside the years
// 0 to 9999, which it has no words for.
func appendTime(b []byte, ts decode.Timestamp) (text []byte, ok bool) {
	t, err := ts.Time()
	if err != nil || t.Year() < 0 || t.Year() > 9999 {
		return b, false
	}
	return t.AppendFormat(b, time.RFC3339Nano), true
}
