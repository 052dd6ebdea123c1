package httpapi

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// hosts are the names under which the server may be addressed: those of the
// loopback interface, and further ones. A web page that lets its own name point
// at this machine carries that name in Host and in Origin, and is refused.
type hosts map[string]bool

func newHosts(further []string) hosts {
	h := make(hosts)
	for _, name := range further {
		if name = strings.ToLower(strings.Trim(strings.TrimSpace(name), "[]")); name != "" {
			h[name] = true
		}
	}
	return h
}

// host says whether a Host header names this server. The port is not compared.
func (h hosts) host(header string) bool {
	name, ok := hostName(header)
	if !ok {
		return false
	}
	if name == "localhost" || h[name] {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// origin says whether an Origin header may call: absent, or a page of this
// machine or of a further name. "null", other schemes, user names and paths are
// none.
func (h hosts) origin(headers []string) bool {
	if len(headers) == 0 {
		return true
	}
	if len(headers) > 1 {
		return false
	}
	u, err := url.Parse(headers[0])
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil &&
		u.Path == "" && u.RawQuery == "" && u.Fragment == "" && h.host(u.Host)
}

// hostName gives the name in lower case of NAME, NAME:PORT, [IPv6] or
// [IPv6]:PORT.
func hostName(header string) (name string, ok bool) {
	name, port := header, ""
	if strings.HasPrefix(header, "[") {
		end := strings.IndexByte(header, ']')
		if end < 0 {
			return "", false
		}
		name, port = header[1:end], header[end+1:]
		if !strings.Contains(name, ":") {
			return "", false
		}
	} else if i := strings.IndexByte(header, ':'); i >= 0 {
		name, port = header[:i], header[i:]
	}
	if port != "" {
		if _, err := strconv.ParseUint(strings.TrimPrefix(port, ":"), 10, 16); err != nil || port[0] != ':' {
			return "", false
		}
	}
	return strings.ToLower(name), name != ""
}
