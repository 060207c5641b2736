package lua

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Loops whose bodies begin with jumps.
func TestLoops(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		require.Equal(t, "a\tb\tc\n3\n2\n4\n1\n3\n2\n", printed(t, Options{Trusted: trusted}, `
local seen = {}
for _, v in ipairs{'a', 'b', 'c'} do
	while true do break end
	seen[#seen + 1] = v
end
print(unpack(seen))
local n = 0
for _ in pairs{1, 2, 3} do
	if false then n = 10 end
	n = n + 1
end
print(n)
n = 0
for _ in pairs{1, 2} do do while true do break end end n = n + 1 end
print(n)
n = 0
repeat while true do break end n = n + 1 until n > 3
print(n)
n = 0
while true do while true do break end n = n + 1 if n == 1 then break end end
print(n)
n = 0
for _ in pairs{1, 2, 3} do goto next ::next:: n = n + 1 end
print(n)
n = 0
while n < 2 do if not true or nil then n = 5 else n = n + 1 end end
print(n)`))
	}
}
