package contend
import "testing"
func bench(b *testing.B, w, c, doc string) {
	wl, err := FindWorkload(w); if err != nil { b.Fatal(err) }
	ct, err := wl.Find(c); if err != nil { b.Fatal(err) }
	d, _ := Sample(doc); data, _ := d.Load()
	b.ReportAllocs(); b.SetBytes(int64(len(data)))
	for b.Loop() { if err := ct.Run(data); err != nil { b.Fatal(err) } }
}
func BenchmarkA100(b *testing.B) { bench(b, "struct", "boundpack", "a100") }
func BenchmarkMsgp(b *testing.B) { bench(b, "struct", "msgp-gen", "a100") }
func BenchmarkMap(b *testing.B) { bench(b, "counts", "boundpack", "d_map") }
func BenchmarkMapMsgp(b *testing.B) { bench(b, "counts", "msgp-gen", "d_map") }
func BenchmarkStrs(b *testing.B) { bench(b, "strs", "boundpack", "d_strs") }
func BenchmarkDates(b *testing.B) { bench(b, "dates", "boundpack", "b200") }
