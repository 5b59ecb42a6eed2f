package parity

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// Flaw is why a well-formed document is refused.
type Flaw struct {
	What   string // a name of this package, finer than Reason
	Reason error  // the sentinel
	Offset int
	Wire   walk.Kind
}

// What a document can be refused for.
const (
	DuplicateKey         = "duplicate key"
	InvalidUTF8          = "invalid UTF-8"
	BinKey               = "bin key"
	NilKey               = "nil key"
	NaNKey               = "NaN key"
	TimestampKey         = "timestamp key"
	OtherKey             = "key of another kind"
	TimestampLength      = "timestamp length"
	TimestampNanoseconds = "timestamp nanoseconds"
	TimestampSeconds     = "timestamp seconds"
	Hook                 = "hook"
	TrailingBytes        = "trailing bytes"
)

// plain decodes one document by the rules alone: recursively, one value after the
// other, in the order of the bytes.
type plain struct {
	set *Set
	c   *walk.Cursor
}

// Plain returns what doc must become under the options of s, and where it ends; or
// its flaw. [walk.Check] accepts doc.
func Plain(doc []byte, s *Set) (v any, end int, flaw *Flaw) {
	c, err := walk.NewCursor(doc, s.Options.Limits)
	if err != nil {
		panic(err)
	}
	p := plain{set: s, c: c}
	v, flaw = p.value(p.next())
	if flaw != nil {
		return nil, 0, flaw
	}
	return v, c.Offset(), nil
}

func (p *plain) next() walk.Token {
	t, err := p.c.Next()
	if err != nil {
		panic(fmt.Sprintf("the cursor refuses what Check accepts: %v", err))
	}
	return t
}

func (p *plain) value(t walk.Token) (any, *Flaw) {
	switch t.Kind {
	case walk.Nil:
		return nil, nil
	case walk.Bool:
		return t.Bool(), nil
	case walk.Int:
		if v, ok := t.Int(); ok {
			return v, nil
		}
		v, _ := t.Uint()
		return v, nil
	case walk.Float:
		return t.Float(), nil
	case walk.Str:
		return p.text(t)
	case walk.Bin:
		return append([]byte{}, t.Payload...), nil
	case walk.Ext:
		return p.ext(t)
	case walk.Array:
		arr := make([]any, t.N)
		for i := range arr {
			v, flaw := p.value(p.next())
			if flaw != nil {
				return nil, flaw
			}
			arr[i] = v
		}
		return arr, nil
	}
	return p.dict(t)
}

func refused(t walk.Token, what string, reason error) *Flaw {
	return &Flaw{What: what, Reason: reason, Offset: t.Offset, Wire: t.Kind}
}

// text returns the content of a str.
func (p *plain) text(t walk.Token) (any, *Flaw) {
	s := string(t.Payload)
	switch p.set.Options.UTF8 {
	case decode.AllowInvalidUTF8:
		return s, nil
	case decode.ReplaceInvalidUTF8:
		return replaced(s), nil
	}
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			flaw := refused(t, InvalidUTF8, bounds.ErrUTF8)
			flaw.Offset = p.c.Offset() - len(s) + i
			return nil, flaw
		}
	}
	return s, nil
}

// replaced returns s with U+FFFD for each invalid byte, which is how Go converts a
// string to runes.
func replaced(s string) string { return string([]rune(s)) }

func (p *plain) ext(t walk.Token) (any, *Flaw) {
	typ, content := t.Ext()
	e, known := p.set.ext(typ)
	reason := bounds.ErrTimestamp
	if known {
		reason = bounds.ErrHook
	}
	if typ == -1 {
		stamp, what := timestamp(content)
		switch {
		case what != "":
			return nil, refused(t, what, reason)
		case known:
			return stamp, nil
		case stamp.Seconds < -9223372028741760000 || stamp.Seconds > 9223371974719179007:
			return nil, refused(t, TimestampSeconds, reason)
		}
		return time.Unix(stamp.Seconds, int64(stamp.Nanoseconds)).UTC(), nil
	}
	if known {
		v, err := e.Decode(content)
		if err != nil {
			return nil, refused(t, Hook, reason)
		}
		return v, nil
	}
	return decode.Ext{Type: typ, Data: append([]byte{}, content...)}, nil
}

// timestamp returns the timestamp that content holds, or what is wrong with it.
func timestamp(content []byte) (stamp decode.Timestamp, what string) {
	switch len(content) {
	case 4:
		stamp.Seconds = int64(binary.BigEndian.Uint32(content))
	case 8:
		v := binary.BigEndian.Uint64(content)
		stamp.Seconds, stamp.Nanoseconds = int64(v%(1<<34)), uint32(v/(1<<34))
	case 12:
		stamp.Nanoseconds = binary.BigEndian.Uint32(content)
		stamp.Seconds = int64(binary.BigEndian.Uint64(content[4:]))
	default:
		return stamp, TimestampLength
	}
	if stamp.Nanoseconds >= 1e9 {
		return stamp, TimestampNanoseconds
	}
	return stamp, ""
}

// dict returns the map t, or what it stands for.
func (p *plain) dict(t walk.Token) (any, *Flaw) {
	b := builder{set: p.set, m: map[any]any{}}
	for range t.N {
		k := p.next()
		key, flaw := p.key(k)
		if flaw != nil {
			return nil, flaw
		}
		if _, twice := b.m[key]; twice && p.set.Options.DuplicateKeys == decode.RefuseDuplicates {
			return nil, refused(k, DuplicateKey, bounds.ErrDuplicateKey)
		}
		v, flaw := p.value(p.next())
		if flaw != nil {
			return nil, flaw
		}
		b.put(key, v)
	}
	v, err := b.done()
	if err != nil {
		return nil, refused(t, Hook, bounds.ErrHook)
	}
	return v, nil
}

// key returns the key t of a map, if the policy takes it.
func (p *plain) key(t walk.Token) (any, *Flaw) {
	keys := p.set.Options.MapKeys
	what := OtherKey
	switch t.Kind {
	case walk.Str:
		return p.text(t)
	case walk.Bin:
		if keys != decode.StringKeys {
			return decode.Bin(t.Payload), nil
		}
		what = BinKey
	case walk.Nil:
		if keys == decode.AnyKeys {
			return nil, nil
		}
		what = NilKey
	case walk.Bool, walk.Int:
		if keys == decode.AnyKeys {
			return p.value(t)
		}
	case walk.Float:
		if math.IsNaN(t.Float()) {
			what = NaNKey
		} else if keys == decode.AnyKeys {
			return t.Float(), nil
		}
	case walk.Ext:
		if typ, _ := t.Ext(); typ == -1 {
			what = TimestampKey
		}
	}
	return nil, refused(t, what, bounds.ErrKeyType)
}
