package decode

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/walk"
)

var errNoValue = errors.New("no value")

// temporal returns a marker that stands for the time in "value", if its own value is
// true; raw adds its Raw form.
func temporal(key, layout string, raw bool) Marker {
	m := Marker{Key: key, Go: reflect.TypeFor[time.Time](), Value: func(m map[string]any) (any, bool, error) {
		if m[key] != true {
			return nil, false, nil
		}
		text, ok := m["value"].(string)
		if !ok {
			return nil, false, errNoValue
		}
		at, err := time.Parse(layout, text)
		return at, err == nil, err
	}}
	if raw {
		m.Raw = func(doc []byte) (any, bool) {
			c, err := walk.NewCursor(doc, Limits{})
			if err != nil {
				return nil, false
			}
			root, err := c.Next()
			if err != nil {
				return nil, false
			}
			fires, text := false, ""
			for range root.N {
				name, err := c.Next()
				if err != nil {
					return nil, false
				}
				value, err := c.Next()
				if err != nil {
					return nil, false
				}
				switch string(name.Payload) {
				case key:
					fires = value.Kind == walk.Bool && value.Bool()
				case "value":
					if value.Kind != walk.Str {
						return nil, false
					}
					text = string(value.Payload)
				}
			}
			at, err := time.Parse(layout, text)
			return at, fires && err == nil
		}
	}
	return m
}

func temporals(raw bool) []Marker {
	return []Marker{
		temporal("__datetime__", "2006-01-02T15:04:05.999999", raw),
		temporal("__date__", time.DateOnly, raw),
		temporal("__time__", time.TimeOnly, raw),
	}
}

var markerDocs = map[string]string{
	"date, datetime declines":  "83ac5f5f6461746574696d655f5fc2a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134",
	"all decline":              "82ac5f5f6461746574696d655f5fc2a16101",
	"value first":              "82a576616c7565aa323032352d31312d3134a85f5f646174655f5fc3",
	"inside an array":          "92c082a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134",
	"no value":                 "81a85f5f646174655f5fc3",
	"value no str":             "82a85f5f646174655f5fc3a576616c756501",
	"value nil":                "82a85f5f646174655f5fc3a576616c7565c0",
	"bad text":                 "82a85f5f646174655f5fc3a576616c7565a3616263",
	"value a container":        "82a85f5f646174655f5fc3a576616c75659101",
	"marker's value a map":     "82a85f5f646174655f5f80a576616c7565aa323032352d31312d3134",
	"bin key beside":           "82a85f5f646174655f5fc3c4016101",
	"marker a bin":             "82c4085f5f646174655f5fc3a576616c7565aa323032352d31312d3134",
	"five pairs":               "85a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a16101a16202a16303",
	"four pairs":               "84a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a16101a16202",
	"marker twice":             "82a85f5f646174655f5fc3a85f5f646174655f5fc3",
	"other key twice":          "84a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a16101a16102",
	"bad UTF-8 in it":          "83a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a161a1ff",
	"bad UTF-8 in a key":       "83a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a1ff01",
	"ext in it":                "83a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a161d40500",
	"bad time in it":           "83a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a161c700ff",
	"reserved in it":           "83a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a161c1",
	"cut":                      "82a85f5f646174655f5fc3a576616c7565aa323032",
	"a marker in a marker":     "82a85f5f646174655f5fc3a576616c756582a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134",
	"error, then reserved":     "9281a85f5f646174655f5fc3c1",
	"duplicate outside, error": "82a16101a16181a85f5f646174655f5fc3",
}

func TestMarkers(t *testing.T) {
	day := time.Date(2025, 11, 14, 0, 0, 0, 0, time.UTC)
	d := Options{Markers: temporals(false)}.Must()
	for name, want := range map[string]any{
		"date, datetime declines": day,
		"all decline":             map[string]any{"__datetime__": false, "a": int64(1)},
		"value first":             day,
		"inside an array":         []any{nil, day},
		"five pairs":              day,
		"four pairs":              day,
		"ext in it":               day,
		"marker's value a map":    map[string]any{"__date__": map[string]any{}, "value": "2025-11-14"},
	} {
		if v, err := d.Any(hexdoc.Must(markerDocs[name])); err != nil || !reflect.DeepEqual(v, want) {
			t.Errorf("%s: %#v, %v, want %#v", name, v, err, want)
		}
	}
	for name, want := range map[string]struct {
		reason error
		offset int64
	}{
		"no value":                 {errNoValue, 0},
		"value no str":             {errNoValue, 0},
		"value a container":        {errNoValue, 0},
		"a marker in a marker":     {errNoValue, 0},
		"bad text":                 {ErrHook, 0},
		"marker twice":             {ErrDuplicateKey, 11},
		"other key twice":          {ErrDuplicateKey, 31},
		"bad UTF-8 in it":          {ErrUTF8, 31},
		"bad UTF-8 in a key":       {ErrUTF8, 29},
		"bad time in it":           {ErrTimestamp, 30},
		"reserved in it":           {ErrReserved, 30},
		"cut":                      {ErrShort, 17},
		"bin key beside":           {ErrKeyType, 11},
		"error, then reserved":     {ErrReserved, 12},
		"duplicate outside, error": {ErrDuplicateKey, 4},
	} {
		v, err := d.Any(hexdoc.Must(markerDocs[name]))
		if off, _ := OffsetOf(err); v != nil || !errors.Is(err, want.reason) || off != want.offset {
			t.Errorf("%s: %v, %v, want %v at %d", name, v, err, want.reason, want.offset)
		}
		if errors.Is(want.reason, errNoValue) && !errors.Is(err, ErrHook) {
			t.Errorf("%s: %v, want ErrHook too", name, err)
		}
	}
	// With bin keys allowed, a map that has one is not offered, whatever else it holds.
	d = Options{Markers: temporals(false), MapKeys: StringOrBinKeys}.Must()
	want := map[any]any{"__date__": true, Bin("a"): int64(1)}
	if v, err := d.Any(hexdoc.Must(markerDocs["bin key beside"])); err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("a bin key beside: %#v, %v", v, err)
	}
	// With any keys, a map of strs alone is offered.
	d = Options{Markers: temporals(false), MapKeys: AnyKeys}.Must()
	if v, err := d.Any(hexdoc.Must(markerDocs["value first"])); err != nil || v != day {
		t.Errorf("str keys among any keys: %#v, %v", v, err)
	}
}

// TestRawIsValue holds the Raw forms to Value: they change how a document is read, never
// its value, its refusal or its charge.
func TestRawIsValue(t *testing.T) {
	calls := 0
	counted := temporals(true)
	for i := range counted {
		raw := counted[i].Raw
		counted[i].Raw = func(doc []byte) (any, bool) { calls++; return raw(doc) }
	}
	var docs [][]byte
	for _, hex := range markerDocs {
		docs = append(docs, hexdoc.Must(hex))
	}
	docs = append(docs, samples.Dates(20), hexdoc.Must("91*7 82a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134"),
		hexdoc.Must("91*8 82a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134"))
	r := rand.New(rand.NewPCG(9, 10))
	for _, doc := range docs[:len(docs):len(docs)] {
		for range 200 {
			edited := append([]byte(nil), doc...)
			edited[r.IntN(len(edited))] = byte(r.Uint32())
			docs = append(docs, edited)
		}
	}
	for _, keys := range []MapKeys{StringKeys, StringOrBinKeys, AnyKeys} {
		for _, utf8 := range []UTF8Policy{RefuseInvalidUTF8, AllowInvalidUTF8, ReplaceInvalidUTF8} {
			for _, duplicates := range []DuplicateKeys{RefuseDuplicates, LastWins, FirstWins} {
				for _, doc := range docs {
					for _, memory := range []int64{0, 300, 400, 700} {
						o := Options{MapKeys: keys, UTF8: utf8, DuplicateKeys: duplicates, Limits: Limits{MaxMemory: memory}}
						o.Markers = temporals(false)
						v, err := o.Must().Any(doc)
						o.Markers = counted
						rv, rerr := o.Must().Any(doc)
						if !reflect.DeepEqual(v, rv) || (err == nil) != (rerr == nil) || err != nil && err.Error() != rerr.Error() {
							t.Fatalf("%x, keys %d, UTF-8 %d, duplicates %d, memory %d: Value gives %v, %v, Raw %v, %v", doc, keys, utf8, duplicates, memory, v, err, rv, rerr)
						}
					}
				}
			}
		}
	}
	if calls < len(docs) {
		t.Errorf("Raw was asked %d times", calls)
	}
}

// TestRawDeclinesBehindValue: a marker without Raw keeps those behind it from being asked
// first.
func TestRawDeclinesBehindValue(t *testing.T) {
	d := Options{Markers: []Marker{
		{Key: "a", Value: func(map[string]any) (any, bool, error) { return "first", true, nil }},
		{Key: "a", Value: func(map[string]any) (any, bool, error) { return "second", true, nil }, Raw: func([]byte) (any, bool) { return "raw", true }},
	}}.Must()
	if v, err := d.Any(hexdoc.Must("81a16101")); v != "first" || err != nil {
		t.Errorf("%v, %v, want first", v, err)
	}
}

// TestHooksPanic: a panic in the caller's function passes through, and the Decoder is as
// before.
func TestHooksPanic(t *testing.T) {
	fail := true
	d := Options{Markers: []Marker{{Key: "a", Value: func(map[string]any) (any, bool, error) {
		if fail {
			panic("the caller's")
		}
		return 1, true, nil
	}}}}.Must()
	doc := hexdoc.Must("92 a3616263 81a16101")
	func() {
		defer func() {
			if p := recover(); p != "the caller's" {
				t.Errorf("recovered %v", p)
			}
		}()
		_, _ = d.Any(doc)
	}()
	fail = false
	if v, err := d.Any(doc); err != nil || !reflect.DeepEqual(v, []any{"abc", 1}) {
		t.Errorf("afterwards: %v, %v", v, err)
	}
}

// TestHooksReenter: a hook may use the same Decoder.
func TestHooksReenter(t *testing.T) {
	var d *Decoder
	d = Options{Markers: []Marker{{Key: "doc", Value: func(m map[string]any) (any, bool, error) {
		inner, ok := m["doc"].([]byte)
		if !ok {
			return nil, false, nil
		}
		v, err := d.Any(inner)
		return v, err == nil, err
	}}}}.Must()
	doc := hexdoc.Must("01")
	var want any = int64(1)
	for range 10 {
		doc = append([]byte{0x81, 0xa3, 'd', 'o', 'c', 0xc4, byte(len(doc))}, doc...)
	}
	if v, err := d.Any(doc); err != nil || v != want {
		t.Errorf("ten documents in each other: %v, %v", v, err)
	}
}
