package main

// Conditional restrictions need time zones, which not every system has.
import _ "time/tzdata"
