package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/walk"
)

// mapping has a row for every line of the help's table. key is what the value is
// as the key of a map.
var mapping = []struct{ name, hex, value, key string }{
	{"nil", "c0", `null`, `"null"`},
	{"false", "c2", `false`, `"false"`},
	{"true", "c3", `true`, `"true"`},
	{"fixint", "07", `7`, `"7"`},
	{"negative fixint", "e0", `-32`, `"-32"`},
	{"uint 8", "cc ff", `255`, `"255"`},
	{"uint 16", "cd ffff", `65535`, `"65535"`},
	{"uint 32", "ce ffffffff", `4294967295`, `"4294967295"`},
	{"uint 64", "cf ff*8", `18446744073709551615`, `"18446744073709551615"`},
	{"uint 64 small", "cf 00*7 01", `1`, `"1"`},
	{"int 8", "d0 80", `-128`, `"-128"`},
	{"int 16", "d1 8000", `-32768`, `"-32768"`},
	{"int 32", "d2 80000000", `-2147483648`, `"-2147483648"`},
	{"int 64", "d3 80 00*7", `-9223372036854775808`, `"-9223372036854775808"`},
	{"int 64 positive", "d3 7f ff*7", `9223372036854775807`, `"9223372036854775807"`},
	{"float 32", "ca 3dcccccd", `0.10000000149011612`, `"0.10000000149011612"`},
	{"float 64", "cb 3fb999999999999a", `0.1`, `"0.1"`},
	{"float whole", "cb 4008 00*6", `3.0`, `"3.0"`},
	{"float zero", "cb 00*8", `0.0`, `"0.0"`},
	{"float negative zero", "cb 80 00*7", `-0.0`, `"-0.0"`},
	{"float million", "ca 49742400", `1000000.0`, `"1000000.0"`},
	{"float 1e20", "cb 4415af1d78b58c40", `100000000000000000000.0`, `"100000000000000000000.0"`},
	{"float 1e21", "cb 444b1ae4d6e2ef50", `1e+21`, `"1e+21"`},
	{"float 1e-6", "cb 3eb0c6f7a0b5ed8d", `0.000001`, `"0.000001"`},
	{"float 1e-7", "cb 3e7ad7f29abcaf48", `1e-07`, `"1e-07"`},
	{"float largest", "cb 7fef ff*6", `1.7976931348623157e+308`, `"1.7976931348623157e+308"`},
	{"float smallest", "cb 00*7 01", `5e-324`, `"5e-324"`},
	{"NaN", "cb 7ff8000000000001", `"NaN"`, `"NaN"`},
	{"NaN 32", "ca 7fc00000", `"NaN"`, `"NaN"`},
	{"Infinity", "cb 7ff0 00*6", `"Infinity"`, `"Infinity"`},
	{"-Infinity", "ca ff800000", `"-Infinity"`, `"-Infinity"`},
	{"str empty", "a0", `""`, `""`},
	{"fixstr", "a3 616263", `"abc"`, `"abc"`},
	{"str 8", "d903 616263", `"abc"`, `"abc"`},
	{"str 16", "da0003 616263", `"abc"`, `"abc"`},
	{"str 32", "db00000003 616263", `"abc"`, `"abc"`},
	{"str marks", "a7 225c2f3c3e2627", `"\"\\/<>&'"`, `"\"\\/<>&'"`},
	{"str controls", "a8 00 07 08 09 0a 0d 1b 1f", `"\u0000\u0007\u0008\t\n\r\u001b\u001f"`, `"\u0000\u0007\u0008\t\n\r\u001b\u001f"`},
	{"str DEL, C1", "a7 7f c280 c29b c29f", `"\u007f\u0080\u009b\u009f"`, `"\u007f\u0080\u009b\u009f"`},
	{"str line ends", "a8 e280a8 e280a9 c2a0", `"\u2028\u2029` + "\u00a0\"", `"\u2028\u2029` + "\u00a0\""},
	{"str direction", "b7 d89c e2808e e2808f e280aa e280ae e281a6 e281a7 e281a9", `"\u061c\u200e\u200f\u202a\u202e\u2066\u2067\u2069"`, `"\u061c\u200e\u200f\u202a\u202e\u2066\u2067\u2069"`},
	{"str beside them", "b5 c2a0 d89b d89d e2808d e28090 e280a7 e280af e281a5", "\"\u00a0\u061b\u061d\u200d\u2010\u2027\u202f\u2065\"", "\"\u00a0\u061b\u061d\u200d\u2010\u2027\u202f\u2065\""},
	{"str wide", "aa c3a9 e282ac f09f9880 61", "\"é€\U0001f600a\"", "\"é€\U0001f600a\""},
	{"bin empty", "c400", `""`, `""`},
	{"bin 8", "c401 00", `"AA=="`, `"AA=="`},
	{"bin 16", "c50003 fbefff", `"++//"`, `"++//"`},
	{"bin 32", "c600000002 fbef", `"++8="`, `"++8="`},
	{"timestamp 32", "d6ff 00000001", `"1970-01-01T00:00:01Z"`, `"1970-01-01T00:00:01Z"`},
	{"timestamp 32 last", "d6ff ffffffff", `"2106-02-07T06:28:15Z"`, `"2106-02-07T06:28:15Z"`},
	{"timestamp 64", "d7ff 773594000000 0000", `"1970-01-01T00:00:00.5Z"`, `"1970-01-01T00:00:00.5Z"`},
	{"timestamp 64 full", "d7ff ee6b27ff ffffffff", `"2514-05-30T01:53:03.999999999Z"`, `"2514-05-30T01:53:03.999999999Z"`},
	{"timestamp 96", "c70cff 00000001 ff*8", `"1969-12-31T23:59:59.000000001Z"`, `"1969-12-31T23:59:59.000000001Z"`},
	{"timestamp first", "c70cff 00000000 fffffff1868b8400", `"0000-01-01T00:00:00Z"`, `"0000-01-01T00:00:00Z"`},
	{"timestamp before", "c70cff 00000000 fffffff1868b83ff", `{"timestamp":[-62167219201,0]}`, `"{\"timestamp\":[-62167219201,0]}"`},
	{"timestamp last", "c70cff 3b9ac9ff 0000003afff4417f", `"9999-12-31T23:59:59.999999999Z"`, `"9999-12-31T23:59:59.999999999Z"`},
	{"timestamp after", "c70cff 00000000 0000003afff44180", `{"timestamp":[253402300800,0]}`, `"{\"timestamp\":[253402300800,0]}"`},
	{"timestamp no time", "c70cff 00000007 7f ff*7", `{"timestamp":[9223372036854775807,7]}`, `"{\"timestamp\":[9223372036854775807,7]}"`},
	{"timestamp nanoseconds", "c70cff 3b9aca00 00*8", `{"ext":[-1,"O5rKAAAAAAAAAAAA"]}`, `"{\"ext\":[-1,\"O5rKAAAAAAAAAAAA\"]}"`},
	{"timestamp length", "d4ff 00", `{"ext":[-1,"AA=="]}`, `"{\"ext\":[-1,\"AA==\"]}"`},
	{"ext", "c70305 000102", `{"ext":[5,"AAEC"]}`, `"{\"ext\":[5,\"AAEC\"]}"`},
	{"ext empty", "c70080", `{"ext":[-128,""]}`, `"{\"ext\":[-128,\"\"]}"`},
	{"fixext", "d57f fbef", `{"ext":[127,"++8="]}`, `"{\"ext\":[127,\"++8=\"]}"`},
	{"array empty", "90", `[]`, `"[array at byte 1]"`},
	{"array", "93 01 92 c0 90 80", `[1,[null,[]],{}]`, `"[array at byte 1]"`},
	{"array 16", "dc0002 01 02", `[1,2]`, `"[array at byte 1]"`},
	{"array 32", "dd00000002 01 02", `[1,2]`, `"[array at byte 1]"`},
	{"map empty", "80", `{}`, `"[map at byte 1]"`},
	{"map", "82 a161 01 a162 81 a163 02", `{"a":1,"b":{"c":2}}`, `"[map at byte 1]"`},
	{"map 16", "de0001 a161 01", `{"a":1}`, `"[map at byte 1]"`},
	{"map 32", "df00000001 a161 01", `{"a":1}`, `"[map at byte 1]"`},
	{"map twice", "82 a161 01 a161 02", `{"a":1,"a":2}`, `"[map at byte 1]"`},
	{"map order", "83 a162 01 a161 02 c0 03", `{"b":1,"a":2,"null":3}`, `"[map at byte 1]"`},
	{"map of keys", "82 93 81 90 01 80 91*5 90 02 81 80 90 03", `{"[array at byte 1]":2,"[map at byte 13]":3}`, `"[map at byte 1]"`},
	{"deep", "91*1023 90", strings.Repeat("[", 1024) + strings.Repeat("]", 1024), ""},
}

// TestMapping prints every row alone, and all rows and all keys as one stream.
func TestMapping(t *testing.T) {
	var stream []byte
	var want strings.Builder
	for _, row := range mapping {
		doc := hexdoc.Must(row.hex)
		got := command(t, bytes.NewReader(doc), "json")
		if got != (result{row.value + "\n", "", 0}) {
			t.Errorf("%s:\n got %v\nwant %q", row.name, got, row.value)
		}
		if !json.Valid([]byte(row.value)) {
			t.Errorf("%s: the test wants %s, which is no JSON", row.name, row.value)
		}
		stream = append(stream, doc...)
		want.WriteString(row.value + "\n")
		if row.key != "" {
			stream = append(append(append(stream, 0x81), doc...), 0xc3)
			want.WriteString("{" + row.key + ":true}\n")
		}
	}
	if got := command(t, bytes.NewReader(stream), "json", "--stream"); got != (result{want.String(), "", 0}) {
		t.Errorf("as a stream, and as keys:\n got %v\nwant %q", got, want.String())
	}
}

func TestJSONRefuses(t *testing.T) {
	for _, test := range []struct{ name, args, hex, stdout, stderr string }{
		{"empty", "", "", "", "ends before the document is complete (at byte 0)"},
		{"claim", "", "dd ffffffff", "", "declares more elements than the input can back (at byte 0)"},
		{"claim in a stream", "--stream", "dd ffffffff", "", "is longer than 67108864 bytes (at byte 0), limit --max-bytes = 67108864, document 1, which starts at byte 0"},
		{"items in a stream", "--stream --max-items 5", "07 93 01 93", "7\n", "holds more than 5 items (at byte 2), path [1], limit --max-items = 5, document 2, which starts at byte 1"},
		{"cut in a stream", "--stream --max-items 7", "93 01 93", "", "declares more elements than the input can back (at byte 0), document 1, which starts at byte 0"},
		{"deep", "", "91*2000", "", "nests deeper than 1024 levels (at byte 1024), path " + longPath + ", limit --max-depth = 1024"},
		{"reserved in depth", "", "91*5 81 a161 92 01 c1", "", "contains the reserved marker 0xc1 (at byte 10), path [0][0][0][0][0].a[1]"},
		{"cut str", "", "81 a3616263 a5 6162", "", "declares more bytes than the input holds (at byte 5), path abc"},
		{"cut prefix", "", "92 01 da 00", "", "ends inside a length prefix (at byte 2), path [1]"},
		{"UTF-8", "", "81 a161 a3 61 ff 62", "", "holds a str that is not valid UTF-8 (at byte 5), path a"},
		{"UTF-8 key", "", "81 a2 c328 01", "", "holds a str that is not valid UTF-8 (at byte 2), path [\"\\xc3(\"]"},
		{"trailing", "", "01 02", "", "is followed by more bytes (at byte 1)"},
		{"not before", "", "93 01 02", "", "declares more elements than the input can back (at byte 0)"},
		{"stream", "--stream", "01 a161 91 92 c1 c0", "1\n\"a\"\n", "contains the reserved marker 0xc1 (at byte 2), path [0][0], document 3, which starts at byte 3"},
		{"stream cut", "--stream", "93010203 92 01", "[1,2,3]\n", "declares more elements than the input can back (at byte 0), document 2, which starts at byte 4"},
		{"stream UTF-8", "--stream", "01 a1ff 02", "1\n", "holds a str that is not valid UTF-8 (at byte 1), document 2, which starts at byte 1"},
		{"max depth", "--max-depth 2", "91 91 90", "", "nests deeper than 2 levels (at byte 2), path [0][0], limit --max-depth = 2"},
		{"max items", "--max-items 3", "81 a161 92 01 02", "", "holds more than 3 items (at byte 3), path a, limit --max-items = 3"},
		{"max bytes", "--max-bytes 4", "81 a161 a161", "", "is longer than 4 bytes (at byte 3), path a, limit --max-bytes = 4"},
		{"max bytes far", "--max-bytes 4", "91 a5 6162636465 00*90", "", "is longer than 4 bytes (at byte 1), path [0], limit --max-bytes = 4"},
		{"max bytes short", "--max-bytes 4", "91 a5 616263", "", "declares more bytes than the input holds (at byte 1), path [0]"},
		{"max bytes trailing", "--max-bytes 4", "91 a1 61 00*90", "", "is followed by more bytes (at byte 3)"},
		{"max bytes stream", "--stream --max-bytes 4", "a361626391a56162636465 00*90", "\"abc\"\n", "is longer than 4 bytes (at byte 1), path [0], limit --max-bytes = 4, document 2, which starts at byte 4"},
		{"terminal", "", "81 a3 1b5b6d c1", "", "contains the reserved marker 0xc1 (at byte 5), path [\"\\x1b[m\"]"},
	} {
		got := command(t, bytes.NewReader(hexdoc.Must(test.hex)), append([]string{"json"}, strings.Fields(test.args)...)...)
		want := result{test.stdout, "stdin: msgpack document " + test.stderr + "\n", 1}
		if got != want {
			t.Errorf("%s:\n got %v\nwant %v", test.name, got, want)
		}
	}
	if got := command(t, nil, "json", "--stream"); got != (result{}) {
		t.Errorf("an empty stream: got %v", got)
	}
}

// longPath is the path of the innermost of 1,025 arrays.
var longPath = strings.Repeat("[0]", 37) + "..." + strings.Repeat("[0]", 47)

// TestStreamIsPrompt feeds documents byte by byte and wants each line before the
// next document begins.
func TestStreamIsPrompt(t *testing.T) {
	cmd := boundpack("json", "--stream", "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	finish(t, cmd, cmd.Start())
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewReader(stdout)
	for _, row := range mapping {
		for _, b := range hexdoc.Must(row.hex) {
			if _, err := stdin.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
		}
		if line, err := lines.ReadString('\n'); line != row.value+"\n" || err != nil {
			t.Fatalf("%s: got %q (%v), want %s", row.name, line, err, row.value)
		}
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestStreamRefusesAtOnce holds the pipe open behind a header that claims too much: the
// refusal does not wait for what was claimed.
func TestStreamRefusesAtOnce(t *testing.T) {
	for _, test := range []struct{ args, hex, stderr string }{
		{"--max-items 10", "dd000000ff", "holds more than 10 items (at byte 0), limit --max-items = 10"},
		{"", "dbffffffff", "is longer than 67108864 bytes (at byte 0), limit --max-bytes = 67108864"},
		{"--max-bytes 10", "93 01 a8 61", "is longer than 10 bytes (at byte 2), path [1], limit --max-bytes = 10"},
		{"--max-items 5", "93 01 93", "holds more than 5 items (at byte 2), path [1], limit --max-items = 5"},
		{"", "82 a161 92 c0 c6 10000000", "is longer than 67108864 bytes (at byte 5), path a[1], limit --max-bytes = 67108864"},
		{"", "93 df ffffffff", "is longer than 67108864 bytes (at byte 1), path [0], limit --max-bytes = 67108864"},
		{"", "c1", "contains the reserved marker 0xc1 (at byte 0)"},
		{"--max-depth 2", "91 91 90", "nests deeper than 2 levels (at byte 2), path [0][0], limit --max-depth = 2"},
		{"", "a1ff", "holds a str that is not valid UTF-8 (at byte 1)"},
	} {
		for _, apart := range []bool{false, true} { // bytes one by one
			cmd := boundpack(append(strings.Fields("json --stream "+test.args), "-")...)
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var stderr strings.Builder
			cmd.Stderr = &stderr
			finish(t, cmd, cmd.Start())
			late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
			doc := hexdoc.Must(test.hex)
			step := len(doc)
			if apart {
				step = 1
			}
			for piece := range slices.Chunk(doc, step) {
				stdin.Write(piece)
			}
			cmd.Wait() // stdin is open: only a refusal ends the command
			if !late.Stop() {
				t.Errorf("%s %s: waits for what was claimed", test.args, test.hex)
			}
			stdin.Close()
			want := "stdin: msgpack document " + test.stderr + ", document 1, which starts at byte 0\n"
			if stderr.String() != want || cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("%s %s: exit code %d, %q, want %q", test.args, test.hex, cmd.ProcessState.ExitCode(), &stderr, want)
			}
		}
	}
}

// TestRandomJSON prints documents of every shape, alone and as one stream.
func TestRandomJSON(t *testing.T) {
	r := random{Rand: rand.New(rand.NewPCG(1, 2))}
	var stream bytes.Buffer
	var want [][]byte
	for i := range 4000 {
		doc := r.document(1 + i%200)
		if i%4 == 0 {
			doc = append([]byte{0x81}, append(doc, 0xc0)...)
		}
		if err := walk.Valid(doc, bounds.Limits{}); err != nil {
			t.Fatalf("%x: %v", doc, err)
		}
		text := render(t, doc)
		checkJSON(t, doc, text)
		stream.Write(doc)
		want = append(want, text)
	}
	got := command(t, &stream, "json", "--stream")
	if got != (result{string(bytes.Join(want, nil)), "", 0}) {
		t.Errorf("the stream of all documents is not printed as each of them: exit code %d, stderr %q", got.code, got.stderr)
	}
}

// render prints a valid document.
func render(t *testing.T, doc []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := bufio.NewWriterSize(&out, 16)
	p := printer{w: w}
	if err := p.Print(doc, bounds.Limits{}); err != nil {
		t.Fatalf("%x: %v", doc, err)
	}
	w.Flush()
	return out.Bytes()
}

// checkJSON wants text to be one line of JSON that a terminal shows as it is.
func checkJSON(t *testing.T, doc, text []byte) {
	t.Helper()
	line, ok := bytes.CutSuffix(text, []byte("\n"))
	if !ok || !json.Valid(line) || !utf8.Valid(line) || bytes.ContainsFunc(line, unicode.IsControl) {
		t.Fatalf("%x: printed %q", doc, text)
	}
}

// TestRoundTrip reads back what was printed.
func TestRoundTrip(t *testing.T) {
	r := random{Rand: rand.New(rand.NewPCG(3, 4))}
	for range 3000 {
		doc := r.str(nil)
		token := first(t, doc)
		var s string
		if err := json.Unmarshal(render(t, doc), &s); err != nil || s != string(token.Payload) {
			t.Fatalf("%x: read back %q (%v)", doc, s, err)
		}
		doc = r.float([]byte{0xcb})
		f := first(t, doc).Float()
		if !finite(f) {
			continue
		}
		var back float64
		if err := json.Unmarshal(render(t, doc), &back); err != nil || math.Float64bits(back) != math.Float64bits(f) {
			t.Fatalf("%x: read back %v (%v)", doc, back, err)
		}
	}
	// A bin of more than one piece.
	for _, n := range []int{piece - 1, piece, piece + 1, 3*piece + 2} {
		content := r.fill(make([]byte, n))
		doc := append(binary.BigEndian.AppendUint32([]byte{0xc6}, uint32(n)), content...)
		var back []byte
		if err := json.Unmarshal(render(t, doc), &back); err != nil || !bytes.Equal(back, content) {
			t.Fatalf("a bin of %d bytes does not read back: %v", n, err)
		}
	}
}

func first(t *testing.T, doc []byte) walk.Token {
	t.Helper()
	c, err := walk.NewCursor(doc, bounds.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	token, err := c.Next()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// TestPrintAllocates wants memory that does not grow with the document.
func TestPrintAllocates(t *testing.T) {
	r := random{Rand: rand.New(rand.NewPCG(5, 6))}
	doc := binary.BigEndian.AppendUint16([]byte{0xdc}, 2000)
	for range 2000 {
		doc = append(doc, r.document(20)...)
	}
	p := printer{w: bufio.NewWriter(io.Discard)}
	if got := testing.AllocsPerRun(5, func() {
		if err := p.Print(doc, bounds.Limits{}); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("printing %d bytes made %v allocations", len(doc), got)
	}
}

// FuzzJSON prints whatever is valid as valid JSON.
func FuzzJSON(f *testing.F) {
	for _, row := range mapping {
		f.Add(hexdoc.Must(row.hex))
		f.Add(append(hexdoc.Must("81 "+row.hex), 0xc0))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if walk.Valid(data, bounds.Limits{}) == nil {
			checkJSON(t, data, render(t, data))
		}
	})
}
