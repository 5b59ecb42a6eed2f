package envelope

import (
	"errors"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// The keys of marker maps.
const (
	keyDatetime = "__datetime__"
	keyDate     = "__date__"
	keyTime     = "__time__"
	keyValue    = "value"
)

// Markers returns what CacheKit puts in place of maps: of one with a key __datetime__ a
// [time.Time], __date__ a [Date], __time__ a [TimeOfDay], tried in this order. A map is
// one if the value of that key is truthy in Python, whatever else is in it; then its key
// "value" must hold a str that Python's fromisoformat takes, else the document is refused
// with [bounds.ErrHook]. A [Codec] has them; they are for a Decoder of one's own.
func Markers() []decode.Marker {
	return []decode.Marker{
		marker(keyDatetime, "datetime", parseDatetime),
		marker(keyDate, "date", parseDate),
		marker(keyTime, "time", parseTime),
	}
}

// marker returns the marker with the given key, whose value is the text of a T.
func marker[T any](key, name string, parse func(string) (T, bool)) decode.Marker {
	var (
		errMissing = errors.New("invalid " + name + " format: missing 'value' field in cached data")
		errType    = errors.New("invalid " + name + " format: 'value' is no str")
		errText    = errors.New("invalid " + name + " format: 'value' is no isoformat string")
	)
	return decode.MarkerOf[T](decode.Marker{
		Key: key,
		Value: func(m map[string]any) (any, bool, error) {
			if !truthy(m[key]) {
				return nil, false, nil
			}
			value := m[keyValue]
			if value == nil {
				return nil, false, errMissing
			}
			s, ok := value.(string)
			if !ok {
				return nil, false, errType
			}
			v, ok := parse(s)
			if !ok {
				return nil, false, errText
			}
			return v, true, nil
		},
		Raw: func(doc []byte) (any, bool) {
			s, ok := rawValue(doc, key)
			if !ok {
				return nil, false
			}
			v, ok := parse(string(s))
			return v, ok
		},
	})
}

// rawValue returns the content of the str under "value" in a map without containers, if
// what stands under key is truthy.
func rawValue(doc []byte, key string) (value []byte, ok bool) {
	var c walk.Cursor
	if err := c.Reset(doc, bounds.Limits{}); err != nil {
		return nil, false
	}
	t, err := c.Next()
	if err != nil || t.Kind != walk.Map {
		return nil, false
	}
	marked, found := false, false
	for range t.N {
		k, err := c.Next()
		if err != nil {
			return nil, false
		}
		v, err := c.Next()
		if err != nil {
			return nil, false
		}
		switch string(k.Payload) {
		case key:
			marked = truthyToken(v)
		case keyValue:
			value, found = v.Payload, v.Kind == walk.Str
		}
	}
	return value, marked && found
}

// truthy is Python's bool of a decoded value.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case uint64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []byte:
		return len(v) > 0
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	case map[any]any:
		return len(v) > 0
	}
	return true // an object
}

// truthyToken is truthy of a token that is no container; false, which only declines, of
// one that is.
func truthyToken(t walk.Token) bool {
	switch t.Kind {
	case walk.Bool:
		return t.Bool()
	case walk.Int:
		v, ok := t.Int()
		return v != 0 || !ok
	case walk.Float:
		return t.Float() != 0
	case walk.Str, walk.Bin:
		return t.N > 0
	}
	return false
}
