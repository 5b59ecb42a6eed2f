package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/walk"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct{ args, hex, stdout, stderr string }{
		{"", "c0", "ok: 1 bytes, depth 0, items 1", ""},
		{"", "90", "ok: 1 bytes, depth 1, items 1", ""},
		{"-", "83 a26964 c403010203 91 01 cb3ff0 00*6 d6ff00000001 c0", "ok: 27 bytes, depth 2, items 8", ""},
		{"", "92 91 90 c0", "ok: 4 bytes, depth 3, items 4", ""},
		{"", "82 a161 01 a161 02", "ok: 7 bytes, depth 1, items 5", ""},
		{"", "91*1023 90", "ok: 1024 bytes, depth 1024, items 1024", ""},
		{"--max-depth 2000", "91*1999 90", "ok: 2000 bytes, depth 2000, items 2000", ""},
		{"--max-bytes 3", "92 01 02", "ok: 3 bytes, depth 1, items 3", ""},
		{"--max-items 3", "92 01 02", "ok: 3 bytes, depth 1, items 3", ""},
		{"", "", "", "ends before the document is complete (at byte 0)"},
		{"", "01 c1", "", "is followed by more bytes (at byte 1)"},
		{"", "91*1000000 c0", "", "nests deeper than 1024 levels (at byte 1024), path " + longPath + ", limit --max-depth = 1024"},
		{"", "81 a161 92 01 a2 61 ff", "", "holds a str that is not valid UTF-8 (at byte 7), path a[1]"},
		{"--max-bytes 2", "92 01 02", "", "is longer than 2 bytes (at byte 0), limit --max-bytes = 2"},
		{"--max-items 2", "92 01 02", "", "holds more than 2 items (at byte 0), limit --max-items = 2"},
		{"--max-memory 1000000", "82 a16101 0102", "ok: 6 bytes, depth 1, items 5", ""},
		{"--max-memory 0", "dd00100000 c0*1048576", "ok: 1048581 bytes, depth 1, items 1048577", ""},
		{"--max-memory 1000000", "dd00100000 c0*1048576", "", "produces more than 1000000 bytes of memory (at byte 0), limit --max-memory = 1000000"},
		{"--max-memory 1000", "93 81a16101 81a16101 93c0c0dc0040 c0*64", "", "produces more than 1000 bytes of memory (at byte 12), path [2][2], limit --max-memory = 1000"},
		{"", "df 80000000 c0", "", "declares more elements than the input can back (at byte 0)"},
	} {
		got := command(t, bytes.NewReader(hexdoc.Must(test.hex)), append([]string{"check"}, strings.Fields(test.args)...)...)
		want := result{test.stdout + "\n", "", 0}
		if test.stderr != "" {
			want = result{"", "stdin: msgpack document " + test.stderr + "\n", 1}
		}
		if got != want {
			t.Errorf("check %s of %.60s:\n got %v\nwant %v", test.args, test.hex, got, want)
		}
	}
}

func TestCheckStream(t *testing.T) {
	for _, test := range []struct{ args, hex, stdout, stderr string }{
		{"", "", "ok: 0 documents, 0 bytes, depth 0, items 0\n", ""},
		{"", "c0", "ok: 1 documents, 1 bytes, depth 0, items 1\n", ""},
		{"", "c0 92 91 90 c0 81 a161 01", "ok: 3 documents, 9 bytes, depth 3, items 8\n", ""},
		{"--max-items 3 --max-bytes 3", "92 01 02 92 01 02", "ok: 2 documents, 6 bytes, depth 1, items 6\n", ""},
		{"", "01 92 01", "", "declares more elements than the input can back (at byte 0), document 2, which starts at byte 1"},
		{"", "01 91 c1 05", "", "contains the reserved marker 0xc1 (at byte 1), path [0], document 2, which starts at byte 1"},
		{"--max-bytes 10", "01 93 01 a8", "", "is longer than 10 bytes (at byte 2), path [1], limit --max-bytes = 10, document 2, which starts at byte 1"},
		{"", "01 91 a1ff 02 a2c328", "", "holds a str that is not valid UTF-8 (at byte 2), path [0], document 2, which starts at byte 1\n" +
			"stdin: msgpack document holds a str that is not valid UTF-8 (at byte 1), document 4, which starts at byte 5"},
		{"--max-memory 400", "01 dc0040 c0*64 02 91 a1ff", "", "produces more than 400 bytes of memory (at byte 0), limit --max-memory = 400, document 2, which starts at byte 1\n" +
			"stdin: msgpack document holds a str that is not valid UTF-8 (at byte 2), path [0], document 4, which starts at byte 69"},
	} {
		for _, way := range readers {
			if strings.HasPrefix(way.name, "half") {
				continue
			}
			in := struct{ io.Reader }{way.of(hexdoc.Must(test.hex))}
			got := command(t, in, append([]string{"check", "--stream"}, strings.Fields(test.args)...)...)
			want := result{test.stdout, "", 0}
			if test.stderr != "" {
				want = result{"", "stdin: msgpack document " + test.stderr + "\n", 1}
			}
			if got != want {
				t.Errorf("check --stream %s of %.60s, %s:\n got %v\nwant %v", test.args, test.hex, way.name, got, want)
			}
		}
	}
	two, bad := write(t, "two", hexdoc.Must("01 92 01 02")), write(t, "bad", hexdoc.Must("01 c1"))
	got := command(t, nil, "check", "--stream", two, bad, two)
	want := result{
		strings.Repeat(two+": ok: 2 documents, 4 bytes, depth 1, items 4\n", 2),
		bad + ": msgpack document contains the reserved marker 0xc1 (at byte 0), document 2, which starts at byte 1\n", 1,
	}
	if got != want {
		t.Errorf("files:\n got %v\nwant %v", got, want)
	}
}

// TestCheckFiles goes on after a refusal.
func TestCheckFiles(t *testing.T) {
	small := write(t, "small", hexdoc.Must("92 01 02"))
	large := write(t, "large", hexdoc.Must("dc9000 01*36864"))
	refused := write(t, "refused", hexdoc.Must("92 01 c1"))
	missing := refused + ".missing"
	got := command(t, strings.NewReader("\x07"), "check", large, refused, small, missing, "-", large, "-")
	want := result{
		large + ": ok: 36867 bytes, depth 1, items 36865\n" +
			small + ": ok: 3 bytes, depth 1, items 3\n" +
			"stdin: ok: 1 bytes, depth 0, items 1\n" +
			large + ": ok: 36867 bytes, depth 1, items 36865\n",
		refused + ": msgpack document contains the reserved marker 0xc1 (at byte 2), path [1]\n" +
			missing + ": " + cause(open(missing)).Error() + "\n" +
			"stdin: msgpack document ends before the document is complete (at byte 0)\n",
		1,
	}
	if got != want {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
	got = command(t, nil, "check", small)
	if want := (result{"ok: 3 bytes, depth 1, items 3\n", "", 0}); got != want {
		t.Errorf("one file: got %v, want %v", got, want)
	}
}

// TestCheckManyFiles gives more files than may be open at once, whether they are
// accepted or refused.
func TestCheckManyFiles(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("nothing to set a limit with: %v", err)
	}
	const n = 300
	good, bad := write(t, "good", []byte{0x07}), write(t, "bad", []byte{0xc1})
	args := []string{"check"}
	for range n {
		args = append(args, good, bad)
	}
	cmd := boundpack(args...)
	cmd = exec.Command(sh, append([]string{"-c", `ulimit -n 100 && exec "$@"`, "sh"}, cmd.Args...)...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	finish(t, cmd, cmd.Run())
	want := result{
		strings.Repeat(good+": ok: 1 bytes, depth 0, items 1\n", n),
		strings.Repeat(bad+": msgpack document contains the reserved marker 0xc1 (at byte 0)\n", n),
		1,
	}
	if got := (result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}); got != want {
		t.Errorf("exit code %d, %d bytes of stdout, stderr ends in %q", got.code, len(got.stdout), got.stderr[max(0, len(got.stderr)-200):])
	}
}

func TestTokens(t *testing.T) {
	long := strings.Repeat("61", 33)
	for _, test := range []struct{ args, hex, stdout, stderr string }{
		{
			"", "8a c0 c2 07 e0 cf ff*8 ca 3fc00000 a0 a3 611b62 d921" + long + "c400 c411 00*16 ff" +
				"d405 ab d6ff 00000001 c70cff 00000000 7f ff*7 d4ff 00 90 80 c3 dc0001 c0 de0001 c0 c0",
			"       0     0  map of 10 pairs\n" +
				"       1     1    nil\n" +
				"       2     1    bool false\n" +
				"       3     1    int 7\n" +
				"       4     1    int -32\n" +
				"       5     1    int 18446744073709551615\n" +
				"      14     1    float 1.5\n" +
				"      19     1    str \"\"\n" +
				"      20     1    str \"a\\x1bb\"\n" +
				"      24     1    str \"" + strings.Repeat("a", 32) + "\"... 33 bytes\n" +
				"      59     1    bin 0 bytes\n" +
				"      61     1    bin 17 bytes " + strings.Repeat("00", 16) + "...\n" +
				"      80     1    ext type 5, 1 bytes ab\n" +
				"      83     1    ext type -1, 4 bytes 00000001 1970-01-01T00:00:01Z\n" +
				"      89     1    ext type -1, 12 bytes 000000007fffffffffffffff\n" +
				"     104     1    ext type -1, 1 bytes 00\n" +
				"     107     1    array of 0\n" +
				"     108     1    map of 0 pairs\n" +
				"     109     1    bool true\n" +
				"     110     1    array of 1\n" +
				"     113     2      nil\n" +
				"     114     1    map of 1 pairs\n" +
				"     117     2      nil\n" +
				"     118     2      nil\n",
			"",
		},
		{"", "92 01 91 c1 00", "       0     0  array of 2\n       1     1    int 1\n       2     1    array of 1\n", "contains the reserved marker 0xc1 (at byte 3), path [1][0]"},
		{"", "91 a2 61ff", "       0     0  array of 1\n       1     1    str \"a\\xff\"\n", "holds a str that is not valid UTF-8 (at byte 3), path [0]"},
		{"", "01 02", "       0     0  int 1\n", "is followed by more bytes (at byte 1)"},
		{"", "", "", "ends before the document is complete (at byte 0)"},
		{"", "dd ffffffff", "", "declares more elements than the input can back (at byte 0)"},
		{"--max-depth=1", "92 01 90", "       0     0  array of 2\n       1     1    int 1\n", "nests deeper than 1 levels (at byte 2), path [1], limit --max-depth = 1"},
		{"-max-bytes 6", "91 a9 61*80", "       0     0  array of 1\n", "is longer than 6 bytes (at byte 1), path [0], limit --max-bytes = 6"},
		{"-max-items 4", "92 01 92 01 02", "       0     0  array of 2\n       1     1    int 1\n", "holds more than 4 items (at byte 2), path [1], limit --max-items = 4"},
	} {
		got := command(t, bytes.NewReader(hexdoc.Must(test.hex)), append([]string{"tokens"}, strings.Fields(test.args)...)...)
		want := result{test.stdout, "", 0}
		if test.stderr != "" {
			want = result{test.stdout, "stdin: msgpack document " + test.stderr + "\n", 1}
		}
		if got != want {
			t.Errorf("tokens %s of %.60s:\n got %v\nwant %v", test.args, test.hex, got, want)
		}
	}
	// A preview shows 32 bytes of a str and 16 of a bin or an ext, and says if there are more.
	for _, test := range []struct{ hex, want string }{
		{"bf 61*31", `str "` + strings.Repeat("a", 31) + `"`},
		{"d920 61*32", `str "` + strings.Repeat("a", 32) + `"`},
		{"d921 61*33", `str "` + strings.Repeat("a", 32) + `"... 33 bytes`},
		{"c40f 0a*15", "bin 15 bytes " + strings.Repeat("0a", 15)},
		{"c410 0a*16", "bin 16 bytes " + strings.Repeat("0a", 16)},
		{"c411 0a*17", "bin 17 bytes " + strings.Repeat("0a", 16) + "..."},
		{"d805 0a*16", "ext type 5, 16 bytes " + strings.Repeat("0a", 16)},
		{"c71105 0a*17", "ext type 5, 17 bytes " + strings.Repeat("0a", 16) + "..."},
		{"d6ff ffffffff", "ext type -1, 4 bytes ffffffff 2106-02-07T06:28:15Z"},
	} {
		got := command(t, bytes.NewReader(hexdoc.Must(test.hex)), "tokens")
		if want := (result{"       0     0  " + test.want + "\n", "", 0}); got != want {
			t.Errorf("tokens of %s:\n got %v\nwant %v", test.hex, got, want)
		}
	}
	// Lines stay short at any depth.
	got := command(t, bytes.NewReader(hexdoc.Must("91*60000 c0")), "tokens", "--max-depth=65535")
	for line := range strings.Lines(got.stdout) {
		if len(line) > 120 {
			t.Fatalf("a line of %d bytes: %q", len(line), line)
		}
	}
	if lines := strings.Count(got.stdout, "\n"); lines != 60001 || got.code != 0 {
		t.Errorf("%d lines, exit code %d", lines, got.code)
	}
}

// TestTerminal damages random documents and wants messages and previews that a
// terminal shows as they are, of one line each.
func TestTerminal(t *testing.T) {
	r := random{Rand: rand.New(rand.NewPCG(7, 8))}
	safe := func(doc []byte, text string) {
		t.Helper()
		line, ok := strings.CutSuffix(text, "\n")
		if !ok || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) || len(line) > 500 {
			t.Fatalf("%x: %q", doc, text)
		}
	}
	refused := 0
	for i := range 4000 {
		doc := r.document(30)
		for range r.IntN(3) {
			doc[r.IntN(len(doc))] = byte(r.Uint32())
		}
		doc = doc[:len(doc)-r.IntN(2)]
		if err := walk.Valid(doc, bounds.Limits{MaxDepth: 1 + i%5, MaxItems: 1 + i%50}); err != nil {
			safe(doc, refusal(doc, err)+"\n")
			refused++
		}
		c, err := walk.NewCursor(doc, bounds.Limits{})
		for err == nil {
			var token walk.Token
			if token, err = c.Next(); err == nil {
				safe(doc, string(appendToken(nil, token, c.Depth())))
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d documents were refused", refused)
	}
}

// TestMeasure counts what the walk counts: one item less is too few.
func TestMeasure(t *testing.T) {
	r := random{Rand: rand.New(rand.NewPCG(9, 10))}
	for range 1000 {
		doc := r.document(60)
		depth, items := measure(doc, bounds.Limits{})
		exact := bounds.Limits{MaxDepth: max(depth, 1), MaxItems: items, MaxBytes: len(doc)}
		if err := walk.Check(doc, exact); err != nil {
			t.Fatalf("%x: %v, within %+v", doc, err, exact)
		}
		for _, less := range []bounds.Limits{{MaxDepth: depth - 1}, {MaxItems: items - 1}} {
			if less.MaxDepth <= 0 && less.MaxItems <= 0 {
				continue
			}
			if err := walk.Check(doc, less); err == nil {
				t.Fatalf("%x: accepted within %s", doc, fmt.Sprintf("%+v", less))
			}
		}
	}
}
