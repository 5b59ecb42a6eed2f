package envelope

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// TestRefusedLayouts names the offset of what is refused. @ stands for an acceptable
// block, # for a checksum, = for a size and % for a format, those of the empty payload.
func TestRefusedLayouts(t *testing.T) {
	fill := strings.NewReplacer("@", "c40100", "#", "982d06cc800538ccd3cc94ccc2", "=", "00", "%", "a0", "K", "af636f6d707265737365645f64617461")
	for _, test := range []struct {
		hex    string
		reason error
		offset int64
	}{
		{"94 @ # = %", nil, 0},
		{"", ErrScan, 0},
		{"c1", ErrScan, 0},
		{"93 @ # =", ErrLayout, 0},
		{"95 @ # = % c0", ErrLayout, 0},
		{"90", ErrLayout, 0},
		{"dc0003 @ # =", ErrLayout, 0},
		{"dd00000005 @ # = % c0", ErrLayout, 0},
		{"95 @ # = %", ErrScan, 15},
		{"dcffff @ # = %", ErrScan, 0},
		{"ddffffffff @ # = %", ErrScan, 0},
		{"dfffffffff @ # = %", ErrScan, 0},
		{"94 c6ffffffff 00 # = %", ErrScan, 1},
		{"94 c5ffff 00 # = %", ErrScan, 1},
		{"94 c4ff 00 # = %", ErrScan, 1},
		{"c0", ErrLayout, 0},
		{"07", ErrLayout, 0},
		{"c40100", ErrLayout, 0},
		{"a100", ErrLayout, 0},
		{"c3", ErrLayout, 0},
		{"cb0000000000000000", ErrLayout, 0},
		{"d40500", ErrLayout, 0},
		// The block.
		{"94 a100 # = %", nil, 0},
		{"94 9100 # = %", nil, 0},
		{"94 c0 # = %", ErrLayout, 1},
		{"94 00 # = %", ErrLayout, 1},
		{"94 c2 # = %", ErrLayout, 1},
		{"94 80 # = %", ErrLayout, 1},
		{"94 d40500 # = %", ErrLayout, 1},
		{"94 cb0000000000000000 # = %", ErrLayout, 1},
		{"94 91cd0100 # = %", ErrLayout, 2},
		{"94 92ccffcd0168 # = %", ErrLayout, 4},
		{"94 91ff # = %", ErrLayout, 2},
		{"94 91d080 # = %", ErrLayout, 2},
		{"94 91d3ffffffffffffffff # = %", ErrLayout, 2},
		{"94 91cf0000000100000000 # = %", ErrLayout, 2},
		{"94 91cfffffffffffffffff # = %", ErrLayout, 2},
		{"94 91ca00000000 # = %", ErrLayout, 2},
		{"94 91c2 # = %", ErrLayout, 2},
		{"94 91c0 # = %", ErrLayout, 2},
		{"94 9190 # = %", ErrLayout, 2},
		{"94 91a100 # = %", ErrLayout, 2},
		{"94 91c40100 # = %", ErrLayout, 2},
		{"94 dc0002 00 d40100 # = %", ErrLayout, 5},
		// The checksum.
		{"94 @ c4082d06800538d394c2 = %", nil, 0},
		{"94 @ c4092d06800538d394c2ff = %", nil, 0},
		{"94 @ c4072d06800538d394 = %", ErrLayout, 4},
		{"94 @ a82d06001538131412 = %", ErrLayout, 4},
		{"94 @ 972d06cc800538ccd3cc94 = %", ErrLayout, 4},
		{"94 @ 992d06cc800538ccd3cc94ccc200 = %", ErrLayout, 4},
		{"94 @ 00 = %", ErrLayout, 4},
		{"94 @ c0 = %", ErrLayout, 4},
		{"94 @ 982d06cc800538ccd3cc94cd01c2 = %", ErrLayout, 15},
		{"94 @ 982d06d0800538ccd3cc94ccc2 = %", ErrLayout, 7},
		{"94 @ 98d02d06cc800538ccd3cc94ccc2 = %", nil, 0},
		{"94 @ 98e006cc800538ccd3cc94ccc2 = %", ErrLayout, 5},
		{"94 @ 98c006cc800538ccd3cc94ccc2 = %", ErrLayout, 5},
		// The size.
		{"94 @ # cf00000000ffffffff %", ErrTooLarge, 0},
		{"94 @ # cf0000000100000000 %", ErrLayout, 17},
		{"94 @ # cfffffffffffffffff %", ErrLayout, 17},
		{"94 @ # d3ffffffffffffffff %", ErrLayout, 17},
		{"94 @ # ff %", ErrLayout, 17},
		{"94 @ # d080 %", ErrLayout, 17},
		{"94 @ # d000 %", nil, 0},
		{"94 @ # ca00000000 %", ErrLayout, 17},
		{"94 @ # cb0000000000000000 %", ErrLayout, 17},
		{"94 @ # c0 %", ErrLayout, 17},
		{"94 @ # a0 %", ErrLayout, 17},
		{"94 @ # 90 %", ErrLayout, 17},
		// The format.
		{"94 @ # = c400", nil, 0},
		{"94 @ # = a1ff", ErrLayout, 18},
		{"94 @ # = d903eda080", ErrLayout, 18},
		{"94 @ # = c401c3", ErrLayout, 18},
		{"94 @ # = c0", ErrLayout, 18},
		{"94 @ # = 07", ErrLayout, 18},
		{"94 @ # = 90", ErrLayout, 18},
		{"94 @ # = d40561", ErrLayout, 18},
		// The map form.
		{"84 00@ 01# 02= 03%", nil, 0},
		{"80", ErrLayout, 0},
		{"83 00@ 01# 02=", ErrLayout, 0},
		{"83 00@ 01# 03%", ErrLayout, 0},
		{"83 00@ 02= 03%", ErrLayout, 0},
		{"83 01# 02= 03%", ErrLayout, 0},
		{"85 00@ 00@ 01# 02= 03%", ErrLayout, 5},
		{"85 00@ K@ 01# 02= 03%", ErrLayout, 5},
		{"85 00@ 01# 02= 03% cc02 =", ErrLayout, 23},
		{"85 00@ 01# 02= 03% 03%", ErrLayout, 23},
		{"85 00@ 01# 01# 02= 03%", ErrLayout, 19},
		{"85 ff00 00@ 01# 02= 03%", ErrLayout, 1},
		{"84 d000@ 01# 02= 03%", ErrLayout, 1},
		{"84 d10000@ 01# 02= 03%", ErrLayout, 1},
		{"84 d200000000@ 01# 02= 03%", ErrLayout, 1},
		{"84 d30000000000000000@ 01# 02= 03%", ErrLayout, 1},
		{"85 c000 00@ 01# 02= 03%", ErrLayout, 1},
		{"85 c200 00@ 01# 02= 03%", ErrLayout, 1},
		{"85 ca0000000000 00@ 01# 02= 03%", ErrLayout, 1},
		{"85 9000 00@ 01# 02= 03%", ErrLayout, 1},
		{"85 8000 00@ 01# 02= 03%", ErrLayout, 1},
		{"85 d4050000 00@ 01# 02= 03%", ErrLayout, 1},
		{"85 a178 91*99 c0 00@ 01# 02= 03%", nil, 0},
		{"85 a178 91*98 90 00@ 01# 02= 03%", nil, 0},
		{"85 a178 91*100 c0 00@ 01# 02= 03%", ErrScan, 102},
		{"85 a178 91*99 90 00@ 01# 02= 03%", ErrScan, 102},
		{"85 a178 81a0*100 c0 00@ 01# 02= 03%", ErrScan, 201},
		{"85 a178 c1 00@ 01# 02= 03%", ErrScan, 3},
		{"94 91*99 90 # = %", ErrScan, 100},
		{"94 91*98 90 # = %", ErrLayout, 2},
		// A late flaw of the structure outranks an early one of the layout.
		{"94 c0 # = c1", ErrScan, 16},
		{"93 @ # c1", ErrScan, 17},
	} {
		env := hexdoc.Must(fill.Replace(test.hex))
		each(t, func(t *testing.T) {
			_, _, err := Open(env)
			is(t, test.hex, err, test.reason)
			if offset, ok := bounds.OffsetOf(err); offset != test.offset || ok != (test.reason == ErrScan || test.reason == ErrLayout) {
				t.Errorf("%s: %v, want it at byte %d", test.hex, err, test.offset)
			}
		})
	}
}

// TestScanHoldsTheWalk: the reason and what more bytes could do is still there.
func TestScanHoldsTheWalk(t *testing.T) {
	_, _, err := Open(hexdoc.Must("85 a178 91*100 c0"))
	if !errors.Is(err, bounds.ErrOwed) || errors.Is(err, bounds.ErrLimit) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	_, _, err = Open(hexdoc.Must("91*100 90"))
	e, ok := errors.AsType[*bounds.Error](err)
	if !ok || e.Reason != bounds.ErrMaxDepth || e.Limit != 100 || !errors.Is(err, bounds.ErrLimit) {
		t.Errorf("got %v", err)
	}
	if want := "envelope: deserialization failed: decode pre-scan: msgpack document nests deeper than 100 levels (at byte 100)"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

// TestOrder breaks two checks at once: the earlier is the reason.
func TestOrder(t *testing.T) {
	const hello = "hello, cachekit!"
	block, right, wrong := literals(hello), sum(hello), sum("hello")
	bad := "\x11a" // a block that announces a match and ends
	for _, test := range []struct {
		name, env string
		reason    error
	}{
		{"right", made(block, right, 16, "msgpack"), nil},
		{"size too large, block empty", made("", right, 512<<20+1, ""), ErrTooLarge},
		{"size too large, ratio too high", made("\x00", right, 512<<20+1, ""), ErrTooLarge},
		{"size beyond 32 bits, block empty", made("", right, 1<<32, ""), ErrLayout},
		{"size at the cap, ratio too high", made("\x00", right, 512<<20, ""), ErrBomb},
		{"block empty, size 0", made("", sum(""), 0, ""), ErrBomb},
		{"block empty, checksum wrong", made("", wrong, 1, ""), ErrBomb},
		{"ratio 1000 and 1, no block", made(bad, wrong, 2001, ""), ErrBomb},
		{"ratio 1000, no block", made(bad, wrong, 2000, ""), ErrDecompress},
		{"no block, checksum wrong, size wrong", made(bad, wrong, 17, ""), ErrDecompress},
		{"longer than declared, checksum right", made(block, right, 15, ""), ErrDecompress},
		{"longer than declared: 0", made(block, sum(""), 0, ""), ErrDecompress},
		{"checksum wrong, size right", made(block, wrong, 16, ""), ErrChecksum},
		{"checksum wrong, size wrong", made(block, wrong, 17, ""), ErrChecksum},
		{"checksum of what is declared", made(block, sum(hello+"\x00"), 17, ""), ErrChecksum},
		{"checksum right, size wrong", made(block, right, 17, ""), ErrSize},
		{"checksum right, size much too large", made(block, right, 16999, ""), ErrSize},
		{"empty block, size wrong", made("\x00", sum(""), 1, ""), ErrSize},
	} {
		each(t, func(t *testing.T) {
			_, _, err := Open([]byte(test.env))
			is(t, test.name, err, test.reason)
			// More room than declared changes nothing.
			_, _, err = OpenAppend(make([]byte, 0, 1000), []byte(test.env))
			is(t, test.name, err, test.reason)
		})
	}
}

// TestErrorTexts pins the words of CacheKit, the numbers, and that nothing of the input
// is in them.
func TestErrorTexts(t *testing.T) {
	const hello = "hello, cachekit!"
	block := literals(hello)
	for _, test := range []struct {
		env  string
		want string
		e    Error
	}{
		{made(block, sum(hello), 512<<20+1, ""), "envelope: input exceeds maximum size: payload above 536870912 bytes", Error{Limit: 512 << 20, Need: 512<<20 + 1}},
		{made("", sum(hello), 5, ""), "envelope: decompression ratio exceeds safety limit: at most 0 bytes, 5 declared", Error{Need: 5}},
		{made("\x00", sum(hello), 1001, ""), "envelope: decompression ratio exceeds safety limit: at most 1000 bytes, 1001 declared", Error{Limit: 1000, Need: 1001}},
		{made(block[1:], sum(hello), 16, ""), "envelope: decompression failed", Error{}},
		{made(block, sum("x"), 16, ""), "envelope: integrity check failed", Error{}},
		{made(block, sum(hello), 17, ""), "envelope: size validation failed: 16 bytes, 17 declared", Error{Limit: 16, Need: 17}},
		{"\x93\x00\x00\x00", "envelope: deserialization failed: an array that has not 4 elements (at byte 0)", Error{}},
		{"\x80", "envelope: deserialization failed: missing field compressed_data (at byte 0)", Error{}},
	} {
		_, _, err := Open([]byte(test.env))
		e, ok := errors.AsType[*Error](err)
		if !ok || err.Error() != test.want || e.Limit != test.e.Limit || e.Need != test.e.Need {
			t.Errorf("got %v, %+v, want %v", err, e, test.want)
		}
	}
	for reason, limit := range map[error]bool{ErrTooLarge: true, ErrBomb: true, ErrScan: false, ErrLayout: false, ErrDecompress: false, ErrChecksum: false, ErrSize: false} {
		if errors.Is(&Error{Reason: reason}, bounds.ErrLimit) != limit {
			t.Errorf("%v: ErrLimit is not %v", reason, limit)
		}
	}
}

// TestBlocks pins what the LZ4 decoder makes of blocks that no compressor writes.
func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		name, block, payload string
		size                 uint64
		reason               error
	}{
		{"nothing", "\x00", "", 0, nil},
		{"nothing twice", "\x00\x00", "", 0, ErrDecompress},
		{"one literal", "\x10a", "a", 1, nil},
		{"a match that is not there", "\x11a", "a", 1, ErrDecompress},
		{"ends with a match", "\x10a\x01\x00", "aaaaa", 5, nil},
		{"ends with a match and nothing", "\x10a\x01\x00\x00", "aaaaa", 5, nil},
		{"offset 0", "\x10a\x00\x00\x00", "aaaaa", 5, ErrDecompress},
		{"offset before the start", "\x10a\x02\x00\x00", "aaaaa", 5, ErrDecompress},
		{"half an offset", "\x10a\x01", "aaaaa", 5, ErrDecompress},
		{"match beyond the end", "\x11a\x01\x00\x00", "aaaaaa", 5, ErrDecompress},
		{"literals cut", "\x30ab", "abc", 3, ErrDecompress},
		{"length cut", "\xf0", "abc", 3, ErrDecompress},
		{"length that never ends", "\xf0" + strings.Repeat("\xff", 1000), "abc", 3, ErrDecompress},
		{"match length that never ends", "\x1fa\x01\x00" + strings.Repeat("\xff", 1000), "abc", 3, ErrDecompress},
		{"a longer token for 15 literals", "\xf0\x00123456789012345", "123456789012345", 15, nil},
	} {
		each(t, func(t *testing.T) {
			payload, _, err := Open([]byte(made(test.block, sum(test.payload), test.size, "")))
			is(t, test.name, err, test.reason)
			if err == nil && (string(payload) != test.payload || payload == nil) {
				t.Errorf("%s: got %q, want %q", test.name, payload, test.payload)
			}
		})
	}
}

// TestBombs are blocks that decode to as much as LZ4 can, and declare less, that and more.
func TestBombs(t *testing.T) {
	for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 10 << 20} {
		payload := strings.Repeat("\x00", n)
		// One literal, and a match of the rest in one length.
		rest := n - 1 - 5 - 4 - 15
		block := "\x1f\x00\x01\x00" + strings.Repeat("\xff", rest/255) + string([]byte{byte(rest % 255)}) + "\x50\x00\x00\x00\x00\x00"
		for _, test := range []struct {
			size   uint64
			reason error
		}{
			{uint64(n), nil},
			{uint64(n) - 1, ErrDecompress},
			{uint64(n) + 1, ErrSize},
			{0, ErrDecompress},
			{uint64(1000 * len(block)), ErrSize},
			{uint64(1000*len(block)) + 1, ErrBomb},
		} {
			if test.size > 64<<20 && testing.Short() {
				continue
			}
			got, _, err := Open([]byte(made(block, sum(payload), test.size, "")))
			is(t, fmt.Sprintf("%d declared, %d in a block of %d", test.size, n, len(block)), err, test.reason)
			if err == nil && string(got) != payload {
				t.Errorf("%d: other bytes", n)
			}
		}
		// A reader with lower limits.
		for _, test := range []struct {
			o      Options
			reason error
		}{
			{Options{MaxPayload: n}, nil},
			{Options{MaxPayload: n - 1}, ErrTooLarge},
			{Options{MaxRatio: n/len(block) + 1}, nil},
			{Options{MaxRatio: n / len(block)}, ErrBomb},
			{Options{MaxRatio: 1}, ErrBomb},
			{Options{MaxPayload: n - 1, MaxRatio: 1}, ErrTooLarge},
		} {
			is(t, fmt.Sprintf("%+v", test.o), errOf(test.o.Must().OpenData([]byte(made(block, sum(payload), uint64(n), "")))), test.reason)
		}
	}
}

func errOf(_ []byte, err error) error { return err }
