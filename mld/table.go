package mld

import "github.com/fourway-routing/fourway/pool"

type tableScratch struct{}

func (t *tableScratch) release(*pool.Allocator) {}
