package memory

import (
	"strings"
	"testing"
)

// Every key here is made up of its prefix and a pattern.
var (
	x20 = strings.Repeat("a1B2", 5)
	x36 = strings.Repeat("a1B2c3", 6)
	pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow" + x36 + "\n" + x36 + "==\n-----END RSA PRIVATE KEY-----"
	jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"
)

func TestFindSecrets(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"AWS access key", "key AKIA" + strings.Repeat("Q7", 8) + " here", "AKIA" + strings.Repeat("Q7", 8)},
		{"GitHub token", "use ghp_" + x36 + ".", "ghp_" + x36},
		{"GitHub token", "github_pat_" + x20 + "_" + x20, "github_pat_" + x20 + "_" + x20},
		{"GitLab token", "glpat-" + x20, "glpat-" + x20},
		{"API key", "OPENAI sk-" + x36, "sk-" + x36},
		{"API key", "sk-ant-api03-" + x36, "sk-ant-api03-" + x36},
		{"Stripe key", "sk_live_" + x20, "sk_live_" + x20},
		{"Slack token", "xoxb-123456789012-" + x20, "xoxb-123456789012-" + x20},
		{"Google API key", "AIza" + x36[:35], "AIza" + x36[:35]},
		{"npm token", "npm_" + x36, "npm_" + x36},
		{"Hugging Face token", "hf_" + x36, "hf_" + x36},
		{"SendGrid key", "SG." + x20 + "." + x20, "SG." + x20 + "." + x20},
		{"JSON Web Token", "cookie " + jwt + " end", jwt},
		{"private key", "keep\n" + pem + "\nsafe", pem},
		{"private key", "-----BEGIN PRIVATE KEY-----\n" + x36, "-----BEGIN PRIVATE KEY-----\n" + x36},
		{"password in a URL", "postgres://ada:tea4two@db/x", "tea4two"},
		{"authorization header", "Authorization: Bearer " + x36, x36},
		{"password", "Password: tea4two", "tea4two"},
		{"password", "the wifi password is tea4two, ask Ada", "tea4two"},
		{"password", "PASSWORD = swordfish", "swordfish"},
		{"password", `{"password": "tea4two"}`, "tea4two"},
		{"password", "密码：abc123", "abc123"},
		{"password", "пароль: кот2024", "кот2024"},
		{"key", "api_key=" + x20, x20},
		{"key", "the token is " + x20, x20},
	} {
		found := FindSecrets(c.text)
		if len(found) != 1 || found[0].Kind != c.kind || c.text[found[0].From:found[0].To] != c.want {
			t.Errorf("%q: found %+v, want one %s %q", c.text, found, c.kind, c.want)
		}
	}
}

func TestFindSecretsLeavesOrdinaryTextAlone(t *testing.T) {
	for _, text := range []string{
		"", "password: see the vault", "Password: must have eight characters", "the password is kept by Ada", "The password is long.", "a token of love: roses everywhere",
		"secret: nobody knows the trouble", "tokens: words and parts", "the token is invalid again", "Slovakia and ASIA", "ask-sk-me", "task-1234",
		"https://example.org:8080/a@b", "mailto:ada@example.org", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "basic understanding of things",
		"the bearer of good news came late", "密码学是一门课", SecretMark, "password: " + SecretMark, "xoxo-and-kisses-to-you", "sk-short",
	} {
		if found := FindSecrets(text); found != nil {
			t.Errorf("%q: found %+v, want nothing", text, found)
		}
	}
}

func TestKeepSecretsPolicies(t *testing.T) {
	content, clean := "first "+jwt+", then password: tea4two", "nothing here"
	given := content
	if warnings, err := KeepSecrets(SecretsFlag, Spoken{"content", &given}); err != nil || warnings != nil || given != content {
		t.Errorf("flag: %q, %v, %v; want the text as it was", given, warnings, err)
	}
	warnings, err := KeepSecrets(SecretsRedact, Spoken{"content", &given}, Spoken{"source", &clean})
	if want := "first " + SecretMark + ", then password: " + SecretMark; err != nil || given != want {
		t.Errorf("redact: %q, %v; want %q", given, err, want)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "content") || !strings.Contains(warnings[0], SecretMark) || strings.Contains(warnings[0], jwt) {
		t.Errorf("redact: warnings %q; want one that names the field and the mark", warnings)
	}
	again := given
	if warnings, _ := KeepSecrets(SecretsRedact, Spoken{"content", &again}); again != given || warnings != nil {
		t.Errorf("redact twice: %q, %v; want no change", again, warnings)
	}
	_, err = KeepSecrets(SecretsRefuse, Spoken{"note", &clean}, Spoken{"content", &content})
	if CodeOf(err) != CodeInvalid || err.(*Error).Field != "content" || err.(*Error).Hint == "" || strings.Contains(err.Error(), jwt) {
		t.Errorf("refuse: %v; want invalid for content with a hint and without the secret", err)
	}
}

func TestKeepSecretsReadsEveryFieldOfACapture(t *testing.T) {
	key := "ghp_" + x36
	text := func() *string { s := "see " + key; return &s }
	metadata := `{"a": "` + key + `", "b": 1}`
	in := RememberInput{Content: *text(), Source: text(), Frame: text(), SessionID: text(), OriginID: text(), CaptureContext: text(),
		Metadata: &metadata, IdempotencyKey: text(), Tags: []string{"x", *text()}, MediaRefs: []string{*text()}}
	out, warnings, err := in.KeepSecrets(SecretsRedact)
	if err != nil || len(warnings) != 10 {
		t.Errorf("%d warnings, %v; want one a field", len(warnings), err)
	}
	for _, s := range []string{out.Content, *out.Source, *out.Frame, *out.SessionID, *out.OriginID, *out.CaptureContext, *out.Metadata, *out.IdempotencyKey, out.Tags[1], out.MediaRefs[0]} {
		if strings.Contains(s, key) || !strings.Contains(s, SecretMark) {
			t.Errorf("%q: the key is still there or left no mark", s)
		}
	}
	if want := `{"a": "` + SecretMark + `", "b": 1}`; *out.Metadata != want {
		t.Errorf("metadata %s, want %s", *out.Metadata, want)
	}
	if !strings.Contains(*in.Source, key) || !strings.Contains(in.Tags[1], key) {
		t.Error("the caller's own input was changed")
	}
}

// A secret is flagged, and the audit log does not quote it.
func TestScreenFlagsSecretsWithoutQuotingThem(t *testing.T) {
	hit, found := Screen("content", "remember ghp_"+x36)
	if !found || hit.Pattern != "secret" || strings.Contains(hit.Reason(), x36) {
		t.Errorf("found %v, reason %q; want a secret that is not quoted", found, hit.Reason())
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{pem, jwt, "password: a1b2\npassword: c3d4", "postgres://a:b1c@d postgres://e:[f@g", "密码：abc123，密码：x9y8z7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range FindSecrets(text) {
			if s.From < end || s.To <= s.From || s.To > len(text) {
				t.Fatalf("secret %+v is out of order or place", s)
			}
			end = s.To
		}
		if _, err := KeepSecrets(SecretsRedact, Spoken{"content", &text}); err != nil {
			t.Fatal(err)
		}
	})
}
