package httpapi

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"combray/tools"
)

// MinToken is the least length of a token in characters: what 24 random bytes
// take in base64. NewToken gives 43.
const MinToken = 32

// tokenBytes is the randomness of a new token (facts/mcp.md 6.4, number 3).
const tokenBytes = 32

// Tokens are the secrets that open the doors. Only digests of them are kept.
type Tokens struct{ all []token }

// token is one secret and what it is good for.
type token struct {
	digest [sha256.Size]byte
	scopes []tools.Scope
	limit  *tools.CallLimit
}

// NewToken makes a token of 32 random bytes.
func NewToken(random io.Reader) (string, error) {
	b := make([]byte, tokenBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("no randomness for a token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// ParseTokens reads a token file. A line is a token, or scopes and a token:
//
//	# everything
//	kV1k…
//	# the phone may report what it senses and take what surfaced
//	sense 9d2b…
//	read,sense 77fe…
//
// Blank lines and lines that begin with # are left out. An error names the line
// and never the token.
func ParseTokens(r io.Reader) (*Tokens, error) {
	t := &Tokens{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		one, err := parseToken(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		t.all = append(t.all, one)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(t.all) == 0 {
		return nil, errors.New("it holds no token")
	}
	return t, nil
}

func parseToken(line string) (token, error) {
	fields := strings.Fields(line)
	scopes := tools.Scopes()
	switch len(fields) {
	case 1:
	case 2:
		scopes = nil
		for _, name := range strings.Split(fields[0], ",") {
			if !slices.Contains(tools.Scopes(), tools.Scope(name)) {
				return token{}, errors.New("before the token stand its scopes, of read, write and sense, joined by commas")
			}
			scopes = append(scopes, tools.Scope(name))
		}
	default:
		return token{}, errors.New("a line is a token, or its scopes and the token")
	}
	secret := fields[len(fields)-1]
	if len(secret) < MinToken {
		return token{}, fmt.Errorf("the token has %d characters; at least %d are needed", len(secret), MinToken)
	}
	return token{digest: sha256.Sum256([]byte(secret)), scopes: scopes}, nil
}

// limited gives each token calls of its own.
func (t *Tokens) limited(callsPerMinute int) *Tokens {
	out := &Tokens{all: slices.Clone(t.all)}
	for i := range out.all {
		out.all[i].limit = tools.NewCallLimit(callsPerMinute)
	}
	return out
}

// find gives the token of an Authorization header, nil when it is none of ours.
// It takes the same time whichever token it is and however wrong it is: digests
// are compared, all of them (TestTokenComparison).
func (t *Tokens) find(authorization string) *token {
	scheme, secret, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") || secret == "" {
		return nil
	}
	digest := sha256.Sum256([]byte(secret))
	var found *token
	for i := range t.all {
		if subtle.ConstantTimeCompare(digest[:], t.all[i].digest[:]) == 1 {
			found = &t.all[i]
		}
	}
	return found
}
