package memory

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// SecretsPolicy says what happens to a text that looks like a key or password.
type SecretsPolicy string

// The policies of COMBRAY_SECRETS.
const (
	SecretsFlag   SecretsPolicy = "flag"   // screened as security-sensitive, the default
	SecretsRedact SecretsPolicy = "redact" // the secret is replaced before it is stored
	SecretsRefuse SecretsPolicy = "refuse" // nothing is stored
)

// SecretMark stands where a secret was taken out.
const SecretMark = "[secret removed]"

// Secret is a part of a text that looks like a key or password.
type Secret struct {
	Kind     string
	From, To int // bytes
}

// secretShape is the form of one kind of secret. The last group of the form is
// the secret, the whole match when it has none.
type secretShape struct {
	kind      string
	marks     []string // one of these stands in every match
	announced bool     // the form is for what follows a mark, in lower-case text
	form      *regexp.Regexp
	credible  func(secret, rest string) bool // nil: every match counts; rest is what follows
}

// keyShape is a kind of secret that begins with a mark of its own.
func keyShape(kind, form string, marks ...string) secretShape {
	return secretShape{kind: kind, form: regexp.MustCompile(form), marks: marks}
}

// secretShapes are the documented forms of keys that providers issue, of private
// keys (RFC 7468), JSON Web Tokens (RFC 7519) and of passwords in URLs (RFC 3986,
// 3.2.1), and last what somebody calls a password.
var secretShapes = []secretShape{
	keyShape("private key", `-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|[A-Za-z0-9+/=\s\\]*)`, "PRIVATE KEY-----"),
	keyShape("AWS access key", `(?:AKIA|ASIA)[0-9A-Z]{16}`, "AKIA", "ASIA"),
	keyShape("GitHub token", `gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
	keyShape("GitLab token", `glpat-[A-Za-z0-9_-]{20,}`, "glpat-"),
	keyShape("API key", `sk-(?:[a-z0-9]+-)*[A-Za-z0-9_-]{20,}`, "sk-"),
	keyShape("Stripe key", `[srp]k_(?:live|test)_[A-Za-z0-9]{16,}`, "k_live_", "k_test_"),
	keyShape("Slack token", `xox[abeprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/[A-Za-z0-9/]{20,}`, "xox", "hooks.slack.com/services/"),
	keyShape("Google API key", `AIza[0-9A-Za-z_-]{35}`, "AIza"),
	keyShape("npm token", `npm_[A-Za-z0-9]{36}`, "npm_"),
	keyShape("PyPI token", `pypi-[A-Za-z0-9_-]{40,}`, "pypi-"),
	keyShape("Hugging Face token", `hf_[A-Za-z0-9]{30,}`, "hf_"),
	keyShape("SendGrid key", `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, "SG."),
	keyShape("JSON Web Token", `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`, "eyJ"),
	{kind: "password in a URL", marks: []string{"://"}, form: regexp.MustCompile(`://[^\s/:@"']+:([^\s/@"']{3,})@`), credible: notMarked},
	{kind: "authorization header", announced: true, marks: []string{"bearer ", "basic "}, form: regexp.MustCompile(`^ *([a-z0-9._~+/-]{20,}=*)`), credible: likeKey},
	{kind: "password", announced: true, marks: passwordWords, form: regexp.MustCompile(`^s?["'\x60]?\s*[:=：]\s*` + secretWord), credible: likePassword},
	{kind: "password", announced: true, marks: passwordWords, form: regexp.MustCompile(`^s?(?: (?:is|was|es|est|ist|e) |は|是)` + secretWord), credible: likeKey},
	{kind: "key", announced: true, marks: keyWords, form: regexp.MustCompile(`^s?["'\x60]?(?:\s*[:=：]\s*| is )` + secretWord), credible: likeKey},
}

// secretWord is what follows an announcement, up to a space or a sign that ends
// a word.
const secretWord = `["'\x60]?([^\s"'\x60,;，。、\[<{(]{4,})`

// passwordWords announce what a person chose, keyWords what a machine made. The
// languages are those of screening.
var (
	passwordWords = []string{"password", "passwd", "passphrase", "passcode", "pwd", "密码", "密碼", "口令", "contraseña", "mot de passe", "passwort", "kennwort",
		"senha", "пароль", "パスワード", "비밀번호", "पासवर्ड", "كلمة المرور", "كلمة السر", "پاس ورڈ", "পাসওয়ার্ড", "kata sandi"}
	keyWords = []string{"api key", "api_key", "api-key", "apikey", "access key", "access_key", "access-key", "secret", "token", "credential", "private key", "private_key",
		"密钥", "秘钥", "令牌", "金鑰", "密鑰"}
)

func notMarked(secret, _ string) bool { return !strings.HasPrefix(secret, "[") }

// likeKey says whether a word is a key and not a word of a language: it holds a
// digit beside letters.
func likeKey(secret, _ string) bool {
	return strings.ContainsAny(secret, "0123456789") && strings.IndexFunc(secret, unicode.IsLetter) >= 0
}

// likePassword says whether a word is a password: it is more than letters, or
// nothing follows it in its line.
func likePassword(secret, rest string) bool {
	if strings.ContainsFunc(secret, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '.' }) {
		return true
	}
	line, _, _ := strings.Cut(strings.TrimLeft(rest, " \t.\"'`"), "\n")
	return strings.TrimSpace(line) == ""
}

// FindSecrets gives the secrets in a text in order, none overlapping another.
func FindSecrets(text string) []Secret {
	var out []Secret
	lower := lowerASCII(text)
	for _, shape := range secretShapes {
		if shape.announced {
			out = append(out, shape.findAnnounced(lower)...)
		} else if slices.ContainsFunc(shape.marks, func(mark string) bool { return strings.Contains(text, mark) }) {
			out = append(out, shape.find(text)...)
		}
	}
	slices.SortFunc(out, func(a, b Secret) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	end := 0
	return slices.DeleteFunc(out, func(s Secret) bool {
		if s.From < end {
			return true
		}
		end = s.To
		return false
	})
}

func (s secretShape) find(text string) []Secret {
	var out []Secret
	for _, at := range s.form.FindAllStringSubmatchIndex(text, -1) {
		inWord := at[0] > 0 && isAlnum(text[at[0]-1]) && isAlnum(text[at[0]])
		if !inWord {
			out = s.keep(out, text, 0, at)
		}
	}
	return out
}

func (s secretShape) findAnnounced(text string) []Secret {
	var out []Secret
	for _, mark := range s.marks {
		for end := 0; ; {
			at := strings.Index(text[end:], mark)
			if at < 0 {
				break
			}
			end += at + len(mark)
			if at := s.form.FindStringSubmatchIndex(text[end:]); at != nil {
				out = s.keep(out, text, end, at)
			}
		}
	}
	return out
}

// keep adds the last group of a match at an offset, if it is credible.
func (s secretShape) keep(out []Secret, text string, offset int, match []int) []Secret {
	from, to := offset+match[len(match)-2], offset+match[len(match)-1]
	if s.credible == nil || s.credible(text[from:to], text[to:]) {
		out = append(out, Secret{s.kind, from, to})
	}
	return out
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// KeepSecrets treats secrets in texts that are about to be stored as the policy
// says: redact replaces them in place and gives a warning, refuse gives an error,
// flag leaves them for screening.
func KeepSecrets(policy SecretsPolicy, texts ...Spoken) (warnings []string, err error) {
	if policy != SecretsRedact && policy != SecretsRefuse {
		return nil, nil
	}
	for _, t := range texts {
		found := FindSecrets(*t.Text)
		if len(found) == 0 {
			continue
		}
		if policy == SecretsRefuse {
			return nil, Invalid(t.Field, "Leave the secret out and say where it is kept; with COMBRAY_SECRETS=redact the rest would be stored.",
				"%s holds what looks like a secret (%s), and this server stores none", t.Field, found[0].Kind)
		}
		*t.Text = redact(*t.Text, found)
		warnings = append(warnings, fmt.Sprintf("%s held what looks like a secret (%s): it was replaced by %s.", t.Field, found[0].Kind, SecretMark))
	}
	return warnings, nil
}

func redact(text string, secrets []Secret) string {
	var b strings.Builder
	done := 0
	for _, s := range secrets {
		b.WriteString(text[done:s.From])
		b.WriteString(SecretMark)
		done = s.To
	}
	b.WriteString(text[done:])
	return b.String()
}

// KeepSecrets treats the secrets in every free text of a capture as the policy
// says. The input itself is left alone.
func (in RememberInput) KeepSecrets(policy SecretsPolicy) (RememberInput, []string, error) {
	texts := []Spoken{{"content", &in.Content}}
	for _, f := range []struct {
		name string
		text **string
	}{{"source", &in.Source}, {"frame", &in.Frame}, {"session_id", &in.SessionID}, {"origin_id", &in.OriginID},
		{"capture_context", &in.CaptureContext}, {"metadata", &in.Metadata}, {"idempotency_key", &in.IdempotencyKey}} {
		if *f.text != nil {
			own := **f.text
			*f.text = &own
			texts = append(texts, Spoken{f.name, &own})
		}
	}
	in.Tags, in.MediaRefs = slices.Clone(in.Tags), slices.Clone(in.MediaRefs)
	for i := range in.Tags {
		texts = append(texts, Spoken{"tags", &in.Tags[i]})
	}
	for i := range in.MediaRefs {
		texts = append(texts, Spoken{"media_refs", &in.MediaRefs[i]})
	}
	warnings, err := KeepSecrets(policy, texts...)
	return in, warnings, err
}
