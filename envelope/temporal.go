package envelope

import (
	"fmt"
	"time"
)

// Naive is the zone of a datetime that was written without one: of offset 0 and of this
// name, so that it can be told from UTC by t.Location() == envelope.Naive. What such a
// time means is for the reader to know; [time.Date] puts its wall clock into a zone.
var Naive = time.FixedZone("Naive", 0)

// Date is a day of the calendar, what CacheKit writes for Python's date. It is
// comparable.
type Date struct {
	Year  int // 1..9999
	Month time.Month
	Day   int
}

// String returns the date as it is written: 2025-11-14.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// MarshalText returns what String does, so that JSON has it too.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// In returns the start of the day in loc, or what stands in for it there.
func (d Date) In(loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
}

// TimeOfDay is a wall clock, what CacheKit writes for Python's time. It is comparable.
type TimeOfDay struct {
	Hour, Minute, Second int // 0..23, 0..59, 0..59
	Microsecond          int // 0..999999

	// Aware says that it has a UTC offset, and Offset which: east is positive, less
	// than a day, in whole microseconds.
	Aware  bool
	Offset time.Duration
}

// String returns the time as it is written: 10:30:00, 10:30:00.000001,
// 10:30:00+02:00.
func (t TimeOfDay) String() string {
	b := fmt.Appendf(nil, "%02d:%02d:%02d", t.Hour, t.Minute, t.Second)
	if t.Microsecond != 0 {
		b = fmt.Appendf(b, ".%06d", t.Microsecond)
	}
	if t.Aware {
		b = appendOffset(b, t.Offset)
	}
	return string(b)
}

// MarshalText returns what String does, so that JSON has it too.
func (t TimeOfDay) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// SinceMidnight returns how far the clock has gone, its offset aside.
func (t TimeOfDay) SinceMidnight() time.Duration {
	return time.Duration(t.Hour)*time.Hour + time.Duration(t.Minute)*time.Minute +
		time.Duration(t.Second)*time.Second + time.Duration(t.Microsecond)*time.Microsecond
}

// appendOffset appends an offset as it is written: seconds and their fraction only if
// they are not zero.
func appendOffset(b []byte, d time.Duration) []byte {
	sign := byte('+')
	if d < 0 {
		sign, d = '-', -d
	}
	b = append(b, sign)
	b = fmt.Appendf(b, "%02d:%02d", d/time.Hour, d/time.Minute%60)
	if d%time.Minute != 0 {
		b = fmt.Appendf(b, ":%02d", d/time.Second%60)
	}
	if d%time.Second != 0 {
		b = fmt.Appendf(b, ".%06d", d/time.Microsecond%1e6)
	}
	return b
}

// zone returns the zone of an offset.
func zone(offset time.Duration) *time.Location {
	switch {
	case offset == 0:
		return time.UTC
	case offset%time.Second == 0:
		return time.FixedZone("", int(offset/time.Second))
	}
	// A zone of Go has whole seconds. The name keeps the rest.
	return time.FixedZone(string(appendOffset(nil, offset)), int(offset/time.Second))
}
