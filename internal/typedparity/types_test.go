package typedparity

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/decode"
)

// Types with a name, which reflection cannot make.
type (
	label  string
	grade  int16
	amount float32
	flags  uint8
)

var (
	anyType    = reflect.TypeFor[any]()
	stringType = reflect.TypeFor[string]()
	bytesType  = reflect.TypeFor[[]byte]()
	timeType   = reflect.TypeFor[time.Time]()
	rawType    = reflect.TypeFor[decode.RawMessage]()
	extType    = reflect.TypeFor[decode.Ext]()
	stampType  = reflect.TypeFor[decode.Timestamp]()
)

// scalars are the types of a number or bool, which are also keys of maps.
var scalars = []reflect.Type{
	reflect.TypeFor[bool](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	stringType,
	reflect.TypeFor[label](), reflect.TypeFor[grade](), reflect.TypeFor[amount](), reflect.TypeFor[time.Duration](),
}

// The shapes of a type, in the order in which the types of a run take turns.
const (
	shapeScalar = iota
	shapeBytes
	shapeByteArray
	shapeTime
	shapeAny
	shapeSlice
	shapeArray
	shapeMap
	shapePointer
	shapeStruct
	shapeTuple // a struct as_array
	shapeWide  // a struct of more fields than one word has bits
	shapeOwn   // a type of package decode, which the peer does not know
	shapes
)

// leaves is how many of the shapes hold nothing else.
const leaves = shapeSlice

// levels is how deep types nest.
const levels = 4

// typeMaker builds random types.
type typeMaker struct {
	r     *rand.Rand
	own   bool // with types of package decode and tags that only it knows
	names int
}

func (m *typeMaker) oneIn(n int) bool { return m.r.IntN(n) == 0 }

// typeOf returns type i of a seed. The same seed and i give the same type.
func typeOf(seed uint64, i int, own bool) reflect.Type {
	m := typeMaker{r: rand.New(rand.NewPCG(seed, uint64(i))), own: own}
	shape := i % shapes
	if shape == shapeOwn && !own {
		shape = shapeStruct
	}
	if shape == shapeScalar {
		return scalars[i/shapes%len(scalars)]
	}
	return m.shape(shape, levels-m.r.IntN(2))
}

// typ returns a type that nests at most depth levels, mostly containers where they fit.
func (m *typeMaker) typ(depth int) reflect.Type {
	if depth <= 0 || m.oneIn(3) {
		switch m.r.IntN(10) {
		case 0, 1:
			return m.shape(shapeAny, 0)
		case 2:
			return m.shape(shapeTime, 0)
		case 3:
			return m.shape(shapeBytes+m.r.IntN(2), 0)
		case 4:
			if m.own {
				return m.shape(shapeOwn, 0)
			}
		}
		return m.shape(shapeScalar, 0)
	}
	shape := leaves + m.r.IntN(shapeWide-leaves)
	if shape == shapeTuple && !m.oneIn(2) {
		shape = shapeStruct
	}
	return m.shape(shape, depth)
}

func (m *typeMaker) shape(shape, depth int) reflect.Type {
	switch shape {
	case shapeScalar:
		return scalars[m.r.IntN(len(scalars))]
	case shapeBytes:
		return bytesType
	case shapeByteArray:
		return reflect.ArrayOf([]int{0, 1, 3, 8, 40}[m.r.IntN(5)], reflect.TypeFor[byte]())
	case shapeTime:
		return timeType
	case shapeAny:
		return anyType
	case shapeOwn:
		return []reflect.Type{rawType, extType, stampType, reflect.TypeFor[[3]flags]()}[m.r.IntN(4)]
	case shapeSlice:
		return reflect.SliceOf(m.typ(depth - 1))
	case shapeArray:
		return reflect.ArrayOf(m.r.IntN(4), m.typ(depth-1))
	case shapeMap:
		key := stringType
		if m.oneIn(2) {
			key = scalars[m.r.IntN(len(scalars))]
		} else if m.oneIn(2) {
			key = anyType
		}
		return reflect.MapOf(key, m.typ(depth-1))
	case shapePointer:
		return reflect.PointerTo(m.typ(depth - 1))
	case shapeWide:
		return m.fields(66+m.r.IntN(10), 1, false)
	}
	return m.fields(m.r.IntN(7), depth, shape == shapeTuple)
}

// fields returns a struct type.
func (m *typeMaker) fields(n, depth int, tuple bool) reflect.Type {
	var all []reflect.StructField
	if tuple {
		all = append(all, reflect.StructField{
			Name: "_msgpack", PkgPath: "typedparity", Type: reflect.TypeFor[struct{}](), Tag: `msgpack:",as_array"`,
		})
	}
	for range n {
		m.names++
		f := reflect.StructField{Name: fmt.Sprintf("F%d", m.names), Tag: m.tag(m.names)}
		switch {
		case depth > 1 && m.oneIn(9): // embedded: its fields are promoted
			f.Anonymous, f.Tag = true, ""
			f.Type = m.fields(1+m.r.IntN(3), depth-1, false)
			if m.oneIn(2) {
				f.Type = reflect.PointerTo(f.Type)
			}
		case m.oneIn(14):
			f.Name, f.PkgPath, f.Type = fmt.Sprintf("u%d", m.names), "typedparity", stringType
		default:
			f.Type = m.typ(depth - 1)
		}
		if m.own && !f.Anonymous && f.PkgPath == "" && m.oneIn(4) {
			f.Tag = m.limited(f)
		}
		all = append(all, f)
	}
	return reflect.StructOf(all)
}

// tag returns the tag of field i: names of all lengths that are read differently, aliases,
// and options.
func (m *typeMaker) tag(i int) reflect.StructTag {
	name := fmt.Sprintf("%c%d", 'a'+i%26, i)
	switch m.r.IntN(12) {
	case 0:
		return ""
	case 1:
		name += "-of-a-length-that-no-fixstr-has"
	case 2:
		name += " é川🚲"
	case 3:
		name = fmt.Sprintf("eight%03d", i)
	case 4:
		name += ",omitempty"
	case 5:
		name += fmt.Sprintf(",alias:other%d", i)
	case 6:
		if m.oneIn(3) {
			name = "-"
		}
	case 7:
		name = ",omitempty"
	}
	return reflect.StructTag(fmt.Sprintf(`msgpack:"%s"`, name))
}

// limited returns the tag of f with a limit, if its type can have one.
func (m *typeMaker) limited(f reflect.StructField) reflect.StructTag {
	text, tagged := f.Tag.Lookup("msgpack")
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Interface:
		if text != "-" && (tagged || f.Tag == "") {
			return reflect.StructTag(fmt.Sprintf(`msgpack:"%s,limit=%d"`, text, m.r.IntN(7)))
		}
	}
	return f.Tag
}

// depthOf returns how many levels t nests, and counts its kinds.
func depthOf(t reflect.Type, kinds map[string]int) int {
	switch t {
	case timeType, rawType, extType, stampType:
		kinds[t.String()]++
		return 0
	case bytesType:
		kinds["[]byte"]++
		return 0
	}
	kinds[t.Kind().String()]++
	deepest := 0
	switch t.Kind() {
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			kinds["[N]byte"]++
			return 0
		}
		deepest = depthOf(t.Elem(), kinds)
	case reflect.Slice, reflect.Pointer:
		deepest = depthOf(t.Elem(), kinds)
	case reflect.Map:
		kinds["key "+t.Key().Kind().String()]++
		deepest = depthOf(t.Elem(), kinds)
	case reflect.Struct:
		for field := range t.Fields() {
			deepest = max(deepest, depthOf(field.Type, kinds))
		}
	default:
		return 0
	}
	return deepest + 1
}
