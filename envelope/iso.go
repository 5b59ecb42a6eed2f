package envelope

import "time"

// The parsers of this file take what CPython 3.11's fromisoformat takes, no more and no
// less, and find the same value in it. Its grammar is wider than ISO 8601 and has corners
// of its own; they are kept, because what another reader takes must not be refused here.
//
// Positions beyond the end read as a zero byte, which is how CPython sees the end too.

// text is what is parsed.
type text string

func (s text) at(i int) byte {
	if uint(i) < uint(len(s)) {
		return s[i]
	}
	return 0
}

// digits reads n digits at i.
func (s text) digits(i, n int) (v, next int, ok bool) {
	for range n {
		d := s.at(i) - '0'
		if d > 9 {
			return 0, 0, false
		}
		v, i = v*10+int(d), i+1
	}
	return v, i, true
}

func isDigit(b byte) bool { return b-'0' <= 9 }

// parseDatetime parses what the marker __datetime__ holds. A datetime without an offset is
// in [Naive], one of offset 0 in UTC, any other in a fixed zone of its own. An offset that
// is no multiple of a second gives the same instant, in a zone of whole seconds whose name
// has the offset.
func parseDatetime(value string) (time.Time, bool) {
	d, c, ok := text(value).datetime()
	if !ok {
		return time.Time{}, false
	}
	loc, fraction := Naive, time.Duration(0)
	if c.Aware {
		loc, fraction = zone(c.Offset), c.Offset%time.Second
	}
	t := time.Date(d.Year, d.Month, d.Day, c.Hour, c.Minute, c.Second, c.Microsecond*1000, loc)
	return t.Add(-fraction), true
}

// datetime reads a date or a date, any one character and a time of day.
func (s text) datetime() (d Date, c TimeOfDay, ok bool) {
	if len(s) < 7 {
		return d, c, false
	}
	end := s.dateEnd()
	if d, ok = s[:min(end, len(s))].date(end); !ok || end >= len(s) {
		return d, c, ok
	}
	c, ok = s[min(end+separator(s[end]), len(s)):].clock()
	return d, c, ok
}

// separator returns the length in bytes of the character that starts with b.
func separator(b byte) int {
	switch {
	case b < 0x80:
		return 1
	case b&0xf0 == 0xe0:
		return 3
	case b&0xf0 == 0xf0:
		return 4
	}
	return 2
}

// dateEnd returns where the date of a datetime ends, which may be beyond the end of what
// is no datetime. The week forms are ambiguous, because the separator may be any
// character: 2020-W01-00 ends behind the week, 2020-W01-0T00 behind the day.
func (s text) dateEnd() int {
	switch {
	case len(s) == 7:
		return 7
	case s.at(4) == '-' && s.at(5) != 'W':
		return 10 // YYYY-MM-DD
	case s.at(4) == '-':
		if len(s) > 8 && s.at(8) == '-' && !(len(s) > 10 && isDigit(s.at(10))) {
			return 10 // YYYY-Www-D
		}
		return 8 // YYYY-Www
	case s.at(4) != 'W':
		return 8 // YYYYMMDD
	}
	// YYYYWww or YYYYWwwD: the digits of a time come in pairs.
	end := 7
	for isDigit(s.at(end)) {
		end++
	}
	switch {
	case end < 9:
		return end
	case end%2 == 0:
		return 7
	}
	return 8
}

// parseDate parses what the marker __date__ holds.
func parseDate(value string) (Date, bool) {
	switch len(value) {
	case 7, 8, 10:
		return text(value).date(len(value))
	}
	return Date{}, false
}

// date reads a date, of which size bytes are said to be there. What may follow it is not
// looked at.
func (s text) date(size int) (Date, bool) {
	year, i, ok := s.digits(0, 4)
	if !ok {
		return Date{}, false
	}
	separated := s.at(i) == '-'
	if separated {
		i++
	}
	if s.at(i) == 'W' {
		return s.weekDate(year, i+1, size, separated)
	}
	month, i, ok := s.digits(i, 2)
	if !ok {
		return Date{}, false
	}
	if separated {
		if s.at(i) != '-' {
			return Date{}, false
		}
		i++
	}
	day, _, ok := s.digits(i, 2)
	if !ok || year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return Date{}, false
	}
	return Date{year, time.Month(month), day}, true
}

// weekDate reads what follows YYYYW or YYYY-W: the week and, if it is there, the day.
func (s text) weekDate(year, i, size int, separated bool) (Date, bool) {
	week, i, ok := s.digits(i, 2)
	if !ok {
		return Date{}, false
	}
	day := 1
	if i < size {
		if separated {
			if s.at(i) != '-' {
				return Date{}, false
			}
			i++
		}
		if day, _, ok = s.digits(i, 1); !ok {
			return Date{}, false
		}
	}
	if year < 1 || week < 1 || week > 53 || day < 1 || day > 7 {
		return Date{}, false
	}
	jan1 := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	weekday := (int(jan1.Weekday()) + 6) % 7 // Monday is 0
	if week == 53 && weekday != 3 && !(weekday == 2 && daysIn(year, 2) == 29) {
		return Date{}, false // a long year starts on Thursday, or on Wednesday if it leaps
	}
	monday := -weekday // of week 1, in days from jan1
	if weekday > 3 {
		monday += 7
	}
	d := jan1.AddDate(0, 0, monday+(week-1)*7+day-1)
	if d.Year() < 1 || d.Year() > 9999 {
		return Date{}, false
	}
	return Date{d.Year(), d.Month(), d.Day()}, true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// parseTime parses what the marker __time__ holds.
func parseTime(value string) (TimeOfDay, bool) {
	s := text(value)
	if s.at(0) == 'T' {
		s = s[1:]
	}
	return s.clock()
}

// clock reads a time of day and its offset.
func (s text) clock() (TimeOfDay, bool) {
	// Where the offset starts. The first byte is looked at even if it is not there.
	end := 0
	for {
		if b := s.at(end); b == '+' || b == '-' || b == 'Z' {
			break
		}
		if end++; end >= len(s) {
			break
		}
	}
	t, whole, ok := s.hms(0, end)
	switch {
	case !ok || t.Hour > 23 || t.Minute > 59 || t.Second > 59:
		return TimeOfDay{}, false
	case end == len(s):
		return t, whole
	case end > len(s):
		return TimeOfDay{}, false
	}
	t.Aware = true
	if s.at(end) == 'Z' {
		return t, s.at(end+1) == 0
	}
	offset, whole, ok := s.hms(end+1, len(s))
	t.Offset = offset.SinceMidnight()
	if !ok || !whole || t.Offset >= 24*time.Hour {
		return TimeOfDay{}, false
	}
	if s.at(end) == '-' {
		t.Offset = -t.Offset
	}
	return t, true
}

// hms reads HH[:?MM[:?SS[.,fraction]]] from i on, up to end, and reports whether that is
// whole: nothing follows it. Digits of the fraction beyond six are dropped.
func (s text) hms(i, end int) (t TimeOfDay, whole, ok bool) {
	separated := false
	for field, v := range []*int{&t.Hour, &t.Minute, &t.Second} {
		if *v, i, ok = s.digits(i, 2); !ok {
			return t, false, false
		}
		b := s.at(i)
		i++
		if field == 0 {
			separated = b == ':'
		}
		if i >= end {
			return t, b == 0, true
		}
		if separated && b == ':' {
			continue
		}
		if b == '.' || b == ',' {
			break
		}
		if separated {
			return t, false, false
		}
		i--
	}
	n := min(end-i, 6)
	v, i, ok := s.digits(i, n)
	if !ok {
		return t, false, false
	}
	for range 6 - n {
		v *= 10
	}
	t.Microsecond = v
	for isDigit(s.at(i)) {
		i++
	}
	return t, s.at(i) == 0, true
}
