package store

import "context"

// ID is the random name that the store file was made with. It is cheap.
func (s *Store) ID(ctx context.Context) (id string, err error) {
	err = s.view(ctx, func(r *reader) error {
		_, err := r.c.scan(ctx, []any{&id}, "SELECT store_id FROM store")
		return err
	})
	return id, err
}
