package envelope

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// marked returns the document of a map with a marker and the value under "value".
func marked(key, mark, value string) []byte {
	return append(append(append([]byte("\x82"+str(0, key)), hexdoc.Must(mark)...), str(0, "value")...), hexdoc.Must(value)...)
}

// payloadOf seals doc and decodes it, by both ways to do it.
func payloadOf(t *testing.T, c *Codec, doc []byte) (any, error) {
	t.Helper()
	env, err := c.Seal(doc, "")
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.PayloadAny(env)
	var into any
	err2 := c.Payload(env, &into)
	if (err == nil) != (err2 == nil) || !reflect.DeepEqual(v, into) && err == nil && v == v {
		t.Fatalf("PayloadAny: %v, %v; Payload: %v, %v", v, err, into, err2)
	}
	return v, err
}

// TestPolicies are those of CacheKit's reader.
func TestPolicies(t *testing.T) {
	day := Date{2025, time.November, 14}
	for _, test := range []struct {
		hex  string
		want any
		err  error
	}{
		{"82 a16101 a16102", map[string]any{"a": int64(2)}, nil},
		{"82 a16101 c4016102", map[any]any{"a": int64(1), decode.Bin("a"): int64(2)}, nil},
		{"82 c4016101 c4016102", map[any]any{decode.Bin("a"): int64(2)}, nil},
		{"81 0102", nil, bounds.ErrKeyType},
		{"81 c002", nil, bounds.ErrKeyType},
		{"81 9002", nil, bounds.ErrKeyType},
		{"a1ff", nil, bounds.ErrUTF8},
		{"0102", nil, bounds.ErrTrailing},
		{"", nil, bounds.ErrEmpty},
		{"91", nil, bounds.ErrOwed},
		{"91*1024 c0", nil, nil},
		{"91*1025 c0", nil, bounds.ErrMaxDepth},
		{"d4fe00", decode.Ext{Type: -2, Data: []byte{0}}, nil},
		{"d6ff00000001", time.Unix(1, 0).UTC(), nil},
		// A marker, in the order of the markers.
		{"83ac5f5f6461746574696d655f5fc2a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134", day, nil},
		{"83a85f5f646174655f5fc3ac5f5f6461746574696d655f5fc3a576616c7565aa323032352d31312d3134", time.Date(2025, 11, 14, 0, 0, 0, 0, Naive), nil},
		{"82ac5f5f6461746574696d655f5fc2a16101", map[string]any{"__datetime__": false, "a": int64(1)}, nil},
		// A bin key is no marker, and with one a map is none.
		{"82c4085f5f646174655f5fc3a576616c7565aa323032352d31312d3134", map[any]any{decode.Bin("__date__"): true, "value": "2025-11-14"}, nil},
		// Of a key given twice, the last value.
		{"83a85f5f646174655f5fc2a576616c7565aa323032352d31312d3134a85f5f646174655f5fc3", day, nil},
		{"83a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134a85f5f646174655f5fc2", map[string]any{"__date__": false, "value": "2025-11-14"}, nil},
		// A key that is one.
		{"81 82a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134 c0", nil, bounds.ErrKeyType},
		// Extra keys do not matter, and what is in the map may be one itself.
		{"84a85f5f646174655f5fc3 a178 9101 a179 80 a576616c7565aa323032352d31312d3134", day, nil},
		{"82a85f5f646174655f5f 82a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134 a576616c7565aa323032352d31312d3134", day, nil},
		{"82a85f5f646174655f5fc3 a576616c7565 82a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134", nil, bounds.ErrHook},
		{"81a85f5f646174655f5fc3", nil, bounds.ErrHook},
		// A flaw of the structure outranks it.
		{"92 81a85f5f646174655f5fc3 c1", nil, bounds.ErrReserved},
	} {
		got, err := payloadOf(t, standard, hexdoc.Must(test.hex))
		if test.hex == "91*1024 c0" {
			got = nil
		}
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %#v, %v, want %#v, %v", test.hex, got, err, test.want, test.err)
		}
	}
}

// TestTruthy: whether a map is a marker is for Python's bool of what stands under its key.
func TestTruthy(t *testing.T) {
	for mark, fires := range map[string]bool{
		"c3": true, "c2": false, "c0": false, "00": false, "01": true, "ff": true, "cc00": false, "cf0000000000000000": false, "cfffffffffffffffff": true,
		"d000": false, "d380000000 00000000": true, "ca00000000": false, "ca80000000": false, "cb8000000000000000": false, "ca7fc00000": true,
		"cb3ff0000000000000": true, "cb0000000000000001": true, "cb7ff0000000000000": true, "a0": false, "a130": true, "d900": false, "c400": false, "c40100": true,
		"90": false, "91c0": true, "dc0000": false, "80": false, "81a0c0": true, "81c400c0": true, "d40500": true, "c70005": true, "d6ff00000000": true,
	} {
		for key, want := range map[string]any{
			"__datetime__": time.Date(2025, 11, 14, 0, 0, 0, 0, Naive), "__date__": Date{2025, 11, 14},
		} {
			got, err := payloadOf(t, standard, marked(key, mark, "aa323032352d31312d3134"))
			if m, isMap := got.(map[string]any); err != nil || isMap == fires || fires && !reflect.DeepEqual(got, want) || isMap && (len(m) != 2 || m["value"] != "2025-11-14") {
				t.Errorf("%s %s: got %#v, %v", key, mark, got, err)
			}
		}
	}
	for _, v := range []any{math.NaN(), uint64(1 << 63), map[any]any{1: 1}, Date{}, time.Time{}, decode.Ext{}} {
		if !truthy(v) {
			t.Errorf("%#v is truthy", v)
		}
	}
}

// TestMarkerErrors: what is no time is refused at the map, without its value.
func TestMarkerErrors(t *testing.T) {
	for key, name := range map[string]string{"__datetime__": "datetime", "__date__": "date", "__time__": "time"} {
		for value, want := range map[string]string{
			"c0": "missing 'value' field in cached data", "01": "'value' is no str", "90": "'value' is no str", "c40100": "'value' is no str",
			"a9 6d7976657279736563": "'value' is no isoformat string", "a0": "'value' is no isoformat string",
		} {
			_, err := payloadOf(t, standard, append([]byte("\x92\xc0"), marked(key, "c3", value)...))
			offset, _ := bounds.OffsetOf(err)
			if !errors.Is(err, bounds.ErrHook) || offset != 2 || !strings.Contains(err.Error(), "invalid "+name+" format: "+want) || strings.Contains(err.Error(), "very") {
				t.Errorf("%s, %s: %v", key, value, err)
			}
		}
	}
}

// TestRawIsValue: the Raw forms of the markers change nothing but the speed.
func TestRawIsValue(t *testing.T) {
	taken := 0
	var slow, quick []decode.Marker
	for _, m := range Markers() {
		raw := m.Raw
		m.Raw = func(doc []byte) (any, bool) {
			v, ok := raw(doc)
			if ok {
				taken++
			}
			return v, ok
		}
		quick = append(quick, m)
		m.Raw = nil
		slow = append(slow, m)
	}
	o := decode.Options{DuplicateKeys: decode.LastWins, MapKeys: decode.StringOrBinKeys}
	o.Markers = slow
	a := o.Must()
	o.Markers = quick
	b := o.Must()
	texts := []string{"2025-11-14", "2025-11-14T10:30:00+01:00", "10:30:00", "T10", "20251114", "", "x", "2025-W46-5"}
	marks := strings.Fields("c3 c2 c0 00 01 cf8000000000000000 cb8000000000000000 ca7fc00000 a0 a161 c400 c40100 90 9101 80 d40500 d6ff00000001")
	keys := []string{"__datetime__", "__date__", "__time__", "value", "x"}
	n := 0
	for _, text := range texts {
		for _, mark := range marks {
			for _, key := range keys[:3] {
				for _, more := range keys {
					pair := str(0, key) + string(hexdoc.Must(mark))
					value := str(0, "value") + str(0, text)
					extra := str(0, more) + "\xc3"
					for _, doc := range []string{
						"\x82" + pair + value, "\x82" + value + pair, "\x83" + pair + extra + value, "\x83" + extra + pair + value, "\x83" + value + pair + extra,
						"\x84" + pair + value + extra + "\xa1y\xcb\x00\x00\x00\x00\x00\x00\x00\x00", "\x85" + pair + value + extra + "\xa1y\xc0\xa1z\xc0",
						"\x83" + pair + value + bin(1, "value") + "\xc0",
						"\x82" + pair + str(0, "value") + bin(1, text), "\x82" + pair + str(0, "value") + "\x07", "\x81" + pair,
					} {
						v, err := a.Any([]byte(doc))
						w, err2 := b.Any([]byte(doc))
						if !reflect.DeepEqual(v, w) && !strings.Contains(mark, "7fc0") || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
							t.Fatalf("%x: %v, %v; with Raw %v, %v", doc, v, err, w, err2)
						}
						n++
					}
				}
			}
		}
	}
	if taken < n/20 {
		t.Errorf("the Raw forms took %d of %d maps", taken, n)
	}
}

// TestDecodeOptions: zero fields are CacheKit's, others the caller's.
func TestDecodeOptions(t *testing.T) {
	both := hexdoc.Must("82 a16101 a16102")
	c := Options{Decode: decode.Options{DuplicateKeys: decode.FirstWins}}.Must()
	if v, err := payloadOf(t, c, both); err != nil || !reflect.DeepEqual(v, map[string]any{"a": int64(1)}) {
		t.Errorf("FirstWins: %v, %v", v, err)
	}
	c = Options{Decode: decode.Options{MapKeys: decode.AnyKeys}}.Must()
	if v, err := payloadOf(t, c, hexdoc.Must("81 0102")); err != nil || !reflect.DeepEqual(v, map[any]any{int64(1): int64(2)}) {
		t.Errorf("AnyKeys: %v, %v", v, err)
	}
	c = Options{Decode: decode.Options{Limits: bounds.Limits{MaxDepth: 1, MaxBytes: 3}}}.Must()
	if _, err := payloadOf(t, c, hexdoc.Must("9190")); !errors.Is(err, bounds.ErrMaxDepth) {
		t.Errorf("MaxDepth: %v", err)
	}
	if _, err := payloadOf(t, c, hexdoc.Must("a3616263")); !errors.Is(err, bounds.ErrMaxBytes) {
		t.Errorf("MaxBytes: %v", err)
	}
	mine := decode.Marker{Key: "__date__", Value: func(map[string]any) (any, bool, error) { return "mine", true, nil }}
	markers := append(make([]decode.Marker, 0, 9), mine)
	c = Options{Decode: decode.Options{Markers: markers}}.Must()
	if v, err := payloadOf(t, c, marked("__date__", "c3", "c0")); err != nil || v != "mine" {
		t.Errorf("a marker of one's own: %v, %v", v, err)
	}
	if markers[:2][1].Key != "" {
		t.Error("the caller's slice was written to")
	}
	// A payload above the default MaxBytes of decode is within MaxPayload.
	if !testing.Short() {
		large := append([]byte("\xc6\x04\x00\x00\x01"), make([]byte, 64<<20+1)...)
		if v, err := PayloadAny([]byte(made(literals(string(large)), sum(string(large)), uint64(len(large)), ""))); err != nil || len(v.([]byte)) != 64<<20+1 {
			t.Errorf("a payload of 64 MiB: %v", err)
		}
	}
	if err := Payload([]byte("\x80"), new(any)); !errors.Is(err, ErrLayout) {
		t.Errorf("no envelope: %v", err)
	}
	env, _ := Seal([]byte{7}, "")
	if err := Payload(env, nil); !errors.Is(err, bounds.ErrTarget) {
		t.Errorf("no target: %v", err)
	}
}

// TestTypedPayload decodes a payload into a struct, the temporal values into the types they
// have.
func TestTypedPayload(t *testing.T) {
	type event struct {
		Name string               `msgpack:"name"`
		At   time.Time            `msgpack:"at"`
		Day  Date                 `msgpack:"day"`
		Time *TimeOfDay           `msgpack:"time"`
		More []time.Time          `msgpack:"more"`
		By   map[string]time.Time `msgpack:"by"`
		Any  any                  `msgpack:"any"`
	}
	datetime := "82 ac5f5f6461746574696d655f5f c3 a576616c7565 b9323032352d31312d31345431303a33303a30302b30303a3030"
	date := "82 a85f5f646174655f5f c3 a576616c7565 aa323032352d31312d3134"
	clock := "82 a85f5f74696d655f5f c3 a576616c7565 a831303a33303a3030"
	doc := hexdoc.Must("87 a46e616d65 a178 a26174 " + datetime + " a3646179 " + date + " a474696d65 " + clock +
		" a46d6f7265 92 " + datetime + datetime + " a26279 81 a161 " + datetime + " a3616e79 " + date)
	env, err := Seal(doc, "")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2025, time.November, 14, 10, 30, 0, 0, time.UTC)
	day := Date{2025, time.November, 14}
	var got event
	if err := Payload(env, &got); err != nil {
		t.Fatal(err)
	}
	want := event{
		Name: "x", At: at, Day: day, Time: got.Time, More: []time.Time{at, at}, By: map[string]time.Time{"a": at}, Any: day,
	}
	if !reflect.DeepEqual(got, want) || got.Time == nil || got.Time.String() != "10:30:00" {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	// The last duplicate wins, in fields as in maps; a bin names a field.
	env, err = Seal(hexdoc.Must("83 a46e616d65 a161 c4046e616d65 a162 a17a 01"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := Payload(env, &got); err != nil || got.Name != "b" {
		t.Errorf("duplicates: %+v, %v", got, err)
	}
	// A marker's refusal stands for a typed target too.
	env, err = Seal(hexdoc.Must("81 a26174 81 ac5f5f6461746574696d655f5f c3"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, hex := range []string{
		"82a85f5f646174655f5fc3a576616c7565aa323032352d31332d3134", // no such month
		"82a85f5f74696d655f5fc3a576616c7565a531303a3330",           // a time of day
	} {
		bad, err := Seal(hexdoc.Must(hex), "")
		if err != nil {
			t.Fatal(err)
		}
		var day Date
		if err := Payload(bad, &day); !errors.Is(err, bounds.ErrHook) && !errors.Is(err, bounds.ErrType) || day != (Date{}) {
			t.Errorf("%s into a Date: %v, %v", hex, day, err)
		}
	}
	err = Payload(env, &got)
	if off, _ := bounds.OffsetOf(err); !errors.Is(err, bounds.ErrHook) || off != 4 {
		t.Errorf("a datetime without a value: %v, want ErrHook at 4", err)
	}
}
