package contend

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/boundpack/boundpack/internal/samples"
)

// The samples are made by this repository's own encoder, so what they hold is
// read here by decoders that share nothing with it.

func init() {
	for _, typ := range []int8{42, -128} {
		msgpack.RegisterExtDecoder(typ, &msgp.RawExtension{}, func(d *msgpack.Decoder, v reflect.Value, n int) error {
			data := make([]byte, n)
			v.Set(reflect.ValueOf(&msgp.RawExtension{Type: typ, Data: data}))
			return d.ReadFull(data)
		})
	}
}

// byTwo decodes the document at the start of doc by two peers, which must
// agree, and returns what follows it.
func byTwo(doc []byte) (v any, rest []byte, err error) {
	v, rest, err = msgp.ReadIntfBytes(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("msgp: %w", err)
	}
	reader := strings.NewReader(string(doc[:len(doc)-len(rest)]))
	w, err := msgpack.NewDecoder(reader).DecodeInterface()
	if err != nil {
		return nil, nil, fmt.Errorf("vmihailenco: %w", err)
	}
	if reader.Len() != 0 {
		return nil, nil, fmt.Errorf("vmihailenco leaves %d bytes", reader.Len())
	}
	return v, rest, Same(v, w)
}

func TestPeersReadSamples(t *testing.T) {
	for _, s := range samples.All() {
		if _, rest, err := byTwo(s.Make()); err != nil || len(rest) != 0 {
			t.Errorf("%s: %d bytes left, %v", s.Name, len(rest), err)
		}
	}
}

func TestPeersReadFiles(t *testing.T) {
	for _, f := range samples.Files() {
		if strings.HasPrefix(f.Name, "hostile/") {
			continue
		}
		for rest := f.Make(); len(rest) > 0; {
			var err error
			if _, rest, err = byTwo(rest); err != nil {
				t.Errorf("%s: %v", f.Name, err)
				break
			}
		}
	}
}

// TestFormatsHoldWhatTheySay checks the values that a wrong byte order, sign or
// width would change.
func TestFormatsHoldWhatTheySay(t *testing.T) {
	v, _, err := byTwo(samples.Formats())
	if err != nil {
		t.Fatal(err)
	}
	formats := v.(map[string]any)
	for name, want := range map[string]any{
		"positive fixint 127":           int64(127),
		"negative fixint -32":           int64(-32),
		"uint 64: 18446744073709551615": uint64(math.MaxUint64),
		"int 8: -128":                   int64(-128),
		"int 16: -32768":                int64(-32768),
		"int 32: -2147483648":           int64(math.MinInt32),
		"int 64: -9223372036854775808":  int64(math.MinInt64),
		"int 64: -7, not the shortest":  int64(-7),
		"float 32: 0.5":                 0.5,
		"float 64: 0.1":                 0.1,
		"fixstr, 31 bytes":              "thirty-one bytes of plain ASCII",
		"fixstr, not ASCII":             "é川🚲!",
		"str 32, not the shortest":      "abc",
		"bin 16, not the shortest":      []byte{0, 0x80, 0xff},
		"fixext 16":                     msgp.RawExtension{Type: 42, Data: []byte("0123456789abcdef")},
		"ext 8, type -128":              msgp.RawExtension{Type: -128, Data: []byte{1, 2, 3}},
		"timestamp 32":                  time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC),
		"timestamp 64":                  time.Date(2026, time.November, 30, 12, 0, 0, 123_456_789, time.UTC),
		"timestamp 96":                  time.Date(1815, time.December, 10, 6, 30, 0, 1, time.UTC),
		"map 32, not the shortest":      map[string]any{"a": int64(1)},
	} {
		if err := Same(formats[name], want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, v := range formats {
		if strings.Contains(name, ": 7, ") && Same(v, int64(7)) != nil {
			t.Errorf("%s is %v", name, v)
		}
	}
}

func TestUsersHaveTheirShape(t *testing.T) {
	v, _, err := byTwo(samples.Users(100))
	if err != nil {
		t.Fatal(err)
	}
	root := v.(map[string]any)
	users := root["users"].([]any)
	if len(root) != 4 || len(users) != 100 || root["next"] != "cursor-0000" {
		t.Fatalf("%d keys, %d users, next %v", len(root), len(users), root["next"])
	}
	addresses, tags := map[string]bool{}, 0
	for i, u := range users {
		u := u.(map[string]any)
		if err := Same(u["id"], int64(1000+i)); err != nil || len(u) != 8 {
			t.Errorf("user %d: %d keys, id%v", i, len(u), err)
		}
		addresses[u["address"].(string)] = true
		seen := map[any]bool{}
		for _, tag := range u["tags"].([]any) {
			seen[tag] = true
		}
		if len(seen) < 2 || len(seen) > 4 || len(seen) != len(u["tags"].([]any)) {
			t.Errorf("user %d: tags %v", i, u["tags"])
		}
		tags += len(seen)
		_, active := u["active"].(bool)
		_, verified := u["verified"].(bool)
		_, score := u["score"].(float64)
		if !active || !verified || !score {
			t.Errorf("user %d: %v", i, u)
		}
	}
	if len(addresses) != 100 || tags != 300 {
		t.Errorf("%d addresses, %d tags", len(addresses), tags)
	}
}

func TestDatesAreDates(t *testing.T) {
	v, _, err := byTwo(samples.Dates(200))
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range v.(map[string]any)["records"].([]any) {
		at := record.(map[string]any)["at"].(map[string]any)
		moment, err := time.Parse("2006-01-02T15:04:05.999999", at["value"].(string))
		if err != nil || at["__datetime__"] != true || moment.Year() != 2026 {
			t.Errorf("record %d: %v, %v", i, at, err)
		}
	}
}
