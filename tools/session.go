package tools

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// session is the connection as one request sees it. Every request gets its own,
// so that its notifications can be written before its result and a client of
// the stateless revision leaves nothing behind for the next one.
type session struct {
	client       mcp.Implementation
	capabilities mcp.ClientCapabilities
	version      string
	initialized  bool
	outgoing     chan mcp.JSONRPCNotification
	connection   *connection
	request      *request
}

var (
	_ server.SessionWithClientInfo      = (*session)(nil)
	_ server.SessionWithProtocolVersion = (*session)(nil)
)

// notificationsInFlight is how many notifications of one request may wait to be
// written. mcp-go refuses more than fit.
const notificationsInFlight = 100

// fork is the session for one more request of a connection.
func (s session) fork(k *connection, r *request) *session {
	s.connection, s.request = k, r
	s.outgoing = make(chan mcp.JSONRPCNotification, notificationsInFlight)
	return &s
}

func (s *session) SessionID() string                                   { return "stdio" }
func (s *session) Initialize()                                         { s.initialized = true }
func (s *session) Initialized() bool                                   { return s.initialized }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.outgoing }
func (s *session) GetClientInfo() mcp.Implementation                   { return s.client }
func (s *session) SetClientInfo(c mcp.Implementation)                  { s.client = c }
func (s *session) GetClientCapabilities() mcp.ClientCapabilities       { return s.capabilities }
func (s *session) SetClientCapabilities(c mcp.ClientCapabilities)      { s.capabilities = c }
func (s *session) ProtocolVersion() string                             { return s.version }
func (s *session) SetProtocolVersion(v string)                         { s.version = v }
