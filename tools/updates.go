package tools

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// updates tells subscribers of recollections://pending that the queue changed,
// whichever process changed it. It asks for the queue's version while somebody
// is subscribed, and not otherwise. mcp-go acknowledges subscriptions and
// delivers nothing (facts/mcp.md 2.3 no. 6), so delivery is done here, for both
// protocol eras and both transports.
type updates struct {
	version func(context.Context) (int64, error) // nil: nothing can be subscribed to
	log     *slog.Logger

	mu   sync.Mutex
	subs map[any]*subscription
	stop context.CancelFunc // ends the polling; nil while nobody is subscribed
}

// subscription is one subscriber: a connection or session of the old era, or
// one request of the new.
type subscription struct {
	send  func(mcp.JSONRPCNotification)
	since time.Time
	seen  int64
	known bool // seen was read
}

const (
	// updatesEvery is how often the queue's version is asked for, and so the
	// least time between two notifications (contract/sense.md 1.6).
	updatesEvery = time.Second
	// updatesSettle is how old a subscription is before it is notified, so that
	// its acknowledgement always goes first.
	updatesSettle = 100 * time.Millisecond
	// acknowledged is given to an acknowledgement that honours nothing before
	// its result follows: over HTTP mcp-go drops what the result overtakes.
	acknowledged = 20 * time.Millisecond
)

// connect hooks into the subscriptions of mcp-go.
func (u *updates) connect(h *server.Hooks) {
	h.AddAfterSubscribe(func(ctx context.Context, _ any, m *mcp.SubscribeRequest, _ *mcp.EmptyResult) {
		if key, send := legacySubscriber(ctx); key != nil && u.serves(m.Params.URI) {
			u.add(ctx, key, send)
		}
	})
	h.AddAfterUnsubscribe(func(ctx context.Context, _ any, m *mcp.UnsubscribeRequest, _ *mcp.EmptyResult) {
		if key, _ := legacySubscriber(ctx); key != nil && u.serves(m.Params.URI) {
			u.remove(key)
		}
	})
	h.AddOnUnregisterSession(func(_ context.Context, s server.ClientSession) { u.remove(s.SessionID()) })
	h.AddBeforeSubscriptionsListen(u.beforeListen)
	h.AddAfterSubscriptionsListen(u.afterListen)
}

func (u *updates) serves(uri string) bool { return u.version != nil && uri == pendingURI }

// beforeListen leaves in the request what can be served, so that no more is
// acknowledged, and subscribes for as long as the request runs.
func (u *updates) beforeListen(ctx context.Context, id any, m *mcp.SubscriptionsListenRequest) {
	filter := &m.Params.Notifications
	filter.ResourceSubscriptions = slices.DeleteFunc(slices.Clone(filter.ResourceSubscriptions), func(uri string) bool { return !u.serves(uri) })
	if len(filter.ResourceSubscriptions) == 0 {
		return
	}
	filter.ResourceSubscriptions = []string{pendingURI}
	key := new(subscription)
	context.AfterFunc(ctx, func() { u.remove(key) })
	u.add(ctx, key, listener(ctx, id))
}

func (u *updates) afterListen(ctx context.Context, _ any, m *mcp.SubscriptionsListenRequest, _ *mcp.SubscriptionsListenResult) {
	if _, ours := server.ClientSessionFromContext(ctx).(*session); ours || !m.Params.Notifications.IsEmpty() {
		return
	}
	select {
	case <-time.After(acknowledged):
	case <-ctx.Done():
	}
}

// legacySubscriber is who subscribes by resources/subscribe: a connection on
// stdio, a session over HTTP.
func legacySubscriber(ctx context.Context) (key any, send func(mcp.JSONRPCNotification)) {
	switch s := server.ClientSessionFromContext(ctx).(type) {
	case nil:
		return nil, nil
	case *session:
		return s.connection, func(n mcp.JSONRPCNotification) { s.connection.write(n) }
	default:
		return s.SessionID(), pushTo(s)
	}
}

// listener delivers on the stream of a subscriptions/listen request. Over HTTP
// mcp-go tags what goes out with the request's id.
func listener(ctx context.Context, id any) func(mcp.JSONRPCNotification) {
	s, ours := server.ClientSessionFromContext(ctx).(*session)
	if !ours {
		return pushTo(server.ClientSessionFromContext(ctx))
	}
	if s.request != nil {
		id = s.request.id
	}
	return func(n mcp.JSONRPCNotification) {
		if s.connection.isSilent(s.request) {
			return
		}
		n.Params.Meta = map[string]any{mcp.MetaKeySubscriptionID: id}
		s.connection.write(n)
	}
}

// pushTo hands a notification to a session over HTTP without waiting: one who
// does not read finds the oldest, which says the same.
func pushTo(s server.ClientSession) func(mcp.JSONRPCNotification) {
	return func(n mcp.JSONRPCNotification) {
		waiting := s.NotificationChannel()
		if len(waiting) > 1 {
			return
		}
		select {
		case waiting <- n:
		default:
		}
	}
}

// add subscribes. What changes from now on is told; what the queue held before
// is not.
func (u *updates) add(ctx context.Context, key any, send func(mcp.JSONRPCNotification)) {
	seen, err := u.version(ctx)
	if err != nil {
		u.log.Debug("the queue's version is not known", "err", err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.subs == nil {
		u.subs = make(map[any]*subscription)
	}
	u.subs[key] = &subscription{send: send, since: time.Now(), seen: seen, known: err == nil}
	if u.stop == nil {
		var polling context.Context
		polling, u.stop = context.WithCancel(context.Background())
		go u.poll(polling)
	}
	if ctx.Err() != nil {
		u.drop(key)
	}
}

func (u *updates) remove(key any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop(key)
}

// drop is remove with the lock held.
func (u *updates) drop(key any) {
	delete(u.subs, key)
	if len(u.subs) == 0 && u.stop != nil {
		u.stop()
		u.stop = nil
	}
}

func (u *updates) poll(ctx context.Context) {
	t := time.NewTicker(updatesEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			u.tell(ctx)
		}
	}
}

// tell notifies those who have not been told of the present version.
func (u *updates) tell(ctx context.Context) {
	version, err := u.version(ctx)
	if err != nil {
		u.log.Debug("the queue's version is not known", "err", err)
		return
	}
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{
		Method: mcp.MethodNotificationResourceUpdated, Params: mcp.NotificationParams{AdditionalFields: map[string]any{"uri": pendingURI}}}}
	for _, s := range u.due(version) {
		s.send(n)
	}
}

func (u *updates) due(version int64) []*subscription {
	u.mu.Lock()
	defer u.mu.Unlock()
	var due []*subscription
	for _, s := range u.subs {
		switch {
		case !s.known:
			s.seen, s.known = version, true
		case s.seen != version && time.Since(s.since) >= updatesSettle:
			s.seen = version
			due = append(due, s)
		}
	}
	return due
}
