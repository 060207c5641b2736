package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func TestParseDataSets(t *testing.T) {
	for _, test := range []struct {
		args []string
		want []dataSet
		said string
	}{
		{args: []string{"maps/delaware"}, want: []dataSet{{"", "maps/delaware"}}},
		{args: []string{"car=maps/delaware"}, want: []dataSet{{"car", "maps/delaware"}}},
		{args: []string{"./a=b/delaware"}, want: []dataSet{{"", "./a=b/delaware"}}},
		{args: []string{"car=a=b"}, want: []dataSet{{"car", "a=b"}}},
		{args: []string{"car=a", "bike=b"}, want: []dataSet{{"car", "a"}, {"bike", "b"}}},
		{args: []string{"a", "bike=b"}, said: "PROFILE=NAME"},
		{args: []string{"car=a", "=b"}, said: "PROFILE=NAME"},
		{args: []string{"car=a", "car=b"}, said: "already"},
		{args: []string{"fähre=a"}, said: "URL"},
		{args: []string{"car="}, said: "empty"},
		{args: []string{""}, said: "empty"},
	} {
		got, err := parseDataSets(test.args)
		if test.said != "" {
			require.ErrorContains(t, err, test.said, test.args)
			continue
		}
		require.NoError(t, err, test.args)
		require.Equal(t, test.want, got)
	}
}

func TestFleet(t *testing.T) {
	name := town(t)
	f, err := openFleet([]dataSet{{"auto", name}, {"truck", name}}, true, routing.Options{})
	require.NoError(t, err)
	require.Len(t, f.opened, 1, "one data set is opened once")
	require.Len(t, f.engines, 3)
	require.Same(t, f.engines["auto"], f.engines["driving"])
	require.NoError(t, f.close())
	f, err = openFleet([]dataSet{{"", name}}, false, routing.Options{})
	require.NoError(t, err)
	require.Len(t, f.engines, 2, "driving and car")
	require.NoError(t, f.close())
	_, err = openFleet([]dataSet{{"car", name}, {"bike", name + "-not"}}, false, routing.Options{})
	require.ErrorContains(t, err, "town-not")
}
