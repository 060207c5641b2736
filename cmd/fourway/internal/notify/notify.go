// Package notify tells the service manager that started the process how it is, by
// the protocol of systemd's sd_notify(3): a datagram to the socket that the
// environment variable NOTIFY_SOCKET names. Without one it does nothing.
package notify

import (
	"fmt"
	"net"
	"os"
)

// Variable is the environment variable that names the socket.
const Variable = "NOTIFY_SOCKET"

// States of a service.
const (
	Ready    = "READY=1"
	Stopping = "STOPPING=1"
)

// Send tells a state.
func Send(state string) error {
	name := os.Getenv(Variable)
	if name == "" {
		return nil
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("tell the service manager: %w", err)
	}
	defer c.Close()
	if _, err := c.Write([]byte(state)); err != nil {
		return fmt.Errorf("tell the service manager: %w", err)
	}
	return nil
}
