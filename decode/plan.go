package decode

import (
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/boundpack/boundpack/internal/price"
)

// op is what a plan does with a value.
type op uint8

const (
	opBool op = iota
	opInt
	opUint
	opFloat
	opString
	opBytes     // a slice of bytes
	opByteArray // an array of bytes
	opSlice
	opArray
	opMap
	opPointer
	opAny       // any, or another interface
	opStruct    // from a map
	opTuple     // a struct from an array
	opTime      // time.Time
	opTimestamp // Timestamp
	opExt       // Ext
	opRaw       // RawMessage
	opDoor      // a type with methods to decode itself
	opNone      // of such a type, for what they do not take: nothing but nil
)

// plan says how values of one Go type are decoded. It is made once for each type and
// then only read.
type plan struct {
	op    op
	typ   reflect.Type
	size  uintptr
	scan  bool  // the type has pointers
	elem  *plan // of slices, arrays, maps and pointers; for opDoor what no door takes
	n     int   // length of an array
	empty bool  // of an interface: it has no methods

	doors doors // for opDoor

	key   *plan       // of maps
	shape price.Map   // of maps
	pairs int64       // price of the scratch key and element of a map
	table *fieldTable // of structs

	runs     bool     // run takes values of it: scalars, and arrays of 1 to 15 float64
	quick    quick    // what quickOpen may open
	quickMap quickMap // of maps
}

// quick is the marker, less the count in it, with which quickOpen takes a container.
type quick uint8

const (
	quickNone   quick = 0
	quickStruct quick = 0x80 // a fixmap into a struct of at most 64 fields
	quickSlice  quick = 0x90 // a fixarray into a slice of strings or of numbers of 8 bytes
)

// plans holds the plans of a set of tags. Recursive types refer to themselves.
type plans struct {
	tags  []string
	made  sync.Map // reflect.Type to *plan
	mutex sync.Mutex
	near  [nearPlans]atomic.Pointer[nearPlan]
}

// nearPlan is a plan by the type of a pointer to its type, as an any holds that. The types
// that were first to fall on their place in plans.near stay there, so that a program with
// few types finds them without a look-up, and nobody writes while all are found.
type nearPlan struct {
	pointer unsafe.Pointer
	plan    *plan
}

const nearPlans = 64

// to returns the plan of what dst, a pointer that is not nil, points to: see of.
func (ps *plans) to(dst any) (*plan, error) {
	word := typeWord(dst)
	place := &ps.near[uintptr(word)/64%nearPlans]
	n := place.Load()
	if n != nil && n.pointer == word {
		return n.plan, nil
	}
	p, err := ps.of(reflect.TypeOf(dst).Elem())
	if err == nil && n == nil {
		place.CompareAndSwap(nil, &nearPlan{word, p})
	}
	return p, err
}

// of returns the plan of t. The error is [ErrTarget] and names the field that has an
// unsupported type or a wrong tag.
func (ps *plans) of(t reflect.Type) (*plan, error) {
	if p, ok := ps.made.Load(t); ok {
		return p.(*plan), nil
	}
	ps.mutex.Lock()
	defer ps.mutex.Unlock()
	m := maker{plans: ps, making: map[reflect.Type]*plan{}}
	p, err := m.plan(t, t.String())
	if err != nil {
		return nil, err
	}
	// Only now are all of them complete.
	for t, p := range m.making {
		ps.made.Store(t, p)
	}
	return p, nil
}

// maker makes the plans of one type and those it refers to.
type maker struct {
	plans  *plans
	making map[reflect.Type]*plan
	hops   int // embedded pointers of the struct being filled
}

var (
	timeType  = reflect.TypeFor[time.Time]()
	stampType = reflect.TypeFor[Timestamp]()
	extType   = reflect.TypeFor[Ext]()
	rawType   = reflect.TypeFor[RawMessage]()
)

func unsupported(path string, t reflect.Type) error {
	return opaque(path, "unsupported type %v", t)
}

// plan returns the plan of t, which stands at path.
func (m *maker) plan(t reflect.Type, path string) (*plan, error) {
	if p, ok := m.plans.made.Load(t); ok {
		return p.(*plan), nil
	}
	if p, ok := m.making[t]; ok {
		return p, nil
	}
	p := &plan{typ: t, size: t.Size(), scan: hasPointers(t)}
	m.making[t] = p
	if err := m.fill(p, path); err != nil {
		delete(m.making, t)
		return nil, err
	}
	return p, nil
}

func (m *maker) fill(p *plan, path string) error {
	t := p.typ
	switch t {
	case timeType:
		p.op = opTime
		return nil
	case stampType:
		p.op = opTimestamp
		return nil
	case extType:
		p.op = opExt
		return nil
	case rawType:
		p.op = opRaw
		return nil
	}
	if d := doorsOf(t); d != 0 {
		return m.fillDoor(p, d, path)
	}
	return m.fillPlain(p, path)
}

// fillPlain fills in the plan of a type that is its kind and nothing else.
func (m *maker) fillPlain(p *plan, path string) (err error) {
	t := p.typ
	switch k := t.Kind(); k {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64:
		p.runs = true
	default:
		p.runs = k >= reflect.Int && k <= reflect.Uint64
	}
	switch t.Kind() {
	case reflect.Bool:
		p.op = opBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.op = opInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.op = opUint
	case reflect.Float32, reflect.Float64:
		p.op = opFloat
	case reflect.String:
		p.op = opString
	case reflect.Interface:
		p.op, p.empty = opAny, t.NumMethod() == 0
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			p.op = opBytes
			return nil
		}
		p.op = opSlice
		p.elem, err = m.plan(t.Elem(), path+"[]")
		switch e := t.Elem(); e.Kind() {
		case reflect.String:
			p.quick = quickSlice
		case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Float64:
			if e.Size() == 8 {
				p.quick = quickSlice
			}
		}
	case reflect.Array:
		p.n = t.Len()
		if t.Elem().Kind() == reflect.Uint8 {
			p.op = opByteArray
			return nil
		}
		p.op = opArray
		p.runs = t.Elem().Kind() == reflect.Float64 && p.n > 0 && p.n < 16
		p.elem, err = m.plan(t.Elem(), path+"[]")
	case reflect.Pointer:
		p.op = opPointer
		for seen, e := map[reflect.Type]bool{t: true}, t.Elem(); e.Kind() == reflect.Pointer; e = e.Elem() {
			if seen[e] {
				return opaque(path, "%v points to nothing but itself", t)
			}
			seen[e] = true
		}
		p.elem, err = m.plan(t.Elem(), path)
	case reflect.Map:
		return m.fillMap(p, path)
	case reflect.Struct:
		return m.fillStruct(p, path)
	default:
		return unsupported(path, t)
	}
	return err
}

func (m *maker) fillMap(p *plan, path string) (err error) {
	p.op = opMap
	k, e := p.typ.Key(), p.typ.Elem()
	switch k.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
	case reflect.Interface:
		if k.NumMethod() > 0 {
			return unsupported(path+" (key)", k)
		}
	default:
		if doorsOf(k) == 0 {
			return unsupported(path+" (key)", k)
		}
	}
	if p.key, err = m.plan(k, path+" (key)"); err != nil {
		return err
	}
	if p.elem, err = m.plan(e, path+"[]"); err != nil {
		return err
	}
	kt, et := priceType(k), priceType(e)
	p.shape = price.MapOf(kt, et)
	p.quickMap = quickMaps[reflect.MapOf(k, e)]
	p.pairs = int64(price.Lone(kt.Size, kt.Scan) + price.Lone(et.Size, et.Scan) + price.Block(uint64(unsafe.Sizeof(pair{})), true))
	return nil
}

func priceType(t reflect.Type) price.Type {
	return price.Type{Size: uint64(t.Size()), Align: uint64(t.Align()), Scan: hasPointers(t)}
}

// hasPointers reports whether values of t hold pointers.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if hasPointers(field.Type) {
				return true
			}
		}
		return false
	case reflect.String, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	}
	return false
}

// at returns the value of the plan's type at ptr.
func (p *plan) at(ptr unsafe.Pointer) reflect.Value { return reflect.NewAt(p.typ, ptr).Elem() }
