package decode

import (
	"encoding/binary"
	"time"

	"github.com/boundpack/boundpack/bounds"
)

// timestampType is the ext type of the specification's timestamp.
const timestampType = -1

// Timestamp is a point in time as the MessagePack specification's timestamp ext
// holds it. It takes every second an int64 counts, which time.Time does not.
type Timestamp struct {
	Seconds     int64  // since 1970-01-01T00:00:00Z
	Nanoseconds uint32 // 0..999999999, counted forwards also before 1970
}

// The seconds that time.Time can hold, counted from 1970: it counts from the year
// 1, and its own arithmetic must not wrap on either side.
const (
	minTimeSeconds = -9223372028741760000
	maxTimeSeconds = 9223371974719179007
)

// ParseTimestamp returns the timestamp that the content of an ext of type -1,
// without the type byte, holds: 4 bytes of seconds, 8 of 30 bits of nanoseconds
// and 34 of seconds, or 12 of nanoseconds and signed seconds. For any other length,
// and for more than 999,999,999 nanoseconds, the error is [ErrTimestamp].
func ParseTimestamp(content []byte) (Timestamp, error) {
	var t Timestamp
	switch len(content) {
	case 4:
		t.Seconds = int64(binary.BigEndian.Uint32(content))
	case 8:
		v := binary.BigEndian.Uint64(content)
		t.Nanoseconds = uint32(v >> 34)
		t.Seconds = int64(v & (1<<34 - 1))
	case 12:
		t.Nanoseconds = binary.BigEndian.Uint32(content)
		t.Seconds = int64(binary.BigEndian.Uint64(content[4:]))
	default:
		return Timestamp{}, bounds.ErrTimestamp
	}
	if t.Nanoseconds > 999_999_999 {
		return Timestamp{}, bounds.ErrTimestamp
	}
	return t, nil
}

// Time returns t in UTC. Outside the seconds that time.Time holds,
// -9223372028741760000..9223371974719179007, the error is [ErrTimestamp].
func (t Timestamp) Time() (time.Time, error) {
	if t.Seconds < minTimeSeconds || t.Seconds > maxTimeSeconds {
		return time.Time{}, bounds.ErrTimestamp
	}
	return time.Unix(t.Seconds, int64(t.Nanoseconds)).UTC(), nil
}
