package walk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
)

// drain reads c to the end of its document.
func drain(c *Cursor) (int, error) {
	for {
		if _, err := c.Next(); err == io.EOF {
			return c.Offset(), nil
		} else if err != nil {
			return 0, err
		}
	}
}

type refusal struct {
	hex    string
	limits bounds.Limits
	reason error
	offset int64
	text   string // of the whole error
	eof    bool   // io.ErrUnexpectedEOF too
}

func (c refusal) doc() []byte { return hexdoc.Must(c.hex) }

// refusals: each reason with its text, the order of reasons at one header, and
// the consequences of the order.
var refusals = []refusal{
	// Each reason.
	{"", bounds.Limits{}, ErrEmpty, 0, "msgpack document ends before the document is complete (at byte 0)", true},
	{"c1", bounds.Limits{}, ErrReserved, 0, "msgpack document contains the reserved marker 0xc1 (at byte 0)", false},
	{"d9", bounds.Limits{}, ErrPrefix, 0, "msgpack document ends inside a length prefix (at byte 0)", true},
	{"91*1024 90", bounds.Limits{}, ErrMaxDepth, 1024, "msgpack document nests deeper than 1024 levels (at byte 1024)", false},
	{"a36162", bounds.Limits{}, ErrShort, 0, "msgpack document declares more bytes than the input holds (at byte 0)", true},
	{"91", bounds.Limits{}, ErrOwed, 0, "msgpack document declares more elements than the input can back (at byte 0)", true},
	{"a3616263", bounds.Limits{MaxBytes: 3}, ErrMaxBytes, 0, "msgpack document is longer than 3 bytes (at byte 0)", false},
	{"93010203", bounds.Limits{MaxItems: 3}, ErrMaxItems, 0, "msgpack document holds more than 3 items (at byte 0)", false},

	// A length field cut short, by every width.
	{"c4", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"c500", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"c6000000", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"c7", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"c800", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"c9000000", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"da00", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"db000000", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"dc00", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"dd0000", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"de00", bounds.Limits{}, ErrPrefix, 0, "", true},
	{"df000000", bounds.Limits{}, ErrPrefix, 0, "", true},

	// Payloads cut short: of fixed width, and ext with its type byte.
	{"cb 00*7", bounds.Limits{}, ErrShort, 0, "", true},
	{"ca 00*3", bounds.Limits{}, ErrShort, 0, "", true},
	{"cc", bounds.Limits{}, ErrShort, 0, "", true},
	{"d3 00*7", bounds.Limits{}, ErrShort, 0, "", true},
	{"d80500", bounds.Limits{}, ErrShort, 0, "", true},
	{"d4", bounds.Limits{}, ErrShort, 0, "", true},
	{"d405", bounds.Limits{}, ErrShort, 0, "", true},
	{"d7ff", bounds.Limits{}, ErrShort, 0, "", true},
	{"c70105", bounds.Limits{}, ErrShort, 0, "", true},
	{"c700", bounds.Limits{}, ErrShort, 0, "", true},

	// A cut container owes: non-empty input is never ErrEmpty.
	{"81a0", bounds.Limits{}, ErrOwed, 0, "", true},
	{"92dc0000", bounds.Limits{}, ErrOwed, 1, "", true},
	{"82de0000c0", bounds.Limits{}, ErrOwed, 1, "", true},
	{"95c0c0c0c0", bounds.Limits{}, ErrOwed, 0, "", true},
	{"92a161", bounds.Limits{}, ErrOwed, 1, "", true},

	// Over-claims by 32-bit counts and lengths.
	{"ddffffffff", bounds.Limits{}, ErrOwed, 0, "", false},
	{"dfffffffff", bounds.Limits{}, ErrOwed, 0, "", false},
	{"df80000000", bounds.Limits{}, ErrOwed, 0, "", false},
	{"dd02000000", bounds.Limits{}, ErrOwed, 0, "", false},
	{"dd00100000", bounds.Limits{}, ErrOwed, 0, "", true},
	{"91ddffffffff", bounds.Limits{}, ErrOwed, 1, "", false},
	{"dbffffffff", bounds.Limits{}, ErrShort, 0, "", false},
	{"c6ffffffff", bounds.Limits{}, ErrShort, 0, "", false},
	{"c9ffffffff05", bounds.Limits{}, ErrShort, 0, "", false},
	{"c9ffffffff", bounds.Limits{}, ErrShort, 0, "", false},
	{"dcffff*2000", bounds.Limits{}, ErrOwed, 0, "", true},

	// Order at one header: reserved and prefix before depth, depth before bytes
	// and items, bytes before items, structure before MaxBytes and MaxItems.
	{"91c1", bounds.Limits{MaxDepth: 1}, ErrReserved, 1, "", false},
	{"91dc00", bounds.Limits{MaxDepth: 1}, ErrPrefix, 1, "", true},
	{"9191", bounds.Limits{MaxDepth: 1}, ErrMaxDepth, 1, "", false},
	{"91ddffffffff", bounds.Limits{MaxDepth: 1}, ErrMaxDepth, 1, "", false},
	{"9190", bounds.Limits{MaxDepth: 1}, ErrMaxDepth, 1, "", false},
	{"81a080", bounds.Limits{MaxDepth: 1}, ErrMaxDepth, 2, "", false},
	{"92a5", bounds.Limits{}, ErrOwed, 0, "", true},
	{"92a5c0", bounds.Limits{}, ErrShort, 1, "", true},
	{"92c0a5", bounds.Limits{}, ErrShort, 2, "", true},
	{"93c0", bounds.Limits{MaxBytes: 1, MaxItems: 1}, ErrOwed, 0, "", false},
	{"93c0c0c0", bounds.Limits{MaxBytes: 3, MaxItems: 3}, ErrMaxBytes, 0, "", false},
	{"92c093c0c0c0", bounds.Limits{MaxItems: 5}, ErrMaxItems, 2, "", false},
	{"92c0a3616263", bounds.Limits{MaxBytes: 5}, ErrMaxBytes, 2, "", false},

	// io.ErrUnexpectedEOF only while more bytes could help.
	{"d905616263", bounds.Limits{MaxBytes: 7}, ErrShort, 0, "", true},
	{"d905616263", bounds.Limits{MaxBytes: 6}, ErrShort, 0, "", false},
	{"93c0", bounds.Limits{MaxItems: 4}, ErrOwed, 0, "", true},
	{"93c0", bounds.Limits{MaxItems: 3}, ErrOwed, 0, "", false},
	{"92c0dc00", bounds.Limits{MaxBytes: 5}, ErrPrefix, 2, "", true},
	{"92c0dc00", bounds.Limits{MaxBytes: 4}, ErrPrefix, 2, "", false},

	// Depth counts containers however many items they hold.
	{"91*10000000 c0", bounds.Limits{}, ErrMaxDepth, 1024, "", false},
	{"81a161*3000000 c0", bounds.Limits{}, ErrMaxDepth, 3072, "", false},
}

func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		doc := c.doc()
		for _, on := range []bool{true, false} {
			restore := tier.Set(tier.WalkInline, on)
			err := Check(doc, c.limits)
			restore()
			var e *bounds.Error
			if !errors.As(err, &e) || e.Reason != c.reason || e.Offset != c.offset {
				t.Errorf("Check(%.40s, %+v) = %v, want %v at %d", c.hex, c.limits, err, c.reason, c.offset)
				continue
			}
			if c.text != "" && err.Error() != c.text {
				t.Errorf("Check(%.40s): text %q, want %q", c.hex, err, c.text)
			}
			if got := errors.Is(err, io.ErrUnexpectedEOF); got != c.eof {
				t.Errorf("Check(%.40s, %+v): io.ErrUnexpectedEOF is %v, want %v", c.hex, c.limits, got, c.eof)
			}
			if n, err := Len(doc, c.limits); n != 0 || !errors.Is(err, c.reason) {
				t.Errorf("Len(%.40s) = %d, %v, want 0, %v", c.hex, n, err, c.reason)
			}
		}
		if len(doc) < 10000 {
			agree(t, doc, c.limits)
		}
	}
}

func TestRefusalNeed(t *testing.T) {
	for _, c := range []struct {
		hex         string
		limits      bounds.Limits
		limit, need uint64
	}{
		{"", bounds.Limits{}, 0, 1},
		{"da00", bounds.Limits{}, 2, 3},
		{"92da00", bounds.Limits{}, 3, 5},
		{"a36162", bounds.Limits{}, 3, 4},
		{"dd00100000", bounds.Limits{}, 5, 5 + 1<<20},
		{"dfffffffff", bounds.Limits{}, 5, 5 + 2*(1<<32-1)},
		{"c9ffffffff05", bounds.Limits{}, 6, 5 + 1<<32},
		{"91*4 c0", bounds.Limits{MaxDepth: 3}, 3, 4},
		{"a3616263", bounds.Limits{MaxBytes: 3}, 3, 4},
		{"92c093c0c0c0", bounds.Limits{MaxItems: 5}, 5, 6},
		// Claims far beyond, with a payload before what is owed, and with both.
		{"dd00100000 c0*1048576", bounds.Limits{MaxItems: 10}, 10, 1 + 1<<20},
		{"92 df00008000 c0*65537", bounds.Limits{MaxItems: 10}, 10, 3 + 1<<16},
		{"92a3616263", bounds.Limits{}, 5, 6},
		{"92 92 d903616263", bounds.Limits{}, 7, 9},
		{"92a3616263c0", bounds.Limits{MaxBytes: 4}, 4, 6},
		{"95 92 d903616263 c0*5", bounds.Limits{MaxBytes: 8}, 8, 12},
		{"93 c0 da0100 61*256 c0", bounds.Limits{MaxBytes: 100}, 100, 262},
		{"93 c0 dc0100 c0*300", bounds.Limits{MaxBytes: 100}, 100, 262},
	} {
		var e *bounds.Error
		err := Check(hexdoc.Must(c.hex), c.limits)
		if !errors.As(err, &e) || e.Limit != c.limit || e.Need != c.need {
			t.Errorf("Check(%s, %+v) = %#v, want Limit %d, Need %d", c.hex, c.limits, err, c.limit, c.need)
		}
	}
}

func TestLen(t *testing.T) {
	for _, c := range []struct {
		hex    string
		limits bounds.Limits
		end    int
	}{
		{"c0", bounds.Limits{}, 1},
		{"c0c1ff", bounds.Limits{}, 1},
		{"91*1024 c0", bounds.Limits{}, 1025},
		{"91*1023 90", bounds.Limits{}, 1024},
		{"81a0*1024 c0", bounds.Limits{}, 2049},
		{"c0 00*100", bounds.Limits{MaxBytes: 1}, 1},
		{"a3616263", bounds.Limits{MaxBytes: 4}, 4},
		{"93010203", bounds.Limits{MaxItems: 4}, 4},
		{"d905 61*5", bounds.Limits{}, 7},
		{"c70005", bounds.Limits{}, 3},
		{"c9000000026061 62", bounds.Limits{}, 8},
		{"92dc0000dd00000000", bounds.Limits{}, 9},
		{"cfffffffffffffffff", bounds.Limits{}, 9},
		{"92a3616263a0", bounds.Limits{MaxDepth: 1}, 6},
	} {
		doc := hexdoc.Must(c.hex)
		if n, err := Len(doc, c.limits); n != c.end || err != nil {
			t.Errorf("Len(%s, %+v) = %d, %v, want %d", c.hex, c.limits, n, err, c.end)
		}
		agree(t, doc, c.limits)
	}
}

func TestDepthExact(t *testing.T) {
	for _, open := range []string{"91", "81a0"} {
		width := len(open) / 2
		for _, leaf := range []string{"c0", "90", "80"} {
			for limit := 1; limit <= 40; limit++ {
				// A container as the leaf is one more level.
				levels := limit
				if leaf != "c0" {
					levels--
				}
				l := bounds.Limits{MaxDepth: limit}
				doc := hexdoc.Must(fmt.Sprintf("%s*%d %s", open, levels, leaf))
				if n, err := Len(doc, l); n != len(doc) || err != nil {
					t.Errorf("%s at depth %d: Len = %d, %v", open, limit, n, err)
				}
				doc = hexdoc.Must(fmt.Sprintf("%s*%d %s", open, levels+1, leaf))
				err := Check(doc, l)
				if off, _ := bounds.OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != int64(limit*width) {
					t.Errorf("%s one past depth %d: %v, want ErrMaxDepth at %d", open, limit, err, limit*width)
				}
			}
		}
	}
}

// nested returns an array of a levels and one of b levels, each around nil.
func nested(a, b int) []byte {
	return hexdoc.Must(fmt.Sprintf("92 91*%d c0 91*%d c0", a, b))
}

func TestSiblingsAfterSpill(t *testing.T) {
	for a := range 11 {
		for b := range 11 {
			doc := nested(a, b)
			limit := 1 + max(a, b)
			for _, l := range []bounds.Limits{{MaxDepth: limit}, {MaxDepth: max(1, limit-1)}} {
				agree(t, doc, l)
			}
			if n, err := Len(doc, bounds.Limits{MaxDepth: limit}); n != len(doc) || err != nil {
				t.Errorf("siblings of %d and %d levels: Len = %d, %v", a, b, n, err)
			}
			// The second is measured as if the first had not been there.
			if b > a {
				err := Check(doc, bounds.Limits{MaxDepth: b})
				if off, _ := bounds.OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != int64(1+a+1+b-1) {
					t.Errorf("siblings of %d and %d levels at depth %d: %v", a, b, b, err)
				}
			}
		}
	}
}

// sample is one document that holds every format.
var sample = hexdoc.Must("de000d a0c0 a161c2 a162c3 a16305 a164ff a165cc80 a166cd0100 a167ce00010000 a168d080" +
	"a16993ca00000000cb0000000000000000d9 03616263 a16a98d10080d200000001d30000000000000001cf0000000000000001" +
	"c40161c5000161c60000000161da000161 a16b 97 db0000000161 d40500 d5050000 d60500000000 d7ff0000000000000001 d805 00*16 c70205 0000" +
	"a16c92 c800010500 c90000000105 00")

func TestPrefixesRefused(t *testing.T) {
	if n, err := Len(sample, bounds.Limits{}); n != len(sample) || err != nil {
		t.Fatalf("the sample: Len = %d of %d, %v", n, len(sample), err)
	}
	for n := range sample {
		err := Check(sample[:n], bounds.Limits{})
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("prefix of %d bytes: %v, want a refusal that more bytes could mend", n, err)
		}
		agree(t, sample[:n], bounds.Limits{})
	}
	if err := Valid(sample, bounds.Limits{}); err != nil {
		t.Errorf("Valid: %v", err)
	}
}

func TestValid(t *testing.T) {
	for _, c := range []struct {
		hex    string
		reason error
		offset int64
	}{
		{"0102", ErrTrailing, 1},
		{"c0c1ff", ErrTrailing, 1},
		{"a2fffe", ErrUTF8, 1},
		{"81a1ff01", ErrUTF8, 2},
		{"a3eda080", ErrUTF8, 1},
		{"a1e2", ErrUTF8, 1},
		{"a461e28261", ErrUTF8, 2},
		{"a4f4908080", ErrUTF8, 1},
		{"a2c080", ErrUTF8, 1},
		{"d9036162ff", ErrUTF8, 4},
		{"da0002c328", ErrUTF8, 3},
		{"a4efbfbdff", ErrUTF8, 4}, // behind a genuine U+FFFD
		{"db0000000161a1ff", ErrTrailing, 6},
		{"92a161c1", ErrReserved, 3},
		{"92a1ffc1", ErrReserved, 3}, // structure outranks meaning
		{"a1ff00", ErrUTF8, 1},       // the lowest offset of a meaning error
		{"92c0", ErrOwed, 0},
	} {
		err := Valid(hexdoc.Must(c.hex), bounds.Limits{})
		if off, ok := bounds.OffsetOf(err); !errors.Is(err, c.reason) || !ok || off != c.offset {
			t.Errorf("Valid(%s) = %v, want %v at %d", c.hex, err, c.reason, c.offset)
		}
	}
	for _, hex := range []string{"c0", "a2c3a9", "c402fffe", "c70205fffe", "93a0a1617f", "a4f48fbfbf", "a3ee8080"} {
		if err := Valid(hexdoc.Must(hex), bounds.Limits{}); err != nil {
			t.Errorf("Valid(%s) = %v", hex, err)
		}
	}
}

func TestLimitsOutOfRange(t *testing.T) {
	for _, l := range []bounds.Limits{{MaxDepth: -1}, {MaxDepth: 65536}, {MaxBytes: -1}, {MaxItems: math.MinInt}} {
		for name, err := range map[string]error{
			"Check": Check(nil, l),
			"Valid": Valid(nil, l),
			"Len":   func() error { _, err := Len(nil, l); return err }(),
			"Cursor": func() error {
				_, err := NewCursor(nil, l)
				return err
			}(),
		} {
			if !errors.Is(err, ErrOptions) || errors.Is(err, ErrEmpty) {
				t.Errorf("%s with %+v: %v, want ErrOptions", name, l, err)
			}
		}
	}
	deepest := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	doc := hexdoc.Must("91*65535 c0")
	if n, err := Len(doc, deepest); n != len(doc) || err != nil {
		t.Errorf("65,535 levels: Len = %d, %v", n, err)
	}
	err := Check(hexdoc.Must("91*65536 c0"), deepest)
	if off, _ := bounds.OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != 65535 {
		t.Errorf("65,536 levels: %v", err)
	}
}

// TestInlineRuns proves that the inline shortcut reads the headers it is for, and
// none when it is off.
func TestInlineRuns(t *testing.T) {
	doc := hexdoc.Must("95 01 a161 92c0cb0000000000000000 d90161 81a000")
	n := tier.Counted(tier.WalkInline, func() {
		if err := Check(doc, bounds.Limits{}); err != nil {
			t.Error(err)
		}
	})
	if n != 10 {
		t.Errorf("the inline shortcut read %d of 10 headers", n)
	}
	defer tier.Set(tier.WalkInline, false)()
	n = tier.Counted(tier.WalkInline, func() {
		if err := Check(doc, bounds.Limits{}); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("switched off, the shortcut read %d headers", n)
	}
}

func TestSkipRecursesNowhere(t *testing.T) {
	doc := append(bytes.Repeat([]byte{0x91}, bounds.CeilingMaxDepth), 0xc0)
	l := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth}
	c, err := NewCursor(doc, l)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := c.Raw()
	if err != nil || len(raw) != len(doc) {
		t.Errorf("Raw = %d bytes, %v, want %d", len(raw), err, len(doc))
	}
}
