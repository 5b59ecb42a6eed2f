package samples

import (
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	twitterPosts = 100
	// postIDs begin above 1<<53, where a reader that makes floats of integers
	// loses digits.
	firstPostID int64 = 505_874_900_000_000_000
)

// TwitterLike returns a page of search results of about 400 kB in the shape of
// the JSON benchmark file twitter: posts of 23 to 25 keys, each with its author
// of 39 or 40, three quarters of them holding another post that they repeat;
// Japanese texts, many nils and bools, empty arrays and maps of one key.
func TwitterLike() []byte {
	r := newRand(streamTwitter)
	b := AppendMap(make([]byte, 0, 420<<10), 2)
	b = pairArray(b, "posts", twitterPosts)
	for range twitterPosts {
		b = appendPost(b, r, !oneIn(r, 4))
	}
	b = pairMap(b, "search_summary", 9)
	b = pairFloat(b, "finished_in", 0.087)
	b = pairInt(b, "last_id", firstPostID+9_999_999)
	b = pairStr(b, "last_id_text", fmt.Sprint(firstPostID+9_999_999))
	b = pairStr(b, "next_page", "?last_id=505874900004239000&q=%E4%B8%80&count=100&include_references=1")
	b = pairStr(b, "terms", "%E4%B8%80")
	b = pairStr(b, "renew_link", "?first_id=505874924095815700&q=%E4%B8%80&include_references=1")
	b = pairInt(b, "count", twitterPosts)
	b = pairInt(b, "first_id", 0)
	return pairStr(b, "first_id_text", "0")
}

// appendPost appends a post, and inside it the post it repeats if repeats is
// set. A repeated post repeats none.
func appendPost(b []byte, r *rand.Rand, repeats bool) []byte {
	var (
		id        = firstPostID + r.Int64N(9_999_999)
		reply     = oneIn(r, 6)
		sensitive = oneIn(r, 8)
		links     = r.IntN(5) / 4
		mentions  = (1 + r.IntN(5)) / 3
		pictures  = r.IntN(17) / 16
	)
	keys := 23
	if repeats {
		keys++
	}
	if sensitive {
		keys++
	}
	b = AppendMap(b, keys)
	b = pairMap(b, "metadata", 2)
	b = pairStr(b, "result_kind", "recent")
	b = pairStr(b, "text_language_code", "ja")
	b = pairStr(b, "posted_at", clock(r))
	b = pairInt(b, "id", id)
	b = pairStr(b, "id_text", fmt.Sprint(id))
	b = pairStr(b, "text", phrase(r, 50+r.IntN(120)))
	b = pairStr(b, "client", pick(r, clients))
	b = pairBool(b, "shortened", false)
	b = appendReply(b, r, reply)
	b = AppendStr(b, "author")
	b = appendAuthor(b, r)
	b = pairNil(b, "position")
	b = pairNil(b, "coordinates")
	b = pairNil(b, "place")
	b = pairNil(b, "helpers")
	if repeats {
		b = AppendStr(b, "repeated_posting")
		b = appendPost(b, r, false)
	}
	b = pairInt(b, "repeat_count", int64(r.IntN(1+r.IntN(9000))))
	b = pairInt(b, "favorite_count", int64(r.IntN(300)))
	b = AppendStr(b, "references")
	b = appendReferences(b, r, links, mentions, pictures)
	b = pairBool(b, "favorited", false)
	b = pairBool(b, "repeated", false)
	if sensitive {
		b = pairBool(b, "maybe_sensitive", false)
	}
	return pairStr(b, "lang", "ja")
}

func appendReply(b []byte, r *rand.Rand, reply bool) []byte {
	if !reply {
		b = pairNil(b, "in_answer_to_post_id")
		b = pairNil(b, "in_answer_to_post_id_text")
		b = pairNil(b, "in_answer_to_user_id")
		b = pairNil(b, "in_answer_to_user_id_text")
		return pairNil(b, "in_answer_to_handle")
	}
	post, user := firstPostID+r.Int64N(9_999_999), userID(r)
	b = pairInt(b, "in_answer_to_post_id", post)
	b = pairStr(b, "in_answer_to_post_id_text", fmt.Sprint(post))
	b = pairInt(b, "in_answer_to_user_id", user)
	b = pairStr(b, "in_answer_to_user_id_text", fmt.Sprint(user))
	return pairStr(b, "in_answer_to_handle", handle(r))
}

// appendReferences appends what a post's text refers to; the key for pictures
// is there only if there are any.
func appendReferences(b []byte, r *rand.Rand, links, mentions, pictures int) []byte {
	topics := r.IntN(16) / 15
	b = AppendMap(b, 4+min(pictures, 1))
	b = pairArray(b, "hashtags", topics)
	for range topics {
		b = AppendMap(b, 2)
		b = pairStr(b, "text", phrase(r, 4+r.IntN(6)))
		b = appendSpan(b, r)
	}
	b = pairArray(b, "symbols", 0)
	b = pairArray(b, "urls", links)
	for range links {
		b = appendLink(b, r)
	}
	b = pairArray(b, "user_mentions", mentions)
	for range mentions {
		id := userID(r)
		b = AppendMap(b, 5)
		b = pairStr(b, "handle_name", handle(r))
		b = pairStr(b, "name", phrase(r, 2+r.IntN(12)))
		b = pairInt(b, "id", id)
		b = pairStr(b, "id_text", fmt.Sprint(id))
		b = appendSpan(b, r)
	}
	if pictures > 0 {
		b = pairArray(b, "media", pictures)
		for range pictures {
			b = appendPicture(b, r)
		}
	}
	return b
}

func appendSpan(b []byte, r *rand.Rand) []byte {
	from := r.IntN(120)
	b = pairArray(b, "indices", 2)
	b = AppendInt(b, int64(from))
	return AppendInt(b, int64(from+1+r.IntN(22)))
}

func appendLink(b []byte, r *rand.Rand) []byte {
	code := letters(r, 10)
	b = AppendMap(b, 4)
	b = pairStr(b, "url", "http://s.example/"+code)
	b = pairStr(b, "expanded_url", "http://www.example.net/articles/"+code+"/index.html")
	b = pairStr(b, "display_url", "example.net/articles/"+code[:6]+"…")
	return appendSpan(b, r)
}

func appendPicture(b []byte, r *rand.Rand) []byte {
	id := firstPostID + r.Int64N(9_999_999)
	file := "pictures.example/media/" + letters(r, 15) + ".jpg"
	b = AppendMap(b, 10)
	b = pairInt(b, "id", id)
	b = pairStr(b, "id_text", fmt.Sprint(id))
	b = appendSpan(b, r)
	b = pairStr(b, "media_url", "http://"+file)
	b = pairStr(b, "media_url_https", "https://"+file)
	b = pairStr(b, "url", "http://s.example/"+letters(r, 10))
	b = pairStr(b, "display_url", "pic.example/"+letters(r, 10))
	b = pairStr(b, "expanded_url", "http://posts.example/"+handle(r)+"/status/"+fmt.Sprint(id)+"/photo/1")
	b = pairStr(b, "type", "photo")
	b = pairMap(b, "sizes", 4)
	for _, size := range [...]string{"medium", "small", "thumb", "large"} {
		b = pairMap(b, size, 3)
		b = pairInt(b, "w", int64(150+r.IntN(900)))
		b = pairInt(b, "h", int64(150+r.IntN(900)))
		b = pairStr(b, "fitting", "fit")
	}
	return b
}

// clock writes a time the long way, thirty bytes.
func clock(r *rand.Rand) string {
	at := time.Date(2014, time.August, 31, 0, 0, 0, 0, time.UTC).Add(-time.Duration(r.IntN(1e8)) * time.Second)
	return at.Format("Mon Jan 02 15:04:05 -0700 2006")
}

func userID(r *rand.Rand) int64 { return 1000 + r.Int64N(2_700_000_000) }
