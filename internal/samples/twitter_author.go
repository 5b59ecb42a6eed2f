package samples

import (
	"fmt"
	"math/rand/v2"
)

// appendAuthor appends the author of a post: forty keys, most of them about the
// look of a page, one of them above 31 bytes long. One author in ten has no
// banner and one key less.
func appendAuthor(b []byte, r *rand.Rand) []byte {
	var (
		id     = userID(r)
		banner = !oneIn(r, 10)
		home   = ""
		keys   = 39
	)
	if banner {
		keys++
	}
	if oneIn(r, 10) {
		home = "http://s.example/" + letters(r, 10)
	}
	b = AppendMap(b, keys)
	b = pairInt(b, "id", id)
	b = pairStr(b, "id_text", fmt.Sprint(id))
	b = pairStr(b, "name", phrase(r, 2+r.IntN(14)))
	b = pairStr(b, "handle_name", handle(r))
	b = pairStr(b, "location", phrase(r, max(0, r.IntN(20)-8)))
	b = pairStr(b, "description", phrase(r, r.IntN(180)))
	b = pairStrOrNil(b, "url", home)
	b = appendOwnLinks(b, r, home)
	b = pairBool(b, "protected", false)
	b = pairInt(b, "followers_count", int64(r.IntN(1+r.IntN(20_000))))
	b = pairInt(b, "following_count", int64(r.IntN(1+r.IntN(9000))))
	b = pairInt(b, "listing_count", int64(r.IntN(1+r.IntN(200))))
	b = pairStr(b, "joined_at", clock(r))
	b = pairInt(b, "favorites_count", int64(r.IntN(1+r.IntN(20_000))))
	b = appendZone(b, r)
	b = pairBool(b, "geo_allowed", oneIn(r, 4))
	b = pairBool(b, "verified", false)
	b = pairInt(b, "post_count", int64(r.IntN(100_000)))
	b = pairStr(b, "lang", "ja")
	b = pairBool(b, "helpers_enabled", false)
	b = pairBool(b, "is_translating", false)
	b = pairBool(b, "is_translation_allowed", false)
	b = appendLook(b, r, id, banner)
	b = pairBool(b, "default_page", oneIn(r, 2))
	b = pairBool(b, "default_page_image", false)
	b = pairBool(b, "followed", false)
	b = pairBool(b, "follow_request_open", false)
	return pairBool(b, "notifications", false)
}

// appendOwnLinks appends the links of the author's description, of which there
// are none, and of the home page if there is one.
func appendOwnLinks(b []byte, r *rand.Rand, home string) []byte {
	if home == "" {
		b = pairMap(b, "references", 1)
	} else {
		b = pairMap(b, "references", 2)
		b = pairMap(b, "url", 1)
		b = pairArray(b, "urls", 1)
		b = appendLink(b, r)
	}
	b = pairMap(b, "description", 1)
	return pairArray(b, "urls", 0)
}

func appendZone(b []byte, r *rand.Rand) []byte {
	if oneIn(r, 2) {
		b = pairNil(b, "utc_offset")
		return pairNil(b, "time_zone")
	}
	zone := pick(r, zones)
	b = pairInt(b, "utc_offset", zone.offset)
	return pairStr(b, "time_zone", zone.name)
}

func appendLook(b []byte, r *rand.Rand, id int64, banner bool) []byte {
	backdrop := fmt.Sprintf("pictures.example/images/themes/theme%d/backdrop.png", 1+r.IntN(19))
	face := fmt.Sprintf("pictures.example/page_images/%d/%s_normal.jpeg", firstPostID-r.Int64N(1e15), letters(r, 8))
	b = pairStr(b, "page_background_color", color(r))
	b = pairStr(b, "page_background_image_url", "http://"+backdrop)
	b = pairStr(b, "page_background_image_url_in_https", "https://"+backdrop)
	b = pairBool(b, "page_background_tile", oneIn(r, 3))
	b = pairStr(b, "page_image_url", "http://"+face)
	b = pairStr(b, "page_image_url_https", "https://"+face)
	if banner {
		b = pairStr(b, "page_banner_url", fmt.Sprintf("https://pictures.example/page_banners/%d/%d", id, 1_400_000_000+r.IntN(9_000_000)))
	}
	b = pairStr(b, "page_link_color", color(r))
	b = pairStr(b, "page_sidebar_border_color", color(r))
	b = pairStr(b, "page_sidebar_fill_color", color(r))
	b = pairStr(b, "page_text_color", color(r))
	return pairBool(b, "page_use_background_image", !oneIn(r, 5))
}

// color is mostly one of the service's own few, as people rarely change them.
func color(r *rand.Rand) string {
	if oneIn(r, 3) {
		return fmt.Sprintf("%06X", r.IntN(1<<24))
	}
	return pick(r, []string{"C0DEED", "DDEEF6", "333333", "0084B4", "FFFFFF"})
}

var zones = []struct {
	name   string
	offset int64
}{
	{"Tokyo", 32_400},
	{"Osaka", 32_400},
	{"Irkutsk", 32_400},
	{"Hawaii", -36_000},
	{"Seoul", 32_400},
	{"Arizona", -25_200},
}

var clients = []string{
	`<a href="http://posts.example/download/phone" rel="nofollow">Posts for phones</a>`,
	`<a href="http://posts.example/download/android" rel="nofollow">Posts for Android</a>`,
	`<a href="http://posts.example" rel="nofollow">Posts Web Client</a>`,
	`<a href="http://robots.example/regular" rel="nofollow">regular</a>`,
}
