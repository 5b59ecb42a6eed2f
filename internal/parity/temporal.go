package parity

import (
	"errors"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// Date and Clock are what the maps with the keys __date__ and __time__ stand for.
type (
	Date  struct{ Year, Month, Day int }
	Clock time.Duration
)

var (
	errMissing = errors.New("missing 'value' field")
	errNoStr   = errors.New("the 'value' field is no str")
	errFormat  = errors.New("the 'value' field has no known format")
)

// Temporal returns the markers of three kinds of time, with their Raw forms or
// without. A map stands for a time if the value of the marker's key is truthy; then
// its key "value" must hold the text of one.
func Temporal(raw bool) []decode.Marker {
	return []decode.Marker{
		temporal("__datetime__", parseDatetime, raw),
		temporal("__date__", parseDate, raw),
		temporal("__time__", parseClock, raw),
	}
}

func temporal(key string, parse func(string) (any, error), raw bool) decode.Marker {
	m := decode.Marker{Key: key, Value: func(m map[string]any) (any, bool, error) {
		if !truthy(m[key]) {
			return nil, false, nil
		}
		switch text := m["value"].(type) {
		case nil:
			return nil, false, errMissing
		case string:
			v, err := parse(text)
			return v, err == nil, err
		}
		return nil, false, errNoStr
	}}
	if raw {
		m.Raw = func(doc []byte) (any, bool) {
			if text, ok := rawText(doc, key); ok {
				v, err := parse(text)
				return v, err == nil
			}
			return nil, false
		}
	}
	return m
}

// rawText returns the content of the str under the key "value", if what the marker's
// key holds is true.
func rawText(doc []byte, key string) (text string, ok bool) {
	c, err := walk.NewCursor(doc, bounds.Limits{})
	if err != nil {
		return "", false
	}
	t, err := c.Next()
	if err != nil || t.Kind != walk.Map {
		return "", false
	}
	var marked, found bool
	for range t.N {
		k, err := c.Next()
		if err != nil {
			return "", false
		}
		v, err := c.Next()
		if err != nil {
			return "", false
		}
		switch string(k.Payload) {
		case key:
			marked = v.Bool()
		case "value":
			text, found = string(v.Payload), v.Kind == walk.Str
		}
	}
	return text, marked && found
}

// truthy is Python's bool(v) of what a document can hold.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
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
	return true
}

func parseLayouts(text string, layouts ...string) (time.Time, error) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errFormat
}

func parseDatetime(text string) (any, error) {
	t, err := parseLayouts(text, time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly)
	return t, err
}

func parseDate(text string) (any, error) {
	t, err := parseLayouts(text, time.DateOnly)
	return Date{t.Year(), int(t.Month()), t.Day()}, err
}

func parseClock(text string) (any, error) {
	t, err := parseLayouts(text, time.TimeOnly, "15:04")
	midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return Clock(t.Sub(midnight)), err
}
