package typedparity

import (
	"fmt"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/internal/parity"

	"github.com/vmihailenco/msgpack/v5"
)

// Names of what the peer is known to read otherwise, beside those of wrongs and of package
// parity.
const (
	overflow        = "int out of range"
	floatForInt     = "float for an int"
	inexactFloat    = "int that a float rounds"
	hugeForFloat    = "int above the range of int64 for a float"
	doubleForSingle = "float 64 for a float32"
	nilTime         = "nil for a time.Time"
	arrayForStruct  = "array for a struct"
	mapForTuple     = "map for a struct that is an array"
	shortArray      = "fewer elements than an array has"
	extForMap       = "ext for a map"
	strForTime      = "str for a time.Time"
	arrayForTime    = "array for a time.Time"
	extForTime      = "ext type 13 for a time.Time"
	promotedAlias   = "alias of a field of an embedded struct"
	nanKey          = parity.NaNKey
	timeKey         = parity.TimestampKey
	binAnyKey       = "bin key into map[any]T"
)

// difference is one way in which the peer is known to answer otherwise.
type difference struct {
	what  string // the flaw for which decode refuses, or what the plain decoder notes of a document it takes
	why   string
	typ   reflect.Type // with this type
	shows string       // this document shows it, as package hexdoc reads it
}

// differences are all of them.
var differences = []difference{
	{
		followed, "the peer's Unmarshal reads the first document and does not look further; decode has UnmarshalFirst for that",
		reflect.TypeFor[int](), "01c0",
	},
	{
		twice, "the peer keeps the last of equal keys, or merges what they hold; decode refuses unless told which one to keep",
		reflect.TypeFor[map[string]int](), "82a16b01a16b02",
	},
	{
		notUTF8, "the peer takes the bytes of a str as they are; decode refuses unless told to",
		stringType, "a2c328",
	},
	{
		overflow, "the peer keeps the low bits of an int that its type cannot hold; decode refuses it",
		reflect.TypeFor[int8](), "cd012c",
	},
	{
		inexactFloat, "the peer rounds an int to the nearest float; decode takes those that the float holds",
		reflect.TypeFor[float64](), "cf0020000000000001",
	},
	{
		hugeForFloat, "an int above the range of int64 is negative in the peer's floats; decode takes those that the float holds",
		reflect.TypeFor[float64](), "cf8000000000000000",
	},
	{
		doubleForSingle, "decode rounds a float 64 to a float32 unless ExactFloats is set; the peer refuses it",
		reflect.TypeFor[float32](), "cb3fb999999999999a",
	},
	{
		nilTime, "decode takes nil for the zero time.Time, as for every type; the peer refuses it or panics",
		reflect.TypeFor[[]time.Time](), "91c0",
	},
	{
		strForTime, "the peer parses RFC 3339 into a time.Time at the root; decode takes a timestamp",
		timeType, "b4323032362d31312d33305431323a30303a30305a",
	},
	{
		arrayForTime, "the peer takes an array of seconds and nanoseconds for a time.Time at the root, its older form; decode takes a timestamp",
		timeType, "920102",
	},
	{
		extForTime, "the peer takes ext type 13 for a timestamp at the root; decode type -1, as the specification says",
		timeType, "d60d00000001",
	},
	{
		badTime, "the peer carries nanoseconds above 999,999,999 into the seconds, and seconds that time.Time cannot hold wrap",
		timeType, "d7ffee6b280000000001",
	},
	{
		promotedAlias, "an alias is promoted with its field by decode, but not by the peer",
		embedsAlias, "81a16201",
	},
	{
		arrayForStruct, "the peer takes an array for any struct, by order; decode only for one tagged as_array",
		reflect.TypeFor[struct{ A int }](), "9101",
	},
	{
		mapForTuple, "the peer takes a map for a struct tagged as_array, too; decode only an array",
		tupleType, "81a14101",
	},
	{
		shortArray, "the peer leaves the end of an array as it was; decode wants all of it",
		reflect.TypeFor[[2]int](), "9101",
	},
	{
		extForMap, "the peer reads an ext as a map if its content looks like one; decode refuses it",
		reflect.TypeFor[map[string]int](), "d50580c0",
	},
	{
		nilKey, "the peer takes a nil key for the zero key, or no name; decode refuses it",
		reflect.TypeFor[map[string]int](), "81c001",
	},
	{
		parity.BinKey, "the peer makes a str key of a bin key; to decode, into any, they are two keys",
		anyType, "81c4016b01",
	},
	{
		binAnyKey, "decode takes a bin key into map[any]T as a Bin; the peer panics, as a slice is no key",
		reflect.TypeFor[map[any]int](), "81c4016b01",
	},
	{
		nanKey, "the peer stores a NaN key, under which nothing is found; decode refuses it",
		reflect.TypeFor[map[float64]int](), "81cb7ff800000000000101",
	},
	{
		timeKey, "the peer takes a time.Time for a key, which is not the same key for the same time; decode refuses it",
		reflect.TypeFor[map[any]int](), "81d6ff0000000101",
	},
}

// embedsAlias is a struct with an embedded one whose field has an alias.
var embedsAlias = reflect.StructOf([]reflect.StructField{{
	Name: "E", Anonymous: true, Type: reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[int](), Tag: `msgpack:"a,alias:b"`},
	}),
}})

// tupleType is a struct of one field that is an array.
var tupleType = reflect.StructOf([]reflect.StructField{
	{Name: "_msgpack", PkgPath: "typedparity", Type: reflect.TypeFor[struct{}](), Tag: `msgpack:",as_array"`},
	{Name: "A", Type: reflect.TypeFor[int]()},
})

func named(what string) *difference {
	switch what {
	case parity.TimestampNanoseconds, parity.TimestampSeconds:
		what = badTime // package parity tells them apart
	}
	for i := range differences {
		if differences[i].what == what {
			return &differences[i]
		}
	}
	return nil
}

// peer decodes doc into v, a pointer, through the peer.
func peer(doc []byte, v reflect.Value) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the peer panics: %v", p)
		}
	}()
	return msgpack.Unmarshal(doc, v.Interface())
}

// outcome is what a comparison came to.
type outcome struct {
	shown   bool          // the walk accepted the document, so the peer saw it
	value   bool          // both made a value
	excused []*difference // what explains that they did not both do the same
}

// compare decodes doc into t by the default decoder and through the peer. The error is a
// difference without a name.
func compare(doc []byte, t reflect.Type) (out outcome, err error) {
	s := sets[0]
	v := reflect.New(t)
	err = s.decoder.Unmarshal(doc, v.Interface())
	if structure := asStructure(doc, s); structure != nil {
		if err == nil {
			return out, fmt.Errorf("a value, and the walk refuses: %w", structure)
		}
		return out, nil
	}
	out.shown = true
	w := reflect.New(t)
	peerErr := peer(doc, w)
	_, notes, f := decodePlain(doc, reflect.New(t).Elem(), &s.Set)
	if f == nil && err != nil { // and the rest follows
		f = &flaw{what: followed, reason: err}
	}
	switch {
	case err != nil && peerErr != nil:
		return out, nil
	case err != nil:
		if d := named(f.what); d != nil {
			out.excused = []*difference{d}
			return out, nil
		}
		if notes[promotedAlias] {
			// The peer skips the value of an alias that it does not know.
			out.excused = []*difference{named(promotedAlias)}
			return out, nil
		}
		return out, fmt.Errorf("refused for %s, which is no named difference: %w", f.what, err)
	case peerErr == nil:
		d := diff(v.Elem(), w.Elem(), true)
		if d == "" {
			out.value = true
			return out, nil
		}
		err = fmt.Errorf("other values at v%s", d)
	default:
		err = fmt.Errorf("a value, and the peer refuses: %w", peerErr)
	}
	for note := range notes {
		if d := named(note); d != nil {
			out.excused = append(out.excused, d)
		}
	}
	if out.excused == nil {
		return out, err
	}
	return out, nil
}
